"""A test of nerve to pass through enemy armour [8.3.6]: beside it a vehicle rolls, and goes on or stops."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from opfire.core.actions import PROCEDURE, Action, Refusal
from opfire.core.events import Calculation
from opfire.core.game import Game
from opfire.rulesets.micro_armour.cohesion import FAILURE, cohesion_roll, modifier, states, tested, to_go_on
from opfire.rulesets.micro_armour.moving.marching import braved, farthest, passes, pinned, under_way
from opfire.rulesets.micro_armour.pieces import Position, Stand, UnitId, adjacent
from opfire.space.measure import SLACK

DARING = 3
"""The modifier of the roll to pass enemy armour [8.3.6]."""


class PassArmour(Action, frozen=True):
    """Roll to pass through an enemy armoured vehicle beside the stand; it stops there if it fails."""

    says = "{unit} tests its nerve to pass {target}"
    kind = "move"
    final = True
    unit: UnitId
    target: UnitId


def cannot_test(position: Position, unit: Stand, action: PassArmour) -> Refusal | None:
    """Reject a test of nerve by other stands than armour beside enemy armour that bars its way [8.3.6]."""
    target = position.units[action.target]
    if target.side == unit.side or target.at is None or target.carrier is not None:
        return Refusal("{} is no enemy on the table.", PROCEDURE, (target.name,))
    if not (unit.armoured and target.armoured):
        return Refusal("Only armoured vehicles pass armoured vehicles by a test of nerve.", "8.3.6")
    if passes(unit, target) or target.id in braved(position, unit):
        return Refusal("{} may pass {} already.", "8.3.6", (unit.name, target.name))
    if not adjacent(unit, target):
        return Refusal("Move {} beside {} first.", "8.3.6", (unit.name, target.name))
    if unit.overruns or farthest(position, unit) <= SLACK:
        return Refusal("{} has no movement left to pass {}.", "8.3.6", (unit.name, target.name))
    return pinned(position, unit)


def nerve_roll(position: Position, unit: Stand) -> Calculation:
    """The roll to pass through enemy armour: the stand's states, and 3 [8.3.6]."""
    lines = [*states(unit), modifier("enemy armour", DARING, "8.3.6")]
    return cohesion_roll("to pass enemy armour", "8.3.6", to_go_on(position, unit), lines)


def offers(position: Position, unit: Stand) -> Iterator[PassArmour]:
    """The tests of nerve for each armoured enemy beside the stand."""
    if unit.at is None or not unit.armoured:
        return
    for enemy in position.enemies(unit.side):
        if enemy.armoured and adjacent(unit, enemy):
            action = PassArmour(unit.id, enemy.id)
            if cannot_test(position, unit, action) is None:
                yield action


def play(game: Game[Position], action: PassArmour) -> None:
    """Roll: after a success the stand may go through the enemy in this move, after a failure it stops [8.3.6]."""
    position = game.state
    unit = position.units[action.unit]
    roll = nerve_roll(position, unit)
    progress = under_way(position)
    if roll.result([tested(game, unit, roll)]) == FAILURE:
        position.progress = replace(progress, halted=True)
    else:
        position.progress = replace(progress, braved=(*progress.braved, action.target))
