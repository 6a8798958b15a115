"""The reach of a stand: the cheapest ways over a lattice of half inches, as costs, routes and a picture.

The lattice has the corners of roads, streams and bridges as further points. Links go in sixteen directions, so that a
cost is at most 3 in 100 above that of the straight way. A reach is an inner approximation for display and
for computer players; a leg is judged exactly when it is played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from heapq import heappop, heappush
from itertools import pairwise
from typing import NamedTuple

from opfire.core.places import INCH, Point
from opfire.space.lattice import LATTICE, outline
from opfire.space.measure import MICRO, length
from opfire.space.terrain.exact import Ring, box
from opfire.space.terrain.features import Feature
from opfire.space.terrain.ground import Ground
from opfire.space.terrain.legs import Leg, Price, bumps, cost, leg

LINKS = tuple(
    (LATTICE * x, LATTICE * y)
    for parts in ({0, 1}, {1}, {1, 2})
    for x in (-2, -1, 0, 1, 2)
    for y in (-2, -1, 0, 1, 2)
    if {abs(x), abs(y)} == parts
)
"""The sixteen links of a point of the lattice: straight, diagonal, and between these."""

STEEP = 8
"""The number of links that are straight or diagonal; only those lead over borders."""

LENGTHS = tuple(length((0, 0), link) + 1 for link in LINKS)
"""The lengths of the links in 10^-6 inch, rounded up."""

NEAR = 2 * LATTICE
"""No link is longer than this along an axis."""

BACK = tuple(LINKS.index((-east, -south)) for east, south in LINKS)
"""The numbers of the links that lead back."""

ALL_EVEN = [True] * len(LINKS)
"""No link of a point meets a border."""

BARRED = 1 << 62
"""The cost of a way that something bars: more than any allowance."""


Link = tuple[Point, int | None]
"""A neighbouring point, and the cost of the way there in 10^-6 movement points; None if nobody has asked for it yet."""

Trace = Callable[[Ground, Point, Point], Leg]
"""A straight leg between two points: as it lies on the ground, or as a rulebook's mover finds it."""

Bumps = Callable[[Point, Point, Iterable[Point], int], list[Point]]
"""The stands that a leg runs into, of some near it; the distance is in 1/1000 inch."""


