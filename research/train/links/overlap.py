"""Where two sets of traces hold the same piece of the world: equal files, equal runs of samples, alike stretches of time."""

import numpy as np

from links.traces import Trace, resampled

RUN = 6
"""Samples in a run. Six rates in a row that agree to 2 kbit/s and a thousandth are no chance, unless they are all alike."""
STRETCHES = ((60, 0.95), (120, 0.90))
"""Seconds of a stretch, and the correlation above which two of about one level count as the same trip. On HSDPA logs
played backwards, where nothing can be the same, 4 % and 5 % of the test's stretches reach this; forwards 15 % and 20 %."""
LEVEL = 0.15
"""Two stretches are of one level when the logarithms of their mean rates differ by no more."""


def _runs(trace: Trace) -> np.ndarray:
    if len(trace.rate_kbps) < RUN:
        return np.empty((0, RUN))
    runs = np.lib.stride_tricks.sliding_window_view(trace.rate_kbps, RUN)
    return runs[(runs.std(1) > 0.03 * runs.mean(1)) & (runs.min(1) > 20)]


class SharedRuns:
    """Looks up runs of six samples that some tested trace has too."""

    def __init__(self, tested: list[Trace]):
        runs = np.concatenate([_runs(trace) for trace in tested])
        self._runs = runs[np.argsort(runs[:, 0])]

    def any_in(self, trace: Trace) -> bool:
        for run in _runs(trace):
            room = 2 + 0.001 * run[0]
            low, high = np.searchsorted(self._runs[:, 0], [run[0] - room, run[0] + room])
            if high > low and (np.abs(self._runs[low:high] - run).max(1) < room).any():
                return True
        return False


def _stretches(series: np.ndarray, seconds: int, every: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Standardised stretches, the logarithm of their means, and where they begin; those without ups and downs left out."""
    if len(series) < seconds:
        return np.empty((0, seconds), np.float32), np.empty(0), np.empty(0, int)
    windows = np.lib.stride_tricks.sliding_window_view(series, seconds)[::every]
    mean, spread = windows.mean(1), windows.std(1)
    moving = (spread > 0.1 * mean) & (mean > 1)
    scaled = (windows[moving] - mean[moving, None]) / (spread[moving, None] * np.sqrt(seconds))
    return scaled.astype(np.float32), np.log(mean[moving]), np.flatnonzero(moving) * every


class AlikeStretches:
    """Looks up the seconds of a trace that lie in a stretch that correlates with one of a tested trace."""

    def __init__(self, tested: list[Trace]):
        series = [resampled(trace) for trace in tested]
        self._tested = []
        for seconds, least in STRETCHES:
            parts = [_stretches(each, seconds, 5) for each in series]
            windows = np.concatenate([windows for windows, _, _ in parts])
            levels = np.concatenate([levels for _, levels, _ in parts])
            self._tested.append((seconds, least, windows, levels))

    def seconds_of(self, series: np.ndarray) -> np.ndarray:
        """Of a trace by seconds (`resampled`): which seconds are in an alike stretch."""
        alike = np.zeros(len(series), bool)
        for seconds, least, windows, levels in self._tested:
            own, own_levels, begins = _stretches(series, seconds, 1)
            for at in range(0, len(own), 2000):
                likeness = own[at : at + 2000] @ windows.T
                level = np.abs(own_levels[at : at + 2000, None] - levels[None]) <= LEVEL
                for begin in begins[at : at + 2000][((likeness >= least) & level).any(1)]:
                    alike[begin : begin + seconds] = True
        return alike
