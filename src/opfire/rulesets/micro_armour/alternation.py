"""Sides that take turns within a phase until both have passed [7.1.1-alternate, 7.1.1-pass]."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

from msgspec.structs import replace

from opfire.core.actions import Action
from opfire.rulesets.micro_armour.pieces import Side


class Begin(Action, frozen=True):
    """Say which side acts first in this phase: the side with the initiative decides [7.1.1-alternate]."""

    says = "{first} acts first"
    kind = "done"
    first: Side


class Pass(Action, frozen=True):
    """Pass: the side does nothing more in this phase [7.1.1-pass]."""

    says = "Pass: no more in this phase"
    kind = "done"
    final = True


class Alternating(Protocol):
    """A frame in which sides take turns: the side on turn, and the sides that have passed."""

    @property
    def side(self) -> Side:
        """The side on turn."""
        ...

    @property
    def passed(self) -> tuple[Side, ...]:
        """The sides that have passed."""
        ...


F = TypeVar("F", bound=Alternating)


def next_turn(frame: F, other: Mapping[Side, Side]) -> F:
    """The frame after an action: the other side is on turn, unless it has passed [7.1.1-alternate]."""
    enemy = other[frame.side]
    return frame if enemy in frame.passed else _replaced(frame, side=enemy)


def after_pass(frame: F, other: Mapping[Side, Side]) -> F | None:
    """The frame after a pass; None after the second one, which ends the phase [7.1.1-pass]."""
    enemy = other[frame.side]
    if enemy in frame.passed:
        return None
    return _replaced(frame, side=enemy, passed=(*frame.passed, frame.side))


def _replaced(frame: F, **values: Any) -> F:
    changed: F = replace(frame, **values)  # type: ignore[type-var]
    return changed
