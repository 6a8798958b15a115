"""Activation [3.1 to 3.3, 5.44, 6.2, 6.8, 6.84]: who is brought into a segment, and by whom. Named after rules."""

from __future__ import annotations

import pytest

from opfire.core.actions import Action
from opfire.core.game import Game
from opfire.rulesets.panzer_grenadier.actions import EndSegment
from opfire.rulesets.panzer_grenadier.assault.assaulting import EnterAssault
from opfire.rulesets.panzer_grenadier.command.activation import (
    Activate,
    ActivateLeader,
    ActivateStack,
    Begin,
    Designate,
    DesignateAll,
    DesignateMovers,
    group,
)
from opfire.rulesets.panzer_grenadier.fire.antitank import FireAntiTank
from opfire.rulesets.panzer_grenadier.fire.bombardment import Bombard
from opfire.rulesets.panzer_grenadier.fire.direct import FireDirect
from opfire.rulesets.panzer_grenadier.morale.recovery import Recover
from opfire.rulesets.panzer_grenadier.movement.moving import Move
from opfire.rulesets.panzer_grenadier.movement.transport import Limber
from opfire.rulesets.panzer_grenadier.pieces import Activation, Position, Role
from opfire.rulesets.panzer_grenadier.setup.roster import has_tank_leader
from opfire.rulesets.panzer_grenadier.shown.view import label, view
from opfire.rulesets.panzer_grenadier.works.fieldworks import DigIn
from rules.panzer_grenadier.kit import Table, allowed, draw, german, leader, offered, play, refused, rule, soviet, unit

FOE = {"foe": soviet("sov-inf", "P9")}


def reached(game: Game[Position]) -> set[str]:
    """The units that may be designated now."""
    return {action.unit for action in offered(game, Designate) if isinstance(action, Designate)}


def active(game: Game[Position]) -> Activation:
    """The activation under way."""
    assert game.state.activation is not None
    return game.state.activation


def begun(game: Game[Position], *actions: Activate | ActivateStack | ActivateLeader | Designate | DesignateAll) -> None:
    """Activate, designate and begin."""
    play(game, *actions)
    if offered(game, Begin):
        play(game, Begin())


# --- 3.1, 3.11 ---


@rule("3.1", "3.11", "3.13.c")
def test_3_1_a_single_unit_activates_itself_without_a_leader():
    game = draw(inf=german("ger-inf", "C3"), other=german("ger-inf", "C3"), **FOE)
    play(game, Activate("inf", "move"))
    assert active(game).roles == {"inf": "move"}
    assert active(game).led == set()
    play(game, EndSegment())
    assert unit(game, "inf").marked
    assert not unit(game, "other").marked


@rule("3.1")
def test_3_1_the_enemys_units_are_his():
    game = draw(inf=german("ger-inf", "C3"), **FOE)
    assert refused(game, Activate("foe", "move")) == "procedure"


@rule("3.11", "3.11.A1", "4.3")
def test_3_11_a_stack_activates_whatever_is_in_it():
    game = draw(
        inf=german("ger-inf", "C3"),
        tank=german("ger-pz3", "C3", tank_leader=True),
        gun=german("ger-at-50", "C3"),
        near=german("ger-inf", "C4"),
        **FOE,
    )
    play(game, ActivateStack("C3"))
    assert reached(game) == {"inf", "tank", "gun"}
    begun(game, DesignateAll("move"))
    assert active(game).led == {"tank"}  # he leads himself; the infantry has nobody


@rule("3.11", "3.11.a", "3.13.c")
@pytest.mark.parametrize("options", [(), ("R3.11",)])
def test_3_11_by_the_other_reading_a_leader_left_undesignated_stays_fresh(options: tuple[str, ...]):
    """He then leads nobody in the stack; units around it, which need a leader, bring him along."""
    own = {"lt": leader("german", "C3"), "inf": german("ger-inf", "C3"), "near": german("ger-inf", "C4")}
    game = draw(**own, foe=soviet("sov-inf", "P3"), options=options)
    play(game, ActivateStack("C3"), Designate("inf", "move"), Begin())
    assert ("lt" in active(game).roles) is not bool(options)
    assert ("inf" in active(game).led) is not bool(options)
    play(game, EndSegment())
    assert unit(game, "lt").marked is not bool(options)
    game = draw(**own, foe=soviet("sov-inf", "P3"), options=options)
    play(game, ActivateStack("C3"), Designate("near", "move"), Begin())
    assert active(game).roles == {"lt": "direct", "near": "move"}
    assert "near" in active(game).led


