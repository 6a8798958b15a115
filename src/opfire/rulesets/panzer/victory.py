"""Victory [2.0, 3.6]: the scenario's conditions, counted in the points of the vehicles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from opfire.core.game import Outcome
from opfire.core.scenario import Victory
from opfire.core.texts import Text
from opfire.kit import scoring
from opfire.rulesets.panzer.pieces import Hex, Position, Side

TERMS = scoring.Terms("Control", "Eliminate enemy vehicles", "vehicle's point")
"""The words of this book for its victory conditions."""


def settle_control(position: Position) -> None:
    """Note who controls the objectives at the end of a turn: the side of the armed vehicles there [3.6].

    A contested one belongs to nobody; nobody is in a hex that is On Fire, which is contested from next to it.
    When a turn of occupation is over: RULINGS.md R215.
    """
    for hex in sorted(position.setting.objectives):
        sides = armed_sides(position, hex)
        if not sides and any(work.kind == "on fire" for work in position.works.get(hex, ())):
            around = (armed_sides(position, other) for other in position.map.neighbours[hex] if other)
            sides = contested if len(contested := frozenset().union(*around)) > 1 else sides
        if len(sides) == 1:
            (position.control[hex],) = sides
        elif sides:
            position.control.pop(hex, None)


def armed_sides(position: Position, hex: Hex) -> frozenset[Side]:
    """The sides of the armed units in a hex [3.6]."""
    return frozenset(unit.side for unit in position.at(hex) if unit.kind.armed)


def sources(position: Position, condition: Victory) -> Iterator[tuple[str, int]]:
    """Everything that a condition counts: objectives held, vehicles exited or eliminated with their points."""
    side = condition.side
    if condition.condition == "control":
        yield from scoring.held(condition, position.control)
        return
    ids, other = position.setting.ids, position.setting.other[side]
    gone = scoring.gone(condition, position.pick(ids[side]), position.pick(ids[other]), position.exits)
    for unit in gone:
        if scoring.counts(condition, (unit.kind.id, unit.kind.category)):
            yield unit.id, unit.kind.pts
    if condition.condition == "eliminate":
        for name, guns in position.batteries.items():
            if guns.side == other and guns.out:
                yield name, guns.card.vp  # 7.28.2-ko


def have(position: Position, condition: Victory) -> int:
    """The amount of a condition that is met."""
    return scoring.amount(sources(position, condition))


def scores(position: Position) -> Mapping[Side, int]:
    """Victory points of each side so far."""
    return scoring.scores(position.setting.scenario, partial(have, position))


def reason(position: Position) -> Text:
    """The reason of that end."""
    return scoring.reason(position.setting.scenario, scores(position))


def outcome(position: Position) -> Outcome:
    """The end of the game [4.6.2]."""
    return scoring.outcome(position.setting.scenario, scores(position))
