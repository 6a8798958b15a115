"""Lines of one offset from all hexes at once, against lines traced one by one."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opfire.space.crossings import Grid, stretch_of
from opfire.space.hexes import Coord, neighbours, trace

COLUMNS, ROWS = 6, 5
HEXES = [(q, r - q // 2) for q in range(COLUMNS) for r in range(ROWS)]
AHEAD = [(dq, dr) for dq in range(COLUMNS) for dr in range(-ROWS - 3, ROWS) if dq > 0 or dr > 0]
"""Every offset of the map that leads to a column farther east or farther down the same one; some lead off the map."""

Wall = frozenset[Coord]
SIDES: list[Wall] = sorted({frozenset((at, other)) for at in HEXES for other in neighbours(at)}, key=sorted)


def moved(at: Coord, by: Coord) -> Coord:
    return at[0] + by[0], at[1] + by[1]


LINES = [
    (to, start, [touch for touch in trace(*to) if touch.sides])
    for to in AHEAD
    for start in HEXES
    if moved(start, to) in HEXES
]


def grid(walls: set[Wall]) -> Grid[bool]:
    around = {*HEXES, *(other for at in HEXES for other in neighbours(at))}
    return Grid({at: tuple(frozenset((at, other)) in walls for other in neighbours(at)) for at in around})


@pytest.mark.parametrize("manner", ["across", "along", "either"])
@pytest.mark.parametrize("stretches", [{"end"}, {"near half"}, {"middle"}, {"far half"}, {"near half", "middle"}])
@settings(max_examples=5)
@given(st.sets(st.sampled_from(SIDES), min_size=20, max_size=len(SIDES)))
def test_all_starts_at_once_are_stopped_where_each_line_is(manner, stretches, walls):
    """By one side crossed or run along, or by the three of a corner; only on these stretches, only met in this way."""
    map = grid(walls)
    made = map.walls(lambda wall, stretch, way: wall and stretch in stretches and manner in (way, "either"))
    for to, start, touches in LINES:
        stopped = any(
            all(frozenset((moved(side.a, start), moved(side.b, start))) in walls for side in touch.sides)
            and all(stretch_of(side, *to) in stretches for side in touch.sides)
            and manner in ("along" if touch.kind == "along" else "across", "either")
            for touch in touches
        )
        assert map.stopped(*to, made) >> map.bit(start) & 1 == stopped, (to, start)


def test_pairs_are_the_starts_from_which_an_offset_leads_to_an_end():
    map = grid(set())
    starts, ends = HEXES[::2], HEXES[::3]
    for dq, dr in AHEAD:
        found = map.pairs(dq, dr, map.hexes(starts), map.hexes(ends))
        assert found == map.hexes((q, r) for q, r in starts if (q + dq, r + dr) in ends)


def test_the_bits_of_two_hexes_differ_as_those_of_no_other_offset_do():
    map = grid(set())
    offsets: dict[int, Coord] = {}
    for (aq, ar), (bq, br) in product(HEXES, repeat=2):
        difference, offset = map.bit((bq, br)) - map.bit((aq, ar)), (bq - aq, br - ar)
        assert offsets.setdefault(difference, offset) == offset


@pytest.mark.parametrize(
    ("to", "found"),
    [
        ((0, 1), ["end"]),
        ((0, 3), ["end", "middle", "end"]),
        ((0, 4), ["end", "near half", "far half", "end"]),
        ((1, 1), ["middle"]),  # along the side between the two hexes in the middle
        ((2, 2), ["near half", "far half"]),
    ],
)
def test_stretches_by_hand(to: Coord, found: list[str]):
    assert [stretch_of(side, *to) for touch in trace(*to) for side in touch.sides] == found
