"""Secret missions [NEU-2]: the other side receives the same bytes, whatever is recorded."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from core import contract
from core.twins import Twins, play_all
from opfire.core.game import SPECTATOR
from opfire.rulesets.panzerblitz_miniatures import RULESET, knowledge
from opfire.rulesets.panzerblitz_miniatures.fire.missions import FIRE
from rules.panzerblitz_miniatures.batteries import battery, next_turn, plan
from rules.panzerblitz_miniatures.kit import rule

TEXT = """
id = "batteries"
ruleset = "panzerblitz-miniatures"
title = "Batteries"
turns = 4
first = "red"
victory = [{ side = "red", condition = "eliminate" }, { side = "blue", condition = "eliminate" }]
[table]
size = [30, 20]
lines = [{ kind = "stream", points = "14,0 14,20" }, { kind = "road", points = "0,10 30,10" }]
crossings = [{ kind = "bridge", points = "13,10 15,10" }]
[sides.red]
name = "Red"
nation = "german"
units = [
    { unit = "observer-german", at = ["8,10"] },
    { unit = "mortar-81-german", count = 2, at = ["3,8", "3,12"] },
    { unit = "wespe", at = ["1,10"] },
    { unit = "pz-iv-h", count = 2, at = ["9,6", "9,14"] },
]
[sides.blue]
name = "Blue"
nation = "soviet"
units = [
    { unit = "observer-soviet", at = ["20,10"] },
    { unit = "mortar-82-soviet", count = 2, at = ["26,8", "26,12"] },
    { unit = "t-34-76", count = 2, at = ["19,6", "19,14"] },
    { unit = "rifle-43-soviet", at = ["16,11"] },
]
"""
CASE = contract.Case(RULESET, TEXT, most=20000, every=29)
OTHER = {"red": "blue", "blue": "red"}


@rule("NEU-2", "OPP-14")
@pytest.mark.parametrize("owner", ["red", "blue"])
def test_NEU_2_the_other_side_cannot_tell_what_is_recorded(owner: str) -> None:
    seen = play_all(Twins(CASE, (owner,), (OTHER[owner], SPECTATOR)), range(6), 250)
    assert seen["secret"] + seen["alone"] > 6, seen
    assert seen["IndirectFirePhase"] > 6, seen
    assert seen["MovementPhase"] > 6, seen  # units are designated in one of the games alone
    assert seen["OpportunityFire"] > 1, seen


@rule("NEU-2")
def test_NEU_2_a_spectator_knows_of_no_mission() -> None:
    seen = play_all(Twins(CASE, ("red", "blue"), (SPECTATOR,)), range(3), 250)
    assert seen["secret"] + seen["alone"] > 6, seen


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
def test_batteries_hold_to_the_contract(check: Callable[[contract.Case, int], None]) -> None:
    check(CASE, 1)


@rule("NEU-2")
def test_NEU_2_an_imagined_enemy_has_missions_that_he_could_have_recorded() -> None:
    game = battery()
    plan(game)
    state = game.state
    state.turn, state.current = 2, "blue"
    seen = knowledge.sight(state, "blue")
    assert seen.plots == ()
    drawn = [knowledge.imagined(seen, (), "blue", random.Random(seed))[0].plots for seed in range(8)]
    plots = [plot for found in drawn for plot in found]
    assert any(not found for found in drawn)  # it may have recorded nothing
    assert plots
    assert all(plot.side == "red" and plot.target == "blue-1" and plot.task in FIRE for plot in plots)
    assert all((plot.written, plot.due) == (2, 3) for plot in plots)


@rule("NEU-2")
def test_NEU_2_its_own_side_sees_its_missions_on_the_table() -> None:
    game = battery()
    plan(game)
    missions = {
        seat: [marker for marker in game.view(seat)["markers"] if marker["kind"] == "mission"]
        for seat in ("red", "blue", SPECTATOR)
    }
    assert [marker["place"] for marker in missions["red"]] == [(25_000, 10_000)]
    assert missions["blue"] == missions[SPECTATOR] == []
    gun = next(unit for unit in game.view("red")["units"] if unit["id"] == "red-2")
    assert {"code": "IF", "text": "Neutralization at T-34/76 C 1 in turn 2"} in gun["badges"]


@rule("NEU-2", "NEU-11")
@pytest.mark.parametrize("away", [False, True], ids=["on the board", "off the board"])
def test_NEU_2_the_calibre_of_a_mission_is_told_when_it_falls(away: bool) -> None:
    game = battery(dice=(6, 6, 6))
    if away:
        game.state.change("red-2", at=None, status="off-board")
    plan(game)
    assert all(not event.calibre for event in game.events)
    next_turn(game)
    assert [event.calibre for event in game.events if event.kind == "fired"] == [105]
