"""The rolls of overruns and close assaults [8.7.8, 8.8.3], each with that which follows if it is reached."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from opfire.core.actions import Action
from opfire.core.flow import Frame
from opfire.core.texts import Text
from opfire.rulesets.micro_armour.close.close_assault import (
    Assault,
    Resolve,
    StrikeBack,
    assault_roll,
    assaulters,
    courage_roll,
    responds,
    response_roll,
)
from opfire.rulesets.micro_armour.close.overrun import Overrun, answer_roll, attack_roll, defence_roll, nerve_roll
from opfire.rulesets.micro_armour.pieces import Position, Stand
from opfire.rulesets.micro_armour.shown.chances.told import Rolling, Told


def _overrun(sight: Position, frame: Frame, action: Overrun) -> Told:
    """The contest after all movement: the defender's roll and the vehicle's, each with the fire of the other side."""
    vehicle, target = sight.units[action.unit], sight.units[action.target]
    yield target.name, defence_roll(sight, target, vehicle)
    yield Text("{}: if it fails", (target.name,)), attack_roll(sight.charts)
    yield vehicle.name, nerve_roll(sight, vehicle, target)
    yield Text("{}: if it fails", (vehicle.name,)), answer_roll(sight, target)


def _declared(sight: Position, frame: Frame, action: Assault) -> Told:
    """All rolls of an assault that is declared, of this stand alone."""
    target, unit = sight.units[action.target], sight.units[action.unit]
    yield from _assault(sight, target, [replace(unit, assaults=target.id)])


def _resolved(sight: Position, frame: Frame, action: Resolve) -> Told:
    """All rolls of an assault [8.8.3], of every stand that makes it [8.8.6]."""
    target = sight.units[action.target]
    yield from _assault(sight, target, assaulters(sight, target))


def _struck_back(sight: Position, frame: Frame, action: StrikeBack) -> Told:
    """The attack of the defender [8.8.3-2], and then the rolls of those that assault it."""
    unit, target = sight.units[action.unit], sight.units[action.target]
    yield Text("{} at {}", (unit.name, target.name)), assault_roll(sight, unit, target)
    yield from _attacks(sight, unit, assaulters(sight, unit))


def _assault(sight: Position, target: Stand, stands: list[Stand]) -> Told:
    if responds(sight, target):
        yield Text("{}: to respond", (target.name,)), response_roll(sight, target)
        for unit in stands:
            words = Text("{}: if it responds, at {}", (target.name, unit.name))
            yield words, assault_roll(sight, target, unit)
    yield from _attacks(sight, target, stands)


def _attacks(sight: Position, target: Stand, stands: Iterable[Stand]) -> Told:
    """The roll of each assaulter to attack, and its attack [8.8.3-3, 8.8.3-4]."""
    for unit in stands:
        yield Text("{}: to attack", (unit.name,)), courage_roll(sight, unit)
        yield Text("{}: if it attacks", (unit.name,)), assault_roll(sight, unit, target)


ROLLS: Mapping[type[Action], Rolling] = {
    Overrun: _overrun,
    Assault: _declared,
    Resolve: _resolved,
    StrikeBack: _struck_back,
}
"""The rolls of each kind of action."""
