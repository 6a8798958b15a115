"""Narrow roads, paths and bridges [7.30]: those that stand in them bar the way."""

from __future__ import annotations

from opfire.core.actions import Refusal
from opfire.rulesets.panzer.charts import Gun
from opfire.rulesets.panzer.pieces import Hex, Position, Unit, overstacked

OPTION = "7.30"


def is_narrow(position: Position, hex: Hex) -> bool:
    """Return whether the scenario calls the road of a hex narrow, and the game counts that [7.30-enter]."""
    return OPTION in position.setting.options and hex in position.setting.sections.conditions.narrow


def bulky(unit: Unit) -> bool:
    """Return whether a unit is bound by narrow roads: vehicles and towed units, not men on foot [7.30-stack]."""
    return unit.is_vehicle or isinstance(unit.kind, Gun)


def held(position: Position, unit: Unit, hex: Hex) -> Refusal | None:
    """Reject a narrow hex with enemies: those on foot are passed by Overrun alone [7.30-enter]."""
    if not is_narrow(position, hex) or not bulky(unit):
        return None
    enemies = [other for other in position.at(hex) if other.side != unit.side]
    if any(other.is_vehicle for other in enemies):
        return Refusal("Enemy vehicles bar the narrow road in {}", "7.30-enter", (hex,))
    if enemies:
        return Refusal("The enemy holds the narrow road in {}: overrun it", "7.30-enter", (hex,))
    return None


def jammed(position: Position, unit: Unit, to: Hex) -> Refusal | None:
    """Reject passing those that stand in a narrow hex, or one unit more than it holds [7.30-stack].

    A unit behind others, or behind a wreck, may go back the way it came: RULINGS.md R154.
    """
    here = str(unit.hex)
    if not bulky(unit):
        return None
    if is_narrow(position, to) and overstacked(position, to, 1):
        return Refusal("The narrow road in {} is full", "7.30-stack", (to,))
    if not is_narrow(position, here) or to == unit.came:
        return None
    ahead = [name for name in unit.behind if name and position.units[name].hex == here]
    if ahead or (unit.behind and here in position.wrecks):
        return Refusal("{} cannot pass what stands in the narrow road in {}", "7.30-stack", (unit.name, here))
    return None


WRECK = ""
"""The mark of a wreck among those that a unit stands behind."""


def line_up(position: Position, unit: Unit, to: Hex) -> None:
    """Note the units and the wreck in a narrow hex that a unit enters, and the hex that it leaves [7.30-stack]."""
    if not is_narrow(position, to) or not bulky(unit):
        return
    there = tuple(other.id for other in position.at(to) if bulky(other) and other.id != unit.id)
    wreck = (WRECK,) if to in position.wrecks else ()
    position.change(unit.id, came=str(unit.hex), behind=(*there, *wreck))