@rule("3.11.b")
@pytest.mark.parametrize("options", [(), ("R3.11",)])
def test_3_11_by_the_other_reading_a_leader_who_is_designated_leads(options: tuple[str, ...]):
    own = {
        "lt": leader("german", "C3"),
        "inf": german("ger-inf", "C3"),
        "tank": german("ger-pz4h", "C3", tank_leader=True),
    }
    game = draw(**own, foe=soviet("sov-inf", "P3"), options=options)
    play(game, ActivateStack("C3"), Designate("inf", "move"), Designate("lt", "direct"), Begin())
    assert "inf" in active(game).led
    game = draw(**own, foe=soviet("sov-inf", "P3"), options=options)
    play(game, ActivateStack("C3"), Designate("tank", "move"), Begin())
    assert active(game).roles == {"tank": "move"}
    assert "tank" in active(game).led  # by its own leader
    game = draw(**own, foe=soviet("sov-inf", "P3"), options=options)
    play(game, ActivateLeader("lt"), Designate("inf", "move"), Begin())
    assert "inf" in active(game).led


@rule("3.13.c")
def test_3_13_c_units_are_shown_in_the_order_in_which_they_act():
    """The roles are in the order of the stack; so are those that a leader leads."""
    units = {"lt": leader("german", "C3"), "b": german("ger-inf", "C3"), "a": german("ger-inf", "C3")}
    game = draw(**units, foe=soviet("sov-inf", "P9"))
    begun(game, ActivateStack("C3"), DesignateAll("move"))
    play(game, DigIn("b"))
    play(game, DigIn("a"))
    shown = view(game.state, "german", game.stack[-1])["activation"]
    assert (shown["led"], shown["done"]) == (["lt", "b", "a"], ["b", "a"])


@rule("3.13")
def test_3_13_the_question_says_when_each_unit_has_its_action_but_not_to_the_enemy():
    units = {"a": german("ger-inf", "C3"), "b": german("ger-inf", "C3")}
    game = draw(**units, foe=soviet("sov-inf", "P9"))
    play(game, ActivateStack("C3"), Designate("a", "move"))
    assert "Designate" in game.prompt("german")
    play(game, Designate("b", "move"))
    assert "Designate" not in game.prompt("german")
    assert "Designate" in game.prompt("soviet")


@rule("3.11")
def test_3_11_an_empty_hex_or_one_that_has_acted_is_no_stack():
    game = draw(inf=german("ger-inf", "C3", marked=True), ok=german("ger-inf", "C5"), **FOE)
    assert refused(game, ActivateStack("C3")) == "3.11"
    assert refused(game, ActivateStack("D3")) == "3.11"


@rule("3.11.A2")
def test_3_11_A2_who_has_acted_does_not_hold_up_the_others():
    game = draw(inf=german("ger-inf", "C3", marked=True), other=german("ger-inf", "C3"), **FOE)
    play(game, ActivateStack("C3"))
    assert reached(game) == {"other"}


@rule("3.11.a", "3.11.b")
def test_3_11_a_leaders_in_a_stack_reach_their_kind_in_it_and_around_it():
    game = draw(
        lt=leader("german", "C3"),
        inf=german("ger-inf", "C3"),
        near=german("ger-inf", "C4"),
        tank=german("ger-pz3", "C4"),
        far=german("ger-inf", "C5"),
        **FOE,
    )
    play(game, ActivateStack("C3"))
    assert reached(game) == {"lt", "inf", "near"}
    begun(game, DesignateAll("move"))
    assert active(game).led == {"lt", "inf", "near"}


