"""The rolls of air strikes and landings [8.10, 12.3]: to attack, to stay on course, to arrive, to land."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from opfire.core.actions import Action
from opfire.core.events import Calculation, Line
from opfire.core.flow import Frame
from opfire.core.places import Point
from opfire.core.texts import Text
from opfire.rulesets.micro_armour.air.defence import FireAtAircraft, able, gun_roll, hindrance
from opfire.rulesets.micro_armour.air.planes import Plane, falling, guns, loads
from opfire.rulesets.micro_armour.air.plans import AimBombs, DirectBombs
from opfire.rulesets.micro_armour.air.strikes import NEXT, DropBombs, Strafe, combat, strike_roll
from opfire.rulesets.micro_armour.airborne.rolls import arrival, ground, location
from opfire.rulesets.micro_armour.airborne.zones import ChooseZone
from opfire.rulesets.micro_armour.artillery.coordinates import nearest
from opfire.rulesets.micro_armour.artillery.effects import covered
from opfire.rulesets.micro_armour.pieces import Position, Stand, Work
from opfire.rulesets.micro_armour.shown.chances.told import Rolling, Told, of_its_unit
from opfire.rulesets.micro_armour.works.ruins import Shell, place_rolls


def _course(sight: Position, plane: Plane, at: Point, target: Stand | None) -> Told:
    """The rolls to attack and to stay on course, with what anti-aircraft fire may add to both [12.3.4, 12.3.5]."""
    flak = able(sight, sight.setting.other[plane.side], at)
    for words, title in (("{}: to attack", "to attack"), ("{}: if it attacks", "to stay on course")):
        roll = strike_roll(sight, plane.side, title, 0, target=target)
        yield Text(words, (plane.name,)), _with_flak(roll, flak)


def _with_flak(roll: Calculation, flak: list[Stand]) -> Calculation:
    """A roll, with a note of what guns in range may add to it."""
    if not flak:
        return roll
    most = sum(hindrance(unit) for unit in flak)
    line = Line("note", "anti-aircraft fire, at most", f"{most:+}", "12.3.4")
    return replace(roll, lines=(*roll.lines, line))


def _strafe(sight: Position, frame: Frame, action: Strafe) -> Told:
    """A strafing run, and its roll for the next stand in line [12.3.6]."""
    plane, target = sight.planes[action.plane], sight.units[action.target]
    assert target.at is not None
    load = guns(plane.kind)
    yield from _course(sight, plane, target.at, target)
    yield Text("{} at {}", (plane.name, target.name)), combat(sight, load, target)
    if action.beyond:
        last = sight.units[action.beyond]
        roll = strike_roll(sight, plane.side, "to attack", 0, NEXT, target=last)
        flak = able(sight, sight.setting.other[plane.side], target.at)
        yield Text("{}: to go on to {}", (plane.name, last.name)), _with_flak(roll, flak)
        yield Text("{} at {}", (plane.name, last.name)), combat(sight, load, last)


def _bombs(sight: Position, frame: Frame, action: DropBombs) -> Told:
    """A bomb attack: each load on the stands, positions, buildings and bridges at its place [12.3.7]."""
    plane = sight.planes[action.plane]
    numbers = falling(plane, sight.turn)
    yield from _dropped(sight, plane, numbers, plane.bombs[numbers[0]].at)


def _aimed(sight: Position, frame: Frame, action: AimBombs | DirectBombs) -> Told:
    """The rolls of a bomb attack that is being written, should everything stay as it is [12.3.3]."""
    plane = sight.planes[action.plane]
    yield from _dropped(sight, plane, (len(plane.bombs),), nearest(sight.setting, plane.side, action.to))


def _dropped(sight: Position, plane: Plane, numbers: Iterable[int], at: Point) -> Told:
    """The rolls of an aircraft, and those of its loads by their numbers, at a place."""
    held = loads(sight.charts, plane.kind)
    stands = covered(sight, Work("", "impact", at))
    yield from _course(sight, plane, at, next(iter(stands), None))
    for number in numbers:
        load = held[number]
        which = Text("Load {}, {}", (number + 1, load.name))
        for target in stands:
            yield Text("{}: {}", (which, target.name)), combat(sight, load, target)
        for words, roll in place_rolls(sight, Shell(at, load.he, struck=next(iter(stands), None))):
            yield Text("{}: {}", (which, words)), roll


def _zone(sight: Position, frame: Frame, action: ChooseZone) -> Told:
    """The rolls of the first stand of a group, should it land where its player aims [8.10.1.3, 8.10.2.4]."""
    landing = sight.setting.landings[action.landing]
    if not landing.units:
        return
    at, unit = nearest(sight.setting, landing.side, action.to), sight.units[landing.units[0]]
    yield Text("{}: to arrive", (unit.name,)), arrival(sight, landing, at)
    yield Text("{}: if it arrives", (unit.name,)), location(sight, landing, unit, at)
    yield Text("{}: on the ground", (unit.name,)), ground(sight, landing, replace(unit, at=at))


ROLLS: Mapping[type[Action], Rolling] = {
    Strafe: _strafe,
    DropBombs: _bombs,
    AimBombs: _aimed,
    DirectBombs: _aimed,
    FireAtAircraft: of_its_unit(gun_roll),
    ChooseZone: _zone,
}
"""The rolls of each kind of action."""
