"""Playing at the table: what each seat is sent, what it may do, and that nothing is lost."""

from __future__ import annotations

import dataclasses
import random
import re
import sqlite3
import threading
from pathlib import Path
from typing import Any

import msgspec
import pytest
from litestar.exceptions import WebSocketDisconnect

from opfire.core import ruleset
from opfire.core.record import Record
from opfire.core.ruleset import Suggestion
from opfire.core.verify import verify
from opfire.server import connection, routes
from opfire.server.guard import LARGEST_MESSAGE
from opfire.server.store import NotWritten, Store

from . import toy
from .conftest import HOME, Chance


def commit_both(server: Any, game: Any) -> None:
    """Get past the secret commitments: red 1, blue 3."""
    with server.sit(game, "red") as red:
        red.play("Commit", number=1)
    with server.sit(game, "blue") as blue:
        blue.play("Commit", number=3)


@pytest.fixture
def game(server: Any) -> Any:
    found = server.new()
    commit_both(server, found)
    return found


def lines_of(database: Path, game: Any) -> list[dict[str, Any]]:
    with sqlite3.connect(database) as connection:
        rows = connection.execute("select entry from lines where game = ? order by n", (game["game"],)).fetchall()
    connection.close()
    return [msgspec.json.decode(row[0]) for row in rows]


def at(seat: Any, unit: str) -> str | None:
    return {found["id"]: found["place"] for found in seat.table["view"]["units"]}.get(unit)


# --- what a seat is told -------------------------------------------------------------------------------


def test_joining_tells_all_that_the_seat_knows(server: Any, game: Any) -> None:
    with server.sit(game, "red") as red:
        table = red.table
        assert (table["seat"], table["side"], table["asked"]) == ("red", "red", ["red"])
        assert table["prompt"] == {
            "text": "Step, shoot or end the turn",
            "rule": "2.0",
            "step": "move",
            "together": False,
            "places": False,
            "reaction": "",
        }
        assert table["undo"] == {"can": False, "count": 0, "barrier": "what all have committed"}
        assert (table["thinking"], table["result"], table["draw_offered_by"]) == (None, None, None)
        assert table["view"]["secret"] == 1
        assert table["choices"][0] == {
            "action": {"type": "Step", "unit": "red-1", "to": "1-A2"},
            "label": "Step red-1 1-A2",
            "kind": "move",
            "units": ["red-1"],
            "places": ["1-A2"],
            "cost": None,
            "confirm": False,
        }
        assert [choice["confirm"] for choice in table["choices"] if choice["kind"] == "fire"] == [True] * 4


def test_only_who_is_asked_has_choices(server: Any, game: Any) -> None:
    with server.sit(game, "blue") as blue, server.sit(game) as spectator:
        assert blue.table["asked"] == spectator.table["asked"] == ["red"]
        assert blue.table["choices"] == spectator.table["choices"] == []
        assert (spectator.table["seat"], spectator.table["side"]) == ("spectator", None)


def test_a_shot_is_logged_with_its_calculation(server: Any, game: Any) -> None:
    with server.sit(game, "red") as red, server.sit(game, "blue") as blue:
        red.play("Shoot", unit="red-1", target="blue-1")
        shot = red.log[-1]
        assert (shot["n"], shot["turn"], shot["side"], shot["step"]) == (2, 1, "red", "move")
        assert (shot["kind"], shot["rule"], shot["units"]) == ("fired", "3.0", ["red-1", "blue-1"])
        assert len(shot["dice"]) == 1
        assert shot["calculation"]["rolled"] == shot["dice"]
        assert shot["calculation"]["chances"] == [
            {"result": "none", "chance": "1/2"},
            {"result": "hit", "chance": "1/2"},
        ]
        assert red.table["undo"]["barrier"] == "the last roll"
        blue.settle()
        assert blue.log[-1]["text"] == shot["text"]
        assert len(blue.log) == blue.table["log_length"]


def test_a_new_turn_is_logged_as_its_own(server: Any, game: Any) -> None:
    with server.sit(game, "red") as red:
        red.play("End")
        assert (red.log[-1]["kind"], red.log[-1]["turn"], red.log[-1]["side"]) == ("turn", 1, "blue")


def test_nothing_new_is_not_sent_again(server: Any, game: Any) -> None:
    with server.sit(game, "red") as red:
        red.settle()
        before = red.bytes
        assert red.say("why", unit="red-1") == {"type": "answer", "re": red.count, "meant": []}
        assert red.bytes.removeprefix(before).count('"type"') == 1