@rule("3.11.A3")
def test_3_11_A3_nobody_has_to_move_with_his_leader():
    game = draw(lt=leader("german", "C3"), inf=german("ger-inf", "C3"), **FOE)
    begun(game, ActivateLeader("lt"), DesignateAll("move"))
    assert Move("inf", "1-C4") in offered(game, Move)
    assert Move("lt", "1-C2") in offered(game, Move)


# --- 3.12 ---


@rule("3.12", "5.44")
@pytest.mark.parametrize(("state", "found"), [("good order", {"lt", "here", "near"}), ("disrupted", {"lt", "here"})])
def test_3_12_a_leader_reaches_as_far_as_his_own_morale_goes(state: str, found: set[str]):
    game = draw(
        lt=leader("german", "C3", state=state),
        here=german("ger-inf", "C3"),
        near=german("ger-inf", "C4"),
        far=german("ger-inf", "C5"),
        **FOE,
    )
    play(game, ActivateLeader("lt"))
    assert reached(game) == found


@rule("5.44")
def test_5_44_a_demoralized_leader_activates_nobody():
    game = draw(lt=leader("german", "C3", state="demoralized"), inf=german("ger-inf", "C3"), **FOE)
    assert refused(game, ActivateLeader("lt")) == "5.44"
    begun(game, ActivateStack("C3"), Designate("lt", "recover"), DesignateAll("move"))
    assert active(game).led == set()


@rule("3.12", "6.2")
def test_6_2_a_leader_who_has_acted_activates_nobody_and_a_unit_is_no_leader():
    game = draw(lt=leader("german", "C3", marked=True), inf=german("ger-inf", "C3"), **FOE)
    assert refused(game, ActivateLeader("lt")) == "3.13.c"
    assert refused(game, ActivateLeader("inf")) == "3.12"
    begun(game, ActivateStack("C3"), DesignateAll("move"))
    assert active(game).led == set()


@rule("3.12.a")
def test_3_12_a_alone_or_in_a_stack_he_reaches_the_same():
    def position() -> Game[Position]:
        return draw(lt=leader("german", "C3"), near=german("ger-inf", "C4"), **FOE)

    alone, stack = position(), position()
    play(alone, ActivateLeader("lt"))
    play(stack, ActivateStack("C3"))
    assert reached(alone) == reached(stack) == {"lt", "near"}


@rule("3.12.b")
def test_3_12_b_who_is_active_is_fixed_before_anybody_moves():
    game = draw(lt=leader("german", "C3"), far=german("ger-inf", "C5"), **FOE)
    play(game, ActivateLeader("lt"), DesignateAll("move"))
    begun(game)
    play(game, Move("lt", "C4"))
    assert active(game).role("far") is None


@rule("3.12.c")
def test_3_12_c_branches_of_one_army_take_orders_from_each_others_leaders():
    game = draw(
        lt=leader("soviet", "C3"), guards=soviet("sov-guards", "C4"), foe=german("ger-inf", "P9"), side="soviet"
    )
    play(game, ActivateLeader("lt"))
    assert reached(game) == {"lt", "guards"}


def allies(leader_of: str, **units: str) -> Game[Position]:
    """A German lieutenant or one of another country in C3, and infantry of the countries named beside him."""
    rifles = {name: german("ger-inf", "C4", country=country) for name, country in units.items()}
    return draw(lt=leader("german", "C3", country=leader_of), **rifles, **FOE)


@rule("3.12.c")
@pytest.mark.parametrize(("country", "reaches"), [("german", {"lt", "own"}), ("romanian", {"lt", "ally"})])
def test_3_12_c_the_countrys_military_and_no_other(country: str, reaches: set[str]):
    game = allies(country, own="german", ally="romanian")
    play(game, ActivateLeader("lt"))
    assert reached(game) == reaches


