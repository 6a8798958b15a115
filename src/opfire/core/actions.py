"""The actions of players, the choices among them, and the refusals."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, ClassVar, Protocol, TypeAlias, TypeVar

import msgspec

from opfire.core.errors import OpfireError
from opfire.core.places import Point
from opfire.core.texts import say

PROCEDURE = "procedure"
"""The rule cited against malformed, forged and out-of-turn actions."""


class Action(msgspec.Struct, frozen=True, tag=True, tag_field="type", gc=False):
    """An action of a player, as plain data; each ruleset has its own.

    `says` is the sentence on a button, with the action's fields in braces; `kind` groups actions for the client;
    `final` is true if playing it rolls dice or ends a step. `barrier` names the point beyond which no decision can be
    taken back once the action has been played; empty if it can be taken back itself. `later` tells below the button
    what follows, where its words leave that open.
    """

    says: ClassVar[str] = ""
    later: ClassVar[str] = ""
    kind: ClassVar[str] = "act"
    final: ClassVar[bool] = False
    barrier: ClassVar[str] = ""


class Refusal(msgspec.Struct, frozen=True, gc=False):
    """A refusal: a sentence to be filled in (and translated) only when shown, its rule, its particulars.

    >>> str(Refusal("{} is at {}, beyond range {}", "9.5.2", ("T-34", 9, 8)))
    'T-34 is at 9, beyond range 8 [9.5.2]'
    """

    text: str
    rule: str
    facts: tuple[Any, ...] = ()

    def sentence(self) -> str:
        """The sentence with its particulars, without the rule number."""
        return say(self.text, *self.facts)

    def __str__(self) -> str:
        return f"{self.sentence()} [{self.rule}]"


class IllegalAction(OpfireError):
    """An action that the rules refuse; `refusal` gives the reason."""

    def __init__(self, refusal: Refusal) -> None:
        self.refusal = refusal
        super().__init__(str(refusal))


NOBODY = ""
"""The group of the choices that belong to no unit: pass, end, confirm."""

TRIES = 50
"""The number of points in a region's box that a random choice tries."""

Judge: TypeAlias = Callable[[Action], Refusal | None]
"""The reason against an action, or None if it may be played now."""


class Region(msgspec.Struct, frozen=True):
    """An offer with open fields: every action like `example` that the rules do not refuse.

    `open` names the fields that the player fills in (a point `to` in 1/1000 inch, a `facing` in whole degrees);
    `box` bounds the points: least x, least y, greatest x, greatest y. A region always stands beside an action
    that stops, so that a player whose region is too thin to hit still has a choice.
    """

    example: Action
    box: tuple[int, int, int, int]
    open: tuple[str, ...] = ("to",)

    def offers(self, action: object, judge: Judge) -> bool:
        """Return whether the action is this offer filled in, and the rules allow it."""
        if not isinstance(action, type(self.example)):
            return False
        filled = {field: getattr(action, field) for field in self.open}
        return msgspec.structs.replace(self.example, **filled) == action and judge(action) is None

    def sample(self, rng: random.Random, judge: Judge) -> Action | None:
        """A random allowed action of the region; None if 50 points of the box are all refused."""
        for _ in range(TRIES):
            action = msgspec.structs.replace(self.example, **{field: self._drawn(field, rng) for field in self.open})
            if judge(action) is None:
                return action
        return None

    def _drawn(self, field: str, rng: random.Random) -> Point | int:
        """A random value of an open field."""
        if isinstance(getattr(self.example, field), int):
            return int(rng.random() * 360)
        left, top, right, bottom = self.box
        return _between(rng, left, right), _between(rng, top, bottom)


def _between(rng: random.Random, low: int, high: int) -> int:
    return low + int(rng.random() * (high - low + 1))


class Open(Protocol):
    """An offer with parts that the player fills in: a region, a sheet of orders."""

    def offers(self, action: object, judge: Judge) -> bool:
        """Return whether the action is this offer filled in, and the rules allow it."""
        ...

    def sample(self, rng: random.Random, judge: Judge) -> Action | None:
        """The offer filled in at random; None if no allowed value was found."""
        ...


Offer: TypeAlias = Action | Open
"""One thing to choose: a finite action, or an offer with open parts."""


T = TypeVar("T")

Acts: TypeAlias = Callable[[str], Iterable[Offer]]
"""The offers of a unit, or of `NOBODY`."""


def _nothing(actor: str) -> Iterable[Offer]:
    return ()


def _never_refused(action: Action) -> Refusal | None:
    return None


