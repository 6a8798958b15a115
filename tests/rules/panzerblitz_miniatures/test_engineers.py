"""Engineers [ENG]: clearing mines and blocks, demolition, blocks, laying mines; mine clearing tanks, bridge layers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from core import contract
from opfire.core.actions import Action
from opfire.core.game import Game
from opfire.rulesets.panzerblitz_miniatures import RULESET
from opfire.rulesets.panzerblitz_miniatures.actions import EndPhase
from opfire.rulesets.panzerblitz_miniatures.engineers import (
    Clear,
    CreateBlock,
    Demolish,
    GiveUp,
    LayBridge,
    LayMines,
    cannot_work,
)
from opfire.rulesets.panzerblitz_miniatures.fire import direct
from opfire.rulesets.panzerblitz_miniatures.moving import transport
from opfire.rulesets.panzerblitz_miniatures.moving.marching import Stop
from opfire.rulesets.panzerblitz_miniatures.moving.movement import MovementPhase
from opfire.rulesets.panzerblitz_miniatures.pieces import Position, clearing
from rules.panzerblitz_miniatures.grounds import area, crossing, line, points
from rules.panzerblitz_miniatures.kit import CHARTS, rule
from rules.panzerblitz_miniatures.marches import against, at, go, march, spent

ENGINEER = ("engineer-german", "10,10")
TRUCK = ("truck-german", "8.5,10")
BLOWN, FAILED = 5, 6


def marker(kind: str, place: str) -> str:
    """A work of the scenario."""
    return f'[[markers]]\nkind = "{kind}"\nat = ["{place}"]\n'


def equipped(
    ground: str = "", more: str = "", red: Sequence[tuple[str, str]] = (ENGINEER, TRUCK), **values: Any
) -> Game[Position]:
    """Red's engineers with the truck that carries their equipment, at red's movement phase."""
    return march(red, ground=ground, more=more, doctrine='equipment = "truck-german"\n', **values)


def next_phase(game: Game[Position]) -> None:
    """End red's movement phase, and begin the next one."""
    while game.stack and not isinstance(game.stack[-1], MovementPhase):
        game.play("red", Stop(game.stack[-1].unit))  # type: ignore[attr-defined]
    if game.stack:
        game.play("red", EndPhase())
    state = game.state
    state.turn += 1
    for name in state.units:
        state.change(name, moved=False, fired=False, spent=0, gone=0, handled="")
    game.push(MovementPhase("red"))
    game.run()


def why(game: Game[Position], action: Any) -> str:
    """The rule against a step of a task, or nothing."""
    refusal = cannot_work(game.state, "red", action)
    return refusal.rule if refusal else ""


def do(game: Game[Position], action: Action) -> None:
    """Play an act of red."""
    game.play("red", action)


# --- wrecks [BRI-5]: RULINGS.md R109 ---------------------------------------------------------------------

WRECK = marker("wreck", "12,10")
HULK = "wreck@12,10"
BESIDE_WRECK = (("engineer-german", "10,10"), ("truck-german", "12,11.6"))


@rule("BRI-5", "RBK-1", "SEQ-8")
def test_BRI_5_engineers_remove_a_wreck_in_four_turns_from_beside_it() -> None:
    game = equipped(more=WRECK, red=BESIDE_WRECK)
    do(game, Clear("red-1", HULK))
    next_phase(game)
    assert why(game, Clear("red-1", HULK)) == "CLM-1"
    assert HULK in game.state.works
    next_phase(game)
    assert HULK not in game.state.works
    assert not game.state.jobs


@rule("BRI-5")
def test_BRI_5_engineers_that_leave_a_wreck_give_it_up() -> None:
    game = equipped(more=WRECK, red=BESIDE_WRECK)
    do(game, Clear("red-1", HULK))
    next_phase(game)
    go(game, "red-1", 9, 10)
    do(game, Stop("red-1"))
    assert not game.state.jobs
    next_phase(game)
    assert HULK in game.state.works


