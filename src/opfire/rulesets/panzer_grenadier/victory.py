"""Winning [1.14, 2.3]: the scenario's conditions; scores, progress, and the margin between the sides."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from opfire.core.game import Outcome
from opfire.core.scenario import Victory
from opfire.core.texts import Text
from opfire.kit import scoring
from opfire.rulesets.panzer_grenadier.pieces import Position, Side, Unit

TERMS = scoring.Terms("Control", "Inflict step losses", "step")
"""The words of this book for its victory conditions."""


def counted(condition: Victory, unit: Unit) -> bool:
    """Return whether a unit counts for a condition; a leader is of the type `leader`."""
    return scoring.counts(condition, ("leader",) if unit.kind is None else (unit.kind.id, unit.kind.type))


def steps_lost(unit: Unit) -> int:
    """The steps that a unit has lost so far; 0 for a leader."""
    if unit.kind is None:
        return 0
    return unit.kind.steps if unit.status == "eliminated" else int(unit.reduced)


def sources(position: Position, condition: Victory) -> Iterator[tuple[str, int]]:
    """Everything that a condition counts: hexes held, steps of units exited or lost."""
    side = condition.side
    if condition.condition == "control":
        return scoring.held(condition, position.control)
    if condition.condition == "exit":
        mine = position.pick(name for name, hex in position.exits.items() if hex in condition.places)
        return ((unit.id, unit.steps) for unit in mine if unit.side == side and counted(condition, unit))
    enemy = position.pick(position.setting.ids[position.setting.other[side]])
    return ((unit.id, lost) for unit in enemy if (lost := steps_lost(unit)) and counted(condition, unit))


def have(position: Position, condition: Victory) -> int:
    """The amount of a condition that is met."""
    return scoring.amount(sources(position, condition))


def scores(position: Position) -> dict[Side, int]:
    """Victory points of each side so far."""
    return scoring.scores(position.setting.scenario, partial(have, position))


def outcome(position: Position) -> Outcome:
    """The end of the game."""
    return scoring.outcome(position.setting.scenario, scores(position))


def reason(position: Position) -> Text:
    """The reason of that end, to be filled in for each reader."""
    return scoring.reason(position.setting.scenario, scores(position))
