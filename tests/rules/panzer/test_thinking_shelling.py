"""Greedy and indirect fire: plans for objectives, commands for observers and mortars, calls that hurt the enemy."""

from __future__ import annotations

from opfire.core.game import Game
from opfire.rulesets.panzer import RULESET
from opfire.rulesets.panzer.commands import HandIn
from opfire.rulesets.panzer.indirect.calling import CallFire, CheckFire, ContinueFire
from opfire.rulesets.panzer.indirect.planning import EndPlots, FirePlanning, PlotFire
from opfire.rulesets.panzer.indirect.step import Arrive, IndirectFireStep
from opfire.rulesets.panzer.pieces import Position
from rules.panzer.battle import game, text
from rules.panzer.moves import army
from rules.panzer.shelling import GUNS, answered, next_turn, shelling, with_guns

GUN = '{ unit = "o_g105", level = "attached" }'
MEN = army(("s_sqd41", "1-G4"), ("s_sqd41", "1-G4"), ("s_sqd41", "1-G5"))


def best(made: Game[Position], seat: str = "german") -> object:
    """The best suggestion of a seat."""
    found = RULESET.suggest(made.sight(seat), seat, made.stack[-1], made.choices(seat))
    return found[0].action


def test_it_calls_shells_onto_men_in_the_open() -> None:
    made = shelling(army(("g_fo", "1-A4"), more=with_guns(GUN)), {1: "overwatch"}, MEN)
    act = best(made)
    assert isinstance(act, CallFire)
    assert (act.firer, act.rounds) == (GUNS, "gp")


def test_it_does_not_shell_its_own_men() -> None:
    close = army(("g_fo", "1-A4"), *[("g_sqd41", "1-F4")] * 4, more=with_guns(GUN))
    made = shelling(close, {1: "overwatch"}, army(("s_sqd41", "1-G4")))
    assert not isinstance(best(made), CallFire)


def test_it_continues_fire_that_hurts_and_checks_other_fire() -> None:
    made = shelling(army(("g_fo", "1-A4"), more=with_guns(GUN)), {1: "overwatch"}, MEN, 9, 1, 1, 1)
    made.play("german", CallFire("german-1", GUNS, "soviet-1"))
    answered(made)
    next_turn(made)
    assert isinstance(best(made), ContinueFire)
    for name in ("soviet-1", "soviet-2", "soviet-3"):
        made.state.lift(name, "eliminated")
    assert isinstance(best(made), CheckFire)


def test_observers_watch_and_mortars_that_see_nothing_wait_for_a_call() -> None:
    wood = "\n. W . . . . . . . . . ."
    board = text().split('"""')[1].replace("\n. . . . . . . . . . . .", wood, 1)
    units = army(("g_fo", "1-C1"), ("g_m81", "1-A1"), ("g_sqd41", "1-A8"), ("g_sqd41", "1-A8"), more='grade = "elite"')
    made = game(text(board=board, german=units, soviet=army(("s_sqd41", "1-G1")), options=("AG",)))
    made.state.spots["soviet-1"] = ("german-1",)
    for squad in ("german-3", "german-4"):
        made.state.change(squad, suppression="on")
    sheet = best(made)
    assert isinstance(sheet, HandIn)
    assert {order.unit: order.command for order in sheet.orders} == {"german-1": "overwatch", "german-2": "fire"}


def test_it_plots_fire_on_the_objectives_of_the_enemy_and_fires_it() -> None:
    guns = with_guns('{ unit = "o_g105", planned = 2 }')
    units = army(("g_fo", "1-A4"), more=guns)
    made = game(text(german=units, soviet=army(("s_sqd41", "1-G4")), options=("AG",)))
    assert isinstance(made.stack[-1], FirePlanning)
    acts = []
    while isinstance(made.stack[-1], FirePlanning):
        acts.append(best(made))
        made.play("german", acts[-1])  # type: ignore[arg-type]
    assert acts[0] == PlotFire(GUNS, 1)
    assert acts[-1] == EndPlots()
    assert [fall.hex for fall in made.state.batteries[GUNS].plan] == ["1-G4", "1-G4"]
    made.push(IndirectFireStep("german"))
    made.run()
    assert best(made) == Arrive(GUNS)
