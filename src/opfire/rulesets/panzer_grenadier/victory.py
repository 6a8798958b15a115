"""Winning [1.14, 2.3]: the scenario's conditions; scores, progress, and how far apart the sides are."""

from __future__ import annotations

from functools import partial
from typing import Any

from opfire.core import victory
from opfire.core.game import Outcome
from opfire.core.scenario import Victory
from opfire.rulesets.panzer_grenadier.pieces import Position, Side, Unit


def counted(condition: Victory, unit: Unit) -> bool:
    """Whether a unit counts for a condition: not of an excepted type, or of one of the only types."""
    named = ("leader",) if unit.kind is None else (unit.kind.id, unit.kind.type)
    if condition.only and not any(name in condition.only for name in named):
        return False
    return not any(name in condition.except_ for name in named)


def steps_lost(unit: Unit) -> int:
    """The steps that a unit has lost so far; a leader is none."""
    if unit.kind is None:
        return 0
    return unit.kind.steps if unit.status == "eliminated" else int(unit.reduced)


def have(position: Position, condition: Victory) -> int:
    """How much of a condition is met: hexes held, steps exited or eliminated."""
    side = condition.side
    if condition.condition == "control":
        return sum(position.control.get(hex) == side for hex in condition.hexes)
    if condition.condition == "exit":
        mine = position.pick(name for name, hex in position.exits.items() if hex in condition.hexes)
        return sum(unit.steps for unit in mine if unit.side == side and counted(condition, unit))
    enemy = position.pick(position.setting.ids[position.setting.other[side]])
    return sum(steps_lost(unit) for unit in enemy if counted(condition, unit))


def scores(position: Position) -> dict[Side, int]:
    """Victory points of each side so far."""
    return victory.scores(position.setting.scenario, partial(have, position))


def verdict(position: Position) -> tuple[Side | None, str]:
    """Who would win now, and at what level: marginal and decisive by the scenario's margins, else a draw."""
    return victory.verdict(position.setting.scenario, scores(position))


def outcome(position: Position) -> Outcome:
    """The end of the game."""
    return victory.outcome(position.setting.scenario, scores(position))


def progress(position: Position) -> list[dict[str, Any]]:
    """Every victory condition in words, with how much of it is met."""
    return victory.progress(position.setting.scenario, partial(have, position), _words)


def _words(condition: Victory) -> str:
    each = f"{condition.points} point{'s' if condition.points > 1 else ''}"
    limits = f", {', '.join(condition.only)} only" if condition.only else ""
    limits += f", not {', '.join(condition.except_)}" if condition.except_ else ""
    match condition.condition:
        case "control":
            return f"Control {', '.join(condition.hexes)} at the end: {each} each"
        case "exit":
            return f"Leave the map by {', '.join(condition.hexes)}: {each} a step{limits}"
    return f"Inflict step losses: {each} a step{limits}"
