"""Maps of hexes: the content of each hex and each hexside, and boards joined to one map.

A hex is known by its printed name, `"1-Q7"`: the number of its board, column letters, row. Where two boards meet, two
half-hexes make one hex, which belongs to the board with the lower number; the other board's name for it is an alias.
Coordinates serve geometry only (`opfire.space.hexes`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from opfire.core.errors import BadInput
from opfire.space import hexes
from opfire.space.boards import Board, coord, read_board, write_board
from opfire.space.drawing import joined as joined_drawing
from opfire.space.hexes import DIRECTIONS, Coord, Fraction, Trace, trace
from opfire.space.legend import Legend, legend

__all__ = [
    "LINKS",
    "Board",
    "BoardInfo",
    "Cell",
    "HexMap",
    "NamedTouch",
    "Placement",
    "crop",
    "flipped",
    "join",
    "linked",
    "read_board",
    "rotated",
    "single",
    "turned",
    "write_board",
]

LINKS = ("", "path", "track", "road", "highway")
"""The links between hexes, from least to best."""

Marks = dict[str, set[frozenset[Coord]]]
"""The hexsides that boards mark, by kind."""

Six = tuple[str | None, str | None, str | None, str | None, str | None, str | None]
NO_SIDES: tuple[tuple[str, ...], ...] = ((),) * 6
NO_LINKS: tuple[str, ...] = ("",) * 6
NO_GULLY: tuple[bool, ...] = (False,) * 6


class Cell(msgspec.Struct, frozen=True):
    """One hex. Tuples of six follow the directions N, NE, SE, S, SW, NW."""

    name: str
    q: int
    r: int
    board: str = ""
    playable: bool = True
    terrain: tuple[str, ...] = ("clear",)
    level: int = 0
    sides: tuple[tuple[str, ...], ...] = NO_SIDES
    links: tuple[str, ...] = NO_LINKS
    gully: tuple[bool, ...] = NO_GULLY
    bridge: str = ""
    ford: bool = False
    label: str = ""
    storeys: int = 0


class BoardInfo(msgspec.Struct, frozen=True):
    """A board of a map, and whether it lies turned by 180 degrees."""

    id: str
    number: str
    title: str
    turned: bool = False


class NamedTouch(msgspec.Struct, frozen=True, gc=False):
    """A touch of a line (`hexes.Touch`) in names; None stands for hexes that are not on the map.

    `sides` holds for each hexside concerned its two hexes, its features and its place in half steps.
    """

    kind: Literal["hex", "side", "along", "vertex"]
    hexes: tuple[str | None, ...]
    sides: tuple[tuple[str | None, str | None, tuple[str, ...], int], ...]
    before: str | None
    after: str | None
    start: Fraction
    end: Fraction


class HexMap:
    """A map: immutable, hashed by its id, never copied.

    `cells` has every hex by name, `at` by coordinate; both include hexes that are not playable (half-hexes at the outer
    edges). `neighbours` has six names for each hex, None where no playable hex lies. Names that the map does not have
    raise KeyError; `cell` alone raises BadInput with a sentence.
    """

    def __init__(
        self,
        id: str,
        cells: Iterable[Cell],
        boards: Sequence[BoardInfo] = (),
        aliases: Mapping[str, str] | None = None,
    ) -> None:
        ordered = sorted(cells, key=lambda cell: (cell.q, cell.r))
        self.id = id
        self.boards = tuple(boards)
        self.cells: Mapping[str, Cell] = MappingProxyType({cell.name: cell for cell in ordered})
        self.at: dict[Coord, Cell] = {(cell.q, cell.r): cell for cell in ordered}
        self.coords: dict[str, Coord] = {cell.name: (cell.q, cell.r) for cell in ordered}
        self.aliases: Mapping[str, str] = MappingProxyType(dict(aliases or {}))
        self.names: tuple[str, ...] = tuple(cell.name for cell in ordered if cell.playable)
        self.neighbours: dict[str, tuple[str | None, ...]] = {
            name: tuple(map(self._playable_at, hexes.neighbours(at))) for name, at in self.coords.items()
        }
        self._within: dict[tuple[str, int], tuple[str, ...]] = {}
        self._discs: dict[tuple[str, int], frozenset[str]] = {}
        if len(self.cells) != len(ordered) or len(self.at) != len(ordered):
            raise BadInput(f"map {id!r} has two hexes with one name or in one place", expected="each hex once")

    def _playable_at(self, at: Coord) -> str | None:
        cell = self.at.get(at)
        return cell.name if cell is not None and cell.playable else None

    # --- hexes ---------------------------------------------------------------------------------------

    def __contains__(self, name: object) -> bool:
        """Whether this is the name of a playable hex."""
        return name in self.cells and self.cells[str(name)].playable

    def cell(self, name: str) -> Cell:
        """The hex of a name or alias. Raises BadInput for an unknown name."""
        cell = self.cells.get(self.aliases.get(name, name))
        if cell is None:
            raise BadInput(f"there is no hex {name!r} on map {self.id!r}", expected=f"a name such as {self.names[:1]}")
        return cell

    def parse(self, text: str, where: str = "") -> str:
        """The name of the hex in play that a text names. Raises BadInput."""
        if text not in self:
            raise BadInput(f"{text!r} is not a hex in play", where, f"printed names such as {self.names[0]}")
        return text

    def text(self, place: str) -> str:
        """The printed name of a hex: the place itself."""
        return place

    def name_at(self, at: Coord) -> str | None:
        """The name of the hex at a coordinate, playable or not; None off the map."""
        cell = self.at.get(at)
        return None if cell is None else cell.name

    def distance(self, a: str, b: str) -> int:
        """The number of steps between two hexes, whatever lies in the way."""
        (aq, ar), (bq, br) = self.coords[a], self.coords[b]
        dq, dr = bq - aq, br - ar
        if dq < 0:
            dq, dr = -dq, -dr
        if dr > 0:
            return dq + dr
        return dq if dq > -dr else -dr

    def in_reach(self, a: str, b: str, reach: int) -> bool:
        """Return whether two hexes lie at most `reach` steps apart."""
        (aq, ar), (bq, br) = self.coords[a], self.coords[b]
        dq, dr = bq - aq, br - ar
        return abs(dq) + abs(dr) + abs(dq + dr) <= 2 * reach

    def direction(self, a: str, b: str) -> int | None:
        """The direction from `a` to its neighbour `b`; None when they are not neighbours."""
        return hexes.direction(self.coords[a], self.coords[b])

    def adjacent(self, a: str, b: str) -> bool:
        """Whether two hexes share a side."""
        return hexes.direction(self.coords[a], self.coords[b]) is not None

    def side(self, a: str, b: str) -> tuple[str, ...]:
        """The features of the side between two neighbours; none when they are not neighbours."""
        way = hexes.direction(self.coords[a], self.coords[b])
        return () if way is None else self.cells[a].sides[way]

    def side_at(self, a: Coord, direction: int) -> tuple[str, ...]:
        """The features of a side by coordinate, from whichever of its two hexes the map has."""
        cell = self.at.get(a)
        if cell is not None:
            return cell.sides[direction]
        cell = self.at.get(hexes.neighbour(a, direction))
        return () if cell is None else cell.sides[(direction + 3) % 6]

    def link(self, a: str, b: str) -> str:
        """The link from `a` to its neighbour `b`: "", "track", "road" or "highway"."""
        way = hexes.direction(self.coords[a], self.coords[b])
        return "" if way is None else self.cells[a].links[way]

    def within(self, name: str, steps: int) -> tuple[str, ...]:
        """The playable hexes at most `steps` steps away, nearest first, the hex itself included."""
        found = self._within.get((name, steps))
        if found is None:
            around = map(self._playable_at, hexes.disc(self.coords[name], steps))
            found = self._within[name, steps] = tuple(other for other in around if other is not None)
        return found

    def disc(self, name: str, steps: int) -> frozenset[str]:
        """The same hexes as a set, in no order."""
        found = self._discs.get((name, steps))
        if found is None:
            found = self._discs[name, steps] = frozenset(self.within(name, steps))
        return found

    # --- edges ---------------------------------------------------------------------------------------

    def off_map_links(self, name: str) -> tuple[int, ...]:
        """Directions in which a road, track or highway leaves the playable map."""
        around = self.neighbours[name]
        return tuple(d for d, link in enumerate(self.cells[name].links) if link and around[d] is None)

    def edge(self, name: str) -> frozenset[str]:
        """The outer edges at which a playable hex lies: some of north, south, east, west."""
        north, northeast, southeast, south, southwest, northwest = self.neighbours[name]
        missing = {
            "north": north is None,
            "south": south is None,
            "east": northeast is None and southeast is None,
            "west": northwest is None and southwest is None,
        }
        if not self.cells[name].playable:
            return frozenset()
        return frozenset(edge for edge, gone in missing.items() if gone)

    # --- lines ---------------------------------------------------------------------------------------

    def trace_between(self, a: str, b: str) -> tuple[Coord, Trace]:
        """The coordinate of `a`, and the line from there to `b` in offsets from it."""
        aq, ar = self.coords[a]
        bq, br = self.coords[b]
        return (aq, ar), trace(bq - aq, br - ar)

    def line(self, a: str, b: str) -> tuple[NamedTouch, ...]:
        """The line from `a` to `b` in names. Slow beside `trace_between`: for display, and for tests."""
        (q, r), touches = self.trace_between(a, b)

        def named(offset: Coord) -> str | None:
            return self.name_at((q + offset[0], r + offset[1]))

        def sided(side: hexes.Side) -> tuple[str | None, str | None, tuple[str, ...], int]:
            at = (q + side.a[0], r + side.a[1])
            return named(side.a), named(side.b), self.side_at(at, side.direction), side.halves

        return tuple(
            NamedTouch(
                touch.kind,
                tuple(map(named, touch.hexes)),
                tuple(map(sided, touch.sides)),
                named(touch.before),
                named(touch.after),
                touch.start,
                touch.end,
            )
            for touch in touches
        )

    # --- identity ------------------------------------------------------------------------------------

    @cached_property
    def digest(self) -> str:
        """A fingerprint of the whole map (32 hex digits), for records."""
        content = msgspec.json.encode([list(self.cells.values()), sorted(self.aliases.items())])
        return hashlib.blake2b(content, digest_size=16).hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HexMap) and self.id == other.id and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.id)

    def __copy__(self) -> HexMap:
        return self

    def __deepcopy__(self, memo: object) -> HexMap:
        return self

    def __reduce__(self) -> tuple[type[HexMap], tuple[Any, ...]]:
        return HexMap, (self.id, tuple(self.cells.values()), self.boards, dict(self.aliases))

    def __repr__(self) -> str:
        return f"HexMap({self.id!r}, {len(self.names)} hexes)"

    def to_json(self) -> dict[str, Any]:
        """The map as the client draws it (docs/protocol.md)."""
        drawing = joined_drawing(((b.id, b.number) for b in self.boards), self.cells, self.aliases)
        return {
            "space": "hexes",
            "id": self.id,
            "orientation": "flat-top",
            "hexes": [msgspec.to_builtins(cell) for cell in self.cells.values()],
            "boards": [msgspec.to_builtins(board) for board in self.boards],
            **({"drawing": drawing} if drawing else {}),
        }


# --- moved maps --------------------------------------------------------------------------------------


def rotated(map: HexMap, steps: int) -> HexMap:
    """The map turned clockwise about (0, 0) by `steps` times 60 degrees; hexes keep their names."""
    moved = _moved(map, f"{map.id}@{steps % 6}", lambda at: hexes.rotate(at, steps), lambda d: (d + steps) % 6)
    boards = [replace(board, turned=board.turned ^ (steps % 6 == 3)) for board in map.boards]
    return HexMap(moved.id, moved.cells.values(), boards, map.aliases)


def turned(map: HexMap) -> HexMap:
    """The map seen from its other side, turned by 180 degrees; hexes keep their names."""
    return rotated(map, 3)


def linked(map: HexMap, chains: Sequence[Sequence[str]], kind: str) -> HexMap:
    """The map with a link of a kind along each chain of hexes; better links stay. Without chains it is the map itself.

    Hexes of a chain that are not neighbours are not linked.
    """
    links = {name: [*map.cells[name].links] for chain in chains for name in chain}
    for a, b in (pair for chain in chains for pair in pairwise(chain)):
        if (way := map.direction(a, b)) is not None:
            for name, side in ((a, way), (b, (way + 3) % 6)):
                links[name][side] = max(links[name][side], kind, key=LINKS.index)
    if not links:
        return map
    cells = (replace(cell, links=tuple(links.get(cell.name, cell.links))) for cell in map.cells.values())
    digits = hashlib.blake2b(repr((kind, chains)).encode(), digest_size=4).hexdigest()
    return HexMap(f"{map.id}+{digits}", cells, map.boards, map.aliases)


def flipped(map: HexMap) -> HexMap:
    """The map's mirror image, east and west exchanged; hexes keep their names."""
    return _moved(map, f"{map.id}@flipped", hexes.reflect, hexes.reflected_direction)


