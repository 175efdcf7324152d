"""More synthetic links, drawn wider than any recorded set: regimes, self-similar load, operator links, slow drift.

Rates are around 1 Mbit/s; `scenes.py` fits them to ladders. What regimes.json says was fitted to training traces alone
(`fit_regimes.py`).
"""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from links.traces import Trace

REGIMES = Path(__file__).with_name("regimes.json")
STEPS = 500
FLOOR_KBPS = 5.0
"""Of a second with less, nothing more is known than that it was one."""
STATES, APART, STAY_S, NOISE = (2, 5), (0.1, 1.6), (2.0, 120.0), (0.03, 0.5)
"""Of drawn regimes: how many states, the deviation of their levels' logarithms, the mean seconds in one, and the deviation
of ln rate within one. The fitted ones have five states, 0.5 to 1.4, 6 to 60 s and 0.04 to 1.4."""


@dataclass(frozen=True)
class Regimes:
    """A hidden Markov model of ln rate less its mean over the link, in steps: Gaussians by state, and how states follow each other."""

    kind: str
    step_ms: float
    means: np.ndarray
    deviations: np.ndarray
    moves: np.ndarray
    """[from][to], rows that sum to 1."""


def read_regimes(without: str | None = None) -> list[Regimes]:
    """Those of all kinds of training traces but one."""
    known = json.loads(REGIMES.read_text())
    found = [Regimes(each["kind"], known["stepMs"], *(np.array(each[name]) for name in ("means", "deviations", "moves"))) for each in known["regimes"]]
    return [each for each in found if each.kind != without]


def standing_shares(moves: np.ndarray) -> np.ndarray:
    """How often each state is met in the long run."""
    shares = np.full(len(moves), 1 / len(moves))
    for _ in range(200):
        shares = shares @ moves
    return shares / shares.sum()


def drawn_regimes(random: np.random.Generator) -> Regimes:
    """States that are fitted to no set, and that are wider apart or nearer to each other, longer or shorter than those of any: a
    link may be slow for two minutes and fast for ten seconds, or the other way round."""
    states = int(random.integers(STATES[0], STATES[1] + 1))
    means = random.uniform(*APART) * random.normal(size=states)
    leave = 1 / np.exp(random.uniform(*np.log(STAY_S), states))
    to = random.dirichlet(np.ones(states), states) * (1 - np.eye(states))
    moves = leave[:, None] * to / to.sum(1, keepdims=True) + np.diag(1 - leave)
    mean = np.log((standing_shares(moves) * np.exp(means)).sum())
    return Regimes("drawn", 1000.0, means - mean, np.exp(random.uniform(*np.log(NOISE), states)), moves)


def varied_regimes(random: np.random.Generator, regimes: Regimes) -> Regimes:
    """The same with states nearer to each other or further apart, that last shorter or longer."""
    wide, noisy = np.exp(random.uniform(-0.7, 0.6)), np.exp(random.uniform(-0.9, 0.5))
    stay = np.exp(random.uniform(-1.2, 1.2))
    leaving = regimes.moves * (1 - np.eye(len(regimes.moves))) * stay
    leaving *= np.minimum(1, 0.95 / np.maximum(leaving.sum(1, keepdims=True), 1e-9))
    moves = leaving + np.diag(1 - leaving.sum(1))
    shift = 0.15 * random.normal(size=len(regimes.means))
    return Regimes(regimes.kind, regimes.step_ms, wide * regimes.means + shift, noisy * regimes.deviations, moves)


def regime_trace(random: np.random.Generator, number: int, regimes: Regimes, keep: float | None = None) -> Trace:
    """A link that changes between states as such links do; the noise within a state has a memory of its own, `keep` a step."""
    steps, keep = STEPS, random.uniform(0, 0.8) if keep is None else keep
    state = random.choice(len(regimes.means), p=standing_shares(regimes.moves))
    uniform, noise = random.random(steps), random.normal(size=steps)
    bounds = np.cumsum(regimes.moves, 1)
    log_rate, held = np.empty(steps), random.normal()
    for at in range(steps):
        held = keep * held + np.sqrt(1 - keep**2) * noise[at]
        log_rate[at] = regimes.means[state] + regimes.deviations[state] * held
        state = min(int(np.searchsorted(bounds[state], uniform[at], "right")), len(bounds) - 1)
    return _trace(f"regimes-{regimes.kind}-{number}", regimes.step_ms, np.exp(log_rate))


