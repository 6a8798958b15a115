"""Rivers [5.7]. Tests are named after rules, in the book's order."""

from __future__ import annotations

from typing import Any

import pytest

from opfire.core.game import Game
from opfire.rulesets.panzer_grenadier.actions import EndSegment, Pass
from opfire.rulesets.panzer_grenadier.assault import assaulting, charge, combat
from opfire.rulesets.panzer_grenadier.command.activation import Activate, ActivateStack, Begin, DesignateAll
from opfire.rulesets.panzer_grenadier.morale import harm
from opfire.rulesets.panzer_grenadier.morale.flight import FleeTo
from opfire.rulesets.panzer_grenadier.morale.recovery import Recover
from opfire.rulesets.panzer_grenadier.movement import going, moving, rivers
from opfire.rulesets.panzer_grenadier.movement.costs import step_cost
from opfire.rulesets.panzer_grenadier.movement.moving import Cross, Move, Stop
from opfire.rulesets.panzer_grenadier.movement.reaching import reach
from opfire.rulesets.panzer_grenadier.movement.transport import Load, Unload
from opfire.rulesets.panzer_grenadier.pieces import Position, overstacked
from opfire.rulesets.panzer_grenadier.sequence import unmarked
from rules.panzer_grenadier.kit import (
    allowed,
    calculations,
    draw,
    full,
    german,
    leader,
    lines,
    play,
    refused,
    rule,
    soviet,
    unit,
)

MAJOR = "\n".join([". . . . . ."] * 2 + ["~ ~ ~ ~ ~ ~"] + [". . . . . ."] * 4)
"""Row 3 is a major river: rows 1 and 2 are its north bank, from row 4 on it is the south bank."""

PLAIN = "\n".join([". . . . . ."] * 7)
BROOK = {"gullies": ["A3 B3 C3 D3 E3 F3"]}
"""The same river, a minor one."""

CROSSING = {"crossing": {"foot": 8, "mechanized": 7, "motorized": 5}}


def at_the_river(
    minor: bool = False, *, fields: dict[str, Any] | None = None, special: Any = None, **units: Any
) -> Game[Position]:
    """Turn 3 at the river: Germans in C2 are active to move unless they are elsewhere."""
    more = {**(BROOK if minor else {}), **(fields or {})}
    board = PLAIN if minor else MAJOR
    return draw(board, fields=more, turn=3, special=special or CROSSING, **units)


def active(game: Game[Position], hex: str = "C2") -> Game[Position]:
    play(game, ActivateStack(hex), DesignateAll("move"), Begin())
    return game


def later(game: Game[Position], hex: str) -> Game[Position]:
    """A turn later, with the stack of that hex active to move."""
    if EndSegment() in game.choices(game.asked()[0]):
        play(game, EndSegment())
    game.state.turn += 1
    for name, one in game.state.units.items():
        game.state.units[name] = unmarked(one)
    while game.asked() != ("german",):
        play(game, Pass())
    return active(game, hex)


def where(game: Game[Position], name: str) -> str:
    return str(unit(game, name).hex).removeprefix("1-")


def ford(**units: Any) -> Game[Position]:
    """An engineer in the river hex C3 since turn 1, from the north bank."""
    return at_the_river(eng=german("ger-eng", "C3", afloat=1, bank="1-C2"), **units)


# --- bridges and fords [5.71] -----------------------------------------------------------------------------------


@rule("5.71")
def test_5_71_over_a_bridge_one_goes_dry_shod_and_on():
    fields = {"roads": ["C2 C3 C4"], "bridges": {"C3": "wood"}}
    game = active(at_the_river(fields=fields, t=german("ger-truck", "C2")))
    play(game, Move("t", "C3"), Move("t", "C4"))
    assert where(game, "t") == "C4"
    assert allowed(game, Move("t", "C5"))


@rule("5.71", "5.73.a")
def test_5_71_an_engineer_in_the_water_stops_nobody_on_the_bridge():
    fields = {"roads": ["C2 C3 C4"], "bridges": {"C3": "wood"}}
    game = active(ford(fields=fields, t=german("ger-truck", "C2"), b=german("ger-inf", "C2")))
    play(game, Move("t", "C3"))
    assert allowed(game, Move("t", "C4"))


