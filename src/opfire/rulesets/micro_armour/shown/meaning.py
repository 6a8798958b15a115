"""The meanings of a click: the actions that it could stand for, impossible ones too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, product
from typing import Any

from opfire.core.actions import Action
from opfire.core.flow import Frame
from opfire.core.places import Point
from opfire.kit import shown as kit
from opfire.rulesets.micro_armour.artillery.batteries import is_battery, is_rocket
from opfire.rulesets.micro_armour.artillery.close_support import CloseSupport
from opfire.rulesets.micro_armour.artillery.direct import FireDirect, ProtectiveFire
from opfire.rulesets.micro_armour.artillery.record import assigned
from opfire.rulesets.micro_armour.artillery.sheafs import Pattern
from opfire.rulesets.micro_armour.fire.guns import Manner, manners, no_position
from opfire.rulesets.micro_armour.pieces import Position, Side, Stand, UnitId
from opfire.rulesets.micro_armour.postures import MOVING
from opfire.space.measure import bearing, square


def meant(sight: Position, side: Side, frame: Frame, what: Iterable[Any]) -> list[Action]:
    """Actions of this frame that a click on these stands or points could mean, impossible ones too."""
    things = list(what)
    units = [sight.units[name] for name in things if isinstance(name, str) and name in sight.units]
    points = [thing for thing in things if not isinstance(thing, str) and thing in sight.table]
    there = [unit for unit in sight.all() if unit.at in points]
    others = list(dict.fromkeys(unit.id for unit in (*units, *there) if unit.side != side))
    own = [unit.id for unit in units if unit.side == side]
    movers = own or _nearest(sight, side, frame, [*points, *(unit.at for unit in units if unit.at)])
    about_others = bool(others or points) and not own

    def about(targets: list[UnitId]) -> list[Action]:
        acts = (_filled(sight, kind, movers, targets, points, about_others) for kind in frame.takes)
        return [each for each in dict.fromkeys(chain.from_iterable(acts)) if _of_its_kind(sight, each)]

    return about(others) or (about(_foes_of(sight, sight.units[own[0]])) if own else [])


def _of_its_kind(sight: Position, action: Action) -> bool:
    """Return whether the stand has what the action is about: batteries lay sheafs, close support guns aim [10.8], and
    a mission is left for final protective fire [7.6.1.5].
    """
    match action:
        case FireDirect(unit):
            return is_battery(sight.units[unit])
        case CloseSupport(unit):
            return sight.units[unit].kind.has("close_support")
        case ProtectiveFire(unit):
            return assigned(sight, unit)
    return True


def _foes_of(sight: Position, unit: Stand) -> list[UnitId]:
    """The enemies that are nearest to a clicked stand, on which it might act."""
    if unit.at is None:
        return []
    return kit.nearest({foe.id: square(foe.at, unit.at) for foe in sight.enemies(unit.side) if foe.at is not None})


def _nearest(sight: Position, side: Side, frame: Frame, points: list[Point]) -> list[UnitId]:
    """The stand that acts now, or the nearest of those that are asked."""
    under_way = getattr(frame, "unit", "")
    if under_way in sight.units:
        return [under_way]
    if not points:
        return []
    asked = [sight.units[name] for name in frame.actors(sight, side) if name in sight.units]
    return kit.nearest({unit.id: square(unit.at, points[0]) for unit in asked if unit.at is not None})


def _filled(
    sight: Position, kind: type[Action], movers: list[UnitId], others: list[UnitId], points: list[Point], about: bool
) -> Iterator[Action]:
    """The actions of a kind whose fields a click fills in."""
    if kind is FireDirect:
        yield from _shelling(sight, movers, others, points)
        return
    fields = kind.__struct_fields__
    if not fields or (about and set(fields) == {"unit"}):
        return
    values: dict[str, list[Any]] = {
        "unit": movers,
        "target": others,
        "to": points,
        "posture": list(MOVING),
        "manner": list(dict.fromkeys(way for name in movers for way in _manners(sight, sight.units[name], others))),
        "facing": [0],
    }
    if any(field not in values for field in fields):
        return
    for given in product(*(values[field] for field in fields)):
        yield _faced(sight, kind, dict(zip(fields, given, strict=True)))


def _shelling(sight: Position, guns: list[UnitId], others: list[UnitId], points: list[Point]) -> Iterator[Action]:
    """Direct fire with the first marker on a stand or a point that was clicked, in the plainest sheaf of each gun."""
    stood = [sight.units[name].at for name in guns]
    aims = [at for name in others if (at := sight.units[name].at) is not None]
    for name, at in product(guns, aims or [at for at in points if at not in stood]):
        pattern: Pattern = "open" if is_rocket(sight.units[name]) else "closed"
        yield FireDirect(name, at, pattern, "N")


def _manners(sight: Position, unit: Stand, others: list[UnitId]) -> Iterator[Manner]:
    """The manners in which a stand may fire; at positions only where a target is in one [11.4.5]."""
    dug_in = any(no_position(sight, sight.units[name]) is None for name in others)
    return (way for way in manners(sight, unit) if dug_in or not way.endswith("at position"))


def _faced(sight: Position, kind: type[Action], given: dict[str, Any]) -> Action:
    """The action, with the facing in which the stand would arrive."""
    if "facing" in given:
        unit = sight.units[given["unit"]]
        moved = unit.at is not None and unit.at != given["to"]
        given["facing"] = bearing(unit.at, given["to"]) if moved and unit.at is not None else unit.facing
    return kind(**given)
