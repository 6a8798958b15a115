"""Legs as a mover finds them: roads that it follows, bridges and fords, and the ground that bars the way.

A unit pays the road rate as long as it has been on the road from the beginning of its leg; from one road to the next
it must pass a place that lies on both. A road that it enters from the side counts from its next leg on [ROD-3].
On a followed road nothing else costs anything [ROD-1].
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from opfire.core.actions import Refusal
from opfire.core.places import Point
from opfire.rulesets.panzerblitz_miniatures.moving.movement_costs import (
    DEPRESSIONS,
    ROADS,
    Prices,
    ashore,
    barred_by,
    usable_roads,
)
from opfire.space.terrain.features import Feature
from opfire.space.terrain.ground import Ground
from opfire.space.terrain.legs import MANNERS, Crossed, Leg, Piece, bar, cost, leg
from opfire.space.terrain.spans import Along

Features = tuple[Feature, ...]


def traced(ground: Ground, start: Point, end: Point) -> Leg:
    """A straight leg as its mover finds it.

    A piece along a road has only that road under it, any other piece no road at all; a bridge, which continues the
    road, or a ford hides the bed below it: stream or river are ignored there [BRI-1, RIV-4]. Areas are entered and left
    from piece to piece.
    """
    way = leg(ground, start, end)
    return _found(way) if any(_changes_prices(feature) for feature in _touched(way)) else way


def leg_cost(ground: Ground, start: Point, end: Point, prices: Prices) -> int | None:
    """The cost of a straight leg in 10^-6 movement points, or None where something on it bars the way."""
    return cost(traced(ground, start, end), prices)


def prohibited(prices: Prices, way: Leg) -> Refusal | None:
    """The reason for which a leg is barred by its ground, or None; the first place on the leg counts."""
    if prices.mover.mode == "TO":
        return Refusal("This unit cannot move by itself: a carrier tows it.", "MOV-16")
    what = bar(way, prices)
    if what is None:
        return None
    if prices.mover.boat:
        return ashore()
    if isinstance(what, Crossed):
        return barred_by(what.feature)
    return barred_by(next(each for each in what.features if prices.inch((each,)) is None))


def followed(way: Leg) -> bool:
    """Return whether a leg as its mover finds it lies on roads from end to end."""
    return all(_on_road(piece.features) for piece in way.pieces)


def road_length(way: Leg, low: Fraction, high: Fraction) -> int:
    """The part of a leg, between two places of it, on which it follows roads, in 10^-6 inch."""
    return sum(_overlap(piece, low, high) for piece in way.pieces if _on_road(piece.features))


def _overlap(piece: Piece, low: Fraction, high: Fraction) -> int:
    """The length of a piece between two places of its leg."""
    start, end = piece.start.fraction, piece.end.fraction
    part = min(high, end) - max(low, start)
    return int(piece.length * part / (end - start)) if part > 0 else 0


def entered(way: Leg, kind: str) -> Crossed | None:
    """The first place at which a leg enters a kind of ground.

    A block ends the move there [BLK-3]; at a stream personnel checks morale [STR-5], at a minefield it is attacked.
    """
    return next((each for each in way.crossed if each.feature.kind == kind and each.manner == "enters"), None)


# --- tracing ---------------------------------------------------------------------------------------------


def _touched(way: Leg) -> Iterator[Feature]:
    for piece in way.pieces:
        yield from piece.features
    for each in way.crossed:
        yield each.feature


def _changes_prices(feature: Feature) -> bool:
    """Return whether a feature changes the ground around it for a mover: a road does, a bridge and a ford."""
    return feature.kind in ROADS or feature.shape == "crossing"


def _found(way: Leg) -> Leg:
    """The leg with each piece on a road or off it, both in any order [ROD-4]."""
    along = [*_followed(way.pieces)]
    pieces = tuple(
        piece._replace(features=_along(piece.features) if on else _beside(piece.features))
        for piece, on in zip(way.pieces, along, strict=True)
    )
    if way.start == way.end:
        return way._replace(pieces=pieces, crossed=())
    crossed = [*_changes(way, pieces, along), *_lines(way, along), *_off_bridges(way)]
    crossed.sort(key=lambda each: (each.at.key, MANNERS.index(each.manner), each.feature.number))
    return way._replace(pieces=pieces, crossed=tuple(crossed))


def _followed(pieces: Sequence[Piece]) -> Iterator[bool]:
    """Whether each piece is part of the road on which the leg began; a road entered from the side is none [ROD-3]."""
    before: set[Feature] | None = None
    for piece in pieces:
        roads = {feature for feature in piece.features if feature.kind in ROADS}
        before = roads if before is None else roads if roads & before else set()
        yield bool(before) and bool(usable_roads(piece.features))


def _along(features: Iterable[Feature]) -> Features:
    """The ground of a piece along a road: the road alone, whatever the other terrain around it [ROD-1]."""
    return usable_roads(features)


def _beside(features: Iterable[Feature]) -> Features:
    """The ground off the road; a bridge counts as clear terrain [STR-4], a ford too [FRD-1]."""
    here = tuple(features)
    hidden = ROADS | DEPRESSIONS if any(each.shape == "crossing" for each in here) else ROADS
    return tuple(each for each in here if each.kind not in hidden)


def _changes(way: Leg, pieces: Sequence[Piece], along: Sequence[bool]) -> Iterator[Crossed]:
    """The areas off the road that a leg enters and leaves, place by place."""
    places = [way.pieces[0].start, *(piece.end for piece in way.pieces)]
    for number, at in enumerate(places):
        before = pieces[number - 1].features if number else None
        after = pieces[number].features if number < len(pieces) else None
        here = _at_place(way, along, number, at)
        yield from _between(at, before if before is not None else here, here)
        yield from _between(at, here, after if after is not None else here)


def _at_place(way: Leg, along: Sequence[bool], number: int, at: Along) -> Features:
    """The ground at a place between two pieces, or at an end of the leg; borders belong to their areas."""
    beside = way.pieces[max(number - 1, 0) : number + 1]
    touched = [each.feature for each in way.crossed if each.at.key == at.key and each.feature.parts]
    features = {feature: None for piece in beside for feature in piece.features} | dict.fromkeys(touched)
    here = tuple(sorted(features, key=lambda feature: feature.number))
    return _along(here) if any(along[max(number - 1, 0) : number + 1]) and usable_roads(here) else _beside(here)


def _between(at: Along, before: Features, after: Features) -> Iterator[Crossed]:
    """The areas entered and left from one ground to the next; roads are no ground to enter."""
    for feature in after:
        if feature not in before and feature.kind not in ROADS:
            yield Crossed(at, feature, "enters")
    for feature in before:
        if feature not in after and feature.kind not in ROADS:
            yield Crossed(at, feature, "leaves")


def _lines(way: Leg, along: Sequence[bool]) -> Iterator[Crossed]:
    """The lines that a leg crosses off the road."""
    on_road = {piece.end.key for piece, on in zip(way.pieces, along, strict=True) if on}
    return (each for each in way.crossed if each.manner == "crosses" and each.at.key not in on_road)


def _off_bridges(way: Leg) -> Iterator[Crossed]:
    """The places at which a leg would leave a bridge into its stream, or climb onto it from there [BRI-2]."""
    for each in way.crossed:
        if each.feature.kind == "bridge" and any(_bed(piece) for piece in _outside(way, each)):
            yield each


def _outside(way: Leg, met: Crossed) -> list[Piece]:
    """The piece beside a bridge at the place at which the leg meets its border."""
    if met.manner == "enters":
        return [piece for piece in way.pieces if piece.end.key == met.at.key]
    return [piece for piece in way.pieces if piece.start.key == met.at.key]


def _bed(piece: Piece) -> bool:
    kinds = {feature.kind for feature in piece.features}
    return bool(kinds & DEPRESSIONS) and not any(feature.shape == "crossing" for feature in piece.features)


def _on_road(features: Features) -> bool:
    return any(feature.kind in ROADS for feature in features)
