"""The reach of a stand [8.3.1-points] as it pays for ground: stretch by stretch, rounded up to half a point [9.1.2]."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from heapq import heappop, heappush

from opfire.core.places import INCH, Point
from opfire.rulesets.micro_armour.moving.prices import Prices, traced
from opfire.rulesets.micro_armour.moving.stretches import Stretch, added, due, parts
from opfire.space.measure import MICRO
from opfire.space.terrain.ground import Ground
from opfire.space.terrain.legs import bar, bumps, cost
from opfire.space.terrain.reach import BARRED, Reach, Ways, close_to

Label = tuple[int, int, Point]
"""The points of a way to a point: as they are paid and before they are rounded, and that point."""


class Marches(Ways):
    """The links over a ground at the prices of a mover, and the ways along them as it pays for them."""

    def __init__(self, ground: Ground, prices: Prices) -> None:
        super().__init__(ground, prices, partial(traced, prices=prices))
        self.prices = prices
        self._parts: dict[Point, dict[Point, tuple[tuple[Stretch, ...], int]]] = {}
        self._inches: dict[Point, int] = {}

    def marched(
        self, start: Point, stretch: tuple[int, int], allowance: int, others: Sequence[Point], apart: int
    ) -> Reach:
        """The reach of a stand that comes along a stretch of ground; it keeps `apart` from others (1/1000 inch)."""
        if self.prices.exact:
            return self.reach(start, allowance, others, apart)
        known: dict[Point, tuple[int, int]] = {start: (0, 0)}
        ends: dict[Point, tuple[int, Stretch]] = {start: (-due(stretch[1]), Stretch(*stretch))}
        before, beyond = dict[Point, Point](), (allowance, BARRED)
        queue, close = [(0, 0, start)], close_to(others, apart)
        while queue:
            spent, exact, at = heappop(queue)
            if (spent, exact) > known[at]:
                continue
            guarded = others if at in self._beside else close.get((at[0] // INCH, at[1] // INCH), ())
            settled, here = ends[at]
            links = self._from(at)
            for number, (to, price) in enumerate(links):
                best = known.get(to, beyond)
                if best <= (spent, exact):
                    continue  # no way from here is cheaper
                if price is None:
                    price = self._priced(at, to)
                    links[number] = to, price
                if price >= BARRED:
                    continue
                over, end, toll = self._after(at, to, price, settled, here)
                found = over + toll + due(end.points), exact + price
                if found < best and not (guarded and bumps(at, to, guarded, apart)):
                    known[to], ends[to], before[to] = found, (over + toll, end), at
                    heappush(queue, (*found, to))
            if at not in self._links:
                self._parts.pop(at, None)
        return Reach(start, {at: spent for at, (spent, _) in known.items()}, before)

    def _after(self, at: Point, to: Point, price: int, settled: int, here: Stretch) -> tuple[int, Stretch, int]:
        """The points that are settled after a link, the stretch on which it ends, and its tolls."""
        mixed = self._parts.get(at)
        if mixed is not None and to in mixed:
            ground, toll = mixed[to]
            return *added(settled, here, ground), toll
        inch = self._inches.get(at)
        if inch is None:
            inch = self._inches[at] = int(MICRO * (self.prices.inch(self.ground.features_at(at)) or 0))
        if inch == here.inch:
            return settled, Stretch(inch, here.points + price), 0
        return settled + due(here.points), Stretch(inch, price), 0

    def _priced(self, at: Point, to: Point) -> int:
        way = self.traced(self.ground, at, to)
        if bar(way, self.prices):
            return BARRED
        self._parts.setdefault(at, {})[to] = parts(way, self.prices)
        return cost(way, self.prices) or 0
