"""Many sessions of the chunk model at once, by way of chunk_env.c: traces, videos, steps, and what the net sees. (Of the player
model: player_env.py.)"""

import ctypes
import hashlib
import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from links.traces import Trace

HISTORY, CONTEXT, RUNG, MAX_RUNGS = 8, 29, 26, 24
UNKNOWN, H1, H2, H3 = range(4)
IS_LAST = 18
"""Place, among the inputs of a rung, of the 1 at the rung of the segment before."""
_FLAGS = ["-O3", "-march=native", "-ffp-contract=off", "-shared", "-fPIC", "-Wl,-Bsymbolic"]
"""Without -Bsymbolic a call of `step` within the library may end in the one that glibc has."""


@dataclass(frozen=True)
class Video:
    """A table of sizes, `[rung][segment]` in bytes; more columns than segments are only looked at."""

    bitrates_kbps: np.ndarray
    sizes_bytes: np.ndarray
    segment_ms: float
    segments: int


def load_library() -> ctypes.CDLL:
    """Compiles the C source once for each of its versions."""
    train = Path(__file__).parents[1]
    names = ("env/chunk_env.c", "env/net_inputs.c", "learn/expert.c", "learn/causal.c", "learn/play_on.c")
    sources = [train / name for name in (*names, "env/player_path.c", "env/player_env.c")]
    read = [*sources, train / "env/chunk_env.h", train / "env/player_env.h"]
    version = hashlib.sha256(b"".join(source.read_bytes() for source in read) + " ".join(_FLAGS).encode()).hexdigest()[:16]
    built = Path(tempfile.gettempdir()) / f"pitwall-chunk-env-{version}.so"
    if not built.exists():
        part = built.with_suffix(f".{os.getpid()}")
        compiler = os.environ.get("CC", "cc")
        subprocess.run([compiler, *_FLAGS, "-o", str(part), *map(str, sources), "-lm"], check=True)
        part.rename(built)
    library = ctypes.CDLL(str(built))
    for name in ("session_bytes", "player_session_bytes", "player_scene_bytes"):
        getattr(library, name).restype = ctypes.c_int
    library.plan.restype = library.causal_plan.restype = ctypes.c_void_p
    return library


def pointers(arrays: list[np.ndarray]) -> ctypes.Array:
    struct = (ctypes.c_void_p * len(arrays))(*[array.ctypes.data for array in arrays])
    struct.arrays = arrays
    return struct


class World:
    """What sessions can be played with."""

    def __init__(self, traces: list[Trace], videos: list[Video]):
        self.traces, self.videos = traces, videos
        self.library = load_library()
        self._traces = pointers(_packed_traces(traces))
        self._videos = pointers(packed_videos(videos))


def _packed_traces(traces: list[Trace]) -> list[np.ndarray]:
    begin = np.cumsum([0] + [len(trace.end_ms) for trace in traces]).astype(np.int32)
    ends = np.concatenate([trace.end_ms for trace in traces]).astype(np.float64)
    rates = np.concatenate([trace.rate_kbps for trace in traces]).astype(np.float64)
    return [begin, ends, rates]


def packed_videos(videos: list[Video]) -> list[np.ndarray]:
    begin = np.cumsum([0] + [video.sizes_bytes.size for video in videos])[:-1].astype(np.int32)
    bitrates = np.zeros((len(videos), MAX_RUNGS))
    for row, video in zip(bitrates, videos, strict=True):
        row[: len(video.bitrates_kbps)] = video.bitrates_kbps
    return [
        np.array([len(video.bitrates_kbps) for video in videos], np.int32),
        np.array([video.segments for video in videos], np.int32),
        np.array([video.sizes_bytes.shape[1] for video in videos], np.int32),
        begin,
        np.concatenate([video.sizes_bytes.ravel() for video in videos]).astype(np.float64),
        np.array([video.segment_ms for video in videos], np.float64),
        bitrates,
    ]


@dataclass
class Scenes:
    """What is played, an array of n each; `worth` is [n][MAX_RUNGS], q / mu, the quality of a rung in seconds of stall; `swing` is that
    of the latency, as the deviation of its logarithm. `protocol` is one of `UNKNOWN`, `H1`, `H2`, `H3`; audio beside the video, a
    segment, and the share of later requests that open a connection are 0 where it is unknown."""

    trace: np.ndarray
    video: np.ndarray
    start_ms: np.ndarray
    scale: np.ndarray
    rtt_ms: np.ndarray
    swing: np.ndarray
    cap_ms: np.ndarray
    worth: np.ndarray
    first_segment: np.ndarray
    first_rung: np.ndarray
    buffer_ms: np.ndarray
    seed: np.ndarray
    protocol: np.ndarray
    audio_bytes: np.ndarray
    reconnects: np.ndarray

    _KINDS = dict.fromkeys(("trace", "video", "first_segment", "first_rung", "seed", "protocol"), np.int32)

    def packed(self) -> list[np.ndarray]:
        names = ("trace", "video", "start_ms", "scale", "rtt_ms", "swing", "cap_ms", "worth")
        names += ("first_segment", "first_rung", "buffer_ms", "seed", "protocol", "audio_bytes", "reconnects")
        return [np.ascontiguousarray(getattr(self, name), self._KINDS.get(name, np.float64)) for name in names]