# --- secrets -------------------------------------------------------------------------------------------


def test_commitments_stay_secret_until_all_have_committed(server: Any) -> None:
    """Blue and a spectator receive the same bytes, whatever red commits."""
    received: list[tuple[str, str]] = []
    for number in (1, 2):
        game = server.new()
        with server.sit(game, "red") as red, server.sit(game, "blue") as blue, server.sit(game) as spectator:
            red.play("Commit", number=number)
            assert red.table["view"]["secret"] == number
            for seat in (blue, spectator):
                seat.settle()
            received.append((blue.bytes, spectator.bytes))
            assert blue.table["asked"] == ["red", "blue"]
            blue.play("Commit", number=3)
            spectator.settle()
            assert spectator.log == []
    assert received[0] == received[1]


def test_a_secret_is_in_no_message_to_others(server: Any, game: Any) -> None:
    with server.sit(game, "red") as red, server.sit(game, "blue") as blue, server.sit(game) as spectator:
        assert (red.table["view"]["secret"], blue.table["view"]["secret"]) == (1, 3)
        assert spectator.table["view"]["secret"] == 0
        assert "commits 1" in red.bytes
        assert "commits" not in spectator.bytes
        assert "commits 1" not in blue.bytes


def test_the_calibre_of_a_gun_that_one_side_alone_knows_is_sent_to_that_side_alone(server: Any, game: Any) -> None:
    with server.sit(game, "red") as red, server.sit(game, "blue") as blue, server.sit(game) as spectator:
        told = {seat: re.findall(r'"calibre":[0-9.]+', seat.bytes) for seat in (red, blue, spectator)}
    assert set(told[red]) == {'"calibre":11'}
    assert set(told[blue]) == {'"calibre":33'}
    assert "calibre" not in spectator.bytes


def test_a_draft_is_seen_by_its_own_seat_only(server: Any, game: Any) -> None:
    path = f"/api/games/{game['game']}/record"
    with server.sit(game, "red") as red, server.sit(game, "blue") as blue, server.sit(game) as spectator:
        before = {seat: seat.bytes for seat in (blue, spectator)}
        recorded = server.http.get(path).content
        red.play("Step", unit="red-1", to="1-A2")
        red.say("undo")
        red.play("Step", unit="red-2", to="1-A2")
        assert at(red, "red-2") == "1-A2"
        for seat in (blue, spectator):
            seat.settle()
            assert seat.bytes.removeprefix(before[seat]) == '{"type":"answer","re":1,"meant":[]}'
        assert server.http.get(path).content == recorded
        own = server.http.get(path, headers={"authorization": "Bearer " + game["seats"]["red"]}).text
        assert '"unit":"red-2"' in own
        red.play("Shoot", unit="red-2", target="blue-1")
        blue.settle()
        assert at(blue, "red-2") == "1-A2"
        # Neither does the record tell what was taken back.
        _, *rows = server.http.get(path).text.splitlines()
        assert "red-1" not in str([msgspec.json.decode(row)["do"] for row in rows])
        assert "red-1 goes" not in "".join(rows)
        assert '"1-A2"' not in rows[0]


def test_orders_are_known_to_their_seat_only(server: Any, game: Any) -> None:
    with server.sit(game, "red") as red, server.sit(game, "blue") as blue:
        before = red.bytes
        assert blue.say("orders")["orders"] == {"fire": "ask"}
        assert blue.say("orders", orders={"fire": "never"})["orders"] == {"fire": "never"}
        red.settle()
        assert "never" not in red.bytes.removeprefix(before)
        assert "never" not in server.http.get(f"/api/games/{game['game']}/record").text
        # They answer the question that would have been put.
        red.play("Step", {"type": "Step", "unit": "red-1", "to": "1-A3"}, unit="red-1", to="1-A2")
        assert red.table["asked"] == ["red"]
        assert at(red, "red-1") == "1-A3"


# --- playing -------------------------------------------------------------------------------------------


def test_undo_reaches_back_to_the_barrier(server: Any, game: Any) -> None:
    with server.sit(game, "red") as red:
        red.play("Step", unit="red-1", to="1-A2")
        red.play("Step", unit="red-2", to="1-A2")
        assert red.table["undo"]["count"] == 2
        assert len(red.log) == 3
        assert red.say("undo")["type"] == "answer"
        assert (at(red, "red-1"), at(red, "red-2")) == ("1-A2", "1-A1")
        assert [entry["text"] for entry in red.log[1:]] == ["red-1 goes to 1-A2"]
        red.say("undo")
        assert red.table["log_length"] == len(red.log) == 1
        refused = red.say("undo")
        assert refused["type"] == "refused"
        assert refused["text"] == "Nothing can be taken back beyond what all have committed"


