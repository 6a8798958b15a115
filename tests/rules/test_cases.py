"""Every case file of every ruleset, with the rules that it cites."""

from __future__ import annotations

from pathlib import Path

import pytest

from opfire.core import case

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*/cases/*.toml"))


def parameter(path: Path) -> object:
    found = case.read(path)[0]
    name = path.relative_to(HERE).with_suffix("").as_posix().replace("/cases/", "/")
    return pytest.param(path, id=name, marks=pytest.mark.rule(found.ruleset, *found.rules))


@pytest.mark.parametrize("path", [parameter(file) for file in FILES])
def test_case(path: Path) -> None:
    assert [str(difference) for one in case.read(path) for difference in case.run(one)] == []
