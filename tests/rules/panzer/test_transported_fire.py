"""Fire from vehicles that carry squads and sections [6.6.7.2, 5.1.3.2, 5.1.3.3, 7.38.1]."""

from __future__ import annotations

import pytest

from opfire.core.game import Game
from opfire.kit.orders import Pass
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.commands import HandIn
from opfire.rulesets.panzer.fire.arms import arms_of
from opfire.rulesets.panzer.fire.direct_fire import Announce, Keep, Resolve
from opfire.rulesets.panzer.fire.overwatch import Overwatch, OverwatchFire
from opfire.rulesets.panzer.fire.shots import shot
from opfire.rulesets.panzer.pieces import CommandName, Position, at_arms
from opfire.rulesets.panzer.sequence import RollInitiative
from opfire.rulesets.panzer.thinking.script import script
from rules.panzer.battle import game, refused, text
from rules.panzer.kit import rule
from rules.panzer.moves import army

MEN = army(("s_sqd41", "1-A6"))
CAR = army(("h251_1", "1-A4"), ("g_sqd44", "h251_1"))


def battle(
    german: str = CAR,
    command: CommandName = "no command",
    *,
    soviet: str = MEN,
    dice: tuple[int, ...] = (),
    options: tuple[str, ...] = (),
    step: str = "direct fire",
) -> Game[Position]:
    """Germans aboard a half-track that has a command, at the begin of a step; two hexes from a Soviet unit."""
    made = game(text(german=german, soviet=soviet, options=("AG", *options)), (90, 10, *dice))
    for side in ("german", "soviet"):
        made.play(side, HandIn())
    made.state.change("german-1", command=command)
    made.state.spots = {name: tuple(made.state.units) for name in made.state.units}
    made.play(made.asked()[0], RollInitiative())
    while made.stack[-1].step != step:
        made.play(made.asked()[0], Pass() if isinstance(made.stack[-1], Overwatch) else EndStep())
    return made


def weapons(made: Game[Position], unit: str = "german-2") -> set[str]:
    """The weapons that a unit can fire as it stands."""
    return {arm.row.kind for arm in arms_of(made.state, at_arms(made.state, unit))}


@rule("6.6.7.2-who")
@pytest.mark.parametrize(
    ("command", "why"),
    [("no command", None), ("fire", None), ("short halt", None), ("move", "6.6.7.2-who"), ("overwatch", "6.6.7.2-who")],
)
def test_riders_fire_whatever_the_command_of_their_vehicle_but_move(command: CommandName, why: str | None) -> None:
    made = battle(command=command)
    assert refused(made, "german", Announce("german-2", "soviet-1")) == why
    offered = [act for act in made.choices("german") if isinstance(act, Announce) and act.unit == "german-2"]
    assert bool(offered) is (why is None)


@rule("6.6.7.2-who")
def test_riders_need_not_fire_and_spot_for_themselves() -> None:
    made = battle()
    assert refused(made, "german", EndStep()) is None
    made.state.spots = {"soviet-1": ("german-1",)}
    assert refused(made, "german", Announce("german-2", "soviet-1")) == "4.4.1-a"


@rule("6.6.7.2-mod", "6.5.4.3-trans", "6.6.7.2-who")
def test_transported_fire_is_worse_and_the_short_halt_does_not_count_too() -> None:
    made = battle(command="short halt")
    rider, target = at_arms(made.state, "german-2"), made.state.units["soviet-1"]
    found = shot(made.state, rider, target, False)
    changes = {line.rule: line.amount for line in found.lines if line.kind == "modifier"}
    assert changes["6.5.4.3-trans"] == -10
    assert "6.5.4.3-sh" not in changes


@rule("6.6.7.2-mod", "6.5.2.4-transp", "5.1.3.3")
def test_an_anti_tank_rifle_fires_from_the_vehicle_at_minus_two() -> None:
    tank = army(("t34_43", "1-A6"))
    made = battle(army(("h251_1", "1-A4"), ("g_atr", "h251_1")), soviet=tank)
    made.state.change("german-2", weapons=("pzb39",))
    assert refused(made, "german", Announce("german-2", "soviet-1", "pzb39 AP")) is None
    found = shot(made.state, at_arms(made.state, "german-2"), made.state.units["soviet-1"], False, "pzb39 AP")
    assert [line.amount for line in found.lines if line.rule == "6.5.2.4-transp"] == [-2]