def test_nobody_undoes_for_another(server: Any, game: Any) -> None:
    with server.sit(game, "red") as red, server.sit(game, "blue") as blue, server.sit(game) as spectator:
        red.play("Step", unit="red-1", to="1-A2")
        assert blue.say("undo")["type"] == "refused"
        assert spectator.say("undo")["type"] == "refused"
        red.settle()
        assert at(red, "red-1") == "1-A2"


def test_a_route_goes_on_until_the_other_side_is_asked(server: Any, game: Any) -> None:
    steps = [{"type": "Step", "unit": "red-1", "to": to} for to in ("1-A3", "1-A4")]
    with server.sit(game, "red") as red, server.sit(game, "blue") as blue:
        red.play("Step", *steps, unit="red-1", to="1-A2")
        assert (at(red, "red-1"), red.table["asked"]) == ("1-A3", ["blue"])
        blue.settle()
        assert blue.table["prompt"]["text"] == "Shoot at red-1?"
        assert blue.table["prompt"]["reaction"] == "Snap shot"
        blue.play("Pass")
        red.settle()
        assert at(red, "red-1") == "1-A4"  # nothing but a pass had answered


def test_a_shot_stops_a_route(server: Any, game: Any) -> None:
    steps = [{"type": "Step", "unit": "red-1", "to": to} for to in ("1-A3", "1-A4")]
    with server.sit(game, "red") as red, server.sit(game, "blue") as blue:
        red.play("Step", *steps, unit="red-1", to="1-A2")
        blue.settle()
        blue.play("Shoot", unit="blue-1", target="red-1")
        red.settle()
        assert at(red, "red-1") in ("1-A3", None)
        assert red.table["asked"] == ["red"]


def test_auto_plays_what_the_ruleset_proposes(server: Any, game: Any) -> None:
    with server.sit(game, "red") as red:
        assert red.say("auto")["type"] == "answer"
        assert at(red, "red-1") == "1-A1"  # there and back again
        assert red.table["undo"]["count"] == 2


