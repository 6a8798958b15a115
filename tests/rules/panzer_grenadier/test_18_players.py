"""More than two players [18]: formation command; sectors are in `test_18_1_sectors.py`. Tests are named after rules."""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Callable

import pytest

from core import contract
from core.contract import Case
from edits import edited
from opfire.core import scenario
from opfire.core.actions import IllegalAction
from opfire.core.dice import scripted
from opfire.core.errors import BadInput
from opfire.core.game import Game
from opfire.core.match import Match
from opfire.core.record import Record, new_game
from opfire.core.ruleset import Suggestion
from opfire.kit.setup import PickUp, Ready
from opfire.rulesets.panzer_grenadier import RULESET
from opfire.rulesets.panzer_grenadier.actions import EndSegment, Pass
from opfire.rulesets.panzer_grenadier.assault.assaulting import DeclareAssault, EnterAssault, FirstFire, JoinAssault
from opfire.rulesets.panzer_grenadier.command.activation import (
    Activate,
    ActivateLeader,
    ActivateStack,
    Begin,
    Designate,
    DesignateAll,
)
from opfire.rulesets.panzer_grenadier.command.formations import GiveSegment
from opfire.rulesets.panzer_grenadier.fire.aircraft import SendAircraft
from opfire.rulesets.panzer_grenadier.fire.losses import Blow, LoseStep, suffer
from opfire.rulesets.panzer_grenadier.fire.offboard import CallFire
from opfire.rulesets.panzer_grenadier.fire.reaction import OpportunityFire, ShootAntiTank, ShootDirect
from opfire.rulesets.panzer_grenadier.fire.strengths import Fire
from opfire.rulesets.panzer_grenadier.morale.harm import fall
from opfire.rulesets.panzer_grenadier.movement.moving import Move
from opfire.rulesets.panzer_grenadier.movement.transport import Load
from opfire.rulesets.panzer_grenadier.pieces import Position
from opfire.rulesets.panzer_grenadier.setup.placing import Place
from opfire.rulesets.panzer_grenadier.setup.setting_up import DrawPieces, Finish
from opfire.rulesets.panzer_grenadier.shown.orders import Orders
from rules.panzer_grenadier.kit import Table, draw, german, leader, offered, play, refused, rule, soviet, unit
from rules.panzer_grenadier.test_play import MOST, everything

SEATS = {"anna": "german", "bert": "german", "soviet": "soviet"}
SPECIAL = {"command": "formation", "sides": {"german": {"players": {"anna": [], "bert": []}}}}


def shared(side: str = "german", **units: Table) -> Game[Position]:
    """Anna and Bert have the German side, and Anna, with `cpt`, commands it."""
    there = {"cpt": leader("german", "A1", "CPT", player="anna"), "foe": soviet("sov-inf", "P9"), **units}
    game = draw(side=side, special=SPECIAL, **there)
    game.seats = dict(SEATS)
    game.state.change_army("german", commander="anna", senior="cpt")
    return game


def anna(unit: str, at: str, **values: object) -> Table:
    """A unit of Anna's."""
    return german(unit, at, player="anna", **values)


def bert(unit: str, at: str, **values: object) -> Table:
    """A unit of Bert's."""
    return german(unit, at, player="bert", **values)


@rule("3.0.F", "18.32")
def test_3_0_F_a_player_does_not_let_the_segment_go_by_while_anothers_unit_is_demoralized():
    game = shared(a=bert("ger-inf", "C3"), broken=anna("ger-inf", "E5", state="demoralized"))
    play(game, GiveSegment("bert"), seat="anna")
    assert refused(game, Activate("a", "fire"), "bert") == "3.0.F"
    assert Activate("a", "move") in game.choices("bert")


