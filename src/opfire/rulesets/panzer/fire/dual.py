"""Dual Fire [5.14]: a second weapon of a unit that has fired one."""

from __future__ import annotations

from opfire.core.actions import Refusal
from opfire.rulesets.panzer.charts import Vehicle
from opfire.rulesets.panzer.fire.arms import Arm, arm_at, arms_at, arms_of
from opfire.rulesets.panzer.pieces import Position, Unit


def may_fire_more(position: Position, unit: Unit) -> bool:
    """Return whether a unit that has fired may fire another weapon: not sections, nor suppressed units.

    Rules: [5.1.1-a, 5.1.2, 5.14].
    """
    if not position.setting.advanced or unit.suppression or unit.kind.category == "section":
        return False
    if isinstance(unit.kind, Vehicle):
        return unit.kind.dual_fire and len(unit.arms) == 1
    return len(unit.arms) <= len(unit.weapons)


def cannot_fire_too(position: Position, unit: Unit, target: Unit, weapon: str) -> Refusal | None:
    """Reject another shot of a unit that has fired, except one with its other weapon [4.4.1-b, 5.1.2, 5.14].

    The weapon to which the Dual Fire modifiers apply comes second: RULINGS.md R68.
    """
    if not unit.fired and not unit.arms:
        return None
    if not weapon or not may_fire_more(position, unit):
        return _one_alone(position, unit, weapon) or Refusal("{} has fired", "4.4.1-b", (unit.name,))
    if weapon.split()[0] in {used.split()[0] for used in unit.arms if used}:
        return Refusal("{} has fired this weapon", "4.4.1-b", (unit.name,))
    arm = arm_at(position, unit, target, weapon)
    return None if isinstance(arm, Refusal) else _first_only(unit, arm)


def _one_alone(position: Position, unit: Unit, weapon: str) -> Refusal | None:
    """Reject another weapon of a section, or of a suppressed unit: they fire one [5.1.2, 5.14]."""
    if not unit.arms or "" in unit.arms:  # the unit's choice, not known before it fires
        return None
    spent = {used.split()[0] for used in unit.arms}
    others = [arm for arm in arms_of(position, unit) if arm.name.split()[0] not in spent]
    if not any(weapon in ("", arm.name, arm.row.weapon) for arm in others):
        return None
    if unit.kind.category == "section":
        return Refusal("{} is a section, and fires a single weapon", "5.1.2", (unit.name,))
    return Refusal("{} is suppressed, and fires a single weapon", "5.14", (unit.name,)) if unit.suppression else None


def _first_only(unit: Unit, arm: Arm) -> Refusal | None:
    """Reject as second a weapon that is not the one for Dual Fire [5.14]."""
    if arm.extra:
        return None
    return Refusal("{} fires its other weapon second: announce {} first", "5.14", (unit.name, arm.row.name))


def ways_at(position: Position, unit: Unit, target: Unit) -> list[str]:
    """The names of the weapons with which a unit may fire at a target now; an empty one stands for its choice."""
    found = arms_at(position, unit, target)
    if not unit.arms:
        return ["", *(arm.name for arm in found[1:])] if found else []
    return [arm.name for arm in found if cannot_fire_too(position, unit, target, arm.name) is None]
