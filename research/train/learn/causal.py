"""The causal expert of causal.c: it knows the law of a link, believes where the link is from what was downloaded, and plans.

`RegimeDraws` are the sessions that it can advise: links of hidden Markov models, without anything beside.
"""

import ctypes
from pathlib import Path

import numpy as np

from draw.scenes import Draws
from env.chunk_env import MAX_RUNGS, Scenes, Sessions
from links.made_worlds import Regimes, drawn_regimes, read_regimes, regime_trace, standing_shares, varied_regimes
from links.traces import Trace

LINKS = 300
LIKELY_STEPS = 8
"""Steps of a download that say something of their own: samples within a state of a recorded link are not independent."""


class RegimeDraws(Draws):
    """Sessions over links whose law is known: `laws[trace]`."""

    SHARES = {"regimes": 1.0}
    FAILING = {}

    def _kinds(self, root: Path, random: np.random.Generator, held: str | None) -> dict[str, list[Trace]]:
        known = read_regimes(without=held)
        varied = [varied_regimes(random, known[at]) for at in random.integers(len(known), size=LINKS // 2)]
        self.laws = varied + [drawn_regimes(random) for _ in range(LINKS - len(varied))]
        return {"regimes": [regime_trace(random, number, law, keep=0.0) for number, law in enumerate(self.laws)]}


class CausalExpert:
    """Advises sessions wherever they go; the counterpart of `Expert`. To be closed, or used with `with`."""

    def __init__(self, sessions: Sessions, scenes: Scenes, laws: list[Regimes]):
        self._sessions, self._library = sessions, sessions.world.library
        self._laws = [laws[int(trace)] for trace in scenes.trace]
        # Rates of these traces are around 1000 kbit/s.
        self._kbps = 1000 * np.asarray(scenes.scale, float)
        self._beliefs = [standing_shares(law.moves) for law in self._laws]
        self._plans = [self._plan(each, law) for each, law in enumerate(self._laws)]
        self._observe(np.zeros(sessions.n, bool))

    def _plan(self, session: int, law: Regimes) -> int:
        arrays = [np.ascontiguousarray(each, np.float64) for each in (law.means, law.deviations, law.moves)]
        pointers = [ctypes.c_void_p(each.ctypes.data) for each in arrays]
        law_of = (ctypes.c_int(len(law.means)), *pointers, ctypes.c_double(law.step_ms), ctypes.c_double(self._kbps[session]))
        videos, place = self._sessions.world._videos, self._sessions.place_of(session)
        return self._library.causal_plan(place, videos, *law_of, ctypes.c_uint(session + 1))

    def observe(self, _stall_ms: np.ndarray) -> None:
        """Takes the segment that has come since the last advice."""
        self._observe(self._sessions.status()[0])

    def _observe(self, done: np.ndarray) -> None:
        rates_kbps, took_ms = self._sessions.last_rates().T
        for each in np.flatnonzero(~done):
            law = self._laws[each]
            steps = max(1, round(took_ms[each] / law.step_ms))
            ahead = self._beliefs[each] @ np.linalg.matrix_power(law.moves, min(steps, 64))
            off = (np.log(max(rates_kbps[each], 1e-3) / self._kbps[each]) - law.means) / law.deviations
            likely = -0.5 * min(steps, LIKELY_STEPS) ** 0.5 * off**2 - np.log(law.deviations)
            belief = ahead * np.exp(likely - likely.max())
            self._beliefs[each] = belief / belief.sum() if belief.sum() > 0 else ahead

    def advice(self) -> np.ndarray:
        """[n][MAX_RUNGS] in seconds of stall, what is to come included; 0 beyond the ladder."""
        out = np.zeros((self._sessions.n, MAX_RUNGS))
        for each, plan in enumerate(self._plans):
            belief = np.ascontiguousarray(self._beliefs[each], np.float64)
            row, given = ctypes.c_void_p(out[each].ctypes.data), ctypes.c_void_p(belief.ctypes.data)
            self._library.causal_advise(ctypes.c_void_p(plan), self._sessions.place_of(each), self._sessions.world._videos, given, row)
        return out

    def close(self) -> None:
        for plan in self._plans:
            self._library.causal_forget(ctypes.c_void_p(plan))
        self._plans = []

    def __enter__(self) -> "CausalExpert":
        return self

    def __exit__(self, *_) -> None:
        self.close()