@rule("5.71", "15.2")
@pytest.mark.parametrize("minor", [False, True])
def test_5_71_a_train_goes_over_the_river_on_its_rails(minor: bool):
    train = german("sov-train", "C2")
    special = {"railroad": ["1-C2", "1-C3", "1-C4", "1-C5"]}
    game = active(at_the_river(minor, special=special, a=train))
    shown = reach(game.state, "german", unit="a")["places"]
    assert full("C5") in {row["place"] for row in shown}
    play(game, Move("a", "C3"), Move("a", "C4"), Move("a", "C5"))
    assert where(game, "a") == "C5"


@rule("5.71")
def test_5_71_by_a_ford_everybody_passes_at_its_price():
    game = active(at_the_river(fields={"fords": ["C3"]}, t=german("ger-truck", "C2")))
    assert step_cost(game.state, unit(game, "t"), "1-C2", "1-C3") == game.state.charts.terrain["ford"].motorized
    play(game, Move("t", "C3"))
    assert allowed(game, Move("t", "C4"))


@rule("5.71")
def test_5_71_fords_of_the_scenario_too():
    game = active(at_the_river(special={"fords": ["1-C3"]}, t=german("ger-truck", "C2")))
    assert allowed(game, Move("t", "C3"))


# --- minor rivers [5.72.a] --------------------------------------------------------------------------------------


@rule("5.72.a")
@rule("5.72")
def test_5_72_a_on_foot_one_crosses_a_minor_river_and_stops_on_the_bank():
    game = active(at_the_river(True, a=german("ger-cav", "C2"), b=german("ger-inf", "C2")))
    play(game, Move("a", "C3"), Move("a", "C4"))
    assert where(game, "a") == "C4"
    assert unit(game, "a").marked  # six points: three for the river, one for the bank, and yet it stops


@rule("5.72", "5.61")
def test_5_72_who_has_crossed_stops_and_may_let_his_passengers_off():
    apc = german("ger-spw251", "C3", afloat=2, bank="1-C2")
    game = active(at_the_river(True, apc=apc, a=german("ger-inf", carrier="apc")), "C3")
    play(game, Move("apc", "C4"))
    assert refused(game, Move("apc", "C5")) == "5.72"
    assert reach(game.state, "german", unit="apc", frame=game.stack[-1])["places"] == []
    play(game, Unload("a"))
    assert (unit(game, "a").carrier, where(game, "a")) == (None, "C4")
    assert unit(game, "apc").marked


@rule("5.72.a")
def test_5_72_a_back_to_its_own_bank_it_does_not_stop():
    game = active(at_the_river(True, a=german("ger-cav", "C2"), b=german("ger-inf", "C2")))
    play(game, Move("a", "C3"), Move("a", "B2"))
    assert not unit(game, "a").marked


@rule("5.72.a")
def test_5_72_a_motorized_units_do_not_enter():
    game = active(at_the_river(True, t=german("ger-truck", "C2")))
    assert refused(game, Move("t", "C3")) == "5.72.a"


@rule("5.73.a")
@rule("5.73.b")
def test_5_73_a_with_an_engineer_they_do_and_leave_next_turn_without_a_roll():
    eng = german("ger-eng", "C3", afloat=1, bank="1-C2")
    game = active(at_the_river(True, eng=eng, t=german("ger-truck", "C2"), b=german("ger-inf", "C2")))
    play(game, Move("t", "C3"))
    assert unit(game, "t").marked  # no farther this turn
    game = later(game, "C3")
    play(game, Move("t", "C4"), dice=[])
    assert where(game, "t") == "C4"


