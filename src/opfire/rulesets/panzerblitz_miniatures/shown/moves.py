"""Queries about moves: the price of a route, and the reach of a stand with its costs and ways."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from opfire.core.actions import Action, Refusal
from opfire.core.flow import Frame
from opfire.core.texts import say
from opfire.kit import table
from opfire.rulesets.panzerblitz_miniatures.moving import marching
from opfire.rulesets.panzerblitz_miniatures.moving.legs import leg_cost
from opfire.rulesets.panzerblitz_miniatures.moving.marching import Move
from opfire.rulesets.panzerblitz_miniatures.pieces import Position, Side, Stand
from opfire.rulesets.panzerblitz_miniatures.setup import others
from opfire.rulesets.panzerblitz_miniatures.shown.templates import below
from opfire.rulesets.panzerblitz_miniatures.shown.threats import threats
from opfire.space.measure import MICRO, length
from opfire.space.terrain.reach import Reach

UNIT = "movement points"
FREE: dict[str, Any] = {"cost": None, "left": None, "text": None, "rule": None}


def price(
    sight: Position, side: Side, *, action: Action, then: Sequence[Action] = (), frame: Frame | None = None
) -> dict[str, Any]:
    """The movement points that a route costs and leaves, leg by leg, with the first refusal of a later leg.

    `fire` has the places at which enemies may fire. Of an action that lays a template `hits` are the units below it.
    """
    stand = sight.units.get(action.unit) if isinstance(action, Move) else None
    if stand is None or stand.at is None:
        return {**FREE, "hits": below(sight, side, action)}
    unit, refusal = stand, None
    route = [leg for leg in (action, *then) if isinstance(leg, Move) and leg.unit == stand.id]
    for move in route:
        if move is not action and refusal is None:
            refusal = marching.cannot_move(sight, unit, move)
        unit = _gone(sight, unit, move)
    start = marching.going(sight, stand)
    spent = unit.spent - start.spent
    priced = {
        "cost": spent / MICRO,
        "left": (start.allowance - unit.spent) / MICRO,
        **_told(refusal),
        "unit": say(UNIT),
    }
    going = [
        move for move, start in zip(route, (stand.at, *(move.to for move in route)), strict=False) if move.to != start
    ]
    return {**priced, "fire": [] if refusal else threats(sight, stand, going)}


def _told(refusal: Refusal | None) -> dict[str, Any]:
    return {"text": refusal and refusal.sentence(), "rule": refusal and refusal.rule}


def _gone(sight: Position, unit: Stand, move: Move) -> Stand:
    """The stand at the end of a leg, whether or not it may go there."""
    assert unit.at is not None
    cost = leg_cost(marching.ground(sight), unit.at, move.to, marching.prices(sight, sight.units[unit.id])) or 0
    far = length(unit.at, move.to)
    return replace(unit, at=move.to, facing=move.facing, spent=unit.spent + cost, gone=unit.gone + far)


def reach(sight: Position, side: Side, *, unit: str, frame: Frame | None = None) -> dict[str, Any]:
    """The reach of a stand: a picture of it, and the points of its lattice with their costs and ways."""
    stand = sight.units[unit]
    if stand.at is None or marching.cannot_begin(sight, stand.side, stand) is not None:
        return table.no_reach(say(UNIT))
    return table.reach(_reach(sight, stand), _left(sight, stand), say(UNIT))


def polygons(sight: Position, side: Side, *, action: Action) -> list[Any]:
    """The picture of the reach of a stand that moves; empty for any other action."""
    if not isinstance(action, Move):
        return []
    stand = sight.units[action.unit]
    return list(_reach(sight, stand).rings(_left(sight, stand))) if stand.at is not None else []


def _left(sight: Position, stand: Stand) -> int:
    going = marching.going(sight, stand)
    return max(going.allowance - going.spent, 0)


def _reach(sight: Position, stand: Stand) -> Reach:
    assert stand.at is not None
    country = sight.setting.country(sight.works.values())
    return country.reach(marching.mover(sight, stand), stand.at, marching.going(sight, stand), others(sight, stand))
