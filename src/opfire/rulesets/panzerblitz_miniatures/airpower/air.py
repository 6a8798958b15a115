"""The Air Phase [AIP, AIM]: aircraft arrive, fly anywhere and leave; its end. Helicopters have their own chapter."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from opfire.core.actions import NOBODY, PROCEDURE, Action, Offer, Refusal, Region
from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.places import Point, tenths
from opfire.rulesets.panzerblitz_miniatures.actions import EndPhase
from opfire.rulesets.panzerblitz_miniatures.pieces import (
    Position,
    Side,
    Stand,
    UnitId,
    not_yours,
    off_the_table,
)
from opfire.rulesets.panzerblitz_miniatures.sighting.seeing import out_of_sight, spotted_by


class Fly(Action, frozen=True):
    """Fly straight to a point (1/1000 inch)."""

    says = "{unit} flies to {to}"
    kind = "move"
    unit: UnitId
    to: Point


class Arrive(Action, frozen=True):
    """Bring an aircraft onto the table at a point where it may enter."""

    says = "{unit} arrives at {to}"
    kind = "move"
    unit: UnitId
    to: Point


class Leave(Action, frozen=True):
    """Fly off the table for good."""

    says = "{unit} leaves the table"
    kind = "move"
    unit: UnitId


class AirMovement(Frame, frozen=True):
    """The phasing side moves its fighter-bombers and observation aircraft [AIP-1, AIM-1, AIM-2]."""

    takes = (Fly, Arrive, Leave, EndPhase)
    step = "air"
    rule = "AIP-1"
    question = "Fly with your aircraft, or end their movement"

    def begin(self, game: Game[Position]) -> None:
        if not planes(game.state, self.side):
            game.pop()

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        yield from (unit.id for unit in planes(sight, side))

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Offer]:
        if actor == NOBODY:
            yield EndPhase()
            return
        unit = sight.units[actor]
        yield from arrivals(sight, unit)
        if unit.at is not None:
            yield Region(Fly(actor, unit.at), everywhere(sight))
            if out_of_touch(sight, unit, None) is None:
                yield Leave(actor)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case Fly(name, to):
                return cannot_fly(side, sight.units[name], to) or out_of_touch(sight, sight.units[name], to)
            case Arrive(name, to):
                return a_helicopter(sight.units[name]) or cannot_arrive(sight, side, sight.units[name], to)
            case Leave(name):
                unit = sight.units[name]
                return a_helicopter(unit) or cannot_leave(side, unit) or out_of_touch(sight, unit, None)
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case Fly(name, to):
                fly(game, name, to)
            case Arrive(name, to):
                arrive(game, name, to)
            case Leave(name):
                leave(game, name)
            case EndPhase():
                return game.pop()
        self.begin(game)


def planes(position: Position, side: Side) -> list[Stand]:
    """The side's aircraft other than helicopters that are on the table or can arrive now."""
    return [unit for unit in fliers(position, side) if not unit.helicopter]


def fliers(position: Position, side: Side) -> list[Stand]:
    """The side's aircraft, helicopters included, that are on the table or can arrive now."""
    found = (unit for unit in position.pick(position.setting.ids[side]) if unit.aircraft)
    return [unit for unit in found if unit.at is not None or may_arrive(position, unit)]


def everywhere(position: Position) -> tuple[int, int, int, int]:
    """The whole table as the box of a region [AIM-1]."""
    return (0, 0, *position.table.size)


# --- checks ---------------------------------------------------------------------------------------------------


def a_helicopter(unit: Stand) -> Refusal | None:
    """Reject a helicopter among the aircraft that fly without limit [HEL-2]."""
    return (
        Refusal("{} is a helicopter: it moves after the aircraft", "HEL-3", (unit.name,)) if unit.helicopter else None
    )


def no_aircraft(unit: Stand) -> Refusal | None:
    """Reject a unit that does not fly [AIR-1]."""
    return None if unit.aircraft else Refusal("{} is no aircraft", "AIR-1", (unit.name,))


def there_already(unit: Stand, to: Point) -> Refusal | None:
    """Reject a flight to the place where the aircraft is."""
    return Refusal("{} is there already", PROCEDURE, (unit.name,)) if unit.at == to else None


def cannot_fly(side: Side, unit: Stand, to: Point) -> Refusal | None:
    """Reject a flight [AIM-1]: neither its length nor the terrain below is a reason."""
    refusal = not_yours(side, unit) or no_aircraft(unit) or a_helicopter(unit)
    return refusal or off_the_table(unit) or there_already(unit, to)


