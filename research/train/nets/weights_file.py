"""Writes a net, or several, as the rule `neural` reads it (src/abr/rules/neural/neuralWeights.ts), and reads one again."""

import base64
import json
import sys
from collections.abc import Container, Mapping
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from nets.net import Ensemble, Policy

LAYERS = ("context", "rung", "own", "mean", "last", "narrow", "score")
WIDEST, MOST_NETS = 1024, 8
"""The reader takes no net for one that is wider, and no more of them in a file."""


class WeightsFault(ValueError):
    """One sentence about what does not fit."""


def halved(policy: Policy) -> Policy:
    """The same net with the half-precision numbers that are shipped, so that what is scored is what is played."""
    copy = Policy(policy.context.out_features, policy.narrow.out_features)
    copy.load_state_dict({name: tensor.half().float() for name, tensor in policy.state_dict().items()})
    return copy


def policy_with(tensors: Mapping[str, Tensor], others: Container[str] = ()) -> Policy:
    """
    A copy, on the CPU and in single precision, of the net whose tensors have the names of `Policy.state_dict()`, whatever
    stands before them ("policy.context.weight"). Its width and its narrow are the outputs of `own.weight` and `narrow.weight`,
    both [outputs][inputs]. A `score.bias` [1] is left out, with a word on stderr. Raises `WeightsFault` at a tensor that is
    missing, there twice, misshapen, too large for half precision, or unknown to the net and none of `others`.
    """
    policy = _empty_policy(_named(tensors, "own.weight"), _named(tensors, "narrow.weight"))
    shapes = {name: tensor.shape for name, tensor in policy.state_dict().items()}
    policy.load_state_dict({name: _checked(name, _named(tensors, name), shape) for name, shape in shapes.items()})
    known = (*shapes, "score.bias")
    odd = [each for each in tensors if each not in others and not any(_is_called(each, name) for name in known)]
    if odd:
        raise WeightsFault(f"This net has no {', '.join(odd)}: with it the model would answer otherwise.")
    if any(_is_called(each, "score.bias") for each in tensors):
        _checked("score.bias", _named(tensors, "score.bias"), torch.Size([1]))
        print("score.bias is left out: added to the score of every rung it changes no choice and no odds.", file=sys.stderr)
    return policy


def _empty_policy(own: Tensor, narrow: Tensor) -> Policy:
    if own.ndim != 2 or narrow.ndim != 2:
        raise WeightsFault("own.weight and narrow.weight are to be matrices [outputs][inputs].")
    sizes = len(own), len(narrow)
    if not all(1 <= size <= WIDEST for size in sizes):
        raise WeightsFault(f"own.weight and narrow.weight have {sizes[0]} and {sizes[1]} outputs; 1 to {WIDEST} are needed.")
    # Drawing its first weights would move the random numbers of a caller who is still training.
    with torch.device("meta"):
        policy = Policy(*sizes)
    return policy.to_empty(device="cpu")


def _is_called(name: str, wanted: str) -> bool:
    return name == wanted or name.endswith(f".{wanted}")


def _named(tensors: Mapping[str, Tensor], wanted: str) -> Tensor:
    fitting = [name for name in tensors if _is_called(name, wanted)]
    if len(fitting) != 1:
        there = ", ".join(f"{name} {list(tensor.shape)}" for name, tensor in tensors.items()) or "none"
        raise WeightsFault(f"{'More than one' if fitting else 'No'} tensor is called {wanted}; there are: {there}.")
    return tensors[fitting[0]]


def _checked(name: str, tensor: Tensor, shape: torch.Size) -> Tensor:
    if not tensor.is_floating_point():
        raise WeightsFault(f"{name} is no tensor of half, single or double precision.")
    if tensor.shape != shape:
        raise WeightsFault(f"{name} has the shape {list(tensor.shape)}; {list(shape)} is needed.")
    if not tensor.half().isfinite().all():
        raise WeightsFault(f"{name} has a number that half precision cannot hold.")
    return tensor


def weights_text(nets: nn.Module, name: str, ranges: dict | None = None) -> str:
    """Of an `Ensemble`, or of any module with the tensors of a `Policy`; what its `forward` does with them is not looked at.
    `ranges` is what `trained_ranges` found. Raises `WeightsFault` at what the reader would refuse."""
    modules = list(nets.policies) if isinstance(nets, Ensemble) else [nets]
    if len(modules) > MOST_NETS:
        raise WeightsFault(f"A file holds up to {MOST_NETS} nets; these are {len(modules)}.")
    if not name.strip():
        raise WeightsFault("The name is empty; logs and the page are to call the net something.")
    policies = [policy_with(each.state_dict()) for each in modules]
    policy = policies[0]
    numbers = np.concatenate([part for each in policies for part in _parts(each)]).astype("<f2")
    file = {
        "format": "pitwall-neural/7",
        "name": name,
        "width": policy.context.out_features,
        "narrow": policy.narrow.out_features,
        **({} if len(policies) == 1 else {"nets": len(policies)}),
        **({} if ranges is None else {"ranges": ranges}),
        "data": base64.b64encode(numbers.tobytes()).decode(),
    }
    try:
        return json.dumps(file, allow_nan=False) + "\n"
    except ValueError:
        raise WeightsFault("A range is no finite number, which JSON cannot hold.") from None


def _parts(policy: Policy) -> list[np.ndarray]:
    """Of each layer its kernel, row-major inputs × outputs, and its bias."""
    parts = []
    for layer in LAYERS:
        linear: nn.Linear = getattr(policy, layer)
        bias = linear.bias.detach().numpy() if linear.bias is not None else np.zeros(linear.out_features)
        parts += [linear.weight.detach().numpy().T.ravel(), bias]
    return parts


def write_weights(nets: nn.Module, name: str, file: Path, ranges: dict | None = None) -> None:
    """What `weights_text` makes of it; where that raises, no file is touched."""
    text = weights_text(nets, name, ranges)
    part = file.with_suffix(".part")
    part.write_text(text)
    part.rename(file)


def read_weights(file: Path) -> Policy:
    """The net of a file of weights, in single precision. Raises `WeightsFault` at a file of several nets, or of another length."""
    kept = json.loads(file.read_text())
    if kept.get("nets", 1) != 1:
        raise WeightsFault(f"It holds {kept['nets']} nets; one is needed.")
    numbers = np.frombuffer(base64.b64decode(kept["data"]), "<f2").astype(np.float32)
    policy, at = Policy(kept["width"], kept["narrow"]), 0
    with torch.no_grad():
        for name in LAYERS:
            linear: nn.Linear = getattr(policy, name)
            kernel, bias = numbers[at : at + linear.weight.numel()], numbers[at + linear.weight.numel() :][: linear.out_features]
            at += len(kernel) + linear.out_features
            if len(bias) < linear.out_features:
                raise WeightsFault(f"Its data end in the layer {name}.")
            linear.weight.copy_(torch.from_numpy(kernel.reshape(linear.in_features, linear.out_features).T.copy()))
            if linear.bias is not None:
                linear.bias.copy_(torch.from_numpy(bias.copy()))
    if at != len(numbers):
        raise WeightsFault(f"Its data have {len(numbers)} numbers; {at} are needed.")
    return policy
