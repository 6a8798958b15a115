"""Computer players that use transport [6.6.7], overruns [6.6.10], Full Cover [6.1.4.2] and rockets [6.7.3.4]."""

from __future__ import annotations

import random

import pytest

from opfire.ai import players
from opfire.core.actions import Action
from opfire.core.game import Game
from opfire.rulesets.panzer.adjusting import AdjustStep, EnterCover, LeaveCover
from opfire.rulesets.panzer.air.attacks import AirAttack
from opfire.rulesets.panzer.air.phase import Enter, FlyOff
from opfire.rulesets.panzer.fire.overrun import Overrun
from opfire.rulesets.panzer.moving.going import Going, Move, Stay, Turn
from opfire.rulesets.panzer.moving.transport import Dismount
from opfire.rulesets.panzer.pieces import Position
from opfire.rulesets.panzer.thinking import flying, moving
from opfire.rulesets.panzer.thinking.mind import Mind
from rules.panzer.battle import game, text
from rules.panzer.moves import FAR, army, marching
from rules.panzer.test_aircraft import air

CARRIED = army(("h251_1", "1-E4"), ("g_sqd41", "h251_1"))
CAR, SQUAD = "german-1", "german-2"


def chosen(made: Game[Position], seat: str = "german") -> Action:
    return players()["greedy"].choose(made, seat, random.Random(1))


# --- transport [6.6.7]


@pytest.mark.parametrize(("hex", "gets_off"), [("1-E4", True), ("1-A8", False)])
def test_a_squad_gets_off_near_its_goal(hex: str, gets_off: bool) -> None:
    """The objective is G4: two hexes away the squad gets off, far away the half-track drives on."""
    made = marching(army(("h251_1", hex), ("g_sqd41", "h251_1")), {1: "move"}, soviet=FAR)
    act = chosen(made)
    assert isinstance(act, Dismount) is gets_off
    if isinstance(act, Dismount):
        assert made.state.map.distance(act.hex, "1-G4") < made.state.map.distance(hex, "1-G4")
    else:
        assert not isinstance(act, Overrun)


def test_a_squad_gets_off_near_the_enemy() -> None:
    made = marching(army(("h251_1", "1-A8"), ("g_sqd41", "h251_1")), {1: "move"}, soviet=army(("s_sqd41", "1-D8")))
    assert isinstance(chosen(made), Dismount)


@pytest.mark.parametrize("carried", [True, False])
def test_a_vehicle_thinks_again_at_the_end_of_its_way_if_somebody_may_get_off(carried: bool) -> None:
    made = marching(army(("h251_1", "1-A8"), *([("g_sqd41", "h251_1")] if carried else [])), {1: "move"}, soviet=FAR)
    mind = Mind(made.state, "german")
    (way,) = moving.suggested(mind, made.state.units[CAR], Going(), made.choices("german"))
    ends = Stay(CAR) in (way.action, *way.route)
    assert ends is (not carried or way.action == Stay(CAR))
    assert isinstance(way.action, Move | Turn)


# --- overruns [6.6.10]


@pytest.mark.parametrize(("target", "rides"), [("s_chq", True), ("t34_43", False)])
def test_a_tank_rides_over_a_squad_that_it_is_likely_to_beat(target: str, rides: bool) -> None:
    """A section stands in the open, straight ahead of a tank with a Move command."""
    made = marching(army(("pz4h", "1-E4")), {1: "move"}, soviet=army((target, "1-F4")))
    assert (chosen(made) == Overrun(CAR, "soviet-1")) is rides


# --- Full Cover [6.1.4.2]


@pytest.mark.parametrize(
    ("suppression", "covered", "act"),
    [
        ("on", False, EnterCover("german-1")),
        ("on", True, None),
        ("off", True, LeaveCover("german-1")),
        ("off", False, None),
        ("", True, LeaveCover("german-1")),
        ("", False, None),
    ],
)
def test_suppressed_units_take_full_cover_and_others_leave_it(
    suppression: str, covered: bool, act: Action | None
) -> None:
    made = game(text(german=army(("g_sqd41", "1-B4")), soviet=FAR, options=("AG",)))
    made.state.change("german-1", suppression=suppression, full_cover=covered)
    made.push(AdjustStep("german"))
    made.run()
    found = chosen(made)
    assert found == act if act else not isinstance(found, EnterCover | LeaveCover)


# --- rockets [6.7.3.4]


def test_aircraft_bring_rockets_to_their_target() -> None:
    """Rockets fly two hexes at least: the run ends that far from its target."""
    soviet = air("a_il2").replace('"a_il2"', '"a_il2", load = "rockets"')
    made = game(text(german=army(("pz4h", "1-D4")), soviet=soviet, options=("AG",)))
    plane = made.state.units["soviet-2"]
    runs = [run for run in flying.runs_of(Mind(made.state, "soviet"), plane) if run.attack.stores == "rockets"]
    assert runs
    assert {made.state.map.distance(run.over, "1-D4") for run in runs} == {2}
    assert all(isinstance(run.attack, AirAttack) for run in runs)
    assert not {Enter, FlyOff} & {type(run.attack) for run in runs}
