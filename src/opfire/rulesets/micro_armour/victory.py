"""Victory: the scenario's conditions, counted in stands; control of objectives: RULINGS.md R11."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from opfire.core.game import Outcome
from opfire.core.places import INCH, Point
from opfire.core.scenario import Victory
from opfire.core.texts import Text
from opfire.kit import scoring
from opfire.rulesets.micro_armour import decisions
from opfire.rulesets.micro_armour.pieces import Position, Side, Stand
from opfire.space.measure import square

NEAR = 2 * INCH
"""A stand holds an objective that is at most this far from its centre (1/1000 inch): RULINGS.md R11."""

TERMS = scoring.Terms("Hold", "Eliminate enemy stands", "stand", NEAR)
"""The words of this book for its victory conditions."""


def settle_control(position: Position) -> None:
    """Note the holder of each objective: the only side with an unshaken armed stand at it: RULINGS.md R11."""
    for name, at in position.setting.objectives.items():
        holders = {unit.side for unit in position.all() if holds(unit, at)}
        if len(holders) == 1:
            position.control[name] = holders.pop()


def holds(unit: Stand, at: Point) -> bool:
    """Return whether a stand holds an objective."""
    return unit.at is not None and unit.kind.armed and not unit.disorganized and square(unit.at, at) <= NEAR**2


def sources(position: Position, condition: Victory) -> Iterator[tuple[str, int]]:
    """Everything that a condition counts: objectives held, stands exited or eliminated."""
    if condition.condition == "control":
        return scoring.held(condition, position.control)
    own, others = (position.pick(position.setting.ids[side]) for side in _sides(position, condition.side))
    gone = scoring.gone(condition, own, others, position.left)
    return ((unit.id, 1) for unit in gone if scoring.counts(condition, (unit.kind.id, unit.kind.kind)))


def have(position: Position, condition: Victory) -> int:
    """The amount of a condition that is met."""
    return scoring.amount(sources(position, condition))


def _sides(position: Position, side: Side) -> tuple[Side, Side]:
    return side, position.setting.other[side]


def scores(position: Position) -> Mapping[Side, int]:
    """Victory points of each side so far."""
    return scoring.scores(position.setting.scenario, partial(have, position))


def outcome(position: Position) -> Outcome:
    """The end of the game: by the scenario's decisions, else by points."""
    if position.setting.sections.decisions:
        return decisions.outcome(position)
    return scoring.outcome(position.setting.scenario, scores(position))


def reason(position: Position) -> Text:
    """The reason of that end."""
    if position.setting.sections.decisions:
        return decisions.reason(position)
    return scoring.reason(position.setting.scenario, scores(position))
