"""Positional defenses on the ground of a table [PSD-1]: blocks, fortifications and minefields, an inch square."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

import msgspec

from opfire.core.places import INCH, Point
from opfire.space.measure import MICRO, direction, square
from opfire.space.terrain.features import Feature
from opfire.space.terrain.ground import Ground
from opfire.space.terrain.shapes import block, rounded

WorkKind: TypeAlias = Literal[
    "block",
    "fort",
    "mines",
    "improved position 1",
    "improved position 2",
    "wreck",
    "fallen bridge",
    "tank bridge",
    "horses",
]

NAMES: dict[WorkKind, str] = {
    "block": "the block",
    "fort": "the fortification",
    "mines": "the minefield",
    "tank bridge": "the tank bridge",
}
"""The works that lie on the ground as features."""

LAID = (*NAMES, "fallen bridge")
"""The works that change movement as ground does; improved positions do not, and stands go around wrecks."""

SPAN = 3 * INCH
"""The length of a tank bridge, from bank to bank (1/1000 inch): RULINGS.md R98."""


class Work(msgspec.Struct, frozen=True, gc=False):
    """A work and the centre of its square; a wreck is one too, and so are the horses of dismounted cavalry [STD-16].

    `side` laid it. `inverted` holds for mines and blocks that engineers are clearing [CLM-1], `dispersed` for a
    fortification [FRT-12]. `facing` is the direction of a tank bridge in degrees.
    """

    id: str
    kind: WorkKind
    at: Point
    side: str = ""
    inverted: bool = False
    dispersed: bool = False
    facing: int = 0


Task: TypeAlias = Literal["clear", "demolish", "create block", "lay mines", "lay bridge"]


class Job(msgspec.Struct, frozen=True, gc=False):
    """A task of engineers under way [ENG-1].

    `what` is the id of the work or bridge, `at` the place of a new one and `facing` its direction. `turns` are the
    stationary turns that are done, `failed` the tries that failed; `away` says that the unit has left the place and has
    to come back. `ready` holds for a tank bridge that lies when the phase ends.
    """

    task: Task
    what: str = ""
    at: Point = (0, 0)
    facing: int = 0
    turns: int = 0
    failed: int = 0
    away: bool = False
    ready: bool = False


def place(work: Work) -> tuple[str, str, Point, int]:
    """The facts of a work on which the ground depends."""
    return work.id, work.kind, work.at, work.facing


def with_works(ground: Ground, works: Iterable[Work]) -> Ground:
    """The ground with works on it, as areas that legs enter and leave, and without the bridges that have fallen."""
    known = [*works]
    laid = [_laid(work, number) for number, work in enumerate(known, len(ground.features)) if work.kind in NAMES]
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


def _laid(work: Work, number: int) -> Feature:
    if work.kind == "tank bridge":
        return tank_bridge(work, number)
    ring = block(work.at, (INCH, INCH), 0)
    return Feature(number, work.id, work.kind, NAMES[work.kind], "area", parts=((ring,),))


def tank_bridge(work: Work, number: int = 0) -> Feature:
    """A tank bridge as a bridge of the ground [BRL-2], an inch wide."""
    ring = block(work.at, (INCH, SPAN), work.facing)
    return Feature(
        number, work.id, "bridge", NAMES[work.kind], "crossing", parts=((ring,),), way=ends(work), width=INCH
    )


def ends(work: Work) -> tuple[Point, Point]:
    """The two ends of a tank bridge."""
    return ahead(work.at, work.facing + 180, SPAN // 2), ahead(work.at, work.facing, SPAN // 2)


def ahead(at: Point, facing: int, far: int) -> Point:
    """The point at a distance (1/1000 inch) in a direction (degrees)."""
    east, south = direction(facing)
    return at[0] + rounded(east * far, MICRO), at[1] + rounded(south * far, MICRO)
