"""Armored trains and river vessels [15.2]. Tests are named after rules, in the book's order."""

from __future__ import annotations

import pytest

from opfire.core.actions import Action
from opfire.core.game import Game
from opfire.rulesets.panzer_grenadier.actions import EndSegment, Pass
from opfire.rulesets.panzer_grenadier.assault.assaulting import DeclareAssault, EnterAssault
from opfire.rulesets.panzer_grenadier.command.activation import Activate, ActivateLeader, Begin, DesignateAll
from opfire.rulesets.panzer_grenadier.fire.direct import FireDirect
from opfire.rulesets.panzer_grenadier.fire.reaction import ShootAntiTank, ShootDirect
from opfire.rulesets.panzer_grenadier.morale.recovery import Recover
from opfire.rulesets.panzer_grenadier.movement.moving import Move, Stop
from opfire.rulesets.panzer_grenadier.pieces import Position
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

RIVER = "\n".join(". . ~ . ." for _ in range(10))
RAILS = {"railroad": [full(f"C{row}") for row in range(1, 9)]}


def train(at: str = "C1", **values: object) -> dict[str, object]:
    return soviet("sov-train", at, **values)


def vessel(at: str = "C1", **values: object) -> dict[str, object]:
    return soviet("sov-gunboat", at, **values)


def moving(board: str = "", **pieces: object) -> Game[Position]:
    """The Soviet train or vessel `t` is activated to move."""
    game = draw(*([board] if board else []), side="soviet", special=RAILS, **pieces)  # type: ignore[arg-type]
    play(game, Activate("t", "move"))
    return game


@rule("15.2")
def test_15_2_their_leaders_activate_nobody_else():
    game = draw(side="soviet", special=RAILS, t=train(), x=soviet("sov-t34", "C1", tank_leader=False))
    assert refused(game, ActivateLeader("t")) == "15.2"


@rule("15.2")
def test_15_2_but_they_move_closer_to_danger_by_themselves():
    game = moving(t=train("C3"), gun=german("ger-at-75", "C6"))
    assert allowed(game, Move("t", "C4"))


@rule("15.2")
def test_15_2_anti_tank_fire_is_aimed_at_them():
    game = draw(t=train("C3"), v=vessel("E3"))
    assert all(unit(game, name).afv and unit(game, name).vehicle for name in "tv")


@rule("15.2")
def test_15_2_trains_are_assaulted_like_others_vessels_are_not():
    pieces = {"lt": leader("german", "C5"), "a": german("ger-eng", "C5")}
    for enemy, board in ((train("C6"), RIVER.replace("~", ".")), (vessel("C6"), RIVER)):
        game = draw(board, **pieces, t=enemy)
        play(game, ActivateLeader("lt"), DesignateAll("fire"), Begin())
        if "train" in str(enemy["unit"]):
            play(game, EnterAssault("a", "C6"))
            assert allowed(game, DeclareAssault("C6"))
        else:
            assert refused(game, EnterAssault("a", "C6")) == "15.2"


@rule("15.2")
def test_15_2_vessels_assault_vessels():
    game = draw(RIVER, side="soviet", t=vessel("C5"), x=german("sov-gunboat", "C6"))
    play(game, Activate("t", "fire"))
    assert allowed(game, EnterAssault("t", "C6"))


@rule("15.2")
def test_15_2_ground_units_stay_out_of_its_river_hex():
    game = draw(RIVER, a=german("ger-eng", "B5"), b=german("ger-inf", "B9"), t=vessel("C5", direct=0, at_range=0))
    play(game, Activate("a", "move"))
    assert refused(game, Move("a", "C5")) in {"15.2", "5.3"}
    assert allowed(game, Move("a", "C6"))


@rule("15.21")
def test_15_21_they_move_and_then_fire_in_one_segment():
    game = moving(t=train("C1"), x=german("ger-inf", "C6"))
    play(game, Move("t", "C2"))
    if game.asked() == ("german",):
        play(game, Pass())
    play(game, Stop("t"))
    assert not unit(game, "t").marked
    assert allowed(game, FireDirect("t", "C6"))
    assert not offered(game, Move)
    play(game, EndSegment())
    assert unit(game, "t").marked


@rule("15.21")
@pytest.mark.parametrize(
    ("state", "work", "dice"),
    [("disrupted", Recover("t"), [1, 1]), ("good order", DigIn("t"), []), ("good order", ClearWreck("t"), [])],
)
def test_15_21_who_does_not_move_but_works_or_recovers_does_not_fire(state: str, work: Action, dice: list[int]):
    wreck = [marker("wreck", "C1")]
    game = moving(t=train("C1", state=state), x=german("ger-inf", "C6"), y=soviet("sov-inf", "P9"), markers=wreck)
    play(game, work, dice=dice)
    assert unit(game, "t").marked
    assert game.asked() == ("german",)


@rule("15.21")
def test_15_21_who_has_moved_there_and_back_may_fire():
    game = moving(t=train("C1"), x=german("ger-inf", "C8"))
    play(game, Move("t", "C2"), Move("t", "C1"), Stop("t"))
    assert not unit(game, "t").marked


@rule("15.21")
def test_15_21_having_moved_they_assault_nobody():
    game = moving(t=train("C4"), x=german("ger-inf", "C6"))
    play(game, Move("t", "C5"))
    if game.asked() == ("german",):
        play(game, Pass())
    play(game, Stop("t"))
    assert refused(game, EnterAssault("t", "C6")) == "12.1"


@rule("15.21")
def test_15_21_after_opportunity_fire_they_may_move_but_not_fire():
    game = draw(special=RAILS, a=german("ger-inf", "B5"), b=german("ger-inf", "B6"), t=train("C8"))
    play(game, Activate("a", "move"), Move("a", "B4"))
    shots = offered(game, ShootDirect)
    assert ShootDirect(("t",), "a") in shots
    play(game, ShootDirect(("t",), "a"), dice=[6, 6])
    while game.asked() == ("soviet",) and offered(game, ShootDirect) | offered(game, ShootAntiTank):
        play(game, Pass())
    if Stop("a") in offered(game, Stop):
        play(game, Stop("a"))
    assert game.asked() == ("soviet",)
    assert refused(game, Activate("t", "fire")) == "13.1.A1"
    play(game, Activate("t", "move"), Move("t", "C7"))
    if game.asked() == ("german",):
        play(game, Pass())
    if offered(game, Stop):
        play(game, Stop("t"))
    assert unit(game, "t").marked


@rule("15.22")
def test_15_22_a_train_has_six_points_for_railroad_hexes():
    game = moving(t=train("C1"))
    assert refused(game, Move("t", "D1")) == "15.22"
    for row in range(2, 8):
        play(game, Move("t", f"C{row}"))
    assert unit(game, "t").hex == "1-C7"
    assert not offered(game, Move)


@rule("15.23")
def test_15_23_a_vessel_has_five_points_for_major_river_hexes():
    game = moving(RIVER, t=vessel("C1"))
    assert refused(game, Move("t", "D1")) == "15.23"
    for row in range(2, 7):
        play(game, Move("t", f"C{row}"))
    assert unit(game, "t").hex == "1-C6"
    assert not offered(game, Move)
