"""Assault [12.0] and cavalry charges [15.31]. Tests are named after rules, in the book's order."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from opfire.core.actions import Action
from opfire.core.events import Calculation, Event
from opfire.core.game import Game
from opfire.rulesets.panzer_grenadier.actions import EndSegment, Pass
from opfire.rulesets.panzer_grenadier.assault import combat as combat
from opfire.rulesets.panzer_grenadier.assault.assaulting import (
    DeclareAssault,
    EnterAssault,
    FireTogether,
    JoinAssault,
    RollAssault,
    TakeFirstFire,
)
from opfire.rulesets.panzer_grenadier.assault.charge import Charge
from opfire.rulesets.panzer_grenadier.command.activation import (
    Activate,
    ActivateLeader,
    ActivateStack,
    Begin,
    Designate,
    DesignateAll,
)
from opfire.rulesets.panzer_grenadier.command.leaders import DisplaceTo
from opfire.rulesets.panzer_grenadier.fire.antitank import FireAntiTank
from opfire.rulesets.panzer_grenadier.fire.bombardment import Bombard
from opfire.rulesets.panzer_grenadier.fire.direct import FireDirect
from opfire.rulesets.panzer_grenadier.fire.losses import LoseStep
from opfire.rulesets.panzer_grenadier.fire.reaction import ShootDirect
from opfire.rulesets.panzer_grenadier.movement.moving import EnterMap, Move
from opfire.rulesets.panzer_grenadier.pieces import Position
from rules.panzer_grenadier.kit import (
    CLEAR,
    allowed,
    calculations,
    draw,
    german,
    leader,
    lines,
    marker,
    offered,
    play,
    refused,
    rule,
    soviet,
    unit,
    why_not,
)

INF, HMG, TANK, TRUCK = "ger-inf", "ger-hmg", "ger-pz4f", "ger-truck"
LT = leader("german", "C5")
FOE = soviet("sov-inf", "C6")
TOWN = "\n".join(". . t . ." if row == 5 else ". . . . ." for row in range(10))
WOODS = TOWN.replace("t", "w")
WATER = TOWN.replace("t", "~")


def even(board: str = CLEAR, **pieces: Any) -> Game[Position]:
    """A game in which everybody's morale is eight, so that it moves no column."""
    sides = {side: {"initiative": 3, "morale": {"all": "8/8"}} for side in ("german", "soviet")}
    return draw(board, special={"sides": sides}, **pieces)


def led(board: str = CLEAR, *, by: str = "lt", **pieces: Any) -> Game[Position]:
    """A game in which a leader has activated all in reach to fire."""
    game = even(board, **pieces)
    play(game, ActivateLeader(by), DesignateAll("fire"), Begin())
    return game


def column(found: Calculation) -> tuple[int, int, str]:
    """Strength, net shift and column."""
    return sum(line.amount for line in found.lines if line.kind == "attack"), found.modifier, found.column


def shifts(found: Calculation) -> list[tuple[str, int]]:
    """The shifts of a calculation, by rule."""
    return [(rule, amount) for kind, rule, amount in lines(found) if kind == "shift"]


def rounds(events: Iterable[Event]) -> list[Calculation]:
    """The rolls on the assault table, in order."""
    return [found for found in calculations(events) if found.count == 1]


def assaulted(game: Game[Position], *actions: Action, dice: Iterable[int]) -> list[Calculation]:
    """Move in and fight; what was rolled on the assault table."""
    return rounds(play(game, *actions, dice=dice))


# --- moving in --------------------------------------------------------------------------------------------------


@rule("12.1")
def test_12_1_units_under_a_leader_move_into_the_next_enemy_hex_and_stop():
    game = led(lt=LT, a=german(INF, "C5"), x=FOE, y=soviet("sov-inf", "C7"))
    play(game, EnterAssault("a", "C6"))
    assert unit(game, "a").hex == "1-C6"
    assert refused(game, EnterAssault("a", "C7")) == "7.1"


@rule("12.1")
def test_12_1_without_a_leader_nobody_moves_in():
    game = even(lt=LT, a=german(INF, "C5"), x=FOE)
    play(game, Activate("a", "fire"))
    assert refused(game, EnterAssault("a", "C6")) == "12.1"


@rule("12.1")
def test_12_1_nor_from_two_hexes_away_nor_where_no_enemy_is():
    game = led(lt=LT, a=german(INF, "C5"), x=soviet("sov-inf", "C7"))
    assert refused(game, EnterAssault("a", "C7")) == "12.1"
    assert refused(game, EnterAssault("a", "C6")) == "12.1"


@rule("12.1")
def test_12_1_with_a_move_action_nobody_assaults():
    game = even(lt=LT, a=german(INF, "C5"), x=FOE)
    play(game, ActivateLeader("lt"), DesignateAll("move"), Begin())
    assert refused(game, EnterAssault("a", "C6")) == "3.13"
    assert refused(game, Move("a", "C6")) == "5.3"


@rule("12.1")
@pytest.mark.parametrize(("kind", "reason"), [(TANK, "12.1"), ("ger-spw251", None)])
def test_12_1_a_regular_leader_sends_in_apcs_but_no_tanks(kind, reason):
    game = even(lt=LT, a=german(kind, "C5", tank_leader=False), x=FOE)
    play(game, ActivateStack("C5"), DesignateAll("fire"), Begin())
    if reason is None:
        assert allowed(game, EnterAssault("a", "C6"))
    else:
        assert refused(game, EnterAssault("a", "C6")) == reason


@rule("12.1")
def test_12_1_a_leader_goes_in_with_units_not_alone():
    game = led(lt=LT, a=german(INF, "C5"), x=FOE)
    assert refused(game, EnterAssault("lt", "C6")) == "12.1"
    play(game, EnterAssault("a", "C6"), EnterAssault("lt", "C6"))
    assert unit(game, "lt").hex == "1-C6"


@rule("12.1")
def test_12_1_guns_that_cannot_move_do_not():
    game = led(lt=LT, a=german("ger-105", "C5"), x=FOE)
    assert refused(game, EnterAssault("a", "C6")) in {"5.1", "5.12.c", "5.62"}


@rule("12.1", "5.11")
def test_12_1_into_ground_that_is_open_to_it_only():
    game = led(by="b", a=german("ger-sk222", "B4"), b=german("ger-sk222", "B5"), x=FOE, board=WATER)
    assert refused(game, EnterAssault("b", "C6")).startswith("5.72")


