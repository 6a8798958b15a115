"""Facts that computer players keep from decision to decision equal those that are worked out afresh."""

from __future__ import annotations

import random
from typing import Any

import pytest

from opfire.core import scenario
from opfire.core.match import Match
from opfire.rulesets.panzer_grenadier.command.activation import activation_of
from opfire.rulesets.panzer_grenadier.fire import bombardment
from opfire.rulesets.panzer_grenadier.fire.bombardment import cannot_fire_at
from opfire.rulesets.panzer_grenadier.fire.direct import enemy_hexes
from opfire.rulesets.panzer_grenadier.movement.costs import allowance
from opfire.rulesets.panzer_grenadier.pieces import Mine, Position, Side
from opfire.rulesets.panzer_grenadier.sight import spotting
from opfire.rulesets.panzer_grenadier.thinking.facts import Memory, memory_of
from opfire.rulesets.panzer_grenadier.thinking.ground import ground_of
from opfire.rulesets.panzer_grenadier.thinking.mind import Mind
from opfire.rulesets.panzer_grenadier.thinking.moving import best_way, worth_of
from opfire.rulesets.panzer_grenadier.thinking.paths import ways
from opfire.rulesets.panzer_grenadier.thinking.targets import shell_targets
from rules.panzer_grenadier.kit import draw, german, leader, marker, soviet


def reached(mind: Mind) -> dict[tuple[str, bool], Any]:
    """The hexes that each unit on the map of the mind's side reaches, led and not led."""
    return {
        (unit.id, led): ways(mind, unit, allowance(mind.position, unit), led)
        for unit in mind.friends
        for led in (True, False)
    }


def thoughts(mind: Mind) -> tuple[Any, ...]:
    """The goals of a mind, and the way, the worth and the help of each of its units."""
    ways_of = {unit.id: best_way(mind, unit, led=False) for unit in mind.friends}
    worths = {unit.id: worth_of(mind, unit, str(unit.hex)) for unit in mind.friends}
    helped = {unit.id: mind.helped(unit) for unit in (*mind.friends, *mind.foes)}
    return mind.goals, mind.stakes, ways_of, worths, helped


def hits(mind: Mind) -> dict[str, list[str]]:
    """The hexes that each unit could bombard, by the mind."""
    return {unit.id: shell_targets(mind.sightings, unit) for unit in mind.friends if unit.bombard}


def by_the_book(position: Position, side: Side) -> dict[str, list[str]]:
    """The hexes that each unit of a side may bombard [9.1], by the rules."""
    hexes = enemy_hexes(position, side)
    return {
        unit.id: [hex for hex in hexes if cannot_fire_at(position, unit, hex) is None]
        for unit in position.of(side)
        if unit.bombard
    }


def fresh(position: Position, side: Side, monkeypatch: pytest.MonkeyPatch) -> Mind:
    """A mind that remembers nothing."""
    memory = memory_of(position)
    forgotten = Memory(position.setting)
    with monkeypatch.context() as patched:
        patched.setattr(memory, "turn", forgotten.turn)
        patched.setattr(memory, "enemy", forgotten.enemy)
        patched.setattr(memory, "menaces", forgotten.menaces)
        patched.setattr(memory, "reckoned", forgotten.reckoned)
        return Mind(position, side)


