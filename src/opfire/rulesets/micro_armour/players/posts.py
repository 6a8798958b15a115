"""Posts: the stands that keep and clear the features that a side has to hold alone, where it has to hold several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from opfire.core.places import INCH, Point
from opfire.rulesets.micro_armour.decisions import contesters, middle, to_hold
from opfire.rulesets.micro_armour.pieces import Position, Setting, Side, Stand, UnitId
from opfire.space.measure import MICRO, length, square

KEEPERS, CLEARERS, GUARDS = 1, 3, 2
"""The stands that keep a feature, those that clear it of each enemy in it, and the guards of one with enemies near."""

ALARM = 10 * INCH
"""The distance at which an enemy threatens a feature (1/1000 inch)."""

PACE = 0.6
"""The part of its movement that a stand makes good in a turn."""


class Able(NamedTuple):
    """A stand that can take a post: where it is, and the inches that it makes good in a turn."""

    id: UnitId
    at: Point
    facing: int
    pace: float


def several(sight: Position, side: Side) -> bool:
    """Return whether a side has to hold several features alone."""
    return len([*to_hold(sight, side)]) > 1


def of(sight: Position, unit: Stand) -> str:
    """The feature that is the post of a stand; empty for a stand without one."""
    if not several(sight, unit.side):
        return ""
    able = tuple(Able(each.id, at, each.facing, _pace(each)) for each, at in _placed(sight, unit.side) if _can(each))
    enemies = tuple((at, each.facing) for each, at in _placed(sight, sight.setting.other[unit.side]))
    names = tuple(to_hold(sight, unit.side))
    left = sight.setting.scenario.turns - sight.turn + 1
    return _shared(sight.setting, names, able, enemies, left).get(unit.id, "")


def goal(sight: Position, unit: Stand, name: str) -> Point | None:
    """The place that a stand goes for from its post: an enemy in it, else its middle; None where it is to stay."""
    assert unit.at is not None
    at = unit.at
    if enemies := [each.at for each in contesters(sight, unit.side).get(name, ()) if each.at is not None]:
        return min(enemies, key=lambda place: square(at, place))
    return None if name in _within(sight.setting, at, unit.facing) else place_of(sight.setting, name)


def place_of(setting: Setting, name: str) -> Point:
    """The objective in a feature, else its middle."""
    inside = (place for place in setting.objectives.values() if name in _within(setting, place, 0))
    return next(inside, None) or middle(setting, name)


def start(sight: Position, side: Side) -> Point:
    """The place near which the next stand is set up: the feature that has the fewest so far."""
    return fewest(sight, side, [at for _, at in _placed(sight, side)])


def fewest(sight: Position, side: Side, taken: Iterable[Point]) -> Point:
    """The first feature of a side that is the nearest one to the fewest of some places."""
    places = [place_of(sight.setting, name) for name in to_hold(sight, side)]
    own = Counter(nearest(places, at) for at in taken)
    return min(places, key=lambda place: own[place])


def nearest(places: Iterable[Point], at: Point) -> Point:
    """The nearest of some places."""
    return min(places, key=lambda place: square(place, at))


def _placed(sight: Position, side: Side) -> Iterator[tuple[Stand, Point]]:
    return ((unit, unit.at) for unit in sight.of(side) if unit.at is not None)


def _can(unit: Stand) -> bool:
    return unit.kind.armed and unit.rank != "GHQ" and unit.carrier is None


def _pace(unit: Stand) -> float:
    return PACE * (unit.kind.mov_points or 0)


def _within(setting: Setting, at: Point, facing: int) -> set[str]:
    return {feature.name for feature in setting.covering(at, facing)}


@lru_cache(maxsize=64)
def _shared(
    setting: Setting, names: tuple[str, ...], able: tuple[Able, ...], enemies: tuple[tuple[Point, int], ...], left: int
) -> dict[UnitId, str]:
    """The post of each stand that has one: keepers first, then those who clear features, then guards."""
    inside = Counter(name for at, facing in enemies for name in _within(setting, at, facing))
    near = {name: sum(square(at, place_of(setting, name)) <= ALARM**2 for at, _ in enemies) for name in names}
    ways = sorted(_ways(setting, names, able))
    found, taken = dict[UnitId, str](), Counter[str]()
    for wanted, most in (
        (dict.fromkeys(names, KEEPERS), None),
        ({name: KEEPERS + CLEARERS * inside[name] if inside[name] else 0 for name in names}, left),
        ({name: max(GUARDS, near[name]) if near[name] else 0 for name in names}, left),
    ):
        for turns, unit, name in ways:
            if unit not in found and taken[name] < wanted[name] and (most is None or turns <= most):
                found[unit] = name
                taken[name] += 1
    return found


def _ways(setting: Setting, names: Iterable[str], able: Iterable[Able]) -> Iterator[tuple[float, UnitId, str]]:
    """The turns that each stand takes to each feature."""
    for name in names:
        place = place_of(setting, name)
        for unit in able:
            if name in _within(setting, unit.at, unit.facing):
                yield 0.0, unit.id, name
            elif unit.pace:
                yield length(unit.at, place) / MICRO / unit.pace, unit.id, name
