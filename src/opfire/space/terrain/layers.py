"""Ground in two layers: what lies on a table for a while, such as markers, on top of terrain that never changes."""

from __future__ import annotations

from typing import Protocol

from opfire.core.places import Point
from opfire.space.terrain.features import Feature
from opfire.space.terrain.ground import Ground
from opfire.space.terrain.spans import Span


class Footing(Protocol):
    """Ground on which legs are found: what lies under a line, at a point and under a disc."""

    def spans(self, a: Point, b: Point) -> list[Span]:
        """Everything that the straight line between two points touches, in order."""
        ...

    def features_at(self, at: Point) -> tuple[Feature, ...]:
        """The features at a point, from the ground up."""
        ...

    def under(self, at: Point, radius: int) -> tuple[Feature, ...]:
        """The features that a disc touches, from the ground up; the radius in 1/1000 inch."""
        ...


class Layered:
    """Ground with a second layer on top of it."""

    def __init__(self, ground: Ground, top: Ground) -> None:
        self.ground, self.top = ground, top

    def spans(self, a: Point, b: Point) -> list[Span]:
        """Everything in both layers that the straight line between two points touches, in order."""
        found, more = self.ground.spans(a, b), self.top.spans(a, b)
        if more:
            found = sorted((*found, *more), key=lambda span: (span.enters.key, span.leaves.key, span.feature.number))
        return found

    def features_at(self, at: Point) -> tuple[Feature, ...]:
        """The features of both layers at a point, from the ground up."""
        return (*self.ground.features_at(at), *self.top.features_at(at))

    def under(self, at: Point, radius: int) -> tuple[Feature, ...]:
        """The features of both layers that a disc touches, from the ground up; the radius in 1/1000 inch."""
        return (*self.ground.under(at, radius), *self.top.under(at, radius))
