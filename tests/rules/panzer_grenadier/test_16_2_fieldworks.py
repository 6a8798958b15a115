"""Digging in, wrecks, entrenchments [16.2-16.4]. Tests are named after rules, in the book's order."""

from __future__ import annotations

import pytest

from opfire.core.actions import Action
from opfire.core.game import Game
from opfire.rulesets.panzer_grenadier.actions import EndSegment, Pass
from opfire.rulesets.panzer_grenadier.command.activation import ActivateStack, Begin, Designate, DesignateAll
from opfire.rulesets.panzer_grenadier.fire.direct import FireDirect
from opfire.rulesets.panzer_grenadier.fire.strengths import Fire
from opfire.rulesets.panzer_grenadier.morale import harm
from opfire.rulesets.panzer_grenadier.movement.costs import step_cost
from opfire.rulesets.panzer_grenadier.movement.moving import Move
from opfire.rulesets.panzer_grenadier.movement.transport import Limber, Unlimber
from opfire.rulesets.panzer_grenadier.pieces import Position
from opfire.rulesets.panzer_grenadier.sequence import unmarked
from opfire.rulesets.panzer_grenadier.works import fieldworks
from opfire.rulesets.panzer_grenadier.works.fieldworks import ClearWreck, DigIn
from rules.panzer_grenadier.kit import (
    allowed,
    draw,
    full,
    german,
    leader,
    marker,
    offered,
    play,
    refused,
    rule,
    soviet,
    unit,
)


def active(game: Game[Position], hex: str = "C3") -> Game[Position]:
    """The game with the stack of a hex activated to move."""
    play(game, ActivateStack(hex), DesignateAll("move"), Begin())
    return game


def again(game: Game[Position], hex: str = "C3", turns: int = 1) -> Game[Position]:
    """Turns later: the markers are off, the Germans' next segment has the stack of that hex active to move."""
    if offered_end(game):
        play(game, EndSegment())
    game.state.turn += turns
    for name, one in game.state.units.items():
        game.state.units[name] = unmarked(one)
    while game.asked() != ("german",):
        play(game, Pass())
    return active(game, hex)


def offered_end(game: Game[Position]) -> bool:
    return EndSegment() in game.choices(game.asked()[0])


def dug(game: Game[Position], name: str) -> bool:
    return fieldworks.dug_in(game.state, unit(game, name))


def shelter(game: Game[Position], name: str) -> bool:
    return fieldworks.entrenched(game.state, unit(game, name))


BOARD = "\n".join([". . . . . .", ". t w s m .", *[". . . . . ."] * 6])


# --- digging in [16.2] ------------------------------------------------------------------------------------------


@rule("16.2")
def test_16_2_two_segments_of_digging():
    game = active(draw(a=german("ger-inf", "C3"), b=german("ger-inf", "C3"), x=soviet("sov-inf", "P10")))
    play(game, DigIn("a"))
    assert unit(game, "a").marked
    assert not dug(game, "a")
    again(game)
    play(game, DigIn("a"))
    assert dug(game, "a")
    assert not dug(game, "b")
    assert refused(again(game), DigIn("a")) == "16.2"


@rule("16.2")
@pytest.mark.parametrize(("hex", "may"), [("B2", False), ("C2", False), ("D2", True), ("E2", True), ("A1", True)])
def test_16_2_not_in_town_or_woods_but_on_hills_in_swamps_and_in_the_open(hex: str, may: bool):
    game = active(draw(BOARD, a=german("ger-inf", hex), b=german("ger-inf", hex)), hex)
    if may:
        assert allowed(game, DigIn("a"))
    else:
        assert refused(game, DigIn("a")) == "16.2"


@rule("16.2")
def test_16_2_not_in_an_entrenchment():
    game = active(draw(a=german("ger-inf", "C3"), markers=[marker("entrenchment", "C3")]))
    assert refused(game, DigIn("a")) == "16.2"


@rule("16.2")
def test_16_2_not_after_a_step_nor_by_the_demoralized():
    game = draw(a=german("ger-inf", "C3"), b=german("ger-inf", "C3", state="demoralized"))
    play(game, ActivateStack("C3"), Designate("a", "move"), Designate("b", "recover"), Begin())
    assert refused(game, DigIn("b")) == "3.13"
    play(game, Move("a", "C4"))
    assert refused(game, DigIn("a")) == "procedure"  # it is moving


