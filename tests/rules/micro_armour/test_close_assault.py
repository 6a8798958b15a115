"""Close assault [8.8]: declared in contact, resolved after movement by steps, with a retreat."""

from __future__ import annotations

from typing import Any

import pytest

from opfire.core.game import Game
from opfire.rulesets.micro_armour.alternation import Begin
from opfire.rulesets.micro_armour.close.close_assault import (
    Assault,
    CloseAssaults,
    NoMoreAssaults,
    Resolve,
    StrikeBack,
    arms,
    assault_roll,
    courage_roll,
    resistance,
    response_roll,
    strength,
)
from opfire.rulesets.micro_armour.fire.attacks import Attack, Shot, carry_out
from opfire.rulesets.micro_armour.fire.standard import Fire
from opfire.rulesets.micro_armour.moving.marching import cannot_march
from opfire.rulesets.micro_armour.moving.opportunity import NotYet, Oppose
from opfire.rulesets.micro_armour.pieces import Position
from opfire.rulesets.micro_armour.retreats import Retreat
from rules.micro_armour.kit import rule, scripts
from rules.micro_armour.marches import against, area, at, go, leg, march, stand

RIFLES, SHERMAN, ENGINEERS, CAVALRY = "us-infantry-42", "us-m4-sherman", "uk-engineers-43", "sov-cavalry"
GUNNERS, TIGER = "sov-infantry-support-l-44", "ger-jagd-tiger-128l55"
GRENADIERS, PANZER, PAK, HOWITZER = (
    "ger-infantry-39",
    "ger-panzer-iv-f2-h-7-5cm",
    "ger-75mm-atg-pak-40",
    "ger-105mm-ifh18-2",
)


def assaults(red: Any, blue: Any = ((GRENADIERS, "10,10"),), dice: Any = (), **values: Any) -> Game[Position]:
    """A game at the close assaults, in which all red stands assault the first blue one."""
    charging = {f"red_{number}": {"assaults": "blue-1"} for number in range(1, len(red) + 1)}
    changed = {name: {**charging.get(name, {}), **values.get(name, {})} for name in {**charging, **values}}
    return march(red, blue, dice=dice, frame=CloseAssaults("red"), **changed)


# --- declaring ----------------------------------------------------------------------------------------------------


@rule("8.8.1", "8.8.2")
def test_8_8_2_infantry_in_contact_with_a_point_left_declares() -> None:
    game = march(
        ((RIFLES, "8,10"), (RIFLES, "7,7"), (SHERMAN, "11,10")), ((GRENADIERS, "10,10"),), blue_1={"fired": True}
    )
    assert against(game, Assault("red-1", "blue-1")) == "8.8.2"  # no contact
    assert against(game, Assault("red-3", "blue-1")) == "8.8.1"
    go(game, "red-1", 9, 10)
    game.play("red", Assault("red-1", "blue-1"))
    assert (stand(game, "red-1").assaults, stand(game, "red-1").moved) == ("blue-1", True)
    spent = march(((RIFLES, "6.5,10"),), ((GRENADIERS, "10,10"),), blue_1={"fired": True})
    go(spent, "red-1", 9, 10)
    assert against(spent, Assault("red-1", "blue-1")) == "8.8.2"  # half a point is left
    exact = march(((RIFLES, "7,10"),), ((GRENADIERS, "10,10"),), blue_1={"fired": True})
    go(exact, "red-1", 9, 10)
    assert against(exact, Assault("red-1", "blue-1")) == ""  # one of its three points is left
    half = march(((RIFLES, "9,10"),), ((GRENADIERS, "10,10"),), red_1={"posture": "fire/move"})
    assert against(half, Assault("red-1", "blue-1")) == "8.8.2"


def fired_at(start: str, *dice: int) -> Game[Position]:
    """Rifles go into contact, are suppressed there by opportunity fire, and roll to go on."""
    game = march(((RIFLES, start),), ((GRENADIERS, "10,10"),), dice=(1, 4, 4, *dice), blue_1={"facing": 270})
    go(game, "red-1", 9, 10, 90)
    while at(game, "red-1") != "9,10":
        game.play("blue", NotYet())
    game.play("blue", Oppose("blue-1", "red-1"))
    game.play("blue", Fire())
    assert (at(game, "red-1"), stand(game, "red-1").shaken) == ("9,10", True)
    return game


