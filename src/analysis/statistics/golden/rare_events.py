"""Writes rare_events.json beside it: bounds of shares by SciPy's exact interval, and boundaries of looks from a list of all paths.

    pip install scipy==1.17.1 && python3 rare_events.py > rare_events.json

The boundaries share nothing with rareEvents.ts: whole sequences of hits are listed, and each has its own probability.
"""
import itertools
import json
import math

import scipy
from scipy import stats

ALPHA = 0.05


def bound(hits, count, alpha):
    found = stats.binomtest(hits, count, alternative="less").proportion_ci(1 - alpha, "exact")
    return float(found.high)


def needed(share, alpha, hits):
    count = hits + 1
    while stats.binom.cdf(hits, count, share) > alpha:
        count += 1
    return count


def looks(counts, share, alpha):
    """The most hits that reject at each look, from all sequences of hits."""
    open_paths = [(path, share ** sum(path) * (1 - share) ** (counts[-1] - sum(path)))
                  for path in itertools.product([0, 1], repeat=counts[-1])]
    spent, rows = 0.0, []
    for count in counts:
        level = alpha * math.log(1 + (math.e - 1) * count / counts[-1])
        most = -1
        for hits in range(count + 1):
            more = math.fsum(p for path, p in open_paths if sum(path[:count]) <= hits)
            if spent + more > level:
                break
            most = hits
        spent += math.fsum(p for path, p in open_paths if sum(path[:count]) <= most)
        open_paths = [(path, p) for path, p in open_paths if sum(path[:count]) > most]
        rows.append({"maxHits": most, "spent": spent})
    return rows


BOUNDS = [(0, 1), (0, 12), (0, 26), (1, 12), (3, 30), (12, 13), (0, 59), (7, 400), (199, 200)]
NEEDED = [(0.05, 0.05, 0), (0.1, 0.05, 0), (0.22, 0.05, 0), (0.05, 0.05, 1), (0.05, 0.025, 0), (0.02, 0.01, 3), (0.5, 0.05, 0)]
LOOKS = [([4, 8, 12], 0.25), ([4, 8, 12], 0.4), ([3, 6, 9, 12, 15], 0.3), ([16], 0.2), ([5, 10, 16], 0.5)]

print(json.dumps({
    "scipy": scipy.__version__,
    "bounds": [{"hits": k, "count": n, "alpha": a, "is": bound(k, n, a)} for k, n in BOUNDS for a in (0.05, 0.01)],
    "needed": [{"share": s, "alpha": a, "hits": k, "is": needed(s, a, k)} for s, a, k in NEEDED],
    "looks": [{"counts": c, "share": s, "alpha": ALPHA, "looks": looks(c, s, ALPHA)} for c, s in LOOKS],
}, indent=1))