@rule("BRI-5", "ENG-4", "ENG-7")
def test_BRI_5_a_wreck_is_cleared_with_the_vehicle_alone() -> None:
    assert why(equipped(more=WRECK, red=(ENGINEER, ("truck-german", "7,10"))), Clear("red-1", HULK)) == "ENG-4"
    game = equipped(more=WRECK, red=BESIDE_WRECK)
    do(game, Clear("red-1", HULK))
    game.state.change("red-2", order="dispersed")
    next_phase(game)
    game.state.change("red-2", order="good order")
    next_phase(game)
    assert HULK in game.state.works
    next_phase(game)
    assert HULK not in game.state.works


# --- clearing mines -----------------------------------------------------------------------------------------

MINES = marker("mines", "12,10")
FIELD = "mines@12,10"


def cleared_up_to_turn_3(**values: Any) -> Game[Position]:
    """The engineers have come onto the inverted minefield."""
    game = equipped(more=MINES, **values)
    do(game, Clear("red-1", FIELD))
    next_phase(game)
    go(game, "red-1", 11.7, 10)
    return game


@rule("CLM-1")
def test_CLM_1_inverted_beside_it_then_entered_then_removed() -> None:
    game = equipped(more=MINES)
    assert not game.state.works[FIELD].inverted
    do(game, Clear("red-1", FIELD))
    assert game.state.works[FIELD].inverted
    assert against(game, "red-1", 11, 10) == "MOV-5"  # the phase is spent
    next_phase(game)
    assert FIELD in game.state.works
    go(game, "red-1", 11.7, 10)  # no dice: the mines do not attack their clearers
    assert at(game, "red-1") == "11.7,10"
    next_phase(game)
    assert FIELD not in game.state.works
    assert against(game, "red-1", 12.5, 10) == ""


@rule("CLM-1")
def test_CLM_1_the_unit_begins_adjacent() -> None:
    game = equipped(more=marker("mines", "12.1,10"))
    assert why(game, Clear("red-1", "mines@12.1,10")) == "CLM-1"
    assert why(equipped(more=MINES), Clear("red-1", FIELD)) == ""


@rule("CLM-2")
def test_CLM_2_dispersal_halts_the_task_at_its_step() -> None:
    game = cleared_up_to_turn_3()
    game.state.change("red-1", order="dispersed")
    next_phase(game)
    assert FIELD in game.state.works
    game.state.change("red-1", order="good order")
    next_phase(game)
    assert FIELD not in game.state.works


@rule("CLM-2")
def test_CLM_2_dispersed_engineers_do_not_begin() -> None:
    assert why(equipped(more=MINES, red_1={"order": "dispersed"}), Clear("red-1", FIELD)) == "GLO-4"


@rule("CLM-3")
def test_CLM_3_an_inverted_minefield_attacks_others() -> None:
    game = equipped(more=MINES, red=(ENGINEER, TRUCK, ("pz-iv-h", "15,10")), dice=(2,))
    do(game, Clear("red-1", FIELD))
    go(game, "red-3", 12, 10)
    assert game.state.units["red-3"].order == "dispersed"  # a D at 2-1


@rule("CLM-4")
def test_CLM_4_other_engineers_begin_anew() -> None:
    game = equipped(more=MINES, red=(ENGINEER, TRUCK, ("engineer-german", "14,10")))
    do(game, Clear("red-1", FIELD))
    game.state.lift("red-1", "eliminated")
    next_phase(game)
    assert not game.state.works[FIELD].inverted
    do(game, Clear("red-3", FIELD))
    assert game.state.works[FIELD].inverted


@rule("CLM-5")
def test_CLM_5_one_minefield_at_a_time() -> None:
    game = equipped(more=MINES + marker("mines", "10,12"))
    do(game, Clear("red-1", FIELD))
    next_phase(game)
    assert why(game, Clear("red-1", "mines@10,12")) == "CLM-5"
    do(game, GiveUp("red-1"))
    assert not game.state.works[FIELD].inverted
    assert why(game, Clear("red-1", "mines@10,12")) == ""


@rule("CLM-5")
def test_CLM_5_no_attack_and_no_loading_meanwhile() -> None:
    game = equipped(more=MINES)
    unit = game.state.units["red-1"]
    assert clearing(game.state, unit) is None
    do(game, Clear("red-1", FIELD))
    refusal = direct.cannot_fire(game.state, "red", unit)
    assert refusal is not None
    assert refusal.rule == "CLM-5"


