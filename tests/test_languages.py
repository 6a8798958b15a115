"""The language of a seat: German is whole or absent, and nobody else is told in it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from opfire.core import scenario as scenarios
from opfire.core.match import Match
from opfire.core.record import Entry
from opfire.core.ruleset import Ruleset, installed
from opfire.core.texts import SHARED, called, spoken, translation
from spoken import answers, catalogues, english_in, heard

GERMAN = [ruleset for ruleset in installed().values() if (ruleset.package / "locale" / "de.po").exists()]
DECISIONS = 60


def scenario_of(ruleset: Ruleset) -> str:
    """The scenario that a rulebook's speed is measured with: one with most of what it has."""
    return scenarios.files()[ruleset.bench].read_text(encoding="utf-8")


def test_case_orange_speaks_german():
    assert "case-orange" in [ruleset.id for ruleset in GERMAN]


@pytest.mark.parametrize("ruleset", GERMAN, ids=lambda ruleset: ruleset.id)
def test_fire_in_answer_has_the_name_that_the_book_gives_it(ruleset: Ruleset):
    name = "Overwatch fire" if ruleset.id == "panzer" else "Opportunity fire"
    german = "Feuerüberwachung" if ruleset.id == "panzer" else "Gelegenheitsfeuer"
    assert (ruleset.reaction, translation("de", ruleset.package).messages[name]) == (name, german)


@pytest.mark.parametrize(
    ("frame", "name", "german"),
    [
        ("AntiAircraft", "Anti-aircraft fire", "Flakfeuer"),  # 6.7.4
        ("ReturningFire", "Defensive fire", "Abwehrfeuer"),  # 7.50
        ("Quickdraw", "Quickdraw", "Schnellschuss"),  # 7.54
        ("Overwatch", "", ""),  # 4.4.2: the usual one of the ruleset
    ],
)
def test_panzer_names_each_kind_of_fire_in_answer(frame: str, name: str, german: str):
    ruleset = installed()["panzer"]
    (found,) = [each for each in ruleset.frames if each.__name__ == frame]
    assert (found.reaction, translation("de", ruleset.package).messages.get(name, "")) == (name, german)


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


@pytest.mark.parametrize("ruleset", GERMAN, ids=lambda ruleset: ruleset.id)
def test_the_card_of_a_unit_calls_its_kind_in_german(ruleset: Ruleset):
    match = Match.start(scenario_of(ruleset), key=bytes(32))
    match.go_on()
    seat = match.game.deciders()[0]
    kinds = [unit["type"] for unit in match.game.view(seat)["units"]]
    with spoken(translation("de", ruleset.package)):
        assert [unit["type"] for unit in match.game.view(seat)["units"]] == [called(kind) for kind in kinds] != kinds


def played(text: str, language: str, package: Path) -> list[Entry]:
    """The record of a random game, played by readers of that language."""
    rng = random.Random(5)
    with spoken(translation(language, package)):
        match = Match.start(text, key=bytes(32))
        match.go_on()
        for _ in range(60):
            seat = match.game.deciders()[0]
            match.play(seat, match.game.choices(seat).sample(rng))
            match.go_on()
        return [*match.record.lines]


@pytest.mark.parametrize("ruleset", GERMAN, ids=lambda ruleset: ruleset.id)
def test_a_record_is_the_same_whoever_reads_along(ruleset: Ruleset):
    assert played(scenario_of(ruleset), "de", ruleset.package) == played(scenario_of(ruleset), "en", ruleset.package)


def fields(message: Any) -> Iterator[str]:
    """The names of all fields of a message."""
    match message:
        case dict():
            for name, value in message.items():
                yield from (name, *fields(value))
        case list():
            for value in message:
                yield from fields(value)


@pytest.mark.parametrize("ruleset", installed().values(), ids=lambda ruleset: ruleset.id)
def test_no_text_is_sent_that_nobody_has_filled_in(ruleset: Ruleset):
    rng, match, sent = random.Random(7), Match.start(scenario_of(ruleset), key=bytes(32)), 0
    match.go_on()
    for number in range(40):
        seat = match.game.deciders()[0]
        if number % 8 == 0:
            for answer in answers(match, seat, rng):
                found = set(fields(msgspec.to_builtins(answer)))
                assert not {"template", "facts"} & found
                sent += len(found)
        match.play(seat, match.game.choices(seat).sample(rng))
        match.go_on()
    assert sent
