"""Standing orders: which reaction windows are worth a question, when only so many are wanted in a player turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Literal

import msgspec

from opfire.core.actions import Action
from opfire.core.events import Event
from opfire.core.flow import Frame

Count = Annotated[int, msgspec.Meta(ge=0)]


class Orders(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which shots are worth a question.

    `fire`: ask, never fire, or always take the best shot. `at`: fire at everything, at vehicles, at armour.
    `least_chance` is the percentage of any effect below which a shot is let go, `within` the hexes from firer to
    mover beyond which it is (0: any). `again` says when to ask once more about a unit that was let pass: when it has
    come nearer, or at every step. `most` is how many questions a player turn, or the enemy's segments in a row, may
    bring (0: any number). `units` overrides for single units.
    """

    fire: Literal["ask", "never", "always"] = "ask"
    at: Literal["all", "vehicles", "armour"] = "all"
    least_chance: int = 34
    within: Count = 0
    again: Literal["nearer", "always"] = "nearer"
    most: Count = 10
    units: dict[str, Literal["ask", "never"]] = {}


class Ask(msgspec.Struct, frozen=True):
    """Put the question: the best shot in it has this chance of an effect."""

    chance: Fraction


class Spare(msgspec.Struct, frozen=True):
    """Answer with `action`, to save questions for better shots; the seat learns so once in a player turn."""

    action: Action
    notice: Event


class Asked(msgspec.Struct, frozen=True):
    """A question that its seat answered itself, in the present player turn."""

    frame: Frame
    chance: Fraction
    passed: bool


Answer = Action | Ask | Spare | None
"""What orders say to a question: an answer to it, that it is put, that it is spared; None if it is none of theirs."""


def scarce(most: int, spent: int) -> bool:
    """Whether half of the `most` questions (0: any number) are spent, so that the rest wants care.

    >>> [scarce(10, spent) for spent in (4, 5)], scarce(0, 99)
    ([False, True], False)
    """
    return bool(most) and spent >= most // 2


def worth_a_question(chance: Fraction, least: int, most: int, spent: int) -> bool:
    """Whether a shot with this chance is asked about when `spent` of `most` questions have been put.

    From `least` per cent on while questions are plenty; then the bar rises evenly towards certainty, so that a good
    shot still finds a question left. After the last nothing is asked about.

    >>> [spent for spent in range(12) if worth_a_question(Fraction(2, 3), 34, 10, spent)]
    [0, 1, 2, 3, 4, 5, 6, 7]
    """
    if most and spent >= most:
        return False
    bar = Fraction(least)
    if scarce(most, spent):
        bar += Fraction((100 - least) * (spent - most // 2), most - most // 2)
    return chance * 100 >= bar


def judged(
    orders: Orders,
    chances: Mapping[Action, Fraction],
    passing: Action,
    passed: Sequence[Asked],
    nearer: Callable[[], bool],
    spent: int,
    notice: Callable[[Fraction], Event],
) -> Answer:
    """What orders say to a window in which these shots are wanted, with their chances of an effect.

    `passed` are the questions about the same mover that were answered with a pass, `nearer` tells whether it has come
    nearer since; `spent` counts all questions so far, and `notice` tells of a shot that is let go to save one.
    """
    worth = {shot: chance for shot, chance in chances.items() if chance * 100 >= orders.least_chance}
    if orders.fire == "never" or not worth:
        return passing
    best = max(worth, key=lambda shot: worth[shot])
    if orders.fire == "always":
        return best
    if orders.again == "nearer" and not nearer():
        return passing
    chance = worth[best]
    better = all(chance > each.chance for each in passed) or not scarce(orders.most, spent)
    if better and worth_a_question(chance, orders.least_chance, orders.most, spent):
        return Ask(chance)
    return Spare(passing, notice(chance))
