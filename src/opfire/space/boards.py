"""The board file: one geomorphic board as its author drew it, read and written as TOML.

A board names its hexes by column letters and row, `Q7`; the number of the board comes before that only
when boards are joined to a map (`opfire.space.hexmap.join`). The format is told in docs/boards.md.

Odd columns (A, C, ...) hold the rows 1 to `rows`. Even ones lie half a hex lower: with `edges = "half"`
they hold the rows 1 to `rows - 1` whole and the rows 0 and `rows` as half-hexes at the long edges, and the
first and last column are cut in half by the short edges; with `edges = "whole"` every hex is whole.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import msgspec

from opfire.core.errors import BadInput
from opfire.core.reading import ready
from opfire.space.hexes import Coord, direction
from opfire.space.legend import HEIGHTS, Legend, legend

SIGNS = "^v<>"
"""Off the board over its north, south, west and east edge, at the end of a chain."""

BRIDGES = ("wood", "concrete", "steel")

Chain = tuple[str, ...]
"""Neighbouring hexes, with a sign before the first or after the last where the chain leaves the board."""

_HEX = re.compile(r"([A-Z])(\1*)(0|[1-9][0-9]*)")
# Where a chain leaves an uncut hex of the first or last column: straight on if it can, else nearest to it.
_WESTWARD = {0: 5, 5: 5, 4: 4, 3: 4}
_EASTWARD = {0: 1, 1: 1, 2: 2, 3: 2}


class Board(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A board as drawn. `hexes` holds the tokens of the rows 1 to `rows`; sides are pairs of hexes."""

    id: str
    number: str
    title: str
    columns: int
    rows: int
    hexes: tuple[tuple[str, ...], ...]
    source: str = "own"
    edges: Literal["half", "whole"] = "half"
    roads: tuple[Chain, ...] = ()
    tracks: tuple[Chain, ...] = ()
    highways: tuple[Chain, ...] = ()
    gullies: tuple[Chain, ...] = ()
    fords: tuple[str, ...] = ()
    bridges: dict[str, str] = {}
    open: tuple[Chain, ...] = ()
    cliffs: tuple[Chain, ...] = ()
    dunes: tuple[Chain, ...] = ()
    spurs: tuple[Chain, ...] = ()
    names: dict[str, str] = {}
    legend: str = ""
    paths: tuple[Chain, ...] = ()
    storeys: dict[str, int] = {}
    sides: dict[str, tuple[Chain, ...]] = {}

    def places(self) -> Iterator[str]:
        """All hexes of the board, half ones too, column by column, southwards."""
        for column in range(self.columns):
            first = 0 if self.edges == "half" and column % 2 else 1
            for row in range(first, self.rows + 1):
                yield f"{column_name(column)}{row}"

    def has(self, place: str) -> bool:
        """Whether the board has this hex, whole or half."""
        match = _HEX.fullmatch(place)
        if match is None:
            return False
        column, row = column_and_row(place)
        first = 0 if self.edges == "half" and column % 2 else 1
        return column < self.columns and first <= row <= self.rows

    def is_half(self, place: str) -> bool:
        """Whether an edge of the board cuts this hex in half."""
        if self.edges == "whole":
            return False
        column, row = column_and_row(place)
        return column in (0, self.columns - 1) or (column % 2 == 1 and row in (0, self.rows))

    def token(self, place: str) -> str:
        """The token that stands for a hex; half-hexes of row 0 have none in the file and are clear."""
        column, row = column_and_row(place)
        return self.hexes[row - 1][column] if row else "."

    def links(self, chain: Chain) -> Iterator[tuple[str, int]]:
        """Each hex and direction in which a chain crosses a side of that hex, both sides of every step.

        A sign adds the side at the board's edge; where the edge cuts the hex through its centre the
        chain simply ends there.
        """
        places = [place for place in chain if place not in SIGNS]
        for a, b in pairwise(places):
            onward = direction(coord(a), coord(b))
            if onward is not None:
                yield a, onward
                yield b, (onward + 3) % 6
        for sign, at, back in _signs(chain, places):
            if (out := self._way_off(sign, at, back)) is not None:
                yield at, out

    def _way_off(self, sign: str, at: str, inward: str | None) -> int | None:
        column, _ = column_and_row(at)
        came = None if inward is None else direction(coord(inward), coord(at))
        if sign in "^v":
            cut = self.edges == "half" and column % 2 == 1
            return None if cut else "^..v".index(sign)
        if self.edges == "half":
            return None
        if sign == "<":
            return 4 if came is None else _WESTWARD.get(came, 4)
        return 2 if came is None else _EASTWARD.get(came, 2)


