"""One net that says what several say together: `merge.py CHECKPOINT... --run DIR --traces DIR`, or --help.

The mean score of nets that were trained apart is better than that of each, and takes as many times longer to work out. Here
one of them learns that mean, in the states that it comes to itself. Writes `curve.jsonl` and `best.pt` as train.py does, in 4
minutes of one core; where it is stopped it has to begin again.
"""

import argparse
import copy
import time
from pathlib import Path

import numpy as np
import torch

from export import nets_of
from families import FAMILIES
from improve import DECISIONS, average_in, sought
from net import Policy, without_unused
from player_scenes import PlayerDraws
from scenes import ERA, Draws
from train import PLAYER_ROUNDS, PLAYER_SESSIONS, held_out_of, say_row
from worlds import WORLDS, drawn_worlds, validation_of

WORST = 10.0
"""Behind the best score by so much a rung is only bad."""
ASKED = 0.3
"""Share of the states that are learnt from: those of one session are much alike."""
DARING = 3.0
"""Luck that scores compete with at most, in half of the sessions: what to do after a rung that would not be chosen is to be known,
too."""
WIDE = 0.4
"""Share of the rounds with ladders of up to 14 rungs; the others have six."""
KEPT, AVERAGE = 12, 0.998
"""Rounds whose states are learnt from, and the share of the averaged weights that a step keeps."""


def heard(draws: Draws | PlayerDraws, policy: Policy, teachers: torch.nn.Module, random: np.random.Generator, sessions: int) -> dict:
    """States that the policy comes to, and how far the teachers put each rung behind their best."""
    scenes, width = draws.draw(random, sessions, bool(random.random() < WIDE))
    played = draws.begin(scenes, width)
    mask = torch.from_numpy(played.mask)
    daring = (random.random(sessions) < 0.5) * random.uniform(0, DARING, sessions)
    kept: dict[str, list[torch.Tensor]] = {"context": [], "rungs": [], "mask": [], "behind": []}
    for _ in range(DECISIONS):
        played.seek(sought(random, sessions))
        done, _ = played.status()
        if done.all():
            break
        context, rungs = map(torch.from_numpy, played.observe())
        at = torch.from_numpy(np.flatnonzero(~done & (random.random(sessions) < ASKED)))
        with torch.no_grad():
            scores = policy(context, rungs, mask).numpy()
            wanted = teachers(context[at], rungs[at], mask[at])
        behind = (wanted - wanted.max(1, keepdim=True).values).clamp(min=-WORST)
        for name, now in zip(kept, (context[at], rungs[at], mask[at], behind), strict=True):
            kept[name].append(now)
        played.step((scores + daring[:, None] * random.gumbel(size=scores.shape)).argmax(1))
    return {name: torch.cat(parts) for name, parts in kept.items()}


def learn(policy: Policy, average: Policy, steps: torch.optim.Optimizer, states: dict[str, torch.Tensor]) -> float:
    """One pass; how far the net is off, in units of score, on rungs that either takes for more than bad."""
    off = []
    for some in torch.randperm(len(states["context"])).split(512):
        context, rungs, mask, behind = (states[name][some] for name in ("context", "rungs", "mask", "behind"))
        scores = policy(context, rungs, mask)
        own = scores - scores.gather(1, behind.argmax(1, keepdim=True))
        counts = mask & ((own > -WORST) | (behind > -WORST))
        loss = torch.nn.functional.smooth_l1_loss(own[counts], behind[counts])
        steps.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
        steps.step()
        average_in(average, policy, AVERAGE)
        off.append(loss.item())
    return float(np.mean(off))


def main() -> None:
    options = parsed()
    if (options.run / "latest.pt").exists() or any(each.resolve().parent == options.run.resolve() for each in options.checkpoints):
        raise SystemExit(f"{options.run}: It holds another training; name another --run.")
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    options.run.mkdir(parents=True, exist_ok=True)
    teachers, validation = nets_of(options.checkpoints), validation_of(options.worlds, options.traces)
    policy = without_unused(nets_of([options.checkpoints[options.begin - 1]]), options.worlds)
    average = copy.deepcopy(policy)
    steps = torch.optim.Adam(policy.parameters(), lr=options.rate)
    best, pool, began = -np.inf, [], time.process_time()
    (options.run / "curve.jsonl").write_text("")
    (options.run / "best.pt").unlink(missing_ok=True)
    for number in range(options.rounds):
        random = np.random.default_rng([options.seed, 4, number])
        if number % ERA == 0:
            worlds = drawn_worlds(options.worlds, options.traces, options.seed, 100 + number // ERA, options.held)
        in_player = len(worlds) > 1 and number % 4 in PLAYER_ROUNDS
        sessions = round(options.sessions * (PLAYER_SESSIONS if in_player else 1))
        pool = [*pool, heard(worlds[in_player], average, teachers, random, sessions)][-KEPT:]
        for group in steps.param_groups:
            group["lr"] = options.rate * max(0.03, 1 - number / options.rounds)
        others = random.permutation(len(pool) - 1)[:3]
        off = float(np.mean([learn(policy, average, steps, pool[each]) for each in (len(pool) - 1, *others)]))
        if (number + 1) % options.every == 0 or number + 1 == options.rounds:
            row = {"round": number + 1, "seconds": time.process_time() - began, "off": off, **validation.summary(average, options.held)}
            say_row(options.run, row)
            if row["score"] > best:
                best = row["score"]
                torch.save({"policy": average.state_dict(), "held": options.held}, options.run / "best.pt")


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoints", type=Path, nargs="+", metavar="checkpoint", help="of the nets whose mean is learnt")
    parser.add_argument("--traces", type=Path, required=True)
    parser.add_argument("--run", type=Path, required=True)
    parser.add_argument("--from", dest="begin", type=int, default=1, metavar="N", help="the checkpoint that learns, counted from 1")
    parser.add_argument("--worlds", choices=WORLDS, default="chunk", help="that train.py was given")
    parser.add_argument("--held", choices=FAMILIES, help="family of links that all these nets were trained without")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--sessions", type=int, default=192)
    parser.add_argument("--rate", type=float, default=5e-4)
    parser.add_argument("--every", type=int, default=20)
    options = parser.parse_args()
    if not 1 <= options.begin <= len(options.checkpoints):
        parser.error("--from is the number of a checkpoint, counted from 1.")
    for checkpoint in options.checkpoints:
        if (without := held_out_of(checkpoint)) != options.held:
            parser.error(f"--held {options.held}: {checkpoint} was trained {f'without {without}' if without else 'with all families'}.")
    return options


if __name__ == "__main__":
    main()