@rule("5.32")
def test_5_32_from_one_assault_hex_nobody_goes_into_another():
    game = led(lt=LT, a=german(INF, "C5"), y=soviet("sov-inf", "C5"), x=FOE)
    assert refused(game, EnterAssault("a", "C6")) == "5.32"


@rule("12.11.c")
def test_12_11_c_three_units_and_three_apcs():
    pieces = {name: german(INF, "C5") for name in "abc"}
    game = led(lt=LT, **pieces, d=german(INF, "B5"), apc=german("ger-spw251", "B5"), x=FOE)
    play(game, *(EnterAssault(name, "C6") for name in "abc"))
    assert refused(game, EnterAssault("d", "C6")) == "12.11.c"
    assert allowed(game, EnterAssault("apc", "C6"))


@rule("12.13")
def test_12_13_the_disrupted_do_not_move_in_but_fight_where_they_are():
    game = led(lt=LT, a=german(INF, "C5", state="disrupted"), x=FOE)
    assert refused(game, EnterAssault("a", "C6")) == "12.13"
    game = led(lt=LT, a=german(INF, "C5", state="disrupted"), x=soviet("sov-inf", "C5"))
    assert allowed(game, DeclareAssault("C5"))


@rule("12.13")
def test_12_13_the_demoralized_attack_nobody():
    game = even(lt=LT, a=german(INF, "C5"), b=german(INF, "C5", state="demoralized"), x=soviet("sov-inf", "C5"))
    play(game, ActivateLeader("lt"), Designate("a", "fire"), Designate("lt", "fire"), Begin(), DeclareAssault("C5"))
    assert refused(game, JoinAssault("b")) == "12.13"


@rule("12.5")
def test_12_5_a_leader_in_the_hex_calls_in_those_next_to_it():
    game = led(lt=leader("german", "C6"), b=german(INF, "C6"), a=german(INF, "C5"), x=FOE)
    assert allowed(game, EnterAssault("a", "C6"))


@rule("12.5")
def test_12_5_and_lets_them_do_nothing_else():
    game = led(
        lt=leader("german", "C6"),
        b=german(INF, "C6"),
        x=FOE,
        a=german(INF, "C5"),
        mortar=german("ger-mortar-81", "B5", limbered=False),
        tank_gun=german("ger-at-50", "B6", limbered=False),
        y=soviet("sov-inf", "C4"),
        tank=soviet("sov-t34", "C4"),
    )
    assert refused(game, FireDirect("a", "C4")) == "12.5"
    assert refused(game, Bombard("mortar", "C4")) == "12.5"
    assert refused(game, FireAntiTank("tank_gun", "tank")) == "12.5"
    assert refused(game, EnterAssault("a", "C4")) == "12.5"
    play(game, EnterAssault("a", "C6"))
    assert unit(game, "a").hex == "1-C6"


@rule("16.6")
def test_16_6_the_enemy_is_not_told_where_the_hidden_who_are_called_in_stand():
    game = led(lt=leader("german", "C6"), b=german(INF, "C6"), x=FOE, a=german("ger-at-50", "C5", hidden=True))
    own, enemy = (game.ruleset.sight(game.state, side).activation for side in ("german", "soviet"))
    assert own.called == {"a": "1-C6"}
    assert enemy.called == {}


@rule("12.5")
def test_12_5_a_charge_led_from_an_assault_goes_nowhere_else():
    game = led(
        lt=leader("german", "C6", mounted=True),
        b=german(INF, "C6"),
        x=FOE,
        cav=german("ger-cav", "C5"),
        y=soviet("sov-inf", "C3"),
    )
    assert refused(game, Charge("cav", "1-C4", "C3")) == "12.5"
    assert allowed(game, EnterAssault("cav", "C6"))


@rule("12.3.c")
def test_12_3_c_but_no_leaderless_tank():
    game = even(lt=leader("german", "C6"), b=german(INF, "C6"), a=german(TANK, "C5", tank_leader=False), x=FOE)
    play(game, ActivateLeader("lt"), DesignateAll("fire"), Begin())
    assert refused(game, EnterAssault("a", "C6")) == "3.1"


@rule("12.3.c")
def test_12_3_c_nor_does_a_tank_that_acts_with_its_stack_come_in_without_a_leader_of_its_own():
    tank = german(TANK, "C5", tank_leader=False)
    game = even(lt=LT, a=tank, i=german(INF, "C5"), b=german(INF, "C6"), x=FOE)
    play(game, ActivateStack("C5"), DesignateAll("fire"), Begin())
    assert refused(game, EnterAssault("a", "C6")) == "12.1"
    assert allowed(game, EnterAssault("i", "C6"))


@rule("5.31")
def test_5_31_a_loaded_truck_holds_a_hex_an_empty_one_does_not():
    game = led(lt=LT, a=german(INF, "C5"), t=soviet("sov-truck", "C6"), x=soviet("sov-inf", "", carrier="t"))
    assert allowed(game, EnterAssault("a", "C6"))
    driven = led(lt=LT, a=german(INF, "C5"), t=soviet("sov-truck", "C6"), boss=leader("soviet", "", carrier="t"))
    assert allowed(driven, EnterAssault("a", "C6"))
    empty = led(lt=LT, a=german(INF, "C5"), t=soviet("sov-truck", "C6"))
    assert refused(empty, EnterAssault("a", "C6")) == "12.1"


# --- when it is fought ------------------------------------------------------------------------------------------


@rule("12.2")
def test_12_2_a_new_assault_is_fought_before_the_segment_ends():
    game = led(lt=LT, a=german(INF, "C5"), b=german(INF, "B5"), x=FOE)
    play(game, EnterAssault("a", "C6"))
    assert refused(game, EndSegment()) == "12.2"
    assert EnterAssault("b", "1-C6") in offered(game, EnterAssault)


@rule("12.2")
def test_12_2_all_who_entered_take_part_and_all_who_defend():
    game = led(lt=LT, a=german(INF, "C5"), b=german(INF, "B5"), x=FOE, y=soviet("sov-hmg", "C6", marked=True))
    play(game, EnterAssault("a", "C6"), EnterAssault("b", "C6"))
    defence, attack = assaulted(game, DeclareAssault("C6"), dice=[6, 6])
    assert column(defence)[0] == 4 + unit(game, "y").direct
    assert column(attack)[0] == 5 + 5
    assert unit(game, "a").marked
    assert unit(game, "b").marked


