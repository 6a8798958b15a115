"""An attack that is put together: units join it one by one, then its side confirms it.

The frame belongs to the chapter, with its target, its units and both of its checks. The functions here are the
procedure around them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from opfire.core.actions import PROCEDURE, Action, Refusal
from opfire.core.flow import Frame
from opfire.kit.stacks import Member, Side, UnitId

U = TypeVar("U", bound=Member)


def offered(frame: Frame, sight: Any, side: Side, action: Action) -> Iterator[Action]:
    """The action, unless the frame refuses it: a unit joins, or the attack is confirmed."""
    if frame.refusal(sight, side, action) is None:
        yield action


def judged(
    action: Any,
    units: Mapping[UnitId, U],
    cannot_join: Callable[[U], Refusal | None],
    cannot_go: Callable[[], Refusal | None],
) -> Refusal | None:
    """Judge a unit that joins by the one check, and the confirmation, which names no unit, by the other."""
    joining: UnitId | None = getattr(action, "unit", None)
    return cannot_go() if joining is None else cannot_join(units[joining])


def takes_part(unit: Member, joined: Collection[UnitId]) -> Refusal | None:
    """Reject a unit that has joined already."""
    return Refusal("{} already takes part", PROCEDURE, (unit.name,)) if unit.id in joined else None


def common_calibre(bores: Iterable[float]) -> float:
    """The calibre in mm that all guns of an attack have; 0 where one is not known or where they differ."""
    known = set(bores)
    return known.pop() if len(known) == 1 else 0
