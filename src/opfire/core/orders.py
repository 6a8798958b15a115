"""The answers of standing orders to a question: an answer, the question put to the seat, or the question spared."""

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
"""The verdict of orders on a question: an answer, the question put, the question spared; None if no order covers it."""