class Reach(NamedTuple):
    """The cheapest known cost of each point in reach, in 10^-6 movement points, and the point before it on the way."""

    start: Point
    costs: dict[Point, int]
    before: dict[Point, Point]

    def rings(self, allowance: int) -> list[Ring]:
        """The area that can be reached for an allowance, as rings: a picture made of half-inch squares."""
        if not self.costs:
            return []
        return outline(box(self.costs), lambda at: self.costs.get(at, allowance + 1) <= allowance)

    def nodes(self) -> list[tuple[int, int, int, int]]:
        """Each point in reach as x, y, its cost in 1/1000 movement points, and the number of the point before it.

        The start has the number 0 and is its own.
        """
        numbers = {at: number for number, at in enumerate(self.costs)}
        return [
            (*at, spent * INCH // MICRO, numbers[self.before.get(at, self.start)]) for at, spent in self.costs.items()
        ]

    def route(self, to: Point) -> list[Point]:
        """The corners of the way to a point in reach, from the start to that point."""
        way = [to]
        while way[-1] != self.start:
            way.append(self.before[way[-1]])
        return way[::-1]


class Ways:
    """The links over a ground at a rulebook's prices, kept from one question to the next.

    A ruleset keeps one for each kind of movement. If it traces legs in its own way, its price for an inch of ground
    without borders must be the same for both kinds of leg.
    """

    def __init__(self, ground: Ground, price: Price, traced: Trace = leg) -> None:
        self.ground, self.price, self.traced = ground, price, traced
        self._links: dict[Point, list[Link]] = {}
        self._points: dict[Point, Point] = {}
        self._uniform: dict[tuple[Feature, ...], tuple[int, ...] | None] = {}
        self._usuals: dict[Point, tuple[int, ...] | None] = {}
        self._even: dict[Point, list[bool]] = {}
        self._beside = _beside(ground.features)
        self._corners: dict[Point, list[Point]] = {}
        for corner in self._beside:
            self._corners.setdefault(_inch(corner), []).append(corner)

    def reach(
        self,
        start: Point,
        allowance: int,
        others: Sequence[Point] = (),
        apart: int = 0,
        bumped: Bumps = bumps,
    ) -> Reach:
        """The reach of a stand for an allowance (10^-6 movement points).

        The stand keeps its centre at least `apart` (1/1000 inch) from the centres of the others, unless `bumped` lets
        it pass some of them.
        """
        costs, before = self._spread([start], allowance, others, apart, bumped)
        return Reach(start, costs, before)

    def costs_to(self, ends: Iterable[Point]) -> dict[Point, int]:
        """The cost of the cheapest way from each point to one of these ends, as if links cost the same both ways."""
        return self._spread(map(self._kept, ends), BARRED - 1, (), 0, bumps)[0]

    def _spread(
        self, starts: Iterable[Point], allowance: int, others: Sequence[Point], apart: int, bumped: Bumps
    ) -> tuple[dict[Point, int], dict[Point, Point]]:
        """The cost of each point in reach of one of these starts, and the point before it on the way."""
        costs, before, beyond = dict.fromkeys(starts, 0), dict[Point, Point](), allowance + 1
        queue, close = [(0, start) for start in costs], close_to(others, apart)
        while queue:
            spent, at = heappop(queue)
            if spent > costs[at]:
                continue
            guarded = others if at in self._beside else close.get(_inch(at), ())
            links = self._from(at)
            for number, (to, price) in enumerate(links):
                best = costs.get(to, beyond)
                if best <= spent:
                    continue  # no way from here is cheaper
                if price is None:
                    price = self._priced(at, to)
                    links[number] = to, price
                if spent + price < best and not (guarded and bumped(at, to, guarded, apart)):
                    costs[to], before[to] = spent + price, at
                    heappush(queue, (spent + price, to))
        return costs, before

    # --- links

    def _from(self, at: Point) -> list[Link]:
        """The links of a point."""
        known = self._links.get(at)
        if known is None:
            known = self._linked(at)
            if _on_lattice(at) or at in self._beside:
                self._links[at] = known
        return known

    def _linked(self, at: Point) -> list[Link]:
        links = self._over_lattice(at) if _on_lattice(at) else self._to_all(_near(at), at)
        if at in self._beside:
            links += self._to_all(self._beside[at], at)
        if corners := self._corners.get(_inch(at)):
            links += self._to_all(corners, at)
        return links

    def _over_lattice(self, at: Point) -> list[Link]:
        """The links of a point of the lattice: over ground of one kind at its price, else leg by leg."""
        x, y = at
        ends, links = [self._kept((x + east, y + south)) for east, south in LINKS], list[Link]()
        even = self._even[at] = self._evenness(at, ends)
        usual = self._usuals[at] = self._usual(at, ends, even)
        if usual and even is ALL_EVEN:
            links += zip(ends, usual, strict=True)
        else:
            for number, to in enumerate(ends):
                if usual and even[number]:
                    links.append((to, usual[number]))
                elif number < STEEP:
                    links.append((to, None))
        return links if self._inner(at) else [link for link in links if self._holds(link[0])]

    def _evenness(self, at: Point, ends: Sequence[Point]) -> list[bool]:
        """Whether each link of a point meets no border; links back from other points have the same answers."""
        if self.ground.calm(at):
            return ALL_EVEN
        known = [self._even.get(to) for to in ends]
        unknown = self.ground.uniform(at, [to for to, even in zip(ends, known, strict=True) if even is None], NEAR)
        rest = iter(unknown)
        return [next(rest) if even is None else even[back] for even, back in zip(known, BACK, strict=True)]

    def _to_all(self, ends: Iterable[Point], at: Point) -> list[Link]:
        return [(self._kept(to), None) for to in ends if to != at and self._holds(to)]

    def _kept(self, at: Point) -> Point:
        """The point itself; many links lead to one point, and it is kept once."""
        return self._points.setdefault(at, at)

    def _holds(self, at: Point) -> bool:
        return 0 <= at[0] <= self.ground.size[0] and 0 <= at[1] <= self.ground.size[1]

    def _inner(self, at: Point) -> bool:
        """Whether all links of a point end on the table."""
        return all(NEAR <= n <= most - NEAR for n, most in zip(at, self.ground.size, strict=True))

    def _usual(self, at: Point, ends: Sequence[Point], even: Sequence[bool]) -> tuple[int, ...] | None:
        """The costs of the links of a point over ground of its own kind; None if that bars the way.

        Points that a link without borders joins are on the same ground.
        """
        for to, same in zip(ends, even, strict=True):
            if same and to in self._usuals:
                return self._usuals[to]
        features = self.ground.features_at(at)
        if features not in self._uniform:
            inch = self.price.inch(features)
            self._uniform[features] = None if inch is None else tuple(int(far * inch) + 1 for far in LENGTHS)
        return self._uniform[features]

    def _priced(self, at: Point, to: Point) -> int:
        spent = cost(self.traced(self.ground, at, to), self.price)
        return BARRED if spent is None else spent


def _on_lattice(at: Point) -> bool:
    return at[0] % LATTICE == 0 and at[1] % LATTICE == 0


def _inch(at: Point) -> Point:
    return at[0] // INCH, at[1] // INCH


def _near(at: Point) -> list[Point]:
    """The points of the lattice that are very near to a point off it, all of which it is linked with."""
    left, top = at[0] // LATTICE * LATTICE, at[1] // LATTICE * LATTICE
    steps = range(-LATTICE, 3 * LATTICE, LATTICE)
    return [(left + east, top + south) for east in steps for south in steps]


def _beside(features: Iterable[Feature]) -> dict[Point, list[Point]]:
    """The corners of roads, streams and bridges, each with its neighbours along them."""
    beside: dict[Point, list[Point]] = {}
    for feature in features:
        if feature.width:
            for a, b in pairwise(feature.way):
                beside.setdefault(a, []).append(b)
                beside.setdefault(b, []).append(a)
    return beside


def close_to(others: Iterable[Point], apart: int) -> dict[Point, list[Point]]:
    """The stands that links of the lattice from an inch of the table may run into."""
    far = (apart + NEAR) // INCH + 2
    close: dict[Point, list[Point]] = {}
    for other in others:
        column, row = _inch(other)
        for square in ((column + x, row + y) for x in range(-far, far + 1) for y in range(-far, far + 1)):
            close.setdefault(square, []).append(other)
    return close
