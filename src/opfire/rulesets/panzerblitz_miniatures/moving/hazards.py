"""Hazards on a leg: minefields, streams and cliffs, each at its place [MIN-5, STR-5, TEC-4]."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction

from msgspec.structs import replace

from opfire.core.events import Event, Line
from opfire.core.game import Game
from opfire.core.places import Point
from opfire.rulesets.panzerblitz_miniatures.fire.attacks import attacked_by_mines
from opfire.rulesets.panzerblitz_miniatures.morale import check
from opfire.rulesets.panzerblitz_miniatures.moving.opportunity import spend_here, under_way
from opfire.rulesets.panzerblitz_miniatures.pieces import Position, Stand, UnitId, clears
from opfire.space.measure import MICRO
from opfire.space.terrain.ground import Ground
from opfire.space.terrain.legs import Crossed, Leg, stopped

STREAM = (Line("modifier", "Entering a stream", "+1", "STR-5", 1),)

MOST_TRIES = 3
"""Steps of 1/1000 inch in which a point beside a border is found."""


def hazards(unit: Stand, way: Leg) -> list[Crossed]:
    """The hazards of a leg for a stand, in their order."""
    return [met for met in way.crossed if (kind := _kind(met)) in _DEALT_WITH and _concerns(unit, kind)]


def _kind(met: Crossed) -> tuple[str, str]:
    return met.feature.kind, met.manner


def _concerns(unit: Stand, kind: tuple[str, str]) -> bool:
    """Return whether a hazard is one for this stand: mines for all on the ground, streams and cliffs for foot.

    Mines attack stands of both sides, those that laid them too [MIN-4].
    """
    if unit.aircraft:
        return False
    return kind[0] == "mines" or not unit.vehicle


def place_of(position: Position, ground: Ground, way: Leg, met: Crossed) -> Point:
    """The point at which a stand is while it deals with a hazard: just within a minefield, before a stream or cliff."""
    at = stopped(way.start, way.end, met.at.fraction)
    if met.manner != "enters":
        return at
    if met.feature.kind == "mines" or "R16" in position.setting.options:
        return next((point for point in _onwards(way, at) if _lies_in(ground, point, met)), at)
    return next((point for point in _back(way, met) if not _lies_in(ground, point, met)), way.start)


def _lies_in(ground: Ground, at: Point, met: Crossed) -> bool:
    return met.feature in ground.at(at).features


def _onwards(way: Leg, at: Point) -> Iterator[Point]:
    """A point of a leg and its neighbours towards the end."""
    east, south = (_sign(b - a) for a, b in zip(way.start, way.end, strict=True))
    yield from (at, (at[0] + east, at[1]), (at[0], at[1] + south), (at[0] + east, at[1] + south))


def _back(way: Leg, met: Crossed) -> Iterator[Point]:
    """The points of a leg from a place on it towards the start, a step of 1/1000 inch at a time."""
    far = max(abs(b - a) for a, b in zip(way.start, way.end, strict=True))
    for number in range(MOST_TRIES):
        yield stopped(way.start, way.end, max(met.at.fraction - Fraction(number, far), Fraction(0)))


def _sign(amount: int) -> int:
    return (amount > 0) - (amount < 0)


# --- dealing with them ----------------------------------------------------------------------------------------


def deal_with(game: Game[Position], unit_id: UnitId, met: Crossed) -> None:
    """Carry out what a hazard does to the stand under way; it is halted if it does not get through."""
    position = game.state
    unit = position.units[unit_id]
    if met.feature.kind == "mines" and unit.kind.engineer == "MC":
        _flailed(game, unit, met)
    elif not clears(position, unit, met.feature.id):
        _DEALT_WITH[_kind(met)](game, unit_id)


def _mined(game: Game[Position], unit_id: UnitId) -> None:
    """A minefield attacks every stand that enters or leaves it; a dispersed stand goes no farther [MIN-5, MIN-7].

    An inverted one attacks all but the engineers at work in it [CLM-3]. The field stays where it is, as dangerous as
    before [MIN-3, MIN-8], and its attack leaves the stand open to all others of the segment [MIN-9].
    """
    attacked_by_mines(game, unit_id)


def _flailed(game: Game[Position], unit: Stand, met: Crossed) -> None:
    """A mine clearing tank stops in a minefield unharmed, and removes it as it leaves [MCT-1, MCT-2, MCT-3]."""
    position = game.state
    if met.manner == "enters":
        return halt(position)
    position.remove(met.feature.id)
    (spent, gone), half = under_way(position).before, position.allowance(unit) // 2
    before, met_before = (spent + half, gone), under_way(position).met - 1  # the field is gone from the leg
    position.progress = replace(under_way(position), before=before, met=met_before)
    position.change(unit.id, spent=unit.spent + half)
    game.tell(Event("work", "{} clears the minefield", (unit.name,), "MCT-3", (unit.id,), _places(unit)))
    return None


def _stream(game: Game[Position], unit_id: UnitId) -> None:
    """Entering a stream takes a morale check at +1; who fails is dispersed and stays outside: RULINGS.md R16."""
    position = game.state
    unit = position.units[unit_id]
    if position.setting.has("R16"):
        game.tell(Event("stream", "{} is dispersed in the stream", (unit.name,), "TEC-13", (unit_id,), _places(unit)))
        return _disperse(position, unit)
    made = check(position.charts, unit.name, position.setting.doctrine(unit.side).morale, STREAM)
    dice = game.roll(1, 6)
    entered = made.result(dice) == "passes"
    words = "{} enters the stream" if entered else "{} does not get into the stream and is dispersed"
    game.tell(Event("stream", words, (unit.name,), "STR-5", (unit_id,), _places(unit), dice, made))
    if not entered:
        spend_here(position, unit, MICRO)  # the inch of the stream that it tried [OPP-15]
        _disperse(position, unit)


def _disperse(position: Position, unit: Stand) -> None:
    for name in (unit.id, *unit.cargo):
        position.change(name, order="dispersed")
    halt(position)


def _cliff(game: Game[Position], unit_id: UnitId) -> None:
    """A cliff is climbed with a 1; who does not throw it goes no farther in this turn [TEC-4]."""
    position = game.state
    unit = position.units[unit_id]
    dice = game.roll(1, 6)
    climbs = dice == (1,)
    words = "{} climbs the cliff" if climbs else "{} does not get over the cliff"
    game.tell(Event("cliff", words, (unit.name,), "TEC-4", (unit_id,), _places(unit), dice))
    if not climbs:
        halt(position)


_DEALT_WITH: Mapping[tuple[str, str], Callable[[Game[Position], UnitId], None]] = {
    ("mines", "enters"): _mined,
    ("mines", "leaves"): _mined,
    ("stream", "enters"): _stream,
    ("cliff", "crosses"): _cliff,
}


def halt(position: Position) -> None:
    """The stand under way goes no farther."""
    assert position.progress is not None
    position.progress = replace(position.progress, halted=True, to=None)


def _places(unit: Stand) -> tuple[Point, ...]:
    return () if unit.at is None else (unit.at,)
