"""The places of a route at which enemies will have seen a quarter of the move and may fire [OPP-3, OPP-6]."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from opfire.core.places import Point
from opfire.rulesets.panzerblitz_miniatures.moving import marching
from opfire.rulesets.panzerblitz_miniatures.moving.accounts import Watch, place_of, spent_by, telling
from opfire.rulesets.panzerblitz_miniatures.moving.marching import Move
from opfire.rulesets.panzerblitz_miniatures.moving.opportunity import cannot_hit, note, under_way, watches
from opfire.rulesets.panzerblitz_miniatures.pieces import Position, Stand, UnitId
from opfire.space.terrain.legs import stopped

END = Fraction(1)


def threats(sight: Position, stand: Stand, route: Iterable[Move]) -> list[dict[str, Any]]:
    """Each place of a route at which enemies may fire first, with these enemies, if nothing halts the stand before.

    An enemy that has seen its quarter where it could not fire may do so at the end of a leg.
    """
    imagined, warned = sight.copy(), set[UnitId]()
    marching.set_out(imagined, stand)
    found: dict[Point, list[UnitId]] = {}
    for move in route:
        for at, enemy in _along(imagined, move):
            if enemy not in warned:
                warned.add(enemy)
                found.setdefault(at, []).append(enemy)
    return [{"place": at, "units": units} for at, units in found.items()]


def _along(imagined: Position, move: Move) -> Iterator[tuple[Point, UnitId]]:
    """The places of a leg at which enemies may fire, in the order of the way; the imagined stand goes to its end."""
    marching.head_for(imagined, move)
    unit, way = imagined.units[move.unit], marching.leg_of(imagined)
    prices = marching.prices_under_way(imagined)
    seeing = watches(imagined, unit, way, prices, END, telling)
    for cost, each in sorted(_reached(seeing), key=lambda found: (found[0], found[1].enemy)):
        there = replace(unit, at=stopped(way.start, way.end, place_of(way, prices, cost)))
        if there.at is not None and cannot_hit(imagined, imagined.units[each.enemy], there) is None:
            yield there.at, each.enemy
    cost = spent_by(way, prices, END)
    note(imagined, seeing, cost)
    gone = imagined.put(unit.id, move.to, facing=move.facing, spent=unit.spent + cost, position=False)
    for name in under_way(imagined).ready:
        if cannot_hit(imagined, imagined.units[name], gone) is None:
            yield move.to, name


def _reached(seeing: Iterable[Watch]) -> Iterator[tuple[int, Watch]]:
    """The watches whose account reaches the quarter, each with the cost at which it does."""
    return ((each.reached, each) for each in seeing if each.reached is not None)
