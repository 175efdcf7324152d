"""What a net is trained on: traces, videos, QoEs and paths, drawn anew for each round."""

import json
from pathlib import Path

import numpy as np

from draw.qoe import worth
from draw.videos import envivio, made_up
from env.chunk_env import H1, H3, MAX_RUNGS, UNKNOWN, Scenes, Sessions, Video, World
from links.made_traces import made_up_trace, steady_trace, varied, with_outages
from links.traces import SPLIT, Trace, content_hash, read_trace, resampled

OUTAGE_S, OUTAGE_KBPS = 20, 100.0
"""Where so many seconds carry less on average nothing can be played, and nothing learnt: parts of a log end there."""
SHORTEST_S = 100
VARIED = 5
"""Variants of each recorded trace that are played beside it."""
LATENCY_SWING = 0.7
"""Most deviation of the latency's logarithm within a session: half of the sessions have one, since real ones do."""
FAILING = {"fcc": 0.1, "sd": 0.5, "made up": 0.5, "steady": 0.1}
"""Share of the traces of a kind that outages are planted in: what was recorded of these hardly ever fails, the 3G logs do twelve times
an hour for 5 s and more, and the kind of a link is not known beforehand."""
OWN = ("3g", "fcc")
"""Kinds that are played at about their own rates with EnvivioDash3, as in the published tests."""
CAPS_S = (6, 60)
"""Most that the buffer holds where it is not the 60 s of the published tests, spread evenly in its logarithm: players hold 10 to 30 s,
and a full buffer is a state that 60 s hardly ever show."""
SMALL_CAP_MS = 16_000.0
"""What dash.js lets a buffer hold under a target of 20 s with segments of 4 s (validation.py)."""
OBSERVED = 0.6
"""Share, of the sessions that are not as in the published tests, of which the net has the connection inputs."""
AUDIO = (0.1, 0.7)
"""Of the lowest rung's bitrate: what audio takes beside the video in three of five of those."""
ERA = 140
"""Rounds after which variants, made-up traces, outages and videos are drawn anew."""
LEAST_SHARE, BARE_SHARE, BARE = 0.7, 0.07, 0.3
"""Of the lowest rung, that a trace fitted to a ladder carries in its worst spells at least: where less comes, only what is in the
buffer counts. In so many of the scenes down to a tenth of that, so that the net learns to have it there."""


def cut(trace: Trace, from_s: float, to_s: float) -> Trace:
    """The part of a trace between two times since its start, with its own zero."""
    begin, end = trace.start_ms + 1000.0 * from_s, trace.start_ms + 1000.0 * to_s
    inside = (trace.end_ms > begin) & (trace.starts_ms < end)
    ends = np.minimum(trace.end_ms[inside], end) - begin
    return Trace(f"{trace.name}@{from_s:g}", ends, trace.rate_kbps[inside], 0.0)


def split_traces(root: Path, use: str) -> dict[str, list[Trace]]:
    """The traces of split.json for one use, by kind; refuses a file that is not what it was when the split was made."""
    found: dict[str, list[Trace]] = {}
    for entry in json.loads(SPLIT.read_text())["traces"]:
        if entry["use"] != use:
            continue
        file = root / entry["file"]
        if content_hash(file) != entry["hash"]:
            raise ValueError(f"{file}: The file has changed since the split was made.")
        parts = [cut(read_trace(file), *span) for span in entry["spans_s"]]
        found.setdefault(entry["kind"], []).extend(each for part in parts for each in playable(part))
    return found


def playable(trace: Trace) -> list[Trace]:
    """A trace without its outages, as the parts between them that are long enough."""
    series = resampled(trace)
    means = np.convolve(series, np.full(OUTAGE_S, 1 / OUTAGE_S), "valid")
    dead = np.convolve(means < OUTAGE_KBPS, np.ones(OUTAGE_S), "full") > 0.5
    edges = np.flatnonzero(np.diff(np.concatenate([[False], ~dead, [False]]).astype(int)))
    return [cut(trace, a, b) for a, b in edges.reshape(-1, 2) if b - a >= SHORTEST_S]


