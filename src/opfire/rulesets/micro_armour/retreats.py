"""Retreats of an inch [8.8.5, 11.6.1]: the owner picks a free place farther from the cause, or the stand is lost."""

from __future__ import annotations

from collections.abc import Iterator

from opfire.core.actions import Action, Refusal
from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.places import INCH, Point, tenths
from opfire.rulesets.micro_armour import hiding
from opfire.rulesets.micro_armour.artillery import effects
from opfire.rulesets.micro_armour.moving.marching import in_water, prices
from opfire.rulesets.micro_armour.moving.prices import WATER_RULES, prohibited, traced
from opfire.rulesets.micro_armour.pieces import Position, Stand, UnitId, others_at, overhangs
from opfire.rulesets.micro_armour.results import eliminate
from opfire.rulesets.micro_armour.setup import closed_ground
from opfire.space.measure import MICRO, bearing, direction, length

HEADINGS = range(0, 360, 15)
"""The directions in which a retreat is offered, in degrees: RULINGS.md R16."""


class Retreat(Action, frozen=True):
    """Retreat to a point an inch away."""

    says = "{unit} retreats to {to}"
    kind = "move"
    unit: UnitId
    to: Point


def retreats(position: Position, unit: Stand, cause: Point) -> tuple[Point, ...]:
    """The places an inch away, and an inch farther from the cause, that are free: RULINGS.md R16."""
    assert unit.at is not None
    found = (directly_away(unit, cause), *(_step(unit.at, heading, INCH) for heading in HEADINGS))
    return tuple(at for at in dict.fromkeys(found) if cannot_retreat(position, unit, cause, at) is None)


def directly_away(unit: Stand, cause: Point) -> Point:
    """The point an inch away in the direction from the cause of a retreat to its stand."""
    assert unit.at is not None
    return _step(unit.at, bearing(cause, unit.at), INCH)


def _step(at: Point, heading: int, by: int) -> Point:
    """The point at a distance (1/1000 inch) in a direction."""
    east, south = direction(heading)
    return at[0] + (east * by + MICRO // 2) // MICRO, at[1] + (south * by + MICRO // 2) // MICRO


def cannot_retreat(position: Position, unit: Stand, cause: Point, to: Point) -> Refusal | None:
    """Reject a retreat that is not an inch, leads no farther from the cause, or ends where no stand can be."""
    assert unit.at is not None
    if abs(length(unit.at, to) - MICRO) > MICRO // 100:
        return Refusal("{} retreats exactly one inch", "8.8.5", (unit.name,))
    if length(cause, to) < length(cause, unit.at) + MICRO * 9 // 10:
        return Refusal("{} retreats away from the enemy", "8.8.5", (unit.name,))
    if position.setting.has("R16") and to != directly_away(unit, cause):
        return Refusal("{} retreats directly away from the enemy", "8.8.5", (unit.name,))
    if overhangs(position.table, to, unit.facing):
        return Refusal("{} would leave the table", "8.8.5", (unit.name,))
    if other := next(others_at(position, unit, to, unit.facing), None):
        return Refusal("{} is there", "8.8.5", (other.name,))
    return closed_ground(position, unit, to, unit.facing) or _into_water(position, unit, to)


def _into_water(position: Position, unit: Stand, to: Point) -> Refusal | None:
    """Reject a retreat into water or across it, but for one out of it, or over a bridge [9.5.1, 9.5.2, 9.5.3]."""
    assert unit.at is not None
    if in_water(position, unit.at):
        return None
    price = prices(position, unit)
    refusal = prohibited(price, traced(position.ground, unit.at, to, price))
    return refusal if refusal and refusal.rule in WATER_RULES.values() else None


class Retreating(Frame, frozen=True):
    """The owner of a stand picks the place to which it retreats; without a place the stand is lost."""

    takes = (Retreat,)
    step = "retreat"
    rule = "8.8.5"
    question = "Choose where the stand retreats"
    unit: UnitId
    cause: Point

    def begin(self, game: Game[Position]) -> None:
        """A stand that cannot retreat is eliminated [8.8.5, 11.6.1]."""
        position = game.state.known_to(self.side)  # its owner runs into hidden enemies one by one [SC.stark.hidden]
        if not retreats(position, position.units[self.unit], self.cause):
            eliminate(game, self.unit)
            game.pop()

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield self.unit

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        yield from (Retreat(actor, at) for at in retreats(sight, sight.units[actor], self.cause))

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case Retreat(unit, to) if unit == self.unit:
                return cannot_retreat(sight, sight.units[unit], self.cause, to)
        return Refusal("{} retreats now", self.rule, (sight.units[self.unit].name,))

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case Retreat(name, to):
                unit = game.state.units[name]
                if hiding.in_the_place(game, unit, to, unit.facing):
                    return self.begin(game)  # it chooses anew, or is lost without another place [SC.stark.hidden]
                known = effects.known_to(game.state, unit)
                game.state.put(name, to, on_road=False)
                game.tell(Event("moved", "{} retreats to {}", (unit.name, tenths(to)), self.rule, (name,), (to,)))
                effects.struck_on_the_way(game, name, known)  # artillery fires throughout the turn [7.4.3.4]
                game.pop()


class FlameRetreats(Frame, frozen=True):
    """At the end of a phase the stands retreat that failed against a flamethrower, one after the other [11.6.1]."""

    step = "retreat"
    rule = "11.6.1"

    def begin(self, game: Game[Position]) -> None:
        """The next stand retreats from the flamethrower."""
        position = game.state
        for name, unit in position.units.items():
            if unit.retreats and unit.at is not None:
                cause = position.units[unit.retreats].at
                position.change(name, retreats="")
                if cause is not None:
                    return game.push(Retreating(unit.side, name, cause))
        game.pop()

    def resume(self, game: Game[Position], result: object) -> None:
        self.begin(game)
