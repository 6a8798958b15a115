"""Neutralization and destruction [NEU]: recorded missions, and their execution in the next turn."""

from __future__ import annotations

from typing import Any

import pytest

from opfire.core.events import Calculation
from opfire.core.game import Game
from opfire.rulesets.panzerblitz_miniatures.actions import EndPhase
from opfire.rulesets.panzerblitz_miniatures.fire.direct import attacked_before
from opfire.rulesets.panzerblitz_miniatures.fire.indirect import (
    DesignateSmoke,
)
from opfire.rulesets.panzerblitz_miniatures.moving.works import Work
from opfire.rulesets.panzerblitz_miniatures.pieces import Position
from rules.panzerblitz_miniatures.batteries import GUN, OBSERVER, TANK, against, battery, next_turn, phase, plan
from rules.panzerblitz_miniatures.grounds import area, crossing, inches, line
from rules.panzerblitz_miniatures.kit import rule
from rules.panzerblitz_miniatures.marches import Units

TWO_GUNS: Units = (OBSERVER, GUN, ("how-105-german", "2,14"))


def fired(game: Game[Position]) -> list[Calculation]:
    """The attacks of the last phase."""
    return [event.calculation for event in game.events if event.kind == "fired" and event.calculation]


def targets(game: Game[Position]) -> list[str]:
    """The targets of the attacks of the last phase, in their order."""
    return [event.units[-1] for event in game.events if event.kind == "fired"]


@rule("NEU-2", "NEU-4")
def test_NEU_4_the_record_holds_spotter_place_target_and_kind() -> None:
    game = battery()
    plan(game, task="destruction", shape="linear", facing=30)
    (plot,) = game.state.plots
    assert (plot.unit, plot.target, plot.spotter, plot.task) == ("red-2", "blue-1", "red-1", "destruction")
    assert (plot.at, plot.shape, plot.facing) == (inches(25, 10), "linear", 30)


@rule("NEU-2")
def test_NEU_2_only_its_own_side_hears_of_a_mission() -> None:
    game = battery()
    plan(game)
    assert game.only == ("red",)
    assert all(event.only == ("red",) for event in game.events)
    assert game.sight("blue").plots == ()
    assert game.sight("spectator").plots == ()
    assert len(game.sight("red").plots) == 1


@rule("NEU-5")
def test_NEU_5_a_unit_takes_one_mission_a_turn() -> None:
    game = battery()
    plan(game)
    assert against(game) == "NEU-5"


@rule("NEU-6", "NEU-11", "SEQ-5")
def test_NEU_6_a_mission_is_executed_in_the_next_turn_by_the_chart_of_effectiveness() -> None:
    game = battery(dice=(2,))
    plan(game)
    game.play("red", EndPhase())
    assert not fired(game)
    assert not game.state.units["red-2"].fired
    next_turn(game)
    (attack,) = fired(game)
    assert attack.column == "2-1"  # 40, half beyond 1000 metres, to 9
    assert game.state.units["blue-1"].order == "dispersed"  # D
    assert game.state.units["red-2"].fired
    assert game.state.plots == ()


@rule("NEU-2", "NEU-9", "NEU-10")
def test_NEU_2_recorded_missions_are_a_list_with_their_chances_for_their_own_side() -> None:
    game = battery(red=TWO_GUNS)
    plan(game, "red-2")
    plan(game, "red-3")
    # Both are one attack [NEU-10].
    (one,) = game.view("red")["missions"]
    assert (one["place"], one["units"]) == ("25,10", ["red-2", "red-3"])
    (target,) = one["targets"]
    assert target["units"] == ["blue-1"]
    # Twice 40, half beyond 1000 metres, to 9.
    assert target["calculation"]["column"] == "4-1"
    assert game.view("blue")["missions"] == []
    assert game.view("spectator")["missions"] == []


@rule("SEQ-5")
def test_SEQ_5_missions_are_recorded_before_those_of_the_last_turn_are_executed() -> None:
    game = battery(dice=(2,) * 4)
    plan(game)
    game.play("red", EndPhase())
    game.state.turn = 2
    phase(game)
    assert against(game) == ""  # the gun has yet to fire, and is designated again
    plan(game)
    game.play("red", EndPhase())
    assert [plot.due for plot in game.state.plots] == [3]
    assert game.state.units["red-2"].fired


