"""Leaving the table: stands that have to get away take the way that costs the fewest movement points, and ride."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, islice
from typing import NamedTuple

from msgspec.structs import replace

from opfire.core.actions import NOBODY, Choices
from opfire.core.flow import Frame
from opfire.core.places import INCH, Point
from opfire.core.ruleset import Suggestion
from opfire.rulesets.micro_armour.cohesion import SUCCESS
from opfire.rulesets.micro_armour.moving import marching
from opfire.rulesets.micro_armour.moving.arrivals import Arrive, exits
from opfire.rulesets.micro_armour.moving.loads import capacity
from opfire.rulesets.micro_armour.moving.marching import Move
from opfire.rulesets.micro_armour.moving.movement import Order, group_of, movement_roll
from opfire.rulesets.micro_armour.moving.prices import Prices
from opfire.rulesets.micro_armour.moving.transport import Load
from opfire.rulesets.micro_armour.pieces import Position, Side, Stand, UnitId, adjacent
from opfire.rulesets.micro_armour.players import shellfire
from opfire.rulesets.micro_armour.players.worth import chance
from opfire.rulesets.micro_armour.shown.moves import ways_over
from opfire.rulesets.micro_armour.works import crossings
from opfire.space.lattice import LATTICE
from opfire.space.measure import MICRO, bearing, length, square
from opfire.space.terrain.ground import Ground
from opfire.space.terrain.reach import Reach

PACE, IN_HAND = 2, 2
"""The part of its points that a stand makes good in a turn, as a divisor, and the turns that it keeps in hand."""

LITTLE = 3
"""The part of its points, as a divisor, by which a stand comes nearer to the way out if it is not held up."""

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


def held_up(sight: Position, unit: Stand) -> bool:
    """Return whether a stand would make little way in this turn: others, or shellfire, are before it."""
    outlook = _outlook(sight, unit)
    end = next(_ends(sight, unit, outlook), None)
    return end is None or outlook.here - outlook.known[end] < (unit.kind.mov_points or 0) * MICRO // LITTLE


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


class Outlook(NamedTuple):
    """The reach of a stand, its points, and those that the way out costs from each place and from its own (10^-6)."""

    found: Reach
    known: dict[Point, int]
    left: int
    here: int


def _outlook(sight: Position, unit: Stand) -> Outlook:
    found, known, left = shellfire.clear_of_it(sight, unit), _costs(sight, unit), marching.left(sight, unit)
    from_here = (known[at] + spent for at, spent in found.costs.items() if at in known and spent <= left)
    return Outlook(found, known, left, min(from_here, default=0))


def steps(sight: Position, side: Side, frame: Frame, unit: Stand) -> Iterator[Move]:
    """The legs that lead farthest on the cheapest ways out: to the best places in reach with room, or on the way."""
    assert unit.at is not None
    outlook = _outlook(sight, unit)
    ends = [*islice(_ends(sight, unit, outlook), PLACES)]
    routes = (to for at in ends[:ROUTES] for to in outlook.found.route(at)[:0:-1])
    on_the_way = (to for to in routes if outlook.known[to] < outlook.here - GAINED)
    for to in dict.fromkeys(chain(on_the_way, ends)):
        leg = Move(unit.id, to, bearing(unit.at, to))
        if frame.refusal(sight, side, leg) is None:
            yield leg


def _ends(sight: Position, unit: Stand, outlook: Outlook) -> Iterator[Point]:
    """The places in reach with room for a stand that bring it nearer to the way out, the best first."""
    assert unit.at is not None
    narrows = [] if unit.personnel else [*_narrows(sight)]
    known, near = outlook.known, outlook.here - GAINED

    def worth(at: Point) -> int:
        return known[at] + (IN_THE_WAY if any(square(at, place) <= CLEAR**2 for place in narrows) else 0)

    within = (at for at, spent in outlook.found.costs.items() if spent <= outlook.left and at in known)
    better = (at for at in within if known[at] < near and at in sight.table)
    for _, at in sorted((cost, at) for at in better if (cost := worth(at)) < near):
        if marching.cannot_stand(sight, unit, at, bearing(unit.at, at)) is None:
            yield at


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
    """The order to the group of which most can be expected to get on; without orders left, each in turn from the front.

    Those in front go first, for they make room; stands that can neither get on nor take anybody along go last.
    """
    orders = (action for action in choices if isinstance(action, Order))
    found = {unit.id: order for order in orders for unit in group_of(sight, sight.units[order.unit])}
    queue = first_out(sight, [*found])
    if sight.orders.get(side, 0):
        queue.sort(key=lambda name: -_expected(sight, sight.units[name]))
    best = next((name for name in queue if _gets_on(sight, sight.units[name])), next(iter(queue), None))
    return [] if best is None else [Suggestion(found[best], 0.0, "out and away")]


def _expected(sight: Position, unit: Stand) -> float:
    """The stands that an order to a group can be expected to bring on, cargo counted."""
    group = group_of(sight, unit)
    going = (each for each in group if not strands(sight, each))
    return sum(
        (1 + len(each.cargo)) * chance(movement_roll(sight, each, group, independent=False), SUCCESS) for each in going
    )


def _gets_on(sight: Position, unit: Stand) -> bool:
    """Return whether a stand can leave, come nearer to the way out, or take somebody along."""
    if any(passengers(sight, unit)) or next(exits(sight, unit), None) is not None:
        return True
    return not strands(sight, unit) and any(_ends(sight, unit, _outlook(sight, unit)))


# --- arrival ----------------------------------------------------------------------------------------------------


def arrivals(sight: Position, choices: Choices) -> list[Suggestion]:
    """The next stand to bring on, as near to the way out as there is room: fighting vehicles first, then carriers,
    each with somebody on foot beside it to ride along, then the rest.
    """
    waiting = sight.pick([name for name in choices.asked if name != NOBODY])
    rider, on_foot = _first(choices, (unit for unit in waiting if unit.personnel))
    if rider is not None and (seat := _beside_a_carrier(sight, rider, on_foot)) is not None:
        return [Suggestion(seat, 0.0, "to ride along")]
    in_turn = sorted(waiting, key=lambda each: (not each.vehicle, capacity(sight, each) > 0))
    unit, entries = _first(choices, in_turn)
    if unit is None:
        return []
    best = min(entries, key=lambda act: (far(sight, unit, act.to) or 0, act.to))
    return [Suggestion(best, 0.0, "out and away")]


def _first(choices: Choices, units: Iterable[Stand]) -> tuple[Stand | None, list[Arrive]]:
    """The first of some stands that has room to come on, and its entries; those of the others are not asked for."""
    for unit in units:
        if entries := [act for act in choices.of(unit.id) if isinstance(act, Arrive)]:
            return unit, entries
    return None, []


def _beside_a_carrier(sight: Position, rider: Stand, entries: list[Arrive]) -> Arrive | None:
    """The entry of a stand on foot that touches a carrier, best one that nobody waits beside; a carrier takes one."""
    there = [unit for unit in sight.of(rider.side) if unit.at is not None]
    carriers = [unit for unit in there if capacity(sight, unit) and not unit.cargo]
    if sum(unit.personnel for unit in there) >= len(carriers):
        return None
    free = [unit for unit in carriers if not any(passengers(sight, unit))]
    return next(
        (
            act
            for near in (free, carriers)
            for act in entries
            if any(adjacent(replace(rider, at=act.to), unit) for unit in near)
        ),
        None,
    )


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