@rule("3.0.F", "18.32")
def test_3_0_F_nor_is_he_given_it_if_none_of_his_units_can_do_anything():
    """The enemy holds the only hex where Bert's leader may come in."""
    waits = {"lt": leader("german", entry=["A5"], player="bert"), "x": soviet("sov-inf", "A5")}
    game = shared(**waits, broken=anna("ger-inf", "E5", state="demoralized"))
    assert refused(game, GiveSegment("bert"), "anna") == "3.0.F"
    assert offered(game, GiveSegment, "anna") == {GiveSegment("anna")}
    assert GiveSegment("bert") in shared(**waits).choices("anna")


# --- 18.2: who has what ------------------------------------------------------------------------------------------

PLAYERS = 'anna = ["east", "ger-stug"], bert = ["ger-pz3", "ger-inf", "ger-truck", "ger-20-aa"]'


def divided(players: str = PLAYERS, command: str = "formation") -> str:
    """The scenario with everything, the German side among several players."""
    given = {"command": command} if command else {}
    return everything([], german=tomllib.loads(f"players = {{ {players} }}"), **given)


def begun(players: str = PLAYERS, die: int = 1) -> Game[Position]:
    """A game in which the leaders have been drawn, and the commanding officer with this die."""
    leaders = (1, 1) * 2  # which piece, which of its sides
    game: Game[Position] = new_game(RULESET, divided(players), scripted((*leaders, die)), SEATS)
    mines = 2
    game.dice = scripted((*leaders, die, *(1,) * mines))
    game.play("anna", DrawPieces())
    return game


@rule("18.2", "18.0")
def test_18_2_who_names_a_unit_by_its_type_or_zone_has_it_and_the_type_goes_first() -> None:
    game = begun()
    owners = {one.kind.id: one.player for one in game.state.units.values() if one.side == "german" and one.kind}
    assert owners == {
        "ger-inf": "bert",  # by its type, though it sets up in Anna's zone
        "ger-hmg": "anna",
        "ger-at-50": "anna",
        "ger-pz3": "bert",
        "ger-spw251": "anna",
        "ger-mortar-81": "anna",
        "ger-stug": "anna",
        "ger-truck": "bert",
        "ger-20-aa": "bert",
    }
    assert {one.player for one in game.state.units.values() if one.side == "soviet"} == {""}


@rule("18.2")
def test_18_2_the_id_of_a_unit_goes_before_its_type() -> None:
    game = begun(edited(PLAYERS, '"ger-stug"', '"ger-stug", "german-2"'))
    assert [unit(game, name).player for name in ("german-1", "german-2")] == ["bert", "anna"]


@rule("18.2")
@pytest.mark.parametrize(
    ("players", "command", "what"),
    [
        (edited(PLAYERS, ', "ger-20-aa"', ""), "formation", r"20.* is given to nobody"),
        (
            edited(PLAYERS, '"ger-stug"', '"ger-stug", "ger-truck"'),
            "formation",
            "'ger-truck' is given to anna and bert",
        ),
        (edited(PLAYERS, '"ger-stug"', '"ger-stug", "ger-tiger"'), "formation", "anna is given 'ger-tiger'"),
        (PLAYERS, "", "players anna, bert; expected command"),
        (PLAYERS, "sector", "no sectors; expected two or more"),
        ('anna = ["east"]', "formation", "one player.*two or more"),
    ],
)
def test_18_2_what_is_wrong_with_a_division_is_said_in_one_sentence(players: str, command: str, what: str) -> None:
    with pytest.raises(BadInput, match=what):
        new_game(RULESET, divided(players, command), scripted(()), SEATS)


@rule("18.2")
def test_18_2_the_seats_are_the_players_whom_the_scenario_names() -> None:
    with pytest.raises(BadInput, match="german has the seats anna, carl; expected anna, bert"):
        new_game(RULESET, divided(), scripted(()), {"anna": "german", "carl": "german", "soviet": "soviet"})


