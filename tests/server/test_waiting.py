"""Before a game begins: the commitment is shown, each human seat adds to the dice, and the host may drop a seat."""

from __future__ import annotations

import dataclasses
import sqlite3
from pathlib import Path
from typing import Any

import msgspec
import pytest

from opfire.core import ruleset
from opfire.core.actions import Refusal
from opfire.core.record import Record
from server import toy

BOTH = {"red": {"side": "red"}, "blue": {"side": "blue"}}
FOUR = {
    "Anna": {"side": "red"},
    "Bert": {"side": "red"},
    "Ivan": {"side": "blue"},
    "Olga": {"side": "blue", "player": "chance"},
}


def mine_alone(sight: Any, seat: str, frame: Any, action: Any) -> Refusal | None:
    """Anna and Ivan decide whatever is about no unit, or about the first; Bert and Olga have the second."""
    first = not getattr(action, "unit", "x-1").endswith("2")
    return None if first == (seat in ("Anna", "Ivan")) else Refusal("Not {}'s to say", "1.4", (seat,))


@pytest.fixture
def divided(monkeypatch: pytest.MonkeyPatch) -> None:
    """The Row can be played by two players a side."""
    names = {"red": ("Anna", "Bert"), "blue": ("Ivan", "Olga")}
    shared = dataclasses.replace(toy.TOY, players=lambda scenario: names, barred=mine_alone)
    monkeypatch.setattr(ruleset, "installed", lambda: {"toy": shared})
    monkeypatch.setattr("opfire.server.catalogue.installed", lambda: {"toy": shared})


def header_of(server: Any, game: Any) -> Any:
    return Record.load(server.http.get(f"/api/games/{game['game']}/record").text).header


def drop(server: Any, game: Any, token: str | None = None, **body: Any) -> Any:
    token = game["host"] if token is None else token
    headers = {"authorization": f"Bearer {token}"}
    return server.http.post(f"/api/games/{game['game']}/seats", json=body, headers=headers)


# --- the commitment comes first --------------------------------------------------------------------------


def test_a_seat_is_shown_the_commitment_before_it_adds_to_the_dice(server: Any) -> None:
    game = server.prepare(BOTH)
    with server.wait(game, "red") as red:
        assert red.table["commitment"] == game["commitment"] == header_of(server, game).commitment
        assert (red.table["seat"], red.table["side"], red.table["title"]) == ("red", "red", "The Row")
        assert [(seat["seat"], seat["come"]) for seat in red.table["seats"]] == [("red", False), ("blue", False)]


def test_the_game_begins_when_every_human_seat_has_come(server: Any) -> None:
    game = server.prepare(BOTH)
    with server.wait(game, "red") as red:
        red.say("nonce", commitment=red.table["commitment"], nonce="nonce of red")
        assert red.table["type"] == "waiting"
        assert [seat["come"] for seat in red.table["seats"]] == [True, False]
        server.come(game, "blue")
        red.until(lambda message: message["type"] == "table")
        assert red.table["asked"] == ["red", "blue"]
        red.play("Commit", number=2)  # the same conversation goes on at the table
        assert red.table["asked"] == ["blue"]
    header = header_of(server, game)
    assert header.nonces == {"red": "nonce of red", "blue": "nonce of blue"}
    assert header.commitment == game["commitment"]


def test_computer_players_add_nothing_and_do_not_think_before_the_game_begins(server: Any) -> None:
    game = server.prepare({"red": {"side": "red", "player": "chance"}, "blue": {"side": "blue"}})
    assert list(game["seats"]) == ["blue"]
    with server.wait(game, "blue") as blue:
        assert [seat["come"] for seat in blue.table["seats"]] == [True, False]
        assert server.http.get(f"/api/games/{game['game']}/record").text.count("\n") == 1
        blue.say("nonce", commitment=blue.table["commitment"], nonce="nonce of blue")
        blue.until(lambda message: message["type"] == "table")
        blue.play("Commit", number=1)
        blue.wait(lambda table: table["asked"] == ["blue"] or table["result"])
    assert list(header_of(server, game).nonces) == ["blue"]


def test_without_human_seats_nobody_is_waited_for(server: Any) -> None:
    game = server.prepare({side: {"side": side, "player": "chance"} for side in ("red", "blue")})
    assert game["seats"] == {}
    assert server.http.get(f"/api/games/{game['game']}").json()["waiting"] is False
    with server.sit(game) as spectator:
        assert spectator.table["type"] == "table"


def test_a_spectator_sees_who_has_come_and_adds_nothing(server: Any) -> None:
    game = server.prepare(BOTH)
    with server.wait(game) as spectator:
        assert (spectator.table["seat"], spectator.table["side"]) == ("spectator", None)
        said = spectator.say("nonce", commitment=spectator.table["commitment"], nonce="nonce of nobody")
        assert said["text"] == "spectator adds nothing to the dice"
        server.come(game, "red")
        spectator.until(lambda message: message["type"] == "waiting" and message["seats"][0]["come"])


