"""Amphibious movement and infantry at streams [8.9]."""

from __future__ import annotations

import pytest

from opfire.core.errors import BadInput
from opfire.core.game import Game
from opfire.rulesets.micro_armour.close.close_assault import Assault, cannot_assault
from opfire.rulesets.micro_armour.moving.marching import in_water, left
from opfire.rulesets.micro_armour.moving.movement import GroupMove, GroupMovement, MovementOrders, Order
from opfire.rulesets.micro_armour.moving.water import Ford, Launch
from opfire.rulesets.micro_armour.pieces import Position
from opfire.rulesets.micro_armour.retreats import cannot_retreat
from opfire.rulesets.micro_armour.terrain import terrain_of
from rules.micro_armour.kit import rule, scripts
from rules.micro_armour.marches import against, area, at, crossing, go, inches, leg, line, march, points, stand

DUKW, RIFLES, SHERMAN, BOAT = "us-dukw", "us-infantry-42", "us-m4-sherman", "jpn-daihatsu-class-14m"
RIVER = line("river", "10,0 10,30")  # an inch and a half wide
STREAM = line("stream", "10,0 10,30")  # half an inch wide


@rule("8.9", "8.9.1", "8.9.2", "8.9.3")
def test_8_9_a_dukw_beside_a_river_takes_to_the_water_and_lands_with_what_is_left() -> None:
    game = march(((DUKW, "8.7,5"), (DUKW, "5,9"), (SHERMAN, "8.7,12")), dice=(14,), ground=RIVER)
    assert against(game, leg("red-1", 12, 5)) == "9.5.2"
    assert against(game, Launch("red-2")) == "8.9.1"
    assert against(game, Launch("red-3")) == "8.9"
    game.play("red", Launch("red-1"))
    assert against(game, leg("red-1", 11.8, 5)) == "8.3.1-points"  # 3.1 inches
    go(game, "red-1", 11.7, 5)
    assert (at(game, "red-1"), stand(game, "red-1").spent) == ("11.7,5", points(3))


def next_turn(game: Game[Position]) -> None:
    """Begin the movement of another turn, in which red's stands are marked to move and their group may."""
    game.stack = ()
    scripts(game, (7, 1, 7, 1))
    game.push(MovementOrders("red"))
    game.run()
    game.push(GroupMove("red", tuple(unit.id for unit in game.state.of("red"))))
    game.run()


@rule("8.9", "8.9.1", "8.9.3")
def test_8_9_3_the_example_of_a_dukw_that_crosses_a_river_of_two_inches() -> None:
    """Three amphibious points: two for the river, one for an inch of clear ground; then it drives with its 15W."""
    game = march(((DUKW, "9.5,5"),), dice=(1,), ground=line("river", "11,0 11,30") + "width = 2\n")
    game.play("red", Launch("red-1"))
    assert against(game, leg("red-1", 12.6, 5)) == "8.3.1-points"
    go(game, "red-1", 12.5, 5)
    assert stand(game, "red-1").spent == points(3)
    next_turn(game)
    go(game, "red-1", 20, 5)  # clear ground costs wheels 2 an inch: 7 1/2 inches for 15
    assert stand(game, "red-1").spent == points(15)


@rule("8.9.1", "8.9.3")
def test_8_9_3_the_example_of_a_dukw_in_a_bay_of_three_inches() -> None:
    """It ends beside the land and not on it, so that it has three points in the next turn too, most of them on land."""
    game = march(((DUKW, "9.5,5"),), dice=(1,), ground=area("water", 10, 0, 13, 30))
    game.play("red", Launch("red-1"))
    go(game, "red-1", 12.5, 5)
    assert stand(game, "red-1").spent == points(3)
    next_turn(game)
    assert against(game, leg("red-1", 15.6, 5)) == "8.3.1-points"
    go(game, "red-1", 15.5, 5)
    assert stand(game, "red-1").spent == points(3)


@rule("8.9.1")
def test_8_9_1_land_points_and_amphibious_points_are_not_mixed() -> None:
    game = march(((DUKW, "6,5"),), ground=RIVER)
    go(game, "red-1", 8.7, 5)
    assert against(game, Launch("red-1")) == "8.9.1"


