"""Each seat is told everything in its own language."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from opfire.core.texts import ENGLISH, Catalogue
from opfire.server import routes
from server.conftest import HOME, Seat, Server

FRENCH = Catalogue(
    "fr",
    {
        "the start of the game": "le début de la partie",
        "The dice key stays secret until the game is over": "La clé des dés reste secrète",
        "The Row": "La rangée",
        "Red": "Rouge",
        "Blue": "Bleu",
        "conceded": "abandonné",
    },
)


@pytest.fixture(autouse=True)
def french(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server knows a third language."""

    def translation(language: str, package: Path) -> Catalogue:
        return FRENCH if language == "fr" else ENGLISH

    monkeypatch.setattr(routes, "translation", translation)


@contextmanager
def reading(server: Server, game: Any, seat: str, language: str, first: str = "log") -> Iterator[Seat]:
    """A seat that reads in a language: at the table, or in another place where it is first sent something else."""
    with server.http.websocket_connect(f"/api/games/{game['game']}/table", headers={"origin": HOME}) as wire:
        wire.send_text(
            msgspec.json.encode({"type": "join", "token": game["seats"][seat], "language": language}).decode()
        )
        reader = Seat(wire)
        reader.until(lambda message: message["type"] == first)
        yield reader


def test_two_seats_and_two_windows_of_one_read_their_own_languages(server: Server):
    game = server.new()
    with (
        reading(server, game, "red", "fr") as french,
        reading(server, game, "red", "en") as english,
        reading(server, game, "blue", "en") as other,
    ):
        told = [(seat.table["language"], seat.table["undo"]["barrier"]) for seat in (french, english, other)]
    assert told == [("fr", "le début de la partie"), *[("en", "the start of the game")] * 2]


def test_the_facts_of_a_game_have_names_in_the_language_asked_for(server: Server):
    address = f"/api/games/{server.new()['game']}"
    told = [server.http.get(address, params=params).json() for params in ({}, {"language": "fr"})]
    assert [facts["title"] for facts in told] == ["The Row", "La rangée"]
    assert [[side["name"] for side in facts["sides"]] for facts in told] == [["Red", "Blue"], ["Rouge", "Bleu"]]


def test_the_facts_of_a_record_have_names_in_the_language_asked_for(server: Server):
    record = server.http.get(f"/api/games/{server.new()['game']}/record").content
    wishes: list[dict[str, str]] = [{}, {"language": "fr"}]
    told = [server.http.post("/api/records", params=params, content=record).json() for params in wishes]
    assert [facts["title"] for facts in told] == ["The Row", "La rangée"]
    assert [[side["name"] for side in facts["sides"]] for facts in told] == [["Red", "Blue"], ["Rouge", "Bleu"]]


def test_a_waiting_room_has_names_in_the_language_of_the_seat(server: Server):
    game = server.prepare({"red": {"side": "red"}, "blue": {"side": "blue"}})
    with reading(server, game, "red", "fr", first="waiting") as french:
        assert french.table["title"] == "La rangée"
        assert french.table["sides"] == [{"id": "red", "name": "Rouge"}, {"id": "blue", "name": "Bleu"}]


def test_refusals_are_told_in_the_language_of_the_seat(server: Server):
    game = server.new()
    with reading(server, game, "red", "fr") as french, reading(server, game, "red", "en") as english:
        assert french.say("proof")["text"] == "La clé des dés reste secrète"
        assert english.say("proof")["text"] == "The dice key stays secret until the game is over"


def test_a_rulebook_without_a_catalogue_is_told_in_english_and_says_so(server: Server):
    with reading(server, server.new(), "red", "de") as seat:
        assert seat.table["language"] == "en"


def test_the_end_of_a_game_is_told_in_the_language_of_the_seat(server: Server):
    game = server.new()
    with reading(server, game, "red", "fr") as red, reading(server, game, "blue", "en") as blue:
        red.say("concede")
        blue.settle()
        assert [seat.table["result"]["level"] for seat in (red, blue)] == ["abandonné", "conceded"]
