"""Proves that nothing of a test set is in split.json, or says what is; exits with 1 then. `check_split.py TRACES`"""

import json
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from draw.scenes import cut
from links.overlap import AlikeStretches, SharedRuns
from links.traces import SPLIT, Trace, content_hash, read_trace, resampled
from make_split import RESAMPLED, TESTED, files_in, path_of


class LeakCheck:
    """Knows the test sets; tells what a trace has of them."""

    def __init__(self, root: Path):
        files = files_in(root, TESTED)
        tested = [read_trace(file) for file in files]
        self.files, self.tested = files, tested
        self._names = {file.name for file in files}
        self._hashes = {content_hash(file) for file in files}
        self._paths = {path_of(file) for file in files} - {None}
        self._runs, self._stretches = SharedRuns(tested), AlikeStretches(tested)

    def faults_of(self, file: Path, parts: list[Trace], kind: str) -> list[str]:
        faults = []
        if kind != "sd" and file.name in self._names:
            faults.append("has the name of a test trace")
        if content_hash(file) in self._hashes:
            faults.append("says the same as a test trace")
        if path_of(file) in self._paths:
            faults.append("is from the path of a test trace")
        if any(self._runs.any_in(part) for part in parts):
            faults.append("shares samples with a test trace")
        if kind in RESAMPLED and any(self._stretches.seconds_of(resampled(part)).any() for part in parts):
            faults.append("has a stretch of a test trace's trip")
        return faults


def planted(root: Path, check: LeakCheck) -> list[str]:
    """The check itself: test traces put among the training must be found, each way of finding by itself."""
    mobile = next(file for file in check.files if "cooked_test_traces" in str(file))
    trace = read_trace(mobile)
    slowed = Trace("slowed", trace.end_ms, trace.rate_kbps * 0.96 + 7, trace.start_ms)
    later = Trace("later", trace.end_ms[40:], trace.rate_kbps[40:], float(trace.end_ms[39]))
    missed = []
    if "says the same as a test trace" not in check.faults_of(mobile, [trace], "3g"):
        missed.append("a test trace under its own name")
    if "shares samples with a test trace" not in check.faults_of(mobile, [later], "3g"):
        missed.append("the later part of a test trace")
    if not check._stretches.seconds_of(resampled(slowed)).any():
        missed.append("a test trace 4 % slower")
    return missed + _misnamed(root, check, mobile)


def _misnamed(root: Path, check: LeakCheck, mobile: Path) -> list[str]:
    """A training trace under the name of a test trace, and one that claims the path of one."""
    innocent = next(entry for entry in json.loads(SPLIT.read_text())["traces"] if entry["kind"] == "3g")
    measured = next(file for file in check.files if path_of(file) is not None)
    named = {mobile.name: "has the name of a test trace", f"later-{measured.name}": "is from the path of a test trace"}
    with TemporaryDirectory() as folder:
        missed = []
        for name, fault in named.items():
            file = Path(shutil.copy(root / innocent["file"], Path(folder) / name))
            if fault not in check.faults_of(file, [read_trace(file)], "3g"):
                missed.append(f"a trace that {fault}")
    return missed


def main(root: Path) -> int:
    check, faults = LeakCheck(root), []
    faults += [f"The check does not find {what}." for what in planted(root, check)]
    traces, seconds = json.loads(SPLIT.read_text())["traces"], 0.0
    uses: dict[str, str] = {}
    for entry in traces:
        file = root / entry["file"]
        if uses.setdefault(entry["hash"], entry["use"]) != entry["use"]:
            faults.append(f"{entry['file']} is for training and for validation.")
        if content_hash(file) != entry["hash"]:
            faults.append(f"{entry['file']} is not what it was when the split was made.")
        parts = [cut(read_trace(file), *span) for span in entry["spans_s"]]
        seconds += float(np.sum([b - a for a, b in entry["spans_s"]]))
        faults += [f"{entry['file']} {fault}." for fault in check.faults_of(file, parts, entry["kind"])]
    print("\n".join(faults) if faults else f"No test trace in {len(traces)} traces, {seconds / 3600:.1f} h.")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
