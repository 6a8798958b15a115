"""Places to set up in: near goals and in cover, guns with a view, each stand on a point of its zone."""

from __future__ import annotations

from collections.abc import Iterator
from math import isqrt

from opfire.core.actions import NOBODY, Choices
from opfire.core.places import INCH, Point
from opfire.core.ruleset import Suggestion
from opfire.kit.setup import Ready
from opfire.kit.table import Zone
from opfire.kit.thinking.goals import PATIENCE
from opfire.rulesets.panzerblitz_miniatures.pieces import Stand
from opfire.rulesets.panzerblitz_miniatures.setup import Place, cannot_place
from opfire.rulesets.panzerblitz_miniatures.thinking.hunting import outlook, watch
from opfire.rulesets.panzerblitz_miniatures.thinking.mind import Mind, useful
from opfire.rulesets.panzerblitz_miniatures.victory import NEAR
from opfire.space.measure import bearing, square

TRIED = 90
"""About how many points of a zone are tried for a stand."""

WEIGHED = 16
"""The number of those that are looked at closely."""

VIEWS = tuple((x * INCH, y * INCH) for far in (4, 8) for x, y in ((far, 0), (0, far), (-far, 0), (0, -far)))
"""Points around a gun that it had better see, from its own."""


def set_up(mind: Mind, choices: Choices) -> list[Suggestion]:
    """The best places for the next stand; ready when all stand."""
    if Ready() in choices.of(NOBODY):
        return [Suggestion(Ready(), 1.0, "everybody stands")]
    position = mind.position
    waiting = [position.units[name] for name in choices.asked if name != NOBODY and position.units[name].at is None]
    if not waiting:
        return []
    unit = min(waiting, key=_order)
    found = [
        Suggestion(Place(unit.id, at, facing(mind, unit, at)), worth, "a good place") for worth, at in _best(mind, unit)
    ]
    return found or [Suggestion(offer, 0.0, "a place") for offer in choices.of(unit.id) if isinstance(offer, Place)]


def _order(unit: Stand) -> tuple[int, str]:
    """Guns first, then vehicles, foot and posts: guns have the fewest good places."""
    rank = 0 if unit.kind.mode == "TO" else 1 if unit.vehicle else 2
    return rank + (3 if unit.kind.radio else 0), unit.id


def _best(mind: Mind, unit: Stand) -> list[tuple[float, Point]]:
    """The best points for a stand, each with its worth."""
    zone = mind.position.setting.zones[unit.id]
    allowed = [
        at
        for at in points(zone)
        if cannot_place(mind.position, unit.side, unit, at, mind.position.setting.doctrine(unit.side).facing) is None
    ]
    roughly = sorted(allowed, key=lambda at: (-_roughly(mind, unit, at), at))[:WEIGHED]
    return sorted(((_closely(mind, unit, at), at) for at in roughly), key=lambda each: (-each[0], each[1]))


def points(zone: Zone) -> Iterator[Point]:
    """Points of a zone to try: its own, and a lattice over its rectangle, of whole inches or coarser."""
    yield from zone.points
    if zone.box is None:
        return
    west, north, east, south = zone.box
    size = (east - west) * (south - north) // (INCH * INCH)
    step = max(INCH, isqrt(max(1, size // TRIED)) * INCH)
    for y in range(-(-north // INCH) * INCH, south + 1, step):
        for x in range(-(-west // INCH) * INCH, east + 1, step):
            yield x, y


def _roughly(mind: Mind, unit: Stand, at: Point) -> float:
    """The worth of a point by its goals, its ground and its neighbours."""
    shelter = mind.shelter(unit, at)
    found = 0.25 * shelter.cover + 0.06 * shelter.modifier + 0.01 * shelter.defence
    if unit.kind.mode == "TO" or unit.kind.radio or not useful(unit):
        found += _behind(mind, unit, at)
    else:
        found += mind.pull(unit, at) + _upon(mind, at)
    return found - _crowded(mind, at)


def _upon(mind: Mind, at: Point) -> float:
    """A little more for standing on an objective from the start."""
    upon = [goal for goal in mind.goals if not goal.leave and square(at, mind.at(goal.place)) <= NEAR**2]
    return 0.4 * max((max(goal.keep, goal.gain) for goal in upon), default=0.0)


def _behind(mind: Mind, unit: Stand, at: Point) -> float:
    """Guns and posts stay some inches from the objectives."""
    best = 0.0
    for goal in mind.goals:
        if not goal.leave:
            inches = isqrt(square(at, mind.at(goal.place))) / INCH
            best = max(best, max(goal.gain, goal.keep) * PATIENCE ** (abs(inches - 4.0) / 3))
    return best


def _crowded(mind: Mind, at: Point) -> float:
    """The drawback of friends very near: one template or one assault may find them all."""
    apart = [square(friend.at, at) for friend in mind.friends if friend.at is not None]
    return 0.1 * sum(each < (2 * INCH) ** 2 for each in apart) + 0.4 * sum(each < INCH**2 for each in apart)


def _closely(mind: Mind, unit: Stand, at: Point) -> float:
    """The worth of a point with what threatens it, and what is seen from it."""
    found = _roughly(mind, unit, at) - mind.value(unit) * mind.danger(unit, at)
    found += 0.35 * mind.prospects(unit, at) + watch(mind, unit, at) + 0.5 * outlook(mind, unit, at)
    if unit.kind.attack and not unit.kind.radio:
        table = mind.position.table
        views = [(at[0] + x, at[1] + y) for x, y in VIEWS]
        found += (
            (0.8 if unit.kind.mode == "TO" else 0.3)
            * sum(view in table and mind.clear(at, view) for view in views)
            / len(views)
        )
    return found


def facing(mind: Mind, unit: Stand, at: Point) -> int:
    """The direction of the nearest enemy, or that of the side where none stands yet."""
    foe = mind.nearest_foe(at)
    if foe is None or foe.at is None:
        return mind.position.setting.doctrine(unit.side).facing
    return bearing(at, foe.at)
