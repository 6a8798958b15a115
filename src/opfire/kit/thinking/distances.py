"""Distances of a map of hexes, reckoned once: from a hex to all others, and the cost to a goal from everywhere."""

from __future__ import annotations

from collections.abc import Callable

from opfire.space.hexmap import HexMap
from opfire.space.paths import cheapest

Field = dict[str, int]
"""The cost to one goal, in half points, from every hex from which there is a way."""


class Distances:
    """The distances between the hexes of a map, computed once for each hex."""

    def __init__(self, map: HexMap) -> None:
        self._coords = {name: map.coords[name] for name in map.cells}
        self._apart: dict[str, dict[str, int]] = {}

    def apart(self, hex: str) -> dict[str, int]:
        """The distance from a hex to each other one, in hexes."""
        found = self._apart.get(hex)
        if found is None:
            q, r = self._coords[hex]
            found = self._apart[hex] = {
                other: (abs(a - q) + abs(b - r) + abs(a + b - q - r)) // 2 for other, (a, b) in self._coords.items()
            }
        return found


def field(map: HexMap, goal: str, price: Callable[[str, str], int | None], limit: int | None = None) -> Field:
    """The cost to the goal from every hex from which it is at most `limit`.

    `price(b, a)` is the cost of the step to `b` from its neighbour `a`.
    """
    return {hex: cost for hex, (cost, _) in cheapest(map, goal, price, limit).items()}
