"""Cheapest ways: by hand on small graphs, and on a drawn board."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opfire.space.hexmap import single
from opfire.space.paths import cheapest, path, reachable
from space.drawing import draw

WEB = {"a": [("b", 4), ("c", 1)], "b": [("d", 1)], "c": [("b", 2), ("d", 5)], "d": []}


def steps(node: str) -> Iterable[tuple[str, int]]:
    return WEB[node]


def test_the_cheapest_way_may_be_the_longer_one():
    reached = reachable("a", steps)
    assert reached == {"a": (0, None), "c": (1, "a"), "b": (3, "c"), "d": (4, "b")}
    assert path(reached, "d") == ["a", "c", "b", "d"]


def test_nodes_come_in_order_of_cost():
    assert list(reachable("a", steps)) == ["a", "c", "b", "d"]


@pytest.mark.parametrize(("limit", "nodes"), [(0, "a"), (1, "ac"), (2, "ac"), (3, "abc"), (4, "abcd")])
def test_what_costs_just_the_limit_is_reached(limit: int, nodes: str):
    assert set(reachable("a", steps, limit)) == set(nodes)


def test_what_was_not_reached_has_no_path():
    with pytest.raises(KeyError):
        path(reachable("a", steps, 3), "d")


def test_of_equal_ways_the_first_found_stays():
    diamond = {"a": [("b", 1), ("c", 1)], "b": [("d", 1)], "c": [("d", 1)], "d": []}
    assert reachable("a", diamond.__getitem__)["d"] == (2, "b")
    diamond["a"].reverse()
    assert reachable("a", diamond.__getitem__)["d"] == (2, "c")


def test_a_node_may_carry_how_it_was_entered():
    """The second of two steps is free after a first one by road: hexes alone could not tell."""

    def onward(node: tuple[int, bool]) -> Iterable[tuple[tuple[int, bool], int]]:
        at, by_road = node
        if at < 2:
            yield (at + 1, True), 2 if not by_road else 0
            yield (at + 1, False), 1

    reached = reachable((0, False), onward)
    assert reached[(1, False)][0] == 1
    assert reached[(2, True)] == (2, (1, True))


def test_cheapest_goes_around_what_it_cannot_enter():
    map = single(
        draw("""
        .  ~  .
        .  ~  .
        .  .  .
    """)
    )

    def cost(a: str, b: str) -> int | None:
        return None if "water" in map.cells[b].terrain else 2

    reached = cheapest(map, "1-A1", cost)
    # A1, A2, A3, then B3 lies between A3 and A4: its north-east is C3, from there to C2 and C1
    assert path(reached, "1-C1") == ["1-A1", "1-A2", "1-A3", "1-B3", "1-C3", "1-C2", "1-C1"]
    assert reached["1-C1"][0] == 12
    assert set(reached) == set(map.names) - {"1-B1", "1-B2"}
    assert "1-C1" not in cheapest(map, "1-A1", cost, 11)


@given(st.integers(0, 8))
def test_at_one_point_a_step_the_cost_is_the_distance(limit: int):
    map = single(draw("\n".join([". " * 7] * 7)))
    reached = cheapest(map, "1-D4", lambda a, b: 1, limit)
    assert {name: cost for name, (cost, _) in reached.items()} == {
        name: map.distance("1-D4", name) for name in map.within("1-D4", limit)
    }