@rule("CLM-1")
def test_CLM_1_engineers_that_go_away_give_the_task_up() -> None:
    game = equipped(more=MINES)
    do(game, Clear("red-1", FIELD))
    next_phase(game)
    go(game, "red-1", 10, 8)
    assert not game.state.works[FIELD].inverted
    assert not game.state.jobs


# --- the vehicle --------------------------------------------------------------------------------------------

BLOCK = marker("block", "12,10")


@rule("ENG-2", "ENG-3")
def test_ENG_3_the_vehicle_with_the_equipment_carries_its_engineers_alone() -> None:
    game = equipped(red=(ENGINEER, TRUCK, ("rifle-40-german", "8,8")))
    units = game.state.units
    assert units["red-1"].equipment == "red-2"
    assert transport.no_room(game.state, units["red-1"], units["red-2"]) is None
    refusal = transport.no_room(game.state, units["red-3"], units["red-2"])
    assert refusal is not None
    assert refusal.rule == "ENG-3"


@rule("ENG-4")
def test_ENG_4_the_vehicle_is_adjacent_to_the_place_of_a_block() -> None:
    far = equipped(more=BLOCK)
    assert why(far, Clear("red-1", "block@12,10")) == "ENG-4"
    near = equipped(more=BLOCK, red=(ENGINEER, ("truck-german", "12,12")))
    assert why(near, Clear("red-1", "block@12,10")) == ""


@rule("ENG-5", "ENG-6")
def test_ENG_6_without_the_vehicle_engineers_clear_mines_alone() -> None:
    game = equipped(more=MINES + marker("block", "10,12"), red=(ENGINEER, ("truck-german", "8.5,11")))
    assert why(game, Clear("red-1", "block@10,12")) == ""
    game.state.lift("red-2", "eliminated")
    assert why(game, Clear("red-1", "block@10,12")) == "ENG-6"
    assert why(game, Clear("red-1", FIELD)) == ""


@rule("ENG-7")
def test_ENG_7_the_task_waits_for_a_dispersed_vehicle() -> None:
    game = equipped(more=BLOCK, red=(ENGINEER, ("truck-german", "12,12")))
    do(game, Clear("red-1", "block@12,10"))
    next_phase(game)
    go(game, "red-1", 11.7, 10)
    game.state.change("red-2", order="dispersed")
    next_phase(game)
    assert "block@12,10" in game.state.works
    game.state.change("red-2", order="good order")
    next_phase(game)
    assert "block@12,10" not in game.state.works


@rule("RBK-1", "RBK-2")
def test_RBK_1_blocks_are_removed_as_mines_are_cleared() -> None:
    game = equipped(more=BLOCK, red=(("rifle-40-german", "10,8"), ("truck-german", "12,12"), ENGINEER))
    assert game.state.units["red-3"].equipment == "red-2"
    assert why(game, Clear("red-1", "block@12,10")) == "RBK-2"
    do(game, Clear("red-3", "block@12,10"))
    assert game.state.works["block@12,10"].inverted
    next_phase(game)
    go(game, "red-3", 11.8, 10)
    assert "block@12,10" in game.state.works
    next_phase(game)
    assert "block@12,10" not in game.state.works


# --- demolition ---------------------------------------------------------------------------------------------

BRIDGE = line("stream", "10,0 10,30") + line("road", "0,10 40,10") + crossing("bridge", "9,10 11,10")


def charged(turns: int, dice: Sequence[int] = (), **values: Any) -> Game[Position]:
    """Engineers who have spent some turns on the bridge."""
    game = equipped(ground=BRIDGE, dice=dice, red=(ENGINEER, ("truck-german", "8.3,10")), **values)
    for _ in range(turns):
        do(game, Demolish("red-1"))
        next_phase(game)
    return game


def stands(game: Game[Position]) -> bool:
    """Whether the bridge still stands."""
    return not any(work.kind == "fallen bridge" for work in game.state.works.values())