def _moved(map: HexMap, id: str, place: Callable[[Coord], Coord], way: Callable[[int], int]) -> HexMap:
    to = [way(d) for d in range(6)]
    order = [to.index(d) for d in range(6)]

    def moved(cell: Cell) -> Cell:
        q, r = place((cell.q, cell.r))
        return replace(
            cell,
            q=q,
            r=r,
            sides=tuple(cell.sides[d] for d in order),
            links=tuple(cell.links[d] for d in order),
            gully=tuple(cell.gully[d] for d in order),
        )

    return HexMap(id, (moved(cell) for cell in map.cells.values()), map.boards, map.aliases)


def crop(map: HexMap, first: str, last: str) -> HexMap:
    """The rectangle of a map between two of its hexes, both included, as a map of its own.

    On one board it is the printed rectangle: the columns from the one to the other, in each the rows from the one to
    the other. Across boards it is the area between them: the columns, and in each the hexes whose centres lie no
    further north or south than those of the two. Roads that are cut lead off the map.
    """
    a, b = map.cell(first), map.cell(last)
    if a.board == b.board:
        keep = _printed_between(a, b)
    else:
        keep = _lying_between(a, b)
    cells = [cell for cell in map.cells.values() if cell.playable and keep(cell)]
    used = {cell.name for cell in cells}
    boards = {cell.board for cell in cells}
    return HexMap(
        f"{map.id}[{a.name}:{b.name}]",
        cells,
        [board for board in map.boards if board.number in boards],
        {alias: name for alias, name in map.aliases.items() if name in used},
    )


