"""A checkpoint as a file of weights: `export.py CHECKPOINT FILE --name NAME`. Needs no traces."""

import argparse
from pathlib import Path

import torch

from net import Policy
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
    options = parser.parse_args()
    write_weights(policy_of(options.checkpoint), options.name, options.file)


if __name__ == "__main__":
    main()
