"""Vehicles without radio sets [7.4], and platoons [7.3]."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from opfire.core.actions import Refusal
from opfire.rulesets.panzer.formations import commands_others, is_recon
from opfire.rulesets.panzer.pieces import Position, Unit, UnitId

NO_RADIO, PLATOONS = "7.4", "7.3"


def without(position: Position, unit: Unit) -> bool:
    """Return whether a vehicle has no radio set, or has lost it, and the game counts that [7.4, 7.23.2]."""
    lost = "radio" in unit.collateral
    return NO_RADIO in position.setting.options and unit.is_vehicle and (lost or unit.vehicle.no_radio)


def cannot_call(position: Position, unit: Unit) -> Refusal | None:
    """Reject observers without radio sets, for indirect fire and for aircraft [7.4.3]."""
    if without(position, unit):
        return Refusal("{} has no radio: it observes for nobody", "7.4.3", (unit.name,))
    return None


def of_other_platoons(position: Position, unit: Unit, other: Unit) -> Refusal | None:
    """Reject sharing a command with another platoon; command units share with all of their formation [7.3]."""
    if PLATOONS not in position.setting.options or unit.platoon == other.platoon:
        return None
    if commands_others(unit) or commands_others(other):
        return None
    return Refusal("{} and {} are of different platoons", "7.3", (unit.name, other.name))


def divided(position: Position, units: Sequence[Unit], counters: Mapping[UnitId, Sequence[Unit]]) -> Refusal | None:
    """Reject vehicles of a platoon without radios that do not all share one command [7.4.2].

    Those with track hits are left behind, and Recon vehicles keep commands of their own.
    """
    counter = {unit.id: owner for owner, group in counters.items() for unit in group}
    first: dict[str, Unit] = {}
    for unit in units:
        if without(position, unit) and unit.platoon and not unit.track_hit and not is_recon(unit):
            one = first.setdefault(unit.platoon, unit)
            if counter.get(one.id) != counter.get(unit.id):
                facts = (unit.name, one.name)
                return Refusal("{} has no radio: it shares the command of {}", "7.4.2", facts)
    return None
