"""Bocage [7.45]: leg units dig in at hedgerows, and see through them."""

from __future__ import annotations

from opfire.core.actions import Action, Refusal
from opfire.rulesets.panzer.pieces import Hex, Position, Unit, UnitId

OPTION = "7.45"


class DigHedge(Action, frozen=True):
    """Dig in at the hedgerow between the hex of the unit and a neighbouring one."""

    says = "{unit} digs in at the hedgerow towards {hex}"
    kind = "dig"
    unit: UnitId
    hex: Hex


def cannot_dig_in(position: Position, unit: Unit, hex: Hex) -> Refusal | None:
    """Reject other units than squads and sections with a Move command, and hexsides without a hedgerow [7.45]."""
    if OPTION not in position.setting.options or not unit.is_leg or unit.command != "move":
        return Refusal("{} does not dig in: squads and sections with Move commands do", "7.45", (unit.name,))
    if hex not in position.map.neighbours[str(unit.hex)]:
        return Refusal("{} is not next to {}", "7.45", (hex, unit.hex))
    coords = position.map.coords
    if "hedgerow" in position.setting.ground.sides(coords[str(unit.hex)], coords[hex]):
        return None
    return Refusal("No hedgerow lies between {} and {}", "7.45", (unit.hex, hex))
