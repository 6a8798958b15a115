"""Texts in the language of their reader: filled in when shown, and only from a catalogue that is whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from opfire.core import texts
from opfire.core.actions import Refusal
from opfire.core.events import Calculation, Event, Line
from opfire.core.texts import Catalogue, Text, called, in_english, joined, say, spoken, translation

FRENCH = Catalogue(
    "fr",
    {
        "{} fires at {}": "{1} subit le tir de {0}",
        "Rifle platoon": "Section de fusiliers",
        "woods": "bois",
        " and ": " et ",
        "Defender in {}": "Défenseur : {}",
        "Assault": "Assaut",
        "Assault (by night)": "Assaut (de nuit)",
        "{} already takes part": "{} participe déjà",
    },
)


def write(folder: Path, language: str, *messages: str) -> Path:
    (folder / "locale").mkdir(parents=True, exist_ok=True)
    entries = (f'msgid "{english}"\nmsgstr "{said}"' for english, said in (each.split("=") for each in messages))
    (folder / "locale" / f"{language}.po").write_text("\n\n".join(entries), encoding="utf-8")
    return folder


@pytest.fixture
def shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(texts, "SHARED", tmp_path / "shared")
    return write(tmp_path / "shared", "fr", "A draw=Match nul")


def test_a_sentence_is_filled_in_with_translated_names_in_the_order_of_the_language():
    with spoken(FRENCH):
        assert say("{} fires at {}", "Rifle platoon 2", "T-34") == "T-34 subit le tir de Section de fusiliers 2"
    assert say("{} fires at {}", "Rifle platoon 2", "T-34") == "Rifle platoon 2 fires at T-34"


def test_a_text_is_kept_and_filled_in_for_each_reader():
    kept = Text("Defender in {}", (joined(["woods", "town"], " and "),))
    with spoken(FRENCH):
        assert str(kept) == "Défenseur : bois et town"
    assert kept == "Defender in woods and town"


def test_what_is_counted_stands_in_the_singular_behind_a_1():
    assert say("{} hexes of {} inches", 1, 2) == "1 hex of 2 inches"
    assert say("{} hexes of {} inches", 2, "1") == "2 hexes of 1 inch"
    assert say("Order a group to move ({} orders left), or decline", 1).startswith(
        "Order a group to move (1 order left)"
    )
    assert say("{} units wait to be placed", 1) == "1 unit waits to be placed"
    assert say("{} units wait to be placed", 11) == "11 units wait to be placed"
    assert say("{unit} keeps {left} points", unit="A", left=1) == "A keeps 1 point"
    # A word that only begins so is another one, and a language without singulars keeps its plural.
    assert say("{} pointsmen", 1) == "1 pointsmen"
    with spoken(FRENCH):
        assert say("{} hexes", 1) == "1 hexes"


def test_german_counts_one_field_too():
    with spoken(Catalogue("de", {"{} hexes away": "{} Felder weit weg"})):
        assert say("{} hexes away", 1) == "1 Feld weit weg"
        assert say("{} hexes away", 3) == "3 Felder weit weg"


def test_refusals_events_and_calculations_are_filled_in_when_shown():
    refusal = Refusal("{} already takes part", "procedure", ("Rifle platoon 1",))
    event = Event("fired", "{} fires at {}", ("Rifle platoon 1", Text("Defender in {}", ("woods",))))
    line = Line("modifier", Text("Defender in {}", ("woods",)), "+1", "9.3")
    calculation = Calculation("Assault", "9.7", (line,), 1, 6, ("X",) * 6)
    with spoken(FRENCH):
        assert refusal.sentence() == "Section de fusiliers 1 participe déjà"
        assert event.sentence() == "Défenseur : bois subit le tir de Section de fusiliers 1"
        assert calculation.to_json()["title"] == "Assaut"
        assert calculation.to_json()["lines"][0]["label"] == "Défenseur : bois"
        assert in_english(event.text, *event.facts) == "Rifle platoon 1 fires at Defender in woods"


def test_a_name_with_a_number_is_translated_without_it():
    with spoken(FRENCH):
        assert (called("Rifle platoon 12"), called("Hill 41")) == ("Section de fusiliers 12", "Hill 41")
        assert called("Rifle platoon (T-34 2)") == "Section de fusiliers (T-34 2)"
        assert called("Assault (Rifle platoon 3)") == "Assaut (Section de fusiliers 3)"
        assert called("Assault (by night) (T-34 (captured) 2)") == "Assaut (de nuit) (T-34 (captured) 2)"
        assert called("Hill 41 (Rifle platoon)") == "Hill 41 (Rifle platoon)"


def test_a_third_language_is_a_file_for_what_all_share_and_one_for_a_rulebook(shared: Path, tmp_path: Path):
    book = write(tmp_path / "whole", "fr", "Fire=Feu")
    assert texts.languages() == ("en", "fr")
    with spoken(translation("fr", book)):
        assert (texts.language(), say("Fire"), say("A draw")) == ("fr", "Feu", "Match nul")


@pytest.mark.parametrize("messages", [(), ("Fire=Feu", "Overrun=")])
def test_a_rulebook_without_a_whole_catalogue_is_english_in_all_its_texts(
    shared: Path, tmp_path: Path, messages: tuple[str, ...]
):
    book = write(tmp_path / str(len(messages)), "fr", *messages)
    assert translation("fr", book) == texts.ENGLISH


@pytest.mark.parametrize(
    ("template", "facts", "sentence"),
    [
        ("hold {}", (joined(("The Ford", "The Bridge"), " and "),), "hold the Ford and the Bridge"),
        ("{}: {}", ("decisive", Text("hold {}", (joined(("The Ford",)),))), "decisive: hold the Ford"),
        ("{} cannot stand in {}", ("The Guards", "The Ponds"), "The Guards cannot stand in the Ponds"),
        ("{1} is near {0}", ("The Ford", "The Inn"), "The Inn is near the Ford"),
        ("Refused: {}", ("The wood is impassable",), "Refused: The wood is impassable"),
        ("to {}", ("Theresa's Hill",), "to Theresa's Hill"),
    ],
)
def test_a_name_has_a_small_article_within_a_sentence(template: str, facts: tuple[object, ...], sentence: str):
    assert say(template, *facts) == sentence


def test_an_unknown_language_is_english(shared: Path, tmp_path: Path):
    assert translation("../fr", tmp_path / "unknown") == texts.ENGLISH
