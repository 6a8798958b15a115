"""Stretches of ground [9.1.2]: all ground of one price that a stand crosses at a time is paid together.

Parts of an inch count in proportion, and a stretch is rounded up to half a point (RULINGS.md R20). A stretch goes on
from one leg to the next: a stand that is led on in short legs pays no more than one that goes in a single leg.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

from opfire.core.places import Point
from opfire.rulesets.micro_armour.moving.prices import Prices, traced
from opfire.space.measure import MICRO, SLACK
from opfire.space.terrain.layers import Footing
from opfire.space.terrain.legs import Leg, Piece, bar

HALF = MICRO // 2
"""Half a movement point, the least value that is paid [9.1.2]."""

GRAIN = 5 * SLACK
"""A stretch may cost this much more before it is rounded up: places are rounded to 1/1000 inch."""

WHOLE = Fraction(1)
"""The end of a leg, as a place on it."""


class Stretch(NamedTuple):
    """A stretch of ground: the price of its inch, and its points before they are rounded up (both 10^-6)."""

    inch: int = 0
    points: int = 0


class Bill(NamedTuple):
    """The points that a way takes (10^-6), and the stretch of ground on which it ends."""

    spent: int
    stretch: Stretch


def due(points: int) -> int:
    """The points to be paid for a stretch, rounded up to half a point [9.1.2]; all in 10^-6.

    >>> due(1_300_000), due(2_000_000), due(2_000_400), due(2_010_000)
    (1500000, 2000000, 2000000, 2500000)
    """
    return -(-(points - GRAIN) // HALF) * HALF


def paid_ahead(stretch: tuple[int, int], prices: Prices) -> int:
    """The points that a stand has paid for more ground of the same price (10^-6)."""
    return 0 if prices.exact else due(stretch[1]) + GRAIN - stretch[1]


def bill(way: Leg, prices: Prices, before: tuple[int, int] = (0, 0), place: Fraction = WHOLE) -> Bill:
    """The bill for a leg up to a place of it, for a stand that comes along a stretch of ground [9.1.2].

    By another reading all ground is paid exactly: RULINGS.md R20.
    """
    ground, tolls = _covered(way, prices, place), _tolls(way, prices, place)
    if prices.exact:
        return Bill(sum(each.points for each in ground) + tolls, Stretch())
    settled, stretch = added(0, Stretch(*before), ground)
    return Bill(settled + due(stretch.points) - due(before[1]) + tolls, stretch)


def added(settled: int, stretch: Stretch, ground: Iterable[Stretch]) -> tuple[int, Stretch]:
    """The points for stretches that are over, and the last stretch, after more ground."""
    for each in ground:
        if each.inch == stretch.inch:
            stretch = Stretch(each.inch, stretch.points + each.points)
        else:
            settled, stretch = settled + due(stretch.points), each
    return settled, stretch


def paid(way: Leg, prices: Prices, before: tuple[int, int] = (0, 0)) -> int | None:
    """The points that a leg takes (10^-6); None where something bars it [9.1.2]."""
    return None if bar(way, prices) else bill(way, prices, before).spent


def leg_cost(ground: Footing, start: Point, end: Point, prices: Prices) -> int | None:
    """The points that a straight leg takes from its beginning (10^-6), or None where something on it bars the way."""
    return paid(traced(ground, start, end, prices), prices)


def paid_in_turn(ways: Iterable[Leg], prices: Prices, before: tuple[int, int]) -> int:
    """The points that legs take one after the other (10^-6)."""
    spent = 0
    for way in ways:
        points, before = bill(way, prices, before)
        spent += points
    return spent


def _covered(way: Leg, prices: Prices, place: Fraction) -> Iterator[Stretch]:
    """The pieces of a leg up to a place of it, each as a stretch."""
    for piece in way.pieces:
        inch = prices.inch(piece.features)
        if inch is not None and (length := _length(piece, place)):
            yield Stretch(int(MICRO * inch), int(length * inch))


def _length(piece: Piece, place: Fraction) -> int:
    """The length of a piece that lies before a place of its leg (10^-6 inch)."""
    if place == 1:
        return piece.length
    low, high = piece.start.fraction, piece.end.fraction
    return int(piece.length * (min(place, high) - low) / (high - low)) if low < min(place, high) else 0


def _tolls(way: Leg, prices: Prices, place: Fraction) -> int:
    """The points for borders and lines that a leg has met up to a place of it (10^-6)."""
    met = (each for each in way.crossed if place == 1 or each.at.fraction <= place)
    tolls = (prices.toll(each.feature, each.manner) for each in met)
    return sum(int(MICRO * toll) for toll in tolls if toll)


def parts(way: Leg, prices: Prices) -> tuple[tuple[Stretch, ...], int]:
    """The stretches of a leg, and the points for the borders and lines that it meets (10^-6)."""
    return tuple(_covered(way, prices, WHOLE)), _tolls(way, prices, WHOLE)
