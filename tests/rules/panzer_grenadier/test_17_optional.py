"""Optional rules [17]: consolidation, excess initiative, fog of war, random events. Tests are named after rules."""

from __future__ import annotations

import pytest

from opfire.core.dice import scripted
from opfire.core.game import Game
from opfire.rulesets.panzer_grenadier.actions import Pass
from opfire.rulesets.panzer_grenadier.command.activation import ActivateStack, Begin, Designate, DesignateAll
from opfire.rulesets.panzer_grenadier.movement.moving import Move
from opfire.rulesets.panzer_grenadier.optional import fogofwar
from opfire.rulesets.panzer_grenadier.optional.rules import Consolidate, SaveSegment, UseSaved
from opfire.rulesets.panzer_grenadier.pieces import Position
from rules.panzer_grenadier.kit import draw, german, lines, offered, play, refused, rule, soviet, unit
from rules.panzer_grenadier.test_03_sequence import MANY, segments, turn

# --- 17.1 ---


def pair(*first: Designate, options: tuple[str, ...] = ("17.1",), **other: object) -> Game[Position]:
    """Two reduced platoons in C3, activated to move; the second as told."""
    kind = str(other.pop("kind", "ger-inf"))
    game = draw(
        one=german("ger-inf", "C3", reduced=True),
        two=german(kind, "C3", **{"reduced": True, **other}),
        foe=soviet("sov-inf", "P3"),
        options=options,
    )
    play(game, ActivateStack("C3"), *first, DesignateAll("move"))
    if offered(game, Begin):
        play(game, Begin())
    return game


@rule("17.1")
def test_17_1_two_reduced_units_become_a_whole_one_that_has_acted():
    game = pair()
    assert offered(game, Consolidate) == {Consolidate("one", "two"), Consolidate("two", "one")}
    play(game, Consolidate("one", "two"))
    assert unit(game, "one").steps == 2
    assert unit(game, "one").marked
    assert unit(game, "two").hex is None
    assert game.state.armies["german"].losses == 0


@rule("17.1")
@pytest.mark.parametrize("other", [{"kind": "ger-hmg"}, {"reduced": False}, {"state": "disrupted"}])
def test_17_1_only_reduced_units_of_one_kind_and_morale(other: dict[str, object]):
    assert refused(pair(**other), Consolidate("one", "two")) == "17.1"


@rule("17.1")
def test_17_1_it_takes_all_movement_points():
    game = pair()
    play(game, Move("one", "C4"), Move("one", "C3"))
    assert refused(game, Consolidate("one", "two")) in ("17.1", "procedure", "3.13.c")
    assert not offered(game, Consolidate)


@rule("17.1")
def test_17_1_is_optional():
    assert refused(pair(options=()), Consolidate("one", "two")) == "17.1"


# --- 17.2 ---


@rule("17.2")
def test_17_2_one_of_three_segments_may_be_saved_and_used_for_two_in_a_row():
    game = turn(6, 1, options=["17.2"], **MANY)  # five ahead: three segments
    play(game, SaveSegment())
    assert segments(game, 1) == "g"
    assert segments(game, 1) == "g"
    play(game, Pass())  # kept for later
    assert segments(game, 2) == "sg"
    play(game, UseSaved())
    assert segments(game, 3) == "gsg"


@rule("17.2")
def test_17_2_two_segments_are_too_few_to_save_one():
    game = turn(5, 1, options=["17.2"], **MANY)
    assert not offered(game, SaveSegment)
    assert segments(game, 3) == "ggs"


@rule("17.2")
def test_17_2_nothing_has_to_be_saved():
    game = turn(6, 1, options=["17.2"], **MANY)
    play(game, Pass())
    assert segments(game, 4) == "gggs"


@rule("17.2")
def test_17_2_is_optional():
    assert not offered(turn(6, 1, **MANY), SaveSegment)


# --- 17.4 ---


@rule("17.4")
def test_17_4_after_three_segments_each_sixteen_ends_the_turn():
    game = turn(4, 3, options=["17.4"], **MANY)
    assert segments(game, 6) == "gsgsgs"  # no roll yet
    game.dice = scripted([5, 5, 5, 5, 5, 6])
    assert segments(game, 1) == "g"
    assert game.asked() == ("soviet",)
    assert segments(game, 1) == "s"
    assert not game.asked()


@rule("17.4")
def test_17_4_the_lead_of_one_side_alone_does_not_count():
    game = turn(6, 1, initiative=(6, 3), options=["17.4"], **MANY)  # four segments ahead
    assert segments(game, 7) == "ggggsgs"
    assert not game.dice.script


@rule("17.4")
def test_17_4_by_night_one_is_added():
    game = draw(inf=german("ger-inf", "C3"), foe=soviet("sov-inf", "P3"), special={"night": [1]}, options=["17.4"])
    found = fogofwar.chance(game.state)
    assert found.outcomes[15 - 3] == "the turn ends"
    assert ("modifier", "17.4", 1) in lines(found)
    by_day = fogofwar.chance(draw(inf=german("ger-inf", "C3"), foe=soviet("sov-inf", "P3")).state)
    assert by_day.outcomes[15 - 3] == "the turn goes on"
    assert by_day.outcomes[16 - 3] == "the turn ends"


@rule("17.4")
def test_17_4_is_optional():
    game = turn(4, 3, **MANY)
    assert segments(game, 10) == "gsgsgsgsgs"
    assert not game.rolls


# --- 17.5 ---


@rule("17.5")
def test_17_5_equal_dice_bring_an_event_after_the_initiative_is_rolled_again():
    game = turn(4, 4, 5, 3, 6, 5, options=["17.5"], **MANY)  # 11: one segment more
    assert not game.dice.script
    assert segments(game, 4) == "ggsg"


@rule("17.5")
def test_17_5_equal_dice_count_even_where_the_totals_differ_and_once_a_turn():
    game = turn(4, 4, 2, 2, 3, 3, initiative=(4, 3), options=["17.5"], **MANY)
    assert not game.dice.script  # the second pair decides, the third is the event: nothing
    assert segments(game, 2) == "gs"


@rule("17.5")
@pytest.mark.parametrize(("dice", "good"), [((1, 3), True), ((4, 6), False)])
def test_17_5_the_sum_of_a_die_each_says_what_happens(dice: tuple[int, int], good: bool):
    units = dict(MANY, inf1=german("ger-inf", "B1", state="disrupted"))
    game = turn(4, 4, 5, 3, *dice, options=["17.5"], **units)
    assert unit(game, "inf1").good_order is good  # 4 heartens the winner, 10 the loser


@rule("17.5")
def test_17_5_an_aircraft_comes():
    game = turn(4, 4, 5, 3, 1, 1, 1, 1, options=["17.5"], **MANY)
    assert len(game.state.armies["german"].aircraft) == 1
    assert not game.state.armies["soviet"].aircraft


@rule("17.5")
def test_17_5_is_optional():
    game = turn(4, 4, initiative=(4, 3), **MANY)
    assert segments(game, 2) == "gs"
