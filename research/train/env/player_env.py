"""Many sessions of the player model at once, by way of player_env.c: losses, windows, handshakes, audio, live edges.

`PlayerSessions` has the methods of `Sessions` (chunk_env.py), so that whatever trains in one world trains in the other.
"""

import ctypes
from dataclasses import dataclass, field

import numpy as np

from env.chunk_env import CONTEXT, MAX_RUNGS, RUNG, Video, load_library, packed_videos, pointers
from links.traces import Trace

NONE = -1.0
"""There is none of it: in a scene, and in the pieces of a path, where the scene's value then counts."""

SCENE = np.dtype(
    [(name, np.float64) for name in ("start_ms", "scale", "rtt_ms", "loss_down", "loss_up", "again_down")]
    + [(name, np.float64) for name in ("target_ms", "target_at_top_ms", "poll_ms", "play_ms", "live_delay_ms", "timeout_ms")]
    + [(name, np.float64) for name in ("manifest_bytes", "index_bytes", "init_bytes")]
    + [(name, np.float64) for name in ("audio_segment_ms", "audio_bytes", "audio_init_bytes")]
    + [("worth", np.float64, MAX_RUNGS)]
    + [(name, np.int32) for name in ("path", "video", "first_segment", "audio_segments")]
    + [(name, np.int32) for name in ("protocol", "early_data", "connections", "start_rung", "asks_first", "caches_init")]
    + [(name, np.int32) for name in ("has_sender", "initial_packets", "queue_packets", "has_losses")]
    + [("loss_seed", np.uint32)]
    + [(name, np.int32) for name in ("is_instrumented", "is_cubic", "emulated_connections", "paces_tcp", "has_16k_records")],
    align=True,
)
"""PlayerScene of player_env.h."""

TOTALS = ("now_ms", "playhead_ms", "buffer_ms", "first_wait_ms", "waits_ms", "stalls", "last_arrival_ms")
TOTALS += ("audio_downloads", "audio_last_ms", "is_new", "segments", "failed")
"""What `PlayerSessions.totals` has of each session. `waits_ms` are those after the join time, `first_wait_ms` is that."""


@dataclass(frozen=True)
class Path:
    """A trace, and what is known of each of its pieces beside the rate: `NONE` where the scene says it. Shares are 0 to 1."""

    trace: Trace
    rtt_ms: np.ndarray = field(default=None)
    loss_down: np.ndarray = field(default=None)
    loss_up: np.ndarray = field(default=None)
    again_down: np.ndarray = field(default=None)


def default_scenes(n: int) -> np.ndarray:
    """The defaults of PlayerModelSettings, without audio, without a sender, and with the first segment at the lowest rung."""
    scenes = np.zeros(n, SCENE)
    scenes["scale"], scenes["rtt_ms"], scenes["poll_ms"], scenes["protocol"] = 1, 80, 500, 2
    scenes["target_ms"] = scenes["target_at_top_ms"] = 20_000
    scenes["timeout_ms"] = 120_000
    scenes["caches_init"], scenes["initial_packets"], scenes["queue_packets"] = 1, 10, 100
    for name in ("again_down", "play_ms", "live_delay_ms", "manifest_bytes", "index_bytes", "init_bytes", "audio_init_bytes"):
        scenes[name] = NONE
    return scenes


class PlayerWorld:
    """What sessions can be played with."""

    def __init__(self, paths: list[Path], videos: list[Video]):
        self.paths, self.videos = paths, videos
        self.library = load_library()
        if self.library.player_scene_bytes() != SCENE.itemsize:
            raise ValueError("SCENE of player_env.py is not PlayerScene of player_env.h.")
        self._paths = pointers(_packed_paths(paths))
        self._videos = pointers(packed_videos(videos))


