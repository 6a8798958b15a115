"""Transport [6.6.7]: capacities, mounting and dismounting, Emergency Bail Out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from msgspec.structs import replace

from opfire.core.actions import Action, Refusal
from opfire.core.events import Event
from opfire.core.game import Game
from opfire.rulesets.panzer import stowed
from opfire.rulesets.panzer.charts import Card, Gun, Vehicle
from opfire.rulesets.panzer.commands import reveal
from opfire.rulesets.panzer.moving import legs
from opfire.rulesets.panzer.pieces import Hex, Position, Unit, UnitId, not_yours, off_the_map
from opfire.rulesets.panzer.suppression import suppress
from opfire.rulesets.panzer.works import obstacles


class Mount(Action, frozen=True):
    """A vehicle takes a leg or towed unit aboard."""

    says = "{unit} takes {passenger} aboard"
    kind = "carry"
    unit: UnitId
    passenger: UnitId


class Dismount(Action, frozen=True):
    """A passenger dismounts in the hex of its vehicle or next to it, with a facing (0 north, clockwise, to 5)."""

    says = "{passenger} dismounts in {hex}, facing {facing}"
    kind = "carry"
    unit: UnitId
    passenger: UnitId
    hex: Hex
    facing: int


class JumpOff(Action, frozen=True):
    """A passenger leaves its moving vehicle in an Emergency Bail Out."""

    says = "{passenger} jumps off, facing {facing}"
    kind = "carry"
    unit: UnitId
    passenger: UnitId
    facing: int


Handling = Mount | Dismount | JumpOff
"""The acts of passengers."""


# --- capacity [6.6.7.1] ----------------------------------------------------------------------------------------


def towing(position: Position, vehicle: Unit) -> bool:
    """Return whether a vehicle tows a unit; it then cannot move in reverse [6.6.7.1-pass]."""
    return any(isinstance(unit.kind, Gun) for unit in position.aboard(vehicle.id))


SPECIAL_UNITS, SCOUT_CAR, TROOPS = "7.38", "scout_car", 2
"""The option, the mark of a White Scout Car, and its Transport Capacity for infantry [7.38.4]."""


def pressed(kind: Card, options: Collection[str]) -> Card:
    """The Data Card of a vehicle; that of a White Scout Car with the option has room for a squad [7.38.4]."""
    if SPECIAL_UNITS in options and isinstance(kind, Vehicle) and kind.special == SCOUT_CAR:
        return replace(kind, tr_leg=max(TROOPS, kind.tr_leg))
    return kind


def no_room(vehicle: Unit, aboard: Iterable[Unit], passenger: Unit) -> Refusal | None:
    """Reject a passenger beyond the Transport Capacity: one towed unit, leg units up to their sum [6.6.7.1-cap].

    A towed unit needs room for its crew too [6.6.7.1-pass].
    """
    kind, others = vehicle.kind, [*aboard]
    if not isinstance(kind, Vehicle) or isinstance(passenger.kind, Vehicle):
        return Refusal("{} cannot carry {}", "6.6.7.1-cap", (vehicle.name, passenger.name))
    used = sum(_room(other) for other in others)
    if used + _room(passenger) > kind.tr_leg:
        facts = (vehicle.name, kind.tr_leg - used, passenger.name, _room(passenger))
        return Refusal("{} has room for {}, and {} needs {}", "6.6.7.1-cap", facts)
    if kind.section_only and passenger.kind.category != "section":
        return Refusal("{} carries sections only", "6.6.7.1-cap", (vehicle.name,))
    if not isinstance(passenger.kind, Gun):
        return None
    if passenger.kind.pc_towed > kind.tr_towed or any(isinstance(other.kind, Gun) for other in others):
        return Refusal("{} cannot tow {}", "6.6.7.1-pass", (vehicle.name, passenger.name))
    return None


def _room(unit: Unit) -> int:
    """The leg component of a unit's Passenger Capacity."""
    return 0 if isinstance(unit.ground, Vehicle) else unit.ground.pc_leg


