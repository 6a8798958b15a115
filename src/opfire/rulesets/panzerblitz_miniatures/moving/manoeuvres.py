"""Acts of a stand at its place: Quick March, the facing of guns, the floor of a building [QM, FOF-4, BLD-4]."""

from __future__ import annotations

from collections.abc import Iterator

from opfire.core.actions import PROCEDURE, Action, Offer, Refusal, Region
from opfire.core.events import Event
from opfire.core.game import Game
from opfire.rulesets.panzerblitz_miniatures.moving.marching import cannot_act, cannot_begin
from opfire.rulesets.panzerblitz_miniatures.moving.occupation import building_at, floors, no_floor
from opfire.rulesets.panzerblitz_miniatures.moving.opportunity import spend_here
from opfire.rulesets.panzerblitz_miniatures.pieces import Position, Side, Stand, UnitId, adjacent
from opfire.space.measure import MICRO, turning


class QuickMarch(Action, frozen=True):
    """Announce that a stand marches quickly in this phase [QM-3]."""

    says = "{unit} marches quickly"
    kind = "move"
    unit: UnitId


class Turn(Action, frozen=True):
    """Turn a gun to a whole number of degrees [FOF-3]."""

    says = "{unit} turns to {facing}"
    kind = "face"
    unit: UnitId
    facing: int


class TakeFloor(Action, frozen=True):
    """Go to another floor of the building."""

    says = "{unit} goes to floor {floor}"
    kind = "move"
    unit: UnitId
    floor: int


# --- Quick March --------------------------------------------------------------------------------------------


def cannot_march_quickly(position: Position, side: Side, action: QuickMarch) -> Refusal | None:
    """Reject a stand that may not march quickly: marked infantry does, announced before it moves [QM-1, QM-3]."""
    unit = position.units[action.unit]
    if refusal := cannot_begin(position, side, unit):
        return refusal
    if not unit.kind.quick_march:
        return Refusal("{} cannot march quickly", "QM-1", (unit.name,))
    if unit.quick or unit.spent:
        return Refusal("{} announces a quick march before it moves, and once", "QM-3", (unit.name,))
    return None


def quick_marches(position: Position, unit: Stand) -> Iterator[QuickMarch]:
    """The announcement of a quick march, where the stand may make it."""
    if unit.kind.quick_march and cannot_march_quickly(position, unit.side, QuickMarch(unit.id)) is None:
        yield QuickMarch(unit.id)


def march_quickly(game: Game[Position], action: QuickMarch) -> None:
    """Clear terrain costs half a point from now on, and opportunity fire meets half the defence [QM-1, QM-2]."""
    unit = game.state.change(action.unit, quick=True)
    game.tell(Event("quick march", "{} marches quickly", (unit.name,), "QM-3", (unit.id,)))


# --- facing of guns [FOF-3 to FOF-6] ----------------------------------------------------------------------------

LARGE_MM = 88
"""Guns of this bore and larger need a carrier to change their facing [FOF-5]."""

WIDEST_TURN = 60
"""The degrees by which a gun turns in a phase: its muzzle moves an inch. RULINGS.md R85."""


def cannot_turn(position: Position, side: Side, action: Turn) -> Refusal | None:
    """Reject a gun that may not turn that far, or at all [FOF-3 to FOF-6]."""
    unit = position.units[action.unit]
    if refusal := cannot_act(position, side, unit) or _no_turn(position, unit):
        return refusal
    if not 0 <= action.facing < 360 or action.facing == unit.facing:
        return Refusal("{} is no other facing: choose 0 to 359 degrees", PROCEDURE, (action.facing,))
    if turning(unit.facing, action.facing) > WIDEST_TURN:
        return Refusal("{} turns by {} degrees at most in a phase", "FOF-3", (unit.name, WIDEST_TURN))
    return None