@rule("18.2")
def test_18_2_one_player_alone_commands_a_divided_side_as_if_it_were_whole() -> None:
    game: Game[Position] = new_game(RULESET, divided(), scripted(()))
    game.dice = scripted((1,) * 6)
    game.play("german", DrawPieces())
    assert {one.player for one in game.state.units.values()} == {""}
    assert game.state.armies["german"].commander == ""
    game.play("german", next(action for action in game.choices("german") if isinstance(action, Place)))


@rule("18.2")
def test_18_2_each_sets_up_his_own_units_and_the_officer_ends_it() -> None:
    game = begun()
    theirs = {seat: {unit(game, act.unit).player for act in offered(game, Place, seat)} for seat in ("anna", "bert")}
    assert theirs == {"anna": {"anna"}, "bert": {"bert"}}
    inf = next(act for act in offered(game, Place, "bert") if isinstance(act, Place) and act.unit == "german-1")
    assert refused(game, inf, "anna") == "18.21"
    while places := [(seat, act) for seat in ("anna", "bert") for act in offered(game, Place, seat)]:
        game.play(*places[0])
    while Ready() not in game.choices("anna"):
        game.play("anna", game.choices("anna").finite[0])
    assert refused(game, Ready(), "bert") == "18.32"


def placed(game: Game[Position]) -> Game[Position]:
    """All that the German players have is placed; nothing but the end is left to say."""
    while Ready() not in game.choices("anna"):
        seat = next(seat for seat in ("anna", "bert") if len(game.choices(seat)) > 0)
        game.play(seat, game.choices(seat).finite[0])
    return game


@rule("18.2")
def test_18_2_each_of_several_players_says_that_he_has_set_up_and_is_asked_no_more() -> None:
    game = begun()
    first = next(act for act in offered(game, Place, "bert") if isinstance(act, Place))
    assert refused(game, Finish("bert"), "bert") == "2.3"
    placed(game)
    assert PickUp(first.unit) in game.choices("bert")
    assert refused(game, Finish("bert"), "anna") == "18.2"
    assert refused(game, Finish("anna"), "anna") == "procedure"  # the officer ends it for all
    game.play("bert", Finish("bert"))
    assert list(game.choices("bert")) == []
    assert refused(game, PickUp(first.unit), "bert") == "procedure"
    assert Ready() in game.choices("anna")
    assert refused(game, Finish("bert"), "bert") == "procedure"


@pytest.mark.parametrize("who", [RULESET.suggest, RULESET.script], ids=["suggest", "script"])
def test_a_computer_player_who_is_no_officer_sets_up_and_comes_to_an_end(who: Callable[..., list[Suggestion]]) -> None:
    game = placed(begun())
    found = who(game.sight("bert"), "german", game.stack[-1], game.choices("bert"))
    assert found[0].action == Finish("bert")


# --- 18.3: the commanding officer ------------------------------------------------------------------------------------


@rule("18.3")
@pytest.mark.parametrize(("die", "commander", "other"), [(1, "anna", "bert"), (2, "bert", "anna")])
def test_18_3_the_die_says_who_commands_and_he_has_the_highest_leader(die: int, commander: str, other: str) -> None:
    game = begun(die=die)
    army = game.state.armies["german"]
    assert (army.commander, army.senior) == (commander, "german-leader-1")
    assert [unit(game, f"german-leader-{number}").player for number in (1, 2)] == [commander, other]
    assert unit(game, "german-leader-1").officer.title == "LT"  # type: ignore[union-attr]


@rule("18.3")
def test_18_3_the_officer_has_the_highest_leader_whomever_he_was_given_to() -> None:
    game = begun(edited(PLAYERS, '"ger-stug"', '"ger-stug", "german-leader-1", "german-leader-2"'), die=2)
    assert [unit(game, f"german-leader-{number}").player for number in (1, 2)] == ["bert", "anna"]


@rule("18.3")
def test_18_3_the_first_player_draws_for_all() -> None:
    game: Game[Position] = new_game(RULESET, divided(), scripted(()), SEATS)
    assert list(game.choices("anna")) == [DrawPieces()]
    assert len(game.choices("bert")) == 0


