"""Writes trial.json: what other libraries compute for the statistics of trials.

    pip install numpy scipy statsmodels && python trial_golden.py > trial.json
"""

import json

import numpy as np
import scipy
import statsmodels
import statsmodels.api as sm
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.stats import chisquare


def mixture_half_width(ratio: float, alpha: float) -> float:
    """Half width in standard errors, by integrating the mixture numerically: no closed form is used.

    ratio: t rho^2. With v = ratio and a mixing normal of variance 1, the bound s solves
    integral of exp(l s - l^2 v / 2) phi(l) dl = 1 / alpha.
    """

    def log_wealth(s: float) -> float:
        top = s * s / (2 * (ratio + 1))
        middle, width = s / (ratio + 1), 12 / np.sqrt(ratio + 1)
        value, _ = quad(
            lambda l: np.exp(l * s - l * l * ratio / 2 - l * l / 2 - top) / np.sqrt(2 * np.pi),
            middle - width,
            middle + width,
            epsabs=0,
            epsrel=1e-12,
            limit=500,
        )
        return np.log(value) + top + np.log(alpha)

    return brentq(log_wealth, 1e-6, 60, xtol=1e-13) / np.sqrt(ratio)


def cluster_case(seed: int, rows: int, viewers: int, networks: int) -> dict:
    rng = np.random.default_rng(seed)
    viewer = rng.integers(0, viewers, rows)
    network_of = rng.integers(0, networks, viewers)
    network = network_of[viewer]
    treated_of = rng.integers(0, 2, viewers)
    treated = treated_of[viewer]
    y = np.round(
        rng.gamma(1, 2, rows) + rng.normal(0, 1, viewers)[viewer] + rng.normal(0, 0.7, networks)[network] - 0.4 * treated, 4
    )
    model = sm.OLS(y, sm.add_constant(treated))
    one = model.fit(cov_type="cluster", cov_kwds={"groups": viewer})
    two = model.fit(cov_type="cluster", cov_kwds={"groups": np.column_stack([viewer, network])})
    return {
        "call": "OLS(y, add_constant(treated)).fit(cov_type='cluster')",
        "values": y.tolist(),
        "isTreated": treated.tolist(),
        "viewers": viewer.tolist(),
        "networks": network.tolist(),
        "difference": one.params[1],
        "oneWay": one.bse[1],
        "twoWay": two.bse[1],
    }


print(
    json.dumps(
        {
            "versions": {"scipy": scipy.__version__, "statsmodels": statsmodels.__version__},
            "mixture": [
                {"ratio": r, "alpha": a, "is": mixture_half_width(r, a)} for a in (0.05, 0.01) for r in (0.5, 3, 7.94, 20)
            ],
            "clusters": [cluster_case(1, 120, 30, 8), cluster_case(2, 60, 60, 12)],
            "chisquare": [
                {"counts": c, "shares": s, "p": chisquare(c, np.array(s) * sum(c)).pvalue}
                for c, s in (([5050, 4950], [0.5, 0.5]), ([1010, 2100, 890], [0.25, 0.5, 0.25]))
            ],
        }
    )
)