def _packed_paths(paths: list[Path]) -> list[np.ndarray]:
    counts = [len(path.trace.end_ms) for path in paths]
    packed = [np.cumsum([0] + counts).astype(np.int32)]
    packed += [np.concatenate([getattr(path.trace, name) for path in paths]).astype(np.float64) for name in ("end_ms", "rate_kbps")]
    for name in ("rtt_ms", "loss_down", "loss_up", "again_down"):
        given = [getattr(path, name) for path in paths]
        filled = [np.full(count, NONE) if each is None else each for each, count in zip(given, counts, strict=True)]
        packed.append(np.concatenate(filled).astype(np.float64))
    return packed


class PlayerSessions:
    """n sessions under way, each at the moment at which its next segment is asked for."""

    def __init__(self, world: PlayerWorld, scenes: np.ndarray, width: int):
        self.world, self.n, self.width = world, len(scenes), width
        self.first_segment, self.worth = scenes["first_segment"].copy(), scenes["worth"].copy()
        self.segment_s = np.array([world.videos[int(video)].segment_ms / 1000 for video in scenes["video"]])
        self.segments_left = np.array([world.videos[int(video)].segments for video in scenes["video"]]) - self.first_segment
        self.rungs_of = np.array([len(world.videos[int(video)].bitrates_kbps) for video in scenes["video"]])
        self.mask = np.arange(width)[None] < self.rungs_of[:, None]
        self._memory = np.zeros(self.n * world.library.player_session_bytes(), np.uint8)
        self._call("begin", world._paths, world._videos, np.ascontiguousarray(scenes))

    def observe(self) -> tuple[np.ndarray, np.ndarray]:
        context = np.zeros((self.n, CONTEXT), np.float32)
        rungs = np.zeros((self.n, self.width, RUNG), np.float32)
        self._call("observe", self.world._paths, self.world._videos, ctypes.c_int(self.width), context, rungs)
        return context, rungs

    def step(self, rung: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Rewards and stalls (ms) up to the next decision; both 0 where the session was over before."""
        reward, stall = np.zeros(self.n), np.zeros(self.n)
        chosen = np.ascontiguousarray(rung, np.int32)
        self._call("step", self.world._paths, self.world._videos, chosen, reward, stall)
        return reward, stall

    def seek(self, share: np.ndarray) -> None:
        """What is left in each buffer after the viewer jumped ahead in it, as a share; 1 where nobody did."""
        self._call("seek", self.world._videos, np.ascontiguousarray(share, np.float64))

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
        """Of the last video segment of each, in session time: ms of the request, of its first and of its last byte."""
        times = np.zeros((self.n, 3))
        self._call("requests", times)
        return times

    def totals(self) -> dict[str, np.ndarray]:
        numbers = np.zeros((self.n, len(TOTALS)))
        self._call("totals", numbers)
        return dict(zip(TOTALS, numbers.T, strict=True))

    def branched(self, sessions: np.ndarray) -> "PlayerSessions":
        """Copies of some sessions as they stand, in the order asked for, each as often as it is named."""
        copy = object.__new__(PlayerSessions)
        copy.world, copy.n, copy.width = self.world, len(sessions), self.width
        copy._memory = np.ascontiguousarray(self._memory.reshape(self.n, -1)[sessions]).ravel()
        for name in ("first_segment", "worth", "segment_s", "segments_left", "rungs_of", "mask"):
            setattr(copy, name, getattr(self, name)[sessions])
        return copy

    def play_on(self, net: ctypes.Array, first: np.ndarray, played_ms: float, longest_s: float) -> np.ndarray:
        """As `play_on` of chunk_env.py."""
        out = np.zeros((self.n, 3))
        given = (np.ascontiguousarray(first, np.int32), ctypes.c_double(played_ms), ctypes.c_double(longest_s), out)
        self._call("play_on", self.world._paths, self.world._videos, net, *given)
        return out

    def _call(self, name: str, *given) -> None:
        given = [ctypes.c_void_p(each.ctypes.data) if isinstance(each, np.ndarray) else each for each in given]
        memory = ctypes.c_void_p(self._memory.ctypes.data)
        getattr(self.world.library, f"player_{name}")(memory, ctypes.c_int(self.n), *given)
