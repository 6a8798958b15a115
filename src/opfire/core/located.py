"""The line of each table and field in a TOML file, which the parser of TOML itself does not keep."""

from __future__ import annotations

import re
from collections.abc import Mapping

Path = tuple[str | int, ...]
"""The way to a value: names of tables and fields, numbers in arrays: `("play", 0, "dice")`."""

Lines = Mapping[Path, int]
"""The line of each table and field that begins a line of its own."""

_NAME = r"""(?:[\w-]+|"[^"\n]*"|'[^'\n]*')"""
_DOTTED = rf"{_NAME}(?:[ \t]*\.[ \t]*{_NAME})*"
_HEADER = re.compile(rf"[ \t]*(\[\[?)[ \t]*({_DOTTED})[ \t]*\]")
_FIELD = re.compile(rf"[ \t]*({_DOTTED})[ \t]*=")
_PART = re.compile(_NAME)
_TOKEN = re.compile(
    r'"""(?:\\.|(?!""").)*"{3,5}|' + r"'''(?:(?!''').)*'{3,5}|" + r'"(?:\\.|[^"\\\n])*"|' + r"'[^'\n]*'|#[^\n]*|.",
    re.DOTALL,
)


def lines(text: str) -> dict[Path, int]:
    r"""The line of every table and field of a TOML text; the file itself, `()`, begins at line 1.

    >>> lines('turn = 1\n\n[[play]]\ndo = {}\n[[play]]\n[units.a]\n')[("play", 1)]
    5
    """
    found: dict[Path, int] = {(): 1}
    counts: dict[Path, int] = {}
    table: Path = ()
    at, number = 0, 1
    while at < len(text):
        if header := _HEADER.match(text, at):
            table = _table(_parts(header[2]), header[1] == "[[", counts)
            for length in range(1, len(table) + 1):
                found.setdefault(table[:length], number)
        elif field := _FIELD.match(text, at):
            for part in _parts(field[1]):
                found.setdefault((*table, part), number)
        end = _end(text, at)
        number += text.count("\n", at, end)
        at = end
    return found


def nearest(found: Lines, *path: str | int) -> int:
    """The line of a value, or of the innermost table or field around it that begins a line."""
    return next(found[path[:length]] for length in range(len(path), -1, -1) if path[:length] in found)


def path_of(fault: str) -> Path:
    """The way to the value at fault, from the words of a failed conversion; an unknown field belongs to it.

    >>> path_of("Expected `int`, got `str` - at `$.play[0].dice[1]`")
    ('play', 0, 'dice', 1)
    >>> path_of("Object contains unknown field `seet` - at `$.play[0]`")
    ('play', 0, 'seet')
    """
    said, unknown = re.search(r"at `\$([^`]*)`", fault), re.search(r"unknown field `([^`]*)`", fault)
    parts = re.findall(r"\.([\w-]+)|\[(\d+)\]", said[1]) if said else []
    path: Path = tuple(name or int(index) for name, index in parts)
    return (*path, unknown[1]) if unknown else path


def _parts(dotted: str) -> list[str]:
    return [part.strip("\"'") for part in _PART.findall(dotted)]


def _table(parts: list[str], array: bool, counts: dict[Path, int]) -> Path:
    """The table that a header opens: the newest of each array on the way, and of `[[array]]` another one."""
    path: Path = ()
    for part in parts[:-1]:
        path = (*path, part)
        if path in counts:
            path = (*path, counts[path] - 1)
    path = (*path, parts[-1])
    if array:
        counts[path] = counts.get(path, 0) + 1
        path = (*path, counts[path] - 1)
    return path


def _end(text: str, at: int) -> int:
    """The beginning of the next line that is not inside a string or an array."""
    depth = 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        assert token is not None  # its last branch takes any character
        at = token.end()
        depth += (token[0] in "[{") - (token[0] in "]}")
        if token[0] == "\n" and depth <= 0:
            break
    return at
