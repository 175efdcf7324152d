"""Writes the validation windows as traces, and movies, for `pitwall sim`: `export_windows.py TRACES FOLDER`.

What baselines.json says was measured on them, with the rules that it names and `--qoe lin`, `log` and `hd`; the sets of
high rates with `--video FOLDER/high.json`. The other movies are such as no net was trained on (research/neural.md, "The guard").
"""

import json
import sys
from pathlib import Path

import numpy as np

from draw.videos import ENVIVIO_KBPS
from env.chunk_env import Video
from evaluate.validation import Validation, high, waving
from links.traces import Trace

PLAYED_MS = 192000
UNTRAINED = {
    "twenty-rungs": (np.geomspace(150, 6600, 20).round(), 4000.0),
    "long-segments": (ENVIVIO_KBPS, 20000.0),
    "short-segments": (ENVIVIO_KBPS, 500.0),
    "three-rungs": (np.array([100.0, 2000.0, 40000.0]), 4000.0),
}


def main(root: Path, folder: Path) -> None:
    worlds = Validation(root).worlds
    for name, world in worlds.items():
        into = folder / name.replace(" ", "-")
        into.mkdir(parents=True, exist_ok=True)
        for number, trace in enumerate(world.traces):
            (into / f"{number:03d}.txt").write_text(cooked(trace))
    movies = {name: waving(kbps, each_ms, round(PLAYED_MS / each_ms)) for name, (kbps, each_ms) in UNTRAINED.items()}
    for name, video in {"high": high(), "steady": worlds["steady"].videos[0], **movies}.items():
        (folder / f"{name}.json").write_text(json.dumps(movie(video)) + "\n")


def cooked(trace: Trace) -> str:
    """Lines of `seconds Mbit/s`: the first is where it starts, and a rate holds up to its time."""
    lines = [f"{trace.start_ms / 1000!r} 0.0"]
    lines += [f"{float(end) / 1000!r} {float(kbps) / 1000!r}" for end, kbps in zip(trace.end_ms, trace.rate_kbps, strict=True)]
    return "\n".join(lines) + "\n"


def movie(video: Video) -> dict:
    bits = np.rint(video.sizes_bytes[:, : video.segments].T * 8).astype(int)
    return {
        "segment_duration_ms": int(video.segment_ms),
        "bitrates_kbps": video.bitrates_kbps.astype(int).tolist(),
        "segment_sizes_bits": bits.tolist(),
    }


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
