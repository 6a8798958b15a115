"""Die roll modifiers, and the protection of terrain, works and hull down positions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, TypeAlias

import msgspec

from opfire.core.events import Line
from opfire.core.texts import Text
from opfire.rulesets.panzerblitz_miniatures.charts import Charts, Feature, Terrain

Occupant: TypeAlias = Literal["vehicle", "other"]
REPLACING = ("improved position 1", "improved position 2")
"""The works whose benefit takes the place of all terrain [IMP-7]."""


def modifier(charts: Charts, name: str) -> Line:
    """The line of a die roll modifier of the text, with its rule."""
    row = charts.modifiers[name]
    return Line("modifier", row.label, f"{row.drm:+d}", row.rule, row.drm)


class Protection(msgspec.Struct, frozen=True):
    """The protection of a target by ground and works: lines for the die and for its defence."""

    modifiers: tuple[Line, ...] = ()
    defence: tuple[Line, ...] = ()


def protection(charts: Charts, terrain: Iterable[str], work: str, occupant: Occupant, hull_down: int) -> Protection:
    """The protection of a target by its terrain, its work and its hull down position; all add up.

    An improved position replaces all other protection [IMP-7], hull down included, and a building is one of the
    second type [BLD-5]; a fortification adds to its terrain [FRT-5]: RULINGS.md R14.
    """
    work = "improved position 2" if work == "building" else work
    lines = list(_work_lines(charts.manmade[work], occupant)) if work else []
    if work not in REPLACING:
        lines += [line for code in terrain for line in _terrain_lines(charts.terrain[code], occupant)]
        lines += hull_down_lines(hull_down)
    return Protection(
        tuple(line for line in lines if line.kind == "modifier"),
        tuple(line for line in lines if line.kind == "defence"),
    )


def hull_down_lines(value: int) -> Iterator[Line]:
    """The modifier of a vehicle that is hull down, by its kind [HUL-2]."""
    if value:
        yield Line("modifier", "Hull down", f"{value:+d}", "HUL-2", value)


def _terrain_lines(row: Terrain, occupant: Occupant) -> Iterator[Line]:
    drm, defence = (
        (row.vehicle_drm, row.vehicle_defence) if occupant == "vehicle" else (row.other_drm, row.other_defence)
    )
    return _lines(row.terrain, drm, defence, row.rule)


def _work_lines(row: Feature, occupant: Occupant) -> Iterator[Line]:
    drm, defence = (
        (row.vehicle_drm, row.vehicle_defence) if occupant == "vehicle" else (row.other_drm, row.other_defence)
    )
    return _lines(row.feature, drm or 0, defence or 0, row.rule)


def _lines(name: str, drm: int, defence: int, rule: str) -> Iterator[Line]:
    """The lines of the numbers that are not 0."""
    if drm:
        yield Line("modifier", Text("Target in {}", (name,)), f"{drm:+d}", rule, drm)
    if defence:
        yield Line("defence", Text("Target in {}", (name,)), f"{defence:+d}", rule, defence)
