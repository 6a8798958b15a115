"""Helicopters [HEL, HDN]: they move one after the other, go down, and load and unload while down."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from opfire.core.actions import NOBODY, Action, Offer, Refusal, Region
from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.places import INCH, Point, tenths
from opfire.rulesets.panzerblitz_miniatures.actions import EndPhase, SetDown
from opfire.rulesets.panzerblitz_miniatures.airpower.air import (
    Arrive,
    Fly,
    Leave,
    arrivals,
    arrive,
    cannot_arrive,
    cannot_leave,
    fliers,
    fly,
    leave,
    there_already,
)
from opfire.rulesets.panzerblitz_miniatures.moving.occupation import move_in
from opfire.rulesets.panzerblitz_miniatures.moving.transport import no_room
from opfire.rulesets.panzerblitz_miniatures.pieces import (
    ADJACENT,
    Position,
    Side,
    Stand,
    UnitId,
    adjacent,
    is_dispersed,
    not_at_hand,
    not_yours,
    off_the_table,
)
from opfire.rulesets.panzerblitz_miniatures.setup import board, cannot_set_down, set_down, unfit
from opfire.space.measure import MICRO, SLACK, length

CLOSED = ("woods", "heavy-woods", "town", "building", "stream", "gully", "water")
"""The terrain in which helicopters unload nobody [HEL-12]."""


class Embark(Action, frozen=True):
    """Load a stand into a helicopter that is down."""

    says = "{unit} gets into {carrier}"
    kind = "load"
    unit: UnitId
    carrier: UnitId


class Disembark(Action, frozen=True):
    """Unload a stand from a helicopter that is down, at a point beside it (1/1000 inch)."""

    says = "{unit} gets out at {to}"
    kind = "load"
    unit: UnitId
    to: Point


class HelicopterMovement(Frame, frozen=True):
    """The phasing side moves its helicopters, one at a time, after the aircraft [HEL-2, HEL-3, HEL-4].

    Down counters come off first [HDN-3]. `landed` are the helicopters that had one: as long as they have not flown they
    may load and unload, and are down again: RULINGS.md R103. `mover` is under way, `done` have completed their moves.
    """

    takes = (Fly, SetDown, Embark, Disembark, Arrive, Leave, EndPhase)
    step = "air"
    rule = "HEL-3"
    question = "Move your helicopters, set them down, or end their movement"
    landed: tuple[UnitId, ...] = ()
    mover: UnitId = ""
    done: tuple[UnitId, ...] = ()

    def begin(self, game: Game[Position]) -> None:
        """Take the down counters off before the helicopters move [HDN-3]."""
        found = helicopters(game.state, self.side)
        if not found:
            return game.pop()
        game.swap(replace(self, landed=tuple(unit.id for unit in found if unit.down)))
        for unit in found:
            if unit.down:
                game.state.change(unit.id, down=False)

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        yield from (unit.id for unit in helicopters(sight, side))

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Offer]:
        if actor == NOBODY:
            yield EndPhase()
            return
        unit = sight.units[actor]
        yield from arrivals(sight, unit)
        if unit.at is None:
            return
        if not self._out_of_turn(unit) and (far := left(sight, unit)) > SLACK:
            yield Region(Fly(actor, unit.at), sight.table.box(unit.at, far))
        for action in (SetDown(actor), Leave(actor)):
            if self.refusal(sight, side, action) is None:
                yield action
        if can_load(sight, unit, self.landed):
            yield from self._loads(sight, unit)

    def _loads(self, sight: Position, unit: Stand) -> Iterator[Offer]:
        for other in sight.of(unit.side):
            if self.refusal(sight, unit.side, load := Embark(other.id, unit.id)) is None:
                yield load
        for name in unit.cargo:
            spots = (at for at in beside(sight, unit) if cannot_disembark(sight, unit.side, name, at, self) is None)
            if (first := next(spots, None)) is not None:
                yield Disembark(name, first)
                yield Region(Disembark(name, first), around(sight, unit))

    def _out_of_turn(self, unit: Stand) -> Refusal | None:
        """Reject a helicopter that has completed its move [HEL-4], or is down [HDN-2]."""
        if unit.down:
            return Refusal("{} is down and has moved", "HDN-2", (unit.name,))
        if unit.id in self.done:
            return Refusal("{} has completed its move: another has begun", "HEL-4", (unit.name,))
        return None

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case Fly(name, to):
                unit = sight.units[name]
                return not_a_helicopter(side, unit) or self._out_of_turn(unit) or cannot_go(sight, unit, to)
            case SetDown(name):
                return cannot_set_down(sight, side, sight.units[name])
            case Arrive(name, to):
                return no_helicopter(sight.units[name]) or cannot_arrive(sight, side, sight.units[name], to)
            case Leave(name):
                unit = sight.units[name]
                return not_a_helicopter(side, unit) or self._out_of_turn(unit) or cannot_get_away(sight, side, unit)
            case Embark(name, carrier):
                return cannot_embark(sight, side, sight.units[name], sight.units[carrier], self)
            case Disembark(name, to):
                return cannot_disembark(sight, side, name, to, self)
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case EndPhase():
                return game.pop()
            case Fly(name, to):
                self._fly(game, name, to)
            case SetDown(name):
                set_down(game, name)
                game.state.change(name, moved=bool(game.state.units[name].flown))
            case Arrive(name, to):
                arrive(game, name, to)
            case Leave(name):
                leave(game, name)
            case Embark(name, carrier):
                load(game, name, carrier)
            case Disembark(name, to):
                unload(game, name, to)
        if not helicopters(game.state, self.side):
            game.pop()

    def _fly(self, game: Game[Position], unit_id: UnitId, to: Point) -> None:
        unit = game.state.units[unit_id]
        assert unit.at is not None
        done = (*self.done, self.mover) if self.mover not in ("", unit_id) else self.done
        game.swap(replace(self, mover=unit_id, done=done))
        way = length(unit.at, to)
        game.state.change(unit_id, spent=unit.spent + way, gone=unit.gone + way, moved=True)
        fly(game, unit_id, to)


def helicopters(position: Position, side: Side) -> list[Stand]:
    """The side's helicopters that are on the table or can arrive now."""
    return [unit for unit in fliers(position, side) if unit.helicopter]


