"""Victory: the scenario's conditions, counted in stands; control of objectives (RULINGS.md R68)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from opfire.core.game import Outcome
from opfire.core.places import INCH, Point
from opfire.core.scenario import Victory
from opfire.core.texts import Text
from opfire.kit import scoring
from opfire.rulesets.panzerblitz_miniatures.pieces import Position, Side, Stand
from opfire.space.measure import square

NEAR = 2 * INCH
"""A stand holds an objective that is at most this far from its centre (1/1000 inch): RULINGS.md R68."""

TERMS = scoring.Terms("Hold", "Destroy enemy units", "stand", NEAR)
"""The words of this book for its victory conditions."""


def settle_control(position: Position) -> None:
    """Note who holds the objectives: the side with stands at one, if the other has none there: RULINGS.md R68."""
    for name, at in position.setting.objectives.items():
        there = {side for side in position.setting.sides if any(_holds(unit, at) for unit in position.of(side))}
        if len(there) == 1:
            (position.control[name],) = there


def _holds(unit: Stand, at: Point) -> bool:
    """Return whether a stand is at an objective; aircraft and dispersed stands hold nothing."""
    return unit.at is not None and not unit.aircraft and not unit.dispersed and square(unit.at, at) <= NEAR**2


def sources(position: Position, condition: Victory) -> Iterator[tuple[str, int]]:
    """Everything that a condition counts: objectives held, stands exited or eliminated."""
    side = condition.side
    if condition.condition == "control":
        return scoring.held(condition, position.control)
    ids, other = position.setting.ids, position.setting.other[side]
    gone = scoring.gone(condition, position.pick(ids[side]), position.pick(ids[other]), position.left)
    return ((unit.id, 1) for unit in gone if scoring.counts(condition, (unit.counter.id, unit.counter.type)))


def have(position: Position, condition: Victory) -> int:
    """The amount of a condition that is met."""
    return scoring.amount(sources(position, condition))


def scores(position: Position) -> Mapping[Side, int]:
    """Victory points of each side so far."""
    return scoring.scores(position.setting.scenario, partial(have, position))


def outcome(position: Position) -> Outcome:
    """The end of the game [SEQ-2]."""
    return scoring.outcome(position.setting.scenario, scores(position))


def reason(position: Position) -> Text:
    """The end of the game in words."""
    return scoring.reason(position.setting.scenario, scores(position))
