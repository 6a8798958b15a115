"""Winning [1.14, 2.3]: the scenario's conditions; scores, progress, and how far apart the sides are."""

from __future__ import annotations

from typing import Any

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
    points = dict.fromkeys(position.setting.sides, 0)
    for condition in position.setting.scenario.victory:
        points[condition.side] += condition.points * have(position, condition)
    return points


def verdict(position: Position) -> tuple[Side | None, str]:
    """Who would win now, and at what level: marginal and decisive by the scenario's margins, else a draw."""
    points, levels = scores(position), position.setting.scenario.levels
    ahead = max(points, key=lambda side: points[side])
    lead = points[ahead] - points[position.setting.other[ahead]]
    if lead >= levels.decisive:
        return ahead, "decisive"
    return (ahead, "marginal") if lead >= levels.marginal else (None, "draw")


def outcome(position: Position) -> Outcome:
    """The end of the game."""
    winner, level = verdict(position)
    points = scores(position)
    tally = ", ".join(f"{position.setting.scenario.sides[side].name} {points[side]}" for side in points)
    if winner is None:
        return Outcome(None, "draw", f"A draw: {tally}")
    name = position.setting.scenario.sides[winner].name
    return Outcome(winner, level, f"{name} {level} victory: {tally}")


def progress(position: Position) -> list[dict[str, Any]]:
    """Every victory condition in words, with how much of it is met."""
    return [_progress(position, condition) for condition in position.setting.scenario.victory]


def _progress(position: Position, condition: Victory) -> dict[str, Any]:
    held = have(position, condition)
    return {
        "side": condition.side,
        "text": _words(condition),
        "have": held,
        "want": len(condition.hexes) if condition.condition == "control" else None,
        "points": condition.points * held,
        "each": condition.points,
        "hexes": list(condition.hexes),
    }


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
