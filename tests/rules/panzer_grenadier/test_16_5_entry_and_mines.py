"""Entering and leaving the map [16.5], minefields [16.7]. Tests are named after rules, in the book's order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from core import contract
from edits import edited
from opfire.core.dice import scripted
from opfire.core.errors import BadInput
from opfire.core.game import Game
from opfire.core.match import Match
from opfire.rulesets.panzer_grenadier import RULESET
from opfire.rulesets.panzer_grenadier.actions import EndSegment, Pass
from opfire.rulesets.panzer_grenadier.assault.assaulting import DeclareAssault
from opfire.rulesets.panzer_grenadier.command.activation import (
    Activate,
    ActivateLeader,
    ActivateStack,
    Begin,
    DesignateAll,
)
from opfire.rulesets.panzer_grenadier.fire.reaction import ShootAntiTank
from opfire.rulesets.panzer_grenadier.morale import harm
from opfire.rulesets.panzer_grenadier.movement import entering, going, moving
from opfire.rulesets.panzer_grenadier.movement.moving import EnterMap, ExitMap, GoAlong, Move, Stop
from opfire.rulesets.panzer_grenadier.movement.transport import Load, Unload
from opfire.rulesets.panzer_grenadier.pieces import Position
from opfire.rulesets.panzer_grenadier.setup.setting_up import DrawPieces
from opfire.rulesets.panzer_grenadier.works import minefields
from opfire.rulesets.panzer_grenadier.works.minefields import LiftMines, MineLifting
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
)
from rules.panzer_grenadier.test_05_7_rivers import ford
from space.drawing import text


def where(game: Game[Position], name: str) -> str:
    return str(unit(game, name).hex).removeprefix("1-")


def reserve(kind: str, *entry: str, **values: Any) -> dict[str, Any]:
    """A German reinforcement for these hexes."""
    return german(kind, entry=list(entry or ("A3", "A4")), **values)


def group(game: Game[Position], name: str = "lt", role: str = "move") -> Game[Position]:
    """The game with a leader and all whom he reaches active."""
    play(game, ActivateLeader(name), DesignateAll(role), Begin())  # type: ignore[arg-type]
    return game


# --- entering [16.51] -------------------------------------------------------------------------------------------


@rule("16.51")
def test_16_51_a_reinforcement_is_activated_beside_the_map_and_pays_for_its_first_hex():
    game = draw(a=reserve("ger-inf"), b=german("ger-inf", "P10"))
    play(game, Activate("a", "move"), EnterMap("a", "1-A3"))
    assert where(game, "a") == "A3"
    play(game, Move("a", "B3"), Move("a", "C4"))
    assert unit(game, "a").marked  # three points for three hexes


@rule("16.51")
def test_16_51_only_where_and_when_it_is_due():
    game = draw(a=reserve("ger-inf"), b=reserve("ger-inf", arrives=2))
    assert refused(game, Activate("b", "move")) == "procedure"
    play(game, Activate("a", "move"))
    assert refused(game, EnterMap("a", "1-C3")) == "16.51"
    assert offered(game, EnterMap) == {EnterMap("a", "1-A3"), EnterMap("a", "1-A4")}


@rule("16.51")
def test_16_51_grouped_around_their_leader_they_are_activated_with_him():
    game = group(
        draw(
            a=reserve("ger-inf"),
            b=reserve("ger-inf"),
            lt=reserve("leader", rank="LT", leads=8),
            c=reserve("ger-inf", "P3"),
        )
    )
    assert game.state.activation is not None
    assert set(game.state.activation.led) == {"a", "b", "lt"}


@rule("16.51", "14.42")
def test_16_51_who_loses_heart_and_falls_on_the_way_in_has_nothing_left_to_recover_from():
    tank, guns = reserve("ger-pz4h", tank_leader=True), ("A6", "B6")
    game = draw(a=tank, b=reserve("ger-pz4h"), **{f"gun{n}": soviet("sov-at-57", hex) for n, hex in enumerate(guns)})
    play(game, ActivateLeader("a"), DesignateAll("move"), Begin(), EnterMap("a", "1-A4"))
    play(game, ShootAntiTank("gun0", "a"), dice=[4, 4, 6, 6])  # a step, and a check failed by far
    assert unit(game, "a").demoralized
    play(game, ShootAntiTank("gun1", "a"), dice=[6, 6])
    assert unit(game, "a").status == "eliminated"
    assert allowed(game, EndSegment())
    assert allowed(game, EnterMap("b", "1-A3"))
    assert "1 to move" in game.prompt("german")
    play(game, EndSegment())
    assert game.state.activation is None


RELIEF = f"""
id = "relief"
ruleset = "panzer-grenadier"
title = "Relief"
turns = 3
first = "german"
map = '''
{text(CLEAR)}
'''
[sides.german]
name = "German"
nation = "german"
[[sides.german.units]]
unit = "ger-inf"
at = ["1-P10"]
[[sides.german.reinforcements]]
turn = 1
entry = ["1-A3", "1-P1"]
units = {{ ger-gren = 2, CPT = 1, LT = 1 }}
[[sides.german.reinforcements]]
turn = 2
entry = ["1-A5"]
units = {{ SGT = 1 }}
[sides.soviet]
name = "Soviet"
nation = "soviet"
[[sides.soviet.units]]
unit = "sov-hmg"
at = ["1-A5"]
[special]
year = 1943
[special.sides.german]
initiative = 8
[special.sides.soviet]
initiative = 0
"""


def relief(scenario: str = RELIEF) -> Game[Position]:
    """The leaders have been drawn, the first German segment of the game has come."""
    match = Match.start(scenario, nonces={"german": "a", "soviet": "b"}, key=bytes(32))
    match.play("german", DrawPieces())
    return match.game


@rule("16.51", "6.1")
def test_16_51_leaders_arrive_with_their_units_and_are_drawn_like_the_others():
    game = relief()
    officers = [one for one in game.state.pick(game.state.setting.ids["german"]) if one.leader]
    assert [(one.officer.title, one.status) for one in officers if one.officer] == [
        ("CPT", "reserve"),
        ("LT", "reserve"),
        ("SGT", "reserve"),
    ]
    faces = {f"{row.rank} {row.name}" for row in game.state.charts.pieces.values() if row.nation == "german"}
    assert {one.name for one in officers} <= faces
    assert refused(game, ActivateLeader("german-leader-3")) == "procedure"  # he comes a turn later
    shown = game.view("soviet")["reinforcements"]
    assert [(row["turn"], len(row["units"])) for row in shown] == [(1, 4), (2, 1)]


@rule("16.51", "5.4", "3.2")
def test_16_51_units_grouped_around_their_leader_may_enter_under_the_enemys_guns():
    """Two hexes from machine guns no unit comes in by itself; the captain brings platoons and lieutenant."""
    game = relief()
    play(game, Activate("german-2", "move"))
    assert refused(game, EnterMap("german-2", "1-A3")) == "5.4"
    game = group(relief(), "german-leader-1")
    assert game.state.activation is not None
    names = {"german-2", "german-3", "german-leader-1", "german-leader-2"}
    assert set(game.state.activation.led) == names
    for name in sorted(names):
        play(game, EnterMap(name, "1-A3"))
        while game.asked() == ("soviet",):
            play(game, Pass())
        if Stop(name) in game.choices("german"):
            play(game, Stop(name))
    assert all(where(game, name) == "A3" for name in names)


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
def test_the_kernel_holds_with_leaders_who_come_later(check: Callable[[contract.Case, int], None]):
    check(contract.Case(RULESET, RELIEF, most=20000, every=17), 3)


@rule("G.control")
def test_G_control_where_everything_has_its_place_the_nearer_side_holds_a_hex_too():
    """Nobody sets anything up: P10 is German, A5 Soviet; what lies between belongs to whom it is nearer."""
    objectives = "".join(
        f'''
[[victory]]
side = "german"
condition = "control"
hexes = ["{hex}"]
'''
        for hex in ("1-O9", "1-B5")
    )
    control = relief(RELIEF + objectives).state.control
    assert (control["1-O9"], control["1-B5"]) == ("german", "soviet")


@rule("16.51")
def test_16_51_an_ally_sends_leaders_of_his_own():
    game = relief(edited(RELIEF, "LT = 1 }", '"romanian LT" = 1 }'))
    assert unit(game, "german-leader-2").country == "romanian"
    assert unit(game, "german-leader-1").country == "german"


@rule("16.51")
def test_16_51_a_rank_that_is_none_is_told():
    with pytest.raises(BadInput, match="there is no unit 'GEN'"):
        relief(edited(RELIEF, "CPT = 1", "GEN = 1"))
    with pytest.raises(BadInput, match="nation 'swiss'"):
        relief(edited(RELIEF, "CPT = 1", '"swiss CPT" = 1'))


@rule("16.51")
@rule("4.5")
def test_16_51_stacking_holds_for_those_who_enter():
    three = {name: german("ger-inf", "A3") for name in "abc"}
    game = draw(d=reserve("ger-inf"), **three)
    play(game, Activate("d", "move"))
    assert refused(game, EnterMap("d", "1-A3")) == "4.5"


@rule("16.51")
@rule("5.63")
def test_16_51_guns_are_set_up_loaded():
    game = group(draw(t=reserve("ger-truck"), gun=reserve("ger-105"), lt=reserve("leader", rank="LT", leads=8)))
    assert refused(game, EnterMap("gun", "1-A3")) in ("5.1", "5.12.c")
    play(game, Load("t", "gun"), EnterMap("t", "1-A3"))
    assert where(game, "gun") == "A3"
    assert unit(game, "gun").limbered


@rule("16.51")
def test_16_51_who_does_not_enter_in_its_segment_waits_for_the_next_turn():
    game = draw(a=reserve("ger-inf"), x=soviet("sov-inf", "P10"))
    play(game, Activate("a", "move"), EndSegment())
    play(game, Activate("x", "move"), EndSegment())
    assert refused(game, Activate("a", "move")) == "3.13.c"


@rule("16.51")
@rule("13.3")
def test_16_51_the_first_hex_draws_fire():
    game = group(draw(a=reserve("ger-inf"), lt=reserve("leader", rank="LT", leads=8), x=soviet("sov-inf", "A5")))
    play(game, EnterMap("a", "1-A3"))
    assert game.asked() == ("soviet",)


@rule("5.4")
@rule("16.51")
def test_16_51_without_a_leader_nobody_enters_where_the_enemy_could_hurt_him():
    """A unit coming onto the map comes closer to all units on it: RULINGS.md P91."""
    own = {"a": reserve("ger-inf", "A3", "A10"), "b": german("ger-inf", "P10")}
    game = draw(**own, x=soviet("sov-inf", "A5"))
    play(game, Activate("a", "move"))
    assert refused(game, EnterMap("a", "1-A3")) == "5.4"
    assert allowed(game, EnterMap("a", "1-A10"))


@rule("5.5")
@rule("16.51")
def test_16_51_by_night_one_enters_without_a_leader_what_the_enemy_does_not_control():
    own = {"a": reserve("ger-inf", "A3", "A10"), "b": german("ger-inf", "P10")}
    game = draw(
        **own, x=soviet("sov-inf", "P1"), markers=[marker("control", "A3", side="soviet")], special={"night": [1]}
    )
    play(game, Activate("a", "move"))
    assert refused(game, EnterMap("a", "1-A3")) == "5.5"
    assert allowed(game, EnterMap("a", "1-A10"))


@rule("16.51")
@rule("5.0.a")
def test_16_51_a_leader_enters_with_a_unit_that_he_leads():
    own = {"a": reserve("ger-inf"), "lt": reserve("leader", rank="LT", leads=8), "b": reserve("ger-inf")}
    game = group(draw(**own, x=soviet("sov-inf", "P1")))
    play(game, GoAlong("a", "lt"))
    assert refused(game, Move("a", "A3")) == "16.51"
    assert refused(game, Stop("a")) == "16.51"
    assert refused(game, EnterMap("b", "1-A3")) == "5.0"
    play(game, EnterMap("a", "1-A3"), Move("a", "B3"), Stop("a"))
    assert where(game, "a") == where(game, "lt") == "B3"
    assert unit(game, "lt").marked
    play(game, EnterMap("b", "1-A4"))
    assert where(game, "b") == "A4"


@rule("16.52")
@rule("12.11.A1")
def test_16_52_with_a_fire_activation_they_assault_at_once():
    own = {"a": reserve("ger-inf"), "lt": reserve("leader", rank="LT", leads=8)}
    game = group(draw(**own, x=soviet("sov-inf", "A3")), role="fire")
    assert refused(game, EnterMap("a", "1-A4")) == "16.52"
    play(game, EnterMap("a", "1-A3"))
    assert game.state.assault_hex("1-A3")
    game = group(draw(**own, x=soviet("sov-inf", "A3")))
    assert refused(game, EnterMap("a", "1-A3")) == "5.3"


@rule("16.52", "12.1")
def test_16_52_the_leader_goes_in_with_the_units_he_brings_not_before_them():
    own = {"a": reserve("ger-inf"), "lt": reserve("leader", rank="LT", leads=8)}
    game = group(draw(**own, x=soviet("sov-inf", "A3")), role="fire")
    assert refused(game, EnterMap("lt", "1-A3")) == "12.1"
    play(game, EnterMap("a", "1-A3"), EnterMap("lt", "1-A3"))
    events = play(game, DeclareAssault("A3"), dice=[6, 6])
    (attack,) = [found for found in calculations(events) if found.rule == "12.4.a"]
    assert ("shift", "6.43", 1) in lines(attack)


@rule("16.52")
@rule("12.1")
def test_16_52_not_without_a_leader():
    game = draw(a=reserve("ger-inf"), b=german("ger-inf", "P10"), x=soviet("sov-inf", "A3"))
    play(game, Activate("a", "fire"))
    assert offered(game, EnterMap) == set()


@rule("16.54")
def test_16_54_when_the_enemy_holds_all_entry_hexes_one_enters_beside_them_a_turn_later():
    foes = {"x": soviet("sov-inf", "A3"), "y": soviet("sov-inf", "A4")}
    own = {"a": reserve("ger-inf"), "t": reserve("ger-truck"), "lt": reserve("leader", rank="LT", leads=8)}
    game = group(draw(**own, **foes))
    assert refused(game, EnterMap("a", "1-A5")) == "16.54"
    game = group(draw(**own, **foes, turn=2))
    assert allowed(game, EnterMap("a", "1-A5"))
    assert refused(game, EnterMap("a", "1-A7")) == "16.51"
    assert game.state.map.adjacent("1-A4", "1-B4")
    assert refused(game, EnterMap("a", "1-B4")) == "16.51"  # next to them, but not on the edge: RULINGS.md P92


# --- leaving [16.53] --------------------------------------------------------------------------------------------


def with_exits(game: Game[Position], *hexes: str) -> Game[Position]:
    game.state.setting.exits["german"] = frozenset(hexes)
    return game


@rule("16.53")
def test_16_53_nobody_leaves_where_the_scenario_does_not_permit_it():
    game = draw(a=german("ger-inf", "A3"), b=german("ger-inf", "A3"))
    play(game, Activate("a", "move"))
    assert refused(game, ExitMap("a")) == "16.53"


@rule("16.53")
def test_16_53_who_leaves_is_out_of_play_and_not_destroyed():
    game = with_exits(
        draw(t=german("ger-truck", "A4"), a=german("ger-inf", carrier="t"), b=german("ger-inf", "P10")), "1-A3"
    )
    play(game, Activate("t", "move"), Move("t", "A3"))
    play(game, ExitMap("t"))
    assert unit(game, "t").status == unit(game, "a").status == "exited"
    assert set(game.state.exits) == {"t", "a"}
    assert game.state.armies["german"].losses == 0


@rule("16.53")
@rule("5.11")
def test_16_53_it_takes_a_movement_point():
    game = with_exits(draw(a=german("ger-inf", "A4", movement=1), b=german("ger-inf", "P10")), "1-A3")
    play(game, Activate("a", "move"), Move("a", "A3"))
    assert unit(game, "a").marked
    assert where(game, "a") == "A3"


@rule("16.51", "16.3")
@pytest.mark.parametrize(("wrecks", "price"), [(0, 1), (1, 3), (2, 11)])
def test_16_3_wrecks_cost_those_who_come_in_by_road_as_well(wrecks: int, price: int):
    road = {"roads": ["^ A1 A2 A3"]}
    game = draw(fields=road, tank=reserve("ger-pz4f", "A1"), markers=[marker("wreck", "A1")] * wrecks)
    assert entering.entry_cost(game.state, unit(game, "tank"), "1-A1") == price  # half points


@rule("16.51", "5.21")
def test_5_21_who_comes_into_a_town_by_road_pays_for_the_town_alone():
    game = draw("ts\n.\n.", fields={"roads": ["^ A1 A2 A3"]}, t=reserve("ger-truck", "A1"))
    assert entering.entry_cost(game.state, unit(game, "t"), "1-A1") == 4  # half points


# --- minefields [16.71 to 16.73] --------------------------------------------------------------------------------


def mined(strength: int, *more: int, **units: Any) -> Game[Position]:
    """Soviet mines in C4; the Germans' stack in C3 is active to move."""
    fields = [marker("mines", "C4", side="soviet", value=str(number)) for number in (strength, *more)]
    game = draw(markers=fields, **units)
    play(game, ActivateStack("C3"), DesignateAll("move"), Begin())
    return game


