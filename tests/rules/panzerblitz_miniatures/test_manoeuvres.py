"""Quick March, facings of guns, floors, reinforcements, leaving the table, command [QM, FOF, BLD, SEQ-2, CMD]."""

from __future__ import annotations

from typing import Any

import pytest

from edits import edited
from opfire.core.actions import Action
from opfire.core.events import Calculation
from opfire.core.game import Game
from opfire.rulesets.panzerblitz_miniatures import RULESET
from opfire.rulesets.panzerblitz_miniatures.command import not_commanded
from opfire.rulesets.panzerblitz_miniatures.fire.missions import Mission
from opfire.rulesets.panzerblitz_miniatures.moving.arrivals import Enter, Exit
from opfire.rulesets.panzerblitz_miniatures.moving.loading import Load, Unload
from opfire.rulesets.panzerblitz_miniatures.moving.manoeuvres import QuickMarch, TakeFloor, Turn
from opfire.rulesets.panzerblitz_miniatures.moving.marching import Stop
from opfire.rulesets.panzerblitz_miniatures.moving.opportunity import React
from opfire.rulesets.panzerblitz_miniatures.pieces import Position
from opfire.rulesets.panzerblitz_miniatures.setup import board
from rules.panzerblitz_miniatures.grounds import area, building, inches, points
from rules.panzerblitz_miniatures.kit import rule
from rules.panzerblitz_miniatures.marches import against, at, go, march, spent

FOOT = [("rifle-40-german", "5,10")]  # 2 points


def why(game: Game[Position], action: Any) -> str:
    """The rule against an action of red, or nothing."""
    refusal = game.why_not("red", action)
    return refusal.rule if refusal else ""


# --- Quick March ------------------------------------------------------------------------------------------------


@rule("QM-1")
def test_QM_1_clear_terrain_costs_half_a_point() -> None:
    game = march(FOOT, ground=area("woods", 0, 12, 20, 20))
    assert against(game, "red-1", 7.1, 10) == "MOV-1"
    game.play("red", QuickMarch("red-1"))
    go(game, "red-1", 8, 10)
    assert spent(game, "red-1") == points("1.5")


@rule("QM-1", "QM-4")
def test_QM_1_only_marked_infantry_marches_quickly() -> None:
    assert why(march([("mortar-81-german", "5,10")]), QuickMarch("red-1")) == "QM-1"
    assert why(march([("pz-iv-h", "5,10")]), QuickMarch("red-1")) == "QM-1"


@rule("QM-3")
def test_QM_3_it_is_announced_before_moving() -> None:
    game = march(FOOT)
    go(game, "red-1", 5.5, 10)
    assert why(game, QuickMarch("red-1")) == "QM-3"
    again = march(FOOT)
    again.play("red", QuickMarch("red-1"))
    assert why(again, QuickMarch("red-1")) == "QM-3"


@rule("QM-2")
def test_QM_2_opportunity_fire_meets_half_the_defence() -> None:
    game = march(FOOT, [("t-34-76", "12,10")], blue_1={"position": True})
    game.play("red", QuickMarch("red-1"))
    go(game, "red-1", 8, 10)
    calculation = RULESET.preview(game.state, game.stack[-1], React("blue-1", "red-1"))
    assert isinstance(calculation, Calculation)
    assert any(line.rule == "QM-2" for line in calculation.lines)


# --- facings ------------------------------------------------------------------------------------------------------

SMALL, LARGE = [("pak-75", "5,10")], [("flak-88", "5,10")]
TRUCK = ("truck-german", "6.2,10")


@rule("FOF-3", "FOF-6")
def test_FOF_6_a_small_gun_turns_by_itself_and_once() -> None:
    game = march(SMALL)
    assert why(game, Turn("red-1", 61)) == "FOF-3"
    game.play("red", Turn("red-1", 60))
    assert game.state.units["red-1"].facing == 60
    assert why(game, Turn("red-1", 30)) == "FOF-3"
    assert why(march(FOOT), Turn("red-1", 60)) == "FOF-3"


@rule("FOF-3")
def test_FOF_3_a_gun_turns_to_the_north_too() -> None:
    assert why(march(SMALL, red_1={"facing": 30}), Turn("red-1", 0)) == ""
    assert why(march(SMALL, red_1={"facing": 30}), Turn("red-1", 360)) == "procedure"


@rule("FOF-4")
def test_FOF_4_a_gun_that_fired_does_not_turn() -> None:
    assert why(march(SMALL, red_1={"fired": True}), Turn("red-1", 60)) == "FOF-4"