def test_auto_without_a_plan_follows_what_is_suggested(
    server: Any, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def suggest(sight: Any, side: str, frame: Any, choices: list[Any]) -> list[Suggestion]:
        return [Suggestion(action, 1.0, "") for action in reversed(list(choices))]

    queries = {name: query for name, query in toy.TOY.queries.items() if name != "auto"}
    planless = dataclasses.replace(toy.TOY, queries=queries, suggest=suggest)
    monkeypatch.setattr(ruleset, "installed", lambda: {"toy": planless})
    game = server.new()
    with server.sit(game, "red") as red:
        assert red.say("auto")["type"] == "answer"
        assert lines_of(database, game)[0]["do"] == {"type": "Commit", "number": 3}
        with server.sit(game, "blue") as blue:
            blue.play("Commit", number=1)
        red.settle()
        assert red.say("auto")["text"] == "No units are being set up now"  # steps are no placing


def test_conceding_ends_the_game_and_shows_the_key(server: Any, game: Any) -> None:
    with server.sit(game, "red") as red, server.sit(game, "blue") as blue:
        red.say("concede")
        blue.settle()
        assert blue.table["result"] == {"winner": "blue", "level": "conceded", "reason": "Red concedes"}
        assert (blue.table["asked"], blue.table["choices"]) == ([], [])
        assert red.play("End")["text"] == "The game is over"
    record = Record.load(server.http.get(f"/api/games/{game['game']}/record").text)
    assert verify(record).outcome["winner"] == "blue"


def test_a_draw_is_offered_declined_offered_and_accepted(server: Any, game: Any) -> None:
    with server.sit(game, "red") as red, server.sit(game, "blue") as blue, server.sit(game) as spectator:
        assert spectator.say("draw")["type"] == "refused"
        assert blue.say("decline")["text"] == "No draw has been offered"
        red.say("draw")
        red.say("draw")  # twice is not an agreement
        assert red.table["votes"] == {"concede": [], "draw": ["red"]}
        blue.settle()
        assert blue.table["votes"] == {"concede": [], "draw": []}
        assert (blue.table["draw_offered_by"], blue.table["result"]) == ("red", None)
        blue.say("decline")
        assert blue.table["draw_offered_by"] is None
        blue.say("draw")
        red.settle()
        assert red.table["draw_offered_by"] == "blue"
        red.say("draw")
        assert red.table["result"]["winner"] is None


# --- questions -----------------------------------------------------------------------------------------


def test_why_not(server: Any, game: Any) -> None:
    with server.sit(game, "red") as red, server.sit(game, "blue") as blue:
        meant = [{"label": "Step red-1 1-A4", "text": "1-A4 is not next to 1-A1", "rule": "2.1"}]
        assert red.say("why", place="1-A4")["meant"] == meant
        assert red.say("why", place="1-A2")["meant"] == []
        action = {"type": "Step", "unit": "blue-1", "to": "1-A4"}
        why = red.say("why", action=action)
        assert (why["text"], why["rule"]) == ("blue-1 is the enemy's", "1.2")
        assert red.say("why", action={**action, "unit": "red-1", "to": "1-A2"})["text"] is None
        assert blue.say("why", action=action)["text"] == "blue has nothing to decide now: wait for the other side"


def test_preview_gives_exact_chances_and_rolls_nothing(server: Any, game: Any) -> None:
    with server.sit(game, "red") as red:
        shot = {"type": "Shoot", "unit": "red-1", "target": "blue-1"}
        preview = red.say("preview", action=shot)
        assert preview["calculation"]["chances"] == [
            {"result": "none", "chance": "1/2"},
            {"result": "hit", "chance": "1/2"},
        ]
        assert (preview["calculation"]["rolled"], preview["text"]) == (None, "Shoot red-1 blue-1")
        assert red.table["log_length"] == 1
        wrong = red.say("preview", action={**shot, "unit": "blue-1"})
        assert (wrong["calculation"], wrong["text"]) == (None, "blue-1 is the enemy's")


def test_a_preview_brings_the_caution_before_an_action(server: Any, game: Any) -> None:
    with server.sit(game, "red") as red:
        step = red.say("preview", action={"type": "Step", "unit": "red-1", "to": "1-A2"})
        assert step["caution"] == {"text": "blue-1 may fire at you", "rule": "9.9"}
        shot = red.say("preview", action={"type": "Shoot", "unit": "red-1", "target": "blue-1"})
        assert shot["caution"] is None


def test_queries_reach_the_ruleset(server: Any, game: Any) -> None:
    with server.sit(game, "red") as red:
        assert red.say("reach", unit="red-1")["places"] == [{"place": "1-A2", "cost": 1, "path": ["1-A1", "1-A2"]}]
        assert red.say("los", **{"from": "1-A1", "to": "1-A5"})["text"] == "1-A1 sees 1-A5"
        assert red.say("sees", place="1-A5")["places"] == ["1-A5", "1-A4"]
        assert red.say("suggest")["action"] == {"type": "End"}
        assert red.say("reach", unit="red-9")["text"].startswith("message: there is no 'red-9' here")
        assert red.say("why", unit="red-9")["text"].startswith("message: there is no 'red-9' here")


# --- what is refused -----------------------------------------------------------------------------------


def test_who_is_not_asked_cannot_play(server: Any, game: Any, database: Path) -> None:
    before = lines_of(database, game)
    with server.sit(game, "blue") as blue, server.sit(game) as spectator:
        for seat in (blue, spectator):
            for answer in (seat.play("End"), seat.play("Step", unit="red-1", to="1-A2"), seat.say("auto")):
                assert (answer["type"], answer["rule"]) == ("refused", "procedure")
        assert spectator.say("concede")["type"] == "refused"
        assert spectator.say("orders", orders={"fire": "never"})["type"] == "refused"
    assert lines_of(database, game) == before


def test_a_refusal_names_its_rule_and_changes_nothing(server: Any, game: Any, database: Path) -> None:
    before = lines_of(database, game)
    with server.sit(game, "red") as red:
        shown = red.table
        assert red.play("Step", unit="red-1", to="1-A5") == {
            "type": "refused",
            "re": 1,
            "text": "1-A5 is not next to 1-A1",
            "rule": "2.1",
        }
        assert red.play("Step", unit="red-9", to="1-A2")["text"] == "There is no red-9"
        assert red.table == shown
    assert lines_of(database, game) == before


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nonsense",
        "[]",
        "null",
        "{}",
        '{"type": 3}',
        '{"type": "fly"}',
        '{"type": "play"}',
        '{"type": "play", "action": 3}',
        '{"type": "play", "action": {}}',
        '{"type": "play", "action": {"type": "Fly"}}',
        '{"type": "play", "action": {"type": "Step", "unit": ["red-1"], "to": "1-A2"}}',
        '{"type": "play", "action": {"type": "End"}, "then": "End"}',
        '{"type": "play", "action": {"type": "End"}, "as": "blue"}',
        '{"type": "undo", "id": {"a": 1}}',
        '{"type": "orders", "orders": {"fire": 5}}',
        '{"type": "reach"}',
        '{"type": "join"}',
        '{"type": "join", "token": "another"}',
        "[" * 5000,
        "\ud83d\ude00",
    ],
)
def test_malformed_messages_get_one_sentence(server: Any, game: Any, database: Path, text: str) -> None:
    before = lines_of(database, game)
    with server.sit(game, "red") as red:
        red.wire.send_text(text)
        answer = red.until(lambda message: message["type"] == "refused")
        assert answer["text"]
        assert "\n" not in answer["text"]
        assert "Traceback" not in answer["text"]
        assert red.say("why", unit="red-1")["type"] == "answer"  # and the conversation goes on
    assert lines_of(database, game) == before


