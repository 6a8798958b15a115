"""Ways of vehicles: prices reckoned once for each map, the ends of a move with the acts that lead there."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from typing import NamedTuple

from msgspec.structs import replace

from opfire.core.actions import Action, Refusal
from opfire.kit.thinking import distances
from opfire.kit.thinking import ways as kit
from opfire.kit.thinking.goals import FAR
from opfire.rulesets.panzer import control
from opfire.rulesets.panzer.charts import Vehicle
from opfire.rulesets.panzer.ground import Traction
from opfire.rulesets.panzer.moving import costs
from opfire.rulesets.panzer.moving.going import Going, Move, Turn, after, cannot_turn, halvings
from opfire.rulesets.panzer.pieces import OVERSTACKED, Hex, Position, Setting, Unit

ALL = 99
"""The price of a step that takes a whole move."""

LONGEST = 14
"""The hexes of the longest march along a road that is looked at."""


class End(NamedTuple):
    """An end of a move: the hex, the facing there, and the acts that lead there."""

    hex: Hex
    facing: int
    acts: tuple[Action, ...]


class Ways:
    """The prices of a map, and the cost to its places from everywhere."""

    def __init__(self, setting: Setting) -> None:
        self._ground, self._map = setting.ground, setting.map
        self._steps: dict[tuple[Hex, Traction], tuple[int | None, ...]] = {}
        self._fields: dict[tuple[Hex, Traction], distances.Field] = {}
        self._turns: dict[Hex, int] = {}

    def steps(self, hex: Hex, traction: Traction) -> tuple[int | None, ...]:
        """The prices of the steps out of a hex across country, in its six directions; None where there is no way."""
        found = self._steps.get((hex, traction))
        if found is None:
            found = tuple(self._priced(hex, to, traction) for to in self._map.neighbours[hex])
            self._steps[hex, traction] = found
        return found

    def _priced(self, hex: Hex, to: Hex | None, traction: Traction) -> int | None:
        price = costs.step(self._ground, hex, to, traction) if to is not None else None
        if price is None or isinstance(price, Refusal):
            return None
        return ALL if price.takes_all else price.cost

    def turn(self, hex: Hex) -> int:
        """The price of a turn of more than one hexside in a hex."""
        if hex not in self._turns:
            self._turns[hex] = self._ground.turn(hex)
        return self._turns[hex]

    def turns(self, vehicle: Vehicle, hex: Hex, goal: Hex) -> float:
        """The game turns of a whole vehicle from a hex to another one, across country and by roads."""
        key = (goal, vehicle.traction)
        if key not in self._fields:
            self._fields[key] = distances.field(self._map, goal, lambda to, at: self._march(at, to, vehicle.traction))
        cost = self._fields[key].get(hex)
        return FAR if cost is None or not vehicle.m_cc else cost / (2 * vehicle.m_cc)

    def _march(self, hex: Hex, to: Hex, traction: Traction) -> int | None:
        """The price of a step in half points; a road counts half, since vehicles are about twice as fast on it."""
        way = self._map.direction(hex, to)
        price = self.steps(hex, traction)[way] if way is not None else None
        if price is None:
            return None
        return 1 if self._map.link(hex, to) else 2 * min(price, 9)


ways_of = kit.once_a_setting(Ways)
"""The ways of a position's map, shared by all decisions of a game."""


def ends(position: Position, unit: Unit, going: Going) -> list[End]:
    """The ends of a vehicle's move from here on, one for each hex and facing, the cheapest way to each."""
    found: dict[tuple[Hex, int], End] = {}
    offered = [] if going.paths or going.roads else [*_across(position, unit, going)]
    if going.off_road or not (going.steps and going.off_road):
        offered += _along(position, unit, going)
    for end in offered:
        found.setdefault((end.hex, end.facing), end)
    return [end for end in found.values() if free(position, unit, end.hex)]


