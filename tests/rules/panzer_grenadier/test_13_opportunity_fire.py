"""Opportunity fire [13]. Tests are named after rules, in the book's order."""

from __future__ import annotations

from typing import Any

import pytest

from opfire.core.game import Game
from opfire.rulesets.panzer_grenadier.actions import EndSegment, Pass
from opfire.rulesets.panzer_grenadier.command.activation import Activate, ActivateLeader, Begin, DesignateAll
from opfire.rulesets.panzer_grenadier.fire import reaction
from opfire.rulesets.panzer_grenadier.fire.reaction import ShootAntiTank, ShootDirect
from opfire.rulesets.panzer_grenadier.movement.moving import EnterMap, GoAlong, Move, Stop
from opfire.rulesets.panzer_grenadier.pieces import Position
from opfire.rulesets.panzer_grenadier.works.fieldworks import DigIn
from rules.panzer_grenadier.kit import (
    allowed,
    calculations,
    draw,
    german,
    leader,
    lines,
    offered,
    play,
    refused,
    rule,
    soviet,
    unit,
)

EFFICIENT = {"sides": {"soviet": {"force": "guards"}}}
"""Soviet Guards have armor efficiency from 1943 on, the year of all these positions."""


def march(movers: dict[str, Any], **foes: Any) -> Game[Position]:
    """Germans in C1 with an LT who activates them all to move; Soviets where they are put."""
    special = foes.pop("special", None)
    game = draw(**movers, lt=leader("german", "C1"), **foes, special=special)
    play(game, ActivateLeader("lt"), DesignateAll("move"), Begin())
    return game


def one(**foes: Any) -> Game[Position]:
    """A German INF in C1 about to move."""
    return march({"a": german("ger-inf", "C1", movement=8)}, **foes)


def column(*hexes: str) -> list[Move]:
    return [Move("a", hex) for hex in hexes]


def seats(game: Game[Position]) -> tuple[str, ...]:
    return game.asked()


MISS = [6, 6]


# --- who, with what, how often [13.0] ---------------------------------------------------------------------------


@rule("13.0")
@rule("7.44")
def test_13_0_a_unit_with_direct_fire_shoots_twice_a_turn_and_not_again():
    game = one(x=soviet("sov-inf", "C4"))
    play(game, Move("a", "C2"))
    play(game, ShootDirect(("x",), "a"), dice=MISS)
    play(game, Move("a", "D2"), ShootDirect(("x",), "a"), dice=MISS)
    play(game, Move("a", "D3"))
    assert seats(game) == ("german",)  # its two shots are spent: nobody is asked
    shots = reaction.spent(game.state, unit(game, "x"), "direct")
    assert shots is not None
    assert shots.rule == "13.1.a"


@rule("13.0")
def test_13_0_anti_tank_fire_is_one_shot():
    game = march({"a": german("ger-pz4h", "C1"), "t": german("ger-truck", "C1")}, x=soviet("sov-at-57", "C6"))
    play(game, Move("t", "C2"))
    play(game, ShootAntiTank("x", "t"), dice=[1, 1])
    assert seats(game) == ("german",)
    spent = reaction.spent(game.state, unit(game, "x"), "at")
    assert spent is not None
    assert spent.rule == "13.1.a"


@rule("13.0")
@rule("11.2")
def test_13_0_armor_efficiency_gives_two():
    game = march({"a": german("ger-spw251", "C1")}, x=soviet("sov-t34-85", "C6"), special=EFFICIENT)
    play(game, Move("a", "C2"))
    play(game, ShootAntiTank("x", "a"), dice=[1, 1])
    play(game, Move("a", "C3"))
    assert allowed(game, ShootAntiTank("x", "a"))


