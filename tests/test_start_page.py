"""The start page offers a scenario with the options that it is played with."""

from __future__ import annotations

from typing import Any

import pytest

from edits import edited
from opfire.core import scenario as scenarios
from opfire.core.errors import BadInput
from opfire.core.options import with_options
from opfire.core.ruleset import find
from opfire.core.texts import spoken, translation
from opfire.server import catalogue


@pytest.mark.parametrize("name", scenarios.files())
def test_a_game_starts_with_the_options_that_its_card_has_ticked(name: str) -> None:
    text = scenarios.text_of(name)
    ticked = [option["id"] for option in catalogue.detail(text)["options"] if option["on"]]
    assert set(ticked) == set(scenarios.load(name).options)
    assert with_options(text, ticked) == text


@pytest.mark.parametrize("first", ["de", "en"])
def test_a_card_is_kept_for_each_language_alone(first: str) -> None:
    """The first reader does not choose the language of the others."""
    text = scenarios.text_of("mill-ford")
    told = {}
    for language in (first, "en", "de"):
        with spoken(translation(language, find("case-orange").package)):
            detail = catalogue.detail(text)
        told[language] = (detail["language"], detail["victory"])
    assert told["de"][0] == "de"
    assert told["en"][0] == "en"
    assert [line["text"] for line in told["de"][1]] != [line["text"] for line in told["en"][1]]


def _listed() -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in catalogue.listed()}


def test_every_scenario_of_ours_says_what_it_is_about_and_how_hard_it_is() -> None:
    assert [row["id"] for row in catalogue.listed() if not row["themes"]] == []
    for ruleset in {row["ruleset"] for row in catalogue.listed()}:
        of_ruleset = [row for row in catalogue.listed() if row["ruleset"] == ruleset]
        assert any(row["difficulty"] == 1 for row in of_ruleset), ruleset


def test_a_theme_that_no_filter_knows_is_a_fault_of_the_file() -> None:
    text = scenarios.text_of("mill-ford")
    with pytest.raises(BadInput, match="romance"):
        scenarios.parse(edited(text, '"river"', '"romance"', 1), "mill.toml")


@pytest.mark.parametrize(
    ("name", "side", "units"),
    [("armour-pont-rouge", "american", 6 + 7 + 6), ("mini-oudewaal", "british", 1 + 4 + 3 + 3)],
)
def test_units_that_come_by_air_are_counted(name: str, side: str, units: int) -> None:
    counted = {row["id"]: row["units"] for row in _listed()[name]["sides"]}
    assert counted[side] == units
