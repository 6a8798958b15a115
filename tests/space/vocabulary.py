"""A small vocabulary, and features to draw with it."""

from __future__ import annotations

from collections.abc import Sequence

from opfire.core.places import Point
from opfire.kit.terrain import TerrainKind
from opfire.space.terrain.features import Feature, Vocabulary
from opfire.space.terrain.ground import Ground
from opfire.space.terrain.shapes import strip

KINDS = Vocabulary(
    [
        TerrainKind(code="woods", name="Woods", shape="area", look="woods", apart="water", source="own"),
        TerrainKind(code="water", name="Water", shape="area", look="water", level=-1, bars=True, source="own"),
        TerrainKind(code="slope", name="Slope", shape="contour", look="slope", source="own"),
        TerrainKind(code="hilltop", name="Hilltop", shape="contour", look="hilltop", source="own"),
        TerrainKind(code="road", name="Road", shape="line", look="road", width=1, source="own"),
        TerrainKind(code="stream", name="Stream", shape="line", look="stream", width=1, level=-1, source="own"),
        TerrainKind(code="hedge", name="Hedge", shape="line", look="hedge", source="own"),
        TerrainKind(code="crest", name="Crest", shape="line", look="crest", source="own"),
        TerrainKind(code="bridge", name="Bridge", shape="crossing", look="bridge", width=1.5, source="own"),
        TerrainKind(code="house", name="House", shape="building", look="building", apart="house", source="own"),
    ]
)

SIZE = (40_000, 30_000)


def woods(number: int, *rings: Sequence[Point], kind: str = "woods") -> Feature:
    """An area with holes."""
    return Feature(number, f"{kind}-{number}", kind, kind, "area", parts=(tuple(tuple(ring) for ring in rings),))


def hedge(number: int, *way: Point) -> Feature:
    """A line without width."""
    return Feature(number, f"hedge-{number}", "hedge", "hedge", "line", way=way)


def road(number: int, *way: Point, width: int = 1_000) -> Feature:
    """A strip along a way."""
    parts = tuple((part,) for part in strip(way, width))
    return Feature(number, f"road-{number}", "road", "road", "line", parts=parts, way=way, width=width)


def square(left: int, top: int, side: int) -> tuple[Point, ...]:
    """The corners of a square."""
    return ((left, top), (left + side, top), (left + side, top + side), (left, top + side))


def ground(*features: Feature, size: Point = SIZE) -> Ground:
    """The ground with these features."""
    return Ground(size, features)
