"""A ruleset's description of its counters: the figures printed on them, its markers, the colours of its nations.

The client draws from this description and knows no ruleset, so each book brings its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

Spot = Literal["top-left", "top", "top-right", "left", "centre", "foot"]
"""A place on a counter; figures at the foot share it from left to right."""

Tone = Literal["plain", "small", "large", "huge", "white", "red", "armor"]
"""The look of a figure: in plain ink, in smaller, larger or huge print, in white, red on yellow, on a burgundy disc."""

Form = Literal["alarm", "stop", "eye", "tag"]
"""The shape of a badge: a triangle, an octagon, an eye, a label. Two states differ by shape, not by colour alone."""

Shape = Literal[
    "wreck",
    "mines",
    "block",
    "crosshair",
    "smoke",
    "clash",
    "bridge",
    "trench",
    "earthwork",
    "rampart",
    "span",
    "broken span",
    "gap",
    "ditch",
    "rubble",
    "rough",
    "cracks",
    "brush",
    "burst",
    "target",
    "unknown",
    "plate",
]
"""The picture of a marker; a `plate` bears the first letters of its kind.

A `span` is a bridge over its place, a `gap` a way through a hedge, `cracks` are damage to a building,
`unknown` is a counter that lies face down.
"""

Lie = Literal["around", "foot", "head", "ground"]
"""Where a marker lies: around the counters of its place, along their foot, or along their head and above them.

One on the `ground` lies below them, as large as a stand, and turns with its facing.
"""


Base = Literal["disc", "square"]
"""The base of a stand on the free table: a disc, or a square that turns with the facing."""

Outline = Literal["arrow", "clipped"]
"""The outline of a card on a square base: pointed towards the front, or with its front corners cut off."""


class Figure(msgspec.Struct, frozen=True):
    """A figure on a counter: its kind (as in a unit's `figures`), its name in words, where and how it is printed."""

    kind: str
    title: str
    at: Spot
    tone: Tone = "plain"


class MarkerKind(msgspec.Struct, frozen=True):
    """A kind of marker: its picture, and where it lies."""

    kind: str
    shape: Shape
    lie: Lie = "foot"


class Stance(msgspec.Struct, frozen=True):
    """The look of a posture on a square base: the posture (as a unit's `posture`), its outline, and a word."""

    posture: str
    outline: Outline
    word: str


class Livery(msgspec.Struct, frozen=True):
    """The colours of a nation's counters, as `#rrggbb`: card, lower band, ink, edge."""

    nation: str
    paper: str
    band: str
    ink: str
    edge: str


class Counters(msgspec.Struct, frozen=True):
    """The counters of a ruleset.

    `base` is the shape of a stand on the free table, `stances` the outlines that differ from it.
    `badges` gives the form of a badge by its code (others are tags), `short` the name at a counter's foot where the
    unit's own is too long for it.
    """

    figures: tuple[Figure, ...] = ()
    markers: tuple[MarkerKind, ...] = ()
    liveries: tuple[Livery, ...] = ()
    badges: Mapping[str, Form] = {}
    short: Mapping[str, str] = {}
    base: Base = "disc"
    stances: tuple[Stance, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The description as plain data for the client: figures and markers by kind, liveries by nation, stances by
        posture.
        """
        return {
            "figures": {figure.kind: _rest(figure, "kind") for figure in self.figures},
            "markers": {marker.kind: _rest(marker, "kind") for marker in self.markers},
            "liveries": {livery.nation: _rest(livery, "nation") for livery in self.liveries},
            "badges": dict(self.badges),
            "short": dict(self.short),
            "base": self.base,
            "stances": {stance.posture: _rest(stance, "posture") for stance in self.stances},
        }


def _rest(row: msgspec.Struct, key: str) -> dict[str, Any]:
    """The fields of a row without its key."""
    return {name: value for name, value in msgspec.structs.asdict(row).items() if name != key}


PLAIN = Counters()
"""Counters of which nothing is said: the client draws figures along the foot, and plates."""
