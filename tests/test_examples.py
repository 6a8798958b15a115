"""The examples in docstrings, README and docs are run, so that none of them lies."""

from __future__ import annotations

import doctest
import importlib
import json
from pathlib import Path

import pytest

from opfire.core import forces
from opfire.core.dice import Dice
from opfire.core.record import new_game
from opfire.core.ruleset import find

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src"


def having_examples(paths: list[Path]) -> list[Path]:
    return sorted(path for path in paths if ">>> " in path.read_text(encoding="utf-8"))


def module_name(path: Path) -> str:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = [module_name(path) for path in having_examples(list(SOURCE.rglob("*.py")))]
PAGES = [str(path.relative_to(ROOT)) for path in having_examples([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.parametrize("page", PAGES)
def test_examples_on_pages(page: str) -> None:
    result = doctest.testfile(str(ROOT / page), module_relative=False)
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.parametrize(
    "ruleset", ["case-orange", "panzer-grenadier", "panzerblitz-miniatures", "panzer", "micro-armour"]
)
def test_every_reading_that_can_be_chosen_is_on_the_page(ruleset: str) -> None:
    page = (ROOT / "docs" / "scenarios.md").read_text(encoding="utf-8")
    readings = [option.rule for option in find(ruleset).options if option.rule.startswith("R")]
    assert readings
    assert [rule for rule in readings if f"\n| `{rule}` |" not in page] == []


def test_the_scenario_of_the_docs_can_be_played() -> None:
    page = (ROOT / "docs" / "scenarios.md").read_text(encoding="utf-8")
    text = page.partition("```toml\n")[2].partition("```")[0]
    game = new_game(find("case-orange"), text, Dice(bytes(32)))
    assert game.asked() == ("german",)
    places = {
        unit["name"]: unit["carrier"] for unit in json.loads(json.dumps(game.view("soviet"), default=vars))["units"]
    }
    assert sum(carrier is not None for carrier in places.values()) == 2


def test_the_force_of_the_docs_has_no_fault() -> None:
    page = (ROOT / "docs" / "forces.md").read_text(encoding="utf-8")
    text = page.partition("```toml\n")[2].partition("```")[0]
    report = forces.check_text(text, "forces.md")
    assert report.faults == []
    assert report.unused >= 0
