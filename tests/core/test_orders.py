"""Standing orders that save questions: what they are told, what their seat is told, what is kept."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import pytest

from core import contract
from core.test_match import ROAD, Driving, Go, match_of
from opfire.core.actions import Action
from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.match import Match
from opfire.core.orders import Answer, Ask, Asked, Spare
from rulesets.kit import Pass


class Fire(Action):
    kind = "react"


class Window(Frame):
    """The other side may fire, or let it pass; nothing comes of it."""

    takes = (Fire, Pass)

    def acts(self, sight: Any, side: str, actor: str) -> list[Action]:
        return [Pass(), Fire()]

    def play(self, game: Any, action: Any) -> None:
        game.pop()


class Open(Driving):
    """One side drives along, and after each step the other may fire."""

    def play(self, game: Any, action: Any) -> None:
        game.state.at = action.to
        game.state.turn = 1 + action.to // 10
        game.push(Window("soviet"))


def answer(sight: Any, side: str, frame: Frame, orders: Any, choices: list[Action], asked: Sequence[Asked]) -> Answer:
    """Two questions a turn, and none to a unit that has fired."""
    if not isinstance(frame, Window):
        return None
    if len(asked) < 2 and all(each.passed for each in asked):
        return Ask(Fraction(sight.at, 20))
    chances = ", ".join(str(each.chance) for each in asked)
    return Spare(Pass(), Event("orders", "{} spared after {}", (sight.at, chances), only=(side,)))


@pytest.fixture(autouse=True)
def windows() -> Iterator[None]:
    ruleset = dataclasses.replace(
        ROAD,
        frames=(Open, Window),
        actions=(Go, Fire, Pass),
        start=lambda given: (ROAD.start(given)[0], Open("german")),
        answer=answer,
    )
    with contract.registered(ruleset):
        yield


def drive(to: int, reaction: Action = Pass()) -> Match:  # noqa: B008
    """The German drives so far; the Soviet reacts in the same way whenever he is asked."""
    match = match_of("toy-road")
    for at in range(1, to + 1):
        match.play("german", Go(at))
        if match.game.asked() == ("soviet",):
            match.play("soviet", reaction)
    return match


def notices(match: Match, seat: str) -> list[str]:
    return [event.sentence() for _, event in match.log_for(seat) if event.kind == "orders"]


def asked(match: Match) -> int:
    """The number of windows that the Soviet seat answered itself."""
    return sum(line.seat == "soviet" and line.by == "" for line in match.record.lines)


def test_orders_know_what_their_seat_has_answered_itself_in_this_turn() -> None:
    assert asked(drive(9)) == 2
    assert asked(drive(9, Fire())) == 1
    assert asked(drive(19)) == 4, "a new turn"


def test_a_seat_is_told_once_in_a_turn_that_questions_are_spared() -> None:
    assert notices(drive(2), "soviet") == []
    assert notices(drive(9), "soviet") == ["3 spared after 1/20, 1/10"]
    assert notices(drive(19), "soviet") == ["3 spared after 1/20, 1/10", "12 spared after 1/2, 11/20"]


def test_nobody_else_learns_that_questions_are_spared() -> None:
    match = drive(9)
    for seat in ("german", "spectator"):
        assert notices(match, seat) == []
        assert all(line.by == "" for line in match.record_for(seat).lines)
    assert not any("spared" in sentence for line in match.record.lines for sentence in line.events)


def test_what_was_asked_and_told_outlasts_a_break() -> None:
    match = drive(9)
    again = Match.resume(match.record.dump(), match.key)
    assert notices(again, "soviet") == notices(match, "soviet")
    for each in (match, again):
        each.play("german", Go(10))
        each.play("soviet", Pass())
    assert again.record.dump() == match.record.dump()
    early = drive(1)
    early = Match.resume(early.record.dump(), early.key)
    for at in (2, 3):
        early.play("german", Go(at))
        if early.game.asked() == ("soviet",):
            early.play("soviet", Pass())
    assert asked(early) == 2


def test_a_question_whose_answer_is_taken_back_is_not_spent() -> None:
    class Twice(Driving):
        """After each step two windows, one straight after the other: the first answer is a draft."""

        def play(self, game: Any, action: Any) -> None:
            game.state.at = action.to
            game.push(Window("soviet"))
            game.push(Window("soviet"))

    seen: list[int] = []

    def three(
        sight: Any, side: str, frame: Frame, orders: Any, choices: list[Action], asked: Sequence[Asked]
    ) -> Answer:
        if not isinstance(frame, Window):
            return None
        seen.append(len(asked))
        return Ask(Fraction(1, 2))

    ruleset = dataclasses.replace(
        ROAD,
        frames=(Twice, Window),
        actions=(Go, Fire, Pass),
        start=lambda given: (ROAD.start(given)[0], Twice("german")),
        answer=three,
    )
    with contract.registered(ruleset):
        match = match_of("toy-road")
        match.play("german", Go(1))
        match.play("soviet", Pass())
        match.undo("soviet")
        match.play("soviet", Pass())
        assert max(seen) == 0
        match.play("soviet", Pass())
        match.play("german", Go(2))
        assert max(seen) == 2


# --- secrets ---------------------------------------------------------------------------------------------------------


def with_secret(own: Answer, common: Answer) -> Match:
    """The German has driven one step; these are the verdicts of the Soviet orders, by own and by common knowledge."""

    def sight(state: Any, side: str) -> Any:
        seen = state.copy()
        seen.turn = 1 if side == "soviet" else 2
        return seen

    def verdict(
        sight: Any, side: str, frame: Frame, orders: Any, choices: list[Action], asked: Sequence[Asked]
    ) -> Answer:
        return (own if sight.turn == 1 else common) if isinstance(frame, Window) else None

    ruleset = dataclasses.replace(
        ROAD,
        frames=(Open, Window),
        actions=(Go, Fire, Pass),
        start=lambda given: (ROAD.start(given)[0], Open("german")),
        sight=sight,
        answer=verdict,
    )
    with contract.registered(ruleset):
        match = match_of("toy-road")
        match.play("german", Go(1))
    return match


ASKS = Ask(Fraction(1, 2))
SPARED = Spare(Pass(), Event("orders", "spared", only=("soviet",)))


@pytest.mark.parametrize("own", [ASKS, Pass(), SPARED])
def test_a_question_for_reasons_that_all_can_see_is_put_whatever_the_seat_knows(own: Answer) -> None:
    assert with_secret(own, ASKS).game.asked() == ("soviet",)


@pytest.mark.parametrize("common", [Pass(), SPARED])
def test_no_question_is_put_for_reasons_that_the_seat_alone_knows(common: Answer) -> None:
    match = with_secret(ASKS, common)
    assert match.game.asked() == ("german",)
    assert match.record.lines[-1].do == {"type": "Pass"}


@pytest.mark.parametrize("common", [Pass(), SPARED, ASKS])
def test_a_shot_that_the_orders_fire_is_fired_for_reasons_of_its_own(common: Answer) -> None:
    match = with_secret(Fire(), common)
    assert match.game.asked() == ("german",)
    assert match.record.lines[-1].do == {"type": "Fire"}