class Draws:
    """The world of a training run, and scenes drawn from it. Two runs with one seed draw the same. `held` is a family of traces
    that is kept out (families.py)."""

    SHARES = {"3g": 0.38, "fcc": 0.18, "sd": 0.2, "made up": 0.09, "steady": 0.15}
    FAILING = FAILING
    OBSERVED = OBSERVED
    LEVELS = (0.12, 1.6)
    """Mean rates of links that are fitted to a ladder, as shares of its highest bitrate."""
    SMALL = 0.0
    """Share of the sessions that are not as in the published tests with a buffer of exactly `SMALL_CAP_MS`."""

    def __init__(self, root: Path, seed: int, era: int = 0, held: str | None = None):
        random = np.random.default_rng([seed, 1, era])
        kinds = self._kinds(root, random, held)
        shares = {kind: share for kind, share in self.SHARES.items() if kind in kinds}
        videos = [envivio(root)]
        self._six = [0] + list(range(1, 121))
        videos += [made_up(random, 6) for _ in range(120)]
        videos += [made_up(random, int(random.integers(2, 15))) for _ in range(480)]
        self.traces = [trace for kind in shares for trace in kinds[kind]]
        lengths = np.array([trace.end_ms[-1] - trace.start_ms for trace in self.traces])
        # What a ladder is fitted to is the link while it works.
        self._means = np.array([mean_kbps(trace) for trace in self.traces])
        self._floors = np.array([_floor_kbps(trace) for trace in self.traces])
        failing = {kind: share for kind, share in self.FAILING.items() if kind in kinds}
        fail = {id(trace) for kind, share in failing.items() for trace in kinds[kind] if random.random() < share}
        self.traces = [with_outages(random, trace) if id(trace) in fail else trace for trace in self.traces]
        self.world = World(self.traces, videos)
        odds = np.concatenate([share * _shares(np.minimum(_lengths(kinds[kind]), 3e6)) for kind, share in shares.items()])
        self._odds = odds if sum(shares.values()) == sum(self.SHARES.values()) else _shares(odds)
        self._is_own = np.repeat([kind in OWN for kind in shares], [len(kinds[kind]) for kind in shares])
        self._lengths = lengths

    def _kinds(self, root: Path, random: np.random.Generator, held: str | None) -> dict[str, list[Trace]]:
        """The traces by kind."""
        kinds = {kind: traces for kind, traces in split_traces(root, "train").items() if kind != held}
        for traces in kinds.values():
            traces += [varied(random, trace) for trace in traces * VARIED]
        if held != "made up":
            kinds["made up"] = [made_up_trace(random, number) for number in range(600)]
        if held != "steady":
            kinds["steady"] = [steady_trace(random, number) for number in range(300)]
        return kinds

    def begin(self, scenes: Scenes, width: int) -> Sessions:
        """Sessions of such scenes."""
        return Sessions(self.world, scenes, width)

    def draw(self, random: np.random.Generator, n: int, wide: bool) -> tuple[Scenes, int]:
        """n scenes and the most rungs of one: six of EnvivioDash3 and its like, or up to fourteen of any video."""
        trace = random.choice(len(self.traces), size=n, p=self._odds)
        if wide:
            video = random.integers(1, len(self.world.videos), size=n)
        else:
            video = np.where(random.random(n) < 0.85, 0, random.choice(self._six, size=n))
        played: list[Video] = [self.world.videos[each] for each in video]
        usual = random.random(n) < np.where(video == 0, 0.55, 0.3)
        start = random.uniform(0, 1, n) * self._lengths[trace]
        tops = np.array([each.bitrates_kbps[-1] for each in played])
        rungs = np.array([len(each.bitrates_kbps) for each in played])
        segment_ms = np.array([each.segment_ms for each in played])
        late = (random.random(n) < 0.5) & (video > 0)
        segments = np.array([each.segments for each in played])
        first = np.where(late, np.maximum(0, segments - random.integers(48, 150, n)), 0)
        level = np.exp(random.uniform(*np.log(self.LEVELS), n))
        bottoms = np.array([each.bitrates_kbps[0] for each in played])
        bare = np.exp(random.uniform(np.log(BARE_SHARE), np.log(LEAST_SHARE), n))
        least = np.where(random.random(n) < BARE, bare, LEAST_SHARE)
        fitted = np.maximum(level * tops / self._means[trace], least * bottoms / self._floors[trace])
        near = np.exp(random.normal(size=n) * np.where(random.random(n) < 0.6, 0.1, 0.4))
        own = self._is_own[trace] & (video == 0)
        odd_rung = (random.random(n) * rungs).astype(int)
        caps = np.maximum(1000 * np.exp(random.uniform(*np.log(CAPS_S), n)), segment_ms)
        if self.SMALL > 0:
            caps = np.where(random.random(n) < self.SMALL, np.maximum(SMALL_CAP_MS, segment_ms), caps)
        scenes = Scenes(
            trace=trace,
            video=video,
            start_ms=start,
            scale=np.where(own, near, fitted),
            rtt_ms=np.where(usual, 80.0, np.exp(random.uniform(np.log(5), np.log(400), n))),
            swing=np.where(random.random(n) < 0.5, 0.0, random.uniform(0, LATENCY_SWING, n)),
            cap_ms=np.where(usual, 60000.0, caps),
            worth=np.stack([_worth(random, each.bitrates_kbps) for each in played]),
            first_segment=first,
            first_rung=np.where(usual, np.minimum(1, rungs - 1), odd_rung),
            buffer_ms=np.where(usual | (random.random(n) < 0.5), 0.0, random.uniform(0, 20000, n)),
            seed=random.integers(0, 2**31, n),
            **_carried(random, usual, bottoms * segment_ms / 8, self.OBSERVED),
        )
        return scenes, int(rungs.max())