@rule("3.12.c", "3.2")
@pytest.mark.parametrize(("country", "reaches"), [("german", {"cpt", "lt", "inf"}), ("romanian", {"cpt"})])
def test_3_12_c_a_captain_activates_lieutenants_of_his_own_country(country: str, reaches: set[str]):
    game = draw(
        cpt=leader("german", "C3", "CPT", country="german"),
        lt=leader("german", "C4", country=country),
        inf=german("ger-inf", "C5", country=country),
        **FOE,
    )
    play(game, ActivateLeader("cpt"))
    assert reached(game) == reaches


@rule("3.12.c", "16.51")
def test_3_12_c_units_waiting_to_enter_obey_leaders_of_their_own_country():
    waiting = {name: german("ger-inf", entry=["A3"], country=name) for name in ("german", "romanian")}
    game = draw(lt=leader("german", entry=["A3"], country="romanian"), **waiting, **FOE)
    play(game, ActivateLeader("lt"))
    assert reached(game) == {"lt", "romanian"}


@rule("3.12.c", "6.8")
@pytest.mark.parametrize(("country", "reaches"), [("german", {"led", "other"}), ("romanian", {"led"})])
def test_3_12_c_a_tank_leader_directs_tanks_of_his_own_country(country: str, reaches: set[str]):
    game = draw(
        led=german("ger-pz3", "C3", tank_leader=True, country="german"),
        other=german("ger-pz3", "C4", country=country),
        **FOE,
    )
    play(game, ActivateLeader("led"))
    assert reached(game) == reaches


@rule("3.12.d")
def test_3_12_d_nobody_has_to_be_activated():
    game = draw(lt=leader("german", "C3"), inf=german("ger-inf", "C3"), **FOE)
    assert refused_begin(game) == "procedure"
    play(game, ActivateLeader("lt"))
    assert refused_begin(game) == "3.13"
    play(game, Designate("inf", "move"), Begin())
    assert active(game).roles == {"lt": "direct", "inf": "move"}  # the leader directs, and that is all he does
    play(game, EndSegment())
    assert unit(game, "lt").marked


def refused_begin(game: Game[Position]) -> str:
    """The reason against a beginning."""
    return refused(game, Begin())


# --- 3.13 ---


@rule("3.13")
def test_3_13_everybody_is_designated_before_the_first_acts():
    game = draw(one=german("ger-inf", "C3"), two=german("ger-inf", "C3"), foe=soviet("sov-inf", "C5"))
    play(game, ActivateStack("C3"), Designate("one", "move"), Designate("two", "fire"), Begin())
    assert refused(game, Designate("one", "fire"))
    assert refused(game, Move("two", "C2")) == "3.13"
    play(game, Move("one", "C2"))
    assert active(game).role("two") == "fire"


@rule("3.13.a", "5.62")
def test_3_13_a_all_others_are_to_move_but_guns_that_go_nowhere_are_not():
    pieces = {"inf": german("ger-inf", "C3"), "gun": german("ger-at-37", "C3")}
    game = draw(**pieces, foe=soviet("sov-inf", "P9"))
    play(game, ActivateStack("C3"))
    assert DesignateMovers() in offered(game, DesignateMovers)
    assert offered(game, DesignateAll) == {DesignateAll("fire")}
    play(game, DesignateMovers())
    # The gun still has its own choice: to fire, or to limber.
    assert offered(game, Designate) == {Designate("gun", "move"), Designate("gun", "fire")}
    assert offered(game, DesignateMovers) == set()
    assert refused(game, DesignateMovers()) == "3.13"


@rule("3.13.a", "5.6")
def test_3_13_a_a_gun_beside_its_transport_moves_with_the_others():
    pieces = {"truck": german("ger-truck", "C3"), "gun": german("ger-at-37", "C3")}
    game = draw(**pieces, foe=soviet("sov-inf", "P9"))
    play(game, ActivateStack("C3"), DesignateAll("move"))
    assert offered(game, Designate) == set()


def designated(role: Role) -> Game[Position]:
    """A stack designated to move or to fire, next to enemies; who can be said to do neither is not in it."""
    game = draw(
        lt=leader("german", "C3"),
        inf=german("ger-inf", "C3", state="disrupted"),
        gun=german("ger-at-50", "C3"),
        mortar=german("ger-mortar-81", "C3"),
        tank=soviet("sov-t34", "C4"),
        foe=soviet("sov-inf", "C5"),
    )
    play(game, ActivateLeader("lt"), DesignateAll(role), Begin())
    return game


