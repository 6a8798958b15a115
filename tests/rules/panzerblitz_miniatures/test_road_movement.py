"""Roads and bridges [ROD, BRI]: the road rate, and where it does not hold."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opfire.core.places import Point
from opfire.rulesets.panzerblitz_miniatures.moving.legs import entered, leg_cost, prohibited, traced
from opfire.rulesets.panzerblitz_miniatures.moving.movement_costs import Mover, Prices
from opfire.rulesets.panzerblitz_miniatures.moving.works import Work, WorkKind, blocks_beside, with_works
from opfire.space.terrain.ground import Ground
from rules.panzerblitz_miniatures.grounds import area, crossing, drawn, hill, inches, line, points
from rules.panzerblitz_miniatures.kit import CHARTS, rule
from rules.panzerblitz_miniatures.test_movement_costs import FOOT, TRACKS, WHEELS, cost, costs, refused

ROAD = line("road", "0,10 40,10")


@rule("ROD-1", "TEC-9")
@pytest.mark.parametrize("kind", ["woods", "heavy-woods", "swamp", "town", "beach"])
def test_ROD_1_the_road_rate_holds_through_any_terrain(kind: str) -> None:
    ground = drawn(area(kind, 10, 5, 20, 15) + ROAD)
    assert costs(ground, inches(8, 10), inches(22, 10)) == [7, 14, 14]


@rule("ROD-1")
def test_ROD_1_a_road_leads_over_slopes_crests_and_hedges_at_its_rate() -> None:
    ground = drawn(hill(10, 4, 20, 16) + line("hedge", "25,0 25,30") + line("gully", "30,0 30,30") + ROAD)
    assert costs(ground, inches(8, 10), inches(34, 10)) == [13, 26, 26]


@rule("ROD-1")
def test_ROD_1_off_the_road_the_terrain_is_prohibited_again() -> None:
    ground = drawn(area("heavy-woods", 10, 5, 20, 15) + ROAD)
    assert refused(ground, inches(15, 10), inches(15, 12), TRACKS) == "TEC-17"
    assert refused(ground, inches(15, 10), inches(17, 10.25), TRACKS) == ""


@rule("ROD-3")
def test_ROD_3_entering_a_road_from_the_side_costs_the_other_terrain() -> None:
    ground = drawn(ROAD)
    assert costs(ground, inches(20, 8), inches(20, 10)) == [2, 8, 4]
    assert costs(ground, inches(20, 8), inches(20, 12)) == [4, 16, 8]  # straight across
    assert costs(ground, inches(20, 10), inches(22, 10)) == [1, 2, 2]  # then along it


@rule("ROD-3")
def test_ROD_3_nobody_slips_onto_a_road_through_prohibited_terrain() -> None:
    ground = drawn(area("heavy-woods", 10, 5, 20, 15) + ROAD)
    # The leg meets the wood where it is on the road already, but it came from the side.
    assert refused(ground, inches(8, 8), inches(12, 10), TRACKS) == "TEC-17"


@rule("ROD-4")
def test_ROD_4_road_and_other_movement_in_one_leg() -> None:
    ground = drawn(line("road", "0,10 20,10"))
    assert costs(ground, inches(18, 10), inches(22, 10)) == [1 + 2, 2 + 8, 2 + 4]


@rule("TEC-9")
def test_TEC_9_the_rate_is_for_one_road() -> None:
    ground = drawn(line("road", "0,10 40,10") + line("track", "0,14 40,14"))
    # From one road across open ground to the other, which it enters from the side.
    assert cost(ground, inches(20, 10), inches(20, 14), TRACKS) == Fraction(1, 2) + Fraction(7, 2) * 2


@rule("TEC-9")
def test_TEC_9_at_a_junction_the_road_goes_on() -> None:
    ground = drawn(line("road", "0,10 20,10") + line("track", "19,10 40,10"))
    assert costs(ground, inches(10, 10), inches(30, 10)) == [10, 20, 20]


@rule("ROD-5", "MIN-1")
@pytest.mark.parametrize("kind", ["fort", "mines"])
def test_ROD_5_no_road_rate_on_forts_and_mines(kind: WorkKind) -> None:
    ground = with_works(drawn(ROAD), [Work("w", kind, inches(20, 10))])
    assert cost(ground, inches(17.5, 10), inches(22.5, 10), FOOT) == 2 * Fraction(1, 2) + 1 + 2 * Fraction(1, 2)


@rule("ROD-5", "BLK-6")
def test_BLK_6_a_block_negates_the_road_in_its_location() -> None:
    ground = with_works(drawn(ROAD), [Work("w", "block", inches(20, 10))])
    assert cost(ground, inches(20, 10), inches(22.5, 10), TRACKS) == 1 + 2
    beside = Prices(CHARTS, TRACKS, blocks=frozenset({"w"}))
    assert leg_cost(ground, inches(18, 10), inches(20, 10), beside) == points(1.5 + 1)


@rule("BLK-3")
def test_BLK_3_a_block_is_entered_only_from_beside_it_and_ends_the_move() -> None:
    ground = with_works(drawn(), [Work("w", "block", inches(20, 10))])
    assert refused(ground, inches(18, 10), inches(20, 10), FOOT) == "BLK-3"
    way = traced(ground, inches(18, 10), inches(22, 10))
    beside = Prices(CHARTS, FOOT, blocks=frozenset({"w"}))
    assert prohibited(beside, way) is None
    stop = entered(way, "block")
    assert stop is not None
    assert stop.at.fraction == Fraction(3, 8)
    assert refused(ground, inches(20, 10), inches(22, 10), FOOT) == ""  # the next phase: it moves off


@rule("BLK-3")
def test_BLK_3_beside_a_block_is_within_two_inches_of_its_centre() -> None:
    works = [Work("a", "block", inches(20, 10)), Work("b", "mines", inches(22, 10)), Work("c", "block", inches(24, 10))]
    assert blocks_beside(works, inches(22, 10), 1_000) == {"a", "c"}
    assert blocks_beside(works, inches(21.999, 10), 1_000) == {"a"}


@rule("FRT-3")
def test_FRT_3_vehicles_never_enter_a_fortification() -> None:
    ground = with_works(drawn(), [Work("w", "fort", inches(20, 10))])
    assert costs(ground, inches(18, 10), inches(20, 10)) == [2, None, None]
    assert refused(ground, inches(18, 10), inches(20, 10), TRACKS) == "FRT-3"


@rule("ROD-5", "TEC-17")
def test_ROD_5_mines_on_a_road_through_heavy_woods_bar_vehicles() -> None:
    ground = with_works(drawn(area("heavy-woods", 10, 5, 30, 15) + ROAD), [Work("w", "mines", inches(20, 10))])
    assert refused(ground, inches(18, 10), inches(22, 10), TRACKS) == "TEC-17"


STREAM = line("stream", "20,0 20,30")
BRIDGE = crossing("bridge", "19,10 21,10")


@rule("BRI-1", "TEC-2", "STR-3")
def test_BRI_1_a_bridge_continues_a_road() -> None:
    assert costs(drawn(STREAM + ROAD + BRIDGE), inches(16, 10), inches(24, 10)) == [4, 8, 8]
    halves = line("road", "0,10 19.5,10") + line("road", "20.5,10 40,10")
    assert costs(drawn(STREAM + halves + BRIDGE), inches(16, 10), inches(24, 10)) == [4, 8, 8]


@rule("STR-3")
def test_STR_3_a_road_without_its_bridge_does_not_lead_through_a_stream() -> None:
    ground = drawn(STREAM + ROAD)
    assert refused(ground, inches(18, 10), inches(22, 10), TRACKS) == "STR-3"
    assert cost(ground, inches(18, 10), inches(22, 10), FOOT) == Fraction(3, 4) + 1 + Fraction(3, 4)


@rule("STR-4", "RIV-4")
@pytest.mark.parametrize("kind", ["stream", "water"])
def test_STR_4_a_bridge_entered_from_no_road_is_clear_terrain(kind: str) -> None:
    bed = STREAM if kind == "stream" else area("water", 19.5, 0, 20.5, 30)
    ground = drawn(bed + BRIDGE)
    assert costs(ground, inches(18, 10), inches(20, 10)) == [2, 8, 4]
    assert costs(ground, inches(18, 10), inches(22, 10)) == [4, 16, 8]


@rule("BRI-2")
def test_BRI_2_no_unit_goes_from_a_bridge_into_the_stream_or_back() -> None:
    ground = drawn(STREAM + ROAD + BRIDGE)
    assert refused(ground, inches(20, 10), inches(20, 12), FOOT) == "BRI-2"
    assert refused(ground, inches(20, 12), inches(20, 10), FOOT) == "BRI-2"
    assert refused(ground, inches(20, 12), inches(20, 10.5), FOOT) == "BRI-2"  # the border is the bridge
    assert refused(ground, inches(20, 10.5), inches(20, 12), FOOT) == "BRI-2"
    assert refused(ground, inches(19.2, 10), inches(19.2, 12), FOOT) == ""  # over the bank


@rule("STR-5")
def test_STR_5_the_place_of_the_morale_check_is_the_bank() -> None:
    ground = drawn(STREAM + ROAD + BRIDGE)
    check = entered(traced(ground, inches(18.5, 15), inches(20.5, 15)), "stream")
    assert check is not None
    assert check.at.fraction == Fraction(1, 2)
    assert entered(traced(ground, inches(18, 10), inches(22, 10)), "stream") is None  # over the bridge


@rule("FRD-1", "ROD-1")
def test_FRD_1_a_track_leads_through_a_ford() -> None:
    ground = drawn(STREAM + line("track", "0,10 40,10") + crossing("ford", "19,10 21,10"))
    assert costs(ground, inches(16, 10), inches(24, 10)) == [4, 8, 8]


@rule("STR-5", "FRD-1")
def test_STR_5_a_stream_entered_from_its_ford_is_entered() -> None:
    ground = drawn(STREAM + crossing("ford", "19,10 21,10"))
    check = entered(traced(ground, inches(20, 10), inches(20, 12)), "stream")
    assert check is not None
    assert check.at.fraction == Fraction(1, 4)


SOMEWHERE = st.tuples(st.integers(0, 160), st.integers(0, 120)).map(lambda at: (at[0] * 250, at[1] * 250))
COUNTRY = drawn(
    hill(22, 2, 36, 14)
    + area("woods", 2, 2, 12, 12)
    + area("town", 14, 7, 19, 14)
    + line("gully", "2,20 38,24")
    + line("hedge", "5,16 35,17")
    + ROAD
)


@rule("MOV-2")
@settings(max_examples=80, deadline=None)
@given(SOMEWHERE, SOMEWHERE, st.sampled_from([FOOT, WHEELS, TRACKS]))
def test_MOV_2_a_leg_cut_in_two_never_costs_more(start: Point, end: Point, mover: Mover) -> None:
    half = ((start[0] + end[0]) // 2, (start[1] + end[1]) // 2)
    whole, first, second = (cost(COUNTRY, a, b, mover) for a, b in ((start, end), (start, half), (half, end)))
    assert whole is not None
    assert first is not None
    assert second is not None
    assert first + second <= whole + Fraction(30, 1000)  # the middle is rounded to the grid


def turned(ground: Ground) -> Ground:
    """The ground turned by a quarter: what lay north lies east."""
    features = [
        msgspec.structs.replace(
            feature,
            way=tuple(quarter(at) for at in feature.way),
            parts=tuple(tuple(tuple(quarter(at) for at in ring) for ring in rings) for rings in feature.parts),
        )
        for feature in ground.features
    ]
    return Ground((ground.size[1], ground.size[0]), features)


def quarter(at: Point) -> Point:
    """A point of a table of 30 inches from north to south, turned by a quarter."""
    return 30_000 - at[1], at[0]


TURNED = turned(COUNTRY)


@rule("MOV-2")
@settings(max_examples=60, deadline=None)
@given(SOMEWHERE, SOMEWHERE, st.sampled_from([FOOT, WHEELS, TRACKS]))
def test_a_table_turned_by_a_quarter_costs_the_same(start: Point, end: Point, mover: Mover) -> None:
    assert cost(COUNTRY, start, end, mover) == cost(TURNED, quarter(start), quarter(end), mover)