def one(strength: int, *more: int, **values: Any) -> Game[Position]:
    return mined(strength, *more, a=german("ger-inf", "C3", **values), b=german("ger-inf", "C3"))


@rule("16.71")
@pytest.mark.parametrize("die", [1, 2])
def test_16_71_one_and_two_are_no_effect(die: int):
    game = one(1)
    play(game, Move("a", "C4"), dice=[die])
    assert unit(game, "a").good_order
    assert allowed(game, Move("a", "C5"))


@rule("16.71")
@pytest.mark.parametrize("die", [3, 4])
def test_16_71_three_and_four_stop(die: int):
    game = one(1)
    play(game, Move("a", "C4"), dice=[die])
    assert unit(game, "a").good_order
    assert unit(game, "a").marked


@rule("16.71")
def test_16_71_five_demoralizes_and_stops():
    game = one(1)
    play(game, Move("a", "C4"), dice=[5])
    assert (unit(game, "a").demoralized, unit(game, "a").reduced, unit(game, "a").marked) == (True, False, True)


@rule("16.71")
def test_16_71_six_takes_a_step_too():
    game = one(1)
    play(game, Move("a", "C4"), dice=[6])
    assert (unit(game, "a").demoralized, unit(game, "a").reduced, unit(game, "a").marked) == (True, True, True)


