"""Lines of sight over the ground [8.2, 15.5]: hexsides and levels, before wrecks, gullies and units.

The one line-of-sight function of this ruleset is here: rules, tool, previews and computer players ask `Eyes`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache

import msgspec

from opfire.rulesets.case_orange.charts import Charts, Obstacles
from opfire.space.hexes import Coord, length, neighbour, opposite, trace
from opfire.space.hexmap import HexMap

Hex = str
COVER, SLOPE, HILLTOP = 1, 2, 4
_MASKS = {"woods": COVER, "town": COVER, "broken": COVER, "slope": SLOPE, "dune": SLOPE, "hilltop": HILLTOP}
_WORDS = {COVER: "a woods, town or broken side", SLOPE: "a slope side", HILLTOP: "a hilltop side"}


class Sightline(msgspec.Struct, frozen=True):
    """Whether a line is clear; if not, why, by which rule, and at which hex."""

    clear: bool
    text: str = "clear"
    rule: str = "8.2"
    at: Hex | None = None


CLEAR = Sightline(True)

# --- the line over the ground [8.2, 15.5.1] -----------------------------------------------------------------

_Side = tuple[int, int, int, int, bool]  # hex offset, direction, place in half steps, belongs to an end hex
_Touch = tuple[str, tuple[_Side, ...]]
_Look = tuple[tuple[tuple[int, int], ...], tuple[_Touch, ...], int, Obstacles]
"""Of a line: the sets of sides it crosses with those that would block, its corners and edges, its length."""


@cache
def _crossings(dq: int, dr: int) -> tuple[_Touch, ...]:
    """The sides that a line meets: each crossing, stretch along a side, or corner, in order."""
    ends = ((0, 0), (dq, dr))
    return tuple(
        (
            touch.kind,
            tuple(
                (side.a[0], side.a[1], side.direction, side.halves, side.a in ends or side.b in ends)
                for side in touch.sides
            ),
        )
        for touch in trace(dq, dr)
        if touch.sides
    )


@cache
def _corners_and_edges(dq: int, dr: int) -> tuple[_Touch, ...]:
    """The touches that are no plain crossing of one side [8.2.2, 8.2.3]."""
    return tuple(touch for touch in _crossings(dq, dr) if touch[0] != "side")


@cache
def _touched(dq: int, dr: int) -> frozenset[tuple[int, int]]:
    """The hexes a line runs through or along the edge of, without its ends."""
    hexes = {hex for touch in trace(dq, dr) if touch.kind != "vertex" for hex in touch.hexes}
    return frozenset(hexes - {(0, 0), (dq, dr)})


class Eyes:
    """Lines of sight over one map; every pair is traced once."""

    def __init__(self, board: HexMap, charts: Charts) -> None:
        self.map, self.obstacles, self.gully_sight = board, charts.obstacles, charts.gully_sight
        self.coords = {name: (cell.q, cell.r) for name, cell in board.cells.items()}
        self.levels = {name: cell.level for name, cell in board.cells.items()}
        self._names = {coord: name for name, coord in self.coords.items()}
        self._masks = {
            (cell.q, cell.r): tuple(sum({_MASKS.get(word, 0) for word in side}) for side in cell.sides)
            for cell in board.cells.values()
        }
        self._masks.update(_outer_masks(self._masks))
        self._hilltops = {coord for name, coord in self.coords.items() if self.levels[name] == 2}
        self._blocked: dict[tuple[str, str, Hex | None], Sightline] = {}
        self._open: dict[Hex, dict[Hex, bool]] = {name: {} for name in self.coords}
        self._grid = _Grid(self._masks)
        self._bits = {name: self._grid.bit(at) for name, at in self.coords.items()}
        self._looks: dict[tuple[int, int, int, int], _Look] = {}

    def line(self, a: Hex, b: Hex) -> Sightline:
        """The line between two hexes over the ground: sides and levels, not wrecks or gullies; if blocked, why."""
        return CLEAR if self.open(a, b) else self._trace(*self._ordered(a, b))

    def clear(self, a: Hex, b: Hex, wrecks: tuple[Hex, ...]) -> bool:
        """Whether nothing on the ground and no wreck [5.6.1] is in the way."""
        return self.open(a, b) and (not wrecks or self.wreck_between(a, b, wrecks) is None)

    def open(self, a: Hex, b: Hex) -> bool:
        """Whether nothing on the ground is in the way; each pair is worked out once."""
        found = self._open[a].get(b)
        if found is None:
            found = self._open[a][b] = self._open[b][a] = self._is_open(*self._ordered(a, b))
        return found

    def known(self, a: Hex) -> Mapping[Hex, bool]:
        """Of the lines from this hex, those already worked out: whether nothing on the ground is in the way."""
        return self._open[a]

    def _ordered(self, a: Hex, b: Hex) -> tuple[Hex, Hex]:
        return (a, b) if self.coords[a] <= self.coords[b] else (b, a)

    def _is_open(self, a: Hex, b: Hex) -> bool:
        """The same as tracing side by side, with sets of hexsides as integers: what blocks, `_blocking` alone says."""
        origin, (bq, br) = self.coords[a], self.coords[b]
        key = (bq - origin[0], br - origin[1], self.levels[a], self.levels[b])
        look = self._looks.get(key)
        if look is None:
            look = self._looks[key] = self._look(*key)
        crossed, touches, hexes, row = look
        shift = self._bits[a]
        for touched, blocking in crossed:
            if (touched << shift) & blocking:
                return False
        return not touches or not any(self._why(touch, origin, row, hexes) for touch in touches)

    def _look(self, dq: int, dr: int, from_level: int, to_level: int) -> _Look:
        """What there is to test of all lines of this offset between two levels."""
        row = self.obstacles[from_level, to_level]
        return self._grid.tests(dq, dr, row), _corners_and_edges(dq, dr), length(dq, dr), row

    def wreck_between(self, a: Hex, b: Hex, wrecks: tuple[Hex, ...]) -> Hex | None:
        """A wreck hex that the line runs through or along, other than its ends [5.6.1]."""
        (aq, ar), (bq, br) = self.coords[a], self.coords[b]
        touched = _touched(bq - aq, br - ar)
        for wreck in wrecks:
            q, r = self.coords[wreck]
            if (q - aq, r - ar) in touched:
                return wreck
        return None

    def _trace(self, a: Hex, b: Hex) -> Sightline:
        """The straight line between the centres, side by side [2.0-G12, 8.2]: the first thing that blocks it."""
        (aq, ar), (bq, br) = self.coords[a], self.coords[b]
        dq, dr = bq - aq, br - ar
        hexes, row = length(dq, dr), self.obstacles[self.levels[a], self.levels[b]]
        for touch in _crossings(dq, dr):
            if why := self._why(touch, (aq, ar), row, hexes):
                q, r, direction, *_ = touch[1][0]
                flat = self.levels[a] == self.levels[b] == 0
                return self._block(touch[0], why, (aq + q, ar + r), direction, flat)
        return CLEAR

    def _why(self, touch: _Touch, origin: Coord, row: Obstacles, hexes: int) -> int:
        """What blocks at one touch of the line, if anything: at a corner every side has to [8.2.3]."""
        if always_seen(hexes):
            return 0
        kind, sides = touch
        why = 0
        for q, r, direction, halves, at_end in sides:
            at = (origin[0] + q, origin[1] + r)
            features = self._masks.get(at)
            mask = features[direction] if features else 0
            why = mask and _blocking(mask, row, halves, hexes, at_end)
            if kind == "along" and why == SLOPE and self._touches_hilltop(at, direction):
                why = 0  # 8.2.2
            if not why:
                return 0
        return why

    def _touches_hilltop(self, at: tuple[int, int], direction: int) -> bool:
        around = (at, neighbour(at, direction), *_wing(at, direction))
        return any(coord in self._hilltops for coord in around)

    def _block(self, kind: str, why: int, at: tuple[int, int], direction: int, flat: bool) -> Sightline:
        rule = {"along": "8.2.2", "vertex": "8.2.3"}.get(kind, "8.2" if flat else "15.5.1")
        hex = self._names.get(neighbour(at, direction)) or self._names.get(at)
        text = f"blocked by {_WORDS[why]} at {hex}"
        return self._blocked.setdefault((text, rule, hex), Sightline(False, text, rule, hex))


def always_seen(hexes: int) -> bool:
    """Adjacent units see each other whatever lies between [8.2.4]."""
    return hexes <= 1


def _outer_masks(masks: Mapping[Coord, tuple[int, ...]]) -> dict[Coord, tuple[int, ...]]:
    """The sides of the map's edge as seen from beyond it: a line may run along them."""
    outer: dict[Coord, list[int]] = {}
    for at, sides in masks.items():
        for direction, mask in enumerate(sides):
            beyond = neighbour(at, direction)
            if mask and beyond not in masks:
                outer.setdefault(beyond, [0] * 6)[opposite(direction)] = mask
    return {at: tuple(sides) for at, sides in outer.items()}


