"""Coordinates [7.6.3-coords]: whole inches to the right and up, from the near left corner of a player."""

from __future__ import annotations

from opfire.core.places import INCH, Point
from opfire.rulesets.micro_armour.pieces import Setting, Side

EDGES = ("south", "west", "north", "east")
"""The edge of a player whose stands face 0, 90, 180 and 270 degrees at the start: the one behind them."""


def own_edge(made: Setting, side: Side) -> str:
    """The edge of the table at which a side's player sits, from which coordinates are counted: RULINGS.md R41."""
    return EDGES[(made.troops(side).facing + 45) // 90 % len(EDGES)]


def coordinates(made: Setting, side: Side, at: Point) -> tuple[int, int]:
    """A point as its player writes it: inches right, then inches up, to the nearest whole ones [7.6.3-coords]."""
    right, up = seen_from(made, side, at)
    return (right + INCH // 2) // INCH, (up + INCH // 2) // INCH


def written(made: Setting, side: Side, at: Point) -> str:
    """The coordinates of a point as four digits, such as 0426 [7.6.3-coords]."""
    right, up = coordinates(made, side, at)
    return f"{right:02}{up:02}"


def point_of(made: Setting, side: Side, right: int, up: int) -> Point:
    """The point of the table for a player's coordinates in inches [7.6.3-coords]."""
    width, height = made.table.size
    x, y = right * INCH, up * INCH
    return {
        "south": (x, height - y),
        "west": (y, x),
        "north": (width - x, y),
        "east": (width - y, height - x),
    }[own_edge(made, side)]


def seen_from(made: Setting, side: Side, at: Point) -> Point:
    """The distances of a point to the right of and beyond the near left corner of a player (1/1000 inch)."""
    width, height = made.table.size
    x, y = at
    return {
        "south": (x, height - y),
        "west": (y, x),
        "north": (width - x, y),
        "east": (height - y, width - x),
    }[own_edge(made, side)]


def nearest(made: Setting, side: Side, at: Point) -> Point:
    """The point at whole inches of a player's coordinates that is nearest to a point."""
    return point_of(made, side, *coordinates(made, side, at))
