"""Movement of leg and towed units [6.6.4, 6.6.5]: allowances, costs, crawling, manhandling."""

from __future__ import annotations

from opfire.core.actions import Refusal
from opfire.rulesets.panzer import conditions
from opfire.rulesets.panzer.charts import Gun, Leg
from opfire.rulesets.panzer.moving import costs
from opfire.rulesets.panzer.moving.costs import Step
from opfire.rulesets.panzer.pieces import Hex, Position, Side, Unit
from opfire.rulesets.panzer.works import obstacles

LADEN_ALLOWANCE = 1
"""The allowance of a section with attached weapons: 1L 0 [5.1.2]."""

GUN_LEVELS = 1
"""The levels by which a towed unit changes its Height in one step at most [6.6.5]."""


def on_foot(unit: Unit) -> bool:
    """Return whether a unit moves with Leg traction; motorcycles and bicycles are wheeled [6.6.4.4-move]."""
    return unit.ground.traction == "L"


def on_horseback(unit: Unit) -> bool:
    """Return whether it is a cavalry unit: a leg unit of size L [6.6.4.5-move]."""
    return isinstance(unit.kind, Leg) and unit.kind.bulk == "L" and on_foot(unit)


def laden(unit: Unit) -> bool:
    """Return whether it is a section with attached weapons [5.1.2]."""
    return unit.kind.category == "section" and bool(unit.weapons)


def allowance(unit: Unit, halvings: int) -> int:
    """The movement allowance of a unit on foot: that of its card, 1 for a laden section [6.6.4.1-mf]."""
    return max(1, (LADEN_ALLOWANCE if laden(unit) else unit.ground.m_cc) >> halvings)


def step(position: Position, unit: Unit, to: Hex) -> Step | Refusal:
    """The price of a step on foot in any direction, or the reason against it [6.6.4.1-height, 6.6.4.1-proh, 6.6.5]."""
    ground, here = conditions.surface(position, unit), str(unit.hex)
    if unit.upper:
        return Refusal("{} is upstairs: come down first", "6.6.4.1-bldg", (unit.name,))
    cost = ground.entry_on_foot(to)
    if cost is None:
        return Refusal("{} is closed to {}", "6.6.4.1-proh", (to, unit.name))
    cost += obstacles.burden(position, unit, to, cost)
    climb = costs.climbing(ground, here, to, "L")  # 6.6.4.1-height
    if isinstance(climb, Refusal):
        return climb
    return (
        _gun_refusal(position, unit, to, climb)
        or _rider_refusal(position, unit, to)
        or cannot_crawl(position, unit, to, climb)
        or _price(position, here, to, cost + climb)
    )


def _price(position: Position, here: Hex, to: Hex, cost: int) -> Step:
    """The price with the hexside: a hedgerow costs one more."""
    coords = position.map.coords
    return Step(cost + ("hedgerow" in position.setting.ground.sides(coords[here], coords[to])))


def _gun_refusal(position: Position, unit: Unit, to: Hex, climb: int) -> Refusal | None:
    """Reject manhandling of very large guns, over walls and hedgerows, and by more than one level [6.6.5].

    Guns inside a building stay there [6.1.4.3.1-a].
    """
    if not isinstance(unit.kind, Gun):
        return None
    if unit.inside:
        return Refusal("{} is inside a building and cannot be moved", "6.1.4.3.1-a", (unit.name,))
    if unit.ground.m_cc == 0:
        return Refusal("{} is too large to be moved without transport", "6.6.5", (unit.name,))
    coords = position.map.coords
    kinds = set(position.setting.ground.sides(coords[str(unit.hex)], coords[to]))
    if kinds & {"wall", "hedgerow", "defilade"}:
        return Refusal("{} cannot be moved across this hexside", "6.6.5", (unit.name,))
    if climb > GUN_LEVELS:
        return Refusal("{} changes its Height by one level at most", "6.6.5", (unit.name,))
    return None


def _rider_refusal(position: Position, unit: Unit, to: Hex) -> Refusal | None:
    """Reject a hedgerow for cavalry [6.6.4.5-move]."""
    coords = position.map.coords
    if on_horseback(unit) and "hedgerow" in position.setting.ground.sides(coords[str(unit.hex)], coords[to]):
        return Refusal("{} is cavalry and does not cross the hedgerow", "6.6.4.5-move", (unit.name,))
    return None


def cannot_crawl(position: Position, unit: Unit, to: Hex, climb: int) -> Refusal | None:
    """Reject crawling of suppressed units, up or down, and next to spotted enemies, on wheels as on foot [6.6.4.3]."""
    if not unit.full_cover:
        return None
    if unit.suppression:
        return Refusal("{} is suppressed and cannot crawl", "6.6.4.3", (unit.name,))
    if position.map.cells[to].bridge:
        return Refusal("There is no Full Cover in {}", "6.1.4.2", (to,))
    if climb:
        return Refusal("{} crawls, and cannot change its Height", "6.6.4.3", (unit.name,))
    near = position.map.neighbours[to]
    spotted = (enemy for enemy in position.enemies(unit.side) if position.spots.get(enemy.id))
    if enemy := next((enemy for enemy in spotted if enemy.hex in (*near, to)), None):
        return Refusal("{} crawls, and cannot go next to {}", "6.6.4.3", (unit.name, enemy.name))
    return None


def one_hex(unit: Unit) -> Refusal | None:
    """Reject a second step of a crawling or a towed unit [6.6.4.3, 6.6.5]."""
    if isinstance(unit.kind, Gun):
        return Refusal("{} moves one hex in a turn", "6.6.5", (unit.name,))
    return Refusal("{} crawls one hex in a turn", "6.6.4.3", (unit.name,)) if unit.full_cover else None


def blocks_road(unit: Unit, side: Side) -> bool:
    """Return whether a unit in a hex keeps vehicles of a side from the road rate [4.5.1.1.5-b, 6.6.4.1-block].

    Towed units, cavalry, motorcycles and bicycles of either side do; men on foot do not.
    """
    if isinstance(unit.kind, Leg):
        return unit.kind.bulk == "L" or not on_foot(unit)
    return isinstance(unit.kind, Gun) or unit.side != side
