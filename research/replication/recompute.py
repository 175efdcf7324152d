#!/usr/bin/env python3
"""Computes every committed verdict again, with SciPy and with code that shares nothing with Pitwall.

    python3 research/replication/recompute.py                 one line a verdict; exit code 1 where one does not agree
    python3 research/replication/recompute.py --json FILE     also writes the numbers, as research/replication/golden has them

It needs NumPy and SciPy. It reads campaigns/results/*.csv (metrics of every session) and *.json (what was declared, and
the verdicts). Numbers agree to six digits; ends of intervals, from other random numbers, within TOLERANCE of the width.
"""
import csv
import itertools
import json
import math
import pathlib
import sys

import numpy
from scipy import stats

ROOT = pathlib.Path(__file__).resolve().parents[2]
numpy.seterr(divide="ignore", invalid="ignore")
RESAMPLES, TOLERANCE = 1_000_000, 0.05
FACTORS = {"rules": "rule", "transports": "transport", "controllers": "controllers", "hosts": "hosts", "beside": "beside"}
NOT_READ = {"transfers", "steering", "split", "pages", "browsers", "aaLabels"}
AA = "/A/A"  # Ends the arm's name of a second session of that arm in one pair.


def declared(campaign, networks):
    """The comparisons of a campaign: first arm, second arm, network (None: all of them together)."""
    unknown = sorted(NOT_READ & campaign.keys())
    if unknown:
        sys.exit(f"{campaign['name']}: this script does not read campaigns that vary {', '.join(unknown)}.")
    factors = [field for field in FACTORS if field in campaign]
    compared = campaign[campaign["compare"]]
    place = factors.index(campaign["compare"])
    others = [campaign[field] for field in factors if field != campaign["compare"]]
    couples = [(compared[j], compared[i]) for j in range(len(compared)) for i in range(j)]
    if "control" in campaign:
        couples = [(one, campaign["control"]) for one in compared if one != campaign["control"]]
    for network in networks if campaign["per"] == "network" else [None]:
        for within in itertools.product(*others):
            for couple in couples:
                arms = [within[:place] + (value,) + within[place:] for value in couple]
                yield "/".join(arms[0]), "/".join(arms[1]), network


def paired(rows, first, second, network):
    """The values of both arms and the network of every pair that has both, in the order of the file."""
    others = {pair: value for arm, pair, value, where in rows if arm == second and network in (None, where)}
    return [(value, others[pair], where) for arm, pair, value, where in rows if arm == first and pair in others]


def difference(a, b):
    # Without what rounding leaves: nine digits.
    return 0.0 if abs(a - b) <= 1e-9 * max(abs(a), abs(b)) else float(f"{a - b:.9g}")


def signed_rank(differences):
    """Wilcoxon's exact two-sided p with Pratt's zeros, over every pattern of signs; positive less negative ranks."""
    ranks = stats.rankdata(numpy.abs(differences))
    positive, negative = ranks[differences > 0].sum(), ranks[differences < 0].sum()
    steps, patterns = [round(2 * rank) for rank in ranks[differences != 0]], {0: 1}
    for step in steps:
        for total, count in list(patterns.items()):
            patterns[total + step] = patterns.get(total + step, 0) + count
    far = sum(count for total, count in patterns.items() if total <= round(2 * min(positive, negative)))
    p = min(1.0, 2 * far / 2 ** len(steps))
    if len(set(ranks)) == len(ranks) and (differences != 0).all():
        assert math.isclose(p, stats.wilcoxon(differences, method="exact").pvalue, rel_tol=1e-12)
    return p, positive - negative


def holm(ps):
    order = numpy.argsort(ps, kind="stable")
    steps = numpy.maximum.accumulate(numpy.array(ps)[order] * numpy.arange(len(ps), 0, -1))
    return [float(p) for p in numpy.minimum(1, steps)[numpy.argsort(order)]]


class MeanTest:
    """Bootstrap-t of a mean (Efron and Tibshirani 1993, sections 12.5 and 16.4)."""

    def __init__(self, values, generator):
        values = numpy.asarray(values)
        self.mean, deviation, count = values.mean(), values.std(ddof=1), len(values)
        self.scale = deviation / math.sqrt(count)
        drawn = values[generator.integers(0, count, (RESAMPLES, count))]
        alike = (drawn == drawn[:, :1]).all(axis=1)
        means = numpy.where(alike, drawn[:, 0], drawn.mean(axis=1))
        spreads = numpy.where(alike, 0.0, drawn.std(axis=1, ddof=1))
        distances = means - self.mean
        t = distances * math.sqrt(count) / spreads
        self.t = numpy.sort(numpy.where(numpy.abs(distances) <= 1e-15 * abs(self.mean), 0.0, t))

    def interval(self):
        low, high = numpy.quantile(self.t, [0.025, 0.975])
        ends = [float(self.mean - self.scale * high), float(self.mean - self.scale * low)]
        return ends if all(map(math.isfinite, ends)) else None

    def outside(self, bound):  # One-sided p of a true mean at or above the bound, and at or below it.
        t = (self.mean - bound) / self.scale
        return [(numpy.sum(far) + 1) / (RESAMPLES + 1) for far in (self.t <= t, self.t >= t)]


def relevances(tests, margin, alpha):
    """Two families of one-sided tests after Holm's correction; test and interval have to agree."""
    bounds = [(*test.outside(margin), *test.outside(-margin)) if test else (1, 1, 1, 1) for test in tests]
    inside = holm([max(below_upper, above_lower) for below_upper, _, _, above_lower in bounds])
    beyond = holm([min(1, 2 * min(above_upper, below_lower)) for _, above_upper, below_lower, _ in bounds])
    for test, inside_p, beyond_p in zip(tests, inside, beyond):
        ends = test.interval() if test else None
        is_inside = ends and -margin < ends[0] and ends[1] < margin and inside_p < alpha
        is_beyond = ends and (ends[0] > margin or ends[1] < -margin) and beyond_p < alpha
        yield "inside" if is_inside else "beyond" if is_beyond else "undecided"


