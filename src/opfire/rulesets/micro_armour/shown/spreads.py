"""Queries about deviation before it is rolled: every place to which the dice may carry shells, bombs or stands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple, TypeAlias

from opfire.core.actions import Action
from opfire.core.flow import Frame
from opfire.core.places import Point
from opfire.rulesets.micro_armour.air.planes import falling
from opfire.rulesets.micro_armour.air.plans import AimBombs, DirectBombs
from opfire.rulesets.micro_armour.air.strikes import DropBombs, Strafe, strike_roll
from opfire.rulesets.micro_armour.airborne.landing import ON_TARGET
from opfire.rulesets.micro_armour.airborne.rolls import location
from opfire.rulesets.micro_armour.airborne.zones import ChooseZone
from opfire.rulesets.micro_armour.artillery.batteries import is_rocket
from opfire.rulesets.micro_armour.artillery.coordinates import nearest
from opfire.rulesets.micro_armour.artillery.direct import FireDirect, deviates, seers
from opfire.rulesets.micro_armour.artillery.effects import beneath
from opfire.rulesets.micro_armour.artillery.grouped import GroupedFire
from opfire.rulesets.micro_armour.artillery.indirect import serving
from opfire.rulesets.micro_armour.artillery.missions import Mission
from opfire.rulesets.micro_armour.artillery.phase import CarryOut
from opfire.rulesets.micro_armour.artillery.rolls import to_deviate, worst
from opfire.rulesets.micro_armour.artillery.sheafs import DIRECTIONS, drift
from opfire.rulesets.micro_armour.artillery.writing import Aim, Writing, draft
from opfire.rulesets.micro_armour.charts import By
from opfire.rulesets.micro_armour.cohesion import DIE, SUCCESS
from opfire.rulesets.micro_armour.pieces import Position, Side, Stand, UnitId

Inches: TypeAlias = Mapping[int, Fraction]
"""The chances of each length of a deviation, in inches; 0 for none."""


class Spread(NamedTuple):
    """The place that is aimed at (1/1000 inch), and the chances of each distance from it."""

    aim: Point
    inches: Inches


def spread(sight: Position, side: Side, *, action: Action) -> list[dict[str, Any]]:
    """Every place where an action may end up, with its chance, should it be carried out; none without deviation."""
    return places(sight, spread_of(sight, side, action, None))


def places(sight: Position, found: Spread | None) -> list[dict[str, Any]]:
    """The places of a spread, the aim first: 1D8 gives the direction of all that deviates [7.6.1.2-direction]."""
    if found is None:
        return []
    chances: dict[Point, Fraction] = defaultdict(Fraction)
    north = sight.setting.sections.north
    for inches, chance in sorted(found.inches.items()):
        for toward in DIRECTIONS:
            right, down = drift(toward, inches, north)
            chances[found.aim[0] + right, found.aim[1] + down] += chance / len(DIRECTIONS)
    return [{"place": at, "chance": float(chance)} for at, chance in chances.items()]


def spread_of(sight: Position, side: Side, action: Action, frame: Frame | None) -> Spread | None:
    """The spread of what an action aims, as things stand now; None for an action that nothing carries astray."""
    match action:
        case FireDirect(unit, to):
            return _direct(sight, frame.units if isinstance(frame, GroupedFire) else (unit,), to)
        case Aim(to) if isinstance(frame, Writing):
            return _mission(sight, draft(sight, frame, frame.sheaf(sight, to)), frame.units)
        case CarryOut(name):
            mission = sight.missions[name]
            return _mission(sight, mission, _firing(sight, mission))
        case AimBombs(_, _, to) | DirectBombs(_, _, to):
            return _bombed(sight, side, nearest(sight.setting, side, to))
        case DropBombs(name):
            plane = sight.planes[name]
            return _bombed(sight, side, plane.bombs[falling(plane, sight.turn)[0]].at)
        case Strafe(_, target):
            stand = sight.units[target]
            return None if stand.at is None else Spread(stand.at, _flown(sight, side, 3, stand))
        case ChooseZone(landing, to):
            return _landing(sight, landing, nearest(sight.setting, side, to))
    return None


# --- shells -------------------------------------------------------------------------------------------------------


def _direct(sight: Position, names: tuple[UnitId, ...], at: Point) -> Spread | None:
    """Direct fire: only that of mortars and rockets deviates [7.5.4], that of a group once [7.4.9.1]."""
    if deviates(sight, names):
        return Spread(at, _shelled(sight, worst(sight, names), None))
    return None


def _mission(sight: Position, mission: Mission, able: tuple[UnitId, ...]) -> Spread | None:
    """A mission in its turn of arrival, by these batteries; afterwards it falls where it fell.

    [7.6.1.2-deviate, 7.6.5.1]
    """
    if mission.arrived or not able:
        return None
    if mission.kind == "direct":
        return _direct(sight, able, mission.sheaf.at)
    return Spread(mission.sheaf.at, _shelled(sight, worst(sight, able), mission))


def _firing(sight: Position, mission: Mission) -> tuple[UnitId, ...]:
    """The batteries that carry out a mission now [7.5.1, 7.6.1.1]."""
    able = serving(sight, mission)
    return seers(sight, mission, able) if mission.kind == "direct" else able


def _shelled(sight: Position, unit: Stand, mission: Mission | None) -> Inches:
    """The deviation of shells: half of 1D8 inches, 1D6 for rockets; half of 1D20 after a breakdown, a natural 20.

    [7.6.1.2-deviate, 7.6.1.2-direction, 12.2.3]
    """
    roll = to_deviate(sight, unit, mission)
    hit = roll.chances()[SUCCESS]
    broken = Fraction(sight.setting.has("12.2.3"), DIE)
    usual = _halved(8) if not is_rocket(unit) else _even(6)
    return _together((hit, {0: Fraction(1)}), (broken, _halved(DIE)), (1 - hit - broken, usual))


# --- aircraft and landings ------------------------------------------------------------------------------------------


def _bombed(sight: Position, side: Side, at: Point) -> Spread:
    """The spread of bombs that are aimed at a place; the stand that is there now may count: RULINGS.md R62."""
    return Spread(at, _flown(sight, side, 6, beneath(sight, at)))


def _flown(sight: Position, side: Side, most: int, target: Stand | None) -> Inches:
    """A strike that attacks: on course, or 1D6 inches off it, half of them for strafing [12.3.5, 12.3.6]."""
    hit = strike_roll(sight, side, "to stay on course", 0, target=target).chances()[SUCCESS]
    return _together((hit, {0: Fraction(1)}), (1 - hit, _even(most)))


def _landing(sight: Position, name: str, at: Point) -> Spread | None:
    """The first stand of a landing group, if it arrives [8.10.1.3-2, 8.10.1.3-2nat, 8.10.2.4-3]."""
    landing = sight.setting.landings[name]
    if not landing.units:
        return None
    roll = location(sight, landing, sight.units[landing.units[0]], at)
    hit = roll.chances()[SUCCESS]
    missed = (1 - hit, _dropped(sight, landing.group.by, landing.group.conditions))
    if landing.group.by == "glider":
        return Spread(at, _together((hit, {0: Fraction(1)}), missed))
    exact = Fraction(1, DIE)
    near = (hit - exact, _dropped(sight, "parachute", ON_TARGET))
    return Spread(at, _together((exact, {0: Fraction(1)}), near, missed))


def _dropped(sight: Position, by: By, conditions: str) -> Inches:
    """The drift of a stand in the air by the dice of the conditions [8.10.1.3-2fail, 8.10.2.4-3]."""
    row = sight.charts.landing_drift[by, conditions]
    rolls = [sum(dice) for dice in product(range(1, row.faces + 1), repeat=row.dice)]
    return _counted(-(-total // row.parts) + row.added for total in rolls)


# --- dice -----------------------------------------------------------------------------------------------------------


def _even(faces: int) -> Inches:
    """The inches of one die."""
    return _counted(range(1, faces + 1))


def _halved(faces: int) -> Inches:
    """Half of a die's inches, rounded up [3.4-half]."""
    return _counted(-(-number // 2) for number in range(1, faces + 1))


def _counted(all_rolls: Iterable[int]) -> Inches:
    """The chances of numbers that are all equally likely, each as often as it is listed."""
    rolls = list(all_rolls)
    return {number: Fraction(rolls.count(number), len(rolls)) for number in set(rolls)}


def _together(*cases: tuple[Fraction, Inches]) -> Inches:
    """Cases with their chances as one table; what cannot happen is left out."""
    found: dict[int, Fraction] = defaultdict(Fraction)
    for number, chance in _weighed(cases):
        found[number] += chance
    return {number: chance for number, chance in found.items() if chance}


def _weighed(cases: Iterable[tuple[Fraction, Inches]]) -> Iterator[tuple[int, Fraction]]:
    for share, inches in cases:
        yield from ((number, share * chance) for number, chance in inches.items())
