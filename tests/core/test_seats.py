"""Several seats on one side: who decides what, drafts that build on each other, who is answered for."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import pytest

from core import contract
from core.cases import CASES, SEATS
from opfire.core.actions import PROCEDURE, Action, IllegalAction, Refusal
from opfire.core.errors import BadInput
from opfire.core.flow import Frame
from opfire.core.match import Match
from opfire.core.record import Record
from rulesets import kit, overwatch
from rulesets.kit import Pass
from rulesets.overwatch import Command, Commands, Overwatch, Step

SHARED = CASES["shared"]
COMMANDS: tuple[tuple[str, Action], ...] = tuple(
    (seat, Command(f"{side}-{number}", "move"))
    for side, odd, even in (("german", "german-odd", "german-even"), ("soviet", "soviet", "soviet"))
    for number, seat in ((1, odd), (2, even), (3, odd))
)


ALSO = {"german-even": "german", "german-odd": "german", "soviet": "soviet"}


def in_order(sight: Any, seat: str, frame: Frame, action: Any) -> Refusal | None:
    """Commands build on each other: the first unit has to have its own before the second."""
    early = isinstance(frame, Commands) and len(frame.given) < int(action.unit[-1]) - 1
    return kit.no("{} comes later", "1.8", action.unit) if early else None


BUILDING = dataclasses.replace(overwatch.RULESET, id="toy-building", barred=in_order)


@pytest.fixture(autouse=True)
def building(toys: None) -> Iterator[None]:
    with contract.registered(BUILDING):
        yield


def moving() -> Match:
    """Everybody has commands to move, and the german side is to move."""
    match = contract.start(SHARED, 1)
    for seat, action in COMMANDS:
        match.play(seat, action)
    match.play("soviet", Pass())
    return match


def step(match: Match, seat: str, action: Step) -> None:
    """A step, which everybody lets pass."""
    match.play(seat, action)
    while isinstance(match.game.stack[-1], Overwatch):
        match.play(next(seat for seat in SEATS if len(match.game.choices(seat))), Pass())


def test_a_seat_has_only_what_no_other_seat_of_its_side_has_to_decide() -> None:
    game = contract.start(SHARED, 1).game
    assert {action.unit for action in game.choices("german-odd")} == {"german-1", "german-3"}
    assert {action.unit for action in game.choices("german-even")} == {"german-2"}
    refusal = game.why_not("german-even", Command("german-1", "move"))
    assert refusal is not None
    assert refusal.rule == "1.9"
    with pytest.raises(IllegalAction, match="german-1 is not under german-even"):
        game.play("german-even", Command("german-1", "move"))


def test_a_seat_of_an_asked_side_may_have_nothing_to_decide() -> None:
    game = contract.start(SHARED, 1).game
    game.play("german-even", Command("german-2", "move"))
    assert "german" in game.asked()
    assert len(game.choices("german-even")) == 0
    assert len(game.choices("german-odd")) == 4
    assert game.deciders() == ("german-odd", "soviet")


def test_where_a_side_has_one_seat_nobody_is_barred() -> None:
    match = Match.start(SHARED.scenario, seats={"german-even": "german", "soviet": "soviet"})
    assert {action.unit for action in match.game.choices("german-even")} == {"german-1", "german-2", "german-3"}
    assert match.game.why_not("german-even", Command("german-1", "move")) is None


def test_a_ruleset_that_bars_nobody_leaves_everything_to_every_seat_of_the_side() -> None:
    match = Match.start(kit.scenario("toy-overwatch"), seats=SEATS)
    assert match.game.ruleset is not SHARED.ruleset
    assert list(match.game.choices("german-odd")) == list(match.game.choices("german-even"))


@pytest.mark.parametrize(
    "seats",
    [{"german": "german"}, {"german": "german", "soviet": "romanian"}, {"spectator": "german", "soviet": "soviet"}],
)
def test_every_side_needs_a_seat_and_the_spectator_has_none(seats: dict[str, str]) -> None:
    with pytest.raises(BadInput, match="at least one at each of"):
        Match.start(SHARED.scenario, seats=seats)


def test_a_seat_cannot_take_back_what_another_has_built_on() -> None:
    match = contract.start(contract.Case(BUILDING, kit.scenario("toy-building"), seats=SEATS), 1)
    match.play("german-odd", Command("german-1", "move"))
    match.play("german-even", Command("german-2", "move"))
    with pytest.raises(IllegalAction, match="german-even has built on this") as caught:
        match.undo("german-odd")
    assert caught.value.refusal.rule == PROCEDURE
    assert len(match.draft) == 2
    match.undo("german-even")
    match.undo("german-odd")
    assert match.draft == []


def test_seats_of_a_side_see_each_others_drafts_and_the_other_side_does_not() -> None:
    match = contract.start(SHARED, 1)
    match.play("german-odd", Command("german-1", "overwatch"))
    assert match.shown("german-even").state.units == match.shown("german-odd").state.units
    assert "german-1" in match.record_for("german-even").dump()
    assert "german-1" not in match.record_for("soviet").dump()


def test_what_seats_of_a_side_build_on_each_other_in_secret_is_recorded_in_that_order() -> None:
    match = contract.start(contract.Case(BUILDING, kit.scenario("toy-building"), seats=ALSO), 1)
    soviet = [("soviet", Command(f"soviet-{number}", "move")) for number in (1, 2, 3)]
    german = [
        ("german-odd", Command("german-1", "move")),
        ("german-even", Command("german-2", "move")),
        ("german-odd", Command("german-3", "move")),
    ]
    for seat, action in (*soviet, *german):
        match.play(seat, action)
    assert [line.seat for line in match.record.lines] == [seat for seat, _ in (*german, *soviet)]
    assert Match.resume(match.record.dump(), match.key).record.dump() == match.record.dump()


def test_nobody_is_answered_for_while_two_seats_may_decide() -> None:
    match = moving()
    step(match, "german-even", Step("german-2", -1))
    assert list(match.game.choices("german-even")) == [Pass()]
    assert Step("german-1", -1) in match.game.choices("german-odd")
    assert match.game.forced() is False
    assert match.go_on() == []


def test_the_header_says_who_sits_where_and_the_record_replays() -> None:
    match = moving()
    record = Record.load(match.record.dump())
    assert record.header.seats == SEATS
    assert record.told().replay().stack == match.game.stack
