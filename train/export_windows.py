"""Writes the validation windows as traces and the high ladder as a movie, for `pitwall sim`: `export_windows.py TRACES FOLDER`.

What baselines.json says was measured on them, with the rules that it names and `--qoe lin`, `log` and `hd`; the two sets of
high rates with `--video FOLDER/high.json`.
"""

import json
import sys
from pathlib import Path

import numpy as np

from traces import Trace
from validation import Validation, high


def main(root: Path, folder: Path) -> None:
    for name, world in Validation(root).worlds.items():
        into = folder / name.replace(" ", "-")
        into.mkdir(parents=True, exist_ok=True)
        for number, trace in enumerate(world.traces):
            (into / f"{number:03d}.txt").write_text(_cooked(trace))
    (folder / "high.json").write_text(json.dumps(_movie()) + "\n")


def _cooked(trace: Trace) -> str:
    """Lines of `seconds Mbit/s`: the first is where it starts, and a rate holds up to its time."""
    lines = [f"{trace.start_ms / 1000!r} 0.0"]
    lines += [f"{float(end) / 1000!r} {float(kbps) / 1000!r}" for end, kbps in zip(trace.end_ms, trace.rate_kbps, strict=True)]
    return "\n".join(lines) + "\n"


def _movie() -> dict:
    video = high()
    bits = np.rint(video.sizes_bytes[:, : video.segments].T * 8).astype(int)
    return {
        "segment_duration_ms": int(video.segment_ms),
        "bitrates_kbps": video.bitrates_kbps.astype(int).tolist(),
        "segment_sizes_bits": bits.tolist(),
    }


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
