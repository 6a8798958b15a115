"""A seat's record of a running game with secrets: the facts that the seat was shown, and nothing of the truth."""

from __future__ import annotations

import dataclasses
import hashlib
from typing import Any

import msgspec
import pytest

from core import contract
from core.cases import CASES
from opfire.core import ruleset
from opfire.core.errors import BadInput
from opfire.core.game import SPECTATOR
from opfire.core.match import Match
from opfire.core.record import Record
from opfire.core.verify import verify
from opfire.server import past, telling
from opfire.server.past import Past
from rulesets.hidden import Dummy, Hide

from . import toy
from .test_past import moments, open_record, record_of, walk
from .test_table import commit_both

SEATS = ("red", "blue", "")
HIDDEN = CASES["hidden"]


@pytest.fixture
def game(server: Any) -> Any:
    """Both have committed, red has fired, and has taken two steps that it can still take back."""
    found = server.new()
    commit_both(server, found)
    with server.sit(found, "red") as red:
        red.play("Shoot", unit="red-1", target="blue-1")
        walk(red)
    return found


def opened(server: Any, game: Any, seat: str) -> Any:
    answer = open_record(server, record_of(server, game, seat))
    assert answer.status_code == 201, answer.text
    return answer.json()


# --- what it shows ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SEATS)
def test_the_table_with_the_record_shows_every_moment_as_its_seat_could_look_back_to_it(
    server: Any, game: Any, name: str
) -> None:
    with server.sit(game, name) as seat:
        listed = moments(seat)
        told = [seat.say("moment", n=n) for n in range(len(listed))]
        log, view = seat.log, seat.table["view"]
    with server.sit(opened(server, game, name)) as looker:
        assert moments(looker) == listed
        assert len(listed) == {"red": 6, "blue": 4, "": 4}[name]
        for n, answer in enumerate(told):
            assert {**looker.say("moment", n=n), "re": 0} == {**answer, "re": 0}
        assert (looker.log, looker.table["view"]) == (log, view)


def test_it_can_be_stepped_through_in_any_order(server: Any, game: Any) -> None:
    with server.sit(opened(server, game, "red")) as looker:
        there = {n: looker.say("moment", n=n)["view"] for n in range(6)}
        assert there[3] != there[4]
        assert all(looker.say("moment", n=n)["view"] == there[n] for n in (5, 0, 4, 2, 3, 1))
        assert looker.say("moment", n=6)["type"] == "refused"
        assert looker.say("moment", n=1, side="blue")["text"].startswith("message: this record does not tell what blue")


def test_the_table_has_all_the_parts_that_one_of_a_game_has(server: Any, game: Any) -> None:
    with server.sit(game) as watching, server.sit(opened(server, game, "red")) as looker:
        assert looker.table.keys() == watching.table.keys()
        assert (looker.table["asked"], looker.table["choices"], looker.table["seat"]) == ([], [], SPECTATOR)


def test_its_facts_and_its_map_are_told_and_it_can_be_downloaded_again(server: Any, game: Any) -> None:
    facts = opened(server, game, "red")
    assert (facts["scenario"], facts["turn"], facts["result"], facts["waiting"]) == ("row", 1, None, False)
    assert server.http.get(f"/api/games/{facts['game']}/map").json()["id"] == "row"
    assert server.http.get(f"/api/games/{facts['game']}").json() == facts
    assert record_of(server, facts) == record_of(server, game, "red")


def test_before_the_first_decision_it_shows_the_opening(server: Any) -> None:
    found = server.new()
    with server.sit(opened(server, found, "")) as looker:
        assert [moment["log"] for moment in moments(looker)] == [0]
        assert looker.say("moment", n=0)["view"] == looker.table["view"]


def test_what_the_seat_was_shown_after_the_last_line_that_it_knows_is_a_moment_of_its_own() -> None:
    """Both have hidden their units: in secret, so that a spectator knows of none of it, and then of the first roll."""
    with contract.registered(HIDDEN.ruleset):
        match = contract.start(HIDDEN, 1)
        for seat, action in HIDDEN.twins[0].one:
            match.play(seat, action)
        written = facts_of(match, SPECTATOR)
        assert written.lines == []
        told = telling.Told(written)
        assert told.last() == contract_view(match, SPECTATOR)
        assert len(told.log) == len(match.log_for(SPECTATOR)) > 0


