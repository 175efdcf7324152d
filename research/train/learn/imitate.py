"""Imitation of an oracle, which knows the trace (DAgger).

The net plays, the oracle says at each state what every rung would be worth on this very trace, and the net learns the mean of
that over all that it has observed: a mean over futures that look alike so far. That is quick, but the oracle continues with
knowledge of the future; train.py goes on from there. Over links whose law is known the expert may be one without that
knowledge (causal.py).
"""

import argparse

import numpy as np
import torch

from draw.scenes import Draws
from env.chunk_env import Scenes, Sessions
from learn.causal import CausalExpert, RegimeDraws
from learn.expert import Expert
from nets.net import Policy

SHARPNESS = 8.0
"""Scores per second of stall: how sure the policy is that train.py goes on with."""
WORST = 3.0
"""Seconds of stall behind the best rung that count; what is worse is only bad."""
DECISIONS = 47


def collect_states(draws: Draws, policy: Policy, random: np.random.Generator, options: argparse.Namespace, wide: bool) -> dict:
    """Collects states that the policy comes to when it draws its rungs, and the expert's advice on each."""
    scenes, width = draws.draw(random, options.sessions, wide)
    sessions = Sessions(draws.world, scenes, width)
    mask = torch.from_numpy(sessions.mask)
    kept: dict[str, list[torch.Tensor]] = {"context": [], "rungs": [], "mask": [], "worth": []}
    with _expert(draws, sessions, scenes) as expert, torch.no_grad():
        for _ in range(DECISIONS):
            done, _ = sessions.status()
            context, rungs = map(torch.from_numpy, sessions.observe())
            worth = torch.from_numpy(expert.advice()[:, :width]).float().masked_fill(~mask, -1e9)
            behind = (worth - worth.max(1, keepdim=True).values).clamp(min=-WORST)
            for name, now in zip(kept, (context, rungs, mask, behind), strict=True):
                kept[name].append(now[torch.from_numpy(~done)])
            scores = policy(context, rungs, mask).numpy() + random.gumbel(size=mask.shape)
            _, stall_ms = sessions.step(scores.argmax(1))
            expert.observe(stall_ms)
    return {name: torch.cat(parts) for name, parts in kept.items()}


def _expert(draws: Draws, sessions: Sessions, scenes: Scenes) -> Expert | CausalExpert:
    """Where the law of the links is known, one that does not know their future."""
    if isinstance(draws, RegimeDraws):
        return CausalExpert(sessions, scenes, draws.laws)
    return Expert(sessions, DECISIONS)


def learn(policy: Policy, steps: torch.optim.Optimizer, states: dict[str, torch.Tensor]) -> float:
    """One pass; the squared error of what rungs are behind each other, in seconds of stall."""
    losses = []
    for some in torch.randperm(len(states["context"])).split(512):
        context, rungs, mask, worth = (states[name][some] for name in ("context", "rungs", "mask", "worth"))
        scores = policy(context, rungs, mask) / SHARPNESS
        there = mask.float()
        count = there.sum(1, keepdim=True)
        off = ((scores - worth) * there).nan_to_num()
        off = (off - off.sum(1, keepdim=True) / count) * there
        loss = (off**2).sum() / there.sum()
        steps.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
        steps.step()
        losses.append(loss.item())
    return float(np.mean(losses))