def padded(values: np.ndarray) -> np.ndarray:
    return np.concatenate([values, np.zeros(MAX_RUNGS - len(values))])


def _carried(random: np.random.Generator, usual: np.ndarray, bottom_bytes: np.ndarray, share: float) -> dict[str, np.ndarray]:
    """What carries each session: unknown in the published tests and some others; audio is measured by the lowest rung."""
    n = len(usual)
    observed = ~usual & (random.random(n) < share)
    audio = np.exp(random.uniform(*np.log(AUDIO), n)) * (random.random(n) < 0.6)
    kind = random.random(n)
    reconnects = np.where(kind < 0.7, 0.0, np.where(kind < 0.9, random.uniform(0, 0.3, n), 1.0))
    return {
        "protocol": np.where(observed, random.integers(H1, H3 + 1, n), UNKNOWN),
        "audio_bytes": np.where(observed, audio * bottom_bytes, 0),
        "reconnects": np.where(observed, reconnects, 0),
    }


def _worth(random: np.random.Generator, kbps: np.ndarray) -> np.ndarray:
    """Mostly the linear QoE, else the other two, else some power of the bitrate with some weight of stalls."""
    kind = random.random()
    if kind < 0.55:
        return padded(worth("lin", kbps))
    if kind < 0.75:
        return padded(worth("log", kbps))
    if kind < 0.9:
        return padded(worth("hd", kbps))
    return padded((kbps / kbps[-1]) ** random.uniform(0.3, 1.6) * random.uniform(0.4, 2.5))


def _lengths(traces: list[Trace]) -> np.ndarray:
    return np.array([trace.end_ms[-1] - trace.start_ms for trace in traces])


def _shares(weights: np.ndarray) -> np.ndarray:
    return weights / weights.sum()


def mean_kbps(trace: Trace) -> float:
    spans = np.diff(np.concatenate([[trace.start_ms], trace.end_ms]))
    return float((trace.rate_kbps * spans).sum() / spans.sum())


def _floor_kbps(trace: Trace) -> float:
    """What the worst twentieth of all stretches of `OUTAGE_S` seconds carry."""
    means = np.convolve(resampled(trace), np.full(OUTAGE_S, 1 / OUTAGE_S), "valid")
    return max(1.0, float(np.quantile(means, 0.05)))
