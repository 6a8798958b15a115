"""Pictures of a reach: the rings around the allowed points of a half-inch lattice."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from opfire.core.places import INCH, Point

LATTICE = INCH // 2
"""How far apart the points are that a picture of a reach is made of."""

Ring = tuple[Point, ...]
"""A closed border; its last point is joined to its first."""


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
