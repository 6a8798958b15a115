"""The movement column of the Terrain Effects Chart, and which terrain counts where several lie together."""

from __future__ import annotations

from fractions import Fraction

import pytest

from opfire.core.places import Point
from opfire.rulesets.panzerblitz_miniatures.moving.legs import leg_cost, prohibited, traced
from opfire.rulesets.panzerblitz_miniatures.moving.movement_costs import Mover, Prices
from opfire.space.measure import MICRO
from opfire.space.terrain.ground import Ground
from rules.panzerblitz_miniatures.grounds import area, building, crossing, drawn, hill, inches, line, points
from rules.panzerblitz_miniatures.kit import CHARTS, rule

FOOT, WHEELS, TRACKS = Mover("P"), Mover("W"), Mover("AO")
POOR = Mover("W", cross_country_penalty=True)
ALL = (FOOT, WHEELS, TRACKS)


def cost(ground: Ground, start: Point, end: Point, mover: Mover) -> Fraction | None:
    """The movement points of a leg."""
    spent = leg_cost(ground, start, end, Prices(CHARTS, mover))
    return None if spent is None else Fraction(spent, MICRO)


def costs(ground: Ground, start: Point, end: Point) -> list[Fraction | None]:
    """The movement points of a leg for personnel, wheels and all others."""
    return [cost(ground, start, end, mover) for mover in ALL]


def refused(ground: Ground, start: Point, end: Point, mover: Mover) -> str:
    """The rule against a leg, or nothing."""
    refusal = prohibited(Prices(CHARTS, mover), traced(ground, start, end))
    return refusal.rule if refusal else ""


@pytest.mark.parametrize(
    ("kind", "wanted"),
    [
        pytest.param("beach", [1, 4, 2], marks=rule("TEC-1")),
        pytest.param("field", [1, 4, 2], marks=rule("TEC-3")),
        pytest.param("town", [Fraction(1, 2), 1, 1], marks=rule("TEC-15")),
        pytest.param("woods", [1, 6, 3], marks=rule("TEC-16")),
        pytest.param("heavy-woods", [1, None, None], marks=rule("TEC-17", "TER-6")),
        pytest.param("swamp", [1, None, None], marks=rule("TEC-14", "TER-7")),
    ],
)
def test_TEC_an_inch_of_each_area(kind: str, wanted: list[Fraction | None]) -> None:
    assert costs(drawn(area(kind, 5, 5, 15, 15)), inches(8, 8), inches(9, 8)) == wanted


@rule("TEC-3", "MOV-2")
def test_TEC_3_open_ground_by_the_inch() -> None:
    assert costs(drawn(), inches(8, 8), inches(9, 8)) == [1, 4, 2]
    assert cost(drawn(), inches(8, 8), inches(10.5, 8), TRACKS) == 5


@rule("TEC-11", "TEC-8")
def test_TEC_11_slopes_are_steep_and_a_clear_hilltop_is_open() -> None:
    ground = drawn(hill(5, 5, 20, 20))
    assert costs(ground, inches(5.5, 10), inches(6.5, 10)) == [1, 6, 3]
    assert costs(ground, inches(10, 10), inches(11, 10)) == [1, 4, 2]


@rule("TEC-12")
def test_TEC_12_a_crest_is_paid_once_for_each_crossing() -> None:
    ground = drawn(hill(5, 5, 20, 20))
    # Half an inch of slope and half an inch of hilltop.
    assert costs(ground, inches(6.5, 10), inches(7.5, 10)) == [1, 5 + 2, Fraction(5, 2) + 1]


@rule("TEC-16")
def test_TEC_16_light_woods_add_to_the_ground_below() -> None:
    ground = drawn(hill(5, 5, 20, 20) + area("woods", 4, 8, 21, 12))
    assert costs(ground, inches(5.5, 10), inches(6.5, 10)) == [1, 8, 4]


