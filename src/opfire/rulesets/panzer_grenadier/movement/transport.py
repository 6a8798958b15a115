"""Transport and limbering [5.6]: carriers and passengers, getting on and off, guns on their wheels.

Getting on and off costs a point of both, so it may come before, between and after the steps of a move: `left` are the
remaining half points of the moving unit, those of the other are its unspent ones.
"""

from __future__ import annotations

from collections.abc import Iterator

from opfire.core.actions import PROCEDURE, Action, Refusal
from opfire.core.events import Event
from opfire.core.game import Game
from opfire.rulesets.panzer_grenadier.command import kommissars
from opfire.rulesets.panzer_grenadier.movement import rivers
from opfire.rulesets.panzer_grenadier.movement.costs import left_of
from opfire.rulesets.panzer_grenadier.pieces import (
    Position,
    Side,
    Unit,
    UnitId,
    not_ready,
    not_yours,
    off_the_map,
    overstacked,
    waiting,
)
from opfire.rulesets.panzer_grenadier.sight import spotting
from opfire.rulesets.panzer_grenadier.works import fieldworks


class Load(Action, frozen=True):
    """A transport takes a unit or leader of its hex aboard; a towed weapon is limbered with it [5.61, 5.63]."""

    says = "{carrier} loads {unit}"
    kind = "load"
    carrier: UnitId
    unit: UnitId


class Unload(Action, frozen=True):
    """A unit or leader gets off its transport [5.61, 5.63]."""

    says = "{unit} unloads"
    kind = "unload"
    unit: UnitId


class Limber(Action, frozen=True):
    """A weapon spends the segment making ready to move [5.62]."""

    says = "{unit} limbers"
    kind = "work"
    unit: UnitId


class Unlimber(Action, frozen=True):
    """A weapon spends the segment deploying for fire [5.63]."""

    says = "{unit} unlimbers"
    kind = "work"
    unit: UnitId


ACTS: tuple[type[Action], ...] = (Load, Unload, Limber, Unlimber)


# --- who carries whom -------------------------------------------------------------------------------------------


def towed(unit: Unit) -> bool:
    """An unarmored weapon whose front does not let it move [5.62]; with an allowance it is personnel [5.64]."""
    return unit.gun and unit.kind is not None and unit.kind.movement == 0


def cannot_carry(position: Position, carrier: Unit, unit: Unit) -> Refusal | None:
    """Reject a carrier that has no place for the unit [5.6, 5.64, 6.3]."""
    if unit.side != carrier.side:
        return Refusal("{} is not on your side", PROCEDURE, (unit.name,))
    if refusal := carries_nobody(carrier):
        return refusal
    if not carrier.good_order:
        return Refusal("{} is {} and cannot carry units", "5.6", (carrier.name, carrier.state))
    aboard = position.pick(carrier.cargo)
    if unit.officer is not None:
        if unit.officer.mounted:
            return Refusal("{} is on horseback", "6.3", (unit.name,))
        if sum(other.leader for other in aboard) >= position.charts.figure("leaders aboard"):
            return Refusal("{} already carries three leaders", "5.6", (carrier.name,))
        return None
    if not_portable(unit):
        return not_portable(unit)
    if any(not other.leader for other in aboard):
        return Refusal("{} already carries a unit", "5.6", (carrier.name,))
    return None


def carries_nobody(carrier: Unit) -> Refusal | None:
    """Reject a unit that is no transport [5.6]."""
    return None if carrier.transport else Refusal("{} cannot carry units", "5.6", (carrier.name,))


def not_portable(unit: Unit) -> Refusal | None:
    """Weapons and personnel are carried, but not cavalry [5.6] nor armored units [5.64]."""
    if unit.type_in("cavalry"):
        return Refusal("{} is cavalry", "5.6", (unit.name,))
    if unit.afv:
        return Refusal("{} moves by itself and cannot be carried", "5.64", (unit.name,))
    if unit.kind is not None and not (unit.kind.weapon or unit.kind.personnel):
        return Refusal("{} cannot be carried", "5.6", (unit.name,))
    return None


# --- checks -----------------------------------------------------------------------------------------------------


def moving_together(position: Position, carrier: Unit, unit: Unit) -> Refusal | None:
    """Both have to be active and to have movement left; a passenger goes by its carrier [5.6]."""
    if refusal := not_ready(position, carrier, "move"):
        return refusal
    assert position.activation is not None
    if unit.carrier == carrier.id and position.activation.role(unit.id) is None and not unit.marked:
        return None
    return not_ready(position, unit, "move")


def off_map_together(position: Position, carrier: Unit, unit: Unit) -> bool:
    """Both wait beside the map for the same hexes: units may be set up loaded there [16.51]."""
    entries = position.setting.entries
    return waiting(position, carrier) and waiting(position, unit) and entries[carrier.id][1] == entries[unit.id][1]


