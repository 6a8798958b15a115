"""The costs of movement [5.1, 5.2, 16.3]: movement classes, allowances, terrain, roads, wrecks.

Allowances and prices are in half movement points, so that the road price is a whole number.
"""

from __future__ import annotations

from opfire.core.actions import Refusal
from opfire.core.texts import joined
from opfire.rulesets.panzer_grenadier.charts import MovementClass, Terrain
from opfire.rulesets.panzer_grenadier.ground import elevation, river, terrain_of
from opfire.rulesets.panzer_grenadier.movement import rivers
from opfire.rulesets.panzer_grenadier.pieces import Hex, Position, Unit
from opfire.rulesets.panzer_grenadier.sight import lines

ROADS = ("road", "highway")


def movement_class(unit: Unit) -> MovementClass:
    """The way a unit pays for terrain [5.12]: leaders on foot [6.3], like limbered weapons that can move [5.12.c]."""
    if unit.kind is None or unit.kind.movement_class == "towed":
        return "foot"
    return unit.kind.movement_class


def printed_allowance(position: Position, unit: Unit) -> int:
    """Movement points printed on the side that lies up [5.1], a leader's by his kind [6.3, 6.9]."""
    if unit.officer is not None:
        name = "cavalry leader movement" if unit.officer.mounted else "leader movement"
        return position.charts.figure(name)
    return unit.movement


def allowance(position: Position, unit: Unit) -> int:
    """Half points for a segment [5.1]; twice as many out of the enemy's sight, if that option is in play [17.3]."""
    whole = 2 * printed_allowance(position, unit)
    return 2 * whole if strategic(position, unit) else whole


def strategic(position: Position, unit: Unit) -> bool:
    """Strategic movement is in play, and no enemy sees the unit's hex [17.3]."""
    return position.setting.has("17.3") and unit.hex is not None and out_of_sight(position, unit)


def out_of_sight(position: Position, unit: Unit) -> bool:
    """No enemy has a line of sight to the unit [17.3]; hidden ones lie in wait for just that."""
    assert unit.hex is not None
    enemies = {enemy.hex for enemy in position.of(position.setting.other[unit.side]) if not enemy.hidden}
    return all(lines.no_line(position, hex, unit.hex) is not None for hex in sorted(map(str, enemies)))


def left_of(position: Position, unit: Unit) -> int:
    """Half points that a unit has not spent in this segment."""
    spent = position.activation.spent_by(unit.id) if position.activation is not None else 0
    return max(0, allowance(position, unit) - spent)


def along_road(position: Position, a: Hex, b: Hex) -> bool:
    """The step crosses the hexside that the road crosses, or the bridge [5.2]; a track is not a road: RULINGS.md
    P20.
    """
    return position.map.link(a, b) in ROADS


def price(row: Terrain, kind: MovementClass) -> int | None:
    """Half points for a class; None for closed terrain."""
    match kind:
        case "foot":
            return row.foot
        case "mechanized":
            return row.mechanized
        case "motorized":
            return row.motorized
    return None


def wreck_surcharge(position: Position, unit: Unit, hex: Hex) -> int:
    """The surcharge of vehicles for wrecks [16.3]."""
    wrecks = position.work(hex).wrecks
    if not unit.vehicle or not wrecks:
        return 0
    return 2 * position.charts.figure("one wreck costs" if wrecks == 1 else "two wrecks cost")


def ford(position: Position, hex: Hex) -> bool:
    """A ford of the map or of the scenario [5.71]."""
    return position.map.cells[hex].ford or hex in position.setting.instructions.fords


def step_cost(position: Position, unit: Unit, a: Hex, b: Hex) -> int | None:
    """The price of a step in half points [5.11]; None where the ground is closed to the unit.

    A motorized unit that an ENG helps into the river spends its whole move [5.73.a].
    """
    kind, known = movement_class(unit), position.setting.prices
    step = kind, a, b
    if step not in known:
        known[step] = ground_price(position, kind, a, b)
    cost = known[step]
    if cost is None:
        ferried = kind not in ("rail", "river") and rivers.ferried(position, unit, b)
        return allowance(position, unit) if ferried else None
    return cost + wreck_surcharge(position, unit, b) if b in position.works else cost


def ground_price(position: Position, kind: MovementClass, a: Hex, b: Hex) -> int | None:
    """The cost of the ground for a class [5.11], the same all game; None for closed ground.

    Along a road it is the price of the road [5.2]; otherwise that of the most expensive terrain of the hex, in a town
    that of the town [5.21], and a point on top for going up.
    """
    charts = position.charts
    if kind in ("rail", "river"):
        track = b in position.setting.instructions.railroad if kind == "rail" else river(position, b) == "major river"
        return 2 * charts.figure("hex of rail or river") if track else None
    terrain = terrain_of(position, b)
    if along_road(position, a, b):
        return road_price(position, kind, b)
    if ford(position, b) and river(position, b):
        terrain = (*(name for name in terrain if name != river(position, b)), "ford")
    elif "town" in terrain and not river(position, b):
        terrain = ("town",)
    prices = [price(charts.terrain[name], kind) for name in terrain]
    if None in prices:
        return None
    uphill = price(charts.terrain["uphill"], kind) if elevation(position, b) > elevation(position, a) else 0
    return max(cost for cost in prices if cost is not None) + (uphill or 0)


def road_price(position: Position, kind: MovementClass, hex: Hex) -> int | None:
    """The price for a class along a road [5.2]; in a town the price of the town, whatever else is there [5.21]."""
    row = "town" if "town" in terrain_of(position, hex) else "road"
    return price(position.charts.terrain[row], kind)


def closed_ground(position: Position, unit: Unit, a: Hex, b: Hex) -> Refusal | None:
    """Ground that is closed to the unit, or None: by its class [5.11], by rails and rivers [15.2], by wrecks [16.3].

    Three wrecks bar entry to vehicles; those already inside may leave [16.3.A1].
    """
    if unit.vehicle and position.work(b).wrecks >= position.charts.figure("wrecks that bar"):
        return Refusal("{} is blocked by wrecks", "16.3", (b,))
    if step_cost(position, unit, a, b) is not None:
        return None
    kind = movement_class(unit)
    if kind == "rail":
        return Refusal("{} cannot leave the railroad", "15.22", (unit.name,))
    if kind == "river":
        return Refusal("{} cannot leave the major river", "15.23", (unit.name,))
    if river(position, b):
        rule = "5.72.b" if river(position, b) == "major river" else "5.72.a"
        return Refusal("{} enters {} only by a bridge, a ford or an engineer's help", rule, (unit.name, b))
    return Refusal("{} cannot enter {}: {}", "5.11.a", (unit.name, b, joined(terrain_of(position, b))))
