"""The map of `opfire show`."""

from __future__ import annotations

from typing import Any

from opfire.commands.picture import legend, picture


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
        "hexes": [
            hexagon("A1", 0, 0, "clear"),
            hexagon("A2", 0, 1, "woods", "slope"),
            hexagon("B1", 1, 0, "clear", links=["road"]),
            hexagon("B2", 1, 1, "water", bridge="wood"),
            hexagon("C1", 2, -1, "clear"),
            hexagon("Z9", 9, 9, "clear", playable=False),
        ]
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
    assert picture({"hexes": []}, {}) == []


def test_the_legend_names_the_sides() -> None:
    assert legend({"sides": [{"id": "german", "name": "Germans"}]}).endswith(
        "G Germans: how many units, * for a marker"
    )
