"""Writes sequential_sign_flip.json beside it, by ways that share nothing with sequentialSignFlip.ts: SciPy's permutation test for
single looks, a list of all patterns for several, and of a Brownian motion, to which sums of many values come near, Lan and DeMets'
boundaries by the multivariate normal distribution.

    pip install scipy==1.17.1 numpy && python3 sequential_sign_flip.py > sequential_sign_flip.json
"""
import itertools
import json
import math

import numpy as np
import scipy
from scipy import optimize, stats

rng = np.random.default_rng(20261126)


def spent(alpha, share):
    return alpha * math.log(1 + (math.e - 1) * share)


def single(values):
    found = stats.permutation_test(
        (np.array(values),), np.sum, permutation_type="samples", alternative="greater", n_resamples=np.inf
    )
    return float(found.pvalue)


def several(values, counts, alpha):
    """p of each look, and whether it or an earlier one rejects, from the list of all patterns."""
    n = counts[-1]
    patterns = np.array(list(itertools.product([1, -1], repeat=n)))
    rejected = np.zeros(len(patterns), bool)
    rows = []
    for count in counts:
        sums = np.round(patterns[:, :count] @ np.array(values[:count]), 9)
        mine = sums[0]
        p = float(np.mean(rejected | (sums >= mine)))
        best = None
        for bound in sorted(set(sums[~rejected])):
            if np.mean(rejected | (sums >= bound)) <= spent(alpha, count / n) + 1e-12:
                best = bound
                break
        if best is not None:
            rejected |= sums >= best
        rows.append({"p": p, "isShown": bool(rejected[0])})
    return rows


def boundaries(shares, alpha):
    """One-sided boundaries of z at each look of a Brownian motion (Lan and DeMets 1983)."""
    found = []
    for k in range(len(shares)):
        t = np.array(shares[: k + 1])
        corr = np.sqrt(np.minimum.outer(t, t) / np.maximum.outer(t, t))

        def crossed(z):
            inside = stats.multivariate_normal.cdf(
                np.array([*found, z]), np.zeros(k + 1), corr, abseps=1e-7, releps=1e-7, maxpts=2_000_000
            )
            return 1 - inside - spent(alpha, shares[k])

        found.append(float(optimize.brentq(crossed, 0, 6, xtol=1e-5)))
    return found


def last_p(shares, alpha, z):
    """The chance that a look before the last rejects, or that the last has at least this z."""
    before = boundaries(shares[:-1], alpha)
    t = np.array(shares)
    corr = np.sqrt(np.minimum.outer(t, t) / np.maximum.outer(t, t))
    inside = stats.multivariate_normal.cdf(np.array([*before, z]), np.zeros(len(t)), corr, abseps=1e-7, maxpts=2_000_000)
    return float(1 - inside)


def rounded(values):
    return [round(float(v), 4) for v in values]


samples = {
    "ten, above 0": rounded(rng.normal(0.8, 1, 10)),
    "twelve, about 0": rounded(rng.normal(0, 1, 12)),
    "with ties and zeros": [0.5, 0.5, 0, 1, -0.5, 1, 1, 0, 0.5, 1, 1, 0.5],
    "all alike": [1.0] * 9,
    "all zero": [0.0] * 8,
    "one outlier": rounded([0.1, 0.2, 0.1, 0.3, 0.2, 0.1, -4, 0.2, 0.1, 0.2]),
}
counts = {name: sorted({max(1, round(len(v) * k / 4)) for k in (1, 2, 3, 4)}) for name, v in samples.items()}
print(
    json.dumps(
        {
            "scipy": scipy.__version__,
            "single": [
                {
                    "name": name,
                    "call": "stats.permutation_test((values,), np.sum, permutation_type='samples', alternative='greater')",
                    "values": v,
                    "p": single(v),
                }
                for name, v in samples.items()
            ],
            "several": [
                {"name": name, "values": v, "counts": counts[name], "alpha": alpha, "looks": several(v, counts[name], alpha)}
                for name, v in samples.items()
                for alpha in (0.05, 0.0125)
            ],
            "brownian": [
                {"shares": shares, "alpha": alpha, "p": {str(z): last_p(shares, alpha, z) for z in np.arange(0, 3.01, 0.25)}}
                for shares in ([0.2, 0.4, 0.6, 0.8, 1.0], [0.5, 1.0])
                for alpha in (0.05, 0.2)
            ],
        },
        indent=1,
    )
)
