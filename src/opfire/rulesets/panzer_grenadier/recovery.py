"""recovery."""

from __future__ import annotations

from collections.abc import Iterator

from opfire.core.actions import Action, Refusal
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.rulesets.panzer_grenadier.pieces import Position, Side, Unit

ACTS: tuple[type[Action], ...] = ()


def choices(position: Position, unit: Unit) -> Iterator[Action]:
    """What an activated unit may do."""
    return iter(())


def refusal(position: Position, side: Side, action: Action) -> Refusal | None:
    """Why not, or None."""
    return None


def play(game: Game[Position], side: Side, action: Action) -> None:
    """Do it."""


FRAMES: tuple[type[Frame], ...] = ()
