"""Stands that move into impact and smoke markers [7.4.3.4]: the place at which half of the stand is covered."""

from __future__ import annotations

from fractions import Fraction

from msgspec.structs import replace

from opfire.core.places import INCH
from opfire.rulesets.micro_armour.artillery.effects import under
from opfire.rulesets.micro_armour.moving.marching import under_way
from opfire.rulesets.micro_armour.pieces import Position, Stand, Work
from opfire.rulesets.micro_armour.sighting.sight import half_in
from opfire.space.measure import square
from opfire.space.terrain.exact import near
from opfire.space.terrain.legs import stopped

PARTS = 64
"""The parts of an inch in which a mover is looked at: RULINGS.md R128."""

CLOSE = 3 * INCH // 4
"""A marker covers less than half of a stand whose centre is farther off (1/1000 inch)."""


def next_place(position: Position, stop: Fraction) -> Fraction:
    """The place of a leg up to `stop` at which another marker covers half of the stand under way; else `stop`."""
    progress = under_way(position)
    unit = position.units[progress.unit]
    if progress.origin is None or progress.to is None:
        return stop
    begun, known = Fraction(*progress.done), under(position, unit)
    here, there = (stopped(progress.origin, progress.to, place) for place in (begun, stop))
    ahead = [work for work in burning(position) if work not in known and near(work.at, here, there, CLOSE)]
    for number in range(1, PARTS) if ahead else ():
        place = begun + (stop - begun) * number / PARTS
        at = stopped(progress.origin, progress.to, place)
        if any(_covers(work, replace(unit, at=at, facing=progress.facing)) for work in ahead):
            return place
    return stop


def burning(position: Position) -> list[Work]:
    """The markers of fire, which strike the stands that move into them; the smoke of buildings is none."""
    return [work for work in position.works.values() if work.battery]


def _covers(work: Work, unit: Stand) -> bool:
    assert unit.at is not None
    return square(work.at, unit.at) <= CLOSE**2 and half_in(unit.ring, work)