@rule("16.71")
def test_16_71_several_fields_add_up_and_are_turned_up():
    game = one(1, 2)
    play(game, Move("a", "C4"), dice=[1, 2, 1])
    assert all(mine.face_up for mine in game.state.work("1-C4").mines)


@rule("16.71")
def test_16_71_a_dummy_is_turned_up_and_does_nothing():
    game = one(0)
    play(game, Move("a", "C4"), dice=[])
    assert game.state.work("1-C4").mines == ()
    assert allowed(game, Move("a", "C5"))


@rule("16.71")
def test_16_71_a_loaded_truck_is_one_unit_and_leaders_are_none():
    game = mined(2, t=german("ger-truck", "C3"), a=german("ger-inf", carrier="t"), lt=leader("german", "C3"))
    play(game, Move("t", "C4"), dice=[1, 1])
    play(game, Stop("t"), Move("lt", "C4"), dice=[])
    assert where(game, "lt") == "C4"


@rule("16.71")
@rule("5.65")
def test_16_71_mines_that_destroy_a_truck_destroy_its_load():
    game = mined(1, t=german("ger-truck", "C3"), a=german("ger-inf", carrier="t"), b=german("ger-inf", "C3"))
    play(game, Move("t", "C4"), dice=[6])
    assert unit(game, "t").status == "eliminated"


