"""Writes scipy.json beside it: golden values of the statistics, each with the call that made it.

    pip install scipy==1.17.1 && python3 scipy_golden.py > scipy.json
"""
import json

import numpy as np
import scipy
from scipy import stats

rng = np.random.default_rng(2026)


def wilcoxon_samples():
    yield "one pair", [1.5]
    yield "two pairs, one each way", [1.5, -2.5]
    yield "five pairs, all won", [1.0, 2.0, 3.0, 4.0, 5.0]
    yield "eight without ties", [1.2, -0.4, 2.2, 3.1, -1.1, 0.7, 2.9, 1.4]
    yield "twenty without ties", [round(x, 6) for x in rng.normal(0.5, 1, 20)]
    yield "fifty without ties", [round(x, 6) for x in rng.normal(0.3, 1, 50)]
    yield "sixty without ties", [round(x, 6) for x in rng.normal(0.3, 1, 60)]
    yield "ties", [1, 2, 2, -2, 3, 3, -1, 1, 4, -4]
    yield "zeros", [0, 0, 1.5, 2.5, -0.5, 3.5, 0, 4.5, 5.5]
    yield "ties and zeros", [1.2, -0.4, 0, 2.2, 3.1, 0, -1.1, 0.7, 2.9, 1.4, 1.2, -0.4, 5]
    yield "all the same", [2, 2, 2, 2, 2, 2]
    yield "stalls: mostly zeros", [0] * 30 + [1, 2, 2, -1, 3, 5, 1, 1, -2, 4]
    yield "small counts, many of them", [int(x) for x in rng.integers(-3, 5, 120)]
    yield "two alike, one each way", [1.0, -1.0]
    yield "a zero and two alike", [0.0, 2.0, 2.0]
    yield "one that is not zero among many", [0] * 11 + [3]
    yield "all zeros but two, opposite", [0, 0, 0, 0, 1, -2]
    yield "142 skewed", [round(x, 6) for x in rng.exponential(2, 142) - 1.2]


def wilcoxon():
    for name, d in wilcoxon_samples():
        tied = len(set(map(abs, d))) < len(d) or 0 in d
        for zero in ("wilcox", "pratt"):
            nonzero = sum(x != 0 for x in d)
            if not tied and len(d) <= 50:
                yield name, d, zero, "exact", None, stats.wilcoxon(d, zero_method=zero, method="exact"), 'method="exact"'
            elif len(d) <= 13 and (nonzero > 0 or zero == "pratt"):
                method = stats.PermutationMethod(n_resamples=np.inf)
                yield name, d, zero, "exact", None, stats.wilcoxon(d, zero_method=zero, method=method), "method=PermutationMethod(n_resamples=inf)"
            if nonzero >= 2:
                for correction in (True, False):
                    r = stats.wilcoxon(d, zero_method=zero, correction=correction, method="asymptotic")
                    yield name, d, zero, "normal", correction, r, f'correction={correction}, method="asymptotic"'


def mann_whitney():
    def n(m, size):
        return [round(x, 6) for x in rng.normal(m, 1, size)]

    samples = [
        ("one against one", [1.0], [2.0]),
        ("three against four, apart", [1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0]),
        ("seven against eight", n(0.8, 7), n(0, 8)),
        ("twenty against twenty-two", n(0.5, 20), n(0, 22)),
        ("five against six with ties", [1, 2, 2, 3, 5], [2, 3, 3, 4, 5, 6]),
        ("two against five, with a tie", [2.0, 6.0], [1.0, 2.0, 3.0, 4.0, 5.0]),
        ("stalls, mostly zeros", [0, 0, 0, 0, 2, 5], [0, 0, 0, 1, 0, 0]),
        ("all the same", [3, 3, 3], [3, 3, 3, 3]),
        ("zeros in one, none in the other", [0, 0, 0, 0, 0], [1, 2, 3, 4, 5, 6]),
        ("sixty against eighty", n(0.3, 60), n(0, 80)),
        ("counts", [int(x) for x in rng.integers(0, 6, 70)], [int(x) for x in rng.integers(1, 7, 64)]),
    ]
    for name, a, b in samples:
        tied = len(set(a + b)) < len(a + b)
        if not tied and len(a) + len(b) <= 50:
            yield name, a, b, "exact", None, stats.mannwhitneyu(a, b, method="exact"), 'method="exact"'
        elif len(a) + len(b) <= 12:
            method = stats.PermutationMethod(n_resamples=np.inf)
            yield name, a, b, "exact", None, stats.mannwhitneyu(a, b, method=method), "method=PermutationMethod(n_resamples=inf)"
        if len(set(a + b)) == 1:
            continue  # SciPy's normal approximation divides by a spread of 0
        for correction in (True, False):
            r = stats.mannwhitneyu(a, b, use_continuity=correction, method="asymptotic")
            yield name, a, b, "normal", correction, r, f'use_continuity={correction}, method="asymptotic"'