@rule("DEM-1", "DEM-2")
def test_DEM_1_three_turns_on_the_bridge_then_away_and_the_die() -> None:
    game = charged(3, dice=(BLOWN,))
    assert stands(game)
    go(game, "red-1", 12, 10)
    do(game, Stop("red-1"))
    assert not stands(game)
    assert not game.state.jobs


@rule("DEM-1")
def test_DEM_1_two_turns_are_too_few() -> None:
    game = charged(2)
    go(game, "red-1", 12, 10)
    do(game, Stop("red-1"))
    assert stands(game)
    assert not game.state.jobs


@rule("DEM-1", "BRI-9")
def test_DEM_1_vehicles_do_not_cross_where_the_bridge_was() -> None:
    game = charged(3, dice=(BLOWN,))
    game.state.put("red-1", (20000, 20000))
    assert against(game, "red-2", 12.5, 10) == ""
    game.state.put("red-1", (10000, 10000))
    go(game, "red-1", 12, 10)
    do(game, Stop("red-1"))
    game.state.put("red-1", (20000, 20000))
    assert against(game, "red-2", 12.5, 10) == "STR-3"


@rule("DEM-3")
def test_DEM_3_after_a_six_back_onto_the_bridge_for_a_second_try() -> None:
    game = charged(3, dice=(FAILED, BLOWN))
    go(game, "red-1", 11.8, 10)
    do(game, Stop("red-1"))
    assert stands(game)
    next_phase(game)
    go(game, "red-1", 10.5, 10)
    do(game, Stop("red-1"))
    assert stands(game)
    next_phase(game)
    go(game, "red-1", 11.8, 10)
    do(game, Stop("red-1"))
    assert not stands(game)


@rule("DEM-3")
def test_DEM_3_after_two_failures_from_the_beginning() -> None:
    game = charged(3, dice=(FAILED, FAILED))
    for x in (11.8, 10.5, 11.8, 10.5):
        go(game, "red-1", x, 10)
        do(game, Stop("red-1"))
        next_phase(game)
    assert stands(game)
    assert not game.state.jobs


@rule("DEM-4")
def test_DEM_4_dispersal_interrupts_until_the_unit_is_ready_again() -> None:
    game = charged(2)
    game.state.change("red-1", order="dispersed")
    assert why(game, Demolish("red-1")) == "GLO-4"
    next_phase(game)
    game.state.change("red-1", order="good order")
    do(game, Demolish("red-1"))
    assert game.state.jobs["red-1"].turns == 3


@rule("ENG-4", "DEM-1")
def test_DEM_1_on_the_bridge_with_the_vehicle_beside_it() -> None:
    assert why(charged(0), Demolish("red-1")) == ""
    assert why(equipped(ground=BRIDGE, red=(("engineer-german", "13,10"), TRUCK)), Demolish("red-1")) == "DEM-1"
    assert why(equipped(ground=BRIDGE, red=(ENGINEER, ("truck-german", "7.4,10"))), Demolish("red-1")) == "ENG-4"
    moved = charged(0)
    go(moved, "red-1", 10.4, 10)
    assert why(moved, Demolish("red-1")) == "DEM-1"  # a stationary turn


# --- blocks -------------------------------------------------------------------------------------------------

ROAD = line("road", "0,10 40,10")


def blocking(turns: int, ground: str = ROAD, dice: Sequence[int] = ()) -> Game[Position]:
    """Engineers who have spent some turns on a block, and go an inch off."""
    game = equipped(ground=ground, dice=dice)
    for _ in range(turns):
        do(game, CreateBlock("red-1"))
        next_phase(game)
    leave(game)
    return game


def leave(game: Game[Position]) -> None:
    """The engineers move an inch off the road."""
    go(game, "red-1", 10, 11)
    do(game, Stop("red-1"))


def blocks(game: Game[Position]) -> list[str]:
    """The places of blocks."""
    return [
        f"{work.at[0] / 1000:g},{work.at[1] / 1000:g}" for work in game.state.works.values() if work.kind == "block"
    ]


