"""Writes what the training's simulator and nets make of some sessions, for a test of the TypeScript: `make_golden.py FILE`."""

import json
import sys
from pathlib import Path

import numpy as np
import torch

from draw.qoe import mu
from draw.videos import made_up
from env.chunk_env import H1, H2, H3, UNKNOWN, Sessions, World
from evaluate.score import published_scenes
from links.made_traces import made_up_trace
from nets.net import Ensemble, Policy
from nets.weights_file import halved, weights_text

RUNGS = (6, 1, 10, 3)
QOES = ("lin", "log", "hd")
SEEN = (0, 3, 9, 17)
"""Decisions whose inputs and scores are written out; the QoE is that of the whole session."""
CARRIED = ((H1, 0, 0.4), (H2, 2, 0.4), (H3, 3, 3.0), (H2, 3, 3.0))
"""Of some more sessions, whose requests are written out: the protocol, which of `RUNGS`, and audio beside the video, in sizes of the
lowest rung. A part of the requests opens a connection."""


def main(file: Path) -> None:
    torch.manual_seed(7)
    random = np.random.default_rng(7)
    policy = Ensemble([halved(Policy(12, 8)) for _ in range(2)])
    sessions = [_session(random, policy, number) for number in range(12)]
    carried = [_session(random, policy, number, protocol, audio) for protocol, number, audio in CARRIED]
    text = json.dumps({"weights": json.loads(weights_text(policy, "golden")), "sessions": sessions, "carried": carried})
    file.write_text(text + "\n")


def _session(random: np.random.Generator, policy: Ensemble, number: int, protocol: int = UNKNOWN, audio: float = 0) -> dict:
    video = made_up(random, RUNGS[number % len(RUNGS)])
    video = type(video)(video.bitrates_kbps, video.sizes_bytes[:, :26], video.segment_ms, 24)
    trace = made_up_trace(random, number)
    scale = video.bitrates_kbps[-1] / 1000 * (0.3, 0.8, 4.0)[number % 3]
    rates = np.round(trace.rate_kbps[:150] * scale, 2)
    start = float(trace.end_ms[0]) if number % 2 else 0.0
    trace = type(trace)(trace.name, trace.end_ms[int(start > 0) :][:149], rates[int(start > 0) :][:149], start)
    qoe, world = QOES[number % len(QOES)], World([trace], [video])
    count = len(video.bitrates_kbps)
    scenes = published_scenes(world, qoe)
    if protocol:
        scenes.protocol[:], scenes.reconnects[:], scenes.seed[:] = protocol, 0.2, random.integers(1000)
        scenes.audio_bytes[:] = round(audio * video.sizes_bytes[0].mean())
    played = Sessions(world, scenes, count)
    rungs, total, steps, requests = [min(1, count - 1)], 0.0, [], [played.requests()[0].tolist()]
    for at in range(video.segments - 1):
        if at in SEEN:
            steps.append({"at": at, "bufferMs": 1000 * float(played.buffers_s()[0]), **_seen(policy, played)})
        rungs.append(int(random.integers(0, count)))
        total += float(played.step(np.array(rungs[-1:]))[0][0])
        requests.append(played.requests()[0].tolist())
    names = (None, "http/1.1", "h2", "h3")
    transport = {"protocol": names[protocol], "audioBytes": scenes.audio_bytes[0], "requests": requests}
    return {
        **(transport if protocol else {}),
        "ladderKbps": video.bitrates_kbps.tolist(),
        "segmentMs": video.segment_ms,
        "segments": video.segments,
        "sizesBytes": video.sizes_bytes.astype(int).tolist(),
        "endMs": trace.end_ms.tolist(),
        "rateKbps": trace.rate_kbps.tolist(),
        "startMs": trace.start_ms,
        "qoe": qoe,
        "rungs": rungs,
        "qoeSum": total * mu(qoe, video.bitrates_kbps),
        "steps": steps if number < 6 else [],
    }


def _seen(policy: Ensemble, played: Sessions) -> dict:
    context, rungs = played.observe()
    with torch.no_grad():
        scores = policy(*map(torch.from_numpy, (context, rungs, played.mask)))
    shown = lambda numbers: [float(f"{number:.7g}") for number in numbers]  # noqa: E731
    return {"context": shown(context[0]), "rungs": [shown(row) for row in rungs[0]], "scores": shown(scores[0].numpy())}


if __name__ == "__main__":
    main(Path(sys.argv[1]))
