"""Standing orders: which reaction windows are worth a question, when only so many are wanted in a player turn."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from opfire.core.actions import Action
from opfire.core.events import Event
from opfire.core.flow import Frame


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