# --- 18.32: who has the segment --------------------------------------------------------------------------------------


@rule("18.32")
def test_18_32_nobody_activates_before_the_officer_has_given_the_segment() -> None:
    game = shared(a=anna("ger-inf", "C3"), b=bert("ger-inf", "C4"))
    assert refused(game, Activate("a", "move"), "anna") == "18.32"
    assert refused(game, ActivateStack("C4"), "bert") == "18.32"
    assert refused(game, GiveSegment("bert"), "bert") == "18.32"
    assert list(game.choices("bert")) == []
    assert offered(game, GiveSegment, "anna") == {GiveSegment("anna"), GiveSegment("bert")}
    game.play("anna", GiveSegment("bert"))
    assert list(game.choices("anna")) == []
    game.play("bert", Activate("b", "move"))
    assert refused(game, EndSegment(), "anna") == "18.32"
    game.play("bert", Move("b", "1-C5"))
    assert unit(game, "b").hex == "1-C5"


@rule("18.32")
def test_18_32_the_segment_is_given_once_and_the_next_one_anew() -> None:
    game = shared(a=anna("ger-inf", "C3"), b=bert("ger-inf", "C4"))
    game.play("anna", GiveSegment("bert"))
    assert refused(game, GiveSegment("anna"), "anna") == "18.32"
    assert refused(game, Pass(), "bert") == "18.32"
    game.play("bert", Activate("b", "move"))
    game.play("bert", EndSegment())
    game.play("soviet", Pass())
    assert list(game.choices("bert")) == []
    assert refused(game, GiveSegment("bert"), "anna") == "18.32"  # he has nobody left
    assert offered(game, GiveSegment, "anna") == {GiveSegment("anna")}


@rule("18.32", "6.65")
def test_18_32_a_kommissar_who_waits_for_anothers_unit_is_nobody_to_activate() -> None:
    game = shared(kom=leader("german", "C3", "KOM", player="bert"), a=anna("ger-inf", "C3", state="demoralized"))
    assert refused(game, GiveSegment("bert"), "anna") == "18.32"
    assert offered(game, GiveSegment, "anna") == {GiveSegment("anna")}


@rule("18.32")
def test_18_32_only_the_officer_passes_and_where_one_player_has_the_side_nobody_gives_a_segment() -> None:
    game = shared(b=bert("ger-inf", "C4"))
    assert refused(game, Pass(), "bert") == "18.32"
    assert Pass() in game.choices("anna")
    game.play("anna", Pass())
    assert refused(game, GiveSegment("soviet"), "soviet") == "18.32"


@rule("18.32")
def test_18_32_the_officer_alone_sends_artillery_and_aircraft() -> None:
    game = shared(foe=soviet("sov-inf", "D3"), lt=leader("german", "C4", player="bert"), b=bert("ger-inf", "C4"))
    game.state.change_army("german", offboard=(16, 20), aircraft=(next(iter(game.state.charts.aircraft)),))
    fire, strike = CallFire(16, "1-D3"), next(iter(offered(game, SendAircraft, "anna")))
    assert refused(game, fire, "bert") == refused(game, strike, "bert") == "18.32"
    assert fire in game.choices("anna")
    given = game.copy()
    given.play("anna", GiveSegment("anna"))
    assert refused(given, fire, "anna") == "18.32"
    game.play("anna", fire)
    assert refused(game, Fire(), "bert") == "18.32"
    assert Fire() in game.choices("anna")


@rule("18.32", "3.0.F")
def test_18_32_a_demoralized_unit_of_anothers_keeps_the_officer_from_passing() -> None:
    game = shared(b=bert("ger-inf", "C4", state="demoralized"))
    assert refused(game, Pass(), "anna") == "3.0.F"
    assert GiveSegment("bert") in game.choices("anna")


# --- 18.21: one's own units alone ------------------------------------------------------------------------------------


