"""Trains a net, by rounds that can be stopped and taken up: `train.py --traces DIR --run DIR`, or --help.

First the net imitates an oracle, which knows the trace (`imitate.py`), then it improves on itself (`improve.py`). With --from it
begins with a net that is trained already, and only improves.
"""

import argparse
import copy
import json
import time
from pathlib import Path

import numpy as np
import torch

from draw.scenes import ERA
from evaluate.families import FAMILIES
from evaluate.worlds import WORLDS, drawn_worlds, validation_of
from export import policy_of
from learn import imitate
from learn.causal import RegimeDraws
from learn.improve import DARING, DARING_LATER, ENTROPY, improve, tried_states
from nets.net import Policy, without_audio_ahead

SMOOTHED = 80
"""Rounds that the net that is judged and kept is an average over. One that has learnt a moment longer plays some sets up to
4 % better and others worse, and seeds differ as much; where the odds go on the whole is the same."""
POOLS_LEARNT = (3, 2)
"""Pools of states learnt from in a round, by narrow and wide: the newest and some before it."""
PLAYER_ROUNDS = (1,)
"""Of each four rounds of improving in both worlds, those in the player model. Four and the five of `wide` have no common factor, so
that narrow and wide scenes come in both."""
PLAYER_SESSIONS = 0.4
"""Share of the sessions of a round there: a decision takes several times as long."""


ASKED = ("seed", "worlds", "held", "expert", "rounds", "rate")
"""What a training that is taken up again was to be begun with."""