@rule("16.72")
def test_16_72_two_sixes_eliminate_a_full_unit():
    game = one(2)
    play(game, Move("a", "C4"), dice=[6, 6])
    assert unit(game, "a").status == "eliminated"


@rule("16.72")
@pytest.mark.parametrize(("dice", "steps"), [([5, 5], 1), ([5, 1], 2), ([5, 5, 5], 1)])
def test_16_72_every_two_fives_cost_a_step(dice: list[int], steps: int):
    game = one(len(dice))
    play(game, Move("a", "C4"), dice=dice)
    assert unit(game, "a").steps == steps
    assert unit(game, "a").demoralized


@rule("16.73")
def test_16_73_engineers_in_the_hex_spare_a_die_and_among_themselves_two():
    game = draw(
        markers=[marker("mines", "C4", side="soviet", value="3")],
        a=german("ger-inf", "C3"),
        e=german("ger-eng", "C3"),
        f=german("ger-eng", "C4"),
    )
    dice_for = minefields.dice_for
    assert dice_for(game.state, "1-C4", [unit(game, "a")]) == 2
    assert dice_for(game.state, "1-C4", [unit(game, "e")]) == 1
    harm.eliminate(game, "f")
    assert dice_for(game.state, "1-C4", [unit(game, "a")]) == 3
    assert dice_for(game.state, "1-C4", [unit(game, "a"), unit(game, "e")]) == 2


