"""What is played while training: EnvivioDash3, and made-up videos of any ladder and segment length."""

from pathlib import Path

import numpy as np

from env.chunk_env import Video

ENVIVIO_KBPS = np.array([300, 750, 1200, 1850, 2850, 4300], float)


def envivio(traces_folder: Path) -> Video:
    rows = [np.loadtxt(traces_folder / "pensieve" / f"video_size_{rung}") for rung in range(6)]
    return Video(ENVIVIO_KBPS, np.stack(rows), 4000.0, 48)


def made_up(random: np.random.Generator, rungs: int) -> Video:
    """A ladder that spans a factor of 3 to 200, roughly geometric, and sizes that vary together from scene to scene."""
    segment_ms = float(random.choice([1000, 2000, 2000, 3000, 4000, 4000, 5000, 6000, 8000, 10000]))
    top = np.exp(random.uniform(np.log(1000), np.log(40000)))
    span = np.log(random.uniform(3, 50 if rungs < 8 else 200)) if rungs > 2 else np.log(random.uniform(1.5, 6))
    steps = random.dirichlet(np.full(rungs - 1, 6.0)) if rungs > 1 else np.array([])
    kbps = np.round(top * np.exp(-span * (1 - np.concatenate([[0], np.cumsum(steps)]))), 1)
    segments = int(random.integers(48, 220))
    spread = random.uniform(0, 0.35)
    scene = np.zeros(segments + 6)
    for at in range(1, len(scene)):
        scene[at] = 0.6 * scene[at - 1] + 0.8 * random.normal()
    own = random.normal(size=(rungs, len(scene))) * random.uniform(0, 0.08)
    factor = np.exp(np.clip(spread * scene[None] + own, -1.2, 1.2) - spread**2 / 2)
    return Video(kbps, np.ceil(kbps[:, None] * segment_ms / 8 * factor), segment_ms, segments)