def test_nobody_asks_it_anything_else(server: Any, game: Any) -> None:
    only = "This record tells what its seat was shown while the game went on, and nothing else"
    with server.sit(opened(server, game, "red")) as looker:
        for message in ("undo", "concede", "auto", "orders", "curve", "proof", "suggest"):
            assert looker.say(message)["text"] == only
        assert looker.say("los", **{"from": "1-A1", "to": "1-A5"})["text"] == only
        assert looker.play("End")["text"] == only


def test_a_reported_moment_opens_as_well(server: Any, game: Any) -> None:
    header, _, lines = record_of(server, game, "red").partition("\n")
    reported = {**msgspec.json.decode(header), "report": {"text": "Look!", "line": 3}}
    answer = open_record(server, msgspec.json.encode(reported).decode() + "\n" + lines)
    assert answer.status_code == 201, answer.text


# --- what it does not tell ----------------------------------------------------------------------------------


def facts_of(match: Match, seat: str) -> Record:
    return telling.told(telling.known(match, seat), Past(match))


def contract_view(match: Match, seat: str) -> Any:
    return msgspec.json.decode(msgspec.json.encode(match.shown(seat).view(seat)))


def committed(red: int, blue: int) -> Match:
    match = Match.start(toy.SCENARIO, nonces={"red": "one", "blue": "two"}, key=bytes(32))
    match.play("red", toy.Commit(red))
    match.play("blue", toy.Commit(blue))
    match.play("red", toy.Shoot("red-1", "blue-1"))
    match.play("red", toy.End())
    return match


@pytest.mark.parametrize("seat", HIDDEN.twins[0].blind)
def test_games_that_differ_in_what_is_hidden_make_the_same_record_byte_for_byte(seat: str) -> None:
    twin = HIDDEN.twins[0]
    with contract.registered(HIDDEN.ruleset):
        pair = contract.start(HIDDEN, 1), contract.start(HIDDEN, 1)
        for match, script in zip(pair, (twin.one, twin.other), strict=True):
            for decider, action in script:
                match.play(decider, action)
        dumps = [facts_of(match, seat).dump() for match in pair]
        assert pair[0].game.digest() != pair[1].game.digest()
    assert dumps[0] == dumps[1]


def test_a_secret_stands_in_the_record_of_its_own_side_alone() -> None:
    with contract.registered(HIDDEN.ruleset):
        match = contract.start(HIDDEN, 1)
        for seat, action in (("german", Dummy("german-2")), ("german", Hide(3))):
            match.play(seat, action)
        hidden = {seat: telling.Told(facts_of(match, seat)).last() for seat in ("german", "soviet", SPECTATOR)}
    assert hidden["german"] != hidden["soviet"]
    assert hidden["soviet"] == hidden[SPECTATOR]