def _printed_between(a: Cell, b: Cell) -> Callable[[Cell], bool]:
    (a_column, a_row), (b_column, b_row) = _printed(a), _printed(b)
    columns = range(min(a_column, b_column), max(a_column, b_column) + 1)
    rows = range(min(a_row, b_row), max(a_row, b_row) + 1)

    def keep(cell: Cell) -> bool:
        if cell.board != a.board:
            return False
        column, row = _printed(cell)
        return column in columns and row in rows

    return keep


def _printed(cell: Cell) -> tuple[int, int]:
    q, r = coord(cell.name.rpartition("-")[2])
    return q, r + q // 2


def _lying_between(a: Cell, b: Cell) -> Callable[[Cell], bool]:
    columns = range(min(a.q, b.q), max(a.q, b.q) + 1)
    heights = sorted((2 * a.r + a.q, 2 * b.r + b.q))
    return lambda cell: cell.q in columns and heights[0] <= 2 * cell.r + cell.q <= heights[1]


# --- boards joined -----------------------------------------------------------------------------------


class Placement(msgspec.Struct, frozen=True):
    """A board on the grid of boards that makes a map: column eastwards, row southwards, both from 0."""

    board: Board
    column: int = 0
    row: int = 0
    turned: bool = False


class _Draft:
    """A hex while the map is being put together."""

    def __init__(self, name: str, board: str, at: Coord) -> None:
        self.name, self.board, self.at = name, board, at
        self.halves = 0
        self.words: set[str] = set()
        self.links = [0] * 6
        self.gully = [False] * 6
        self.sides: list[tuple[str, ...]] = [()] * 6
        self.bridge = ""
        self.ford = False
        self.label = ""
        self.level = 0
        self.storeys = 0

    def cell(self, open_edges: Literal["closed", "open"]) -> Cell:
        ground = self.words - {"peak"} | ({"hilltop"} if "peak" in self.words else set())  # the level tells them apart
        words = ground if ground - {"gully"} else ground | {"clear"}
        return Cell(
            name=self.name,
            q=self.at[0],
            r=self.at[1],
            board=self.board,
            playable=self.halves >= 2 or open_edges == "open",
            terrain=tuple(sorted(words)),
            level=self.level,
            sides=tuple(self.sides),
            links=tuple(LINKS[link] for link in self.links),
            gully=tuple(self.gully),
            bridge=self.bridge,
            ford=self.ford,
            label=self.label,
            storeys=self.storeys,
        )