def not_together(carrier: Unit, unit: Unit) -> Refusal | None:
    """Both have to stand in one hex, outside."""
    if unit.carrier is not None:
        return Refusal("{} is being carried", "5.6", (unit.name,))
    if carrier.hex != unit.hex or carrier.carrier is not None:
        return Refusal("{} and {} are not in the same hex", "5.6", (carrier.name, unit.name))
    return None


def too_late(position: Position, unit: Unit, left: int) -> Refusal | None:
    """Getting on or off costs a point each time [5.61]."""
    points = position.charts.figure("loading")
    if left < 2 * points:
        return Refusal("{} has no movement points left", "5.61", (unit.name,))
    return None


def begun(position: Position, unit: Unit) -> Refusal | None:
    """Limbering and loading a weapon, and unlimbering, take the entire segment [5.63]."""
    assert position.activation is not None
    if position.activation.spent_by(unit.id) or not position.activation.fresh(unit):
        return Refusal("{} has moved or loaded in this segment", "5.63", (unit.name,))
    return None


def cannot_load(position: Position, carrier: Unit, unit: Unit, left: int, other: int) -> Refusal | None:
    """Reject a unit that may not get aboard [5.6, 5.61, 5.63, 5.67]: `left` of the carrier, `other` of the unit."""
    if off_map_together(position, carrier, unit):
        return moving_together(position, carrier, unit) or cannot_carry(position, carrier, unit)
    if refusal := off_the_map(carrier) or off_the_map(unit) or not_together(carrier, unit):
        return refusal
    if refusal := moving_together(position, carrier, unit) or cannot_carry(position, carrier, unit):
        return refusal
    if position.enemies(unit.side, str(unit.hex)):
        return Refusal("The enemy is in {}: no unit can load there", "5.67", (unit.hex,))
    if refusal := kommissars.on_an_errand(position, unit) or rivers.on_duty(position, unit):
        return refusal
    if towed(unit):
        return begun(position, carrier) or begun(position, unit)
    return too_late(position, carrier, left) or too_late(position, unit, other)


def cannot_unload(position: Position, unit: Unit, left: int) -> Refusal | None:
    """Reject a unit that may not get off here [5.61, 5.63, 4.1]: `left` of its carrier."""
    if unit.carrier is None:
        return Refusal("{} is not being carried", "5.6", (unit.name,))
    carrier = position.units[unit.carrier]
    if refusal := off_the_map(unit) or moving_together(position, carrier, unit):
        return refusal
    if refusal := overstacked(position, unit, str(unit.hex)):
        return refusal
    if towed(unit):
        return None
    return too_late(position, carrier, left) or too_late(position, unit, left_of(position, unit))


def cannot_limber(position: Position, unit: Unit) -> Refusal | None:
    """Reject a weapon that may not limber by itself [5.62, 5.63]."""
    if refusal := off_the_map(unit) or not_ready(position, unit, "move") or fieldworks.aboard(unit):
        return refusal
    if unit.kind is None or not unit.kind.limbered:
        return Refusal("{} has no limbered side", "5.62", (unit.name,))
    if unit.limbered:
        return Refusal("{} is limbered", "5.62", (unit.name,))
    return begun(position, unit)


def cannot_unlimber(position: Position, unit: Unit) -> Refusal | None:
    """Reject a weapon that may not deploy [5.63]; one that began the segment aboard may, if it did not ride."""
    if refusal := off_the_map(unit) or not_ready(position, unit, "move") or fieldworks.aboard(unit):
        return refusal
    if not unit.limbered:
        return Refusal("{} is not limbered", "5.63", (unit.name,))
    return begun(position, unit)


# --- what happens -----------------------------------------------------------------------------------------------


def take_aboard(game: Game[Position], carrier: UnitId, unit_id: UnitId) -> None:
    """The unit gets on; a towed weapon is hooked up, and both have spent the segment [5.61, 5.63]."""
    position = game.state
    beside_the_map = position.units[carrier].hex is None
    if position.units[carrier].hidden != position.units[unit_id].hidden:
        spotting.reveal(
            game, carrier if position.units[carrier].hidden else unit_id
        )  # 16.6: one in view gives both away
    fieldworks.interrupted(game, unit_id)
    if towed(position.units[unit_id]):
        position.change(unit_id, limbered=True)
    unit = position.change(unit_id, dug_in=0)
    position.load(carrier, unit_id)
    where = (unit.hex,) if unit.hex is not None else ()
    facts, only = (position.units[carrier].name, unit.name), fieldworks.told_to(unit)
    game.tell(Event("loaded", "{} loads {}", facts, "5.61", (carrier, unit_id), where, only=only))
    if beside_the_map:
        return
    if towed(unit):
        position.finish(carrier, unit_id)
        return
    for one in (carrier, unit_id):
        position.spend(one, 2 * position.charts.figure("loading"))


