"""Transport [8.4]: loading and unloading beside a carrier, and what they cost both."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec.structs import replace

from opfire.core.actions import PROCEDURE, Action, Refusal
from opfire.core.events import Calculation, Event
from opfire.core.game import Game
from opfire.core.places import Point, tenths
from opfire.rulesets.micro_armour import hiding
from opfire.rulesets.micro_armour.cohesion import FAILURE, cohesion_roll, states, tested, to_go_on
from opfire.rulesets.micro_armour.moving import loads
from opfire.rulesets.micro_armour.moving.loads import capacity
from opfire.rulesets.micro_armour.moving.marching import (
    cannot_stand,
    left,
    mover,
    pinned,
    prices,
    under_way,
    whole_allowance,
)
from opfire.rulesets.micro_armour.moving.points import fits, handling, turns_to_load
from opfire.rulesets.micro_armour.pieces import Position, Stand, UnitId, adjacent, gets_aboard, not_yours, off_the_table
from opfire.rulesets.micro_armour.works.beneath import set_down
from opfire.space.squares import around

Act = Literal["load", "unload"]
"""The two ways of handling cargo."""

UNPACKED = -1
"""The mark of a large load that has just been unloaded [8.4.7-large]."""


class Load(Action, frozen=True):
    """Try to load a stand onto a carrier beside it."""

    says = "{unit} loads {cargo}"
    kind = "load"
    final = True
    unit: UnitId
    cargo: UnitId


class Unload(Action, frozen=True):
    """Unload a stand at a place beside its carrier (1/1000 inch), with a facing in whole degrees."""

    says = "{unit} unloads {cargo} at {to}"
    kind = "load"
    unit: UnitId
    cargo: UnitId
    to: Point
    facing: int


# --- loading --------------------------------------------------------------------------------------------------------


def cannot_load(position: Position, unit: Stand, action: Load) -> Refusal | None:
    """Reject a load that the carrier, the cargo, their postures or their points do not allow [8.4 to 8.4.4]."""
    cargo = position.units[action.cargo]
    return (
        not_yours(unit.side, cargo)
        or off_the_table(cargo)
        or _no_carrier(position, unit)
        or _no_cargo(unit, cargo)
        or too_much(position, unit, cargo)
        or _not_ready(unit, cargo)
        or pinned(position, cargo)
        or too_slow(position, unit, cargo, "load")
    )


def _no_carrier(position: Position, unit: Stand) -> Refusal | None:
    if capacity(position, unit):
        return None
    return Refusal("{} carries nothing.", "8.4", (unit.name,))


def _no_cargo(unit: Stand, cargo: Stand) -> Refusal | None:
    """Reject a stand that is never carried, such as mounted cavalry [8.4, WD.tran], or that is on a carrier."""
    if cargo.kind.tran_req is None or cargo.kind.has("cavalry") or cargo.id == unit.id:
        return Refusal("{} cannot be transported.", "8.4", (cargo.name,))
    if cargo.carrier is not None:
        return Refusal("{} is on a carrier.", PROCEDURE, (cargo.name,))
    if cargo.cargo:
        return Refusal("{} carries others.", "8.4.1", (cargo.name,))
    return None


def too_much(position: Position, unit: Stand, cargo: Stand) -> Refusal | None:
    """Reject a second weapon, or a load beyond the capacity [8.4.1, WD.cargo, 12.5, 12.7]."""
    load = [*position.pick(unit.cargo), cargo]
    weapons = sum(not gets_aboard(position, each) for each in load)
    room = loads.room(position, unit)
    if fits(room, weapons, [each.kind.tran_req or 0 for each in load]):
        return None
    return Refusal("{} has no room for {}.", "8.4.1", (unit.name, cargo.name))


def _not_ready(unit: Stand, cargo: Stand) -> Refusal | None:
    """Reject stands that do not touch, are not marked to move [8.4.2], or have failed to load [8.4.4]."""
    if not adjacent(unit, cargo):
        return Refusal("{} and {} do not touch.", "8.4.2", (unit.name, cargo.name))
    for each in (unit, cargo):
        if each.posture != "movement":
            return Refusal("{} is not in the movement posture.", "8.4.2", (each.name,))
    if cargo.unloaded:
        return Refusal("{} has been unloaded in this turn: load it in a later one.", "8.4.2", (cargo.name,))
    if cargo.balked:
        return Refusal("{} has failed to load in this turn.", "8.4.4", (cargo.name,))
    return Refusal("{} has moved.", "8.3.1-points", (cargo.name,)) if cargo.moved else None


def too_slow(position: Position, unit: Stand, cargo: Stand, act: Act) -> Refusal | None:
    """Reject a carrier or a cargo without the points that it takes [8.4.2, 8.4.3, 8.4.6, 8.4.7-cost]."""
    for each in (unit, cargo):
        if price(position, each, cargo, act) > left(position, each):
            return Refusal("{} has too few movement points left.", "8.4.2", (each.name,))
    return None


def price(position: Position, unit: Stand, cargo: Stand, act: Act) -> int:
    """The points that a stand pays for the loading or unloading of a cargo, in 10^-6.

    A carrier pays once for any number of personnel that it takes, or lets off, at one place [8.4.2, 8.4.6].
    """
    progress = position.progress
    if gets_aboard(position, cargo) and progress is not None and (progress.unit, progress.handling) == (unit.id, act):
        return 0
    return handling(whole_allowance(position, unit), weapon=not gets_aboard(position, cargo))


def loading_roll(position: Position, cargo: Stand) -> Calculation:
    """The roll for an attempt to load [8.4.4]: that of the stand that is loaded, RULINGS.md R22."""
    return cohesion_roll("to load", "8.4.4", to_go_on(position, cargo), states(cargo))


def load(game: Game[Position], action: Load) -> None:
    """Roll; a stand that fails tries no more in this turn, a large load takes a second turn [8.4.3, 8.4.4]."""
    position = game.state
    unit, cargo = position.units[action.unit], position.units[action.cargo]
    roll = loading_roll(position, cargo)
    if roll.result([tested(game, cargo, roll)]) == FAILURE:
        position.change(cargo.id, balked=True)
        return
    _pay(position, unit, cargo, "load")
    turns = max(cargo.handled, 0) + 1
    if not gets_aboard(position, cargo) and turns < turns_to_load(cargo.kind.tran_req or 0):
        position.change(cargo.id, handled=turns)
        return _tell(game, "{} begins to load {}", "8.4.3", unit, cargo)
    position.change(cargo.id, carrier=unit.id, at=unit.at, group="", handled=0)
    position.change(unit.id, cargo=(*unit.cargo, cargo.id))
    _tell(game, "{} loads {}", "8.4.4", unit, cargo)


def _pay(position: Position, unit: Stand, cargo: Stand, act: Act) -> None:
    """Both pay; the enemy may fire at them anew, for it counts as movement [8.4.8]."""
    for each in (unit, cargo):
        spent = price(position, each, cargo, act)
        position.change(each.id, spent=each.spent + spent, moved=each.moved or each.id == cargo.id)
    off = (*under_way(position).alighted, cargo.id) if act == "unload" else ()
    begun: Literal["", "load", "unload"] = act if gets_aboard(position, cargo) else ""
    position.progress = replace(under_way(position), handling=begun, alighted=off, asked=None)


def _tell(game: Game[Position], words: str, rule: str, unit: Stand, cargo: Stand) -> None:
    places = (unit.at,) if unit.at is not None else ()
    game.tell(Event("transport", words, (unit.name, cargo.name), rule, (unit.id, cargo.id), places))


# --- unloading ------------------------------------------------------------------------------------------------------


def cannot_unload(position: Position, unit: Stand, action: Unload) -> Refusal | None:
    """Reject an unloading: the carrier is marked to move, both can pay, and there is room [8.4.6, 8.4.7-cost]."""
    cargo = position.units[action.cargo]
    if cargo.carrier != unit.id:
        return Refusal("{} is not on {}.", PROCEDURE, (cargo.name, unit.name))
    if unit.posture != "movement":
        return Refusal("{} is not in the movement posture.", "8.4.6", (unit.name,))
    held = pinned(position, unit)  # RULINGS.md R147
    return held or too_slow(position, unit, cargo, "unload") or _no_place(position, unit, cargo, action)


def _no_place(position: Position, unit: Stand, cargo: Stand, action: Unload) -> Refusal | None:
    """Reject a place that is not beside the carrier, or where the cargo cannot stand."""
    if not 0 <= action.facing < 360 or not position.table.holds(action.to):
        return Refusal("{} is no place on the table, or no facing.", PROCEDURE, (tenths(action.to),))
    if not adjacent(replace(cargo, at=action.to, facing=action.facing), unit):
        return Refusal("{} is unloaded beside {}.", "8.4.6", (cargo.name, unit.name))
    here = position.ground.features_at(action.to)
    if mover(cargo).by == "F" and prices(position, cargo).inch(here) is None:
        return Refusal("{} cannot stand there.", "8.4.6", (cargo.name,))
    return cannot_stand(position, cargo, action.to, action.facing)


def unload(game: Game[Position], action: Unload) -> None:
    """Place the cargo beside its carrier: a movement group of its own, in the movement posture [8.4.6, 8.4.7-cost].

    On mines it stays until the next turn [11.1.5]. If it would come down on a hidden enemy, that one is placed on the
    table, and its owner decides anew [SC.stark.hidden].
    """
    position = game.state
    unit, cargo = position.units[action.unit], position.units[action.cargo]
    if hiding.in_the_place(game, cargo, action.to, action.facing):
        return
    _pay(position, unit, cargo, "unload")
    position.change(unit.id, cargo=tuple(name for name in unit.cargo if name != cargo.id))
    large = not gets_aboard(position, cargo) and turns_to_load(cargo.kind.tran_req or 0) > 1
    position.put(
        cargo.id,
        action.to,
        facing=action.facing,
        carrier=None,
        posture="movement",
        group=cargo.id,
        moved=False,
        tried=False,
        gone=0,
        unloaded=True,
        handled=UNPACKED if large else 0,
    )
    _tell(game, "{} unloads {}", "8.4.6", unit, cargo)
    set_down(game, cargo.id)


# --- offers -----------------------------------------------------------------------------------------------------------


def offers(position: Position, unit: Stand) -> Iterator[Action]:
    """The stands that a carrier may load, and the places at which it may unload."""
    if unit.at is None or not capacity(position, unit):
        return
    for other in position.of(unit.side):
        if adjacent(unit, other) and cannot_load(position, unit, Load(unit.id, other.id)) is None:
            yield Load(unit.id, other.id)
    yield from unloadings(position, unit)


def unloadings(position: Position, unit: Stand) -> Iterator[Unload]:
    """The places beside a carrier at which it may unload, its cargo facing as it does."""
    if unit.at is None:
        return
    for name in unit.cargo:
        for to in around(unit.at, unit.facing):
            action = Unload(unit.id, name, to, unit.facing)
            if cannot_unload(position, unit, action) is None:
                yield action


# --- carriers that have failed to move: RULINGS.md R94 --------------------------------------------------------------


def may_unload(position: Position, unit_id: UnitId) -> bool:
    """Return whether a carrier that has failed to move may unload all the same [8.4.6]."""
    unit = position.units[unit_id]
    return position.setting.has("R94") and not unit.moved and any(True for _ in unloadings(position, unit))


def only_unloads(unit: Stand, action: Action, *, staying: bool) -> Refusal | None:
    """Reject anything but unloading of a carrier that has failed the roll of its group."""
    if not staying or isinstance(action, Unload):
        return None
    return Refusal("{} has not passed the roll of this group: it only unloads.", "8.2.4-roll", (unit.name,))


def judge(position: Position, unit: Stand, action: Load | Unload) -> Refusal | None:
    """The reason against loading or unloading."""
    if isinstance(action, Load):
        return cannot_load(position, unit, action)
    return cannot_unload(position, unit, action)


def play(game: Game[Position], action: Load | Unload) -> None:
    """Load or unload."""
    if isinstance(action, Load):
        load(game, action)
    else:
        unload(game, action)