def _no_turn(position: Position, unit: Stand) -> Refusal | None:
    """Reject a stand that is no gun, one that fired [FOF-4] or turned, and a large gun without a carrier [FOF-5]."""
    if unit.kind.mode != "TO":
        return Refusal("{} faces any direction at the end of a leg", "FOF-3", (unit.name,))
    if unit.fired or unit.reacted:
        return Refusal("{} has fired and does not change its facing", "FOF-4", (unit.name,))
    if unit.turned or unit.handled:
        return Refusal("{} has changed its facing or was moved in this phase", "FOF-3", (unit.name,))
    if unit.kind.calibre_mm >= LARGE_MM and helper(position, unit) is None:
        return Refusal("{} needs a carrier beside it to change its facing", "FOF-5", (unit.name,))
    return None


def helper(position: Position, gun: Stand) -> Stand | None:
    """The carrier that helps a large gun turn: adjacent since the phase began, one for each gun [FOF-5]."""
    busy = {unit.turned for unit in position.of(gun.side)}
    carriers = (unit for unit in position.of(gun.side) if unit.kind.carries and unit.vehicle and not unit.spent)
    return next((unit for unit in carriers if unit.id not in busy and adjacent(position, gun, unit)), None)


def turns(position: Position, unit: Stand) -> Iterator[Offer]:
    """The region of the facings to which a gun may turn; its example is the widest turn to the right."""
    example = Turn(unit.id, (unit.facing + WIDEST_TURN) % 360)
    if unit.at is not None and unit.kind.mode == "TO" and cannot_turn(position, unit.side, example) is None:
        yield example
        yield Region(example, (*unit.at, *unit.at), ("facing",))


def turn(game: Game[Position], action: Turn) -> None:
    """Turn a gun; a large one keeps its carrier busy."""
    position = game.state
    unit = position.units[action.unit]
    carrier = helper(position, unit) if unit.kind.calibre_mm >= LARGE_MM else None
    position.change(unit.id, facing=action.facing, turned=carrier.id if carrier else unit.id)
    game.tell(Event("turned", "{} turns to {} degrees", (unit.name, action.facing), "FOF-3", (unit.id,)))


# --- floors -------------------------------------------------------------------------------------------------

STAIRS = MICRO // 2
"""The points (10^-6) for each floor up or down: RULINGS.md R82."""


def cannot_take_floor(position: Position, side: Side, action: TakeFloor) -> Refusal | None:
    """Reject a floor that the building does not have, that has no room, or that enemies hold [BLD-4, BLD-6]."""
    unit = position.units[action.unit]
    if refusal := cannot_begin(position, side, unit):
        return refusal
    assert unit.at is not None
    building = building_at(position, unit.at) if unit.floor else None
    if building is None:
        return Refusal("{} is in no building", "BLD-1", (unit.name,))
    if action.floor not in floors(building) or action.floor == unit.floor:
        return Refusal("{} has no other floor {}", "BLD-4", (building.name, action.floor))
    if _stairs(unit, action) > position.allowance(unit) - unit.spent:
        return Refusal("{} has no points left for the stairs", "MOV-1", (unit.name,))
    return no_floor(position, unit, building, action.floor)


def _stairs(unit: Stand, action: TakeFloor) -> int:
    return STAIRS * abs(unit.floor - action.floor)


def climbs(position: Position, unit: Stand) -> Iterator[TakeFloor]:
    """The floors to which a stand may go now."""
    if unit.at is None or not unit.floor or (building := building_at(position, unit.at)) is None:
        return
    for floor in floors(building):
        if cannot_take_floor(position, unit.side, TakeFloor(unit.id, floor)) is None:
            yield TakeFloor(unit.id, floor)


def take_floor(game: Game[Position], action: TakeFloor) -> None:
    """Go to another floor."""
    position = game.state
    unit = position.units[action.unit]
    spend_here(position, unit, _stairs(unit, action))
    position.change(unit.id, floor=action.floor)
    game.tell(Event("moved", "{} goes to floor {}", (unit.name, action.floor), "BLD-4", (unit.id,)))
