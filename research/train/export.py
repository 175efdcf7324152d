"""Checkpoints as a file of weights: `export.py CHECKPOINT... FILE --name NAME [--traces DIR]`.

Of several, from trainings with different seeds, the rule takes the mean score. With the traces it writes too what the inputs
were in training, so that the rule can say when it is outside of that.
"""

import argparse
from pathlib import Path

import torch

from evaluate.worlds import WORLDS, drawn_worlds
from learn.ranges import trained_ranges
from nets.net import Ensemble, Policy
from nets.weights_file import WeightsFault, policy_with, read_weights, weights_text, write_weights


def nets_of(checkpoints: list[Path]) -> Policy | Ensemble:
    policies = [policy_of(checkpoint) for checkpoint in checkpoints]
    return policies[0] if len(policies) == 1 else Ensemble(policies)


def policy_of(checkpoint: Path) -> Policy:
    """Of a checkpoint of `train.py`, a plain state dict or a file of weights; refuses one of another net, saying what does not fit."""
    if checkpoint.suffix == ".json":
        try:
            return read_weights(checkpoint)
        except (WeightsFault, ValueError, KeyError) as fault:
            raise SystemExit(f"{checkpoint}: It is no file of weights of this net. {fault}") from None
    kept = torch.load(checkpoint, map_location="cpu", weights_only=True)
    kept = kept.get("policy", kept)
    if not all(isinstance(each, torch.Tensor) for each in kept.values()):
        raise SystemExit(f"{checkpoint}: It is no checkpoint of this net; it has {', '.join(list(kept)[:5])}.")
    try:
        return policy_with(kept)
    except WeightsFault as fault:
        raise SystemExit(f"{checkpoint}: {fault}") from None


def json_file(text: str) -> Path:
    """For argparse: where FILE is forgotten, the last checkpoint stands in its place and would be overwritten."""
    if not text.endswith(".json"):
        raise argparse.ArgumentTypeError(f"FILE, which is written, is to end in .json; {text} does not.")
    return Path(text)


def add_export_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=json_file)
    parser.add_argument("--name", required=True, help="how logs and the page call the net")
    parser.add_argument("--traces", type=Path, help="the folder that train.py was given")
    parser.add_argument("--seed", type=int, default=1, help="that train.py was given")
    parser.add_argument("--worlds", choices=WORLDS, default="chunk", help="that train.py was given")


def export(nets: Policy | Ensemble, options: argparse.Namespace) -> None:
    """Writes what the options of `add_export_options` ask for."""
    try:
        # Says what does not fit before the minutes that the ranges take.
        weights_text(nets, options.name)
    except WeightsFault as fault:
        raise SystemExit(str(fault)) from None
    ranges = None if options.traces is None else trained_ranges(nets, drawn_worlds(options.worlds, options.traces, options.seed))
    write_weights(nets, options.name, options.file, ranges)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoints", type=Path, nargs="+", metavar="checkpoint")
    add_export_options(parser)
    options = parser.parse_args()
    export(nets_of(options.checkpoints), options)


if __name__ == "__main__":
    main()
