"""Faults in case files of this book: works, fire that lies on the map, plots."""

from __future__ import annotations

import pytest

from rules.case_files import FIELD, fault, plays
from rules.panzer.kit import rule

BOOK = """
options = ["AG"]
[sides.german]
name = "German"
nation = "german"
batteries = [{ unit = "o_g105", level = "attached" }]
[sides.soviet]
name = "Soviet"
nation = "soviet"
[units.fo]
unit   = "g_fo"
at     = "1-A1"
labels = ["FO"]
[units.squad]
unit = "s_sqd41"
at   = "1-D4"
"""
PANZER = FIELD.replace("columns = 4", 'legend = "panzer"\ncolumns = 4')


@pytest.fixture(autouse=True)
def field(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rules.case_files.FIELD", PANZER)
    monkeypatch.setattr("rules.case_files.FIRST", PANZER.count("\n") + 1)


@rule("6.5.1.8", "6.5.1.11.1")
@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('[[missions]]\nfirer = "squad"\nat = "1-D4"\n', "fires nothing indirectly"),
        ('[[missions]]\nfirer = "german-battery-1"\nat = "1-D4"\nobserver = "x"\n', "no unit 'x'"),
        ('[[plots]]\nfirer = "german-battery-2"\nat = "1-D4"\n', "german-battery-2"),
        ('[[markers]]\nkind = "moat"\nat = "1-D4"\n', "moat"),
    ],
)
def test_faults_are_told(text: str, what: str) -> None:
    assert what in fault("panzer", BOOK + text)[1]


@rule("6.5.1.8", "6.5.1.11.1", "6.1.4.3.10", "7.31.2")
def test_fire_works_and_plots_are_laid() -> None:
    plays(
        "panzer",
        BOOK
        + """
[[missions]]
firer    = "german-battery-1"
observer = "fo"
at       = "1-D4"
[[plots]]
firer = "german-battery-1"
turn  = 3
at    = "1-B2"
[[markers]]
kind = "smoke"
at   = "1-B2 1-B3"
[[markers]]
kind  = "mines"
at    = "1-C1"
side  = "soviet"
value = "hasty known"
[[expect]]
markers = [
    { kind = "impact", at = "1-D4" },
    { kind = "smoke", at = "1-B3" },
    { kind = "mines", at = "1-C1" },
]
""",
    )
