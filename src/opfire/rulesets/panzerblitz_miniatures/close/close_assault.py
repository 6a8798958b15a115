"""Close assault [CAT]: infantry attacks an adjacent enemy as part of its movement."""

from __future__ import annotations

from collections.abc import Iterator

from opfire.core.actions import PROCEDURE, Action, Refusal
from opfire.core.game import Game
from opfire.rulesets.panzerblitz_miniatures.close import close_combat
from opfire.rulesets.panzerblitz_miniatures.close.overrun import no_enemy, not_adjacent
from opfire.rulesets.panzerblitz_miniatures.fire.aiming import in_water, unarmed
from opfire.rulesets.panzerblitz_miniatures.fire.direct import has_fired
from opfire.rulesets.panzerblitz_miniatures.moving.marching import cannot_begin
from opfire.rulesets.panzerblitz_miniatures.pieces import (
    Charge,
    Manner,
    Position,
    Side,
    Stand,
    UnitId,
    adjacent,
    clearing,
)

MANNERS: tuple[Manner, ...] = ("normal", "anti-tank", "flamethrower")
"""The manners in which infantry assaults."""


class CloseAssault(Action, frozen=True):
    """Join the close assault of an adjacent enemy, for two movement points [CAT-4]."""

    says = "{unit} assaults {target} ({manner})"
    kind = "assault"
    unit: UnitId
    target: UnitId
    manner: Manner = "normal"


def cannot_assault(position: Position, side: Side, action: CloseAssault) -> Refusal | None:
    """Reject a unit that may not join the close assault of this target now [CAT]."""
    unit = position.units[action.unit]
    if refusal := cannot_begin(position, side, unit) or has_fired(unit) or never_assaults(unit) or was_carried(unit):
        return refusal
    if action.target not in position.units:
        return Refusal("Only units are assaulted", PROCEDURE)
    target = position.units[action.target]
    return (
        bad_manner(position, unit, action.manner)
        or no_enemy(position, side, target)
        or not_adjacent(position, unit, target, "CAT-1")
        or in_water(position, unit)
        or across_a_cliff(position, unit, target)
        or clearing(position, unit)
        or assaulted_before(target)
        or alone(position, unit, target)
        or close_combat.cannot_pay(position, unit, cost(position), "CAT-4")
    )


def cost(position: Position) -> int:
    """The movement points of a close assault [CAT-4]."""
    return int(position.charts.named["close assault cost"])


def never_assaults(unit: Stand) -> Refusal | None:
    """Reject all but infantry types; machine guns, mortars and anti-tank stands support them [CAT-2, CAT-10]."""
    if unit.infantry or (unit.kind.type in close_combat.SUPPORT and not unit.vehicle):
        return None
    return Refusal("{} is not infantry and makes no close assaults", "CAT-2", (unit.name,))


def was_carried(unit: Stand) -> Refusal | None:
    """Reject a unit that was transported in this segment [CAT-5]."""
    return Refusal("{} was transported in this segment", "CAT-5", (unit.name,)) if unit.handled else None


def bad_manner(position: Position, unit: Stand, manner: Manner) -> Refusal | None:
    """Reject weapons that the unit has not, or that are not used in a close assault."""
    if manner not in MANNERS:
        return Refusal("No unit assaults in this manner", PROCEDURE)
    return unarmed(position, unit, manner)


def across_a_cliff(position: Position, unit: Stand, target: Stand) -> Refusal | None:
    """Reject an assault across a cliff [TEC-4]."""
    assert unit.at is not None
    assert target.at is not None
    line = position.lines.line(unit.at, target.at)
    cliff = next((span.feature.name for span in line.spans if span.feature.kind == "cliff"), None)
    return Refusal("{} lies between the units", "TEC-4", (cliff,)) if cliff else None


def assaulted_before(target: Stand) -> Refusal | None:
    """Reject a second close assault on the same unit in a movement phase [CAT-8]."""
    if "close assault" in target.attacked:
        return Refusal("{} has been assaulted in this phase", "CAT-8", (target.name,))
    return None


def alone(position: Position, unit: Stand, target: Stand) -> Refusal | None:
    """Reject a machine gun, mortar or anti-tank stand without infantry beside it in the same assault [CAT-10]."""
    others = close_combat.charging(position, unit.side, "close assault", target.id)
    if unit.infantry or close_combat.backed(position, unit, others):
        return None
    return Refusal("{} assaults only beside infantry that assaults {} too", "CAT-10", (unit.name, target.name))


def offers(position: Position, unit: Stand) -> Iterator[CloseAssault]:
    """The close assaults that a unit may join now."""
    if has_fired(unit) or never_assaults(unit) or close_combat.cannot_pay(position, unit, cost(position), "CAT-4"):
        return
    for target in position.enemies(unit.side):
        if adjacent(position, unit, target):
            for manner in MANNERS:
                action = CloseAssault(unit.id, target.id, manner)
                if cannot_assault(position, unit.side, action) is None:
                    yield action


def play(game: Game[Position], action: CloseAssault) -> None:
    """Join the close assault."""
    close_combat.join(game, action.unit, Charge("close assault", action.target, action.manner), cost(game.state))