@rule("5.72.a", "5.73")
def test_5_72_a_nor_do_they_cross_when_the_engineer_no_longer_helps():
    """He has to be in good order through all the turns in which others cross; back to its own bank the truck may go."""
    eng = german("ger-eng", "C3", afloat=1, bank="1-C2")
    game = active(at_the_river(True, eng=eng, t=german("ger-truck", "C2"), b=german("ger-inf", "C2")))
    play(game, Move("t", "C3"))
    game.state.change("eng", state="disrupted")
    game = later(game, "C3")
    assert refused(game, Move("t", "C4")) == "5.72.a"
    assert allowed(game, Move("t", "C2"))


@rule("5.73.a")
def test_5_73_a_only_from_where_it_began_the_segment():
    eng = german("ger-eng", "C3", afloat=1, bank="1-C2")
    game = active(at_the_river(True, eng=eng, t=german("ger-truck", "C1")), "C1")
    play(game, Move("t", "C2"))
    assert refused(game, Move("t", "C3")) == "5.72.a"


# --- major rivers [5.72.b] --------------------------------------------------------------------------------------


@rule("5.72.b")
def test_5_72_b_one_wades_in_and_along_but_not_across():
    game = active(at_the_river(a=german("ger-cav", "C2", movement=20), b=german("ger-inf", "C2")))
    play(game, Move("a", "C3"), Move("a", "D3"))
    assert where(game, "a") == "D3"
    assert refused(game, Move("a", "D4")) == "5.73.b"  # on a later turn, if at all
    assert allowed(game, Move("a", "D2"))  # back to its own bank
    play(game, Stop("a"))
    game = later(game, "D3")
    assert refused(game, Move("a", "D4")) == "5.72.b"
    assert refused(game, Cross("a", "D4")) == "5.72.b"


@rule("5.72.b")
def test_5_72_b_motorized_units_need_an_engineer():
    game = active(at_the_river(t=german("ger-truck", "C2")))
    assert refused(game, Move("t", "C3")) == "5.72.b"


@rule("5.73")
@rule("5.73.A1")
def test_5_73_the_help_begins_the_turn_after_the_engineer_came():
    eng = german("ger-eng", "C3", afloat=3, bank="1-C2")
    game = active(at_the_river(eng=eng, t=german("ger-truck", "C2")))
    assert refused(game, Move("t", "C3")) == "5.72.b"
    game = later(game, "C2")
    assert allowed(game, Move("t", "C3"))


@rule("5.73")
@pytest.mark.parametrize("state", ["disrupted", "demoralized"])
def test_5_73_a_shaken_engineer_does_not_help(state: str):
    game = ford(t=german("ger-truck", "C2"))
    game.state.change("eng", state=state)
    assert refused(active(game), Move("t", "C3")) == "5.72.b"


@rule("5.73")
def test_5_73_who_was_in_the_river_before_the_engineer_is_not_helped():
    game = ford(a=german("ger-inf", "C3", afloat=1, bank="1-C2"))
    assert refused(active(game, "C3"), Cross("a", "C4")) == "5.73"


@rule("5.73")
@pytest.mark.parametrize("dice", [[4, 4], [6, 6]])
def test_5_73_who_has_helped_others_out_of_the_river_stays_in_it_this_turn(dice: list[int]):
    apc = german("ger-spw251", "C3", afloat=2, bank="1-C2")
    game = active(ford(a=german("ger-inf", "C3", afloat=2, bank="1-C2"), apc=apc), "C3")
    play(game, Cross("a", "C4"), dice=dice)
    assert refused(game, Cross("eng", "C4")) == "5.73"
    assert refused(game, Move("eng", "C2")) == "5.73"
    assert refused(game, Load("apc", "eng")) == "5.73"
    game = later(game, "C3")
    assert allowed(game, Move("eng", "C2"))


@rule("5.73")
@pytest.mark.parametrize(("kind", "helped"), [("ger-truck", True), ("ger-inf", False)])
def test_5_73_so_does_who_has_helped_wheels_into_it_but_who_walks_in_needs_nobody(kind: str, helped: bool):
    game = ford(a=german(kind, "C2"), lt=leader("german", "C2"))
    play(game, ActivateStack("C2"), DesignateAll("move"), Begin(), Move("a", "C3"))
    assert (rivers.on_duty(game.state, unit(game, "eng")) is not None) is helped


