"""Micro Armour as a whole: random games of every scenario, and what holds after every decision."""

from __future__ import annotations

import random

import pytest

from opfire.core import scenario as scenarios
from opfire.core.dice import Dice
from opfire.core.game import Game
from opfire.core.record import new_game
from opfire.rulesets.micro_armour import RULESET
from opfire.rulesets.micro_armour.pieces import Position
from opfire.rulesets.micro_armour.setup import unfit
from rules.micro_armour.kit import rule

SCENARIOS = {
    name: path.read_text(encoding="utf-8")
    for name, path in scenarios.files().items()
    if scenarios.read(path).ruleset == RULESET.id
}
SMALL = ["armour-first-evening", "armour-introductory"]
"""Scenarios with so few stands that whole games are quick."""

MOST = 8_000
"""More decisions than any random game takes."""


def randomly(name: str, seed: int, turns: int) -> Game[Position]:
    """A random game up to a turn."""
    made, rng = new_game(RULESET, SCENARIOS[name], Dice(seed.to_bytes(32, "big"))), random.Random(f"{name} {seed}")
    for _ in range(MOST):
        if made.outcome is not None or made.state.turn > turns:
            return made
        seat = made.deciders()[0]
        choices = made.choices(seat)
        assert choices, f"nobody can go on: {made.stack[-1]}"
        made.play(seat, choices.sample(rng))
        sound(made.state)
    pytest.fail(f"{name} {seed} does not end")


def sound(position: Position) -> None:
    """Check what holds after every decision of a game."""
    for unit in position.units.values():
        assert (unit.at is None) == (unit.status != "on the table") or unit.carrier is not None
        assert not (unit.fired and unit.posture == "movement" and unit.shots and not position.progress)
    assert all(work.at in position.table for work in position.works.values())


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", SMALL)
def test_a_random_game_ends(name: str, seed: int) -> None:
    turns = 99 if seed == 0 else 2
    made = randomly(name, seed, turns)
    assert (made.outcome is not None) == (seed == 0)


@pytest.mark.parametrize("name", [name for name in SCENARIOS if name not in SMALL])
def test_a_random_game_of_many_stands_has_no_dead_end_in_its_first_hundred_decisions(name: str) -> None:
    made, rng = new_game(RULESET, SCENARIOS[name], Dice(bytes(32))), random.Random(name)
    for _ in range(100):
        seat = made.deciders()[0]
        made.play(seat, made.choices(seat).sample(rng))
    sound(made.state)


@rule("8.3.4")
@pytest.mark.parametrize("name", SMALL)
def test_8_3_4_no_two_stands_overlap_when_a_turn_has_ended(name: str) -> None:
    made = randomly(name, 7, 1).state
    for unit in made.all():
        assert unit.at is not None
        refusal = unfit(made, unit, unit.at, unit.facing)
        assert refusal is None or refusal.rule != "8.3.4"


@pytest.mark.parametrize("name", SMALL)
def test_the_track_names_each_step_of_the_turn_once(name: str) -> None:
    made = randomly(name, 1, 0)
    steps = [part["id"] for part in made.view(next(iter(made.seats)))["track"]]
    assert steps
    assert len(set(steps)) == len(steps)