@rule("8.8.2", "8.5.4", "8.8.5")
def test_8_8_2_a_stand_that_fire_has_stopped_in_contact_still_declares() -> None:
    """It moves no more, but it touches the enemy and has a point left: the assault comes after all movement."""
    game = fired_at("8,10", 20)
    assert stand(game, "red-1").moved
    assert game.asked() == ("red",)
    assert [*game.choices("red").of("red-1")] == [Assault("red-1", "blue-1")]
    game.play("red", Assault("red-1", "blue-1"))
    assert stand(game, "red-1").assaults == "blue-1"
    assert not game.stack


@rule("8.8.2", "8.5.4")
def test_8_8_2_a_stand_that_fire_has_stopped_may_leave_it_at_that() -> None:
    game = fired_at("8,10", 20)
    game.play("red", NoMoreAssaults())
    assert (stand(game, "red-1").assaults, game.stack) == ("", ())


@rule("8.8.2", "8.5.4")
def test_8_8_2_a_stand_that_fire_has_stopped_without_a_point_declares_nothing() -> None:
    assert not fired_at("6.5,10", 20).stack


@rule("8.8.2")
def test_8_8_2_the_legs_into_contact_are_offered() -> None:
    game = march(((RIFLES, "8,10"),), ((GRENADIERS, "10,10"),))
    assert leg("red-1", 9, 10, 90) in game.choices("red").of("red-1")


@rule("8.8.2", "8.8.5")
def test_8_8_5_the_declaration_ends_the_move() -> None:
    game = march(((RIFLES, "8,10"), (RIFLES, "2,2")), ((GRENADIERS, "10,10"),), blue_1={"fired": True})
    go(game, "red-1", 9, 10)
    game.play("red", Assault("red-1", "blue-1"))
    assert stand(game, "red-1").moved
    assert not game.choices("red").of("red-1")


@rule("8.8.5")
def test_8_8_5_the_target_is_pinned() -> None:
    game = march(((RIFLES, "9,10"),), ((GRENADIERS, "10,10"),), red_1={"assaults": "blue-1"})
    refusal = cannot_march(game.state, stand(game, "blue-1"), leg("blue-1", 11, 10))
    assert refusal is not None
    assert refusal.rule == "8.8.5"


@rule("8.8.9")
def test_8_8_9_cavalry_doubles_against_unarmoured_stands_and_stays_out_of_buildings() -> None:
    blue = ((GRENADIERS, "10,10"), (PANZER, "10,14"))
    game = march(((CAVALRY, "9,10"), (CAVALRY, "9,14")), blue, ground=area("light-buildings", 9.5, 9.5, 10.5, 10.5))
    assert against(game, Assault("red-1", "blue-1")) == "8.8.9"
    assert against(game, Assault("red-2", "blue-2")) == ""
    riders, foot, tank = stand(game, "red-1"), stand(game, "blue-1"), stand(game, "blue-2")
    plain = riders.kind.he or 0
    assert [*strength(game.state, riders, foot)][-1].amount == 2 * plain
    assert [*strength(game.state, riders, tank)][-1].amount == riders.kind.ap


# --- values ---------------------------------------------------------------------------------------------------------


@rule("8.8.3-4", "8.8.3-2", "8.8.10", "8.8.11")
def test_8_8_3_three_off_the_dice_and_no_terrain() -> None:
    ground = area("woods", 5, 5, 15, 15)
    position = march(((RIFLES, "9,10"), (ENGINEERS, "11,10")), ((GRENADIERS, "10,10"),), ground=ground).state
    rifles, engineers, enemy = position.units["red-1"], position.units["red-2"], position.units["blue-1"]
    assert assault_roll(position, rifles, enemy).modifier == -3
    assert assault_roll(position, rifles, enemy).column == "-2"  # 4 against 6
    assert assault_roll(position, engineers, enemy).modifier == -6
    assert [*strength(position, rifles, enemy)][-1].amount == 4
    assert [*resistance(position, rifles)][-1].amount == 3  # halved in the movement posture


