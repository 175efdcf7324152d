"""Writes count_tests.json beside it: golden p of tests on tables of counts, each with the call that made it.

    pip install scipy==1.17.1 && python3 count_tests.py > count_tests.json

Tables have a row for each group: hits, others. With more than two rows SciPy's exact test draws tables, so that its p is
computed here from the definition, over all tables with the same sums, by scipy.special and whole numbers.
"""
import itertools
import json
from fractions import Fraction
from math import comb

import scipy
from scipy import stats


def freeman_halton(table):
    sizes = [a + b for a, b in table]
    hits = sum(a for a, _ in table)
    ways = lambda chosen: [comb(n, k) for n, k in zip(sizes, chosen)]
    product = lambda chosen: Fraction(1) if not chosen else Fraction(_product(ways(chosen)), comb(sum(sizes), hits))
    observed = product([a for a, _ in table])
    rows = itertools.product(*(range(min(n, hits) + 1) for n in sizes[:-1]))
    p = Fraction(0)
    for row in rows:
        last = hits - sum(row)
        if 0 <= last <= sizes[-1] and product([*row, last]) <= observed:
            p += product([*row, last])
    return float(p)


def _product(values):
    result = 1
    for value in values:
        result *= value
    return result


PAIRS = [[[73, 140], [54, 160]], [[3, 60], [0, 60]], [[1, 9], [11, 3]], [[10, 10], [10, 10]], [[0, 5], [5, 0]]]
MORE = [[[3, 30], [1, 30], [7, 26]], [[2, 10], [3, 11], [0, 12], [6, 9]], [[5, 5], [5, 5], [5, 5]]]
LARGE = [[[400, 600], [380, 640], [450, 570]], [[900, 2100], [800, 2200], [850, 2100], [810, 2000]]]

print(
    json.dumps(
        {
            "scipy": scipy.__version__,
            "exact": [
                *(
                    {"call": f"fisher_exact({t}).pvalue", "table": t, "p": float(stats.fisher_exact(t).pvalue)}
                    for t in PAIRS
                ),
                *({"call": f"freeman_halton({t})", "table": t, "p": freeman_halton(t)} for t in MORE),
            ],
            "chiSquare": [
                {
                    "call": f"chi2_contingency({t}, correction=False).pvalue",
                    "table": t,
                    "p": float(stats.chi2_contingency(t, correction=False).pvalue),
                }
                for t in LARGE
            ],
            "tails": [
                {"call": f"chi2.sf({x}, {df})", "x": x, "degrees": df, "p": float(stats.chi2.sf(x, df))}
                for df in range(1, 7)
                for x in (0.0, 0.3, 4.2, 31.0)
            ],
        },
        indent=1,
    )
)
