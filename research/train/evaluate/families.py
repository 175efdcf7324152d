"""Families of links: what is held out of a training, and the sets on which it is then judged.

A recipe is trained once for each family, without that family (`train.py --held`), and judged by the family on which it does
worst. Nothing here is of a test set. Of the families 4G and hd the only recordings are test sets: they are never trained on,
and are scored when the recipe is frozen, once.
"""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from draw.player_scenes import drawn_scenes, varying_path
from draw.qoe import mu
from env.chunk_env import MAX_RUNGS, Video, World
from env.player_env import PlayerSessions, PlayerWorld
from evaluate.score import greedy, published_scenes
from evaluate.validation import BASELINES, Validation, family_of, longer, mean_ratio, times
from links.made_worlds import drawn_regimes, loaded_trace, operator_trace, regime_trace, read_regimes, shared_trace
from links.traces import Trace
from make_split import path_of
from nets.net import Policy

FAMILIES = ("3g", "fcc", "sd", "steady", "made up")
ONLY_TESTED = ("4g", "hd")
FITTED = ("3g", "fcc", "sd")
"""Families that a third each of the links of the set `regimes` are fitted to: where one is held out, the set does not count."""
LEVELS_KBPS = (375, 3440)
"""Means of the synthetic links, spread evenly in their logarithms: half of the second rung of EnvivioDash3 to four fifths of the last."""
LONGEST = 100
"""Segments of a session of the player model."""
DRAWN, PLAYABLE = 3, 0.01
"""Sessions that are drawn for each that is kept, and the share of its length that one may stall at the lowest rung."""
MOST = 1.3
"""Of a ratio of the player model that counts: one of the rules' scores is near 0 (`failing sd`), and the mean over sets would be that
set's."""
LINKS = 40
"""Synthetic links of a set, and sessions of a set of the player model, by which checkpoints are chosen. A recipe is judged by more
(leave_out.py): sessions of the player model differ by more than two nets do."""


@dataclass(frozen=True)
class PlayerSet:
    """Sessions of the player model that are the same whoever plays them."""

    world: PlayerWorld
    scenes: np.ndarray

    def links(self) -> list[str]:
        """The link of each session: as many sessions are of one link, they are not independent."""
        return [link_of(self.world.paths[int(path)].trace) for path in self.scenes["path"]]


class FamilySets:
    """The sets of all families: traces with a video for the chunk model, scenes for the player model.

    `links` is how many synthetic links a set has, and how many sessions a set of the player model; one of recorded links has
    `times_recorded` as many."""

    def __init__(self, validation: Validation, links: int = LINKS, times_recorded: int = 1):
        steady_video, self.worlds = validation.worlds["steady"].videos[0], dict(validation.worlds)
        regimes = read_regimes()
        made = {
            "operator": operator_trace,
            "loaded": loaded_trace,
            "shared": shared_trace,
            "regimes": lambda random, number: regime_trace(random, number, regimes[number % len(regimes)]),
            "drawn": lambda random, number: regime_trace(random, number, drawn_regimes(random)),
        }
        for at, (name, make) in enumerate(made.items()):
            self.worlds[name] = World(_levelled(make, 26 + at, links), [steady_video])
        self.players = {
            name: _player_set(world, 50 + at, links * (times_recorded if family_of(name) in FITTED else 1))
            for at, (name, world) in enumerate(self.worlds.items())
        }

    def names(self, family: str) -> list[str]:
        return [name for name in self.worlds if family_of(name) == family]


class FamilyValidation:
    """Scores that checkpoints are chosen by where the player model is trained in, too: the sets of validation.py, and those here."""

    def __init__(self, root: Path):
        self._chunk = Validation(root)
        self._players = FamilySets(self._chunk).players

    def summary(self, policy: Policy, held: str | None = None) -> dict[str, float]:
        """As that of `Validation`. The score is the geometric mean over the two models' own."""
        row = self._chunk.summary(policy, held)
        best = json.loads(BASELINES.read_text())["player"]
        scores = {name: float(player_qoe_per_chunk(policy, each).mean()) for name, each in self._players.items()}
        counted = [name for name in scores if family_of(name) != held and not (name == "regimes" and held in FITTED)]
        ratios = [min(MOST, max(0.01, scores[name] / max(best[name]))) for name in counted]
        shown = {f"player {name}": score for name, score in scores.items()}
        return {**row, "score": mean_ratio([row["score"], mean_ratio(ratios)]), **shown}


def player_qoe_per_chunk(policy: Policy, played: PlayerSet) -> np.ndarray:
    """The linear QoE of each session, in Mbit/s a chunk. What a session that gave up did not play counts as nothing."""
    kbps = played.world.videos[0].bitrates_kbps
    sessions = PlayerSessions(played.world, played.scenes, len(kbps))
    return mu("lin", kbps) * greedy(policy, sessions)[0] / (sessions.segments_left - 1)


def link_of(trace: Trace) -> str:
    """The link whose trace this is: all windows and turns of one measurement are of the same link (validation.py), and so are the
    cuts of one household and site."""
    return path_of(Path(trace.name)) or trace.name.split("@")[0].split("+")[0].rstrip("!")


def _levelled(make, seed: int, links: int) -> list[Trace]:
    random = np.random.default_rng(seed)
    levels = np.exp(np.linspace(*np.log(LEVELS_KBPS), links)) / 1000
    found = []
    for at, level in enumerate(levels):
        trace = make(random, at)
        found.append(times([trace], 1000 * level / trace.rate_kbps.mean())[0])
    return found


def _player_set(world: World, seed: int, sessions: int) -> PlayerSet:
    """Some of the set's links, each in a session of the player model with a network that was drawn once. Where the lowest rung
    stalls nothing is left to choose, and such a session would count as much as all others: it is left out."""
    random = np.random.default_rng(seed)
    some = np.linspace(0, len(world.traces) - 1, DRAWN * sessions).astype(int)
    traces = [world.traces[at] for at in some]
    video: Video = world.videos[0]
    shown = longer(video, LONGEST) if video.segments > LONGEST else video
    played = PlayerWorld([varying_path(random, trace) for trace in traces], [shown])
    base = published_scenes(World(traces, played.videos), "lin")
    scenes = drawn_scenes(random, base, played)
    playable = np.flatnonzero(_lowest_waits(played, scenes) < PLAYABLE)
    kept = playable[np.linspace(0, len(playable) - 1, min(sessions, len(playable))).astype(int)]
    return PlayerSet(played, scenes[kept])


def _lowest_waits(world: PlayerWorld, scenes: np.ndarray) -> np.ndarray:
    """The share of each session's length that it stalls at the lowest rung; infinite where that gives up."""
    sessions = PlayerSessions(world, scenes, MAX_RUNGS)
    while not sessions.status()[0].all():
        sessions.step(np.zeros(len(scenes), int))
    totals = sessions.totals()
    is_whole = (totals["failed"] == 0) & (totals["segments"] == sessions.segments_left)
    return np.where(is_whole, totals["waits_ms"] / np.maximum(totals["playhead_ms"], 1), np.inf)
