"""The lines of sight of a table, each traced once: ground never changes, and stands keep their places for long."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from opfire.core.places import Point
from opfire.rulesets.panzerblitz_miniatures.charts import Charts
from opfire.rulesets.panzerblitz_miniatures.sighting.sight import Block, blocked
from opfire.space.terrain.ground import Ground
from opfire.space.terrain.sight import SightLine, sight_line
from opfire.space.terrain.spans import Span

MOST = 20_000
"""The lines that are kept; then the oldest half is forgotten."""

Levels = tuple[int, int] | None
_Key = tuple[Point, Point, Levels]


class Lines:
    """Lines over a ground; `base` is the diameter of the stands in 1/1000 inch."""

    def __init__(self, ground: Ground, charts: Charts, base: int) -> None:
        self._ground, self._charts, self._base = ground, charts, base
        self._lines: dict[_Key, SightLine] = {}
        self._blocks: dict[_Key, Block | None] = {}

    def line(self, start: Point, end: Point, levels: Levels = None) -> SightLine:
        """The line between two points; `levels` are those of its ends where the ground does not give them."""
        key = (start, end, levels)
        if key not in self._lines:
            _make_room(self._lines)
            self._lines[key] = sight_line(self._ground, start, end, levels)
        return self._lines[key]

    def block(self, start: Point, end: Point, levels: Levels = None, smoke: Iterable[Span] = ()) -> Block | None:
        """The first thing that blocks the line, or None [OBS-1]; `smoke` are the spans of the line over smoke."""
        if clouds := tuple(smoke):
            return blocked(self._charts, self.line(start, end, levels), clouds, self._base)
        key = (start, end, levels)
        if key not in self._blocks:
            _make_room(self._blocks)
            self._blocks[key] = blocked(self._charts, self.line(start, end, levels), (), self._base)
        return self._blocks[key]


@lru_cache(maxsize=4)
def lines_over(ground: Ground, charts: Charts, base: int) -> Lines:
    """The lines over a ground, shared by all games on it."""
    return Lines(ground, charts, base)


def _make_room(
    kept: dict[_Key, SightLine] | dict[_Key, Block | None],
) -> None:
    if len(kept) >= MOST:
        for key in [*kept][: MOST // 2]:
            del kept[key]
