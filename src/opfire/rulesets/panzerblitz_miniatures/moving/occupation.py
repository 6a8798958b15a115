"""The places that stands occupy: fortifications, improved positions, floors of buildings [FRT, IMP, BLD]."""

from __future__ import annotations

from collections.abc import Iterable

from opfire.core.actions import Refusal
from opfire.core.places import INCH, Point
from opfire.rulesets.panzerblitz_miniatures.moving.works import Work
from opfire.rulesets.panzerblitz_miniatures.pieces import Position, Stand, UnitId
from opfire.space.terrain.exact import Ring
from opfire.space.terrain.features import Feature

WORKS = ("fort", "improved position 1", "improved position 2")
"""The works that a stand can be in; they serve as Firing Positions too [OPP-2]: RULINGS.md R19."""

OUTSIDE = 0
"""The floor of a stand that is in no building."""


def work_at(position: Position, at: Point) -> Work | None:
    """The fortification or improved position in which a stand with this centre is: its square holds the centre."""
    return next((work for work in position.works.values() if work.kind in WORKS and _holds(work, at)), None)


def _holds(work: Work, at: Point) -> bool:
    return all(2 * abs(a - b) <= INCH for a, b in zip(work.at, at, strict=True))


def occupants(position: Position, work: Work, unit: Stand) -> list[Stand]:
    """The other stands in a work."""
    return [other for other in position.units.values() if other.work == work.id and other.id != unit.id]


# --- buildings ------------------------------------------------------------------------------------------------


def building_at(position: Position, at: Point) -> Feature | None:
    """The building that holds a point."""
    features = position.table.ground.at(at).features
    return next((feature for feature in features if feature.kind == "building"), None)


def room_of_a_floor(position: Position, building: Feature) -> int:
    """The number of stands for which the footprint of a building has room, one at least [BLD-4]: RULINGS.md R82."""
    doubled = sum(
        abs(_doubled_area(rings[0])) - sum(map(abs, map(_doubled_area, rings[1:]))) for rings in building.parts
    )
    return max(1, doubled // (2 * position.setting.base**2))


def _doubled_area(ring: Ring) -> int:
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(ring, (*ring[1:], ring[0]), strict=True))


def on_floor(position: Position, building: Feature, floor: int, unit: Stand) -> list[Stand]:
    """The other stands on a floor of a building."""
    inside = (other for other in position.units.values() if other.floor == floor and other.id != unit.id)
    return [other for other in inside if other.at is not None and building_at(position, other.at) == building]


def no_floor(position: Position, unit: Stand, building: Feature, floor: int) -> Refusal | None:
    """Reject a floor with enemies on it, or without room [BLD-4, BLD-6]."""
    there = on_floor(position, building, floor, unit)
    if enemy := next((other for other in there if other.side != unit.side), None):
        return Refusal("{} is on floor {} of {}", "BLD-6", (enemy.name, floor, building.name))
    if len(there) >= room_of_a_floor(position, building):
        return Refusal("Floor {} of {} has no room left", "BLD-4", (floor, building.name))
    return None


def floors(building: Feature) -> Iterable[int]:
    """The floors of a building, from 1 up."""
    return range(1, max(building.floors, 1) + 1)


def free_floor(position: Position, unit: Stand, building: Feature) -> int:
    """The lowest floor that takes a stand; OUTSIDE if none does. A stand that comes in takes it: RULINGS.md R82."""
    return next((n for n in floors(building) if no_floor(position, unit, building, n) is None), OUTSIDE)


# --- entering -------------------------------------------------------------------------------------------------


def cannot_occupy(position: Position, unit: Stand, at: Point) -> Refusal | None:
    """Reject the end of a move in a fortification, an improved position or a building that is taken."""
    if not unit.vehicle and (building := building_at(position, at)):
        return None if free_floor(position, unit, building) else no_floor(position, unit, building, 1)
    work = work_at(position, at)
    return None if work is None else _taken(position, unit, work)


def _taken(position: Position, unit: Stand, work: Work) -> Refusal | None:
    there = occupants(position, work, unit)
    if enemy := next((other for other in there if other.side != unit.side), None):
        return Refusal("{} holds these works", "MOV-9", (enemy.name,))
    if work.kind == "fort" and len(there) >= position.setting.sections.fort_room:
        return Refusal("{} has no room left", "FRT-3", ("The fortification",))
    return None


def has_room(position: Position, unit: Stand, at: Point) -> bool:
    """Return whether a stand there is in a building or shares a fortification: others in it leave it room [BLD-3]."""
    if not unit.vehicle and building_at(position, at):
        return True
    work = work_at(position, at)
    return work is not None and work.kind == "fort" and bool(occupants(position, work, unit))


def move_in(position: Position, unit_id: UnitId) -> None:
    """Note the works or the floor in which a stand of any kind is at its place [FRT-9, IMP-3, IMP-4, BLD-1]."""
    unit = position.units[unit_id]
    assert unit.at is not None
    building = None if unit.vehicle or unit.aircraft else building_at(position, unit.at)
    work = None if building or unit.aircraft else work_at(position, unit.at)
    floor = free_floor(position, unit, building) if building else OUTSIDE
    position.change(unit_id, work=work.id if work else "", floor=floor)
