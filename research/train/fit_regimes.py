"""Fits hidden Markov models to the training traces of split.json, a model for each kind: `fit_regimes.py TRACES`.

Writes regimes.json. No trace of validation and no test trace is read.
"""

import json
import sys
from pathlib import Path

import numpy as np

from draw.scenes import split_traces
from links.made_worlds import FLOOR_KBPS, REGIMES
from links.traces import resampled

STATES, ROUNDS, STEP_MS = 5, 60, 1000.0
LONGEST = 600
"""Steps of a sequence; longer traces are cut, so that all kinds take a moment."""
NARROWEST = 0.02
"""Least deviation of a state, of ln rate: a state that holds equal samples alone would be infinitely likely."""


def main(root: Path) -> None:
    kinds = split_traces(root, "train")
    regimes = []
    for kind, traces in kinds.items():
        sequences, there = batch([np.log(np.maximum(resampled(trace), FLOOR_KBPS)) for trace in traces])
        means, deviations, moves, fit = fitted(sequences, there)
        order = np.argsort(means)
        rounded = lambda values: np.round(values, 5).tolist()  # noqa: E731
        regimes.append(
            {
                "kind": kind,
                "hours": round(float(there.sum()) / 3600, 2),
                "lnLikelihoodPerStep": round(fit, 4),
                "means": rounded(means[order]),
                "deviations": rounded(deviations[order]),
                "moves": rounded(moves[order][:, order]),
            }
        )
        print(f"{kind}: {there.sum() / 3600:.1f} h, {fit:.3f} per step, states at {np.exp(means[order]).round(2)} of the mean")
    what = "ln rate less its mean over the trace, in steps of a second; research/train/fit_regimes.py wrote this"
    REGIMES.write_text(json.dumps({"what": what, "stepMs": STEP_MS, "regimes": regimes}, indent=2) + "\n")


def batch(series: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """[sequence][step] with the mean of each trace taken off, and which of them are there."""
    parts = [each[at : at + LONGEST] - each.mean() for each in series for at in range(0, len(each), LONGEST)]
    parts = [part for part in parts if len(part) >= 20]
    values, there = np.zeros((len(parts), LONGEST)), np.zeros((len(parts), LONGEST), bool)
    for row, mark, part in zip(values, there, parts, strict=True):
        row[: len(part)], mark[: len(part)] = part, True
    return values, there


def fitted(values: np.ndarray, there: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """Baum and Welch: means, deviations, moves, and ln likelihood per step."""
    seen = values[there]
    means = np.quantile(seen, (np.arange(STATES) + 0.5) / STATES)
    deviations = np.full(STATES, max(seen.std() / STATES, 2 * NARROWEST))
    moves = np.full((STATES, STATES), 0.1 / (STATES - 1))
    np.fill_diagonal(moves, 0.9)
    begin, fit = np.full(STATES, 1 / STATES), -np.inf
    for _ in range(ROUNDS):
        shares, pairs, fit = expected(values, there, (means, deviations, moves, begin))
        weight = shares[there]
        sums = weight.sum(0) + 1e-9
        means = (weight * seen[:, None]).sum(0) / sums
        deviations = np.maximum(np.sqrt((weight * (seen[:, None] - means) ** 2).sum(0) / sums), NARROWEST)
        moves = (pairs + 1e-6) / (pairs + 1e-6).sum(1, keepdims=True)
        begin = shares[:, 0].mean(0)
    return means, deviations, moves, fit / there.sum()


def expected(values: np.ndarray, there: np.ndarray, model: tuple) -> tuple[np.ndarray, np.ndarray, float]:
    """Shares of states by sequence and step, moves between them summed, and ln likelihood; steps that are not there say nothing."""
    means, deviations, moves, begin = model
    z = (values[:, :, None] - means) / deviations
    likely = np.where(there[:, :, None], np.exp(-0.5 * z**2) / deviations / np.sqrt(2 * np.pi), 1.0) + 1e-300
    count, steps, states = likely.shape
    forward, scale = np.empty_like(likely), np.empty((count, steps))
    now = begin[None] * likely[:, 0]
    for at in range(steps):
        if at > 0:
            now = (forward[:, at - 1] @ moves) * likely[:, at]
        scale[:, at] = now.sum(1)
        forward[:, at] = now / scale[:, at, None]
    backward, pairs = np.ones((count, states)), np.zeros((states, states))
    shares = np.empty_like(likely)
    shares[:, -1] = forward[:, -1]
    for at in range(steps - 2, -1, -1):
        ahead = likely[:, at + 1] * backward / scale[:, at + 1, None]
        both = forward[:, at, :, None] * moves[None] * ahead[:, None, :]
        pairs += both[there[:, at + 1]].sum(0)
        backward = ahead @ moves.T
        shares[:, at] = forward[:, at] * backward
    return shares, pairs, float(np.log(scale)[there].sum())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
