"""Faults of the input: each is answered in a sentence, and none is a fault of the server's."""

from __future__ import annotations

import json
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from edits import edited
from opfire.core.errors import OpfireError
from opfire.core.match import Match
from opfire.kit.orders import Orders
from opfire.server.guard import foreign
from opfire.server.store import NotWritten, Store, stored_records

from . import toy
from .conftest import HOME

BROKEN = "Something went wrong on the server"


def sentence(answer: Any) -> str:
    """The words of an HTTP answer that is an error, of those that a player can read."""
    text: str = answer.json()["error"]["text"]
    assert 400 <= answer.status_code < 500, (answer.status_code, text)
    assert " " in text.strip("."), text
    assert "\n" not in text
    assert BROKEN not in text
    return text


# --- HTTP ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/assets/%00", "/%00", "/" + "a" * 5000, "/assets/" + "b/" * 3000, "/" + "x." * 999])
def test_a_path_that_no_file_can_have_is_not_found(server: Any, path: str) -> None:
    assert sentence(server.http.get(path)) == "There is no such file"


@pytest.mark.parametrize("name", ["a" * 5000, "a%20" * 5000])
@pytest.mark.parametrize("path", ["/api/scenarios/{}", "/api/rules/{}", "/api/games/{}"])
def test_a_long_name_is_not_echoed_whole(server: Any, path: str, name: str) -> None:
    answer = server.http.get(path.format(name))
    assert answer.status_code == 404
    assert len(sentence(answer)) < 1100
    assert "a" * 81 not in sentence(answer)


def test_what_was_expected_stands_behind_a_long_name(server: Any) -> None:
    told = [sentence(server.http.get(f"/api/scenarios/{name}")) for name in ("a" * 5000, "b")]
    assert told[0].partition("; ")[2] == told[1].partition("; ")[2] != ""


ORIGINS = ["http://[", "http://[::1", "http://[zz]:1", "http://127.0.0.1:x", "null", "", "//", "http://a:b:c"]


@pytest.mark.parametrize("origin", ORIGINS)
def test_a_broken_origin_is_a_foreign_one(server: Any, origin: str) -> None:
    answer = server.http.get("/api/players", headers={"origin": origin})
    assert (answer.status_code, sentence(answer)) == (403, f"Pages from {origin!r} may not use this server")


@pytest.mark.parametrize("host", ["127.0.0.1:x", "127.0.0.1:99999", "[::1", "[", "", "localhost:-1", "localhost:"])
def test_a_broken_host_is_not_ours(host: str) -> None:
    reason = foreign({"host": host}, ())
    assert (reason is None) == (host == "localhost:")


