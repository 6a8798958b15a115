"""Lines of sight over the ground [8.2, 15.5]: hexsides and levels, before wrecks, gullies and units.

Rules, tool, previews and computer players ask `Eyes`: `open` says whether a line is clear, `line` gives the obstacle.
"""

from __future__ import annotations

from functools import cache, lru_cache, partial, reduce
from operator import or_

import msgspec

from opfire.core.texts import Text, Words
from opfire.rulesets.case_orange.charts import LEVELS, Charts, Obstacles
from opfire.space.crossings import Grid, Manner, Stretch, Walls, stretch_of
from opfire.space.hexes import Coord, length, neighbour, trace
from opfire.space.hexmap import HexMap

Hex = str
COVER, SLOPE, HILLTOP = 1, 2, 4
NEXT_TO_HILLTOP = 8
"""Marks a side with a hilltop hex beside it or at one of its ends: a slope is no obstacle along it [8.2.2]."""

HIGHEST = LEVELS.index("hilltop")

_MASKS = {"woods": COVER, "town": COVER, "broken": COVER, "slope": SLOPE, "dune": SLOPE, "hilltop": HILLTOP}
_WORDS = {COVER: "a woods, town or broken side", SLOPE: "a slope side", HILLTOP: "a hilltop side"}


class Sightline(msgspec.Struct, frozen=True):
    """A line of sight: clear, or blocked at a hex, with the reason and the rule."""

    clear: bool
    text: Words = "clear"
    rule: str = "8.2"
    at: Hex | None = None


CLEAR = Sightline(True)

# --- the line over the ground [8.2, 15.5.1] -----------------------------------------------------------------

_Side = tuple[int, int, int, Stretch]  # hex offset, direction, place on the line
_Touch = tuple[str, tuple[_Side, ...]]


@cache
def _crossings(dq: int, dr: int) -> tuple[_Touch, ...]:
    """The sides that a line meets: each crossing, stretch along a side, or corner, in order."""
    return tuple(
        (touch.kind, tuple((*side.a, side.direction, stretch_of(side, dq, dr)) for side in touch.sides))
        for touch in trace(dq, dr)
        if touch.sides
    )


@cache
def _touched(dq: int, dr: int) -> frozenset[tuple[int, int]]:
    """The hexes a line runs through or along the edge of, without its ends."""
    hexes = {hex for touch in trace(dq, dr) if touch.kind != "vertex" for hex in touch.hexes}
    return frozenset(hexes - {(0, 0), (dq, dr)})


