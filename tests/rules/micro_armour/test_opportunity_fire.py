"""Opportunity fire at movers, covering fire, and the roll to go on [8.5, 8.6]."""

from __future__ import annotations

from opfire.core import scenario as scenarios
from opfire.core.match import Match
from opfire.rulesets.micro_armour.fire.attacks import Attack, Shot, fire_roll
from opfire.rulesets.micro_armour.fire.standard import AddFirer, Fire
from opfire.rulesets.micro_armour.moving.arrivals import Exit
from opfire.rulesets.micro_armour.moving.movement import MovementOrders, Stop
from opfire.rulesets.micro_armour.moving.opportunity import Cover, HoldFire, NotYet, Oppose
from opfire.rulesets.micro_armour.moving.water import Ford
from opfire.space.squares import overlap
from rules.micro_armour.kit import fair, rule, scripts
from rules.micro_armour.marches import against, at, go, inches, leg, line, march, stand

SHERMAN, RIFLES, MORTAR = "us-m4-sherman", "us-infantry-42", "us-81mm-mortar-2"
PAK, GRENADIERS, HOWITZER = "ger-75mm-atg-pak-40", "ger-infantry-39", "ger-105mm-ifh18-2"
TANKS = ((SHERMAN, "5,5"), (SHERMAN, "5,10"))
GUN = ((PAK, "15,5"),)
WEST = {"facing": 270}
OPTION = 'options = ["12.8"]\n'


@rule("8.5.2", "8.5.3")
def test_8_5_2_the_enemy_may_fire_from_the_first_touch_to_the_end_of_a_move() -> None:
    game = march(TANKS, GUN, blue_1=WEST)
    go(game, "red-1", 7.5, 5, 90)
    assert game.asked() == ("blue",)
    seen = []
    while game.asked() == ("blue",):
        seen.append(at(game, "red-1"))
        game.play("blue", NotYet())
    assert seen == ["5,5", "6,5", "7,5", "7.5,5"]
    game.play("red", Stop("red-1"))
    assert stand(game, "red-1").moved


@rule("8.5.2")
def test_8_5_2_fire_that_was_held_cannot_be_fired_after_all() -> None:
    """The mover goes on at once, and its enemy has seen where to when he is asked again on the same leg."""
    match = Match.start(scenarios.text_of("armour-first-evening"), nonces={"german": "1", "soviet": "1"}, key=bytes(32))
    match.game = march(TANKS, GUN, blue_1=WEST)
    match.settled = match.game.copy()
    go(match.game, "red-1", 7.5, 5, 90)
    assert match.game.asked() == ("blue",)
    match.play("blue", NotYet())
    assert match.undoable("blue") == []


@rule("8.5.2")
def test_8_5_2_fire_may_be_held_for_a_whole_move() -> None:
    game = march(TANKS, GUN, blue_1=WEST)
    go(game, "red-1", 7.5, 5, 90)
    game.play("blue", HoldFire())
    assert game.asked() == ("red",)
    assert at(game, "red-1") == "7.5,5"


@rule("8.5.1")
def test_8_5_1_stands_that_fired_or_are_marked_to_move_do_not_fire() -> None:
    for values in ({"fired": True}, {"posture": "movement"}):
        game = march(TANKS, GUN, blue_1={**WEST, **values})
        go(game, "red-1", 6, 5)
        assert game.asked() == ("red",)
    half = march(TANKS, GUN, blue_1={**WEST, "posture": "fire/move"})
    go(half, "red-1", 6, 5)
    attack = Attack("red-1", (Shot("blue-1"),), "opportunity")
    assert fire_roll(half.state, attack, attack.shots[0]).modifier == 3


@rule("8.5.1")
def test_7_5_2_artillery_takes_no_opportunity_fire() -> None:
    game = march(TANKS, ((HOWITZER, "15,5"),), blue_1=WEST)
    go(game, "red-1", 6, 5)
    assert game.asked() == ("red",)


