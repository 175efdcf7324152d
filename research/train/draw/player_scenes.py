"""Scenes of the player model: what carries a session is drawn wider than any network of the lab, anew for each session."""

import numpy as np

from draw.scenes import Draws
from env.chunk_env import H1, H2, H3, Scenes, Video
from env.player_env import NONE, Path, PlayerSessions, PlayerWorld, default_scenes
from links.traces import Trace

RTT_MS, LOSS = (4, 1000), (1e-4, 0.12)
"""Spread evenly in their logarithms. The lab's networks have 5 to 1300 ms and, where they lose packets, 0.06 to 10 %."""
LOSSLESS = 0.45
"""Share of sessions whose path loses what its queue does not hold, and nothing else."""
QUEUE_PACKETS, BEST_PACKETS = (6, 1500), 40_000
"""Queues, and the most packets in flight that a path may hold: beyond that a session is slow to compute, and no window is that large."""
VARYING = 0.25
"""Share of the paths whose round-trip time and loss change from piece to piece."""
CAPS_MS, CAP_SHARE = (16_000, 60_000), 0.35
"""The two buffers of the validation sets, and the share of each; all others have 6 to 60 s."""
MATHIS, SPARE, HOPELESS = 1.22, 1.5, 0.05
"""A sender whose window is limited by losses alone has 1.22 packets / (RTT x the square root of the loss) (Mathis et al., CCR 1997).
Where that is less than so many times the lowest rung and audio, nothing can be played, and nothing learnt: the loss is lowered to it,
but for a share of the sessions."""
TIMEOUTS_MS, SHORT_TIMEOUT = (20_000, 120_000), 0.3
"""How long a request may take: with the defaults of dash.js, and with the preset `experiment`; and the share of the former."""
LIVE = 0.2
LIVE_DELAY_S = (3, 40)
NAMES = {H1: "h1", H2: "h2", H3: "h3"}


class PlayerDraws:
    """Scenes of the player model over the traces and videos of other draws. Two of one seed and era draw the same."""

    def __init__(self, draws: Draws, seed: int, era: int = 0):
        random = np.random.default_rng([seed, 5, era])
        self._draws = draws
        self.world = PlayerWorld([varying_path(random, trace) for trace in draws.traces], draws.world.videos)

    def draw(self, random: np.random.Generator, n: int, wide: bool) -> tuple[np.ndarray, int]:
        base, width = self._draws.draw(random, n, wide)
        return drawn_scenes(random, base, self.world), width

    def begin(self, scenes: np.ndarray, width: int) -> PlayerSessions:
        """Sessions of such scenes."""
        return PlayerSessions(self.world, scenes, width)


def log_uniform(random: np.random.Generator, span: tuple[float, float], n: int) -> np.ndarray:
    return np.exp(random.uniform(*np.log(span), n))


def varying_path(random: np.random.Generator, trace: Trace) -> Path:
    """Most traces as they are; of some the round-trip time wanders, and losses come in spells."""
    if random.random() >= VARYING:
        return Path(trace)
    steps, keep = len(trace.end_ms), random.uniform(0, 0.95)
    noise = np.empty(steps)
    noise[0] = random.normal()
    for at in range(1, steps):
        noise[at] = keep * noise[at - 1] + np.sqrt(1 - keep**2) * random.normal()
    rtt = np.clip(log_uniform(random, (10, 200), 1) * np.exp(random.uniform(0.1, 0.7) * noise), 2, 800)
    in_spell = np.zeros(steps, bool)
    for begin in random.integers(steps, size=random.poisson(steps / 40)):
        in_spell[begin : begin + random.integers(1, 12)] = True
    loss = np.where(in_spell, log_uniform(random, (1e-3, 0.05), 1), random.choice([0, 0, 1e-4]))
    return Path(trace, rtt, loss, loss * random.integers(2))


