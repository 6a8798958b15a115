"""Straight legs across the ground: their pieces, what they cross, their exact cost, and the places to stop at.

A leg is cut where it enters or leaves a feature, at rational fractions of its way. Each piece has its own length in
10^-6 inch, rounded down. A cost is in 10^-6 movement points; the rulebook gives the price of an inch of
a piece, and of crossing a line or a border (`Price`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Literal, NamedTuple, Protocol

from opfire.core.places import Point
from opfire.space.measure import MICRO, square
from opfire.space.terrain.exact import apart
from opfire.space.terrain.features import Feature
from opfire.space.terrain.ground import level
from opfire.space.terrain.layers import Footing
from opfire.space.terrain.spans import END, START, Along, Span, stretch

Manner = Literal["enters", "leaves", "crosses"]
"""How a leg meets a feature: it goes into an area or out of it, or it crosses a line without width."""

MANNERS: tuple[Manner, ...] = ("enters", "leaves", "crosses")
"""The manners in the order in which they happen at one place."""


class Piece(NamedTuple):
    """A piece of a leg on which nothing changes; `length` is in 10^-6 inch."""

    start: Along
    end: Along
    features: tuple[Feature, ...]
    length: int

    @property
    def level(self) -> int:
        """The level of the ground under the piece."""
        return level(self.features)


class Crossed(NamedTuple):
    """A place on a leg at which it enters, leaves or crosses a feature."""

    at: Along
    feature: Feature
    manner: Manner


class Leg(NamedTuple):
    """A straight leg with its pieces in order, and the features that it enters, leaves and crosses."""

    start: Point
    end: Point
    pieces: tuple[Piece, ...]
    crossed: tuple[Crossed, ...]


class Price(Protocol):
    """The prices of a rulebook; None bars the way.

    A border belongs to its area: a price that bars an area bars entering it too, or its border can be stood on.
    """

    def inch(self, features: tuple[Feature, ...]) -> Fraction | int | None:
        """The movement points for an inch on these features."""
        ...

    def toll(self, feature: Feature, manner: Manner) -> Fraction | int | None:
        """The movement points for entering, leaving or crossing a feature."""
        ...


def leg(ground: Footing, start: Point, end: Point) -> Leg:
    """The straight leg between two points.

    Borders belong to their areas, so a leg that ends on a border has entered the area, and the next leg leaves it or
    goes on inside. In the same way a line counts as crossed by the leg that reaches it, not by one that begins on it.
    A way through corners therefore enters, leaves and crosses the same, wherever its corners lie.
    """
    spans = ground.spans(start, end)
    return Leg(start, end, tuple(_pieces(start, end, spans)), tuple(_crossings(spans)))


def _pieces(start: Point, end: Point, spans: Sequence[Span]) -> Iterator[Piece]:
    """The pieces between the places at which something is entered, left or crossed."""
    places = {START.key: START, END.key: END}
    for _, enters, leaves in spans:
        places.setdefault(enters.key, enters)
        places.setdefault(leaves.key, leaves)
    areas = [(enters.key, leaves.key, feature) for feature, enters, leaves in spans if feature.parts]
    far = square(start, end)
    for low, high in pairwise(sorted(places.values())):
        under = [feature for enters, leaves, feature in areas if enters <= low.key and leaves >= high.key]
        if len(under) > 1:
            under.sort(key=lambda feature: feature.number)
        yield Piece(low, high, tuple(under), stretch(far, low, high))


def _crossings(spans: Iterable[Span]) -> Iterator[Crossed]:
    """The crossings of a leg in order; at one place entering comes before leaving, and both before a line."""
    found = [crossed for span in spans for crossed in _met(span)]
    found.sort(key=lambda each: (each[0].key, MANNERS.index(each[2]), each[1].number))
    return (Crossed(*each) for each in found)


def _met(span: Span) -> Iterator[tuple[Along, Feature, Manner]]:
    feature, enters, leaves = span
    if enters.key:
        yield enters, feature, "enters" if feature.parts else "crosses"
    if feature.parts and leaves.key < END.key:
        yield leaves, feature, "leaves"


# --- costs -----------------------------------------------------------------------------------------------


class Step(NamedTuple):
    """A moment of a leg: a piece has been covered, or something is crossed, and so much of the cost is spent."""

    at: Along
    spent: int
    what: Piece | Crossed


def steps(way: Leg, price: Price) -> Iterator[Step]:
    """The moments of a leg in order, each with the cost up to it; they end before the first one that is barred."""
    spent = 0
    for what in _moments(way):
        points = _price(what, price)
        if points is None:
            return
        spent += points
        yield Step(what.end if isinstance(what, Piece) else what.at, spent, what)


def _moments(way: Leg) -> Iterator[Piece | Crossed]:
    """The pieces and crossings of a leg in order: a crossing follows the piece that leads up to it."""
    waiting = deque(way.crossed)
    for piece in way.pieces:
        while waiting and waiting[0].at.key <= piece.start.key:
            yield waiting.popleft()
        yield piece
    yield from waiting


def _price(what: Piece | Crossed, price: Price) -> int | None:
    """The cost of a moment in 10^-6 movement points, rounded down; None if it is barred."""
    if isinstance(what, Piece):
        inch = price.inch(what.features)
        return None if inch is None else int(what.length * inch)
    toll = price.toll(what.feature, what.manner)
    return None if toll is None else int(MICRO * toll)


def cost(way: Leg, price: Price) -> int | None:
    """The cost of a leg in 10^-6 movement points, or None where something on it bars the way."""
    spent = 0
    for what in _moments(way):
        points = _price(what, price)
        if points is None:
            return None
        spent += points
    return spent


def bar(way: Leg, price: Price) -> Piece | Crossed | None:
    """The first piece or crossing of a leg that bars the way, or None."""
    return next((what for what in _moments(way) if _price(what, price) is None), None)


def polyline_cost(ground: Footing, corners: Sequence[Point], price: Price) -> int | None:
    """The cost of a way through corners, leg by leg, or None where something bars it."""
    costs = [cost(leg(ground, a, b), price) for a, b in pairwise(corners)]
    return None if None in costs else sum(amount for amount in costs if amount is not None)


def spent_at(way: Leg, price: Price, amount: int) -> Fraction | None:
    """The place on a leg at which its cost reaches an amount (10^-6 movement points), or None if it never does.

    A piece spends its cost evenly, a crossing all at once.
    """
    before = Step(START, 0, way.pieces[0])
    for step in steps(way, price):
        if step.spent >= amount:
            gained = step.spent - before.spent
            share = Fraction(max(amount - before.spent, 0), gained) if gained else Fraction(0)
            return before.at.fraction + (step.at.fraction - before.at.fraction) * share
        before = step
    return None


# --- stopping --------------------------------------------------------------------------------------------


def stopped(start: Point, end: Point, at: Fraction) -> Point:
    """The point at a place of a leg, rounded towards its start.

    >>> stopped((0, 0), (10, -10), Fraction(1, 3)), stopped((7, 0), (0, 7), Fraction(1, 2))
    ((3, -3), (4, 3))
    """
    over, under = at.numerator, at.denominator
    x, y = (_towards(b - a, over, under) for a, b in zip(start, end, strict=True))
    return start[0] + x, start[1] + y


def _towards(by: int, over: int, under: int) -> int:
    size = abs(by) * over // under
    return size if by >= 0 else -size


def bumps(start: Point, end: Point, others: Iterable[Point], distance: int) -> list[Point]:
    """The points to which a leg comes nearer than a distance (1/1000 inch): the stands that it runs into.

    A point that is too near at the start does not count if the leg leads away from it.
    """
    return [at for at in others if _too_near(at, start, end, distance) and not _leads_away(at, start, end, distance)]


def _too_near(at: Point, start: Point, end: Point, distance: int) -> bool:
    over, under = apart(at, start, end)
    return over < distance**2 * under


def _leads_away(at: Point, start: Point, end: Point, distance: int) -> bool:
    onward = (end[0] - start[0]) * (at[0] - start[0]) + (end[1] - start[1]) * (at[1] - start[1])
    return square(start, at) < distance**2 and onward <= 0
