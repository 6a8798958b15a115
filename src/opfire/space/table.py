"""The free table: a rectangle with stands on it, measured and judged in integers.

A point is (x, y) in 1/1000 inch, x eastwards and y southwards from the north-western corner. A stand is a disc around
its point. Lengths and facings are those of `opfire.space.measure`.
"""

from __future__ import annotations

from typing import Any

import msgspec

from opfire.core import places
from opfire.core.errors import BadInput
from opfire.core.places import INCH, Point
from opfire.space.measure import MICRO, length, square

MOST, LEAST = 200, 0.1
"""The longest side of a table and the smallest stand, in inches."""


class TableSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[table]` of a scenario: its size and the diameter of its stands, both in inches."""

    size: tuple[float, float]
    base: float = 1.0
    title: str = "Table"


class Table:
    """A bare rectangle; `size` and the diameter `base` of every stand are in 1/1000 inch."""

    def __init__(self, id: str, size: Point, base: int, title: str = "Table") -> None:
        self.id, self.size, self.base, self.title = id, size, base, title

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

    def line(self, a: Point, b: Point) -> tuple[Point, ...]:
        """The two ends: nothing lies on a bare table."""
        return (a, b)

    # --- identity ------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        return f"Table({self.id!r}, {places.text(self.size)})"

    def to_json(self) -> dict[str, Any]:
        """The table as the client draws it (docs/protocol.md)."""
        return {"space": "table", "id": self.id, "title": self.title, "size": list(self.size), "base": self.base}


def laid(section: TableSection, id: str) -> Table:
    """The table of a scenario. Raises BadInput for a size that no table has."""
    wide, high = section.size
    if not (1 <= wide <= MOST and 1 <= high <= MOST):
        raise BadInput(f"a table of {wide:g} by {high:g} inches", "table.size", f"1 to {MOST} inches each way")
    if not LEAST <= section.base <= min(wide, high):
        raise BadInput(f"stands of {section.base:g} inches", "table.base", f"{LEAST} inch to the width of the table")
    return Table(id, (round(INCH * wide), round(INCH * high)), round(INCH * section.base), section.title)
