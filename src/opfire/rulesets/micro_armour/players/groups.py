"""Movement groups of the computer players: many stands for one order, which stay together on their way."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from opfire.core.actions import Choices
from opfire.core.places import INCH, Point
from opfire.core.ruleset import Suggestion
from opfire.kit.thinking.views import middle
from opfire.rulesets.micro_armour.cohesion import SUCCESS
from opfire.rulesets.micro_armour.moving.marching import Move
from opfire.rulesets.micro_armour.moving.movement import Order, group_of, movement_roll
from opfire.rulesets.micro_armour.pieces import Position, Side, Stand, UnitId, adjacent
from opfire.rulesets.micro_armour.players.closing import place_of
from opfire.rulesets.micro_armour.players.hunting import hunts, within
from opfire.rulesets.micro_armour.players.worth import chance, worth
from opfire.space.measure import square
from opfire.space.squares import around

Goal = Callable[[Position, Stand, Point], Point | None]
"""The place that a stand goes for, from a point."""

MOST = 16
"""The stands of a movement group at most."""

PACE, SHORT = 0.7, 5
"""The part of its movement that a stand makes good in a turn, and the range at which it can fight (inches)."""


def orders(sight: Position, side: Side, choices: Choices) -> list[Suggestion]:
    """The order to the group of which most can be expected to move, by worth."""
    found = [action for action in choices if isinstance(action, Order)]
    best = max(found, key=lambda order: _expected(sight, side, sight.units[order.unit]), default=None)
    return [] if best is None else [Suggestion(best, 0.0, "most of them will move")]


def _expected(sight: Position, side: Side, unit: Stand) -> float:
    """The worth of the stands of a group that will pass their roll; empty carriers count nothing, nor do stands that
    come too late.
    """
    group, independent = group_of(sight, unit), not sight.orders.get(side, 0)
    useful = (each for each in group if (each.kind.armed or each.cargo) and arrives(sight, each))
    return sum(worth(each) * chance(movement_roll(sight, each, group, independent), SUCCESS) for each in useful)


def arrives(sight: Position, unit: Stand) -> bool:
    """Return whether a stand can come near an enemy before the end of the game."""
    moves = PACE * (sight.setting.scenario.turns - sight.turn) * (unit.kind.mov_points or 0)
    return within(sight, unit, round((moves + SHORT) * INCH))


def mates(sight: Position, unit: Stand) -> list[Stand]:
    """The stands of the group of a stand that have gone ahead in this phase."""
    own = (each for each in sight.of(unit.side) if each.group == unit.group and each.id != unit.id)
    return [each for each in own if each.gone and each.at is not None]


def has_closed_up(sight: Position, unit: Stand) -> bool:
    """Return whether a stand on its way has come up to its group."""
    return bool(unit.gone) and any(adjacent(unit, mate) for mate in mates(sight, unit))


def beside(sight: Position, unit: Stand, aim: Point) -> Iterator[Move]:
    """The legs to places beside the stands that have gone ahead, those nearest to the goal first."""
    assert unit.at is not None
    near = square(unit.at, aim) - INCH * INCH
    places = ((to, mate.facing) for mate in mates(sight, unit) for to in around(mate.at or unit.at, mate.facing))
    for to, facing in sorted(places, key=lambda place: (square(place[0], aim), place)):
        if square(to, aim) < near and to in sight.table:
            yield Move(unit.id, to, facing)


def leads(sight: Position, unit: Stand) -> bool:
    """Return whether a stand is a headquarters of hunters: it goes with every group that is formed around it."""
    return bool(unit.rank) and hunts(sight, unit.side)


def in_order(sight: Position, side: Side, names: list[UnitId], goal: Goal) -> list[UnitId]:
    """The stands of a group of hunters in the order in which they move, so that they stay in contact.

    The one in the middle goes first, then those beside its line to the goal; a general headquarters only if alone.
    """
    if len(names) < 2 or not hunts(sight, side):
        return names
    units = sight.pick(names)
    first, ahead = units[0], mates(sight, units[0])
    units = [unit for unit in units if unit.rank != "GHQ"] or units
    if not ahead:
        centre = middle([place_of(unit) for unit in units])
        return [unit.id for unit in sorted(units, key=lambda unit: (square(place_of(unit), centre), unit.id))]
    x, y = place_of(ahead[0])
    to = goal(sight, first, place_of(first)) or place_of(first)
    return [unit.id for unit in sorted(units, key=lambda unit: (_aside(place_of(unit), (x, y), to), unit.id))]


def _aside(at: Point, start: Point, to: Point) -> int:
    """The distance of a point from the line between two others, in a measure for comparison alone."""
    return abs((at[0] - start[0]) * (to[1] - start[1]) - (at[1] - start[1]) * (to[0] - start[0]))