def single(board: Board) -> HexMap:
    """The map of one board by itself."""
    return join([Placement(board)], board.id)


def join(placements: Iterable[Placement], id: str = "", edges: Literal["closed", "open"] = "closed") -> HexMap:
    """Boards laid side by side on a grid, long edge to long edge and short to short, as one map.

    Half-hexes at the outer edges can be played on only when `edges` is `"open"`. A road that finds no
    partner on the board beside it ends at the joint. BadInput when the boards do not fit together.
    """
    laid = sorted(placements, key=lambda placement: _rank(placement.board.number))
    _check_fit(laid)
    drafts: dict[Coord, _Draft] = {}
    aliases: dict[str, str] = {}
    marks: Marks = {}
    words = _legend_of(laid)
    for placement in laid:
        _lay_hexes(placement, words, drafts, aliases)
        _lay_links(placement, drafts)
        _lay_marks(placement, marks)
    _agree_links(drafts)
    _derive_sides(drafts, words, marks)
    boards = [BoardInfo(p.board.id, p.board.number, p.board.title, p.turned) for p in laid]
    name = id or "+".join(p.board.id + ("/turned" if p.turned else "") for p in laid)
    return HexMap(name, (draft.cell(edges) for draft in drafts.values()), boards, aliases)


def _rank(number: str) -> tuple[int, int, str]:
    return (0, int(number), number) if number.isdecimal() else (1, 0, number)


