"""Records of indirect fire [NEU-4], templates [IF-9, IF-10] and clouds of smoke [SSC-1]: plain data, and its shapes."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, TypeAlias, get_args

import msgspec

from opfire.core.places import INCH, Point
from opfire.rulesets.panzerblitz_miniatures.charts import Charts, Kind
from opfire.space.templates import Rectangle
from opfire.space.terrain.exact import Ring

Task: TypeAlias = Literal["neutralization", "destruction", "smoke"]
Shape: TypeAlias = Literal["square", "linear"]

SHAPES: tuple[Shape, ...] = get_args(Shape)
FIRE: tuple[Task, ...] = ("neutralization", "destruction")
"""The missions that attack units [IF-1]."""

INDIRECT = frozenset({"M", "(H)"})
"""The classes of weapons that fire indirectly [IF-5]."""


class Mission(msgspec.Struct, frozen=True, gc=False):
    """A mission of one unit as its player recorded it [NEU-4].

    `unit` fires at the point `at`, where `target` stood when `spotter` saw it; smoke has no target. The template lies
    there in a `shape`, with a `facing` in degrees. It is recorded in the turn `written` and executed in the turn `due`.
    """

    side: str
    unit: str
    task: Task
    at: Point
    spotter: str
    shape: Shape
    facing: int
    written: int
    due: int
    target: str = ""


def one_attack(one: Mission, other: Mission) -> bool:
    """Return whether two missions are one attack: of one kind, at one target, in one turn [NEU-10]."""
    return (one.side, one.task, one.target, one.due) == (other.side, other.task, other.target, other.due)


class Cloud(msgspec.Struct, frozen=True, gc=False):
    """Smoke on the table [SSC-1]: the side that fired it, the corners of its template, its marker: SMOKE 1 or 2."""

    side: str
    ring: Ring
    marker: int = 1


def template(
    charts: Charts, kind: Kind, task: Task, at: Point, shape: Shape, facing: int, options: Collection[str] = ()
) -> Rectangle:
    """The template of a unit's mission, in 1/1000 inch [IF-9, IF-10, NEU-13].

    Destruction has half of each side: RULINGS.md R22; by that option it has half of the width alone.
    """
    weapon = "mortar" if kind.weapon == "M" else "artillery"
    side = charts.template(weapon, max(kind.calibre_mm, 1)).side * INCH
    wide, long = (charts.named["linear width"], charts.named["linear length"]) if shape == "linear" else (1, 1)
    across, along = int(side * wide), int(side * long)
    if task == "destruction":
        part = charts.named["destruction side"]
        across, along = int(across * part), along if "R22" in options else int(along * part)
    return Rectangle(at, (across, along), facing)
