"""Looking for the enemy: places from which observers see targets, and ways towards enemies that must be destroyed."""

from __future__ import annotations

from math import isqrt

from opfire.core.places import INCH, Point
from opfire.kit.thinking.goals import PATIENCE
from opfire.rulesets.panzerblitz_miniatures.equipment import range_inches
from opfire.rulesets.panzerblitz_miniatures.fire.effectiveness import farthest_effect
from opfire.rulesets.panzerblitz_miniatures.fire.missions import INDIRECT
from opfire.rulesets.panzerblitz_miniatures.moving.works import ahead
from opfire.rulesets.panzerblitz_miniatures.pieces import Stand
from opfire.rulesets.panzerblitz_miniatures.thinking.mind import Mind, useful
from opfire.space.measure import square

CALLED = 0.3
"""The part of the harm of a mission that is expected: its target may go, and the next turn brings others."""

OTHERS = 0.4
"""The worth of a second target in sight against the first, of a third against the second."""

EAGER, PATIENT = 0.6, 1 / 3
"""The worth of the way to a place from which an enemy can be fired at, against the fire there, in the last turn.

And the part of the game in which a side waits for him to come.
"""

OUTLOOK = tuple((turn, far * INCH) for turn in (-50, -25, 0, 25, 50) for far in (8, 13, 18))
"""The points that an observer had better see, in degrees from the direction of its side, and in 1/1000 inch."""


# --- observers --------------------------------------------------------------------------------------------------


def observes(unit: Stand) -> bool:
    """Return whether it is a unit's task to direct indirect fire [IF-6]; command posts can, and stay behind."""
    return unit.kind.radio == "observer" and not unit.aircraft


def watch(mind: Mind, unit: Stand, at: Point) -> float:
    """The harm of missions that an observer could call from a point, in victory points."""
    if not observes(unit) or not mind.left:
        return 0.0
    harms = sorted((_called(mind, foe) for foe in mind.foes if _seen(mind, at, foe)), reverse=True)
    return CALLED * sum(harm * OTHERS**rank for rank, harm in enumerate(harms))


def _seen(mind: Mind, at: Point, foe: Stand) -> bool:
    return foe.at is not None and not foe.aircraft and mind.sees(at, foe, foe.at, foe.spotted)


def _called(mind: Mind, foe: Stand) -> float:
    """The harm of the strongest battery to an enemy, in victory points; beyond its least range it is taken as far."""
    assert foe.at is not None
    position = mind.position
    guns = [gun for gun in position.pick(position.setting.ids[mind.side]) if gun.kind.weapon in INDIRECT]
    ready = (gun for gun in guns if gun.status == "off-board" or (gun.at is not None and not gun.dispersed))
    charts, armor = position.charts, foe.kind.target
    strengths = (float(gun.kind.attack * farthest_effect(charts, gun.kind.weapon, armor).value) for gun in ready)
    return (mind.value(foe) + mind.menacing(foe)) * mind.harm(max(strengths, default=0.0), foe, foe.at)


def outlook(mind: Mind, unit: Stand, at: Point) -> float:
    """The share of the ground before an observer that it sees from a point, before any enemy stands there."""
    if not observes(unit):
        return 0.0
    facing, table = mind.position.setting.doctrine(unit.side).facing, mind.position.table
    points = [ahead(at, (facing + turn) % 360, far) for turn, far in OUTLOOK]
    return sum(point in table and mind.clear(at, point) for point in points) / len(points)


# --- destruction ------------------------------------------------------------------------------------------------


def eager(mind: Mind) -> float:
    """The zeal of a side that seeks the enemy: it grows late, while the side holds all it can hold and does not win."""
    if mind.winning or any(goal.gain or goal.leave for goal in mind.goals):
        return 0.0
    late = mind.position.turn / max(1, mind.position.setting.scenario.turns)
    return EAGER * max(0.0, (late - PATIENT) / (1 - PATIENT))


def approach(mind: Mind, unit: Stand, at: Point) -> float:
    """The worth of a point on the way to a place from which a unit could fire at an enemy, in victory points."""
    zeal = eager(mind)
    if not zeal or not useful(unit):
        return 0.0
    return zeal * max((_approached(mind, unit, at, foe) for foe in mind.foes if not foe.aircraft), default=0.0)


def _approached(mind: Mind, unit: Stand, at: Point, foe: Stand) -> float:
    """The harm of a unit to an enemy from near by, the less the more turns it is away from there."""
    if foe.at is None:
        return 0.0
    reach = range_inches(mind.position.charts, unit.kind)
    short = max(0.0, isqrt(square(at, foe.at)) / INCH - reach)
    inches = mind.position.allowance(unit) / 1_000_000 / (1.0 if unit.kind.mode == "P" else 2.0)
    strength = mind.strength(unit, foe.at, foe.kind.target, foe.at)
    return mind.value(foe) * mind.harm(strength, foe, foe.at) * float(PATIENCE ** (short / max(1.0, inches)))