@rule("5.73", "5.6")
@pytest.mark.parametrize("forced", [False, True])
def test_5_73_who_gets_off_in_the_river_is_in_the_water_like_his_carrier(forced: bool):
    apc = german("ger-spw251", "C3", afloat=2, bank="1-C2")
    game = active(at_the_river(apc=apc, a=german("ger-inf", carrier="apc")), "C3")
    if forced:
        harm.disrupt(game, "apc")
    else:
        play(game, Unload("a"), EndSegment())
    game = later(game, "C3")
    assert refused(game, Move("a", "C4")) == "5.72.b"
    assert allowed(game, Move("a", "C2"))


@rule("5.73.a")
def test_5_73_a_who_enters_the_engineers_hex_stops_for_the_turn():
    game = ford(a=german("ger-cav", "C2", movement=20), b=german("ger-inf", "C2"))
    play(active(game), Move("a", "C3"))
    assert unit(game, "a").marked


@rule("5.73.b")
@pytest.mark.parametrize(("dice", "across"), [([4, 4], True), ([4, 5], False)])
def test_5_73_b_on_a_later_turn_the_crossing_number_decides(dice: list[int], across: bool):
    """On foot eight or less."""
    game = ford(a=german("ger-inf", "C3", afloat=2, bank="1-C2"))
    active(game, "C3")
    assert refused(game, Move("a", "C4")) == "5.73.b"  # not without the dice
    (calculation,) = calculations(play(game, Cross("a", "C4"), dice=dice))
    assert ("factor", "5.73.b", 8) in lines(calculation)
    assert where(game, "a") == ("C4" if across else "C3")
    assert unit(game, "a").marked


@rule("5.73.b")
@pytest.mark.parametrize(("kind", "number"), [("ger-pz4h", 7), ("ger-truck", 5), ("ger-cav", 8)])
def test_5_73_b_each_class_has_its_number(kind: str, number: int):
    game = ford(a=german(kind, "C3", afloat=2, bank="1-C2"))
    assert rivers.crossing_number(game.state, unit(game, "a")) == number


@rule("5.73.b")
def test_5_73_b_where_the_scenario_gives_no_number_nobody_crosses():
    eng = german("ger-eng", "C3", afloat=1, bank="1-C2")
    game = at_the_river(special={"crossing": {"foot": 0}}, eng=eng, a=german("ger-inf", "C3", afloat=2, bank="1-C2"))
    assert refused(active(game, "C3"), Cross("a", "C4")) == "5.73.b"


@rule("5.73.b")
def test_5_73_b_who_crosses_stops_on_the_other_bank():
    game = ford(a=german("ger-cav", "C3", afloat=2, bank="1-C2", movement=20))
    play(active(game, "C3"), Cross("a", "C4"), dice=[1, 1])
    assert where(game, "a") == "C4"
    assert unit(game, "a").marked


@rule("5.73.c")
def test_5_73_c_an_engineer_alone_crosses_on_a_later_turn_as_on_foot():
    game = at_the_river(eng=german("ger-eng", "C3", afloat=3, bank="1-C2"))
    assert refused(active(game, "C3"), Cross("eng", "C4")) == "5.73.b"
    game = later(game, "C3")
    (calculation,) = calculations(play(game, Cross("eng", "C4"), dice=[4, 4]))
    assert ("factor", "5.73.c", 8) in lines(calculation)
    assert where(game, "eng") == "C4"


@rule("5.73.c", "5.73.b")
@pytest.mark.parametrize(("name", "why"), [("eng", "5.73.c"), ("a", "5.73.b")])
def test_5_73_c_a_unit_that_has_failed_to_cross_waits_for_the_next_turn(name: str, why: str):
    game = active(ford(a=german("ger-inf", "C3", afloat=2, bank="1-C2"), b=german("ger-inf", "C3")), "C3")
    play(game, Cross(name, "C4"), dice=[6, 6])
    assert refused(game, Cross(name, "C4")) == why
    play(game, EndSegment())
    play(game, Pass())
    assert refused(game, Activate(name, "move")) == why
    assert refused(game, Activate(name, "fire")) == "3.13.c"


