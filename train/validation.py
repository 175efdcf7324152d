"""Scores that checkpoints are chosen by: parts of the split that are for validation, and no other."""

import json
from pathlib import Path

import numpy as np

from chunk_env import Video, World
from net import Policy
from scenes import cut, split_traces, with_outages
from score import qoe_per_chunk, windows
from traces import Trace
from videos import envivio

BASELINES = Path(__file__).with_name("baselines.json")
TURNS = 5
"""Times that each trace is played, each from another moment on: whether somebody meets an outage with a large segment on its
way is luck, and worth more than the whole of what nets differ by."""
HIGH_KBPS = np.array([900, 2200, 4800, 9000, 17000, 33000], float)


def high(segments: int = 120) -> Video:
    """A ladder far above those trained on most, 3 s a segment, all of its bitrate but for some waves."""
    wave = 1 + 0.25 * np.sin(np.arange(segments + 4) * 0.7) + 0.1 * np.sin(np.arange(segments + 4) * 0.23)
    return Video(HIGH_KBPS, np.ceil(HIGH_KBPS[:, None] * 375 * wave[None]), 3000.0, segments)


def times(traces: list[Trace], factor: float) -> list[Trace]:
    return [Trace(t.name, t.end_ms, t.rate_kbps * factor, t.start_ms) for t in traces]


def turned(traces: list[Trace]) -> list[Trace]:
    """Each from `TURNS` moments on, what comes before behind what comes after."""
    found = list(traces)
    for trace in traces:
        length = (trace.end_ms[-1] - trace.start_ms) / 1000
        for turn in range(1, TURNS):
            head, tail = cut(trace, 0, length * turn / TURNS), cut(trace, length * turn / TURNS, length)
            ends = np.concatenate([tail.end_ms, tail.end_ms[-1] + head.end_ms])
            rates = np.concatenate([tail.rate_kbps, head.rate_kbps])
            found.append(Trace(f"{trace.name}+{turn}", ends, rates, 0.0))
    return found


def failing(traces: list[Trace]) -> list[Trace]:
    """The same links, with outages at the same moments whoever asks."""
    random = np.random.default_rng(5)
    return [with_outages(random, trace) for trace in traces]


class Validation:
    """Sets of traces with a video and the QoEs they are scored by."""

    def __init__(self, root: Path):
        kinds = split_traces(root, "validation")
        mobile, fixed = windows(kinds["3g"]), windows(kinds["fcc"])
        self.worlds = {
            "3g": World(turned(mobile), [envivio(root)]),
            "fcc": World(turned(fixed + kinds["sd"][:20]), [envivio(root)]),
            "high 3g": World(turned(times(mobile[::3], 20.0)), [high()]),
            "high sd": World(turned(times(kinds["sd"], 2.8)), [high()]),
            "failing sd": World(failing(turned(times(kinds["sd"], 2.8))), [high()]),
        }

    def scores(self, policy: Policy) -> dict[str, float]:
        """QoE per chunk, by set and QoE."""
        asked = [(name, "lin") for name in self.worlds] + [("3g", "log"), ("3g", "hd"), ("fcc", "log"), ("fcc", "hd")]
        return {f"{name} {qoe}": float(qoe_per_chunk(policy, self.worlds[name], qoe).mean()) for name, qoe in asked}

    def summary(self, policy: Policy) -> dict[str, float]:
        """The scores, and `score`, which checkpoints are chosen by: each set's QoE over that of the best published rule
        there; the mean of those ratios plus the least of them, halved. So no set is given up for another."""
        scores = self.scores(policy)
        best = {name: max(values) for name, values in json.loads(BASELINES.read_text())["perChunk"].items()}
        ratios = [scores[name] / best[name] for name in best]
        return {"score": (float(np.mean(ratios)) + min(ratios)) / 2, **scores}
