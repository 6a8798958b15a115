"""Loaded and overloaded carriers [12.7]: the movement points that a load takes, by the ground, and what it allows."""

from __future__ import annotations

from typing import NamedTuple

from opfire.core.actions import Refusal
from opfire.core.events import Line
from opfire.rulesets.micro_armour.charts import LoadGround, LoadModifier
from opfire.rulesets.micro_armour.cohesion import modifier
from opfire.rulesets.micro_armour.moving.points import allowance
from opfire.rulesets.micro_armour.moving.prices import Prices, cost_beside
from opfire.rulesets.micro_armour.pieces import Position, Stand
from opfire.space.measure import MICRO, SLACK
from opfire.space.terrain.legs import Leg

OPTION = "12.7"
ROADS = frozenset({"good-road", "poor-road"})
WAYS = ROADS | {"track"}
SLUGGISH = 2
"""The modifier to the movement roll of an overloaded carrier."""

DECK = 8
"""The points that an armoured fighting vehicle carries [12.5]."""


class Burden(NamedTuple):
    """The movement points of a carrier in a phase, in 10^-6: on roads alone, beside roads, and beside tracks too."""

    road: int
    track: int
    other: int


def is_mount(position: Position, unit: Stand) -> bool:
    """Return whether a stand is an armoured fighting vehicle that may carry riders [12.5]; carriers are none."""
    return position.setting.has("12.5") and unit.armoured and unit.kind.armed and not unit.kind.cargo_cap


def capacity(position: Position, unit: Stand) -> int:
    """The points that a stand carries: its capacity [8.4.1], or those of riders on a fighting vehicle [12.5]."""
    return unit.kind.cargo_cap or (DECK if is_mount(position, unit) else 0)


def overload(position: Position, unit: Stand) -> int:
    """The points by which a load exceeds the capacity of its carrier [12.7]; 0 without the option."""
    if not unit.cargo or not position.setting.has(OPTION):
        return 0
    load = sum(each.kind.tran_req or 0 for each in position.pick(unit.cargo))
    return max(load - capacity(position, unit), 0)


def room(position: Position, unit: Stand) -> int:
    """The greatest load: the capacity, or with 12.7 one with which the carrier keeps a point on roads [RULINGS.md R90].

    A load that takes no points from its class may be twice the capacity. Boats are none of the chart's classes.
    """
    has = capacity(position, unit)
    if not position.setting.has(OPTION) or unit.kind.has("boat"):
        return has
    rows = position.charts.load_modifiers
    spare, each = (unit.kind.mov_points or 0) + _of(rows["road"], unit) - 1, -_of(rows["overloaded"], unit)
    return has + (max(spare // each, 0) if each else has)


def burden(position: Position, unit: Stand) -> Burden | None:
    """The points that a loaded carrier has by the ground [12.7]; None afloat, and without a load.

    By another reading the ground on which it begins decides for the whole move: RULINGS.md R90.
    """
    afloat = unit.swims or unit.kind.has("boat")
    if not unit.cargo or afloat or not position.setting.has(OPTION):
        return None
    over = overload(position, unit)

    def points(ground: LoadGround) -> int:
        rows = position.charts.load_modifiers
        lost = _of(rows[ground], unit) + over * _of(rows["overloaded"], unit)
        return allowance(max((unit.kind.mov_points or 0) + lost, 0), unit.posture == "fire/move")

    if position.setting.has("R90"):
        return Burden(*[points(_begins_on(position, unit))] * 3)
    return Burden(points("road"), points("track"), points("other"))


def _begins_on(position: Position, unit: Stand) -> LoadGround:
    """The ground on which a stand has begun its move [12.7]: RULINGS.md R90."""
    at = unit.began if unit.gone and unit.began is not None else unit.at
    assert at is not None
    kinds = {feature.kind for feature in position.ground.features_at(at)}
    return "road" if kinds & ROADS else "track" if kinds & WAYS else "other"


def _of(row: LoadModifier, unit: Stand) -> int:
    return {"T": row.tracked, "W": row.wheeled, "F": row.foot}[unit.kind.mov_class or "F"]


def too_heavy(position: Position, unit: Stand, price: Prices, *legs: Leg) -> Refusal | None:
    """Reject legs that cost a loaded carrier more beside roads, or beside tracks, than it has there [12.7]."""
    has = burden(position, unit)
    if has is None:
        return None
    for most, spent, ways in ((has.track, unit.unpaved, ROADS), (has.other, unit.rough, WAYS)):
        if spent + sum(cost_beside(way, price, ways) for way in legs) > most + SLACK:
            return Refusal(
                "{} is loaded: it has {} movement points for such ground.", "12.7", (unit.name, most // MICRO)
            )
    return None


def sluggish(position: Position, unit: Stand) -> list[Line]:
    """The modifier to the movement roll of an overloaded carrier [12.7]."""
    return [modifier("overloaded", SLUGGISH, "12.7")] if overload(position, unit) else []
