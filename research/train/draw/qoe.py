"""The three QoEs of src/shared/qoe.ts: q by rung, and mu. A net sees q / mu, the quality of a rung in seconds of stall."""

import numpy as np

_HD = np.array([[300, 1], [750, 2], [1200, 3], [1850, 12], [2850, 15], [4300, 20]], float)


def qualities(qoe: str, kbps: np.ndarray) -> np.ndarray:
    if qoe == "lin":
        return kbps / 1000
    if qoe == "log":
        return np.log(kbps / kbps.min())
    return np.interp(kbps, _HD[:, 0], _HD[:, 1])


def mu(qoe: str, kbps: np.ndarray) -> float:
    return {"lin": kbps.max() / 1000, "log": 2.66, "hd": 8.0}[qoe]


def worth(qoe: str, kbps: np.ndarray) -> np.ndarray:
    return qualities(qoe, kbps) / mu(qoe, kbps)
