"""Kommissars [6.6]: they drive the demoralized back into the fight, and have to go to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from heapq import heappop, heappush
from typing import NamedTuple

from opfire.core.actions import Refusal
from opfire.rulesets.panzer_grenadier.command import sectors
from opfire.rulesets.panzer_grenadier.movement.costs import step_cost
from opfire.rulesets.panzer_grenadier.pieces import Hex, Position, Side, Unit, UnitId


def is_kommissar(unit: Unit) -> bool:
    """Whether a leader is a kommissar [6.6]."""
    return unit.officer is not None and unit.officer.kommissar


def driver(position: Position, unit: Unit) -> Unit | None:
    """The kommissar who has to deal with a demoralized unit's recovery, not with a leader's [6.6, 6.62, 6.64, 6.6.A1].

    He stood with it when the segment began; if he is not activated with it, he is now.
    """
    activation = position.activation
    if not unit.demoralized or unit.leader or unit.hex is None or activation is None:
        return None
    for leader in position.everybody(unit.hex, unit.side):
        if not is_kommissar(leader) or leader.demoralized:
            continue
        if activation.start(leader.id) == unit.hex or not leader.marked:
            return leader
    return None


def has_to_drive(position: Position, leader: Unit) -> Refusal | None:
    """Reject any other action of a kommissar [6.65]: he is activated with the unit that he has to deal with."""
    if not is_kommissar(leader) or leader.demoralized or leader.hex is None:
        return None
    there = position.everybody(leader.hex, leader.side)
    broken = next((unit for unit in there if unit.demoralized and not unit.leader and not unit.marked), None)
    return Refusal("{} first has to deal with {}", "6.65", (leader.name, broken.name)) if broken is not None else None


def summon(position: Position, driver: Unit) -> None:
    """Activate a kommissar who was not activated [6.65, 6.6.A1]."""
    activation = position.activation
    assert activation is not None
    if activation.role(driver.id) is None:
        began = activation.began | {driver.id: str(driver.hex)}
        position.acting(roles=activation.roles | {driver.id: "recover"}, began=began)


# --- where he has to go -----------------------------------------------------------------------------------------


class Errand(NamedTuple):
    """The demoralized unit that a kommissar has to go to, and the price of the way to it from the hexes around him."""

    goal: Unit
    prices: Mapping[Hex, int]


def errand(position: Position, unit: Unit) -> Errand | None:
    """The errand of a kommissar [6.61]; None for one without any, and for all other units."""
    if not is_kommissar(unit) or unit.hex is None:
        return None
    goal = charges(position, unit.side).get(unit.id)
    if goal is None:
        return None
    return Errand(goal, {} if goal.hex == unit.hex else ways_to(position, unit, str(goal.hex)))


def off_his_way(position: Position, kommissar: Unit, to: Hex, errand: Errand) -> Refusal | None:
    """Reject a step that is not on the cheapest way to the demoralized unit [6.61]."""
    goal, prices = errand
    assert kommissar.hex is not None
    if goal.hex == kommissar.hex:
        return Refusal("{} has to stay with {}", "6.65", (kommissar.name, goal.name))
    step = step_cost(position, kommissar, kommissar.hex, to)
    if step is not None and to in prices and step + prices[to] <= prices[kommissar.hex]:
        return None
    return Refusal("{} has to go to {} by the cheapest way", "6.61", (kommissar.name, goal.name))


def on_an_errand(position: Position, leader: Unit) -> Refusal | None:
    """Reject a kommissar who does not ride or go along with others: he has to deal with a unit [6.61, 6.65]."""
    if not is_kommissar(leader) or leader.hex is None:
        return None
    goal = charges(position, leader.side).get(leader.id)
    return Refusal("{} has to deal with {}", "6.61", (leader.name, goal.name)) if goal is not None else None


def charges(position: Position, side: Side) -> dict[UnitId, Unit]:
    """The unit that each kommissar has to deal with, the nearest pairs first [6.61, 6.6.A2]: RULINGS.md P68."""
    found: dict[UnitId, Unit] = {}
    for _, name, goal in sorted(_pairs(position, side)):
        if name not in found and goal not in {unit.id for unit in found.values()}:
            found[name] = position.units[goal]
    return found


def _pairs(position: Position, side: Side) -> Iterator[tuple[int, UnitId, UnitId]]:
    """Every kommissar fit to drive, with every demoralized unit in his reach, and the distance in half points.

    Units in other sectors are another commander's [18.12].
    """
    on_map = [one for unit in position.of(side) for one in (unit, *position.pick(unit.cargo))]
    broken = [unit for unit in on_map if unit.demoralized and not unit.leader]
    goals = {str(unit.hex) for unit in broken}
    for kommissar in on_map if broken else ():
        if is_kommissar(kommissar) and not kommissar.demoralized:
            prices = ways(position, kommissar, goals)
            for unit in broken:
                if unit.hex in prices and sectors.together(position, kommissar, unit):
                    yield prices[unit.hex], kommissar.id, unit.id


def ways(position: Position, unit: Unit, goals: Set[Hex]) -> dict[Hex, int]:
    """The cheapest ways to the goals past enemies, and within the unit's sectors [18.31], in half points."""
    prices, left = {str(unit.hex): 0}, set(goals)
    waiting = [(0, str(unit.hex))]
    while waiting and left:
        price, hex = heappop(waiting)
        left.discard(hex)
        if price > prices[hex]:
            continue
        for to in position.map.neighbours[hex]:
            if to is None or position.enemies(unit.side, to) or sectors.not_sent(position, unit, to):
                continue
            step = step_cost(position, unit, hex, to)
            if step is not None and price + step < prices.get(to, 10**6):
                prices[to] = price + step
                heappush(waiting, (price + step, to))
    return {hex: prices[hex] for hex in goals - left}


def ways_to(position: Position, unit: Unit, goal: Hex) -> dict[Hex, int]:
    """The cost of the cheapest way to the goal from the hexes around it, as far off as the unit is, in half points."""
    prices = {goal: 0}
    waiting = [(0, goal)]
    while waiting:
        price, hex = heappop(waiting)
        if hex == unit.hex:
            break
        if price > prices[hex] or position.enemies(unit.side, hex) or sectors.not_sent(position, unit, hex):
            continue
        for before in position.map.neighbours[hex]:
            step = None if before is None else step_cost(position, unit, before, hex)
            if before is not None and step is not None and price + step < prices.get(before, 10**6):
                prices[before] = price + step
                heappush(waiting, (price + step, before))
    return prices
