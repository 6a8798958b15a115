"""Smoke that covers a single unit: dischargers [7.9], infantry smoke [7.22]."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from opfire.core.game import Game
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.commands import CommandPhase, cannot_command
from opfire.rulesets.panzer.fire.direct_fire import DirectFireStep
from opfire.rulesets.panzer.fire.shots import shot
from opfire.rulesets.panzer.indirect import screens, smoke
from opfire.rulesets.panzer.indirect.kinds import Smoke
from opfire.rulesets.panzer.indirect.screens import Discharge, DischargeStep, LaySmoke
from opfire.rulesets.panzer.moving.going import Turn
from opfire.rulesets.panzer.pieces import Position
from rules.panzer.battle import game, refused, text, told
from rules.panzer.kit import CHARTS, rule
from rules.panzer.moves import army, marching
from rules.panzer.shelling import shelling

TIGER, FOES = army(("pz6", "1-A4"), ("pz4h", "1-B4")), army(("t34_43", "1-G4"))
CLOUD = Smoke(("1-A4",), dense=False, on=False, fresh=False, unit="german-1")


def discharging(*dice: int, german: str = TIGER) -> Game[Position]:
    """Before the first Command Phase; the Tiger's dischargers work on 3 or less."""
    return game(text(german=german, soviet=FOES, options=("AG", "7.9")), dice)


def amounts(state: Position, unit: str, target: str) -> list[int]:
    """The modifiers of smoke to a shot."""
    lines = shot(state, state.units[unit], state.units[target], False).lines
    return [line.amount for line in lines if line.rule in ("6.5.2.4-smoke", "6.5.4.3-smoke")]


@rule("7.9-order", "7.9-place")
def test_the_last_first_player_discharges_first_before_commands() -> None:
    both = game(text(german=TIGER, soviet=army(("pz6", "1-G4")), options=("AG", "7.9")))
    assert both.stack[-1] == DischargeStep("german")
    both.play("german", EndStep())
    assert both.stack[-1] == DischargeStep("soviet")
    both.play("soviet", EndStep())
    assert isinstance(both.stack[-1], CommandPhase)
    later = game(text(german=TIGER, soviet=army(("pz6", "1-G4")), options=("AG", "7.9")))
    assert later.state.setting.scenario.first == "german"


@rule("7.9-order")
def test_dischargers_belong_to_the_commands_before_which_they_fire() -> None:
    made = discharging(3)
    assert isinstance(made.stack[-1], DischargeStep)
    assert [part["id"] for part in made.view("german")["track"] if part["now"]] == ["command"]


@rule("7.9-place")
def test_a_vehicle_tries_once_a_turn_and_needs_its_limit() -> None:
    for roll, there in ((3, True), (4, False)):
        made = discharging(roll)
        assert refused(made, "german", Discharge("german-2")) == "7.9-place"
        made.play("german", Discharge("german-1"))
        assert (made.state.smoke == (CLOUD,)) == there
        assert refused(made, "german", Discharge("german-1")) == ("7.9-place")


@rule("7.9-effect")
def test_the_cloud_counts_for_fire_at_its_vehicle_and_by_it_alone() -> None:
    made = discharging(1)
    made.play("german", Discharge("german-1"))
    state = made.state
    assert amounts(state, "german-1", "soviet-1") == [-3]
    assert amounts(state, "soviet-1", "german-1") == [-3]
    state.change("german-2", hex="1-A4")
    assert amounts(state, "german-2", "soviet-1") == []
    assert amounts(state, "soviet-1", "german-2") == []


@rule("7.9-end")
def test_the_cloud_goes_at_the_end_of_the_turn_and_none_comes_in_the_next() -> None:
    made = discharging(1)
    made.play("german", Discharge("german-1"))
    smoke.thin(made.state)
    assert made.state.smoke == ()
    for turn, number in ((2, "7.9-end"), (3, None)):
        made.state.turn = turn
        refusal = screens.cannot_discharge(made.state, "german", made.state.units["german-1"])
        assert (refusal.rule if refusal else None) == number


