"""Loaded and overloaded transports [12.7]: points by class and ground, overloading, the movement roll."""

from __future__ import annotations

import pytest

from opfire.core.game import Game
from opfire.rulesets.micro_armour.close.overrun import Overrun
from opfire.rulesets.micro_armour.moving.loads import overload, room
from opfire.rulesets.micro_armour.moving.movement import movement_roll
from opfire.rulesets.micro_armour.moving.transport import Load
from opfire.rulesets.micro_armour.pieces import Position
from rules.micro_armour.kit import rule
from rules.micro_armour.marches import CHARTS, against, area, at, go, inches, leg, line, march, stand

TRUCK, HALFTRACK = "us-medium-truck-2-3-ton", "us-halftrack-various-marks"  # 22W carries 10, 20T carries 8
RIFLES, GUN = "us-infantry-42", "us-57mm-atg"  # need 8 and 6
ON = 'options = ["12.7"]\n'


def loaded(carrier: str, ground: str = "", more: str = ON, cargo: tuple[str, ...] = (RIFLES,)) -> Game[Position]:
    """A carrier at the west edge with stands aboard."""
    names = [f"red-{2 + index}" for index in range(len(cargo))]
    apart = tuple((kind, f"2,{20 + 2 * index}") for index, kind in enumerate(cargo))
    aboard = {name.replace("-", "_"): {"carrier": "red-1", "at": inches(2, 5)} for name in names}
    return march(((carrier, "2,5"), *apart), ground=ground, more=more, red_1={"cargo": tuple(names)}, **aboard)


@rule("12.7")
@pytest.mark.parametrize(
    ("ground", "tracked", "wheeled", "foot"),
    [("road", -4, -4, 0), ("track", -4, -6, -2), ("other", -6, -8, -3), ("overloaded", -1, -2, 0)],
)
def test_12_7_the_chart_has_the_printed_figures(ground: str, tracked: int, wheeled: int, foot: int) -> None:
    row = CHARTS.load_modifiers[ground]  # type: ignore[index]
    assert (row.tracked, row.wheeled, row.foot) == (tracked, wheeled, foot)


@rule("12.7")
def test_12_7_a_loaded_halftrack_has_six_points_less_across_country() -> None:
    """20 less 6; clear ground costs tracks a point an inch."""
    assert against(loaded(HALFTRACK), leg("red-1", 16, 5)) == ""
    assert against(loaded(HALFTRACK), leg("red-1", 16.1, 5)) == "12.7"
    assert against(loaded(HALFTRACK, more=""), leg("red-1", 21.9, 5)) == ""


@rule("12.7")
@pytest.mark.parametrize(("way", "most"), [("poor-road", 18), ("track", 16)])
def test_12_7_a_loaded_truck_loses_less_on_roads_and_tracks(way: str, most: int) -> None:
    """22 less 4 on any road, less 6 on a track; the prices of an inch are those of an empty truck."""
    drawn = line(way, "0,5 40,5")
    game = loaded(TRUCK, ground=drawn)
    go(game, "red-1", 4, 5)
    inch = stand(game, "red-1").spent / 2
    farthest = 2 + most * 1_000_000 / inch
    assert against(game, leg("red-1", farthest - 0.01, 5)) == ""
    assert against(game, leg("red-1", farthest + 0.01, 5)) == {"poor-road": "8.3.1-points", "track": "12.7"}[way]


@rule("12.7")
def test_12_7_who_starts_on_a_road_gains_nothing_beside_it() -> None:
    game = loaded(HALFTRACK, ground=line("poor-road", "0,5 3,5"))
    go(game, "red-1", 3, 5)
    assert stand(game, "red-1").spent <= 1_000_000  # an inch of road: 14 of the 15 points left serve beside it
    assert against(game, leg("red-1", 16.9, 5)) == ""
    assert against(game, leg("red-1", 17.2, 5)) == "12.7"