@rule("5.1.3.2", "5.1.3.3", "6.6.7.2-who")
def test_crew_served_machine_guns_and_rockets_do_not_fire_from_vehicles() -> None:
    made = battle(army(("h251_1", "1-A4"), ("g_hmg", "h251_1")))
    names = {arm.name for arm in arms_of(made.state, at_arms(made.state, "german-2"))}
    assert "g_hmg_w ball" not in names
    made.state.change("german-2", carrier=None, status="on the map", hex="1-A4")
    assert "g_hmg_w ball" in {arm.name for arm in arms_of(made.state, made.state.units["german-2"])}
    made = battle()
    made.state.change("german-2", weapons=("pzf60",))
    assert "hhatw" not in weapons(made)


@rule("5.1.3.2")
def test_heavy_machine_guns_fire_as_small_arms_and_not_at_armor() -> None:
    made = battle(army(("g_hmg", "1-A4")))
    (gun,) = [arm for arm in arms_of(made.state, made.state.units["german-1"]) if arm.row.weapon == "g_hmg_w"]
    assert not gun.is_ap
    assert gun.row.small_arms is True


@rule("6.6.7.2-spot", "6.6.7.2-who")
@pytest.mark.parametrize(("before", "after"), [("", "small arms"), ("move", "small arms"), ("fire", "fire")])
def test_the_vehicle_bears_the_counter_of_its_riders_fire(before: str, after: str) -> None:
    made = battle(dice=(1,))
    made.state.change("german-1", spot=before)
    made.play("german", Announce("german-2", "soviet-1"))
    made.play("german", Resolve())
    assert made.state.units["german-1"].fresh == after
    assert made.state.units["german-1"].revealed
    assert not made.state.units["german-1"].fired
    rider = made.state.units["german-2"]
    assert (rider.fired, rider.fresh, rider.carrier) == (True, "", "german-1")
    assert refused(made, "german", Announce("german-2", "soviet-1")) == "4.4.1-b"


@rule("6.6.7.2-who", "4.4.2")
def test_riders_fire_from_overwatch_and_are_answered_at_their_vehicle() -> None:
    made = battle(command="overwatch", dice=(1, 1, 1, 1))
    made.state.change("soviet-1", fired=True, fresh="small arms")
    while not isinstance(made.stack[-1], Overwatch):
        made.play(made.asked()[0], EndStep())
    assert refused(made, "german", Announce("german-2", "soviet-1")) is None
    made.play("german", Announce("german-2", "soviet-1"))
    if isinstance(made.stack[-1], OverwatchFire):
        made.play("german", Resolve())
    while made.stack[-1].step == "target moving":
        made.play(made.asked()[0], Keep())
    frame = made.stack[-1]
    if isinstance(frame, Overwatch):
        assert "german-1" in frame.targets
    assert made.state.units["german-2"].fired


@rule("7.38.1")
def test_sections_on_universal_carriers_fire_all_that_they_have() -> None:
    carried = army(("ucarr", "1-A4"), ("b_hmg", "ucarr"))
    made = battle(carried, command="short halt", options=("7.38",))
    rider, target = at_arms(made.state, "german-2"), made.state.units["soviet-1"]
    names = {arm.name for arm in arms_of(made.state, rider)}
    assert "b_hmg_w ball" in names
    found = shot(made.state, rider, target, False, "b_hmg_w ball")
    assert not {line.rule for line in found.lines} & {"6.5.4.3-trans", "6.5.4.3-sh"}
    plain = battle(carried, command="short halt")
    assert "b_hmg_w ball" not in {arm.name for arm in arms_of(plain.state, at_arms(plain.state, "german-2"))}


def test_the_script_lets_riders_fire_at_what_is_nearest_to_their_vehicle() -> None:
    made = battle(soviet=army(("s_sqd41", "1-A7"), ("s_sqd41", "1-A6")))
    found = script(made.state, "german", made.stack[-1], made.choices("german"))
    assert [each.action for each in found] == [Announce("german-2", "soviet-2")]
