"""Micro Armour as a whole: random games of every scenario, and what holds after every decision."""

from __future__ import annotations

import random

import pytest

from opfire.core import scenario as scenarios
from opfire.core.dice import Dice
from opfire.core.fuzz import HABITS
from opfire.core.game import Game
from opfire.core.options import every_option, with_options
from opfire.core.record import new_game
from opfire.rulesets.micro_armour import RULESET
from opfire.rulesets.micro_armour.formations import all_broken, is_broken
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

GAMES = {
    "armour-first-evening": 20,
    "armour-introductory": 16,
    "armour-korsa-crossing": 32,
    "armour-night-at-zelenka": 20,
    "armour-pont-rouge": 78,
    "armour-bir-el-gubi": 6,
    "armour-black-monday": 2,
    "armour-costly-setback": 8,
    "armour-sidi-suleiman": 8,
    "armour-stonne": 4,
    "armour-state-farm": 4,
    "armour-stark-resistance": 2,
}
"""The random games of each scenario, 200 in all; there are fewer where many stands make them long."""

WHOLE = [*SMALL, "armour-korsa-crossing", "armour-pont-rouge"]
"""Scenarios of which two games are played to their ends, too: the first one, and one with all options."""

ALL = every_option(RULESET.id)
"""The optional rules and other readings, all of which go together."""

EVENLY = {"armour-first-evening", "armour-korsa-crossing", "armour-night-at-zelenka", "armour-pont-rouge"}
"""Scenarios for both habits of random players; elsewhere they draw a stand first, which is much quicker."""

BATCH = 8
BATCHES = [(name, first) for name, games in GAMES.items() for first in range(0, games, BATCH)]
MOST, CUT = 8_000, 400
"""More decisions than any random game takes, and those after which a game of two turns is cut."""


def randomly(name: str, seed: int, turns: int, cut: int = MOST) -> Game[Position]:
    """A random game up to the end of a turn, or up to the decision at which it is cut.

    Two of four have all options on, one for each habit of random players.
    """
    found = with_options(SCENARIOS[name], ALL) if seed % 4 > 1 else SCENARIOS[name]
    made, rng = new_game(RULESET, found, Dice(seed.to_bytes(32, "big"))), random.Random(f"{name} {seed}")
    choose = HABITS[seed % len(HABITS) if name in EVENLY else 0]
    for _ in range(cut):
        if made.outcome is not None or made.state.turn > turns:
            return made
        seat = made.deciders()[0]
        choices = made.choices(seat)
        assert choices, f"nobody can go on: {made.stack[-1]}"
        made.play(seat, choose(made, seat, choices, rng))
        sound(made.state)
    assert cut < MOST, f"{name} {seed} does not end"
    return made


def sound(position: Position) -> None:
    """Check what holds after every decision of a game.

    Only stands of broken forces fire in the movement posture [12.1.5-7].
    """
    for unit in position.units.values():
        assert (unit.at is None) == (unit.status != "on the table") or unit.carrier is not None
        if unit.fired and unit.posture == "movement" and unit.shots and not position.progress:
            assert is_broken(position, unit)
    assert all(work.at in position.table for work in position.works.values())


def test_the_random_games_are_200_of_all_scenarios() -> None:
    assert GAMES.keys() == SCENARIOS.keys()
    assert sum(GAMES.values()) == 200


@pytest.mark.parametrize(("name", "first"), BATCHES)
def test_random_games_of_two_turns(name: str, first: int) -> None:
    for seed in range(first, min(first + BATCH, GAMES[name])):
        made = randomly(name, seed, 2, CUT)
        # Paratroopers may break in their landing, and then the enemy may fight on no more [12.1.5-8].
        assert made.outcome is None or any(all_broken(made.state, side) for side in made.state.setting.sides)


@pytest.mark.parametrize("seed", [0, 2])
@pytest.mark.parametrize("name", WHOLE)
def test_a_random_game_ends(name: str, seed: int) -> None:
    assert randomly(name, seed, 99).outcome is not None


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
