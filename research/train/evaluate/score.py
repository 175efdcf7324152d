"""Plays a policy greedily, as `pitwall sim` does: chunk model, argmax, from the start of each trace."""

import numpy as np
import torch

from draw.qoe import mu, worth
from draw.scenes import cut, padded
from env.chunk_env import MAX_RUNGS, UNKNOWN, Scenes, Sessions, Video, World
from env.player_env import PlayerSessions
from links.traces import Trace
from nets.net import Policy


def greedy(policy: Policy, sessions: Sessions | PlayerSessions) -> tuple[np.ndarray, np.ndarray]:
    """Sums of rewards in seconds of stall, and how many segments each session was scored on."""
    total, scored = np.zeros(sessions.n), np.zeros(sessions.n)
    mask = torch.from_numpy(sessions.mask)
    with torch.no_grad():
        while True:
            done, _ = sessions.status()
            if done.all():
                return total, scored
            context, rungs = sessions.observe()
            choice = policy(torch.from_numpy(context), torch.from_numpy(rungs), mask).argmax(1)
            reward, _ = sessions.step(choice.numpy())
            total += reward
            scored += ~done


def published_scenes(world: World, qoe: str, cap_ms: float = 60000.0) -> Scenes:
    """Each trace of the world with its first video, as every published test has it; but for the buffer, if another is wanted."""
    n = len(world.traces)
    video: Video = world.videos[0]
    return Scenes(
        trace=np.arange(n),
        video=np.zeros(n),
        start_ms=np.array([trace.start_ms for trace in world.traces]),
        scale=np.ones(n),
        rtt_ms=np.full(n, 80.0),
        swing=np.zeros(n),
        cap_ms=np.full(n, cap_ms),
        worth=np.tile(padded(worth(qoe, video.bitrates_kbps)), (n, 1)),
        first_segment=np.zeros(n),
        first_rung=np.full(n, min(1, len(video.bitrates_kbps) - 1)),
        buffer_ms=np.zeros(n),
        seed=np.zeros(n),
        protocol=np.full(n, UNKNOWN),
        audio_bytes=np.zeros(n),
        reconnects=np.zeros(n),
    )


def qoe_per_chunk(policy: Policy, world: World, qoe: str, cap_ms: float = 60000.0) -> np.ndarray:
    """By trace, in the unit of the QoE."""
    kbps = world.videos[0].bitrates_kbps
    sessions = Sessions(world, published_scenes(world, qoe, cap_ms), min(MAX_RUNGS, len(kbps)))
    total, scored = greedy(policy, sessions)
    return total / scored * mu(qoe, kbps)


def windows(traces: list[Trace], seconds: float = 260.0) -> list[Trace]:
    """Traces in pieces of about the length of the published test traces; rests shorter than that are left out."""
    found = []
    for trace in traces:
        length = (trace.end_ms[-1] - trace.start_ms) / 1000
        if length < seconds:
            found.append(cut(trace, 0, length))
        found += [cut(trace, at, at + seconds) for at in np.arange(0, length - seconds + 1e-6, seconds)]
    return found