@rule("16.2.A1")
@rule("16.22.a")
@rule("16.2.A3")
def test_16_2_leaders_share_the_units_hole_and_units_not_the_leaders():
    game = draw(
        a=german("ger-inf", "C3", dug_in=2),
        lt=leader("german", "C3"),
        b=german("ger-inf", "E3"),
        cpt=leader("german", "E3", dug_in=2),
    )
    assert dug(game, "lt")
    assert dug(game, "cpt")
    assert not dug(game, "b")


@rule("16.2.A1")
def test_16_2_a1_he_keeps_it_when_the_unit_is_destroyed():
    game = draw(a=german("ger-inf", "C3", dug_in=2), lt=leader("german", "C3"))
    harm.eliminate(game, "a")
    assert dug(game, "lt")


@rule("16.2.A2")
def test_16_2_a2_leaders_dig_in_by_themselves():
    game = active(draw(lt=leader("german", "C3"), x=soviet("sov-inf", "P10")))
    assert offered(game, DigIn) == {DigIn("lt")}
    play(game, DigIn("lt"))
    assert not dug(game, "lt")
    play(again(game), DigIn("lt"))
    assert dug(game, "lt")


@rule("16.21")
@pytest.mark.parametrize("how", ["disrupt", "demoralize"])
def test_16_21_shaken_between_the_segments_it_begins_anew(how: str):
    game = draw(a=german("ger-inf", "C3", dug_in=1), b=german("ger-inf", "C3", dug_in=2))
    for name in ("a", "b"):
        getattr(harm, how)(game, name)
    assert unit(game, "a").dug_in == 0
    assert dug(game, "b")  # what is finished stays


@rule("16.21")
def test_16_21_firing_breaks_it_off_and_does_not_harm_a_finished_hole():
    foes = {"x": soviet("sov-inf", "C5")}
    game = draw(a=german("ger-inf", "C3", dug_in=1), b=german("ger-inf", "C3", dug_in=2), **foes)
    play(game, ActivateStack("C3"), DesignateAll("fire"), Begin())
    for name in ("a", "b"):
        play(game, FireDirect(name, full("C5")))
        play(game, Fire(), dice=[6, 6])
    assert unit(game, "a").dug_in == 0
    assert dug(game, "b")


@rule("16.21")
@rule("16.22.A1")
def test_16_21_moving_leaves_the_hole_behind_and_nobody_inherits_it():
    game = active(draw(a=german("ger-inf", "C3", dug_in=2), b=german("ger-inf", "C3")))
    assert dug(game, "a")
    assert not dug(game, "b")
    play(game, Move("a", "C4"))
    assert unit(game, "a").dug_in == 0
    assert not dug(game, "b")


@rule("16.21", "5.63")
@pytest.mark.parametrize(("limbered", "action"), [(False, Limber("a")), (True, Unlimber("a"))])
@pytest.mark.parametrize("segments", [1, 2])
def test_16_21_limbering_is_no_moving_and_breaks_off_nothing(limbered: bool, action: Action, segments: int):
    game = active(draw(a=german("ger-at-37", "C3", limbered=limbered, dug_in=segments)))
    assert not [event for event in play(game, action) if event.rule == "16.21"]
    assert unit(game, "a").dug_in == segments


# --- wrecks [16.3] ----------------------------------------------------------------------------------------------


@rule("16.3")
def test_16_3_an_afv_step_lost_in_a_town_leaves_a_wreck_elsewhere_none():
    game = draw(BOARD, tank=german("ger-pz4h", "B2"), other=german("ger-pz4h", "A1"), inf=german("ger-inf", "B2"))
    for name in ("tank", "other", "inf"):
        harm.lose_step(game, name)
    assert game.state.work("1-B2").wrecks == 1
    assert game.state.work("1-A1").wrecks == 0


@rule("16.3")
def test_16_3_one_on_a_bridge_too():
    game = draw(fields={"roads": ["C1 C2 C3 C4"], "bridges": {"C3": "wood"}}, tank=german("ger-pz4h", "C3"))
    harm.lose_step(game, "tank")
    assert game.state.work("1-C3").wrecks == 1


@rule("16.3")
@pytest.mark.parametrize(("wrecks", "more"), [(0, 0), (1, 1), (2, 5)])
def test_16_3_vehicles_pay_for_wrecks_and_nobody_else(wrecks: int, more: int):
    game = draw(tank=german("ger-pz4h", "C3"), inf=german("ger-inf", "C3"), markers=[marker("wreck", "C4")] * wrecks)
    assert step_cost(game.state, unit(game, "tank"), "1-C3", "1-C4") == 2 * (1 + more)
    assert step_cost(game.state, unit(game, "inf"), "1-C3", "1-C4") == 2


