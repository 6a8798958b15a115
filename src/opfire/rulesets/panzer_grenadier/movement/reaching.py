"""The reach of a unit, shown at the table before a move [5.0]."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from opfire.core.flow import Frame
from opfire.rulesets.panzer_grenadier.assault import leaving
from opfire.rulesets.panzer_grenadier.ground import river
from opfire.rulesets.panzer_grenadier.movement import danger, rivers
from opfire.rulesets.panzer_grenadier.movement.costs import allowance, left_of, step_cost, strategic
from opfire.rulesets.panzer_grenadier.movement.moving import Move, Moving
from opfire.rulesets.panzer_grenadier.movement.rivers import needs_roll
from opfire.rulesets.panzer_grenadier.movement.stepping import cannot_move, cannot_step
from opfire.rulesets.panzer_grenadier.pieces import Hex, Position, Side, Unit, UnitId
from opfire.space.paths import path, reachable


def reach(sight: Position, side: Side, *, unit: UnitId, frame: Frame | None = None) -> dict[str, Any]:
    """The reach of an activated unit: the cost, the points left, the path and the possible firers for each hex."""
    mover = sight.units[unit]
    under_way = frame if isinstance(frame, Moving) and frame.unit == unit else None
    if mover.hex is None or sight.activation is None or not (under_way or cannot_move(sight, mover) is None):
        return {"places": []}
    if under_way and under_way.ending:
        return {"places": []}
    left = under_way.left if under_way else left_of(sight, mover)
    fast = under_way.strategic if under_way else strategic(sight, mover)
    found = reachable(mover.hex, lambda hex: _onward(sight, mover, hex, left, fast), left)
    return {
        "rule": "5.1",
        "places": [
            {
                "place": hex,
                "cost": found[hex][0] / 2,
                "left": max(0, left - found[hex][0] - _taken_away(sight, mover, hex, fast)) / 2,
                "path": (way := path(found, hex)),
                "steps": [msgspec.to_builtins(Move(unit, to)) for to in way[1:]],
                "fire": [enemy.id for enemy in danger.dangers(sight, mover, hex)],
            }
            for hex in found
            if hex != mover.hex
        ],
    }


def steps(sight: Position, side: Side, *, unit: UnitId, frame: Frame | None = None) -> dict[str, Any]:
    """The movement points that an activated unit has left, and the price of each step that it may take now [5.1]."""
    mover = sight.units[unit]
    under_way = frame if isinstance(frame, Moving) and frame.unit == unit else None
    if sight.activation is None:
        return {"left": 0.0, "costs": {}}
    left = under_way.left if under_way else left_of(sight, mover)
    costs: dict[Hex, float] = {}
    for to in sight.map.neighbours[mover.hex] if mover.hex is not None else ():
        if to is not None and cannot_step(sight, mover, to, left) is None:
            costs[to] = min(step_cost(sight, mover, str(mover.hex), to) or 0, left) / 2
    return {"left": left / 2, "costs": costs}


def _taken_away(position: Position, unit: Unit, hex: Hex, fast: bool) -> int:
    """The points that a unit at twice its rate loses in a hex where the enemy sees it [17.3]: RULINGS.md P27."""
    there = replace(unit, hex=hex)
    return allowance(position, there) if fast and not strategic(position, there) else 0


def _onward(position: Position, unit: Unit, hex: Hex, left: int, fast: bool) -> Iterator[tuple[Hex, int]]:
    """The next hexes and their prices; the way ends where dice decide, and where the rules end a move."""
    mover = replace(unit, hex=hex)
    if hex != unit.hex and (ends(position, unit, hex) or position.work(hex).mines):
        return
    if _taken_away(position, unit, hex, fast):
        return
    for to in position.map.neighbours[hex]:
        if to is None or cannot_step(position, mover, to, left) or needs_roll(position, mover, to):
            continue
        price = step_cost(position, mover, hex, to)
        if price is not None:
            yield to, min(price, left) if hex == unit.hex else price


def ends(position: Position, unit: Unit, hex: Hex) -> bool:
    """Whether a shown way ends in a hex that it has led to.

    A move out of an assault hex is one hex long [5.32], into another none. In and over a river, off its bridges, the
    way on depends on the hex before [5.72]: it is shown from hex to hex, except for trains and vessels [15.2].
    """
    assert unit.hex is not None
    if leaving.leaving(position, unit) or position.assault_hex(hex):
        return True
    if unit.type_in("train", "vessel"):
        return False
    bridged = position.map.cells[hex].bridge or rivers.passable(position, None, hex)
    return unit.afloat > 0 or (bool(river(position, hex)) and not bridged)
