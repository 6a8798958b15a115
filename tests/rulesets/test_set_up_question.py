"""The question of a set-up, in every book: it says when all is in place, and how the set-up ends."""

from __future__ import annotations

from random import Random

import pytest

from opfire.core.actions import NOBODY
from opfire.core.match import Match
from opfire.core.scenario import load, text_of
from opfire.kit.setup import Ready

SCENARIOS = ("hill-231", "panzer-first-duel", "pg-stepnoye", "mini-yagodka", "armour-first-evening", "armour-stonne")
"""The Soviets of Stepnoye lay mines once their units stand."""


def can_end(match: Match, seat: str) -> bool:
    """Whether the seat may declare its set-up complete."""
    return any(isinstance(action, Ready) for action in match.game.choices(seat).of(NOBODY))


def waits(match: Match, side: str) -> bool:
    """Whether a unit of that side is still to be placed."""
    units = [unit for unit in match.game.state.units.values() if unit.side == side]
    return any(unit.status == "to place" and unit.carrier is None for unit in units)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_it_says_that_all_is_in_place_once_it_is(scenario: str) -> None:
    sides = load(scenario).sides
    match = Match.start(text_of(scenario), {}, dict.fromkeys(sides, "1"), bytes(32))
    match.go_on()
    rng, ended = Random(1), set()
    while match.game.stack[-1].step == "set-up":
        (seat,) = match.game.deciders()
        if type(match.game.stack[-1]).__name__ != "SetUp":
            # Observers are named before, in a question of their own.
            match.play(seat, match.game.choices(seat).sample(rng))
            continue
        asked, done = match.game.prompt(seat), can_end(match, seat)
        assert ("All your" in asked, "complete the set-up" in asked) == (not waits(match, seat), done)
        # The other side does not read off the question how far the set-up is.
        assert all("in their zones" in match.game.prompt(other) for other in sides if other != seat)
        match.play(seat, Ready() if done else match.game.choices(seat).sample(rng))
        ended |= {seat} if done else set()
    assert ended
