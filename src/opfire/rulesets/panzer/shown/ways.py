"""The ways of a unit that a client draws under the pointer: a flight straight ahead, or a move on the ground."""

from __future__ import annotations

from typing import Any

import msgspec

from opfire.core.flow import Frame
from opfire.rulesets.panzer.air.crossing import way_ahead
from opfire.rulesets.panzer.air.phase import Fly, Flying
from opfire.rulesets.panzer.moving import reaching
from opfire.rulesets.panzer.moving.movement import MovementStep, Moving
from opfire.rulesets.panzer.pieces import Position, Side, UnitId


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
