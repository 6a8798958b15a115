"""The riders of a tank that has fired [12.5]: they get off, or hold on with a roll."""

from __future__ import annotations

from collections.abc import Iterator

from opfire.core.actions import Action, Refusal
from opfire.core.events import Calculation
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.places import Point, tenths
from opfire.rulesets.micro_armour import hiding
from opfire.rulesets.micro_armour.cohesion import SUCCESS, cohesion_roll, level, modifier, states, tested
from opfire.rulesets.micro_armour.moving.loads import is_mount
from opfire.rulesets.micro_armour.pieces import Position, Side, Stand, UnitId, not_yours
from opfire.rulesets.micro_armour.riders import get_off, places, riders

HOLD_ON = 3
"""The modifier of the roll to stay on a tank that has fired [12.5]."""


class GetOff(Action, frozen=True):
    """Get off the tank at a place beside it (1/1000 inch)."""

    says = "{unit} gets off at {to}"
    kind = "load"
    unit: UnitId
    to: Point


class HoldOn(Action, frozen=True):
    """Roll to stay on the tank."""

    says = "{unit} holds on"
    kind = "load"
    final = True
    unit: UnitId


class Riders(Frame, frozen=True):
    """The riders of a side's tanks that have fired get off, or hold on [12.5]."""

    takes = (GetOff, HoldOn)
    step = "riders"
    rule = "12.5"
    question = "The tank has fired: let its riders get off, or hold on"

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield from (unit.id for unit in waiting(sight, side))

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        yield HoldOn(actor)
        yield from (GetOff(actor, at) for at in places(sight, sight.units[actor]))

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        assert isinstance(action, GetOff | HoldOn)
        unit = sight.units[action.unit]
        if refusal := not_yours(side, unit):
            return refusal
        if unit not in waiting(sight, side):
            return Refusal("{} is on no tank that has fired", "12.5", (unit.name,))
        if isinstance(action, GetOff) and action.to not in places(sight, unit):
            return Refusal("{} cannot get off at {}", "12.5", (unit.name, tenths(action.to)))
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        if isinstance(action, GetOff):
            self._get_off(game, action)
        elif isinstance(action, HoldOn):
            hold_on(game, action.unit)
        if not waiting(game.state, self.side):
            game.pop()

    def _get_off(self, game: Game[Position], action: GetOff) -> None:
        """Get off; a hidden enemy in that place is placed on the table first, and the rider chooses anew."""
        position = game.state
        rider = position.units[action.unit]
        facing = position.units[rider.carrier or ""].facing
        if not hiding.in_the_place(game, rider, action.to, facing):
            get_off(game, action.unit, action.to)


def waiting(position: Position, side: Side) -> list[Stand]:
    """The riders of a side whose tank has fired in this turn, and who have not decided [12.5]."""
    mounts = (unit for unit in position.of(side) if unit.fired and unit.cargo and is_mount(position, unit))
    return [rider for unit in mounts for rider in riders(position, unit) if not rider.clung]


def holding_roll(position: Position, unit: Stand) -> Calculation:
    """The roll of a rider to stay on its tank: its states, and 3 [12.5]."""
    lines = [*states(unit), modifier("the tank has fired", HOLD_ON, "12.5")]
    return cohesion_roll("to hold on", "12.5", level(position, unit), lines)


def hold_on(game: Game[Position], unit_id: UnitId) -> None:
    """Roll: a rider that fails gets off at the first free place, if there is one [12.5]: RULINGS.md R87."""
    position = game.state
    unit = position.units[unit_id]
    roll = holding_roll(position, unit)
    held = roll.result([tested(game, unit, roll)]) == SUCCESS
    at = None if held else next(places(position, unit), None)
    if at is None:
        position.change(unit_id, clung=True)
    else:
        get_off(game, unit_id, at)


def settle(game: Game[Position]) -> None:
    """Ask the side of a tank that has just fired what its riders do [12.5]."""
    position = game.state
    if not position.setting.has("12.5") or isinstance(game.stack[-1] if game.stack else None, Riders):
        return
    for side in position.setting.sides:
        if waiting(position, side):
            return game.owe_choice(Riders(side))
