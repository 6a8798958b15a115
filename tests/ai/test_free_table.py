"""Computer players on the free table: a region is an offer, and its example is no choice of its own."""

from __future__ import annotations

import dataclasses
import random
from typing import Any

import pytest

from core.contract import registered
from opfire.ai import players
from opfire.commands.fuzz import play_out
from opfire.core.actions import NOBODY, Region
from opfire.core.dice import Dice
from opfire.core.fuzz import Job
from opfire.core.game import Game
from opfire.core.record import new_game
from opfire.core.ruleset import Ruleset, Suggestion
from rulesets import battlefield
from rulesets.battlefield.rules import End, Move, State, Stop

GOAL = Move("red-1", (9_000, 11_000), 100)


def eastwards(sight: State, side: str) -> float:
    """The sum of a side's ways to the east, in inches."""
    return sum(stand.at[0] for stand in sight.of(side)) / 1000


def begun(**more: Any) -> Game[Any]:
    ruleset: Ruleset = dataclasses.replace(battlefield.RULESET, **more)
    return new_game(ruleset, battlefield.SCENARIO, Dice(bytes(32)))


def test_greedy_plays_a_suggestion_inside_a_region() -> None:
    game = begun(suggest=lambda sight, side, frame, choices: [Suggestion(GOAL, 1.0, "there", (Stop("red-1"),))])
    greedy = players()["greedy"]
    assert greedy.choose(game, "red", random.Random(1)) == GOAL
    game.play("red", GOAL)
    assert greedy.choose(game, "red", random.Random(1)) == Stop("red-1")


def test_greedy_leaves_a_suggestion_outside_of_every_region_alone() -> None:
    far = Move("red-1", (20_000, 10_000), 90)
    found = [Suggestion(far, 2.0, "too far"), Suggestion(GOAL, 1.0, "there")]
    game = begun(suggest=lambda sight, side, frame, choices: found)
    assert players()["greedy"].choose(game, "red", random.Random(1)) == GOAL
    assert "too far" not in players()["greedy"].explain(game, "red")


def test_greedy_without_suggestions_weighs_points_of_the_regions() -> None:
    game = begun(appraise=eastwards)
    chosen = players()["greedy"].choose(game, "red", random.Random(1))
    examples = [offer.example for offer in game.choices("red").offers() if isinstance(offer, Region)]
    assert isinstance(chosen, Move)
    assert chosen not in examples
    assert chosen.to[0] > 6_000


@pytest.mark.parametrize("name", ["random", "advance", "greedy"])
def test_every_player_plays_what_the_rules_allow_to_the_end(name: str) -> None:
    game, rng = begun(appraise=eastwards), random.Random(3)
    player = players()[name]
    for _ in range(1000):
        if game.outcome is not None:
            break
        (seat,) = game.asked()
        game.play(seat, player.choose(game, seat, rng))
    assert game.outcome is not None


def test_a_region_is_never_the_only_answer() -> None:
    game = begun()
    assert game.choices("red").single() is None
    game.play("red", GOAL)
    group = game.choices("red").of("red-1")
    assert [type(offer) for offer in group] == [Region, Stop]
    assert game.choices("red").single() is None
    assert NOBODY not in game.choices("red").actors()
    game.play("red", Stop("red-1"))
    assert End() in game.choices("red")


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_fuzz_plays_whole_games_with_every_player(name: str) -> None:
    with registered(battlefield.RULESET):
        played = play_out(Job("toy-table", "skirmish", battlefield.SCENARIO, "7", 1000, {}, name))
    assert (played.ended, played.record) == ("over", "")