class Eyes:
    """Lines of sight over one map. The first question about an offset answers it for all hexes at once."""

    def __init__(self, board: HexMap, charts: Charts, options: frozenset[str] = frozenset()) -> None:
        self.map, self.gully_sight = board, charts.gully_sight
        self.obstacles = charts.obstacles_r25 if "R25" in options else charts.obstacles
        self.coords = {name: (cell.q, cell.r) for name, cell in board.cells.items()}
        self.levels = {name: cell.level for name, cell in board.cells.items()}
        self._names = {coord: name for name, coord in self.coords.items()}
        self._sides = _features(board)
        self._grid = Grid(self._sides)
        self._bits = {name: self._grid.bit(at) for name, at in self.coords.items()}
        self._levels = [
            self._grid.hexes(at for name, at in self.coords.items() if self.levels[name] == level)
            for level in range(len(LEVELS))
        ]
        self._walls = self._all_walls()
        self._asked: dict[Hex, dict[Hex, bool]] = {name: {} for name in self.coords}  # players ask again and again
        self._clear: dict[int, int] = {}  # by the difference between the bits of two hexes
        self._views: dict[Hex, frozenset[Hex]] = {}
        self._paths: dict[int, tuple[int, int]] = {}  # by the same difference
        self._set_of = lru_cache(maxsize=64)(self._hexes)
        self.views = lru_cache(maxsize=64)(self._united)

    def _all_walls(self) -> list[tuple[Walls, list[tuple[int, int]]]]:
        """The sides that stop lines, each with the pairs of levels for which it does; some rows of 15.5 are alike."""
        alike: dict[tuple[str, ...], list[tuple[int, int]]] = {}
        for levels, row in self.obstacles.items():
            cover, slope = (row.cover_anywhere, row.cover_at_end), (row.slope_between, row.slope_where)
            alike.setdefault((*cover, row.hilltop_between, row.hilltop_at_end, *slope), []).append(levels)
        rows = (self.obstacles[levels[0]] for levels in alike.values())
        return [
            (self._grid.walls(partial(_stops, row)), levels) for row, levels in zip(rows, alike.values(), strict=True)
        ]

    def line(self, a: Hex, b: Hex) -> Sightline:
        """The straight line between the centres, side by side [2.0-G12, 8.2]: if blocked, the first obstacle.

        Sides and levels count, wrecks and gullies do not. If only the answer matters, `open` is much faster.
        """
        if self.coords[a] > self.coords[b]:
            a, b = b, a
        (aq, ar), (bq, br) = self.coords[a], self.coords[b]
        dq, dr = bq - aq, br - ar
        if always_seen(length(dq, dr)):
            return CLEAR
        row = self.obstacles[self.levels[a], self.levels[b]]
        for touch in _crossings(dq, dr):
            if why := self._why(touch, (aq, ar), row):
                q, r, direction, *_ = touch[1][0]
                flat = self.levels[a] == self.levels[b] == 0
                return self._block(touch[0], why, (aq + q, ar + r), direction, flat)
        return CLEAR

    def clear(self, a: Hex, b: Hex, wrecks: tuple[Hex, ...]) -> bool:
        """Whether neither the ground nor a wreck [5.6.1] is in the way."""
        return self.open(a, b) and not (wrecks and self.wrecked(a, b, wrecks))

    def open(self, a: Hex, b: Hex) -> bool:
        """Whether the ground leaves the line open: the answer of `line`, from sets of hexes."""
        found = self._asked[a].get(b)
        if found is None:
            found = self._asked[a][b] = self._is_open(a, b)
        return found

    def _is_open(self, a: Hex, b: Hex) -> bool:
        start, end = self._bits[a], self._bits[b]
        if start > end:
            a, b, start, end = b, a, end, start
        clear = self._clear.get(end - start)
        if clear is None:
            (aq, ar), (bq, br) = self.coords[a], self.coords[b]
            clear = self._clear[end - start] = self._clear_from(bq - aq, br - ar)
        return clear >> start & 1 == 1

    def view(self, a: Hex) -> frozenset[Hex]:
        """The hexes to which the ground leaves the line from this one open."""
        if a not in self._views:
            self._views[a] = frozenset(b for b in self.coords if self.open(a, b))
        return self._views[a]

    def _united(self, hexes: frozenset[Hex]) -> frozenset[Hex]:
        """The hexes to which the ground leaves the line from one of these open."""
        return frozenset[Hex]().union(*map(self.view, hexes))

    def _clear_from(self, dq: int, dr: int) -> int:
        """The hexes from which the ground leaves a line of this offset open."""
        clear = 0
        for walls, levels in self._walls:
            pairs = (self._grid.pairs(dq, dr, self._levels[a], self._levels[b]) for a, b in levels)
            starts = reduce(or_, pairs)
            if starts and not always_seen(length(dq, dr)):
                starts &= ~self._grid.stopped(dq, dr, walls)
            clear |= starts
        return clear

    def wrecked(self, a: Hex, b: Hex, wrecks: tuple[Hex, ...]) -> bool:
        """Whether one of the wrecks is in the way [5.6.1]: the answer of `wreck_between`, from sets of hexes."""
        start, end = self._bits[a], self._bits[b]
        path = self._paths.get(end - start)
        if path is None:
            path = self._paths[end - start] = self._path(self.coords[a], self.coords[b])
        hexes, first = path
        return hexes << start + first & self._set_of(wrecks) != 0

    def _path(self, a: Coord, b: Coord) -> tuple[int, int]:
        """The hexes that lines of an offset touch, as a set, and how far its first bit lies from the line's start."""
        origin = self._grid.bit((0, 0))
        bits = [self._grid.bit(at) - origin for at in _touched(b[0] - a[0], b[1] - a[1])]
        first = min(bits, default=0)
        return reduce(or_, (1 << bit - first for bit in bits), 0), first

    def _hexes(self, hexes: tuple[Hex, ...]) -> int:
        return self._grid.hexes(self.coords[hex] for hex in hexes)

    def wreck_between(self, a: Hex, b: Hex, wrecks: tuple[Hex, ...]) -> Hex | None:
        """A wreck hex that the line runs through or along, other than its ends [5.6.1]."""
        (aq, ar), (bq, br) = self.coords[a], self.coords[b]
        touched = _touched(bq - aq, br - ar)
        for wreck in wrecks:
            q, r = self.coords[wreck]
            if (q - aq, r - ar) in touched:
                return wreck
        return None

    def _why(self, touch: _Touch, origin: Coord, row: Obstacles) -> int:
        """The obstacle at one touch of the line, if any: at a corner every side has to block [8.2.3]."""
        kind, sides = touch
        why = 0
        for q, r, direction, stretch in sides:
            around = self._sides.get((origin[0] + q, origin[1] + r))
            why = _blocking(row, around[direction], stretch, "along" if kind == "along" else "across") if around else 0
            if not why:
                return 0
        return why

    def _block(self, kind: str, why: int, at: tuple[int, int], direction: int, flat: bool) -> Sightline:
        rule = {"along": "8.2.2", "vertex": "8.2.3"}.get(kind, "8.2" if flat else "15.5.1")
        hex = self._names.get(neighbour(at, direction)) or self._names.get(at)
        text = Text("blocked by {} at {}", (_WORDS[why], hex))
        return Sightline(False, text, rule, hex)