@rule("12.2")
def test_12_2_once_a_segment_and_nobody_comes_too_late():
    far = {"c": german(HMG, "D5"), "y": soviet("sov-inf", "D7")}  # something is left to do for the machine guns
    game = led(lt=LT, a=german(INF, "C5"), b=german(INF, "B5"), x=FOE, **far)
    play(game, EnterAssault("a", "C6"), DeclareAssault("C6"), dice=[6, 6])
    assert refused(game, EnterAssault("b", "C6")) == "12.2"


@rule("12.3", "12.11.a")
def test_12_3_in_an_old_assault_hex_one_may_let_it_be():
    game = led(lt=LT, a=german(INF, "C5"), x=soviet("sov-inf", "C5"))
    assert allowed(game, DeclareAssault("C5"))
    assert allowed(game, EndSegment())


@rule("12.3", "12.11.a")
def test_12_3_nor_do_those_who_reinforce_it_have_to_as_those_do_who_begin_one():
    game = led(lt=LT, a=german(INF, "C5"), b=german(INF, "C6", marked=True), x=FOE)
    play(game, EnterAssault("a", "C6"))
    assert allowed(game, EndSegment())
    game = led(lt=LT, a=german(INF, "C5"), x=FOE)
    play(game, EnterAssault("a", "C6"))
    assert refused(game, EndSegment()) == "12.2"


@rule("12.3.a")
def test_12_3_a_any_of_those_who_came_and_of_the_fresh_attack_all_defend():
    game = led(
        lt=LT,
        a=german(INF, "C5"),
        b=german(INF, "C6"),
        c=german(INF, "C6", marked=True),
        x=FOE,
        y=soviet("sov-inf", "C6"),
    )
    play(game, EnterAssault("a", "C6"), DeclareAssault("C6"))
    assert refused(game, JoinAssault("c")) == "12.3.a"
    assert allowed(game, JoinAssault("b"))
    play(game, JoinAssault("a"))
    defence, attack = assaulted(game, RollAssault(), dice=[6, 6])
    assert column(attack)[0] == 5
    assert column(defence)[0] == 4 + 4


@rule("12.3.a", "7.63.f")
def test_12_3_a_who_comes_to_an_old_assault_may_hold_back_and_loses_no_step():
    game = led(lt=LT, a=german(INF, "C5"), b=german(INF, "C6"), x=soviet("sov-inf", "C6", direct=11))
    play(game, EnterAssault("a", "C6"), DeclareAssault("C6"))
    assert refused(game, RollAssault()) == "12.3.a"
    assert offered(game, JoinAssault) == {JoinAssault("a"), JoinAssault("b")}
    play(game, JoinAssault("b"))
    _, attack = assaulted(game, RollAssault(), dice=[1, 6, 2, 2, 2, 2])
    assert column(attack)[0] == 5
    assert unit(game, "b").reduced
    assert not unit(game, "a").reduced


@rule("12.3.a")
def test_12_3_a_without_a_unit_there_is_no_assault():
    game = led(lt=leader("german", "C6"), a=german(INF, "C6"), x=FOE)
    play(game, DeclareAssault("C6"), JoinAssault("lt"))
    assert refused(game, RollAssault()) == "12.3.a"


@rule("12.3.a")
def test_12_3_a_not_who_is_elsewhere_carried_unarmed_busy_or_in_already():
    game = even(
        lt=leader("german", "C6"),
        a=german(INF, "C6"),
        b=german(INF, "C6"),
        far=german(INF, "A1"),
        t=german(TRUCK, "C6"),
        load=german(INF, "", carrier="t"),
        kom=leader("german", "C6", "KOM"),
        x=FOE,
    )
    play(game, ActivateLeader("lt"), Designate("a", "fire"), Designate("b", "move"), Begin())
    play(game, DeclareAssault("C6"), JoinAssault("a"))
    assert refused(game, JoinAssault("a")) == "procedure"
    assert refused(game, JoinAssault("b")) == "3.13"
    assert refused(game, JoinAssault("far")) == "12.3.a"
    assert refused(game, JoinAssault("load")) == "12.3.a"
    assert refused(game, JoinAssault("t")) == "12.42"
    assert refused(game, JoinAssault("kom")) == "12.42"


@rule("12.2")
def test_12_2_in_an_old_assault_hex_too_one_fights_once_a_segment():
    game = even(lt=leader("german", "C6"), a=german(INF, "C6"), b=german(INF, "C6"), x=FOE)
    play(game, ActivateLeader("lt"), Designate("a", "fire"), Designate("b", "move"), Begin())  # something is left to do
    play(game, DeclareAssault("C6"), JoinAssault("a"))
    play(game, RollAssault(), dice=[6, 6])
    assert refused(game, DeclareAssault("C6")) == "12.2"


@rule("12.3.b")
def test_12_3_b_a_tank_joins_infantry_that_nobody_activated():
    game = led(by="pz", pz=german(TANK, "C5", tank_leader=True), a=german(INF, "C6"), b=german(INF, "C6"), x=FOE)
    play(game, EnterAssault("pz", "C6"), DeclareAssault("C6"))
    play(game, *(JoinAssault(name) for name in ("pz", "a", "b")))
    _, attack = assaulted(game, RollAssault(), dice=[6, 6, 1, 1])
    assert column(attack)[0] == unit(game, "pz").direct + 5 + 5
    assert all(unit(game, name).marked for name in ("pz", "a", "b"))


@rule("12.11")
def test_12_11_the_side_that_acts_is_the_attacker():
    game = led(lt=LT, a=german(INF, "C5"), x=FOE, board=TOWN)
    play(game, EnterAssault("a", "C6"))
    defence, attack = assaulted(game, DeclareAssault("C6"), dice=[6, 6])
    assert [rule for rule, _ in shifts(attack)] == ["12.41.b"]
    assert shifts(defence) == []


@rule("12.11.A2")
def test_12_11_A2_the_assault_is_over_when_one_side_is_gone():
    game = led(lt=LT, a=german(INF, "C5"), b=german(INF, "B5"), x=soviet("sov-76-gun", "C6", direct=1))
    play(game, EnterAssault("a", "C6"), EnterAssault("b", "C6"), DeclareAssault("C6"), dice=[6, 1])
    assert unit(game, "x").status == "eliminated"
    assert not game.state.assault_hex("1-C6")
    assert game.state.control["1-C6"] == "german"


# --- strength ---------------------------------------------------------------------------------------------------


