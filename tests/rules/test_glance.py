"""One look over a side: what could fire at each unit, and who sees whom, by the rules' own checks."""

from __future__ import annotations

from random import Random
from typing import Any

from browser import mill, positions, steppe
from opfire.core import scenario as scenarios
from opfire.core.actions import Action
from opfire.core.game import SPECTATOR
from opfire.core.match import Match
from opfire.rulesets.case_orange.direct import Attack
from opfire.rulesets.panzer.fire.direct_fire import Announce
from opfire.server import messages
from rules.panzer.battle import commanded, game

SEATS = {"german": "one", "soviet": "two"}


def begun(scenario: str) -> Match:
    match = Match.start(scenario, {}, dict(SEATS), bytes(32))
    match.go_on()
    return match


def glance(match: Match, seat: str) -> dict[str, dict[str, Any]]:
    """The answer to a seat, by units."""
    asked = messages.read('{"type": "glance"}')
    assert isinstance(asked, messages.Glance)
    return {one["unit"]: one for one in asked.answer(match, seat)["units"]}


def test_case_orange_9_5_every_target_that_may_be_attacked_is_in_danger() -> None:
    match = begun(positions.MEADOW)
    positions.direct_fire(match)
    attacks = {(each.unit, each.target) for each in match.game.choices("german").offers() if isinstance(each, Attack)}
    fire = {(foe, unit) for unit, one in glance(match, "soviet").items() for foe in one["fire"]}
    assert attacks
    assert attacks == fire
    # A T-34 fires six hexes far.
    assert "soviet-2" in glance(match, "german")["german-1"]["fire"]


def test_case_orange_16_a_unit_that_has_acted_threatens_nobody() -> None:
    match = begun(positions.MEADOW)
    positions.direct_fire(match)
    state = match.game.state
    state.change("soviet-2", face_up=False)
    assert "soviet-2" not in glance(match, "german")["german-1"]["fire"]


def test_panzer_grenadier_5_4_dangers_are_those_of_a_move_and_nothing_hidden_is_told() -> None:
    match = begun(steppe.steppe("2-X2"))
    steppe.begun()(match)
    seen = glance(match, "german")
    assert steppe.FOE in seen[steppe.INFANTRY]["fire"]
    assert steppe.FOE in seen[steppe.INFANTRY]["sees"]
    assert seen[steppe.AWAY]["fire"] == []
    told = {foe for one in seen.values() for part in ("fire", "sees", "seen") for foe in one[part]}
    assert steppe.AMBUSH not in told
    # Its own side knows the gun, and what it looks at.
    assert steppe.AMBUSH in glance(match, "soviet")


def test_panzer_4_4_3_a_vehicle_in_the_open_is_in_danger() -> None:
    made = commanded(game(script=(80, 20)), {1: "fire"})
    announced = {(each.unit, each.target) for each in made.choices("german").offers() if isinstance(each, Announce)}
    looked = made.ruleset.queries["glance"](made.sight("soviet"), "soviet")
    fire = {(foe, one["unit"]) for one in looked["units"] for foe in one["fire"]}
    assert announced
    assert announced <= fire


def test_miniatures_df_1_what_may_fire_is_told_and_a_dispersed_stand_does_not() -> None:
    match = begun(mill.battle())
    mill.to_second_turn(match)
    offered = [each for each in match.game.choices("german").offers() if isinstance(each, Action)]
    shots = {(each.unit, each.target) for each in offered if each.kind == "fire" and hasattr(each, "target")}  # type: ignore[attr-defined]
    fire = {(foe, unit) for unit, one in glance(match, "soviet").items() for foe in one["fire"]}
    assert shots <= fire
    firer = next(iter(fire))[0]
    match.game.state.change(firer, order="dispersed")
    assert all(firer not in one["fire"] for one in glance(match, "soviet").values())


def test_micro_armour_7_1_3_unarmed_stands_threaten_nobody() -> None:
    match = begun(scenarios.text_of("armour-first-evening"))
    rng = Random(1)
    while match.game.state.turn < 1:
        seat = match.game.deciders()[0]
        match.play(seat, match.game.choices(seat).sample(rng))
    units = match.game.state.units
    seen = glance(match, "german")
    assert set(seen) == {unit.id for unit in match.game.state.of("german")}
    assert all(units[foe].kind.armed for one in seen.values() for foe in one["fire"])


def test_spectators_have_no_side_to_look_over() -> None:
    match = begun(positions.MEADOW)
    assert glance(match, SPECTATOR) == {}