@rule("13.0.A1")
def test_13_0_a1_two_opportunity_shots_or_two_ordinary_ones():
    """An efficient tank that has fired in its own segment shoots at no mover, and the other way round."""
    game = march({"a": german("ger-spw251", "C1")}, x=soviet("sov-t34-85", "C6", marked=True), special=EFFICIENT)
    play(game, Move("a", "C2"))
    found = reaction.spent(game.state, unit(game, "x"), "at")
    assert found is not None
    assert found.rule == "13.0"
    game = march({"a": german("ger-spw251", "C1")}, x=soviet("sov-t34-85", "C6"), special=EFFICIENT)
    play(game, Move("a", "C2"))
    play(game, ShootAntiTank("x", "a"), dice=[1, 1])
    play(game, Stop("a"), EndSegment())
    assert refused(game, Activate("x", "fire")) == "13.1"


@rule("13.0")
def test_13_0_either_kind_of_fire_but_not_both_in_a_turn():
    game = march({"a": german("ger-truck", "C1")}, x=soviet("sov-t34", "C5"))
    play(game, Move("a", "C2"))
    assert allowed(game, ShootAntiTank("x", "a"))
    play(game, ShootDirect(("x",), "a"), dice=MISS)
    play(game, Move("a", "D2"))
    assert refused(game, ShootAntiTank("x", "a")) == "13.0"
    assert allowed(game, ShootDirect(("x",), "a"))


@rule("13.0")
@rule("13.1.A1")
def test_13_0_who_has_been_activated_does_not_shoot():
    game = one(x=soviet("sov-inf", "C4", marked=True), y=soviet("sov-inf", "D3"))
    play(game, Move("a", "C2"))
    assert refused(game, ShootDirect(("x",), "a")) == "13.0"
    assert allowed(game, ShootDirect(("y",), "a"))


@rule("13.0")
def test_13_0_a_mover_out_of_range_is_not_fired_at():
    game = one(x=soviet("sov-inf", "C6"), y=soviet("sov-hmg", "C6"))
    play(game, Move("a", "C2"))  # four hexes: the HMG reaches it, the INF does not
    assert refused(game, ShootDirect(("x",), "a")) == "7.32"
    assert allowed(game, ShootDirect(("y",), "a"))


@rule("13.0")
def test_13_0_the_mover_itself_has_to_be_spotted():
    """Woods hide it from units more than three hexes away, though it was seen in the open before."""
    board = "\n".join([". . . . . . . .", ". . w . . . . .", *[". . . . . . . ."] * 6])
    game = draw(board, a=german("ger-inf", "C1"), lt=leader("german", "C1"), x=soviet("sov-hmg", "C6"))
    play(game, ActivateLeader("lt"), DesignateAll("move"), Begin(), Move("a", "C2"))
    assert seats(game) == ("german",)
    found = reaction.cannot_fire_together(game.state, "soviet", ("x",), "a")
    assert found is not None
    assert found.rule == "13.0"


@rule("14.3.a")
def test_14_3_the_demoralized_do_not_shoot():
    game = one(x=soviet("sov-inf", "C4", state="demoralized"), y=soviet("sov-inf", "D3"))
    play(game, Move("a", "C2"))
    assert refused(game, ShootDirect(("x",), "a")) == "14.3"


@rule("12.6")
def test_12_6_units_in_an_assault_hex_do_not_fire_out_of_it():
    game = one(x=soviet("sov-inf", "C4"), b=german("ger-inf", "C4"), y=soviet("sov-inf", "D3"))
    play(game, Move("a", "C2"))
    assert refused(game, ShootDirect(("x",), "a")) == "12.6"


@rule("13.0")
@rule("11.0")
def test_13_0_anti_tank_fire_is_at_vehicles():
    game = one(x=soviet("sov-t34", "C5"))
    play(game, Move("a", "C2"))
    assert refused(game, ShootAntiTank("x", "a")) == "11.0"


# --- together, with leaders [13.01] -----------------------------------------------------------------------------


@rule("13.0")
@rule("7.33")
def test_13_0_units_of_a_hex_combine_direct_fire():
    game = one(x=soviet("sov-inf", "C4"), y=soviet("sov-inf", "C4"))
    play(game, Move("a", "C2"))
    (calculation,) = calculations(play(game, ShootDirect(("x", "y"), "a"), dice=MISS))
    assert [amount for kind, _, amount in lines(calculation) if kind == "attack"] == [4, 4]
    assert unit(game, "x").marked
    assert unit(game, "y").marked