@rule("12.4")
@pytest.mark.parametrize(("state", "strength"), [("good order", 4), ("disrupted", 2), ("demoralized", 1)])
def test_12_4_states_halve_and_quarter_the_defenders(state, strength):
    game = led(lt=LT, a=german(INF, "C5"), x=soviet("sov-inf", "C6", state=state))
    play(game, EnterAssault("a", "C6"))
    defence, _ = assaulted(game, DeclareAssault("C6"), dice=[6, 6])
    assert column(defence)[0] == strength


@rule("12.4", "6.42")
def test_12_4_leaders_add_their_modifiers_each_to_one_unit():
    game = led(
        lt=leader("german", "C5", combat=1),
        sgt=leader("german", "C5", "SGT", combat=2),
        a=german(INF, "C5"),
        x=FOE,
        boss=leader("soviet", "C6", combat=1),
        y=soviet("sov-inf", "C6", state="disrupted"),
    )
    play(game, *(EnterAssault(name, "C6") for name in ("a", "lt", "sgt")))
    defence, attack = assaulted(game, DeclareAssault("C6"), dice=[6, 6])
    assert column(attack)[0] == 5 + 2  # one unit, so one leader: the better
    assert column(defence)[0] == 4 + 2 + 1


@rule("12.4.a")
def test_12_4_a_the_column_is_the_largest_not_above_the_total_shifted_without_limit():
    game = even(a=german(INF, "C5"), x=FOE)
    found = combat.calculation(game.state, combat.attack_strength(game.state, [unit(game, "a")]), "Assault", "12.4.a")
    assert (found.column, found.count, found.sides) == ("4", 1, 6)
    assert found.outcomes == game.state.charts.assault.outcomes(4)


@rule("12.4.b")
def test_12_4_b_both_fire_at_once_and_the_defenders_are_not_marked():
    game = led(lt=LT, a=german(INF, "C5", reduced=True), x=soviet("sov-76-gun", "C6", direct=7), y=FOE)
    play(game, EnterAssault("a", "C6"))
    # Eleven on a one is a step, two columns down three on a one is a check: who dies has fired all the same.
    defence, attack = assaulted(game, DeclareAssault("C6"), dice=[1, 1, 2, 2, 2, 2])
    assert (column(defence)[0], column(attack)[0]) == (11, 3)
    assert unit(game, "a").status == "eliminated"
    assert not unit(game, "x").marked


@rule("12.42")
def test_12_42_without_direct_fire_a_unit_counts_one_and_a_truck_nothing():
    pieces = {"x": soviet("sov-mortar-82", "C6"), "t": soviet("sov-truck", "C6"), "boss": leader("soviet", "C6")}
    game = led(lt=LT, a=german(INF, "C5"), **pieces)
    play(game, EnterAssault("a", "C6"))
    defence, _ = assaulted(game, DeclareAssault("C6"), dice=[6, 6])
    assert column(defence)[:2] == (1, 1)
    assert [rule for kind, rule, _ in lines(defence) if kind == "attack"] == ["12.42"]


@rule("12.42.A1")
def test_12_42_A1_a_limbered_gun_defends_with_one():
    game = led(lt=LT, a=german(INF, "C5"), x=soviet("sov-76-gun", "C6", limbered=True))
    play(game, EnterAssault("a", "C6"))
    defence, _ = assaulted(game, DeclareAssault("C6"), dice=[6, 6])
    assert lines(defence) == [("attack", "12.42.A1", 1)]


@rule("12.42.A2")
def test_12_42_A2_trucks_without_an_unloaded_unit_are_swept_away():
    game = led(lt=LT, a=german(INF, "C5"), t=soviet("sov-truck", "C6"), x=soviet("sov-inf", "", carrier="t"))
    play(game, EnterAssault("a", "C6"), DeclareAssault("C6"), dice=[])
    assert unit(game, "t").status == unit(game, "x").status == "eliminated"


@rule("5.67")
def test_5_67_who_is_carried_does_not_fight():
    game = led(lt=LT, apc=german("ger-spw251", "C5"), a=german(INF, "", carrier="apc"), x=FOE)
    play(game, EnterAssault("apc", "C6"))
    _, attack = assaulted(game, DeclareAssault("C6"), dice=[6, 6])
    assert column(attack)[0] == unit(game, "apc").direct
    assert unit(game, "a").hex == "1-C6"


@rule("12.7")
@pytest.mark.parametrize(
    ("kind", "with_infantry", "strength"),
    [(HMG, False, 5), (HMG, True, 9), ("ger-eng", False, 7)],
)
def test_12_7_machine_guns_attack_at_half_without_infantry(kind, with_infantry, strength):
    more = {"b": german(INF, "C5")} if with_infantry else {}
    game = led(lt=LT, a=german(kind, "C5"), x=FOE, **more)
    play(game, *(EnterAssault(name, "C6") for name in ("a", *more)))
    _, attack = assaulted(game, DeclareAssault("C6"), dice=[6, 6])
    assert column(attack)[0] == strength + 5 * with_infantry


@rule("12.7.A1")
def test_12_7_A1_also_where_they_are_already_but_not_in_defence():
    game = led(lt=leader("german", "C6"), a=german(HMG, "C6"), x=soviet("sov-hmg", "C6"))
    play(game, DeclareAssault("C6"), JoinAssault("a"))
    defence, attack = assaulted(game, RollAssault(), dice=[6, 6])
    assert column(attack)[0] == 5
    assert column(defence)[0] == unit(game, "x").direct


# --- column modifiers -------------------------------------------------------------------------------------------


@rule("6.43")
def test_6_43_one_leader_is_a_column_more_leaders_are_none():
    game = led(
        lt=LT,
        sgt=leader("german", "C5", "SGT"),
        a=german(INF, "C5"),
        x=FOE,
        boss=leader("soviet", "C6", state="demoralized"),
    )
    play(game, *(EnterAssault(name, "C6") for name in ("a", "lt", "sgt")))
    defence, attack = assaulted(game, DeclareAssault("C6"), dice=[6, 6])
    assert shifts(attack) == [("6.43", 1)]
    assert shifts(defence) == []


@rule("12.5")
def test_12_5_leaders_outside_the_hex_have_no_influence():
    game = led(lt=leader("german", "C5", combat=2), a=german(INF, "C5"), x=FOE, boss=leader("soviet", "C7", combat=2))
    play(game, EnterAssault("a", "C6"))
    defence, attack = assaulted(game, DeclareAssault("C6"), dice=[6, 6])
    assert column(attack)[:2] == (5, 0)
    assert column(defence)[:2] == (4, 0)