def direction(ends, balance, holm_p, alpha):
    is_shown = ends is not None and holm_p < alpha and (min(ends) > 0 < balance or max(ends) < 0 > balance)
    return ("higher" if balance > 0 else "lower") if is_shown else "cannot-tell"


def claimed(relevance, shown, mean, log_mean):
    """A difference is beyond the margin only on the side of its direction, in the unit and in %."""
    sign = {"higher": 1, "lower": -1, "cannot-tell": 0}[shown]
    return "undecided" if relevance == "beyond" and not (mean * sign > 0 and log_mean * sign > 0) else relevance


def recompute(results, cells):
    """The verdicts of a campaign, in the order in which it declares its comparisons."""
    campaign, primary = results["campaign"], results["primary"]
    column = f"{primary['label']}, {primary['unit']}" if primary["unit"] else primary["label"]
    comparisons = list(declared(campaign, dict.fromkeys(row["network"] for row in cells if row["network"])))
    generator = numpy.random.default_rng(20261124)
    rows = [("/".join(row[name] for name in FACTORS.values() if row.get(name)) + (AA if row.get("A/A") else ""),
             row["pair"], float(row[column]), row["network"])
            for row in cells if row["state"] == "finished" and row[column]]  # fmt: skip
    pairs = [paired(rows, *comparison) for comparison in comparisons]
    all_differences = [numpy.array([difference(a, b) for a, b, _ in each]) for each in pairs]
    tests = [MeanTest(each, generator) for each in all_differences]
    logs = [MeanTest([math.log(a / b) for a, b, _ in each], generator)
            if min(min(a, b) for a, b, _ in each) > 0 else None for each in pairs]  # fmt: skip
    ranked = [signed_rank(each) for each in all_differences]
    holm_ps, alpha = holm([p for p, _ in ranked]), campaign["alpha"]
    percents = {2, 5, 10, campaign.get("marginPercent", 5)}
    at = {each: list(relevances(logs, math.log1p(each / 100), alpha)) for each in percents}
    own = campaign.get("margin")
    sides = at[campaign["marginPercent"]] if own is None else list(relevances(tests, own, alpha))
    for place, (first, second, network) in enumerate(comparisons):
        differences, (p, balance), log = all_differences[place], ranked[place], logs[place]
        shown = direction(tests[place].interval(), balance, holm_ps[place], alpha)
        rest = (differences.sum() - differences) / (len(differences) - 1)
        yield {
            "first": first, "second": second, "network": network, "pairs": len(differences),
            "difference": differences.mean(), "p": p, "holmP": holm_ps[place], "direction": shown,
            "leaveOneOut": [rest.min(), rest.max()], "interval": tests[place].interval(),
            "ratio": log and 100 * math.expm1(log.mean),
            "ratioInterval": log and (ends := log.interval()) and [100 * math.expm1(end) for end in ends],
            "relevance": claimed(sides[place], shown, tests[place].mean, log.mean if log else tests[place].mean),
            "sensitivity": log and {
                str(each): claimed(at[each][place], shown, tests[place].mean, log.mean) for each in (2, 5, 10)},
        }  # fmt: skip


def disagreements(ours, line):
    comparison, judgement, ratio = line["comparison"], line["judgement"] or {}, line["ratio"] or {}
    theirs = {
        "first": comparison["firstArm"], "second": comparison["secondArm"], "network": comparison["network"],
        "pairs": line["pairs"]["compared"], "ratio": ratio.get("value"), "ratioInterval": ratio.get("interval"),
        **{name: line[name] for name in ("difference", "p", "holmP", "leaveOneOut", "interval", "sensitivity")},
        **{name: judgement.get(name) for name in ("direction", "relevance")},
    }  # fmt: skip
    return [f"{name} {ours[name]} against {theirs[name]}" for name in ours if not agree(name, ours[name], theirs[name])]


def agree(name, one, other):
    if isinstance(one, list) and isinstance(other, list):
        width = abs(other[1] - other[0]) if name in ("interval", "ratioInterval") else 0
        return all(abs(a - b) <= TOLERANCE * width or agree("", a, b) for a, b in zip(one, other))
    is_number = isinstance(one, float) and isinstance(other, (int, float))
    return math.isclose(one, other, rel_tol=1e-6, abs_tol=1e-9) if is_number else one == other


def main():
    found, agreeing = [], 0
    for file in sorted((ROOT / "campaigns" / "results").glob("*.json")):
        results = json.loads(file.read_text())
        with file.with_suffix(".csv").open(newline="") as text:
            verdicts = list(recompute(results, list(csv.DictReader(text))))
        for ours, line in zip(verdicts, results["verdicts"], strict=True):
            agreeing += not (wrong := disagreements(ours, line))
            found.append({"campaign": file.stem, **ours})
            print(f"{file.stem}: {ours['first']} - {ours['second']}, {ours['network'] or 'all networks'}: "
                  f"{ours['direction']}, {ours['relevance']}: {'; '.join(wrong) or 'agrees'}")  # fmt: skip
    if "--json" in sys.argv:
        text = json.dumps({"resamples": RESAMPLES, "verdicts": found}, indent=1, default=float) + "\n"
        pathlib.Path(sys.argv[sys.argv.index("--json") + 1]).write_text(text)
    sys.exit(print(f"{agreeing} of {len(found)} agree") or agreeing != len(found))


if __name__ == "__main__":
    main()
