"""Lines of sight: each clause of the chapter, on either side of its edge."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opfire.core.places import Point
from opfire.kit.terrain import named
from opfire.rulesets.panzerblitz_miniatures.sighting.sight import blocked
from opfire.space.table import TableSection, laid
from opfire.space.terrain.features import Feature
from opfire.space.terrain.sight import sight_line
from rules.panzerblitz_miniatures.kit import CHARTS, rule
from rules.panzerblitz_miniatures.table import (
    CHANGES,
    EAST,
    WEST,
    Inches,
    across,
    area,
    block,
    box,
    changed,
    contour,
    line,
    point,
    row,
    rule_of,
    smoked,
    table,
)

WEST_HILL = (contour("slope", 0, 6, hill="West Hill"), contour("hilltop", 0, 2.5, hill="West Hill"))
"""The stand at WEST is on its hilltop, half an inch from the crest."""
EAST_HILL = (contour("slope", 18, 24, hill="East Hill"), contour("hilltop", 21.5, 24, hill="East Hill"))
WEST_SLOPE, EAST_SLOPE = contour("slope", 0, 4), contour("slope", 20, 24)


# --- what blocks [OBS, LOB-1, LOB-2, LOB-3, LOB-10] ----------------------------------------------------------


@rule("GLO-8")
def test_GLO_8_a_line_runs_from_centre_to_centre() -> None:
    assert rule_of(area("woods", 8, 12, 10.001, 15)) is None  # under half of the way between the stands' edges
    assert rule_of(area("woods", 8, 12, 10, 15)) == "LOB-10"
    assert rule_of(area("woods", 8, 12, 5, 9.999)) is None


@rule("LOS-1", "OBS-1")
def test_LOS_1_nothing_is_in_the_way_on_open_ground() -> None:
    assert rule_of() is None
    assert rule_of(area("field", 8, 12), area("swamp", 13, 15), row("road", (0, 10), (30, 10))) is None


@rule("OBS-1", "LOB-1", "LOB-10", "OBS-2")
@pytest.mark.parametrize("kind", ["woods", "heavy-woods", "town", "building"])
def test_LOB_10_an_area_between_two_units_on_the_ground_blocks(kind: str) -> None:
    found = block(area(kind, 8, 12))
    assert found is not None
    assert (found.refusal.rule, found.at) == ("LOB-10", (8_000, 10_000))
    assert found.refusal.sentence() == f"{kind.title()} blocks the line of sight at 8,10"


@rule("LOB-10", "TEC-18", "TEC-4", "TEC-5", "TEC-12")
@pytest.mark.parametrize("kind", ["hedge", "fence", "wall", "crest", "cliff", "dune"])
def test_LOB_10_a_line_of_terrain_between_two_units_on_the_ground_blocks(kind: str) -> None:
    found = block(across(kind, 12))
    assert found is not None
    assert (found.refusal.rule, found.at) == ("LOB-10", (12_000, 10_000))


@rule("LOB-10", "TEC-8")
def test_LOB_10_slopes_and_hilltops_block_between_units_on_the_ground() -> None:
    assert rule_of(contour("slope", 8, 12)) == "LOB-10"
    assert rule_of(contour("hilltop", 8, 12)) == "LOB-10"


@rule("LOB-1")
def test_LOB_1_the_first_obstacle_is_the_one_that_is_named() -> None:
    found = block(area("town", 14, 16), across("hedge", 6), area("woods", 9, 12))
    assert found is not None
    assert found.refusal.facts[0] == "Hedge"


@rule("LOB-2")
def test_LOB_2_a_line_along_a_hedge_is_blocked() -> None:
    assert rule_of(row("hedge", (8, 10), (12, 10))) == "LOB-2"
    assert rule_of(row("hedge", (2, 10), (12, 10))) == "LOB-2"
    assert rule_of(row("crest", (8, 10), (12, 10))) == "LOB-2"
    assert rule_of(area("woods", 8, 12, north=10)) == "LOB-10"


@rule("LOB-3")
def test_LOB_3_a_line_through_a_corner_is_blocked() -> None:
    assert rule_of(area("woods", 8, 12, 11, 15), firer=(2, 5), target=(14, 17)) == "LOB-10"
    assert rule_of(area("woods", 8, 12, 11.001, 15), firer=(2, 5), target=(8, 11)) is None
    assert rule_of(area("woods", 8, 12, 10, 15)) == "LOB-10"
    assert rule_of(area("woods", 8, 12, 10.001, 15)) is None
    assert rule_of(row("wall", (10, 10), (10, 15))) == "LOB-10"


# --- the terrain of the stands themselves --------------------------------------------------------------------


@rule("LOB-1", "COV-2")
def test_a_stand_looks_out_of_an_inch_of_woods_and_no_more() -> None:
    assert rule_of(area("woods", 0, 3)) is None
    assert rule_of(area("woods", 0, 3.001)) == "LOB-10"
    assert rule_of(area("woods", 21, 25)) is None
    assert rule_of(area("woods", 20.999, 25)) == "LOB-10"
    assert rule_of(area("woods", 21.2, 21.8)) == "LOB-10"  # the stand is behind it


@rule("LOB-1", "LOB-8")
def test_two_stands_in_one_wood_see_each_other_within_two_inches() -> None:
    assert rule_of(area("woods", 0, 30), target=(4, 10)) is None
    assert rule_of(area("woods", 0, 30), target=(4.001, 10)) == "LOB-10"
    near, far = (line(table(area("woods", 0, 30)), target=(at, 10)) for at in (4, 4.001))
    assert blocked(CHARTS, near, base=500) is None
    assert blocked(CHARTS, far, base=500) is not None


@rule("LOB-1")
def test_woods_that_the_line_enters_again_block() -> None:
    bay = (((0, 5), (3, 5), (3, 12), (6, 12), (6, 5), (8, 5), (8, 15), (0, 15)),)
    wood = Feature(0, "w", "woods", "Wood", "area", parts=((tuple((x * 1000, y * 1000) for x, y in bay[0]),),))
    found = block(wood)
    assert found is not None
    assert found.at == (6_000, 10_000)


@rule("BLD-1")
def test_a_stand_sees_out_of_any_place_of_its_building() -> None:
    assert rule_of(area("building", 0, 5)) is None
    assert rule_of(area("building", 18, 24)) is None
    assert rule_of(area("building", 0, 5), area("building", 8, 9)) == "LOB-10"


@rule("LOB-10", "COV-2")
@pytest.mark.parametrize("kind", ["hedge", "fence", "wall"])
def test_a_hedge_within_an_inch_of_a_stand_is_its_cover_and_does_not_block(kind: str) -> None:
    for at in (3, 21):
        assert rule_of(across(kind, at)) is None
    for at in (3.001, 20.999):
        assert rule_of(across(kind, at)) == "LOB-10"


@rule("LOB-2")
def test_R62_a_line_meets_the_hedge_of_a_stand_within_two_inches() -> None:
    hedge = row("hedge", (0, 11), (40, 11))
    assert rule_of(hedge, target=(10, 15)) is None  # meets it at 1.9 inches
    assert rule_of(hedge, target=(22, 12)) == "LOB-10"  # runs along it
    assert rule_of(row("hedge", (0, 10.56), (40, 10.56)), target=(21.2, 15.6)) is None  # at two inches exactly
    assert rule_of(row("hedge", (0, 10.561), (40, 10.561)), target=(21.2, 15.6)) == "LOB-10"


# --- adjacent [LOB-8] ----------------------------------------------------------------------------------------


@rule("LOB-8")
def test_LOB_8_nothing_blocks_between_adjacent_stands() -> None:
    assert rule_of(across("cliff", 3.2), area("woods", 2.5, 3.5), target=(4, 10)) is None
    assert rule_of(*WEST_HILL, area("gully", 3, 6), target=(4, 10)) is None
    assert rule_of(area("woods", 2.5, 3.5), target=(4.001, 10)) == "LOB-10"


# --- levels [LOB-4, LOB-5, LOB-6, LOB-9, LOB-11, OEC-1] ------------------------------------------------------


@rule("LOB-4")
@pytest.mark.parametrize("kind", ["hedge", "fence", "wall"])
def test_LOB_4_a_hedge_hides_the_target_behind_it_from_above(kind: str) -> None:
    assert rule_of(WEST_SLOPE, across(kind, 21)) == "LOB-4"
    assert rule_of(WEST_SLOPE, across(kind, 20.999)) is None
    assert rule_of(*WEST_HILL, across(kind, 21)) == "LOB-4"
    assert rule_of(*WEST_HILL, across(kind, 20)) is None


@rule("LOB-4")
@pytest.mark.parametrize("kind", ["town", "woods"])
def test_LOB_4_woods_and_towns_hide_the_target_behind_them_from_above(kind: str) -> None:
    assert rule_of(WEST_SLOPE, area(kind, 16, 21)) == "LOB-4"
    assert rule_of(WEST_SLOPE, area(kind, 16, 20.999)) is None
    assert rule_of(WEST_SLOPE, area(kind, 5, 6)) is None
    assert rule_of(WEST_SLOPE, area(kind, 18, 26)) == "LOB-4"  # deep inside


@rule("LOB-5")
@pytest.mark.parametrize("kind", ["town", "woods"])
def test_LOB_5_woods_and_towns_block_upwards_if_the_firer_is_behind_them(kind: str) -> None:
    for height in ((EAST_SLOPE,), EAST_HILL):
        assert rule_of(*height, area(kind, 3, 6)) == "LOB-5"
        assert rule_of(*height, area(kind, 3.001, 6)) is None
        assert rule_of(*height, area(kind, 12, 17)) is None
        assert rule_of(*height, area(kind, 0, 6)) == "LOB-5"  # deep inside


@rule("LOB-5")
def test_LOB_5_hedges_never_block_upwards() -> None:
    assert rule_of(EAST_SLOPE, across("hedge", 2.5)) is None
    assert rule_of(EAST_SLOPE, across("hedge", 12)) is None


@rule("LOB-6")
@pytest.mark.parametrize("kind", ["town", "woods"])
def test_LOB_6_from_a_hilltop_the_farther_half_blocks_the_middle_included(kind: str) -> None:
    assert rule_of(*WEST_HILL, area(kind, 11, 13)) == "LOB-6"  # 9 inches from either
    assert rule_of(*WEST_HILL, area(kind, 11, 12.999)) is None
    assert rule_of(*WEST_HILL, area(kind, 14, 15)) == "LOB-6"


@rule("LOB-6")
def test_LOB_6_is_for_hilltops_alone() -> None:
    assert rule_of(WEST_SLOPE, area("woods", 14, 15)) is None
    assert rule_of(*EAST_HILL, area("woods", 6, 8)) is None  # upwards LOB-5 alone


@rule("LOB-6", "OEC-1")
def test_R65_a_slope_near_the_lower_unit_hides_it_from_a_hilltop_and_the_hilltop_from_it() -> None:
    assert rule_of(*WEST_HILL, contour("slope", 14, 16)) == "LOB-6"
    assert rule_of(*WEST_HILL, contour("slope", 7, 9)) is None
    assert rule_of(*EAST_HILL, contour("slope", 7, 9)) == "LOB-6"
    assert rule_of(*EAST_HILL, contour("slope", 14, 16)) is None
    assert rule_of(*EAST_HILL, contour("slope", 11, 13)) == rule_of(*WEST_HILL, contour("slope", 11, 13)) == "LOB-6"


@rule("LOB-7")
def test_LOB_7_a_second_hilltop_blocks_unless_both_units_are_on_hilltops() -> None:
    other = contour("hilltop", 10, 12, hill="Middle Hill")
    found = block(*WEST_HILL, other)
    assert found is not None
    assert (found.refusal.rule, found.refusal.facts[0], found.at) == ("LOB-7", "Middle Hill", (10_000, 10_000))
    assert rule_of(*WEST_HILL, *EAST_HILL, other) is None
    assert rule_of(*WEST_HILL) is None


@rule("LOB-9")
def test_LOB_9_woods_and_towns_on_a_hilltop_block_every_line() -> None:
    top = contour("hilltop", 10, 14, hill="Middle Hill")
    for kind in ("woods", "heavy-woods", "town"):
        assert rule_of(*WEST_HILL, *EAST_HILL, top, area(kind, 11, 12)) == "LOB-9"
        assert rule_of(*WEST_HILL, *EAST_HILL, top, area(kind, 7, 9)) is None
    high = contour("hilltop", 0, 24)
    assert rule_of(high, area("woods", 8, 9)) == "LOB-9"
    assert rule_of(high) is None
    wooded = (contour("slope", 0, 10, hill="W"), contour("hilltop", 0, 4, hill="W"), area("woods", 3.2, 3.8))
    assert rule_of(*wooded, firer=(3.1, 10)) == "LOB-9"  # although it is at the firer's side


@rule("LOB-11")
def test_LOB_11_a_slope_does_not_block_units_on_it() -> None:
    assert rule_of(WEST_SLOPE) is None
    assert rule_of(EAST_SLOPE) is None
    assert rule_of(contour("slope", 0, 24)) is None
    assert rule_of(WEST_SLOPE, contour("slope", 10, 12)) == "OEC-1"


@rule("LOB-11", "TEC-12")
def test_LOB_11_a_crest_does_not_block_a_unit_within_an_inch_of_it() -> None:
    slope = contour("slope", 0, 12, hill="W")
    assert rule_of(slope, contour("hilltop", 0, 3, hill="W")) is None
    assert rule_of(slope, contour("hilltop", 0, 3.001, hill="W")) == "OEC-1"
    assert rule_of(slope, across("crest", 3)) is None
    assert rule_of(slope, across("crest", 3.001)) == "OEC-1"


@rule("LOB-11", "HUL-1")
def test_LOB_11_the_far_crest_of_a_hilltop_blocks_a_unit_at_the_near_one() -> None:
    hill = (contour("slope", 0, 12, hill="W"), contour("hilltop", 2.5, 8, hill="W"))
    found = block(*hill)
    assert found is not None
    assert (found.refusal.rule, found.at) == ("OEC-1", (8_000, 10_000))
    assert found.refusal.sentence() == "The crest of W blocks the line of sight at 8,10"


@rule("OEC-1")
def test_OEC_1_ground_below_is_seen_past_between_heights() -> None:
    for kind in ("woods", "town"):
        assert rule_of(WEST_SLOPE, EAST_SLOPE, area(kind, 10, 12)) is None
        assert rule_of(WEST_SLOPE, *EAST_HILL, area(kind, 10, 12)) is None
        assert rule_of(*WEST_HILL, EAST_SLOPE, area(kind, 10, 12)) is None
    assert rule_of(*WEST_HILL, *EAST_HILL, contour("slope", 10, 12), across("crest", 11)) is None
    assert rule_of(WEST_SLOPE, *EAST_HILL, contour("slope", 10, 12)) is None
    assert rule_of(WEST_SLOPE, *EAST_HILL, contour("slope", 10, 12), across("crest", 11)) == "OEC-1"


@rule("LOB-1", "TEC-18")
def test_R64_low_obstacles_block_where_they_stand_as_high_as_both_units() -> None:
    slope = contour("slope", 0, 24)
    assert rule_of(slope, area("woods", 10, 12)) == "LOB-1"
    assert rule_of(slope, across("hedge", 12)) == "TEC-18"
    assert rule_of(WEST_SLOPE, EAST_SLOPE, across("hedge", 12)) is None
    assert rule_of(slope, contour("hilltop", 21.5, 24), across("wall", 12)) is None
    assert rule_of(WEST_SLOPE, across("hedge", 3.5)) is None
    assert rule_of(contour("hilltop", 0, 24), across("hedge", 12)) == "TEC-18"


@rule("OBS-5", "OBS-4")
def test_OBS_5_a_unit_has_the_level_of_its_terrain() -> None:
    wood = area("woods", 8, 11)
    assert rule_of(wood) == "LOB-10"
    assert rule_of(WEST_SLOPE, wood) is None
    for high in (2, 3, 9):  # an upper floor or an aircraft
        over = sight_line(table(wood, area("woods", 16, 19)), point(WEST), point(EAST), (high, 0))
        found = blocked(CHARTS, over)
        assert found is not None
        assert (found.refusal.rule, found.at) == ("LOB-6", (16_000, 10_000))


# --- depressions [STR, RIV, GUL] -----------------------------------------------------------------------------


@rule("STR-7", "GUL-2", "STR-2", "GUL-1")
@pytest.mark.parametrize(("kind", "number"), [("stream", "STR-7"), ("gully", "GUL-2")])
def test_STR_7_a_depression_hides_its_units_from_the_ground_beyond_an_inch(kind: str, number: str) -> None:
    dip = area(kind, 21, 23)
    found = block(dip)
    assert found is not None
    assert (found.refusal.rule, found.at) == (number, (21_000, 10_000))
    assert rule_of(dip, firer=EAST, target=WEST) == number
    assert rule_of(dip, firer=(20, 10)) is None
    assert rule_of(dip, firer=(19.999, 10)) == number


@rule("STR-7", "RIV-6")
def test_STR_7_the_bank_of_a_stream_is_no_better_than_other_ground() -> None:
    assert rule_of(area("stream", 3, 24)) == "STR-7"


@rule("STR-8", "GUL-3", "RIV-7")
@pytest.mark.parametrize("kind", ["stream", "gully", "water"])
def test_STR_8_heights_see_into_a_depression_as_onto_the_ground(kind: str) -> None:
    dip = area(kind, 21, 23)
    for height in ((WEST_SLOPE,), WEST_HILL):
        assert rule_of(*height, dip) is None
        assert rule_of(*height, dip, firer=EAST, target=WEST) is None
        assert rule_of(*height, dip, area("woods", 16, 21)) == "LOB-4"


@rule("GUL-2")
def test_GUL_2_units_in_two_gullies_do_not_see_each_other_and_those_in_one_do() -> None:
    assert rule_of(area("gully", 0, 4), area("gully", 20, 24)) == "GUL-2"
    assert rule_of(area("gully", 0, 24)) is None


@rule("RIV-6", "RIV-2")
def test_RIV_6_a_unit_on_the_river_is_seen_from_its_bank_alone() -> None:
    assert rule_of(area("water", 3, 24)) is None
    assert rule_of(area("water", 3.001, 24)) == "RIV-6"
    assert rule_of(area("water", 0, 24)) is None


@rule("STR-7")
def test_STR_7_a_stream_between_two_units_hides_nobody() -> None:
    assert rule_of(area("stream", 10, 11), area("gully", 14, 15)) is None


# --- smoke [MMF-2] -------------------------------------------------------------------------------------------


@rule("MMF-2")
def test_MMF_2_smoke_blocks_lines_that_touch_it() -> None:
    assert smoked(box(10, 12)) == "MMF-2"
    assert smoked(box(10, 12, 10, 12)) == "MMF-2"
    assert smoked(box(10, 12, 10.001, 12)) is None
    assert smoked(box(20, 24)) == "MMF-2"


# --- a battlefield -------------------------------------------------------------------------------------------

LIPOVKA = laid(TableSection(table="lipovka"), "any", named("miniatures")).ground


@rule("LOB-10", "LOB-1")
@pytest.mark.parametrize(
    ("firer", "target", "name", "at"),
    [
        ((10, 21), (20, 20), "Lipovka", (14_500, 20_550)),  # the village hides its middle
        ((6, 17), (6, 24), "Hedge", (6_000, 20_187)),  # along the rye field
    ],
)
def test_LOB_10_the_terrain_of_a_battlefield_is_named(firer: Inches, target: Inches, name: str, at: Point) -> None:
    found = blocked(CHARTS, line(LIPOVKA, firer, target))
    assert found is not None
    assert (found.refusal.rule, found.refusal.facts[0], found.at) == ("LOB-10", name, at)


@rule("LOB-1", "LOB-11")
def test_a_stand_at_the_hedge_sees_over_it_and_one_at_the_crest_sees_the_road() -> None:
    assert blocked(CHARTS, line(LIPOVKA, (6, 19.5), (6, 24))) is None
    assert blocked(CHARTS, line(LIPOVKA, (47.5, 13), (47.5, 19.5))) is None
    deep = blocked(CHARTS, line(LIPOVKA, (47.5, 10.5), (47.5, 19.5)))
    assert deep is not None
    assert deep.refusal.facts[0] == "The crest of Hill 41"


# --- properties ----------------------------------------------------------------------------------------------

SPOTS = st.tuples(st.integers(0, 48), st.integers(0, 32)).map(lambda at: (at[0] / 2, at[1] / 2))
KINDS = st.sampled_from(["woods", "town", "stream", "gully", "water", "slope", "hilltop"])
LOW = st.sampled_from(["hedge", "wall", "dune", "crest", "cliff"])


@st.composite
def features(draw: st.DrawFn, kinds: st.SearchStrategy[str] = KINDS) -> list[Feature]:
    """A few rectangles and lines, many of them over each other."""
    found: list[Feature] = []
    for _ in range(draw(st.integers(1, 4))):
        kind, (west, north) = draw(kinds), draw(SPOTS)
        make = contour if kind in ("slope", "hilltop") else area
        found.append(make(kind, west, west + draw(st.integers(1, 12)) / 2, north, north + draw(st.integers(1, 12)) / 2))
    for ends in draw(st.lists(st.tuples(SPOTS, SPOTS).filter(lambda two: two[0] != two[1]), max_size=2)):
        found.append(row(draw(LOW), *ends))
    return found


@rule("LOS-1", "LOB-3")
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@settings(max_examples=60, deadline=None)
@given(features(), SPOTS, SPOTS)
def test_a_changed_table_hides_the_same(
    change: tuple[Point, Callable[[Point], Point]], terrain: list[Feature], firer: Inches, target: Inches
) -> None:
    size, move = change
    ground, (a, b) = table(*terrain), ((int(x * 1000), int(y * 1000)) for x, y in (firer, target))
    here = blocked(CHARTS, sight_line(ground, a, b))
    there = blocked(CHARTS, sight_line(changed(ground, size, move), move(a), move(b)))
    assert (here is None) == (there is None)
    if here and there:
        assert here.refusal.rule == there.refusal.rule


@rule("LOB-10", "STR-7", "GUL-2")
@settings(max_examples=150, deadline=None)
@given(features(), SPOTS, SPOTS)
def test_units_on_one_level_see_each_other_or_neither_does(
    terrain: list[Feature], firer: Inches, target: Inches
) -> None:
    ground = table(*terrain)
    a, b = ((int(x * 1000), int(y * 1000)) for x, y in (firer, target))
    there, back = sight_line(ground, a, b), sight_line(ground, b, a)
    if max(there.levels[0], 0) == max(there.levels[1], 0):
        assert (blocked(CHARTS, there) is None) == (blocked(CHARTS, back) is None)
