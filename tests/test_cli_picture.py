"""The map of `opfire show`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from core.contract import registered
from edits import edited
from opfire.cli import main
from opfire.commands.check import check
from opfire.commands.picture import legend, picture
from opfire.commands.records import text
from opfire.core.match import Match
from rulesets import battlefield
from rulesets.battlefield.rules import Move


def hexagon(name: str, q: int, r: int, *terrain: str, **more: Any) -> dict[str, Any]:
    return {
        "name": name,
        "q": q,
        "r": r,
        "terrain": terrain,
        "links": [""],
        "bridge": "",
        "playable": True,
        **more,
    }


def test_columns_are_five_apart_and_every_second_one_is_half_a_hex_lower() -> None:
    board = {
        "space": "hexes",
        "hexes": [
            hexagon("A1", 0, 0, "clear"),
            hexagon("A2", 0, 1, "woods", "slope"),
            hexagon("B1", 1, 0, "clear", links=["road"]),
            hexagon("B2", 1, 1, "water", bridge="wood"),
            hexagon("C1", 2, -1, "clear"),
            hexagon("Z9", 9, 9, "clear", playable=False),
        ],
    }
    view = {
        "units": [
            {"place": "A1", "side": "german"},
            {"place": "A1", "side": "german"},
            {"place": "B2", "side": "soviet"},
            {"place": None, "side": "soviet"},
        ],
        "markers": [{"place": "C1"}, {"place": "A1"}, {"place": "A1"}],
    }
    assert picture(board, view) == [
        ".         .",
        "G2*  .-   *",
        "ws",
        "     ~=",
        "     S1",
    ]


def test_a_map_without_hexes_is_nothing() -> None:
    assert picture({"space": "hexes", "hexes": []}, {}) == []


def test_the_legend_names_the_sides() -> None:
    assert legend({"space": "hexes"}, {"sides": [{"id": "german", "name": "Germans"}]}).endswith(
        "G Germans: how many units, * for a marker"
    )


def test_a_table_is_an_inch_a_character_and_two_inches_a_line() -> None:
    table = {"space": "table", "size": [8000, 5500], "base": 1000}
    units = [
        {"place": [500, 500], "side": "red", "facing": 90},
        {"place": [6999, 5499], "side": "blue", "facing": 338},
        {"place": [3000, 2000], "side": "blue", "facing": 22},
        {"place": [3000, 4000], "side": "red", "facing": 23},
        {"place": None, "side": "red", "facing": 0},
    ]
    assert picture(table, {"units": units, "markers": [{"place": [7900, 0]}]}) == [
        "+--------+",
        "|R>     *|",
        "|   B^   |",
        "|   R/ B^|",
        "+--------+",
    ]


def test_a_record_on_a_free_table_is_checked_and_shown(tmp_path: Path) -> None:
    with registered(battlefield.RULESET):
        match = Match.start(battlefield.SCENARIO, nonces={"red": "r", "blue": "b"}, key=bytes(32))
        match.play("red", Move("red-1", (9_000, 10_000), 90))
        drawn = text(match.game, "red").splitlines()
        (tmp_path / "skirmish.toml").write_text(battlefield.SCENARIO)
        (tmp_path / "off.toml").write_text(edited(battlefield.SCENARIO, '"6,10"', '"60,10"'))
        assert list(check(tmp_path / "skirmish.toml")) == []
        (problem,) = check(tmp_path / "off.toml")
    assert drawn[6] == "|         R>" + " " * 37 + "|"
    assert drawn[7] == "|" + " " * 34 + "B<" + " " * 12 + "|"
    assert (problem.where, problem.what) == ("sides.red.units", "'60,10' is no point of the table")


# --- table files ---------------------------------------------------------------------------------------------


def answered(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, Any]:
    status = main([*map(str, words), "--json"])
    return status, json.loads(capsys.readouterr().out)


DRAWN = """
id = "ford"
title = "The Ford"
size = [12, 8]

[[hills]]
name = "Hill"
smooth = false
contours = [{ kind = "slope", level = 1, points = "0,0 4,0 4,4 0,4" }]

[[areas]]
kind = "woods"
points = "6,0 9,0 9,4 6,4"
holes = ["7,2 8,2 8,4 7,4"]

[[lines]]
kind = "stream"
points = "10.5,0 10.5,8"

[[lines]]
kind = "road"
points = "0,5 12,5"

[[crossings]]
kind = "bridge"
points = "9.7,5 11.3,5"

[[buildings]]
kind = "building"
at = "2.5,6.5"
size = [0.5, 0.5]
"""


@pytest.fixture
def ford(tmp_path: Path) -> Path:
    path = tmp_path / "ford.toml"
    path.write_text(DRAWN)
    return path


def test_a_table_file_is_drawn_in_characters(ford: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, data = answered(capsys, "show", ford)
    assert (status, data["table"], data["title"], data["svg"]) == (0, "ford", "The Ford", None)
    assert data["text"].splitlines() == [
        "+------------+",
        "|ssss  www ~ |",
        "|ssss  w w ~ |",
        "|=========%%%|",
        "|  @       ~ |",
        "+------------+",
        "",
        "s slope, w woods, ~ stream, = road, % bridge, @ building, a character is an inch wide and two high",
    ]


def test_a_table_file_is_drawn_as_svg(ford: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "ford.svg"
    status, data = answered(capsys, "show", ford, "--svg", out)
    assert (status, data["svg"]) == (0, str(out))
    plain = out.read_text(encoding="utf-8")
    root = ElementTree.fromstring(plain)
    assert root.find("{http://www.w3.org/2000/svg}title").text == "The Ford"  # type: ignore[union-attr]
    # The slope, drawn at 100 units an inch, is lifted, lit, filled and outlined: five times the same course.
    assert plain.count("M0,0 400,0 400,400 0,400Z") == 5
    assert "http" not in edited(plain, "http://www.w3.org/2000/svg", "")  # nothing is fetched from anywhere
    answered(capsys, "show", ford, "--svg", out, "--grid")
    assert out.read_text(encoding="utf-8").count("M100,0V800") == 1
    assert "M100,0V800" not in plain


def test_a_table_file_is_checked(ford: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert answered(capsys, "check", ford) == (0, {"checked": 1, "problems": []})
    ford.write_text(edited(DRAWN, '"9.7,5 11.3,5"', '"2,2 3,2"'))
    status, data = answered(capsys, "check", ford)
    (problem,) = data["problems"]
    assert (status, problem["where"]) == (1, "table")
    assert problem["what"] == "Bridge (bridge-1) leads over no water and no gully"
    ford.write_text(edited(DRAWN, 'kind = "road"', 'kind = "raod"'))
    (problem,) = answered(capsys, "check", ford)[1]["problems"]
    assert (problem["where"], problem["what"]) == ("ford.toml: lines[2].kind", "no line is of kind 'raod'")


def test_only_table_files_are_drawn_as_svg(tmp_path: Path, ford: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(tmp_path / "game.opfire"), "--svg", "x.svg"]) == 2
    assert main(["show", str(ford), "--svg", str(tmp_path / "nowhere" / "x.svg")]) == 2
    assert "cannot be written" in capsys.readouterr().err
