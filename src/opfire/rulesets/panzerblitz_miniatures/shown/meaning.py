"""The meanings of a click: the actions that it could stand for, impossible ones too."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product
from typing import Any

from opfire.core.actions import Action
from opfire.core.flow import Frame
from opfire.core.places import Point
from opfire.kit import shown as kit
from opfire.rulesets.panzerblitz_miniatures.fire.aiming import manners
from opfire.rulesets.panzerblitz_miniatures.moving.manoeuvres import Turn
from opfire.rulesets.panzerblitz_miniatures.pieces import Position, Side, Stand, UnitId
from opfire.space.measure import bearing, square


class Clicked:
    """The own stands, enemies, works and points under a click."""

    def __init__(self, sight: Position, side: Side, what: Iterable[Any]) -> None:
        things = list(what)
        self.sight, self.side = sight, side
        units = [sight.units[name] for name in things if isinstance(name, str) and name in sight.units]
        self.own = [unit.id for unit in units if unit.side == side]
        self.others = [unit.id for unit in units if unit.side != side]
        self.works = [name for name in things if isinstance(name, str) and name in sight.works]
        self.points: list[Point] = [at for at in things if not isinstance(at, str) and at in sight.table]

    @property
    def at(self) -> Point | None:
        """The point under the click, or that of the first enemy."""
        spots = [*self.points, *(self.sight.units[name].at for name in self.others)]
        return next((at for at in spots if at is not None), None)

    def movers(self, frame: Frame) -> list[UnitId]:
        """The own stands that are meant: the clicked ones, the one under way, or the nearest of those asked."""
        under_way = getattr(frame, "unit", "")
        if self.own or under_way in self.sight.units:
            return self.own or [under_way]
        at = self.at
        if at is None:
            return []
        names = [name for name in frame.actors(self.sight, self.side) if name in self.sight.units]
        return kit.nearest({name: _far(self.sight.units[name], at) for name in names})

    def weapons(self, frame: Frame) -> list[str]:
        """The weapons of the aircraft that are meant."""
        arms = (arm.weapon for name in self.movers(frame) for arm in self.sight.units[name].arms)
        return list(dict.fromkeys(arms))


def meant(sight: Position, side: Side, frame: Frame, what: Iterable[Any]) -> list[Action]:
    """Actions of this frame that a click on these stands or points could mean, impossible ones too."""
    click = Clicked(sight, side, what)
    found = _found(click, frame)
    if not found and click.own:
        click.others = _foes_of(click)
        found = _found(click, frame)
    return found


def _found(click: Clicked, frame: Frame) -> list[Action]:
    return list(dict.fromkeys(action for kind in frame.takes for action in _filled(click, frame, kind)))


def _foes_of(click: Clicked) -> list[UnitId]:
    """The enemies that are nearest to the clicked stand, on which it might act."""
    at = click.sight.units[click.own[0]].at
    foes = [unit for unit in click.sight.units.values() if unit.side != click.side and unit.at is not None]
    return kit.nearest({foe.id: _far(foe, at) for foe in foes}) if at else []


def _filled(click: Clicked, frame: Frame, kind: type[Action]) -> Iterator[Action]:
    """The actions of a kind that use something under the click beyond the stand that acts."""
    fields = [field for field in kind.__struct_fields__ if field != "facing"]
    if not fields or any(field not in _VALUES for field in fields):
        return
    if kind is Turn:
        yield from _turns(click, frame)
        return
    if click.others + click.points and set(fields) == {"unit"}:
        return  # the click was about something else
    for values in product(*(_VALUES[field](click, frame) for field in fields)):
        yield kind(**dict(zip(fields, values, strict=True)), **_facing(click, kind, values))


def _turns(click: Clicked, frame: Frame) -> Iterator[Turn]:
    """A gun turns towards the point or the enemy under the click."""
    units = click.sight.pick(click.movers(frame)) if click.at is not None else []
    for unit in units:
        if unit.at is not None and click.at is not None:
            yield Turn(unit.id, bearing(unit.at, click.at))


def _facing(click: Clicked, kind: type[Action], values: tuple[Any, ...]) -> dict[str, int]:
    """The facing in which a stand would arrive: the direction of its leg, or its own if it goes nowhere."""
    if "facing" not in kind.__struct_fields__:
        return {}
    unit, to = click.sight.units[values[0]], values[-1]
    if unit.at is None or unit.at == to or isinstance(to, str):
        return {"facing": unit.facing}
    return {"facing": bearing(unit.at, to)}


def _targets(click: Clicked, frame: Frame) -> list[str]:
    return [*click.others, *click.works]


def _passengers(click: Clicked, frame: Frame) -> list[str]:
    """The stands that may be taken aboard or set down: the clicked ones, and those aboard the movers."""
    aboard = (name for unit in click.sight.pick(click.movers(frame)) for name in unit.cargo)
    return list(dict.fromkeys([*click.own, *aboard]))


def _far(unit: Stand, at: Point) -> int:
    return square(unit.at, at) if unit.at is not None else 0


def _manners(click: Clicked, frame: Frame) -> list[str]:
    """The manners of fire of the stands that may be meant."""
    units = click.sight.pick(click.movers(frame))
    return list(dict.fromkeys(manner for unit in units for manner in manners(unit)))


_VALUES: Mapping[str, Callable[[Clicked, Frame], list[Any]]] = {
    "unit": lambda click, frame: click.movers(frame),
    "target": _targets,
    "manner": _manners,
    "to": lambda click, frame: click.points,
    "weapon": lambda click, frame: click.weapons(frame),
    "passenger": _passengers,
    "carrier": lambda click, frame: click.own[1:],
}
"""The values that a click gives the fields of actions."""
