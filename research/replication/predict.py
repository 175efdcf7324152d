#!/usr/bin/env python3
"""Predicts the QoE of committed tables of sessions as `pitwall predict` does, with NumPy and SciPy and no code of Pitwall.

    python3 research/replication/predict.py                 errors of each metric and model
    python3 research/replication/predict.py --json FILE     also writes them, as research/replication/golden/predicted.json has them

Each network is predicted by models of the other networks; traces of one household are one network.
"""
import csv
import json
import pathlib
import re
import sys

import numpy
from scipy.spatial import cKDTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULTS = ROOT / "campaigns" / "results"
SETS = [["2020-letter-households"], ["2024-racing-dvl-drawn", "2024-racing-limiter-drawn"]]
INPUTS = ["throughput, kbit/s", "response latency, ms"]
TARGETS = {
    "qoe-linear": "QoE linear, Mbit/s per segment",
    "mean-bitrate": "mean bitrate, kbit/s",
    "mean-quality-level": "mean level",
    "switches": "switches",
    "rebuffer-count": "stalls",
    "rebuffer-rate": "rebuffer rate, %",
    "join-time": "join time, ms",
}
NEIGHBOURS = 5


def network(row):
    unit = re.search(r"(?:^|-)trace-(\d+)-http-", row["network"])
    return unit[1] if unit else row["network"]


def mean(x, y, at):
    return numpy.full(len(at), y.mean())


def linear(x, y, at):
    slopes = numpy.linalg.lstsq(numpy.column_stack([numpy.ones(len(x)), x]), y, rcond=None)[0]
    return numpy.column_stack([numpy.ones(len(at)), at]) @ slopes


def nearest(x, y, at):
    scale = numpy.where(x.std(axis=0) > 0, x.std(axis=0), 1)
    _, places = cKDTree(x / scale).query(at / scale, k=NEIGHBOURS)
    return y[places].mean(axis=1)


def predictions(rows, target):
    rows = [row for row in rows if all(row[name] for name in [*INPUTS, target])]
    x = numpy.log([[float(row[name]) for name in INPUTS] for row in rows])
    y = numpy.array([float(row[target]) for row in rows])
    groups = numpy.array([network(row) for row in rows])
    names = sorted(set(groups))
    trivial = None
    for model in (mean, linear, nearest):
        errors = numpy.empty(len(y))
        for name in names:
            own = groups == name
            errors[own] = model(x[~own], y[~own], x[own]) - y[own]
        absolute = numpy.array([abs(errors[groups == name]).mean() for name in names])
        squared = numpy.array([(errors[groups == name] ** 2).mean() for name in names])
        if trivial is None:
            trivial = absolute, squared
        yield {
            "model": model.__name__,
            "sessions": len(y),
            "networks": len(names),
            "meanError": absolute.mean(),
            "rmsError": squared.mean() ** 0.5,
            "explainedShare": 1 - squared.mean() / trivial[1].mean(),
            "betterNetworks": int((absolute < trivial[0]).sum()),
        }


def sessions(name):
    with (RESULTS / f"{name}.csv").open(newline="") as text:
        return [row for row in csv.DictReader(text) if row["state"] == "finished" and row.get("A/A") != "A/A"]


def main():
    found = []
    for names in SETS:
        rows = [row for name in names for row in sessions(name)]
        errors = [{"target": target, **each} for target, name in TARGETS.items() for each in predictions(rows, name)]
        found.append({"campaigns": names, "errors": errors})
        print(*names)
        for each in errors:
            print(*(f"{value:.4g}" if isinstance(value, float) else value for value in each.values()), sep="  ")
    if "--json" in sys.argv:
        text = json.dumps({"sets": found}, indent=1, default=float) + "\n"
        pathlib.Path(sys.argv[sys.argv.index("--json") + 1]).write_text(text)


if __name__ == "__main__":
    main()