# --- mounting and dismounting [6.6.7.1.1] ----------------------------------------------------------------------


def nimble(unit: Unit) -> bool:
    """Return whether a unit mounts from, and dismounts into, the hexes next to its vehicle [6.6.7.1.1-mount].

    Suppressed units, sections with weapons and towed units need the hex of the vehicle itself.
    """
    return not (unit.suppression or legs.laden(unit) or isinstance(unit.kind, Gun))


def cannot_mount(position: Position, vehicle: Unit, passenger: Unit) -> Refusal | None:
    """Reject mounting without a Move command, from too far away or beyond the capacity [6.6.7.1.1-mount]."""
    if refusal := not_yours(vehicle.side, passenger) or off_the_map(passenger):
        return refusal
    if passenger.is_vehicle:
        return Refusal("{} is a vehicle and no passenger", "6.6.7", (passenger.name,))
    if passenger.command != "move" or passenger.moved:
        return Refusal("{} has no Move command left: mounting is movement", "6.6.7.1.1-mount", (passenger.name,))
    if passenger.full_cover or passenger.upper:
        return Refusal("{} is upstairs or in Full Cover: leave it first", "6.6.7.1.1-mount", (passenger.name,))
    if passenger.inside:
        return Refusal("{} is inside a building and cannot be moved", "6.1.4.3.1-a", (passenger.name,))
    charts = position.charts
    if stowed.takes_all(charts, vehicle, passenger) and vehicle.command not in ("move", "short halt"):
        return Refusal("{} takes its gun back with its whole move: give it Move", "5.2.1", (vehicle.name,))
    reach = (vehicle.hex, *position.map.neighbours[str(vehicle.hex)]) if nimble(passenger) else (vehicle.hex,)
    if passenger.hex not in reach:
        return Refusal("{} is too far from {}", "6.6.7.1.1-mount", (passenger.name, vehicle.name))
    if stowed.goes_back(charts, vehicle, passenger):
        return None
    return no_room(vehicle, position.aboard(vehicle.id), passenger)


def not_aboard(vehicle: Unit, passenger: Unit) -> Refusal | None:
    """Reject a unit that the vehicle does not carry, and that is no part of it [5.2.1, 7.47]."""
    if passenger.carrier == vehicle.id or (passenger.status == "stowed" and passenger.part_of == vehicle.id):
        return None
    return Refusal("{} is not aboard {}", "6.6.7", (passenger.name, vehicle.name))


def cannot_dismount(position: Position, vehicle: Unit, passenger: Unit, hex: Hex, facing: int) -> Refusal | None:
    """Reject a hex in which a passenger cannot dismount [6.6.7.1.1-dismount]."""
    if refusal := not_aboard(vehicle, passenger) or _no_facing(facing):
        return refusal
    if passenger.moved:
        return Refusal("{} has mounted in this turn", "6.6.7.1.1-mount", (passenger.name,))
    here = str(vehicle.hex)
    if hex != here and not (nimble(passenger) and hex in position.map.neighbours[here]):
        return Refusal("{} cannot dismount in {}", "6.6.7.1.1-dismount", (passenger.name, hex))
    if hex != here and position.setting.ground.entry_on_foot(hex) is None:
        return Refusal("{} is closed to {}", "6.6.4.1-proh", (hex, passenger.name))
    if hex != here and (refusal := obstacles.bars(position, passenger, hex)):
        return refusal
    if any(other.side != vehicle.side for other in position.at(hex)):
        return Refusal("The enemy is in {}", "4.5.1.1.10", (hex,))
    return None


def cannot_jump_off(vehicle: Unit, passenger: Unit, facing: int) -> Refusal | None:
    """Reject an Emergency Bail Out of suppressed passengers, or from a vehicle that stands [6.6.7.1.2]."""
    if refusal := not_aboard(vehicle, passenger) or _no_facing(facing):
        return refusal
    if passenger.part_of == vehicle.id:
        return Refusal("{} is part of {}: it dismounts, and never bails out", "7.47", (passenger.name, vehicle.name))
    if vehicle.command not in ("move", "short halt"):
        return Refusal("{} does not move: dismount instead", "6.6.7.1.2", (vehicle.name,))
    return Refusal("{} is suppressed", "6.6.7.1.2", (passenger.name,)) if passenger.suppression else None


