"""Postures of many stands at one word: marks of single stands and of groups, and joining a group [8.1-mark, 8.1.1]."""

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
    Grouping,
    JoinGroup,
    Mark,
    PostureDetermination,
    cannot_mark,
)

TITLES = {"movement": "Movement posture", "fire/move": "Fire/move posture"}


def able(sight: Position, side: Side, frame: Frame | None) -> list[UnitId]:
    """The stands that this side may mark or add to a group, several at a time; none while it is not on turn."""
    match frame:
        case PostureDetermination() if frame.side == side:
            return [unit.id for unit in sight.of(side) if cannot_mark(sight, side, unit, "movement") is None]
        case Grouping() if frame.side == side:
            return [unit.id for unit in _joining(sight, frame, sight.of(side))]
    return []


def together(sight: Position, side: Side, frame: Frame | None, units: Sequence[UnitId]) -> dict[str, Any]:
    """The ways of some of these stands to act now, each with its steps; the reason against the others."""
    stands = list(sight.pick(dict.fromkeys(units)))
    match frame:
        case PostureDetermination() if frame.side == side:
            ways = [_way(sight, side, frame, stands, posture) for posture in MOVING]
        case Grouping() if frame.side == side:
            ways = [_joined(_joining(sight, frame, stands))]
        case _:
            return {"ways": [], "barred": []}
    ways = [way for way in ways if way["units"]]
    able = {name for way in ways for name in way["units"]}
    return {"ways": ways, "barred": [_barred(sight, side, frame, unit) for unit in stands if unit.id not in able]}


def _joining(sight: Position, frame: Grouping, stands: Iterable[Stand]) -> list[Stand]:
    """The stands that can join a group: each touches it, or one that joins before [8.1.1]."""
    group = list(sight.pick(frame.stands))
    left = [unit for unit in stands if cannot_mark(sight, frame.side, unit, frame.posture) is None]
    (first, *_) = _groups([*group, *(unit for unit in left if unit.id not in frame.stands)])
    return [unit for unit in first if unit.id not in frame.stands]


def _joined(stands: Sequence[Stand]) -> dict[str, Any]:
    """The way of stands into the group."""
    names = [unit.id for unit in stands]
    return {"label": say("Join the group"), "units": names, "steps": [JoinGroup(name) for name in names]}


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


def _barred(sight: Position, side: Side, frame: PostureDetermination | Grouping, unit: Stand) -> dict[str, Any]:
    """The reason for which a stand does not act with the others."""
    action = JoinGroup(unit.id) if isinstance(frame, Grouping) else Mark(unit.id, "movement")
    refusal = frame.refusal(sight, side, action)
    refusal = refusal or Refusal("{} touches none of these stands", "8.1.1", (unit.name,))
    return {"unit": unit.id, "text": refusal.sentence(), "rule": refusal.rule}
