"""The policy: one score per rung of any ladder."""

import torch
from torch import Tensor, nn

from env.chunk_env import CONTEXT, IS_LAST, RUNG


AUDIO_AHEAD = 28
"""Place of how far the buffer of audio is ahead of that of the video: always 0 in the chunk model."""


class Policy(nn.Module):
    """
    A net over a set of rungs. Each rung is embedded with the context, hears the mean of all rungs and the rung of the
    segment before, and gets a score; the softmax over scores is the policy. Ladders may have any number of rungs.

        context ─┐                ┌─ mean over rungs ─┐
                 ├─ embed (relu) ─┼─ last rung ───────┼─ mix (relu) ─ narrow (relu) ─ score
        rung ────┘                └───────────────────┘
    """

    def __init__(self, width: int = 64, narrow: int = 48):
        super().__init__()
        self.context = nn.Linear(CONTEXT, width)
        self.rung = nn.Linear(RUNG, width, bias=False)
        self.own = nn.Linear(width, width)
        self.mean = nn.Linear(width, width, bias=False)
        self.last = nn.Linear(width, width, bias=False)
        self.narrow = nn.Linear(width, narrow)
        self.score = nn.Linear(narrow, 1, bias=False)

    def forward(self, context: Tensor, rungs: Tensor, mask: Tensor) -> Tensor:
        """Scores [n][rungs] from [n][CONTEXT], [n][rungs][RUNG] and which rungs there are."""
        embedded = torch.relu(self.context(context)[:, None] + self.rung(rungs))
        there = mask[:, :, None].to(embedded.dtype)
        mean = (embedded * there).sum(1) / there.sum(1)
        last = (embedded * rungs[:, :, IS_LAST, None]).sum(1)
        mixed = torch.relu(self.own(embedded) + (self.mean(mean) + self.last(last))[:, None])
        scores = self.score(torch.relu(self.narrow(mixed)))[..., 0]
        return scores.masked_fill(~mask, -1e9)


def without_audio_ahead(policy: Policy) -> Policy:
    """Sets the weights of `AUDIO_AHEAD` to 0 and keeps them there: in the chunk model alone they would stay as they were drawn."""
    weight, unused = policy.context.weight, torch.tensor([AUDIO_AHEAD])
    with torch.no_grad():
        weight[:, unused] = 0
    weight.register_hook(lambda gradient: gradient.index_fill(1, unused, 0))
    return policy


class Ensemble(nn.Module):
    """Policies that were trained apart, and the mean of their scores."""

    def __init__(self, policies: list[Policy]):
        super().__init__()
        if len({(policy.context.out_features, policy.narrow.out_features) for policy in policies}) != 1:
            raise ValueError("The nets of an ensemble are to be of one width.")
        self.policies = nn.ModuleList(policies)

    def forward(self, context: Tensor, rungs: Tensor, mask: Tensor) -> Tensor:
        return torch.stack([policy(context, rungs, mask) for policy in self.policies]).mean(0)
