"""Command sheets of the Advanced Game: the wishes of the units, served in order of worth."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from opfire.rulesets.panzer import control, radios
from opfire.rulesets.panzer.commands import Command, HandIn, bad_shares
from opfire.rulesets.panzer.formations import is_recon
from opfire.rulesets.panzer.pieces import CommandName, Position, Side, Unit, UnitId


class Wish(NamedTuple):
    """A command that a unit would like to have, and its worth to the side."""

    worth: float
    unit: Unit
    command: CommandName


class Shared(NamedTuple):
    """Units that use one command counter, its owner first."""

    command: CommandName
    units: list[Unit]


def sheet(position: Position, side: Side, wishes: Iterable[Wish]) -> HandIn:
    """The sheet that serves the most valuable wishes; units share a command where they may [6.2.1.1.3]."""
    wanted = sorted(wishes, key=lambda wish: (-wish.worth, wish.unit.id))
    orders: list[Command] = []
    for name in control.formations_of(position, side):
        orders += _formation(position, name, [wish for wish in wanted if wish.unit.formation == name])
    return HandIn() if bad_shares(position, side, orders) else HandIn(tuple(orders))


def _formation(position: Position, name: str, wishes: Iterable[Wish]) -> list[Command]:
    """The orders of a formation."""
    groups: list[Shared] = []
    left, served = control.available(position, name), set[UnitId]()
    for wish in wishes:
        if wish.unit.id in served:
            continue
        if joined := next((group for group in groups if _fits(position, group, wish)), None):
            joined.units.append(wish.unit)
            served.add(wish.unit.id)
        elif left or is_recon(wish.unit):
            left -= not is_recon(wish.unit)
            groups.append(Shared(wish.command, [wish.unit]))
            served.add(wish.unit.id)
    return [
        Command(unit.id, group.command, "" if unit is group.units[0] else group.units[0].id)
        for group in groups
        for unit in group.units
    ]


def _fits(position: Position, group: Shared, wish: Wish) -> bool:
    """Return whether a unit may share the command of a group; a column on a road is not sought."""
    units = [*group.units, wish.unit]
    if group.command != wish.command or control.scattered(position, units):
        return False
    if radios.of_several_platoons(position, units):
        return False
    return control.cannot_share(position, wish.unit, group.units[0], wish.command) is None