@rule("18.21")
def test_18_21_a_player_activates_no_unit_of_anothers() -> None:
    game = shared(a=anna("ger-inf", "C3"), b=bert("ger-inf", "C4"))
    game.play("anna", GiveSegment("bert"))
    assert refused(game, Activate("b", "move"), "anna") == "18.21"
    assert refused(game, Activate("a", "move"), "anna") == "18.21"
    assert refused(game, Activate("a", "move"), "bert") == "18.21"
    assert refused(game, ActivateStack("C3"), "bert") == "3.11"
    assert {act.unit for act in offered(game, Activate, "bert") if isinstance(act, Activate)} == {"b"}


@rule("18.21", "3.11")
def test_18_21_of_a_stack_only_the_players_own_are_activated() -> None:
    game = shared(a=anna("ger-inf", "C3"), b=bert("ger-inf", "C3"))
    game.play("anna", GiveSegment("bert"))
    game.play("bert", ActivateStack("1-C3"))
    assert offered(game, Designate, "bert") == {Designate("b", "move"), Designate("b", "fire")}
    game.play("bert", DesignateAll("move"))
    assert refused(game, Begin(), "anna") == "18.32"
    game.play("bert", Begin())
    assert list(game.state.activation.roles) == ["b"]  # type: ignore[union-attr]


@rule("18.21", "3.12")
def test_18_21_a_leader_reaches_only_units_and_leaders_of_his_own_player() -> None:
    game = shared(
        lt=leader("german", "C3", player="bert"),
        sgt=leader("german", "C3", "SGT", player="anna"),
        a=anna("ger-inf", "C3"),
        b=bert("ger-inf", "C4"),
    )
    game.play("anna", GiveSegment("bert"))
    game.play("bert", ActivateLeader("lt"))
    designated = {act.unit for act in offered(game, Designate, "bert") if isinstance(act, Designate)}
    assert designated == {"lt", "b"}


@rule("18.21", "12.3.b")
def test_18_21_who_is_in_the_hex_joins_only_the_assault_of_his_own_player() -> None:
    game = shared(
        a=anna("ger-inf", "C3"),
        b=bert("ger-inf", "C3"),
        more=bert("ger-inf", "C3"),
        foe=soviet("sov-inf", "C3"),
    )
    game.play("anna", GiveSegment("bert"))
    game.play("bert", Activate("b", "fire"))
    game.play("bert", DeclareAssault("1-C3"))
    assert offered(game, JoinAssault, "bert") == {JoinAssault("b"), JoinAssault("more")}
    assert refused(game, JoinAssault("a"), "anna") == "18.21"


@rule("18.21")
def test_18_21_nobody_loads_the_units_of_another() -> None:
    game = shared(truck=bert("ger-truck", "C3"), a=anna("ger-inf", "C3"), b=bert("ger-inf", "C3"))
    game.play("anna", GiveSegment("bert"))
    game.play("bert", ActivateStack("1-C3"))
    game.play("bert", DesignateAll("move"))
    game.play("bert", Begin())
    assert refused(game, Load("truck", "a"), "bert") == "18.21"
    assert Load("truck", "b") in game.choices("bert")


# --- what the enemy brings about: RULINGS.md P81 ---------------------------------------------------------------------


def driven_past(**units: Table) -> Game[Position]:
    """A soviet tank has driven past."""
    game = shared("soviet", t=soviet("sov-t34", "H4"), **units)
    play(game, Activate("t", "move"), Move("t", "H3"), seat="soviet")
    assert isinstance(game.stack[-1], OpportunityFire)
    return game


@rule("18.21")
def test_18_21_opportunity_fire_is_the_firers_player_s_and_so_is_letting_pass_where_he_alone_can_fire() -> None:
    game = driven_past(gun=bert("ger-at-50", "F4"))
    assert list(game.choices("anna")) == []
    assert refused(game, ShootAntiTank("gun", "t"), "anna") == "18.21"
    assert set(game.choices("bert")) >= {Pass(), ShootAntiTank("gun", "t")}