def _check_fit(laid: Sequence[Placement]) -> None:
    if not laid:
        raise BadInput("a map of no boards", expected="at least one board")
    spots = {(p.column, p.row) for p in laid}
    size = {(p.board.columns, p.board.rows) for p in laid}
    if len(laid) > 1 and (any(p.board.edges == "whole" for p in laid) or len(size) > 1):
        raise BadInput("boards that do not fit", expected='boards of one size, none with edges = "whole"')
    if len(spots) != len(laid):
        raise BadInput("two boards in one place", expected="a column and row of its own for each board")
    if len({p.board.number for p in laid}) != len(laid):
        raise BadInput("two boards of one number", expected="boards of different numbers")
    reached, queue = set[Coord](), [min(spots)]
    while queue:
        column, row = queue.pop()
        reached.add((column, row))
        beside = {(column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)}
        queue += sorted(beside & spots - reached)
    if reached != spots:
        raise BadInput("boards that do not touch", expected="each board beside another one")


def _legend_of(laid: Sequence[Placement]) -> Legend:
    """The legend of the boards of a map, which have to agree on it."""
    if len({placement.board.legend for placement in laid}) > 1:
        raise BadInput("boards of two legends", expected="boards that name the same legend")
    return legend(laid[0].board.legend)


def _placed(placement: Placement, at: Coord) -> Coord:
    """The coordinate on the map of a coordinate on the board."""
    board = placement.board
    q, r = at
    across = board.columns - 1
    if placement.turned:
        q, r = across - q, board.rows - 1 - across // 2 - r
    return q + placement.column * across, r + placement.row * board.rows - placement.column * (across // 2)


def _lay_hexes(placement: Placement, words: Legend, drafts: dict[Coord, _Draft], aliases: dict[str, str]) -> None:
    board = placement.board
    for place in board.places():
        at, name = _placed(placement, coord(place)), f"{board.number}-{place}"
        draft = drafts.setdefault(at, _Draft(name, board.number, at))
        if draft.name != name:
            aliases[name] = draft.name
        draft.halves += 1 if board.is_half(place) else 2
        level, letters = words.split(board.token(place))
        ground = {words.codes[code] for code in letters}
        draft.words |= ground
        height = max((words.levels.get(word, 0) for word in ground), default=0) if level is None else level
        draft.level = max(draft.level, height, key=abs)
        draft.storeys = draft.storeys or board.storeys.get(place, 0)
        draft.bridge = draft.bridge or board.bridges.get(place, "")
        draft.ford = draft.ford or place in board.fords
        draft.label = draft.label or board.names.get(place, "")


def _lay_links(placement: Placement, drafts: dict[Coord, _Draft]) -> None:
    board, turn = placement.board, 3 * placement.turned
    for kind, chains in ((1, board.paths), (2, board.tracks), (3, board.roads), (4, board.highways)):
        for chain in chains:
            for place, way in board.links(chain):
                links = drafts[_placed(placement, coord(place))].links
                links[(way + turn) % 6] = max(links[(way + turn) % 6], kind)
    for chain in board.gullies:
        for place in board.places():
            if place in chain:
                drafts[_placed(placement, coord(place))].words.add("gully")
        for place, way in board.links(chain):
            drafts[_placed(placement, coord(place))].gully[(way + turn) % 6] = True


def _lay_marks(placement: Placement, marks: Marks) -> None:
    board = placement.board
    usual = {"open": board.open, "cliff": board.cliffs, "dune": board.dunes, "spur": board.spurs}
    for key, pairs in (*usual.items(), *board.sides.items()):
        for pair in pairs:
            marks.setdefault(key, set()).add(frozenset(_placed(placement, coord(place)) for place in pair))


def _agree_links(drafts: dict[Coord, _Draft]) -> None:
    """Make both hexes of a side say the same: at a joint the lesser of the two holds, or nothing."""
    for (q, r), draft in drafts.items():
        for d in range(3):
            dq, dr = DIRECTIONS[d]
            other = drafts.get((q + dq, r + dr))
            if other is not None:
                agreed = min(draft.links[d], other.links[d + 3])
                draft.links[d] = other.links[d + 3] = agreed
                through = draft.gully[d] and other.gully[d + 3]
                draft.gully[d] = other.gully[d + 3] = through


def _derive_sides(drafts: dict[Coord, _Draft], words: Legend, marks: Marks) -> None:
    for (q, r), draft in drafts.items():
        for d in range(3):
            dq, dr = DIRECTIONS[d]
            other = drafts.get((q + dq, r + dr))
            if other is not None:
                draft.sides[d] = other.sides[d + 3] = _features(draft, other, words, marks)


def _features(a: _Draft, b: _Draft, words: Legend, marks: Marks) -> tuple[str, ...]:
    between = frozenset((a.at, b.at))
    marked = {key for key, sides in marks.items() if between in sides}
    found = set() if "open" in marked else {word for word in words.borders if (word in a.words) != (word in b.words)}
    if a.level != b.level and words.levels:
        found.add("hilltop" if max(a.level, b.level) >= 2 else "slope")
    if "spur" in marked:
        found.add("slope")
    return tuple(sorted(found | marked - {"open", "spur"}))
