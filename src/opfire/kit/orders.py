"""Standing orders: the reaction windows that are worth a question, when a player turn may bring only a few."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Literal, NamedTuple, Protocol, TypeVar

import msgspec

from opfire.core.actions import Action
from opfire.core.events import Event
from opfire.core.orders import Answer, Ask, Asked, Spare
from opfire.core.places import Place, Point
from opfire.kit.stacks import Side, UnitId
from opfire.space.measure import MICRO, length

Count = Annotated[int, msgspec.Meta(ge=0, le=1000)]
Percent = Annotated[int, msgspec.Meta(ge=0, le=100)]
Targets = Literal["all", "vehicles", "armour"]
P = TypeVar("P", bound=Place)
At = TypeVar("At", bound=Place, covariant=True)


class Pass(Action, frozen=True):
    """Let the chance to fire pass."""

    says = "Hold fire"
    later = "No shot now; you may be asked again at the next chance."
    kind = "pass"


class Ambush(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The orders of units that the enemy has not seen: they hold their fire unless ordered otherwise.

    `fire`: hold it, fire the best shot without a question, or ask at every step of the enemy, whatever they could do.
    The other fields say which shots are fired without a question, as in `Orders`.
    """

    fire: Literal["hold", "fire", "ask"] = "hold"
    at: Targets = "all"
    least_chance: Percent = 34
    within: Count = 0


