"""The names of scenarios, maps and formations in the language of the reader."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import json

from opfire.core import scenario as scenarios
from opfire.core.dice import Dice
from opfire.core.game import SPECTATOR
from opfire.core.record import new_game
from opfire.core.ruleset import find
from opfire.core.texts import spoken, translation
from opfire.server import catalogue


def german(file: str) -> tuple[Any, Any]:
    """The details of a scenario, and the view of its opening, in German."""
    text = scenarios.files()[file].read_text(encoding="utf-8")
    ruleset = find(scenarios.parse(text, file).ruleset)
    game = new_game(ruleset, text, Dice(bytes(32)))
    with spoken(translation("de", ruleset.package)):
        return json.decode(json.encode(catalogue.detail(text))), json.decode(json.encode(game.view(SPECTATOR)))


def labels(detail: Any) -> set[str]:
    return {hex["label"] for hex in detail["map"]["hexes"] if hex["label"]}


@pytest.mark.parametrize(
    ("scenario", "part", "field", "name", "within"),
    [
        ("mini-oudewaal", "terrain", "called", "The lock bridge", "the lock bridge"),
        ("pg-reeds", "hexes", "label", "The Reeds", "the Reeds"),
        ("mini-oudewaal", "terrain", "called", "Oudewaal", None),
    ],
)
def test_a_name_with_an_article_has_a_form_for_sentences(
    scenario: str, part: str, field: str, name: str, within: str | None
) -> None:
    drawn = catalogue.detail(scenarios.text_of(scenario))["map"]
    assert drawn is not None
    assert {one.get("within") for one in drawn[part] if one.get(field) == name} == {within}


def test_the_scenarios_are_listed_by_their_titles_in_the_language_asked_for() -> None:
    titles = {name: {row["id"]: row["title"] for row in catalogue.listed(name)} for name in ("en", "de")}
    assert titles["en"]["mill-ford"] == "The Mill Ford"
    assert titles["de"]["mill-ford"] == "Die Mühlenfurt"


def test_the_sides_of_the_listed_scenarios_are_named_in_the_language_asked_for() -> None:
    sides = {name: {row["id"]: row["sides"] for row in catalogue.listed(name)} for name in ("en", "de")}
    assert [(side["id"], side["name"]) for side in sides["en"]["pg-riders"]] == [
        ("romanian", "Romanian"),
        ("soviet", "Soviet"),
    ]
    assert [side["name"] for side in sides["de"]["pg-riders"]] == ["Rumänen", "Sowjets"]


def test_every_scenario_of_ours_is_summed_up_in_the_language_asked_for() -> None:
    told = {name: {row["id"]: row["summary"] for row in catalogue.listed(name)} for name in ("en", "de")}
    assert told["en"]["mill-ford"] == "Two small columns race for a ford and an old bridge over the Mutnaya."
    assert told["de"]["mill-ford"] == (
        "Zwei kleine Kolonnen im Wettlauf um eine Furt und eine alte Brücke über die Mutnaya."
    )
    assert [name for name, summary in told["de"].items() if summary == told["en"][name]] == []
    assert german("mill-ford")[0]["summary"] == told["de"]["mill-ford"]


@pytest.mark.parametrize(("file", "title"), [("hill-231", "Höhen von Krasny"), ("mill-ford", "Mutnaya")])
def test_the_boards_in_the_frame_of_a_map_are_named_in_german(file: str, title: str) -> None:
    detail, _ = german(file)
    assert title in {board["title"] for board in detail["map"]["boards"]}


def test_the_table_in_the_frame_of_its_drawing_is_named_in_german() -> None:
    detail, _ = german("armour-black-monday")
    assert detail["map"]["title"] == "Furt durch den Calore"


def test_the_names_of_hexes_are_translated_and_proper_names_are_not() -> None:
    detail, view = german("mill-ford")
    assert (detail["title"], view["title"]) == ("Die Mühlenfurt", "Die Mühlenfurt")
    assert {"Mühlenfurt", "Alte Brücke", "Lipki"} <= labels(detail)
    assert "Mill Ford" not in labels(detail)


def test_names_lettered_on_a_board_are_translated() -> None:
    detail, _ = german("hill-231")
    assert "Kiefernwald" in {name["text"] for name in detail["map"]["drawing"]["names"]}
    assert {"Höhe 231", "Sattel", "Krasny Yar"} <= labels(detail)


def test_names_on_a_table_and_of_formations_are_translated() -> None:
    detail, view = german("armour-stonne")
    assert {"Zuckerhut", "Gärten", "Bois de Raucourt"} <= {part["name"] for part in detail["map"]["terrain"]}
    # The names that are lettered on the drawing.
    assert {"Zuckerhut", "Gärten"} <= {part["called"] for part in detail["map"]["terrain"] if part.get("called")}
    assert {"I. Bataillon", "Regimentsstab"} <= {formation["name"] for formation in view["formations"]}


@pytest.mark.parametrize("file", ["mill-ford", "armour-stonne"])
def test_english_readers_and_the_state_keep_the_names_as_they_are_written(file: str) -> None:
    text = scenarios.files()[file].read_text(encoding="utf-8")
    ruleset = find(scenarios.parse(text, file).ruleset)
    plain = new_game(ruleset, text, Dice(bytes(32)))
    with spoken(translation("de", ruleset.package)):
        told = new_game(ruleset, text, Dice(bytes(32)))
        told.view(SPECTATOR)
    assert told.save() == plain.save()
    assert catalogue.detail(text)["title"] == scenarios.parse(text, file).title
