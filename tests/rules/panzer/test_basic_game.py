"""The Basic Game [4]: spotting, secret commands, initiative, direct fire, overwatch, movement, adjustment."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from core import contract
from core.contract import Case, Twin, registered
from edits import edited
from opfire.core.actions import Action
from opfire.core.events import Calculation
from opfire.core.game import SPECTATOR, Game
from opfire.kit.orders import Pass
from opfire.rulesets.panzer import RULESET
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.commands import Command, HandIn, cannot_command
from opfire.rulesets.panzer.fire.arms import arms_at
from opfire.rulesets.panzer.fire.direct_fire import Announce, Asked, Attacking, Keep, Resolve, Reveal
from opfire.rulesets.panzer.fire.losses import knock_out
from opfire.rulesets.panzer.fire.overwatch import Overwatch
from opfire.rulesets.panzer.fire.resolving import damage
from opfire.rulesets.panzer.fire.shots import EFFECTS, shot, smoke_between
from opfire.rulesets.panzer.moving.going import ExitMap, Going, Move, Stay, Turn, after, smoking, turning
from opfire.rulesets.panzer.moving.movement import Moving
from opfire.rulesets.panzer.pieces import Position, Work, away
from opfire.rulesets.panzer.setup import Place
from opfire.rulesets.panzer.sighting.ranges import spotting_range
from opfire.rulesets.panzer.sighting.spots import cannot_spot
from opfire.rulesets.panzer.victory import settle_control
from opfire.server.shown import meanings
from rules.panzer.battle import OPEN, SOVIETS, commanded, game, refused, text, told
from rules.panzer.kit import CHARTS, rule, vehicle, weapon

SCREEN = edited(OPEN, "\n. . . . . . . . . . . .", "\n. . . H H H . . . . . .")
"""Heavy woods from north to south between the two sides."""
CLEAR = ". . . . . . . . . . . .\n"
FIRST, SECOND = (90, 10), (10, 90)
"""Initiative for the Germans, and for the Soviets."""
TWO_GUNS = 'units = [{ unit = "pz4h", count = 2, at = ["1-A4", "1-B4"] }]'
TWO_TANKS = 'units = [{ unit = "t34_43", count = 2, at = ["1-G4", "1-G5"] }]'


def hit_number(calculation: Calculation) -> int:
    """The AP Hit Number of a shot."""
    return next(line.amount for line in calculation.lines if line.rule == "4.4.3.2.3")


def next_turn(made: Game[Position]) -> None:
    """End every step of the turn."""
    turn = made.state.turn
    while made.state.turn == turn and made.outcome is None:
        made.play(made.asked()[0], Pass() if isinstance(made.stack[-1], Overwatch) else EndStep())


# --- spotting


@rule("4.1", "4.1.1", "4.1.1-b", "4.1.2", "4.1.3")
def test_each_vehicle_spots_for_itself() -> None:
    board = OPEN.rpartition(CLEAR)[0].rpartition(CLEAR)[0] + ". H . . . . . . . . . .\n" * 2 + "'''\n"
    two = 'units = [{ unit = "pz4h", count = 2, at = ["1-A4", "1-A8"] }]'
    made = game(text(board=board, german=two))
    assert made.state.spots["soviet-1"] == ("german-1",)


@rule("4.1.5", "4.1.1-c", "4.1.1-a")
def test_a_spot_counter_comes_off_when_nobody_spots() -> None:
    made = commanded(game(text(board=SCREEN), FIRST))
    made.state.change("soviet-1", spot="fire")
    next_turn(made)
    assert made.state.units["soviet-1"].spot == ""


@rule("4.1.3-b", "4.4.1-f")
def test_a_spot_counter_stays_while_somebody_spots() -> None:
    made = commanded(game(script=FIRST))
    made.state.change("soviet-1", fresh="fire")
    next_turn(made)
    assert made.state.units["soviet-1"].spot == "fire"


@rule("4.1.3.1")
def test_the_size_of_a_vehicle_does_not_matter_for_spotting() -> None:
    sizes = {name: vehicle(name).size for name in ("pz1b", "pz6b")}
    assert sizes == {"pz1b": -2, "pz6b": 2}
    for name in sizes:
        made = game(text(soviet=f'units = [{{ unit = "{name}", at = ["1-L1"] }}]'))
        assert made.state.spots["soviet-1"] == ("german-1",)
        assert spotting_range(CHARTS, "none", "") == 20


# --- commands


@rule("4.2", "4.2.2")
def test_commands_stay_secret_until_they_are_revealed() -> None:
    made = commanded(game(script=FIRST), {1: "overwatch"}, {1: "move"})
    assert made.sight("soviet").units["german-1"].command == "?"
    assert made.sight("german").units["german-1"].command == "overwatch"
    assert made.sight(SPECTATOR).units["soviet-1"].command == "?"


@rule("4.2.2", "4.2.2-a")
def test_no_command_to_fire_without_a_spotted_target() -> None:
    hidden = game(text(board=SCREEN))
    for command in ("fire", "short halt"):
        assert refused(hidden, "german", HandIn((Command("german-1", command),))) == "4.2.2-a"  # type: ignore[arg-type]
        assert refused(game(), "german", HandIn((Command("german-1", command),))) is None  # type: ignore[arg-type]


@rule("4.2-nc")
def test_a_vehicle_without_a_command_has_no_command() -> None:
    made = commanded(game(text(german=TWO_GUNS), FIRST), {2: "fire"})
    assert [made.state.units[name].command for name in ("german-1", "german-2")] == ["no command", "fire"]
    assert refused(made, "german", Announce("german-1", "soviet-1")) == "4.2"
    assert refused(made, "german", Announce("german-2", "soviet-1")) is None


@rule("4.2-fire")
def test_only_a_command_to_fire_lets_a_vehicle_fire_in_the_direct_fire_step() -> None:
    for command, reason in (("fire", None), ("short halt", None), ("overwatch", "4.2"), ("move", "4.2")):
        made = commanded(game(text(german=TWO_GUNS), FIRST), {1: command, 2: "fire"})
        assert refused(made, "german", Announce("german-1", "soviet-1")) == reason


@rule("3.3")
def test_a_vehicle_faces_a_hexside() -> None:
    zone = '[[zones]]\nname = "west"\nhexes = { board = "plain", columns = "A-B" }\n'
    made = game(text(german='units = [{ unit = "pz4h", zone = "west" }]') + zone)
    assert refused(made, "german", Place("german-1", "1-A4", 6)) == "3.3"
    assert refused(made, "german", Place("german-1", "1-A4", 5)) is None


@rule("3.5", "3.5.1")
def test_range_counts_the_targets_hex_and_not_the_firers() -> None:
    made = game(text(german=TWO_GUNS))
    one, two, enemy = (made.state.units[name] for name in ("german-1", "german-2", "soviet-1"))
    assert [away(made.state, one, two), away(made.state, one, enemy)] == [1, 6]


# --- initiative


@rule("3.1", "4.3", "4.3.1", "4.3.2")
def test_the_higher_roll_is_the_first_player_and_ties_are_rolled_again() -> None:
    made = commanded(game(script=(40, 40, 7, 61)))
    assert made.state.first == "soviet"
    assert made.stack[-1].side == "soviet"


# --- direct fire


@rule("4.4", "4.4.1", "4.4.1-b", "4.4.1-g", "4.2-fire")
def test_a_vehicle_with_a_fire_command_and_a_target_must_fire() -> None:
    made = commanded(game(script=(*FIRST, 99)), {1: "fire"})
    assert refused(made, "german", EndStep()) == "4.4.1-g"
    made.play("german", Announce("german-1", "soviet-1"))
    made.play("german", Resolve())
    made.play("soviet", Keep())
    assert told(made, "fired") == ["Pz Kpfw IV H 1 misses T-34 M43 1"]
    # Its main gun is the 7.5 cm KwK 40.
    assert [event.calibre for event in made.events if event.kind == "fired"] == [75]
    assert refused(made, "german", EndStep()) is None
    assert refused(made, "german", Announce("german-1", "soviet-1")) == "4.4.1-b"


@rule("4.4")
def test_the_basic_game_knows_direct_fire_with_armor_piercing_rounds_alone() -> None:
    made = commanded(game(script=FIRST), {1: "fire"})
    units = made.state.units
    assert [arm.row.ammo for arm in arms_at(made.state, units["german-1"], units["soviet-1"])] == ["AP"]
    assert refused(made, "german", Announce("german-1", "soviet-1", weapon="g75l48 HE")) == "4.4.3"


@rule("4.4.1-d", "4.4.1-e")
def test_fire_announced_at_a_target_that_is_gone_is_spent() -> None:
    made = commanded(game(text(german=TWO_GUNS), (*FIRST, 1)), {1: "fire", 2: "fire"})
    made.play("german", Announce("german-1", "soviet-1"))
    assert refused(made, "german", Announce("german-1", "soviet-1")) == "4.4.1-d"
    made.play("german", Announce("german-2", "soviet-1"))
    made.play("german", Resolve())
    made.play("soviet", Keep())
    assert told(made, "eliminated") == ["T-34 M43 1 brews up"]
    assert told(made, "spent") == ["Pz Kpfw IV H 2 fires at a target that is gone"]
    assert made.state.units["german-2"].fired


@rule("4.4.1-d")
def test_all_fire_at_a_target_is_announced_before_any_is_resolved() -> None:
    made = commanded(game(text(german=TWO_GUNS, soviet=TWO_TANKS), (*FIRST, 99)), {1: "fire", 2: "fire"})
    made.play("german", Announce("german-1", "soviet-1"))
    made.play("german", Resolve())
    made.play("soviet", Keep())
    assert refused(made, "german", Announce("german-2", "soviet-1")) == "4.4.1-d"
    assert refused(made, "german", Announce("german-2", "soviet-2")) is None


@rule("4.4.1-g", "4.4.1-d")
def test_a_vehicle_with_no_other_target_joins_the_fire() -> None:
    made = commanded(game(text(german=TWO_GUNS), (*FIRST, 99, 99)), {1: "fire", 2: "fire"})
    made.play("german", Announce("german-1", "soviet-1"))
    assert refused(made, "german", Resolve()) == "4.4.1-g"
    assert Resolve() not in list(made.choices("german"))
    assert "no other target" in made.prompt("german")
    frame, choices = made.stack[-1], made.choices("german")
    for think in (RULESET.suggest, RULESET.script):
        assert think(made.sight("german"), "german", frame, choices)[0].action == Announce("german-2", "soviet-1")
    made.play("german", Announce("german-2", "soviet-1"))
    assert "or resolve it" in made.prompt("german")
    made.play("german", Resolve())
    made.play("soviet", Keep())
    assert all(unit.fired for unit in made.state.of("german"))
    assert refused(made, "german", EndStep()) is None


@rule("4.4.3.2.2-moving")
def test_the_targets_owner_may_reveal_that_it_moves() -> None:
    made = commanded(game(script=(*FIRST, 70)), {1: "fire"}, {1: "move"})
    made.play("german", Announce("german-1", "soviet-1"))
    made.play("german", Resolve())
    assert isinstance(made.stack[-1], Asked)
    before = hit_number(shot(made.state, made.state.units["german-1"], made.state.units["soviet-1"], False))
    made.play("soviet", Reveal("soviet-1"))
    assert made.state.units["soviet-1"].revealed
    (event,) = (event for event in made.events if event.kind == "fired")
    assert event.calculation is not None
    assert [line.amount for line in event.calculation.lines if line.rule == "4.4.3.2.2-moving"] == [-2]
    assert hit_number(event.calculation) < before


@rule("4.4.3.2.2-moving")
def test_a_vehicle_that_does_not_move_cannot_claim_to() -> None:
    made = commanded(game(script=(*FIRST, 70)), {1: "fire"}, {1: "overwatch"})
    made.play("german", Announce("german-1", "soviet-1"))
    made.play("german", Resolve())
    assert refused(made, "soviet", Reveal("soviet-1")) == "4.4.3.2.2-moving"


@rule("4.4.3.2.6-damaged")
def test_a_second_damage_knocks_out() -> None:
    made = game()
    damage(made, made.state.units["soviet-1"])
    assert made.state.units["soviet-1"].damaged
    damage(made, made.state.units["soviet-1"])
    assert made.state.units["soviet-1"].status == "eliminated"
    assert made.state.wrecks == {"1-G4": "KO"}


@rule("4.4.3.2.6-ko", "4.4.3.2.6-bu", "4.1.4.1.8", "4.1.4.1.9")
def test_a_brew_up_replaces_a_plain_wreck_and_smokes_from_the_next_step_on() -> None:
    made = game(text(soviet='units = [{ unit = "t34_43", count = 3, at = ["1-G4"] }]'))
    state = made.state
    knock_out(made, state.units["soviet-1"], brews_up=False)
    assert state.wrecks == {"1-G4": "KO"}
    knock_out(made, state.units["soviet-2"], brews_up=True)
    assert state.wrecks == {"1-G4": "BU"}
    assert smoke_between(state, "1-A4", "1-G4") == 0
    state.smoking = ()
    assert smoke_between(state, "1-A4", "1-G4") == 1
    assert smoke_between(state, "1-A1", "1-G1") == 0
    knock_out(made, state.units["soviet-3"], brews_up=False)
    assert state.wrecks == {"1-G4": "BU"}


@rule("4.4.1-a")
def test_fire_needs_a_target_spotted_in_the_spotting_phase() -> None:
    made = commanded(game(text(german=TWO_GUNS, soviet=TWO_TANKS), FIRST), {1: "fire"})
    made.state.spots["soviet-1"] = ("german-2",)
    assert refused(made, "german", Announce("german-1", "soviet-1")) == "4.4.1-a"
    assert refused(made, "german", Announce("german-1", "soviet-2")) is None


@rule("4.4.1-c")
def test_fire_counts_the_facing_of_the_moment() -> None:
    made = commanded(game(script=FIRST), {1: "fire"})
    firer, target = made.state.units["german-1"], made.state.units["soviet-1"]
    armor = [(target.kind.basic_front, target.facing), (target.kind.basic_rear, 2)]
    for factor, facing in armor:
        found = shot(made.state, firer, made.state.change("soviet-1", facing=facing), False)
        assert [line.amount for line in found.lines if line.kind == "defence"] == [factor]


@rule("4.4.1-e")
def test_a_result_holds_at_once() -> None:
    made = commanded(game(text(german=TWO_GUNS, soviet=TWO_TANKS), (*FIRST, 1)), {1: "fire", 2: "fire"})
    made.play("german", Announce("german-1", "soviet-1"))
    made.play("german", Resolve())
    made.play("soviet", Keep())
    assert refused(made, "german", Announce("german-2", "soviet-1")) is not None
    assert refused(made, "german", Announce("german-2", "soviet-2")) is None


@rule("4.4.1-f", "4.4.3.2")
def test_a_shot_marks_its_firer_from_the_next_turn_on() -> None:
    made = commanded(game(script=(*FIRST, 99)), {1: "fire"})
    made.play("german", Announce("german-1", "soviet-1"))
    made.play("german", Resolve())
    made.play("soviet", Keep())
    unit = made.state.units["german-1"]
    assert (unit.spot, unit.fresh, unit.seen_as) == ("", "fire", "fire")


@rule("4.4.3", "4.4.3.1", "4.4.3.1.3", "4.4.3.1.4")
def test_guns_without_a_turret_bear_to_the_front_alone() -> None:
    aside = 'units = [{ unit = "t34_43", at = ["1-A7"] }]'
    made = commanded(
        game(text(german='units = [{ unit = "stug3g", at = ["1-A4"] }]', soviet=aside), FIRST), {1: "fire"}
    )
    assert refused(made, "german", Announce("german-1", "soviet-1")) == "4.4.3.1.3"
    assert refused(made, "german", EndStep()) is None


@rule("4.4.3.2.1", "4.4.3.1", "4.4.1-b")
def test_either_ap_weapon_of_a_vehicle_fires_but_one_alone() -> None:
    """The M3 has a 37 mm gun in its turret and a 75 mm gun in its hull, which bears to the front alone."""
    ahead, behind = '"1-D5"', '"1-A1"'
    for hex, weapons in ((ahead, {"", "u37 AP"}), (behind, {""})):
        scenario = text(german='units = [{ unit = "m3lee", at = ["1-A4"] }]', soviet=SOVIETS.replace('"1-G4"', hex))
        made = commanded(game(scenario, (*FIRST, 99)), {1: "fire"})
        offers = [act for act in made.choices("german") if isinstance(act, Announce)]
        assert {act.weapon for act in offers} == weapons
        assert refused(made, "german", Announce("german-1", "soviet-1", "u75m2 AP")) == (
            None if hex == ahead else "4.4.3.1.4"
        )
    made = commanded(game(text(german='units = [{ unit = "m3lee", at = ["1-A4"] }]'), (*FIRST, 99)), {1: "fire"})
    made.play("german", Announce("german-1", "soviet-1", "u75m2 AP"))
    assert refused(made, "german", Announce("german-1", "soviet-1", "u37 AP")) == "4.4.1-d"
    made.play("german", Resolve())
    made.play("soviet", Keep())
    assert refused(made, "german", Announce("german-1", "soviet-1", "u37 AP")) == "4.4.1-b"


@rule("3.2", "4.4.3.2.1", "4.4.3.2.3", "4.4.3.2.5", "4.4.3.2.6", "4.4.3.2.4")
def test_a_preview_shows_the_whole_shot() -> None:
    made = commanded(game(script=FIRST), {1: "fire"})
    shown = RULESET.preview(made.sight("german"), made.stack[-1], Announce("german-1", "soviet-1"))
    assert isinstance(shown, Calculation)
    band = shown.column.partition(",")[0]
    assert band == "S"
    number = CHARTS.hit[vehicle("t34_43").size].number("S")
    assert hit_number(shown) == number
    factor, armor = weapon("g75l48").value("S"), vehicle("t34_43").basic_front
    compared = [(line.kind, line.amount) for line in shown.lines if line.rule == "4.4.3.2.5"]
    assert compared == [("attack", factor), ("defence", armor)]
    excess = factor - armor
    effect = next(row.result for row in reversed(CHARTS.basic_damage) if row.excess_from <= excess)
    assert shown.chances() == {EFFECTS[effect]: Fraction(number, 100), "miss": 1 - Fraction(number, 100)}


def test_the_track_stays_at_the_step_while_a_vehicle_moves() -> None:
    made = driving(OPEN, "1-A4", 2)
    step_on(made, next(action.to for action in made.choices("german") if isinstance(action, Move)))
    assert isinstance(made.stack[-1], Moving)
    assert [step["id"] for step in made.view("german")["track"] if step["now"]] == ["movement"]


@rule("4.3.1")
def test_4_3_1_the_side_that_acts_heads_the_view_and_the_first_player_while_nobody_does() -> None:
    made = commanded(game(script=FIRST), {1: "fire"})
    sight = made.sight("german")
    for side in ("german", "soviet"):
        assert RULESET.view(sight, side, Moving(side, f"{side}-1"))["current"] == side
    assert RULESET.view(sight, "german", None)["current"] == sight.first != ""


@rule("4.2")
def test_4_2_no_side_heads_the_view_while_both_write_their_commands() -> None:
    made = game(script=FIRST)
    for side in ("german", "soviet"):
        assert made.view(side)["current"] == ""


def test_4_4_1_the_track_stays_at_direct_fire_while_fire_is_announced() -> None:
    made = commanded(game(script=FIRST), {1: "fire"})
    made.play("german", Announce("german-1", "soviet-1"))
    while isinstance(made.stack[-1], Asked):
        made.play("soviet", Keep())
    assert isinstance(made.stack[-1], Attacking)
    shown = made.view("german")
    assert [step["id"] for step in shown["track"] if step["now"]] == ["direct fire"]


# --- overwatch


@rule("4.4.2", "4.4.2-a", "4.4.2-b", "4.2-overwatch")
def test_overwatch_answers_fire_and_is_answered() -> None:
    made = commanded(
        game(text(german=TWO_GUNS, soviet=TWO_TANKS), (*FIRST, 99, 99, 99)),
        {1: "fire", 2: "overwatch"},
        {1: "overwatch", 2: "no command"},
    )
    made.play("german", Announce("german-1", "soviet-1"))
    made.play("german", Resolve())
    made.play("soviet", Keep())
    made.play("german", EndStep())
    made.play("soviet", EndStep())
    assert isinstance(made.stack[-1], Overwatch)
    while made.stack[-1].side == "german":
        made.play("german", Pass())
    assert refused(made, "soviet", Announce("soviet-2", "german-1")) == "4.2-overwatch"
    assert refused(made, "soviet", Announce("soviet-1", "german-2")) == "4.4.2"
    made.play("soviet", Announce("soviet-1", "german-1"))
    made.play("soviet", Resolve())
    made.play("german", Keep()) if isinstance(made.stack[-1], Asked) else None
    (shot,) = (event for event in made.events if event.kind == "fired")
    assert shot.calculation is not None
    assert [line.amount for line in shot.calculation.lines if line.rule.startswith("4.4.3.2.2-ow")] == [-1]
    assert made.stack[-1].side == "german"
    assert refused(made, "german", Announce("german-2", "soviet-1")) is None


# --- movement


@rule("4.5", "4.5.1", "4.5.1.1", "4.3.2")
def test_the_second_player_moves_first_and_faces_the_way_it_goes() -> None:
    made = commanded(game(script=FIRST), {1: "move"}, {1: "move"})
    made.play("german", EndStep())
    made.play("soviet", EndStep())
    assert made.stack[-1].side == "soviet"
    assert refused(made, "soviet", Move("soviet-1", "1-G5")) == "4.5.1.1"
    assert refused(made, "soviet", Move("soviet-1", "1-F3")) is None
    made.play("soviet", Move("soviet-1", "1-F3"))
    assert made.state.units["soviet-1"].fresh == "move"
    assert made.state.units["soviet-1"].revealed


@rule("4.5.1.1.1-a", "4.2-short-halt")
def test_a_short_halt_moves_at_half_speed() -> None:
    made = commanded(game(script=(*SECOND, 99)), None, {1: "short halt"})
    made.play("soviet", Announce("soviet-1", "german-1"))
    made.play("soviet", Resolve())
    made.play("german", Keep())
    (shot,) = (event for event in made.events if event.kind == "fired")
    assert shot.calculation is not None
    assert [line.amount for line in shot.calculation.lines if line.rule == "4.4.3.2.2-short-halt"] == [-4]
    made.play("soviet", EndStep())
    made.play("german", EndStep())
    while made.stack[-1].step != "movement" or made.stack[-1].side != "soviet":
        made.play(made.asked()[0], Pass() if isinstance(made.stack[-1], Overwatch) else EndStep())
    steps = 0
    for hex in ("1-F3", "1-E3", "1-D2", "1-C2", "1-B1"):
        if refused(made, "soviet", Move("soviet-1", hex)) is not None:
            break
        made.play("soviet", Move("soviet-1", hex))
        steps += 1
        while isinstance(made.stack[-1], Overwatch):
            made.play(made.asked()[0], Pass())
    assert steps == made.state.units["soviet-1"].kind.m_cc // 2


@rule("4.5.1.1.4")
def test_a_vehicle_turns_by_three_hexsides_at_most_in_a_hex() -> None:
    made = commanded(game(script=SECOND), None, {1: "move"})
    made.play("soviet", EndStep())
    made.play("german", EndStep())
    made.play("german", EndStep())
    made.play("soviet", Turn("soviet-1", 0))
    while isinstance(made.stack[-1], Overwatch):
        made.play(made.asked()[0], Pass())
    assert refused(made, "soviet", Turn("soviet-1", 0)) == "4.5.1.1.4"
    assert refused(made, "soviet", Turn("soviet-1", 3)) == "4.5.1.1.4"
    assert refused(made, "soviet", Turn("soviet-1", 2)) is None


@rule("4.5-a", "4.2-move")
def test_a_command_to_move_is_revealed_even_without_a_step() -> None:
    made = commanded(game(script=SECOND), None, {1: "move"})
    for side in ("soviet", "german", "german", "soviet"):
        made.play(side, EndStep()) if side == made.asked()[0] else None
    assert "T-34 M43 1: move" in told(made, "revealed")


def moving(made: Game[Position], side: str) -> Game[Position]:
    """Go on to the Movement step of a side."""
    while (made.stack[-1].step, made.stack[-1].side) != ("movement", side):
        made.play(made.asked()[0], Pass() if isinstance(made.stack[-1], Overwatch) else EndStep())
    return made


def driving(board: str, hex: str, facing: int, unit: str = "pz4h", **values: bool) -> Game[Position]:
    """A German vehicle with a command to move, at its Movement step."""
    made = commanded(
        game(text(board=board, german=f'units = [{{ unit = "{unit}", at = ["{hex}"] }}]'), FIRST), {1: "move"}
    )
    made.state.change("german-1", facing=facing, **values)
    return moving(made, "german")


def step_on(made: Game[Position], hex: str, along_road: bool = False) -> None:
    """A step, which nobody answers."""
    made.play("german", Move("german-1", hex, along_road))
    while isinstance(made.stack[-1], Overwatch):
        made.play(made.asked()[0], Pass())


@rule("4.5.1.1.8")
def test_a_vehicle_that_stays_still_counts_as_moving() -> None:
    made = driving(OPEN, "1-A4", 2)
    made.play("german", Stay("german-1"))
    unit = made.state.units["german-1"]
    assert (unit.hex, unit.moving, unit.fresh) == ("1-A4", True, "move")


@rule("4.5.1.1.8", "4.5-a", "4.2-overwatch")
@pytest.mark.parametrize("last", [Stay("german-1"), EndStep()])
def test_a_vehicle_that_stays_still_may_be_fired_at_from_overwatch(last: Action) -> None:
    made = moving(commanded(game(script=(*FIRST, 99)), {1: "move"}, {1: "overwatch"}), "german")
    made.play("german", last)
    made.play("soviet", Announce("soviet-1", "german-1"))
    (shot,) = (event for event in made.events if event.kind == "fired")
    assert shot.calculation is not None
    assert [line.amount for line in shot.calculation.lines if line.rule == "4.4.3.2.2-moving"] == [-2]
    unit = made.state.units["german-1"]
    assert (unit.hex, unit.seen_as) == ("1-A4", "move")


@rule("4.5.1.1.3")
def test_one_hex_can_be_entered_whatever_it_costs() -> None:
    woods = OPEN.rpartition(CLEAR)[0] + ". W W . . . . . . . . .\n'''\n"
    made = driving(woods, "1-A8", 2, damaged=True)
    assert made.state.units["german-1"].kind.m_cc // 2 < 3
    step_on(made, "1-B8")
    assert refused(made, "german", Move("german-1", "1-B7")) == "4.5.1.1"
    made = driving(woods, "1-A6", 3, damaged=True)
    step_on(made, "1-A7")
    made.play("german", Turn("german-1", 2))
    while isinstance(made.stack[-1], Overwatch):
        made.play(made.asked()[0], Pass())
    assert refused(made, "german", Move("german-1", "1-B7")) is None
    step_on(made, "1-B7")
    assert refused(made, "german", Move("german-1", "1-C8")) == "4.5.1.1.3"


@rule("4.5.1.1.2-busmoke", "4.5.1.1.4")
def test_brew_up_smoke_adds_to_the_cost_of_a_turn_and_of_a_step() -> None:
    """Clear ground costs 1, and a turn of two hexsides on it 1; each costs 2 in the smoke, of an allowance of 4."""
    made = driving(OPEN, "1-F4", 3)
    made.state.wrecks["1-F5"] = "BU"
    assert made.state.units["german-1"].kind.m_cc == 4
    going = after(made.state, made.state.units["german-1"], Move("german-1", "1-F5"), Going())
    assert isinstance(going, Going)
    assert going.spent == 2
    step_on(made, "1-F5")
    unit = made.state.units["german-1"]
    assert [turning(made.state, unit, facing, going) for facing in (2, 1, 0)] == [0, 2, 2]
    made.play("german", Turn("german-1", 0))
    while isinstance(made.stack[-1], Overwatch):
        made.play(made.asked()[0], Pass())
    assert refused(made, "german", Move("german-1", "1-F4")) == "4.5.1.1.3"


@rule("4.4.3.2.2-busmoke", "4.5.1.1.2-busmoke")
def test_smoke_of_one_movement_step_takes_effect_in_the_next() -> None:
    """The Second Player's tank burns while it moves: smoke for the First Player's move, and for shots at it."""
    made = commanded(game(text(soviet=TWO_TANKS), FIRST), {1: "move"}, {1: "move"})
    moving(made, "soviet")
    knock_out(made, made.state.units["soviet-1"], brews_up=True)
    assert (smoke_between(made.state, "1-A4", "1-G4"), smoking(made.state, "1-G4")) == (0, 0)
    moving(made, "german")
    assert (smoke_between(made.state, "1-A4", "1-G4"), smoking(made.state, "1-G4")) == (1, 1)


@rule("4.4.3.2.6-damaged", "3.7")
def test_damage_on_the_way_halves_the_rest_of_the_allowance() -> None:
    """Of 6 hexes 2 are driven, 4 are left: damage leaves 2, not 1, the rest of a half. At rest 6 become 3."""
    made = driving(OPEN, "1-F1", 3, "t34_43")
    assert made.state.units["german-1"].kind.m_cc == 6
    step_on(made, "1-F2")
    made.play("german", Move("german-1", "1-F3"))
    assert isinstance(made.stack[-1], Overwatch)
    damage(made, made.state.units["german-1"])
    made.play(made.asked()[0], Pass())
    step_on(made, "1-F4")
    step_on(made, "1-F5")
    assert refused(made, "german", Move("german-1", "1-F6")) == "4.5.1.1.3"
    made = driving(OPEN, "1-F1", 3, "t34_43", damaged=True)
    for hex in ("1-F2", "1-F3", "1-F4"):
        step_on(made, hex)
    assert refused(made, "german", Move("german-1", "1-F5")) == "4.5.1.1.3"


ROADS = OPEN + 'roads = ["A4 A3 A2 A1"]\npaths = ["A8 A7 A6 A5 A4"]\n'


@rule("4.5.1.1.5-a")
def test_a_route_of_both_kinds_goes_by_the_greater_part() -> None:
    assert [Going(paths=2, roads=roads).rate for roads in (1, 2, 3)] == ["path", "path", "road"]
    assert Going(paths=2, roads=3, off_road=True).rate == "cross-country"
    made = driving(ROADS, "1-A8", 0)
    path = made.state.units["german-1"].kind.path
    for row in range(7, 7 - path, -1):
        step_on(made, f"1-A{row}", along_road=True)
    assert path == 5
    assert refused(made, "german", Move("german-1", "1-A2", True)) == "4.5.1.1.3"


LONG = OPEN + 'paths = ["A8 A7 A6 A5"]\nroads = ["A5 A4 A3 A2 A1"]\n'
"""Three hexes of a path, then four of a road."""


@rule("4.5.1.1.5-a")
def test_a_route_may_become_a_road_on_its_way_but_does_not_end_before() -> None:
    """Three hexes of path and four of road are seven at the Road rate of 8; six would be too many for the Path rate."""
    made = driving(LONG, "1-A8", 0)
    card = made.state.units["german-1"].vehicle
    assert (card.path, card.road) == (5, 8)
    for row in (7, 6, 5, 4, 3):
        step_on(made, f"1-A{row}", along_road=True)
    assert refused(made, "german", Stay("german-1")) is None
    step_on(made, "1-A2", along_road=True)
    assert refused(made, "german", Stay("german-1")) == "4.5.1.1.5-a"
    step_on(made, "1-A1", along_road=True)
    assert refused(made, "german", Stay("german-1")) is None


@rule("4.5.1.1.5-a")
def test_a_wreck_on_the_road_keeps_the_route_a_path() -> None:
    made = driving(LONG, "1-A8", 0)
    made.state.wrecks["1-A1"] = "KO"
    for row in (7, 6, 5, 4, 3):
        step_on(made, f"1-A{row}", along_road=True)
    assert refused(made, "german", Move("german-1", "1-A2", True)) == "4.5.1.1.3"


BEND = OPEN + 'roads = ["A8 A7 A6 B6 C6 D6"]\n'
"""A road from the south that bends to the east in A6, from which B6 lies to the south-east."""


def turn(made: Game[Position], facing: int) -> None:
    """A turn, which nobody answers."""
    made.play("german", Turn("german-1", facing))
    while isinstance(made.stack[-1], Overwatch):
        made.play(made.asked()[0], Pass())


@rule("4.5.1.1.5")
def test_a_vehicle_on_a_road_faces_along_its_route_and_not_back() -> None:
    made = driving(BEND, "1-A8", 0)
    step_on(made, "1-A7", along_road=True)
    assert [refused(made, "german", Turn("german-1", facing)) for facing in (2, 3)] == ["4.5.1.1.5"] * 2
    step_on(made, "1-A6", along_road=True)
    way = made.state.map.direction("1-A6", "1-B6")
    assert way is not None
    assert [facing for facing in range(6) if refused(made, "german", Turn("german-1", facing)) is None] == [way]


@rule("4.5.1.1.5", "4.5.1.1.7")
def test_a_vehicle_backs_round_a_bend_of_the_road_at_twice_the_cost() -> None:
    made = driving(BEND, "1-A8", 3, "t34_43")
    step_on(made, "1-A7", along_road=True)
    step_on(made, "1-A6", along_road=True)
    way = made.state.map.direction("1-A6", "1-B6")
    assert way is not None
    rear = (way + 3) % 6
    assert [facing for facing in range(6) if refused(made, "german", Turn("german-1", facing)) is None] == [rear]
    turn(made, rear)
    step_on(made, "1-B6", along_road=True)
    frame = made.stack[-1]
    assert isinstance(frame, Moving)
    assert (frame.going.spent, frame.going.roads) == (6, 3)


@rule("4.5.1.1.9", "4.5.1.1.7")
def test_a_vehicle_backs_off_the_map_at_twice_the_cost() -> None:
    """A vehicle of 4 has 2 left after two hexes, 1 after three; clear ground costs 2 in reverse."""
    for first, rule_of_exit in ((6, None), (5, "4.5.1.1.9")):
        made = driving(OPEN, f"1-F{first}", 3)
        for row in range(first + 1, 9):
            step_on(made, f"1-F{row}")
        turn(made, 2)
        made.state.change("german-1", facing=0)
        assert refused(made, "german", ExitMap("german-1")) == rule_of_exit
    assert refused(driving(OPEN, "1-F4", 0), "german", ExitMap("german-1")) == "4.5.1.1.9"


@rule("4.5.1.1.5-b")
def test_a_wreck_or_an_enemy_on_the_road_forces_one_off_it() -> None:
    made = driving(ROADS, "1-A8", 0)
    made.state.wrecks["1-A7"] = "KO"
    assert refused(made, "german", Move("german-1", "1-A7", True)) == "4.5.1.1.5-b"
    assert refused(made, "german", Move("german-1", "1-A7")) is None


@rule("4.5.1.1.9")
def test_leaving_the_map_costs_what_its_last_hex_costs() -> None:
    for first, rule_of_exit in ((5, None), (4, "4.5.1.1.9")):
        made = driving(OPEN, f"1-F{first}", 3)
        assert made.state.units["german-1"].kind.m_cc == 4
        for row in range(first + 1, 9):
            step_on(made, f"1-F{row}")
        assert refused(made, "german", ExitMap("german-1")) == rule_of_exit


@rule("4.5.1.1.9")
def test_a_vehicle_leaves_the_map_at_its_edge() -> None:
    made = commanded(game(script=FIRST), {1: "move"})
    made.state.change("german-1", facing=5)
    for side in ("german", "soviet", "soviet"):
        made.play(side, EndStep())
    made.play("german", ExitMap("german-1"))
    assert made.state.units["german-1"].status == "exited"


@rule("4.5.1.1.10")
def test_nobody_ends_a_move_among_enemies_but_unarmed_ones_are_run_over() -> None:
    made = commanded(game(text(soviet='units = [{ unit = "t34_43", at = ["1-B4"] }]'), FIRST), {1: "move"})
    for side in ("german", "soviet"):
        made.play(side, EndStep())
    while made.stack[-1].side != "german" or made.stack[-1].step != "movement":
        made.play(made.asked()[0], Pass() if isinstance(made.stack[-1], Overwatch) else EndStep())
    made.play("german", Move("german-1", "1-B4"))
    while isinstance(made.stack[-1], Overwatch):
        made.play(made.asked()[0], Pass())
    assert refused(made, "german", Stay("german-1")) == "4.5.1.1.10"


# --- the end of a turn


@rule("4.6", "4.6.2", "3.6")
def test_commands_come_off_and_the_last_turn_decides() -> None:
    made = commanded(game(text(turns=1), FIRST), {1: "overwatch"})
    while made.outcome is None:
        made.play(made.asked()[0], EndStep())
    assert made.state.units["german-1"].command == "no command"
    assert made.outcome.winner == "soviet"


@rule("3.6")
def test_a_contested_objective_belongs_to_nobody() -> None:
    """G4 is the objective. Both sides in it, or next to it in a fire, leave it to nobody; trucks do not count."""
    truck = 'units = [{ unit = "pz4h", at = ["1-A4"] }, { unit = "c15ta", at = ["1-B4"] }]'
    made = game(text(german=truck))
    state = made.state
    assert state.control == {"1-G4": "soviet"}
    state.put("german-2", "1-G4")
    settle_control(state)
    assert state.control == {"1-G4": "soviet"}
    state.put("german-1", "1-G4")
    settle_control(state)
    assert state.control == {}
    state.put("soviet-1", "1-G5")
    settle_control(state)
    assert state.control == {"1-G4": "german"}
    state.works["1-G4"] = (Work("on fire"),)
    state.put("german-1", "1-G3")
    state.put("soviet-1", "1-A8")
    settle_control(state)
    assert state.control == {"1-G4": "german"}
    state.put("soviet-1", "1-G5")
    settle_control(state)
    assert state.control == {}


@rule("4.1.1", "4.2-overwatch")
def test_an_observer_without_weapons_spots_and_may_have_an_overwatch_command() -> None:
    made = game(text(german='units = [{ unit = "c15ta", at = ["1-A4"] }]'))
    assert not made.state.units["german-1"].kind.armed
    target = made.state.units["soviet-1"]
    for labels, rule_of_spot, rule_of_watch in (((), "4.1.1", "4.2"), (("FO",), None, None)):
        unit = made.state.change("german-1", labels=labels)
        found = [cannot_spot(made.state, unit, target, ""), cannot_command(made.state, unit, "overwatch")]
        assert [each and each.rule for each in found] == [rule_of_spot, rule_of_watch]
    assert refused(made, "german", HandIn((Command("german-1", "fire"),))) == "4.2"


# --- the contract of every ruleset

DUEL = text(german=TWO_GUNS, soviet=TWO_TANKS)
HIDDEN = Twin(
    blind=("soviet", "spectator"),
    one=(
        ("german", HandIn((Command("german-1", "move"), Command("german-2", "overwatch")))),
        ("soviet", HandIn()),
    ),
    other=(
        ("german", HandIn((Command("german-1", "overwatch"), Command("german-2", "no command")))),
        ("soviet", HandIn()),
    ),
)
CASE = Case(RULESET, DUEL, every=3, twins=(HIDDEN,))


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
def test_contract(check) -> None:  # type: ignore[no-untyped-def]
    with registered(RULESET):
        for seed in range(2):
            check(CASE, seed)


@rule("4.2.2")
def test_hidden_commands_do_not_leak() -> None:
    with registered(RULESET):
        for seed in range(3):
            contract.check_leaks(CASE, HIDDEN, seed)


@rule("4.0")
def test_random_games_come_to_an_end() -> None:
    for seed in range(20):
        made, rng = game(DUEL, None, seed), random.Random(seed)
        for _ in range(2000):
            if made.outcome is not None:
                break
            seat = made.deciders()[0]
            made.play(seat, made.choices(seat).sample(rng))
        assert made.outcome is not None


@rule("4.6.1")
def test_a_command_to_fire_that_came_to_nothing_is_shown_and_marked() -> None:
    aside = 'units = [{ unit = "t34_43", at = ["1-A7"] }]'
    made = commanded(
        game(text(german='units = [{ unit = "stug3g", at = ["1-A4"] }]', soviet=aside), FIRST), {1: "fire"}
    )
    next_turn(made)
    assert made.state.units["german-1"].spot == "fire"


@rule("4.6.1", "6.5.2.2.1")
@pytest.mark.parametrize(("command", "counter"), [("move", "move"), ("short halt", "fire"), ("overwatch", "")])
def test_a_vehicle_that_a_track_hit_keeps_from_its_command_is_shown_and_marked(command: str, counter: str) -> None:
    """The hit comes before its step, and it has no target: it neither fires nor moves."""
    aside = 'units = [{ unit = "t34_43", at = ["1-A7"] }]'
    made = game(text(german='units = [{ unit = "stug3g", at = ["1-A4"] }]', soviet=aside, options=("AG",)), FIRST)
    commanded(made, {1: command})  # type: ignore[dict-item]
    made.state.change("german-1", track_hit=True, facing=0)
    next_turn(made)
    assert made.state.units["german-1"].spot == counter


@rule("4.1-a")
def test_a_player_may_check_lines_of_sight_at_any_time() -> None:
    made = game(text(board=SCREEN))
    sight = made.sight("german")
    query = RULESET.queries
    assert query["los"](sight, "german", start="1-A4", to="1-G4")["rule"] == "4.1.4.2.1"
    assert query["los"](sight, "german", start="1-A4", to="1-B4")["clear"]
    assert "1-C4" in query["sees"](sight, "german", place="1-A4")["places"]
    assert "1-G4" not in query["sees"](sight, "german", place="1-A4")["places"]
    assert query["spots"](sight, "german", unit="german-1") == {"by": [], "spots": []}
    assert query["spots"](game().sight("german"), "german", unit="german-1")["spots"] == ["soviet-1"]


@rule("4.4.1-g")
def test_the_step_tells_its_own_side_alone_who_must_fire() -> None:
    made = commanded(game(script=FIRST), {1: "fire"})
    name = vehicle("pz4h").name
    assert made.prompt("german") == (
        f"Announce fire at a target ({name} 1 has a command to fire and a target: it must fire)"
    )
    assert made.prompt("soviet") == "Announce fire at a target, or end the step"


@rule("4.2")
def test_a_click_on_a_vehicle_tells_why_it_does_not_fire_at_the_nearest_enemies() -> None:
    made = commanded(game(text(german=TWO_GUNS, soviet=TWO_TANKS), FIRST), {1: "fire"})
    told = meanings(made, "german", ["german-2"])
    assert [each["rule"] for each in told] == ["4.2", "4.2"]
    assert len({each["label"] for each in told}) == 2
