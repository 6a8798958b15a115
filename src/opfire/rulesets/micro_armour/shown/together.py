"""Postures of many stands at one word: the marks of single stands and of groups that lead to them [8.1-mark, 8.1.1]."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from opfire.core.actions import Action, Refusal
from opfire.core.flow import Frame
from opfire.core.texts import say
from opfire.rulesets.micro_armour.pieces import Position, Posture, Side, Stand, UnitId, adjacent
from opfire.rulesets.micro_armour.postures import (
    MOVING,
    FormGroup,
    JoinGroup,
    Mark,
    PostureDetermination,
    cannot_mark,
)

TITLES = {"movement": "Movement posture", "fire/move": "Fire/move posture"}


def able(sight: Position, side: Side, frame: Frame | None) -> list[UnitId]:
    """The stands that this side may mark in this phase, alone or in groups; none while it is not on turn."""
    if not isinstance(frame, PostureDetermination) or frame.side != side:
        return []
    return [unit.id for unit in sight.of(side) if cannot_mark(sight, side, unit, "movement") is None]


def together(sight: Position, side: Side, frame: Frame | None, units: Sequence[UnitId]) -> dict[str, Any]:
    """The postures that some of these stands may take now, each with the steps to it; the reason against the others."""
    if not isinstance(frame, PostureDetermination) or frame.side != side:
        return {"ways": [], "barred": []}
    stands = list(sight.pick(dict.fromkeys(units)))
    ways = [way for posture in MOVING if (way := _way(sight, side, frame, stands, posture))["units"]]
    marked = {name for way in ways for name in way["units"]}
    return {"ways": ways, "barred": [_barred(sight, side, frame, unit) for unit in stands if unit.id not in marked]}


def _way(
    sight: Position, side: Side, frame: PostureDetermination, stands: Iterable[Stand], posture: Posture
) -> dict[str, Any]:
    """A posture with the stands that may take it, and the steps."""
    free = [unit for unit in stands if cannot_mark(sight, side, unit, posture) is None]
    groups = [group for group in _groups(free) if len(group) > 1] if frame.groups else [[unit] for unit in free]
    steps = [step for group in groups for step in _marks(group, posture, frame)]
    return {"label": say(TITLES[posture]), "units": [unit.id for group in groups for unit in group], "steps": steps}


def _groups(stands: Iterable[Stand]) -> Iterator[list[Stand]]:
    """Stands in base contact, from each to the next [8.1.1]: every stand after the first touches one before it."""
    left = list(stands)
    while left:
        group = [left.pop(0)]
        for unit in group:
            near = [other for other in left if adjacent(unit, other)]
            group.extend(near)
            left = [other for other in left if other not in near]
        yield group


def _marks(group: Sequence[Stand], posture: Posture, frame: PostureDetermination) -> Iterator[Action]:
    """The actions that mark a group, or a single stand once no more groups are formed [8.1.1]."""
    first, *others = group
    yield Mark(first.id, posture)
    yield from (JoinGroup(unit.id) for unit in others)
    if frame.groups:
        yield FormGroup()


def _barred(sight: Position, side: Side, frame: PostureDetermination, unit: Stand) -> dict[str, Any]:
    """The reason for which a stand takes no posture with the others."""
    refusal = frame.refusal(sight, side, Mark(unit.id, "movement"))
    refusal = refusal or Refusal("{} touches none of these stands", "8.1.1", (unit.name,))
    return {"unit": unit.id, "text": refusal.sentence(), "rule": refusal.rule}