@rule("16.73")
def test_16_73_without_a_die_the_field_is_ignored():
    game = mined(2, e=german("ger-eng", "C3"), b=german("ger-inf", "C3"))
    play(game, Move("e", "C4"), dice=[])
    assert allowed(game, Move("e", "C5"))


@rule("16.73")
def test_16_73_the_enemys_engineers_help_nobody():
    game = draw(
        markers=[marker("mines", "C4", side="soviet", value="3")],
        a=german("ger-inf", "C3"),
        x=soviet("sov-eng", "C4"),
    )
    assert minefields.dice_for(game.state, "1-C4", [unit(game, "a")]) == 3


# --- lifting [16.74] --------------------------------------------------------------------------------------------


def end_of_turn(game: Game[Position]) -> Game[Position]:
    """Whole turns of work are counted; then the next turn begins."""
    game.push(MineLifting("german"))
    game.run()
    return game


def next_turn(game: Game[Position]) -> None:
    end_of_turn(game)
    while isinstance(game.stack[-1], MineLifting):
        play(game, *offered(game, LiftMines))
    game.state.turn += 1


def strengths(game: Game[Position]) -> list[int | None]:
    return [mine.strength for mine in game.state.work("1-C4").mines]


@rule("16.74")
def test_16_74_three_whole_turns_lift_a_point():
    """It came in turn 1: turns 2, 3 and 4 are whole ones."""
    game = mined(2, e=german("ger-eng", "C3"), b=german("ger-inf", "C3"))
    play(game, Move("e", "C4"))
    for left in (2, 2, 2, 1):
        next_turn(game)
        assert strengths(game) == [left]