@rule("5.73.c")
def test_5_73_c_so_does_an_engineer_who_has_just_come_into_the_river():
    game = active(at_the_river(eng=german("ger-eng", "C2"), b=german("ger-inf", "C2")))
    play(game, Move("eng", "C3"))
    assert unit(game, "eng").marked
    assert refused(game, Cross("eng", "C4")) == "5.73.c"


@rule("5.73.d")
def test_5_73_d_the_engineer_does_not_count_against_stacking_in_the_river():
    three = {name: german("ger-inf", "C3", afloat=2, bank="1-C2") for name in "abc"}
    game = ford(**three, d=german("ger-inf", "C2"))
    assert overstacked(game.state, unit(game, "eng"), "1-C3") is None
    found = overstacked(game.state, unit(game, "d"), "1-C3")
    assert found is not None
    game = ford(a=three["a"], b=three["b"], d=german("ger-inf", "C2"))
    assert overstacked(game.state, unit(game, "d"), "1-C3") is None


@rule("5.73.f")
@pytest.mark.parametrize("how", ["disrupt", "demoralize"])
def test_5_73_f_when_the_engineer_breaks_so_do_all_friends_with_him(how: str):
    game = ford(a=german("ger-inf", "C3", afloat=2, bank="1-C2"), lt=leader("german", "C3"))
    getattr(harm, how)(game, "eng")
    assert unit(game, "a").state == unit(game, "lt").state == unit(game, "eng").state != "good order"


@rule("5.73.f")
@rule("5.73.A3")
def test_5_73_f_when_he_flees_the_others_go_back_one_hex_and_not_across():
    game = ford(a=german("ger-inf", "C3", afloat=2, bank="1-C2"), b=german("ger-inf", "C3", afloat=2, bank="1-D2"))
    active(game, "C3")
    engineer = unit(game, "eng")
    going.go(game, "eng", "1-C2")
    moving.follow_engineer(game, engineer, "1-C3")
    assert (where(game, "a"), where(game, "b")) == ("C2", "D2")
    assert unit(game, "a").marked


@rule("5.73.f")
@pytest.mark.parametrize(
    ("minor", "kind", "shaken"),
    [
        (False, "ger-inf", True),  # nobody crosses a major river without help
        (True, "ger-inf", False),  # a minor one everybody who walks [5.72.a]
        (True, "ger-motorcycle", True),  # but not on wheels
    ],
)
def test_5_73_f_only_an_engineer_who_assists_a_crossing_takes_others_with_him(minor: bool, kind: str, shaken: bool):
    a, eng = german(kind, "C3", afloat=2, bank="1-C2"), german("ger-eng", "C3", afloat=1, bank="1-C2")
    game = at_the_river(minor, a=a, eng=eng)
    harm.disrupt(game, "eng")
    assert (unit(game, "a").state == "disrupted") is shaken


@rule("5.73.f", "5.73")
def test_5_73_f_an_engineer_who_came_last_assists_nobody():
    a, eng = german("ger-inf", "C3", afloat=1, bank="1-C2"), german("ger-eng", "C3", afloat=2, bank="1-C2")
    game = at_the_river(a=a, eng=eng)
    harm.demoralize(game, "eng")
    assert unit(game, "a").good_order


@rule("5.73.f")
def test_5_73_f_in_a_minor_river_who_is_on_foot_stays_when_an_engineer_flees():
    a, eng = german("ger-inf", "C3", afloat=2, bank="1-C2"), german("ger-eng", "C3", afloat=1, bank="1-C2")
    game = active(at_the_river(True, a=a, eng=eng), "C3")
    engineer = unit(game, "eng")
    going.go(game, "eng", "1-C2")
    moving.follow_engineer(game, engineer, "1-C3")
    assert where(game, "a") == "C3"


