"""Improvement of a net on itself: rungs tried at states that it comes to, and odds moved to those that did better.

At each state the net plays on after each rung that is tried, on the same trace: the best of them is the baseline, and what
the trace adds to all of them cancels. The advantage of a rung is what it gains over that baseline, at most 0. Nothing is learnt
that needs knowledge of the future.
"""

import numpy as np
import torch

from draw.player_scenes import PlayerDraws
from draw.scenes import Draws
from env.chunk_env import Sessions
from env.player_env import PlayerSessions
from learn.play_on import Player
from nets.net import Policy

DECISIONS, ASKED = 150, 24
"""Of a session at most, and of those about how many rungs are tried at, however long it is: what a link did long ago, and a link that
fails again, are met only in long ones."""
SEEKS = 0.01
"""Share of decisions before which the viewer goes elsewhere, half of the times to where nothing is buffered yet: a buffer of less than
a segment is never seen otherwise."""
TRIED = 3
"""Rungs that are tried at a state: those that the net would choose, with some noise."""
BEHIND = 10.0
"""Units of quality behind the best of the rungs tried that count."""
DARING, DARING_LATER = 6.0, 3.0
"""Noise (Gumbel) that scores compete with where the policy is to come to states, and to try rungs, that it would not choose: a rung
that pays only for those who stay on it is found only by a policy that can go on from it. Less of it where a net begins that is trained already."""
HOPELESS = 25.0
"""Score with its noise, behind the best at which a rung is not tried."""
ASTRAY = 0.04
"""Share of decisions that are drawn without regard to the scores."""
ENTROPY = 0.06
"""Of the softmax, in units of quality: about what imitation begins with, and falls to a third of it."""
AVERAGE = 0.995
"""Share of the averaged weights that a step keeps; they play and are judged."""


def tried_states(
    draws: Draws | PlayerDraws, policy: Policy, random: np.random.Generator, sessions: int, wide: bool, most: float = DARING
) -> dict:
    """States of sessions that the policy plays, half of them greedily, with the advantages of some rungs at some of them. `most` is
    the daring at most."""
    scenes, width = draws.draw(random, sessions, wide)
    played = draws.begin(scenes, width)
    mask, player = torch.from_numpy(played.mask), Player(policy)
    daring = (random.random(sessions) < 0.5) * random.uniform(0, most, sessions)
    unit = np.maximum(played.worth.max(1) - played.worth[:, 0], 0.2)
    kept: dict[str, list[torch.Tensor]] = {"context": [], "rungs": [], "mask": [], "worth": []}
    share = ASKED / np.clip(played.segments_left, ASKED, DECISIONS)
    for _ in range(DECISIONS):
        played.seek(sought(random, sessions))
        done, _ = played.status()
        if done.all():
            break
        context, rungs = played.observe()
        with torch.no_grad():
            scores = policy(torch.from_numpy(context), torch.from_numpy(rungs), mask).numpy()
        asked = np.flatnonzero(~done & (random.random(sessions) < share))
        if len(asked):
            advantage = _tried(player, played, asked, _keen(random, scores[asked], most), unit)
            compared = np.isfinite(advantage).sum(1) > 1
            for name, now in zip(kept, (context[asked], rungs[asked], played.mask[asked], advantage), strict=True):
                kept[name].append(torch.from_numpy(now[compared]))
        astray = (random.random(sessions) < ASTRAY) * 1e3
        played.step((scores + np.maximum(daring, astray)[:, None] * random.gumbel(size=scores.shape)).argmax(1))
    return {name: torch.cat(parts) for name, parts in kept.items()}


def sought(random: np.random.Generator, n: int) -> np.ndarray:
    """What seeks leave in each of n buffers, as a share."""
    left = random.random(n) * (random.random(n) < 0.5)
    return np.where(random.random(n) < SEEKS, left, 1.0)


def _keen(random: np.random.Generator, scores: np.ndarray, daring: float) -> np.ndarray:
    """How much each rung is to be tried: the policy's own choice first, and others with noise; -inf for those far behind."""
    keen = scores - scores.max(1, keepdims=True) + daring * random.gumbel(size=scores.shape)
    keen[keen < -HOPELESS] = -np.inf
    keen[np.arange(len(scores)), scores.argmax(1)] = np.inf
    return keen


def _tried(player: Player, played: Sessions | PlayerSessions, asked: np.ndarray, keen: np.ndarray, unit: np.ndarray) -> np.ndarray:
    """[asked][width] in units of the ladder's range of quality behind the best tried; -inf where not tried."""
    worth = np.full(keen.shape, -np.inf, np.float32)
    rank = np.argsort(-np.where(played.mask[asked], keen, -np.inf), 1)[:, :TRIED]
    state = np.repeat(np.arange(len(asked)), rank.shape[1])
    rung = rank.ravel()
    there = played.mask[asked[state], rung] & np.isfinite(np.where(keen == np.inf, 0, keen))[state, rung]
    state, rung = state[there], rung[there]
    worth[state, rung] = player.worth(played, asked[state], rung) / unit[asked[state]]
    best = worth.max(1, keepdims=True)
    return np.maximum(worth - np.where(np.isinf(best), 0, best), np.where(np.isinf(worth), -np.inf, -BEHIND))


def improve(policy: Policy, average: Policy, steps: torch.optim.Optimizer, states: dict, entropy: float) -> float:
    """One pass; how far the policy's choice among the rungs tried is behind the best of them."""
    behind = []
    for some in torch.randperm(len(states["context"])).split(512):
        context, rungs, mask, advantage = (states[name][some] for name in ("context", "rungs", "mask", "worth"))
        tried = torch.isfinite(advantage)
        odds_ln = torch.log_softmax(policy(context, rungs, mask).masked_fill(~tried, -1e9), 1)
        odds, advantage = odds_ln.exp(), advantage.masked_fill(~tried, 0)
        lost = -(odds * advantage).sum(1)
        loss = (lost + entropy * (odds * odds_ln.clamp(min=-50)).sum(1)).mean()
        steps.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
        steps.step()
        average_in(average, policy, AVERAGE)
        behind.append(lost.mean().item())
    return float(np.mean(behind))


def average_in(average: Policy, policy: Policy, share: float) -> None:
    """Takes the policy into the average, which keeps that share of itself."""
    with torch.no_grad():
        for kept, now in zip(average.parameters(), policy.parameters(), strict=True):
            kept.lerp_(now, 1 - share)