@rule("FOF-5")
def test_FOF_5_a_large_gun_needs_a_carrier_beside_it_one_for_each() -> None:
    assert why(march(LARGE), Turn("red-1", 60)) == "FOF-5"
    assert why(march([*LARGE, ("truck-german", "7.1,10")]), Turn("red-1", 60)) == "FOF-5"
    game = march([*LARGE, TRUCK, ("flak-88", "7.4,10")])
    game.play("red", Turn("red-1", 60))
    assert why(game, Turn("red-3", 60)) == "FOF-5"


@rule("FOF-5")
def test_FOF_5_the_carrier_was_there_when_the_phase_began() -> None:
    game = march([*LARGE, ("truck-german", "7.1,10")])
    go(game, "red-2", 6.5, 10)
    game.play("red", Stop("red-2"))
    assert why(game, Turn("red-1", 60)) == "FOF-5"


@rule("FOF-5")
def test_FOF_5_the_25_pounder_is_a_small_gun() -> None:
    assert why(march([("how-25pdr", "5,10")]), Turn("red-1", 60)) == ""


# --- floors ---------------------------------------------------------------------------------------------------------

HOUSE = building("5,10") + "floors = 3\n"


@rule("BLD-4")
def test_BLD_4_stairs_cost_half_a_point_for_each_floor() -> None:
    game = march(FOOT, ground=HOUSE)
    game.play("red", TakeFloor("red-1", 3))
    assert (game.state.units["red-1"].floor, spent(game, "red-1")) == (3, points(1))
    assert why(game, TakeFloor("red-1", 4)) == "BLD-4"


@rule("BLD-4", "MOV-1")
def test_BLD_4_the_last_points_lead_upstairs() -> None:
    game = march(FOOT, ground=building("5,10") + "floors = 6\n")  # two points
    assert why(game, TakeFloor("red-1", 5)) == ""
    assert why(game, TakeFloor("red-1", 6)) == "MOV-1"


@rule("BLD-3", "BLD-4")
def test_BLD_4_a_building_is_left_from_its_lowest_floor() -> None:
    game = march(FOOT, ground=HOUSE, red_1={"floor": 2})
    assert against(game, "red-1", 6.5, 10) == "BLD-4"
    assert against(game, "red-1", 5, 10.5) == "BLD-3"
    game.play("red", TakeFloor("red-1", 1))
    go(game, "red-1", 6.2, 10)
    assert game.state.units["red-1"].floor == 0


@rule("BLD-6")
def test_BLD_6_a_floor_with_enemies_is_not_entered() -> None:
    game = march(FOOT, [("rifle-43-soviet", "5,10.4")], HOUSE, blue_1={"floor": 2})
    assert why(game, TakeFloor("red-1", 2)) == "BLD-6"


# --- coming and going -----------------------------------------------------------------------------------------------

COLUMN = 'reinforcements = [{ turn = 1, entry = ["0,10"], units = { "pz-iv-h" = 2 } }]\n'


@rule("SEQ-2")
def test_SEQ_2_reinforcements_enter_at_their_place_and_move() -> None:
    game = march(FOOT, doctrine=COLUMN)
    game.play("red", Enter("red-2", inches(0.5, 10)))
    go(game, "red-2", 2, 11)
    assert at(game, "red-2") == "2,11"
    game.play("red", Stop("red-2"))
    game.play("red", Enter("red-3", inches(0.5, 10)))
    assert why(game, Enter("red-3", inches(0.5, 10))) == "SEQ-2"


@rule("SEQ-2", "MOV-8")
def test_SEQ_2_they_enter_neither_too_early_nor_upon_others() -> None:
    late = march(FOOT, doctrine=edited(COLUMN, "turn = 1", "turn = 2"))
    assert why(late, Enter("red-2", inches(0.5, 10))) == "SEQ-2"
    assert why(march(FOOT, doctrine=COLUMN), Enter("red-2", inches(3, 10))) == "SEQ-2"
    assert why(march([("pz-iv-h", "1,10")], doctrine=COLUMN), Enter("red-2", inches(0.5, 10))) == "MOV-8"


EXIT = 'victory = [{ side = "red", condition = "exit", hexes = ["west"] }]\n'


@rule("SEQ-2")
def test_SEQ_2_a_stand_leaves_by_the_edge_of_its_scenario() -> None:
    game = march([("pz-iv-h", "1,10")], more=EXIT)
    assert why(game, Exit("red-1", "north")) == "SEQ-2"
    game.play("red", Exit("red-1", "west"))
    assert game.state.units["red-1"].status == "exited"
    assert game.state.left["red-1"] == "west"
    assert why(march([("pz-iv-h", "1.1,10")], more=EXIT), Exit("red-1", "west")) == "SEQ-2"


