"""Distances of a map, reckoned once: from a hex to all others, and the cost to a goal from everywhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar
from weakref import WeakKeyDictionary

from opfire.kit.thinking.goals import FAR
from opfire.space.hexmap import HexMap
from opfire.space.paths import cheapest

S = TypeVar("S")
G = TypeVar("G")

Field = dict[str, int]
"""The cost to one goal, in half points, from every hex from which there is a way."""


class Standing(Protocol[S]):
    """A position: its setting does not change in a game."""

    setting: S


def once_a_setting(make: Callable[[S], G]) -> Callable[[Standing[S]], G]:
    """A function of a position whose answer depends on its setting alone; it is reckoned once and kept."""
    kept: WeakKeyDictionary[S, G] = WeakKeyDictionary()

    def ask(position: Standing[S]) -> G:
        found = kept.get(position.setting)
        if found is None:
            found = kept[position.setting] = make(position.setting)
        return found

    return ask


class Rows(dict[str, tuple[float, ...]]):
    """For each hex a row of numbers, one for each of several goals; `row` is asked once for each hex."""

    def __init__(self, row: Callable[[str], tuple[float, ...]]) -> None:
        self._row = row

    def __missing__(self, hex: str) -> tuple[float, ...]:
        found = self[hex] = self._row(hex)
        return found


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


def turns(cost: int | None, movement: int) -> float:
    """The turns that a way takes, by its cost in half points and the movement points of a turn.

    >>> turns(6, 4), turns(None, 4), turns(6, 0)
    (0.75, 99.0, 99.0)
    """
    return FAR if cost is None or not movement else cost / (2 * movement)
