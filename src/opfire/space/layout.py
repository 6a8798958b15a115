"""Boards on a table: from the boards that a scenario names, or draws itself, to one map; blocks of their hexes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path

from opfire.space.boards import column_and_row, parse_board, read_board
from opfire.space.hexmap import HexMap, Placement, crop, join

Laid = tuple[Path, tuple[int, int], bool]
"""A board's file, its column and row in the grid of boards, and whether it is turned by half a circle."""


def lay(boards: Iterable[Laid], corners: tuple[str, str] | None = None) -> HexMap:
    """The map of these boards as joined; of what lies between two opposite corners, if they are given.

    Raises BadInput for a file that is no board, boards that do not fit, corners that are not there.
    """
    joined = join([Placement(read_board(path), *at, turned) for path, at, turned in boards])
    return crop(joined, *corners) if corners else joined


def drawn(text: str) -> HexMap:
    """The map of a board whose file has this text. Raises BadInput."""
    board = parse_board(text, "map")
    digits = hashlib.blake2b(text.encode(), digest_size=4).hexdigest()  # two maps of one name are two maps
    return join([Placement(board)], f"{board.id}:{digits}")


def block(map: HexMap, board: str, columns: str = "", rows: str = "") -> frozenset[str]:
    """The playable hexes of a board (its id or number) in these columns and rows as printed, `A-F` or a single one."""
    wanted, inside = _number(map, board), _within(columns, rows)
    cells = map.cells.items()
    return frozenset(name for name, cell in cells if cell.board == wanted and cell.playable and inside(name))


def joined_block(map: HexMap, board: str, columns: str = "", rows: str = "") -> frozenset[str]:
    """Such a block with those of its hexes that belong to another board too, and have their name from that."""
    wanted, inside = _number(map, board), _within(columns, rows)
    shared = (name for alias, name in map.aliases.items() if alias.startswith(f"{wanted}-") and inside(alias))
    return block(map, board, columns, rows).union(name for name in shared if name in map)


def _number(map: HexMap, board: str) -> str:
    return next((info.number for info in map.boards if info.id == board), board)


def _within(columns: str, rows: str) -> Callable[[str], bool]:
    """Whether a printed name lies in these columns and rows."""
    left, right = (column_and_row(f"{letters}1")[0] for letters in _span(columns, "A-ZZ"))
    top, bottom = (int(number) for number in _span(rows, "0-99"))

    def inside(name: str) -> bool:
        column, row = column_and_row(name.split("-", 1)[-1])
        return left <= column <= right and top <= row <= bottom

    return inside


def _span(text: str, whole: str) -> tuple[str, str]:
    first, _, last = (text or whole).partition("-")
    return first.strip(), (last or first).strip()
