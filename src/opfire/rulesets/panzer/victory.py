"""Victory [2.0, 3.6]: the scenario's conditions, counted in the points of the vehicles."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from opfire.core.game import Outcome
from opfire.core.scenario import Victory
from opfire.kit import scoring
from opfire.rulesets.panzer.pieces import Position, Side


def settle_control(position: Position) -> None:
    """Note who controls the objectives at the end of a turn: the side of the armed vehicles there [3.6]."""
    for hex in sorted(position.setting.objectives):
        sides = {unit.side for unit in position.at(hex) if unit.kind.armed}
        if len(sides) == 1:
            (position.control[hex],) = sides


def have(position: Position, condition: Victory) -> int:
    """The amount of a condition that is met: objectives held, points of vehicles exited or eliminated."""
    side = condition.side
    if condition.condition == "control":
        return scoring.held(condition, position.control)
    ids, other = position.setting.ids, position.setting.other[side]
    gone = scoring.gone(condition, position.pick(ids[side]), position.pick(ids[other]), position.exits)
    guns = (guns for guns in position.batteries.values() if guns.side == other and guns.out)
    shot = sum(each.card.vp for each in guns) if condition.condition == "eliminate" else 0  # 7.28.2-ko
    return shot + sum(unit.kind.pts for unit in gone if scoring.counts(condition, (unit.kind.id, unit.kind.category)))


def scores(position: Position) -> Mapping[Side, int]:
    """Victory points of each side so far."""
    return scoring.scores(position.setting.scenario, partial(have, position))


def outcome(position: Position) -> Outcome:
    """The end of the game [4.6.2]."""
    return scoring.outcome(position.setting.scenario, scores(position))


def in_words(condition: Victory) -> str:
    """A condition as a sentence."""
    return scoring.in_words(condition, "Control", "Eliminate enemy vehicles", "vehicle's point")
