"""Writes mixed_model.json beside it: mixed models with a random intercept by group, by REML, each with its groups.

    pip install numpy scipy==1.17.1 pandas statsmodels==0.15.0 && python3 mixed_model.py > mixed_model.json
"""
import json
import sys

import numpy as np
import scipy
import statsmodels
import statsmodels.api as sm


def groups_of(seed, sizes, between, within, mean):
    random = np.random.default_rng(seed)
    return [
        [round(float(value), 3) for value in mean + between * random.normal() + within * random.normal(size=size)]
        for size in sizes
    ]


CASES = [
    ("networks differ, 20 of 5 pairs", groups_of(1, [5] * 20, 40, 30, 12)),
    ("networks differ little, 20 of 5 pairs", groups_of(2, [5] * 20, 15, 30, -8)),
    ("few networks, 12 of 3 pairs", groups_of(3, [3] * 12, 60, 20, 25)),
    ("pairs are missing, 20 of 2 to 6 pairs", groups_of(4, [2, 3, 4, 5, 6] * 4, 40, 30, 12)),
]


def fitted(name, groups):
    values = np.concatenate(groups)
    labels = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    result = sm.MixedLM(values, np.ones((len(values), 1)), groups=labels).fit(reml=True)
    low, high = result.conf_int(alpha=0.05)[0]
    return {
        "name": name,
        "groups": groups,
        "mean": float(result.params[0]),
        "interval": [float(low), float(high)],
        "betweenVariance": float(result.cov_re[0][0]),
        "withinVariance": float(result.scale),
    }


json.dump(
    {
        "statsmodels": statsmodels.__version__,
        "scipy": scipy.__version__,
        "call": "MixedLM(values, ones, groups=labels).fit(reml=True).conf_int(alpha=0.05)",
        "cases": [fitted(name, groups) for name, groups in CASES],
    },
    sys.stdout,
    indent=1,
)
print()