@rule("13.01")
@rule("6.42")
@rule("13.01.A1")
def test_13_01_a_leader_adds_his_bonus_in_both_shots_and_is_marked():
    game = one(x=soviet("sov-inf", "C4"), boss=leader("soviet", "C4", combat=1))
    for hex in ("C2", "D2"):
        play(game, Move("a", hex))
        (calculation,) = calculations(play(game, ShootDirect(("x", "boss"), "a"), dice=MISS))
        assert ("attack", "6.42", 1) in lines(calculation)
        assert unit(game, "boss").marked


@rule("13.01.A1")
def test_13_01_a1_a_leader_who_has_helped_is_not_activated_this_turn():
    game = one(x=soviet("sov-inf", "C4"), boss=leader("soviet", "C4", combat=1))
    play(game, Move("a", "C2"))
    play(game, ShootDirect(("x", "boss"), "a"), dice=MISS)
    play(game, Stop("a"), EndSegment())
    assert refused(game, Activate("boss", "move")) == "3.13.c"
    assert refused(game, Activate("x", "fire")) == "13.1"


@rule("13.01")
@rule("7.33")
def test_13_01_adjacent_hexes_combine_through_a_leader_only():
    foes = {"x": soviet("sov-inf", "C4"), "y": soviet("sov-inf", "D3")}
    game = one(**foes)
    play(game, Move("a", "C2"))
    assert refused(game, ShootDirect(("x", "y"), "a")) == "7.33"
    game = one(**foes, boss=leader("soviet", "C4", combat=1))
    play(game, Move("a", "C2"))
    assert refused(game, ShootDirect(("x", "y"), "a")) == "7.33"  # he has to be named: it uses him up
    assert allowed(game, ShootDirect(("x", "y", "boss"), "a"))


@rule("13.01")
def test_13_01_nobody_has_to_help_and_nobody_helps_for_nothing():
    game = one(x=soviet("sov-inf", "C4"), boss=leader("soviet", "C4", combat=1), other=leader("soviet", "D4", combat=1))
    play(game, Move("a", "C2"))
    assert offered(game, ShootDirect) == {ShootDirect(("x",), "a"), ShootDirect(("x", "boss"), "a")}
    assert refused(game, ShootDirect(("x", "other"), "a")) == "13.01"
    assert refused(game, ShootDirect(("boss",), "a")) == "7.31"
    (calculation,) = calculations(play(game, ShootDirect(("x",), "a"), dice=MISS))
    assert ("attack", "6.42", 1) not in lines(calculation)
    assert not unit(game, "boss").marked


# --- markers [13.1] ---------------------------------------------------------------------------------------------


@rule("13.1")
@rule("13.1.a")
def test_13_1_a_after_the_first_shot_there_is_a_second_but_no_activation():
    game = one(x=soviet("sov-inf", "C4"))
    play(game, Move("a", "C2"))
    play(game, ShootDirect(("x",), "a"), dice=MISS)
    assert (unit(game, "x").marked, unit(game, "x").shots) == (True, 1)
    play(game, Move("a", "D2"))
    assert allowed(game, ShootDirect(("x",), "a"))
    play(game, Pass(), Stop("a"), EndSegment())
    assert refused(game, Activate("x", "move")) == "13.1"


@rule("7.44.A1")
def test_7_44_a1_the_two_shots_may_fall_in_two_segments():
    others = {"b": german("ger-inf", "E4"), "c": german("ger-inf", "A4")}
    idle = {"y": soviet("sov-inf", "P10"), "z": soviet("sov-inf", "P9")}
    game = march({"a": german("ger-inf", "C1")}, x=soviet("sov-inf", "C4"), **idle, **others)
    play(game, Move("a", "C2"))
    play(game, ShootDirect(("x",), "a"), dice=MISS)
    play(game, Stop("a"), EndSegment(), Activate("y", "move"), EndSegment())
    play(game, Activate("b", "move"), Move("b", "E3"))
    assert allowed(game, ShootDirect(("x",), "b"))
    play(game, ShootDirect(("x",), "b"), dice=MISS)
    play(game, Stop("b"), Activate("z", "move"), EndSegment())
    play(game, Activate("c", "move"), Move("c", "A3"))
    assert game.asked() == ("german",)  # two in the turn, not in each of the enemy's segments


