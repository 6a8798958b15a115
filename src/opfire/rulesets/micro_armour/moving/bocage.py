"""Armour in bocage [9.3.2, 9.3.3]: its front is thin as it climbs in; ploughs and dozer blades breach the hedges."""

from __future__ import annotations

from fractions import Fraction

from msgspec.structs import replace

from opfire.core.events import Calculation, Event
from opfire.core.game import Game
from opfire.core.places import INCH, Point, text
from opfire.rulesets.micro_armour.cohesion import SUCCESS, cohesion_roll, states, tested, to_go_on
from opfire.rulesets.micro_armour.moving.marching import leg_of, under_way
from opfire.rulesets.micro_armour.pieces import Position, Stand, Work
from opfire.rulesets.micro_armour.works.beneath import holds
from opfire.space.measure import MICRO, bearing, direction, length

BOCAGE = "bocage"
AHEAD = INCH // 20
"""A stand goes on into bocage if the point so far ahead of it is there (1/1000 inch)."""


def ploughs(unit: Stand) -> bool:
    """Whether a vehicle breaches hedges: armour on tracks with a dozer blade or a plough [9.3.3-breach]."""
    able = "dozer" in unit.equipment or "hedge cutter" in unit.equipment
    return able and unit.armoured and unit.kind.mov_class == "T"


def in_bocage(position: Position, at: Point) -> bool:
    """Return whether a point lies in bocage through which nothing has broken a way yet."""
    if any(work.kind == "breach" and holds(work, at) for work in position.works.values()):
        return False
    return any(feature.kind == BOCAGE for feature in position.table.ground.features_at(at))


def _onward(position: Position, by: int) -> Point | None:
    """The point at a distance ahead of the stand under way on its leg (1/1000 inch); None at its end."""
    progress = under_way(position)
    unit = position.units[progress.unit]
    if progress.to is None or unit.at is None or unit.at == progress.to:
        return None
    east, south = direction(bearing(unit.at, progress.to))
    return unit.at[0] + east * by // MICRO, unit.at[1] + south * by // MICRO


def breaching(position: Position) -> bool:
    """Return whether the stand under way is about to break through an inch of hedges."""
    ahead = _onward(position, AHEAD)
    return ahead is not None and ploughs(position.units[under_way(position).unit]) and in_bocage(position, ahead)


def next_place(position: Position, place: Fraction) -> Fraction:
    """The place to which a stand with a plough goes on: the edge of the hedges, or an inch into them [9.3.3-breach]."""
    progress = under_way(position)
    if not ploughs(position.units[progress.unit]) or progress.origin is None or progress.to is None:
        return place
    far, here = length(progress.origin, progress.to), Fraction(*progress.done)
    if not far:
        return place
    if breaching(position):
        return min(here + Fraction(MICRO, far), Fraction(1))
    edges = (each.at.fraction for each in leg_of(position).crossed if each.feature.kind == BOCAGE)
    return min((edge for edge in edges if here < edge <= place), default=place)


def break_through(game: Game[Position]) -> bool:
    """Roll before an inch of hedges: success leaves a track there, failure ends the move [9.3.3-breach]."""
    position = game.state
    if not breaching(position):
        return True
    unit = position.units[under_way(position).unit]
    roll = breach_roll(position, unit)
    if roll.result([tested(game, unit, roll)]) != SUCCESS:
        position.progress = replace(under_way(position), halted=True)
        return False
    at, to = _onward(position, INCH // 2), under_way(position).to
    assert at is not None
    assert to is not None
    assert unit.at is not None
    position.lay(Work(f"breach {text(at)}", "breach", at, bearing(unit.at, to), unit.side))
    position.progress = replace(under_way(position), breached=True)
    game.tell(Event("works", "{} breaks through the hedges", (unit.name,), "9.3.3-breach", (unit.id,), (at,)))
    return True


def breach_roll(position: Position, unit: Stand) -> Calculation:
    """The roll of a vehicle for an inch of hedges, by its states [9.3.3-breach]."""
    return cohesion_roll("to breach the hedges", "9.3.3-breach", to_go_on(position, unit), states(unit))
