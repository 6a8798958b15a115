"""Tables are data, and this loader is the only door: CSV rows become checked row types."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol, TypeVar

import msgspec

from opfire.core.errors import BadInput
from opfire.core.reading import ready

SOURCES = ("text", "public", "own")
_WORDS = {"yes": True, "no": False}

Texts = Mapping[str, str]
"""The tables of a data pack: the text of a CSV file by its name."""

OWN: Texts = MappingProxyType({})
"""No data pack: the ruleset's own tables."""


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One fact of a printed table, with its source (text, public, own) and its rule."""

    source: str
    rule: str = ""


R = TypeVar("R", bound=Row)
K = TypeVar("K", bound=Hashable)
C = TypeVar("C")
C_co = TypeVar("C_co", covariant=True)


def rows(kind: type[R], path: Path, pack: Texts = OWN) -> list[R]:
    """The rows of a CSV file, or of the data pack's table of that name.

    Raises BadInput with file and line for a row that does not fit.
    """
    return [row for row, _ in _numbered(kind, path, pack)]


def keyed(kind: type[R], path: Path, key: Callable[[R], K], pack: Texts = OWN) -> dict[K, R]:
    """The rows by key; a data pack's table must have at least the keys of the file.

    Raises BadInput for a row that does not fit, for a key that appears twice, and for a missing key.
    """
    found: dict[K, R] = {}
    for row, where in _numbered(kind, path, pack):
        if key(row) in found:
            raise BadInput(f"{_words(key(row))} appears twice", where, "one row for each")
        found[key(row)] = row
    if path.name in pack:
        for wanted in keyed(kind, path, key):
            if wanted not in found:
                raise BadInput(f"there is no row for {_words(wanted)}", path.name, "every row of Opfire's own table")
    return found


class Folder:
    """The folder with a ruleset's own tables, and the data pack that replaces some of them.

    `read` are the rows of all tables that have been asked for.
    """

    def __init__(self, path: Path, pack: Texts) -> None:
        self.path, self.pack = path, pack
        self.read: list[Row] = []

    def keyed(self, kind: type[R], name: str, key: Callable[[R], K]) -> dict[K, R]:
        """The rows of the table of that name, by key. Raises BadInput as `keyed` does."""
        found = keyed(kind, self.path / name, key, self.pack)
        self.read += found.values()
        return found


class Loader(Protocol[C_co]):
    """A function that gives the charts of a ruleset, with a data pack's tables in place of its own."""

    def __call__(self, pack: Texts = OWN) -> C_co:
        """The charts. Raises BadInput."""


def loader(build: Callable[[Texts], C]) -> Loader[C]:
    """A loader that builds the charts of each data pack once, and keeps those of the last eight packs."""

    @lru_cache(maxsize=8)
    def built(pack: tuple[tuple[str, str], ...]) -> C:
        return build(dict(pack))

    def load(pack: Texts = OWN) -> C:
        return built(tuple(sorted(pack.items())))

    return load


@lru_cache(maxsize=1024)
def fraction(text: str, where: str) -> Fraction:
    """A number as printed, `2` or `1/2`. Raises BadInput."""
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise BadInput(f"{text!r} is not a number", where, "such as 2 or 1/2") from None


def _words(key: Hashable) -> str:
    return ", ".join(map(str, key)) if isinstance(key, tuple) else str(key)


def _numbered(kind: type[R], path: Path, pack: Texts) -> list[tuple[R, str]]:
    """Each row with its file and line."""
    text = pack[path.name] if path.name in pack else read(path)
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    try:
        return [(_row(kind, raw, where), where) for raw in reader for where in [f"{path.name}:{reader.line_num}"]]
    except csv.Error as error:
        raise BadInput(
            f"this is not a CSV file: {error}", f"{path.name}:{reader.line_num}", "fields with commas between"
        ) from None


def read(path: Path) -> str:
    """The text of a table's file. Raises BadInput."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise BadInput("the table is missing", str(path), "a file made by `opfire data export`") from None
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"the table cannot be read: {error}", path.name, "a CSV file in UTF-8") from None


def _row(kind: type[R], raw: dict[str, Any], where: str) -> R:
    if None in raw or None in raw.values():
        raise BadInput("the row and the heading differ in their number of fields", where, ",".join(k for k in raw if k))
    data = {field: _WORDS.get(value, value) for field, value in raw.items() if value != ""}
    try:
        row = msgspec.convert(data, ready(kind), strict=False)
    except msgspec.ValidationError as error:
        what, _, field = str(error).strip("`").partition(" - at `$.")
        value = f"{field} {raw[field]!r}: " if raw.get(field) else ""
        raise BadInput(f"{value}{what}", where, "the value of Opfire's own table") from None
    if row.source not in SOURCES:
        raise BadInput(f"source {row.source!r}", where, "text, public or own")
    return row
