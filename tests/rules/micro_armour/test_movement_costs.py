"""Movement costs [8.3, 9.1]: an inch of each kind of ground by class, roads, water, and the examples of the text."""

from __future__ import annotations

from fractions import Fraction

import pytest

from opfire.core.places import Point
from opfire.rulesets.micro_armour.moving.prices import Mover, Prices, prohibited, rough_cost, traced
from opfire.rulesets.micro_armour.moving.stretches import leg_cost
from opfire.space.measure import MICRO
from opfire.space.terrain.ground import Ground
from rules.micro_armour.kit import rule
from rules.micro_armour.marches import CHARTS, area, crossing, drawn, inches, line

TRACKS, WHEELS, FOOT = Mover("T", armoured=True), Mover("W"), Mover("F", personnel=True)
ALL = (TRACKS, WHEELS, FOOT)


def cost(ground: Ground, start: Point, end: Point, mover: Mover) -> Fraction | None:
    """The movement points of a leg."""
    spent = leg_cost(ground, start, end, Prices(CHARTS, mover))
    return None if spent is None else Fraction(spent, MICRO)


def costs(ground: Ground, start: Point, end: Point) -> list[Fraction | None]:
    """The movement points of a leg for tracks, wheels and foot."""
    return [cost(ground, start, end, mover) for mover in ALL]


def refused(ground: Ground, start: Point, end: Point, mover: Mover) -> str:
    prices = Prices(CHARTS, mover)
    refusal = prohibited(prices, traced(ground, start, end, prices))
    return refusal.rule if refusal else ""


@rule("9.1-chart", "8.3.3")
@pytest.mark.parametrize(
    ("kind", "wanted"),
    [
        ("jungle", [5, None, 2]),
        ("woods", [3, 4, 1]),
        ("grove", [2, 3, 1]),
        ("marsh", [5, None, 1.5]),
        ("mud", [4, 6, 3]),
        ("gravel", [1, 1.5, 1]),
        ("rock", [2, 5, 1.5]),
        ("bocage", [4, None, 2]),
        ("rough-1", [1, 3, 1]),
        ("rough-2", [2, 5, 1.5]),
        ("rough-3", [4, 7, 3]),
        ("heavy-buildings", [1, 2, 1]),
        ("rubble", [4, None, 2]),
    ],
)
def test_9_1_an_inch_of_each_kind_of_ground(kind: str, wanted: list[float | None]) -> None:
    ground = drawn(area(kind, 5, 5, 15, 15))
    assert costs(ground, inches(8, 8), inches(9, 8)) == wanted


@rule("9.1.2", "8.3.2-pay")
def test_9_1_2_a_tank_goes_two_inches_of_woods_and_eight_of_road_for_ten_points() -> None:
    ground = drawn(area("woods", 0, 0, 10, 30) + line("good-road", "10,15 30,15"))
    assert cost(ground, inches(8, 15), inches(10, 15), TRACKS) == 6
    assert cost(ground, inches(10, 15), inches(18, 15), TRACKS) == 4


@rule("8.3.3", "9.1.4")
def test_8_3_3_the_sherman_and_the_armoured_car_of_the_example() -> None:
    ground = drawn(line("good-road", "10,10 10,22") + area("woods", 5, 18, 15, 30))
    road, below, wood = inches(10, 10), inches(10, 18), inches(10, 19)
    sherman = [cost(ground, a, b, TRACKS) for a, b in ((inches(7, 10), inches(9.75, 10)), (road, below))]
    assert sherman == [3, 4]  # 2.75 inches to the edge of the road, 9.1.2
    car = [cost(ground, a, b, WHEELS) for a, b in ((inches(6.75, 10), inches(9.75, 10)), (road, inches(10, 22)))]
    assert car == [6, 6]
    off = [cost(ground, below, (wood[0] - 1000, below[1] + 250), mover) for mover in (TRACKS, WHEELS)]
    assert off[0] is not None
    assert off[0] > 2  # it leaves the road, and pays for the woods
    on_it, beside = inches(10, 20), inches(9, 20)
    assert [cost(ground, on_it, beside, mover) for mover in (TRACKS, WHEELS)] == [3, 4]
    assert [cost(ground, beside, on_it, mover) for mover in (TRACKS, WHEELS)] == [3, 4]


@rule("8.3.3", "9.1.4")
def test_R93_a_leg_that_has_followed_the_road_for_an_inch_has_its_rate_up_to_its_end() -> None:
    ground = drawn(line("good-road", "10,10 10,22"))
    assert cost(ground, inches(10, 14), inches(10, 8), TRACKS) == 4  # four inches of road, two of open ground
    assert cost(ground, inches(10, 11), inches(10, 9), TRACKS) == Fraction("1.5")
    assert cost(ground, inches(10, 10.5), inches(10, 9), TRACKS) == Fraction("1.5")  # half an inch follows no road


