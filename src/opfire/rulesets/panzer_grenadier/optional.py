"""Optional rules [17]: consolidation, excess initiative, random events."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from opfire.core.actions import Action, Refusal
from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.rulesets.panzer_grenadier.actions import Pass
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


# --- excess initiative [17.2] ---------------------------------------------------------------------------------


class SaveSegment(Action, frozen=True):
    """Save one of the segments that the initiative gives [17.2]."""

    says = "Save one segment for later in the turn"
    kind = "save"
    final = True


def saves_a_segment(position: Position) -> bool:
    """Whether the winner of the initiative may save one of three segments or more [17.2]."""
    return position.setting.has("17.2") and position.lead >= 3


class Saving(Frame, frozen=True):
    """The winner of the initiative may save a segment [17.2]."""

    acts = (SaveSegment, Pass)
    step = "saving"
    rule = "17.2"
    question = "Save one of your segments for later in the turn, or pass"

    def choices(self, sight: Position) -> Iterator[Action]:
        """Yes or no."""
        yield SaveSegment()
        yield Pass()

    def play(self, game: Game[Any], action: Action) -> None:
        """Note it."""
        position = game.state
        if isinstance(action, SaveSegment):
            position.lead -= 1
            position.change_army(self.side, banked=True)
            game.tell(Event("initiative", "{} saves a segment", (self.side.capitalize(),), "17.2"))
        game.pop()


# --- random events [17.5] -------------------------------------------------------------------------------------


def random_event(game: Game[Position]) -> bool:
    """Whether equal initiative dice bring a random event [17.5]."""
    return False


FRAMES: tuple[type[Frame], ...] = (Saving,)
