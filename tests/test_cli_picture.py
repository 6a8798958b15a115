"""The map of `opfire show`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from core.contract import registered
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
        (tmp_path / "off.toml").write_text(battlefield.SCENARIO.replace('"6,10"', '"60,10"'))
        assert list(check(tmp_path / "skirmish.toml")) == []
        (problem,) = check(tmp_path / "off.toml")
    assert drawn[6] == "|         R>" + " " * 37 + "|"
    assert drawn[7] == "|" + " " * 34 + "B<" + " " * 12 + "|"
    assert (problem.where, problem.what) == ("sides.red.units", "'60,10' is no point of the table")
