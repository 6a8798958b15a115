"""Drafts, joint frames, routes, standing orders, who is asked, and what a record tells whom."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from core import contract
from opfire.core.actions import Action, IllegalAction
from opfire.core.errors import BadInput, RecordBroken
from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.game import Outcome
from opfire.core.match import Match
from opfire.core.orders import Asked
from opfire.core.record import Record, taken_back
from opfire.core.ruleset import Ruleset
from opfire.core.verify import verify
from rulesets import hidden, kit, overwatch
from rulesets.hidden import Dummy, Hide, March
from rulesets.kit import Pass
from rulesets.overwatch import Command, Step


class Go(Action):
    to: int


class Answer(Action):
    fire: bool

    @property
    def kind(self) -> str:  # a pass is what does not fire
        return "fire" if self.fire else "pass"


class Say(msgspec.Struct, frozen=True):
    """Standing orders: whether to answer at all."""

    never: bool = False


class Road(msgspec.Struct):
    setting: kit.Setting
    at: int = 0
    turn: int = 1

    def copy(self) -> Road:
        return Road(self.setting, self.at, self.turn)


class Driving(Frame):
    """One side drives along; at odd places the other may fire; at 9 there is a roll."""

    takes = (Go,)

    def acts(self, sight: Any, side: str, actor: str) -> list[Go]:
        return [Go(sight.at + 1), Go(sight.at + 2)]

    def refusal(self, sight: Any, side: str, action: Any) -> Any:
        return None if action in self.offers(sight, side) else kit.no("{} is not next", "1", action.to)

    def play(self, game: Any, action: Any) -> None:
        game.state.at = action.to
        game.tell(Event("moved", "to {}", (action.to,)))
        if action.to == 9:
            game.roll(1, 6)
        if action.to % 2:
            game.push(Answering("soviet"))


class Answering(Frame):
    takes = (Answer,)

    def acts(self, sight: Any, side: str, actor: str) -> list[Answer]:
        return [Answer(False), *([Answer(True)] if sight.at > 3 else [])]

    def play(self, game: Any, action: Any) -> None:
        game.pop()


class Plot(Frame):
    """Both sides commit, round after round; after the third the game is over."""

    takes = (Go,)
    done: tuple[str, ...] = ()

    def asks(self, sight: Any) -> tuple[str, ...]:
        return tuple(side for side in ("german", "soviet") if side not in self.done)

    def acts(self, sight: Any, side: str, actor: str) -> list[Go]:
        return [Go(1), Go(2)]

    def play(self, game: Any, action: Any) -> None:
        done = (*self.done, game.actor)
        if len(done) < 2:
            return game.swap(replace(self, done=done))
        game.state.turn += 1
        if game.state.turn > 3:
            return game.finish(Outcome(None, "plain", "three rounds"))
        game.swap(Plot(self.side))


def answer(
    sight: Any, side: str, frame: Frame, orders: Any, choices: list[Action], asked: Sequence[Asked]
) -> Action | None:
    return Answer(False) if orders.never and side == "soviet" else None


ROAD = Ruleset(
    id="toy-road",
    title="Road",
    edition="toy",
    version="1",
    package=kit.HERE,
    frames=(Driving, Answering),
    actions=(Go, Answer),
    state=Road,
    setting=kit.setting,
    start=lambda given: (Road(given), Driving("german")),
    view=lambda sight, side, frame: {"at": sight.at},
    orders=Say,
    answer=answer,
)


PLOTS = dataclasses.replace(ROAD, frames=(Plot,), start=lambda given: (Road(given), Plot("german")))


@pytest.fixture(autouse=True)
def road() -> Iterator[None]:
    with contract.registered(ROAD):
        yield


def match_of(ruleset: str) -> Match:
    return Match.start(kit.scenario(ruleset), nonces={"german": "g", "soviet": "s"}, key=bytes(32))


def told(match: Match, seat: str) -> list[tuple[str, str]]:
    return [(line.seat, line.what) for line in match.record_for(seat).lines]


# --- joint frames ----------------------------------------------------------------------------------------


def committed(*orders: tuple[str, str, str]) -> Match:
    match = match_of("toy-overwatch")
    for seat, unit, command in orders:
        match.play(seat, Command(unit, command))
    return match


ALL = [(side, f"{side}-{n}", "move") for side in ("german", "soviet") for n in (1, 2, 3)]


def test_joint_decisions_stand_in_seat_order_whoever_was_first() -> None:
    forwards, backwards = committed(*ALL), committed(*reversed(ALL))
    mixed = committed(*(ALL[at] for at in (3, 0, 4, 1, 5, 2)))
    for match in (forwards, backwards, mixed):
        assert [line.seat for line in match.record.lines] == ["german"] * 3 + ["soviet"] * 3
        assert match.draft == []
    assert mixed.record.dump() == forwards.record.dump()


def test_until_all_have_committed_each_may_take_back_its_own() -> None:
    match = committed(*ALL[:5])
    match.undo("german")
    match.play("german", Command("german-3", "overwatch"))
    assert told(match, "soviet") == [("soviet", "play")] * 2
    assert match.shown("soviet").asked() == ("german", "soviet")  # whether they are done is not shown either
    assert match.shown("german").asked() == ("soviet",)
    match.play("soviet", Command("soviet-3", "move"))
    assert "undo" not in [line.what for line in match.record.lines]
    assert match.game.state.units["german-3"].command == "overwatch"
    with pytest.raises(IllegalAction, match="what all have committed"):
        match.undo("german")


def test_a_joint_frame_ends_although_its_last_committer_is_asked_next() -> None:
    match = committed(*ALL)  # soviet committed last, and as second side it moves first
    assert match.game.asked() == ("soviet",)
    assert match.settled_lines == 6


def test_joint_frames_one_straight_after_the_other_are_not_one_draft() -> None:
    with contract.registered(PLOTS):
        match = match_of("toy-road")
        for seat in ("soviet", "german", "soviet"):
            match.play(seat, Go(1))
    assert match.settled_lines == 2
    assert [line.seat for line in match.record.lines] == ["german", "soviet", "soviet"]
    with pytest.raises(IllegalAction, match="what all have committed"):
        match.undo("german")
    match.undo("soviet")


def test_when_a_frame_has_ended_the_game_nothing_is_settled_any_more() -> None:
    def settle(game: Any) -> None:
        assert game.outcome is None

    with contract.registered(dataclasses.replace(PLOTS, settle=settle)):
        match = match_of("toy-road")
        for seat in ("german", "soviet") * 3:
            match.play(seat, Go(1))
        assert [event.kind for _, event in match.log] == ["over"]


# --- secrets in records ----------------------------------------------------------------------------------


def set_up() -> Match:
    match = match_of("toy-hidden")
    for side, at in (("german", 3), ("soviet", 8)):
        match.play(side, Dummy(f"{side}-1"))
        match.play(side, Hide(at))
    return match


def test_before_the_end_nobody_gets_anothers_secrets_and_afterwards_all() -> None:
    match = set_up()
    seat = match.game.asked()[0]
    unit = f"{seat}-2"
    match.play(seat, March(unit, match.game.state.units[unit].at + 1))
    whole = match.record.lines[-1]
    assert whole.secret  # a secret roll was made
    assert match.barrier == "the last roll"
    for other in ("german", "soviet", "spectator"):
        lines = match.record_for(other).lines
        secret_ones = [line for line in lines if line.do and line.do["type"] in ("Dummy", "Hide")]
        assert {line.seat for line in secret_ones} <= {other}
        assert not any(line.secret or line.state or line.digest for line in lines)
        assert match.record_for(other).header.key == ""
    match.concede(seat)
    full = match.record_for("spectator")
    assert full.lines == match.record.lines
    assert full.header.key == "00" * 32
    assert verify(full).outcome["level"] == "conceded"


def test_a_question_with_one_answer_is_put_where_only_secrets_show_that_it_has_one() -> None:
    match = set_up()
    seat = match.game.asked()[0]
    unit = f"{seat}-1"
    step = 1 if seat == "german" else -1
    match.play(seat, March(unit, match.game.state.units[unit].at + step))
    other = match.game.state.setting.other(seat)
    if not isinstance(match.game.stack[-1], hidden.Ambush):
        pytest.fail("the secret roll of this key reveals: choose another key")
    assert match.game.asked() == (other,)
    assert Pass() in match.game.choices(other)


# --- routes, orders, questions ---------------------------------------------------------------------------


def test_a_question_with_one_answer_is_not_put_in_an_open_game() -> None:
    match = match_of("toy-road")
    match.play("german", Go(1))
    assert match.game.asked() == ("german",)
    assert [(line.seat, line.by) for line in match.record.lines] == [("german", ""), ("soviet", "only")]


def test_a_route_goes_on_through_passes_and_halts_at_anything_else() -> None:
    match = match_of("toy-road")
    match.play("german", Go(2), route=[Go(4), Go(5), Go(6)])
    assert match.game.state.at == 5
    match.play("soviet", Answer(False))
    assert match.game.state.at == 6
    match.play("german", Go(7), route=[Go(8)])
    match.play("soviet", Answer(True))
    assert match.game.state.at == 7


def test_a_route_halts_where_dice_fall_or_a_step_is_refused() -> None:
    match = match_of("toy-road")
    match.give_orders("soviet", {"never": True})
    match.play("german", Go(2), route=[Go(4), Go(6), Go(8), Go(9), Go(10)])
    assert match.game.state.at == 9
    match.play("german", Go(10), route=[Go(13), Go(12)])
    assert match.game.state.at == 10
    again = match_of("toy-road")
    again.give_orders("soviet", {"never": True})
    for to in (2, 4, 6, 8):
        again.play("german", Go(to))
    again.play("german", Go(9), route=[Go(10)])
    assert again.game.state.at == 9


def test_standing_orders_answer_and_others_cannot_tell() -> None:
    match = match_of("toy-road")
    match.give_orders("soviet", {"never": True})
    match.play("german", Go(2))
    match.play("german", Go(4))
    match.play("german", Go(5))
    assert match.record.lines[-1].by == "orders"
    assert told(match, "german") == [("german", "play")] * 3 + [("soviet", "play")]
    assert all(line.by == "" for line in match.record_for("german").lines)
    assert told(match, "soviet")[0] == ("soviet", "orders")
    assert Match.resume(match.record.dump(), match.key).orders == {"german": Say(), "soviet": Say(True)}
    with pytest.raises(BadInput):
        match.give_orders("soviet", {"never": 3})
    with pytest.raises(IllegalAction):
        match.give_orders("spectator", {})


def test_a_draft_ends_at_a_question_and_at_a_roll() -> None:
    match = match_of("toy-road")
    match.play("german", Go(2))
    match.play("german", Go(4))
    match.undo("german")
    assert (match.game.state.at, match.barrier) == (2, "the start of the game")
    match.play("german", Go(4))
    match.play("german", Go(5))
    assert match.barrier == "a question to the other side"
    match.play("soviet", Answer(False))
    match.play("german", Go(7))
    match.play("soviet", Answer(False))
    match.play("german", Go(9))
    assert match.barrier == "the last roll"


class Halt(Go):
    """Goes on like any other step, and stands."""

    barrier = "the halt"


def test_what_an_action_makes_stand_is_not_taken_back_nor_what_was_before_it() -> None:
    class Halting(Driving):
        takes = (Go, Halt)

        def refusal(self, sight: Any, side: str, action: Any) -> Any:
            return None

    ruleset = dataclasses.replace(
        ROAD,
        frames=(Halting, Answering),
        actions=(Go, Halt, Answer),
        start=lambda given: (Road(given), Halting("german")),
    )
    with contract.registered(ruleset):
        match = match_of("toy-road")
        match.play("german", Go(2))
        match.play("german", Halt(4))
        assert (match.barrier, match.draft) == ("the halt", [])
        with pytest.raises(IllegalAction, match="the halt"):
            match.undo("german")
        match.play("german", Go(6))
        match.undo("german")
        assert match.game.state.at == 4


# --- records ---------------------------------------------------------------------------------------------


def test_an_undo_takes_back_its_own_seats_last_decision() -> None:
    match = committed(*ALL[:2], ALL[3])
    match.undo("german")
    assert taken_back(match.record.lines) == {3: 1}
    record = Record(with_key(match), match.record.lines)
    assert record.replay().digest() == match.game.digest()
    assert [unit for _, unit, _ in match.game.stack[-1].given] == ["german-1", "soviet-1"]


def test_taking_back_twice_leaves_the_other_seats_decision() -> None:
    match = committed(*ALL[:2], ALL[3])
    match.undo("german")
    match.undo("german")
    assert taken_back(match.record.lines) == {3: 1, 4: 0}
    record = Record(with_key(match), match.record.lines)
    assert record.replay().stack[-1].given == (("soviet", "soviet-1", "move"),)


def test_games_that_differ_in_what_is_being_decided_differ_in_their_digest() -> None:
    game = match_of("toy-road").game
    twin = game.copy()
    twin.stack = (Answering("soviet"),)
    assert twin.digest() != game.digest()


def with_key(match: Match) -> Any:
    return msgspec.structs.replace(match.record.header, key=match.key.hex())


def test_an_undo_of_nothing_breaks_the_record() -> None:
    match = committed(*ALL[:1])
    match.undo("german")
    record = Record(with_key(match), [*match.record.lines, match.record.lines[-1]])
    with pytest.raises(RecordBroken, match="nothing to take back"):
        record.replay()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "empty"),
        ("{}", "record:1: this header"),
        (
            '{"opfire": 9, "ruleset": "a", "version": "1", "scenario": "", "seats": {}}',
            "record:1: record format",
        ),
        ('{"ruleset": "a", "version": "1", "scenario": "", "seats": {}}\n{"n": "x"}', "record:2: this decision"),
    ],
)
def test_what_is_no_record_is_refused_with_its_line(text: str, complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint):
        Record.load(text)


def test_without_its_key_a_record_is_not_replayed() -> None:
    match = committed(*ALL)
    with pytest.raises(BadInput, match="not shown"):
        match.record.replay()
    with pytest.raises(BadInput, match="not a dice key"):
        match.record.check_dice()


def test_a_branch_has_dice_of_its_own() -> None:
    match = committed(*ALL)
    record = Record(with_key(match), match.record.lines)
    branch, game = record.branch(6, bytes(range(32))), record.replay(6)
    assert branch.digest() == game.digest()
    assert branch.roll(20, 6) != game.roll(20, 6)


def test_events_of_a_play_are_those_its_seat_may_know() -> None:
    def tells(game: Any) -> None:
        game.tell(Event("whisper", "only soviet", only=("soviet",)))

    ruleset = dataclasses.replace(ROAD, settle=tells)
    with contract.registered(ruleset):
        match = match_of("toy-road")
        assert [event.kind for event in match.play("german", Go(2))] == ["moved"]
        assert [event.kind for _, event in match.log_for("german")] == ["moved"]
        assert match.log_for("soviet") == []  # a draft of the other side
        assert match.record.lines[-1].events == ("to 2",)


def test_overwatch_commands_are_secret_until_used() -> None:
    match = committed(*ALL[:5], ("soviet", "soviet-3", "overwatch"))
    assert match.game.view("german")["units"][5]["command"] == ""
    assert match.game.view("soviet")["units"][5]["command"] == "overwatch"
    match.play("soviet", Step("soviet-1", -1))
    assert overwatch.RULESET.secrets
    assert not ROAD.secrets
