"""Shellfire in the way [7.4.3.4]: the stands of a computer player go round it, or wait until it lifts."""

from __future__ import annotations

from opfire.core.actions import Action
from opfire.core.places import Point
from opfire.rulesets.micro_armour.artillery.effects import known_to
from opfire.rulesets.micro_armour.moving.into_fire import CLOSE, burning
from opfire.rulesets.micro_armour.moving.marching import Move
from opfire.rulesets.micro_armour.pieces import Position, Stand
from opfire.rulesets.micro_armour.shown.moves import reached
from opfire.space.terrain.exact import near
from opfire.space.terrain.reach import Reach


def clear_of_it(sight: Position, unit: Stand) -> Reach:
    """The reach of a stand by ways on which no marker strikes it."""
    return reached(sight, unit, _ahead(sight, unit))


def runs_into_it(sight: Position, action: Action) -> bool:
    """Return whether an action is a leg on which a marker may strike the stand."""
    if not isinstance(action, Move):
        return False
    unit = sight.units[action.unit]
    assert unit.at is not None
    return any(near(at, unit.at, action.to, CLOSE) for at in _ahead(sight, unit))


def _ahead(sight: Position, unit: Stand) -> list[Point]:
    """The places of the markers that would strike a stand: not of those that cover it already."""
    known = known_to(sight, unit)
    return [work.at for work in burning(sight) if work.id not in known]