@rule("9.1.4")
def test_9_1_4_a_road_that_is_crossed_is_not_followed() -> None:
    ground = drawn(line("good-road", "20,0 20,30") + area("woods", 15, 5, 25, 25))
    assert cost(ground, inches(18, 15), inches(22, 15), TRACKS) == 12
    assert cost(ground, inches(20, 15), inches(20, 17), TRACKS) == 1


@rule("9.1.5")
def test_9_1_5_of_two_grounds_the_dearer_one_is_paid() -> None:
    ground = drawn(area("woods", 5, 5, 15, 15) + area("rough-3", 5, 5, 15, 15))
    assert costs(ground, inches(8, 8), inches(9, 8)) == [4, 7, 3]


@rule("9.3.1-entry")
def test_9_3_1_only_armoured_tracks_and_personnel_enter_hedgerows() -> None:
    ground = drawn(area("bocage", 5, 5, 15, 15) + line("track", "0,10 20,10"))
    assert refused(ground, inches(8, 6), inches(9, 6), Mover("T")) == "9.3.1-entry"
    assert refused(ground, inches(8, 6), inches(9, 6), Mover("F")) == "9.3.1-entry"
    assert refused(ground, inches(8, 6), inches(9, 6), FOOT) == ""
    assert cost(ground, inches(8, 10), inches(9, 10), WHEELS) == Fraction("1.5")


@rule("9.5.2", "9.5.3", "9.5.1")
@pytest.mark.parametrize(("kind", "number"), [("river", "9.5.2"), ("stream", "9.5.3")])
def test_9_5_water_is_crossed_on_bridges_and_through_fords(kind: str, number: str) -> None:
    ground = drawn(line(kind, "20,0 20,30") + crossing("bridge", "18,10 22,10") + crossing("ford", "18,20 22,20"))
    for mover in ALL:
        assert refused(ground, inches(17, 5), inches(23, 5), mover) == number
    assert costs(ground, inches(18, 10), inches(22, 10)) == [4, 8, 4]
    assert costs(ground, inches(18, 20), inches(22, 20)) == [16, 24, 12]
    assert cost(ground, inches(17, 5), inches(23, 5), Mover("W", swims=True)) is not None


@rule("10.12")
def test_10_12_a_boat_stays_on_rivers_and_open_water() -> None:
    ground = drawn(line("river", "20,0 20,30") + line("stream", "0,15 20,15"))
    boat = Mover("F", boat=True)
    assert cost(ground, inches(20, 2), inches(20, 6), boat) == 4
    assert refused(ground, inches(20, 2), inches(24, 2), boat) == "10.12"
    assert refused(ground, inches(15, 15), inches(12, 15), boat) == "10.12"


@rule("10.11.1")
def test_10_11_1_bicycles_help_on_clear_ground_buildings_and_roads() -> None:
    ground = drawn(area("woods", 5, 5, 15, 15) + area("light-buildings", 20, 5, 25, 15))
    prices = Prices(CHARTS, FOOT)
    assert rough_cost(traced(ground, inches(3, 8), inches(7, 8), prices), prices) == 2 * MICRO
    assert rough_cost(traced(ground, inches(18, 8), inches(24, 8), prices), prices) == 0


@rule("9.6.2-snow", "9.6.2-deep", "9.6.2-ice")
def test_9_6_2_snow_is_rough_deep_snow_costs_double_and_ice_carries() -> None:
    ground = drawn(line("river", "20,0 20,30") + area("woods", 5, 5, 15, 15))
    clear, woods = (inches(25, 5), inches(26, 5)), (inches(8, 8), inches(9, 8))

    def paid(weather: str, leg: tuple[Point, Point]) -> list[float]:
        movers = [Prices(CHARTS, mover, (weather,)) for mover in ALL]
        return [(leg_cost(ground, *leg, prices) or 0) / MICRO for prices in movers]

    assert paid("snow", clear) == [1, 3, 1]
    assert paid("deep snow", clear) == [2, 6, 2]
    assert paid("deep snow", woods) == [6, 8, 2]
    ice = [inches(19.5, 5), inches(20.5, 5)]
    assert paid("extreme cold", (ice[0], ice[1])) == [1, 3, 1]
    assert paid("snow", (ice[0], ice[1])) == [0, 0, 0]  # barred
