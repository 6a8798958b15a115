"""Places and the ground they lie on: all that the kernel, the server and the computer players know of geometry.

A place is the printed name of a hex or a point of the free table. A `Space` knows the places of a game, their
distances and the lines between them: `opfire.space.hexmap` and `opfire.space.table` are the two.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

from opfire.core.errors import BadInput

Point = tuple[int, int]
"""A point of the free table: x eastwards and y southwards from the north-western corner, in 1/1000 inch."""

Place = str | Point
"""The printed name of a hex, or a point of the free table. In JSON a string, or `[x, y]`."""

P = TypeVar("P", bound=Place)

INCH = 1000
"""Units of a point to the inch."""

TENTH = INCH // 10
"""Units of a point to a tenth of an inch, to which points are told."""

_POINT = re.compile(r"(-?)(\d{1,6})(?:\.(\d{1,3}))?\s*,\s*(-?)(\d{1,6})(?:\.(\d{1,3}))?")
_LEVEL = re.compile(r"(.*)\^(-?\d+)", re.DOTALL)


def parse(text: str) -> Place:
    """The place that a text names: a point where it is two numbers in inches, else the name of a hex.

    Raises BadInput for an empty text, and for numbers that are no point in 1/1000 inch.

    >>> parse("1-Q7"), parse("12.5,8.25")
    ('1-Q7', (12500, 8250))
    """
    if point := _POINT.fullmatch(text.strip()):
        x, y = (_thousandths(*point.group(at, at + 1, at + 2)) for at in (1, 4))
        return x, y
    if not text.strip() or "," in text:
        raise BadInput(f"{text!r} names no place", expected="a printed name such as 1-Q7, or inches such as 12.5,8.25")
    return text.strip()


def _thousandths(sign: str, whole: str, part: str | None) -> int:
    amount = INCH * int(whole) + int((part or "").ljust(3, "0"))
    return -amount if sign else amount


def text(place: Place, level: int | None = None) -> str:
    """A place as people read and write it, with its level where a book has storeys or bridge decks.

    >>> text("1-Q7"), text((12500, 8250)), text((3000, 0)), text("1-Q7", 2)
    ('1-Q7', '12.5,8.25', '3,0', '1-Q7^2')
    """
    name = place if isinstance(place, str) else ",".join(map(inches, place))
    return name if level is None else f"{name}^{level}"


def tenths(place: Place) -> str:
    """A place as a sentence tells it: a point to a tenth of an inch, which is as much as a hand measures.

    >>> tenths("1-Q7"), tenths((12480, 8250)), tenths((2951, -20))
    ('1-Q7', '12.5,8.3', '3,0')
    """
    return place if isinstance(place, str) else ",".join(inches(_to_tenths(amount)) for amount in place)


def _to_tenths(amount: int) -> int:
    """The nearest tenth of an inch, halves upwards."""
    return (amount + TENTH // 2) // TENTH * TENTH


def inches(amount: int) -> str:
    """A length in 1/1000 inch, told in inches.

    >>> inches(12500), inches(-5), inches(3000)
    ('12.5', '-0.005', '3')
    """
    whole, part = divmod(abs(amount), INCH)
    digits = f"{whole}.{part:03}".rstrip("0").rstrip(".")
    return f"-{digits}" if amount < 0 else digits


def split_level(text: str) -> tuple[str, int | None]:
    """The text of a place without its level, and the level if the text has one.

    >>> split_level("1-Q7^2"), split_level("1-Q7")
    (('1-Q7', 2), ('1-Q7', None))
    """
    match = _LEVEL.fullmatch(text)
    return (match[1], int(match[2])) if match else (text, None)


class Space(Protocol[P]):
    """The ground under a game: a map of hexes, or a table. It never changes while a game lasts."""

    id: str

    def parse(self, text: str, where: str = "") -> P:
        """The place in play that a text names; `where` is what an error calls the file or field. Raises BadInput."""
        ...

    def text(self, place: P) -> str:
        """The name of a place, as `parse` reads it."""
        ...

    def __contains__(self, place: object) -> bool:
        """Return whether this is a place in play."""
        ...

    def distance(self, a: P, b: P) -> int:
        """The distance between two places, in the unit of the space: hexes, or 10^-6 inch."""
        ...

    def adjacent(self, a: P, b: P) -> bool:
        """Return whether two places touch: neighbouring hexes, or stands base to base."""
        ...

    def in_reach(self, a: P, b: P, reach: int) -> bool:
        """Return whether two places lie at most `reach` apart, in the unit of a rulebook: hexes, or inches."""
        ...

    def line(self, a: P, b: P) -> Sequence[object]:
        """Everything that the straight line from one place to the other touches, in order, both ends included."""
        ...

    def to_json(self) -> dict[str, Any]:
        """The description of the space for the client; `space` says which of the two it is."""
        ...