@rule("12.41", "12.11")
def test_12_41_who_defends_in_a_town_pays_when_he_attacks_in_his_turn():
    game = even(TOWN, side="soviet", boss=leader("soviet", "C6"), x=FOE, a=german(INF, "C6"))
    play(game, ActivateLeader("boss"), DesignateAll("fire"), Begin(), DeclareAssault("C6"), JoinAssault("x"))
    defence, attack = assaulted(game, RollAssault(), dice=[6, 6])
    assert shifts(attack) == [("12.41.b", -2)]
    assert shifts(defence) == []


@rule("12.41.b")
@pytest.mark.parametrize(("board", "value"), [(TOWN, -2), (WOODS, -1)])
def test_12_41_b_town_and_woods_are_against_the_attacker(board, value):
    game = led(lt=LT, a=german(INF, "C5"), x=FOE, board=board)
    play(game, EnterAssault("a", "C6"))
    _, attack = assaulted(game, DeclareAssault("C6"), dice=[6, 6])
    assert shifts(attack) == [("12.41.b", value)]


@rule("12.41.a", "7.25")
def test_12_41_a_three_platoons_with_a_leader_on_three_tanks_in_a_town():
    foes = {name: soviet("sov-t34", "C6") for name in "xyz"}
    game = led(lt=LT, **{name: german(INF, "C5") for name in "abc"}, **foes, board=TOWN)
    play(game, *(EnterAssault(name, "C6") for name in ("a", "b", "c", "lt")))
    _, attack = assaulted(game, DeclareAssault("C6"), dice=[6, 1])
    assert sorted(shifts(attack)) == [("12.41.a", 1), ("12.41.b", -2), ("6.43", 1)]
    assert (attack.modifier, attack.column) == (0, "11")
    events = play(game, LoseStep("x"), dice=[1, 1, 1, 1, 1, 1, *[1, 1] * 4])
    assert unit(game, "x").reduced
    checks = [event for event in events if event.calculation is not None and {"x", "y", "z"} & set(event.units)]
    assert [event.units[0] for event in checks] == ["x", "y", "z"]
    assert all(2 in [line.amount for line in event.calculation.lines] for event in checks if event.calculation)


@rule("12.41.a")
@pytest.mark.parametrize(("board", "with_infantry"), [(None, False), (TOWN, True)])
def test_12_41_a_not_in_the_open_nor_beside_infantry(board, with_infantry):
    more = {"y": soviet("sov-hmg", "C6")} if with_infantry else {}
    game = led(lt=LT, a=german(INF, "C5"), x=soviet("sov-t34", "C6"), **more, **({"board": board} if board else {}))
    play(game, EnterAssault("a", "C6"))
    _, attack = assaulted(game, DeclareAssault("C6"), dice=[6, 6])
    assert "12.41.a" not in [rule for rule, _ in shifts(attack)]


@rule("12.41.A1")
def test_12_41_A1_all_enemies_demoralized_counting_combat_units_only():
    foes = {
        "x": soviet("sov-inf", "C6", state="demoralized"),
        "boss": leader("soviet", "C6"),
        "t": soviet("sov-truck", "C6"),
    }
    game = led(lt=LT, a=german("sov-inf", "C5"), **foes)
    game.state.change("a", morale=(7, 7))
    play(game, EnterAssault("a", "C6"))
    _, attack = assaulted(game, DeclareAssault("C6"), dice=[6, 6])
    assert shifts(attack) == [("12.41.A1", 1)]


@rule("12.41.A1")
@pytest.mark.parametrize(("mine", "theirs", "better"), [((8, 7), (7, 6), True), ((7, 6), (7, 6), False)])
def test_12_41_A1_every_attacker_has_the_higher_morale(mine, theirs, better):
    game = led(lt=LT, a=german(INF, "C5"), b=german(INF, "C5"), x=FOE, y=soviet("sov-inf", "C6", reduced=True))
    game.state.change("a", morale=(9, 9))
    game.state.change("b", morale=mine)
    for name in ("x", "y"):
        game.state.change(name, morale=theirs)
    play(game, EnterAssault("a", "C6"), EnterAssault("b", "C6"))
    found = combat.attacker_lines(game.state, game.state.at("1-C6", "german"), game.state.at("1-C6", "soviet"), "1-C6")
    assert [line.rule for line in found] == ["12.41.A1"] * better


@rule("12.41.A2")
def test_12_41_A2_never_below_the_lowest_column():
    game = led(lt=LT, a=german("ger-mortar-81", "C5"), x=FOE, board=TOWN)
    play(game, EnterAssault("a", "C6"))
    _, attack = assaulted(game, DeclareAssault("C6"), dice=[6, 6])
    assert column(attack) == (1, -2, "1")


@rule("5.73.e")
@pytest.mark.parametrize(("engineer", "value"), [(False, [("5.73.e", -2)]), (True, [])])
def test_5_73_e_into_a_major_river_unless_an_engineer_is_there(engineer, value):
    foe = soviet("sov-eng" if engineer else "sov-inf", "C6")
    game = led(lt=LT, a=german(INF, "C5"), x=foe, board=WATER)
    play(game, EnterAssault("a", "C6"))
    _, attack = assaulted(game, DeclareAssault("C6"), dice=[6, 6])
    assert shifts(attack) == value


# --- dug in and entrenched --------------------------------------------------------------------------------------


@rule("12.41.c", "7.52")
def test_12_41_c_each_defender_by_his_own_shelter():
    game = even(a=german(INF, "C6"), x=soviet("sov-inf", "C6", dug_in=2), y=soviet("sov-inf", "C6"))
    foes = [unit(game, "x"), unit(game, "y")]
    found = combat.attack(game.state, [unit(game, "a")], foes, "1-C6")
    assert {group.units: group.calculation.modifier for group in found} == {("x",): -1, ("y",): 0}


@rule("7.52")
@pytest.mark.parametrize(("options", "hit"), [([], [(("x",), "M2"), (("y",), "1")]), (["R7.52"], [(("x", "y"), "1")])])
def test_7_52_each_column_has_its_own_result_unless_the_older_reading_is_played(options, hit):
    game = even(
        options=options, a=german(INF, "C6"), x=soviet("sov-inf", "C6", dug_in=2), y=soviet("sov-inf", "C6"), dice=[1]
    )
    own, foes = [game.state.units["a"], game.state.units["a"]], [unit(game, "x"), unit(game, "y")]
    blows = combat.roll(game, own[:1], combat.attack(game.state, own, foes, "1-C6"), "1-C6")
    assert [(blow.units, blow.result) for blow in blows] == hit


