"""The faults of a board that can be read: the sentences of `check`.

A board may be drawn faultlessly to the letter and still not join its neighbours, or hold a village that no road
reaches. Each complaint is a sentence that names a hex or a side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from opfire.space.boards import SIGNS, Board, Chain, column_and_row, column_name, coord, exits
from opfire.space.hexes import Coord, neighbour, neighbours
from opfire.space.hexmap import Cell, HexMap, single
from opfire.space.legend import legend

WET = {"water", "stream"}
"""The ground besides gullies that a bridge leads over."""


def check(board: Board) -> list[str]:
    """The faults to mend, in sentences; none when the board is sound."""
    return list(_complaints(board, single(board)))


def _complaints(board: Board, map: HexMap) -> Iterator[str]:
    if board.edges == "half":
        yield from _edge_hexes(board, map)
        yield from _edge_roads(board)
        yield from _lost_roads(board, map)
    yield from _levels(map)
    yield from _marks(board, map)
    yield from _gullies(map)
    yield from _villages(map)
    yield from _waters(map)


def _local(cell: Cell) -> str:
    return cell.name.rpartition("-")[2]


# --- the edges -------------------------------------------------------------------------


def _edge_hexes(board: Board, map: HexMap) -> Iterator[str]:
    """Nothing but clear ground and roads at the edges, so that no feature is cut by a joint."""
    for cell in map.cells.values():
        half = board.is_half(_local(cell))
        outermost = half or any(_is_half_or_gone(board, map, at) for at in _around(cell))
        if outermost and cell.terrain != ("clear",):
            words = ", ".join(word for word in cell.terrain if word != "clear")
            yield f"{_local(cell)} at the edge holds {words}; the outermost hexes are clear"


def _is_half_or_gone(board: Board, map: HexMap, at: Coord) -> bool:
    cell = map.at.get(at)
    return cell is None or board.is_half(_local(cell))


def _edge_roads(board: Board) -> Iterator[str]:
    """Roads leave the board only at places that the next board shares, which a half turn exchanges."""
    quarter = (board.columns - 1) // 4
    columns = {quarter, board.columns - 1 - quarter}
    rows = {3, board.rows - 2}
    for chain in _ways(board):
        for sign, at in _gates(board, chain):
            column, row = column_and_row(at)
            if sign in "^v" and (column not in columns or column % 2):
                yield f"a road leaves the long edge at {at}; it may only in the columns {_letters(columns)}"
            if sign in "<>" and row not in rows:
                yield f"a road leaves the short edge at {at}; it may only in the rows {sorted(rows)}"
        gates = {at for _, at in _gates(board, chain)}
        for place in chain:
            if place not in SIGNS and board.is_half(place) and place not in gates:
                yield f"a road runs through the half-hex {place} and does not leave the board there"
    for chain in board.gullies:
        for _, at in exits(chain):
            yield f"a gully leaves the board at {at}; gullies end before the edge"


def _ways(board: Board) -> tuple[Chain, ...]:
    return (*board.roads, *board.tracks, *board.highways)


def _gates(board: Board, chain: Chain) -> Iterator[tuple[str, str]]:
    """The places at which a chain leaves the board: at its signs, and by ending in a half-hex of a short edge."""
    yield from exits(chain)
    for place in (chain[0], chain[-1]):
        if place not in SIGNS and board.is_half(place):
            column, _ = column_and_row(place)
            yield {0: "<", board.columns - 1: ">"}.get(column, "v"), place


def _letters(columns: Iterable[int]) -> str:
    return " and ".join(column_name(column) for column in sorted(columns))


def _lost_roads(board: Board, map: HexMap) -> Iterator[str]:
    """Every road is connected to one that leaves the board."""
    gates = {at for chain in _ways(board) for _, at in _gates(board, chain)}

    def linked(cell: Cell) -> Iterator[Coord]:
        return (neighbour((cell.q, cell.r), way) for way, link in enumerate(cell.links) if link)

    for group in _groups(map, lambda cell: any(cell.links), linked):
        if not any(_local(cell) in gates for cell in group):
            yield f"the road through {_local(group[0])} reaches no edge of the board"


# --- heights and hexsides ------------------------------------------------------------------------------


def _pairs(map: HexMap) -> Iterator[tuple[Cell, int, Cell]]:
    for at, cell in map.at.items():
        for way in (1, 2, 3):
            other = map.at.get(neighbour(at, way))
            if other is not None:
                yield cell, way, other


def _levels(map: HexMap) -> Iterator[str]:
    for a, way, b in _pairs(map):
        features = a.sides[way]
        if abs(a.level - b.level) >= 2 and "cliff" not in features:
            yield f"{_local(a)}/{_local(b)} climbs two levels at once; that needs a cliff"
        if a.level == b.level and "cliff" in features:
            yield f"the cliff {_local(a)}/{_local(b)} lies between hexes of one level"


def _marks(board: Board, map: HexMap) -> Iterator[str]:
    """Sides that are marked although the mark changes nothing there."""
    borders = legend(board.legend).borders
    for pair in board.open:
        a, b = (map.at[coord(place)] for place in pair)
        if not any((word in a.terrain) != (word in b.terrain) for word in borders):
            yield f"{'/'.join(pair)} is left open, but no woods, broken ground or town ends there"
    for pair in board.spurs:
        a, b = (map.at[coord(place)] for place in pair)
        if a.level != b.level:
            yield f"the spur {'/'.join(pair)} lies between two levels, where the side needs no mark"
    for pair in board.dunes:
        if not any("sand" in map.at[coord(place)].terrain for place in pair):
            yield f"the dune {'/'.join(pair)} touches no sand"


# --- gullies, villages, water --------------------------------------------------------------------------


def _gullies(map: HexMap) -> Iterator[str]:
    for cell in map.cells.values():
        gully, name = "gully" in cell.terrain, _local(cell)
        if gully and not any(cell.gully):
            yield f"the gully in {name} crosses no side; a gully is two hexes or more"
        if cell.ford and not gully:
            yield f"the ford {name} lies in no gully"
        if cell.bridge and not (any(cell.links) and (gully or WET & set(cell.terrain))):
            yield f"the bridge {name} carries no road or track over a gully, a stream or water"
        if cell.bridge and cell.ford:
            yield f"{name} is both ford and bridge"


def _villages(map: HexMap) -> Iterator[str]:
    for group in _groups(map, lambda cell: "village" in cell.terrain, _around):
        beside = (map.at.get(at) for cell in group for at in (*_around(cell), (cell.q, cell.r)))
        if not any(cell is not None and any(cell.links) for cell in beside):
            yield f"no road or track touches the village in {_local(group[0])}"


def _waters(map: HexMap) -> Iterator[str]:
    wet = {"water", "gully"}
    for group in _groups(map, lambda cell: "swamp" in cell.terrain, _around):
        beside = (map.at.get(at) for cell in group for at in (*_around(cell), (cell.q, cell.r)))
        if not any(cell is not None and wet & set(cell.terrain) for cell in beside):
            yield f"the swamp at {_local(group[0])} adjoins no stream or water"
    for cell in map.cells.values():
        solid = set(cell.terrain) - {"water"}
        if "water" in cell.terrain and (solid or (any(cell.links) and not cell.bridge)):
            yield f"{_local(cell)} is both water and other terrain"


def _around(cell: Cell) -> Iterable[Coord]:
    return neighbours((cell.q, cell.r))


def _groups(
    map: HexMap, belongs: Callable[[Cell], bool], onward: Callable[[Cell], Iterable[Coord]]
) -> Iterator[list[Cell]]:
    """The hexes that belong, in groups that hang together, each from its first hex on."""
    seen = set[str]()
    for start in map.cells.values():
        if start.name in seen or not belongs(start):
            continue
        seen.add(start.name)
        group = [start]
        for cell in group:  # grows as it is read
            for at in onward(cell):
                other = map.at.get(at)
                if other is not None and other.name not in seen and belongs(other):
                    seen.add(other.name)
                    group.append(other)
        yield group
