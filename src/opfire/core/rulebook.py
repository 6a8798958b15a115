"""The index of a rulebook: every rule by number, in our own words."""

from __future__ import annotations

import csv
import re
from functools import lru_cache
from pathlib import Path

import msgspec

from opfire.core.errors import BadInput
from opfire.core.reading import ready

KINDS = ("mechanic", "data", "setup", "component", "note")


class Rule(msgspec.Struct, frozen=True):
    """One numbered rule: its title, its level, its kind, its statement.

    Levels are basic, advanced, optional and annotation. Only rules of kind `mechanic` need an
    implementation and a test.
    """

    rule: str
    title: str
    level: str
    kind: str
    statement: str


@lru_cache
def rules(package: Path) -> dict[str, Rule]:
    """The rules of the ruleset package at that folder, by number, in the book's order.

    Raises BadInput with file and line for a malformed row.
    """
    path = package / "rules.csv"
    found: dict[str, Rule] = {}
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        for row in reader:
            where = f"{path.name}:{reader.line_num}"
            try:
                rule = msgspec.convert(row, ready(Rule))
            except msgspec.ValidationError as error:
                raise BadInput(f"this row cannot be read: {error}", where, "rule,title,level,kind,statement") from None
            if rule.kind not in KINDS:
                raise BadInput(f"kind {rule.kind!r} is unknown", where, "one of " + ", ".join(KINDS))
            if rule.rule in found:
                raise BadInput(f"rule {rule.rule} appears twice", where, "one row a rule")
            found[rule.rule] = rule
    return found


@lru_cache
def readings(package: Path) -> frozenset[str]:
    """The numbers of the readings in the ruleset's RULINGS.md, such as R44 or P12; none if it has no such page."""
    page = package / "RULINGS.md"
    text = page.read_text(encoding="utf-8") if page.is_file() else ""
    return frozenset(re.findall(r"^#+ ([A-Z]\d+)\b", text, re.MULTILINE))
