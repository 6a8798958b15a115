"""The special rules of State Farm 79 [SC.sf79]: preset fire, silent weapons, and the rolls that end the fire."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from opfire.core import scenario as scenarios
from opfire.core.game import Game
from opfire.core.texts import spoken, translation
from opfire.rulesets.micro_armour import RULESET, decisions
from opfire.rulesets.micro_armour.artillery.direct import FireDirect, cannot_fire_direct
from opfire.rulesets.micro_armour.artillery.indirect import carry_out
from opfire.rulesets.micro_armour.artillery.plotting import JointPlot, Terminate
from opfire.rulesets.micro_armour.artillery.preparing import Bombard
from opfire.rulesets.micro_armour.artillery.preset import KeepFiring, TryToCease, by_turn
from opfire.rulesets.micro_armour.artillery.writing import Aim, DropPlot, FireLonger, GroupWith
from opfire.rulesets.micro_armour.fire.standard import cannot_fire
from opfire.rulesets.micro_armour.pieces import Position
from opfire.rulesets.micro_armour.recovery import MarkerRemoval
from rules.micro_armour.kit import RIFLES, T34, fair, game, refused, rule, scripts

EAST, WEST = (30000, 12000), (10000, 12000)


def farm() -> Game[Position]:
    """The battle, with the Germans' choice of targets first."""
    found = scenarios.parse(scenarios.text_of("armour-state-farm"), "state farm")
    state, frame = RULESET.start(RULESET.set_up(found))
    made: Game[Position] = Game(RULESET, state, game().dice, {side: side for side in found.sides})
    made.push(frame)
    fair(made, 1)
    made.run()
    return made


def batteries(made: Game[Position], side: str) -> list[str]:
    """The side's batteries off the map."""
    return [name for name in made.state.setting.ids[side] if made.state.units[name].status == "off the map"]


def preset(made: Game[Position], side: str) -> None:
    """Fix a target for each battery of a side."""
    for number, name in enumerate(batteries(made, side)):
        made.play(side, Bombard(name))
        made.play(side, Aim(((30 if side == "german" else 4) * 1000 + number * 3000, 12000)))


@rule("SC.sf79.1")
def test_SC_sf79_1_each_battery_gets_one_target_beyond_the_river_before_anybody_sets_up() -> None:
    made = farm()
    guns = batteries(made, "german")
    assert (made.deciders(), made.choices("german").actors()) == (("german",), tuple(guns))
    made.play("german", Bombard(guns[0]))
    assert refused(made, "german", Aim(WEST)) == "SC.sf79.1"
    for action in (DropPlot(), FireLonger(), GroupWith(guns[1])):
        assert refused(made, "german", action) == "SC.sf79.1"
    made.play("german", Aim(EAST))
    assert refused(made, "german", Bombard(guns[0])) == "SC.sf79.1"
    assert made.deciders() == ("german",)


@rule("SC.sf79.1")
def test_SC_sf79_1_german_fire_falls_from_turn_1_and_soviet_fire_from_turn_5() -> None:
    made = farm()
    preset(made, "german")
    assert (made.deciders(), len(batteries(made, "soviet"))) == (("soviet",), 2)
    preset(made, "soviet")
    turns = {(each.side, each.due, each.until) for each in made.state.missions.values()}
    assert turns == {("german", 1, 14), ("soviet", 5, 14)}
    assert {each.side for each in made.sight("soviet").missions.values()} == {"soviet"}


@rule("SC.sf79.1")
@pytest.mark.parametrize(("german", "soviet", "order"), [(1, 5, ["german", "soviet"]), (5, 1, ["soviet", "german"])])
def test_SC_sf79_1_the_side_whose_fire_falls_first_fixes_its_targets_first(
    german: int, soviet: int, order: list[str]
) -> None:
    made = farm().state.setting
    turns, sides = {"german": german, "soviet": soviet}, {**made.sections.sides}
    for side, turn in turns.items():
        preset = sides[side].preset
        assert preset is not None
        sides[side] = replace(sides[side], preset=replace(preset, turn=turn))
    made.sections = replace(made.sections, sides=sides)
    assert by_turn(made, turns) == order


