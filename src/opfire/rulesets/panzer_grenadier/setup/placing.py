"""Units and leaders placed in their zones [2.3, 4.1, 5.6]."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from opfire.core.actions import Action, Refusal
from opfire.core.events import Event
from opfire.core.game import Game
from opfire.kit import boards
from opfire.kit import setup as kit
from opfire.kit.setup import StartAboard
from opfire.rulesets.panzer_grenadier import ground
from opfire.rulesets.panzer_grenadier.movement.transport import cannot_carry
from opfire.rulesets.panzer_grenadier.pieces import (
    Hex,
    Position,
    Side,
    Unit,
    UnitId,
    not_yours,
    overstacked,
)


class Place(Action, frozen=True):
    """Set a unit or leader up in a hex."""

    says = "{unit} sets up in {hex}"
    kind = "place"
    unit: UnitId
    hex: Hex


def to_place(position: Position, side: Side) -> list[Unit]:
    """The side's units and leaders that wait to be placed."""
    return kit.waiting(position.pick(position.setting.ids[side]))


def cannot_place(position: Position, side: Side, unit: Unit, hex: Hex) -> Refusal | None:
    """Reject a unit that may not set up there [2.3, 4.1]."""
    if refusal := _out_of_turn(position, side, unit):
        return refusal
    if hex not in position.setting.zones[unit.id]:
        return Refusal("{} cannot set up in {}: choose a hex of its zone", "2.3", (unit.name, hex))
    return unfit(position, unit, hex)


def unfit(position: Position, unit: Unit, hex: Hex) -> Refusal | None:
    """Reject a hex that cannot take the unit, whatever its zone."""
    if hex in position.stacks and any(other.side != unit.side for other in position.at(hex)):
        return Refusal("Enemy units are in {}", "5.3", (hex,))
    if unit.kind is not None and unit.kind.movement_class != "river" and ground.river(position, hex) == "major river":
        return Refusal("{} is in the river", "5.72", (hex,))
    return overstacked(position, unit, hex)


def _out_of_turn(position: Position, side: Side, unit: Unit) -> Refusal | None:
    """Reject a unit that is the enemy's, stands already, or waits behind another of its kind."""
    return (
        not_yours(side, unit)
        or kit.placed_already(unit)
        or kit.not_next(unit, to_place(position, side), partial(alike, position))
    )


def alike(position: Position, a: Unit, b: Unit) -> bool:
    """Of one type and player, for one zone, both hidden or not, both empty-handed; no leader is like another."""
    if a.kind is None or b.kind is None or a.player != b.player:
        return False
    zones = position.setting.zones
    same = a.kind.id == b.kind.id and zones[a.id] == zones[b.id] and a.hidden == b.hidden and a.dug_in == b.dug_in
    return same and not a.cargo and not b.cargo and a.tank_leader == b.tank_leader


def cannot_board(position: Position, side: Side, unit: Unit, carrier: Unit) -> Refusal | None:
    """Reject a unit or leader that may not start aboard that carrier [5.6]."""
    refusal = _out_of_turn(position, side, unit)
    if refusal or carrier.hex is None or unit.cargo or carrier.hex not in position.setting.zones[unit.id]:
        return refusal or Refusal("{} has no room for the unit", "5.6", (carrier.name,))
    if unit.hidden != carrier.hidden:  # the visible one would give the other away
        return Refusal("{} and {} have to be both hidden or both visible", "16.6", (unit.name, carrier.name))
    return not_yours(side, carrier) or cannot_carry(position, carrier, unit)


def cannot_pick_up(position: Position, side: Side, unit: Unit) -> Refusal | None:
    """Reject a unit that may not be picked up again: all others have to be placed, and its hex its own choice.

    While units still wait, only one that blocks the last free hex of a waiting unit may be picked up.
    """
    waiting, zones = to_place(position, side), position.setting.zones
    if refusal := not_yours(side, unit) or boards.others_wait(unit, waiting, zones, partial(places, position, side)):
        return refusal
    if unit.hex is None or len(zones.get(unit.id, ())) < 2:
        return Refusal("{} has a fixed place in the scenario", "2.3", (unit.name,))
    return None


def places(position: Position, side: Side, unit: Unit) -> Iterator[Action]:
    """The places where a unit may be set up: hexes of its zone, placed carriers."""
    for hex in sorted(position.setting.zones[unit.id]):
        if unfit(position, unit, hex) is None:
            yield Place(unit.id, hex)
    for carrier in position.of(side):
        if carrier.id != unit.id and cannot_board(position, side, unit, carrier) is None:
            yield StartAboard(unit.id, carrier.id)


def tell_placed(game: Game[Position], unit_id: UnitId, hex: Hex) -> None:
    """Tell the place of a unit: to its own side alone if it is hidden [16.6]."""
    unit = game.state.units[unit_id]
    only = (unit.side,) if unit.hidden else ()
    game.tell(Event("placed", "{} sets up in {}", (unit.name, hex), "2.3", (unit_id,), (hex,), only=only))
