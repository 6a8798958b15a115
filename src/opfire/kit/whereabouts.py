"""Points of a table in words: "in Rye, 14 inches north-east of Hill 41"."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from opfire.core.places import INCH, Point
from opfire.core.texts import Text, Words, joined, names, say
from opfire.space.measure import MICRO, bearing, length, square
from opfire.space.terrain.exact import box
from opfire.space.terrain.features import Feature
from opfire.space.terrain.ground import Ground

WINDS = names("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")
"""The directions of the compass in steps of 45 degrees."""

_IN = {"area": "in {}", "building": "in {}", "contour": "on {}", "line": "on {}", "crossing": "on {}"}
_ORDER = ("building", "crossing", "area", "line", "contour")
"""The shapes by which a point is called first: its house before its wood, and its wood before its hill."""

_LANDMARKS = frozenset({"area", "contour", "building"})


class Landmark(NamedTuple):
    """A named piece of ground that others are told from, and its middle."""

    name: str
    middle: Point


def wind(degrees: int) -> str:
    """The direction of the compass nearest to a bearing in degrees.

    >>> wind(0), wind(50), wind(350)
    ('north', 'north-east', 'north')
    """
    return WINDS[(degrees * 2 + 45) // 90 % 8]


@lru_cache(maxsize=4096)
def whereabouts(ground: Ground, at: Point) -> Words:
    """The ground at a point and the nearest other landmark; empty on a table without names."""
    here = _here(ground, at)
    names = {_called(feature) for feature in ground.at(at).features}
    marks = [mark for mark in _landmarks(ground) if mark.name not in names]
    if not marks:
        return here
    there = _from(min(marks, key=lambda mark: square(mark.middle, at)), at)
    return joined((here, there)) if here else there


def _here(ground: Ground, at: Point) -> Words:
    """The most telling piece of ground at a point."""
    found = [feature for feature in ground.at(at).features if feature.name]
    if not found:
        return ""
    best = min(found, key=lambda feature: (_ORDER.index(feature.shape), -feature.number))
    return Text(_IN[best.shape], (_called(best),))


def _called(feature: Feature) -> str:
    """The name of a feature inside a sentence; a contour bears that of its hill."""
    name = feature.hill or feature.name
    return name[0].lower() + name[1:] if name.startswith("The ") else name


def _landmarks(ground: Ground) -> Iterator[Landmark]:
    for feature in ground.features:
        if feature.shape in _LANDMARKS and feature.parts and (feature.name or feature.hill):
            west, north, east, south = box(feature.points)
            yield Landmark(_called(feature), ((west + east) // 2, (north + south) // 2))


def _from(mark: Landmark, at: Point) -> Text:
    inches = (length(mark.middle, at) + MICRO // 2) // MICRO
    if inches == 0:
        return Text("at {}", (mark.name,))
    words = "{} inch {} of {}" if inches == 1 else "{} inches {} of {}"
    return Text(words, (inches, wind(bearing(mark.middle, at)), mark.name))


def roughly(ground: Ground, at: Point) -> str:
    """Where a point lies, for a sentence: its whereabouts, or else its inches without fractions.

    >>> roughly(Ground((90000, 90000)), (47647, 22353))
    'about 48,22'
    """
    words = whereabouts(ground, at)
    return say(words) if words else say("about {},{}", *((amount + INCH // 2) // INCH for amount in at))


def located(ground: Ground, at: Point, name: str) -> Words:
    """The name of a point with its whereabouts behind it, in brackets: a fact of a sentence."""
    words = whereabouts(ground, at)
    return Text("{} ({})", (name, words)) if words else name


def told(ground: Ground, at: Point, name: str) -> str:
    """The same as a text of its own.

    >>> told(Ground((9000, 9000)), (3000, 4000), "3,4")
    '3,4'
    """
    return str(located(ground, at, name))
