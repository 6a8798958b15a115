"""Lines over a whole map: all hexes from which a line of one offset is stopped, worked out at once.

Lines of one offset touch the same hexsides, counted from the start of each line. A set of hexes is an integer with one
bit for each hex, so a single shift moves the hexes that have a wall to the starts of the lines that touch this wall.
Offsets that are turned or mirrored images of one another share one traced line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache, reduce
from operator import or_, rshift
from typing import Generic, Literal, NamedTuple, TypeVar

from opfire.space.hexes import Coord, Side, length, reflect, reflected_direction, rotate, trace

Stretch = Literal["end", "near half", "middle", "far half"]
"""Where a hexside lies on a line: at the first or last hex, or in which half of the way between them."""

STRETCHES: tuple[Stretch, ...] = ("end", "near half", "middle", "far half")

Manner = Literal["across", "along"]
"""How a line meets a hexside: it crosses the side or passes one of its corners, or it runs along the whole side."""

MANNERS: tuple[Manner, ...] = ("across", "along")

Kind = TypeVar("Kind")
"""A ruleset's facts about a hexside: all that decides whether the side stops a line."""

Turn = tuple[int, bool]
"""How one line is made from another: mirrored (`hexes.reflect`) if True, then turned by steps of 60 degrees."""


class Walls:
    """The hexsides of a map that stop a line, as sets of the hexes that have one: by manner, stretch and direction."""

    def __init__(self, sets: tuple[int, ...]) -> None:
        self._sets = sets
        self._before: dict[Turn, tuple[int, ...]] = {}

    def before(self, turn: Turn) -> tuple[int, ...]:
        """The same sets by the directions that the sides had before a turn."""
        found = self._before.get(turn)
        if found is None:
            ways = [_turned_direction(direction, turn) for direction in range(6)]
            found = tuple(self._sets[six + way] for six in range(0, len(self._sets), 6) for way in ways)
            self._before[turn] = found
        return found


class Grid(Generic[Kind]):
    """The hexsides of a map by kind, for questions about all lines of one offset."""

    def __init__(self, sides: Mapping[Coord, tuple[Kind, ...]]) -> None:
        """Six kinds for each hex. Hexes just beyond the edges that have a side on the map are included."""
        heights = [2 * r + q for q, r in sides]
        # A column has room for all the ways up and down the map, so that no two offsets shift by as much.
        self._column = max(heights) - min(heights) + 4
        self._first = min(q * self._column + r for q, r in sides) - self._column
        self._behind = 2 * self._column  # a line may touch sides that lie this far behind its start
        self._kinds: list[dict[Kind, int]] = [{} for _ in range(6)]
        for at, around in sides.items():
            for kinds, kind in zip(self._kinds, around, strict=True):
                kinds[kind] = kinds.get(kind, 0) | 1 << self.bit(at)

    def bit(self, at: Coord) -> int:
        """The place of a hex in a set. The bits of two hexes differ by an amount that no other offset has."""
        return at[0] * self._column + at[1] - self._first

    def hexes(self, coords: Iterable[Coord]) -> int:
        """The set of these hexes."""
        return reduce(or_, (1 << self.bit(at) for at in coords), 0)

    def walls(self, stops: Callable[[Kind, Stretch, Manner], bool]) -> Walls:
        """The sides that stop a line that meets them on a stretch and in a manner."""
        return Walls(
            tuple(
                reduce(or_, (hexes for kind, hexes in kinds.items() if stops(kind, stretch, manner)), 0) << self._behind
                for manner in MANNERS
                for stretch in STRETCHES
                for kinds in self._kinds
            )
        )

    def pairs(self, dq: int, dr: int, starts: int, ends: int) -> int:
        """The starts from which an offset leads to one of the ends. The offset leads ahead, as in `stopped`."""
        return starts & (ends >> dq * self._column + dr)

    def stopped(self, dq: int, dr: int, walls: Walls) -> int:
        """The hexes from which a line of an offset is stopped: by one side, or at a corner by all three sides.

        The offset leads ahead: to a column farther east, or farther south in the same column. The bits of hexes from
        which it leads off the map mean nothing.
        """
        canonical, turn = _canonical(dq, dr)
        crossed = _crossings(*canonical)
        (eq, er), (sq, sr) = _turned((1, 0), turn), _turned((0, 1), turn)
        by_q, by_r = eq * self._column + er, sq * self._column + sr
        shifts = [by_q * q + by_r * r + self._behind for q, r in crossed.at]
        found = list(map(rshift, map(walls.before(turn).__getitem__, crossed.sets), shifts))
        stopped = reduce(or_, found[: crossed.singles], 0)
        for first in range(crossed.singles, len(found), 3):
            stopped |= found[first] & found[first + 1] & found[first + 2]
        return stopped


# --- what a line touches ---------------------------------------------------------------------------------------------


class _Crossings(NamedTuple):
    """The sides that a line touches: which set of `Walls`, of which hex. First `singles`, then corners in threes."""

    sets: tuple[int, ...]
    at: tuple[Coord, ...]
    singles: int


@cache
def _crossings(dq: int, dr: int) -> _Crossings:
    touches = [touch for touch in trace(dq, dr) if touch.sides]
    singles = [(side, touch.kind == "along") for touch in touches if touch.kind != "vertex" for side in touch.sides]
    corners = [(side, False) for touch in touches if touch.kind == "vertex" for side in touch.sides]
    sides = singles + corners
    stretches = [along * len(STRETCHES) + STRETCHES.index(stretch_of(side, dq, dr)) for side, along in sides]
    sets = (6 * stretch + side.direction for stretch, (side, _) in zip(stretches, sides, strict=True))
    return _Crossings(tuple(sets), tuple(side.a for side, _ in sides), len(singles))


def stretch_of(side: Side, dq: int, dr: int) -> Stretch:
    """Where a side lies on the line to (dq, dr) that touches it."""
    ends, hexes = ((0, 0), (dq, dr)), length(dq, dr)
    if side.a in ends or side.b in ends:
        return "end"
    return "near half" if side.halves < hexes else "far half" if side.halves > hexes else "middle"


def _canonical(dq: int, dr: int) -> tuple[Coord, Turn]:
    """The image of an offset that leads between south-east and halfway south, and the turn that leads back."""
    for steps in range(6):
        q, r = rotate((dq, dr), -steps)
        if q >= 0 <= r:
            return ((q, r), (steps, False)) if q >= r else ((r, q), ((steps + 5) % 6, True))
    raise AssertionError("each offset lies between two neighbouring directions")


def _turned(offset: Coord, turn: Turn) -> Coord:
    steps, mirrored = turn
    return rotate(reflect(offset) if mirrored else offset, steps)


def _turned_direction(direction: int, turn: Turn) -> int:
    steps, mirrored = turn
    return ((reflected_direction(direction) if mirrored else direction) + steps) % 6
