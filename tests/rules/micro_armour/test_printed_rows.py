"""Every row of the weapons and aircraft tables against the printed row, by digests of the rulebook's text [WD, AD]."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping

import pytest

from opfire.rulesets.micro_armour import RULESET
from rules.micro_armour.kit import rule
from rules.micro_armour.printed import DIGESTS, aircraft_as_printed, digest, weapon_as_printed

TABLES = RULESET.tables()
UNLIKE = {"hun-149l20-m15-how-2": ("mov_points", "0", "9")}
"""The one cell that differs from the print on purpose, ours and the printed one: RULINGS.md R109."""

PRINTED = {
    "weapons": weapon_as_printed,
    "aircraft": aircraft_as_printed,
}
OTHER = {"yes": "", "front": "rear"}
"""Other values of cells that are no numbers."""

WEAPON_CELLS = (
    "name points ap he flame ap_range he_range def armoured mov_points mov_class road_bonus_foot amph_points cargo_cap "
    "tran_req tran_req_alt arc indirect open_top smoke p_halved multi_gun min_range slow_reload depletion year year_to"
)
AIRCRAFT_CELLS = "name points strafe_ap strafe_he ord_ap ord_he ord_load year_from year_to"


def rows(table: str) -> list[dict[str, str]]:
    with TABLES[f"{table}.csv"].open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def digests(table: str) -> list[str]:
    with DIGESTS.open(encoding="utf-8", newline="") as file:
        return [row["digest"] for row in csv.DictReader(file) if row["table"] == table]


def with_print(row: Mapping[str, str]) -> dict[str, str]:
    """The row with the printed cell that ours replaces."""
    column, ours, printed = UNLIKE.get(row["id"], ("id", row["id"], row["id"]))
    assert row[column] == ours
    return {**row, column: printed}


@rule(
    "WD.points",
    "WD.firepower",
    "WD.range",
    "WD.def",
    "WD.mov",
    "WD.cargo",
    "WD.tran",
    "WD.year",
    "AD.points",
    "AD.strafing",
    "AD.ordnance",
    "AD.load",
    "AD.year",
)
@pytest.mark.parametrize(("table", "count"), [("weapons", 955), ("aircraft", 81)])
def test_every_row_is_the_printed_row(table: str, count: int) -> None:
    ours, printed = rows(table), digests(table)
    assert len(ours) == len(printed) == count
    read = [digest(PRINTED[table](with_print(row))) for row in ours]
    assert [row["id"] for row, one, other in zip(ours, read, printed, strict=True) if one != other] == []


@pytest.mark.parametrize(
    ("table", "cell"),
    [*(("weapons", cell) for cell in WEAPON_CELLS.split()), *(("aircraft", cell) for cell in AIRCRAFT_CELLS.split())],
)
def test_another_value_in_any_cell_is_another_row(table: str, cell: str) -> None:
    row = next(row for row in rows(table) if row[cell] and not row["parent"])
    assert digest(PRINTED[table](row)) != digest(PRINTED[table]({**row, cell: OTHER.get(row[cell], "77")}))


@rule("WD.name")
def test_the_sections_of_artillery_are_those_in_the_name() -> None:
    for row in rows("weapons"):
        named = re.search(r"\[(\d)\]", row["name"])
        assert row["sections"] == (named[1] if named else "")