@rule("7.9-end")
def test_a_vehicle_that_turns_by_a_move_leaves_its_cloud() -> None:
    moving = marching(army(("pz4h", "1-A4")), {1: "move"}, discharged=1)
    moving.state.smoke = (CLOUD,)
    moving.play("german", Turn("german-1", 1))
    assert moving.state.smoke == ()


# --- infantry [7.22]

SQUAD = army(("g_sqd41", "1-A4"), ("g_sqd41", "1-A6"), ("g_sqd41", "1-A6"))


def laying(*dice: int, command: str = "fire", options: tuple[str, ...] = ("7.22",)) -> Game[Position]:
    """The Germans' Direct Fire Step: a squad with smoke on 5 or less."""
    commands = dict.fromkeys((1, 2), command)
    return shelling(SQUAD, commands, army(("s_sqd41", "1-C4")), *dice, options=options)  # type: ignore[arg-type]


@rule("7.22.1")
def test_a_squad_lays_smoke_that_covers_itself_in_place_of_its_small_arms() -> None:
    made = laying(5)
    assert isinstance(made.stack[-1], DirectFireStep)
    made.play("german", LaySmoke("german-1"))
    assert made.state.smoke == (Smoke(("1-A4",), dense=False, unit="german-1"),)
    squad = made.state.units["german-1"]
    assert (squad.fired, squad.fresh, squad.arms) == (True, "small arms", ("g_sqd41 ball",))
    assert amounts(made.state, "soviet-1", "german-1") == []
    smoke.settle(made.state)
    assert amounts(made.state, "soviet-1", "german-1") == [-10]
    made.state.change("german-1", hex="1-B4")
    assert amounts(made.state, "soviet-1", "german-1") == []


@rule("7.22.1", "7.22.2")
def test_smoke_that_is_short_does_not_come() -> None:
    made = laying(6)
    made.play("german", LaySmoke("german-1"))
    assert made.state.smoke == ()
    assert told(made, "smoke") == ["Rifle squad 1 makes no smoke"]


@rule("7.22.1")
def test_no_smoke_beside_other_units_for_shaken_ones_without_a_command_or_the_option() -> None:
    assert refused(laying(), "german", LaySmoke("german-2")) == "7.22.1"
    for shaken in ({"suppression": "off"}, {"morale": "hesitating"}):
        made = laying()
        made.state.change("german-1", **shaken)
        assert refused(made, "german", LaySmoke("german-1")) == "7.22.1"
    assert refused(laying(command="move"), "german", LaySmoke("german-1")) == "4.2"
    assert refused(laying(options=()), "german", LaySmoke("german-1")) == "7.22.1"


@rule("7.22.2", "7.22.1")
@pytest.mark.parametrize(
    ("card", "grade", "labels", "limit"),
    [
        ("g_sqd41", "seasoned", (), 5),
        ("s_sqd41", "seasoned", (), 2),
        ("g_sqd41", "elite", (), 7),
        ("g_sqd41", "veteran", (), 6),
        ("g_sqd41", "green", (), 4),
        ("s_sqd41", "seasoned", ("Engineer",), 5),
        ("g_hmg", "seasoned", (), 0),
    ],
)
def test_limits_by_nation_grade_and_training(card: str, grade: str, labels: tuple[str, ...], limit: int) -> None:
    unit = laying().state.units["german-1"]
    changed = replace(unit, kind=CHARTS.legs[card], grade=grade, labels=labels)  # type: ignore[arg-type]
    assert screens.limit_of(changed) == limit


@rule("7.22.1")
def test_a_squad_may_be_told_to_fire_smoke_without_a_target() -> None:
    for options, may in ((("7.22",), True), ((), False)):
        state = laying(options=options).state
        state.spots = {}
        assert (cannot_command(state, state.units["german-1"], "fire") is None) == may