@rule("NEU-7")
def test_NEU_7_a_dispersed_firer_adds_nothing() -> None:
    game = battery(red=TWO_GUNS, dice=(2,) * 4)
    plan(game, "red-2")
    plan(game, "red-3")
    game.play("red", EndPhase())
    game.state.change("red-2", order="dispersed")
    next_turn(game)
    (attack,) = fired(game)
    assert attack.column == "2-1"
    assert not game.state.units["red-2"].fired


@rule("NEU-7", "NEU-12")
def test_NEU_7_a_mission_whose_firers_are_all_gone_is_lost() -> None:
    game = battery()
    plan(game)
    game.play("red", EndPhase())
    game.state.lift("red-2", "eliminated")
    assert "The mission of 10.5cm le.FH 18 1 is lost" in next_turn(game)
    assert game.state.plots == ()


@rule("NEU-8", "NEU-12")
def test_NEU_8_the_attack_is_made_at_the_location_though_the_target_has_left() -> None:
    game = battery(blue=(TANK, ("t-34-76", "30,10")), dice=(2,) * 4)
    plan(game)
    game.play("red", EndPhase())
    game.state.put("blue-1", inches(35, 20))
    game.state.put("blue-2", inches(25, 11))
    next_turn(game)
    assert targets(game) == ["blue-2"]
    assert game.state.units["red-2"].fired


@rule("NEU-12")
def test_NEU_12_fire_at_an_empty_location_uses_the_firer_up() -> None:
    game = battery()
    plan(game)
    game.play("red", EndPhase())
    game.state.put("blue-1", inches(35, 20))
    next_turn(game)
    assert targets(game) == []
    assert game.state.units["red-2"].fired


@rule("NEU-8", "NEU-9")
def test_NEU_9_friends_and_others_under_the_template_are_attacked_at_plus_one() -> None:
    game = battery(
        red=(OBSERVER, GUN, ("pz-iv-h", "26.5,11.5")),
        blue=(TANK, ("t-34-76", "24,9"), ("t-34-76", "25,11.6")),
        dice=(2,) * 4,
    )
    plan(game)  # three inches by three round 25,10: its corner belongs to it
    game.play("red", EndPhase())
    next_turn(game)
    assert targets(game) == ["blue-1", "red-3", "blue-2"]
    aimed, friend, other = fired(game)
    assert (aimed.modifier, friend.modifier, other.modifier) == (0, 1, 1)


@rule("IF-10")
def test_IF_10_a_linear_template_lies_as_its_player_turned_it() -> None:
    for facing, hit in ((0, ["blue-1", "blue-2"]), (90, ["blue-1", "blue-3"])):
        game = battery(blue=(TANK, ("t-34-76", "25,12"), ("t-34-76", "27,10")), dice=(2,) * 4)
        plan(game, shape="linear", facing=facing)  # 4.5 inches long and 1.5 wide
        game.play("red", EndPhase())
        next_turn(game)
        assert targets(game) == hit


@rule("NEU-10")
def test_NEU_10_missions_against_one_target_are_one_attack() -> None:
    game = battery(red=TWO_GUNS, dice=(2,) * 4)
    plan(game, "red-2")
    plan(game, "red-3")
    game.play("red", EndPhase())
    next_turn(game)
    (attack,) = fired(game)
    assert attack.column == "4-1"  # 20 and 20 to 9


@rule("NEU-10")
def test_NEU_10_a_bystander_suffers_the_templates_that_cover_it() -> None:
    red = (OBSERVER, GUN, ("mortar-81-german", "12,12"))
    game = battery(red=red, blue=(TANK, ("t-34-76", "25,11.4")), dice=(2,) * 4)
    plan(game, "red-2")  # 3 inches by 3
    plan(game, "red-3")  # 2 by 2 covers the target alone
    game.play("red", EndPhase())
    next_turn(game)
    both, one = fired(game)
    strengths = [[line.value for line in made.lines if line.kind == "attack"] for made in (both, one)]
    assert strengths == [["20", "3"], ["20"]]


@rule("NEU-13")
def test_NEU_13_destruction_takes_two_missions_and_has_minus_two() -> None:
    game = battery(blue=(TANK, ("t-34-76", "25,11")), dice=(2,) * 4)
    plan(game, task="destruction")  # 1.5 inches by 1.5: the second tank is outside
    game.play("red", EndPhase())
    assert "10.5cm le.FH 18 1 fires for range" in next_turn(game)
    assert game.state.units["red-2"].fired
    assert not fired(game)
    next_turn(game)
    (attack,) = fired(game)
    assert attack.modifier == -2
    assert targets(game) == ["blue-1"]