@rule("12.7")
def test_12_7_a_road_through_woods_is_a_road() -> None:
    woods = area("woods", 0, 0, 40, 10)
    game = loaded(HALFTRACK, ground=woods + line("poor-road", "0,5 40,5"))
    go(game, "red-1", 10, 5)
    assert stand(game, "red-1").unpaved == 0


@rule("12.7")
def test_12_7_points_beside_the_road_are_counted_over_several_legs() -> None:
    game = loaded(HALFTRACK)
    go(game, "red-1", 9, 5)
    assert at(game, "red-2") == "9,5"
    assert against(game, leg("red-1", 16, 5)) == ""
    assert against(game, leg("red-1", 16.1, 5)) == "12.7"


@rule("12.7")
def test_12_7_carriers_may_be_overloaded_and_roll_with_two_more() -> None:
    """Rifles of 8 and a gun of 6 are 6 points too many for a halftrack, which carries 8."""
    units = ((HALFTRACK, "5,5"), (RIFLES, "6,5"), (GUN, "4,5"))
    plain = march(units, dice=(1, 1))
    plain.play("red", Load("red-1", "red-2"))
    assert against(plain, Load("red-1", "red-3")) == "8.4.1"
    game = loaded(HALFTRACK, cargo=(RIFLES, GUN))
    position, unit = game.state, stand(game, "red-1")
    assert overload(position, unit) == 6
    lines = movement_roll(position, unit, [unit], independent=False).lines
    assert [each.amount for each in lines if each.rule == "12.7"] == [2]
    alone = loaded(HALFTRACK)
    assert overload(alone.state, stand(alone, "red-1")) == 0


@rule("12.7")
def test_12_7_rifles_climb_onto_a_full_truck() -> None:
    """A truck carries 10: a second stand of 8 is 6 too many."""
    units = ((TRUCK, "5,5"), (RIFLES, "6,5"), (RIFLES, "4,5"))
    game = march(units, more=ON, dice=(1, 1))
    game.play("red", Load("red-1", "red-2"))
    assert (
        against(game, Load("red-1", "red-3")) == ""
    )  # any number of personnel for the same half of its points [8.4.2]


@rule("12.7")
def test_12_7_each_point_too_many_costs_a_tracked_carrier_one() -> None:
    game = loaded(HALFTRACK, cargo=(RIFLES, GUN))
    assert against(game, leg("red-1", 10, 5)) == ""
    assert against(game, leg("red-1", 10.1, 5)) == "12.7"


@rule("12.7", "10.12")
def test_12_7_the_load_of_a_boat_is_none_of_a_land_transport() -> None:
    """The chart has tracks, wheels and feet; a Shohatsu moves four inches with its amphibious points."""
    water = area("water", 0, 0, 40, 10)
    game = march(
        (("jpn-shohatsu-class-10m", "2,5"), (RIFLES, "2,20")),
        ground=water,
        more=ON,
        red_1={"cargo": ("red-2",)},
        red_2={"carrier": "red-1", "at": inches(2, 5)},
    )
    assert against(game, leg("red-1", 6, 5)) == ""
    assert against(game, leg("red-1", 6.1, 5)) == "8.3.1-points"
    assert room(game.state, stand(game, "red-1")) == 8


@rule("12.7", "8.7.5")
@pytest.mark.parametrize(("x", "refusal"), [(15, ""), (15.5, "12.7")])
def test_12_7_an_overrun_across_country_is_within_the_points_of_a_loaded_halftrack(x: float, refusal: str) -> None:
    """20 less 6: the target at 15 and the inch beyond it are 14 inches from 2."""
    aboard = {"carrier": "red-1", "at": inches(2, 5)}
    game = march(
        ((HALFTRACK, "2,5"), (RIFLES, "2,20")),
        (("ger-infantry-39", f"{x},5"),),
        more=ON,
        red_1={"cargo": ("red-2",)},
        red_2=aboard,
        blue_1={"posture": "movement"},
    )
    assert against(game, Overrun("red-1", "blue-1", inches(x + 1, 5), 90)) == refusal
