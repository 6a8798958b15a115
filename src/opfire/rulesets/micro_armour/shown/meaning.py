"""The meanings of a click: the actions that it could stand for, impossible ones too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

from opfire.core.actions import Action
from opfire.core.flow import Frame
from opfire.core.places import Point
from opfire.rulesets.micro_armour.fire.guns import manners
from opfire.rulesets.micro_armour.pieces import Position, Side, Stand, UnitId
from opfire.rulesets.micro_armour.postures import MOVING
from opfire.space.measure import bearing, square

NEAREST = 3
"""The number of own stands that are tried where a click names an enemy or a point only, and of enemies of an own."""


def meant(sight: Position, side: Side, frame: Frame, what: Iterable[Any]) -> list[Action]:
    """Actions of this frame that a click on these stands or points could mean, impossible ones too."""
    things = list(what)
    units = [sight.units[name] for name in things if isinstance(name, str) and name in sight.units]
    others = [unit.id for unit in units if unit.side != side]
    points = [thing for thing in things if not isinstance(thing, str) and thing in sight.table]
    own = [unit.id for unit in units if unit.side == side]
    movers = own or _nearest(sight, side, frame, [*points, *(unit.at for unit in units if unit.at)])
    about_others = bool(others or points) and not own
    found = [action for kind in frame.takes for action in _filled(sight, kind, movers, others, points, about_others)]
    if not found and own:
        foes = _foes_of(sight, side, sight.units[own[0]])
        found = [action for kind in frame.takes for action in _filled(sight, kind, own, foes, points, about_others)]
    return list(dict.fromkeys(found))


def _foes_of(sight: Position, side: Side, unit: Stand) -> list[UnitId]:
    """The enemies that are nearest to a clicked stand: what it might do is not asked of one alone."""
    if unit.at is None:
        return []
    foes = [
        (square(foe.at, unit.at), foe.id) for foe in sight.units.values() if foe.side != side and foe.at is not None
    ]
    return [name for _, name in sorted(foes)[:NEAREST]]


def _nearest(sight: Position, side: Side, frame: Frame, points: list[Point]) -> list[UnitId]:
    """The stand that acts now, or the nearest of those that are asked."""
    under_way = getattr(frame, "unit", "")
    if under_way in sight.units:
        return [under_way]
    if not points:
        return []
    asked = [sight.units[name] for name in frame.actors(sight, side) if name in sight.units]
    there = sorted((square(unit.at, points[0]), unit.id) for unit in asked if unit.at is not None)
    return [name for _, name in there[:NEAREST]]


def _filled(
    sight: Position, kind: type[Action], movers: list[UnitId], others: list[UnitId], points: list[Point], about: bool
) -> Iterator[Action]:
    """The actions of a kind whose fields a click fills in."""
    fields = kind.__struct_fields__
    if not fields or (about and set(fields) == {"unit"}):
        return
    values: dict[str, list[Any]] = {
        "unit": movers,
        "target": others,
        "to": points,
        "posture": list(MOVING),
        "manner": list(dict.fromkeys(way for name in movers for way in manners(sight, sight.units[name]))),
        "facing": [0],
    }
    if any(field not in values for field in fields):
        return
    for given in product(*(values[field] for field in fields)):
        yield _faced(sight, kind, dict(zip(fields, given, strict=True)))


def _faced(sight: Position, kind: type[Action], given: dict[str, Any]) -> Action:
    """The action, with the facing in which the stand would arrive."""
    if "facing" in given:
        unit = sight.units[given["unit"]]
        moved = unit.at is not None and unit.at != given["to"]
        given["facing"] = bearing(unit.at, given["to"]) if moved and unit.at is not None else unit.facing
    return kind(**given)
