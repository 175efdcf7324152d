"""Writes mean_intervals.json beside it: golden values of the intervals of a mean, each with the call that made it.

    pip install scipy==1.17.1 && python3 mean_intervals.py > mean_intervals.json
"""
import json

import numpy as np
import scipy
from scipy import stats

rng = np.random.default_rng(2026)
CONFIDENCE = 0.95

SAMPLES = [
    ("normal, 10", [round(x, 6) for x in rng.normal(0.5, 1, 10)]),
    ("exponential, 6", [round(x, 6) for x in rng.exponential(1, 6)]),
    ("exponential, 10", [round(x, 6) for x in rng.exponential(1, 10)]),
    ("lognormal, 12", [round(x, 6) for x in rng.lognormal(0, 1, 12)]),
    ("left-skewed, 20", [round(-x, 6) for x in rng.exponential(2, 20)]),
    ("kbit/s, 10", [float(round(x, 1)) for x in rng.normal(48, 20, 10)]),
]


def hall(d):
    """Hall (1992), the inverse of his third transformation, with numpy's own moments."""
    d = np.array(d)
    n = len(d)
    s = d.std(ddof=1)
    a = ((d - d.mean()) ** 3).mean() / s**3 / np.sqrt(n)
    t = stats.t.ppf([(1 + CONFIDENCE) / 2, (1 - CONFIDENCE) / 2], n - 1)
    return (d.mean() - s / np.sqrt(n) * 3 / a * (np.cbrt(1 + a * (t - a / 6)) - 1)).tolist()


def bootstrap_t(d, seed):
    d = np.array(d)
    n = len(d)
    drawn = np.random.default_rng(seed).choice(d, (10_000, n))
    t = (drawn.mean(axis=1) - d.mean()) / (drawn.std(axis=1, ddof=1) / np.sqrt(n))
    ends = np.quantile(t, [(1 + CONFIDENCE) / 2, (1 - CONFIDENCE) / 2])
    return d.mean() - d.std(ddof=1) / np.sqrt(n) * ends


def flips(d):
    """Means with the p of a test by sign flips against them, to either side: inside of an interval both are above 0.025."""
    d = np.array(d)
    spread = np.ptp(d)
    for mu in np.linspace(d.min() - 0.1 * spread, d.max() + 0.1 * spread, 41):
        mu = round(float(mu), 5)
        p = [
            stats.permutation_test(
                (d - mu,), np.mean, permutation_type="samples", n_resamples=np.inf, alternative=side
            ).pvalue
            for side in ("greater", "less")
        ]
        yield {"mean": mu, "pGreater": float(p[0]), "pLess": float(p[1])}


def fixture(name, d):
    runs = np.array([bootstrap_t(d, seed) for seed in range(10)])
    return {
        "name": name,
        "scipy": scipy.__version__,
        "differences": d,
        "student": list(stats.ttest_1samp(d, 0).confidence_interval(CONFIDENCE)),
        "skewed": hall(d),
        "bootstrapT": {"mean": runs.mean(axis=0).tolist(), "deviation": runs.std(axis=0, ddof=1).tolist()},
        # All patterns of signs are few enough up to 12.
        "flips": list(flips(d)) if len(d) <= 12 else [],
        "call": "stats.ttest_1samp(d, 0).confidence_interval(0.95); Hall's g3 with stats.t.ppf; bootstrap-t with 10,000 draws of numpy, seeds 0 to 9; stats.permutation_test((d - mean,), numpy.mean, permutation_type='samples', n_resamples=inf)",
    }


QUANTILES = [(0.5, 3), (0.975, 1), (0.975, 9), (0.975, 9.5), (0.9995, 4), (0.025, 19), (0.75, 1e6), (0.6, 2)]
print(
    json.dumps(
        {
            "studentQuantile": [
                {"call": f"stats.t.ppf({share}, {df})", "share": share, "degrees": df, "is": float(stats.t.ppf(share, df))}
                for share, df in QUANTILES
            ],
            "intervals": [fixture(name, d) for name, d in SAMPLES],
        }
    )
)