@rule("3.13.a")
@pytest.mark.parametrize(
    "action",
    [Move("mortar", "C2"), DigIn("mortar"), Limber("gun"), Recover("inf")],
    ids=lambda action: type(action).__name__,
)
def test_3_13_a_movement_is_moving_digging_in_limbering_and_trying_to_recover(action: Action):
    assert allowed(designated("move"), action)
    assert refused(designated("fire"), action) == "3.13"


@rule("3.13.a", "5.12.c", "5.62")
@pytest.mark.parametrize(
    ("values", "words"),
    [
        (german("ger-at-50", "C3"), "limber or dig in"),
        (german("ger-at-37", "C3"), "limber or dig in"),
        (german("ger-at-50", "C3", limbered=True), "unlimber or dig in"),
        (german("ger-at-37", "C3", limbered=True), "move"),  # 1 on its limbered side
        (german("ger-strongpoint", "C3"), "dig in"),
        (german("ger-inf", "C3"), "move"),
    ],
)
def test_3_13_a_a_unit_without_a_movement_allowance_is_not_told_to_move(values: Table, words: str):
    game = draw(unit=values, **FOE)
    assert label(game.state, Activate("unit", "move")) == f"Activate unit in 1-C3 to {words}"
    play(game, Activate("unit", "move"))
    assert f"(1 to {words})" in game.prompt("german")


@rule("5.12.c")
def test_5_12_c_a_towed_gun_does_not_move_by_itself():
    game = draw(gun=german("ger-at-50", "C3"), **FOE)
    play(game, Activate("gun", "move"))
    assert not offered(game, Move)
    assert refused(game, Move("gun", "C4")) == "5.12.c"


@rule("3.13", "14.42")
@pytest.mark.parametrize("state", ["good order", "demoralized"])
def test_3_13_the_end_of_the_segment_is_told_only_where_it_is_offered(state: str):
    """A demoralized unit has to try to recover before the segment ends."""
    game = draw(inf=german("ger-inf", "C3", state=state), **FOE)
    play(game, Activate("inf", "move" if state == "good order" else "recover"))
    may_end = state == "good order"
    assert bool(offered(game, EndSegment)) == may_end
    assert ("or end the segment" in game.prompt("german")) == may_end


@rule("3.13.b")
@pytest.mark.parametrize(
    "action",
    [FireDirect("inf", "C5"), Bombard("mortar", "C5"), FireAntiTank("gun", "tank"), EnterAssault("mortar", "C4")],
    ids=lambda action: type(action).__name__,
)
def test_3_13_b_fire_is_direct_fire_bombardment_anti_tank_fire_and_assault(action: Action):
    assert allowed(designated("fire"), action)
    assert refused(designated("move"), action) == "3.13"


@rule("3.13", "7.31", "5.67", "14.3")
@pytest.mark.parametrize(
    ("values", "role", "number"),
    [
        ({"unit": "ger-truck"}, "fire", "7.31"),
        ({"unit": "ger-inf", "state": "demoralized"}, "move", "14.3"),
        ({"unit": "ger-inf", "state": "demoralized"}, "fire", "14.3"),
        ({"unit": "ger-inf"}, "recover", "14.4"),
        ({"unit": "ger-inf"}, "direct", "3.12"),
    ],
)
def test_3_13_nobody_is_designated_for_what_he_cannot_do(values: dict[str, str], role: str, number: str):
    game = draw(it=german(values.pop("unit"), "C3", **values), **FOE)
    assert refused(game, Activate("it", role)) == number  # type: ignore[arg-type]


@rule("5.67")
def test_5_67_who_is_carried_does_not_fire():
    game = draw(spw=german("ger-spw251", "C3"), inf=german("ger-inf", "C3", carrier="spw"), **FOE)
    assert refused(game, Activate("inf", "fire")) == "5.67"


# --- 3.2 ---


