"""Transporting units [TRN]: carriers and their passengers."""

from __future__ import annotations

from opfire.core.actions import Refusal
from opfire.rulesets.panzerblitz_miniatures.pieces import INFANTRY, Position, Stand


def no_room(position: Position, unit: Stand, carrier: Stand) -> Refusal | None:
    """Reject a carrier without room for this unit, or one that carries no such unit [TRN-1, TRN-2, TRN-11, TRN-14]."""
    if carrier.kind.engineer == "F":
        return _not_aboard_a_ferry(position, unit, carrier)
    if unit.vehicle or unit.aircraft:
        return Refusal("{} is no passenger: carriers take guns and personnel", "TRN-2", (unit.name,))
    if unit.cargo or carrier.carrier is not None:
        return Refusal("{} cannot carry {} now", "TRN-1", (carrier.name, unit.name))
    if engineers := reserved(position, carrier, unit):
        return engineers
    if carrier.kind.carries:
        if len(carrier.cargo) >= carrier.kind.carries:
            return Refusal("{} has no room left", "TRN-16", (carrier.name,))
        return None
    return _no_rider(position, unit, carrier)


def _not_aboard_a_ferry(position: Position, unit: Stand, carrier: Stand) -> Refusal | None:
    """Reject a unit for which a ferry has no room: it takes any unit, vehicles and loaded ones too [FER-1]."""
    if unit.aircraft or unit.kind.engineer == "F":
        return Refusal("{} does not go aboard a ferry", "FER-1", (unit.name,))
    if len(carrier.cargo) >= carrier.kind.carries:
        return Refusal("{} has no room left", "TRN-16", (carrier.name,))
    return None


def reserved(position: Position, carrier: Stand, unit: Stand) -> Refusal | None:
    """Reject all passengers but its engineers for a vehicle with the equipment of engineers [ENG-3]."""
    engineers = (position.units[name] for name in position.setting.ids[carrier.side])
    owner = next((each for each in engineers if each.equipment == carrier.id), None)
    if owner is None or owner.id == unit.id:
        return None
    return Refusal("{} carries the equipment of {}, and nobody else", "ENG-3", (carrier.name, owner.name))


def _no_rider(position: Position, unit: Stand, carrier: Stand) -> Refusal | None:
    """Reject a unit that cannot ride on this armor [TRN-11, TRN-14]."""
    allowed = carrier.kind.riders == "always" or (
        carrier.kind.riders == "scenario" and position.setting.doctrine(carrier.side).riders
    )
    if not allowed:
        return Refusal("{} carries no other unit", "TRN-11", (carrier.name,))
    if unit.kind.type not in INFANTRY:
        return Refusal("{} is not infantry and cannot ride on {}", "TRN-14", (unit.name, carrier.name))
    if carrier.cargo:
        return Refusal("{} carries a unit already", "TRN-11", (carrier.name,))
    return None
