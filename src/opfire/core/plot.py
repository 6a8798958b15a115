"""Written orders: sheets that sides fill in secretly, hand in, and that are revealed as the book says."""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal

import msgspec
from msgspec.structs import replace

from opfire.core.actions import NOBODY, PROCEDURE, TRIES, Action, Judge, Offer, Refusal
from opfire.core.flow import Frame

SALT_BYTES = 16
_SALT = re.compile(r"[0-9a-f]{32}")


class Commit(Action, frozen=True):
    """Hand in the sheet: its orders, each an action of the ruleset about one unit, and the salt that seals them.

    A ruleset that plots has its own subclass, which narrows the type of `orders`. The salt has 32 hexadecimal
    digits; it is empty in an imagined game, which seals nothing.
    """

    says = "Hand in the orders"
    kind = "done"
    final = True

    orders: tuple[Any, ...] = ()
    salt: str = ""


def new_salt(key: bytes, line: int) -> str:
    """The salt of 128 bits, in hexadecimal digits, for the sheet on this line of a record.

    It follows from the game's secret dice key: the same game gives the same record, and no player foresees the salt.
    """
    return hashlib.blake2b(str(line).encode(), digest_size=SALT_BYTES, key=key, person=b"opfire sheet").hexdigest()


def salt_of(salt: str, unit: str) -> str:
    """The salt of one order, so that each can be revealed without the others."""
    return hashlib.blake2b(unit.encode(), digest_size=SALT_BYTES, key=bytes.fromhex(salt)).hexdigest()


def seal(salt: str, order: Any) -> str:
    """The hash of one order (an action or its plain data) under its own salt: 32 hexadecimal digits."""
    written = msgspec.json.encode(msgspec.to_builtins(order), order="sorted")
    return hashlib.blake2b(written, digest_size=16, key=bytes.fromhex(salt)).hexdigest()


def seals(salt: str, orders: Iterable[Any]) -> dict[str, str]:
    """The hash of each order of a sheet, by its unit; orders as plain data."""
    return {order["unit"]: seal(salt_of(salt, order["unit"]), order) for order in orders}


Picture = Literal["fire", "move", "halt", "watch", "none", "plate"]
"""The picture on the marker of an order: cross hairs, an arrow, an arrow to a bar, an eye, a stroke, its letters."""


class Mark(msgspec.Struct, frozen=True):
    """The marker of an order, as it lies on a counter: its title, its letters, its picture."""

    title: str
    code: str
    picture: Picture = "plate"


class Tally(msgspec.Struct, frozen=True):
    """A limit on the orders of a sheet: how many are used of the most that the rules allow."""

    title: str
    used: int
    most: int
    rule: str


class Tie(msgspec.Struct, frozen=True):
    """Two units of which one depends on the other for its order, as when they share one."""

    start: str
    to: str
    title: str
    rule: str


class Sheet(msgspec.Struct, frozen=True):
    """An offer: any sheet of orders that the rules allow.

    `least` is one that they always allow; `orders` are the orders that each unit may be given.
    """

    least: Commit
    orders: tuple[tuple[Action, ...], ...]

    def offers(self, action: object, judge: Judge) -> bool:
        """Return whether the action is such a sheet, and the rules allow it."""
        return isinstance(action, type(self.least)) and judge(action) is None

    def sample(self, rng: random.Random, judge: Judge) -> Action:
        """A random sheet that the rules allow; the least one if 50 are all refused."""
        for tried in range(TRIES):
            given = tuple(orders[int(rng.random() * len(orders))] for orders in self.orders)
            kept = given if tried % 2 == 0 else tuple(order for order in given if rng.random() < 0.75)
            sheet = replace(self.least, orders=kept)
            if judge(sheet) is None:
                return sheet
        return self.least