def out_of_touch(position: Position, unit: Stand, to: Point | None) -> Refusal | None:
    """Reject a flight by which a spotter loses a target of indirect fire [OBA-2]: RULINGS.md R105.

    `to` is None off the table. The owner alone knows of the missions; a target that is out of touch already binds
    nobody.
    """
    for plot in position.plots:
        target = position.units.get(plot.target)
        if plot.spotter == unit.id and target is not None and target.at is not None:
            there = None if to is None else replace(unit, at=to)
            if _spots(position, unit, target) and not (there and _spots(position, there, target)):
                return Refusal("{} directs fire at {} and keeps it in sight", "OBA-2", (unit.name, target.name))
    return None


def _spots(position: Position, unit: Stand, target: Stand) -> bool:
    return out_of_sight(position, unit, target) is None and spotted_by(position, unit, target)


def may_arrive(position: Position, unit: Stand) -> bool:
    """Return whether an aircraft in reserve can come onto the table in this turn [AIM-2]."""
    entry = position.setting.entries.get(unit.id)
    return unit.aircraft and unit.status == "reserve" and entry is not None and entry[0] <= position.turn


def cannot_arrive(position: Position, side: Side, unit: Stand, to: Point) -> Refusal | None:
    """Reject an aircraft that does not arrive now, or not there [AIM-2]: one that has left never returns."""
    if refusal := not_yours(side, unit) or no_aircraft(unit):
        return refusal
    if unit.status == "exited":
        return Refusal("{} has left the table and does not return", "AIM-2", (unit.name,))
    if not may_arrive(position, unit):
        return Refusal("{} does not arrive in this turn", "AIM-2", (unit.name,))
    if to not in entry_points(position, unit):
        return Refusal("{} does not arrive at {}", "AIM-2", (unit.name, tenths(to)))
    return None


def cannot_leave(side: Side, unit: Stand) -> Refusal | None:
    """Reject a unit that cannot fly off the table [AIM-2]."""
    return not_yours(side, unit) or no_aircraft(unit) or off_the_table(unit)


def entry_points(position: Position, unit: Stand) -> tuple[Point, ...]:
    """The points at which the scenario lets an aircraft arrive [AIM-2]."""
    return tuple(position.table.parse(place) for place in position.setting.entries[unit.id][1])


def arrivals(position: Position, unit: Stand) -> Iterator[Arrive]:
    """The ways in which an aircraft may arrive now."""
    if may_arrive(position, unit):
        yield from (Arrive(unit.id, at) for at in entry_points(position, unit))


# --- carrying out ---------------------------------------------------------------------------------------------


def fly(game: Game[Position], unit_id: UnitId, to: Point) -> None:
    """Fly to a point, and remember the way for the guns below [AIP-2]."""
    position = game.state
    unit = position.units[unit_id]
    assert unit.at is not None
    position.put(unit_id, to, flown=(*(unit.flown or (unit.at,)), to))
    game.tell(Event("moved", "{} flies to {}", (unit.name, tenths(to)), "AIM-1", (unit_id,), (to,)))


def arrive(game: Game[Position], unit_id: UnitId, to: Point) -> None:
    """Bring an aircraft onto the table [AIM-2]."""
    unit = game.state.put(unit_id, to, flown=(to,))
    game.tell(Event("entered", "{} arrives at {}", (unit.name, tenths(to)), "AIM-2", (unit_id,), (to,)))


def leave(game: Game[Position], unit_id: UnitId) -> None:
    """Take an aircraft with its passengers off the table; it never returns and counts as no loss [AIM-2]."""
    unit = game.state.units[unit_id]
    assert unit.at is not None
    game.tell(Event("exited", "{} leaves the table", (unit.name,), "AIM-2", (unit_id,), (unit.at,)))
    game.state.lift(unit_id, "exited")


# --- the end of the phase -------------------------------------------------------------------------------------


class AirPhaseEnd(Frame, frozen=True):
    """Damaged aircraft are removed [AAT-2], and those whose time is over leave [AIM-2]."""

    step = "air"
    rule = "AAT-2"

    def begin(self, game: Game[Position]) -> None:
        remove_damaged(game)
        position = game.state
        for unit in fliers(position, self.side):
            if unit.at is not None and unit.stays == 1:
                leave(game, unit.id)
            elif unit.at is not None and unit.stays:
                position.change(unit.id, stays=unit.stays - 1)
        game.pop()


def remove_damaged(game: Game[Position]) -> None:
    """Take damaged aircraft off the table, which is no destruction [AAT-2]; forget the flights of all others."""
    position = game.state
    for unit in [unit for side in position.setting.sides for unit in fliers(position, side)]:
        if unit.at is not None and unit.damaged:
            game.tell(Event("exited", "{} is damaged and turns away", (unit.name,), "AAT-2", (unit.id,), (unit.at,)))
            position.lift(unit.id, "exited")
        if unit.flown or unit.struck:
            position.change(unit.id, flown=(), struck=False)