@rule("TEC-15")
def test_TEC_15_of_two_kinds_of_ground_the_dearer_counts() -> None:
    ground = drawn(hill(5, 5, 20, 20) + area("town", 4, 8, 21, 12))
    assert costs(ground, inches(5.5, 10), inches(6.5, 10)) == [1, 6, 3]  # RULINGS.md R58


@rule("TEC-7")
def test_TEC_7_a_gully_is_paid_when_it_is_left() -> None:
    ground = drawn(line("gully", "10,0 10,30"))
    assert costs(ground, inches(9, 10), inches(10, 10)) == [1, 4, 2]
    assert costs(ground, inches(10, 10), inches(11, 10)) == [1, 4 + 4, 2 + 2]
    assert costs(ground, inches(9, 10), inches(11, 10)) == [2, 8 + 4, 4 + 2]


@rule("TEC-7")
def test_TEC_7_a_gully_left_from_its_very_edge_is_paid_too() -> None:
    ground = drawn(line("gully", "10,0 10,30"))
    assert cost(ground, inches(10, 10), inches(10.5, 10), TRACKS) == 1
    assert cost(ground, inches(10.5, 10), inches(11.5, 10), TRACKS) == 2 + 2


@rule("TEC-18")
@pytest.mark.parametrize(("kind", "wanted"), [("hedge", [1, 4, 2]), ("fence", [1, 4, 2]), ("wall", [1, None, 4])])
def test_TEC_18_to_cross_hedges_fences_and_walls(kind: str, wanted: list[int | None]) -> None:
    ground = drawn(line(kind, "10,0 10,30"))
    whole = [None if extra is None else inch + extra for inch, extra in zip([1, 4, 2], wanted, strict=True)]
    assert costs(ground, inches(9.5, 10), inches(10.5, 10)) == whole


@rule("TEC-5")
def test_TEC_5_dunes() -> None:
    ground = drawn(line("dune", "10,0 10,30"))
    assert costs(ground, inches(9.5, 10), inches(10.5, 10)) == [1, 6, 3]


@rule("TEC-4", "TER-4")
def test_TEC_4_cliffs_let_only_climbers_pass() -> None:
    ground = drawn(line("cliff", "10,0 10,30"))
    assert costs(ground, inches(9.5, 10), inches(10.5, 10)) == [None, None, None]
    assert refused(ground, inches(9.5, 10), inches(10.5, 10), FOOT) == "TEC-4"
    assert cost(ground, inches(9.5, 10), inches(10.5, 10), Mover("P", climbs=True)) == 1
    assert cost(ground, inches(9.5, 10), inches(10.5, 10), Mover("AO", climbs=True)) is None


@rule("STR-1", "STR-3", "STR-5", "TEC-13")
def test_STR_3_vehicles_never_enter_a_stream() -> None:
    ground = drawn(line("stream", "10,0 10,30"))
    assert costs(ground, inches(9, 10), inches(11, 10)) == [2, None, None]
    for mover in (WHEELS, TRACKS):
        assert refused(ground, inches(9, 10), inches(11, 10), mover) == "STR-3"
        assert refused(ground, inches(9, 10), inches(9.5, 10), mover) == "STR-3"  # its bank is its border
        assert refused(ground, inches(9, 10), inches(9.499, 10), mover) == ""


@rule("RIV-3", "RIV-5", "TEC-10", "AMP-1")
def test_RIV_5_only_amphibious_units_enter_a_lake() -> None:
    ground = drawn(area("water", 10, 10, 20, 20))
    assert costs(ground, inches(9, 15), inches(11, 15)) == [None, None, None]
    assert {refused(ground, inches(9, 15), inches(11, 15), mover) for mover in ALL} == {"RIV-5"}
    assert cost(ground, inches(12, 15), inches(13, 15), Mover("AO", amphibious=True)) == 1


@rule("BLD-1")
def test_BLD_1_only_personnel_enters_buildings() -> None:
    ground = drawn(building("10,10"))
    assert costs(ground, inches(9.5, 10), inches(10.5, 10)) == [1, None, None]
    assert refused(ground, inches(8, 10), inches(10, 10), TRACKS) == "BLD-1"


