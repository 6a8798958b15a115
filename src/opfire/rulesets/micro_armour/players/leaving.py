"""Leaving the table: stands that have to get away take the way that costs the fewest movement points, and ride."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain

from opfire.core.actions import NOBODY, Choices
from opfire.core.flow import Frame
from opfire.core.places import INCH, Point
from opfire.core.ruleset import Suggestion
from opfire.rulesets.micro_armour.moving import marching
from opfire.rulesets.micro_armour.moving.loads import capacity
from opfire.rulesets.micro_armour.moving.marching import Move
from opfire.rulesets.micro_armour.moving.movement import Order
from opfire.rulesets.micro_armour.moving.prices import Prices
from opfire.rulesets.micro_armour.moving.transport import Load
from opfire.rulesets.micro_armour.pieces import Position, Side, Stand, UnitId, adjacent
from opfire.rulesets.micro_armour.shown.moves import reached, ways_over
from opfire.rulesets.micro_armour.works import crossings
from opfire.space.lattice import LATTICE
from opfire.space.measure import MICRO, bearing, length, square
from opfire.space.terrain.ground import Ground

PACE, IN_HAND = 2, 2
"""The part of its points that a stand makes good in a turn, as a divisor, and the turns that it keeps in hand."""

ROUTES, PLACES = 6, 120
"""The best places in reach to which a stand tries the ways, and those to which it tries a straight leg."""

CLEAR, IN_THE_WAY = 4 * INCH // 5, 30 * MICRO
"""The room that is left free around crossings (1/1000 inch), and the points by which a place in it is worse (10^-6)."""

GAINED = MICRO // 4
"""The points by which a leg brings a stand nearer to the way out, at least (10^-6)."""


def leaves(sight: Position, side: Side) -> bool:
    """Return whether a side has edges by which its stands have to get away."""
    return bool(sight.setting.exits[side])


def far(sight: Position, unit: Stand, at: Point) -> int | None:
    """The movement points from a place to the nearest edge of a stand's side (10^-6); None where no way leads there."""
    known = _costs(sight, unit)
    left, top = (n // LATTICE * LATTICE for n in at)
    corners = ((left + east, top + south) for east in (0, LATTICE) for south in (0, LATTICE))
    return min((known[each] for each in corners if each in known), default=None)


def hurries(sight: Position, unit: Stand) -> bool:
    """Return whether a stand has no turn to lose if it is to get away; one that never can has all the time."""
    if unit.at is None or strands(sight, unit):
        return False
    turns = max(sight.setting.scenario.turns - sight.turn - IN_HAND, 0)
    return (far(sight, unit, unit.at) or 0) > (unit.kind.mov_points or 0) * turns * MICRO // PACE


def strands(sight: Position, unit: Stand) -> bool:
    """Return whether a stand cannot get away in time on its own."""
    assert unit.at is not None
    turns = sight.setting.scenario.turns - sight.turn + 1
    cost = far(sight, unit, unit.at)
    return cost is None or cost > (unit.kind.mov_points or 0) * turns * MICRO


def _costs(sight: Position, unit: Stand) -> dict[Point, int]:
    edges = tuple(sorted(sight.setting.exits[unit.side]))
    return _to_edges(sight.table.ground, marching.prices(sight, unit), edges)


@lru_cache(maxsize=16)
def _to_edges(ground: Ground, prices: Prices, edges: tuple[str, ...]) -> dict[Point, int]:
    """The movement points from each point of the lattice to the nearest of some edges."""
    width, height = ground.size
    rows, columns = range(0, height + 1, LATTICE), range(0, width + 1, LATTICE)
    along = {
        "north": [(x, 0) for x in columns],
        "south": [(x, height) for x in columns],
        "west": [(0, y) for y in rows],
        "east": [(width, y) for y in rows],
    }
    return ways_over(ground, prices).costs_to(point for edge in edges for point in along[edge])


# --- movement ---------------------------------------------------------------------------------------------------


def steps(sight: Position, side: Side, frame: Frame, unit: Stand) -> Iterator[Move]:
    """The legs that lead farthest on the cheapest ways out: to the best places in reach with room, or on the way."""
    assert unit.at is not None
    known, found, left = _costs(sight, unit), reached(sight, unit), marching.left(sight, unit)
    narrows = [] if unit.personnel else [*_narrows(sight)]

    def worth(at: Point) -> int:
        return known[at] + (IN_THE_WAY if any(square(at, place) <= CLEAR**2 for place in narrows) else 0)

    within = [at for at, spent in found.costs.items() if at in known and spent <= left]
    here = min((known[at] + found.costs[at] for at in within), default=0) - GAINED
    better = sorted((cost, at) for at in within if at in sight.table and (cost := worth(at)) < here)
    ends = [at for _, at in better if marching.cannot_stand(sight, unit, at, bearing(unit.at, at)) is None]
    on_the_way = (to for at in ends[:ROUTES] for to in found.route(at)[:0:-1] if known[to] < here)
    for to in dict.fromkeys(chain(on_the_way, ends[:PLACES])):
        leg = Move(unit.id, to, bearing(unit.at, to))
        if frame.refusal(sight, side, leg) is None:
            yield leg


def _narrows(sight: Position) -> Iterator[Point]:
    """Points along each crossing, about an inch apart."""
    for (x, y), (east, south) in crossings.both_ends(sight):
        parts = max(length((x, y), (east, south)) // MICRO + 1, 1)
        yield from ((x + (east - x) * n // parts, y + (south - y) * n // parts) for n in range(parts + 1))


def first_out(sight: Position, names: list[UnitId]) -> list[UnitId]:
    """The stands of a group in the order in which they move: those that are nearest to the way out first."""

    def rank(name: UnitId) -> tuple[bool, int]:
        unit = sight.units[name]
        cost = far(sight, unit, unit.at) if unit.at is not None else None
        return cost is None, cost or 0

    return sorted(names, key=rank)


def orders(sight: Position, side: Side, choices: Choices) -> list[Suggestion]:
    """The order to the group of the stand that has most to gain: carriers beside others, then the fastest."""
    found = [action for action in choices if isinstance(action, Order)]

    def rank(order: Order) -> tuple[bool, int]:
        unit = sight.units[order.unit]
        return not any(passengers(sight, unit)), -(unit.kind.mov_points or 0)

    best = min(found, key=rank, default=None)
    return [] if best is None else [Suggestion(best, 0.0, "out and away")]


# --- passengers -------------------------------------------------------------------------------------------------


def passengers(sight: Position, unit: Stand) -> Iterator[Stand]:
    """The stands near a carrier that need it to get away."""
    if unit.at is None or unit.cargo or unit.spent or unit.moved or not capacity(sight, unit):
        return
    for other in sight.of(unit.side):
        if other.at is None or other.id == unit.id or other.carrier is not None or not other.personnel:
            continue
        if adjacent(unit, other) and not other.balked and not other.moved and strands(sight, other):
            yield other


def waits(sight: Position, unit: Stand) -> bool:
    """Return whether a stand waits beside a carrier that has yet to take it along."""
    if not unit.personnel or not strands(sight, unit):
        return False
    return any(unit.id == other.id for each in sight.of(unit.side) for other in passengers(sight, each))


def boards(sight: Position, choices: Choices) -> list[Suggestion]:
    """Take a stand along that cannot get away in time on its own."""
    for name in choices.asked:
        if name == NOBODY or sight.units[name].spent:
            continue
        for action in choices.of(name):
            if isinstance(action, Load) and strands(sight, sight.units[action.cargo]):
                return [Suggestion(action, 0.5, "out and away")]
    return []