def _signs(chain: Chain, places: list[str]) -> Iterator[tuple[str, str, str | None]]:
    """Each sign of a chain with the hex it stands at and the next hex inwards."""
    if places and chain[0] in SIGNS:
        yield chain[0], places[0], places[1] if len(places) > 1 else None
    if places and chain[-1] in SIGNS:
        yield chain[-1], places[-1], places[-2] if len(places) > 1 else None


def exits(chain: Chain) -> Iterator[tuple[str, str]]:
    """The signs of a chain, each with the hex it stands at."""
    for sign, at, _ in _signs(chain, [place for place in chain if place not in SIGNS]):
        yield sign, at


# --- names -------------------------------------------------------------------------------------------


def column_name(column: int) -> str:
    """The letters of a column counted from 0: A to Z, then AA, BB, CC and so on."""
    return chr(ord("A") + column % 26) * (column // 26 + 1)


def column_and_row(place: str) -> tuple[int, int]:
    """Column, counted from 0, and printed row of a hex such as `Q7`; BadInput when it is no such name."""
    match = _HEX.fullmatch(place)
    if match is None:
        raise BadInput(f"{place!r} does not name a hex", expected="column letters and row, such as Q7 or CC10")
    return ord(match[1]) - ord("A") + 26 * len(match[2]), int(match[3])


def coord(place: str) -> Coord:
    """Axial coordinate of a hex on its own board, on which A1 is (0, 0)."""
    column, row = column_and_row(place)
    return column, row - 1 - column // 2


# --- reading -----------------------------------------------------------------------------------------


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    number: str
    title: str
    columns: int
    rows: int
    hexes: str
    source: str = "own"
    edges: Literal["half", "whole"] = "half"
    roads: tuple[str, ...] = ()
    tracks: tuple[str, ...] = ()
    highways: tuple[str, ...] = ()
    gullies: tuple[str, ...] = ()
    fords: tuple[str, ...] = ()
    bridges: dict[str, str] = {}
    open: tuple[str, ...] = ()
    cliffs: tuple[str, ...] = ()
    dunes: tuple[str, ...] = ()
    spurs: tuple[str, ...] = ()
    names: dict[str, str] = {}
    legend: str = ""
    paths: tuple[str, ...] = ()
    storeys: dict[str, int] = {}
    sides: dict[str, tuple[str, ...]] = {}


class _Source:
    """The text of a board file, to say in which line something stands."""

    def __init__(self, text: str, name: str) -> None:
        self.lines, self.name = text.splitlines(), name

    def key(self, key: str) -> int:
        """The line (from 1) in which a field begins; 1 when it is not there."""
        start = re.compile(rf"\s*\[?\s*{re.escape(key)}\s*[=\]]")
        return next((n for n, line in enumerate(self.lines, 1) if start.match(line)), 1)

    def where(self, key: str, text: str = "") -> str:
        """File and line of a field, or of a text within it."""
        begin = self.key(key)
        for n, line in enumerate(self.lines[begin - 1 :], begin):
            if text in line:
                return f"{self.name}:{n}"
        return f"{self.name}:{begin}"


def is_board(fields: Mapping[str, Any]) -> bool:
    """Return whether the fields of a TOML file are those of a board: only boards have rows of hexes."""
    return "hexes" in fields


def read_board(path: Path | str) -> Board:
    """The board in a file; BadInput, with file and line, when it is malformed."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"the board cannot be read: {error}", str(path), "a board file in UTF-8") from error
    return parse_board(text, str(path))


def parse_board(text: str, name: str = "board") -> Board:
    """The board in a text; `name` is what errors call the file."""
    source = _Source(text, name)
    file = _decode(text, source)
    _check_size(file, source)
    board = _board(file, source)
    words = _legend(file.legend, source)
    _check_tokens(board, words, source)
    for key in ("paths", "tracks", "roads", "highways", "gullies"):
        _check_chains(board, key, source)
    for key in ("open", "cliffs", "dunes", "spurs"):
        _check_sides(board, getattr(board, key), key, source)
    _check_named_sides(board, words, source)
    for key in ("fords", "bridges", "names", "storeys"):
        for place in getattr(board, key):
            _check_place(board, place, source.where(key, place))
    _check_bridges(board, source)
    return board


def _check_size(file: _File, source: _Source) -> None:
    if file.columns < 1 or file.rows < 1 or file.columns > 26 * 3:
        problem = f"a board of {file.columns} columns and {file.rows} rows"
        raise BadInput(problem, source.where("columns"), "1 to 78 columns")
    if file.edges == "half" and (file.columns % 2 == 0 or file.columns < 3 or file.rows < 2):
        problem = f"{file.columns} columns and {file.rows} rows do not join"
        expected = 'an odd number of columns, from 3, and 2 rows or more; or edges = "whole"'
        raise BadInput(problem, source.where("columns"), expected)


def _board(file: _File, source: _Source) -> Board:
    """The board as its file has it, with nothing checked but the number of its hexes."""
    return Board(
        id=file.id,
        number=file.number,
        title=file.title,
        columns=file.columns,
        rows=file.rows,
        hexes=_tokens(file, source),
        source=file.source,
        edges=file.edges,
        roads=_chains(file.roads),
        tracks=_chains(file.tracks),
        highways=_chains(file.highways),
        gullies=_chains(file.gullies),
        fords=file.fords,
        bridges=file.bridges,
        open=_pairs(file.open),
        cliffs=_pairs(file.cliffs),
        dunes=_pairs(file.dunes),
        spurs=_pairs(file.spurs),
        names=file.names,
        legend=file.legend,
        paths=_chains(file.paths),
        storeys=file.storeys,
        sides={kind: _pairs(pairs) for kind, pairs in file.sides.items()},
    )


def _decode(text: str, source: _Source) -> _File:
    try:
        raw = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # broken, numbers too long, or too deep
        line = re.search(r"at line (\d+)", str(error))
        place = line[1] if line else str(len(source.lines))
        raise BadInput(f"this is not TOML: {error}", f"{source.name}:{place}") from error
    try:
        return msgspec.convert(raw, ready(_File))
    except msgspec.ValidationError as error:
        field = re.search(r"\$\.(\w+)|field `(\w+)`", str(error))
        key = (field[1] or field[2]) if field else ""
        where = source.where(key) if key else source.name
        raise BadInput(f"{key or 'board'}: {error}", where, "the fields listed in docs/boards.md") from error


def _tokens(file: _File, source: _Source) -> tuple[tuple[str, ...], ...]:
    rows = [tuple(line.split()) for line in file.hexes.splitlines() if line.strip()]
    begin = source.key("hexes")
    if len(rows) != file.rows:
        raise BadInput(f"hexes has {len(rows)} rows", f"{source.name}:{begin}", f"{file.rows}, one line a row")
    for n, row in enumerate(rows, 1):
        if len(row) != file.columns:
            raise BadInput(
                f"row {n} of hexes has {len(row)} tokens",
                f"{source.name}:{_row_line(source, n)}",
                f"{file.columns}, one a column",
            )
    return tuple(rows)


def _row_line(source: _Source, row: int) -> int:
    """The line in which a row of hexes stands: blank lines do not count."""
    begin = source.key("hexes")
    opening = source.lines[begin - 1].split("=", 1)[-1].strip().strip("\"'")
    seen = 1 if opening else 0
    if seen == row:
        return begin
    for n, line in enumerate(source.lines[begin:], begin + 1):
        seen += bool(line.strip())
        if seen == row:
            return n
    return begin


def _legend(name: str, source: _Source) -> Legend:
    try:
        return legend(name)
    except BadInput as error:
        raise BadInput(error.what, source.where("legend"), error.expected) from None


def _check_tokens(board: Board, words: Legend, source: _Source) -> None:
    for place in board.places():
        token = board.token(place)
        column, row = column_and_row(place)
        half_row = board.edges == "half" and column % 2 == 1 and row == board.rows
        if token == "." or row == 0:
            continue
        where = f"{source.name}:{_row_line(source, row)}"
        if half_row:
            raise BadInput(f"{token!r} in {place}, a half-hex at the long edge", where, "a dot")
        level, letters = words.split(token)
        odd = set(letters) - set(words.codes)
        if odd or len(set(letters)) != len(letters) or (level is not None and level not in HEIGHTS):
            known = f"a dot, or letters of {' '.join(words.codes)} once each"
            raise BadInput(f"{token!r} in {place}", where, f"{known}{', a level before them' if words.heights else ''}")
        high = [letter for letter in words.codes if letter in letters and words.codes[letter] in words.levels]
        if len(high) > 1:
            names = " and ".join(words.codes[letter] for letter in high)
            raise BadInput(f"{place} is both {names}", where, "s (level 1), h (level 2) or p (level 3)")


def _check_place(board: Board, place: str, where: str) -> None:
    if not board.has(place):
        last = f"{column_name(board.columns - 1)}{board.rows}"
        raise BadInput(f"there is no hex {place!r} on this board", where, f"a hex from A1 to {last}")


def _check_chains(board: Board, key: str, source: _Source) -> None:
    for chain in getattr(board, key):
        where = source.where(key, chain[0]) if chain else source.where(key)
        where = _chain_line(source, key, chain, where)
        places = [place for place in chain if place not in SIGNS]
        if set(chain[1:-1]) & set(SIGNS):
            raise BadInput(f"the sign is inside the chain {' '.join(chain)!r}", where, f"{' '.join(SIGNS)} at its ends")
        if not places or (len(chain) < 2 and key != "gullies"):
            raise BadInput(f"the chain {' '.join(chain)!r} leads nowhere", where, "two neighbouring hexes or more")
        for place in places:
            _check_place(board, place, where)
        for a, b in pairwise(places):
            if direction(coord(a), coord(b)) is None:
                raise BadInput(f"{a} and {b} are not neighbours", where, f"one of {_around(board, a)} after {a}")
        for sign, at in exits(chain):
            if not _at_edge(board, sign, at):
                raise BadInput(f"{at} does not lie at the edge that {sign} means", where, "a hex of that edge")


def _chain_line(source: _Source, key: str, chain: Chain, default: str) -> str:
    spaced = re.compile(r"\s+".join(re.escape(place) for place in chain))
    begin = source.key(key)
    for n, line in enumerate(source.lines[begin - 1 :], begin):
        if spaced.search(line):
            return f"{source.name}:{n}"
    return default


def _at_edge(board: Board, sign: str, at: str) -> bool:
    column, row = column_and_row(at)
    first = 0 if board.edges == "half" and column % 2 else 1
    return {"^": row == first, "v": row == board.rows, "<": column == 0, ">": column == board.columns - 1}[sign]


def _around(board: Board, place: str) -> str:
    return ", ".join(other for other in board.places() if direction(coord(place), coord(other)) is not None)


def _check_sides(board: Board, pairs: Iterable[Chain], key: str, source: _Source) -> None:
    for pair in pairs:
        where = source.where(key, "/".join(pair))
        if len(pair) != 2:
            raise BadInput(f"{'/'.join(pair)!r} is not a hexside", where, "two neighbours, such as C3/C4")
        for place in pair:
            _check_place(board, place, where)
        if direction(coord(pair[0]), coord(pair[1])) is None:
            raise BadInput(f"{pair[0]} and {pair[1]} are not neighbours", where, f"one of {_around(board, pair[0])}")


def _check_named_sides(board: Board, words: Legend, source: _Source) -> None:
    """Reject kinds of hexsides that the legend does not know, and pairs of hexes that share no side."""
    for kind, pairs in board.sides.items():
        if kind not in words.sides:
            raise BadInput(f"hexsides of {kind!r}", source.where("sides", kind), ", ".join(words.sides) or "no sides")
        _check_sides(board, pairs, "sides", source)


def _check_bridges(board: Board, source: _Source) -> None:
    for place, material in board.bridges.items():
        if material not in BRIDGES:
            problem = f"the bridge in {place} is of {material!r}"
            raise BadInput(problem, source.where("bridges", place), " or ".join(BRIDGES))


def _chains(lines: Iterable[str]) -> tuple[Chain, ...]:
    return tuple(tuple(line.split()) for line in lines)


def _pairs(sides: Iterable[str]) -> tuple[Chain, ...]:
    return tuple(tuple(side.replace(" ", "").split("/")) for side in sides)


# --- writing -----------------------------------------------------------------------------------------


def write_board(board: Board) -> str:
    """The text of a board file, which reads back as the same board."""
    lines = [f"{key} = {_quoted(getattr(board, key))}" for key in ("id", "number", "title", "source")]
    lines += [f"columns = {board.columns}", f"rows = {board.rows}"]
    if board.edges != "half":
        lines.append(f"edges = {_quoted(board.edges)}")
    if board.legend:
        lines.append(f"legend = {_quoted(board.legend)}")
    width = max(len(token) for row in board.hexes for token in row)
    rows = [" ".join(token.ljust(width) for token in row).rstrip() for row in board.hexes]
    lines += ["", 'hexes = """', *rows, '"""', ""]
    for key in ("paths", "roads", "tracks", "highways", "gullies"):
        lines += _array(key, [" ".join(chain) for chain in getattr(board, key)])
    lines += _array("fords", board.fords)
    lines += _table("bridges", board.bridges)
    for key in ("open", "cliffs", "dunes", "spurs"):
        lines += _array(key, ["/".join(pair) for pair in getattr(board, key)])
    lines += _table("names", board.names)
    lines += _table("storeys", board.storeys)
    sides = {kind: ["/".join(pair) for pair in pairs] for kind, pairs in board.sides.items()}
    lines += ["", "[sides]"] if sides else []
    for kind, pairs in sides.items():
        lines += _array(kind, pairs)
    return "\n".join(lines).rstrip() + "\n"


def _array(key: str, values: Iterable[str]) -> list[str]:
    items = [f"    {_quoted(value)}," for value in values]
    return [f"{key} = [", *items, "]"] if items else []


def _table(key: str, values: Mapping[str, str | int]) -> list[str]:
    inside = ", ".join(f"{place} = {_quoted(value)}" for place, value in values.items())
    return [f"{key} = {{ {inside} }}"] if inside else []


def _quoted(value: str | int) -> str:
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