@rule("NEU-13", "NEU-7")
def test_NEU_13_a_destruction_whose_first_mission_is_not_fired_is_lost() -> None:
    game = battery(dice=(2,) * 4)
    plan(game, task="destruction")
    game.play("red", EndPhase())
    game.state.change("red-2", order="dispersed")
    assert "The mission of 10.5cm le.FH 18 1 is lost" in next_turn(game)
    assert not game.state.units["red-2"].fired
    game.state.change("red-2", order="good order")
    next_turn(game)
    assert not fired(game)


@rule("NEU-5", "NEU-13")
def test_NEU_13_no_other_mission_until_a_destruction_is_complete() -> None:
    game = battery(dice=(2,) * 4)
    plan(game, task="destruction")
    game.play("red", EndPhase())
    game.state.turn = 2
    phase(game)
    assert against(game) == "NEU-5"


@rule("COM-6", "IF-1")
def test_COM_6_a_unit_under_two_templates_is_attacked_once_unless_it_is_the_target() -> None:
    red = (*TWO_GUNS, ("how-105-german", "2,18"))
    pair = (TANK, ("t-34-76", "25,11"))
    game = battery(red=red, blue=pair, dice=(2,) * 4)
    plan(game, "red-2", target="blue-1")
    plan(game, "red-3", target="blue-2")
    game.play("red", EndPhase())
    next_turn(game)
    assert targets(game) == ["blue-1", "blue-2", "blue-2"]  # the second tank is the target of the second salvo


@rule("COM-6")
def test_R52_every_template_attacks_everybody() -> None:
    pair = (TANK, ("t-34-76", "25,11"))
    game = battery(red=TWO_GUNS, blue=pair, dice=(2,) * 4)
    game.state.setting.options = frozenset({"R52"})
    plan(game, "red-2", target="blue-1")
    plan(game, "red-3", target="blue-2")
    game.play("red", EndPhase())
    next_turn(game)
    assert targets(game) == ["blue-1", "blue-2", "blue-2", "blue-1"]


@rule("IF-11")
def test_IF_11_indirect_fire_leaves_direct_fire_at_the_same_unit() -> None:
    game = battery(dice=(2,) * 4)
    plan(game)
    game.play("red", EndPhase())
    next_turn(game)
    assert game.state.units["blue-1"].attacked == ("indirect",)
    assert attacked_before(game.state, "blue-1") is None


@rule("HIL-3")
def test_HIL_3_no_line_of_fire_no_hedge() -> None:
    hedge = '[[lines]]\nkind = "hedge"\nname = "the hedge"\npoints = "24.5,5 24.5,15"\n'
    near = (("observer-german", "16,10"), GUN)
    game = battery(red=near, ground=hedge, dice=(2,), blue_1={"spotters": ("red-1",)})
    plan(game)
    game.play("red", EndPhase())
    next_turn(game)
    assert fired(game)[0].modifier == 0


@rule("SSC-3", "SSC-1", "SSC-7", "SEQ-4")
def test_SSC_3_recorded_smoke_is_laid_in_the_next_turn() -> None:
    game = battery()
    game.play("red", DesignateSmoke("red-2", inches(20, 10), "red-1", "square", 0))
    game.play("red", EndPhase())
    assert not game.state.clouds
    next_turn(game)
    assert [(cloud.side, cloud.marker) for cloud in game.state.clouds] == [("red", 1)]
    assert game.state.units["red-2"].shells == 4
    next_turn(game)
    assert [cloud.marker for cloud in game.state.clouds] == [2]
    next_turn(game)
    assert not game.state.clouds


@rule("NEU-7", "NEU-13")
def test_NEU_7_guns_off_the_board_reach_everywhere_as_long_as_they_have_missions() -> None:
    support = 'off_board = [{ unit = "how-150-german", missions = 3 }]\n'
    game = battery((OBSERVER,), (TANK, ("t-34-76", "25,14")), doctrine=support, dice=(2,))
    assert game.state.units["red-2"].status == "off-board"
    plan(game, task="destruction")
    next_turn(game)
    assert game.state.units["red-2"].missions == 3
    next_turn(game)
    (attack,) = fired(game)
    assert attack.column == "3-1"  # 60, half at its farthest, to 9
    assert game.state.units["red-2"].missions == 1
    assert against(game, target="blue-2", task="destruction") == "NEU-13"
    assert against(game, target="blue-2") == ""


