"""What `--worlds` names: the chunk model with the links of scenes.py; or both models with those of wide_scenes.py."""

from pathlib import Path

from draw.player_scenes import PlayerDraws
from draw.scenes import Draws
from draw.wide_scenes import WideDraws
from evaluate.families import FamilyValidation
from evaluate.validation import Validation

WORLDS = ("chunk", "both")


def drawn_worlds(worlds: str, root: Path, seed: int, era: int = 0, held: str | None = None) -> list[Draws | PlayerDraws]:
    """The draws of an era: of the chunk model, and of the player model where there are both. `held` is a family that is kept out."""
    if worlds == "chunk":
        return [Draws(root, seed, era, held)]
    draws = WideDraws(root, seed, era, held)
    return [draws, PlayerDraws(draws, seed, era)]


def validation_of(worlds: str, root: Path) -> Validation | FamilyValidation:
    """The scores that its checkpoints are chosen by."""
    return Validation(root) if worlds == "chunk" else FamilyValidation(root)
