"""Boards on a table: from the boards that a scenario names, or draws itself, to one map; blocks of their hexes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from opfire.core.errors import BadInput
from opfire.core.reading import ready
from opfire.space.boards import column_and_row, parse_board, read_board
from opfire.space.files import file_named
from opfire.space.hexmap import HexMap, Placement, crop, join

BOARDS = Path(__file__).parent.parent / "scenarios" / "boards"
"""The boards that come with Opfire."""


# --- what a scenario says of its ground ----------------------------------------------------------------


class Laid(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A board in its place: `at` is its column and row in the grid of boards, `turned` by half a circle.

    `crop` are the printed names of two opposite corners of what is used of it.
    """

    board: str
    at: tuple[int, int] = (0, 0)
    turned: bool = False
    crop: tuple[str, str] | None = None


class Block(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A block of a board: columns and rows as printed, each `A-F` or a single one."""

    board: str
    columns: str = ""
    rows: str = ""


class _Boards(msgspec.Struct, frozen=True):
    boards: tuple[Laid, ...] = ()


def board_ids(data: Mapping[str, Any]) -> list[str]:
    """The boards that a scenario with these sections names, in its order. Raises BadInput."""
    try:
        return [laid.board for laid in msgspec.convert(data, ready(_Boards)).boards]
    except msgspec.ValidationError as error:
        raise BadInput(str(error), "boards", "the form in docs/scenarios.md") from None


def board_texts(data: Mapping[str, Any]) -> dict[str, str]:
    """The text of every board that a scenario with these sections names, by the name it uses. Raises BadInput."""
    return {name: board_file(name).read_text(encoding="utf-8") for name in board_ids(data)}


# --- from there to a map -------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def map_of(boards: tuple[Laid, ...], inline: str) -> HexMap:
    """The map of these boards as joined, or of the board drawn in the file itself. Raises BadInput."""
    return drawn(inline) if inline else lay(boards)


def lay(boards: tuple[Laid, ...]) -> HexMap:
    """The map of these boards as joined; of what lies between two opposite corners, if one of them gives them.

    Raises BadInput for a malformed board, boards that do not fit, unknown corners.
    """
    joined = join([Placement(read_board(board_file(laid.board)), *laid.at, laid.turned) for laid in boards])
    corners = next((laid.crop for laid in boards if laid.crop), None)
    return crop(joined, *corners) if corners else joined


def drawn(text: str) -> HexMap:
    """The map of a board whose file has this text. Raises BadInput."""
    board = parse_board(text, "map")
    digits = hashlib.blake2b(text.encode(), digest_size=4).hexdigest()  # two maps of one name are two maps
    return join([Placement(board)], f"{board.id}:{digits}")


def board_file(name: str) -> Path:
    """The file of a board that comes with Opfire. Raises BadInput with the known boards."""
    return file_named(BOARDS, name, "board", "boards")


# --- blocks of hexes -----------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def block(map: HexMap, board: str, columns: str = "", rows: str = "") -> frozenset[str]:
    """The playable hexes of a board (its id or number) in these columns and rows as printed, `A-F` or a single one."""
    wanted, inside = _number(map, board), _within(columns, rows)
    cells = map.cells.items()
    return frozenset(name for name, cell in cells if cell.board == wanted and cell.playable and inside(name))


@lru_cache(maxsize=256)
def joined_block(map: HexMap, board: str, columns: str = "", rows: str = "") -> frozenset[str]:
    """A block as `block` gives it, with the shared edge hexes that are named after the neighbouring board."""
    wanted, inside = _number(map, board), _within(columns, rows)
    shared = (name for alias, name in map.aliases.items() if alias.startswith(f"{wanted}-") and inside(alias))
    return block(map, board, columns, rows).union(name for name in shared if name in map)


def _number(map: HexMap, board: str) -> str:
    return next((info.number for info in map.boards if info.id == board), board)


def _within(columns: str, rows: str) -> Callable[[str], bool]:
    """Return whether a printed name lies in these columns and rows."""
    left, right = (column_and_row(f"{letters}1")[0] for letters in _span(columns, "A-ZZ"))
    top, bottom = (int(number) for number in _span(rows, "0-99"))

    def inside(name: str) -> bool:
        column, row = column_and_row(name.split("-", 1)[-1])
        return left <= column <= right and top <= row <= bottom

    return inside


def _span(text: str, whole: str) -> tuple[str, str]:
    first, _, last = (text or whole).partition("-")
    return first.strip(), (last or first).strip()