@rule("12.41.c")
@pytest.mark.parametrize(("first", "value"), [("x", -2), ("a", 0)])
def test_12_41_c_an_entrenchment_shelters_those_who_were_there_first(first, value):
    pieces = {"a": german(INF, "C6"), "x": soviet("sov-inf", "C6")}
    last = next(name for name in pieces if name != first)
    game = even(markers=[marker("entrenchment", "C6")], **{name: pieces[name] for name in (last, first)})
    found = combat.attack(game.state, [unit(game, "a")], [unit(game, "x")], "1-C6")
    assert [group.calculation.modifier for group in found] == [value]


@rule("12.11.b")
def test_12_11_b_dug_in_attackers_have_no_good_of_it_but_keep_their_holes():
    game = led(lt=leader("german", "C6"), a=german(INF, "C6", dug_in=2), x=FOE)
    play(game, DeclareAssault("C6"), JoinAssault("a"))
    defence, attack = assaulted(game, RollAssault(), dice=[6, 6])
    assert shifts(defence) == shifts(attack) == []
    assert unit(game, "a").dug_in == 2


@rule("16.21")
def test_16_21_an_attack_interrupts_digging():
    game = led(lt=leader("german", "C6"), a=german(INF, "C6", dug_in=1), x=FOE)
    play(game, DeclareAssault("C6"), JoinAssault("a"), RollAssault(), dice=[6, 6])
    assert unit(game, "a").dug_in == 0


@rule("12.43")
def test_12_43_the_dug_in_fire_first_and_only_what_is_left_attacks():
    game = led(
        lt=LT, a=german(INF, "C5", reduced=True), b=german(INF, "C5"), x=soviet("sov-inf", "C6", direct=11, dug_in=2)
    )
    play(game, EnterAssault("a", "C6"), EnterAssault("b", "C6"))
    events = play(game, DeclareAssault("C6"), dice=[1])
    assert len(rounds(events)) == 1
    assert game.stack[-1].__class__.__name__ == "Damage"
    _, *rest = rounds([*events, *play(game, LoseStep("a"), dice=[2, 2, 6])])
    assert unit(game, "a").status == "eliminated"
    assert [column(found)[0] for found in rest] == [5]


@rule("12.43.A2")
def test_12_43_A2_whom_first_fire_demoralizes_stays_and_takes_no_part():
    game = led(lt=LT, a=german(INF, "C5"), x=soviet("sov-inf", "C6", direct=4, dug_in=2))
    play(game, EnterAssault("a", "C6"))
    events = play(game, DeclareAssault("C6"), dice=[1, 6, 6])  # M2, and twelve on its dice
    assert len(rounds(events)) == 1
    assert unit(game, "a").state == "demoralized"
    assert unit(game, "a").hex == "1-C6"
    assert unit(game, "a").marked


@rule("12.43.a")
@pytest.mark.parametrize(("choice", "strengths"), [(TakeFirstFire(), [4, 5]), (FireTogether(), [8, 5])])
def test_12_43_a_a_mixed_defence_chooses(choice, strengths):
    game = led(lt=LT, a=german(INF, "C5"), x=soviet("sov-inf", "C6", dug_in=2), y=soviet("sov-inf", "C6"))
    play(game, EnterAssault("a", "C6"), DeclareAssault("C6"))
    assert game.asked() == ("soviet",)
    found = assaulted(game, choice, dice=[6, 6])
    assert [column(each)[0] for each in dict.fromkeys(found)][:1] == strengths[:1]
    assert column(found[-1])[0] == strengths[1]


@rule("12.43.A1")
def test_12_43_A1_first_fire_lasts_through_later_rounds_but_not_into_an_attack():
    game = led(lt=leader("german", "C6"), a=german(INF, "C6"), x=soviet("sov-inf", "C6", dug_in=2))
    play(game, DeclareAssault("C6"), JoinAssault("a"))
    defence, _ = assaulted(game, RollAssault(), dice=[6, 6])
    assert defence.rule == "12.4.b"
    turned = even(side="soviet", boss=leader("soviet", "C6"), x=soviet("sov-inf", "C6", dug_in=2), a=german(INF, "C6"))
    play(turned, ActivateLeader("boss"), DesignateAll("fire"), Begin(), DeclareAssault("C6"), JoinAssault("x"))
    events = play(turned, RollAssault(), dice=[6, 6])
    assert events  # the German fires, and at the same time the Soviet: nobody first
    assert len(rounds(events)) == 2


# --- losses -----------------------------------------------------------------------------------------------------


@rule("7.63.f")
def test_7_63_f_active_units_that_hold_back_lose_no_step():
    game = led(
        lt=leader("german", "C6"), a=german(INF, "C6"), b=german(INF, "C6"), x=soviet("sov-inf", "C6", direct=11)
    )
    play(game, DeclareAssault("C6"), JoinAssault("a"))
    play(game, RollAssault(), dice=[1, 6, 2, 2, 2, 2, 2, 2, 6, 6])
    assert unit(game, "a").reduced
    assert not unit(game, "b").reduced


@rule("6.71.a")
def test_6_71_a_leaders_whom_an_assault_leaves_alone_are_overrun():
    game = led(
        lt=LT, a=german(INF, "C5"), b=german(INF, "B5"), x=soviet("sov-76-gun", "C6"), boss=leader("soviet", "C6")
    )
    play(game, EnterAssault("a", "C6"), EnterAssault("b", "C6"))
    play(game, DeclareAssault("C6"), dice=[6, 1, 2, 2, 6, 6, 4, 5])
    assert unit(game, "boss").status == "eliminated"


# --- fire and assault hexes -------------------------------------------------------------------------------------


@rule("12.6")
def test_12_6_nobody_fires_out_of_an_assault_hex():
    game = led(lt=LT, a=german(INF, "C5"), y=soviet("sov-inf", "C5"), x=FOE)
    assert refused(game, FireDirect("a", "C6")) == "12.6"


@rule("12.61")
def test_12_61_nobody_fires_at_those_who_move_in():
    game = led(lt=LT, a=german(INF, "C5"), b=german(INF, "C6"), x=FOE, y=soviet("sov-inf", "C7"))
    play(game, EnterAssault("a", "C6"))
    assert unit(game, "a").hex == "1-C6"  # in the midst of them, and unharmed
    assert game.asked() == ("german",)


@rule("12.62")
def test_12_62_no_direct_fire_into_an_assault_hex():
    game = led(lt=LT, a=german(INF, "C5"), b=german(INF, "C6"), x=FOE)
    assert refused(game, FireDirect("a", "C6")) in {"12.62", "7.24"}


