"""Boards for tests, drawn in a line or two."""

from __future__ import annotations

import json
from typing import Any

from opfire.space.boards import Board, parse_board


def text(rows: str, /, **fields: Any) -> str:
    """The text of a board file whose rows are written one line each."""
    lines = [line for line in rows.strip().splitlines() if line.strip()]
    head = {
        "id": "drawn",
        "number": "1",
        "title": "Drawn",
        "edges": "whole",
        "columns": len(lines[0].split()),
        "rows": len(lines),
    } | fields
    tables = {key: head.pop(key) for key in list(head) if isinstance(head[key], dict)}
    written = [f"{key} = {json.dumps(value)}" for key, value in head.items()]
    written += ['hexes = """', *lines, '"""']
    for key, table in tables.items():
        written += [f"[{key}]", *(f"{place} = {json.dumps(value)}" for place, value in table.items())]
    return "\n".join(written) + "\n"


def draw(rows: str, /, **fields: Any) -> Board:
    """A board whose rows are written one line each; edges whole unless said otherwise."""
    return parse_board(text(rows, **fields), "drawn.toml")


def plain(number: str, columns: int = 33, rows: int = 10, **fields: Any) -> Board:
    """A clear board that joins others."""
    return draw("\n".join([". " * columns] * rows), id=f"b{number}", number=number, edges="half", **fields)
