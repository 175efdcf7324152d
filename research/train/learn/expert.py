"""The clairvoyant expert of expert.c: what each rung is worth to an oracle, which knows the trace."""

import ctypes

import numpy as np

from env.chunk_env import MAX_RUNGS, Sessions


BEYOND = 12
"""Segments planned for after the last decision, so that a session that is cut off is not played as one that ends."""


class Expert:
    """Plans for sessions that have just begun, and advises them wherever they go. To be closed, or used with `with`."""

    def __init__(self, sessions: Sessions, decisions: int):
        self._sessions, self._library = sessions, sessions.world.library
        self._stalled = np.zeros(sessions.n)
        world = sessions.world
        self._plans = [
            self._library.plan(
                sessions.place_of(each), world._traces, world._videos, ctypes.c_int(int(start) + 1 + decisions + BEYOND)
            )
            for each, start in enumerate(sessions.first_segment)
        ]

    def observe(self, stall_ms: np.ndarray) -> None:
        """Takes what the last step stalled, ms."""
        self._stalled += stall_ms

    def advice(self) -> np.ndarray:
        """[n][MAX_RUNGS] in seconds of stall, all that is to come included; 0 beyond the ladder."""
        out = np.zeros((self._sessions.n, MAX_RUNGS))
        for each, plan in enumerate(self._plans):
            row = ctypes.c_void_p(out[each].ctypes.data)
            stalled = ctypes.c_double(self._stalled[each])
            self._library.advise(ctypes.c_void_p(plan), self._sessions.place_of(each), stalled, row)
        return out

    def close(self) -> None:
        for plan in self._plans:
            self._library.forget(ctypes.c_void_p(plan))
        self._plans = []

    def __enter__(self) -> "Expert":
        return self

    def __exit__(self, *_) -> None:
        self.close()