def test_bytes_that_are_no_text_get_a_sentence(server: Any, game: Any) -> None:
    with server.sit(game, "red") as red:
        red.wire.send_bytes(b"\xff\xfe")
        assert red.until(lambda message: message["type"] == "refused")["text"].startswith("message: ")


def test_too_long_a_route_is_refused(server: Any, game: Any) -> None:
    with server.sit(game, "red") as red:
        answer = red.play("End", *[{"type": "End"}] * 201)
        assert answer["text"] == "then: a route of 201 steps; expected at most 200"


def test_too_long_a_message_ends_the_conversation(server: Any, game: Any) -> None:
    with server.sit(game, "red") as red:
        red.wire.send_text(" " * (LARGEST_MESSAGE + 1))
        assert "too long" in red.until(lambda message: message["type"] == "refused")["text"]
        with pytest.raises(WebSocketDisconnect) as gone:
            red.receive()
        assert gone.value.code == 1009


def test_too_many_messages_are_refused(server: Any, game: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routes, "MESSAGES_AT_ONCE", 3)
    monkeypatch.setattr(routes, "MESSAGES_A_SECOND", 0.0)
    with server.sit(game, "red") as red:
        kinds = [red.say("why", unit="red-1")["type"] for _ in range(5)]
        assert kinds == ["answer"] * 3 + ["refused"] * 2


def parting(server: Any, game: str, first: str) -> tuple[dict[str, Any], int]:
    """The answer to a bad first message, and the code that closes the conversation."""
    with server.http.websocket_connect(f"/api/games/{game}/table", headers={"origin": HOME}) as wire:
        wire.send_text(first)
        said = msgspec.json.decode(wire.receive_text(timeout=20))
        with pytest.raises(WebSocketDisconnect) as gone:
            wire.receive_text(timeout=20)
    return said, gone.value.code


def test_joining_takes_a_token_of_this_game(server: Any, game: Any) -> None:
    other = server.new()
    first = msgspec.json.encode({"type": "join", "token": other["seats"]["red"]}).decode()
    said, code = parting(server, game["game"], first)
    assert (said["type"], said["text"], code) == ("refused", "This token holds no seat in this game", 4403)
    said, code = parting(server, game["game"], '{"type": "undo"}')
    assert (said["text"], code) == ("The first message must be 'join'", 4400)
    assert parting(server, game["game"], "nonsense")[1] == 4400
    said, code = parting(server, "none", '{"type": "join"}')
    assert (said["text"], code) == ("There is no game none", 4404)


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://evil.example", "host": "evil.example"},
        {"host": "evil.example"},
    ],
)
def test_a_foreign_page_gets_no_conversation(server: Any, game: Any, headers: dict[str, str]) -> None:
    wire = server.http.websocket_connect(f"/api/games/{game['game']}/table", headers=headers)
    with pytest.raises(WebSocketDisconnect) as refused, wire:
        pass
    assert refused.value.code == 1008


# --- nothing is lost -----------------------------------------------------------------------------------


