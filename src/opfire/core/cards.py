"""The data card of a unit as the client draws it: its facts, its armour from every side, its penetration by range.

The client knows no ruleset: a ruleset that has such cards answers the query `card` with a `Card`, and the query
`overlay` with an `Overlay` for the map.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal

import msgspec

from opfire.core.events import Calculation
from opfire.core.places import Place

Part = Literal["turret", "hull"]
"""A part of a vehicle, as seen from above."""

Angle = Literal["front", "front side", "rear side", "rear"]
"""The direction from which a shot comes, against the facing; `side` angles are the same to the left and the right."""

Face = Literal["front", "side", "rear"]
"""A face of a part."""


class Fact(msgspec.Struct, frozen=True):
    """One figure of a card: its name, its value in words, its rule."""

    title: str
    value: str
    rule: str


class Plate(msgspec.Struct, frozen=True):
    """The armour of one face of one part against a shot from an angle."""

    part: Part
    angle: Angle
    face: Face
    title: str
    value: int


class Band(msgspec.Struct, frozen=True):
    """A range band of a weapon: its name, its greatest range in the unit of the space, the penetration there."""

    name: str
    distance: int
    penetration: int


class Curve(msgspec.Struct, frozen=True):
    """The penetration of a weapon with one kind of ammunition, by range bands, the nearest first."""

    title: str
    rule: str
    bands: tuple[Band, ...]


class Spot(msgspec.Struct, frozen=True):
    """A place on a vehicle that a hit may strike: its chance, its armour, the chance of each effect.

    All chances are those of one hit; `armor` is None where armour does not count.
    """

    title: str
    chance: Fraction
    armor: int | None
    effects: tuple[tuple[str, Fraction], ...]


class Duel(msgspec.Struct, frozen=True):
    """A shot of one unit at another as they stand now, at their distance: the roll, and a hit by location.

    `angle` is the one that the shot comes from, `refusal` the reason that it cannot be fired now; without a weapon in
    range there is no calculation.
    """

    firer: str
    target: str
    distance: int
    band: str = ""
    angle: Angle | None = None
    penetration: int | None = None
    shot: Calculation | None = None
    spots: tuple[Spot, ...] = ()
    spots_title: str = ""
    spots_rule: str = ""
    refusal: str = ""
    rule: str = ""


class Card(msgspec.Struct, frozen=True):
    """A data card; `duels` are the shots between the unit and another one, its own first."""

    unit: str
    title: str
    kind: str
    facts: tuple[Fact, ...] = ()
    plates: tuple[Plate, ...] = ()
    curves: tuple[Curve, ...] = ()
    duels: tuple[Duel, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The card as plain data for the client; chances as fractions in text."""
        plain: dict[str, Any] = msgspec.to_builtins(
            msgspec.structs.replace(self, duels=()), enc_hook=str, builtin_types=()
        )
        return {**plain, "duels": [_duel(duel) for duel in self.duels]}


def _duel(duel: Duel) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(msgspec.structs.replace(duel, shot=None), enc_hook=str)
    return {**plain, "shot": duel.shot.to_json() if duel.shot else None}


class Area(msgspec.Struct, frozen=True):
    """Places that belong together on the map: a band of a field of fire, or Command Range."""

    kind: Literal["fire", "command"]
    title: str
    places: tuple[Place, ...]


class Thread(msgspec.Struct, frozen=True):
    """A line between two units on the map: one spots the other, or may answer its fire."""

    kind: Literal["spots", "spotted", "answers"]
    start: str
    to: str
    title: str


class Edge(msgspec.Struct, frozen=True):
    """The directions (0 north, clockwise, to 5) in which the ground covers a unit at a place."""

    title: str
    place: Place
    directions: tuple[int, ...]


class Overlay(msgspec.Struct, frozen=True):
    """The areas, lines and covered directions that the map shows about a unit."""

    areas: tuple[Area, ...] = ()
    threads: tuple[Thread, ...] = ()
    edges: tuple[Edge, ...] = ()
