"""Victory [4.2-F, 4.3]: scores, progress, and the margin between the sides."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from opfire.core.game import Outcome
from opfire.core.scenario import Victory
from opfire.core.texts import Text
from opfire.kit import scoring
from opfire.rulesets.case_orange.pieces import Position, Side, Unit

TERMS = scoring.Terms("Hold", "Eliminate enemy units", "stacking point")
"""The words of this book for its victory conditions."""


def counted(condition: Victory, unit: Unit) -> bool:
    """Return whether a unit counts for a condition."""
    return scoring.counts(condition, (unit.kind.id, unit.kind.type))


def sources(position: Position, condition: Victory) -> Iterator[tuple[str, int]]:
    """Everything that a condition counts: hexes held, units exited or eliminated with their stacking points."""
    side = condition.side
    if condition.condition == "control":
        return scoring.held(condition, position.control)
    ids, other = position.setting.ids, position.setting.other[side]
    gone = scoring.gone(condition, position.pick(ids[side]), position.pick(ids[other]), position.exits)
    return ((unit.id, unit.kind.points) for unit in gone if counted(condition, unit))


def have(position: Position, condition: Victory) -> int:
    """The amount of a condition that is met."""
    return scoring.amount(sources(position, condition))


def scores(position: Position) -> dict[Side, int]:
    """Victory points of each side so far."""
    return scoring.scores(position.setting.scenario, partial(have, position))


def outcome(position: Position) -> Outcome:
    """The end of the game [4.2-F]."""
    return scoring.outcome(position.setting.scenario, scores(position))


def reason(position: Position) -> Text:
    """The reason of that end."""
    return scoring.reason(position.setting.scenario, scores(position))