@rule("5.73.A3", "14.42")
def test_5_73_a3_the_demoralized_try_to_recover_before_they_leave():
    here = {"afloat": 2, "bank": "1-C2"}
    game = ford(a=german("ger-inf", "C3", **here), b=german("ger-inf", "C3", state="demoralized", **here))
    active(game, "C3")
    engineer = unit(game, "eng")
    going.go(game, "eng", "1-C2")
    moving.follow_engineer(game, engineer, "1-C3")
    assert (where(game, "a"), where(game, "b")) == ("C2", "C3")
    assert not unit(game, "b").marked


@rule("5.72", "14.31")
def test_5_72_who_flees_across_a_river_stops_on_the_other_bank_too():
    """From the brook it flees to the bank and no farther, whatever it has left."""
    runner = german("ger-cav", "C3", afloat=2, bank="1-C2", state="demoralized", movement=20)
    game = at_the_river(True, a=runner, b=german("ger-inf", "F7"), x=soviet("sov-hmg", "C2"))
    play(game, Activate("a", "recover"), Recover("a"), dice=[6, 5])
    ways = sorted(action.to for action in game.choices("german") if isinstance(action, FleeTo))
    to = next(hex for hex in ways if rivers.crosses(game.state, unit(game, "a"), hex))
    play(game, FleeTo(to), Pass())
    assert unit(game, "a").hex == to
    assert not any(isinstance(action, FleeTo) for seat in game.asked() for action in game.choices(seat))


@rule("5.72.b", "5.73.b", "15.31")
@pytest.mark.parametrize(("minor", "why"), [(False, "5.73.b"), (True, None)])
def test_5_72_b_no_charge_leads_across_a_major_river(minor: bool, why: str | None):
    rider = german("ger-cav", "C2", movement=20)
    game = at_the_river(minor, a=rider, lt=leader("german", "C2", mounted=True), x=soviet("sov-inf", "C4"))
    play(game, ActivateStack("C2"), DesignateAll("fire"), Begin())
    refusal = charge.rough_ride(game.state, unit(game, "a"), full("C3"), full("C4"))
    assert (refusal.rule if refusal else None) == why


@rule("5.72", "5.72.b")
@pytest.mark.parametrize("minor", [False, True])
def test_5_72_the_way_that_is_shown_ends_in_the_river(minor: bool):
    """Nobody is shown a way over it: what comes after depends on how one came in."""
    game = active(at_the_river(minor, a=german("ger-cav", "C2", movement=20)))
    shown = reach(game.state, "german", unit="a", frame=game.stack[-1])["places"]
    assert full("C3") in {row["place"] for row in shown}
    assert full("C4") not in {row["place"] for row in shown}


@rule("5.73.A2")
def test_5_73_a2_the_shift_is_two_columns_where_neither_side_has_an_engineer():
    """Where the terrain chart says otherwise, the rule's text holds."""
    game = at_the_river(x=soviet("sov-inf", "C3", afloat=1), e=german("ger-eng", "C2"), a=german("ger-inf", "C2"))
    (line,) = combat.river_lines(game.state, [unit(game, "x"), unit(game, "a")], "1-C3")
    assert line.amount == -2
    assert not list(combat.river_lines(game.state, [unit(game, "x"), unit(game, "e")], "1-C3"))


@rule("5.73.e")
def test_5_73_e_units_in_a_river_can_be_assaulted():
    game = at_the_river(a=german("ger-inf", "C2"), lt=leader("german", "C2"), x=soviet("sov-inf", "C3", afloat=1))
    play(game, ActivateStack("C2"), DesignateAll("fire"), Begin())
    assert allowed(game, assaulting.EnterAssault("a", full("C3")))


# --- banks ------------------------------------------------------------------------------------------------------


@rule("5.72")
@pytest.mark.parametrize(("to", "same"), [("C2", True), ("B2", True), ("D2", True), ("C4", False)])
def test_5_72_the_banks_of_a_river_hex(to: str, same: bool):
    game = at_the_river(a=german("ger-inf", "C3", afloat=1, bank="1-C2"))
    assert rivers.same_bank(game.state, "1-C2", full(to), "1-C3") is same
    assert rivers.crosses(game.state, unit(game, "a"), full(to)) is not same
