"""Lines of sight that a player may check at any time [4.1]."""

from __future__ import annotations

from functools import partial
from typing import Any

from opfire.kit import boards
from opfire.kit import shown as kit
from opfire.rulesets.panzer.fire.direct_fire import cannot_hit
from opfire.rulesets.panzer.pieces import Hex, Position, Side, Unit, UnitId
from opfire.rulesets.panzer.sighting.sight import line
from opfire.rulesets.panzer.sighting.spots import cannot_spot


def los(sight: Position, side: Side, *, start: Hex, to: Hex) -> dict[str, Any]:
    """The line of sight between two hexes in words, with the ground that it crosses [4.1-a]."""
    refusal = sight.line(start, to)
    crossed = list(dict.fromkeys((start, *_between(sight, start, to), to)))
    at = next((fact for fact in refusal.facts if fact in crossed[1:-1]), None) if refusal else None
    return boards.line_of_sight(start, to, refusal, "4.1.4.2", at, [_ground(sight, hex) for hex in crossed])


def _between(sight: Position, start: Hex, to: Hex) -> list[Hex]:
    """The hexes that a line passes through, or between which it runs."""
    coords, (q, r) = sight.map.coords, sight.map.coords[start]
    touched = [offset for touch in line(coords[start], coords[to]) for offset in touch.hexes]
    names = [sight.map.name_at((q + offset[0], r + offset[1])) for offset in touched]
    return [name for name in names if name]


def _ground(sight: Position, hex: Hex) -> dict[str, Any]:
    ground, at = sight.setting.ground, sight.map.coords[hex]
    terrain = list(sight.map.cells[hex].terrain)
    return {
        "place": hex,
        "level": ground.height(at),
        "top": ground.top(at, razed=hex in sight.razed),
        "terrain": terrain,
    }


def sees(sight: Position, side: Side, *, place: Hex) -> dict[str, Any]:
    """Every hex that a vehicle in a hex has a line of sight to [4.1-a, 4.1.2]."""
    return {"places": [to for to in sight.map.names if sight.line(place, to) is None]}


def spots(sight: Position, side: Side, *, unit: UnitId) -> dict[str, Any]:
    """The enemies that spot a vehicle now, and those that it spots [4.1-a]."""
    one = sight.units[unit]
    enemies = sight.enemies(one.side) if one.hex is not None else []
    return {
        "by": [enemy.id for enemy in enemies if cannot_spot(sight, enemy, one, one.spot) is None],
        "spots": [enemy.id for enemy in enemies if cannot_spot(sight, one, enemy, enemy.spot) is None],
    }


def glance(sight: Position, side: Side) -> dict[str, Any]:
    """One look over a side: the enemies that could fire at each vehicle now, and who sees whom [4.1-a, 4.4.3]."""
    foes = [*sight.of(sight.setting.other[side])] if side in sight.setting.other else []
    return kit.glance(sight.of(side) if foes else (), foes, partial(_spots, sight), partial(_could_fire, sight))


def _spots(sight: Position, unit: Unit, target: Unit) -> bool:
    return cannot_spot(sight, unit, target, target.spot) is None


def _could_fire(sight: Position, unit: Unit, target: Unit) -> bool:
    """Return whether a vehicle with a command to fire could fire at a target."""
    return _spots(sight, unit, target) and cannot_hit(sight, unit, target) is None