BODIES = {
    "empty": b"",
    "deep": b"[" * 20_000,
    "deep-object": b'{"a":' * 9_000,
    "deep-field": b'{"seats":' + b'{"a":' * 3_000,
    "not-utf-8": b"\xff\xfe{}",
    "not-utf-8-inside": b'{"scenario":"\xff"}',
    "half-a-character": b'{"scenario":"\\ud800"}',
    "many-digits": b'{"scenario":' + b"9" * 5_000 + b"}",
    "null": b"null",
    "form": b"scenario=row",
    "long": b" " * 70_000,
}
KINDS = ["application/json", "", "multipart/form-data", "application/x-www-form-urlencoded", "application/msgpack"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("path", ["/api/games", "/api/games/x/seats"])
def test_a_body_that_cannot_be_read_gets_a_sentence(server: Any, path: str, body: str, kind: str) -> None:
    answer = server.http.post(path, content=BODIES[body], headers={"content-type": kind})
    assert sentence(answer)
    assert (answer.status_code == 413) == (body == "long")


def played() -> list[dict[str, Any]]:
    """The lines of a record that can be opened, as plain data: its header and three decisions."""
    match = Match.start(toy.SCENARIO, nonces={"red": "r", "blue": "b"}, key=bytes(32))
    match.play("red", toy.Commit(1))
    match.play("blue", toy.Commit(3))
    match.play("red", toy.Shoot("red-1", "blue-1"))
    match.concede("red")
    return [msgspec.json.decode(line) for line in match.record_for("red").dump().splitlines()]


def dumped(lines: list[dict[str, Any]]) -> bytes:
    sys.set_int_max_str_digits(0)
    try:
        return "\n".join(json.dumps(line) for line in lines).encode()
    finally:
        sys.set_int_max_str_digits(4300)


@pytest.mark.parametrize("text", BODIES)
def test_a_text_that_is_no_record_gets_a_sentence(server: Any, text: str) -> None:
    assert sentence(server.http.post("/api/records", content=BODIES[text]))


JUNK = [
    None,
    True,
    -1,
    2**63,
    10**4000,
    1.5,
    "",
    "x",
    "\0",
    "\ud83d",
    [],
    ["x"],
    [-1],
    [2**70],
    [0],
    {},
    {"x": 1},
    {"": ""},
]
SCENARIOS = ["a = " + "[" * 20_000, "turns = " + "9" * 5_000, edited(toy.SCENARIO, "turns = 2", "turns = -2")]


@pytest.mark.parametrize("number", range(4))
def test_a_damaged_record_gets_a_sentence(server: Any, number: int) -> None:
    """Each field of each kind of line in turn is replaced by values that do not belong there, or left out."""
    lines = played()
    assert server.http.post("/api/records", content=dumped(lines)).status_code == 201
    for field in lines[number]:
        for junk in (*JUNK, *(SCENARIOS if field == "scenario" else ())):
            damaged = [{**line, field: junk} if at == number else line for at, line in enumerate(lines)]
            told(server.http.post("/api/records", content=dumped(damaged)))
        left = [{k: v for k, v in line.items() if k != field or at != number} for at, line in enumerate(lines)]
        told(server.http.post("/api/records", content=dumped(left)))


def told(answer: Any) -> None:
    """The record was opened, because the change does not matter to those who look, or refused in a sentence."""
    if answer.status_code != 201:
        sentence(answer)


def test_every_call_says_in_words_why_it_failed(server: Any) -> None:
    http = server.http
    assert sentence(http.put("/api/games")) == "PUT is not a call that this address takes"
    assert sentence(http.get("/api/nothing")) == "There is no such call"
    assert sentence(http.get("/api/games/a/b/c")) == "There is no such call"
    long = http.post("/api/games", content=b" " * 70_000)
    assert sentence(long) == "This is too long: at most 65536 bytes"
    assert sentence(http.post("/api/games")) == "body: nothing was sent; expected JSON as in docs/protocol.md"


# --- the conversation ----------------------------------------------------------------------------------


@pytest.mark.parametrize("origin", ORIGINS)
def test_a_broken_origin_gets_no_conversation(server: Any, origin: str) -> None:
    from litestar.exceptions import WebSocketDisconnect

    wire = server.http.websocket_connect("/api/games/x/table", headers={"origin": origin})
    with pytest.raises(WebSocketDisconnect) as refused, wire:
        pass
    assert refused.value.code == 1008


@pytest.mark.parametrize("what", ["within", "most", "least_chance"])
@pytest.mark.parametrize("number", [-1, 10**4000, 1001])
def test_standing_orders_keep_to_numbers_that_mean_something(what: str, number: int) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({what: number}, Orders)
    assert msgspec.convert({what: 1000}, Orders)


# --- the database --------------------------------------------------------------------------------------


def test_a_database_of_a_later_version_is_named_as_such(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    Store(str(path)).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("update alembic_version set version_num = '0999'")
    with pytest.raises(OpfireError, match=r"cannot be opened: a later version of Opfire has written it \(step 0999\)"):
        Store(str(path))


@pytest.mark.parametrize(
    ("database", "words"),
    [
        ("mysql://user@host/games", "the driver for it is not installed; expected a file's path, sqlite:// or"),
        ("zork://user@host/games", "the driver for it is not installed; expected a file's path, sqlite:// or"),
        ("postgresql://127.0.0.1:port/games", "cannot be"),
        ("://", "cannot be"),
        ("a\0b", "cannot be"),
        ("x" * 5000, "cannot be"),
    ],
)
def test_an_address_of_no_database_gets_a_sentence(database: str, words: str) -> None:
    for opened in (Store, lambda name: list(stored_records(name))):
        with pytest.raises(OpfireError) as refused:
            opened(database)
        assert words in str(refused.value)
        assert "\n" not in str(refused.value)


def damage(database: Path, game: Any, **fields: Any) -> None:
    with closing(sqlite3.connect(database)) as connection, connection:
        for name, value in fields.items():
            connection.execute(f"update games set {name} = ? where id = ?", (value, game["game"]))


DAMAGE: dict[str, dict[str, Any]] = {
    "cut": {"header": "{"},
    "empty": {"header": '{"opfire":2}'},
    "deep": {"header": "[" * 9_000},
    "bytes": {"header": b"\xff"},
    "seats": {"seats": "3"},
    "key": {"key": b""},
}


@pytest.mark.parametrize("what", DAMAGE)
def test_a_damaged_game_is_named_and_the_others_go_on(start: Any, database: Path, what: str) -> None:
    with start() as server:
        game, other = server.new(), server.new()
    damage(database, game, **DAMAGE[what])
    with start() as server:
        address = f"/api/games/{game['game']}"
        for part in ("", "/map", "/record"):
            assert sentence(server.http.get(address + part))
        with server.http.websocket_connect(f"{address}/table", headers={"origin": HOME}) as wire:
            said = msgspec.json.decode(wire.receive_text(timeout=20))
        assert said["type"] == "refused"
        assert BROKEN not in said["text"]
        assert server.http.get(f"/api/games/{other['game']}").status_code == 200


def test_another_server_that_wrote_first_is_named(tmp_path: Path) -> None:
    """A decision that comes too late is refused in words, not in those of the database."""
    store = Store(str(tmp_path / "games.sqlite"))
    match = Match.start(toy.SCENARIO, nonces={"red": "r", "blue": "b"}, key=bytes(32))
    store.add("one", "row", match.record.header, match.key, {})
    match.play("red", toy.Commit(1))
    store.write("one", 0, 0, match.record.lines, None)
    with pytest.raises(NotWritten) as refused:
        store.write("one", 0, 0, match.record.lines, None)
    assert str(refused.value) == (
        "This could not be saved, so it has not happened: another server has changed the game; load the page again"
    )
    store.close()


def test_a_database_that_cannot_be_read_gets_a_sentence(start: Any, database: Path) -> None:
    with start() as server:
        game = server.new()
    # A server that has just started holds no game in memory.
    with start() as server:
        with closing(sqlite3.connect(database)) as connection, connection:
            connection.execute("drop table sheets")
        answer = server.http.get(f"/api/games/{game['game']}/record")
    assert answer.status_code == 503
    assert answer.json()["error"]["text"] == "The games cannot be read: no such table: sheets"
