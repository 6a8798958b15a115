"""Tables are data, and this loader is the only door: CSV rows become checked row types."""

from __future__ import annotations

import csv
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from opfire.core.errors import BadInput

SOURCES = ("text", "public", "own")
_WORDS = {"yes": True, "no": False}


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One fact of a printed table, with its source (text, public, own) and the rule it belongs to."""

    source: str
    rule: str = ""


R = TypeVar("R", bound=Row)
K = TypeVar("K", bound=Hashable)


def rows(kind: type[R], path: Path) -> list[R]:
    """The rows of a CSV file. Raises BadInput with file and line for one that does not fit."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file)
            return [_row(kind, raw, f"{path.name}:{reader.line_num}") for raw in reader]
    except FileNotFoundError:
        raise BadInput("the table is missing", str(path), "a file made by `opfire data export`") from None


def _row(kind: type[R], raw: dict[str, Any], where: str) -> R:
    if None in raw or None in raw.values():
        raise BadInput("the row has another number of fields than the heading", where, ",".join(k for k in raw if k))
    data = {field: _WORDS.get(value, value) for field, value in raw.items() if value != ""}
    try:
        row = msgspec.convert(data, kind, strict=False)
    except msgspec.ValidationError as error:
        raise BadInput(f"this row does not fit: {error}", where, "the fields in the table's heading") from None
    if row.source not in SOURCES:
        raise BadInput(f"source {row.source!r}", where, "text, public or own")
    return row


def table(kind: type[R], path: Path, key: Callable[[R], K]) -> dict[K, R]:
    """The rows by key. Raises BadInput for a key that stands there twice."""
    found: dict[K, R] = {}
    for row in rows(kind, path):
        if key(row) in found:
            raise BadInput(f"{key(row)} stands there twice", path.name, "one row for each")
        found[key(row)] = row
    return found