def left(position: Position, unit: Stand) -> int:
    """The movement points (10^-6) that a helicopter has left: an inch costs one, dispersed or not [HEL-2, HEL-5]."""
    return max(0, position.allowance(unit) - unit.spent)


# --- checks ---------------------------------------------------------------------------------------------------


def no_helicopter(unit: Stand) -> Refusal | None:
    """Reject a unit that is no helicopter."""
    return None if unit.helicopter else Refusal("{} is no helicopter", "HEL-1", (unit.name,))


def not_a_helicopter(side: Side, unit: Stand) -> Refusal | None:
    """Reject a unit that is no helicopter of the side on the table."""
    return not_yours(side, unit) or no_helicopter(unit) or off_the_table(unit)


def cannot_go(position: Position, unit: Stand, to: Point) -> Refusal | None:
    """Reject a flight beyond the allowance [HEL-2]; no terrain is closed, and no state of the crew [HEL-5]."""
    assert unit.at is not None
    if length(unit.at, to) > left(position, unit) + SLACK:
        return Refusal("{} has {} inches left", "HEL-2", (unit.name, left(position, unit) / MICRO))
    return there_already(unit, to)


def cannot_get_away(position: Position, side: Side, unit: Stand) -> Refusal | None:
    """Reject a helicopter that has not the points to reach an edge of the table [AIM-2, HEL-1]."""
    assert unit.at is not None
    far = min(*unit.at, *(most - n for n, most in zip(unit.at, position.table.size, strict=True)))
    if far * (MICRO // INCH) > left(position, unit) + SLACK:
        return Refusal("{} does not reach the edge of the table", "HEL-1", (unit.name,))
    return cannot_leave(side, unit)


def can_load(position: Position, unit: Stand, landed: tuple[UnitId, ...]) -> bool:
    """Return whether a helicopter can load or unload now."""
    return cannot_load(unit, landed) is None


def cannot_load(unit: Stand, landed: tuple[UnitId, ...]) -> Refusal | None:
    """Reject a helicopter that is not down, or has spent points: loading costs all of them [HEL-11]."""
    if unit.id not in landed:
        return Refusal("{} is not down", "HEL-11", (unit.name,))
    if unit.gone:
        return Refusal("{} has flown: to load and unload costs all its points", "HEL-11", (unit.name,))
    return is_dispersed(unit)


def cannot_embark(
    position: Position, side: Side, unit: Stand, carrier: Stand, frame: HelicopterMovement
) -> Refusal | None:
    """Reject a stand that cannot get into that helicopter [HEL-11, TRN-5, TRN-6, TRN-7]."""
    return (
        not_at_hand(side, unit)
        or not_a_helicopter(side, carrier)
        or cannot_load(carrier, frame.landed)
        or not_personnel(unit)
        or has_acted(unit)
        or no_room(position, unit, carrier)
        or handled_otherwise(carrier, "unloaded")
        or too_far(position, unit, carrier)
    )


def not_personnel(unit: Stand) -> Refusal | None:
    """Reject everything but personnel as passengers of a helicopter [HEL-11]."""
    return None if unit.kind.mode == "P" else Refusal("{} is no personnel", "HEL-11", (unit.name,))


def has_acted(unit: Stand) -> Refusal | None:
    """Reject a passenger that has fired or moved in this segment [TRN-6]."""
    if unit.fired or unit.moved or unit.reacted:
        return Refusal("{} has fired or moved in this segment", "TRN-6", (unit.name,))
    return None


def handled_otherwise(carrier: Stand, other: str) -> Refusal | None:
    """Reject loading and unloading in one phase [TRN-7]."""
    return Refusal("{} has {} in this phase", "TRN-7", (carrier.name, other)) if carrier.handled == other else None


def too_far(position: Position, unit: Stand, carrier: Stand) -> Refusal | None:
    """Reject a stand that is not adjacent to the helicopter [TRN-3]."""
    if adjacent(position, unit, carrier):
        return None
    return Refusal("{} is not adjacent to {}", "TRN-3", (unit.name, carrier.name))


def cannot_disembark(
    position: Position, side: Side, unit_id: UnitId, to: Point, frame: HelicopterMovement
) -> Refusal | None:
    """Reject a stand that cannot get out of its helicopter there [HEL-11, HEL-12]."""
    unit = position.units[unit_id]
    carrier = position.units[unit.carrier] if unit.carrier is not None else unit
    return (
        not_a_helicopter(side, carrier)
        or cannot_load(carrier, frame.landed)
        or is_dispersed(unit)
        or has_acted(unit)
        or handled_otherwise(carrier, "loaded")
        or closed_to_unloading(position, carrier, to)
        or not_beside(position, carrier, to)
        or unfit(position, unit, to)
    )


def closed_to_unloading(position: Position, carrier: Stand, to: Point) -> Refusal | None:
    """Reject unloading in woods, town, stream, gully or water [HEL-12]."""
    assert carrier.at is not None
    for at in (carrier.at, to):
        if bad := [kind for kind in position.table.ground.at(at).kinds if kind in CLOSED]:
            return Refusal("{} unloads nobody in {}", "HEL-12", (carrier.name, bad[0]))
    return None


def not_beside(position: Position, carrier: Stand, to: Point) -> Refusal | None:
    """Reject a point that is not adjacent to the helicopter, or below it."""
    assert carrier.at is not None
    if position.table.overlap(carrier.at, to):
        return Refusal("{} is there", "MOV-8", (carrier.name,))
    if not position.table.edges_within(carrier.at, to, ADJACENT):
        return Refusal("{} is not adjacent to {}", "TRN-3", (tenths(to), carrier.name))
    return None


# --- carrying out ---------------------------------------------------------------------------------------------


def load(game: Game[Position], unit_id: UnitId, carrier_id: UnitId) -> None:
    """Load a stand: the helicopter spends its whole allowance and is down again [HEL-11]."""
    position = game.state
    unit, carrier = position.units[unit_id], position.units[carrier_id]
    position.change(unit_id, moved=True, position=False, work="", floor=0, handled="loaded")
    board(position, carrier_id, unit_id)
    _spend(position, carrier, "loaded")
    game.tell(Event("loaded", "{} gets into {}", (unit.name, carrier.name), "HEL-11", (unit_id, carrier_id)))


def unload(game: Game[Position], unit_id: UnitId, to: Point) -> None:
    """Unload a stand beside its helicopter, which spends its whole allowance and is down again [HEL-11]."""
    position = game.state
    unit = position.units[unit_id]
    assert unit.carrier is not None
    carrier = position.units[unit.carrier]
    position.change(carrier.id, cargo=tuple(name for name in carrier.cargo if name != unit_id))
    position.put(unit_id, to, carrier=None, moved=True, handled="unloaded")
    move_in(position, unit_id)
    _spend(position, position.units[carrier.id], "unloaded")
    facts = (unit.name, carrier.name, tenths(to))
    game.tell(Event("unloaded", "{} gets out of {} at {}", facts, "HEL-11", (unit_id, carrier.id), (to,)))


def _spend(position: Position, carrier: Stand, how: str) -> None:
    position.change(carrier.id, spent=position.allowance(carrier), moved=True, down=True, handled=how)


# --- places beside a helicopter -------------------------------------------------------------------------------


def around(position: Position, unit: Stand) -> tuple[int, int, int, int]:
    """The box around a helicopter in which its passengers get out."""
    assert unit.at is not None
    return position.table.box(unit.at, (position.setting.base + ADJACENT) * (MICRO // INCH))


def beside(position: Position, unit: Stand) -> Iterator[Point]:
    """Points around a helicopter to try, in steps of a quarter inch."""
    west, north, east, south = around(position, unit)
    step = INCH // 4
    yield from ((x, y) for y in range(north, south + 1, step) for x in range(west, east + 1, step))
