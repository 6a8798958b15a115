"""The table as computer players see it: turns to a point, protection at a point, the points worth a look."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from heapq import heappop, heappush
from itertools import pairwise
from typing import NamedTuple

from opfire.core.places import INCH, Point
from opfire.kit.thinking.goals import FAR
from opfire.rulesets.panzerblitz_miniatures.charts import Charts
from opfire.rulesets.panzerblitz_miniatures.fire.modifiers import Occupant, protection
from opfire.rulesets.panzerblitz_miniatures.moving.movement_costs import DEPRESSIONS, ROADS, Mover, Prices, usable_roads
from opfire.rulesets.panzerblitz_miniatures.sighting.cover import on_the_ground, terrain_rows
from opfire.rulesets.panzerblitz_miniatures.victory import NEAR
from opfire.space.lattice import LATTICE
from opfire.space.measure import MICRO, square
from opfire.space.terrain.exact import near
from opfire.space.terrain.features import Feature
from opfire.space.terrain.ground import Ground
from opfire.space.terrain.shapes import rounded

STEPS = tuple((x * LATTICE, y * LATTICE) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y)
"""The steps from a point of the lattice to its neighbours; none is long enough to jump a stream."""


class Inch(NamedTuple):
    """The price of an inch at a point, in 10^-6 movement points: off the road and on it; 0 where there is no way."""

    off: int
    road: int


Inches = dict[Point, Inch]


def inch_of(prices: Prices, features: tuple[Feature, ...]) -> Inch | None:
    """The price of an inch on these features; None where the ground is closed."""
    road = prices.inch(features) if usable_roads(features) else 0
    across = any(feature.shape == "crossing" for feature in features)
    beside = tuple(each for each in features if each.kind not in ROADS and not (across and each.kind in DEPRESSIONS))
    off = prices.inch(beside)
    found = Inch(int((off or 0) * MICRO), int((road or 0) * MICRO))
    return found if found.off or found.road else None


def field(inches: Inches, goal: Point, near: int) -> dict[Point, int]:
    """The cost to a place near a goal from every point of the lattice with a way there, in 10^-6 movement points.

    It counts inches alone: hedges, crests and the banks of gullies cost nothing here.
    """
    starts = [at for at in inches if square(at, goal) <= near**2]
    costs = dict.fromkeys(starts, 0)
    queue = [(0, at) for at in starts]
    while queue:
        spent, at = heappop(queue)
        if spent > costs[at]:
            continue
        here = inches[at]
        for east, south in STEPS:
            to = at[0] + east, at[1] + south
            there = inches.get(to)
            if there is None:
                continue
            inch = (here.road + there.road) // 2 if here.road and there.road else _off(here, there)
            total = spent + inch * (707 if east and south else 500) // 1000
            if inch and total < costs.get(to, total + 1):
                costs[to] = total
                heappush(queue, (total, to))
    return costs


def _off(here: Inch, there: Inch) -> int:
    """The price of an inch between two points off the road; 0 if one of them is closed."""
    return (here.off + there.off) // 2 if here.off and there.off else 0


class Shelter(NamedTuple):
    """The protection of the ground at a point: what it adds to the die and to the defence, and whether it is cover."""

    modifier: int
    defence: int
    cover: bool


class Grounds:
    """Facts about a table that never change: the costs of ways to its goals, and the shelter at its points."""

    def __init__(self, ground: Ground, charts: Charts) -> None:
        self._ground, self._charts = ground, charts
        self._prices: dict[Mover, Inches] = {}
        self._fields: dict[tuple[Mover, Point], Mapping[Point, int]] = {}
        self._shelters: dict[tuple[Point, Occupant], Shelter] = {}
        self._crests = frozenset(_beside_crests(ground))

    def at_crest(self, at: Point) -> bool:
        """Return whether a crest runs within about an inch of a point: it hides and covers the units behind it."""
        return (rounded(at[0], INCH) * INCH, rounded(at[1], INCH) * INCH) in self._crests

    # --- ways --------------------------------------------------------------------------------------------------

    def turns(self, mover: Mover, allowance: int, start: Point, goal: Point) -> float:
        """The turns of a mover with an allowance (10^-6 points) to a place at a goal; FAR if there is no way."""
        if allowance <= 0:
            return FAR
        field = self._field(mover, goal)
        costs = [cost for at in _around(start) if (cost := field.get(at)) is not None]
        return min(costs) / allowance if costs else FAR

    def _field(self, mover: Mover, goal: Point) -> Mapping[Point, int]:
        """The cost to a place at a goal from every point of the lattice, as if from there."""
        found = self._fields.get((mover, goal))
        if found is None:
            found = self._fields[mover, goal] = field(self._inches(mover), goal, NEAR)
        return found

    def _inches(self, mover: Mover) -> Inches:
        """The price of an inch at every point of the lattice that is open to a mover."""
        found = self._prices.get(mover)
        if found is None:
            found = self._prices[mover] = dict(self._priced(Prices(self._charts, mover)))
        return found

    def _priced(self, prices: Prices) -> Iterator[tuple[Point, Inch]]:
        (width, height), memory = self._ground.size, dict[tuple[Feature, ...], Inch | None]()
        for x in range(0, width + 1, LATTICE):
            for y in range(0, height + 1, LATTICE):
                features = self._ground.at((x, y)).features
                if features not in memory:
                    memory[features] = inch_of(prices, features)
                if inch := memory[features]:
                    yield (x, y), inch

    # --- shelter -----------------------------------------------------------------------------------------------

    def shelter(self, at: Point, occupant: Occupant) -> Shelter:
        """The protection of the ground at a point."""
        found = self._shelters.get((at, occupant))
        if found is None:
            found = self._shelters[at, occupant] = self._sheltered(at, occupant)
        return found

    def _sheltered(self, at: Point, occupant: Occupant) -> Shelter:
        features = self._ground.at(at).features
        found = protection(self._charts, terrain_rows(self._charts, features), "", occupant, 0)
        here = [feature.kind for feature in on_the_ground(features)]
        rows = (self._charts.terrain.get(kind) for kind in here)
        covered = "building" in here or any(row is not None and row.cover == "always" for row in rows)
        modifier, defence = (sum(line.amount for line in lines) for lines in (found.modifiers, found.defence))
        return Shelter(modifier, defence, covered)


@lru_cache(maxsize=4)
def grounds_over(ground: Ground, charts: Charts) -> Grounds:
    """The facts about a ground, shared by all games on it."""
    return Grounds(ground, charts)


def _beside_crests(ground: Ground) -> Iterator[Point]:
    """The points at whole inches within an inch of a crest [COV-3, HUL-1]."""
    for crest in ground.of_kind("crest"):
        for a, b in pairwise(crest.way):
            (west, east), (north, south) = (sorted(ends) for ends in zip(a, b, strict=True))
            for x in range((west // INCH - 1) * INCH, east + 2 * INCH, INCH):
                for y in range((north // INCH - 1) * INCH, south + 2 * INCH, INCH):
                    if near((x, y), a, b, INCH):
                        yield x, y


def _around(at: Point) -> Iterable[Point]:
    """The points of the lattice around a point; the point itself if it is one of them."""
    left, top = at[0] // LATTICE * LATTICE, at[1] // LATTICE * LATTICE
    if (left, top) == at:
        return (at, (left + LATTICE, top), (left - LATTICE, top), (left, top + LATTICE), (left, top - LATTICE))
    return ((left, top), (left + LATTICE, top), (left, top + LATTICE), (left + LATTICE, top + LATTICE))


def whole_inches(points: Iterable[Point]) -> list[Point]:
    """The points of the lattice at whole inches, in order."""
    return sorted(at for at in points if at[0] % INCH == 0 and at[1] % INCH == 0)
