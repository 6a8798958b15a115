"""What players do, and why they may not: actions, choices, refusals."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

import msgspec

from opfire.core.errors import OpfireError

PROCEDURE = "procedure"
"""The rule that malformed, forged and out-of-turn actions are refused with."""


class Action(msgspec.Struct, frozen=True, tag=True, tag_field="type"):
    """Something a player does, as plain data; each ruleset has its own.

    `says` is the sentence a button bears, with the action's fields in braces; `kind` groups actions
    for the client; `final` is true where playing it rolls dice or ends a step. `barrier` names what nothing can be
    taken back beyond once it has been played; empty where it can.
    """

    says: ClassVar[str] = ""
    kind: ClassVar[str] = "act"
    final: ClassVar[bool] = False
    barrier: ClassVar[str] = ""


class Refusal(msgspec.Struct, frozen=True):
    """Why not: a sentence to be filled in (and translated) only when shown, its rule, its particulars.

    >>> str(Refusal("{} is {} hexes away, beyond range {}", "9.5.2", ("T-34", 9, 8)))
    'T-34 is 9 hexes away, beyond range 8 [9.5.2]'
    """

    text: str
    rule: str
    facts: tuple[Any, ...] = ()

    def sentence(self) -> str:
        """The sentence with its particulars, without the rule number."""
        return self.text.format(*self.facts)

    def __str__(self) -> str:
        return f"{self.sentence()} [{self.rule}]"


class IllegalAction(OpfireError):
    """An action was played that the rules refuse; `refusal` says why."""

    def __init__(self, refusal: Refusal) -> None:
        self.refusal = refusal
        super().__init__(str(refusal))


Point = tuple[int, int]
"""A place on the free table: x and y in 1/1000 inch."""


class Region(msgspec.Struct, frozen=True):
    """A choice with continuous parameters: any `action` whose point lies in one of the polygons.

    `polygons` are rings of (x, y) in 1/1000 inch, a ring within a ring being a hole and edges belonging to
    the region; `example` is one action inside it, `field` the field of it that holds the point.
    """

    polygons: tuple[tuple[Point, ...], ...]
    example: Action
    field: str = "to"

    def __contains__(self, action: object) -> bool:
        if type(action) is not type(self.example):
            return False
        point = getattr(action, self.field)
        return self._moved(point) == action and self._holds(point)

    def sample(self, rng: random.Random) -> Action:
        """An action at a random point of the region; its example where it is too thin to hit."""
        xs, ys = ([point[i] for ring in self.polygons for point in ring] for i in (0, 1))
        for _ in range(50):
            point = _between(rng, min(xs), max(xs)), _between(rng, min(ys), max(ys))
            if self._holds(point):
                return self._moved(point)
        return self.example

    def _moved(self, point: Point) -> Action:
        return msgspec.structs.replace(self.example, **{self.field: point})

    def _holds(self, point: Point) -> bool:
        """Even-odd over all rings, in integers."""
        inside = False
        for ring in self.polygons:
            for a, b in zip(ring, (*ring[1:], ring[0]), strict=True):
                turn = (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0])
                if turn == 0 and _within(point, a, b):
                    return True
                if (a[1] > point[1]) != (b[1] > point[1]) and (turn > 0) == (b[1] > a[1]):
                    inside = not inside
        return inside


def _within(point: Point, a: Point, b: Point) -> bool:
    """Whether a point on the line through `a` and `b` lies between them."""
    return all(min(a[i], b[i]) <= point[i] <= max(a[i], b[i]) for i in (0, 1))


def _between(rng: random.Random, low: int, high: int) -> int:
    return low + int(rng.random() * (high - low + 1))


class Choices:
    """What may be chosen now: a finite list, and on the free table regions besides.

    Iterating gives the finite actions and one example for each region.
    """

    __slots__ = ("finite", "regions")

    def __init__(self, finite: Iterable[Action] = (), regions: Iterable[Region] = ()) -> None:
        self.finite, self.regions = tuple(finite), tuple(regions)

    def __iter__(self) -> Iterator[Action]:
        yield from self.finite
        for region in self.regions:
            yield region.example

    def __len__(self) -> int:
        return len(self.finite) + len(self.regions)

    def __contains__(self, action: object) -> bool:
        return action in self.finite or any(action in region for region in self.regions)

    def sample(self, rng: random.Random) -> Action:
        """One of them, each equally likely; a region counts once. Raises IndexError when there is none."""
        at = int(rng.random() * len(self))
        return self.finite[at] if at < len(self.finite) else self.regions[at - len(self.finite)].sample(rng)

    def to_json(self) -> dict[str, Any]:
        """The choices as plain data: the finite actions, and the regions with their polygons."""
        return {"finite": msgspec.to_builtins(self.finite), "regions": msgspec.to_builtins(self.regions)}


def first(*refusals: Refusal | None) -> Refusal | None:
    """The first refusal that is one, in the order given."""
    return next((refusal for refusal in refusals if refusal is not None), None)