# --- leaving ----------------------------------------------------------------------------------------------------


@rule("12.12")
def test_12_12_who_leaves_goes_one_hex_and_into_no_enemy():
    game = even(lt=leader("german", "C6"), a=german(INF, "C6"), b=german(INF, "C6"), x=FOE, y=soviet("sov-inf", "C7"))
    play(game, ActivateLeader("lt"), Designate("a", "move"), Begin())
    assert refused(game, Move("a", "C7")) in {"5.32", "12.12"}
    play(game, Move("a", "C5"), Pass())
    assert "a" in game.state.units
    assert unit(game, "a").hex == "1-C5"
    assert unit(game, "a").marked


@rule("12.12")
def test_12_12_while_units_stay_to_guard_there_is_no_free_shot():
    game = even(lt=leader("german", "C6"), a=german(INF, "C6"), b=german(INF, "C6"), x=FOE)
    play(game, ActivateLeader("lt"), Designate("a", "move"), Begin())
    assert rounds(play(game, Move("a", "C5"), dice=[])) == []


@rule("12.12.a", "12.12.b")
def test_12_12_a_when_all_leave_they_are_fired_at_as_one_group():
    game = even(
        lt=leader("german", "C6"),
        a=german(INF, "C6"),
        b=german(INF, "C6"),
        x=soviet("sov-inf", "C6", marked=True),
        y=soviet("sov-inf", "C6", state="disrupted"),
        z=soviet("sov-inf", "C6", state="demoralized"),
        boss=leader("soviet", "C6"),
        board=TOWN,
    )
    play(game, ActivateLeader("lt"), DesignateAll("move"), Begin())
    assert rounds(play(game, Move("a", "C5"), dice=[])) == []
    events = play(game, Move("b", "B5"), dice=[6])
    (shot,) = rounds(events)
    assert shot.rule == "12.12.a"
    assert column(shot)[:2] == (4 + 2, 1)
    fired = next(event for event in events if event.kind == "fired")
    assert {"a", "b"} <= set(fired.units)
    assert "z" not in fired.units
    assert not unit(game, "y").marked


@rule("12.12.a")
def test_12_12_a_negative_modifiers_do_not_count():
    game = even(TOWN, a=german(INF, "C6"), x=FOE)
    shot = combat.free_shot(game.state, [unit(game, "x")], [unit(game, "a")], "1-C6")
    assert shifts(shot) == []


@rule("12.12.b", "12.12.A1")
def test_12_12_b_with_direct_fire_values_whatever_the_anti_tank_value():
    game = even(a=german(TANK, "C6"), x=soviet("sov-t34", "C6"))
    shot = combat.free_shot(game.state, [unit(game, "x")], [unit(game, "a")], "1-C6")
    assert column(shot)[0] == unit(game, "x").direct


@rule("6.7", "12.12.a")
def test_12_12_a_leaders_who_leave_may_fall_and_no_bystanders():
    game = even(
        lt=leader("german", "C6"),
        a=german(INF, "C6"),
        b=german(INF, "C6"),
        idle=leader("german", "B5"),
        guard=german(INF, "B5"),
        x=soviet("sov-inf", "C6", direct=11),
    )
    play(game, ActivateLeader("lt"), Designate("a", "move"), Designate("b", "move"), Designate("lt", "move"), Begin())
    play(game, Move("lt", "C5"), Move("a", "C5"), dice=[])
    play(game, Move("b", "B5"), dice=[1])
    assert refused(game, LoseStep("guard")) == "7.63"
    events = play(game, LoseStep("a"), dice=[2, 2, 2, 2, 2, 2, 1, 2])  # three checks; 3 less one step, and he falls
    assert [event.units for event in events if event.kind == "result" and event.rule == "6.7"] == [("lt",)]
    assert unit(game, "lt").status == "eliminated"
    assert unit(game, "idle").status == "on the map"


@rule("6.71.a", "5.31", "12.12.a")
def test_6_71_a_who_is_left_behind_among_enemies_is_overrun_as_the_segment_ends():
    game = even(lt=leader("german", "C6"), a=german(INF, "C6"), truck=german(TRUCK, "C6"), x=FOE)
    play(game, Activate("a", "move"))
    play(game, Move("a", "C5"), dice=[6])  # a free shot
    play(game, Pass(), dice=[3, 4])  # no opportunity fire; a lone leader gets away
    assert unit(game, "truck").status == "eliminated"
    assert game.asked() == ("german",)
    play(game, DisplaceTo("lt", "1-B6"))
    assert unit(game, "lt").hex == "1-B6"
    assert game.asked() == ("soviet",)


@rule("5.31", "6.71.a")
def test_5_31_a_transport_with_a_combat_unit_aboard_is_not_left_behind():
    game = even(a=german(INF, "C6"), truck=german(TRUCK, "C6"), cargo=german(INF, "", carrier="truck"), x=FOE)
    play(game, Activate("a", "move"), Move("a", "C5"), Pass())
    assert unit(game, "truck").status == "on the map"


# --- cavalry charges --------------------------------------------------------------------------------------------


def riders(**pieces: Any) -> Game[Position]:
    """Cavalry under a cavalry leader, activated to fire."""
    given = {"lt": leader("german", "C4", mounted=True), "cav": german("ger-cav", "C4"), "x": FOE} | pieces
    return led(**given)


@rule("15.31")
def test_15_31_cavalry_charges_from_two_hexes_away_a_column_better():
    game = riders()
    assert offered(game, Charge) == {Charge("cav", "1-C5", "1-C6")}
    play(game, Charge("cav", "1-C5", "C6"), Pass())
    assert unit(game, "cav").hex == "1-C6"
    _, attack = assaulted(game, DeclareAssault("C6"), dice=[6, 6])
    assert shifts(attack) == [("15.31", 1)]


@rule("15.31")
def test_15_31_not_from_the_next_hex():
    game = riders(cav=german("ger-cav", "C5"), lt=leader("german", "C5", mounted=True))
    assert refused(game, Charge("cav", "1-C5", "C6")) == "15.31"
    assert allowed(game, EnterAssault("cav", "C6"))


@rule("15.31")
@pytest.mark.parametrize(("kind", "mounted"), [(INF, True), ("ger-cav", False)])
def test_15_31_only_cavalry_and_only_under_a_cavalry_leader(kind, mounted):
    game = riders(cav=german(kind, "C4"), lt=leader("german", "C4", mounted=mounted))
    assert refused(game, Charge("cav", "1-C5", "C6")) == "15.31"


