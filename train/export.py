"""Checkpoints as a file of weights: `export.py CHECKPOINT... FILE --name NAME [--traces DIR]`.

Of several, from trainings with different seeds, the rule takes the mean score. With the traces it writes too what the inputs were in training, so that the rule can say when it is outside of that.
"""

import argparse
from pathlib import Path

import torch
from torch import nn

from chunk_env import CONTEXT
from net import Ensemble, Policy
from ranges import trained_ranges
from scenes import Draws
from weights_file import write_weights


def nets_of(checkpoints: list[Path]) -> Policy | Ensemble:
    policies = [policy_of(checkpoint) for checkpoint in checkpoints]
    return policies[0] if len(policies) == 1 else Ensemble(policies)


def policy_of(checkpoint: Path) -> Policy:
    """Of a checkpoint of `train.py` or a plain state dict; refuses one of another net, naming the tensor that does not fit."""
    kept = torch.load(checkpoint, weights_only=True)
    kept = kept.get("policy", kept)
    if "context.weight" not in kept or "narrow.weight" not in kept:
        raise SystemExit(f"{checkpoint}: It is no checkpoint of this net; it has {', '.join(list(kept)[:5])}.")
    kept = {**kept, "context.weight": _widened(kept["context.weight"])}
    policy = Policy(kept["context.weight"].shape[0], kept["narrow.weight"].shape[0])
    try:
        policy.load_state_dict(kept)
    except RuntimeError as fault:
        raise SystemExit(f"{checkpoint}: {' '.join(str(fault).split())}") from None
    return policy


def _widened(weight: torch.Tensor) -> torch.Tensor:
    """A net that was trained before the last two inputs of the context were there hears nothing of them."""
    return nn.functional.pad(weight, (0, 2)) if weight.shape[1] == CONTEXT - 2 else weight


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoints", type=Path, nargs="+", metavar="checkpoint")
    parser.add_argument("file", type=Path)
    parser.add_argument("--name", required=True, help="how logs and the page call the net")
    parser.add_argument("--traces", type=Path, help="the folder that train.py was given")
    parser.add_argument("--seed", type=int, default=1, help="that train.py was given")
    options = parser.parse_args()
    nets = nets_of(options.checkpoints)
    ranges = None if options.traces is None else trained_ranges(nets, Draws(options.traces, options.seed))
    write_weights(nets, options.name, options.file, ranges)


if __name__ == "__main__":
    main()