def free(position: Position, unit: Unit, hex: Hex) -> bool:
    """Return whether a vehicle may end its move in a hex, and does not crowd it [4.5.1.1.10, 6.2.1.1.4-move]."""
    if unit.shares and control.left_behind(position, replace(unit, hex=hex)):
        return False
    if hex == unit.hex:
        return True
    there = position.at(hex)
    return len(there) < OVERSTACKED - 1 and all(other.side == unit.side for other in there)


# --- across country ---------------------------------------------------------------------------------------------

Node = tuple[Hex, int]
Trail = dict[Node, tuple[Node, tuple[Action, ...]]]


def _across(position: Position, unit: Unit, going: Going) -> Iterator[End]:
    """The ends across country: nodes are hexes with the facing on entering them."""
    ways, hex = ways_of(position), str(unit.hex)
    allowed = costs.allowance(unit.vehicle, "cross-country", halvings(unit))
    start: Node = (hex, unit.facing)
    spent, trail, queue = {start: going.spent}, Trail(), [(going.spent, start)]
    while queue:
        cost, node = heappop(queue)
        if cost > spent[node]:
            continue
        acts, turned = _trail(trail, node), going.turned if node == start else 0
        for facing in range(6):
            sides = costs.hexsides_turned(node[1], facing)
            if turned + sides > 3:
                continue
            price = ways.turn(node[0]) if turned <= 1 and turned + sides > 1 else 0
            if cost + price > allowed:
                continue
            turn = (Turn(unit.id, facing),) if sides else ()
            if cost <= allowed:
                yield End(node[0], facing, (*acts, *turn))
            step = ways.steps(node[0], unit.vehicle.traction)[facing]
            to = position.map.neighbours[node[0]][facing]
            if step is None or to is None:
                continue
            total = cost + price + step + (position.wrecks.get(to) == "BU")
            first = node == start and not going.steps and not cost and not price
            new = (to, facing)
            if (total <= allowed or first) and total < spent.get(new, ALL * 9):
                spent[new], trail[new] = total, (node, (*turn, Move(unit.id, to)))
                if total < allowed:
                    heappush(queue, (total, new))
                else:
                    yield End(to, facing, (*acts, *turn, Move(unit.id, to)))


def _trail(trail: Trail, node: Node) -> tuple[Action, ...]:
    """The acts that lead to a node."""
    acts: tuple[Action, ...] = ()
    while node in trail:
        node, before = trail[node]
        acts = (*before, *acts)
    return acts


# --- along roads ------------------------------------------------------------------------------------------------


def _along(position: Position, unit: Unit, going: Going) -> Iterator[End]:
    """The ends of marches along the roads that lead out of the hex."""
    if going.off_road and going.steps:
        return
    cell = position.map.cells[str(unit.hex)]
    for way, link in enumerate(cell.links):
        if link:
            yield from _marched(position, unit, going, way)


def _marched(position: Position, unit: Unit, going: Going, way: int) -> Iterator[End]:
    """The ends of a march that begins in a direction; where roads fork it takes the first way on."""
    acts: tuple[Action, ...] = ()
    seen = {str(unit.hex)}
    for _ in range(LONGEST):
        if unit.facing != way:
            if cannot_turn(position, unit, way, going) is not None:
                return
            acts, unit = (*acts, Turn(unit.id, way)), replace(unit, facing=way)
        to = position.map.neighbours[str(unit.hex)][way]
        if to is None or to in seen:
            return
        gone = after(position, unit, Move(unit.id, to, True), going)
        if isinstance(gone, Refusal):
            return
        acts, unit, going = (*acts, Move(unit.id, to, True)), replace(unit, hex=to), gone
        seen.add(to)
        yield End(to, way, acts)
        onward = [new for new, link in enumerate(position.map.cells[to].links) if link and new != (way + 3) % 6]
        if not onward:
            return
        way = min(onward, key=lambda new: costs.hexsides_turned(way, new))
