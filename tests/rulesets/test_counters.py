"""Every book's description of its counters covers what its views show."""

from __future__ import annotations

import re

import pytest

from opfire.core import scenario
from opfire.core.counters import Livery
from opfire.core.dice import Dice
from opfire.core.game import SPECTATOR
from opfire.core.record import new_game
from opfire.core.ruleset import find, installed
from opfire.kit.liveries import LIVERIES

SCENARIOS = ("mutnaya-crossing", "hill-231", "pg-stepnoye", "pg-glinki")
COLOUR = re.compile(r"#[0-9a-f]{6}")


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_figure_and_marker_on_the_table_is_described(name: str) -> None:
    text = scenario.text_of(name)
    ruleset = find(scenario.parse(text, name).ruleset)
    view = new_game(ruleset, text, Dice(bytes(32))).view(SPECTATOR)
    described = ruleset.counters.to_json()
    assert {figure["kind"] for unit in view["units"] for figure in unit["figures"]} <= set(described["figures"])
    assert {marker["kind"] for marker in view["markers"]} <= set(described["markers"])
    assert any(unit["figures"] for unit in view["units"])


@pytest.mark.parametrize("name", sorted(installed()))
def test_a_description_names_each_thing_once(name: str) -> None:
    counters = find(name).counters
    for rows, key in ((counters.figures, "kind"), (counters.markers, "kind"), (counters.liveries, "nation")):
        keys = [getattr(row, key) for row in rows]
        assert keys
        assert len(keys) == len(set(keys))


def luminance(colour: str) -> float:
    """The relative luminance of WCAG."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("livery", LIVERIES, ids=lambda livery: livery.nation)
def test_the_ink_of_a_nation_can_be_read_on_its_paper(livery: Livery) -> None:
    paper, ink = livery.paper, livery.ink
    assert COLOUR.fullmatch(paper)
    light, dark = sorted((luminance(paper), luminance(ink)), reverse=True)
    assert (light + 0.05) / (dark + 0.05) >= 7
