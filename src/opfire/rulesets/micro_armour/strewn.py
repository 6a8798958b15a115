"""Markers as ground for movers [9.1-chart, 9.2, 11]: wire, mines, wrecks, bridges, ruins and smoke on the terrain."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from opfire.core.places import Point
from opfire.space.squares import footprint
from opfire.space.terrain.features import Feature
from opfire.space.terrain.ground import Ground
from opfire.space.terrain.layers import Footing, Layered

MARKERS = 1_000_000
"""The number of every feature that is a marker: markers lie on top of the table's own features."""

CLEARED = "cleared"
"""The word for a wreck past which the road is open again [11.5.9.3]."""

TERRAIN: Mapping[str, str] = {"bridge": "engineer bridge", "breach": "track", "brush": "woods"}
"""The lines of the Terrain Effects Chart of markers that have another name.

[9.3.3-breach, 11.5.7-build, SC.monday.1]
"""

NO_TERRAIN = frozenset({"damage", "bridge out"})
"""The markers that change nothing about the ground."""


class Lying(NamedTuple):
    """A marker as far as ground is concerned; `word` tells wrecks that are cleared from others."""

    kind: str
    at: Point
    facing: int
    word: str


def terrain_kind(kind: str) -> str:
    """The line of the Terrain Effects Chart for a kind of marker."""
    return TERRAIN.get(kind, kind)


def is_marker(feature: Feature) -> bool:
    """Whether a feature is a marker, and none of the table's own."""
    return feature.number == MARKERS


@lru_cache(maxsize=64)
def strewn(ground: Ground, markers: tuple[Lying, ...]) -> Footing:
    """The ground of a table with the markers on it, each a feature of its own: two wrecks in a place count [9.2.1]."""
    there = [(marker, markers[:number].count(marker)) for number, marker in enumerate(markers)]
    found = [_feature(marker, below) for marker, below in there if marker.kind not in NO_TERRAIN]
    return Layered(ground, Ground(ground.size, found)) if found else ground


@lru_cache(maxsize=16)
def bridged(ground: Ground, markers: tuple[Lying, ...]) -> Ground:
    """The ground of a table with the bridges of engineers among its own features, for all that looks for ways."""
    bridges = [_feature(marker, 0) for marker in markers if marker.kind == "bridge"]
    return Ground(ground.size, [*ground.features, *bridges]) if bridges else ground


@lru_cache(maxsize=4096)
def _feature(marker: Lying, below: int) -> Feature:
    """A marker as a feature; `below` is the number of others like it that lie exactly there."""
    kind, ring = terrain_kind(marker.kind), footprint(marker.at, marker.facing)
    return Feature(
        number=MARKERS,
        id=f"{marker.kind}@{marker.at} {below + 1}" if below else f"{marker.kind}@{marker.at}",
        kind=kind,
        name=f"the {kind}",
        shape="crossing" if marker.kind == "bridge" else "area",
        parts=((ring,),),
        called=marker.word,
    )


def lying(works: Iterable[Lying]) -> tuple[Lying, ...]:
    """The markers in one order, whatever order they were laid in."""
    return tuple(sorted(works))