@rule("16.3")
@rule("16.3.A1")
def test_16_3_three_wrecks_bar_the_way_in_for_vehicles_and_not_out():
    three = [marker("wreck", "C4")] * 3
    game = active(draw(tank=german("ger-pz4h", "C3"), inf=german("ger-inf", "C3"), markers=three))
    assert refused(game, Move("tank", "C4")) == "16.3"
    assert allowed(game, Move("inf", "C4"))
    game = active(draw(tank=german("ger-pz4h", "C4"), markers=three), "C4")
    assert allowed(game, Move("tank", "C3"))


@rule("16.31")
def test_16_31_two_turns_running_clear_a_wreck():
    game = active(draw(tank=german("ger-pz4h", "C3"), x=soviet("sov-inf", "P10"), markers=[marker("wreck", "C3")]))
    play(game, ClearWreck("tank"))
    assert unit(game, "tank").marked
    play(again(game), ClearWreck("tank"))
    assert game.state.work("1-C3").wrecks == 0


@rule("16.31")
def test_16_31_a_turn_missed_begins_anew():
    game = active(draw(tank=german("ger-pz4h", "C3"), x=soviet("sov-inf", "P10"), markers=[marker("wreck", "C3")]))
    play(game, ClearWreck("tank"))
    play(again(game, turns=2), ClearWreck("tank"))
    assert game.state.work("1-C3").wrecks == 1
    harm.disrupt(game, "tank")
    game.state.change("tank", state="good order")
    play(again(game), ClearWreck("tank"))
    assert game.state.work("1-C3").wrecks == 1  # interrupted in between


@rule("16.31")
@pytest.mark.parametrize("kind", ["ger-pz2", "ger-inf", "ger-truck"])
def test_16_31_it_takes_armor_of_two(kind: str):
    game = active(draw(a=german(kind, "C3"), markers=[marker("wreck", "C3")]))
    assert refused(game, ClearWreck("a")) == "16.31"


@rule("16.31")
def test_16_31_only_in_good_order_and_where_a_wreck_is():
    game = active(
        draw(a=german("ger-pz4h", "C3", state="disrupted"), b=german("ger-pz4h", "C3"), markers=[marker("wreck", "C3")])
    )
    assert refused(game, ClearWreck("a")) == "16.31"
    game = active(draw(a=german("ger-pz4h", "C3")))
    assert refused(game, ClearWreck("a")) == "16.31"


# --- entrenchments [16.4] ---------------------------------------------------------------------------------------


@rule("16.4")
def test_16_4_they_stay_and_shelter_whoever_comes():
    game = draw(
        a=german("ger-inf", "C3"),
        x=soviet("sov-inf", "E3"),
        markers=[marker("entrenchment", "C3"), marker("entrenchment", "E3")],
    )
    assert shelter(game, "a")
    assert shelter(game, "x")
    play(active(game), Move("a", "C2"))
    assert game.state.work("1-C3").entrenchment
    assert not shelter(game, "a")


@rule("16.41")
@pytest.mark.parametrize("kind", ["ger-pz4h", "ger-cav", "ger-truck", "ger-spw251"])
def test_16_41_no_good_to_afvs_cavalry_and_transports(kind: str):
    game = draw(a=german(kind, "C3"), inf=german("ger-inf", "C3"), markers=[marker("entrenchment", "C3")])
    assert not shelter(game, "a")
    assert shelter(game, "inf")


@rule("16.41")
def test_16_41_they_may_enter_one():
    game = active(draw(a=german("ger-pz4h", "C3"), markers=[marker("entrenchment", "C4")]))
    assert allowed(game, Move("a", "C4"))


@rule("12.41.c")
@rule("16.4")
def test_12_41_c_in_an_assault_hex_it_shelters_those_who_were_there_first():
    """In a case file the first named of a hex lies on top: it came last."""
    game = draw(a=german("ger-inf", "C3"), x=soviet("sov-inf", "C3"), markers=[marker("entrenchment", "C3")])
    assert shelter(game, "x")
    assert not shelter(game, "a")
    harm.eliminate(game, "x")
    assert shelter(game, "a")