@rule("CBK-2", "CBK-3")
@pytest.mark.parametrize(("ground", "turns"), [(ROAD, 4), (ROAD + area("woods", 8, 8, 12, 12), 2)])
def test_CBK_2_four_turns_on_a_road_and_two_in_woods(ground: str, turns: int) -> None:
    assert blocks(blocking(turns, ground, (5,))) == ["10,10"]
    assert blocks(blocking(turns - 1, ground)) == []


@rule("CBK-2", "CBK-3")
def test_CBK_2_one_turn_for_another_try() -> None:
    game = blocking(4, dice=(FAILED, 5))
    assert blocks(game) == []
    next_phase(game)
    go(game, "red-1", 10, 10)
    do(game, Stop("red-1"))
    next_phase(game)
    do(game, CreateBlock("red-1"))
    next_phase(game)
    leave(game)
    assert blocks(game) == ["10,10"]


@rule("CBK-1")
def test_CBK_1_one_block_for_each_unit_on_a_road() -> None:
    game = blocking(4, dice=(5,))
    next_phase(game)
    game.state.put("red-1", (6000, 10000))
    game.state.put("red-2", (6000, 12000))
    assert why(game, CreateBlock("red-1")) == "CBK-1"
    assert why(equipped(), CreateBlock("red-1")) == "CBK-1"  # no road
    assert why(equipped(ground=ROAD), CreateBlock("red-1")) == ""


# --- laying mines -------------------------------------------------------------------------------------------


def miners(mines: int = 2, **values: Any) -> Game[Position]:
    """Engineers with mines on their truck."""
    return march((ENGINEER, TRUCK), doctrine=f'equipment = "truck-german"\nmines = {mines}\n', **values)


def fields(game: Game[Position]) -> list[tuple[int, int]]:
    """The places of minefields."""
    return [work.at for work in game.state.works.values() if work.kind == "mines"]


@rule("STD-8")
def test_STD_8_the_inch_behind_the_engineers_becomes_a_minefield() -> None:
    game = miners()
    do(game, LayMines("red-1", 90))
    assert fields(game) == []
    assert against(game, "red-1", 12, 10) == "STD-8"  # one inch a turn
    do(game, Stop("red-1"))
    assert (at(game, "red-1"), fields(game)) == ("11,10", [(10000, 10000)])
    assert game.state.units["red-1"].mines == 1


@rule("STD-8")
def test_STD_8_up_to_the_allotment_with_the_truck() -> None:
    assert why(miners(0), LayMines("red-1", 90)) == "STD-8"
    game = miners()
    assert why(game, LayMines("red-1", 90)) == ""
    game.state.put("red-2", (5000, 10000))
    assert why(game, LayMines("red-1", 90)) == "STD-8"
    game.state.lift("red-2", "eliminated")
    assert why(game, LayMines("red-1", 90)) == "STD-8"


@rule("MIN-2", "STD-8")
def test_MIN_2_no_mines_in_a_swamp() -> None:
    assert why(miners(ground=area("swamp", 9, 9, 11, 11)), LayMines("red-1", 90)) == "MIN-2"


# --- mine clearing tanks ------------------------------------------------------------------------------------


@rule("MCT-1", "MCT-2", "MCT-3", "MCT-4")
def test_MCT_2_into_the_minefield_then_out_of_it_for_half_its_allowance() -> None:
    assert CHARTS.kinds["crab"].engineer == "MC"
    game = march([("crab", "10,10")], more=MINES)  # 8 points; no dice: mines never harm it
    go(game, "red-1", 14, 10)
    assert game.state.units["red-1"].at is not None
    assert "mines" in _ground(game, "red-1")
    assert against(game, "red-1", 14, 10) == "MOV-5" or game.state.units["red-1"].moved
    next_phase(game)
    assert against(game, "red-1", 14.3, 10) == "MOV-7"  # 4 points are left for ways
    go(game, "red-1", 13, 10)
    assert fields(game) == []
    assert spent(game, "red-1") > points(4)
    assert spent(game, "red-1") <= points(8)


def _ground(game: Game[Position], unit: str) -> tuple[str, ...]:
    state = game.state
    place = state.units[unit].at
    assert place is not None
    return state.setting.country(state.works.values()).ground.at(place).kinds


