"""Aircraft [15.1]. In the book's order."""

from __future__ import annotations

from typing import Any

import pytest

from opfire.core.dice import scripted
from opfire.core.game import Game
from opfire.rulesets.panzer_grenadier.actions import Pass
from opfire.rulesets.panzer_grenadier.command.activation import Activate
from opfire.rulesets.panzer_grenadier.fire import aircraft
from opfire.rulesets.panzer_grenadier.fire.aircraft import SendAircraft
from opfire.rulesets.panzer_grenadier.fire.losses import LoseStep
from opfire.rulesets.panzer_grenadier.fire.strengths import Fire
from opfire.rulesets.panzer_grenadier.movement.moving import Move, Stop
from opfire.rulesets.panzer_grenadier.pieces import Position
from opfire.rulesets.panzer_grenadier.shown.view import label
from rules.panzer_grenadier.kit import (
    allowed,
    calculations,
    draw,
    german,
    leader,
    lines,
    offered,
    play,
    refused,
    rule,
    soviet,
    unit,
)


def air(*names: str, **units: Any) -> Game[Position]:
    """German aircraft that have come this turn, a German unit far away, and what else there is."""
    game = draw(home=german("ger-inf", "P10"), **units)
    game.state.change_army("german", aircraft=names)
    return game


@rule("15.1", "15.11")
def test_15_11_pieces_are_drawn_and_flipped_in_the_turns_that_bring_them() -> None:
    flight = {"sides": {"german": {"initiative": 3, "aircraft": {"turns": [2], "pieces": 2}}}}
    game = draw(a=german("ger-inf", "A1"), special=flight)
    aircraft.draw(game, "german")
    assert game.state.armies["german"].aircraft == ()  # not in turn 1
    game.state.turn = 2
    game.dice = scripted([2, 1, 1, 2])  # the second piece, its first side; then the one that is left, its second
    aircraft.draw(game, "german")
    assert game.state.armies["german"].aircraft == ("ger-bf110", "ger-hs129")
    game.state.turn = 3
    aircraft.draw(game, "german")
    assert game.state.armies["german"].aircraft == ()


@rule("15.12")
def test_15_12_any_hex_of_the_enemys_three_aircraft_in_one_each_once() -> None:
    game = air(
        "ger-ju87", "ger-hs129", "ger-bf110", "ger-fw190", foe=soviet("sov-inf", "A1"), two=soviet("sov-inf", "C3")
    )
    assert refused(game, SendAircraft("ger-ju87", "B5")) == "15.12"
    assert refused(game, SendAircraft("sov-il2", "A1")) == "15.12"
    play(game, SendAircraft("ger-ju87", "A1"), SendAircraft("ger-hs129", "A1"), SendAircraft("ger-bf110", "A1"))
    assert refused(game, SendAircraft("ger-fw190", "A1")) == "15.12"
    assert refused(game, SendAircraft("ger-ju87", "C3")) == "15.12"
    assert allowed(game, SendAircraft("ger-fw190", "C3"))
    play(game, Fire(), dice=[1, 1, 1])
    assert game.state.armies["german"].aircraft == ("ger-fw190",)


@rule("15.12")
def test_15_12_a_button_and_a_refusal_call_the_aircraft_by_name() -> None:
    game = air("ger-ju87", foe=soviet("sov-inf", "A1"))
    assert label(game.state, SendAircraft("ger-ju87", "1-A1")) == "Ju 87 attacks 1-A1"
    refusal = game.why_not("german", SendAircraft("ger-fw190", "1-A1"))
    assert refusal is not None
    assert refusal.sentence() == "Fw 190 is not available this turn"


@rule("15.12")
def test_15_12_nobody_else_acts_in_a_segment_of_aircraft_and_they_wait_for_their_own() -> None:
    game = air("ger-ju87", foe=soviet("sov-inf", "A1"))
    assert offered(game, SendAircraft) == {SendAircraft("ger-ju87", "1-A1")}
    play(game, SendAircraft("ger-ju87", "A1"))
    assert refused(game, Activate("home", "move")) == "procedure"
    play(game, Fire(), dice=[1])
    assert game.asked() == ("soviet",)
    assert not offered(game, SendAircraft)


@rule("15.14")
def test_15_14_aircraft_take_no_opportunity_fire() -> None:
    """A Soviet platoon moves: the Germans are asked for their rifles' sake, and never for their aircraft's."""
    foes = {"foe": soviet("sov-inf", "A1"), "far": soviet("sov-inf", "A9"), "x": german("ger-inf", "A4")}
    game = air("ger-ju87", **foes)
    assert offered(game, SendAircraft) == {SendAircraft("ger-ju87", f"1-{hex}") for hex in ("A1", "A9")}
    play(game, Pass())
    assert game.asked() == ("soviet",)
    play(game, Activate("far", "move"), Move("far", "B9"))
    assert game.asked() == ("soviet",)  # nobody but the aircraft could attack it there
    play(game, Stop("far"), Pass())
    play(game, Activate("foe", "move"), Move("foe", "B1"))
    assert game.asked() == ("german",)
    assert not offered(game, SendAircraft)
    assert refused(game, SendAircraft("ger-ju87", "B1")) == "procedure"


