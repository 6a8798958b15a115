"""The sequence of play [SEQ], set-up and recovery [REC]: whole turns of a small battle."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from opfire.core.dice import Dice
from opfire.core.game import Game
from opfire.core.scenario import parse
from opfire.rulesets.panzerblitz_miniatures import RULESET
from opfire.rulesets.panzerblitz_miniatures.actions import EndPhase
from opfire.rulesets.panzerblitz_miniatures.pieces import Position
from opfire.rulesets.panzerblitz_miniatures.recovery import Recover, RecoverAll, RecoveryPhase
from opfire.rulesets.panzerblitz_miniatures.sequence import kept_still
from opfire.rulesets.panzerblitz_miniatures.setup import board
from opfire.rulesets.panzerblitz_miniatures.sighting.seeing import out_of_sight
from rules.panzerblitz_miniatures.kit import rule

FIELD = """
id = "field"
ruleset = "panzerblitz-miniatures"
title = "A field"
turns = 2
first = "red"
table = { size = [30, 20] }
victory = [{ side = "red", condition = "control", hexes = ["15,10"] }]
[sides.red]
name = "Red"
nation = "german"
units = [{ unit = "pz-iv-h", count = 2, at = ["5,5", "15,11"] }]
[sides.blue]
name = "Blue"
nation = "soviet"
units = [{ unit = "t-34-76", at = ["25,10"] }]
"""


def game(script: tuple[int, ...] = ()) -> Game[Position]:
    """The battle, ready for its first turn, with dice that fall as told."""
    scenario = parse(FIELD, "field.toml")
    state, frame = RULESET.start(RULESET.set_up(scenario))
    made = Game(RULESET, state, Dice(bytes(32), script=script), {side: side for side in scenario.sides})
    made.push(frame)
    return made


def idle(made: Game[Position], side: str = "") -> list[str]:
    """End every phase until the game is over, or a side's segment; the sentences of the steps."""
    told = [event.sentence() for event in made.events if event.kind == "step"]
    while made.outcome is None and (not side or made.state.current != side):
        told += [event.sentence() for event in made.play(made.deciders()[0], EndPhase()) if event.kind == "step"]
    return told


def dispersed(*script: int) -> Game[Position]:
    """The same with both red tanks dispersed."""
    made = game(script)
    for unit in ("red-1", "red-2"):
        made.state.change(unit, order="dispersed")
    made.run()
    return made


@rule("SEQ-1", "SEQ-2", "SEQ-10")
def test_turns_of_two_segments_until_they_are_over() -> None:
    made = game()
    made.run()
    assert idle(made)[:3] == ["Red segment of turn 1", "Blue segment of turn 1", "Turn 1 ends"]
    assert made.outcome is not None
    assert made.outcome.winner == "red"  # it has a tank at the objective


@rule("LLT-1", "SEQ-1")
def test_R57_variable_visibility_is_rolled_for_each_turn() -> None:
    scenario = parse(f'visibility = "variable"\n{FIELD}', "field.toml")
    state, frame = RULESET.start(RULESET.set_up(scenario))
    made = Game(RULESET, state, Dice(bytes(32), script=(13, 20)), {side: side for side in scenario.sides})
    made.push(frame)
    made.run()
    red, blue = state.units["red-2"], state.units["blue-1"]  # a little more than ten inches apart in the open
    assert (made.state.turn, made.state.roll) == (1, 13)
    assert out_of_sight(made.state, red, blue) is None
    idle(made, "blue")
    assert made.state.roll == 13
    idle(made, "red")
    assert (made.state.turn, made.state.roll) == (2, 20)


@rule("LLT-1")
@pytest.mark.parametrize(("die", "refused"), [(11, None), (10, "LOS-3")])
def test_LLT_1_the_roll_limits_sight(die: int, refused: str | None) -> None:
    scenario = parse(f'visibility = "variable"\n{FIELD}', "field.toml")
    state, frame = RULESET.start(RULESET.set_up(scenario))
    made = Game(RULESET, state, Dice(bytes(32), script=(die,)), {side: side for side in scenario.sides})
    made.push(frame)
    made.run()
    found = out_of_sight(made.state, state.units["red-2"], state.units["blue-1"])
    assert (found.rule if found else None) == refused


@rule("REC-1", "REC-2", "REC-3", "REC-4", "SEQ-3")
def test_a_unit_that_recovers_counts_as_dispersed_until_the_turn_ends() -> None:
    made = dispersed(4, 5)
    made.play("red", Recover("red-1"))
    assert made.state.units["red-1"].order == "recovering"
    made.play("red", Recover("red-2"))
    assert made.state.units["red-2"].order == "dispersed"
    idle(made, "blue")
    idle(made, "red")
    assert made.state.turn == 2
    assert made.state.units["red-1"].order == "good order"


@rule("SEQ-3")
def test_SEQ_3_nobody_is_asked_in_a_recovery_phase_without_dispersed_units() -> None:
    made = game()
    made.run()
    asked = [type(made.stack[-1]).__name__]
    while made.state.current == "red":
        made.play(made.deciders()[0], EndPhase())
        asked.append(type(made.stack[-1]).__name__)
    assert "RecoveryPhase" not in asked
    assert isinstance(dispersed().stack[-1], RecoveryPhase)


@rule("REC-1")
def test_each_dispersed_unit_tries_once_in_the_phase() -> None:
    made = dispersed(6, 6)
    made.play("red", Recover("red-1"))
    refusal = made.why_not("red", Recover("red-1"))
    assert refusal is not None
    assert refusal.rule == "REC-1"
    made.play("red", RecoverAll())
    assert not isinstance(made.stack[-1], RecoveryPhase)


@rule("FPS-1", "SEQ-9")
def test_a_unit_that_stood_still_gains_a_firing_position() -> None:
    made = dispersed(6, 6)
    assert not made.state.units["blue-1"].position
    made.play("red", RecoverAll())
    idle(made, "blue")
    idle(made, "red")
    assert made.state.units["blue-1"].position
    assert not made.state.units["red-1"].position


@rule("FPS-1", "TRN-10")
def test_FPS_1_passengers_and_aircraft_gain_no_firing_position() -> None:
    made = game()
    made.run()
    board(made.state, "red-1", "red-2")
    assert [kept_still(made.state.units[name]) for name in ("red-1", "red-2", "blue-1")] == [True, False, True]
    helicopter = made.state.charts.kinds["uh-1"]
    assert not kept_still(replace(made.state.units["red-1"], kind=helicopter))
    assert not kept_still(replace(made.state.units["red-1"], at=None))