@rule("18.21", "13.36")
def test_18_21_where_several_could_fire_each_in_turn_fires_or_lets_pass() -> None:
    game = driven_past(gun=bert("ger-at-50", "F4"), pak=anna("ger-at-50", "F5"))
    shots = {"anna": ShootAntiTank("pak", "t"), "bert": ShootAntiTank("gun", "t")}
    assert game.deciders() == ("anna",)
    assert set(game.choices("anna")) >= {Pass(), shots["anna"]}
    assert list(game.choices("bert")) == []
    assert refused(game, Pass(), "bert") == refused(game, shots["bert"], "bert") == "18.32"
    game.play("anna", Pass())
    assert game.deciders() == ("bert",)
    assert set(game.choices("bert")) >= {Pass(), shots["bert"]}
    assert list(game.choices("anna")) == []
    assert refused(game, Pass(), "anna") == "18.32"
    game.play("bert", Pass())
    assert not isinstance(game.stack[-1], OpportunityFire)


@rule("18.21", "13.36")
def test_18_21_after_his_shot_a_player_is_asked_before_the_next() -> None:
    game = driven_past(gun=bert("ger-at-50", "F6"), a=anna("ger-at-50", "F5"), b=anna("ger-at-50", "F4"))
    game.dice = scripted((1, 1))  # no effect: the tank drives on
    game.play("anna", ShootAntiTank("a", "t"))
    assert game.deciders() == ("anna",)
    assert ShootAntiTank("b", "t") in game.choices("anna")


@rule("18.21", "16.6")
def test_18_21_a_player_with_units_that_nobody_has_seen_is_asked_and_no_other() -> None:
    game = driven_past(i=bert("ger-inf", "A9", hidden=True), a=anna("ger-inf", "A8"))
    assert game.deciders() == ("bert",)
    assert list(game.choices("bert")) == [Pass()]


def ordered(game: Game[Position]) -> Match:
    """The game at a table where everybody's orders are never to fire."""
    match = contract.start(SHARED, 1)
    match.game, match.settled, match.draft = game, game.copy(), []
    match.orders = dict.fromkeys(SEATS, Orders(fire="never"))
    return match


def test_orders_answer_for_the_one_player_who_may_decide() -> None:
    match = ordered(driven_past(gun=bert("ger-at-50", "F4")))
    match.go_on()
    assert (match.record.lines[-1].seat, match.record.lines[-1].by) == ("bert", "orders")
    assert not isinstance(match.game.stack[-1], OpportunityFire)


def test_orders_answer_for_each_player_in_turn() -> None:
    match = ordered(driven_past(gun=bert("ger-at-50", "F4"), pak=anna("ger-at-50", "F5")))
    match.go_on()
    assert [(line.seat, line.by) for line in match.record.lines] == [("anna", "orders"), ("bert", "orders")]
    assert not isinstance(match.game.stack[-1], OpportunityFire)


@rule("18.21")
def test_18_21_units_of_two_players_do_not_fire_together() -> None:
    game = shared("soviet", i=soviet("sov-inf", "H4"), a=anna("ger-inf", "F4"), b=bert("ger-inf", "F4"))
    play(game, Activate("i", "move"), Move("i", "H3"), seat="soviet")
    assert refused(game, ShootDirect(("a", "b"), "i"), "anna") == "18.21"
    assert set(offered(game, ShootDirect, "anna")) == {ShootDirect(("a",), "i")}
    game.play("anna", Pass())
    assert set(offered(game, ShootDirect, "bert")) == {ShootDirect(("b",), "i")}