class Orders(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The shots that are worth a question.

    `fire`: ask, never fire, or always take the best shot. `at`: fire at everything, at vehicles, at armour.
    `least_chance` is the percentage of any effect below which a shot is passed up, `within` the hexes (on a table the
    inches) from firer to mover beyond which it is (0: any). `again` says when to ask once more about a unit that was
    let pass: after it has come nearer, or at every step. `most` is the number of questions that a player turn, or the
    enemy's segments in a row, may bring (0: any number). `units` overrides for single units. All this is for units that
    the enemy knows of; `hidden` is for the others.
    """

    fire: Literal["ask", "never", "always"] = "ask"
    at: Targets = "all"
    least_chance: Count = 34
    within: Count = 0
    again: Literal["nearer", "always"] = "nearer"
    most: Count = 10
    units: dict[str, Literal["ask", "never"]] = {}
    hidden: Ambush = Ambush()

    def silent(self, units: Iterable[UnitId]) -> bool:
        """Whether one of these units is never to fire."""
        return any(self.units.get(unit) == "never" for unit in units)


COMPUTER = Orders(hidden=Ambush(fire="ask"))
"""The orders of a computer player: it springs its ambushes itself, asked at every step, so that no pause tells."""


class Window(Protocol[At]):
    """A frame that asks a side whether to fire at units that have moved to a place."""

    @property
    def side(self) -> Side:
        """The side that is asked."""
        ...

    @property
    def movers(self) -> tuple[UnitId, ...]:
        """The units that moved, the first of which stands for all."""
        ...

    @property
    def hex(self) -> At:
        """The hex that they have entered; on a table the point at which they are."""
        ...


FAR_AWAY = 999
"""More inches than any table has."""


class Occasion(NamedTuple):
    """A window on a table as standing orders see it: the side asked, the enemies it may fire at, and their place."""

    side: Side
    movers: tuple[UnitId, ...]
    hex: Point


def inches(a: Point, b: Point | None) -> int:
    """Return the inches between two places, rounded up; a stand off the table is `FAR_AWAY`.

    >>> inches((0, 0), (1500, 0)), inches((0, 0), None)
    (2, 999)
    """
    return FAR_AWAY if b is None else -(-length(a, b) // MICRO)


def scarce(most: int, spent: int) -> bool:
    """Whether half of the `most` questions (0: any number) are spent, so that the rest need care.

    >>> [scarce(10, spent) for spent in (4, 5)], scarce(0, 99)
    ([False, True], False)
    """
    return bool(most) and spent >= most // 2


def worth_a_question(chance: Fraction, least: int, most: int, spent: int) -> bool:
    """Whether to ask about a shot with this chance when `spent` of `most` questions have been put.

    The bar is at `least` per cent while questions are plenty; then it rises evenly towards certainty, so that a good
    shot still finds a question left. After the last question no shot is asked about.

    >>> [spent for spent in range(12) if worth_a_question(Fraction(2, 3), 34, 10, spent)]
    [0, 1, 2, 3, 4, 5, 6, 7]
    """
    if most and spent >= most:
        return False
    bar = Fraction(least)
    if scarce(most, spent):
        bar += Fraction((100 - least) * (spent - most // 2), most - most // 2)
    return chance * 100 >= bar


def wants(
    orders: Orders | Ambush,
    units: Sequence[UnitId],
    targets: Iterable[tuple[bool, bool]],
    distance: Callable[[UnitId], int],
) -> bool:
    """Return whether the orders let these units fire at any of the targets, whatever the chance.

    Each target is given as two facts: vehicle or not, armoured or not; `distance` is from a unit to the mover.
    """
    return any(_fires_at(orders, *target) for target in targets) and not (
        orders.within and max(map(distance, units)) > orders.within
    )


def _fires_at(orders: Orders | Ambush, vehicle: bool, armoured: bool) -> bool:
    return {"all": True, "vehicles": vehicle, "armour": armoured}[orders.at]


def judged(
    window: Window[P],
    orders: Orders,
    chances: Mapping[Action, Fraction],
    passing: Action,
    asked: Sequence[Asked],
    nearest: Callable[[P], int],
    notice: Callable[[Fraction], Event],
) -> Answer:
    """The answer of orders to a window in which these shots are wanted, with their chances of an effect.

    `asked` are the questions so far, of which those worth nothing do not count; `nearest` gives the distance from a
    place to the nearest unit that can still fire, and `notice` tells of a shot passed up to save a question.
    """
    worth = {shot: chance for shot, chance in chances.items() if chance * 100 >= orders.least_chance}
    if orders.fire == "never" or not worth:
        return passing
    best = max(worth, key=lambda shot: worth[shot])
    if orders.fire == "always":
        return best
    asked = [each for each in asked if each.chance]
    passed = list(_let_pass(window, asked))
    if orders.again == "nearer" and not all(nearest(window.hex) < nearest(hex) for _, hex in passed):
        return passing
    chance, spent = worth[best], len(asked)
    better = all(chance > before for before, _ in passed) or not scarce(orders.most, spent)
    if better and worth_a_question(chance, orders.least_chance, orders.most, spent):
        return Ask(chance)
    return Spare(passing, notice(chance))


def from_hiding(orders: Orders, chances: Mapping[Action, Fraction], lurking: bool, open: Answer) -> Answer:
    """The answer for the units in hiding, where `open` is the answer for all others.

    `chances` are those of the shots that their own orders want; `lurking` is whether the side has units in hiding at
    all, which everybody knows. A question that this alone has put is worth nothing, and spends none of the `most`.
    """
    worth = {shot: chance for shot, chance in chances.items() if chance * 100 >= orders.hidden.least_chance}
    if orders.hidden.fire == "fire" and worth:
        return max(worth, key=lambda shot: worth[shot])
    fires = isinstance(open, Action) and open.kind != "pass"
    if orders.hidden.fire == "ask" and lurking and not (fires or isinstance(open, Ask)):
        return Ask(Fraction(0))
    return open


def _let_pass(window: Window[P], asked: Sequence[Asked]) -> Iterator[tuple[Fraction, P]]:
    """The chances at which the same mover was let pass before, and the places."""
    for each in asked:
        earlier = each.frame
        if each.passed and isinstance(earlier, type(window)) and earlier.movers[:1] == window.movers[:1]:
            yield each.chance, earlier.hex


def spared(text: str, rule: str, window: Window[Place], mover: str, spent: int, most: int, chance: Fraction) -> Event:
    """Tell a seat that a shot is passed up to keep a question for a better one.

    `text` has gaps for the side, the mover's name, the chance in per cent, the questions spent and the limit.
    """
    facts = (window.side.capitalize(), mover, round(chance * 100), spent, most)
    return Event("orders", text, facts, rule, window.movers, (window.hex,), only=(window.side,))
