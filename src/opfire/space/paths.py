"""Cheapest ways from node to node.

A node is anything hashable: a hex, or a hex with what else matters on the way, such as
`(hex, came_by_road)`. Costs are integers (rulesets count half points), never negative.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from heapq import heappop, heappush
from math import inf
from typing import Protocol, TypeVar

Node = TypeVar("Node", bound=Hashable)
Reach = dict[Node, tuple[int, Node | None]]
"""For each node reached its least cost and the node before it (None at the start)."""


class Neighbourhood(Protocol):
    """The part of a map that `cheapest` needs: the neighbours of each hex, None where the map ends."""

    @property
    def neighbours(self) -> Mapping[str, tuple[str | None, ...]]:
        """The six neighbours of each hex."""


def reachable(
    start: Node, steps: Callable[[Node], Iterable[tuple[Node, int]]], limit: int | None = None
) -> Reach[Node]:
    """All nodes that can be reached from `start` at a cost of at most `limit`, in order of cost.

    `steps(node)` gives the nodes one step further and the cost of that step. Of ways with equal costs the first found
    stays, so equal input gives equal paths.
    """
    reached: Reach[Node] = {}
    best: dict[Node, int] = {start: 0}
    most = inf if limit is None else limit
    queue: list[tuple[int, int, Node, Node | None]] = [(0, 0, start, None)]
    pushed = 0
    while queue:
        cost, _, node, previous = heappop(queue)
        if node in reached:
            continue
        reached[node] = (cost, previous)
        for onward, price in steps(node):
            total = cost + price
            if total <= most and ((known := best.get(onward)) is None or total < known):
                best[onward] = total
                pushed += 1
                heappush(queue, (total, pushed, onward, node))
    return reached


def cheapest(
    map: Neighbourhood, start: str, cost: Callable[[str, str], int | None], limit: int | None = None
) -> Reach[str]:
    """All hexes of a map that can be reached at a cost of at most `limit`, step by step.

    `cost(a, b)` is the price of the step from `a` to its neighbour `b`, None for an impossible step.
    """
    around = map.neighbours

    def steps(at: str) -> Iterable[tuple[str, int]]:
        for onward in around[at]:
            if onward is not None and (price := cost(at, onward)) is not None:
                yield onward, price

    return reachable(start, steps, limit)


def path(reached: Reach[Node], goal: Node) -> list[Node]:
    """The way to `goal`, start and goal included; KeyError when it was not reached."""
    way = [goal]
    while (previous := reached[way[-1]][1]) is not None:
        way.append(previous)
    return way[::-1]