def drawn_scenes(random: np.random.Generator, base: Scenes, world: PlayerWorld) -> np.ndarray:
    """The player's, the connection's and the sender's part of scenes whose trace, video and scale are those of `base`."""
    n = len(base.trace)
    videos = [world.videos[int(video)] for video in base.video]
    scenes = default_scenes(n)
    scenes["path"], scenes["video"], scenes["start_ms"], scenes["scale"] = base.trace, base.video, base.start_ms, base.scale
    scenes["worth"], scenes["first_segment"], scenes["start_rung"] = base.worth, base.first_segment, base.first_rung
    _draw_player(random, scenes, videos)
    _draw_sender(random, scenes, world)
    top_kbps = np.array([video.bitrates_kbps[-1] for video in videos])
    # A packet has 12 kbit; a link brings up to about four times the highest bitrate.
    scenes["rtt_ms"] = np.minimum(scenes["rtt_ms"], BEST_PACKETS * 12 / (4 * top_kbps) * 1000)
    _limit_losses(random, scenes, np.array([video.bitrates_kbps[0] for video in videos]))
    scenes["timeout_ms"] = np.where(random.random(n) < SHORT_TIMEOUT, *TIMEOUTS_MS)
    return scenes


def _limit_losses(random: np.random.Generator, scenes: np.ndarray, bottom_kbps: np.ndarray) -> None:
    audio_kbps = 8 * scenes["audio_bytes"] / np.maximum(scenes["audio_segment_ms"], 1)
    packets_s = SPARE * (bottom_kbps + audio_kbps) / 12
    playable = (MATHIS / (packets_s * scenes["rtt_ms"] / 1000)) ** 2
    limit = np.where(random.random(len(scenes)) < HOPELESS, 1, playable)
    for name in ("loss_down", "loss_up"):
        scenes[name] = np.minimum(scenes[name], limit)


def _draw_player(random: np.random.Generator, scenes: np.ndarray, videos: list[Video]) -> None:
    n = len(scenes)
    segment_ms = np.array([video.segment_ms for video in videos])
    duration_ms = segment_ms * (np.array([video.segments for video in videos]) - scenes["first_segment"])
    kind = random.random(n)
    cap_ms = 1000 * log_uniform(random, (6, 60), n)
    for at, usual_ms in enumerate(CAPS_MS):
        cap_ms = np.where((kind >= at * CAP_SHARE) & (kind < (at + 1) * CAP_SHARE), usual_ms, cap_ms)
    scenes["target_ms"] = np.maximum(cap_ms, segment_ms) + segment_ms
    scenes["target_at_top_ms"] = scenes["target_ms"] * np.where(random.random(n) < 0.8, 1, random.uniform(1, 2, n))
    scenes["caches_init"] = random.random(n) < 0.7
    for name, share, span in (("manifest", 0.8, (2e3, 6e4)), ("index", 0.3, (1e3, 6e4)), ("init", 0.8, (600, 1500))):
        scenes[f"{name}_bytes"] = np.where(random.random(n) < share, np.round(log_uniform(random, span, n)), NONE)
    is_live = random.random(n) < LIVE
    delay_ms = np.maximum(1000 * log_uniform(random, LIVE_DELAY_S, n), segment_ms)
    scenes["live_delay_ms"] = np.where(is_live, delay_ms, NONE)
    has_audio = random.random(n) < 0.7
    audio_ms = np.where(random.random(n) < 0.5, segment_ms, random.choice([2000, 4000], n))
    bottom_kbps = np.array([video.bitrates_kbps[0] for video in videos])
    audio_kbps = np.clip(bottom_kbps * log_uniform(random, (0.1, 0.7), n), 8, 320)
    scenes["audio_segment_ms"] = np.where(has_audio, audio_ms, 0)
    scenes["audio_bytes"] = np.where(has_audio, np.round(audio_kbps * audio_ms / 8), 0)
    scenes["audio_segments"] = np.where(has_audio, np.ceil(duration_ms / audio_ms), 0)
    scenes["audio_init_bytes"] = np.where(random.random(n) < 0.8, 700, NONE)