class Sessions:
    """n sessions under way; the first segment of each is fetched at once, as nobody's choice."""

    def __init__(self, world: World, scenes: Scenes, width: int):
        self.world, self.n, self.width = world, len(scenes.trace), width
        self.first_segment, self.worth = np.asarray(scenes.first_segment), np.asarray(scenes.worth)
        self.segment_s = np.array([world.videos[int(video)].segment_ms / 1000 for video in scenes.video])
        self.segments_left = np.array([world.videos[int(video)].segments for video in scenes.video]) - self.first_segment
        library = world.library
        self._memory = np.zeros(self.n * library.session_bytes(), np.uint8)
        packed = scenes.packed()
        self._call("begin", world._traces, world._videos, *packed)
        self.rungs_of = np.array([len(world.videos[int(video)].bitrates_kbps) for video in scenes.video])
        self.mask = np.arange(width)[None] < self.rungs_of[:, None]

    def observe(self) -> tuple[np.ndarray, np.ndarray]:
        context = np.zeros((self.n, CONTEXT), np.float32)
        rungs = np.zeros((self.n, self.width, RUNG), np.float32)
        self._call("observe", self.world._traces, self.world._videos, ctypes.c_int(self.width), context, rungs)
        return context, rungs

    def step(self, rung: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Rewards and stalls (ms); both 0 where the session was over before."""
        reward, stall = np.zeros(self.n), np.zeros(self.n)
        chosen = np.ascontiguousarray(rung, np.int32)
        self._call("step", self.world._traces, self.world._videos, chosen, reward, stall)
        return reward, stall

    def seek(self, share: np.ndarray) -> None:
        """What is left in each buffer after the viewer went elsewhere, as a share; 1 where nobody did."""
        self._call("seek", np.ascontiguousarray(share, np.float64))

    def status(self) -> tuple[np.ndarray, np.ndarray]:
        """Which sessions are over, and the last rung of each."""
        done, rung = np.zeros(self.n, np.int32), np.zeros(self.n, np.int32)
        self._call("status", done, rung)
        return done.astype(bool), rung

    def buffers_s(self) -> np.ndarray:
        buffer_ms = np.zeros(self.n)
        self._call("buffers", buffer_ms)
        return buffer_ms / 1000

    def requests(self) -> np.ndarray:
        """Of the last request of each: ms to its first byte, ms in all, and 1 where its connection was new."""
        requests = np.zeros((self.n, 3))
        self._call("requests", requests)
        return requests

    def last_rates(self) -> np.ndarray:
        """Of the last segment of each: kbit/s on the link while its body came, and ms in all."""
        rates = np.zeros((self.n, 2))
        self._call("last_rates", rates)
        return rates

    def branched(self, sessions: np.ndarray) -> "Sessions":
        """Copies of some sessions as they stand, in the order asked for, each as often as it is named."""
        copy = object.__new__(Sessions)
        copy.world, copy.n, copy.width = self.world, len(sessions), self.width
        copy._memory = np.ascontiguousarray(self._memory.reshape(self.n, -1)[sessions]).ravel()
        for name in ("first_segment", "worth", "segment_s", "segments_left", "rungs_of", "mask"):
            setattr(copy, name, getattr(self, name)[sessions])
        return copy

    def play_on(self, net: ctypes.Array, first: np.ndarray, played_ms: float, longest_s: float) -> np.ndarray:
        """Three numbers of each session, see play_on.c, when it takes `first` and then plays on as the net does."""
        out = np.zeros((self.n, 3))
        given = (np.ascontiguousarray(first, np.int32), ctypes.c_double(played_ms), ctypes.c_double(longest_s), out)
        self._call("play_on", self.world._traces, self.world._videos, net, *given)
        return out

    def place_of(self, session: int) -> ctypes.c_void_p:
        """Where a session lies in memory."""
        return ctypes.c_void_p(self._memory.ctypes.data + session * self.world.library.session_bytes())

    def _call(self, name: str, *given) -> None:
        pointers = [ctypes.c_void_p(each.ctypes.data) if isinstance(each, np.ndarray) else each for each in given]
        memory = ctypes.c_void_p(self._memory.ctypes.data)
        getattr(self.world.library, name)(memory, ctypes.c_int(self.n), *pointers)