@rule("7.64")
def test_7_64_a_stack_stands_by_while_one_of_it_that_comes_in_is_fired_at_twice():
    there = {"b": german("ger-inf", "C2"), "boss": leader("german", "C2")}
    game = march({"a": german("ger-inf", "C1", movement=8)}, **there, x=soviet("sov-inf", "C4", direct=12))
    play(game, Move("a", "C2"))
    play(game, ShootDirect(("x",), "a"), dice=[1, 1, 1, 1])
    assert unit(game, "a").reduced
    assert not unit(game, "b").reduced
    assert unit(game, "boss").status == "on the map"
    play(game, Move("a", "D2"))
    play(game, ShootDirect(("x",), "a"), dice=MISS)
    play(game, Move("a", "D3"))
    assert not offered(game, ShootDirect)


# --- whom it hits [13.2, 13.31], when [13.3] --------------------------------------------------------------------


@rule("13.2")
@rule("13.33")
def test_13_2_others_in_the_hex_are_untouched_and_do_not_crowd_it():
    """Three INF in the hex: the mover alone checks, and no shift counts them."""
    there = {"b": german("ger-inf", "C2"), "c": german("ger-inf", "C2")}
    game = march({"a": german("ger-inf", "C1"), **there}, x=soviet("sov-hmg", "C4"))
    play(game, Move("a", "C2"))
    assert refused(game, ShootDirect(("x",), "b")) == "13.2"
    (calculation, *_) = calculations(play(game, ShootDirect(("x",), "a"), dice=[2, 2, 6, 6]))
    assert not any(rule == "4.4" for _, rule, _ in lines(calculation))
    assert unit(game, "a").demoralized
    assert unit(game, "b").good_order
    assert unit(game, "c").good_order


@rule("13.3")
def test_13_3_it_may_come_in_every_hex_entered_before_the_next():
    game = one(x=soviet("sov-inf", "C4"))
    play(game, Move("a", "C2"))
    assert offered(game, Move) == set()  # the mover waits
    play(game, Pass(), Move("a", "D2"))
    assert seats(game) == ("soviet",)


@rule("13.31")
@rule("7.44.a")
def test_13_31_a_leader_moving_along_shares_the_result():
    game = march({"a": german("ger-inf", "C1")}, x=soviet("sov-hmg", "C4"))
    play(game, GoAlong("a", "lt"), Move("a", "C2"))
    play(game, ShootDirect(("x",), "a"), dice=[2, 2, 6, 6, 6, 6])
    assert unit(game, "a").demoralized
    assert unit(game, "lt").demoralized


@rule("13.31", "7.52", "6.7")
@pytest.mark.parametrize(("casualty", "status"), [((1, 2), "eliminated"), ((1, 3), "on the map")])
def test_13_31_a_leader_with_a_mortar_is_not_alone_on_his_column(casualty: tuple[int, int], status: str):
    """7 on column 7 for the leader, on 16 for the mortar: an X on both takes the mortar and no leader.

    He checks at M2, and rolls for the step that was lost beside him: three less one, and he falls.
    """
    game = march({"a": german("ger-mortar-81", "C1")}, x=soviet("sov-hmg", "C4"))
    play(game, GoAlong("a", "lt"), Move("a", "C2"))
    play(game, ShootDirect(("x",), "a"), dice=[1, 1, 1, 1, *casualty])
    assert unit(game, "a").status == "eliminated"
    assert unit(game, "lt").status == status


