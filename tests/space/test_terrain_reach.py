"""The reach of a stand: upper bounds of exact costs, near to them, round stands and over roads."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opfire.core.places import Point
from opfire.space.measure import MICRO, length
from opfire.space.terrain.exact import near
from opfire.space.terrain.ground import Ground
from opfire.space.terrain.legs import Leg, bumps, cost, leg, polyline_cost
from opfire.space.terrain.reach import Reach, Ways
from space.test_terrain_ground import grounds
from space.test_terrain_legs import HEDGE, PRICE, WOOD, wall
from space.vocabulary import ground, road, square, woods

START = (18_123, 14_877)
OPEN = Ways(ground(), PRICE)


def test_open_ground_is_reached_as_far_as_the_allowance_goes() -> None:
    reach = OPEN.reach(START, 6 * MICRO)
    for at, spent in reach.costs.items():
        # Sixteen directions: at most 1 / cos(13.3 degrees) of the straight way, and a little for leaving the start.
        assert length(START, at) <= spent <= length(START, at) * 1.03 + MICRO // 10
    for x, y in ((23_500, 15_000), (18_000, 20_500), (22_000, 18_500), (13_000, 13_500)):
        assert (x, y) in reach.costs


def test_costs_to_several_ends_are_those_of_the_way_to_the_nearest() -> None:
    """On open ground a point costs an inch; the road halves it (see PRICE)."""
    costs = OPEN.costs_to([(10_000, 10_000), (30_000, 10_000)])
    assert costs[(10_000, 10_000)] == 0
    assert costs[(14_000, 10_000)] == pytest.approx(4 * MICRO, abs=100)
    assert costs[(27_000, 10_000)] == pytest.approx(3 * MICRO, abs=100)
    ways = Ways(ground(road(0, (2_000, 10_000), (38_000, 10_000))), PRICE)
    assert ways.costs_to([(10_000, 10_000)])[(14_000, 10_000)] == pytest.approx(2 * MICRO, abs=100)


def test_costs_are_those_of_the_route() -> None:
    ways = Ways(ground(WOOD, HEDGE, road(2, (0, 5_000), (40_000, 5_500))), PRICE)
    reach = ways.reach((12_345, 8_765), 9 * MICRO)
    for at in [*reach.costs][::50]:
        exact = polyline_cost(ways.ground, reach.route(at), PRICE)
        assert exact is not None
        assert 0 <= reach.costs[at] - exact <= 10 * len(reach.route(at))


def test_a_road_leads_farther_than_open_ground() -> None:
    ways = Ways(ground(road(0, (2_000, 15_250), (20_000, 14_250), (38_000, 20_250))), PRICE)
    reach = ways.reach((3_000, 15_194), 6 * MICRO)
    farthest = max(at[0] for at in reach.costs)
    assert 14_500 <= farthest <= 15_000  # twelve inches on the road
    assert (3_000, 10_000) in reach.costs


def test_nothing_is_reached_beyond_a_wall_but_round_its_end() -> None:
    ways = Ways(ground(wall(0, (20_000, 10_000), (20_000, 30_000))), PRICE)
    reach = ways.reach((19_250, 16_000), 6 * MICRO)
    assert (20_500, 16_000) not in reach.costs
    assert (19_500, 10_500) in reach.costs
    assert (21_000, 15_500) not in reach.costs
    around = ways.reach((19_250, 11_000), 6 * MICRO)
    assert around.costs[(20_500, 10_500)] > 2 * MICRO


def test_other_stands_are_gone_around() -> None:
    others = [(20_000, y) for y in range(12_000, 18_001, 900)]
    reach = OPEN.reach((18_000, 15_000), 5 * MICRO, others, 1_000)
    assert (22_000, 15_000) not in reach.costs
    for at, before in reach.before.items():
        assert not any(near(other, before, at, 999) for other in others)
    free = OPEN.reach((18_000, 15_000), 5 * MICRO, others[:1], 1_000)
    assert (22_000, 15_000) in free.costs


def test_a_lake_is_never_reached() -> None:
    ways = Ways(ground(woods(0, square(20_000, 10_000, 5_000), kind="lake")), PRICE)
    reach = ways.reach((18_000, 12_000), 9 * MICRO)
    assert not [at for at in reach.costs if 20_000 <= at[0] <= 25_000 and 10_000 <= at[1] <= 15_000]
    assert (25_500, 9_500) in reach.costs


@settings(max_examples=15)
@given(grounds(), st.tuples(st.integers(0, 40_000), st.integers(0, 30_000)))
def test_a_link_never_costs_less_than_its_leg(one: object, start: Point) -> None:
    ways = Ways(one, PRICE)  # type: ignore[arg-type]
    reach = ways.reach(start, 2 * MICRO)
    for at, before in reach.before.items():
        exact = cost(leg(ways.ground, before, at), PRICE)
        assert exact is not None
        assert 0 <= reach.costs[at] - reach.costs[before] - exact <= 20


def test_a_second_question_has_the_same_answer() -> None:
    ways = Ways(ground(WOOD, HEDGE), PRICE)
    assert ways.reach(START, 4 * MICRO) == ways.reach(START, 4 * MICRO)


def test_the_picture_lies_within_the_reach_of_its_allowance() -> None:
    reach = OPEN.reach(START, 6 * MICRO)
    for allowance in (3 * MICRO, 6 * MICRO):
        (ring,) = reach.rings(allowance)
        assert all(reach.costs[at] <= allowance for at in ring)
        assert max(length(START, at) for at in ring) > allowance - MICRO
    assert Reach(START, {START: 0}, {}).rings(MICRO) == []


@pytest.mark.parametrize("edge", [(0, 0), (40_000, 30_000)])
def test_a_reach_ends_at_the_edges_of_the_table(edge: Point) -> None:
    reach = OPEN.reach(edge, 3 * MICRO)
    assert all(0 <= at[0] <= 40_000 and 0 <= at[1] <= 30_000 for at in reach.costs)


def test_a_rulebook_traces_legs_in_its_own_way() -> None:
    def without_crossings(ground: Ground, start: Point, end: Point) -> Leg:
        return leg(ground, start, end)._replace(crossed=())

    bare, hedged = Ways(ground(), PRICE), ground(HEDGE)
    there = (21_000, 15_000)
    usual = Ways(hedged, PRICE).reach((19_000, 15_000), 4 * MICRO).costs[there]
    ignored = Ways(hedged, PRICE, without_crossings).reach((19_000, 15_000), 4 * MICRO).costs[there]
    assert usual - MICRO <= ignored + 10
    assert abs(ignored - bare.reach((19_000, 15_000), 4 * MICRO).costs[there]) <= 10


def test_no_leg_is_traced_back_to_a_point_reached_more_cheaply() -> None:
    asked: list[tuple[Point, Point]] = []

    def noted(ground: Ground, start: Point, end: Point) -> Leg:
        asked.append((start, end))
        return leg(ground, start, end)

    Ways(ground(WOOD, HEDGE), PRICE, noted).reach(START, 4 * MICRO)
    assert len(asked) > 20
    assert len({frozenset(ends) for ends in asked}) == len(asked)


def test_a_rulebook_lets_stands_pass_some_others() -> None:
    friend, enemy = (20_000, 15_000), (20_000, 13_000)

    def but_friends(start: Point, end: Point, others: Iterable[Point], distance: int) -> list[Point]:
        return [at for at in bumps(start, end, others, distance) if at != friend]

    barred = OPEN.reach((18_000, 15_000), 5 * MICRO, (friend, enemy), 1_000)
    passed = OPEN.reach((18_000, 15_000), 5 * MICRO, (friend, enemy), 1_000, but_friends)
    assert friend not in barred.costs
    assert passed.costs[friend] <= 2 * MICRO + 10
    assert enemy not in passed.costs