@rule("15.31")
def test_15_31_the_cavalry_leader_rides_along():
    game = riders()
    assert refused(game, Charge("lt", "1-C5", "C6")) == "12.1"
    play(game, Charge("cav", "1-C5", "C6"), Pass())
    assert allowed(game, Charge("lt", "1-C5", "C6"))


@rule("15.31.A1")
def test_15_31_A1_along_the_hexes_of_the_line():
    game = riders()
    assert refused(game, Charge("cav", "1-B4", "C6")) == "15.31.A1"
    aslant = riders(cav=german("ger-cav", "B4"), lt=leader("german", "B4", mounted=True), x=soviet("sov-inf", "D4"))
    assert {action.via for action in offered(aslant, Charge)} == {"1-C4", "1-C5"}


@rule("15.31.A1")
def test_15_31_A1_at_what_it_spots():
    fields = "\n".join(". . b . ." if row == 4 else ". . . . ." for row in range(10))
    game = riders(board=fields, gun=german("ger-hmg", "D4"), y=soviet("sov-inf", "E6"))
    assert refused(game, Charge("cav", "1-C5", "C6")) == "15.31.A1"


@rule("15.31.A1")
def test_15_31_A1_by_night_nobody_spots_a_target_two_hexes_away():
    game = draw(
        special={"night": [1]},
        lt=leader("german", "C4", mounted=True),
        cav=german("ger-cav", "C4"),
        gun=german(HMG, "D4"),
        x=FOE,
        y=soviet("sov-inf", "D5"),
    )
    play(game, ActivateLeader("lt"), DesignateAll("fire"), Begin())
    assert refused(game, Charge("cav", "1-C5", "C6")) == "15.31.A1"


@rule("15.31", "5.11")
@pytest.mark.parametrize(("points", "reason"), [(2, None), (1, "5.11")])
def test_15_31_both_hexes_are_paid_for(points, reason):
    more = {"gun": german(HMG, "D4"), "y": soviet("sov-inf", "D6")}
    game = riders(cav=german("ger-cav", "C4", movement=points), **more)
    assert why_not(game, Charge("cav", "1-C5", "C6")) == reason


@rule("15.31.a")
def test_15_31_a_the_enemy_fires_in_the_first_hex():
    game = riders()
    play(game, Charge("cav", "1-C5", "C6"))
    assert game.asked() == ("soviet",)
    assert ShootDirect(("x",), "cav") in offered(game, ShootDirect)
    assert unit(game, "cav").hex == "1-C5"


@rule("15.31.a")
def test_15_31_a_but_not_who_fights_others_in_the_hex():
    game = riders(b=german(INF, "C6"))
    play(game, Charge("cav", "1-C5", "C6"))
    assert game.asked() == ("german",)
    assert unit(game, "cav").hex == "1-C6"


@rule("15.31", "12.13")
def test_15_31_a_charge_that_is_shaken_ends_in_the_first_hex():
    game = riders(x=soviet("sov-inf", "C6", direct=11))
    play(game, Charge("cav", "1-C5", "C6"), ShootDirect(("x",), "cav"), dice=[2, 3, 5, 5])
    play(game, Pass())
    assert unit(game, "cav").state != "good order"
    assert unit(game, "cav").hex == "1-C5"
    assert unit(game, "cav").marked


@rule("15.31.a", "16.71")
@pytest.mark.parametrize(("die", "hex"), [(2, "1-C6"), (3, "1-C5")])
def test_15_31_a_the_enemy_fires_before_the_mines_of_the_first_hex_go_off(die, hex):
    game = riders(markers=[marker("mines", "C5", side="soviet", value="1")])
    play(game, Charge("cav", "1-C5", "C6"), dice=[])
    assert ShootDirect(("x",), "cav") in offered(game, ShootDirect)
    play(game, Pass(), dice=[die])
    assert unit(game, "cav").hex == hex


@rule("15.31", "16.71")
def test_16_71_a_charge_that_is_shaken_meets_the_mines_of_its_hex_all_the_same():
    game = riders(x=soviet("sov-inf", "C6", direct=11), markers=[marker("mines", "C5", side="soviet", value="1")])
    play(game, Charge("cav", "1-C5", "C6"), ShootDirect(("x",), "cav"), dice=[2, 3, 5, 5, 6])
    assert unit(game, "cav").reduced


@rule("15.31", "5.3")
def test_15_31_the_first_hex_is_free_of_enemies():
    game = riders(y=soviet("sov-inf", "C5"))
    assert refused(game, Charge("cav", "1-C5", "C6")) in {"5.3", "15.31.A1"}


@rule("12.11.A1", "16.52")
def test_12_11_A1_cavalry_charges_onto_the_map_too():
    game = even(
        lt=german("leader", rank="LT", leads=8, mounted=True, entry=["C1"]),
        cav=german("ger-cav", entry=["C1"]),
        x=soviet("sov-inf", "C2"),
        y=soviet("sov-inf", "C3"),
    )
    play(game, ActivateLeader("lt"), DesignateAll("fire"), Begin())
    assert offered(game, Charge) == {Charge("cav", "1-C1", "1-C2")}
    assert refused(game, Charge("cav", "1-C1", "C3")) == "16.52"
    assert refused(game, Charge("cav", "1-D1", "C2")) == "16.51"
    play(game, Charge("cav", "1-C1", "C2"), Pass())
    assert unit(game, "cav").hex == "1-C2"
    _, attack = assaulted(game, DeclareAssault("C2"), dice=[6, 6])
    assert shifts(attack) == [("15.31", 1)]


@rule("12.11.A1", "16.52")
def test_12_11_A1_units_assault_from_beside_the_map():
    game = even(
        lt=german("leader", rank="LT", leads=8, entry=["C1"]),
        a=german(INF, entry=["C1"]),
        x=soviet("sov-inf", "C1"),
    )
    play(game, ActivateLeader("lt"), DesignateAll("fire"), Begin(), EnterMap("a", "C1"))
    assert refused(game, EndSegment()) == "12.2"
    assert len(assaulted(game, DeclareAssault("C1"), dice=[6, 6])) == 2


@rule("8.22")
def test_8_22_an_assault_in_woods_gives_both_sides_away():
    game = led(lt=LT, a=german(INF, "C5"), x=FOE, y=soviet("sov-truck", "C6"), board=WOODS)
    play(game, EnterAssault("a", "C6"), DeclareAssault("C6"), dice=[6, 6])
    assert [unit(game, name).spotted for name in "axy"] == [True, True, False]