@rule("18.21", "13.01")
def test_18_21_a_better_leader_of_another_player_does_not_keep_ones_own_from_helping() -> None:
    game = shared(
        "soviet",
        i=soviet("sov-inf", "H4"),
        a=anna("ger-inf", "F4"),
        lt=leader("german", "F4", combat=1, player="anna"),
        two=leader("german", "F4", combat=2, player="bert"),
    )
    play(game, Activate("i", "move"), Move("i", "H3"), seat="soviet")
    assert set(offered(game, ShootDirect, "anna")) == {ShootDirect(("a",), "i"), ShootDirect(("a", "lt"), "i")}
    assert refused(game, ShootDirect(("a", "two"), "i"), "anna") == "18.21"


@rule("18.32", "7.61")
def test_18_32_the_officer_says_which_of_two_players_units_takes_a_loss() -> None:
    game = shared(a=anna("ger-inf", "C3"), b=bert("ger-inf", "C3"))
    suffer(game, "german", "1-C3", (Blow(("a", "b"), "1"),), "direct")
    game.run()
    assert set(game.choices("anna")) == {LoseStep("a"), LoseStep("b")}
    assert refused(game, LoseStep("b"), "bert") == "18.32"


@rule("18.21", "12.43.a")
@pytest.mark.parametrize(("other", "decides"), [("bert", "bert"), ("anna", "anna")])
def test_18_21_how_a_hex_is_defended_is_said_by_whose_units_are_there_or_the_officer(other: str, decides: str) -> None:
    dug, open_ = bert("ger-inf", "C3", dug_in=2), german("ger-inf", "C3", player=other)
    lt, foe = leader("soviet", "C4"), soviet("sov-inf", "C4")
    game = shared("soviet", dug=dug, open=open_, lt=lt, foe=foe)
    play(game, ActivateLeader("lt"), DesignateAll("fire"), Begin(), EnterAssault("foe", "C3"), seat="soviet")
    play(game, DeclareAssault("C3"), seat="soviet")
    assert isinstance(game.stack[-1], FirstFire)
    assert [seat for seat in SEATS if len(game.choices(seat)) > 0] == [decides]


@rule("18.21", "7.61")
def test_18_21_a_player_says_which_of_his_own_units_takes_a_loss() -> None:
    game = shared(a=bert("ger-inf", "C3"), b=bert("ger-inf", "C3"))
    suffer(game, "german", "1-C3", (Blow(("a", "b"), "1"),), "direct")
    game.run()
    assert set(game.choices("bert")) == {LoseStep("a"), LoseStep("b")}
    assert refused(game, LoseStep("b"), "anna") == "18.21"


# --- 18.33: who commands after the officer's leader ------------------------------------------------------------------


def fallen(game: Game[Position], name: str, *dice: int) -> tuple[str, str]:
    """The commander, and his leader, after this leader has fallen and exactly these dice."""
    game.dice = scripted(dice)
    fall(game, name, "6.7")
    assert not game.dice.script
    army = game.state.armies["german"]
    return army.commander, army.senior


@rule("18.33")
def test_18_33_the_player_of_the_next_by_rank_commands() -> None:
    sgt, lt = leader("german", "C3", "SGT", player="anna"), leader("german", "C4", "LT", player="bert")
    game = shared(sgt=sgt, lt=lt, a=anna("ger-inf", "C3"))
    assert fallen(game, "cpt") == ("bert", "lt")
    assert fallen(game, "sgt") == ("bert", "lt")


@rule("18.33")
def test_18_33_the_fall_of_a_junior_leader_changes_nothing() -> None:
    game = shared(lt=leader("german", "C4", "LT", player="bert"))
    assert fallen(game, "lt") == ("anna", "cpt")


@rule("18.33")
def test_18_33_of_two_of_one_rank_who_has_more_steps_of_combat_units_commands() -> None:
    lts = {"one": leader("german", "C3", player="anna"), "two": leader("german", "C4", player="bert")}
    trucks = {f"truck{number}": anna("ger-truck", "H3") for number in range(3)}  # no combat units
    game = shared(**lts, **trucks, a=anna("ger-inf", "C3", reduced=True), b=bert("ger-inf", "C4"))
    assert fallen(game, "cpt") == ("bert", "two")