@rule("13.3")
@rule("5.0")
def test_13_3_a_mover_that_is_shaken_goes_no_farther():
    game = one(x=soviet("sov-hmg", "C4"), b=german("ger-inf", "C1"))
    play(game, Move("a", "C2"))
    play(game, ShootDirect(("x",), "a"), dice=[2, 2, 4, 5])  # missed by one: disrupted
    assert unit(game, "a").state == "disrupted"
    assert unit(game, "a").marked
    assert unit(game, "a").hex == "1-C2"


@rule("13.32")
def test_13_32_digging_in_draws_no_fire():
    game = one(x=soviet("sov-hmg", "C3"), b=german("ger-inf", "C1"))
    play(game, DigIn("a"))
    assert seats(game) == ("german",)


@rule("13.35")
def test_13_35_once_in_a_hex_by_each_firer():
    game = one(x=soviet("sov-inf", "C4"), y=soviet("sov-inf", "C4"))
    play(game, Move("a", "C2"))
    play(game, ShootDirect(("x",), "a"), dice=MISS)
    assert refused(game, ShootDirect(("x",), "a")) == "13.35"
    assert allowed(game, ShootDirect(("y",), "a"))


@rule("13.35")
def test_13_35_two_finns_and_a_cavalry_unit():
    """The book's example: both fire in the first hex, apart or together, and again only in another one."""
    cavalry = {"a": german("ger-cav", "C1")}
    game = march(cavalry, x=soviet("sov-inf", "C4"), y=soviet("sov-inf", "C4"))
    play(game, Move("a", "C2"))
    play(game, ShootDirect(("x",), "a"), dice=MISS)
    play(game, ShootDirect(("y",), "a"), dice=MISS)
    assert seats(game) == ("german",)
    play(game, Move("a", "D2"))
    assert allowed(game, ShootDirect(("x", "y"), "a"))


@rule("13.35")
def test_13_35_the_second_shot_may_be_at_another_mover_in_the_same_hex():
    game = march({"a": german("ger-inf", "C1"), "b": german("ger-inf", "C1")}, x=soviet("sov-inf", "C4"))
    play(game, Move("a", "C2"))
    play(game, ShootDirect(("x",), "a"), dice=MISS)
    play(game, Stop("a"), Move("b", "C2"))
    assert allowed(game, ShootDirect(("x",), "b"))


@rule("13.36")
def test_13_36_shots_are_declared_one_at_a_time():
    game = one(x=soviet("sov-inf", "C4"), y=soviet("sov-inf", "C4"))
    play(game, Move("a", "C2"))
    play(game, ShootDirect(("x",), "a"), dice=MISS)
    assert seats(game) == ("soviet",)
    play(game, Pass())
    assert seats(game) == ("german",)


@rule("13.4")
@pytest.mark.parametrize(("enemy", "asked"), [("A3", ("german",)), ("A4", ("soviet",))])
def test_13_4_no_unit_fires_at_one_that_enters_an_assault_hex(enemy: str, asked: tuple[str, ...]):
    """Two reinforcements enter A3: the first to assault, the second to reinforce; a gun looks on from A5."""
    own = {name: german("ger-inf", entry=["A3"]) for name in "ab"} | {"lt": leader("german", entry=["A3"])}
    game = draw(**own, x=soviet("sov-inf", enemy), gun=soviet("sov-hmg", "A5"))
    play(game, ActivateLeader("lt"), DesignateAll("fire" if enemy == "A3" else "move"), Begin())
    play(game, EnterMap("a", "1-A3"))
    assert seats(game) == asked
    if asked == ("german",):
        play(game, EnterMap("b", "1-A3"))
        assert seats(game) == ("german",)
        assert game.state.assault_hex("1-A3")


# --- what is hidden [16.6] --------------------------------------------------------------------------------------


@rule("16.61")
@pytest.mark.parametrize("hidden", [True, False])
def test_16_61_the_question_tells_nothing_of_where_the_hidden_are(hidden: bool):
    """While a side has units that nobody has seen it is asked at every step, near or far."""
    game = one(x=soviet("sov-inf", "P10", hidden=hidden))
    play(game, Move("a", "C2"))
    assert seats(game) == (("soviet",) if hidden else ("german",))


