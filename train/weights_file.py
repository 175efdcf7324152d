"""Writes a policy, or several, as the rule `neural` reads it (src/abr/rules/neural/readNeuralWeights.ts)."""

import base64
import json
from pathlib import Path

import numpy as np
from torch import nn

from net import Ensemble, Policy

LAYERS = ("context", "rung", "own", "mean", "last", "narrow", "score")


def halved(policy: Policy) -> Policy:
    """The same net with the half-precision numbers that are shipped, so that what is scored is what is played."""
    copy = Policy(policy.context.out_features, policy.narrow.out_features)
    copy.load_state_dict({name: tensor.half().float() for name, tensor in policy.state_dict().items()})
    return copy


def weights_text(nets: Policy | Ensemble, name: str, ranges: dict | None = None) -> str:
    """Refuses a number that half precision cannot hold. `ranges` is what `trained_ranges` found."""
    policies = [nets] if isinstance(nets, Policy) else list(nets.policies)
    policy = policies[0]
    numbers = np.concatenate([part for each in policies for part in _parts(each)]).astype("<f2")
    if not np.isfinite(numbers).all():
        raise ValueError("A weight is too large for half precision.")
    file = {
        "format": "pitwall-neural/2",
        "name": name,
        "width": policy.context.out_features,
        "narrow": policy.narrow.out_features,
        **({} if len(policies) == 1 else {"nets": len(policies)}),
        **({} if ranges is None else {"ranges": ranges}),
        "data": base64.b64encode(numbers.tobytes()).decode(),
    }
    return json.dumps(file) + "\n"


def _parts(policy: Policy) -> list[np.ndarray]:
    """Of each layer its kernel, row-major inputs × outputs, and its bias."""
    parts = []
    for layer in LAYERS:
        linear: nn.Linear = getattr(policy, layer)
        bias = linear.bias.detach().numpy() if linear.bias is not None else np.zeros(linear.out_features)
        parts += [linear.weight.detach().numpy().T.ravel(), bias]
    return parts


def write_weights(nets: Policy | Ensemble, name: str, file: Path, ranges: dict | None = None) -> None:
    part = file.with_suffix(".part")
    part.write_text(weights_text(nets, name, ranges))
    part.rename(file)
