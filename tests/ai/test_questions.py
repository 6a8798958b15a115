"""How often somebody who plays against the computer is asked about reaction fire, with the orders as they come."""

from __future__ import annotations

import random

import pytest

from opfire.ai import players
from opfire.core import scenario
from opfire.core.match import Match
from opfire.rulesets.case_orange.actions import Pass
from opfire.rulesets.case_orange.reaction import OpportunityFire


def asked(orders: dict[str, object], seed: int) -> int:
    """The most questions in one Soviet player turn to a German who lets everything pass, at the Mill Ford."""
    match = Match.start(scenario.text_of("mill-ford"), key=bytes([seed]) * 32, nonces={"german": "1", "soviet": "1"})
    match.give_orders("german", orders)
    computer, rng = players()["greedy"], {seat: random.Random(seat) for seat in match.game.seats}
    questions: dict[int, int] = {}
    match.go_on()
    while not match.over:
        seat, game = match.game.asked()[0], match.game
        if seat == "german" and isinstance(game.stack[-1], OpportunityFire):
            questions[game.state.turn] = questions.get(game.state.turn, 0) + 1
            match.play(seat, Pass())
        else:
            match.answer(seat, computer.choose(game, seat, rng[seat]), "greedy")
    return max(questions.values(), default=0)


@pytest.mark.parametrize("seed", [1, 2])
def test_at_most_ten_questions_in_a_player_turn(seed: int) -> None:
    assert 0 < asked({}, seed) <= 10


def test_the_player_says_how_many_are_enough() -> None:
    eager = {"least_chance": 1, "again": "always", "most": 99}
    assert asked(eager | {"most": 2}, 1) == 2 < asked(eager, 1)


def test_about_a_unit_that_came_no_nearer_nobody_is_asked_again() -> None:
    eager = {"least_chance": 1, "most": 99}
    assert asked(eager | {"again": "nearer"}, 1) < asked(eager | {"again": "always"}, 1)
