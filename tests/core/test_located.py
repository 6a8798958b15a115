"""The lines of a TOML file's tables and fields."""

from __future__ import annotations

import pytest

from opfire.core.located import lines, nearest, path_of

TEXT = '''\
title = "a [[play]] in quotes"   # and a remark ]
map = """
[[play]]
hexes = 1
"""
list = [
    "a",   # [[play]]
    { b = 1 },
]
[sides.red]
name = 'x'
[[play]]
do = { type = "Rest" }
[play.units]
a.at = "A1"
[[ play ]]
"do" = 1
[[run]]
[[run.play]]
[[run]]
[[run.play]]
dice = [1]
'''


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ((), 1),
        (("map",), 2),
        (("list",), 6),
        (("sides", "red"), 10),
        (("sides", "red", "name"), 11),
        (("play", 0), 12),
        (("play", 0, "do"), 13),
        (("play", 0, "units", "a"), 15),
        (("play", 1), 16),
        (("play", 1, "do"), 17),
        (("run", 0, "play", 0), 19),
        (("run", 1, "play", 0, "dice"), 22),
    ],
)
def test_tables_and_fields_have_lines(path: tuple[str | int, ...], line: int) -> None:
    found = lines(TEXT)
    assert found[path] == line
    assert ("hexes",) not in found


def test_a_value_inside_a_line_has_that_of_its_table() -> None:
    found = lines(TEXT)
    assert nearest(found, "play", 0, "do", "type") == 13
    assert nearest(found, "list", 1, "b") == 6
    assert nearest(found, "nowhere") == 1
    assert nearest(found, "sides", "blue") == 10  # the first of the sides


@pytest.mark.parametrize(
    ("fault", "path"),
    [
        ("Expected `int`, got `str` - at `$.turn`", ("turn",)),
        ("Object missing required field `unit`", ()),
        ("Object contains unknown field `squads`", ("squads",)),
        ("Expected `str`, got `int` - at `$.sides[...].name`", ("sides",)),
    ],
)
def test_the_words_of_a_failed_conversion_lead_to_the_value(fault: str, path: tuple[str | int, ...]) -> None:
    assert path_of(fault)[: len(path)] == path
