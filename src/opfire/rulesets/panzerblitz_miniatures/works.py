"""Positional defenses on the ground of a table [PSD-1]: blocks, fortifications and minefields, an inch square."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

import msgspec

from opfire.core.places import INCH, Point
from opfire.space.measure import square
from opfire.space.terrain.features import Feature
from opfire.space.terrain.ground import Ground
from opfire.space.terrain.shapes import block

WorkKind: TypeAlias = Literal[
    "block", "fort", "mines", "improved position 1", "improved position 2", "wreck", "fallen bridge"
]

NAMES: dict[WorkKind, str] = {"block": "the block", "fort": "the fortification", "mines": "the minefield"}

LAID = (*NAMES, "fallen bridge")
"""The works that change movement as ground does; improved positions do not, and stands go around wrecks."""


class Work(msgspec.Struct, frozen=True, gc=False):
    """A work and the centre of its square; a wreck is one too.

    `side` laid it. `inverted` holds for mines and blocks that engineers are clearing [CLM-1], `dispersed` for a
    fortification [FRT-12].
    """

    id: str
    kind: WorkKind
    at: Point
    side: str = ""
    inverted: bool = False
    dispersed: bool = False


def with_works(ground: Ground, works: Iterable[Work]) -> Ground:
    """The ground with works on it, as areas that legs enter and leave, and without the bridges that have fallen."""
    known = [*works]
    laid = [_square(work, number) for number, work in enumerate(known, len(ground.features)) if work.kind in NAMES]
    return Ground(ground.size, (*standing(ground, known), *laid))


def standing(ground: Ground, works: Iterable[Work]) -> tuple[Feature, ...]:
    """The features of a ground without the bridges that have fallen [BRI-9]."""
    gone = {work.id for work in works if work.kind == "fallen bridge"}
    return tuple(each for each in ground.features if each.kind != "bridge" or fallen(each).id not in gone)


def blocks_beside(works: Iterable[Work], at: Point, base: int) -> frozenset[str]:
    """The ids of the blocks that a stand may enter, since it begins its movement phase beside them [BLK-3].

    Their edges lie at most an inch from its own (RULINGS.md R9); `base` is its diameter in 1/1000 inch.
    """
    near = 3 * INCH + base  # twice the distance of the centres, so that it stays whole
    return frozenset(work.id for work in works if work.kind == "block" and 4 * square(work.at, at) <= near**2)


def fallen(bridge: Feature) -> Work:
    """The mark of a bridge that has been destroyed [BRI-9]."""
    way = bridge.way or bridge.points
    (a, b), (c, d) = way[0], way[-1]
    return Work(f"fallen {bridge.id}", "fallen bridge", ((a + c) // 2, (b + d) // 2))


def _square(work: Work, number: int) -> Feature:
    ring = block(work.at, (INCH, INCH), 0)
    return Feature(number, work.id, work.kind, NAMES[work.kind], "area", parts=((ring,),))
