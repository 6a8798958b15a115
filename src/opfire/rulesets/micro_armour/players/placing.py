"""Set-up: guns hardly move again, so they stand where they see the ground that the enemy comes over [6.3.2-edge]."""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from opfire.core.places import Point
from opfire.kit.table import Zone, spots
from opfire.kit.thinking.kept import Kept
from opfire.kit.thinking.views import origins, view
from opfire.kit.thinking.ways import once_a_setting
from opfire.rulesets.micro_armour.artillery.batteries import is_battery
from opfire.rulesets.micro_armour.moving.arrivals import entry_points
from opfire.rulesets.micro_armour.pieces import Position, Setting, Side, Stand
from opfire.rulesets.micro_armour.sighting.sight import by_terrain, end_of, spot
from opfire.rulesets.micro_armour.terrain import ground_covers
from opfire.space.measure import MICRO, length

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
    good = _good(sight, unit)
    return sorted(zone, key=lambda at: (far[at] - good[at], at))


def _good(sight: Position, unit: Stand) -> dict[Point, float]:
    """The worth of each place of a gun's zone; guns that are alike share it as long as no work is laid."""
    ways, zone = _ways(sight, unit.side), sight.setting.zones[unit.id]
    known = _memory(sight).under(unit.side, (ways, tuple(sight.works.values())))
    alike = zone, unit.kind.id, unit.facing
    if alike not in known:
        known[alike] = {at: _worth(sight, replace(unit, at=at), ways) for at in spots(zone)}
    return known[alike]


def _nothing_kept(_: Setting) -> Kept[dict[tuple[Zone, str, int], dict[Point, float]]]:
    return Kept(dict)


_memory = once_a_setting(_nothing_kept)
"""The worth of places by zone, kind and facing."""


def _worth(sight: Position, unit: Stand, ways: Collection[Point]) -> float:
    """The inches of nearness that the view and the cover of a gun are worth where it stands."""
    assert unit.at is not None
    eye = end_of(unit)
    seen = view(sight.table, unit.at, ways, lambda to: by_terrain(sight.setting, eye, spot(to)) is None)
    return VIEW * seen + COVER * sum(each.line.amount for each in ground_covers(sight, unit))


def _ways(sight: Position, side: Side) -> tuple[Point, ...]:
    """The places from which the enemy may come."""
    setting = sight.setting
    enemies = setting.ids[setting.other[side]]
    coming = (unit for unit in sight.pick(enemies) if unit.id in setting.entries)
    zones = (setting.zones[name] for name in enemies if name in setting.zones)
    return origins(zones, ([*entry_points(sight, unit)] for unit in coming))
