"""Facings: fields of fire [4.4.3.1], and the angle from which a shot hits [4.4.3.2.4, 6.5.2.2].

A facing is a direction of hexes, 0 (north) to 5. Everything is decided in integers; RULINGS.md R13 and R14 say which
hexes lie on a border.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from opfire.rulesets.panzer.charts import Angle
from opfire.space.hexes import DIRECTIONS, Coord, opposite

Aspect: TypeAlias = Literal["front", "rear"]
Arc: TypeAlias = Literal["all", "front", "rear", "turret"]
"""A field of fire; that of a turret is its front, wherever it faces [7.8]."""


_ANGLES: tuple[Angle, ...] = ("front", "front side", "rear side", "rear", "rear side", "front side")


def _form(u: Coord, v: Coord) -> int:
    """Twice the inner product of two offsets, with the distance of two neighbours as the unit."""
    return 2 * u[0] * v[0] + 2 * u[1] * v[1] + u[0] * v[1] + u[1] * v[0]


def _offset(a: Coord, b: Coord) -> Coord:
    return b[0] - a[0], b[1] - a[1]


def ahead(at: Coord, facing: int, other: Coord) -> bool:
    """Return whether a hex lies at most 30 degrees to either side of a facing, edges included [4.4.3.1.4].

    >>> ahead((0, 0), 0, (0, -4)), ahead((0, 0), 0, (1, -2)), ahead((0, 0), 0, (1, -1))
    (True, True, False)
    """
    away = _offset(at, other)
    along = _form(DIRECTIONS[facing], away)
    return along > 0 and 2 * along**2 >= 3 * _form(away, away)


def in_field_of_fire(at: Coord, facing: int, arc: Arc, other: Coord) -> bool:
    """Return whether a weapon bears on a hex: everywhere, to the front or to the rear [4.4.3.1.1 to 4.4.3.1.5]."""
    match arc:
        case "front" | "turret":
            return ahead(at, facing, other)
        case "rear":
            return ahead(at, opposite(facing), other)
    return True


def hit_angles(target: Coord, facing: int, firer: Coord) -> tuple[Angle, ...]:
    """The Hit Angle of a shot; two where the line runs along the border, for the target's player to choose [6.5.2.2].

    >>> hit_angles((0, 0), 0, (0, -5)), hit_angles((0, 0), 0, (1, -2)), hit_angles((0, 0), 0, (2, -1))
    (('front',), ('front', 'front side'), ('front side', 'rear side'))
    """
    found = [_ANGLES[(way - facing) % 6] for way in range(6) if ahead(target, way, firer)]
    return tuple(dict.fromkeys(found))


def aspects(target: Coord, facing: int, firer: Coord) -> tuple[Aspect, ...]:
    """The aspect that a shot hits in the Basic Game; both where the line runs along the border [4.4.3.2.4].

    >>> aspects((0, 0), 0, (1, -1)), aspects((0, 0), 0, (2, -1)), aspects((0, 0), 0, (0, 3))
    (('front',), ('front', 'rear'), ('rear',))
    """
    along = _form(DIRECTIONS[facing], _offset(target, firer))
    if along == 0:
        return ("front", "rear")
    return ("front",) if along > 0 else ("rear",)