def test_what_others_add_is_not_told_before_the_game_begins(server: Any) -> None:
    game = server.prepare(BOTH)
    server.come(game, "red", "a number that nobody may see")
    with server.wait(game, "blue") as blue:
        assert "a number that nobody may see" not in blue.bytes
    for token in ({}, {"authorization": f"Bearer {game['seats']['blue']}"}):
        assert "that nobody may see" not in server.http.get(f"/api/games/{game['game']}/record", headers=token).text


def test_a_nonce_is_for_the_commitment_that_was_shown_and_stays(server: Any) -> None:
    game = server.prepare(BOTH)
    with server.wait(game, "red") as red:
        other = red.say("nonce", commitment="ab" * 32, nonce="nonce of red")
        assert other["text"] == "This number was drawn for another commitment"
        assert red.say("nonce", commitment=game["commitment"], nonce="short")["type"] == "refused"
        assert red.say("nonce", commitment=game["commitment"], nonce="nonce of red")["type"] == "answer"
        assert red.say("nonce", commitment=game["commitment"], nonce="nonce of red")["type"] == "answer"  # a reload
        again = red.say("nonce", commitment=game["commitment"], nonce="a better one")
        assert again["text"] == "red has added to the dice already"
    server.come(game, "blue")
    assert header_of(server, game).nonces["red"] == "nonce of red"


def test_nothing_is_played_before_the_game_begins(server: Any) -> None:
    game = server.prepare(BOTH)
    server.come(game, "blue")
    with server.wait(game, "red") as red:
        assert red.play("Commit", number=1)["text"] == "The game has not begun: it waits for red"
        assert red.say("moments")["type"] == "refused"


def test_facts_and_map_of_a_game_that_waits(server: Any) -> None:
    game = server.prepare(BOTH)
    facts = server.http.get(f"/api/games/{game['game']}").json()
    assert (facts["waiting"], facts["commitment"], facts["result"]) == (True, game["commitment"], None)
    assert facts["seats"][0] == {"seat": "red", "side": "red", "human": True, "player": "human", "come": False}
    assert server.http.get(f"/api/games/{game['game']}/map").json()["id"] == "row"


def test_who_has_come_survives_a_restart(start: Any) -> None:
    with start() as server:
        game = server.prepare(BOTH)
        server.come(game, "red")
    with start() as server:
        with server.wait(game) as spectator:
            assert [seat["come"] for seat in spectator.table["seats"]] == [True, False]
        server.come(game, "blue")
        with server.sit(game, "red") as red:
            assert red.table["asked"] == ["red", "blue"]


# --- the host ----------------------------------------------------------------------------------------------


def test_the_host_gives_a_seat_that_has_not_come_to_a_computer_player(server: Any, database: Path) -> None:
    game = server.prepare(BOTH)
    server.come(game, "red", "the first number")
    answer = drop(server, game, seat="blue", player="chance")
    promised = answer.json()["commitment"]
    assert answer.status_code == 200
    assert promised != game["commitment"]
    with server.wait(game, "red") as red:
        # Somebody may have seen what red added, so it is drawn anew for the new promise.
        assert red.table["commitment"] == promised
        assert [(seat["player"], seat["come"]) for seat in red.table["seats"]] == [("human", False), ("chance", True)]
        red.say("nonce", commitment=promised, nonce="the second number")
        red.until(lambda message: message["type"] == "table")
    header = header_of(server, game)
    assert (header.commitment, header.nonces) == (promised, {"red": "the second number"})


def test_a_new_commitment_has_a_new_key(server: Any, database: Path) -> None:
    game = server.prepare(BOTH)
    keys = [key_in(database)]
    drop(server, game, seat="blue", player="chance")
    assert key_in(database) not in keys


def key_in(database: Path) -> bytes:
    with sqlite3.connect(database) as connection:
        (key,) = connection.execute("select key from games").fetchone()
    connection.close()
    return bytes(key)


def test_those_who_wait_are_shown_the_new_commitment_and_a_dropped_seat_is_shown_out(server: Any) -> None:
    game = server.prepare(BOTH)
    with server.wait(game, "red") as red, server.wait(game, "blue") as blue:
        promised = drop(server, game, seat="blue", player="chance").json()["commitment"]
        red.until(lambda message: message.get("commitment") == promised)
        said = blue.say("nonce", commitment=promised, nonce="nonce of blue")
        assert said["type"] == "refused"
        red.say("nonce", commitment=promised, nonce="nonce of red")
        assert blue.until(lambda message: message["type"] == "refused")["text"] == "The host has given this seat away"