def bootstrap():
    """Resample b draws item (b * 7919 + i * 104729 + b * i * 31) mod n at place i: any fixed indices would do."""
    for name, d in [("skewed", [round(x, 6) for x in rng.exponential(2, 36) - 1.2]), ("few", [3.5, -1.0, 2.0, 0.5, 4.0, 1.5])]:
        d = np.array(d)
        n, many = len(d), 997
        index = np.array([[(b * 7919 + i * 104729 + b * i * 31) % n for i in range(n)] for b in range(many)])
        means = d[index].mean(axis=1)
        left = np.array([np.delete(d, i).mean() for i in range(n)])
        u = left.mean() - left
        a = (u**3).sum() / (6 * (u**2).sum() ** 1.5)
        below = ((means < d.mean()).sum() + (means <= d.mean()).sum()) / (2 * many)
        z0 = stats.norm.ppf(below)
        ends = [stats.norm.cdf(z0 + (z0 + z) / (1 - a * (z0 + z))) for z in stats.norm.ppf([0.025, 0.975])]
        yield {
            "name": name,
            "differences": d.tolist(),
            "resamples": many,
            "call": "norm.cdf, norm.ppf in Efron's (1987) formulas; numpy.quantile of the resampled means",
            "bca": np.quantile(means, ends).tolist(),
            "percentile": np.quantile(means, [0.025, 0.975]).tolist(),
        }


def library_bootstrap():
    """The library's own BCa interval of the mean, with ten seeds: ours, of another generator, must lie among them."""
    samples = [
        ("skewed", [round(x, 6) for x in rng.exponential(2, 36) - 1.2]),
        ("stalls: zeros and ties", [0] * 18 + [1, 1, 2, -1, 3, 3, -2, 5, 8, 1, 2, 2]),
        ("eight", [3.5, -1.0, 2.0, 0.5, 4.0, 1.5, -0.5, 2.0]),
    ]
    for name, d in samples:
        runs = [
            stats.bootstrap((d,), np.mean, n_resamples=10_000, method="BCa", rng=np.random.default_rng(seed)).confidence_interval
            for seed in range(10)
        ]
        ends = np.array([[r.low, r.high] for r in runs])
        yield {
            "name": name,
            "call": 'stats.bootstrap((d,), numpy.mean, n_resamples=10000, method="BCa"), seeds 0 to 9',
            "differences": d,
            "mean": ends.mean(axis=0).tolist(),
            "deviation": ends.std(axis=0, ddof=1).tolist(),
        }


def welch():
    samples = [
        ("twelve against twenty", [round(x, 6) for x in rng.normal(10, 1, 12)], [round(x, 6) for x in rng.normal(11, 3, 20)]),
        ("two against two", [1.0, 2.0], [2.0, 4.0]),
        ("zeros and ties", [0, 0, 0, 1, 1, 2], [0, 0, 3, 3, 5]),
        ("one that does not vary", [2.0, 2.0, 2.0, 2.0], [1.0, 2.5, 4.0]),
    ]
    for name, a, b in samples:
        r = stats.ttest_ind(a, b, equal_var=False)
        yield {"name": name, "call": "stats.ttest_ind(a, b, equal_var=False)", "a": a, "b": b, "t": r.statistic, "degrees": r.df, "p": r.pvalue}


Z = [-4, -1, 0, 0.3, 1.5, 1.959963984540054, 2.999, 3, 3.001, 5, 8, 20, 30]
SHARES = [1e-300, 1e-20, 1e-5, 0.025, 0.3, 0.5, 0.7, 0.975, 0.999999]
T = [(0, 5), (1e-6, 5), (0.1, 1), (1, 1), (2.5, 7.3), (12, 200.5), (40, 3), (0.5, 2.2), (1.2, 1e4), (3, 297.4), (8, 1e5), (-2, 12), (5, 0.5)]

golden = (
        {
            "scipy": scipy.__version__,
            "numpy": np.__version__,
            "normalTail": [{"call": f"stats.norm.sf({z})", "z": z, "is": stats.norm.sf(z)} for z in Z],
            "normalQuantile": [{"call": f"stats.norm.ppf({p})", "share": p, "is": stats.norm.ppf(p)} for p in SHARES],
            "studentTail": [{"call": f"stats.t.sf({t}, {df})", "t": t, "degrees": df, "is": stats.t.sf(t, df)} for t, df in T],
            "wilcoxon": [
                {"name": name, "call": f'stats.wilcoxon(d, zero_method="{zero}", {call})', "differences": d, "zeroMethod": zero, "method": method, "correction": correction, "statistic": float(r.statistic), "p": float(r.pvalue)}
                for name, d, zero, method, correction, r, call in wilcoxon()
            ],
            "mannWhitney": [
                {"name": name, "call": f"stats.mannwhitneyu(a, b, {call})", "a": a, "b": b, "method": method, "correction": correction, "u": float(r.statistic), "p": float(r.pvalue)}
                for name, a, b, method, correction, r, call in mann_whitney()
            ],
            "bootstrap": list(bootstrap()),
            "libraryBootstrap": list(library_bootstrap()),
            "welch": list(welch()),
        }
)
# Each fixture says by itself whose numbers it has.
for fixtures in golden.values():
    if isinstance(fixtures, list):
        for fixture in fixtures:
            fixture["scipy"] = scipy.__version__
print(json.dumps(golden))
