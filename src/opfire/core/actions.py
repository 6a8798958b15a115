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
    for the client; `final` is true where playing it rolls dice or ends a step.
    """

    says: ClassVar[str] = ""
    kind: ClassVar[str] = "act"
    final: ClassVar[bool] = False


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


class Region(msgspec.Struct, frozen=True):
    """A choice with continuous parameters: any `action` whose point lies in one of the polygons.

    `polygons` are rings of (x, y) in 1/1000 inch; `example` is one action inside it.
    """

    polygons: tuple[tuple[tuple[int, int], ...], ...]
    example: Action


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
        return action in self.finite or any(region.example == action for region in self.regions)

    def sample(self, rng: random.Random) -> Action:
        """One of them, each equally likely; a region counts once. Raises IndexError when there is none."""
        at = int(rng.random() * len(self))
        return self.finite[at] if at < len(self.finite) else self.regions[at - len(self.finite)].example


def first(*refusals: Refusal | None) -> Refusal | None:
    """The first refusal that is one, in the order given."""
    return next((refusal for refusal in refusals if refusal is not None), None)
