"""The ways of a unit that a client draws under the pointer: a flight straight ahead, or a move on the ground."""

from __future__ import annotations

from typing import Any

import msgspec

from opfire.core.actions import Refusal
from opfire.core.flow import Frame
from opfire.rulesets.panzer.air.crossing import way_ahead
from opfire.rulesets.panzer.air.phase import Fly, Flying
from opfire.rulesets.panzer.moving import reaching
from opfire.rulesets.panzer.moving.going import Going, Move, after, allowed_to
from opfire.rulesets.panzer.moving.movement import Moving
from opfire.rulesets.panzer.moving.step import MovementStep
from opfire.rulesets.panzer.pieces import Hex, Position, Side, Unit, UnitId


def reach(sight: Position, side: Side, *, unit: UnitId, frame: Frame | None = None) -> dict[str, Any]:
    """The hexes to which a unit can go: an aircraft in one leg, others by a whole move [6.7.2.3, 4.5.1.1]."""
    match frame:
        case Flying() if frame.unit == unit:
            return {"places": _flights(sight, unit)}
        case MovementStep() if not any(True for _ in frame.acts(sight, side, unit)):
            return {"places": []}
        case MovementStep() | Moving():
            return reaching.reach(sight, side, unit=unit, frame=frame)
    return {"places": []}


def _flights(sight: Position, unit: UnitId) -> list[dict[str, Any]]:
    """The hexes straight ahead of an aircraft [6.7.2.3]."""
    ahead = [*way_ahead(sight, sight.units[unit])]
    path = [sight.units[unit].airborne.hex, *ahead]
    return [
        {
            "place": hex,
            "cost": 0,
            "left": 0,
            "path": path[: steps + 1],
            "steps": [msgspec.to_builtins(Fly(unit, hex))],
            "fire": [],
        }
        for steps, hex in enumerate(ahead, 1)
    ]


def steps(sight: Position, side: Side, *, unit: UnitId, frame: Frame | None = None) -> dict[str, Any]:
    """The movement that a unit has left, and the price of each step that it may take now [4.5.1.1, 6.6.4.1].

    Before its first step it is the allowance across country, and a step along a road has the price of that.
    """
    mover = sight.units[unit]
    going = frame.going if isinstance(frame, Moving) and frame.unit == unit else Going()
    costs: dict[Hex, int] = {}
    for to in sight.map.neighbours[mover.hex] if mover.hex is not None else ():
        prices = () if to is None else _prices(sight, mover, to, going)
        if to is not None and prices:
            costs[to] = min(prices)
    return {"left": max(0, allowed_to(sight, mover, going) - going.spent), "costs": costs}


def _prices(sight: Position, mover: Unit, to: Hex, going: Going) -> tuple[int, ...]:
    """The prices of a step, across country and along the road, as far as each is possible."""
    tried = (after(sight, mover, Move(mover.id, to, along), going) for along in (False, True))
    return tuple(gone.spent - going.spent for gone in tried if not isinstance(gone, Refusal))