SPAN = line("stream", "25,0 25,30") + line("road", "0,10 40,10") + crossing("bridge", "24,10 26,10")


def shelled(**values: Any) -> Game[Position]:
    """A mission against the bridge, ready to be executed."""
    game = battery(ground=SPAN, **values)
    plan(game, target=bridge(game))
    game.play("red", EndPhase())
    return game


def bridge(game: Game[Position]) -> str:
    """The id of the bridge."""
    return game.state.table.ground.of_kind("bridge")[0].id


@rule("BRI-6", "BRI-8")
def test_BRI_8_indirect_fire_at_a_bridge_has_half_strength() -> None:
    game = shelled(blue=(("t-34-76", "39,29"),), dice=(1,))
    next_turn(game)
    (attack,) = fired(game)
    assert attack.column == "1-2"  # 20 of 40 to 30
    assert [line.value for line in attack.lines if line.rule == "BRI-8"] == ["x 1/2"]


@rule("BRI-6")
def test_BRI_6_mortars_destroy_no_bridges() -> None:
    game = battery(red=(OBSERVER, ("mortar-81-german", "12,12")), ground=SPAN)
    assert against(game, target=bridge(game)) == "BRI-6"
    assert against(game, target="nothing") == "NEU-1"


@rule("BRI-7")
def test_BRI_7_a_bridge_is_left_alone_while_units_on_it_are_attacked() -> None:
    game = shelled(dice=(2,))  # the tank stands on the bridge
    next_turn(game)
    assert targets(game) == ["blue-1"]
    assert fired(game)[0].modifier == 1


def bunker(side: str = "blue", blue: Units = (("t-34-76", "39,29"),), **more: Any) -> Game[Position]:
    """A fortification of a side at 25,10, and nobody else near it but the blue stands named."""
    game = battery(blue=blue, **more)
    game.state.lay(Work("bunker", "fort", inches(25, 10), side))
    return game


@rule("FRT-5", "FRT-12", "NEU-1")
def test_FRT_5_a_fortification_is_a_target_of_missions_as_such() -> None:
    game = bunker(dice=(1,))
    plan(game, target="bunker")
    next_turn(game)
    (attack,) = fired(game)
    assert (attack.column, attack.modifier) == ("2-1", 2)  # half of 40 on armor beyond eight inches, to 10
    assert game.state.works["bunker"].dispersed  # a 3 is DD


@rule("FRT-7", "FRT-12")
def test_FRT_12_a_mission_against_a_fortification_decides_for_its_occupants() -> None:
    game = bunker(blue=(("rifle-43-soviet", "25,10"), ("t-34-76", "39,29")), dice=(1,), blue_1={"work": "bunker"})
    plan(game, target="bunker")
    next_turn(game)
    assert len(fired(game)) == 1
    assert game.state.units["blue-1"].dispersed


@rule("FRT-10")
def test_FRT_10_a_mission_destroys_no_fortification_of_its_own_side() -> None:
    assert against(bunker("red"), target="bunker") == "FRT-10"
    game = bunker("red", blue=(("rifle-43-soviet", "25,10"), ("t-34-76", "39,29")), blue_1={"work": "bunker"})
    assert against(game, target="bunker") == ""  # the enemy has captured it


COPSE = area("woods", 0, 8, 2.5, 12)  # the gun stands in it, and is seen to ten inches when it has fired


@rule("SPT-4", "NEU-12")
@pytest.mark.parametrize(("watcher", "spotted"), [("12,10", True), ("12.001,10", False)])
def test_SPT_4_a_gun_that_fires_at_an_empty_place_is_spotted(watcher: str, spotted: bool) -> None:
    game = battery(blue=(TANK, ("t-34-76", watcher)), red=(("observer-german", "14,14"), GUN), ground=COPSE)
    plan(game)
    game.state.put("blue-1", inches(35, 25))
    next_turn(game)
    assert not fired(game)  # nobody is under the template
    assert game.state.units["red-2"].spotted is spotted


@rule("SPT-4", "NEU-13")
def test_SPT_4_a_gun_that_fires_for_range_is_spotted() -> None:
    game = battery(blue=(TANK, ("t-34-76", "12,10")), red=(("observer-german", "14,14"), GUN), ground=COPSE)
    plan(game, task="destruction")
    next_turn(game)
    assert game.state.units["red-2"].spotted
