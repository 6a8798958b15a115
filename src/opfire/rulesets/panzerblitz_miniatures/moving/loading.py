"""Loading and unloading in the movement phase [TRN-3 to TRN-7, TRN-13]."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from opfire.core.actions import PROCEDURE, Action, Offer, Refusal, Region, first
from opfire.core.events import Event
from opfire.core.game import Game
from opfire.core.places import Point, tenths
from opfire.rulesets.panzerblitz_miniatures.fire.attacks import attacked_by_mines
from opfire.rulesets.panzerblitz_miniatures.moving import transport
from opfire.rulesets.panzerblitz_miniatures.moving.legs import entered, prohibited, traced
from opfire.rulesets.panzerblitz_miniatures.moving.marching import cannot_act, ground, has_ended
from opfire.rulesets.panzerblitz_miniatures.moving.movement_costs import Mover
from opfire.rulesets.panzerblitz_miniatures.moving.occupation import building_at, move_in, work_at
from opfire.rulesets.panzerblitz_miniatures.moving.opportunity import spend_here, under_way
from opfire.rulesets.panzerblitz_miniatures.pieces import (
    ADJACENT,
    Position,
    Side,
    Stand,
    UnitId,
    adjacent,
    clearing,
    designated,
    is_dispersed,
    not_yours,
    off_the_table,
)
from opfire.rulesets.panzerblitz_miniatures.setup import unfit
from opfire.space.measure import square

FOOT = Mover("P")
"""The mover that a passenger is on its way out, guns too."""


class Load(Action, frozen=True):
    """Take an adjacent unit aboard [TRN-3]."""

    says = "{unit} loads {passenger}"
    kind = "load"
    unit: UnitId
    passenger: UnitId


class Unload(Action, frozen=True):
    """Set a passenger down at a point (1/1000 inch) beside its carrier, with a facing in whole degrees [TRN-3]."""

    says = "{unit} unloads {passenger} at {to}"
    kind = "load"
    unit: UnitId
    passenger: UnitId
    to: Point
    facing: int


# --- checks of the carrier ----------------------------------------------------------------------------------


def toll(position: Position, carrier: Stand, passenger: Stand) -> int:
    """The points for loading or unloading, in 10^-6 [TRN-4, TRN-5]: the allowance for a heavy gun, else half of it.

    Light guns load for half: RULINGS.md R24.
    """
    whole = position.allowance(carrier)
    return whole if passenger.kind.mode == "TO" and passenger.kind.size == "heavy" else whole // 2


def cannot_handle(position: Position, side: Side, carrier: Stand, passenger: Stand, work: str) -> Refusal | None:
    """Reject a carrier that does not load or unload this passenger now; `work` is `loaded` or `unloaded`."""
    return (
        cannot_act(position, side, carrier)
        or has_ended(carrier)
        or _no_carrier(carrier)
        or _has_fired(carrier, work)
        or _did_the_other(carrier, work)
        or _too_dear(position, carrier, passenger)
    )


def _no_carrier(carrier: Stand) -> Refusal | None:
    if carrier.aircraft:
        return Refusal("{} loads and unloads in the Air Phase", "HEL-11", (carrier.name,))
    return None if carrier.vehicle else Refusal("{} carries nobody", "TRN-1", (carrier.name,))


def _has_fired(carrier: Stand, work: str) -> Refusal | None:
    """Reject a carrier that has fired [MOV-4, TRN-6]; armor with riders may have [TRN-13].

    After Split Move and Fire a carrier may unload, with half of its points [SMF-2].
    """
    if carrier.fired and carrier.kind.carries and (work == "loaded" or not carrier.split):
        return Refusal("{} has fired in this segment", "TRN-6" if work == "loaded" else "MOV-4", (carrier.name,))
    if carrier.reacted:
        return Refusal("{} used opportunity fire and does not move in this segment", "OPP-5", (carrier.name,))
    return None


def _did_the_other(carrier: Stand, work: str) -> Refusal | None:
    """Reject a carrier that has loaded and would unload, or the other way round [TRN-7]."""
    if carrier.handled in ("", work):
        return None
    return Refusal("{} has {} in this phase: it does only one of the two", "TRN-7", (carrier.name, carrier.handled))


def _too_dear(position: Position, carrier: Stand, passenger: Stand) -> Refusal | None:
    price, left = toll(position, carrier, passenger), position.allowance(carrier) - carrier.spent
    if price <= left:
        return None
    whole = price == position.allowance(carrier)
    part = "all" if whole else "half"
    words = "{} needs {} of its allowance for {}, and has spent too much"
    return Refusal(words, "TRN-4" if whole else "TRN-5", (carrier.name, part, passenger.name))


# --- loading ------------------------------------------------------------------------------------------------


def cannot_load(position: Position, side: Side, action: Load) -> Refusal | None:
    """Reject a unit that this carrier may not take aboard now [TRN-3 to TRN-7]."""
    carrier, passenger = position.units[action.unit], position.units[action.passenger]
    return (
        not_yours(side, passenger)
        or off_the_table(passenger)
        or cannot_handle(position, side, carrier, passenger, "loaded")
        or _not_ready(passenger)
        or designated(position, passenger)
        or clearing(position, passenger)
        or (_not_beside(position, carrier, passenger) or transport.no_room(position, passenger, carrier))
        or _indoors(position, passenger)
    )


def _not_ready(passenger: Stand) -> Refusal | None:
    """Reject a passenger that has fired or moved, is dispersed, or was loaded or unloaded in this phase [TRN-6]."""
    if passenger.carrier is not None:
        return Refusal("{} is aboard a carrier", "TRN-1", (passenger.name,))
    if passenger.fired or passenger.dispersed:
        return Refusal("{} has fired or is dispersed, and is not loaded", "TRN-6", (passenger.name,))
    if passenger.reacted:
        return Refusal("{} used opportunity fire and does not move in this segment", "OPP-5", (passenger.name,))
    if passenger.moved or passenger.handled:
        return Refusal("{} has moved or was unloaded in this phase, and is not loaded", "TRN-5", (passenger.name,))
    return None


def _not_beside(position: Position, carrier: Stand, passenger: Stand) -> Refusal | None:
    if adjacent(position, carrier, passenger):
        return None
    return Refusal("{} is not adjacent to {}", "TRN-4", (passenger.name, carrier.name))


def _indoors(position: Position, passenger: Stand) -> Refusal | None:
    """Reject a passenger in a fortification [FRT-3] or a building; a gun never leaves its building [BLD-2]."""
    if passenger.floor:
        return Refusal("{} is in a building: vehicles do not load there", "BLD-2", (passenger.name,))
    work = position.works.get(passenger.work)
    if work is not None and work.kind == "fort":
        return Refusal("{} is in a fortification: vehicles do not load there", "FRT-3", (passenger.name,))
    return None


def loadings(position: Position, carrier: Stand) -> Iterator[Load]:
    """The units that a stand may take aboard now."""
    if carrier.at is None or not (carrier.kind.carries or carrier.kind.riders != "never"):
        return
    for unit in position.of(carrier.side):
        action = Load(carrier.id, unit.id)
        if unit.id != carrier.id and cannot_load(position, carrier.side, action) is None:
            yield action


def load(game: Game[Position], action: Load) -> None:
    """Take a unit aboard: its Firing Position and its place are given up [FPS-2]."""
    position = game.state
    carrier, passenger = position.units[action.unit], position.units[action.passenger]
    price = toll(position, carrier, passenger)
    _note(position, carrier.id, passenger.id, "loaded")
    position.change(passenger.id, carrier=carrier.id, at=carrier.at, work="", floor=0, position=False, moved=True)
    position.change(carrier.id, cargo=(*carrier.cargo, passenger.id))
    assert carrier.at is not None
    position.put(carrier.id, carrier.at)  # the passengers of a passenger come along [FER-1]
    _tell(game, "{} loads {}", carrier, passenger)
    spend_here(position, position.units[carrier.id], price)


# --- unloading ----------------------------------------------------------------------------------------------


def cannot_unload(position: Position, side: Side, action: Unload) -> Refusal | None:
    """Reject a passenger that may not be set down there now [TRN-3 to TRN-7]."""
    carrier, passenger = position.units[action.unit], position.units[action.passenger]
    if refusal := cannot_set_down(position, side, carrier, passenger):
        return refusal
    if not 0 <= action.facing < 360:
        return Refusal("{} is no facing: choose 0 to 359 degrees", PROCEDURE, (action.facing,))
    return _no_place(position, carrier, passenger, action.to)


def cannot_set_down(position: Position, side: Side, carrier: Stand, passenger: Stand) -> Refusal | None:
    """Reject a passenger that may not leave its carrier now, whatever the place."""
    if passenger.carrier != carrier.id:
        return Refusal("{} is not aboard {}", "TRN-1", (passenger.name, carrier.name))
    return first(cannot_handle(position, side, carrier, passenger, "unloaded"), is_dispersed(passenger))


def _no_place(position: Position, carrier: Stand, passenger: Stand, to: Point) -> Refusal | None:
    """Reject a place that is not beside the carrier, or that the passenger cannot reach or take."""
    assert carrier.at is not None
    if square(carrier.at, to) > (position.setting.base + ADJACENT) ** 2:
        return Refusal("{} is not beside {}", "TRN-4", (tenths(to), carrier.name))
    if refusal := unfit(position, passenger, to) or _into_works(position, to):
        return refusal
    if carrier.kind.engineer == "F":
        return None  # the water between a ferry and the shore is no way [FER-2]
    way = traced(ground(position), carrier.at, to)
    if entered(way, "stream"):
        return Refusal("{} is not unloaded into a stream", "STR-5", (passenger.name,))
    return prohibited(position.setting.prices(FOOT), way)


def _into_works(position: Position, to: Point) -> Refusal | None:
    """Reject unloading into a fortification [FRT-3] or a building: vehicles do not get there."""
    work = work_at(position, to)
    if work is not None and work.kind == "fort":
        return Refusal("Vehicles do not unload into a fortification.", "FRT-3")
    return Refusal("Vehicles do not unload into a building.", "BLD-1") if building_at(position, to) else None


def unloadings(position: Position, carrier: Stand) -> Iterator[Offer]:
    """The region in which each passenger may be set down now, and its first free place."""
    if carrier.at is None:
        return
    for name in carrier.cargo:
        passenger = position.units[name]
        if cannot_set_down(position, carrier.side, carrier, passenger) is None:
            spots = (Unload(carrier.id, name, to, carrier.facing) for to in _around(position, carrier.at))
            free = next((each for each in spots if cannot_unload(position, carrier.side, each) is None), None)
            if free is not None:
                yield free
                yield Region(free, position.table.box(carrier.at, _reach(position) * 1000), ("to", "facing"))


def _reach(position: Position) -> int:
    """The distance of the centres of a carrier and of a stand beside it, in 1/1000 inch."""
    return position.setting.base + ADJACENT


def _around(position: Position, at: Point) -> Iterator[Point]:
    """Places beside a stand, base to base and farther off."""
    near, far = position.setting.base, _reach(position) * 7 // 10
    for by in (near, far):
        for east, south in ((0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)):
            yield at[0] + east * by, at[1] + south * by


def unload(game: Game[Position], action: Unload) -> None:
    """Set a passenger down; it may be fired at there [OPP-9], and mines attack it [MIN-5]."""
    position = game.state
    carrier, passenger = position.units[action.unit], position.units[action.passenger]
    price = toll(position, carrier, passenger)
    cargo = tuple(name for name in carrier.cargo if name != passenger.id)
    position.change(carrier.id, cargo=cargo)
    position.change(passenger.id, carrier=None)
    position.put(passenger.id, action.to, facing=action.facing, moved=True, position=False)
    move_in(position, passenger.id)
    _note(position, carrier.id, passenger.id, "unloaded")
    _tell(game, "{} unloads {}", carrier, position.units[passenger.id])
    spend_here(position, position.units[carrier.id], price)
    progress = under_way(position)
    position.progress = replace(progress, others=(*progress.others, passenger.id))
    if any(met.kind == "mines" for met in ground(position).at(action.to).features):
        attacked_by_mines(game, passenger.id)


def _note(position: Position, carrier: UnitId, passenger: UnitId, work: str) -> None:
    for name in (carrier, passenger):
        position.change(name, handled=work)


def _tell(game: Game[Position], words: str, carrier: Stand, passenger: Stand) -> None:
    places = () if passenger.at is None else (passenger.at,)
    facts = (carrier.name, passenger.name)
    game.tell(Event("transport", words, facts, "TRN-3", (carrier.id, passenger.id), places))