def phased_trace(random: np.random.Generator, number: int) -> Trace:
    """A link that alternates between two levels far apart, for a quarter of a minute to three minutes each: on a train, or under a
    scheduler. How long a level lasts is a sum of one to a hundred exponential times, from no rhythm at all to a fixed one."""
    low = np.exp(-random.uniform(1.5, 3.3))
    stays_s, parts = np.exp(random.uniform(*np.log((15, 180)), 2)), int(np.exp(random.uniform(0, np.log(100))))
    keep, spread = random.uniform(0, 0.9), np.exp(random.uniform(*np.log((0.02, 0.3))))
    log_rate, at, is_low = np.zeros(STEPS), 0, bool(random.integers(2))
    while at < STEPS:
        end = at + max(1, round(random.gamma(parts, stays_s[int(is_low)] / parts)))
        log_rate[at:end] = np.log(low) if is_low else 0
        at, is_low = end, not is_low
    held = 0.0
    for at, noise in enumerate(random.normal(size=STEPS)):
        held = keep * held + np.sqrt(1 - keep**2) * noise
        log_rate[at] += spread * held
    return _trace(f"phased-{number}", 1000.0, np.exp(log_rate))


def self_similar_noise(random: np.random.Generator, steps: int, hurst: float) -> np.ndarray:
    """About fractional Gaussian noise, of deviation 1: a spectrum that falls as f to the power of 1 - 2 H."""
    frequencies = np.fft.rfftfreq(2 * steps)[1:]
    heights = frequencies ** ((1 - 2 * hurst) / 2)
    parts = heights * (random.normal(size=len(heights)) + 1j * random.normal(size=len(heights)))
    noise = np.fft.irfft(np.concatenate([[0], parts]), 2 * steps)[:steps]
    return (noise - noise.mean()) / max(noise.std(), 1e-9)


def loaded_trace(random: np.random.Generator, number: int) -> Trace:
    """What the load of others leaves of a link: bursty on all time scales, as measured since Leland et al., SIGCOMM 1993."""
    noise = self_similar_noise(random, STEPS, random.uniform(0.6, 0.97))
    load, swing = random.uniform(0.1, 0.85), random.uniform(0.1, 0.8)
    left = np.clip(1 - load * np.exp(swing * noise - swing**2 / 2), random.uniform(0.01, 0.15), 1)
    return _trace(f"loaded-{number}", float(random.choice([500, 1000, 2000])), left)


def shared_trace(random: np.random.Generator, number: int) -> Trace:
    """An equal part of a cell or a household's line, whose other users come and go; how long they stay is heavy-tailed."""
    step_s, tail = float(random.choice([0.5, 1, 2])), random.uniform(1.1, 2.2)
    arrivals = random.poisson(random.uniform(0.01, 0.25) * step_s, STEPS)
    active = np.zeros(2 * STEPS)
    for at in np.repeat(np.arange(STEPS), arrivals):
        stays = int(min(STEPS, np.ceil(random.uniform(1, 15) * (1 + random.pareto(tail)) / step_s)))
        active[at : at + stays] += random.choice([0.2, 0.5, 1, 1, 2])
    noise = 1 + random.uniform(0, 0.15) * random.normal(size=STEPS)
    return _trace(f"shared-{number}", 1000 * step_s, np.clip(noise, 0.3, 2) / (1 + active[:STEPS]))


def operator_trace(random: np.random.Generator, number: int) -> Trace:
    """A mobile link that its operator holds at a level: small noise, short dips, and now and then another level for a while."""
    keep, spread = random.uniform(0, 0.9), np.exp(random.uniform(np.log(0.005), np.log(0.12)))
    noise = np.empty(STEPS)
    noise[0] = random.normal()
    for at in range(1, STEPS):
        noise[at] = keep * noise[at - 1] + np.sqrt(1 - keep**2) * random.normal()
    log_rate = spread * noise
    for at in np.flatnonzero(random.random(STEPS) < random.choice([0, 0.003, 0.02])):
        log_rate[at : at + random.integers(1, 5)] += np.log(random.uniform(0.25, 0.9))
    for at in np.flatnonzero(random.random(STEPS) < random.choice([0, 0.002])):
        log_rate[at : at + random.integers(20, 120)] += 0.35 * random.normal()
    return _trace(f"operator-{number}", 1000.0, np.exp(log_rate))


def drifting(random: np.random.Generator, trace: Trace) -> Trace:
    """The trace with a slow wave, as the hours of a day have: a period of 5 to 90 min, up to a factor of 3 either way."""
    period_ms = 60_000 * np.exp(random.uniform(np.log(5), np.log(90)))
    height, phase = random.uniform(0.1, 1.1), random.uniform(0, 2 * np.pi)
    wave = np.exp(height * np.sin(2 * np.pi * trace.end_ms / period_ms + phase))
    return Trace(f"{trace.name}^", trace.end_ms, trace.rate_kbps * wave, trace.start_ms)


def _trace(name: str, step_ms: float, rate: np.ndarray) -> Trace:
    kbps = np.maximum(1000 * rate, 0)
    return Trace(name, step_ms * np.arange(1, len(kbps) + 1), np.where(kbps < FLOOR_KBPS, FLOOR_KBPS / 2, kbps), 0.0)