@rule("18.33")
@pytest.mark.parametrize(("die", "found"), [(1, ("anna", "one")), (2, ("bert", "two"))])
def test_18_33_a_die_decides_between_equals(die: int, found: tuple[str, str]) -> None:
    lts = {"one": leader("german", "C3", player="anna"), "two": leader("german", "C4", player="bert")}
    game = shared(**lts, a=anna("ger-inf", "C3"), b=bert("ger-inf", "C4"))
    assert fallen(game, "cpt", die) == found


@rule("18.33")
def test_18_33_with_no_leader_left_who_commanded_goes_on() -> None:
    assert fallen(shared(), "cpt") == ("anna", "cpt")


# --- the whole -------------------------------------------------------------------------------------------------------

SHORT = re.sub(r"(?m)^turns = \d+", "turns = 1", divided())
SHARED = Case(RULESET, SHORT, most=MOST, every=9, seats=SEATS)


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
def test_contract(check: Callable[[Case, int], None]) -> None:
    check(SHARED, 5)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_question_that_can_be_passed_is_put_to_players_who_can_pass(seed: int) -> None:
    for match, _ in contract.walk(SHARED, seed):
        asked = [match.game.choices(seat) for seat in match.game.deciders()]
        able = [any(action.kind == "pass" for action in choices) for choices in asked]
        assert all(able) or not any(able), match.game.stack[-1]


def test_a_record_of_three_players_replays_and_resumes() -> None:
    match = contract.play_out(SHARED, 2)
    record = Record.load(match.record.dump())
    decided = {line.seat for line in record.lines}
    assert decided == set(SEATS) == set(record.header.seats)
    assert any((line.do or {}).get("type") == "GiveSegment" for line in record.lines)
    assert record.told().replay().outcome == match.game.outcome
    assert Match.resume(match.record.dump(), match.key).record.dump() == match.record.dump()


@pytest.mark.parametrize("who", [RULESET.suggest, RULESET.script], ids=["suggest", "script"])
def test_a_computer_player_gives_the_segment_to_who_can_do_most_with_it(who: Callable[..., list[Suggestion]]) -> None:
    game = shared(a=anna("ger-inf", "A1", marked=True), b=bert("ger-inf", "D4", state="disrupted"))
    found = who(game.sight("anna"), "german", game.stack[-1], game.choices("anna"))
    assert found[0].action == GiveSegment("bert")
    game.play("anna", found[0].action)
    found = who(game.sight("bert"), "german", game.stack[-1], game.choices("bert"))
    assert found[0].action == Activate("b", "recover")


def test_what_a_player_does_on_an_order_cannot_be_pulled_from_under_him() -> None:
    for match, _ in contract.walk(SHARED, 1):
        commander = match.game.state.armies["german"].commander or "anna"
        other = "bert" if commander == "anna" else "anna"
        if GiveSegment(other) in match.game.choices(commander):
            break
    match.play(commander, GiveSegment(other))
    match.play(other, next(iter(offered(match.game, ActivateStack, other))))
    with pytest.raises(IllegalAction, match=f"{other} has built on this"):
        match.undo(commander)
    match.undo(other)
    match.undo(commander)
    assert GiveSegment(other) in match.game.choices(commander)


def test_four_computer_players_come_to_the_second_turn_of_four_at_sosnovka() -> None:
    rng = random.Random(1)
    seats = {"Vogt": "german", "Brandt": "german", "Orlov": "soviet", "Petrov": "soviet"}
    match = Match.start(
        scenario.text_of("pg-sosnovka-four"), dict.fromkeys(seats, "random"), seats=seats, key=bytes(32)
    )
    match.go_on()
    while match.game.state.turn < 2:
        seat = match.game.deciders()[0]
        match.answer(seat, match.game.choices(seat).sample(rng), "random")
    assert {line.seat for line in match.record.lines} == set(seats)
