"""What a net's inputs were in training, so that the rule can say when it is outside of that."""

import numpy as np
import torch

from draw.player_scenes import PlayerDraws
from draw.scenes import Draws
from env.chunk_env import CONTEXT, RUNG
from learn.improve import DECISIONS, sought
from nets.net import Ensemble, Policy

SESSIONS = 256
DOWNLOADS = 8
"""Place of how many downloads there were, among the inputs of the context."""
WIDEST = 6.0
"""What inputs of the context are clipped to at most: the range of one that a net ignores, which can never be outside."""


def trained_ranges(policy: Policy | Ensemble, worlds: list[Draws | PlayerDraws], rounds: int = 12, seed: int = 1) -> dict[str, list[list[float]]]:
    """[least, most] of each input over scenes drawn as in training, so many rounds in each world, played as there: rungs by the odds of the policy; and of the
    level at which the player waits, s, which two inputs together say: the buffer, and the space below that."""
    random = np.random.default_rng([seed, 2])
    extremes = {"context": _nothing(CONTEXT), "rung": _nothing(RUNG), "bufferTargetS": _nothing(1)}
    for number in range(rounds * len(worlds)):
        draws = worlds[number // rounds]
        scenes, width = draws.draw(random, SESSIONS, wide=number % 2 == 0)
        sessions = draws.begin(scenes, width)
        mask = torch.from_numpy(sessions.mask)
        for _ in range(DECISIONS):
            sessions.seek(sought(random, SESSIONS))
            context, rungs = sessions.observe()
            # Before the first download the rule decides without the net, and some inputs are no numbers.
            playing = ~sessions.status()[0] & (context[:, DOWNLOADS] > 0)
            _widen(extremes["context"], context[playing])
            _widen(extremes["bufferTargetS"], 20 * (context[playing, 0] + context[playing, 2])[:, None])
            _widen(extremes["rung"], rungs[playing][sessions.mask[playing]])
            with torch.no_grad():
                scores = policy(torch.from_numpy(context), torch.from_numpy(rungs), mask).numpy()
            sessions.step((scores + random.gumbel(size=scores.shape)).argmax(1))
    nets = policy.policies if isinstance(policy, Ensemble) else [policy]
    used = np.any([net.context.weight.detach().numpy().any(0) for net in nets], axis=0)
    extremes["context"][:, ~used] = [[-WIDEST], [WIDEST]]
    found = {name: [[float(f"{each:.5g}") for each in pair] for pair in both.T] for name, both in extremes.items()}
    return {**found, "bufferTargetS": found["bufferTargetS"][0]}


def _nothing(count: int) -> np.ndarray:
    return np.stack([np.full(count, np.inf), np.full(count, -np.inf)])


def _widen(extremes: np.ndarray, inputs: np.ndarray) -> None:
    if len(inputs) > 0:
        extremes[0] = np.minimum(extremes[0], inputs.min(0))
        extremes[1] = np.maximum(extremes[1], inputs.max(0))
