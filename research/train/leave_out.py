"""Leave one family out: the design by which a recipe of training is chosen.

    leave_out.py commands TRACES RUNS [--seed N]      the commands of all trainings and matches, in order
    leave_out.py sets TRACES FOLDER                   the sets of all families, for `pitwall sim` and play_scenes.mjs
    leave_out.py table RUNS                           every family's margin, and the recipe's: its worst

The margin on a set, against a rule, is the lower end of the paired interval of the difference in QoE, as a share of the rule's
QoE. Sessions of one link are resampled together. A family's is the worst over its sets and the rules; a recipe's is that of its
worst family. A recipe with a margin above -0.5 % loses no family.
"""

import argparse
import json
from pathlib import Path

import numpy as np

from draw.player_scenes import written_scene
from evaluate.families import FAMILIES, FamilySets, link_of
from evaluate.validation import Validation, family_of
from export_windows import cooked, movie

RULES = ("mpc-robust", "bba-2", "bola-e", "throughput")
ALLOWED = -0.005
ROUNDS = 840
"""Of each training: six drawings of links, sixteen minutes of one core."""
NETS = 2
"""Trainings whose nets answer together: two seeds of one recipe differ by more than two recipes do."""
USES, TURNS = ("validation", "train"), 2
"""A net that was trained without a family has met nothing of it: all that is recorded of it may judge."""
LINKS = 400
"""Synthetic links of a set, and sessions of a set of the player model."""
TIMES_RECORDED = 5
"""As many sessions of the player model on links that were recorded: those are few, and each is met by many networks."""
SAMPLES, LEVEL = 4000, 0.95
MIN_QOE = 0.05
"""Of a rule, in the unit of the difference: a share of less would say nothing."""


def write_sets(root: Path, folder: Path) -> None:
    sets = FamilySets(Validation(root, USES, TURNS, LINKS, sd_links=None), LINKS, TIMES_RECORDED)
    links: dict[str, list[str]] = {}
    for name, world in sets.worlds.items():
        into = folder / "chunk" / name.replace(" ", "-")
        into.mkdir(parents=True, exist_ok=True)
        for number, trace in enumerate(world.traces):
            (into / f"{number:04d}.txt").write_text(cooked(trace))
        (folder / "chunk" / f"{name.replace(' ', '-')}.json").write_text(json.dumps(movie(world.videos[0])) + "\n")
        links[f"chunk-{name.replace(' ', '-')}"] = [link_of(trace) for trace in world.traces]
    (folder / "player").mkdir(parents=True, exist_ok=True)
    for name, played in sets.players.items():
        scenes = [written_scene(each, played.world.videos[each["video"]], played.world.paths[each["path"]]) for each in played.scenes]
        text = json.dumps({"name": name, "qoe": "lin", "scenes": scenes})
        (folder / "player" / f"{name.replace(' ', '-')}.json").write_text(text + "\n")
        links[f"player-{name.replace(' ', '-')}"] = played.links()
    (folder / "links.json").write_text(json.dumps(links) + "\n")


def commands(root: Path, runs: Path, seed: int) -> list[str]:
    """In the order in which they are to run; the two trainings of a family run at the same time, on one core each."""
    lines = ["set -e", f"python3 research/train/leave_out.py sets {root} {runs}/sets"]
    names = list(FamilySets(Validation(root)).worlds)
    for family in FAMILIES:
        run = f"{runs}/held-{family.replace(' ', '-')}"
        nets = [f"{run}/seed-{each}" for each in range(seed, seed + NETS)]
        for each, net in enumerate(nets, seed):
            lines.append(f"python3 research/train/train.py --worlds both --expert mixed --rounds {ROUNDS} --traces {root} --run {net} --seed {each} --held '{family}' & trained[{each}]=$!")
        # With no process named, `wait` also succeeds where a training failed.
        lines += [f"wait ${{trained[{each}]}}" for each in range(seed, seed + NETS)]
        lines.append(f"python3 research/train/export.py {' '.join(f'{net}/best.pt' for net in nets)} {run}/neural.json --name 'without {family}'")
        for name in (each.replace(" ", "-") for each in names if family_of(each) == family):
            # No bounds by the buffer: what is judged is the net, and what it makes of its stalls.
            rules = ",".join((*RULES, f"neural:guard=stalls:weights={run}/neural.json"))
            video = f"{runs}/sets/chunk/{name}.json"
            lines.append(f"npx pitwall sim --no-optimum --rules {rules} --traces {runs}/sets/chunk/{name} --video {video} --json {run}/chunk-{name}.json")
            lines.append(f"node research/train/play_scenes.mjs {runs}/sets/player/{name}.json {run}/player-{name}.json {rules}")
    return [*lines, f"python3 research/train/leave_out.py table {runs}"]