@rule("CCP-1", "CCP-2", "MOV-12")
def test_CCP_2_poor_cross_country_vehicles_pay_double_off_the_road() -> None:
    ground = drawn(area("woods", 5, 5, 15, 15) + line("hedge", "20,0 20,30") + line("road", "0,25 40,25"))
    assert cost(ground, inches(30, 10), inches(31, 10), POOR) == 8
    assert cost(ground, inches(8, 10), inches(9, 10), POOR) == 12
    assert cost(ground, inches(19.5, 10), inches(20.5, 10), POOR) == 8 + 8
    assert cost(ground, inches(8, 25), inches(12, 25), POOR) == 4


@rule("QM-1")
def test_QM_1_quick_march_halves_clear_terrain_alone() -> None:
    quick = Mover("P", quick_march=True)
    ground = drawn(hill(5, 5, 20, 20) + area("woods", 25, 5, 30, 10) + area("field", 25, 15, 30, 20))
    assert cost(ground, inches(2, 2), inches(4, 2), quick) == 1
    assert cost(ground, inches(26, 16), inches(28, 16), quick) == 1
    assert cost(ground, inches(10, 10), inches(12, 10), quick) == 1  # the clear hilltop
    assert cost(ground, inches(5.5, 10), inches(6.5, 10), quick) == 1
    assert cost(ground, inches(26, 6), inches(27, 6), quick) == 1


@rule("MOV-15")
def test_MOV_15_aircraft_fly_an_inch_for_a_point() -> None:
    ground = drawn(area("heavy-woods", 5, 5, 15, 15) + line("cliff", "20,0 20,30"))
    assert cost(ground, inches(2, 10), inches(22, 10), Mover("AC")) == 20


@rule("TEC-14")
@pytest.mark.parametrize(("kind", "against"), [("swamp", "TEC-14"), ("heavy-woods", "TEC-17")])
def test_prohibited_terrain_is_barred_at_its_border_already(kind: str, against: str) -> None:
    ground = drawn(area(kind, 10, 10, 20, 20))
    assert refused(ground, inches(9, 15), inches(12, 15), TRACKS) == against
    assert refused(ground, inches(9, 15), inches(10, 15), TRACKS) == against
    assert refused(ground, inches(9, 15), inches(12, 15), FOOT) == ""


@rule("TEC-18")
def test_TEC_18_wheels_hear_why_a_wall_stops_them() -> None:
    refusal = prohibited(
        Prices(CHARTS, WHEELS), traced(drawn(line("wall", "10,0 10,30")), inches(9, 10), inches(11, 10))
    )
    assert str(refusal) == "Wheeled vehicles cannot cross the wall: go around it. [TEC-18]"


@rule("FRD-1", "TEC-6")
def test_FRD_1_a_ford_is_clear_terrain() -> None:
    ground = drawn(line("stream", "10,0 10,30") + crossing("ford", "9,10 11,10"))
    assert costs(ground, inches(8, 10), inches(12, 10)) == [4, 16, 8]
    assert cost(ground, inches(8, 10), inches(12, 10), Mover("P", quick_march=True)) == 2
    assert refused(ground, inches(10, 10), inches(10, 12), TRACKS) == "STR-3"


@rule("FRD-1", "TEC-7")
def test_FRD_1_a_ford_leads_through_a_gully_without_leaving_it() -> None:
    ground = drawn(line("gully", "10,0 10,30") + crossing("ford", "9,10 11,10"))
    assert cost(ground, inches(8, 10), inches(12, 10), TRACKS) == 8
    assert cost(ground, inches(10, 12), inches(10, 10), TRACKS) == 4 + 2  # out of the gully onto the ford


def test_points_are_counted_in_millionths() -> None:
    assert leg_cost(drawn(), inches(0, 0), inches(1, 1), Prices(CHARTS, FOOT)) == 1_414_213
    assert points(Fraction(1, 2)) == 500_000
