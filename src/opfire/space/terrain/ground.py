"""The ground of a table: its features, found at a point, under a stand and along a straight line.

The table is divided into squares of an inch. Each square knows the borders and lines that may cross it and the
polygons that may cover its points, so that a question looks at its own neighbourhood only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from opfire.core.places import INCH, Point
from opfire.space.terrain.exact import Box, Ring, box, inside, meet, near, sides
from opfire.space.terrain.features import Feature
from opfire.space.terrain.sectors import by_direction, sector
from opfire.space.terrain.spans import Along, Edge, Span, covered, met, united

SQUARE = INCH
"""The side of a square of the index, in 1/1000 inch."""

Segment = tuple[Point, Point]


class Spot(NamedTuple):
    """The ground at a point: its features from the ground up, and its level."""

    features: tuple[Feature, ...]
    level: int

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of its terrain, each once, from the ground up."""
        return tuple(dict.fromkeys(feature.kind for feature in self.features))


class Polygon:
    """A ring with its holes, its segments sorted by the rows of squares that they pass."""

    def __init__(self, number: int, feature: Feature, rings: Sequence[Ring]) -> None:
        self.number, self.feature = number, feature
        self.box: Box = box(rings[0])
        self.segments: tuple[Segment, ...] = tuple(side for ring in rings for side in sides(ring))
        self._rows: dict[int, list[Segment]] = {}
        for a, b in self.segments:
            for row in range(min(a[1], b[1]) // SQUARE, max(a[1], b[1]) // SQUARE + 1):
                self._rows.setdefault(row, []).append((a, b))

    def holds(self, at: Point) -> bool:
        """Return whether a point is in the polygon, its border included."""
        left, top, right, bottom = self.box
        return left <= at[0] <= right and top <= at[1] <= bottom and inside(at, self._rows.get(at[1] // SQUARE, ()))


class _Way:
    """A line without width: its segments alone."""

    def __init__(self, number: int, feature: Feature) -> None:
        self.number, self.feature = number, feature
        self.segments: tuple[Segment, ...] = tuple(pairwise(feature.way))


class Ground:
    """The features of a table and the index over them; it never changes. `size` is in 1/1000 inch."""

    def __init__(self, size: Point, features: Sequence[Feature] = ()) -> None:
        self.size, self.features = size, tuple(features)
        self._columns = size[0] // SQUARE + 2
        self._parts: list[Polygon | _Way] = []
        self._edges: list[Edge] = []
        self._crossing: dict[int, dict[int, None]] = {}
        self._boxed: dict[int, list[Polygon]] = {}
        self._covers: dict[int, tuple[tuple[Polygon, ...], tuple[Polygon, ...]]] = {}
        self._calm: dict[int, bool] = {}
        self._began: tuple[Point, dict[int, Polygon]] = (-1, -1), {}
        for feature in self.features:
            self._add(feature)

    def only(self, wanted: Callable[[Feature], bool]) -> Ground:
        """The ground with some of its features: a rule that needs only obstacles looks at obstacles only."""
        return Ground(self.size, [feature for feature in self.features if wanted(feature)])

    def of_kind(self, kind: str) -> tuple[Feature, ...]:
        """The features of a kind."""
        return tuple(feature for feature in self.features if feature.kind == kind)

    # --- the index

    def _add(self, feature: Feature) -> None:
        for rings in feature.parts:
            polygon = Polygon(len(self._parts), feature, rings)
            self._parts.append(polygon)
            for square in self._boxed_squares(polygon.box):
                self._boxed.setdefault(square, []).append(polygon)
            self._add_segments(polygon)
        if not feature.parts:
            way = _Way(len(self._parts), feature)
            self._parts.append(way)
            self._add_segments(way)

    def _add_segments(self, part: Polygon | _Way) -> None:
        for a, b in part.segments:
            number = len(self._edges)
            self._edges.append((*a, *b, part.number))
            for square in self._squares(a, b):
                self._crossing.setdefault(square, {})[number] = None

    def _boxed_squares(self, around: Box) -> Iterator[int]:
        left, top, right, bottom = (amount // SQUARE for amount in around)
        for row in range(top, bottom + 1):
            yield from range(row * self._columns + left, row * self._columns + right + 1)

    def _squares(self, a: Point, b: Point) -> list[int]:
        """The squares that a segment passes, and at times a neighbour that it only touches.

        Squares beyond the edges of the table have the numbers of others, where they only add to what is looked at.
        """
        (x1, y1), (x2, y2) = (a, b) if a[1] <= b[1] else (b, a)
        first, last, columns = y1 // SQUARE, y2 // SQUARE, self._columns
        if first == last:
            left, right = (x1, x2) if x1 <= x2 else (x2, x1)
            return [*range(first * columns + left // SQUARE, first * columns + right // SQUARE + 1)]
        wide, high, x, found = x2 - x1, y2 - y1, x1, list[int]()
        for row in range(first, last + 1):
            then = x2 if row == last else x1 + ((row + 1) * SQUARE - y1) * wide // high
            left, right = (x, then) if x <= then else (then, x)
            found += range(row * columns + left // SQUARE, row * columns + right // SQUARE + 1)
            x = then
        return found

    def _covering(self, at: Point) -> Iterator[Polygon]:
        """The polygons that hold a point."""
        square = at[1] // SQUARE * self._columns + at[0] // SQUARE
        known = self._covers.get(square)
        if known is None:
            known = self._covers[square] = self._cover(square)
        whole, partly = known
        yield from whole
        for polygon in partly:
            if polygon.holds(at):
                yield polygon

    def _cover(self, square: int) -> tuple[tuple[Polygon, ...], tuple[Polygon, ...]]:
        """The polygons that cover a whole square, and those with a border in it."""
        row, column = divmod(square, self._columns)
        middle = (column * SQUARE + SQUARE // 2, row * SQUARE + SQUARE // 2)
        cut = {self._edges[edge][4] for edge in self._crossing.get(square, ())}
        boxed = self._boxed.get(square, ())
        whole = tuple(polygon for polygon in boxed if polygon.number not in cut and polygon.holds(middle))
        return whole, tuple(polygon for polygon in boxed if polygon.number in cut)

    # --- at a point, under a disc

    def at(self, at: Point) -> Spot:
        """The ground at a point; a border belongs to its area."""
        found = self.features_at(at)
        return Spot(found, level(found))

    def features_at(self, at: Point) -> tuple[Feature, ...]:
        """The features at a point, from the ground up."""
        return _in_order([polygon.feature for polygon in self._covering(at)])

    def uniform(self, a: Point, ends: Sequence[Point], reach: int) -> list[bool]:
        """Return for each line from a point to one of these ends whether it meets no border and no line.

        All points of such a line have the same features. No end is farther away than `reach` along an axis.
        """
        (x, y), found = a, list[bool]()
        edges = []
        for x1, y1, x2, y2, _ in self._edges_around(a, reach):  # all counted from the point
            wide, high = x2 - x1, y2 - y1
            edges.append((x1 - x, y1 - y, wide, high, high * (x1 - x) - wide * (y1 - y)))
        for end in ends:
            east, south = end[0] - x, end[1] - y
            for left, top, wide, high, here in edges:
                # Twice the areas of triangles, as in `meet`: the edge's ends beside the line, then the line's.
                first = east * top - south * left
                second = first + east * high - south * wide
                if (first > 0 and second > 0) or (first < 0 and second < 0):
                    continue
                there = here + wide * south - high * east
                if first and second and here and there:
                    if (here > 0) == (there > 0):
                        continue
                elif not meet((0, 0), (east, south), (left, top), (left + wide, top + high)):
                    continue
                found.append(False)
                break
            else:
                found.append(True)
        return found

    def _edges_around(self, at: Point, reach: int) -> list[Edge]:
        """The borders and lines whose boxes touch the square around a point."""
        left, top, right, bottom = at[0] - reach, at[1] - reach, at[0] + reach, at[1] + reach
        numbers: dict[int, None] = {}
        for square in self._boxed_squares((left, top, right, bottom)):
            if square in self._crossing:
                numbers.update(self._crossing[square])
        return [
            edge
            for edge in map(self._edges.__getitem__, numbers)
            if (edge[0] <= right or edge[2] <= right)
            and (edge[0] >= left or edge[2] >= left)
            and (edge[1] <= bottom or edge[3] <= bottom)
            and (edge[1] >= top or edge[3] >= top)
        ]

    def calm(self, at: Point) -> bool:
        """Return whether there is certainly no border and no line within an inch of a point."""
        square = at[1] // SQUARE * self._columns + at[0] // SQUARE
        known = self._calm.get(square)
        if known is None:
            around = (square + row + column for row in (-self._columns, 0, self._columns) for column in (-1, 0, 1))
            known = self._calm[square] = not any(each in self._crossing for each in around)
        return known

    def under(self, at: Point, radius: int) -> tuple[Feature, ...]:
        """The features that a disc touches, its edge included, from the ground up; the radius in 1/1000 inch."""
        reach = (at[0] - radius, at[1] - radius, at[0] + radius, at[1] + radius)
        around = tuple(max(amount, 0) for amount in reach)
        edges = dict.fromkeys(
            edge
            for square in self._boxed_squares((around[0], around[1], around[2], around[3]))
            for edge in self._crossing.get(square, ())
        )
        touched = (edge for edge in (self._edges[number] for number in edges) if near(at, edge[:2], edge[2:4], radius))
        parts = [self._parts[edge[4]].feature for edge in touched]
        return _in_order([*parts, *(polygon.feature for polygon in self._covering(at))])

    # --- along a line

    def spans(self, a: Point, b: Point) -> list[Span]:
        """Everything that the straight line between two points touches, in order of entering, then of leaving.

        A span has the two places on the line between which a feature lies under it. Borders belong to their areas: a
        line that only touches a corner has a span without length there. Spans of one feature never touch each other.
        """
        edges = self._edges
        return self._spans(a, b, [edges[number] for number in self._near(a, b)])

    def fan(self, start: Point, reach: int) -> Callable[[Point], list[Span]]:
        """The `spans` from one point to any other that is no farther away than `reach` along an axis (1/1000 inch).

        The borders are sorted by the directions in which they lie: that takes as long as a few dozen lines.
        """
        around = by_direction(start, self._edges_around(start, reach))

        def spans(end: Point) -> list[Span]:
            return self._spans(start, end, around[sector(end[0] - start[0], end[1] - start[1])])

        return spans

    def _spans(self, a: Point, b: Point, edges: Iterable[Edge]) -> list[Span]:
        """The spans of a line, from the edges that it may meet."""
        covering = self._beginning(a)
        contacts: dict[int, list[tuple[Along, Along]]] = {}
        corners: dict[int, None] = {}
        met(a, b, edges, contacts, corners)
        found: dict[Feature, list[tuple[Along, Along]]] = {}
        for number, touched in contacts.items():
            part = self._parts[number]
            if isinstance(part, Polygon):
                touched = covered(a, b, touched, number in covering, part.segments if number in corners else ())
            found.setdefault(part.feature, []).extend(touched)
        for number, polygon in covering.items():
            if number not in contacts:
                found.setdefault(polygon.feature, []).extend(covered(a, b, (), True, ()))
        spans = [Span(feature, *ends) for feature, touched in found.items() for ends in united(touched)]
        if len(spans) > 1:
            spans.sort(key=lambda span: (span.enters.key, span.leaves.key, span.feature.number))
        return spans

    def _beginning(self, start: Point) -> dict[int, Polygon]:
        """The polygons at the start of a line, by number; lines are often drawn from one point in all directions."""
        point, covering = self._began
        if point != start:
            covering = {polygon.number: polygon for polygon in self._covering(start)}
            self._began = start, covering
        return covering

    def _near(self, a: Point, b: Point) -> dict[int, None]:
        """The numbers of the edges in the squares that a line passes."""
        edges: dict[int, None] = {}
        crossing = self._crossing
        for square in self._squares(a, b):
            if square in crossing:
                edges.update(crossing[square])
        return edges


def _in_order(found: Iterable[Feature]) -> tuple[Feature, ...]:
    features = [*dict.fromkeys(found)]
    if len(features) > 1:
        features.sort(key=lambda feature: feature.number)
    return tuple(features)


def level(features: Iterable[Feature]) -> int:
    """The level of a point with these features: that of the lowest depression, else of the highest contour.

    A bridge or a ford leads across: whatever lies deeper does not count under it.
    """
    known = [*features]
    if not known:
        return 0
    hills = max((each.level or 0 for each in known if each.shape == "contour"), default=0)
    if any(each.shape == "crossing" for each in known):
        return hills
    return min((each.level for each in known if each.shape != "contour" and each.level is not None), default=hills)
