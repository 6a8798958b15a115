"""The number of questions about opportunity fire for a player against the computer."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from opfire.ai import players
from opfire.core import scenario
from opfire.core.match import Match
from opfire.kit.orders import Pass
from opfire.rulesets.case_orange.reaction import OpportunityFire
from opfire.rulesets.panzerblitz_miniatures.actions import Pass as HoldFire


def asked(name: str, side: str, seed: int, turns: int, orders: dict[str, object]) -> tuple[int, Match]:
    """The most questions in one enemy player turn to somebody who lets everything pass, and the game."""
    match = Match.start(scenario.text_of(name), key=bytes([seed]) * 32, nonces={"german": "1", "soviet": "1"})
    match.give_orders(side, orders)
    computer, rng = players()["greedy"], {seat: random.Random(f"{seat}{seed}") for seat in match.game.seats}
    questions: Counter[int] = Counter()
    match.go_on()
    while not match.over and match.game.state.turn <= turns:
        seat, game = match.game.asked()[0], match.game
        if seat == side and isinstance(game.stack[-1], OpportunityFire):
            questions[game.state.turn] += 1
            match.play(seat, Pass())
        else:
            match.answer(seat, computer.choose(game, seat, rng[seat]), "greedy")
    return max(questions.values(), default=0), match


@pytest.mark.rule("case-orange", "6.0")
@pytest.mark.parametrize(
    ("name", "side", "seed", "turns"),
    [
        ("mill-ford", "german", 1, 99),
        ("mill-ford", "soviet", 2, 99),
        ("lake-beloye", "german", 1, 4),
        ("hill-231", "soviet", 1, 4),
    ],
)
def test_with_the_orders_as_they_come_at_most_ten_questions_in_an_enemy_turn(
    name: str, side: str, seed: int, turns: int
) -> None:
    most, _ = asked(name, side, seed, turns, {})
    assert 0 < most <= 10


@pytest.mark.rule("case-orange", "6.0")
def test_where_more_would_be_asked_the_player_is_told_once_a_turn() -> None:
    most, match = asked("lake-beloye", "german", 1, 5, {"most": 0, "least_chance": 1})
    assert most > 2
    assert not told(match, "german")
    most, match = asked("lake-beloye", "german", 1, 5, {"most": 2, "least_chance": 1})
    assert most <= 2
    assert told(match, "german")
    assert max(told(match, "german").values()) == 1
    assert not told(match, "soviet")


def told(match: Match, side: str) -> Counter[int]:
    """The number of times that the side was told in each turn that its orders let shots pass."""
    turns: Counter[int] = Counter()
    turn = 0
    for _, event in match.log_for(side):
        turn += event.kind == "turn"
        turns[turn] += event.kind == "orders"
    return +turns


@pytest.mark.rule("panzerblitz-miniatures", "OPP-6", "AIP-2")
@pytest.mark.parametrize(("name", "turns"), [("mini-valmont", 2), ("mini-oudewaal", 3)])
def test_on_the_free_table_too(name: str, turns: int) -> None:
    """All questions in the enemy's player turns count, those about aircraft and assaults as well."""
    text, side = scenario.text_of(name), "german"
    match = Match.start(text, key=bytes([1]) * 32, nonces=dict.fromkeys(scenario.parse(text, name).sides, "1"))
    match.give_orders(side, {})
    computer, rng = players()["greedy"], {seat: random.Random(f"{seat}1") for seat in match.game.seats}
    questions: Counter[int] = Counter()
    match.go_on()
    while not match.over and (position := match.game.state).turn <= turns:
        seat, game = match.game.asked()[0], match.game
        if seat == side != position.current and HoldFire() in game.choices(seat):
            questions[position.turn] += 1
            match.play(seat, HoldFire())
        else:
            match.answer(seat, computer.choose(game, seat, rng[seat]), "greedy")
    assert 0 < max(questions.values()) <= 10