def _no_facing(facing: int) -> Refusal | None:
    return None if facing in range(6) else Refusal("{} is no facing: choose 0 to 5", "3.3", (facing,))


def cannot(position: Position, vehicle: Unit, action: Handling) -> Refusal | None:
    """The reason against an act of a passenger."""
    passenger = position.units[action.passenger]
    match action:
        case Mount():
            return cannot_mount(position, vehicle, passenger)
        case Dismount():
            return cannot_dismount(position, vehicle, passenger, action.hex, action.facing)
    return cannot_jump_off(vehicle, passenger, action.facing)


def ways(position: Position, vehicle: Unit) -> Iterator[Handling]:
    """Everything that passengers of a vehicle may do now."""
    if not isinstance(vehicle.kind, Vehicle):
        return
    within = stowed.held(position, vehicle)
    if not (vehicle.kind.tr_leg or within or stowed.FOS in position.setting.options):
        return
    acts: list[Handling] = [
        Mount(vehicle.id, unit.id) for unit in position.of(vehicle.side) if not unit.is_vehicle and not unit.moved
    ]
    hexes = [hex for hex in (vehicle.hex, *position.map.neighbours[str(vehicle.hex)]) if hex]
    for unit in (*position.aboard(vehicle.id), *within):
        acts += [Dismount(vehicle.id, unit.id, hex, facing) for hex in hexes for facing in range(6)]
        acts += [JumpOff(vehicle.id, unit.id, facing) for facing in range(6)]
    yield from (act for act in acts if cannot(position, vehicle, act) is None)


def carry_out(game: Game[Position], action: Handling) -> None:
    """Carry an act of a passenger out."""
    vehicle = game.state.units[action.unit]
    match action:
        case Mount():
            take_aboard(game, vehicle, action.passenger)
        case Dismount():
            set_down(game, action.passenger, action.hex, action.facing)
        case JumpOff():
            set_down(game, action.passenger, str(vehicle.hex), action.facing)
            suppress(game, action.passenger)


def take_aboard(game: Game[Position], vehicle: Unit, passenger: UnitId) -> None:
    """A unit mounts: it spends its whole allowance, and is no longer a unit of its own [6.6.7, 6.1.3-b].

    A portee's gun and a vehicle's own FO become part of its counter again [5.2.1, 7.47].
    """
    reveal(game, passenger)
    if stowed.goes_back(game.state.charts, vehicle, game.state.units[passenger]):
        stowed.take_back(game, vehicle, passenger)
        facts = (game.state.units[passenger].name, vehicle.name)
        return game.tell(Event("mounted", "{} mounts {}", facts, "6.6.7.1.1-mount", (passenger, vehicle.id)))
    own = game.state.units[passenger].transport or vehicle.id  # 5.16.2.4
    game.state.change(
        passenger, hex=None, status="mounted", carrier=vehicle.id, moved=True, spot="", fresh="", camouflaged=False
    )
    unit = game.state.change(passenger, transport=own)
    game.tell(Event("mounted", "{} mounts {}", (unit.name, vehicle.name), "6.6.7.1.1-mount", (passenger, vehicle.id)))


def set_down(game: Game[Position], passenger: UnitId, hex: Hex, facing: int) -> Unit:
    """A passenger stands on the map again: it has moved, and is marked SPOT/MOVE [6.6.7.1.1-dismount, 6.1.3-c]."""
    if game.state.units[passenger].status == "stowed":
        stowed.set_free(game, passenger)
    state = {"carrier": None, "moved": True, "moving": True, "fresh": "move", "dismounted": True, "camouflaged": False}
    unit = game.state.put(passenger, hex, facing=facing, **state)
    game.tell(Event("dismounted", "{} dismounts in {}", (unit.name, hex), "6.6.7.1.1-dismount", (passenger,), (hex,)))
    return unit