@rule("8.5.3", "8.5.4", "8.5.5")
def test_8_5_4_a_mover_that_is_shaken_rolls_to_go_on() -> None:
    """10 to fire hits; 4 and 3 on the dice disorganize; 15 and 3 is more than the cohesion of 14."""
    game = march(TANKS, GUN, dice=(10, 4, 3, 15), blue_1=WEST)
    go(game, "red-1", 9, 5, 90)
    game.play("blue", NotYet())
    game.play("blue", Oppose("blue-1", "red-1"))
    game.play("blue", Fire())
    unit = stand(game, "red-1")
    assert (unit.disorganized, unit.opposed, unit.moved, at(game, "red-1")) == (True, True, True, "6,5")
    assert stand(game, "blue-1").fired


@rule("8.5.4")
def test_8_5_4_success_or_no_effect_lets_the_move_go_on() -> None:
    calm = march(TANKS, GUN, dice=(20,), blue_1=WEST)
    go(calm, "red-1", 9, 5, 90)
    calm.play("blue", Oppose("blue-1", "red-1"))
    calm.play("blue", Fire())
    assert at(calm, "red-1") == "9,5"
    steady = march(TANKS, GUN, dice=(10, 4, 3, 11), blue_1=WEST)
    go(steady, "red-1", 9, 5, 90)
    steady.play("blue", Oppose("blue-1", "red-1"))
    steady.play("blue", Fire())
    assert (at(steady, "red-1"), stand(steady, "red-1").disorganized) == ("9,5", True)


@rule("8.5.5")
def test_8_5_5_several_stands_fire_in_one_attack_and_no_second_one_follows() -> None:
    guns = (*GUN, (PAK, "15,7"), (PAK, "15,9"))
    game = march(TANKS, guns, dice=(20, 20), blue_1=WEST, blue_2=WEST, blue_3=WEST)
    go(game, "red-1", 9, 5, 90)
    game.play("blue", Oppose("blue-1", "red-1"))
    game.play("blue", AddFirer("blue-2"))
    game.play("blue", Fire())
    assert game.asked() == ("red",)
    assert not stand(game, "blue-3").fired
    assert at(game, "red-1") == "9,5"


@rule("8.6.1", "8.6.2", "8.6.3", "8.6.4")
def test_8_6_covering_fire_meets_those_that_have_just_fired() -> None:
    game = march(
        TANKS, (*GUN, (PAK, "15,12")), dice=(20, 11, 6, 6), red_2={"posture": "firing"}, blue_1=WEST, blue_2=WEST
    )
    go(game, "red-1", 9, 5, 90)
    game.play("blue", Oppose("blue-1", "red-1"))
    game.play("blue", Fire())
    assert game.asked() == ("red",)
    assert against(game, Cover("red-2", "blue-2")) == "8.6.2"
    game.play("red", Cover("red-2", "blue-1"))
    attack = Attack("blue-1", (Shot("red-2"),), "covering")
    assert [line.rule for line in fire_roll(game.state, attack, attack.shots[0]).lines][1:] == ["8.6.3"]
    game.play("red", Fire())
    assert (stand(game, "blue-1").covered, stand(game, "red-2").fired) == (True, True)
    assert at(game, "red-1") == "9,5"


@rule("8.6.1")
def test_8_6_1_only_stands_in_the_firing_posture_cover() -> None:
    game = march(TANKS, GUN, dice=(20,), red_2={"posture": "fire/move"}, blue_1=WEST)
    go(game, "red-1", 9, 5, 90)
    game.play("blue", Oppose("blue-1", "red-1"))
    game.play("blue", Fire())
    assert at(game, "red-1") == "9,5"  # nobody was asked
    assert against(game, leg("red-1", 9, 6)) == ""


