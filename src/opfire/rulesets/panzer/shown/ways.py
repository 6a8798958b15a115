"""The ways of a unit that a client draws under the pointer: the flight straight ahead [6.7.2.3]."""

from __future__ import annotations

from typing import Any

import msgspec

from opfire.core.flow import Frame
from opfire.rulesets.panzer.air.crossing import way_ahead
from opfire.rulesets.panzer.air.phase import Fly, Flying
from opfire.rulesets.panzer.pieces import Position, Side, UnitId


def reach(sight: Position, side: Side, *, unit: UnitId, frame: Frame | None = None) -> dict[str, Any]:
    """The hexes to which an aircraft can fly in one leg; units on the ground move step by step and have none."""
    if not isinstance(frame, Flying) or frame.unit != unit:
        return {"places": []}
    ahead = [*way_ahead(sight, sight.units[unit])]
    path = [sight.units[unit].airborne.hex, *ahead]
    return {
        "places": [
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
    }
