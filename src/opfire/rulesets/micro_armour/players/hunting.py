"""Hunters: the stands of a side that has nothing to go for but the enemy himself.

They march before they see him, vehicles close in and look for the sides of armour, and batteries stay for
their missions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from opfire.core.flow import Frame
from opfire.core.places import INCH, Point
from opfire.kit.thinking.views import beyond, middle
from opfire.rulesets.micro_armour.artillery.batteries import is_battery
from opfire.rulesets.micro_armour.close.rolls import combat_roll
from opfire.rulesets.micro_armour.moving import marching
from opfire.rulesets.micro_armour.moving.arrivals import entry_points
from opfire.rulesets.micro_armour.moving.marching import Move
from opfire.rulesets.micro_armour.pieces import Position, Side, Stand
from opfire.rulesets.micro_armour.players.closing import nearer, overruns
from opfire.rulesets.micro_armour.players.worth import damage
from opfire.rulesets.micro_armour.riders import targets
from opfire.space.measure import MICRO, bearing, square

MOVES, NEARBY = 0.6, 0.8
"""The chance that a stand may move, and the part of its movement points within which it overruns."""

LENGTHS, HEADINGS = (12, 10, 8, 6, 4, 2), range(0, 360, 20)
"""The legs to places to fire from that are looked at: inches and degrees."""

LOOKED_AT, TRIED = 20, 6
"""The most promising places that are checked, and those of them from which each shot is weighed."""

FRONT = 50
"""Half the arc of an armoured front with a margin (degrees)."""

FIRES = 0.65
"""The chance that a stand fires, in a guess at its shot."""

BANDS = ((1 / 4, 1.0), (1 / 2, 0.8), (3 / 4, 0.6), (1, 0.45))
"""Parts of the range, and the part of a shot's worth that is left up to there."""


def hunts(sight: Position, side: Side) -> bool:
    """Return whether a side has nothing to go for but the enemy himself."""
    return not sight.setting.objectives and not sight.setting.exits[side]


def meeting(sight: Position, side: Side) -> Point:
    """The place that hunters go for before any enemy has come (1/1000 inch).

    It is the middle of the places at which enemies are still to come on, else that of the table.
    """
    waiting = (unit for unit in sight.pick(sight.setting.ids[sight.setting.other[side]]) if unit.status == "reserve")
    coming = [unit for unit in waiting if unit.id in sight.setting.entries]
    if coming:
        return middle([at for unit in coming for at in entry_points(sight, unit)])
    width, height = sight.table.size
    return width // 2, height // 2


def serves_its_guns(sight: Position, unit: Stand) -> bool:
    """Return whether a stand is a battery of hunters that has enemies in range: it stays for its next mission."""
    if not is_battery(unit) or not hunts(sight, unit.side):
        return False
    return within(sight, unit, (unit.kind.he_range or 0) * INCH)


def storms(sight: Position, unit: Stand) -> bool:
    """Return whether a stand is an armoured hunter with an enemy to close in on; headquarters are none."""
    able = unit.armoured and unit.kind.armed and not unit.rank and bool(unit.kind.mov_points)
    return able and hunts(sight, unit.side) and any(enemy.at is not None for enemy in sight.enemies(unit.side))


def expects_overrun(sight: Position, unit: Stand) -> float:
    """The gain of the best overrun within reach, times the chance that the vehicle may move.

    It is 0 for a stand that overruns nobody. Obstacles on the way do not count.
    """
    if unit.at is None:
        return 0.0
    reach = round((unit.kind.mov_points or 0) * NEARBY)
    return MOVES * max((gain for far, gain in overruns(sight, unit) if far <= reach), default=0.0)


def within(sight: Position, unit: Stand, far: int) -> bool:
    """Return whether an enemy is at most so far from a stand (1/1000 inch)."""
    assert unit.at is not None
    places = (enemy.at for enemy in sight.enemies(unit.side))
    return any(place is not None and square(unit.at, place) <= far**2 for place in places)


def places(sight: Position, side: Side, frame: Frame, unit: Stand, at: Point) -> Iterator[Move]:
    """The legs to the places from which a stand probably has the best shots: near, and beside or behind armour."""
    prizes = [guess(sight, unit, each) for each in targets(sight, side) if each.at is not None]
    found = list[tuple[float, int, Move]]()
    for inches, to in _around(sight, unit, at):
        value, toward = max((_shot(each, to) for each in prizes), default=(0.0, to))
        if value:
            found.append((-value - nearer(sight, unit, to), inches, Move(unit.id, to, bearing(to, toward))))
    best = sorted(found, key=lambda each: (*each[:2], each[2].to))[:LOOKED_AT]
    yield from [leg for _, _, leg in best if frame.refusal(sight, side, leg) is None][:TRIED]


def _around(sight: Position, unit: Stand, at: Point) -> Iterator[tuple[int, Point]]:
    """The ends of the legs for which a stand may have the points, with their lengths in inches."""
    far = marching.farthest(sight, unit) + MICRO // 2
    for inches in LENGTHS:
        for heading in HEADINGS if inches * MICRO <= far else ():
            to = beyond(at, heading, inches)
            if to in sight.table:
                yield inches, to


class Guess(NamedTuple):
    """A guess at the worth of a shot at an enemy: at its front, at its flanks, and the range of the weapon (1/1000)."""

    enemy: Stand
    front: float
    flank: float
    reach: int


def guess(sight: Position, unit: Stand, enemy: Stand) -> Guess:
    """A guess by firepower and defence alone; armour has half its defence at the flanks [7.3.1-arc]."""
    weapon = unit.kind
    power, reach = (weapon.ap, weapon.ap_range) if enemy.armoured else (weapon.he, weapon.he_range)

    def against(defence: int) -> float:
        return FIRES * damage(sight, combat_roll(sight.charts, "", "", (power or 0) - defence), enemy)

    front = against(enemy.defence)
    return Guess(enemy, front, against(-(-enemy.defence // 2)) if enemy.armoured else front, (reach or 0) * INCH)


def _shot(aim: Guess, to: Point) -> tuple[float, Point]:
    """A guess at the worth of a shot from a place, by range and facing, and the enemy's place."""
    enemy = aim.enemy
    assert enemy.at is not None
    far = square(to, enemy.at)
    left = next((part for share, part in BANDS if far <= (share * aim.reach) ** 2), 0.0)
    off = abs((bearing(enemy.at, to) - enemy.facing + 180) % 360 - 180)
    return left * (aim.front if off < FRONT else aim.flank), enemy.at