def test_every_decision_is_written_before_it_is_shown(server: Any, game: Any, database: Path) -> None:
    with server.sit(game, "red") as red:
        before = len(lines_of(database, game))
        for count, to in enumerate(("1-A2", "1-A1"), 1):
            red.play("Step", unit="red-1", to=to)
            lines = lines_of(database, game)
            assert len(lines) == before + count
            assert lines[-1]["do"] == {"type": "Step", "unit": "red-1", "to": to}
        red.say("undo")
        assert lines_of(database, game)[-1]["what"] == "undo"


def test_a_restart_between_any_two_decisions_loses_nothing(start: Any, database: Path) -> None:
    """Each decision is made at another server; the game, its draft, orders and offers go on."""
    with start() as server:
        game = server.new()
    script: list[tuple[str, str, dict[str, Any]]] = [
        ("blue", "play", {"action": {"type": "Commit", "number": 2}}),
        ("red", "play", {"action": {"type": "Commit", "number": 1}}),
        ("blue", "orders", {"orders": {"fire": "never"}}),
        ("red", "play", {"action": {"type": "Step", "unit": "red-1", "to": "1-A2"}}),
        ("red", "play", {"action": {"type": "Step", "unit": "red-2", "to": "1-A2"}}),
        ("red", "undo", {}),
        ("blue", "draw", {}),
        ("red", "play", {"action": {"type": "Step", "unit": "red-1", "to": "1-A3"}}),
        ("red", "play", {"action": {"type": "Shoot", "unit": "red-1", "target": "blue-1"}}),
    ]
    left: dict[str, Any] = {}
    for side, type, fields in script:
        with start() as server, server.sit(game, side) as seat:
            seat.table.pop("seq")
            assert seat.table == left.get(side, seat.table)
            assert seat.say(type, **fields)["type"] == "answer"
        with start() as server:
            for other in ("red", "blue"):
                with server.sit(game, other) as seat:
                    seat.table.pop("seq")
                    left[other] = seat.table
    assert left["red"]["view"]["units"][0] == {"id": "red-1", "place": "1-A3"}
    assert left["red"]["draw_offered_by"] == "blue"
    assert left["red"]["undo"] == {"can": False, "count": 0, "barrier": "the last roll"}
    # The record has both commitments in the order of the seats, and replays to its end.
    lines = lines_of(database, game)
    assert [line["seat"] for line in lines[:2]] == ["red", "blue"]
    with start() as server, server.sit(game, "red") as red:
        red.say("concede")
        verify(Record.load(server.http.get(f"/api/games/{game['game']}/record").text))


def test_what_a_killed_server_had_written_is_the_game(start: Any, database: Path) -> None:
    """The first server never closes its database: the second one reads the same file."""
    with start() as first:
        game = first.new()
        commit_both(first, game)
        with first.sit(game, "red") as red, start() as second:
            red.play("Step", unit="red-1", to="1-A2")
            with second.sit(game, "red") as again:
                assert at(again, "red-1") == "1-A2"
                assert again.table["undo"]["count"] == 1


def test_what_cannot_be_written_has_not_happened(server: Any, game: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*arguments: Any) -> None:
        raise NotWritten("The disk is full")

    with server.sit(game, "red") as red, server.sit(game, "blue") as blue:
        shown, write = red.table, Store.write
        monkeypatch.setattr(Store, "write", full)
        for answer in (red.play("Step", unit="red-1", to="1-A2"), red.play("End"), red.say("concede")):
            assert (answer["type"], answer["text"]) == ("refused", "The disk is full")
        monkeypatch.setattr(Store, "write", write)
        red.settle()
        assert red.table == shown
        assert red.play("Step", unit="red-1", to="1-A2")["type"] == "answer"
        assert at(red, "red-1") == "1-A2"
        blue.settle()
        assert blue.table["asked"] == ["red"]


def test_two_servers_on_one_file_do_not_write_over_each_other(start: Any, database: Path) -> None:
    with start() as first, start() as second:
        game = first.new()
        commit_both(first, game)
        with first.sit(game, "red") as one, second.sit(game, "red") as two:
            one.play("Step", unit="red-1", to="1-A2")
            answer = two.play("Step", unit="red-2", to="1-A2")
            assert "could not be saved" in answer["text"]
            two.settle()
            assert (at(two, "red-1"), at(two, "red-2")) == ("1-A2", "1-A1")  # what the first one wrote
        assert len(lines_of(database, game)) == 3


