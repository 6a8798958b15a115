"""The rows of the weapons and aircraft tables as the rulebook prints them, and a short digest of each [WD, AD].

`printed_rows.csv` has the digests, made from the rulebook's own text by `tools/printed_rows.py`. No row of our data is
read for it: a cell that differs from the print changes a digest. Models are no part of it, nor is the order of notes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import TypeAlias

Cells: TypeAlias = tuple[str, ...]
"""A row: name and figures from left to right, notes in alphabetical order, the years in two digits."""

DIGESTS = Path(__file__).with_name("printed_rows.csv")
ARCS = {"": "", "front": "R", "rear": "R1", "sides-rear": "R2"}


def digest(cells: Cells) -> str:
    """The first 32 bits of the digest of a row.

    >>> digest(("T-15", "16", "1", "5", "5", "5", "[1]", "8T", "", "", "", "35"))
    '0f0a448a'
    """
    return sha256("|".join(cells).encode()).hexdigest()[:8]


def plain(cell: str) -> str:
    """A cell without spaces and marks; a dash is an empty cell.

    >>> plain(" - "), plain("36?"), plain("Infantry '36*"), plain("(6A)"), plain("Infantry (R)")
    ('', '36', "Infantry '36", '6A', 'Infantry (R)')
    """
    cell = cell.strip().rstrip("?*")
    return "" if cell == "-" else re.sub(r"^\((.*)\)$", r"\1", cell)


def notes(cell: str) -> str:
    """The notes in alphabetical order.

    >>> notes("R <sup>1</sup> , I")
    'I R1'
    """
    joined = re.sub(r"\s*</?sup>\s*", "", cell)
    return " ".join(sorted(note.strip() for note in joined.split(",")))


def tables(text: str, columns: int, head: tuple[str, str]) -> Iterator[list[str]]:
    """The rows of tables with so many columns that have any figure, but for the lines of their heads."""
    for line in text.splitlines():
        cells = [plain(cell) for cell in line.split("\t")]
        if len(cells) == columns and any(cells[1:]) and cells[0] != head[0] and cells[2] != head[1]:
            yield cells


def weapons(text: str) -> Iterator[Cells]:
    """The rows of the weapons tables in the rulebook's text [WD]."""
    part = text[text.index("## Weapons Data: ") : text.index("AIRCRAFT DATA\t")]
    for name, *figures, mov, cargo, req, noted, year, _ in tables(part, 13, ("Weapon", "AP")):
        yield (name, *figures, mov.replace("3F/5F", "3F(5F)"), cargo, req, notes(noted), year.zfill(2) if year else "")


def aircraft(text: str) -> Iterator[Cells]:
    """The rows of the aircraft tables in the rulebook's text [AD]."""
    yield from map(tuple, tables(text[text.index("AIRCRAFT DATA\t") :], 8, ("Aircraft", "AP")))


def weapon_as_printed(row: Mapping[str, str]) -> Cells:
    """A row of `weapons.csv` in the cells of the print. A flame thrower has its F at both firepowers."""
    flame, armour = "F" if row["flame"] else "", row["armoured"] == "yes"
    return (
        row["name"].rstrip("*"),
        row["points"],
        row["ap"] + (flame if row["ap"] else ""),
        row["he"] + (flame if row["he"] else ""),
        row["ap_range"],
        row["he_range"],
        f"[{row['def']}]" if armour and row["def"] else row["def"],
        mov_as_printed(row),
        row["cargo_cap"],
        "/".join(filter(None, (row["tran_req"], row["tran_req_alt"]))),
        " ".join(sorted(notes_as_printed(row))),
        years_as_printed(row["year"], row["year_to"]),
    )


def mov_as_printed(row: Mapping[str, str]) -> str:
    """The movement points, with the rates on roads and in water."""
    boat = row["amph_points"] and row["mov_points"] == "0"
    land = "" if boat else row["mov_points"] + row["mov_class"]
    bicycle = f"({row['road_bonus_foot']}F)" if row["road_bonus_foot"] else ""
    water = f"{row['amph_points']}A" if row["amph_points"] else ""
    return "/".join(filter(None, (land + bicycle, water)))


def notes_as_printed(row: Mapping[str, str]) -> Iterator[str]:
    """The letters of the notes [WD.R to WD.D]."""
    if row["arc"]:
        yield ARCS[row["arc"]]
    for column, letter in (("indirect", "I"), ("open_top", "U"), ("smoke", "S"), ("p_halved", "P"), ("multi_gun", "T")):
        if row[column]:
            yield letter
    for column, letter in (("min_range", "M"), ("slow_reload", "SR"), ("depletion", "D")):
        if row[column]:
            yield letter + row[column]


def years_as_printed(first: str, last: str) -> str:
    """The years without their century.

    >>> years_as_printed("1942", "1943"), years_as_printed("1906", "")
    ('42-43', '06')
    """
    return "-".join(year[2:] for year in (first, last) if year)


def aircraft_as_printed(row: Mapping[str, str]) -> Cells:
    """A row of `aircraft.csv` in the cells of the print, where a second load stands on a line without a name."""
    figures = ("points", "strafe_ap", "strafe_he", "ord_ap", "ord_he", "ord_load")
    name = "" if row["parent"] else row["name"]
    return (name, *(row[figure] for figure in figures), years_as_printed(row["year_from"], row["year_to"]))
