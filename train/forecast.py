"""A learned forecast of rates, and control by the best mean over it: the other way to a rule that learns (Yan et al., NSDI 2020).

    forecast.py train --traces DIR --run DIR [--seed N] --held FAMILY       half a minute of one core; writes forecast.pt
    forecast.py play FORECAST --traces DIR [--net CHECKPOINT...]             prints the QoE per chunk

A net says how likely each rate is for each of the next segments; forecast.c takes the rung that is worth most on average. `play`
is of the chunk model's sets of the family that was held out, one trace in five: the forecast alone and, with --net, those nets and
mixtures of both.
"""

import argparse
import ctypes
from pathlib import Path

import numpy as np
import torch
from torch import nn

from chunk_env import MAX_RUNGS, Sessions, World
from export import nets_of
from families import FAMILIES, FamilySets
from leave_out import LINKS, TURNS, USES
from net import Policy
from qoe import mu
from score import published_scenes
from validation import Validation, family_of
from worlds import drawn_worlds

STEPS, BINS = 5, 20
OFF_LN = np.linspace(-4, 2.5, BINS)
"""Of ln rate less the slow mean: a rate of a fiftieth to twelve times that."""
HISTORY_OF_RUNG, SLOW, FAST, LOWEST = slice(0, 8), 9, 10, 11
OF_CONTEXT = (5, 6, 7, 8, 12, 13, 15, *range(16, 24), 24, 25, 26)
"""Inputs about the link (net_inputs.c): none about the buffer and the ladder."""
ROUNDS, SESSIONS, DECISIONS, KEPT = 60, 192, 100, 0.3
PASSES, BATCH = 4, 1024
PAYLOAD = 0.95
"""Of all bits: the rates of chunk_env.py are of all, those of the net's inputs are of the payload."""
SHARES = (0.0, 1.0, 4.0)
"""Of a mixture: what is added to the net's scores for each second of stall that the forecast puts between two rungs."""


class Forecast(nn.Module):
    """ln odds [n][STEPS][BINS] of the rates of the next segments, from what is known of the link."""

    def __init__(self, width: int = 96):
        super().__init__()
        inputs = len(OF_CONTEXT) + 8 + 2
        self.layers = nn.Sequential(nn.Linear(inputs, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, STEPS * BINS))

    def forward(self, known: torch.Tensor) -> torch.Tensor:
        return torch.log_softmax(self.layers(known).view(-1, STEPS, BINS), 2)


def known_of(context: np.ndarray, rungs: np.ndarray) -> np.ndarray:
    """What the forecast sees: the inputs of context about the link, the last rates and two means, all less the slow mean."""
    lowest = rungs[:, 0]
    rates = lowest[:, SLOW, None] - lowest[:, HISTORY_OF_RUNG]
    means = lowest[:, SLOW, None] - lowest[:, [FAST, LOWEST]]
    return np.concatenate([context[:, OF_CONTEXT], rates, means], 1)


def gathered(draws, random: np.random.Generator, wide: bool) -> tuple[np.ndarray, np.ndarray]:
    """States of sessions that somebody plays who takes any rung and often stays on it, and the bins of the next `STEPS` rates."""
    scenes, width = draws.draw(random, SESSIONS, wide)
    sessions = Sessions(draws.world, scenes, width)
    known, slow, rates, there = [], [], [], []
    for _ in range(DECISIONS + STEPS):
        done, rung = sessions.status()
        context, rungs = sessions.observe()
        known.append(known_of(context, rungs))
        rates.append(np.log(np.maximum(sessions.last_rates()[:, 0] * PAYLOAD, 1e-9)))
        # The rate of the last segment less the slow mean is the first of the rates that are known.
        slow.append(rates[-1] - 2 * known[-1][:, len(OF_CONTEXT)])
        there.append(~done)
        other = (random.random(len(rung)) * sessions.rungs_of).astype(int)
        near = np.clip(rung + random.integers(-1, 2, len(rung)), 0, sessions.rungs_of - 1)
        luck = random.random(len(rung))
        sessions.step(np.where(luck < 0.6, rung, np.where(luck < 0.9, near, other)))
    chosen, bins = [], []
    step = OFF_LN[1] - OFF_LN[0]
    for at in range(DECISIONS):
        kept = there[at + STEPS] & (random.random(SESSIONS) < KEPT)
        ahead = np.stack([rates[at + 1 + k] - slow[at] for k in range(STEPS)], 1)[kept]
        chosen.append(known[at][kept])
        bins.append(np.clip(np.rint((ahead - OFF_LN[0]) / step), 0, BINS - 1).astype(np.int64))
    return np.concatenate(chosen), np.concatenate(bins)


