"""The Command Phase [4.2]: both sides give their vehicles commands, in secret and at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from opfire.core.actions import Action, Refusal
from opfire.core.events import Event
from opfire.core.game import Game
from opfire.core.plot import Commit, Plot
from opfire.rulesets.panzer.pieces import CommandName, Position, Unit, UnitId, not_yours, off_the_map

COMMANDS: tuple[CommandName, ...] = ("no command", "fire", "move", "short halt", "overwatch")


class Command(Action, frozen=True):
    """Give a vehicle its command for the turn."""

    says = "{unit}: {command}"
    kind = "command"
    unit: UnitId
    command: CommandName


class HandIn(Commit, frozen=True):
    """Hand in the commands of all vehicles."""

    orders: tuple[Command, ...] = ()


class CommandPhase(Plot, frozen=True):
    """Each vehicle gets a command; one that is given none has No Command [4.2, 4.2.2]."""

    takes = (HandIn,)
    writes = (Command,)
    step = "command"
    rule = "4.2"
    question = "Give your vehicles their commands"
    sheets: tuple[tuple[str, tuple[Command, ...]], ...] = ()

    def begin(self, game: Game[Position]) -> None:
        sides = tuple(side for side in game.state.setting.sides if game.state.of(side))
        game.swap(replace(self, waiting=sides))

    def units(self, sight: Position, side: str) -> Iterator[str]:
        return (unit.id for unit in sight.of(side))

    def orders(self, sight: Position, side: str, unit: str) -> Iterator[Command]:
        for command in COMMANDS:
            if cannot_command(sight, sight.units[unit], command) is None:
                yield Command(unit, command)

    def bad_order(self, sight: Position, side: str, order: Command) -> Refusal | None:
        unit = sight.units.get(order.unit)
        if unit is None:
            return Refusal("There is no vehicle {}", "procedure", (order.unit,))
        return not_yours(side, unit) or off_the_map(unit) or cannot_command(sight, unit, order.command)

    def handed_in(self, game: Game[Position], sheets: Mapping[str, tuple[Command, ...]]) -> None:
        for orders in sheets.values():
            for order in orders:
                game.state.change(order.unit, command=order.command)


def cannot_command(position: Position, unit: Unit, command: CommandName) -> Refusal | None:
    """Reject a command that the vehicle cannot carry out [4.2.2]."""
    if command not in COMMANDS:
        return Refusal("{} is no command", "4.2", (command,))
    row = position.charts.commands[command]
    if (row.fires or row.overwatch) and not unit.kind.armed:
        return Refusal("{} is unarmed: give it Move or No Command", "4.2", (unit.name,))
    if row.fires and not has_target(position, unit):
        return Refusal("{} has spotted no target that it can fire at", "4.2.2", (unit.name,))
    return None


def has_target(position: Position, unit: Unit) -> bool:
    """Return whether a vehicle spotted an enemy in this turn's Spotting Phase [4.2.2, 4.4.1-a]."""
    return any(unit.id in position.spots.get(enemy.id, ()) for enemy in position.enemies(unit.side))


def reveal(game: Game[Position], unit_id: UnitId) -> None:
    """Turn a vehicle's command over: from now on everybody knows it [4.4.3.2, 4.5-a]."""
    unit = game.state.units[unit_id]
    if unit.revealed:
        return
    game.state.change(unit_id, revealed=True)
    game.disclose(unit_id)
    game.tell(Event("revealed", "{}: {}", (unit.name, unit.command), "4.2.2", (unit_id,)))


def known_to_move(unit: Unit) -> bool:
    """Return whether everybody knows that a vehicle moves this turn [4.4.3.2.2-moving]."""
    return unit.moving or (unit.revealed and unit.command in ("move", "short halt"))
