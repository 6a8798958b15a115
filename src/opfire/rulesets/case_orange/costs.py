"""The costs of movement [5.3 to 5.6, 15.2]: roads and their negation, terrain, closed hexes and sides.

Prices are in half movement factors, so that the road rate is a whole number.
"""

from __future__ import annotations

from opfire.core.actions import Refusal
from opfire.core.texts import Text
from opfire.rulesets.case_orange.ground import Mover
from opfire.rulesets.case_orange.pieces import Hex, Position, Unit


def mover(unit: Unit) -> Mover:
    """The way a unit pays for terrain: on foot, as a vehicle, or as a class C vehicle [5.3.2]."""
    if not unit.kind.vehicle:
        return "foot"
    return "class C" if unit.kind.weapon == "C" else "vehicle"


def road_between(position: Position, unit: Unit, a: Hex, b: Hex) -> str:
    """The road or track by which the unit could go from a to b, past others [5.4.4]; both hexes count [5.4.6]."""
    link = position.setting.ground.links[a].get(b)
    if link is None:
        return ""
    surface = "track" if link == "track" else "road"
    if road_negated(position, unit, b, surface) or road_negated(position, unit, a, surface):
        return ""
    return link


def road_negated(position: Position, unit: Unit, hex: Hex, surface: str) -> Refusal | None:
    """A block, a wreck, or other units in the hex take its road away [5.4.5, 5.4.10, 5.5.2, 5.6.1]."""
    works = position.works.get(hex)
    if works is not None:
        if works.block:
            return Refusal("The block in {} negates its road", "5.5.2", (hex,))
        if works.wreck:
            return Refusal("The wreck in {} negates its road", "5.6.1", (hex,))
    stack = position.stacks.get(hex)
    if stack is None:
        return None
    row = position.charts.road_negation[surface, "vehicle" if unit.vehicle else "other"]
    points = 0
    for name in stack:
        other = position.units[name]
        if name != unit.id and (other.vehicle or row.counted == "all"):
            points += other.kind.points
    if points >= row.points:
        return Refusal("{} points of other units in {} negate its {}", row.rule, (points, hex, surface))
    return None


def terrain_cost(position: Position, unit: Unit, hex: Hex) -> int:
    """The cost of the hex off road [5.3.1], in half factors; negative if it is closed to the unit."""
    return position.setting.ground.terrain(mover(unit), hex)


def closed_hex(position: Position, unit: Unit, hex: Hex) -> Refusal | None:
    """Water [5.4.19], and swamp for vehicles off road [5.4.20]."""
    if terrain_cost(position, unit, hex) >= 0:
        return None
    if "water" in position.map.cells[hex].terrain:
        return Refusal("{} is water", "5.4.19", (hex,))
    return Refusal("{} is swamp, which vehicles enter only by road", "5.4.20", (hex,))


def closed_side(position: Position, unit: Unit, a: Hex, b: Hex) -> Refusal | None:
    """Woods and broken sides are closed to vehicles off road [5.4.16]."""
    if unit.vehicle:
        side = position.map.side(a, b)
        if "woods" in side or "broken" in side:
            kind = "woods" if "woods" in side else "broken"
            return Refusal("Vehicles cross the {} side from {} to {} only by road", "5.4.16", (kind, a, b))
    return None


def cliff(position: Position, a: Hex, b: Hex) -> Refusal | None:
    """No unit crosses a cliff [15.2-C, 5.1.3]."""
    if "cliff" in position.map.side(a, b):
        return Refusal("There is a cliff between {} and {}", "15.2-C", (a, b))
    return None


def gully_surcharge(position: Position, unit: Unit, a: Hex) -> int:
    """The surcharge for a vehicle that moves along or leaves a gully off road [5.4.17.1]."""
    return position.setting.ground.surcharge(mover(unit), a)


def off_road_cost(position: Position, unit: Unit, a: Hex, b: Hex) -> int:
    """The price of a step off road in half factors [5.3], leaving a gully included; negative for an impossible step."""
    return position.setting.ground.prices[mover(unit)][a][b]


def step_cost(position: Position, unit: Unit, a: Hex, b: Hex, road: str) -> int:
    """The price of a step in half factors: by road, track, or over the terrain [5.4.1] where that is less [5.4.2]."""
    beside = off_road_cost(position, unit, a, b)
    if not road:
        return beside
    price = link_cost(position, unit, road)
    return min(price, beside) if beside >= 0 else price


def link_cost(position: Position, unit: Unit, road: str) -> int:
    """The price of a step by road or track, in half factors [5.4, 5.4.10]."""
    cost = position.charts.side_costs[road]
    return (cost.class_c if unit.kind.weapon == "C" else cost.other) or 0


def allowance(unit: Unit) -> int:
    """Movement factors of a turn, in halves."""
    return unit.kind.movement * 2


def half_allowance(unit: Unit) -> int:
    """Half the movement factors, rounded down, in halves [2.0-G01].

    A unit of factor 7 has 3, so 6 halves.
    """
    return unit.kind.movement // 2 * 2


def no_way(position: Position, unit: Unit, a: Hex, b: Hex, road: str) -> Refusal | None:
    """Ground in the way: a cliff [15.2-C], or ground that is closed except by road [5.4.7]."""
    if road:
        return cliff(position, a, b)
    closed = cliff(position, a, b) or closed_hex(position, unit, b) or closed_side(position, unit, a, b)
    return closed and (road_lost(position, unit, a, b) or closed)


def road_lost(position: Position, unit: Unit, a: Hex, b: Hex) -> Refusal | None:
    """A road leads there, but friends [5.4.7], a block [5.5.2] or a wreck [5.6.1] negate it."""
    link = position.setting.ground.links[a].get(b)
    if link is None:
        return None
    surface = "track" if link == "track" else "road"
    why = road_negated(position, unit, b, surface) or road_negated(position, unit, a, surface)
    if why is None or why.rule in ("5.5.2", "5.6.1"):
        return why
    return Refusal("{}, the only way there", "5.4.7", (Text(why.text, why.facts),))
