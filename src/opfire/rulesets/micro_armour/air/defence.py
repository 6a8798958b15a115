"""Anti-aircraft fire [12.3.4]: guns in range of a strike roll to disturb it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from opfire.core.actions import NOBODY, Action, Refusal
from opfire.core.events import Calculation
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.places import INCH, Point
from opfire.rulesets.micro_armour.artillery.batteries import holds_fire
from opfire.rulesets.micro_armour.cohesion import SUCCESS, cohesion_roll, level, modifier, states, tested
from opfire.rulesets.micro_armour.fire.attacks import FIRE_AND_MOVE, runs_low
from opfire.rulesets.micro_armour.fire.standard import engagement, saves_ammunition, under_fire
from opfire.rulesets.micro_armour.pieces import (
    Position,
    Posture,
    Side,
    Stand,
    UnitId,
    carried,
    not_yours,
    off_the_table,
)
from opfire.space.measure import square

LIGHT, HEAVY = 2, 1
"""The amount that a gun adds to the rolls of a strike if it succeeds: up to 40 mm, and larger [12.3.4]."""


class FireAtAircraft(Action, frozen=True):
    """Fire an anti-aircraft gun at the strike [12.3.4]."""

    says = "{unit} fires at the aircraft"
    kind = "fire"
    final = True
    unit: UnitId


class LetThemCome(Action, frozen=True):
    """Fire no more anti-aircraft guns at this strike."""

    says = "No more fire at the aircraft"
    kind = "done"
    final = True


def cannot_fire_at(position: Position, side: Side, unit: Stand, at: Point) -> Refusal | None:
    """Reject a stand that does not fire at a strike: it is an unfired gun in range, in the firing posture [12.3.4].

    None fires out of an impact zone [7.4.5.2-out], nor at aircraft when an enemy engages it [7.3.4], or when it is low
    on ammunition [12.2.2].
    """
    if refusal := not_yours(side, unit) or off_the_table(unit) or carried(unit):
        return refusal
    if not unit.kind.has("aa"):
        return Refusal("{} is no anti-aircraft gun", "12.3.4", (unit.name,))
    if unit.fired:
        return Refusal("{} has fired in this turn", "12.3.4", (unit.name,))
    if unit.posture not in _fires_from(position):
        return Refusal("{} is in the {} posture", "12.3.4", (unit.name, unit.posture))
    if not in_range(unit, at):
        return Refusal("{} reaches {} inches", "12.3.4", (unit.name, range_inches(unit)))
    return (
        holds_fire(position, side) or under_fire(position, unit) or engagement(position, unit) or saves_ammunition(unit)
    )


def _fires_from(position: Position) -> tuple[Posture, ...]:
    """The postures in which guns fire at aircraft [12.3.4]: RULINGS.md R130."""
    return ("firing", "fire/move") if position.setting.has("R130") else ("firing",)


def range_inches(unit: Stand) -> int:
    """The greater range of an anti-aircraft gun, in inches [12.3.4, WD.range]."""
    return max(unit.kind.he_range or 0, unit.kind.ap_range or 0)


def in_range(unit: Stand, at: Point) -> bool:
    """Return whether an anti-aircraft gun on the table reaches a place [12.3.4]."""
    return unit.at is not None and square(unit.at, at) <= (range_inches(unit) * INCH) ** 2


def hindrance(unit: Stand) -> int:
    """The amount that a gun adds to the rolls of a strike: 2 up to 40 mm, 1 for larger ones [12.3.4]."""
    return HEAVY if unit.kind.has("heavy_aa") else LIGHT


def gun_roll(position: Position, unit: Stand) -> Calculation:
    """The roll of an anti-aircraft gun [12.3.4]: its own states count, and its posture by one reading: R130."""
    lines = [*states(unit)]
    if unit.posture == "fire/move":
        lines.append(modifier("fire/move posture", FIRE_AND_MOVE, "12.3.4"))
    return cohesion_roll("to fire at aircraft", "12.3.4", level(position, unit), lines)


class AntiAircraft(Frame, frozen=True):
    """The defender's guns fire at a strike at a place, one by one; the frame ends with what they add [12.3.4]."""

    takes = (FireAtAircraft, LetThemCome)
    step = "artillery"
    rule = "12.3.4"
    question = "Fire anti-aircraft guns at the strike?"
    at: Point
    added: int = 0

    def begin(self, game: Game[Position]) -> None:
        _go_on(game, self)

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield from (unit.id for unit in able(sight, side, self.at))
        yield NOBODY

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        yield LetThemCome() if actor == NOBODY else FireAtAircraft(actor)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        if isinstance(action, FireAtAircraft):
            return cannot_fire_at(sight, side, sight.units[action.unit], self.at)
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        if not isinstance(action, FireAtAircraft):
            return game.pop(self.added)
        position = game.state
        unit = position.units[action.unit]
        roll = gun_roll(position, unit)
        number = tested(game, unit, roll)
        hit = roll.result([number]) == SUCCESS
        position.change(unit.id, fired=True, low=runs_low(position, unit, number))
        _go_on(game, replace(self, added=self.added + (hindrance(unit) if hit else 0)))


def _go_on(game: Game[Position], frame: AntiAircraft) -> None:
    """Ask again while a gun is left."""
    game.swap(frame)
    if not able(game.state, frame.side, frame.at):
        game.pop(frame.added)


def able(position: Position, side: Side, at: Point) -> list[Stand]:
    """The side's guns that may fire at a strike at a place [12.3.4]."""
    return [unit for unit in position.of(side) if cannot_fire_at(position, side, unit, at) is None]
