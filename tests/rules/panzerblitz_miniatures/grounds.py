"""Tables of this book's terrain, drawn in a few lines of TOML, and movement points in the unit of costs."""

from __future__ import annotations

from fractions import Fraction

from opfire.core.places import INCH, Point
from opfire.kit.terrain import named
from opfire.space.measure import MICRO
from opfire.space.terrain.files import features, parse_table
from opfire.space.terrain.ground import Ground

HEAD = 'id = "drawn"\ntitle = "Drawn"\nsize = [40, 30]\nterrain = "miniatures"\n'


def drawn(text: str = "") -> Ground:
    """The ground of a table of 40 by 30 inches."""
    file = parse_table(HEAD + text, "drawn.toml")
    return Ground((40 * INCH, 30 * INCH), features(file, (40 * INCH, 30 * INCH), named("miniatures"), ""))


def inches(x: float | Fraction, y: float | Fraction) -> Point:
    """The point at this place, in inches."""
    return round(Fraction(x) * INCH), round(Fraction(y) * INCH)


def points(amount: float | Fraction) -> int:
    """Movement points in the unit of costs."""
    return int(Fraction(amount) * MICRO)


def area(kind: str, left: float, top: float, right: float, bottom: float) -> str:
    """A rectangle of a kind of terrain."""
    ring = f"{left},{top} {right},{top} {right},{bottom} {left},{bottom}"
    return f'[[areas]]\nkind = "{kind}"\nname = "the {kind}"\npoints = "{ring}"\n'


def hill(left: float, top: float, right: float, bottom: float) -> str:
    """A hill with a crest round its flat top, which begins two inches from its foot."""
    rings = [
        f"{left + n},{top + n} {right - n},{top + n} {right - n},{bottom - n} {left + n},{bottom - n}" for n in (0, 2)
    ]
    return (
        '[[hills]]\nname = "the hill"\nsmooth = false\ncontours = [\n'
        f'{{ kind = "slope", level = 1, points = "{rings[0]}" }},\n'
        f'{{ kind = "hilltop", level = 2, points = "{rings[1]}", crest = "crest" }}]\n'
    )


def line(kind: str, way: str) -> str:
    """A road, a stream, a hedge."""
    return f'[[lines]]\nkind = "{kind}"\nname = "the {kind}"\npoints = "{way}"\n'


def crossing(kind: str, way: str) -> str:
    """A bridge or a ford, an inch wide."""
    return f'[[crossings]]\nkind = "{kind}"\nname = "the {kind}"\npoints = "{way}"\n'


def building(at: str) -> str:
    """A house of two inches by two."""
    return f'[[buildings]]\nkind = "building"\nname = "the house"\nat = "{at}"\nsize = [2, 2]\n'
