"""Points scattered over a polygon by a fixed rule: trees, roofs and reeds for a picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from opfire.core.places import Point
from opfire.space.terrain.exact import Ring, box, inside, near, sides

_FACTORS = (2_654_435_761, 2_246_822_519, 3_266_489_917)


def scattered(rings: Sequence[Ring], apart: int, border: int) -> Iterator[Point]:
    """Points about so far apart, row by row, each farther than `border` from the edge; all in 1/1000 inch."""
    left, top, right, bottom = box(rings[0])
    segments = [side for ring in rings for side in sides(ring)]
    for row in range(top // apart, bottom // apart + 1):
        for column in range(left // apart, right // apart + 1):
            at = _jittered(column, row, apart)
            if inside(at, segments) and not any(near(at, a, b, border) for a, b in segments):
                yield at


def _jittered(column: int, row: int, apart: int) -> Point:
    """A point of a lattice whose odd rows lie half a step aside, moved by up to a third of a step each way."""
    aside = apart // 2 if row % 2 else 0
    shake = 2 * apart // 3
    x, y = (_mixed(column, row, salt) % shake - shake // 2 for salt in (1, 2))
    return column * apart + aside + x, row * apart + y


def _mixed(column: int, row: int, salt: int) -> int:
    mixed = (column * _FACTORS[0] ^ row * _FACTORS[1] ^ salt * _FACTORS[2]) & 0xFFFFFFFF
    mixed = (mixed ^ mixed >> 15) * _FACTORS[1] & 0xFFFFFFFF
    return (mixed ^ mixed >> 13) * _FACTORS[2] >> 16 & 0xFFFF
