"""Facts of a ground, reckoned once a game or once a place; the turns that a way takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar
from weakref import WeakKeyDictionary

from opfire.kit.thinking.goals import FAR

S = TypeVar("S")
G = TypeVar("G")


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
    """For each place a row of numbers, one for each of several goals; `row` is asked once for each place."""

    def __init__(self, row: Callable[[str], tuple[float, ...]]) -> None:
        self._row = row

    def __missing__(self, place: str) -> tuple[float, ...]:
        found = self[place] = self._row(place)
        return found


def turns(cost: int | None, movement: int) -> float:
    """The turns that a way takes, by its cost in half points and the movement points of a turn.

    >>> turns(6, 4), turns(None, 4), turns(6, 0)
    (0.75, 99.0, 99.0)
    """
    return FAR if cost is None or not movement else cost / (2 * movement)
