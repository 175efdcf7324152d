"""Trains a policy with PPO, by rounds that can be stopped and taken up: `train.py --traces DIR --run DIR`, or --help."""

import argparse
import json
import time
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

from chunk_env import CONTEXT, FUTURE, RUNG, Sessions
from net import Critic, Policy
from scenes import Draws
from validation import Validation

GAMMA, LAMBDA, CLIP = 0.96, 0.92, 0.2
DECISIONS = 47
LONGEST_STALL = 6.0
"""Seconds that a stall costs at most while training; one outage is not to drown a round."""
COMMON = 0.8
"""Advantages are measured by the one that this share stays below: a few outages would make a standard deviation."""


class Round:
    """What n sessions saw, did and got: tensors [decisions][n]…"""

    def __init__(self, sessions: Sessions, policy: Policy, random: np.random.Generator):
        n, width = sessions.n, sessions.width
        self.mask = torch.from_numpy(sessions.mask)
        self.context = torch.zeros(DECISIONS + 1, n, CONTEXT)
        self.rungs = torch.zeros(DECISIONS + 1, n, width, RUNG)
        self.future = torch.zeros(DECISIONS + 1, n, FUTURE)
        self.action = torch.zeros(DECISIONS, n, dtype=torch.long)
        self.odds_ln = torch.zeros(DECISIONS, n)
        self.reward = np.zeros((DECISIONS, n))
        self.alive = np.zeros((DECISIONS + 1, n), bool)
        with torch.no_grad():
            for at in range(DECISIONS):
                self._see(at, sessions)
                scores = functional.log_softmax(policy(self.context[at], self.rungs[at], self.mask), 1)
                noise = torch.from_numpy(random.gumbel(size=scores.shape).astype(np.float32))
                self.action[at] = (scores + noise).argmax(1)
                self.odds_ln[at] = scores.gather(1, self.action[at][:, None])[:, 0]
                reward, stall_ms = sessions.step(self.action[at].numpy())
                self.reward[at] = reward + np.maximum(stall_ms / 1000 - LONGEST_STALL, 0)
            self._see(DECISIONS, sessions)

    def _see(self, at: int, sessions: Sessions) -> None:
        self.alive[at] = ~sessions.status()[0]
        seen = sessions.observe(with_future=True)
        for kept, now in zip((self.context, self.rungs, self.future), seen, strict=True):
            kept[at] = torch.from_numpy(now)

    def advantages(self, critic: Critic) -> tuple[torch.Tensor, torch.Tensor]:
        """Generalised advantage estimates, and the returns that the critic is to tell."""
        with torch.no_grad():
            values = critic(self.context.flatten(0, 1), self.rungs.flatten(0, 1), self.future.flatten(0, 1))
        values = values.view(DECISIONS + 1, -1).double().numpy() * self.alive
        advantage, later = np.zeros_like(self.reward), 0.0
        for at in reversed(range(DECISIONS)):
            surprise = self.reward[at] + GAMMA * values[at + 1] - values[at]
            later = (surprise + GAMMA * LAMBDA * later) * self.alive[at]
            advantage[at] = later
        returns = advantage + values[:-1]
        return torch.from_numpy(advantage).float(), torch.from_numpy(returns).float()