class Plot(Frame, frozen=True):
    """One side or more write an order for each unit; when all have handed in their sheets, play goes on.

    A ruleset's own plot names its orders (`writes`) and the subclass of `Commit` that carries them (`takes`), names
    the orders that a unit may be given (`orders`), judges one (`bad_order`) and the whole (`bad_sheet`), gives a sheet
    that is always allowed (`least`), and carries the sheets over into its state (`handed_in`). No dice fall here.

    `waiting` are the sides that have not handed in, `sheets` the sheets of the others, seen by no other side. A
    ruleset's plot also narrows the type of `sheets` to its orders, so that a saved game can be read back.
    """

    writes: ClassVar[tuple[type[Action], ...]] = ()

    waiting: tuple[str, ...] = ()
    sheets: tuple[tuple[str, tuple[Any, ...]], ...] = ()

    def orders(self, sight: Any, side: str, unit: str) -> Iterable[Action]:
        """The orders that a unit of the side may be given."""
        return ()

    def units(self, sight: Any, side: str) -> Iterable[str]:
        """The units of the side that may be given orders."""
        return ()

    def bad_order(self, sight: Any, side: str, order: Any) -> Refusal | None:
        """The reason against this order (one of `writes`) by the side, or None."""
        return None

    def bad_sheet(self, sight: Any, side: str, orders: Sequence[Any]) -> Refusal | None:
        """The reason against handing in these orders together, each of them allowed, or None."""
        return None

    def least(self, sight: Any, side: str) -> tuple[Action, ...]:
        """Orders that may always be handed in."""
        return ()

    def mark(self, order: Any) -> Mark:
        """The marker of an order: by default the words of its fields, the unit's aside."""
        named = msgspec.structs.asdict(order)
        title = " ".join(str(value) for field, value in named.items() if field != "unit")
        return Mark(title, title[:2].upper())

    def leader(self, order: Any) -> str:
        """The unit whose order this unit shares; none if it has one of its own."""
        return ""

    def tallies(self, sight: Any, side: str, orders: Sequence[Any]) -> Iterable[Tally]:
        """The limits on the sheet, with what these orders use of each."""
        return ()

    def ties(self, sight: Any, side: str, orders: Sequence[Any]) -> Iterable[Tie]:
        """The units that these orders tie to one another."""
        return ()

    def handed_in(self, game: Any, sheets: Mapping[str, tuple[Any, ...]]) -> None:
        """Carry the orders over into the state after all sides have handed in."""

    # --- what the kernel asks -----------------------------------------------------------------------------

    def asks(self, sight: Any) -> tuple[str, ...]:
        """The sides that have not handed in."""
        return self.waiting

    def acts(self, sight: Any, side: str, actor: str) -> Iterator[Offer]:
        """Any sheet that is allowed; the empty one where no unit may be given an order."""
        if actor != NOBODY:
            return
        least = self.commit()(orders=self.least(sight, side))
        choices = (tuple(self.orders(sight, side, unit)) for unit in self.units(sight, side))
        orders = tuple(found for found in choices if found)
        yield Sheet(least, orders) if orders else least

    @classmethod
    def commit(cls) -> type[Commit]:
        """The action that hands in a sheet of this plot."""
        (found,) = (act for act in cls.takes if issubclass(act, Commit))
        return found

    def refusal(self, sight: Any, side: str, action: Any) -> Refusal | None:
        """Reject a sheet with other actions than orders, two orders for a unit, or orders that are not allowed."""
        if action.salt and not _SALT.fullmatch(action.salt):
            return Refusal("A salt has 32 hexadecimal digits", PROCEDURE)
        if not all(isinstance(order, self.writes) for order in action.orders):
            return Refusal("This is not a sheet of orders", PROCEDURE)
        units = [order.unit for order in action.orders]
        if twice := next((unit for unit in units if units.count(unit) > 1), None):
            return Refusal("{} has two orders", PROCEDURE, (twice,))
        bad = (self.bad_order(sight, side, order) for order in action.orders)
        return next((refusal for refusal in bad if refusal), None) or self.bad_sheet(sight, side, action.orders)

    def play(self, game: Any, action: Any) -> None:
        """Take the sheet; when it is the last one, go on."""
        side = game.actor
        waiting = tuple(other for other in self.waiting if other != side)
        after = replace(self, waiting=waiting, sheets=(*self.sheets, (side, action.orders)))
        game.swap(after)
        if not waiting:
            after.handed_in(game, dict(after.sheets))
            game.pop()

    def seen_by(self, side: str) -> Frame:
        """The plot with the side's own sheet only."""
        return replace(self, sheets=tuple(row for row in self.sheets if row[0] == side))
