"""The approaches of the enemy: the hexes by which each of its vehicles is expected to come in this turn."""

from __future__ import annotations

from opfire.kit.thinking.goals import FAR, PATIENCE, Goal, goals
from opfire.rulesets.panzer.pieces import Hex, Position, Side, Unit, UnitId
from opfire.rulesets.panzer.thinking.ways import ways_of

KEPT = 0.5
"""The likelihood, as the enemy is thought to see it, that somebody comes for an objective that it holds."""


def approaches(position: Position, side: Side, foes: list[Unit]) -> dict[UnitId, tuple[Hex, ...]]:
    """For each enemy vehicle the hexes of its likely way in a turn; none for one that has no need to move."""
    wanted = goals(position.setting.scenario.victory, side, position.control.get, lambda _: KEPT)
    return {foe.id: likely_way(position, foe, wanted) for foe in foes}


def likely_way(position: Position, foe: Unit, wanted: list[Goal]) -> tuple[Hex, ...]:
    """The hexes that a vehicle passes in a turn on the cheapest way to the goal that draws it most."""
    ways, start = ways_of(position), str(foe.hex)
    drawn = [(_draw(goal, ways.turns(foe.vehicle, start, goal.place)), goal.place) for goal in wanted]
    worth, goal = max(drawn, default=(0.0, ""))
    if not worth:
        return ()
    left, found, hex = ways.turns(foe.vehicle, start, goal), list[Hex](), start
    last = left - (0.5 if foe.damaged else 1.0)
    while hex != goal:
        turns, to = min((ways.turns(foe.vehicle, to, goal), to) for to in _open(position, foe, hex))
        if turns < last or turns >= left:
            break
        left, hex = turns, to
        found.append(to)
    return tuple(found)


def _open(position: Position, foe: Unit, hex: Hex) -> list[Hex]:
    """The hexes that a vehicle may enter from a hex; itself where it has no way on."""
    prices = ways_of(position).steps(hex, foe.vehicle.traction)
    near = zip(position.map.neighbours[hex], prices, strict=True)
    return [to for to, price in near if to is not None and price is not None] or [hex]


def _draw(goal: Goal, turns: float) -> float:
    """The draw of a goal; a vehicle that is there already has no way to go."""
    return max(goal.gain, goal.keep) * float(PATIENCE**turns) if turns < FAR else 0.0
