"""Queries about moves [8.3]: the price of a route, and the reach of a stand with its costs and ways."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from opfire.core.actions import Action, Refusal
from opfire.core.flow import Frame
from opfire.core.places import Point
from opfire.core.texts import say
from opfire.kit import table
from opfire.rulesets.micro_armour.moving import marching
from opfire.rulesets.micro_armour.moving.marching import PASSING, Move
from opfire.rulesets.micro_armour.moving.prices import Prices, traced
from opfire.rulesets.micro_armour.moving.stretches import bill
from opfire.rulesets.micro_armour.moving.ways import Marches
from opfire.rulesets.micro_armour.pieces import Position, Side, Stand
from opfire.rulesets.micro_armour.shown.sheafs import laid
from opfire.rulesets.micro_armour.shown.spreads import places, spread_of
from opfire.rulesets.micro_armour.strewn import bridged, lying
from opfire.space.measure import MICRO, SLACK, length
from opfire.space.terrain.ground import Ground
from opfire.space.terrain.legs import bar
from opfire.space.terrain.reach import Reach

UNIT = "movement points"
FREE: dict[str, Any] = {"cost": None, "left": None, "text": None, "rule": None}


def price(
    sight: Position, side: Side, *, action: Action, then: Sequence[Action] = (), frame: Frame | None = None
) -> dict[str, Any]:
    """The movement points that a route costs and leaves, leg by leg, with the first refusal of a later leg [8.3.2].

    Of an action that lays markers the answer tells what would lie where, and to which places it may deviate.
    """
    stand = sight.units.get(action.unit) if isinstance(action, Move) else None
    if stand is None or stand.at is None:
        spread = places(sight, spread_of(sight, side, action, frame))
        return {**FREE, **laid(sight, side, action, frame), **({"spread": spread} if spread else {})}
    unit, refusal = stand, None
    for move in (leg for leg in (action, *then) if isinstance(leg, Move) and leg.unit == stand.id):
        if move is not action and refusal is None:
            refusal = marching.cannot_march(sight, unit, move)
        unit = _gone(sight, unit, move)
    left = max(marching.whole_allowance(sight, stand) - unit.spent, 0)
    return {
        "cost": (unit.spent - stand.spent) / MICRO,
        "left": left / MICRO,
        **_told(refusal),
        "unit": say(UNIT),
        "fire": [],
    }


def _told(refusal: Refusal | None) -> dict[str, Any]:
    return {"text": refusal and refusal.sentence(), "rule": refusal and refusal.rule}


def _gone(sight: Position, unit: Stand, move: Move) -> Stand:
    """The stand at the end of a leg, whether or not it may go there."""
    assert unit.at is not None
    prices = marching.prices(sight, unit)
    way = traced(sight.ground, unit.at, move.to, prices)
    spent, stretch = bill(way, prices, unit.stretch) if bar(way, prices) is None else (0, unit.stretch)
    gone = unit.gone + length(unit.at, move.to)
    return replace(unit, at=move.to, facing=move.facing, spent=unit.spent + spent, stretch=stretch, gone=gone)


def steps(sight: Position, side: Side, *, unit: str, frame: Frame | None = None) -> dict[str, Any]:
    """The movement points that a stand has left [8.3.1-points]; its way is free, so no step has a price of its own."""
    return {"left": marching.left(sight, sight.units[unit]) / MICRO, "costs": {}}


def reach(sight: Position, side: Side, *, unit: str, frame: Frame | None = None) -> dict[str, Any]:
    """The reach of a stand: a picture of it, and the points of its lattice with their costs and ways [8.3.1-points]."""
    stand = sight.units[unit]
    if stand.at is None or stand.moved or marching.pinned(sight, stand) is not None:
        return table.no_reach(say(UNIT))
    return table.reach(reached(sight, stand), marching.left(sight, stand), say(UNIT))


def polygons(sight: Position, side: Side, *, action: Action) -> list[Any]:
    """The picture of the reach of a stand that moves; empty for any other action."""
    stand = sight.units[action.unit] if isinstance(action, Move) else None
    if stand is None or stand.at is None:
        return []
    return list(reached(sight, stand).rings(marching.left(sight, stand)))


def reached(sight: Position, stand: Stand, shunned: Sequence[Point] = ()) -> Reach:
    """The reach of a stand past enemies that it cannot pass, and over bridges of engineers [11.5.7-bridge].

    It keeps off the places that it shuns; other markers on the ground are left out of it.
    """
    assert stand.at is not None
    braved = marching.braved(sight, stand)
    enemies = [enemy for enemy in sight.enemies(stand.side) if enemy.id not in braved]
    barring = [enemy.at for enemy in enemies if enemy.at is not None and not marching.passes(stand, enemy)]
    works = lying(work.lying for work in sight.works.values() if not work.fresh)
    left, keeping_off = marching.left(sight, stand) + SLACK, tuple(sorted((*barring, *shunned)))
    ground = bridged(sight.table.ground, works)
    return _marched(ground, marching.prices(sight, stand), stand.at, stand.stretch, left, keeping_off)


@lru_cache(maxsize=64)
def _marched(
    ground: Ground, prices: Prices, start: Point, stretch: tuple[int, int], left: int, keeping_off: tuple[Point, ...]
) -> Reach:
    """The reach from a place, kept: a side asks for it again and again while it chooses who moves."""
    return ways_over(ground, prices).marched(start, stretch, left, keeping_off, PASSING)


@lru_cache(maxsize=32)
def ways_over(ground: Ground, prices: Prices) -> Marches:
    """The links over the ground of a table at the prices of a mover, shared by all its stands."""
    return Marches(ground, prices)