@rule("12.8", "8.5.1")
def test_12_8_a_hit_in_the_movement_phase_lets_a_gun_fire_at_another_mover() -> None:
    """10 to fire hits; 4 and 3 disorganize; 15 and 3 are too much to go on. The second attack has 3 more."""
    for options, asked in (("", "red"), (OPTION, "blue")):
        game = march(TANKS, GUN, dice=(10, 4, 3, 15), blue_1=WEST, more=options)
        go(game, "red-1", 9, 5, 90)
        game.play("blue", Oppose("blue-1", "red-1"))
        game.play("blue", Fire())
        go(game, "red-2", 9, 10, 90)
        assert game.asked() == (asked,)
    attack = Attack("red-2", (Shot("blue-1"),), "opportunity")
    assert fire_roll(game.state, attack, attack.shots[0]).modifier == 3
    assert against(game, Oppose("blue-1", "red-2"), "blue") == ""


@rule("12.8", "8.5.1")
def test_12_8_a_hit_in_the_fire_phase_allows_no_opportunity_fire() -> None:
    game = march(TANKS, GUN, blue_1={**WEST, "fired": True, "again": True, "shots": ("red-1",)}, more=OPTION)
    game.push(MovementOrders("red"))
    fair(game, 1)
    game.run()
    go(game, "red-2", 9, 10, 90)
    assert game.asked() == ("red",)


@rule("8.3.4", "8.5.4")
def test_8_3_4_a_stand_that_is_stopped_beside_its_friend_is_where_it_came_from_and_faces_as_it_did() -> None:
    """Turned to its way it would reach over its friend, here and all the way back to its origin."""
    tanks = ((SHERMAN, "22,13"), (SHERMAN, "22,14"))
    game = march(tanks, ((PAK, "10,13"),), dice=(1, 3, 3, 20), red_1=WEST, red_2=WEST, blue_1={"facing": 90})
    go(game, "red-1", 14, 17, 243)
    game.play("blue", NotYet())
    assert stand(game, "red-1").facing == 243
    game.play("blue", Oppose("blue-1", "red-1"))
    game.play("blue", Fire())
    first, second = stand(game, "red-1"), stand(game, "red-2")
    assert (first.moved, first.shaken) == (True, True)
    assert (at(game, "red-1"), first.facing) == ("22,13", 270)
    assert not overlap(first.ring, second.ring)


@rule("8.5.2", "1.0-length")
def test_8_5_2_the_enemy_may_fire_at_a_stand_that_leaves_the_table_from_its_place() -> None:
    game = march(((SHERMAN, "39.5,5"),), ((PAK, "30,5"),), dice=(1, 1, 1), blue_1={"facing": 90})
    game.state.setting.exits["red"] = frozenset({"east"})
    game.play("red", Exit("red-1", "east"))
    assert (game.asked(), at(game, "red-1")) == (("blue",), "39.5,5")
    calm = game.copy()
    calm.play("blue", NotYet())
    assert stand(calm, "red-1").status == "exited"
    game.play("blue", Oppose("blue-1", "red-1"))
    game.play("blue", Fire())
    assert stand(game, "red-1").status == "eliminated"


@rule("8.5.2", "8.5.4", "8.9.5")
def test_8_5_2_the_enemy_may_fire_at_a_stand_before_it_fords_a_stream() -> None:
    stream = line("stream", "10,0 10,30")
    game = march(((RIFLES, "9.2,5"),), ((GRENADIERS, "9.2,9"),), dice=(1, 4, 4, 20), ground=stream)
    game.play("red", Ford("red-1", inches(10.8, 5)))
    assert (game.asked(), at(game, "red-1")) == (("blue",), "9.2,5")
    calm = game.copy()
    scripts(calm, (1,))
    calm.play("blue", HoldFire())
    assert (at(calm, "red-1"), calm.stack) == ("10.8,5", ())
    game.play("blue", Oppose("blue-1", "red-1"))
    game.play("blue", Fire())
    assert (at(game, "red-1"), stand(game, "red-1").moved) == ("9.2,5", True)
