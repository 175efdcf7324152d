"""What rungs are worth to a net that goes on playing as it does: play_on.c."""

import ctypes

import numpy as np
import torch

from env.chunk_env import Sessions
from env.player_env import PlayerSessions
from nets.net import Policy

PLAYED_ON_S = 150.0
"""Of video that the net plays on for after a rung that is tried: longer than two and a half of the fullest buffers, or no policy would
learn what a full one is good for when the link fails."""
LONGEST_STALL = 60.0
SPENT = 0.4
"""Share of what is left in the buffer in the end that is ever spent; the rest is there when a session ends."""
_SHAPE = (64, 48)


class Player:
    """A net as play_on.c has it. What it says is of the weights at the time that it was made."""

    def __init__(self, policy: Policy):
        if (policy.context.out_features, policy.narrow.out_features) != _SHAPE:
            raise ValueError(f"play_on.c is compiled for a net of width and narrow {_SHAPE}.")
        named = policy.state_dict()
        order = ("context.weight", "context.bias", "rung.weight", "own.weight", "own.bias", "mean.weight", "last.weight")
        order += ("narrow.weight", "narrow.bias", "score.weight")
        self._arrays = [np.ascontiguousarray(named[name].detach().numpy().T, np.float32) for name in order]
        self._net = (ctypes.c_void_p * len(order))(*[array.ctypes.data for array in self._arrays])

    def worth(self, sessions: Sessions | PlayerSessions, of: np.ndarray, rung: np.ndarray, played_s: float = PLAYED_ON_S) -> np.ndarray:
        """In seconds of stall: `rung[i]` for the next segment of the session `of[i]`, and the net's greedy play after it."""
        out = sessions.branched(of).play_on(self._net, rung, 1000 * played_s, LONGEST_STALL)
        total, mean_worth, left = out.T
        # What is left can be spent later, each segment of it on about one segment more; the same worth for all that is tried
        # at a state, or the rung that a branch happens to end on would decide.
        sums = np.bincount(of, mean_worth, sessions.n) / np.maximum(np.bincount(of, minlength=sessions.n), 1)
        return total + SPENT * left * sums[of]