@rule("16.61")
def test_16_61_a_hidden_unit_that_fires_is_placed():
    game = one(x=soviet("sov-hmg", "C6", hidden=True))
    play(game, Move("a", "C2"))
    play(game, ShootDirect(("x",), "a"), dice=MISS)
    assert not unit(game, "x").hidden


# --- trains and vessels [15.2] ----------------------------------------------------------------------------------


@rule("15.2")
@rule("15.21")
def test_15_2_an_armored_train_still_moves_after_opportunity_fire():
    game = one(x=soviet("sov-train", "C4"), special={"railroad": ["1-C4", "1-C5", "1-C6"]})
    play(game, Move("a", "C2"))
    play(game, ShootDirect(("x",), "a"), dice=MISS)
    play(game, Stop("a"), EndSegment())
    assert allowed(game, Activate("x", "move"))
    assert refused(game, Activate("x", "fire")) == "13.1.A1"
    game.state.change("x", marked=True)  # it has moved
    found = reaction.spent(game.state, unit(game, "x"), "direct")
    assert found is not None
    assert found.rule == "13.0"


@rule("5.0.a")
@rule("13.31")
def test_13_31_a_leader_who_is_shaken_on_the_way_stays_behind():
    game = march({"a": german("ger-inf", "C1")}, x=soviet("sov-hmg", "C4"))
    play(game, GoAlong("a", "lt"), Move("a", "C2"))
    play(game, ShootDirect(("x",), "a"), dice=[2, 2, 4, 4, 1, 1])  # M1: he misses by one, the unit holds
    assert unit(game, "lt").state == "disrupted"
    play(game, Move("a", "D2"))
    assert unit(game, "a").hex == "1-D2"
    assert unit(game, "lt").hex == "1-C2"
    assert unit(game, "lt").marked


@rule("13.01", "6.41.b")
def test_13_01_a_leader_aboard_a_carrier_does_not_help():
    aboard = leader("soviet", "C4", combat=2, carrier="truck")
    game = one(x=soviet("sov-inf", "C4"), truck=soviet("sov-truck", "C4"), com=aboard)
    play(game, Move("a", "C2"))
    assert refused(game, ShootDirect(("x", "com"), "a")) == "13.01"


@rule("13.01", "7.33")
@rule("6.41.b")
def test_13_01_a_leader_combines_those_of_his_kind_though_a_tank_stands_beside_them():
    """The offers: the riflemen of both hexes together, each hex with its own; the tank he does not direct."""
    game = one(
        com=leader("soviet", "C4", combat=1),
        x=soviet("sov-inf", "C4"),
        y=soviet("sov-inf", "D3"),
        tank=soviet("sov-t34", "D3"),
    )
    play(game, Move("a", "C2"))
    shots = {action.units for action in offered(game, ShootDirect) if isinstance(action, ShootDirect)}
    hexes = {units for units in shots if "x" in units and {"y", "tank"} & set(units)}
    assert {frozenset(units) for units in hexes} == {frozenset({"x", "y", "com"})}
    assert frozenset({"y", "tank"}) in map(frozenset, shots)


@rule("13.01", "6.41.b")
def test_13_01_beside_a_shaken_leader_who_only_adds_another_only_combines():
    """Both have the same modifier, and one unit is in their hex: whatever is offered may be done."""
    game = one(
        old=leader("soviet", "C4", combat=1, state="disrupted"),
        com=leader("soviet", "C4", combat=1),
        x=soviet("sov-inf", "C4"),
        y=soviet("sov-inf", "D3"),
    )
    play(game, Move("a", "C2"))
    shots = [action for action in offered(game, ShootDirect) if isinstance(action, ShootDirect)]
    together = [action for action in shots if {"x", "y"} <= set(action.units)]
    helping = [frozenset(action.units) - {"x", "y"} for action in together]
    assert sorted(map(sorted, helping)) == [["com"], ["com", "old"]]
    assert all(allowed(game, action) for action in shots)
