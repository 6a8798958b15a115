"""Set-up: guns hardly move again, so they stand where they see the ground that the enemy comes over [6.3.2-edge]."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from msgspec.structs import replace

from opfire.core.places import Point
from opfire.kit.table import spots
from opfire.rulesets.micro_armour.artillery.batteries import is_battery
from opfire.rulesets.micro_armour.moving.arrivals import entry_points
from opfire.rulesets.micro_armour.pieces import Position, Side, Stand
from opfire.rulesets.micro_armour.players.hunting import beyond, middle
from opfire.rulesets.micro_armour.sighting.sight import by_terrain, end_of, spot
from opfire.rulesets.micro_armour.terrain import ground_covers
from opfire.space.measure import MICRO, bearing, length

LOOKS, HEADINGS = (3, 6, 9, 12), (-40, -20, 0, 20, 40)
"""The inches and the degrees off the way to the enemy at which a gun is to see the ground."""

VIEW, COVER = 20, 3
"""The inches of nearness to its goal that a gun gives up for a free view, and for each point of cover."""


def watches(unit: Stand) -> bool:
    """Return whether a stand is a gun that fires at what it sees: no battery, and no vehicle."""
    return unit.kind.armed and not (unit.personnel or unit.vehicle or unit.rank or is_battery(unit))


def in_order(sight: Position, unit: Stand, aim: Point) -> list[Point]:
    """The places of a stand's zone, best first: near its goal, guns with a view, general headquarters far off."""
    zone = spots(sight.setting.zones[unit.id])
    far = {at: length(at, aim) / MICRO for at in zone}
    if unit.rank == "GHQ":
        return sorted(zone, key=lambda at: (-far[at], at))
    if not watches(unit):
        return sorted(zone, key=lambda at: (far[at], at))
    ways = [*_ways(sight, unit.side)]
    good = {at: _worth(sight, replace(unit, at=at), ways) for at in zone}
    return sorted(zone, key=lambda at: (far[at] - good[at], at))


def _worth(sight: Position, unit: Stand, ways: Collection[Point]) -> float:
    """The inches of nearness that the view and the cover of a gun are worth where it stands."""
    return VIEW * _view(sight, unit, ways) + COVER * sum(each.line.amount for each in ground_covers(sight, unit))


def _view(sight: Position, unit: Stand, ways: Collection[Point]) -> float:
    """The part of the ground towards the places from which the enemy comes that a gun sees."""
    assert unit.at is not None
    eye, at = end_of(unit), unit.at
    looked = [to for way in ways for to in _before(sight, at, way)]
    seen = sum(by_terrain(sight.setting, eye, spot(to)) is None for to in looked)
    return seen / len(looked) if looked else 1.0


def _before(sight: Position, at: Point, way: Point) -> Iterator[Point]:
    """The ground that a gun looks at on one of the enemy's ways."""
    ahead = bearing(at, way)
    ends = (beyond(at, (ahead + off) % 360, inches) for off in HEADINGS for inches in LOOKS)
    return (to for to in ends if to in sight.table)


def _ways(sight: Position, side: Side) -> Iterator[Point]:
    """The places from which the enemy may come: the middles of his zones, and those of the places where he comes on."""
    setting = sight.setting
    enemies = setting.ids[setting.other[side]]
    zones = dict.fromkeys(setting.zones[name] for name in enemies if name in setting.zones)
    yield from (found[0] for zone in zones if (found := spots(zone)))
    coming = [unit for unit in sight.pick(enemies) if unit.id in setting.entries]
    yield from dict.fromkeys(middle([*entry_points(sight, unit)]) for unit in coming)