@rule("16.74")
@rule("16.21")
def test_16_74_an_interruption_begins_anew():

    game = draw(markers=[marker("mines", "C4", side="soviet", value="2")], e=german("ger-eng", "C4"))
    for _ in range(2):
        next_turn(game)
    harm.disrupt(game, "e")
    for left in (2, 2, 2, 1):
        next_turn(game)
        assert strengths(game) == [left]


@rule("16.74", "5.67")
def test_16_74_the_turn_in_which_one_gets_off_is_no_whole_one():
    mines = [marker("mines", "C4", side="soviet", value="2")]
    game = draw(markers=mines, t=german("ger-truck", "C4"), e=german("ger-eng", "C4", carrier="t"))
    play(game, ActivateStack("C4"), DesignateAll("move"), Begin(), Unload("e"))
    for left in (2, 2, 2, 1):
        next_turn(game)
        assert strengths(game) == [left]


@rule("16.74")
def test_16_74_two_engineers_lift_two_points_and_a_field_without_any_is_gone():
    game = draw(
        markers=[marker("mines", "C4", side="soviet", value="2")], e=german("ger-eng", "C4"), f=german("ger-eng", "C4")
    )
    for _ in range(3):
        next_turn(game)
    assert strengths(game) == []


@rule("16.74")
def test_16_74_the_owner_of_the_mines_says_which_field():
    fields = [marker("mines", "C4", side="soviet", value=value) for value in ("1", "3")]
    game = draw(markers=fields, e=german("ger-eng", "C4", work=2))
    end_of_turn(game)
    assert game.asked() == ("soviet",)
    assert refused(game, LiftMines(2)) == "16.74"
    play(game, LiftMines(3))
    assert strengths(game) == [1, 2]


@rule("16.74")
def test_16_74_engineers_do_not_lift_their_own_mines_by_staying():
    game = draw(markers=[marker("mines", "C4", side="german", value="2")], e=german("ger-eng", "C4", work=2))
    end_of_turn(game)
    assert strengths(game) == [2]


@rule("16.71", "5.73.f")
def test_16_71_who_goes_back_to_the_bank_behind_an_engineer_meets_the_mines_there():
    mines = [marker("mines", "C2", side="soviet", value="1")]
    game = ford(a=german("ger-inf", "C3", afloat=2, bank="1-C2"), markers=mines)
    play(game, ActivateStack("C3"), DesignateAll("move"), Begin())
    engineer = unit(game, "eng")
    going.go(game, "eng", "1-D2")
    game.dice = scripted([6])
    moving.follow_engineer(game, engineer, "1-C3")
    assert unit(game, "a").reduced
    assert unit(game, "a").demoralized
