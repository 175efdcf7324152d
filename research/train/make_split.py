"""Writes split.json: which traces, and which parts of them, a net may be trained and chosen on. `make_split.py TRACES`"""

import hashlib
import json
import re
import sys
from pathlib import Path

import numpy as np

from links.overlap import AlikeStretches, SharedRuns
from links.traces import SPLIT, content_hash, read_trace, resampled

TESTED = ("comyco/cooked_test_traces", "netllm/traces/test", "sabre/4Glogs", "sabre/hd_fs")
OFFERED = {
    "3g": ("sabre/3Glogs",),
    "fcc": ("netllm/traces/train", "netllm/traces/valid", "comyco/cooked_traces"),
    "sd": ("sabre/sd_fs",),
}
RESAMPLED = ("3g",)
"""Of these the tests have the same trips in other samples. The others come in the very samples of the tests, 5 s each,
where an overlap is an equal run, and stretches of a dozen such steps are alike by chance."""
MARGIN_S = 60
"""Left out on either side of an alike stretch."""
SHORTEST_S = 100
VALIDATION = {"3g": 4, "fcc": 7, "sd": 5}
"""Every so many-th trace, by the hash of its name or, of FCC, of its path, is for validation: a sixth to a third of the hours."""


def files_in(root: Path, folders: tuple[str, ...]) -> list[Path]:
    return sorted(file for folder in folders for file in (root / folder).rglob("*") if file.is_file())


def path_of(file: Path) -> str | None:
    """The household and site of an FCC trace, which cuts of one long measurement share; null for other names."""
    found = re.search(r"trace_(\d+_http---[a-z.\-]+)", file.name)
    return found.group(1) if found else None


def spans_of(free: np.ndarray) -> list[list[int]]:
    """The runs of True that are long enough, as [from, to) in seconds."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], free, [False]]).astype(int)))
    return [[int(a), int(b)] for a, b in edges.reshape(-1, 2) if b - a >= SHORTEST_S]


def widened(alike: np.ndarray) -> np.ndarray:
    return np.convolve(alike, np.ones(2 * MARGIN_S + 1), "same") > 0.5


def main(root: Path) -> None:
    tested_files = files_in(root, TESTED)
    tested = [read_trace(file) for file in tested_files]
    tested_hashes = {content_hash(file) for file in tested_files}
    tested_paths = {path_of(file) for file in tested_files} - {None}
    runs, stretches = SharedRuns(tested), AlikeStretches(tested)
    taken, seen, left_out = [], set(), {}
    for kind, folders in OFFERED.items():
        for file in files_in(root, folders):
            name, trace, digest = str(file.relative_to(root)), read_trace(file), content_hash(file)
            series = resampled(trace)
            if kind == "fcc" and path_of(file) is None:
                why = "a Norway log, which 3Glogs has"
            elif digest in seen:
                why = "the same as one before"
            elif digest in tested_hashes:
                why = "the same as a test trace"
            elif path_of(file) in tested_paths:
                why = "the path of a test trace"
            elif runs.any_in(trace):
                why = "shares samples with a test trace"
            else:
                alike = stretches.seconds_of(series) if kind in RESAMPLED else np.zeros(len(series), bool)
                spans = spans_of(~widened(alike))
                why = None if spans else "too little is left beside alike stretches"
            if why:
                left_out[f"{kind}: {why}"] = left_out.get(f"{kind}: {why}", 0) + 1
                continue
            seen.add(digest)
            # Cuts of one measurement overlap, so they are all for the same.
            draw = int(hashlib.sha256((path_of(file) or file.name).encode()).hexdigest(), 16)
            use = "validation" if draw % VALIDATION[kind] == 0 else "train"
            taken.append({"file": name, "kind": kind, "use": use, "hash": digest, "spans_s": spans})
    split = {"format": "pitwall-split/1", "tested": list(TESTED), "leftOut": left_out, "traces": taken}
    text = json.dumps(split, indent=1)
    text = re.sub(r"\[\s+(\d+),\s+(\d+)\s+\]", r"[\1, \2]", text)
    SPLIT.write_text(text + "\n")
    for kind in OFFERED:
        for use in ("train", "validation"):
            some = [each for each in taken if (each["kind"], each["use"]) == (kind, use)]
            hours = sum(b - a for each in some for a, b in each["spans_s"]) / 3600
            print(f"{kind} {use}: {len(some)} traces, {hours:.1f} h")
    print(left_out)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
