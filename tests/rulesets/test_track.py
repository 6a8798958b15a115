"""The track names the part of the turn that is played, whatever procedure runs in it."""

from __future__ import annotations

import random

import pytest

from opfire.ai import players
from opfire.core.match import Match
from opfire.core.scenario import load, text_of

DECISIONS = 300
GAMES = (
    ("mill-ford", False),
    ("pg-sosnovka", False),
    ("mini-yagodka", False),
    ("panzer-first-duel", True),
    ("armour-first-evening", False),
)
"""Played at random, but for Panzer, in which chance announces few shots."""


@pytest.mark.parametrize(("scenario", "greedily"), GAMES)
def test_one_part_of_the_track_is_the_present_one_at_every_decision(scenario: str, greedily: bool) -> None:
    match = Match.start(text_of(scenario), key=bytes([1]) * 32, nonces=dict.fromkeys(load(scenario).sides, "1"))
    rng, played = random.Random(1), 0
    for _ in range(DECISIONS):
        if match.over:
            break
        side = match.game.asked()[0]
        seat = next(seat for seat, own in match.game.seats.items() if own == side)
        shown = match.game.view(seat)
        if shown["turn"]:
            played += 1
            present = [part["id"] for part in shown["track"] if part["now"]]
            assert len(present) == 1, [frame.step for frame in match.game.stack]
        if greedily:
            match.answer(seat, players()["greedy"].choose(match.game.imagine(seat, rng), seat, rng), "greedy")
        else:
            match.play(seat, match.game.choices(seat).sample(rng))
    assert played > 50
