"""Case files of a few lines, on an empty field of four columns and four rows: their fault, or whether they hold."""

from __future__ import annotations

import pytest

from opfire.core import case
from opfire.core.errors import BadInput

FIELD = """\
ruleset = "{ruleset}"
map = \"\"\"
id = "field"
number = "1"
title = "A field"
columns = 4
rows = 4
edges = "whole"
hexes = \'\'\'
. . . .
. . . .
. . . .
. . . .
\'\'\'
\"\"\"
"""
FIRST = FIELD.count("\n") + 1


def fault(ruleset: str, text: str) -> tuple[int, str]:
    """The line of the fault in a case with these tables, counted from the first after the map; and its sentence."""
    with pytest.raises(BadInput) as caught:
        _run(FIELD.format(ruleset=ruleset) + text)
    file, _, line = caught.value.where.partition(":")
    assert file == "bad.toml", str(caught.value)
    assert caught.value.expected
    return int(line) - FIRST + 1, caught.value.what


def remedy(ruleset: str, text: str) -> str:
    """The words that were expected in place of the fault in a case with these tables."""
    with pytest.raises(BadInput) as caught:
        _run(FIELD.format(ruleset=ruleset) + text)
    return caught.value.expected


def _run(text: str) -> None:
    for one in case.cases(text, "bad.toml"):
        case.run(one)


def differences(ruleset: str, text: str) -> list[str]:
    """The differences of the case with these tables."""
    found = case.cases(FIELD.format(ruleset=ruleset) + text, "good.toml")
    return [f"{one.expected}: {one.got}" for each in found for one in case.run(each)]


def plays(ruleset: str, text: str) -> bool:
    """Whether the case with these tables holds; fails, with the differences, if it does not."""
    assert differences(ruleset, text) == []
    return True
