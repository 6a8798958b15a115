"""Bocage [9.3.2, 9.3.3]: armour shows its belly as it climbs in, unless it has a plough."""

from __future__ import annotations

from opfire.core.game import Game
from opfire.rulesets.micro_armour.fire.attacks import Attack, Shot, combat
from opfire.rulesets.micro_armour.moving.marching import Move, under_way
from opfire.rulesets.micro_armour.moving.opportunity import NotYet, OpportunityFire, Oppose
from opfire.rulesets.micro_armour.pieces import Position, Work
from rules.micro_armour.kit import rule
from rules.micro_armour.marches import against, area, at, go, inches, line, march, points, stand

STUART, SHERMAN, PANZER = "us-m5-stuart", "us-m4-sherman", "ger-panzer-iv-f2-h-7-5cm"
HEDGES = area("bocage", 6, 0, 7, 30)
DEEP = area("bocage", 6, 0, 12, 30)


def defence(game: Game[Position]) -> int:
    """The defence of the Stuart against opportunity fire now."""
    lines = combat(game.state, Attack("red-1", (Shot("blue-1"),), "opportunity"), Shot("blue-1")).lines
    return [line.amount for line in lines if line.kind == "defence"][-1]


@rule("9.3.2")
def test_9_3_2_example_a_light_tank_entering_bocage_has_a_front_of_2() -> None:
    game = march(((STUART, "5.5,5"),), ((PANZER, "7.51,5"),), HEDGES, red_1={"facing": 90}, blue_1={"facing": 270})
    assert defence(game) == 5
    go(game, "red-1", 6.5, 5, 90)
    while isinstance(game.stack[-1], OpportunityFire) and at(game, "red-1") != "6.5,5":
        game.play("blue", NotYet())
    assert at(game, "red-1") == "6.5,5"
    assert isinstance(game.stack[-1], OpportunityFire)
    assert defence(game) == 2
    game.state.change("red-1", facing=180)
    assert defence(game) == 3  # from the side a half, as ever


@rule("9.3.2", "9.3.4")
def test_9_3_4_only_adjacent_stands_fire_at_a_vehicle_that_climbs_in() -> None:
    guns = ((PANZER, "7.51,5"), (PANZER, "3.5,9"))
    game = march(
        ((STUART, "5.5,5"),), guns, HEDGES, red_1={"facing": 90}, blue_1={"facing": 270}, blue_2={"facing": 45}
    )
    assert against(game, Move("red-1", inches(6.5, 5), 90)) == ""
    go(game, "red-1", 6.5, 5, 90)
    assert against(game, Oppose("blue-2", "red-1"), "blue") == ""  # still before the hedges
    while isinstance(game.stack[-1], OpportunityFire) and at(game, "red-1") != "6.5,5":
        game.play("blue", NotYet())
    assert [against(game, Oppose(name, "red-1"), "blue") for name in ("blue-1", "blue-2")] == ["", "9.3.4"]


@rule("9.3.3-breach")
def test_9_3_3_a_plough_breaches_an_inch_and_leaves_a_track() -> None:
    game = march(((STUART, "5.5,5"),), ground=DEEP, dice=(14, 14), red_1={"facing": 90, "equipment": ("hedge cutter",)})
    go(game, "red-1", 7.5, 5, 90)
    assert at(game, "red-1") == "7.5,5"
    assert sorted(work.at for work in game.state.works.values() if work.kind == "breach") == [
        (6500, 5000),
        (7500, 5000),
    ]
    other = march(((SHERMAN, "6,5"),), ground=DEEP)
    for work in game.state.works.values():
        other.state.lay(work)
    go(other, "red-1", 7, 5, 90)
    assert stand(other, "red-1").spent == points(1)  # a track


@rule("9.3.3-breach")
def test_9_3_3_a_plough_that_fails_stops_before_the_hedge() -> None:
    game = march(((STUART, "5.5,5"),), ground=DEEP, dice=(15,), red_1={"facing": 90, "equipment": ("dozer",)})
    go(game, "red-1", 7.5, 5, 90)
    assert (at(game, "red-1"), game.state.works, stand(game, "red-1").moved) == ("6,5", {}, True)


@rule("9.3.3-breach", "9.3.2")
def test_9_3_3_a_breaching_vehicle_keeps_its_armour() -> None:
    game = march(
        ((STUART, "5.5,5"),),
        ((PANZER, "7.51,5"),),
        HEDGES,
        dice=(14,),
        red_1={"facing": 90, "equipment": ("hedge cutter",)},
        blue_1={"facing": 270},
    )
    go(game, "red-1", 6.5, 5, 90)
    while isinstance(game.stack[-1], OpportunityFire) and at(game, "red-1") != "6.5,5":
        game.play("blue", NotYet())
    assert under_way(game.state).breached
    assert defence(game) == 5


@rule("9.3.2", "9.3.1-entry")
def test_9_3_2_on_a_road_through_bocage_a_tank_shows_no_belly() -> None:
    ground = HEDGES + line("good-road", "0,5 40,5")
    game = march(((STUART, "5.5,5"),), ((PANZER, "7.51,5"),), ground, red_1={"facing": 90}, blue_1={"facing": 270})
    go(game, "red-1", 6.5, 5, 90)
    while isinstance(game.stack[-1], OpportunityFire) and at(game, "red-1") != "6.5,5":
        game.play("blue", NotYet())
    assert defence(game) == 5


@rule("9.3.2", "9.3.3-breach")
def test_9_3_2_a_way_that_another_vehicle_has_broken_shows_no_belly() -> None:
    game = march(((STUART, "5.5,5"),), ((PANZER, "7.51,5"),), HEDGES, red_1={"facing": 90}, blue_1={"facing": 270})
    game.state.lay(Work("breach", "breach", inches(6.5, 5), 90, "red"))
    go(game, "red-1", 6.5, 5, 90)
    while isinstance(game.stack[-1], OpportunityFire) and at(game, "red-1") != "6.5,5":
        game.play("blue", NotYet())
    assert defence(game) == 5
