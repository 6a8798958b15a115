"""Movement by the inch [MOV]: points, the inch by right, stands and wrecks in the way, and the reach of a stand."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import pairwise

import pytest

from opfire.core.places import Point
from opfire.kit.terrain import named
from opfire.rulesets.panzerblitz_miniatures.moving.legs import leg_cost
from opfire.rulesets.panzerblitz_miniatures.moving.movement_costs import Mover, Prices
from opfire.rulesets.panzerblitz_miniatures.moving.reach import (
    Country,
    Going,
    Other,
    Others,
    cannot_go,
    cannot_stop,
    may_always_move_an_inch,
)
from opfire.rulesets.panzerblitz_miniatures.moving.works import Work, with_works
from opfire.space.measure import length
from opfire.space.table import Table
from opfire.space.table import drawn as table
from opfire.space.terrain.files import read_table, table_file
from opfire.space.terrain.ground import Ground
from rules.panzerblitz_miniatures.grounds import area, crossing, drawn, inches, line, points
from rules.panzerblitz_miniatures.kit import CHARTS, rule
from rules.panzerblitz_miniatures.test_movement_costs import ALL, FOOT, POOR, TRACKS, WHEELS

NOBODY = Others(1_000)
GUN = Mover("TO")
ROAD = line("road", "0,10 40,10")


def against(ground: Ground, start: Point, end: Point, mover: Mover, going: Going, others: Others = NOBODY) -> str:
    """The rule against a leg, or nothing."""
    refusal = cannot_go(ground, Prices(CHARTS, mover), start, end, going, others)
    return refusal.rule if refusal else ""


@rule("MOV-1", "MOV-7")
def test_MOV_7_the_points_must_suffice_to_the_thousandth() -> None:
    five = Going(points(10))
    assert against(drawn(), inches(5, 5), inches(10, 5), TRACKS, five) == ""
    assert against(drawn(), inches(5, 5), inches(10.001, 5), TRACKS, five) == "MOV-7"
    spent = Going(points(10), spent=points(4), gone=points(2))
    assert against(drawn(), inches(5, 5), inches(8, 5), TRACKS, spent) == ""
    assert against(drawn(), inches(5, 5), inches(8.1, 5), TRACKS, spent) == "MOV-7"


@rule("MOV-1")
def test_MOV_1_personnel_too_stays_within_its_allowance() -> None:
    assert against(drawn(), inches(5, 5), inches(8, 5), FOOT, Going(points(3))) == ""
    assert against(drawn(), inches(5, 5), inches(8.1, 5), FOOT, Going(points(3))) == "MOV-1"


@rule("MOV-7")
def test_MOV_7_the_refusal_names_the_points() -> None:
    refusal = cannot_go(drawn(), Prices(CHARTS, WHEELS), inches(5, 5), inches(8, 5), Going(points(6)), NOBODY)
    assert str(refusal) == "This costs 12 movement points, and 6 are left. [MOV-7]"


@rule("MOV-6")
@pytest.mark.parametrize(
    ("mover", "allowance", "wanted"),
    [
        (FOOT, 2, True),
        (TRACKS, 1, True),
        (TRACKS, 2, False),
        (POOR, 8, True),
        (WHEELS, 8, False),
        (Mover("TO"), 0, False),
    ],
)
def test_MOV_6_units_that_may_always_move_an_inch(mover: Mover, allowance: int, wanted: bool) -> None:
    assert may_always_move_an_inch(mover, points(allowance)) is wanted


@rule("MOV-6")
def test_MOV_6_an_allowance_of_one_moves_an_inch_over_any_terrain() -> None:
    ground = drawn(line("wall", "10,0 10,30") + area("swamp", 20, 0, 30, 30))
    one = Going(points(1))
    assert against(ground, inches(9.5, 5), inches(10.5, 5), TRACKS, one) == ""
    assert against(ground, inches(9.5, 5), inches(10.6, 5), TRACKS, one) == "MOV-7"
    assert against(ground, inches(9.5, 5), inches(10, 5), TRACKS, Going(points(1), points(1), points(0.6))) == "MOV-7"
    assert against(ground, inches(19.5, 5), inches(20.5, 5), TRACKS, one) == "TEC-14"  # prohibited terrain


@rule("CCP-2", "MOV-7")
def test_CCP_2_a_poor_truck_always_moves_an_inch() -> None:
    ground = drawn(area("woods", 5, 5, 15, 15))
    assert against(ground, inches(8, 8), inches(9, 8), POOR, Going(points(8))) == ""
    assert against(ground, inches(8, 8), inches(9.1, 8), POOR, Going(points(8))) == "MOV-7"
    assert against(ground, inches(8, 8), inches(9, 8), WHEELS, Going(points(5))) == "MOV-7"


@rule("MOV-16")
def test_MOV_16_towed_guns_never_move_by_themselves() -> None:
    assert against(drawn(), inches(5, 5), inches(6, 5), GUN, Going(points(1))) == "MOV-16"


SHERMAN = (Other(inches(20, 10), "Sherman"),)


@rule("MOV-9")
def test_MOV_9_enemies_are_neither_entered_nor_passed() -> None:
    far, enemy = Going(points(40)), Others(1_000, enemies=SHERMAN)
    for ground in (drawn(), drawn(ROAD)):
        assert against(ground, inches(17, 10), inches(23, 10), TRACKS, far, enemy) == "MOV-9"
        assert against(ground, inches(17, 10), inches(19, 10), TRACKS, far, enemy) == ""  # base to base
        assert against(ground, inches(17, 10), inches(19.001, 10), TRACKS, far, enemy) == "MOV-9"
        assert against(ground, inches(19, 10), inches(17, 10), TRACKS, far, enemy) == ""


@rule("WRK-2", "WRK-3", "BRI-5")
def test_WRK_2_wrecks_are_gone_around_and_close_bridges() -> None:
    far, wreck = Going(points(40)), Others(1_000, wrecks=SHERMAN)
    assert against(drawn(ROAD), inches(17, 10), inches(23, 10), TRACKS, far, wreck) == "WRK-2"
    bridge = drawn(line("stream", "20,0 20,30") + ROAD + crossing("bridge", "19,10 21,10"))
    for y in (Fraction(19, 2), 10, Fraction(21, 2)):
        assert against(bridge, inches(18, y), inches(22, y), TRACKS, far, wreck) == "WRK-2"


@rule("MOV-8")
def test_MOV_8_friends_are_gone_around_but_passed_on_a_road() -> None:
    far, friend = Going(points(40)), Others(1_000, friends=SHERMAN)
    assert against(drawn(), inches(17, 10), inches(23, 10), TRACKS, far, friend) == "MOV-8"
    assert against(drawn(ROAD), inches(17, 10), inches(23, 10), TRACKS, far, friend) == ""
    assert against(drawn(ROAD), inches(20, 8), inches(20, 12), TRACKS, far, friend) == "MOV-8"  # straight across
    assert against(drawn(ROAD), inches(18, 10), inches(22, 12), TRACKS, far, friend) == "MOV-8"  # off the road again
    assert against(drawn(line("road", "0,12 40,12")), inches(17, 11.5), inches(23, 10), TRACKS, far, friend) == "MOV-8"


@rule("MOV-8", "ROD-1")
def test_MOV_8_two_units_end_in_one_place_only_on_a_road() -> None:
    friend = Others(1_000, friends=SHERMAN)
    assert cannot_stop(drawn(ROAD), inches(20.4, 10), friend) is None
    assert cannot_stop(drawn(), inches(21, 10), friend) is None
    refusal = cannot_stop(drawn(), inches(20.4, 10), friend)
    assert str(refusal) == "Two units end a turn in one place on a road only: move clear of Sherman. [MOV-8]"
    assert cannot_stop(drawn(ROAD), inches(20, 10.6), friend) is not None  # the road ends half an inch from its middle


@rule("MOV-15")
def test_MOV_15_aircraft_fly_over_everybody() -> None:
    crowd = Others(1_000, friends=SHERMAN, enemies=SHERMAN, wrecks=SHERMAN)
    assert against(drawn(), inches(17, 10), inches(23, 10), Mover("AC"), Going(points(20)), crowd) == ""


def assert_playable(ground: Ground, mover: Mover, route: list[Point], going: Going, others: Others) -> None:
    """Go a route leg by leg as a game does."""
    prices = Prices(CHARTS, mover)
    for a, b in pairwise(route):
        assert cannot_go(ground, prices, a, b, going, others) is None
        spent = leg_cost(ground, a, b, prices)
        assert spent is not None
        going = Going(going.allowance, going.spent + spent, going.gone + length(a, b))


@cache
def lipovka() -> Table:
    """The battlefield that comes with Opfire."""
    return table(read_table(table_file("lipovka")), named("miniatures"), "lipovka.toml")


# --- reach -----------------------------------------------------------------------------------------------


@rule("MOV-1", "ROD-4")
def test_MOV_1_every_route_of_a_reach_may_be_gone_at_its_cost() -> None:
    ground = lipovka().ground
    country = Country(ground, CHARTS)
    for mover, start in ((FOOT, inches(20, 19)), (WHEELS, inches(12, 20.3)), (TRACKS, inches(37, 18))):
        going = Going(points(7))
        reach = country.reach(mover, start, going, NOBODY)
        assert len(reach.costs) > 20
        for to in [*reach.costs][::17]:
            assert_playable(ground, mover, reach.route(to), going, NOBODY)


@rule("STR-3", "BRI-1", "FRD-1")
def test_STR_3_on_Lipovka_tanks_cross_by_bridge_and_ford_alone() -> None:
    country = Country(lipovka().ground, CHARTS)
    bridge = country.reach(TRACKS, inches(25, 20), Going(points(12)), NOBODY)
    assert [at for at in bridge.costs if at[0] > 30_500 and at[1] < 21_000]
    assert all(
        "stream" not in country.ground.at(at).kinds or "bridge" in country.ground.at(at).kinds for at in bridge.costs
    )
    wreck = Others(1_000, wrecks=(Other(inches(29.1, 19.5), "wreck"),))
    closed = country.reach(TRACKS, inches(25, 20), Going(points(12)), wreck)
    assert not [at for at in closed.costs if at[0] > 30_500 and at[1] < 21_000]
    ford = country.reach(TRACKS, inches(30, 29), Going(points(12)), NOBODY)
    assert any(x > 34_500 for x, _ in ford.costs)


@rule("MOV-8")
def test_MOV_8_a_column_moves_past_a_friend_along_its_road() -> None:
    ground = drawn(ROAD + area("swamp", 5, 0, 35, 30))
    country = Country(ground, CHARTS)
    start, going = inches(15, 10), Going(points(10))
    friend, enemy = Others(1_000, friends=SHERMAN), Others(1_000, enemies=SHERMAN)
    reach = country.reach(TRACKS, start, going, friend)
    assert max(x for x, _ in reach.costs) == 25_000
    assert_playable(ground, TRACKS, reach.route(inches(25, 10)), going, friend)
    assert max(x for x, _ in country.reach(TRACKS, start, going, enemy).costs) == 19_000


@rule("BLK-3")
def test_BLK_3_a_reach_leads_around_blocks() -> None:
    country = Country(with_works(drawn(), [Work("w", "block", inches(20, 10))]), CHARTS)
    reach = country.reach(FOOT, inches(18, 10), Going(points(4)), NOBODY)
    assert inches(20, 10) not in reach.costs
    assert inches(21, 10) in reach.costs


@rule("MOV-6", "CCP-2")
def test_MOV_6_the_inch_by_right_is_part_of_the_reach() -> None:
    ground = drawn(area("woods", 5, 5, 15, 15) + area("swamp", 5, 15, 15, 20))
    country, start, going = Country(ground, CHARTS), inches(10, 14.5), Going(points(8))
    assert inches(11, 14.5) not in country.reach(POOR, start, going, NOBODY).costs
    inch = country.inch_by_right(POOR, start, going, NOBODY)
    assert inches(11, 14.5) in inch.costs
    assert inches(10, 15) not in inch.costs  # the swamp
    assert all(length(start, at) <= points(1.001) for at in inch.costs)
    for to in inch.costs:
        assert_playable(ground, POOR, inch.route(to), going, NOBODY)


@rule("MOV-12", "MOV-13", "MOV-14")
def test_every_mode_finds_Lipovka_passable_from_its_highroad() -> None:
    country = Country(lipovka().ground, CHARTS)
    for mover in (*ALL, POOR):
        assert len(country.reach(mover, inches(7, 21.5), Going(points(6)), NOBODY).costs) > 12