def _wing(at: tuple[int, int], direction: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """The two hexes at the ends of a hexside."""
    return neighbour(at, (direction + 1) % 6), neighbour(at, (direction - 1) % 6)


def _blocking(mask: int, row: Obstacles, halves: int, hexes: int, at_end: bool) -> int:
    """Which feature of a side blocks, if any [15.5]; adjacent slope and hilltop sides never do [8.2.1.1]."""
    if mask & COVER and (row.cover_at_end if at_end else row.cover_anywhere) == "blocks":
        return COVER
    if at_end:
        return 0
    if mask & HILLTOP and row.hilltop_between == "blocks":
        return HILLTOP
    if mask & SLOPE and row.slope_between == "blocks":
        near, far = halves <= hexes, halves >= hexes
        if row.slope_where == "anywhere" or (row.slope_where == "near half" and near):
            return SLOPE
        if row.slope_where == "far half" and far:
            return SLOPE
    return 0


class _Grid:
    """Sets of hexsides as integers: a bit for each side of each hex, so that a line is held against all at once.

    A line's set is worked out from (0, 0) and shifted to where it starts. `_blocking` says which sides of the
    map go into a set; places on the line that it treats alike share one.
    """

    PLACES = ((1, 2, True), (1, 2, False), (2, 2, False), (3, 2, False))  # at an end, near half, middle, far half

    def __init__(self, masks: Mapping[Coord, tuple[int, ...]]) -> None:
        self._masks = masks
        columns, rows = [q for q, _ in masks], [r for _, r in masks]
        self._q, self._r = min(columns) - 2, min(rows) - 2
        self._height = max(rows) - self._r + 3
        self._base = 3 * self._height
        self._room = (max(columns) - self._q + 3) * self._height + 2 * self._base
        self._sets: dict[tuple[Obstacles, int], int] = {}
        self._lines: dict[Coord, tuple[int, ...]] = {}

    def bit(self, at: Coord) -> int:
        """The place of a hex in a set."""
        return (at[0] - self._q) * self._height + at[1] - self._r

    def tests(self, dq: int, dr: int, row: Obstacles) -> tuple[tuple[int, int], ...]:
        """Pairs of sets: the plain sides that the line crosses, and the sides of the map that would block there."""
        if always_seen(length(dq, dr)):
            return ()
        by_blocking: dict[int, int] = {}
        for place, touched in enumerate(self._crossed(dq, dr)):
            if touched:
                blocking = self._blocking_set(row, place)
                by_blocking[blocking] = by_blocking.get(blocking, 0) | touched
        return tuple((touched, blocking) for blocking, touched in by_blocking.items() if blocking)

    def _crossed(self, dq: int, dr: int) -> tuple[int, ...]:
        """The plain sides that a line crosses, a set for each of the PLACES."""
        found = self._lines.get((dq, dr))
        if found is None:
            hexes, sets = length(dq, dr), [0, 0, 0, 0]
            for kind, sides in _crossings(dq, dr):
                if kind == "side":
                    q, r, direction, halves, at_end = sides[0]
                    place = 0 if at_end else 1 if halves < hexes else 2 if halves == hexes else 3
                    sets[place] |= self._side(q, r, direction)
            found = self._lines[dq, dr] = tuple(sets)
        return found

    def _side(self, q: int, r: int, direction: int) -> int:
        """The bit of a side as seen from (0, 0): each belongs to the hex that has it in direction 0, 1 or 2."""
        if direction > 2:
            (q, r), direction = neighbour((q, r), direction), direction - 3
        return 1 << (direction * self._room + q * self._height + r + self._base)

    def _blocking_set(self, row: Obstacles, place: int) -> int:
        """The sides of the map that block at such a place of a line between two levels [15.5]."""
        found = self._sets.get((row, place))
        if found is None:
            halves, hexes, at_end = self.PLACES[place]
            found = 0
            for at, sides in self._masks.items():
                for direction, mask in enumerate(sides):
                    if mask and _blocking(mask, row, halves, hexes, at_end):
                        q, r = at[0] - self._q, at[1] - self._r
                        found |= self._side(q, r, direction)
            self._sets[row, place] = found
        return found


@lru_cache(maxsize=64)
def eyes(board: HexMap, charts: Charts) -> Eyes:
    """The lines of sight of a map, shared by every game on it."""
    return Eyes(board, charts)
