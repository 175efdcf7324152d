"""The wide world of a training: what scenes.py draws, and links of more kinds (made_worlds.py)."""

from pathlib import Path

import numpy as np

from draw.scenes import FAILING, Draws
from links.made_worlds import drawn_regimes, drifting, loaded_trace, operator_trace, phased_trace, read_regimes
from links.made_worlds import regime_trace, shared_trace, varied_regimes
from links.traces import Trace

COUNTS = {"operator": 200, "regimes": 300, "drawn": 300, "phased": 300, "loaded": 150, "shared": 150}
DRIFTING = 0.2
"""Share of the synthetic traces with a slow wave."""


class WideDraws(Draws):
    """As `Draws`. With a family held out, nothing that was fitted to it is there either."""

    SHARES = {"3g": 0.24, "fcc": 0.13, "sd": 0.12, "made up": 0.04, "steady": 0.09, "operator": 0.07, "regimes": 0.05}
    SHARES |= {"drawn": 0.07, "phased": 0.13, "loaded": 0.03, "shared": 0.03}
    FAILING = FAILING | {"operator": 0.1, "regimes": 0.2, "drawn": 0.2, "phased": 0.1, "loaded": 0.2, "shared": 0.2}
    # The sessions of the player model know what carries them, and draw buffers of their own.
    OBSERVED, SMALL = 0.3, 0.25
    # Beyond the mean a link may be slow for minutes, and there is something to choose although it is fast on the whole.
    LEVELS = (0.12, 2.5)

    def _kinds(self, root: Path, random: np.random.Generator, held: str | None) -> dict[str, list[Trace]]:
        kinds = super()._kinds(root, random, held)
        if held != "steady":
            kinds["operator"] = [operator_trace(random, number) for number in range(COUNTS["operator"])]
        if held == "made up":
            return kinds
        regimes = read_regimes(without=held)
        drawn = random.integers(len(regimes), size=COUNTS["regimes"])
        kinds["regimes"] = [
            regime_trace(random, number, varied_regimes(random, regimes[each])) for number, each in enumerate(drawn)
        ]
        kinds["drawn"] = [regime_trace(random, number, drawn_regimes(random)) for number in range(COUNTS["drawn"])]
        kinds["phased"] = [phased_trace(random, number) for number in range(COUNTS["phased"])]
        kinds["loaded"] = [loaded_trace(random, number) for number in range(COUNTS["loaded"])]
        kinds["shared"] = [shared_trace(random, number) for number in range(COUNTS["shared"])]
        for kind in ("made up", "regimes", "drawn", "loaded", "shared"):
            kinds[kind] = [drifting(random, each) if random.random() < DRIFTING else each for each in kinds[kind]]
        return kinds
