"""Rate traces as the simulator reads them (src/network/traces): end of each piece in ms, kbit/s in it, start in ms."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

SPLIT = Path(__file__).with_name("split.json")


@dataclass(frozen=True)
class Trace:
    """Pieces of constant rate; the last is followed by the first again. Fields as in src/network/rateTrace.ts."""

    name: str
    end_ms: np.ndarray
    rate_kbps: np.ndarray
    start_ms: float

    @property
    def starts_ms(self) -> np.ndarray:
        return np.concatenate([[self.start_ms], self.end_ms[:-1]])


def read_trace(file: Path, name: str | None = None) -> Trace:
    """Reads a file of Sabre (JSON) or one cooked for Pensieve (`seconds Mbit/s`, a rate holds up to its time)."""
    text = file.read_text()
    name = name or file.name
    if text.lstrip().startswith("["):
        return _of_durations(json.loads(text), name)
    rows = [tuple(map(float, line.split())) for line in text.splitlines() if line.strip()]
    if len(rows) < 2 or any(len(row) != 2 for row in rows):
        raise ValueError(f"{file}: lines of two numbers are needed, two or more.")
    ends = np.array([1000.0 * seconds for seconds, _ in rows])
    rates = np.array([1000.0 * mbps for _, mbps in rows])
    start = float(ends[0])
    if start > np.diff(ends).max():  # a clock: see withOwnClock in src/network/traces/twoColumns.ts
        ends, start = ends - start, 0.0
    return Trace(name, ends[1:], rates[1:], start)


def _of_durations(samples: list[dict], name: str) -> Trace:
    ends = np.cumsum(np.array([sample["duration_ms"] for sample in samples], dtype=np.float64))
    rates = np.array([sample["bandwidth_kbps"] for sample in samples], dtype=np.float64)
    return Trace(name, ends, rates, 0.0)


def content_hash(file: Path) -> str:
    """SHA-256 of what the file says, so that line ends and layout make no difference."""
    trace = read_trace(file)
    pieces = np.stack([trace.end_ms, trace.rate_kbps], axis=1).astype("<f8")
    return hashlib.sha256(pieces.tobytes()).hexdigest()


def resampled(trace: Trace, step_ms: float = 1000.0) -> np.ndarray:
    """Mean kbit/s in each step from the start of the trace; a rest shorter than a step is left out."""
    at = np.concatenate([[trace.start_ms], trace.end_ms])
    bits = np.concatenate([[0.0], np.cumsum(trace.rate_kbps * np.diff(at))])
    edges = np.arange(at[0], at[-1] + 1e-9, step_ms)
    return np.diff(np.interp(edges, at, bits)) / step_ms