@pytest.mark.usefixtures("divided")
def test_a_seat_is_taken_away_where_its_side_keeps_another(server: Any) -> None:
    game = server.prepare(FOUR)
    assert drop(server, game, seat="Bert").status_code == 200
    for seat in ("Anna", "Ivan"):
        with server.wait(game, seat) as waiting:
            waiting.say("nonce", commitment=waiting.table["commitment"], nonce=f"nonce of {seat}")
    assert header_of(server, game).seats == {"Anna": "red", "Ivan": "blue", "Olga": "blue"}
    answer = drop(server, server.prepare(BOTH), seat="blue")
    assert answer.status_code == 400
    assert "at least one at each of" in answer.json()["error"]["text"]


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ({"seat": "green"}, 400, "there is no human seat 'green'"),
        ({"seat": "red", "player": "chance"}, 400, "red has come"),
        ({"seat": "blue", "player": "deep"}, 400, "there is no player 'deep'"),
    ],
)
def test_what_the_host_cannot_drop(server: Any, body: Any, status: int, words: str) -> None:
    game = server.prepare(BOTH)
    server.come(game, "red")
    answer = drop(server, game, **body)
    assert answer.status_code == status
    assert words in answer.json()["error"]["text"]
    assert header_of(server, game).commitment == game["commitment"]


def test_only_the_host_drops_seats_and_only_before_the_game_begins(server: Any) -> None:
    game = server.prepare(BOTH)
    for token in ("", "x", game["seats"]["red"]):
        assert drop(server, game, token, seat="blue", player="chance").status_code == 403
    assert server.http.post(f"/api/games/{game['game']}/seats", json={"seat": "blue"}).status_code == 403
    for seat in game["seats"]:
        server.come(game, seat)
    answer = drop(server, game, seat="blue", player="chance")
    assert (answer.status_code, "the game has begun" in answer.text) == (400, True)


def test_a_game_that_has_changed_on_the_disk_is_not_written_over(start: Any, database: Path) -> None:
    with start() as one, start() as other:
        game = one.prepare(BOTH)
        with other.wait(game, "blue") as blue:
            one.come(game, "red")
            said = blue.say("nonce", commitment=game["commitment"], nonce="nonce of blue")
            assert "has changed in the meantime" in said["text"]
    assert list(msgspec.json.decode(row_of(database)["header"])["nonces"]) == ["red"]


def row_of(database: Path) -> dict[str, Any]:
    with sqlite3.connect(database) as connection:
        connection.row_factory = sqlite3.Row
        row = dict(connection.execute("select * from games").fetchone())
    connection.close()
    return row


# --- several seats a side ----------------------------------------------------------------------------------


@pytest.mark.usefixtures("divided")
def test_each_seat_is_told_whether_it_decides_and_a_computer_player_without_a_choice_is_not_asked(server: Any) -> None:
    game = server.prepare(FOUR)
    for name in game["seats"]:
        server.come(game, name)
    with server.sit(game, "Anna") as anna, server.sit(game, "Bert") as bert, server.sit(game, "Ivan") as ivan:
        assert bert.table["decides"] == ["Anna"]
        anna.play("Commit", number=1)
        ivan.play("Commit", number=2)
        anna.wait(lambda table: table["decides"] == ["Anna", "Bert"])
        bert.wait(lambda table: table["decides"] == ["Anna", "Bert"])
        ivan.settle()
        assert (ivan.table["asked"], ivan.table["decides"]) == (["red"], [])
        assert bert.play("Step", unit="red-1", to="1-A2")["text"] == "Not Bert's to say"
        assert bert.play("Step", unit="red-2", to="1-A2")["type"] == "answer"
        anna.settle()
        assert anna.table["undo"]["can"] is False  # a draft of her side, but not her own
        assert [unit["place"] for unit in anna.table["view"]["units"][:2]] == ["1-A1", "1-A2"]


@pytest.mark.usefixtures("divided")
def test_a_side_concedes_when_its_human_seats_have_all_said_so(server: Any) -> None:
    game = server.prepare(FOUR)
    for name in game["seats"]:
        server.come(game, name)
    with server.sit(game, "Anna") as anna, server.sit(game, "Bert") as bert, server.sit(game, "Ivan") as ivan:
        anna.say("concede")
        bert.settle()
        ivan.settle()
        assert bert.table["votes"]["concede"] == ["Anna"]
        assert (ivan.table["votes"]["concede"], ivan.table["result"]) == ([], None)
        assert anna.say("decline", what="concede")["type"] == "answer"
        bert.say("concede")
        assert bert.table["result"] is None
        anna.say("concede")
        assert anna.table["result"]["winner"] == "blue"