def train(options: argparse.Namespace) -> None:
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)
    random = np.random.default_rng([options.seed, 9])
    parts = []
    for number in range(ROUNDS):
        if number % 20 == 0:
            draws = drawn_worlds("both", options.traces, options.seed, number // 20, options.held)[0]
        parts.append(gathered(draws, random, number % 5 in (2, 4)))
    known, bins = (torch.from_numpy(np.concatenate(each)) for each in zip(*parts, strict=True))
    forecast = Forecast()
    steps = torch.optim.Adam(forecast.parameters(), lr=1e-3)
    of_pass = len(known) // BATCH
    if of_pass == 0:
        raise SystemExit(f"Only {len(known)} states were found, fewer than the {BATCH} of one step.")
    batches = PASSES * of_pass
    for at in range(batches):
        if at % of_pass == 0:
            order = torch.randperm(len(known))
        some = order[(at % of_pass) * BATCH :][:BATCH]
        for group in steps.param_groups:
            group["lr"] = 1e-3 * max(0.02, 1 - at / batches)
        odds_ln = forecast(known[some].float())
        lost = -odds_ln.gather(2, bins[some][:, :, None]).mean()
        steps.zero_grad()
        lost.backward()
        steps.step()
        if at % 500 == 0:
            print(f"{at} of {batches}: {lost.item():.3f} nats a rate", flush=True)
    options.run.mkdir(parents=True, exist_ok=True)
    torch.save({"forecast": forecast.state_dict(), "held": options.held}, options.run / "forecast.pt")


def values(forecast: Forecast, sessions: Sessions, context: np.ndarray, rungs: np.ndarray) -> np.ndarray:
    """[n][width]: what each rung is worth in seconds of stall over the next `STEPS` segments; -inf where there is none."""
    with torch.no_grad():
        odds = forecast(torch.from_numpy(known_of(context, rungs))).exp().numpy()
    out = np.full((sessions.n, sessions.width), -np.inf)
    given = (odds, OFF_LN, ctypes.c_int(BINS), ctypes.c_int(STEPS), ctypes.c_int(sessions.width), out)
    sessions._call("forecast_values", sessions.world._videos, *given)
    return out


def played(world: World, forecast: Forecast, net: torch.nn.Module | None, share: float) -> np.ndarray:
    """QoE lin per chunk of each trace. Without a net, of the forecast alone; else the net's scores and `share` of the forecast's values."""
    kbps = world.videos[0].bitrates_kbps
    sessions = Sessions(world, published_scenes(world, "lin"), min(MAX_RUNGS, len(kbps)))
    mask, total, scored = torch.from_numpy(sessions.mask), np.zeros(sessions.n), np.zeros(sessions.n)
    while True:
        done, _ = sessions.status()
        if done.all():
            return total / scored * mu("lin", kbps)
        context, rungs = sessions.observe()
        scores = np.zeros(sessions.mask.shape)
        if net is not None:
            with torch.no_grad():
                scores = net(torch.from_numpy(context), torch.from_numpy(rungs), mask).numpy().astype(float)
        if net is None or share > 0:
            scores = scores + (1 if net is None else share) * np.nan_to_num(values(forecast, sessions, context, rungs), neginf=-1e9)
        reward, _ = sessions.step(scores.argmax(1))
        total += reward
        scored += ~done


def play(options: argparse.Namespace) -> None:
    kept = torch.load(options.forecast, weights_only=True)
    forecast = Forecast()
    forecast.load_state_dict(kept["forecast"])
    held = kept["held"]
    if held is None:
        raise SystemExit(f"{options.forecast}: It was trained with all families, and the sets are of traces that it knows; train it with --held.")
    net: Policy | torch.nn.Module | None = nets_of(options.net) if options.net else None
    sets = FamilySets(Validation(options.traces, USES, TURNS, LINKS, sd_links=None), LINKS)
    for name in [each for each in sets.worlds if family_of(each) == held]:
        world = World(sets.worlds[name].traces[:: options.every], sets.worlds[name].videos)
        found = {"forecast": played(world, forecast, None, 0).mean()}
        if net is not None:
            found |= {f"net + {share:g} x": played(world, forecast, net, share).mean() for share in SHARES}
        print(name, " ".join(f"| {what}: {value:.3f}" for what, value in found.items()), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_subparsers(dest="what", required=True)
    training = what.add_parser("train")
    training.add_argument("--run", type=Path, required=True)
    training.add_argument("--seed", type=int, default=1)
    training.add_argument("--held", choices=FAMILIES)
    playing = what.add_parser("play")
    playing.add_argument("forecast", type=Path)
    playing.add_argument("--net", type=Path, nargs="*")
    playing.add_argument("--every", type=int, default=5, help="of so many traces one is played")
    for each in (training, playing):
        each.add_argument("--traces", type=Path, required=True)
    options = parser.parse_args()
    (train if options.what == "train" else play)(options)


if __name__ == "__main__":
    main()