def _draw_sender(random: np.random.Generator, scenes: np.ndarray, world: PlayerWorld) -> None:
    n = len(scenes)
    scenes["protocol"] = random.integers(H1, H3 + 1, n)
    scenes["early_data"] = random.random(n) < 0.1
    scenes["rtt_ms"] = log_uniform(random, RTT_MS, n)
    loss = np.where(random.random(n) < LOSSLESS, 0, log_uniform(random, LOSS, n))
    scenes["loss_down"], scenes["loss_up"] = loss, loss * random.integers(2, size=n)
    scenes["again_down"] = np.where(random.random(n) < 0.25, random.uniform(0.1, 0.8, n), NONE)
    scenes["has_sender"] = random.random(n) < 0.85
    loses = np.array([path.loss_down is not None for path in world.paths])[scenes["path"]]
    scenes["has_losses"] = scenes["has_sender"] & ((loss > 0) | loses)
    scenes["loss_seed"] = random.integers(2**32, size=n)
    scenes["initial_packets"] = random.choice([10, 32], n)
    scenes["queue_packets"] = np.round(log_uniform(random, QUEUE_PACKETS, n))
    scenes["is_instrumented"] = random.random(n) < 0.6
    scenes["is_cubic"] = random.random(n) < 0.7
    scenes["emulated_connections"] = np.where(random.random(n) < 0.15, random.integers(2, 6, n), 0)
    scenes["paces_tcp"], scenes["has_16k_records"] = random.random(n) < 0.5, random.random(n) < 0.3


def written_scene(scene: np.void, video: Video, path: Path) -> dict:
    """A scene for the TypeScript: trace, content, and PlayerModelSettings of src/sim/player as they are there."""
    value = lambda name: None if scene[name] < 0 else scene[name].item()  # noqa: E731
    pieces = {"rttMs": path.rtt_ms, "lossDown": path.loss_down, "lossUp": path.loss_up, "againDown": path.again_down}
    for name, given in (("lossDown", "loss_down"), ("lossUp", "loss_up"), ("againDown", "again_down")):
        if pieces[name] is None and scene["has_losses"] and scene[given] >= 0:
            pieces[name] = np.full(len(path.trace.end_ms), scene[given])
    audio = {name: value(f"audio_{given}") for name, given in (("segmentMs", "segment_ms"), ("sizeBytes", "bytes"), ("initBytes", "init_bytes"))}
    return {
        "ladderKbps": video.bitrates_kbps.tolist(),
        "segmentMs": video.segment_ms,
        "sizesBytes": video.sizes_bytes[:, int(scene["first_segment"]) : video.segments].astype(int).tolist(),
        "initBytes": value("init_bytes"),
        "manifestBytes": value("manifest_bytes"),
        "sizesFileBytes": value("index_bytes"),
        "audio": {"segments": int(scene["audio_segments"]), **audio} if scene["audio_segments"] else None,
        "trace": {
            "startMs": scene["start_ms"].item(),
            "endMs": path.trace.end_ms.tolist(),
            "rateKbps": (path.trace.rate_kbps * scene["scale"]).tolist(),
            **{name: None if each is None else each.tolist() for name, each in pieces.items()},
        },
        "settings": {
            "protocol": NAMES[int(scene["protocol"])],
            "earlyData": bool(scene["early_data"]),
            "connections": int(scene["connections"]) or None,
            "rttMs": value("rtt_ms") if path.rtt_ms is None else None,
            "sender": _written_sender(scene),
            "pollMs": value("poll_ms"),
            "bufferTargetMs": value("target_ms"),
            "bufferTargetAtTopMs": value("target_at_top_ms"),
            "startRung": int(scene["start_rung"]),
            "cacheInitSegments": bool(scene["caches_init"]),
            "timeoutMs": value("timeout_ms"),
            "playMs": value("play_ms"),
            "live": None if scene["live_delay_ms"] < 0 else {"delayMs": scene["live_delay_ms"].item()},
        },
    }


def _written_sender(scene: np.void) -> dict | None:
    if not scene["has_sender"]:
        return None
    instrumented = {
        "controller": "cubic" if scene["is_cubic"] else "reno",
        "emulatedConnections": int(scene["emulated_connections"]) or None,
        "tcpPacing": bool(scene["paces_tcp"]),
        "tlsRecords": "16k" if scene["has_16k_records"] else "dynamic",
    }
    return {
        "initialPackets": int(scene["initial_packets"]),
        "queuePackets": int(scene["queue_packets"]),
        **({"lossSeed": int(scene["loss_seed"])} if scene["has_losses"] else {}),
        **({"instrumented": instrumented} if scene["is_instrumented"] else {}),
    }
