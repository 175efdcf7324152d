"""Synthetic traces: made up, or recorded ones at another pace and with outages."""

import numpy as np

from links.traces import Trace

OUTAGES_AN_HOUR, OUTAGE_SPAN_S = 24, (3, 45)


def made_up_trace(random: np.random.Generator, number: int) -> Trace:
    """A rate that wanders around 1 Mbit/s, with jumps between levels and now and then an outage."""
    steps = 400
    step_ms = float(random.choice([500, 1000, 2000, 5000]))
    keep = np.exp(-step_ms / 1000 / np.exp(random.uniform(np.log(2), np.log(60))))
    spread, jump = random.uniform(0.05, 0.8), random.uniform(0, 0.02)
    level, noise, log_rate = 0.0, 0.0, np.empty(steps)
    for at in range(steps):
        if random.random() < jump:
            level = random.normal() * 0.8
        noise = keep * noise + np.sqrt(1 - keep**2) * random.normal()
        log_rate[at] = level + spread * noise
    rate = 1000 * np.exp(log_rate)
    if random.random() < 0.3:
        for begin in random.integers(0, steps, size=random.integers(1, 4)):
            rate[begin : begin + random.integers(1, max(2, int(15000 / step_ms)))] = random.uniform(0, 50)
    return Trace(f"made-up-{number}", step_ms * np.arange(1, steps + 1), rate, 0.0)


def steady_trace(random: np.random.Generator, number: int) -> Trace:
    """A rate that keeps to its level, as wired links and emulated ones do; in some it changes level, rarely."""
    steps = 400
    step_ms = float(random.choice([1000, 2000, 5000]))
    spread = np.exp(random.uniform(np.log(0.003), np.log(0.1)))
    jump = random.choice([0, 0.005])
    moves = np.where(random.random(steps) < jump, 0.4 * random.normal(size=steps), 0)
    rate = 1000 * np.exp(np.cumsum(moves) + spread * random.normal(size=steps))
    return Trace(f"steady-{number}", step_ms * np.arange(1, steps + 1), rate, 0.0)


def varied(random: np.random.Generator, trace: Trace) -> Trace:
    """A trace at another pace and with a rate that wanders around its own, so that no net learns one by heart."""
    steps, spread = len(trace.end_ms), random.uniform(0.05, 0.3)
    noise = np.empty(steps)
    noise[0] = random.normal()
    for at in range(1, steps):
        noise[at] = 0.9 * noise[at - 1] + 0.436 * random.normal()
    pace = np.exp(random.uniform(-0.4, 0.4))
    return Trace(f"{trace.name}~", trace.end_ms * pace, trace.rate_kbps * np.exp(spread * noise), trace.start_ms * pace)


def with_outages(random: np.random.Generator, trace: Trace) -> Trace:
    """The trace with spells in which next to nothing comes, as often as `OUTAGES_AN_HOUR` says; it may be spared."""
    span_ms = float(trace.end_ms[-1] - trace.start_ms)
    for _ in range(random.poisson(OUTAGES_AN_HOUR * span_ms / 3.6e6)):
        begin = trace.start_ms + random.uniform(0, span_ms)
        last = min(begin + 1000 * np.exp(random.uniform(*np.log(OUTAGE_SPAN_S))), trace.end_ms[-1])
        # As long as it is, also where one piece of the trace lasts longer.
        ends = np.unique(np.concatenate([trace.end_ms, [begin, last]]))
        ends = ends[ends > trace.start_ms]
        rate = trace.rate_kbps[np.searchsorted(trace.end_ms, ends)]
        rate[(ends > begin) & (ends <= last)] *= random.uniform(0, 0.03)
        trace = Trace(trace.name, ends, rate, trace.start_ms)
    return Trace(f"{trace.name}!", trace.end_ms, trace.rate_kbps, trace.start_ms)
