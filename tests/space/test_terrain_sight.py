"""Lines of sight as raw material: spans, levels, lengths, stands passed, profiles, and the area seen."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opfire.core.places import Point
from opfire.space.measure import MICRO
from opfire.space.terrain.exact import Ring, inside, sides
from opfire.space.terrain.features import Feature
from opfire.space.terrain.ground import Ground
from opfire.space.terrain.sight import MIDDLE, SightLine, passed, profile, seen, sight_line
from space.test_terrain_ground import CHANGES, POINTS, changed, contour, grounds
from space.vocabulary import SIZE, ground, hedge, square, woods

WOOD = woods(0, square(10_000, 10_000, 5_000))


def clear(line: SightLine) -> bool:
    """A rule of thumb: woods hide whatever lies beyond them, hedges hide all but their own ends."""
    return not any(span.feature.kind == "woods" and span.enters.key and line.beyond(span.leaves) for span in line.spans)


def test_a_line_has_its_spans_lengths_and_levels() -> None:
    one = ground(
        contour(0, 1, 2_000, 6_000), woods(1, square(10_000, 2_000, 5_000)), hedge(2, (18_000, 0), (18_000, 9_000))
    )
    line = sight_line(one, (5_000, 5_000), (21_000, 5_000))
    assert (line.levels, line.length) == ((1, 0), 16 * MICRO)
    hill, wood, row = line.spans
    assert [hill.feature.number, wood.feature.number, row.feature.number] == [0, 1, 2]
    assert (line.before(wood.enters), line.beyond(wood.leaves), line.before(row.enters)) == (
        5 * MICRO,
        6 * MICRO,
        13 * MICRO,
    )
    assert line.point(wood.enters) == (10_000, 5_000)
    assert sight_line(one, (5_000, 5_000), (21_000, 5_000), (3, 1)).levels == (3, 1)


def test_the_length_to_a_place_is_exact_from_both_ends() -> None:
    one = ground(hedge(0, (3_000, 0), (3_000, 30_000)))
    for start, end in (((2_000, 5_000), (5_000, 5_000)), ((5_000, 5_000), (2_000, 5_000))):
        line = sight_line(one, start, end)
        (span,) = line.spans
        assert {line.before(span.enters), line.beyond(span.enters)} == {MICRO, 2 * MICRO}


def test_the_middle_of_a_line_is_exact() -> None:
    def key(x: int) -> int:
        (span,) = sight_line(ground(hedge(0, (x, 0), (x, 30_000))), (3, 1), (20_003, 7)).spans
        return span.enters.key

    assert key(10_002) < MIDDLE == key(10_003) < key(10_004)


@settings(max_examples=60)
@given(grounds(), POINTS, POINTS)
def test_a_line_back_is_seen_the_same(one: Ground, a: Point, b: Point) -> None:
    line, back = sight_line(one, a, b), sight_line(one, b, a)
    assert line.levels == back.levels[::-1]
    assert line.levels == (one.at(a).level, one.at(b).level)
    assert (clear(line), len(line.spans)) == (clear(back), len(back.spans))
    if a != b:
        ends = {(s.feature.number, line.before(s.enters), line.beyond(s.leaves)) for s in line.spans}
        assert ends == {(s.feature.number, back.beyond(s.leaves), back.before(s.enters)) for s in back.spans}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@settings(max_examples=20)
@given(grounds(), POINTS, POINTS, st.lists(POINTS, max_size=4, unique=True))
def test_a_changed_table_is_seen_the_same(
    change: tuple[Point, Callable[[Point], Point]], one: Ground, a: Point, b: Point, stands: list[Point]
) -> None:
    size, move = change
    line, other = sight_line(one, a, b), sight_line(changed(one, size, move), move(a), move(b))
    assert [(s.feature.number, s.enters.key, s.leaves.key) for s in line.spans] == [
        (s.feature.number, s.enters.key, s.leaves.key) for s in other.spans
    ]
    before = {(move(each.at), each.place.key) for each in passed(a, b, stands, 500)}
    assert before == {(each.at, each.place.key) for each in passed(move(a), move(b), map(move, stands), 500)}


def test_stands_are_passed_in_order_with_their_nearest_places() -> None:
    stands = [(30_000, 10_400), (20_000, 10_500), (20_000, 10_501), (10_000, 10_000), (9_400, 10_000)]
    found = passed((10_000, 10_000), (30_000, 10_000), stands, 500)
    assert [(each.at, each.place.fraction) for each in found] == [
        ((10_000, 10_000), 0),
        ((20_000, 10_500), Fraction(1, 2)),
        ((30_000, 10_400), 1),
    ]


def test_a_profile_tells_the_levels_along_a_line() -> None:
    stream = Feature(2, "s", "stream", "Stream", "area", parts=((square(20_000, 2_000, 1_000),),), level=-1)
    one = ground(contour(0, 1, 2_000, 10_000), contour(1, 2, 4_000, 4_000), stream, WOOD)
    found = profile(one, (0, 2_500), (40_000, 2_500))
    assert [(low.fraction, high.fraction, height) for low, high, height in found] == [
        (0, Fraction(1, 20), 0),
        (Fraction(1, 20), Fraction(3, 10), 1),
        (Fraction(3, 10), Fraction(1, 2), 0),
        (Fraction(1, 2), Fraction(21, 40), -1),
        (Fraction(21, 40), 1, 0),
    ]
    assert [height for *_, height in profile(one, (0, 5_000), (10_000, 5_000))] == [0, 1, 2, 1]


def within(rings: list[Ring], at: Point) -> bool:
    return inside(at, [side for ring in rings for side in sides(ring)])


def test_the_area_seen_ends_at_the_reach_and_behind_the_wood() -> None:
    rings = seen(ground(WOOD), (5_100, 12_400), 12 * MICRO, clear)
    assert within(rings, (12_300, 12_400))  # inside the wood: nothing hides it
    assert not within(rings, (16_300, 12_400))
    assert within(rings, (14_300, 6_400))
    assert not within(rings, (18_300, 12_400))
    assert all((x - 5_100) ** 2 + (y - 12_400) ** 2 <= 12_000**2 for ring in rings for x, y in ring)


def test_the_area_seen_ends_at_the_edges_of_the_table() -> None:
    rings = seen(ground(), (1_000, 1_000), 100 * MICRO, clear)
    assert rings == [((0, 0), (SIZE[0], 0), SIZE, (0, SIZE[1]))]