class Trainer:
    """Nets, optimisers and the count of rounds; `save` and `load` make a run that stops one that goes on."""

    def __init__(self, options: argparse.Namespace):
        torch.manual_seed(options.seed)
        self.options = options
        self.policy, self.critic = Policy(), Critic()
        self.actor_steps = torch.optim.Adam(self.policy.parameters(), lr=options.rate, eps=1e-5)
        self.critic_steps = torch.optim.Adam(self.critic.parameters(), lr=1e-3, eps=1e-5)
        self.draws = Draws(options.traces, options.seed)
        self.rounds, self.seconds, self.best = 0, 0.0, -np.inf

    def round(self) -> dict[str, float]:
        began = time.process_time()
        options = self.options
        left = 1 - self.rounds / options.rounds
        random = np.random.default_rng([options.seed, 2, self.rounds])
        scenes, width = self.draws.draw(random, options.sessions, wide=self.rounds % 3 == 2)
        played = Round(Sessions(self.draws.world, scenes, width), self.policy, random)
        advantage, returns = played.advantages(self.critic)
        for group in self.actor_steps.param_groups:
            group["lr"] = options.rate * max(left, 0.03)
        for group in self.critic_steps.param_groups:
            group["lr"] = 1e-3 * max(left, 0.1)
        figures = self._learn(played, advantage, returns, entropy=options.entropy * max(left, 0.0) ** 1.5)
        self.rounds += 1
        self.seconds += time.process_time() - began
        return figures

    def _learn(self, played: Round, advantage, returns, entropy: float) -> dict[str, float]:
        alive = torch.from_numpy(played.alive[:-1]).flatten()
        some = torch.nonzero(alive)[:, 0]
        flat = [part[:-1].flatten(0, 1) for part in (played.context, played.rungs, played.future)]
        context, rungs, future = flat
        action, odds_ln = played.action.flatten(), played.odds_ln.flatten()
        mask = played.mask[None].expand(DECISIONS, -1, -1).flatten(0, 1)
        advantage, returns = advantage.flatten(), returns.flatten()
        spread = advantage[some].abs().quantile(COMMON)
        weight = ((advantage - advantage[some].median()) / (spread + 1e-6)).clamp(-4, 4)
        losses = []
        for _ in range(self.options.passes):
            for batch in some[torch.randperm(len(some))].split(self.options.batch):
                scores = functional.log_softmax(self.policy(context[batch], rungs[batch], mask[batch]), 1)
                ratio = (scores.gather(1, action[batch][:, None])[:, 0] - odds_ln[batch]).exp()
                gain = torch.min(ratio * weight[batch], ratio.clamp(1 - CLIP, 1 + CLIP) * weight[batch]).mean()
                chaos = -(scores.exp() * scores.clamp(min=-50)).sum(1).mean()
                if self.rounds >= self.options.listen:
                    _take(self.actor_steps, -gain - entropy * chaos, self.policy)
                told = self.critic(context[batch], rungs[batch], future[batch])
                missed = functional.smooth_l1_loss(told, returns[batch], beta=2.0)
                _take(self.critic_steps, missed, self.critic)
                losses.append((chaos.item(), missed.item()))
        chaos, missed = np.mean(losses, 0)
        return {"reward": float(played.reward.sum() / alive.sum()), "entropy": chaos, "critic": missed, "spread": float(spread)}

    def save(self, file: Path) -> None:
        parts = {name: getattr(self, name).state_dict() for name in ("policy", "critic", "actor_steps", "critic_steps")}
        counts = {"rounds": self.rounds, "seconds": self.seconds, "best": self.best, "random": torch.get_rng_state()}
        part = file.with_suffix(".part")
        torch.save({**parts, **counts, "options": {k: str(v) for k, v in vars(self.options).items()}}, part)
        part.rename(file)

    def load(self, file: Path) -> None:
        kept = torch.load(file, weights_only=True)
        for name in ("policy", "critic", "actor_steps", "critic_steps"):
            getattr(self, name).load_state_dict(kept[name])
        self.rounds, self.seconds, self.best = kept["rounds"], kept["seconds"], kept["best"]
        torch.set_rng_state(kept["random"])


def _take(steps: torch.optim.Optimizer, loss: torch.Tensor, net: torch.nn.Module) -> None:
    steps.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), 0.5)
    steps.step()


def main() -> None:
    options = parsed()
    torch.set_num_threads(options.threads)
    options.run.mkdir(parents=True, exist_ok=True)
    trainer, validation = Trainer(options), Validation(options.traces)
    latest = options.run / "latest.pt"
    if latest.exists():
        trainer.load(latest)
    elif options.begin_with:
        trainer.policy.load_state_dict(torch.load(options.begin_with, weights_only=True)["policy"])
    while trainer.rounds < options.rounds:
        figures = trainer.round()
        if trainer.rounds % options.every and trainer.rounds < options.rounds:
            continue
        scores = validation.scores(trainer.policy)
        chosen_by = scores["3g lin"]
        if chosen_by > trainer.best:
            trainer.best = chosen_by
            trainer.save(options.run / "best.pt")
        trainer.save(latest)
        row = {"round": trainer.rounds, "seconds": round(trainer.seconds, 1), **figures, **scores}
        with (options.run / "curve.jsonl").open("a") as curve:
            curve.write(json.dumps({name: round(value, 4) for name, value in row.items()}) + "\n")
        print(" ".join(f"{name}={value:.3f}" for name, value in row.items()), flush=True)


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--traces", type=Path, required=True, help="the folder that split.json names files of")
    parser.add_argument("--run", type=Path, required=True, help="where checkpoints and the curve go; taken up if there")
    parser.add_argument("--begin-with", type=Path, help="a checkpoint whose policy to begin with (imitate.py)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=1500)
    parser.add_argument("--sessions", type=int, default=256)
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--batch", type=int, default=2048)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--entropy", type=float, default=0.02)
    parser.add_argument("--every", type=int, default=25, help="rounds between two validations")
    parser.add_argument("--listen", type=int, default=15, help="rounds in which only the critic learns")
    parser.add_argument("--threads", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    main()