def margins(file: Path, links: list[str]) -> dict[str, tuple[float, float, float]]:
    """By rule: its QoE per chunk, the difference of the net's, and the margin. `links` has the link of each session."""
    played = {each["rule"].split(":")[0]: per_trace(each) for each in json.loads(file.read_text())}
    net = played.pop("neural")
    found = {}
    for rule, scores in played.items():
        behind = net - scores
        low = interval(behind, links)[0]
        found[rule] = (float(scores.mean()), float(behind.mean()), float(low / max(abs(scores.mean()), MIN_QOE)))
    return found


def played_sets(runs: Path, family: str, links: dict[str, list[str]]) -> list[Path]:
    """The results of a family's sets: none before its net is there, and else all of them, played by that net."""
    run = runs / f"held-{family.replace(' ', '-')}"
    net = run / "neural.json"
    if not net.exists():
        return []
    wanted = [run / f"{name}.json" for name in sorted(links) if family_of(name.split("-", 1)[1].replace("-", " ")) == family]
    for file in wanted:
        if not file.exists() or file.stat().st_mtime < net.stat().st_mtime:
            raise SystemExit(f"{file}: It was not played by this net yet: run the commands of this family again.")
    return wanted


def per_trace(result: dict) -> np.ndarray:
    """The QoE per chunk of each trace, in the order of their names."""
    return np.array([each["qoePerChunk"] for each in sorted(result["perTrace"], key=lambda each: each["trace"])])


def interval(differences: np.ndarray, links: list[str]) -> tuple[float, float]:
    """A percentile bootstrap over links, each with all of its sessions; the same samples whoever asks."""
    if len(differences) != len(links):
        raise SystemExit(f"{len(differences)} sessions were played and the set has {len(links)}: write the sets, and play them, again.")
    at = np.unique(links, return_inverse=True)[1]
    sums, counts = np.bincount(at, differences), np.bincount(at)
    drawn = np.random.default_rng(1).integers(len(counts), size=(SAMPLES, len(counts)))
    low, high = np.quantile(sums[drawn].sum(1) / counts[drawn].sum(1), [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def print_table(runs: Path) -> None:
    print("| family | model and set | against | its QoE | difference | margin |")
    print("| --- | --- | --- | --: | --: | --: |")
    worst: dict[str, float] = {}
    links = json.loads((runs / "sets" / "links.json").read_text())
    for family in FAMILIES:
        for file in played_sets(runs, family, links):
            for rule, (score, difference, margin) in margins(file, links[file.stem]).items():
                print(f"| {family} | {file.stem} | `{rule}` | {score:.3f} | {difference:+.3f} | {100 * margin:+.1f} % |")
                worst[family] = min(worst.get(family, np.inf), margin)
    print()
    for family in FAMILIES:
        print(f"{family}: " + (f"{100 * worst[family]:+.1f} %" if family in worst else "not played yet"))
    if len(worst) == len(FAMILIES):
        lowest = min(worst, key=worst.get)
        verdict = "no family is lost" if worst[lowest] >= ALLOWED else "that family is lost"
        print(f"The recipe's margin is that of {lowest}: {100 * worst[lowest]:+.1f} %; {verdict}.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_subparsers(dest="what", required=True)
    for name, paths in (("commands", ("traces", "runs")), ("sets", ("traces", "folder")), ("table", ("runs",))):
        part = what.add_parser(name)
        for path in paths:
            part.add_argument(path, type=Path)
        if name == "commands":
            part.add_argument("--seed", type=int, default=201)
    options = parser.parse_args()
    if options.what == "commands":
        print("\n".join(commands(options.traces, options.runs, options.seed)))
    elif options.what == "sets":
        write_sets(options.traces, options.folder)
    else:
        print_table(options.runs)


if __name__ == "__main__":
    main()