def test_a_record_that_was_changed_in_the_database_is_not_played_on(start: Any, database: Path) -> None:
    with start() as server:
        game = server.new()
        commit_both(server, game)
    with sqlite3.connect(database) as connection:
        connection.execute("update lines set entry = json_set(entry, '$.digest', 'abc') where n = 2")
    connection.close()
    with start() as server:
        said, code = parting(server, game["game"], '{"type": "join"}')
        assert said["text"].startswith("line 3: the record says digest abc")
        assert code == 4409
        assert server.http.get(f"/api/games/{game['game']}").status_code == 400


def test_a_failing_rule_leaves_the_game_as_it_was(server: Any, game: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(self: Any, game: Any, action: Any) -> None:
        game.state.at.clear()
        raise ZeroDivisionError("a rule of the toy")

    with server.sit(game, "red") as red:
        shown, play = red.table, toy.Turn.play
        monkeypatch.setattr(toy.Turn, "play", fails)
        answer = red.play("End")
        assert answer["type"] == "refused"
        assert "toy" not in answer["text"]
        monkeypatch.setattr(toy.Turn, "play", play)
        red.settle()
        assert red.table == shown


# --- computer players ----------------------------------------------------------------------------------


def test_computer_against_computer_plays_to_the_end(server: Any) -> None:
    game = server.new(red="chance", blue="chance")
    assert game["seats"] == {}
    with server.sit(game) as spectator:
        spectator.wait(lambda table: table["result"] is not None)
    record = Record.load(server.http.get(f"/api/games/{game['game']}/record").text)
    assert {line.by for line in record.lines if line.do} <= {"chance", "only"}
    verify(record)


def test_a_computer_player_answers_its_human(server: Any) -> None:
    game = server.new(blue="chance")
    with server.sit(game, "red") as red:
        red.play("Commit", number=1)
        red.wait(lambda table: table["asked"] == ["red"] and table["prompt"]["step"] == "move")
        assert red.say("draw")["text"] == "A computer player does not agree to a draw"


class Waits(Chance):
    """Thinks until it is told to stop thinking; keeps what it was given."""

    def __init__(self) -> None:
        self.go, self.given = threading.Event(), list[Any]()

    def choose(self, game: Any, seat: str, rng: random.Random) -> Any:
        self.given.append(game)
        assert self.go.wait(20)
        return game.choices(seat).sample(rng)


def test_while_a_computer_thinks_the_table_stays_awake(start: Any, database: Path) -> None:
    player = Waits()
    with start(players=lambda: {"chance": player}) as server:
        game = server.new(blue="chance")
        try:
            with server.sit(game, "red") as red:
                red.play("Commit", number=3)
                red.wait(lambda table: table["thinking"] == "blue")
                assert red.say("los", **{"from": "1-A1", "to": "1-A2"})["clear"] is True
                assert server.http.get(f"/api/games/{game['game']}").status_code == 200
                red.say("concede")
                assert red.table["result"]["winner"] == "blue"
                assert red.table["thinking"] is None
        finally:
            player.go.set()
    # Its final choice came too late to count.
    assert [line.get("what", "play") for line in lines_of(database, game)] == ["play", "concede"]


def test_a_computer_player_is_given_no_secret_and_no_dice(start: Any, database: Path) -> None:
    player = Waits()
    player.go.set()
    with start(players=lambda: {"chance": player}) as server:
        game = server.new(blue="chance")
        with server.sit(game, "red") as red:
            red.play("Commit", number=2)
            red.wait(lambda table: table["asked"] == ["red"] and table["prompt"]["step"] == "move")
            red.play("End")
            red.wait(lambda table: table["asked"] == ["red"])
        with sqlite3.connect(database) as connection:
            key = connection.execute("select key from games").fetchone()[0]
        connection.close()
    seeds = {given.dice.seed for given in player.given}
    assert len(seeds) == len(player.given) > 1
    assert key not in seeds
    # Red's number, 2, is drawn anew each time: the sight that it comes from has a zero in its place.
    assert {given.sight("blue").secrets["red"] for given in player.given} == {0}


def test_a_computer_player_that_fails_loses_its_choice_to_chance(start: Any) -> None:
    class Fails(Chance):
        def choose(self, game: Any, seat: str, rng: random.Random) -> Any:
            raise ZeroDivisionError

    class Cheats(Chance):
        def choose(self, game: Any, seat: str, rng: random.Random) -> Any:
            game.state.at.clear()
            return Record

    with start(players=lambda: {"fails": Fails(), "cheats": Cheats()}) as server:
        game = server.new(red="fails", blue="cheats")
        with server.sit(game) as spectator:
            spectator.wait(lambda table: table["result"] is not None)


def test_computer_players_stop_when_nobody_is_there(start: Any, database: Path) -> None:
    player = Waits()
    with start(players=lambda: {"chance": player}) as server:
        game = server.new(red="chance", blue="chance")
        with server.sit(game) as spectator:
            spectator.wait(lambda table: table["thinking"] is not None)
        for _ in range(10_000):
            if not server.http.app.state.rooms.live:
                break
            server.http.get("/api/players")
        player.go.set()
        assert server.http.get(f"/api/games/{game['game']}").json()["result"] is None
        assert lines_of(database, game) == []
        with server.sit(game) as spectator:  # and go on when somebody comes
            spectator.wait(lambda table: table["result"] is not None)


# --- places at the table ---------------------------------------------------------------------------------


@pytest.mark.parametrize("begun", [True, False])
def test_spectators_cannot_take_a_seats_place(server: Any, monkeypatch: pytest.MonkeyPatch, begun: bool) -> None:
    """However many watch, a seat's own browser comes in, at the table as in the waiting room."""
    monkeypatch.setattr(connection, "MOST_SPECTATORS", 2)
    game = server.new() if begun else server.prepare({side: {"side": side} for side in ("red", "blue")})
    come = server.sit if begun else server.wait
    with come(game) as one, come(game):
        said, code = parting(server, game["game"], '{"type": "join"}')
        assert (said["text"], code) == ("2 spectators are here already, and there is no room for more", 4409)
        with come(game, "red") as red, come(game, "blue"):
            assert red.table["seat"] == "red"
        one.wire.close()


def test_a_server_bounds_the_spectators_of_all_tables_before_it_bounds_its_conversations(
    server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So spectators of one table keep no seat of another out."""
    monkeypatch.setattr(connection, "MOST_WATCHING", 2)
    monkeypatch.setattr(connection, "MOST_CONVERSATIONS", 4)
    one, other = server.new(), server.new()
    with server.sit(one) as first, server.sit(other):
        said, code = parting(server, one["game"], '{"type": "join"}')
        assert (said["text"], code) == (
            "2 spectators are at the tables of this server, and there is no room for more",
            4409,
        )
        with server.sit(one, "red"), server.sit(other, "blue"):
            said, code = parting(server, one["game"], '{"type": "join"}')
            assert (said["text"], code) == ("4 windows are open at this server: try again when one has gone", 1013)
        first.wire.close()


def test_a_browser_that_leaves_makes_room_for_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "MOST_WATCHING", 1)
    monkeypatch.setattr(connection, "MOST_CONVERSATIONS", 1)
    doors = connection.Doors()
    for _ in range(2):
        with doors.conversation(), doors.place("spectator"):
            with pytest.raises(connection.Crowded), doors.conversation():
                pass
            with pytest.raises(connection.OpfireError, match="no room for more"), doors.place("spectator"):
                pass
            with doors.place("red"), doors.place("blue"):
                pass


def test_a_seat_opened_in_too_many_windows_loses_the_oldest(
    server: Any, game: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A window whose line broke unnoticed takes no place from its own seat, nor does somebody else's seat."""
    monkeypatch.setattr(connection, "MOST_WINDOWS", 2)
    with (
        server.sit(game, "red") as oldest,
        server.sit(game, "red") as other,
        server.sit(game, "blue") as blue,
        server.sit(game, "red") as newest,
    ):
        said = oldest.until(lambda message: message["type"] == "refused")
        assert said["text"] == "This seat is open in more than 2 windows, so the oldest was closed"
        with pytest.raises(WebSocketDisconnect) as gone:
            oldest.receive()
        assert gone.value.code == 4410
        for seat in (other, newest, blue):
            assert seat.say("why", unit="red-1")["type"] == "answer"


def test_a_browser_that_asks_for_it_hears_signs_of_life(
    server: Any, game: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "BEAT_SECONDS", 0.01)
    path = f"/api/games/{game['game']}/table"
    with server.http.websocket_connect(path, headers={"origin": HOME}) as wire:
        wire.send_text('{"type": "join", "beats": true}')
        kinds = [msgspec.json.decode(wire.receive_text(timeout=20))["type"] for _ in range(6)]
    assert kinds[0] == "table"
    assert kinds[-1] == "beat"


def test_nobody_else_is_sent_any(server: Any, game: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "BEAT_SECONDS", 0.001)
    with server.sit(game, "red") as red:
        red.say("orders")
        assert '"beat"' not in red.bytes
