"""The knowledge of a side [NEU-2]: it knows its own recorded missions, and none of the other side's."""

from __future__ import annotations

import random
from collections.abc import Iterator

from msgspec.structs import replace

from opfire.core.flow import Frame
from opfire.rulesets.panzerblitz_miniatures.fire.indirect import (
    Designate,
    batteries,
    cannot_designate,
    cannot_fire,
    mission,
    spotters,
)
from opfire.rulesets.panzerblitz_miniatures.fire.missions import Mission
from opfire.rulesets.panzerblitz_miniatures.pieces import Position, Side, Stand

TRIES = 3
"""The targets that an imagined battery is tried on."""


def sight(position: Position, side: Side) -> Position:
    """The position as a side may know it; a spectator knows no mission at all."""
    return position.known_to(side)


def imagined(
    seen: Position, stack: tuple[Frame, ...], side: Side, rng: random.Random
) -> tuple[Position, tuple[Frame, ...]]:
    """A position that agrees with what a side sees: missions of the others drawn at random."""
    position = seen.copy()
    for other in position.setting.sides:
        if other != side and (written := last_recorded(position, other)):
            position.plots = (*position.plots, *_drawn(position, other, written, rng))
    return position, stack


def last_recorded(position: Position, side: Side) -> int:
    """The turn in which a side last recorded missions; 0 if it has not done so yet."""
    first = position.setting.scenario.first
    begun = position.current == side or (position.current != first and side == first)
    return position.turn if begun else position.turn - 1


def _drawn(position: Position, side: Side, written: int, rng: random.Random) -> Iterator[Mission]:
    """A mission for every second battery that has something in its spotters' sight."""
    eyes, enemies = [*spotters(position, side)], position.enemies(side)
    if not eyes or not enemies:
        return
    then = replace(position, turn=written)
    for unit in [*batteries(position, side)]:
        if cannot_fire(side, unit) is None and rng.random() < 0.5:
            yield from _aimed(then, side, unit, (eyes, enemies), rng)


def _aimed(
    then: Position, side: Side, unit: Stand, seen: tuple[list[Stand], list[Stand]], rng: random.Random
) -> Iterator[Mission]:
    for _ in range(TRIES):
        spotter, target = (some[int(rng.random() * len(some))] for some in seen)
        order = Designate(unit.id, target.id, spotter.id, "neutralization", "square", 0)
        if cannot_designate(then, side, order) is None:
            yield mission(then, side, order)
            return
