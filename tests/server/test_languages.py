"""The language of a seat: German is whole or absent, and nobody else is told in it."""

from __future__ import annotations

import random
from pathlib import Path

import msgspec
import pytest

from opfire.core import scenario as scenarios
from opfire.core.match import Match
from opfire.core.ruleset import Ruleset, installed
from opfire.core.texts import ENGLISH, SHARED, spoken, translation
from server.conftest import HOME, Seat, Server
from server.spoken import catalogues, english_in, heard

GERMAN = [ruleset for ruleset in installed().values() if (ruleset.package / "locale" / "de.po").exists()]
DECISIONS = 120


def scenario_of(ruleset: Ruleset) -> str:
    """The scenario that a rulebook's speed is measured with: one with most of what it has."""
    return scenarios.files()[ruleset.bench].read_text(encoding="utf-8")


def test_case_orange_speaks_german():
    assert "case-orange" in [ruleset.id for ruleset in GERMAN]


@pytest.mark.parametrize("ruleset", GERMAN, ids=lambda ruleset: ruleset.id)
@pytest.mark.parametrize("seed", range(2))
def test_every_text_of_a_random_game_comes_out_of_a_catalogue(ruleset: Ruleset, seed: int):
    assert english_in(ruleset, scenario_of(ruleset), DECISIONS, seed) == []


@pytest.mark.parametrize("ruleset", GERMAN, ids=lambda ruleset: ruleset.id)
def test_a_translated_rulebook_is_whole(ruleset: Ruleset):
    assert translation("de", ruleset.package).language == "de"


@pytest.mark.parametrize("ruleset", GERMAN, ids=lambda ruleset: ruleset.id)
def test_a_catalogue_is_read_as_babel_reads_it(ruleset: Ruleset):
    wanted = {
        message.id: message.string
        for folder in (SHARED, ruleset.package)
        for message in catalogues.catalogue(folder / "locale" / "de.po")
        if message.id
    }
    assert translation("de", ruleset.package).messages == wanted


@pytest.mark.parametrize("ruleset", GERMAN, ids=lambda ruleset: ruleset.id)
def test_no_text_is_kept_in_the_language_in_which_it_was_shown_first(ruleset: Ruleset):
    text = scenario_of(ruleset)
    assert [*heard(ruleset, text, 60, 3)]
    assert english_in(ruleset, text, 60, 3) == []


def played(text: str, language: str, package: Path) -> str:
    """The record of a random game, played by readers of that language."""
    rng = random.Random(5)
    with spoken(translation(language, package)):
        match = Match.start(text, key=bytes(32))
        match.go_on()
        for _ in range(60):
            seat = match.game.deciders()[0]
            match.play(seat, match.game.choices(seat).sample(rng))
            match.go_on()
        return match.record.text()


@pytest.mark.parametrize("ruleset", GERMAN, ids=lambda ruleset: ruleset.id)
def test_a_record_is_the_same_whoever_reads_along(ruleset: Ruleset):
    assert played(scenario_of(ruleset), "de", ruleset.package) == played(scenario_of(ruleset), "en", ruleset.package)


def joined(server: Server, game: dict[str, object], seat: str, language: str) -> dict[str, object]:
    """The table that a seat is shown which joins in a language."""
    with server.http.websocket_connect(f"/api/games/{game['game']}/table", headers={"origin": HOME}) as wire:
        join = {"type": "join", "token": game["seats"][seat], "language": language}  # type: ignore[index]
        wire.send_text(msgspec.json.encode(join).decode())
        reader = Seat(wire)
        reader.until(lambda message: message["type"] == "log")
        return reader.table


def test_each_seat_reads_its_own_language_at_one_table(server: Server):
    game = server.prepare({side: {"side": side} for side in ("german", "soviet")}, "mill-ford")
    for name in game["seats"]:
        server.come(game, name)
    german, soviet = joined(server, game, "german", "de"), joined(server, game, "soviet", "en")
    assert (german["language"], soviet["language"]) == ("de", "en")
    told = [table["prompt"]["text"] for table in (german, soviet)]  # type: ignore[index]
    assert told == ["Stelle deine Einheiten in ihren Zonen auf", "Place your units in their zones"]
    assert joined(server, game, "german", "en")["language"] == "en"


def test_a_rulebook_without_german_is_told_in_english_and_says_so(server: Server):
    game = server.new()
    assert joined(server, game, "red", "de")["language"] == ENGLISH.language