class Training:
    """What is saved and taken up again."""

    def __init__(self, options: argparse.Namespace):
        torch.manual_seed(options.seed)
        self.options = options
        self.validation = validation_of(options.worlds, options.traces)
        self.number, self.seconds, self.best = 0, 0.0, -np.inf
        self._draw_worlds(0)
        begun = Policy() if options.begin is None else policy_of(options.begin)
        self.policy = begun if options.worlds == "both" else without_audio_ahead(begun)
        self.average = copy.deepcopy(self.policy)
        self.smooth = copy.deepcopy(self.policy)
        self.steps = torch.optim.Adam(self.policy.parameters(), lr=options.rate)
        self.pools: dict[bool, list[dict[str, torch.Tensor]]] = {False: [], True: []}
        if (options.run / "latest.pt").exists():
            self._take_up(torch.load(options.run / "latest.pt", weights_only=True))

    def round(self) -> float:
        """Plays and learns; returns the error of imitation, or what is lost in improving."""
        options, number = self.options, self.number
        random = np.random.default_rng([options.seed, 3, number])
        torch.manual_seed(options.seed * 1_000_003 + number)
        wide = number % 5 in (2, 4)
        if number // ERA != self.era:
            self._draw_worlds(number // ERA)
        lost = self._imitate(random, wide) if number < options.imitated else self._improve(random, wide)
        self.number += 1
        self._smooth()
        return lost

    def _draw_worlds(self, era: int) -> None:
        """Traces, videos and paths of an era."""
        options, self.era = self.options, era
        self.worlds = drawn_worlds(options.worlds, options.traces, options.seed, era, options.held)
        # The links whose law is known are synthetic: they are kept out with that family.
        causal = options.expert != "clairvoyant" and self.number < options.imitated and options.held != "made up"
        self.regime_draws = RegimeDraws(options.traces, options.seed, era, options.held) if causal else None

    def _smooth(self) -> None:
        rounds = min(SMOOTHED, max(1, self.number - self.options.imitated))
        with torch.no_grad():
            for kept, now in zip(self.smooth.parameters(), self.average.parameters(), strict=True):
                kept.lerp_(now, 1 / rounds)

    def _imitate(self, random: np.random.Generator, wide: bool) -> float:
        options, asked = self.options, argparse.Namespace(sessions=48)
        takes_causal = self.regime_draws is not None and (options.expert == "causal" or self.number % 2 == 1)
        states = imitate.collect_states(self.regime_draws if takes_causal else self.worlds[0], self.policy, random, asked, wide)
        self._rate(2e-3 * max(0.1, 1 - self.number / self.options.imitated))
        lost = [imitate.learn(self.policy, self.steps, each) for each in self._some(random, wide, states)]
        self.average.load_state_dict(self.policy.state_dict())
        if self.number + 1 == self.options.imitated:
            self.pools = {False: [], True: []}
        return float(np.mean(lost))

    def _improve(self, random: np.random.Generator, wide: bool) -> float:
        options = self.options
        in_player = len(self.worlds) > 1 and self.number % 4 in PLAYER_ROUNDS
        sessions = round(options.sessions * (PLAYER_SESSIONS if in_player else 1))
        # Who is trained already knows which rungs are near each other: it would forget that with more entropy and daring.
        is_later = options.begin is not None
        states = tried_states(self.worlds[in_player], self.average, random, sessions, wide, DARING_LATER if is_later else DARING)
        left = 1 - (self.number - options.imitated) / max(1, options.rounds - options.imitated)
        self._rate(options.rate * max(0.03, left))
        entropy = ENTROPY * (1 if is_later else 1 + 2 * left) / 3
        learnt = self._some(random, wide, states)
        return float(np.mean([improve(self.policy, self.average, self.steps, each, entropy) for each in learnt]))

    def _rate(self, rate: float) -> None:
        for group in self.steps.param_groups:
            group["lr"] = rate

    def _some(self, random: np.random.Generator, wide: bool, states: dict) -> list[dict[str, torch.Tensor]]:
        """The newest states, and others drawn from those kept."""
        self.pools[wide].append(states)
        found = []
        for kind, count in zip((False, True), POOLS_LEARNT, strict=True):
            pool = self.pools[kind]
            del pool[: -self.options.keep]
            at = random.permutation(len(pool))[:count]
            if kind == wide and len(pool) - 1 not in at:
                at[0] = len(pool) - 1
            found += [pool[each] for each in at]
        return found

    def save(self) -> None:
        nets = {"policy": self.policy, "average": self.average, "smooth": self.smooth, "steps": self.steps}
        kept = {name: each.state_dict() for name, each in nets.items()}
        kept |= {"pools": self.pools, "number": self.number, "seconds": self.seconds, "best": float(self.best)}
        kept |= {name: getattr(self.options, name) for name in ASKED} | {"begin": str(self.options.begin)}
        part = self.options.run / "latest.part"
        torch.save(kept, part)
        part.rename(self.options.run / "latest.pt")

    def _take_up(self, kept: dict) -> None:
        older = {"rounds": self.options.rounds, "rate": self.options.rate}
        kept = {"worlds": "chunk", "held": None, "expert": "clairvoyant", "begin": "None"} | older | kept
        asked = {name: getattr(self.options, name) for name in ASKED} | {"begin": str(self.options.begin)}
        for name, value in asked.items():
            if kept[name] != value:
                option = "from" if name == "begin" else name
                raise SystemExit(f"{self.options.run}: It was begun with --{option} {kept[name]}; go on with that, or name another --run.")
        self.policy.load_state_dict(kept["policy"])
        self.average.load_state_dict(kept["average"])
        self.smooth.load_state_dict(kept["smooth"])
        self.steps.load_state_dict(kept["steps"])
        self.pools, self.number = kept["pools"], kept["number"]
        self.seconds, self.best = kept["seconds"], kept["best"]

    def validate(self, lost: float) -> None:
        """Writes a line of the curve, and keeps the smoothed net if it is the best so far."""
        row = {"round": self.number, "seconds": self.seconds, "lost": lost, **self.validation.summary(self.smooth, self.options.held)}
        say_row(self.options.run, row)
        if row["score"] > self.best:
            self.best = row["score"]
            torch.save({"policy": self.smooth.state_dict(), "held": self.options.held}, self.options.run / "best.pt")


def say_row(run: Path, row: dict[str, float]) -> None:
    """A line more of the run's curve, and on the terminal."""
    with (run / "curve.jsonl").open("a") as curve:
        curve.write(json.dumps({name: round(value, 4) for name, value in row.items()}) + "\n")
    print(" ".join(f"{name}={value:.3f}" for name, value in row.items()), flush=True)


def main() -> None:
    options = parsed()
    torch.set_num_threads(options.threads)
    options.run.mkdir(parents=True, exist_ok=True)
    training = Training(options)
    if options.begin is not None and training.number == 0:
        training.validate(0.0)
    while training.number < options.rounds:
        began = time.process_time()
        lost = training.round()
        training.seconds += time.process_time() - began
        if training.number % options.every == 0 or training.number == options.rounds:
            training.validate(lost)
            training.save()


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--traces", type=Path, required=True)
    parser.add_argument("--run", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--worlds", choices=WORLDS, default="chunk", help="both: links of more kinds, and the player model")
    parser.add_argument("--held", choices=FAMILIES, help="family of links that is kept out of training and choice of checkpoint")
    experts = ("clairvoyant", "causal", "mixed")
    parser.add_argument("--expert", choices=experts, default="clairvoyant", help="who is imitated at first; mixed: both in turn")
    parser.add_argument("--from", dest="begin", type=Path, metavar="NET", help="checkpoint or file of weights of a net to begin with")
    parser.add_argument("--rounds", type=int, default=420)
    parser.add_argument("--imitated", type=int, default=30, help="rounds of imitation at first")
    parser.add_argument("--sessions", type=int, default=192)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--keep", type=int, default=16, help="rounds whose states are learnt from")
    parser.add_argument("--every", type=int, default=35)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    if options.begin is not None:
        options.imitated = 0
        if options.held is not None and held_out_of(options.begin) != options.held:
            parser.error(f"--held {options.held}: {options.begin} was trained with that family; begin with a net that was not.")
    return options


def held_out_of(net: Path) -> str | None:
    """The family that a checkpoint was trained without."""
    return None if net.suffix == ".json" else torch.load(net, map_location="cpu", weights_only=True).get("held")


if __name__ == "__main__":
    main()