@rule("7.24", "15.12")
def test_7_24_not_at_a_hex_with_friends() -> None:
    game = air("ger-ju87", foe=soviet("sov-inf", "A1"), pal=german("ger-inf", "A1"))
    assert refused(game, SendAircraft("ger-ju87", "A1")) == "7.24"


@rule("15.12.a", "9.52")
def test_15_12_a_an_aircraft_that_misses_may_hit_friends_next_to_the_target() -> None:
    game = air("ger-ju87", "ger-bf110", foe=soviet("sov-inf", "A1"), pal=german("ger-inf", "A2"))
    play(game, SendAircraft("ger-ju87", "A1"), SendAircraft("ger-bf110", "A1"))
    events = play(game, Fire(), dice=[2, 1, 1, 6, 6, 6, 3])  # two misses: two dice for the hex, the first of them hits
    assert [calculation.title for calculation in calculations(events)] == ["Friendly fire"]
    assert calculations(events)[0].column == "21"  # of the Bombardment Table


@rule("15.13", "10.3")
def test_15_13_those_that_find_the_hex_add_up_on_the_direct_fire_table() -> None:
    game = air(
        "ger-ju87", "ger-bf110", foe=soviet("sov-inf", "A1"), two=soviet("sov-inf", "A1"), gun=soviet("sov-at-45", "A1")
    )
    play(game, SendAircraft("ger-ju87", "A1"), SendAircraft("ger-bf110", "A1"))
    events = play(game, Fire(), dice=[3, 6, 6, 6])
    guns, others = sorted(calculations(events), key=lambda one: -int(one.column))
    assert lines(others) == [("attack", "15.13", 16), ("attack", "15.13", 15), ("shift", "4.4", 1)]
    assert (others.column, guns.column) == ("37", "46")
    assert game.asked() == ("soviet",)


@rule("15.15")
def test_15_15_a_six_for_an_anti_tank_factor_takes_a_step_from_an_afv() -> None:
    game = air("ger-ju87", foe=soviet("sov-t34", "A1"), two=soviet("sov-t34", "A1"))
    play(game, SendAircraft("ger-ju87", "A1"))
    play(game, Fire(), dice=[3, 6, 6, 6, 5])  # it hits; no effect; one six of two
    assert set(game.choices("soviet")) == {LoseStep("foe"), LoseStep("two")}
    assert refused(game, LoseStep("home")) == "15.15"
    play(game, LoseStep("two"), dice=[1, 1])
    assert unit(game, "two").reduced
    assert not unit(game, "foe").reduced


@rule("15.15")
def test_15_15_no_dice_where_there_is_no_afv_and_none_for_those_that_miss() -> None:
    game = air("ger-ju87", foe=soviet("sov-inf", "A1"))
    play(game, SendAircraft("ger-ju87", "A1"))
    play(game, Fire(), dice=[3, 6, 6])
    away = air("ger-ju87", foe=soviet("sov-t34", "A1"))
    play(away, SendAircraft("ger-ju87", "A1"))
    play(away, Fire(), dice=[2])


@rule("15.16", "15.16.A1")
@pytest.mark.parametrize(
    ("guns", "shifts"),
    [
        ([], []),
        ([("A4", {})], [-1]),
        ([("A4", {}), ("B3", {})], [-1]),  # one column, whatever their number
        ([("A5", {})], []),  # four hexes away
        ([("A4", {"state": "disrupted"})], [-1]),
        ([("A4", {"state": "demoralized"})], []),
        ([("A4", {"limbered": True})], []),
    ],
)
def test_15_16_anti_aircraft_units_within_three_hexes_take_one_column(
    guns: list[tuple[str, dict[str, Any]]], shifts: list[int]
) -> None:
    flak = {f"flak{at}": soviet("sov-37-aa", at, **values) for at, values in guns}
    game = air("ger-ju87", foe=soviet("sov-inf", "A1"), lt=leader("soviet", "A1"), **flak)
    play(game, SendAircraft("ger-ju87", "A1"))
    events = play(game, Fire(), dice=[3, 6, 6])
    assert [amount for kind, _, amount in lines(calculations(events)[0]) if kind == "shift"] == shifts


@rule("15.16", "16.61")
@pytest.mark.parametrize(("seen", "placed"), [(False, ["near"]), (True, [])])
def test_16_61_hidden_flak_that_takes_a_column_is_placed_but_not_where_other_flak_is_seen(
    seen: bool, placed: list[str]
) -> None:
    others = {"seen": soviet("sov-37-aa", "A4")} if seen else {}
    game = air(
        "ger-ju87",
        foe=soviet("sov-inf", "A1"),
        far=soviet("sov-37-aa", "B3", hidden=True),
        near=soviet("sov-37-aa", "A3", hidden=True),
        **others,
    )
    play(game, SendAircraft("ger-ju87", "A1"))
    events = play(game, Fire(), dice=[3, 6, 6])
    assert ("shift", "15.16", -1) in lines(calculations(events)[0])
    assert [name for name in ("far", "near") if not unit(game, name).hidden] == placed
