"""A checkpoint as a file of weights: `export.py CHECKPOINT FILE --name NAME [--traces DIR]`.

With the traces it writes too what the inputs were in training, so that the rule can say when it is outside of that.
"""

import argparse
from pathlib import Path

import torch

from net import Policy
from ranges import trained_ranges
from scenes import Draws
from weights_file import write_weights


def policy_of(checkpoint: Path) -> Policy:
    """Refuses a checkpoint of another net, naming the tensor that does not fit."""
    kept = torch.load(checkpoint, weights_only=True)["policy"]
    policy = Policy(kept["context.weight"].shape[0], kept["narrow.weight"].shape[0])
    policy.load_state_dict(kept)
    return policy


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("file", type=Path)
    parser.add_argument("--name", required=True, help="how logs and the page call the net")
    parser.add_argument("--traces", type=Path, help="the folder that train.py was given")
    parser.add_argument("--seed", type=int, default=1, help="that train.py was given")
    options = parser.parse_args()
    policy = policy_of(options.checkpoint)
    ranges = None if options.traces is None else trained_ranges(policy, Draws(options.traces, options.seed))
    write_weights(policy, options.name, options.file, ranges)


if __name__ == "__main__":
    main()
