"""Writes welch_interval.json beside it: 95 % intervals of the difference of two means, of the samples that scipy.json has.

    pip install scipy==1.17.1 && python3 welch_interval.py > welch_interval.json
"""
import json
import pathlib

import scipy
from scipy import stats

golden = json.loads((pathlib.Path(__file__).parent / "scipy.json").read_text())


def interval(a, b):
    found = stats.ttest_ind(a, b, equal_var=False).confidence_interval(0.95)
    return [float(found.low), float(found.high)]


print(
    json.dumps(
        {
            "scipy": scipy.__version__,
            "call": "stats.ttest_ind(a, b, equal_var=False).confidence_interval(0.95)",
            "intervals": {each["name"]: interval(each["a"], each["b"]) for each in golden["welch"]},
        },
        indent=1,
    )
)
