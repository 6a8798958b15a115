"""`opfire force`: the bill of a force, its faults, and what can be bought."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from opfire.cli import main

FORCE = """
title = "Two tanks"
ruleset = "micro-armour"
nation = "Soviet Union"
date = "1943-07"
engagement = "meeting-engagement"
role = "attacker"
cohesion = 13
allowance = { points = 40 }

[[formations]]
name = "Headquarters"
stands = [{ weapon = "sov-infantry-hq", ghq = 0 }]
"""


@pytest.fixture
def force(tmp_path: Path) -> Path:
    path = tmp_path / "force.toml"
    path.write_text(FORCE, encoding="utf-8")
    return path


def test_a_force_that_fits_holds(force: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["force", "check", str(force)]) == 0
    said = capsys.readouterr().out
    assert "40 points, 0 left" in said
    assert "general headquarters of quality +0 [SD.6.1.ghq]" in said


def test_a_force_that_costs_too_much_fails(force: Path, capsys: pytest.CaptureFixture[str]) -> None:
    force.write_text(FORCE.replace("ghq = 0", "ghq = 3"), encoding="utf-8")
    assert main(["force", "check", "--json", str(force)]) == 1
    (report,) = json.loads(capsys.readouterr().out)["forces"]
    assert report["points"] == 64
    assert [fault["rule"] for fault in report["faults"]] == ["SD.6.3.limit"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (FORCE.replace("micro-armour", "chess"), "no forces are designed for 'chess'"),
        (FORCE.replace('ruleset = "micro-armour"\n', ""), "no ruleset is named"),
        ("title = ", "not TOML"),
    ],
)
def test_a_file_that_cannot_be_read_gets_a_sentence(
    force: Path, text: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    force.write_text(text, encoding="utf-8")
    assert main(["force", "check", str(force)]) == 2
    assert says in capsys.readouterr().err


def test_a_file_that_is_not_there_gets_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["force", "check", str(tmp_path / "nowhere.toml")]) == 2
    assert "nowhere.toml: the force cannot be read" in capsys.readouterr().err


def test_stands_are_found_by_nation_kind_year_and_name(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["force", "list", "--json", "--nation", "Germany", "--kind", "tank", "--name", "pz vi"]
    assert main([*asked, "--year", "1941"]) == 0
    assert json.loads(capsys.readouterr().out)["offers"] == []
    assert main([*asked, "--year", "1944"]) == 0
    offers = json.loads(capsys.readouterr().out)["offers"]
    assert offers
    assert all("pz vi" in offer["name"].casefold() for offer in offers)


def test_aircraft_serve_in_their_years(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["force", "list", "--kind", "aircraft", "--nation", "France", "--year", "1944"]) == 0
    assert capsys.readouterr().out == ""