class Choices:
    """All that a seat may choose now, unit by unit; a group is built only when it is looked into.

    `actors` are the units that may have a choice, and `NOBODY`; `acts` gives the offers of one of them,
    `judge` gives the reason against an action. Iterating gives the finite actions, group by group; open offers
    (regions, sheets of orders) are not among them.
    """

    __slots__ = ("_acts", "_built", "_judge", "_started", "_waiting", "drew")

    def __init__(self, actors: Iterable[str] = (), acts: Acts = _nothing, judge: Judge = _never_refused) -> None:
        self._waiting = tuple(dict.fromkeys(actors))
        self._acts, self._judge = acts, judge
        self._built: dict[str, tuple[Offer, ...]] = {}
        self._started: dict[str, tuple[list[Offer], Iterator[Offer]]] = {}
        self.drew: Action | None = None  # by `sample`, the last time

    # --- groups -----------------------------------------------------------------------------------------------

    def of(self, actor: str) -> tuple[Offer, ...]:
        """The offers of a unit, or of `NOBODY`; none for a unit without a choice."""
        if actor not in self._built:
            self._built[actor] = self._whole(actor) if actor in self._waiting else ()
        return self._built[actor]

    def _whole(self, actor: str) -> tuple[Offer, ...]:
        if actor not in self._started:
            return tuple(self._acts(actor))
        found, rest = self._started.pop(actor)
        return (*found, *rest)

    def some_of(self, actor: str, most: int) -> tuple[Offer, ...]:
        """The first offers of a unit, `most` at most; no more of them are built."""
        if self._up_to(actor, most) and actor in self._started:
            return tuple(self._started[actor][0][:most])
        return self._built.get(actor, ())[:most]

    def any_of(self, actor: str) -> bool:
        """Return whether a unit has a choice; this stops at the first offer."""
        return self._up_to(actor, 1) > 0

    def _up_to(self, actor: str, most: int) -> int:
        """The number of a unit's offers, up to `most`: no more than that are built."""
        if actor in self._built:
            return len(self._built[actor])
        if actor not in self._started:
            self._started[actor] = [], iter(self._acts(actor) if actor in self._waiting else ())
        found, rest = self._started[actor]
        found.extend(islice(rest, max(0, most - len(found))))
        return len(found)

    @property
    def asked(self) -> tuple[str, ...]:
        """The units that may have a choice, and `NOBODY`; not every one of them need have one."""
        return self._waiting

    def actors(self) -> tuple[str, ...]:
        """The units that can act, and `NOBODY` where there is a choice that belongs to no unit."""
        return tuple(actor for actor in self._waiting if self.any_of(actor))

    def __bool__(self) -> bool:
        return any(self.any_of(actor) for actor in self._waiting)

    # --- the whole ----------------------------------------------------------------------------------------------

    def offers(self) -> Iterator[Offer]:
        """Every offer, group by group."""
        for actor in self._waiting:
            yield from self.of(actor)

    def __iter__(self) -> Iterator[Action]:
        return (offer for offer in self.offers() if isinstance(offer, Action))

    @property
    def finite(self) -> tuple[Action, ...]:
        """Every finite action, group by group."""
        return tuple(self)

    @property
    def regions(self) -> tuple[Region, ...]:
        """Every region, group by group."""
        return tuple(offer for offer in self.offers() if isinstance(offer, Region))

    def drawn(self, rng: random.Random) -> Iterator[Action]:
        """Each open offer filled in at random; none of a region too thin to hit."""
        actions = (offer.sample(rng, self._judge) for offer in self.offers() if not isinstance(offer, Action))
        return (action for action in actions if action is not None)

    def __len__(self) -> int:
        return sum(len(self.of(actor)) for actor in self._waiting)

    def __contains__(self, action: object) -> bool:
        """Return whether the action is offered; the group of its own unit is looked into first."""
        own = getattr(action, "unit", NOBODY)
        return any(self._in_group(action, actor) for actor in sorted(self._waiting, key=lambda actor: actor != own))

    def _in_group(self, action: object, actor: str) -> bool:
        return any(
            offer == action if isinstance(offer, Action) else offer.offers(action, self._judge)
            for offer in self.of(actor)
        )

    def single(self) -> Action | None:
        """The only action offered; None if there are several, none, or an open offer."""
        found: str | None = None
        for actor in self._waiting:
            if self.any_of(actor):
                if found is not None:
                    return None
                found = actor
        if found is None or self._up_to(found, 2) > 1:
            return None
        (only,) = self.of(found)
        return only if isinstance(only, Action) else None

    def sample(self, rng: random.Random) -> Action:
        """A random choice: a group, then an offer of it, all equally likely. Raises IndexError without any choice."""
        return self._first_drawn(list(self._waiting), self._drawn, rng)

    def sample_evenly(self, rng: random.Random) -> Action:
        """A random choice, every offer of every group equally likely. Raises IndexError without any choice.

        Each unit offers more ways to go on than to stop, so that play drawn this way gets about; `sample` is
        faster, since it builds one group.
        """
        return self._first_drawn(list(self.offers()), self._filled, rng)

    def _first_drawn(
        self, waiting: list[T], draw: Callable[[T, random.Random], Action | None], rng: random.Random
    ) -> Action:
        """The action drawn from the first of these, taken at random, that gives one. Raises IndexError."""
        while waiting:
            action = draw(waiting.pop(int(rng.random() * len(waiting))), rng)
            if action is not None:
                self.drew = action
                return action
        raise IndexError("there is no choice")

    def _filled(self, offer: Offer, rng: random.Random) -> Action | None:
        """The offer itself, or an open offer filled in at random; None where no point of it is found."""
        return offer if isinstance(offer, Action) else offer.sample(rng, self._judge)

    def _drawn(self, actor: str, rng: random.Random) -> Action | None:
        """A random action of a group; an open offer that cannot be filled in gives way to its finite actions."""
        if not (group := self.of(actor)):
            return None
        if (action := self._filled(group[int(rng.random() * len(group))], rng)) is not None:
            return action
        finite = [other for other in group if isinstance(other, Action)]
        return finite[int(rng.random() * len(finite))] if finite else None


def first(*refusals: Refusal | None) -> Refusal | None:
    """The first refusal among the arguments, in the order given."""
    return next((refusal for refusal in refusals if refusal is not None), None)
