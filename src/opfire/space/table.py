"""The free table: a rectangle with terrain and stands on it, measured and judged in integers.

A point is (x, y) in 1/1000 inch, x eastwards and y southwards from the north-western corner. A stand is a disc around
its point. Lengths and facings are those of `opfire.space.measure`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from opfire.core import places
from opfire.core.errors import BadInput
from opfire.core.places import INCH, Point
from opfire.space.measure import MICRO, length, square
from opfire.space.terrain.features import NO_TERRAIN, Feature, Vocabulary
from opfire.space.terrain.files import Drawing, TableFile, features, read_table, sized, table_file
from opfire.space.terrain.ground import Ground
from opfire.space.terrain.spans import Span


class TableSection(Drawing, frozen=True, forbid_unknown_fields=True):
    """`[table]` of a scenario: a table file by its id, or a size and terrain of its own, all in inches.

    `size` and the diameter `base` of the stands are in inches. Without `measuring` players guess distances.
    """

    size: tuple[float, float] | None = None
    base: float | None = None
    title: str = ""
    table: str = ""
    measuring: bool = True


class Table:
    """A rectangle with its ground; `size` and the diameter `base` of every stand are in 1/1000 inch.

    `measuring` says whether players may measure on it before they decide; `metres` are what an inch of it stands for,
    0 where the book does not say that.
    """

    measuring = True
    metres = 0

    def __init__(self, id: str, size: Point, base: int, title: str = "Table", ground: Ground | None = None) -> None:
        self.id, self.size, self.base, self.title = id, size, base, title
        self.ground = ground or Ground(size)

    # --- places --------------------------------------------------------------------------------------------

    def parse(self, text: str, where: str = "") -> Point:
        """The point that a text such as `12.5,8.25` names. Raises BadInput for one off the table."""
        point = places.parse(text)
        if isinstance(point, str) or point not in self:
            raise BadInput(f"{text!r} is no point of the table", where, f"inches up to {places.text(self.size)}")
        return point

    def text(self, place: Point) -> str:
        """The point in inches."""
        return places.text(place)

    def __contains__(self, place: object) -> bool:
        """Return whether this is a point of the table, its edges included."""
        match place:
            case (int(x), int(y)):
                return 0 <= x <= self.size[0] and 0 <= y <= self.size[1]
        return False

    def holds(self, at: Point) -> bool:
        """Return whether a stand at a point lies wholly on the table."""
        return all(self.base <= 2 * n <= 2 * most - self.base for n, most in zip(at, self.size, strict=True))

    def box(self, at: Point, reach: int) -> tuple[int, int, int, int]:
        """The rectangle of points at which a stand moved by at most `reach` (10^-6 inch) along an axis may lie."""
        by, half = reach * INCH // MICRO, (self.base + 1) // 2
        low = [max(n - by, half) for n in at]
        high = [min(n + by, most - half) for n, most in zip(at, self.size, strict=True)]
        return low[0], low[1], high[0], high[1]

    # --- measuring -----------------------------------------------------------------------------------------

    def distance(self, a: Point, b: Point) -> int:
        """The distance of two points in 10^-6 inch, rounded down."""
        return length(a, b)

    def in_reach(self, a: Point, b: Point, reach: int) -> bool:
        """Return whether two points lie at most `reach` inches apart."""
        return square(a, b) <= (reach * INCH) ** 2

    def overlap(self, a: Point, b: Point) -> bool:
        """Return whether stands at two points lie on each other; stands that only touch do not."""
        return square(a, b) < self.base**2

    def adjacent(self, a: Point, b: Point) -> bool:
        """Return whether stands at two points touch: no gap of 1/1000 inch is left between them."""
        return square(a, b) < (self.base + 1) ** 2

    def gap(self, a: Point, b: Point) -> int:
        """The distance between the edges of stands at two points in 10^-6 inch, rounded down; 0 if they overlap."""
        return max(length(a, b) - self.base * (MICRO // INCH), 0)

    def edges_within(self, a: Point, b: Point, reach: int) -> bool:
        """Return whether the edges of stands at two points lie at most `reach` (1/1000 inch) apart."""
        return square(a, b) <= (self.base + reach) ** 2

    def line(self, a: Point, b: Point) -> tuple[Point | Span, ...]:
        """The two ends, and between them the terrain that the straight line touches."""
        return (a, *self.ground.spans(a, b), b)

    # --- identity ------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        return f"Table({self.id!r}, {places.text(self.size)})"

    def to_json(self) -> dict[str, Any]:
        """The table as the client draws it (docs/protocol.md)."""
        size, terrain = [*self.size], [shown(feature) for feature in self.ground.features]
        bare = {"space": "table", "id": self.id, "title": self.title, "size": size, "base": self.base}
        guessed = {} if self.measuring else {"measuring": False}
        scale = {"metres": self.metres} if self.metres else {}
        return {**bare, **guessed, **scale, **({"terrain": terrain} if terrain else {})}


def laid(section: TableSection, id: str, vocabulary: Vocabulary = NO_TERRAIN) -> Table:
    """The table of a scenario. Raises BadInput for a size that no table has, and for terrain that cannot be drawn."""
    found = _laid(section, id, vocabulary)
    found.measuring = section.measuring
    return found


def _laid(section: TableSection, id: str, vocabulary: Vocabulary) -> Table:
    if not section.table:
        if section.size is None:
            raise BadInput("the table has no size", "table.size", "its size in inches, or the id of a table file")
        return _drawn(section, section.size, id, vocabulary, "table.")
    if section.size is not None or any(getattr(section, field) for field in Drawing.__struct_fields__):
        raise BadInput("a table file and a table of its own", "table", "one of the two")
    path = table_file(section.table)
    return drawn(read_table(path), vocabulary, path.name)


def drawn(file: TableFile, vocabulary: Vocabulary, name: str) -> Table:
    """The table of a table file; `name` is that of the file in errors. Raises BadInput."""
    return _drawn(file, file.size, file.id, vocabulary, f"{name}: ")


def _drawn(
    made: TableFile | TableSection, size: tuple[float, float], id: str, vocabulary: Vocabulary, where: str
) -> Table:
    base = 1.0 if made.base is None else made.base
    measures, diameter = sized(size, base, where)
    drawing = Drawing(**{field: getattr(made, field) for field in Drawing.__struct_fields__})
    return Table(id, measures, diameter, made.title or "Table", _ground(drawing, measures, vocabulary, where))


@lru_cache(maxsize=64)
def _ground(drawing: Drawing, size: Point, vocabulary: Vocabulary, where: str) -> Ground:
    return Ground(size, features(drawing, size, vocabulary, where))


def table_texts(section: TableSection) -> dict[str, str]:
    """The text of the table file that a scenario names, by its id: the data that a record relies on."""
    return {section.table: table_file(section.table).read_text(encoding="utf-8")} if section.table else {}


def shown(feature: Feature) -> dict[str, Any]:
    """A feature as the client draws it (docs/protocol.md): a polygon is a list of rings, the first one outside."""
    facts = {key: getattr(feature, key) for key in ("id", "kind", "name", "shape", "look")}
    more = {key: getattr(feature, key) for key in ("called", "level", "floors", "width", "way")}
    return {**facts, **{key: value for key, value in more.items() if value}, "polygons": feature.parts}
