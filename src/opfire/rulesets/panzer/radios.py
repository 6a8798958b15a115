"""Vehicles without radio sets [7.4], and platoons [7.3]."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

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


def of_several_platoons(position: Position, units: Sequence[Unit]) -> Refusal | None:
    """Reject units of several platoons that share one command; command units join any platoon of theirs [7.3]."""
    if PLATOONS not in position.setting.options:
        return None
    members = [unit for unit in units if not commands_others(unit)]
    other = next((unit for unit in members if _platoon_of(unit) != _platoon_of(members[0])), None)
    if other is None:
        return None
    return Refusal("{} and {} are of different platoons", "7.3", (other.name, members[0].name))


def _platoon_of(unit: Unit) -> tuple[str, str]:
    return unit.formation, unit.platoon


def share_a_chain(position: Position, unit: Unit, other: Unit) -> bool:
    """Return whether one of two units commands the battalion or the regiment of the other [7.3]."""
    return PLATOONS in position.setting.options and (commands_all(unit) or commands_all(other))


def chain(position: Position, unit: Unit) -> Iterator[Unit]:
    """The units of other formations with which a unit is in one chain of command [7.3]."""
    if PLATOONS in position.setting.options:
        for other in position.of(unit.side):
            if other.formation != unit.formation and share_a_chain(position, unit, other):
                yield other


def commands_all(unit: Unit) -> bool:
    """Return whether a unit is a Command unit of a higher level than companies [7.1.2, 7.3]."""
    return commands_others(unit) and not {"BHQ", "RHQ"}.isdisjoint(unit.labels)


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
