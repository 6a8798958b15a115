"""Tank riders [12.5]: fighting vehicles carry troops on their decks, who jump off under fire."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from opfire.core.events import Event
from opfire.core.game import Game
from opfire.core.places import Point, tenths
from opfire.rulesets.micro_armour.moving.loads import is_mount
from opfire.rulesets.micro_armour.moving.marching import cannot_stand, prices, whole_allowance
from opfire.rulesets.micro_armour.moving.points import half
from opfire.rulesets.micro_armour.pieces import Position, Side, Stand, UnitId, gets_aboard
from opfire.rulesets.micro_armour.works.beneath import set_down, stopping
from opfire.space.squares import around

BEHIND = 1
"""The place straight behind a vehicle among those around it, counted from the back."""


def riders(position: Position, unit: Stand) -> list[Stand]:
    """The stands that ride on a fighting vehicle, or are towed by it [12.5]."""
    return position.pick(unit.cargo) if unit.cargo and is_mount(position, unit) else []


def is_rider(position: Position, unit: Stand) -> bool:
    """Return whether a stand is on a fighting vehicle, where it can be attacked separately [12.5]."""
    return unit.carrier is not None and is_mount(position, position.units[unit.carrier])


def targets(position: Position, side: Side) -> Iterator[Stand]:
    """The enemies of a side that it can attack: those on the table, and riders separately [12.5]."""
    for enemy in position.enemies(side):
        yield enemy
        yield from riders(position, enemy)


def places(position: Position, rider: Stand) -> Iterator[Point]:
    """The free places beside a vehicle at which a rider can get off, those behind it first [12.5].

    Places with obstacles that stop a stand come last, and the place in which a weapon is towed first: RULINGS.md R87.
    """
    mount = position.units[rider.carrier or ""]
    assert mount.at is not None
    back = tuple(reversed(around(mount.at, mount.facing)))
    found = back if gets_aboard(position, rider) else (back[BEHIND], *back)
    free = [at for at in dict.fromkeys(found) if _has_room(position, rider, at, mount.facing)]
    yield from sorted(free, key=lambda at: _stops(position, rider, at))


def _has_room(position: Position, rider: Stand, at: Point, facing: int) -> bool:
    if not position.table.holds(at) or prices(position, rider).inch(position.ground.features_at(at)) is None:
        return False
    return cannot_stand(position, rider, at, facing) is None


def _stops(position: Position, rider: Stand, at: Point) -> bool:
    """Return whether a rider sees mines, wire or a ditch at a place that would stop it [11.1.5]."""
    return any(not work.hidden for work in stopping(position, replace(rider, at=at)))


def get_off(game: Game[Position], rider_id: UnitId, at: Point) -> None:
    """Put a rider beside its vehicle: a movement group of its own that has half of its points left [12.5, 8.4.6]."""
    position = game.state
    rider = position.units[rider_id]
    mount = position.units[rider.carrier or ""]
    position.change(mount.id, cargo=tuple(name for name in mount.cargo if name != rider_id))
    values = {"carrier": None, "posture": "movement", "group": rider_id, "jumped": True}
    rider = position.put(rider_id, at, facing=mount.facing, **values)
    position.change(rider_id, spent=half(whole_allowance(position, rider)))
    facts = (rider.name, mount.name, tenths(at))
    game.tell(Event("transport", "{} gets off {} at {}", facts, "12.5", (rider_id, mount.id), (at,)))
    set_down(game, rider_id)
