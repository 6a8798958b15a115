"""What a position is worth and which moves make sense: what computer players ask this ruleset."""

from __future__ import annotations

from opfire.core.actions import Action
from opfire.core.flow import Frame
from opfire.core.ruleset import Suggestion
from opfire.rulesets.case_orange.pieces import Position, Side
from opfire.rulesets.case_orange.victory import scores


def appraise(sight: Position, side: Side) -> float:
    """What the position is worth to a side: its lead in victory points."""
    points = scores(sight)
    return points[side] - points[sight.setting.other[side]]


def suggest(sight: Position, side: Side, frame: Frame, choices: list[Action]) -> list[Suggestion]:
    """Moves that make sense, best first."""
    return []
