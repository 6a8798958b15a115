"""The free table: a rectangle with stands on it, measured and judged in integers.

A point is (x, y) in 1/1000 inch, x eastwards and y southwards from the north-western corner. A stand is a disc around
its point. Lengths are the integer square root of 10^6 times the squared distance, that is in 10^-6 inch. A facing is
in whole degrees, 0 north, clockwise. Rules are decided on these integers; the shape of a reach is only a picture.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import isqrt
from typing import Any

import msgspec

from opfire.core import places
from opfire.core.errors import BadInput
from opfire.core.places import INCH, Point

MICRO = 1_000_000
"""Units of a length to the inch."""

SLACK = MICRO // 1000
"""A leg may cost this much more than is left: 0.001 inch."""

LATTICE = INCH // 2
"""How far apart the points are that a picture of a reach is made of."""

SINES = (
    *(0, 17452, 34899, 52336, 69756, 87156, 104528, 121869, 139173, 156434, 173648, 190809, 207912, 224951, 241922),
    *(258819, 275637, 292372, 309017, 325568, 342020, 358368, 374607, 390731, 406737, 422618, 438371, 453990, 469472),
    *(484810, 500000, 515038, 529919, 544639, 559193, 573576, 587785, 601815, 615661, 629320, 642788, 656059, 669131),
    *(681998, 694658, 707107, 719340, 731354, 743145, 754710, 766044, 777146, 788011, 798636, 809017, 819152, 829038),
    *(838671, 848048, 857167, 866025, 874620, 882948, 891007, 898794, 906308, 913545, 920505, 927184, 933580, 939693),
    *(945519, 951057, 956305, 961262, 965926, 970296, 974370, 978148, 981627, 984808, 987688, 990268, 992546, 994522),
    *(996195, 997564, 998630, 999391, 999848, 1000000),
)
"""The sine of 0 to 90 degrees in 10^-6: committed, so that a facing means the same on every machine."""

MOST, LEAST = 200, 0.1
"""The longest side of a table and the smallest stand, in inches."""

Ring = tuple[Point, ...]
"""A closed border; its last point is joined to its first."""


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
        return _square(a, b) <= (reach * INCH) ** 2

    def overlap(self, a: Point, b: Point) -> bool:
        """Return whether stands at two points lie on each other; stands that only touch do not."""
        return _square(a, b) < self.base**2

    def adjacent(self, a: Point, b: Point) -> bool:
        """Return whether stands at two points touch: no gap of 1/1000 inch is left between them."""
        return _square(a, b) < (self.base + 1) ** 2

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


# --- lengths and angles ----------------------------------------------------------------------------------


def length(a: Point, b: Point) -> int:
    """The length of a straight leg in 10^-6 inch, rounded down.

    >>> length((0, 0), (3000, 4000)), length((0, 0), (1000, 1000))
    (5000000, 1414213)
    """
    return isqrt(MICRO * _square(a, b))


def _square(a: Point, b: Point) -> int:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def sine(degrees: int) -> int:
    """The sine of whole degrees, in 10^-6.

    >>> sine(30), sine(150), sine(-90), sine(720)
    (500000, 500000, -1000000, 0)
    """
    turn = degrees % 360
    part = turn % 180
    size = SINES[part if part <= 90 else 180 - part]
    return size if turn < 180 else -size


def turning(a: int, b: int) -> int:
    """By how many degrees a stand turns from one facing to another, the shorter way.

    >>> turning(350, 10), turning(0, 180), turning(90, 45)
    (20, 180, 45)
    """
    by = abs(a - b) % 360
    return min(by, 360 - by)


def in_front(at: Point, facing: int, other: Point) -> bool:
    """Return whether a point lies ahead of the line through `at` across the facing.

    >>> in_front((0, 0), 0, (500, -1)), in_front((0, 0), 0, (500, 0)), in_front((0, 0), 90, (1, 9000))
    (True, False, True)
    """
    east, south = sine(facing), -sine(facing + 90)
    return east * (other[0] - at[0]) + south * (other[1] - at[1]) > 0


# --- pictures of a reach ---------------------------------------------------------------------------------


def outline(box: tuple[int, int, int, int], allowed: Callable[[Point], bool]) -> list[Ring]:
    """The allowed points of a box as rings, a ring within a ring being a hole: a picture, smaller than the truth.

    The squares of a half-inch lattice whose four corners are allowed make it up.
    """
    left, top, right, bottom = box
    columns, rows = _on_lattice(left, right), _on_lattice(top, bottom)
    corners = {(x, y) for x in columns for y in rows if allowed((x * LATTICE, y * LATTICE))}
    squares = {(x, y) for x, y in corners if {(x + 1, y), (x, y + 1), (x + 1, y + 1)} <= corners}
    return [tuple((x * LATTICE, y * LATTICE) for x, y in ring) for ring in _rings(squares)]


def _on_lattice(low: int, high: int) -> range:
    """The numbers of the lattice lines from `low` to `high`."""
    return range(-(-low // LATTICE), high // LATTICE + 1)


def _rings(squares: set[Point]) -> Iterable[list[Point]]:
    """The borders of a set of squares, without the points at which a border runs straight on."""
    after: dict[Point, list[Point]] = {}
    for start, end in _borders(squares):
        after.setdefault(start, []).append(end)
    while after:
        ring = [next(iter(after))]
        while len(ring) == 1 or ring[-1] != ring[0]:
            at = ring[-1]
            ring.append(after[at].pop())
            if not after[at]:
                del after[at]
        yield _corners(ring[:-1])


def _borders(squares: set[Point]) -> Iterable[tuple[Point, Point]]:
    """The sides of squares that have no square beyond them, each with its square on the right."""
    for x, y in sorted(squares):
        nw, ne, se, sw = (x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)
        sides = ((nw, ne, (x, y - 1)), (ne, se, (x + 1, y)), (se, sw, (x, y + 1)), (sw, nw, (x - 1, y)))
        yield from ((start, end) for start, end, beyond in sides if beyond not in squares)


def _corners(ring: list[Point]) -> list[Point]:
    around = zip(ring[-1:] + ring[:-1], ring, ring[1:] + ring[:1], strict=True)
    return [at for before, at, then in around if before[0] != then[0] and before[1] != then[1]]