def set_down(game: Game[Position], unit_id: UnitId) -> None:
    """Let the unit off: personnel and leaders have done their part [5.61], a weapon costs no points [5.63]."""
    position = game.state
    carrier = str(position.units[unit_id].carrier)
    unit = position.unload(unit_id)
    where = (str(unit.hex),)
    facts, only = (unit.name, unit.hex), fieldworks.told_to(unit)
    game.tell(Event("unloaded", "{} unloads in {}", facts, "5.61", (unit_id, carrier), where, only=only))
    fieldworks.interrupted(game, unit_id)  # 16.74: this is not a whole turn of an engineer's work among mines
    if towed(unit):
        _still_free(position, carrier, unit)
        return
    for one in (carrier, unit_id):
        position.spend(one, 2 * position.charts.figure("loading"))
    position.finish(unit_id)


def _still_free(position: Position, carrier: UnitId, unit: Unit) -> None:
    """A weapon that has not ridden in this segment may unlimber now [5.63]; otherwise it has done its part."""
    assert position.activation is not None
    if position.activation.ready(unit.id, "move") and position.activation.fresh(unit):
        return
    if position.activation.role(unit.id) is not None or not position.activation.fresh(position.units[carrier]):
        position.finish(unit.id)


def forced_unloading(game: Game[Position], carrier: UnitId) -> None:
    """Unload all passengers of a disrupted or demoralized carrier at once, weapons and mortars limbered [5.66]."""
    position = game.state
    for name in position.units[carrier].cargo:
        unit = position.unload(name)
        if unit.kind is not None and unit.kind.limbered:
            unit = position.change(name, limbered=True)
        where = (str(unit.hex),)
        facts, only = (unit.name, unit.hex), fieldworks.told_to(unit)
        game.tell(Event("unloaded", "{} unloads in {}", facts, "5.66", (name, carrier), where, only=only))


# --- the protocol of a chapter ----------------------------------------------------------------------------------


def loads(position: Position, carrier: Unit, left: int) -> Iterator[Action]:
    """Every unit that a carrier with `left` points may take aboard."""
    if carrier.transport:
        for unit in _beside(position, carrier):
            if unit.id != carrier.id and cannot_load(position, carrier, unit, left, left_of(position, unit)) is None:
                yield Load(carrier.id, unit.id)


def boardings(position: Position, unit: Unit, left: int) -> Iterator[Action]:
    """Every carrier that a unit with `left` points may get aboard of."""
    if unit.carrier is None:
        for carrier in _beside(position, unit):
            if carrier.transport and carrier.id != unit.id:
                if cannot_load(position, carrier, unit, left_of(position, carrier), left) is None:
                    yield Load(carrier.id, unit.id)


def _beside(position: Position, unit: Unit) -> list[Unit]:
    """The units in the unit's hex."""
    if unit.hex is not None:
        return position.at(unit.hex, unit.side)
    return [one for one in position.pick(position.setting.ids[unit.side]) if waiting(position, one)]


def unloadings(position: Position, carrier: Unit, left: int) -> Iterator[Action]:
    """Every passenger that may get off a carrier with `left` points."""
    for unit in position.pick(carrier.cargo):
        if cannot_unload(position, unit, left) is None:
            yield Unload(unit.id)


def choices(position: Position, unit: Unit) -> Iterator[Action]:
    """Getting aboard, unloading, limbering by an active unit."""
    assert position.activation is not None
    if not position.activation.ready(unit.id, "move"):
        return
    yield from boardings(position, unit, left_of(position, unit))
    yield from unloadings(position, unit, left_of(position, unit))
    if unit.gun:
        if cannot_limber(position, unit) is None:
            yield Limber(unit.id)
        if cannot_unlimber(position, unit) is None:
            yield Unlimber(unit.id)


def refusal(position: Position, side: Side, action: Action) -> Refusal | None:
    """Reject an illegal loading or limbering."""
    match action:
        case Load(name, other):
            carrier, unit = position.units[name], position.units[other]
            if refusal := not_yours(side, carrier) or not_yours(side, unit):
                return refusal
            return cannot_load(position, carrier, unit, left_of(position, carrier), left_of(position, unit))
        case Unload(name):
            unit = position.units[name]
            return not_yours(side, unit) or cannot_unload(position, unit, _left_of_carrier(position, unit))
        case Limber(name):
            unit = position.units[name]
            return not_yours(side, unit) or cannot_limber(position, unit)
        case Unlimber(name):
            unit = position.units[name]
            return not_yours(side, unit) or cannot_unlimber(position, unit)
    return None


def _left_of_carrier(position: Position, unit: Unit) -> int:
    carrier = position.units.get(unit.carrier or "")
    return left_of(position, carrier) if carrier is not None and carrier.hex is not None else 0


def play(game: Game[Position], side: Side, action: Action) -> None:
    """Carry out a loading or limbering."""
    position = game.state
    match action:
        case Load(carrier, name):
            take_aboard(game, carrier, name)
        case Unload(name):
            set_down(game, name)
        case Limber(name) | Unlimber(name):
            limbered = isinstance(action, Limber)
            unit = position.change(name, limbered=limbered)
            words = "{} limbers in {}" if limbered else "{} unlimbers in {}"
            where = (str(unit.hex),)
            only = fieldworks.told_to(unit)
            game.tell(Event("limbered", words, (unit.name, unit.hex), "5.63", (name,), where, only=only))
            position.finish(name)