@pytest.mark.parametrize(("name", "decisions"), [("pg-sosnovka", 400), ("pg-night-231", 250)])
def test_kept_facts_equal_fresh_ones_through_a_random_game(
    name: str, decisions: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Units come, go, break and fill hexes: the minds of both sides heed it."""
    match = Match.start(scenario.text_of(name), key=bytes([7]) * 32, nonces={"german": "1", "soviet": "1"})
    game, rng = match.game, random.Random(name)
    for number in range(decisions):
        if game.outcome is not None:
            break
        side = game.asked()[0]
        game.play(side, game.choices(side).sample(rng))
        if number % 10 < 2:  # two decisions running: often only the activation changes between them
            for each in game.state.setting.sides:
                kept, new = Mind(game.state, each), fresh(game.state, each, monkeypatch)
                assert hits(kept) == by_the_book(game.state, each)
                assert reached(kept) == reached(new)
                assert thoughts(kept) == thoughts(new)


def test_results_hold_until_anything_but_the_activation_changes() -> None:
    """3.13: units are activated before they act; what a hex is worth to them stays the same."""
    game = draw(own=german("ger-inf", "A1"), friend=german("ger-inf", "A2"), foe=soviet("sov-inf", "P10"))
    position = game.state
    before = thoughts(first := Mind(position, "german"))
    position.activation = activation_of(position, "german", {"own": ()}, {"own": "move"})
    second = Mind(position, "german")
    assert second.known is first.known
    assert thoughts(second) == before
    assert Mind(position, "soviet").known is not first.known
    position.change("friend", state="disrupted")
    assert Mind(position, "german").known is not first.known


def test_open_steps_are_found_anew_only_around_units_that_change(monkeypatch: pytest.MonkeyPatch) -> None:
    game = draw(tank=german("ger-pz3", "A1"), foot=german("ger-inf", "A1"), foe=soviet("sov-inf", "P10"))
    position, ground = game.state, ground_of(game.state)
    asked: list[str] = []
    steps = ground.steps

    def counted(position: Position, unit: Any, hex: str) -> Any:
        asked.append(hex)
        return steps(position, unit, hex)

    monkeypatch.setattr(ground, "steps", counted)
    first = reached(Mind(position, "german"))
    asked.clear()
    monkeypatch.setattr(memory_of(position), "reckoned", Memory(position.setting).reckoned)
    assert reached(Mind(position, "german")) == first
    assert set(asked) == {"1-A1"}, "the hex where a move begins is another matter [5.11]"
    position.put("foe", "1-A3")
    asked.clear()
    assert reached(Mind(position, "german")) != first
    assert "1-A2" in asked


def test_kept_steps_heed_wrecks_and_mines(monkeypatch: pytest.MonkeyPatch) -> None:
    """16.3: three wrecks bar a hex; 16.41: moves end in enemy mines."""
    game = draw(tank=german("ger-pz3", "A1"), foot=german("ger-inf", "A1"), foe=soviet("sov-inf", "P10"))
    position = game.state
    before = reached(Mind(position, "german"))
    position.change_works("1-A3", wrecks=3)
    wrecked = reached(Mind(position, "german"))
    assert wrecked != before
    assert wrecked == reached(fresh(position, "german", monkeypatch))
    position.change_works("1-A2", mines=(Mine("soviet", 1),))
    mined = reached(Mind(position, "german"))
    assert mined != wrecked
    assert mined == reached(fresh(position, "german", monkeypatch))


def test_steps_by_night_heed_friends_who_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    """5.5: by night a unit without a leader goes only where friends are."""
    friends = {"foot": german("ger-inf", "A1"), "next": german("ger-inf", "A2"), "far": german("ger-inf", "A3")}
    game = draw(special={"night": [1]}, foe=soviet("sov-inf", "P10"), **friends)
    position = game.state
    position.control.clear()
    before = reached(Mind(position, "german"))["foot", False]
    position.put("far", "1-F5")
    after = reached(Mind(position, "german"))["foot", False]
    assert after != before
    assert after == reached(fresh(position, "german", monkeypatch))["foot", False]


def test_games_on_one_map_share_lines_of_sight_but_not_the_weather() -> None:
    """8.1, 8.21: a line is traced once for all games; other readings and other turns of night are another matter."""
    own, foe = german("ger-inf", "A1"), soviet("sov-inf", "P10")
    day, again = draw(own=own, foe=foe).state, draw(own=own, foe=foe, turn=2).state
    night = draw(own=own, foe=foe, special={"night": [1]}).state
    assert again.setting.sight_facts is day.setting.sight_facts is night.setting.sight_facts
    assert spotting.visibility(day) == day.charts.figure("sight")
    assert spotting.visibility(night) == day.charts.figure("sight at night")
    other = draw(own=own, foe=foe, options=["R8.21"]).state
    assert other.setting.sight_facts is not day.setting.sight_facts


def test_leaders_look_once_at_a_hex_for_all_batteries(monkeypatch: pytest.MonkeyPatch) -> None:
    """9.1: which leader spots an enemy does not depend on the battery."""
    mortars = {f"mortar{number}": german("ger-mortar-81", "A1") for number in range(3)}
    position = draw(lt=leader("german", "A4"), foe=soviet("sov-inf", "A5"), **mortars).state
    looked: list[str] = []
    no_observer = bombardment.no_observer

    def counted(position: Position, side: Side, hex: str) -> Any:
        looked.append(hex)
        return no_observer(position, side, hex)

    monkeypatch.setattr(bombardment, "no_observer", counted)
    assert hits(Mind(position, "german")) == {name: ["1-A5"] for name in mortars}
    assert looked == ["1-A5"]


def test_the_menace_to_an_objective_is_weighed_anew_only_when_an_enemy_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    held = [{"side": "german", "condition": "control", "hexes": ["1-A1"], "points": 5}]
    holds = [marker("control", "A1", side="german")]
    game = draw(own=german("ger-inf", "A1"), foe=soviet("sov-inf", "P10"), victory=held, markers=holds)
    position, ground = game.state, ground_of(game.state)
    asked: list[str] = []
    turns = ground.turns

    def counted(position: Position, unit: Any, hex: str, goal: str) -> float:
        asked.append(hex)
        return turns(position, unit, hex, goal)

    monkeypatch.setattr(ground, "turns", counted)
    far = Mind(position, "german").goals
    position.change("own", marked=True)
    assert Mind(position, "german").goals == far
    assert asked == ["1-P10"]
    position.put("foe", "1-A5")
    assert Mind(position, "german").goals != far
    assert asked == ["1-P10", "1-A5"]
