"""How fast the player model of the training is on one core: `player_speed.py TRACES`.

Plays drawn scenes with rungs drawn at random, in both models, and prints segments a second.
"""

import sys
import time
from pathlib import Path

import numpy as np

from evaluate.worlds import drawn_worlds

SESSIONS, DECISIONS = 400, 150


def main(root: Path) -> None:
    for name, draws in zip(("chunk", "player"), drawn_worlds("both", root, 1), strict=True):
        random = np.random.default_rng(3)
        scenes, width = draws.draw(random, SESSIONS, True)
        began = time.process_time()
        sessions = draws.begin(scenes, width)
        played = SESSIONS
        for _ in range(DECISIONS):
            done, _ = sessions.status()
            played += int((~done).sum())
            sessions.step((random.random(SESSIONS) * sessions.rungs_of).astype(int))
        seconds = time.process_time() - began
        print(f"{name}: {played} segments in {seconds:.2f} s, {played / seconds:.0f} a second", end="")
        failed = f", {int(sessions.totals()['failed'].sum())} of {SESSIONS} sessions came to a stand" if name == "player" else ""
        print(failed)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