# --- command --------------------------------------------------------------------------------------------------------


@rule("CMD-1", "CMD-2", "CMD-3")
@pytest.mark.parametrize(("place", "wanted"), [("25,10", ""), ("25.001,10", "CMD-2")])
def test_CMD_2_a_unit_moves_within_20_inches_of_its_command_post(place: str, wanted: str) -> None:
    game = march([("pz-iv-h", "5,10"), ("cp-german", place)])
    assert against(game, "red-1", 5, 11) == wanted
    assert against(game, "red-2", 25, 9.5) == ""


@rule("CMD-3")
def test_CMD_3_a_scenario_names_another_radius() -> None:
    game = march([("pz-iv-h", "5,10"), ("cp-german", "16,10")], doctrine="radius = 10.5\n")
    assert against(game, "red-1", 5, 11) == "CMD-2"


@rule("CMD-1")
def test_CMD_1_a_side_without_command_posts_moves_freely() -> None:
    assert against(march(FOOT), "red-1", 5.5, 10) == ""


@rule("CMD-2")
def test_CMD_2_without_its_command_post_nobody_moves() -> None:
    game = march([("pz-iv-h", "5,10"), ("cp-german", "7,10")])
    game.state.lift("red-2", "eliminated")
    assert against(game, "red-1", 5, 11) == "CMD-2"


@rule("CMD-1", "CMD-2")
def test_R86_by_option_stands_without_any_post_left_act_freely() -> None:
    far = [("pz-iv-h", "5,10"), ("cp-german", "7,10"), ("cp-german", "30,10")]
    game = march(far, more='options = ["R86"]\n')
    game.state.lift("red-2", "eliminated")
    assert against(game, "red-1", 5, 11) == "CMD-2"  # one is left, too far away
    game.state.lift("red-3", "eliminated")
    assert against(game, "red-1", 5, 11) == ""


@rule("STD-2", "CMD-2")
@pytest.mark.parametrize(("post", "wanted"), [("24,10", "STD-2"), ("26,10", "CMD-2")])
def test_CMD_2_a_post_out_of_reach_is_not_named_as_busy(post: str, wanted: str) -> None:
    game = march([*FOOT, ("cp-german", post)])
    turn = game.state.turn
    plot = Mission("red", "red-1", "smoke", (0, 0), "red-2", "square", 0, turn, turn + 1)
    game.state.plots = (plot,)
    found = not_commanded(game.state, game.state.units["red-1"])
    assert found is not None
    assert found.rule == wanted


@rule("STD-2")
def test_STD_2_a_post_that_spots_for_artillery_does_not_command() -> None:
    game = march([("pz-iv-h", "5,10"), ("cp-german", "7,10"), ("mortar-81-german", "7,12")])
    game.state.plots = (Mission("red", "red-3", "neutralization", inches(20, 20), "red-2", "square", 0, 1, 2),)
    assert against(game, "red-1", 5, 11) == "STD-2"
    assert against(game, "red-2", 7, 10.5) == ""  # the post itself is in command
    game.state.plots = (Mission("red", "red-3", "neutralization", inches(20, 20), "red-2", "square", 0, 0, 1),)
    assert against(game, "red-1", 5, 11) == ""


# --- clicks ---------------------------------------------------------------------------------------------------------


def meant(game: Game[Position], *what: Any) -> list[Action]:
    """The legal actions of red that a click could mean."""
    found = RULESET.meant(game.state, "red", game.stack[-1], what)
    return [action for action in found if game.why_not("red", action) is None]


@rule("FOF-3")
def test_a_click_turns_a_gun_towards_its_point() -> None:
    game = march(SMALL)
    assert meant(game, "red-1", inches(6, 5)) == [Turn("red-1", 11)]
    assert meant(game, "red-1") == []


@rule("TRN-3")
def test_a_click_on_two_stands_loads_one_of_them() -> None:
    game = march([("half-track-german", "5,10"), ("rifle-40-german", "6,10")])
    assert Load("red-1", "red-2") in meant(game, "red-1", "red-2")
    assert Load("red-1", "red-2") in meant(game, "red-2", "red-1")
    board(game.state, "red-1", "red-2")
    assert Unload("red-1", "red-2", inches(6, 10), 90) in meant(game, "red-1", inches(6, 10))