@rule("8.9.2")
def test_8_9_2_a_stand_that_fails_may_be_ordered_again() -> None:
    game = march(((DUKW, "8.7,5"),), dice=(15, 3, 2), ground=RIVER)
    game.play("red", Launch("red-1"))
    assert not stand(game, "red-1").moved
    game.state.orders["red"] = 1
    game.push(GroupMovement("red"))
    game.run()
    game.play("red", Order("red-1"))
    game.play("red", Launch("red-1"))
    assert stand(game, "red-1").swims


@rule("8.9.2")
def test_8_9_2_a_stand_that_fails_does_not_move_until_another_order_is_spent() -> None:
    game = march(((DUKW, "8.7,5"), (DUKW, "5,9")), dice=(15,), ground=RIVER)
    game.play("red", Launch("red-1"))
    assert against(game, Launch("red-1")) == "8.2.4-roll"
    assert against(game, leg("red-1", 7, 5)) == "8.2.4-roll"
    assert against(game, leg("red-2", 7, 9)) == ""  # the others of the group go on


@rule("8.9.3")
def test_8_9_3_a_stand_in_the_water_has_its_amphibious_points_only() -> None:
    game = march(((DUKW, "8.7,5"), (DUKW, "5,9")), ground=RIVER, frame=MovementOrders("red"))
    game.state.change("red-1", at=inches(10, 5))
    game.push(MovementOrders("red"))
    game.run()
    assert [stand(game, f"red-{number}").swims for number in (1, 2)] == [True, False]


@rule("8.9.5", "9.5.3")
def test_8_9_5_infantry_fords_a_stream_and_is_suppressed_either_way() -> None:
    for die, place in ((14, "10.8,5"), (15, "9.2,5")):
        game = march(((RIFLES, "9.2,5"), (RIFLES, "5,9"), (SHERMAN, "9.2,12")), dice=(die,), ground=STREAM)
        assert against(game, leg("red-1", 11, 5)) == "9.5.3"
        assert against(game, Ford("red-2", inches(10.8, 9))) == "8.9.5"
        assert against(game, Ford("red-3", inches(10.8, 12))) == "8.9.5"
        assert against(game, Ford("red-1", inches(14, 5))) == "8.9.5"
        game.play("red", Ford("red-1", inches(10.8, 5)))
        unit = stand(game, "red-1")
        assert (at(game, "red-1"), unit.suppressed, unit.moved) == (place, True, True)


@rule("8.9.5")
@pytest.mark.parametrize("kind", ["us-infantry-42", "sov-cavalry", "ger-bicycle-infantry", "ger-motorcycle-infantry-a"])
def test_8_9_5_stands_that_are_classed_as_infantry_ford_streams(kind: str) -> None:
    game = march(((kind, "9.2,5"),), ground=STREAM, dice=(1,))
    game.play("red", Ford("red-1", inches(10.8, 5)))
    assert at(game, "red-1") == "10.8,5"


@rule("8.9.5", "8.8.2")
def test_8_9_5_a_stand_that_has_forded_has_no_point_left_for_an_assault() -> None:
    game = march(
        ((RIFLES, "9.2,5"),), (("ger-infantry-39", "11.8,5"),), dice=(1,), ground=STREAM, blue_1={"fired": True}
    )
    game.play("red", Ford("red-1", inches(10.8, 5)))
    assert (at(game, "red-1"), game.stack) == ("10.8,5", ())
    assert against_assault(game) == "8.8.2"


def against_assault(game: Game[Position]) -> str:
    """The rule against an assault of the first red stand on the first blue one."""
    refusal = cannot_assault(game.state, stand(game, "red-1"), Assault("red-1", "blue-1"))
    return refusal.rule if refusal else ""


@rule("8.9.5")
def test_8_9_5_the_ways_across_are_offered() -> None:
    game = march(((RIFLES, "9.2,5"),), ground=STREAM)
    ways = [act for act in game.choices("red").of("red-1") if isinstance(act, Ford)]
    assert ways
    assert all(way.to[0] > 10000 for way in ways)


@rule("10.12")
def test_10_12_a_boat_is_set_up_on_the_water_and_moves_along_it() -> None:
    game = march(((BOAT, "10,5"), (RIFLES, "2,25")), ground=RIVER)
    go(game, "red-1", 10, 9, 180)
    assert (at(game, "red-1"), stand(game, "red-1").spent) == ("10,9", points(4))