# --- bridge layers ------------------------------------------------------------------------------------------

STREAM = line("stream", "12,0 12,30")


@rule("BRL-1", "BRL-2", "BRL-3")
def test_BRL_1_it_backs_away_an_inch_and_the_bridge_lies_from_the_next_phase() -> None:
    layer = [("valentine-bridge", "10.5,10"), ("pz-iv-h", "8,12")]
    game = march(layer, ground=STREAM)
    assert why(game, LayBridge("red-1", 90)) == ""
    do(game, LayBridge("red-1", 90))
    do(game, Stop("red-1"))
    assert (at(game, "red-1"), spent(game, "red-1")) == ("9.5,10", points(3))
    assert not game.state.works
    next_phase(game)
    assert [work.kind for work in game.state.works.values()] == ["tank bridge"]
    assert why(game, LayBridge("red-1", 90)) == "BRL-2"  # it had one
    go(game, "red-1", 9.5, 12)
    next_phase(game)
    game.state.put("red-2", (9500, 10000))
    assert against(game, "red-2", 13.3, 10) == ""
    assert against(game, "red-2", 13.3, 12) == "STR-3"


@rule("BRL-1")
def test_BRL_1_adjacent_to_the_obstacle_since_its_last_move() -> None:
    game = march([("valentine-bridge", "9.5,10"), ("pz-iv-h", "5,5")], ground=STREAM)
    assert why(game, LayBridge("red-1", 90)) == "BRL-1"  # three inches do not reach the other bank
    assert why(game, LayBridge("red-1", 270)) == "BRL-1"  # no obstacle
    go(game, "red-1", 10.5, 10)
    assert why(game, LayBridge("red-1", 90)) == "DEM-1"
    assert why(march([("pz-iv-h", "10.5,10")], ground=STREAM), LayBridge("red-1", 90)) == "BRL-3"


@rule("ENG-1", "STD-6")
def test_ENG_1_tasks_are_offered_beside_moves() -> None:
    game = equipped(more=MINES)
    offered = [action for action in game.choices("red").of("red-1") if isinstance(action, Action)]
    assert Clear("red-1", FIELD) in offered


WORKSHOP = """
id = "workshop"
ruleset = "panzerblitz-miniatures"
title = "Workshop"
turns = 4
first = "red"
victory = [{ side = "red", condition = "eliminate" }, { side = "blue", condition = "eliminate" }]
markers = [{ kind = "mines", at = ["12,8", "22,10"] }, { kind = "block", at = ["12,12"] }]
[table]
size = [30, 20]
lines = [
    { kind = "stream", points = "16,0 16,20" },
    { kind = "road", points = "0,10 30,10" },
]
crossings = [{ kind = "bridge", points = "15,10 17,10" }]
[sides.red]
name = "Red"
nation = "german"
equipment = "truck-german"
mines = 2
units = [
    { unit = "engineer-german", count = 3, at = ["10.5,8", "10.5,12", "16,10"] },
    { unit = "truck-german", count = 3, at = ["9,8", "12,14", "14.2,10"] },
    { unit = "crab", at = ["9,5"] },
    { unit = "valentine-bridge", at = ["14.5,14"] },
]
[sides.blue]
name = "Blue"
nation = "soviet"
units = [{ unit = "engineer-soviet", at = ["20.5,10"] }, { unit = "t-34-76", at = ["25,16"] }]
"""


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
def test_engineers_hold_to_the_contract(check: Callable[[contract.Case, int], None]) -> None:
    check(contract.Case(RULESET, WORKSHOP, most=20000, every=13), 2)


def test_random_engineers_do_all_kinds_of_work() -> None:
    case, seen = contract.Case(RULESET, WORKSHOP, most=20000), set[str]()
    with contract.registered(RULESET):
        for seed in range(6):
            for match, rng in contract.walk(case, seed):  # noqa: B007
                choices = match.game.choices(match.game.deciders()[0])
                seen |= {type(action).__name__ for action in choices if action.kind == "work"}
    assert {"Clear", "Demolish", "CreateBlock", "LayMines", "LayBridge", "GiveUp"} <= seen
