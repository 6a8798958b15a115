"""Facts of sight that hold in all games on a map [8.2-8.4], computed on demand.

They depend on the map, the charts and the options of the game, which never change, and on the keys under which they are
kept; smoke, hidden units and SPOTTED markers change, so the chapters add them to the facts kept here.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, TypeAlias

import msgspec

from opfire.core.actions import Refusal
from opfire.rulesets.panzer_grenadier.charts import Charts
from opfire.space.hexmap import HexMap

Hex = str

Purpose = Literal["spotting", "fire", "bombardment"]
"""The use of a line: spotting starts on top of a town [8.42], fire on its ground [8.42.A2], batteries' own spotting on
top of woods too [8.42.A3]."""

PURPOSES: tuple[Purpose, ...] = ("spotting", "fire", "bombardment")

Sides: TypeAlias = tuple[tuple[Hex, ...], ...]
"""The hexes strictly between two hexes, in order, on each side that a line may be read on [8.32]."""

Metres = int


class Tracing(msgspec.Struct, frozen=True):
    """A line over the ground: the hexes of each open side of it, or the reason that no side is open."""

    open: Sides
    why: Refusal | None = None


class Outlook:
    """The ranges at which targets of one kind, marked SPOTTED or not, are seen at one visibility in the open."""

    def __init__(self) -> None:
        self.ranges: dict[tuple[Hex, Hex], tuple[int, str]] = {}  # hexes and the rule that says so
        self.seen: dict[tuple[Hex, Hex], bool] = {}


class SightFacts:
    """The facts of the games on one map, each under the key that it depends on."""

    def __init__(self) -> None:
        self.sides: dict[tuple[Hex, Hex], Sides] = {}
        self.lines: dict[Purpose, dict[tuple[Hex, Hex], Tracing]] = {purpose: {} for purpose in PURPOSES}
        self.eyes: dict[Purpose, dict[Hex, Metres]] = {purpose: {} for purpose in PURPOSES}
        self._outlooks: dict[tuple[int, bool], Outlook] = {}

    def outlook(self, visibility: int, spotted: bool) -> Outlook:
        """The facts of targets that are marked SPOTTED, or are not, at this visibility in hexes."""
        found = self._outlooks.get((visibility, spotted))
        if found is None:
            found = self._outlooks[visibility, spotted] = Outlook()
        return found


@lru_cache(maxsize=4)
def facts_over(board: HexMap, charts: Charts, options: frozenset[str]) -> SightFacts:
    """The facts that all games on a map share, with these charts and options."""
    return SightFacts()
