"""Passes [3.0.E], and the demoralized who have to try to recover first [3.0.F]."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from opfire.core.actions import Refusal
from opfire.core.texts import Text
from opfire.rulesets.panzer_grenadier.command import sectors
from opfire.rulesets.panzer_grenadier.command.activation import Reached
from opfire.rulesets.panzer_grenadier.command.performing import free_to_act, idle
from opfire.rulesets.panzer_grenadier.pieces import Position, Role, Side, UnitId


def cannot_pass(position: Position, side: Side) -> Refusal | None:
    """Reject a side that may not pass: the demoralized first try to recover [3.0.F], kommissars enforce it [6.65].

    Units in other sectors are another commander's matter [18.12].
    """
    units = position.units
    for name in position.setting.ids[side]:
        unit = units[name]
        if unit.demoralized and not unit.marked and unit.hex is not None and not sectors.not_played(position, unit):
            return Refusal("{} is demoralized and still has to try to recover", "3.0.F", (unit.name,))
    return None


Roles: TypeAlias = Mapping[UnitId, Role]
"""Designated actions."""


def can_do_nothing(position: Position, members: Reached, refusal: Refusal) -> Refusal:
    """The refusal of units that can do nothing while their side may not pass [3.0.F]: RULINGS.md P139."""
    why = Text(refusal.text, refusal.facts)
    if len(members) > 1:
        return Refusal("These units can do nothing now: {}", "3.0.F", (why,))
    return Refusal("{} can do nothing now: {}", "3.0.F", (*(unit.name for unit in position.pick(members)), why))


def come_to_nothing(position: Position, side: Side, members: Reached, ways: Iterable[Roles]) -> bool:
    """Whether these units can do nothing in any of these ways; those that a quick look decides are asked first."""
    waiting: list[Roles] = []
    for roles in ways:
        if free_to_act(position, roles):
            return False
        waiting.append(roles)
    return all(idle(position, side, members, roles) for roles in waiting)