@rule("8.8.8")
def test_8_8_8_armour_keeps_half_from_any_side() -> None:
    position = march(((RIFLES, "9,10"),), ((PANZER, "10,10"),), blue_1={"facing": 270}).state
    printed = position.units["blue-1"].kind.defence or 0
    assert [*resistance(position, position.units["blue-1"])][-1].amount == -(-printed // 2)


@rule("8.8.4", "7.4.8")
def test_8_8_4_guns_from_behind_and_artillery_fight_with_small_arms() -> None:
    blue = ((PAK, "10,10"), (HOWITZER, "10,20"))
    position = march(((RIFLES, "9,10"), (RIFLES, "9,20")), blue, blue_1={"facing": 90}, blue_2={"facing": 270}).state
    gun, howitzer = position.units["blue-1"], position.units["blue-2"]
    assert arms(position, gun, position.units["red-1"]).id == "ger-infantry-hq"
    assert arms(position, howitzer, position.units["red-2"]).id == "ger-infantry-hq"
    faced = march(((RIFLES, "9,10"),), blue, blue_1={"facing": 270}).state
    assert arms(faced, faced.units["blue-1"], faced.units["red-1"]).id == PAK


@rule("8.8.8", "10.3")
def test_10_3_half_of_5_is_2_at_close_quarters_too() -> None:
    position = march(((CAVALRY, "9,10"),), ((GRENADIERS, "10,10"),)).state
    assert [(line.value, line.amount) for line in resistance(position, position.units["red-1"])] == [("5", 5), ("2", 2)]


@rule("7.4.8", "10.3")
def test_7_4_8_artillery_on_the_move_defends_as_a_headquarters_on_the_move() -> None:
    """A headquarters of infantry is marked P: its 6 are 3 while it moves, and so are those of the howitzers."""
    position = march(((RIFLES, "9,10"),), ((HOWITZER, "10,10"),)).state
    howitzer = position.units["blue-1"]
    assert [*resistance(position, howitzer)][-1].amount == 6
    moving = position.change("blue-1", posture="movement")
    assert [*resistance(position, moving)][-1].amount == 3


@rule("10.4", "7.1.10-low")
def test_10_4_support_stands_do_nothing_below_the_first_column() -> None:
    """AP 1 against half of 20: in close assault too, a differential below -3 has no effect."""
    position = march(((GUNNERS, "9,10"), (GUNNERS, "9,14")), ((TIGER, "10,10"), (GRENADIERS, "10,14"))).state
    gunners, tank, foot = (position.units[name] for name in ("red-1", "blue-1", "blue-2"))
    assert (gunners.kind.ap, tank.kind.defence) == (1, 20)
    assert set(assault_roll(position, gunners, tank).outcomes) == {"-"}
    assert "-" not in assault_roll(position, gunners, foot).outcomes


@rule("8.8.3-1", "8.8.3-3")
def test_8_8_3_the_rolls_of_both_sides() -> None:
    game = march(((RIFLES, "9,10"),), ((GRENADIERS, "10,10"),), red_1={"suppressed": True})
    state = game.state
    assert courage_roll(state, stand(game, "red-1")).modifier == 4
    state.change("blue-1", posture="fire/move", disorganized=True)
    assert response_roll(state, stand(game, "blue-1")).modifier == 6


# --- the steps --------------------------------------------------------------------------------------------------------


@rule("8.8.3", "8.8.3-1", "8.8.3-2")
def test_8_8_3_the_response_counts_before_the_assaulter_rolls() -> None:
    """The defender succeeds on 10, and an 8 less 3 disorganizes; 12 and 3 is then more than 14."""
    game = assaults(((RIFLES, "9,10"),), dice=(10, 4, 4, 12), blue_1={"fired": True})
    game.play("red", Resolve("blue-1"))
    game.play("blue", StrikeBack("blue-1", "red-1"))
    assert stand(game, "red-1").disorganized
    assert not stand(game, "blue-1").shaken
    assert not game.stack


@rule("8.8.3-1", "8.8.4")
def test_8_8_4_a_defender_that_is_marked_to_move_does_not_respond() -> None:
    game = assaults(((RIFLES, "9,10"),), dice=(15,), blue_1={"posture": "movement"})
    game.play("red", Resolve("blue-1"))
    assert not game.stack


@rule("8.8.3-4", "8.8.3-5", "8.8.5", "8.8.6")
def test_8_8_5_a_disorganized_defender_moves_away_from_the_first_to_shake_it() -> None:
    red = ((RIFLES, "9,10"), (RIFLES, "10,9"))
    game = assaults(red, dice=(20, 20, 5, 2, 2), blue_1={})
    game.play("red", Resolve("blue-1"))
    assert stand(game, "blue-1").disorganized
    assert game.asked() == ("blue",)
    assert against(game, Retreat("blue-1", (9000, 11000)), "blue") == "8.8.5"
    game.play("blue", Retreat("blue-1", (10000, 11000)))
    assert at(game, "blue-1") == "10,11"
    assert not stand(game, "red-2").assaults


@rule("8.8.3-5", "8.8.5")
@pytest.mark.parametrize(
    ("state", "dice", "retreats"),
    [("suppressed", (3, 3), True), ("disorganized", (4, 4), False)],
)
def test_8_8_5_a_defender_retreats_from_the_disorganization_of_this_assault_alone(
    state: str, dice: tuple[int, int], retreats: bool
) -> None:
    """4 against 6: 6 less 3 is an (S), a D for the suppressed; 8 less 3 an S, no D for those that had one: R145."""
    game = assaults(((RIFLES, "9,10"),), dice=(20, 5, *dice), blue_1={state: True})
    game.play("red", Resolve("blue-1"))
    assert (stand(game, "blue-1").suppressed, stand(game, "blue-1").disorganized) == (True, True)
    assert (game.asked() == ("blue",)) is retreats


@rule("8.8.3-5")
def test_8_8_3_a_defender_without_room_is_eliminated() -> None:
    blue = ((GRENADIERS, "10,29.5"),)
    game = assaults(((RIFLES, "10,28.5"),), blue, dice=(20, 5, 2, 2))
    game.play("red", Resolve("blue-1"))
    assert stand(game, "blue-1").status == "eliminated"


@rule("8.8.7")
def test_8_8_7_sides_complete_assaults_in_turn() -> None:
    red = ((RIFLES, "9,10"), (RIFLES, "20,10"))
    blue = ((GRENADIERS, "10,10"), (GRENADIERS, "21,10"))
    counter = {"assaults": "red-2", "posture": "movement"}
    game = assaults(red, blue, dice=(20,) * 8, red_2={"assaults": ""}, blue_2=counter)
    assert against(game, Resolve("blue-1")) == "8.8.7"
    game.play("red", Begin("blue"))
    assert game.asked() == ("blue",)
    game.play("blue", Resolve("red-2"))
    assert game.asked() == ("red",)
    game.play("red", Resolve("blue-1"))
    assert not game.stack


@rule("8.8.7", "11.6.1")
def test_8_8_7_the_other_side_completes_the_next_assault_while_it_has_one() -> None:
    red, blue = [(RIFLES, f"9,{y}") for y in (10, 15, 20)], [(GRENADIERS, f"10,{y}") for y in (10, 15, 20)]
    values = {"red_1": {"assaults": "blue-1"}, "red_2": {"assaults": ""}, "red_3": {"assaults": "blue-3"}}
    counter = {"assaults": "red-2", "posture": "movement"}
    game = assaults(red, blue, dice=(20,) * 8, **values, blue_2=counter)
    game.play("red", Begin("red"))
    game.play("red", Resolve("blue-1"))
    assert game.asked() == ("blue",)
    game.play("blue", Resolve("red-2"))
    assert game.asked() == ("red",)


@rule("8.8.11")
def test_8_8_11_infantry_without_anti_tank_weapons_has_no_firepower_against_armour() -> None:
    game = march((("sov-infantry-hq", "9,10"),), ((PANZER, "10,10"),))
    unit, tank = stand(game, "red-1"), stand(game, "blue-1")
    assert [*strength(game.state, unit, tank)][-1].amount == 0
    assert set(assault_roll(game.state, unit, tank).outcomes) == {"-"}


@rule("8.8.11")
@pytest.mark.parametrize("depleted", [False, True])
def test_8_8_11_range_zero_weapons_fight_at_close_quarters(depleted: bool) -> None:
    game = march((("us-infantry-44", "9,10"),), ((PANZER, "10,10"),), red_1={"depleted": depleted})
    unit, tank = stand(game, "red-1"), stand(game, "blue-1")
    assert [*strength(game.state, unit, tank)][-1].amount == (0 if depleted else unit.kind.ap)


@rule("8.8.9", "10.10.1")
def test_10_10_1_cavalry_that_is_assaulted_itself_has_its_printed_value() -> None:
    game = assaults(((GRENADIERS, "9,10"),), ((CAVALRY, "10,10"),), blue_1={"posture": "fire/move"})
    foot, riders = stand(game, "red-1"), stand(game, "blue-1")
    assert [*strength(game.state, riders, foot)][-1].amount == riders.kind.he
    game.state.change("red-1", assaults="")
    game.state.change("blue-1", assaults="red-1")
    foot, riders = stand(game, "red-1"), stand(game, "blue-1")
    assert [*strength(game.state, riders, foot)][-1].amount == 2 * (riders.kind.he or 0)


@rule("11.6.1")
def test_11_6_1_flames_of_opportunity_fire_drive_a_stand_back_after_all_movement() -> None:
    game = march(((RIFLES, "9,10"), (RIFLES, "2,25")), (("ger-panzer-iii-flamethrower", "10,10"),))
    scripts(game, (2, 6, 6, 20))  # it fires, with little effect; the stand loses its nerve
    carry_out(game, Attack("red-1", (Shot("blue-1"),), "opportunity"))
    game.push(CloseAssaults(""))
    game.run()
    assert game.asked() == ("red",)
    game.play("red", Retreat("red-1", (8000, 10000)))
    assert at(game, "red-1") == "8,10"
