"""A net that learns what rungs are worth (DAgger): `imitate.py --traces DIR --run DIR`.

The net plays, a judge says at each state what every rung would have been worth on this very trace, and the net learns the
mean of that over all that it has seen: a mean over futures that look alike so far. There are two judges. The clairvoyant
expert (`expert`) is quick and right about the trace, but it goes on as nobody can who does not know the future. So the net
goes on with its own play as the judge (`self`): each rung is tried, and then the net plays on for a while. That is policy
iteration, with the same trace for every rung, so that luck cancels.
"""

import argparse
import contextlib
import json
import time
from pathlib import Path

import numpy as np
import torch

from chunk_env import Sessions
from expert import Expert
from net import Policy
from scenes import Draws
from validation import Validation

SHARPNESS = 8.0
"""Scores per second of stall: how sure the policy is that train.py begins with."""
WORST = 3.0
"""Seconds of stall behind the best rung that count; what is worse is only bad."""
DECISIONS = 47


PLAYED_ON = 14
"""Segments that the net plays on after a rung that is tried."""
LONGEST_STALL = 8.0
ONE_BY_LEFT = 4
"""Place of 1 / segments left among the inputs of the context."""


def tried(policy: Policy, sessions: Sessions) -> np.ndarray:
    """[n][width] in seconds of stall: each rung for the next segment, and the net's own greedy play after it."""
    n, width = sessions.n, sessions.width
    branches = sessions.branched(np.repeat(np.arange(n), width))
    mask = torch.from_numpy(branches.mask)
    rung = np.where(sessions.mask, np.arange(width)[None], 0).ravel()
    total = np.zeros(n * width)
    for _ in range(PLAYED_ON + 1):
        reward, stall_ms = branches.step(rung)
        total += reward + np.maximum(stall_ms / 1000 - LONGEST_STALL, 0)
        context, rungs, _ = branches.observe()
        rung = policy(torch.from_numpy(context), torch.from_numpy(rungs), mask).argmax(1).numpy()
    done, last = branches.status()
    # What is left in the buffer can be spent later: so many seconds more to download in, at what the last rung gives for them.
    spent = branches.buffers_s() * branches.worth[np.arange(n * width), last] / branches.segment_s
    return (total + np.where(done, 0, spent * (1 - context[:, ONE_BY_LEFT]))).reshape(n, width)


class Self(contextlib.nullcontext):
    """The net as its own judge, with the face of `Expert`."""

    def __init__(self, policy: Policy, sessions: Sessions):
        super().__init__(self)
        self._policy, self._sessions = policy, sessions

    def advice(self) -> np.ndarray:
        return tried(self._policy, self._sessions)

    def heard(self, stall_ms: np.ndarray) -> None:
        """Nothing to remember."""


def heard(draws: Draws, policy: Policy, random: np.random.Generator, options: argparse.Namespace, wide: bool) -> dict:
    """States that the policy comes to when it draws its rungs, and the judge's word on each."""
    scenes, width = draws.draw(random, options.sessions, wide)
    sessions = Sessions(draws.world, scenes, width)
    mask = torch.from_numpy(sessions.mask)
    kept: dict[str, list[torch.Tensor]] = {"context": [], "rungs": [], "mask": [], "worth": []}
    judge = Expert(sessions, DECISIONS) if options.judge == "expert" else Self(policy, sessions)
    with judge as expert, torch.no_grad():
        for _ in range(DECISIONS):
            done, _ = sessions.status()
            context, rungs, _ = map(_tensor, sessions.observe())
            worth = torch.from_numpy(expert.advice()[:, :width]).float().masked_fill(~mask, -1e9)
            behind = (worth - worth.max(1, keepdim=True).values).clamp(min=-WORST)
            for name, now in zip(kept, (context, rungs, mask, behind), strict=True):
                kept[name].append(now[torch.from_numpy(~done)])
            scores = policy(context, rungs, mask).numpy() + random.gumbel(size=mask.shape)
            _, stall_ms = sessions.step(scores.argmax(1))
            expert.heard(stall_ms)
    return {name: torch.cat(parts) for name, parts in kept.items()}


def _tensor(array: np.ndarray | None) -> torch.Tensor | None:
    return None if array is None else torch.from_numpy(array)


def learn(policy: Policy, steps: torch.optim.Optimizer, states: dict[str, torch.Tensor], caution: float) -> float:
    """One pass; the squared error of what rungs are behind each other, in seconds of stall. Too high an opinion of a rung
    weighs `caution` times as much as too low a one: the expert gets out of what the net will not see coming."""
    losses = []
    for some in torch.randperm(len(states["context"])).split(512):
        context, rungs, mask, worth = (states[name][some] for name in ("context", "rungs", "mask", "worth"))
        scores = policy(context, rungs, mask) / SHARPNESS
        there = mask.float()
        count = there.sum(1, keepdim=True)
        off = ((scores - worth) * there).nan_to_num()
        off = (off - off.sum(1, keepdim=True) / count) * there
        loss = (torch.where(off > 0, caution, 1.0) * off**2).sum() / there.sum()
        steps.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
        steps.step()
        losses.append(loss.item())
    return float(np.mean(losses))


def main() -> None:
    options = parsed()
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    options.run.mkdir(parents=True, exist_ok=True)
    draws, validation, policy = Draws(options.traces, options.seed), Validation(options.traces), Policy()
    if options.begin_with:
        policy.load_state_dict(torch.load(options.begin_with, weights_only=True)["policy"])
    steps = torch.optim.Adam(policy.parameters(), lr=options.rate)
    pools: dict[bool, list[dict[str, torch.Tensor]]] = {False: [], True: []}
    seconds, best = 0.0, -np.inf
    for number in range(options.rounds):
        began = time.process_time()
        wide = number % 3 == 2
        random = np.random.default_rng([options.seed, 3, number])
        pools[wide].append(heard(draws, policy, random, options, wide))
        for group in steps.param_groups:
            group["lr"] = options.rate * max(0.05, 1 - number / options.rounds)
        for pool in pools.values():
            del pool[: -options.keep]
        few = [pools[kind][at] for kind in pools for at in _some(random, pools[kind], 5 - 2 * kind)]
        error = float(np.mean([learn(policy, steps, states, options.caution) for states in few]))
        seconds += time.process_time() - began
        if (number + 1) % options.every and number + 1 < options.rounds:
            continue
        row = {"round": number + 1, "seconds": seconds, "error": error, **validation.scores(policy)}
        with (options.run / "imitation.jsonl").open("a") as curve:
            curve.write(json.dumps({name: round(value, 4) for name, value in row.items()}) + "\n")
        print(" ".join(f"{name}={value:.3f}" for name, value in row.items()), flush=True)
        if row["3g lin"] > best:
            best = row["3g lin"]
            torch.save({"policy": policy.state_dict()}, options.run / "imitated.pt")


def _some(random: np.random.Generator, pool: list, count: int) -> np.ndarray:
    return random.choice(len(pool), size=min(count, len(pool)), replace=False) if pool else np.array([], int)


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--traces", type=Path, required=True)
    parser.add_argument("--run", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--sessions", type=int, default=48)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--judge", choices=("expert", "self"), default="expert")
    parser.add_argument("--begin-with", type=Path, help="a checkpoint whose policy to begin with")
    parser.add_argument("--keep", type=int, default=40, help="rounds whose states are learnt from")
    parser.add_argument("--caution", type=float, default=1.0)
    parser.add_argument("--every", type=int, default=10)
    parser.add_argument("--threads", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    main()
