"""Reinforcements, and leaving the table [SEQ-2]: RULINGS.md R83, R84."""

from __future__ import annotations

from collections.abc import Iterator

from opfire.core.actions import Action, Refusal
from opfire.core.events import Event
from opfire.core.game import Game
from opfire.core.places import INCH, Point, tenths
from opfire.rulesets.panzerblitz_miniatures.moving.marching import (
    cannot_begin,
    going,
    ground,
    prices,
)
from opfire.rulesets.panzerblitz_miniatures.moving.occupation import move_in
from opfire.rulesets.panzerblitz_miniatures.moving.reach import cannot_go
from opfire.rulesets.panzerblitz_miniatures.pieces import Position, Side, Stand, UnitId, not_yours
from opfire.rulesets.panzerblitz_miniatures.setup import others, unfit


class Enter(Action, frozen=True):
    """A reinforcement comes onto the table at a point of its entry (1/1000 inch), and may then move."""

    says = "{unit} enters at {to}"
    kind = "move"
    unit: UnitId
    to: Point


class Exit(Action, frozen=True):
    """Leave the table for good by an edge that is near."""

    says = "{unit} leaves the table by the {edge} edge"
    kind = "exit"
    final = True
    unit: UnitId
    edge: str


# --- reinforcements -------------------------------------------------------------------------------------------


def due(position: Position, side: Side) -> list[Stand]:
    """The side's reinforcements that may come on in this turn."""
    waiting = (position.units[name] for name in position.setting.ids[side] if name in position.setting.entries)
    reserve = (unit for unit in waiting if unit.status == "reserve" and not unit.aircraft)
    return [unit for unit in reserve if _late(position, unit) is None]


def entry_points(position: Position, unit: Stand) -> list[Point]:
    """The points at which a reinforcement comes on; a stand at an edge lies wholly on the table."""
    _, named = position.setting.entries[unit.id]
    return [_pushed_in(position, position.table.parse(name)) for name in named]


def _pushed_in(position: Position, at: Point) -> Point:
    half = (position.setting.base + 1) // 2
    x, y = (max(half, min(amount, most - half)) for amount, most in zip(at, position.table.size, strict=True))
    return x, y


def _late(position: Position, unit: Stand) -> Refusal | None:
    turn, _ = position.setting.entries[unit.id]
    return Refusal("{} arrives in turn {}", "SEQ-2", (unit.name, turn)) if position.turn < turn else None


def cannot_enter(position: Position, side: Side, action: Enter) -> Refusal | None:
    """Reject a reinforcement that may not come on there now."""
    unit = position.units[action.unit]
    if refusal := not_yours(side, unit):
        return refusal
    if unit.status != "reserve" or unit.id not in position.setting.entries:
        return Refusal("{} is not a reinforcement", "SEQ-2", (unit.name,))
    if unit.aircraft:
        return Refusal("{} arrives in the Air Phase", "AIM-2", (unit.name,))
    if refusal := _late(position, unit):
        return refusal
    if action.to not in entry_points(position, unit):
        return Refusal("{} does not enter at {}", "SEQ-2", (unit.name, tenths(action.to)))
    return unfit(position, unit, action.to)


def entries(position: Position, unit: Stand) -> Iterator[Enter]:
    """The points at which a reinforcement may come on now."""
    if unit.status == "reserve" and unit.id in position.setting.entries:
        for at in dict.fromkeys(entry_points(position, unit)):
            if cannot_enter(position, unit.side, Enter(unit.id, at)) is None:
                yield Enter(unit.id, at)


def enter(game: Game[Position], action: Enter) -> None:
    """Bring a reinforcement onto the table."""
    position = game.state
    unit = position.put(action.unit, action.to)
    move_in(position, unit.id)
    game.tell(Event("entered", "{} enters at {}", (unit.name, tenths(action.to)), "SEQ-2", (unit.id,), (action.to,)))


# --- leaving ----------------------------------------------------------------------------------------------------

NEAR_AN_EDGE = INCH
"""A stand leaves the table when its centre is at most this far from the edge (1/1000 inch): RULINGS.md R84."""


def to_the_edge(position: Position, at: Point, edge: str) -> Point:
    """The point of an edge that is nearest to a place."""
    width, height = position.table.size
    return {"north": (at[0], 0), "south": (at[0], height), "west": (0, at[1]), "east": (width, at[1])}[edge]


def cannot_leave(position: Position, side: Side, action: Exit) -> Refusal | None:
    """Reject a stand that may not leave the table by that edge now: it pays the way to it."""
    unit = position.units[action.unit]
    if refusal := cannot_begin(position, side, unit):
        return refusal
    if action.edge not in position.setting.exits[side]:
        return Refusal("{} may not leave by the {} edge", "SEQ-2", (unit.name, action.edge))
    assert unit.at is not None
    end = to_the_edge(position, unit.at, action.edge)
    if sum(abs(a - b) for a, b in zip(unit.at, end, strict=True)) > NEAR_AN_EDGE:
        return Refusal("{} is not within an inch of the {} edge", "SEQ-2", (unit.name, action.edge))
    around = others(position, unit)
    return cannot_go(ground(position), prices(position, unit), unit.at, end, going(position, unit), around)


def departures(position: Position, unit: Stand) -> Iterator[Exit]:
    """The edges by which a stand may leave the table now."""
    if unit.at is not None:
        for edge in sorted(position.setting.exits[unit.side]):
            if cannot_leave(position, unit.side, Exit(unit.id, edge)) is None:
                yield Exit(unit.id, edge)


def leave(game: Game[Position], action: Exit) -> None:
    """Take a stand and its passengers out of play; they are not eliminated."""
    position = game.state
    unit = position.units[action.unit]
    assert unit.at is not None
    for name in (unit.id, *unit.cargo):
        position.left[name] = action.edge
    position.lift(unit.id, "exited")
    words = "{} leaves the table by the {} edge"
    game.tell(Event("exited", words, (unit.name, action.edge), "SEQ-2", (unit.id,), (unit.at,)))
