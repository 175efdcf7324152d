"""Writes what player_env.c makes of some sessions, for a test of the TypeScript: `make_player_golden.py FILE [SESSIONS]`.

Each session has drawn settings: protocol, sender, losses, audio, live edge, buffer. The settings are written as
PlayerModelSettings of src/sim/player has them.
"""

import json
import sys
from pathlib import Path

import numpy as np

from draw.player_scenes import written_scene
from draw.qoe import worth
from draw.scenes import padded
from env.chunk_env import H1, H2, H3, Video
from env.player_env import NONE, Path as TracePath, PlayerSessions, PlayerWorld, default_scenes
from links.traces import Trace

SESSIONS, PIECES, SEGMENTS = 27, 30, 12
LADDERS = ((300, 750, 1200, 1850), (500, 2400), (900, 2200, 4800))
SEEN = (1, 4, 6, 9, 11)
"""Decisions of the first sessions whose inputs of the net are written out."""
SEEK_AT = 6
"""Decision before which the viewer of every seventh session jumps ahead."""


def main(file: Path, sessions: int) -> None:
    random = np.random.default_rng(26)
    file.write_text(json.dumps({"sessions": [_session(random, number) for number in range(sessions)]}, indent=2) + "\n")


def _session(random: np.random.Generator, number: int) -> dict:
    video, path = _video(random, number), _path(random, number)
    scenes = default_scenes(1)
    scene = scenes[0]
    scene["scale"] = random.choice([0.5, 1.0, 1.7])
    scene["start_ms"] = path.trace.start_ms
    scene["worth"] = padded(worth("lin", video.bitrates_kbps))
    scene["asks_first"] = 1
    _draw_player(random, scene, number, video)
    _draw_sender(random, scene, number)
    if path.rtt_ms is None:
        scene["rtt_ms"] = random.choice([5.0, 48.0, 234.0])
    return {**written_scene(scene, video, path), **_played(random, scenes, number, PlayerWorld([path], [video]))}


def _video(random: np.random.Generator, number: int) -> Video:
    kbps = np.array(LADDERS[number % len(LADDERS)], float)
    segment_ms = float(random.choice([1000, 2000, 4000]))
    sizes = np.ceil(kbps[:, None] * segment_ms / 8 * random.uniform(0.7, 1.3, (1, SEGMENTS)))
    return Video(kbps, sizes, segment_ms, SEGMENTS)


def _path(random: np.random.Generator, number: int) -> TracePath:
    ends = np.cumsum(random.integers(200, 4000, PIECES)).astype(float)
    rates = np.round(np.exp(random.normal(np.log(1800), 0.7, PIECES)), 1)
    rates[random.random(PIECES) < 0.05] = 0
    rates[0] = max(rates[0], 400)
    start = float(ends[1] + 10) if number % 4 == 1 else 0.0
    trace = Trace("golden", ends, rates, start)
    varies = number % 3 == 2
    rtt = random.choice([8.0, 40.0, 120.0, 600.0], PIECES) if varies else None
    if number % 9 < 4:
        return TracePath(trace, rtt)
    share = lambda: random.choice([0, 0.002, 0.02, 0.1], PIECES) if varies else np.full(PIECES, random.choice([0.004, 0.03]))  # noqa: E731
    again = np.full(PIECES, 0.4) if number % 9 == 7 else None
    return TracePath(trace, rtt, share(), share(), again)


def _draw_player(random: np.random.Generator, scene: np.void, number: int, video: Video) -> None:
    target_s = (16, 60, 20)[number // 3 % 3]
    scene["target_ms"] = 1000 * target_s
    scene["target_at_top_ms"] = 1000 * target_s * random.choice([1, 1.5])
    scene["caches_init"], scene["start_rung"] = random.integers(2), random.integers(3)
    for name, value in (("manifest_bytes", 4321), ("index_bytes", 20_000), ("init_bytes", 790)):
        scene[name] = value if random.random() < 0.5 else NONE
    if random.random() < 0.6:
        segment_ms = float(random.choice([video.segment_ms, 2000]))
        scene["audio_segment_ms"], scene["audio_bytes"] = segment_ms, 12 * segment_ms
        scene["audio_segments"] = int(video.segments * video.segment_ms // segment_ms)
        scene["audio_init_bytes"] = random.choice([NONE, 651])
    if number % 5 == 4:
        scene["live_delay_ms"] = random.choice([2.5, 4]) * video.segment_ms
    if number % 4 < 2:
        scene["timeout_ms"] = (6000, 3000, NONE)[number // 4 % 3]
    if number % 8 == 5:
        scene["play_ms"] = 0.55 * video.segments * video.segment_ms


def _draw_sender(random: np.random.Generator, scene: np.void, number: int) -> None:
    scene["protocol"] = (H1, H2, H3)[number % 3]
    scene["early_data"] = random.random() < 0.2
    if scene["protocol"] == H2 and number % 4 == 0:
        scene["connections"] = 2
    scene["has_sender"] = number % 9 > 0
    scene["initial_packets"] = random.choice([10, 32])
    scene["queue_packets"] = random.choice([8, 60, 400])
    scene["has_losses"] = number % 9 >= 3
    scene["loss_seed"] = random.integers(2**32)
    scene["is_instrumented"] = number % 2
    scene["is_cubic"] = number % 4 == 3
    scene["emulated_connections"] = 2 * (number % 8 == 3)
    scene["paces_tcp"], scene["has_16k_records"] = random.integers(2), random.integers(2)


def _played(random: np.random.Generator, scenes: np.ndarray, number: int, world: PlayerWorld) -> dict:
    count = len(world.videos[0].bitrates_kbps)
    played = PlayerSessions(world, scenes, count)
    now = lambda name: float(played.totals()[name][0])  # noqa: E731
    rungs, decisions, requests, seen, seeks = [], [], [], [], []
    while not played.status()[0][0]:
        if number % 7 == 6 and len(rungs) == SEEK_AT:
            before = now("playhead_ms")
            played.seek(np.array([0.5]))
            if now("playhead_ms") != before:
                seeks.append({"atMs": now("now_ms"), "toMs": now("playhead_ms")})
        decisions.append([now("now_ms"), now("buffer_ms")])
        if number < 9 and len(rungs) in SEEN:
            context, rows = played.observe()
            shown = lambda numbers: [float(f"{each:.7g}") for each in numbers]  # noqa: E731
            seen.append({"at": len(rungs), "context": shown(context[0]), "rungs": [shown(row) for row in rows[0]]})
        rungs.append(int(random.integers(count)))
        before = now("segments")
        played.step(np.array(rungs[-1:]))
        if now("segments") > before:
            requests.append([*played.requests()[0].tolist(), int(now("is_new"))])
    if now("failed"):
        raise ValueError(f"Session {number} came to a stand.")
    kept = ("first_wait_ms", "waits_ms", "stalls", "last_arrival_ms", "audio_downloads", "audio_last_ms")
    totals = {name: now(name) for name in kept}
    return {"rungs": rungs, "seeks": seeks, "decisions": decisions, "requests": requests, "seen": seen, "totals": totals}


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else SESSIONS)
