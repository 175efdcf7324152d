"""A net as one decision tree: `distil.py CHECKPOINT... FILE --name NAME --traces DIR`.

In the manner of PiTree (Meng et al., ACM MM 2019): the tree learns what the net says in the states that it comes to itself.
It scores one rung from the inputs of context and rung, and the rung with the highest score is taken, so that one tree serves
every ladder, as the net does. Prints what is lost on the validation sets.
"""

import argparse
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from chunk_env import CONTEXT, RUNG, Sessions
from export import json_file, nets_of
from net import UNUSED, Policy
from scenes import Draws
from validation import Validation

WORST = 4.0
"""Behind the net's best score by so much a rung is only bad."""
BINS = 64
LEAST_ROWS = 40
DECISIONS = 47
SESSIONS = 480


@dataclass
class Tree:
    """Node k asks whether input `feature[k]` is below `threshold[k]`: then `below[k]` is next, else `above[k]`; a leaf has
    the feature -1 and its answer in `value[k]`."""

    feature: np.ndarray
    threshold: np.ndarray
    below: np.ndarray
    above: np.ndarray
    value: np.ndarray

    def scores(self, rows: np.ndarray) -> np.ndarray:
        at = np.zeros(len(rows), int)
        while (self.feature[at] >= 0).any():
            asked = self.feature[at]
            under = rows[np.arange(len(rows)), np.maximum(asked, 0)] < self.threshold[at]
            at = np.where(asked < 0, at, np.where(under, self.below[at], self.above[at]))
        return self.value[at]

    def __call__(self, context: torch.Tensor, rungs: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """With the face of `Policy`."""
        there = mask.numpy()
        scores = np.full(there.shape, -1e9)
        scores[there] = self.scores(rows_of(context.numpy(), rungs.numpy(), there))
        return torch.from_numpy(scores)


def rows_of(context: np.ndarray, rungs: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """[rungs there are][CONTEXT + RUNG]. Inputs that nets do not use are 0: no tree asks for them."""
    wide = np.repeat(context[:, None], rungs.shape[1], 1)
    wide[:, :, UNUSED] = 0
    return np.concatenate([wide, rungs], 2)[mask]


def heard(draws: Draws, player, policy: Policy, random: np.random.Generator, wide: bool) -> tuple[np.ndarray, np.ndarray]:
    """States that the player comes to, a row per rung, and how far behind its best the net puts it."""
    scenes, width = draws.draw(random, SESSIONS, wide)
    sessions = Sessions(draws.world, scenes, width)
    mask, rows, behind = sessions.mask, [], []
    for _ in range(DECISIONS):
        playing = ~sessions.status()[0]
        context, rungs = sessions.observe()[:2]
        given = [torch.from_numpy(each) for each in (context, rungs, mask)]
        with torch.no_grad():
            scores = policy(*given).numpy()
        there = mask & playing[:, None]
        rows.append(rows_of(context, rungs, there))
        behind.append(np.maximum(scores - scores.max(1, keepdims=True), -WORST)[there])
        played = scores if player is policy else player(*given).numpy()
        lot = np.where(mask, random.random(mask.shape), 0).argmax(1)
        sessions.step(np.where(random.random(len(mask)) < 0.05, lot, played.argmax(1)))
    return np.concatenate(rows), np.concatenate(behind)


def grown(rows: np.ndarray, wanted: np.ndarray, leaves: int) -> Tree:
    """Best first (CART, squared error): the leaf whose split gains most is split next."""
    edges = [np.unique(np.quantile(column, np.linspace(0, 1, BINS + 1)[1:-1])) for column in rows.T]
    binned = np.stack([np.searchsorted(edge, column, "right") for edge, column in zip(edges, rows.T, strict=True)], 1)
    members = {0: np.arange(len(rows))}
    nodes = [[-1, 0.0, 0, 0, float(wanted.mean())]]
    best = {0: _best_split(binned, wanted, members[0])}
    for _ in range(leaves - 1):
        node = max(best, key=lambda each: best[each][0])
        gain, feature, cut = best.pop(node)
        if gain <= 0:
            break
        inside = members.pop(node)
        under = binned[inside, feature] <= cut
        nodes[node][:4] = [feature, float(np.float32(edges[feature][cut])), len(nodes), len(nodes) + 1]
        for part in (inside[under], inside[~under]):
            members[len(nodes)] = part
            best[len(nodes)] = _best_split(binned, wanted, part)
            nodes.append([-1, 0.0, 0, 0, float(wanted[part].mean())])
    columns = list(zip(*nodes, strict=True))
    kinds = (np.int64, np.float32, np.int64, np.int64, np.float64)
    return Tree(*(np.array(column, kind) for column, kind in zip(columns, kinds, strict=True)))


def _best_split(binned: np.ndarray, wanted: np.ndarray, inside: np.ndarray) -> tuple[float, int, int]:
    """Gain, feature and last bin below."""
    found = (0.0, 0, 0)
    if len(inside) < 2 * LEAST_ROWS:
        return found
    values, total = wanted[inside], wanted[inside].sum()
    for feature in range(binned.shape[1]):
        bins = binned[inside, feature]
        count = np.cumsum(np.bincount(bins, minlength=BINS))[:-1]
        below = np.cumsum(np.bincount(bins, values, minlength=BINS))[:-1]
        rest = len(inside) - count
        fits = (count >= LEAST_ROWS) & (rest >= LEAST_ROWS)
        with np.errstate(divide="ignore", invalid="ignore"):
            gain = np.where(fits, below**2 / count + (total - below) ** 2 / rest - total**2 / len(inside), 0.0)
        cut = int(gain.argmax())
        if gain[cut] > found[0]:
            found = (float(gain[cut]), feature, cut)
    return found


def distilled(draws: Draws, policy: Policy, leaves: int, rounds: int) -> Tree:
    random = np.random.default_rng(1)
    heaps = [heard(draws, policy, policy, random, wide) for wide in (False, True)]
    for number in range(rounds + 1):
        tree = grown(np.concatenate([rows for rows, _ in heaps]), np.concatenate([behind for _, behind in heaps]), leaves)
        if number < rounds:
            heaps += [heard(draws, tree, policy, random, wide) for wide in (False, True)]
    return tree


def text_of(tree: Tree, name: str) -> str:
    short = lambda numbers: [float(f"{each:.6g}") for each in numbers]  # noqa: E731
    nodes = {
        "feature": tree.feature.tolist(),
        "threshold": [float(f"{each:.9g}") for each in tree.threshold],
        "below": tree.below.tolist(),
        "value": short(tree.value),
    }
    return json.dumps({"format": "pitwall-tree/5", "name": name, "inputs": CONTEXT + RUNG, **nodes}, separators=(",", ":")) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoints", type=Path, nargs="+", metavar="checkpoint")
    parser.add_argument("file", type=json_file)
    parser.add_argument("--name", required=True, help="how logs and the page call the tree")
    parser.add_argument("--traces", type=Path, required=True, help="the folder that train.py was given")
    parser.add_argument("--leaves", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=4, help="of listening in the tree's own states")
    options = parser.parse_args()
    torch.set_num_threads(1)
    policy = nets_of(options.checkpoints)
    tree = distilled(Draws(options.traces, 1), policy, options.leaves, options.rounds)
    options.file.write_text(text_of(tree, options.name))
    validation = Validation(options.traces)
    ours, theirs = validation.scores(tree), validation.scores(policy)
    for name, score in theirs.items():
        print(f"{name}: tree {ours[name]:.3f}, net {score:.3f}")


if __name__ == "__main__":
    main()