@rule("SC.sf79.1")
def test_SC_sf79_1_the_fire_goes_on_turn_after_turn_without_being_plotted() -> None:
    made = farm()
    preset(made, "german")
    name = next(iter(made.state.missions))
    made.state.turn = 1
    scripts(made, [1, 1, *[6] * 40])
    carry_out(made, name)
    assert made.state.missions[name].arrived
    made.state.turn = 2
    assert made.state.missions[name].until > 2
    battery = made.state.missions[name].batteries[0]
    made.stack = (JointPlot("german"),)
    assert refused(made, "german", Terminate(battery, name)) == "SC.sf79.3"


SILENT = "silent_until = 5\n"


@rule("SC.sf79.2")
@pytest.mark.parametrize(("turn", "refusal"), [(4, "SC.sf79.2"), (5, "")])
def test_SC_sf79_2_no_soviet_weapon_fires_before_turn_5(turn: int, refusal: str) -> None:
    made = game([(T34, "20,15")], [(RIFLES, "23,15"), ("sov-82mm-mortar-3", "30,15")], soviet_more=SILENT).state
    made.turn = turn
    found = cannot_fire(made, "soviet", made.units["soviet-1"])
    assert (found.rule if found else "") == refusal
    shot = FireDirect("soviet-2", (20000, 15000), "open", "N")
    found = cannot_fire_direct(made, "soviet", made.units["soviet-2"], shot)
    assert (found.rule if found else "") == refusal
    assert cannot_fire(made, "german", made.units["german-1"]) is None


def at_the_end_of_turn(made: Game[Position], turn: int, *dice: int) -> None:
    """Go through the marker removal phase of a turn up to the Germans' decision."""
    made.state.turn, made.state.initiative = turn, "german"
    made.stack = ()
    made.push(MarkerRemoval(""))
    made.run()
    scripts(made, dice)


@rule("SC.sf79.3")
def test_SC_sf79_3_two_successes_in_a_row_at_the_ends_of_turns_end_the_fire() -> None:
    """The Germans have cohesion 15."""
    made = farm()
    preset(made, "german")
    for name, mission in made.state.missions.items():
        made.state.missions[name] = replace(mission, drift=(0, 0))
    at_the_end_of_turn(made, 3, 15)
    made.play("german", TryToCease())
    at_the_end_of_turn(made, 4, 16)
    made.play("german", TryToCease())  # it fails, and the first success is lost
    at_the_end_of_turn(made, 5, 15)
    made.play("german", TryToCease())
    assert {mission.until for mission in made.state.missions.values()} == {14}
    at_the_end_of_turn(made, 6, 15)
    made.play("german", TryToCease())
    assert {mission.until for mission in made.state.missions.values()} == {6}


@rule("SC.sf79.3")
def test_SC_sf79_3_a_turn_without_a_try_breaks_the_row() -> None:
    made = farm()
    preset(made, "german")
    at_the_end_of_turn(made, 3, 1)
    made.play("german", TryToCease())
    at_the_end_of_turn(made, 4)
    made.play("german", KeepFiring())
    at_the_end_of_turn(made, 5, 1)
    made.play("german", TryToCease())
    assert all(mission.until == 14 for mission in made.state.missions.values())


@rule("SC.sf79.3")
def test_SC_sf79_3_fire_that_has_not_begun_is_not_ended() -> None:
    made = farm()
    preset(made, "german")
    preset(made, "soviet")
    at_the_end_of_turn(made, 4)
    assert made.deciders() == ("german",)
    made.play("german", KeepFiring())
    assert made.deciders() != ("soviet",)


def test_the_point_on_the_road_that_a_side_has_to_hold_is_told_by_its_whereabouts() -> None:
    """In the task, in what the side lacks, and in the reason of the end."""
    made = farm()
    place = "47.5,10.1 (on the Rollbahn, 9 inches north-east of East Grove)"
    shown = decisions.shown(made.state)
    tasks = [line["text"] for line in shown["victory"] if line["side"] == "soviet"]
    assert f"marginal: hold {place}" in tasks
    assert {gap["side"]: gap["lacks"] for gap in shown["gaps"]}["soviet"] == f"hold {place}"
    made.state.control["47.5,10.1"] = "soviet"
    assert str(decisions.reason(made.state)) == f"Soviet marginal victory: hold {place}"
    with spoken(translation("de", RULESET.package)):
        words = "47.5,10.1 (auf Rollbahn, 9 Zoll im Nordosten von Ostgehölz)"
        assert str(decisions.reason(made.state)).endswith(f"{words} halten")