def always_seen(hexes: int) -> bool:
    """Adjacent units see each other whatever lies between [8.2.4]."""
    return hexes <= 1


def _features(board: HexMap) -> dict[Coord, tuple[int, ...]]:
    """The features of the sides of all hexes, and of the map's edge as seen from beyond it: lines may run along it."""
    sides = {at: tuple(_feature(board, at, direction) for direction in range(6)) for at in board.at}
    beyond = {neighbour(at, direction) for at in board.at for direction in range(6)} - sides.keys()
    sides.update({at: tuple(_feature(board, at, direction) for direction in range(6)) for at in beyond})
    return sides


def _feature(board: HexMap, at: Coord, direction: int) -> int:
    """The features of a side, from whichever of its hexes is on the map."""
    feature = sum({_MASKS.get(word, 0) for word in board.side_at(at, direction)})
    wings = (neighbour(at, (direction + 1) % 6), neighbour(at, (direction - 1) % 6))
    around = (board.at.get(hex) for hex in (at, neighbour(at, direction), *wings))
    if feature and any(cell is not None and cell.level == HIGHEST for cell in around):
        feature |= NEXT_TO_HILLTOP
    return feature


def _blocking(row: Obstacles, features: int, stretch: Stretch, manner: Manner) -> int:
    """The feature of a side that blocks, if any [15.5]; adjacent slope sides never do, nor do hilltop sides [8.2.1.1]
    unless a row says so: RULINGS.md R25.
    """
    at_end = stretch == "end"
    if features & COVER and (row.cover_at_end if at_end else row.cover_anywhere) == "blocks":
        return COVER
    if at_end:
        return HILLTOP if features & HILLTOP and row.hilltop_at_end == "blocks" else 0
    if features & HILLTOP and row.hilltop_between == "blocks":
        return HILLTOP
    if features & SLOPE and _slope_blocks(row, stretch):
        along_hilltop = manner == "along" and features & NEXT_TO_HILLTOP
        return 0 if along_hilltop else SLOPE  # 8.2.2
    return 0


def _slope_blocks(row: Obstacles, stretch: Stretch) -> bool:
    """Whether a slope side blocks here between two levels [15.5]; the middle belongs to both halves."""
    where = row.slope_where in ("anywhere", stretch) or (stretch == "middle" and row.slope_where != "")
    return row.slope_between == "blocks" and where


def _stops(row: Obstacles, features: int, stretch: Stretch, manner: Manner) -> bool:
    return _blocking(row, features, stretch, manner) != 0


@lru_cache(maxsize=64)
def eyes(board: HexMap, charts: Charts, options: frozenset[str]) -> Eyes:
    """The lines of sight of a map under these options, shared by every game on it."""
    return Eyes(board, charts, options)
