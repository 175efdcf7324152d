"""Scores that checkpoints are chosen by: parts of the split that are for validation, and no other."""

import json
from pathlib import Path

import numpy as np

from draw.scenes import SMALL_CAP_MS, cut, mean_kbps, split_traces
from draw.videos import envivio
from env.chunk_env import Video, World
from evaluate.score import qoe_per_chunk, windows
from links.made_traces import steady_trace, with_outages
from links.traces import Trace
from nets.net import Policy

BASELINES = Path(__file__).with_name("baselines.json")
TURNS = 5
"""Times that each trace is played, each from another moment on: whether a session meets an outage with a large segment on its
way is chance, and worth more than the whole of what nets differ by."""
STEADY_LINKS = 40
SD_LINKS = 20
"""Of sd at its own rates, where checkpoints are chosen: all of them are in the sets of high rates."""
SMALL = ("3g", "fcc", "high sd", "steady")
HIGH_KBPS = np.array([900, 2200, 4800, 9000, 17000, 33000], float)


def high() -> Video:
    """A ladder far above those trained on most, as long as the videos that rules are tested with at such rates."""
    return waving(HIGH_KBPS, 3000.0, 200)


def waving(kbps: np.ndarray, segment_ms: float, segments: int) -> Video:
    """Segments of their rung's bitrate but for some waves."""
    at = np.arange(segments + 4)
    wave = 1 + 0.25 * np.sin(at * 0.7) + 0.1 * np.sin(at * 0.23)
    return Video(kbps, np.ceil(kbps[:, None] * segment_ms / 8 * wave[None]), segment_ms, segments)


def times(traces: list[Trace], factor: float) -> list[Trace]:
    return [Trace(t.name, t.end_ms, t.rate_kbps * factor, t.start_ms) for t in traces]


def turned(traces: list[Trace], turns: int = TURNS) -> list[Trace]:
    """Each from so many moments on, what comes before behind what comes after."""
    found = list(traces)
    for trace in traces:
        length = (trace.end_ms[-1] - trace.start_ms) / 1000
        for turn in range(1, turns):
            head, tail = cut(trace, 0, length * turn / turns), cut(trace, length * turn / turns, length)
            ends = np.concatenate([tail.end_ms, tail.end_ms[-1] + head.end_ms])
            rates = np.concatenate([tail.rate_kbps, head.rate_kbps])
            found.append(Trace(f"{trace.name}+{turn}", ends, rates, 0.0))
    return found


def failing(traces: list[Trace]) -> list[Trace]:
    """The same links, with outages at the same moments whoever asks."""
    random = np.random.default_rng(5)
    return [with_outages(random, trace) for trace in traces]


def steady(links: int = STEADY_LINKS) -> list[Trace]:
    """Links that keep to their level, from half of the second rung of EnvivioDash3 to four fifths of the highest."""
    random = np.random.default_rng(6)
    levels = np.exp(np.linspace(np.log(0.375), np.log(3.44), links))
    return [times([steady_trace(random, at)], level)[0] for at, level in enumerate(levels)]


def longer(video: Video, segments: int) -> Video:
    """The video over and over, without its last segment, which is short."""
    at = np.arange(segments + 4) % (video.segments - 1)
    return Video(video.bitrates_kbps, video.sizes_bytes[:, at], video.segment_ms, segments)


class Validation:
    """Sets of traces with a video, the QoEs they are scored by, and the buffer: 60 s, or for some `SMALL_CAP_MS`."""

    def __init__(
        self,
        root: Path,
        uses: tuple[str, ...] = ("validation",),
        turns: int = TURNS,
        steady_links: int = STEADY_LINKS,
        sd_links: int | None = SD_LINKS,
    ):
        """`uses` are those of split.json: a net that was trained without a family may be judged by all that is recorded of it.
        `sd_links` are those of sd that are played at their own rates, None for all."""
        parts = [split_traces(root, use) for use in uses]
        kinds = {kind: [trace for part in parts for trace in part.get(kind, [])] for kind in parts[0]}
        video = envivio(root)
        # A link that is slower than the lowest rung leaves nothing to choose.
        fixed = [each for each in windows(kinds["fcc"]) if mean_kbps(each) > video.bitrates_kbps[0]]
        mobile = windows(kinds["3g"])
        self.worlds = {
            "3g": World(turned(mobile, turns), [video]),
            "fcc": World(turned(fixed, turns), [video]),
            "sd": World(turned(kinds["sd"][:sd_links], turns), [video]),
            "high 3g": World(turned(times(mobile[::3], 20.0), turns), [high()]),
            "high sd": World(turned(times(kinds["sd"], 2.8), turns), [high()]),
            "failing sd": World(failing(turned(times(kinds["sd"], 2.8), turns)), [high()]),
            "steady": World(steady(steady_links), [longer(video, 150)]),
        }

    def scores(self, policy: Policy) -> dict[str, float]:
        """QoE per chunk, by set and QoE."""
        asked = [(name, "lin") for name in self.worlds] + [("3g", "log"), ("3g", "hd"), ("fcc", "log"), ("fcc", "hd")]
        scores = {f"{name} {qoe}": float(qoe_per_chunk(policy, self.worlds[name], qoe).mean()) for name, qoe in asked}
        small = {f"{name} small": qoe_per_chunk(policy, self.worlds[name], "lin", SMALL_CAP_MS) for name in SMALL}
        return {**scores, **{name: float(each.mean()) for name, each in small.items()}}

    def summary(self, policy: Policy, held: str | None = None) -> dict[str, float]:
        """The scores, and `score`, which checkpoints are chosen by: the geometric mean, over sets, of the QoE over that of the
        best published rule there, or of an earlier pair of nets where `pitwall sim` has no such buffer. (The least of those
        ratios beside it picked the most careful net.) Sets of the family that is held out of the training do not count."""
        scores = self.scores(policy)
        known = json.loads(BASELINES.read_text())
        best = {name: max(values) for name, values in known["perChunk"].items()} | known["ofNets"]
        ratios = [max(0.01, scores[name] / best[name]) for name in best if family_of(name) != held]
        return {"score": mean_ratio(ratios), **scores}


def mean_ratio(ratios: list[float]) -> float:
    return float(np.exp(np.mean(np.log(ratios))))


def family_of(name: str) -> str:
    """Of a set's name: "high 3g lin" is one of 3g."""
    for family in ("3g", "fcc", "sd"):
        if family in name.split():
            return family
    return "steady" if name.split()[0] in ("steady", "operator") else "made up"