def test_nothing_is_played_again_to_look_at_it(server: Any, game: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    text = record_of(server, game, "blue")

    def never(*_: Any, **__: Any) -> None:
        raise AssertionError("the game is played again")

    for where in ("opfire.core.match.new_game", "opfire.core.record.new_game", "opfire.core.game.Game.play"):
        monkeypatch.setattr(where, never)
    facts = open_record(server, text).json()
    with server.sit(facts) as looker:
        assert looker.say("moment", n=3)["did"] == "Shoot red-1 blue-1"
        assert looker.say("moment", n=3)["view"]["secret"] == 3


def test_the_whole_record_after_the_end_has_no_facts(server: Any, game: Any) -> None:
    assert '"facts"' in record_of(server, game, "red")
    with server.sit(game, "red") as red:
        red.say("concede")
    text = record_of(server, game, "red")
    assert '"facts"' not in text
    assert '"shown"' not in text
    assert verify(Record.load(text)).outcome["winner"] == "blue"


def test_a_record_of_an_open_game_has_no_facts(server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = dataclasses.replace(toy.TOY, sight=ruleset._open_sight)
    monkeypatch.setattr(ruleset, "installed", lambda: {"toy": plain})
    found = server.new()
    commit_both(server, found)
    text = record_of(server, found, "red")
    assert '"facts"' not in text
    assert '"shown"' not in text


def test_facts_do_not_make_a_record_true() -> None:
    with pytest.raises(BadInput, match="a record of what a seat was shown"):
        verify(facts_of(committed(1, 2), "red"))


def test_a_second_download_gathers_nothing_again(server: Any, game: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[Any] = []
    real = past.carry_out
    monkeypatch.setattr(past, "carry_out", lambda *what: (played.append(what), real(*what)))
    with server.sit(game, "red") as red:
        first = record_of(server, game, "red")
        assert len(played) == 5
        assert record_of(server, game, "red") == first
        assert len(played) == 5
        red.play("End")
        assert record_of(server, game, "red") != first


# --- bad records --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"place":"1-A5"', '"place":"1-A4"'),
        ('"did":"Shoot', '"did":"Miss'),
        ('"text":"red-1 goes', '"text":"red-9 goes'),
        ('"side":"red"', '"side":"blue"'),
        ('title = \\"The Row\\"', 'title = \\"The Line\\"'),
        ('"do":{"type":"Shoot"', '"do":{"type":"Shout"'),
        ('"rolls":[', '"rolls":[1,'),
    ],
)
def test_a_record_that_was_changed_gets_one_sentence(server: Any, game: Any, old: str, new: str) -> None:
    text = record_of(server, game, "red")
    assert old in text
    answer = open_record(server, text.replace(old, new, 1))
    assert answer.status_code == 400
    said = answer.json()["error"]["text"]
    assert said.startswith("record: this record was changed after the table wrote it")
    assert "\n" not in said


def test_a_record_without_its_last_line_gets_one_sentence(server: Any, game: Any) -> None:
    answer = open_record(server, "\n".join(record_of(server, game, "red").splitlines()[:-1]))
    assert answer.json()["error"]["text"].startswith("record: this record was changed")


def forged(written: Record, n: int, view: bytes) -> Record:
    """The record with another view at the last moment of a line, and with a sum that fits."""
    lines = list(written.lines)
    *before, last = lines[n].shown
    lines[n] = msgspec.structs.replace(lines[n], shown=(*before, msgspec.structs.replace(last, view=msgspec.Raw(view))))
    facts = msgspec.structs.replace(written.header.facts, sum="")
    bare = Record(msgspec.structs.replace(written.header, facts=facts), lines)
    total = hashlib.blake2b(bare.dump().encode(), digest_size=8).hexdigest()
    return Record(msgspec.structs.replace(written.header, facts=msgspec.structs.replace(facts, sum=total)), bare.lines)


@pytest.mark.parametrize(
    "view",
    [
        b'{"in":{"nothing":{"in":{"deep":{"to":1}}}}}',
        b'{"in":{"units":{"in":{"99":{"to":1}}}}}',
        b'{"in":{"units":{"from":1,"cut":99,"put":[]}}}',
        b'{"in":{"units":{"in":{"one":{"to":1}}}}}',
        b'{"in":7}',
        b'{"in":{"units":7}}',
        b'{"out":["nothing"]}',
        b'{"out":7}',
        b'{"to":7}',
        b'{"else":7}',
        b"[]",
        b"7",
        b"null",
        b'{"in":{"a":' * 400 + b"{}" + b"}}" * 400,
    ],
)
def test_facts_that_do_not_fit_together_get_one_sentence(view: bytes) -> None:
    written = facts_of(committed(1, 2), "red")
    telling.Told(forged(written, 2, b"{}"))
    with pytest.raises(BadInput, match="does not fit together"):
        telling.Told(Record.load(forged(written, 2, view).dump()))


def test_a_record_keeps_what_it_says_of_itself_when_it_is_read_and_written_again() -> None:
    written = facts_of(committed(1, 2), "red").dump()
    assert Record.load(written).dump() == written
