"""Hunters: the stands of a side that has nothing to go for but the enemy himself.

They march before they see him, vehicles close in as they fire, and batteries stay for their missions.
"""

from __future__ import annotations

from opfire.core.places import INCH, Point
from opfire.rulesets.micro_armour.artillery.batteries import is_battery
from opfire.rulesets.micro_armour.close.overrun import no_overrunner, no_target
from opfire.rulesets.micro_armour.pieces import Position, Side, Stand
from opfire.rulesets.micro_armour.players.worth import overrun
from opfire.rulesets.micro_armour.postures import cannot_fire_and_move
from opfire.space.measure import square

CLOSE = 5 * INCH
"""The distance from its enemies to which a vehicle closes in as it fires (1/1000 inch)."""

MOVES, NEARBY = 0.6, 0.8
"""The chance that a stand may move, and the part of its movement points within which it overruns."""


def hunts(sight: Position, side: Side) -> bool:
    """Return whether a side has nothing to go for but the enemy himself."""
    return not sight.setting.objectives and not sight.setting.exits[side]


def middle(sight: Position) -> Point:
    """The middle of the table: hunters march there before any enemy has come (1/1000 inch)."""
    width, height = sight.table.size
    return width // 2, height // 2


def serves_its_guns(sight: Position, unit: Stand) -> bool:
    """Return whether a stand is a battery of hunters that has enemies in range: it stays for its next mission."""
    if not is_battery(unit) or not hunts(sight, unit.side):
        return False
    return _within(sight, unit, (unit.kind.he_range or 0) * INCH)


def closes_in(sight: Position, unit: Stand) -> bool:
    """Return whether a vehicle fires and moves: it hunts enemies at whom it will fire better from nearer."""
    able = unit.armoured and unit.kind.armed and not unit.rank and cannot_fire_and_move(unit) is None
    last = sight.turn >= sight.setting.scenario.turns
    return able and not last and hunts(sight, unit.side) and not _within(sight, unit, CLOSE)


def expects_overrun(sight: Position, unit: Stand) -> float:
    """The greatest gain of an overrun to which a vehicle can drive, with the chance that it may move.

    It is 0 for a stand that overruns nobody. Nothing that may bar its way counts here.
    """
    if unit.at is None or no_overrunner(sight, unit) is not None:
        return 0.0
    far = round((unit.kind.mov_points or 0) * NEARBY) * INCH
    near = (each for each in sight.enemies(unit.side) if each.at is not None and square(unit.at, each.at) <= far**2)
    return MOVES * max((overrun(sight, unit, each) for each in near if no_target(sight, unit, each) is None), default=0)


def _within(sight: Position, unit: Stand, far: int) -> bool:
    """Return whether an enemy is at most so far from a stand (1/1000 inch)."""
    assert unit.at is not None
    places = (enemy.at for enemy in sight.enemies(unit.side))
    return any(place is not None and square(unit.at, place) <= far**2 for place in places)