@rule("10.12")
@pytest.mark.parametrize(("ground", "place"), [(RIVER, "5,5"), (STREAM, "10,5")])
def test_10_12_a_boat_is_set_up_neither_on_land_nor_in_a_stream(ground: str, place: str) -> None:
    with pytest.raises(BadInput, match="boat"):
        march(((BOAT, place),), ground=ground)


@rule("9.5.2")
def test_9_5_2_nobody_else_is_set_up_in_a_river() -> None:
    with pytest.raises(BadInput, match="cannot stand"):
        march(((RIFLES, "10,5"),), ground=RIVER)


FROST = 'weather = ["extreme cold"]\n'


@rule("9.6.2-ice", "8.9")
def test_9_6_2_nobody_swims_on_ice() -> None:
    """Water that has frozen is rough terrain 1: a DUKW drives over it with its wheels, and infantry walks."""
    game = march(((DUKW, "10,5"), (DUKW, "8.7,9"), (RIFLES, "8.7,12")), ground=RIVER, more=FROST)
    game.push(MovementOrders("red"))
    game.run()
    assert not stand(game, "red-1").swims
    game = march(((DUKW, "8.7,5"), (RIFLES, "8.7,9")), ground=RIVER, more=FROST)
    assert against(game, Launch("red-1")) == "8.9.1"
    assert against(game, leg("red-2", 10, 9)) == ""
    brook = march(((RIFLES, "9.2,5"),), ground=STREAM, more=FROST)
    assert against(brook, Ford("red-1", inches(10.8, 5))) == "8.9.5"


@rule("9.5.2", "8.3.1-points", "WD.mov")
def test_9_5_2_an_amphibious_vehicle_has_its_points_for_water_there_and_pays_one_an_inch() -> None:
    game = march(((DUKW, "8,5"),), ground=RIVER, red_1={"swims": True, "at": inches(10, 5)})
    unit = stand(game, "red-1")
    assert left(game.state, unit) == points(unit.kind.amph_points or 0) != points(unit.kind.mov_points or 0)
    go(game, "red-1", 10, 7, 180)
    assert stand(game, "red-1").spent == points(2)


@rule("9.6.2-ice", "9.5.2")
@pytest.mark.parametrize(
    ("ground", "frost", "wet"),
    [
        (RIVER, "", True),
        (RIVER, FROST, False),
        (RIVER + crossing("bridge", "8,5 12,5"), "", False),
        (area("woods", 8, 2, 12, 12), "", False),
    ],
)
def test_9_6_2_a_point_is_in_water_without_ice_or_a_bridge(ground: str, frost: str, wet: bool) -> None:
    game = march(((RIFLES, "5,5"),), ground=ground, more=frost)
    assert in_water(game.state, inches(10, 5)) is wet


@rule("9.6.2-ice", "9.1-chart")
def test_9_6_2_a_stand_on_ice_is_in_rough_terrain_1() -> None:
    wide = area("water", 8, 2, 12, 12)
    game = march(((RIFLES, "10,5"),), ground=wide, more=FROST)
    assert terrain_of(game.state, stand(game, "red-1")) == ("rough-1",)


@rule("8.8.5", "9.5.2", "9.5.3")
@pytest.mark.parametrize(
    ("water", "start", "refusal"),
    [
        (STREAM, 9.5, "9.5.3"),  # across it
        (STREAM, 8.9, "9.5.3"),  # into it
        (RIVER, 8.4, "9.5.2"),
        (STREAM, 8.0, ""),
        (STREAM + crossing("bridge", "9.4,5 10.6,5"), 9.5, ""),
    ],
)
def test_8_8_5_nobody_retreats_into_water_or_across_it(water: str, start: float, refusal: str) -> None:
    game = march(((SHERMAN, f"{start},5"),), ground=water)
    found = cannot_retreat(game.state, stand(game, "red-1"), inches(start - 1, 5), inches(start + 1, 5))
    assert (found.rule if found else "") == refusal


@rule("9.5.2", "9.5.3")
@pytest.mark.parametrize(("water", "place"), [(STREAM, "10,5"), (RIVER, "10.6,5")])
def test_9_5_3_nobody_is_set_up_with_the_middle_of_its_stand_in_water(water: str, place: str) -> None:
    """It could not leave: streams and rivers are entered by amphibious stands alone."""
    with pytest.raises(BadInput, match="cannot stand in"):
        march(((SHERMAN, place),), ground=water)