@rule("3.2", "3.2.a", "3.2.c")
def test_3_2_a_the_books_chain_from_a_MAJ_through_a_LT_to_a_SGT():
    game = draw(
        maj=leader("german", "C3", "MAJ"),
        lt=leader("german", "C4", "LT"),
        sgt=leader("german", "C5", "SGT"),
        inf=german("ger-inf", "C6"),
        beyond=german("ger-inf", "C7"),
        **FOE,
    )
    play(game, ActivateLeader("maj"))
    assert reached(game) == {"maj", "lt", "sgt", "inf"}
    play(game, Designate("inf", "move"), Begin())
    assert active(game).roles == {"maj": "direct", "lt": "direct", "sgt": "direct", "inf": "move"}
    assert "inf" in active(game).led


@rule("3.2")
@pytest.mark.parametrize(("rank", "found"), [("SGT", True), ("LT", False), ("CPT", False)])
def test_3_2_only_lower_ranks_are_activated(rank: str, found: bool):
    game = draw(lt=leader("german", "C3", "LT"), other=leader("german", "C4", rank), **FOE)
    play(game, ActivateLeader("lt"))
    assert ("other" in reached(game)) is found


@rule("3.2.b", "3.31", "3.3")
def test_3_2_b_a_tank_leader_reaches_tanks_around_him_and_no_farther():
    game = draw(
        one=german("ger-pz3", "C3", tank_leader=True),
        two=german("ger-pz3", "C4", tank_leader=True),
        three=german("ger-pz3", "C5"),
        lt=leader("german", "C4"),
        inf=german("ger-inf", "C4"),
        **FOE,
    )
    play(game, ActivateLeader("one"))
    assert reached(game) == {"one", "two"}


@rule("3.31.A1")
def test_3_31_A1_self_propelled_guns_obey_regular_leaders_alone():
    game = draw(
        tank=german("ger-pz3", "C3", tank_leader=True),
        gun=german("ger-wespe", "C4", tank_leader=False),
        lt=leader("german", "C5"),
        **FOE,
    )
    play(game, ActivateLeader("tank"))
    assert reached(game) == {"tank"}
    game = draw(gun=german("ger-wespe", "C4", tank_leader=False), lt=leader("german", "C5"), **FOE)
    play(game, ActivateLeader("lt"))
    assert reached(game) == {"lt", "gun"}


@rule("3.32", "3.33")
def test_3_32_regular_leaders_do_not_direct_tanks_but_APCs():
    game = draw(lt=leader("german", "C3"), tank=german("ger-pz3", "C3"), spw=german("ger-spw251", "C4"), **FOE)
    play(game, ActivateLeader("lt"))
    assert reached(game) == {"lt", "spw"}


@rule("3.33", "6.81")
def test_3_33_tank_leaders_direct_APCs_too():
    game = draw(tank=german("ger-pz3", "C3", tank_leader=True), spw=german("ger-spw251", "C4"), **FOE)
    begun(game, ActivateLeader("tank"), DesignateAll("move"))
    assert active(game).led == {"tank", "spw"}


@rule("3.32", "6.83", "6.83.A1")
def test_6_83_in_a_stack_both_kinds_of_leader_are_activated_together():
    game = draw(
        lt=leader("german", "C3", "SGT"),
        tank=german("ger-pz3", "C3", tank_leader=True),
        cpl=leader("german", "C4", "CPL"),
        inf=german("ger-inf", "C4"),
        other=german("ger-pz3", "C2"),
        beyond=german("ger-inf", "C5"),
        **FOE,
    )
    play(game, ActivateStack("C3"))
    assert reached(game) == {"lt", "tank", "cpl", "inf", "other", "beyond"}
    begun(game, DesignateAll("move"))
    assert active(game).led == {"lt", "tank", "cpl", "inf", "other", "beyond"}


# --- 6.8 ---


