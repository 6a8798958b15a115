"""The movement phase [MOV]: who moves, leg by leg, one stand after the other."""

from __future__ import annotations

import random

from opfire.rulesets.panzerblitz_miniatures.actions import EndPhase
from opfire.rulesets.panzerblitz_miniatures.moving.marching import Move, Stop
from rules.panzerblitz_miniatures.grounds import area, inches, line, points
from rules.panzerblitz_miniatures.kit import rule
from rules.panzerblitz_miniatures.marches import against, at, go, march, spent

TANKS = (("pz-iv-h", "5,5"), ("pz-iv-h", "5,10"))


@rule("MOV-1", "MOV-2")
def test_MOV_1_a_stand_goes_leg_by_leg_until_its_points_are_spent() -> None:
    game = march(TANKS)  # 8 points, and 2 for an inch of open ground
    go(game, "red-1", 8, 5, 90)
    assert (at(game, "red-1"), spent(game, "red-1")) == ("8,5", points(6))
    assert game.state.units["red-1"].facing == 90
    assert against(game, "red-1", 10, 5) == "MOV-7"
    go(game, "red-1", 8, 6)
    assert game.state.units["red-1"].moved  # all points are spent: the move is over
    assert against(game, "red-1", 8, 7) == "MOV-5"


@rule("SEQ-8", "MOV-3", "MOV-11")
def test_MOV_3_movement_is_voluntary_and_in_any_order() -> None:
    game = march(TANKS)
    assert game.choices("red").actors() == ("", "red-1", "red-2")
    go(game, "red-2", 6, 10)
    game.play("red", Stop("red-2"))
    assert game.choices("red").actors() == ("", "red-1")
    go(game, "red-1", 6, 5)
    game.play("red", Stop("red-1"))
    idle = march(TANKS)
    idle.play("red", EndPhase())
    assert not idle.state.units["red-1"].moved
    assert not idle.stack


@rule("MOV-5")
def test_MOV_5_a_move_is_final_when_the_next_stand_moves() -> None:
    game = march(TANKS)
    go(game, "red-1", 6, 5)
    refusal = game.why_not("red", Move("red-2", inches(6, 10), 0))
    assert refusal is not None
    assert str(refusal) == "Finish the move of PzKw IV H 1 first, or stop it [MOV-5]"
    game.play("red", Stop("red-1"))
    assert against(game, "red-1", 7, 5) == "MOV-5"
    assert against(game, "red-2", 6, 10) == ""


@rule("MOV-4")
def test_MOV_4_units_that_fired_and_dispersed_units_do_not_move() -> None:
    game = march(TANKS, red_1={"fired": True}, red_2={"order": "dispersed"})
    assert against(game, "red-1", 6, 5) == "MOV-4"
    assert against(game, "red-2", 6, 10) == "GLO-4"
    assert game.choices("red").actors() == ("",)


@rule("SMF-2", "MOV-4")
def test_SMF_2_after_a_split_fire_half_the_allowance_is_left() -> None:
    game = march(TANKS, red_1={"fired": True, "split": True})
    assert against(game, "red-1", 7.1, 5) == "MOV-7"
    assert against(game, "red-1", 7, 5) == ""


@rule("OPP-5")
def test_OPP_5_a_unit_that_used_opportunity_fire_does_not_move() -> None:
    assert against(march(TANKS, red_1={"reacted": True}), "red-1", 6, 5) == "OPP-5"


@rule("MOV-10")
def test_MOV_10_the_other_side_does_not_move() -> None:
    game = march(TANKS, [("t-34-76", "30,10")])
    refusal = game.why_not("blue", Move("blue-1", inches(31, 10), 0))
    assert refusal is not None
    assert against(game, "blue-1", 31, 10) != ""


@rule("FPS-2")
def test_FPS_2_the_first_point_spent_ends_a_firing_position() -> None:
    game = march(TANKS, red_1={"position": True}, red_2={"position": True})
    go(game, "red-1", 5.1, 5)
    assert not game.state.units["red-1"].position
    assert game.state.units["red-2"].position


@rule("MOV-1")
def test_MOV_1_every_random_leg_is_one_that_the_rules_allow() -> None:
    game, rng = march(TANKS, ground='[[areas]]\nkind = "woods"\npoints = "6,0 9,0 9,20 6,20"\n'), random.Random(5)
    for _ in range(40):
        action = game.choices("red").sample(rng)
        if isinstance(action, EndPhase):
            break
        assert game.why_not("red", action) is None
        game.play("red", action)


@rule("MOV-1", "ROD-1")
def test_MOV_1_the_region_of_legs_holds_all_that_the_points_allow() -> None:
    def width(ground: str, unit: str = "pz-iv-h") -> int:
        (region,) = march([(unit, "20,10")], ground=ground).choices("red").regions
        return (region.box[2] - region.box[0]) // 2

    assert width("") == 4_000  # 8 points, 2 for an inch of open ground
    assert width(line("road", "0,10 40,10")) == 8_000
    assert width(area("town", 25, 5, 30, 15)) == 8_000
    assert width(line("road", "0,29 40,29")) == 4_000  # too far away
    assert width("", "rifle-40-german") == 2_000
