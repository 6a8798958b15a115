"""Games that the rules change under: they go on, or stand still until their players agree."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator

import msgspec
import pytest

from core import contract
from core.cases import CASES
from core.records import change, fields, older, rewritten
from opfire.core import saved
from opfire.core.actions import IllegalAction
from opfire.core.errors import BadInput, RecordBroken
from opfire.core.game import Game
from opfire.core.match import Match
from opfire.core.record import Entry, Record
from opfire.core.verify import verify
from rulesets import group

CASE = CASES["group"]


@pytest.fixture(autouse=True)
def toys() -> Iterator[None]:
    with contract.registered(CASE.ruleset):
        yield


@pytest.fixture
def later() -> Iterator[None]:
    """A later version of the same rules."""
    with contract.registered(dataclasses.replace(CASE.ruleset, version="2")):
        yield


def under_way(decisions: int = 14) -> Match:
    """A game with rolls, moves and a last move that can still be taken back."""
    match, rng = contract.start(CASE, 8), random.Random(8)
    while len(match.record.lines) < decisions or not match.draft:
        match.play(*contract.decide(match.game, rng))
    return match


def play_on(match: Match) -> Record:
    """The record after a few more decisions and the end."""
    rng = random.Random(2)
    for _ in range(4):
        match.play(*contract.decide(match.game, rng))
    match.concede("german")
    return match.record_for("spectator")


# --- every line still holds ---------------------------------------------------------------------------------------


@pytest.mark.usefixtures("later")
def test_a_game_whose_lines_all_hold_goes_on_under_the_later_version_and_says_so() -> None:
    with contract.registered(CASE.ruleset):
        match = under_way()
    again = Match.resume(match.record.dump(), match.key)
    assert again.change is None
    assert Record(again.record.header, again.record.lines[:-1]).dump() == match.record.dump()
    line = again.record.lines[-1]
    assert (line.what, line.seat, line.update().version) == ("update", "", "2")
    assert line.events == ("The rules have changed: the game goes on under version 2 of Group",)
    assert [line.n for line in again.draft] == [line.n for line in match.draft]
    assert again.settled_lines == match.settled_lines
    record = play_on(again)
    assert verify(record).same_rules
    assert verify(record).unproved == 0
    assert record.lines[len(match.record.lines)] == line


@pytest.mark.usefixtures("later")
def test_everybody_reads_in_the_log_that_the_rules_have_changed() -> None:
    with contract.registered(CASE.ruleset):
        match = under_way()
        match.play(*contract.decide(match.game, random.Random(1)))
    again = Match.resume(match.record.dump(), match.key)
    while again.draft:
        again.play(*contract.decide(again.game, random.Random(1)))
    for seat in contract.seats(again):
        assert any("version 2" in event.sentence() for _, event in again.log_for(seat))
        (line,) = [line for line in again.record_for(seat).lines if line.what == "update"]
        assert line.update().standing is None


def test_a_game_of_an_earlier_format_goes_on_in_it() -> None:
    match = under_way()
    match.concede("german")
    running = older(match.record_for("spectator"), 2)
    lines = running.lines[:-1]
    header = change(running.header, key="")
    again = Match.resume(Record(header, lines).dump(), match.key)
    assert again.change is None
    assert again.record.dump() == Record(header, lines).dump()
    record = play_on(again)
    assert record.header.opfire == 2
    assert not any(line.state for line in record.lines)
    assert verify(record).format == 2


def test_a_new_part_of_a_state_changes_no_state_that_does_not_use_it() -> None:
    class Before(msgspec.Struct, tag="S"):
        at: dict[str, int]
        turn: int = 1

    class After(msgspec.Struct, tag="S"):
        smoke: tuple[str, ...] = ()
        at: dict[str, int] = {}
        turn: int = 1

    def told(state: object) -> bytes:
        game = under_way().game
        return saved.lasting(Game(game.ruleset, state, game.dice, game.seats))

    assert told(Before({"a": 1})) == told(After(at={"a": 1}))
    assert told(Before({"a": 1})) != told(After(at={"a": 1}, smoke=("2-A1",)))
    assert told(Before({"a": 1})) != told(Before({"a": 2}))
    assert told(Before({"a": 1}, turn=2)) != told(Before({"a": 1}))


# --- a line does not hold any more ----------------------------------------------------------------------------------


@pytest.fixture
def still(monkeypatch: pytest.MonkeyPatch) -> Match:
    """A game that stands still: by the later rules no stand moves as far as it did."""
    match = under_way()
    monkeypatch.setattr(group, "MOVE", 100)
    return Match.resume(match.record.dump(), match.key)


def test_it_stands_at_the_last_position_that_nobody_could_take_back(still: Match) -> None:
    assert still.change is not None
    moved = next(line for line in still.record.lines if line.do and line.do["type"] == "Move")
    assert still.change.line == moved.n + 1
    assert "too far" in still.change.text
    assert still.change.standing < moved.n
    stood = still.record.lines[still.change.standing - 1]
    assert still.game.lasting_digest() == stood.state
    assert stood.rolls
    assert still.draft == []
    assert len(still.record_for("german").lines) == still.change.standing


def test_nobody_decides_anything_while_it_stands_still(still: Match) -> None:
    seat, action = contract.decide(still.game, random.Random(1))
    for forbidden in (
        lambda: still.play(seat, action),
        lambda: still.undo(seat),
        lambda: still.concede(seat),
        lambda: still.agree_draw(seat),
        lambda: still.give_orders(seat, {}),
    ):
        with pytest.raises(IllegalAction, match="agree to go on or to stop"):
            forbidden()
    assert still.go_on() == []


def test_its_players_agree_to_go_on_and_no_die_falls_twice(still: Match) -> None:
    before, stood = len(still.record.lines), still.change
    assert stood is not None
    still.agree("german", "resume")
    still.agree("german", "stop")
    still.decline("german", "stop")
    still = Match.resume(still.record.dump(), still.key)
    assert (still.votes["resume"], still.votes["stop"], still.change) == (("german",), (), stood)
    still.agree("soviet", "resume")
    assert still.change is None
    line = still.record.lines[-1]
    rolled = sum(len(one.rolls) for one in still.record.lines[:before])
    assert rolled > sum(len(one.rolls) for one in still.record.lines[: stood.standing])
    assert (line.update().standing, line.update().open) == (stood.standing, rolled)
    assert still.game.dice.open == rolled
    assert still.votes["resume"] == ()
    again = Match.resume(still.record.dump(), still.key)
    assert again.record.lines == still.record.lines
    record = play_on(again)
    found = verify(record)
    assert found.unproved == before - stood.standing + 3
    assert verify(record, seen=record.lines[before - 1].digest) == found
    assert Match.opened(Record.load(record.dump())).change is None
    assert [game.outcome for game, _ in record.steps()][-1] == again.game.outcome


def test_a_game_that_goes_on_can_be_looked_back_at(still: Match) -> None:
    change_of_rules = still.change
    assert change_of_rules is not None
    for seat in ("german", "soviet"):
        still.agree(seat, "resume")
    decisions = [line for line, _ in still.course_for("german")]
    assert [line.n for line in decisions[: change_of_rules.standing]] == list(range(1, change_of_rules.standing + 1))
    assert decisions[-1].what == "update"
    known = Record.load(still.record_for("german").dump())
    assert [line.what for line in known.lines][-1] == "update"
    assert Match.opened(known).change is None


def test_its_players_agree_to_stop(still: Match) -> None:
    lines = list(still.record.lines)
    still.agree("german", "stop")
    assert not still.over
    still.agree("soviet", "stop")
    assert still.over
    assert still.game.outcome is not None
    assert (still.game.outcome.winner, still.game.outcome.level) == (None, "stopped")
    record = still.record_for("spectator")
    assert record.lines[: len(lines)] == lines
    assert verify(record).outcome["level"] == "stopped"
    assert Match.resume(still.record.dump(), still.key).game.outcome == still.game.outcome


def test_nobody_gives_lines_up_alone(still: Match) -> None:
    for seat in ("german", "soviet"):
        still.agree(seat, "stop")
    record = still.record_for("spectator")
    vote = next(at for at, line in enumerate(record.lines) if line.what == "vote")
    alone = change(record.lines[-1], n=vote + 1)
    with pytest.raises(RecordBroken, match="german did not"):
        verify(rewritten(record, [*record.lines[:vote], alone]))
    update = record.lines[-1].update()
    for wrong in (change(update, open=update.open + 1), change(update, standing=None), change(update, standing=99)):
        forged = rewritten(record, [*record.lines[:-1], change(record.lines[-1], do=msgspec.to_builtins(wrong))])
        with pytest.raises(RecordBroken):
            verify(forged)


# --- what verify says of the lines of the table ---------------------------------------------------------------------


def told_otherwise(record: Record) -> Iterator[tuple[int, str, str]]:
    """The record with one field changed of one of the lines that end a game or change its rules, and the line."""
    for at, line in enumerate(record.lines):
        if line.what in ("update", "stop", "concede"):
            for name, value in fields(line):
                rows = [*record.dump().splitlines()]
                rows[at + 1] = msgspec.json.encode({**msgspec.to_builtins(line), name: value}).decode()
                yield at + 2, name, "\n".join(rows)


def check_that_changes_are_found(record: Record, *kinds: str) -> None:
    verify(Record.load(record.dump()))
    assert {line.what for line in record.lines} >= set(kinds)
    assert {name for _, name, _ in told_otherwise(record)} == set(Entry.__struct_fields__)
    for line, name, text in told_otherwise(record):
        with pytest.raises((RecordBroken, BadInput)) as caught:
            verify(Record.load(text))
        where = (
            caught.value.line if isinstance(caught.value, RecordBroken) else int(caught.value.where[len("record:") :])
        )
        # A line that is not given up any more has to hold by the rules that are here, and comes before.
        given_up = record.lines[line - 2].do and "standing" in record.lines[line - 2].do and name == "do"
        assert where == line or (given_up and 2 <= where < line), (name, text.splitlines()[line - 1], str(caught.value))


@pytest.mark.usefixtures("later")
def test_every_change_of_a_line_that_tells_of_other_rules_is_found_on_that_line() -> None:
    with contract.registered(CASE.ruleset):
        match = under_way()
    check_that_changes_are_found(play_on(Match.resume(match.record.dump(), match.key)), "update", "concede")


@pytest.mark.parametrize(("wish", "kind"), [("resume", "update"), ("stop", "stop")])
def test_every_change_of_a_line_that_gives_up_others_is_found_on_that_line(still: Match, wish: str, kind: str) -> None:
    for seat in ("german", "soviet"):
        still.agree(seat, wish)
    check_that_changes_are_found(play_on(still) if kind == "update" else still.record_for("spectator"), kind)


def test_a_game_that_can_no_longer_be_set_up_gets_a_sentence() -> None:
    def start(given: object) -> object:
        raise KeyError("a unit of earlier tables")

    match = under_way()
    match.concede("german")
    record = match.record_for("spectator")
    with contract.registered(dataclasses.replace(CASE.ruleset, start=start)):
        for played in (lambda: Match.resume(match.record.dump(), match.key), lambda: verify(record)):
            with pytest.raises(BadInput, match="cannot be set up by the rules here"):
                played()


def test_there_is_nothing_to_agree_on_while_a_game_goes_on() -> None:
    with pytest.raises(IllegalAction, match="nothing to agree on"):
        under_way().agree("german", "resume")


def test_a_record_is_shown_as_far_as_the_rules_lead(monkeypatch: pytest.MonkeyPatch) -> None:
    match = under_way()
    match.concede("german")
    record = match.record_for("spectator")
    forms = [record, older(record, 2), older(record, 1)]
    monkeypatch.setattr(group, "MOVE", 100)
    for told in forms:
        opened = Match.opened(Record.load(told.dump()))
        assert opened.change is not None
        moved = next(line for line in record.lines if line.do and line.do["type"] == "Move")
        assert (opened.change.line, opened.change.standing) == (moved.n + 1, moved.n - 1)
        assert opened.record_for("spectator").dump() == told.dump()
        assert len(opened.course_for("german")) == moved.n - 1