@rule("6.8")
def test_6_8_who_directs_others_shows_that_he_has_a_leader_who_acts_alone_does_not():
    game = draw(
        one=soviet("sov-t34", "C3", tank_leader=True),
        two=soviet("sov-t34", "C4", tank_leader=False),
        foe=german("ger-inf", "P9"),
        side="soviet",
    )
    begun(game, ActivateLeader("one"), Designate("two", "move"))
    assert unit(game, "one").disclosed
    game = draw(one=soviet("sov-t34", "C3", tank_leader=True), foe=german("ger-inf", "P9"), side="soviet")
    play(game, Activate("one", "move"))
    assert not unit(game, "one").disclosed


@rule("6.8")
def test_6_8_the_enemy_does_not_see_who_reaches_whom_while_it_is_designated():
    game = draw(
        one=soviet("sov-t34", "C3", tank_leader=True),
        two=soviet("sov-t34", "C4", tank_leader=False),
        foe=german("ger-inf", "P9"),
        side="soviet",
    )
    play(game, ActivateLeader("one"))
    frame = game.stack[-1]
    assert "one" in str(frame.seen_by("soviet"))
    assert "one" not in str(frame.seen_by("german"))


@rule("6.84", "15.2")
@pytest.mark.parametrize(("kind", "others"), [("ger-sk222", {"car"}), ("sov-train", set())])
def test_6_84_a_force_all_of_whose_afvs_have_tank_leaders_has_armored_car_leaders_in_its_cars(
    kind: str, others: set[str]
):
    """A German armored car leads armored cars and no tanks; trains lead nobody, whatever else is in their hex."""
    game = draw(
        one=german(kind, "C3", tank_leader=True),
        car=german("ger-sk222", "C3"),
        tank=german("ger-pz3", "C3"),
        track=german("ger-spw251", "C3"),
        **FOE,
    )
    found = group(game.state, [unit(game, "one")])
    assert set(found) - {"one"} == others


@rule("6.8", "6.84")
@pytest.mark.parametrize(
    ("kind", "takes"), [("ger-pz3", True), ("ger-stug", True), ("ger-spw251", False), ("ger-sk222", False)]
)
def test_6_8_tank_leaders_ride_in_afvs_but_not_in_apcs_nor_in_armored_cars(kind: str, takes: bool):
    made = draw(one=german(kind, "C3"), **FOE).state.setting
    assert has_tank_leader(made, "german", made.charts.kinds[kind]) is takes


@rule("6.8")
@pytest.mark.parametrize(
    ("leaders", "takes"), [({"LT": 1}, {"ger-pz3", "rom-r35"}), ({"LT": 1, "romanian LT": 1}, {"ger-pz3"})]
)
def test_6_8_an_allys_tanks_have_leaders_by_their_own_nation(leaders: dict[str, int], takes: set[str]):
    """All German AFVs have them; Romanian ones only as many as the scenario says, unless Germans drive them."""
    game = draw(special={"sides": {"german": {"leaders": leaders}}}, one=german("rom-r35", "C3"), **FOE)
    made = game.state.setting
    kinds = [made.charts.kinds[name] for name in ("ger-pz3", "rom-r35")]
    assert {kind.id for kind in kinds if has_tank_leader(made, "german", kind)} == takes


@rule("6.84")
def test_6_84_armored_cars_lead_armored_cars():
    game = draw(car=german("ger-sk222", "C3"), other=german("ger-sk222", "C4"), tank=german("ger-pz3", "C4"), **FOE)
    play(game, ActivateLeader("car"))
    assert reached(game) == {"car", "other"}


# --- 12.5 ---


@rule("12.5", "12.3.c")
def test_12_5_leaders_in_an_assault_hex_call_others_in_and_those_outside_reach_nobody_in_it():
    def position() -> Game[Position]:
        return draw(
            inside=leader("german", "C3"),
            fighter=german("ger-inf", "C3"),
            foe=soviet("sov-inf", "C3"),
            near=german("ger-inf", "C4"),
            outside=leader("german", "C4", "CPT"),
        )

    game = position()
    play(game, ActivateLeader("inside"))
    assert refused(game, Designate("near", "move")) == "12.5"
    assert Designate("near", "fire") in offered(game, Designate)
    game = position()
    play(game, ActivateLeader("outside"))
    assert reached(game) == {"outside", "near"}
