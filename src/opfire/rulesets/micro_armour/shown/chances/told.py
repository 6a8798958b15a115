"""The form in which the rolls of an action are told: each with the words that say whose it is, or when it is made."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from opfire.core.events import Calculation
from opfire.core.flow import Frame
from opfire.core.texts import Words
from opfire.rulesets.micro_armour.pieces import Position, Stand

Told: TypeAlias = Iterator[tuple[Words, Calculation]]
"""Rolls in the order in which they are made, no two of them with the same words."""

Rolling: TypeAlias = Callable[[Position, Frame, Any], Told]
"""The rolls that an action of one kind leads to at a frame, as its side knows the position."""


def of_its_unit(roll: Callable[[Position, Stand], Calculation]) -> Rolling:
    """The rolling of actions that lead to one roll, which their unit makes."""

    def told(sight: Position, frame: Frame, action: Any) -> Told:
        unit = sight.units[action.unit]
        yield unit.name, roll(sight, unit)

    return told
