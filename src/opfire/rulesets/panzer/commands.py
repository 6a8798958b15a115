"""The Command Phase [4.2, 6.2]: both sides give their units commands, in secret and at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from opfire.core.actions import PROCEDURE, Action, Refusal
from opfire.core.events import Event
from opfire.core.game import Game
from opfire.core.plot import Commit, Mark, Plot, Tally, Tie
from opfire.core.texts import say
from opfire.rulesets.panzer import control, escorts, radios
from opfire.rulesets.panzer.charts import Gun, Leg
from opfire.rulesets.panzer.formations import delayed
from opfire.rulesets.panzer.indirect.observers import indirect_row, row_of
from opfire.rulesets.panzer.indirect.rounds import shells_of
from opfire.rulesets.panzer.pieces import (
    CommandName,
    Position,
    Unit,
    UnitId,
    lurking,
    not_yours,
    off_the_map,
    where_it_is,
)
from opfire.rulesets.panzer.sighting.spots import lookouts

COMMANDS: tuple[CommandName, ...] = ("no command", "fire", "move", "short halt", "overwatch")

MARKS: dict[str, Mark] = {
    "no command": Mark("No Command", "NC", "none"),
    "fire": Mark("Fire", "F", "fire"),
    "move": Mark("Move", "M", "move"),
    "short halt": Mark("Short Halt", "SH", "halt"),
    "overwatch": Mark("Overwatch", "OW", "watch"),
}
"""The counters of the commands [4.2]."""


def told(mark: Mark) -> Mark:
    """A counter with its title in the reader's language."""
    return replace(mark, title=say(mark.title))


class Command(Action, frozen=True):
    """Give a unit its command for the turn; in the Advanced Game it may share that of another unit, its `leader`."""

    says = "{unit}: {command}"
    kind = "command"
    unit: UnitId
    command: CommandName
    leader: UnitId = ""


class HandIn(Commit, frozen=True):
    """Hand in the commands of all vehicles."""

    orders: tuple[Command, ...] = ()


class CommandPhase(Plot, frozen=True):
    """Each vehicle gets a command; one that is given none has No Command [4.2, 4.2.2]."""

    takes = (HandIn,)
    writes = (Command,)
    step = "command"
    rule = "4.2"
    question = "Give your units their commands"
    sheets: tuple[tuple[str, tuple[Command, ...]], ...] = ()

    def begin(self, game: Game[Position]) -> None:
        """Ask the sides with units or counters on the map; before the first paratroops come down there may be none."""
        position = game.state
        laid = {mask.side for mask in position.masks.values()}
        sides = tuple(side for side in position.setting.sides if position.of(side) or side in laid)
        game.swap(replace(self, waiting=sides))
        if not sides:
            game.pop()

    def units(self, sight: Position, side: str) -> Iterator[str]:
        units = (*sight.of(side), *lurking(sight, side))
        return (unit.id for unit in units if unit.flight is None and not sent_out(sight, unit))

    def orders(self, sight: Position, side: str, unit: str) -> Iterator[Command]:
        there = where_it_is(sight, unit)
        for command in COMMANDS:
            if cannot_command(sight, there, command) is None:
                yield Command(unit, command)
                yield from (Command(unit, command, leader) for leader in leaders(sight, there, command))

    def bad_order(self, sight: Position, side: str, order: Command) -> Refusal | None:
        if order.unit not in sight.units:
            return Refusal("There is no vehicle {}", "procedure", (order.unit,))
        unit = where_it_is(sight, order.unit)
        refusal = not_yours(side, unit) or off_the_map(unit) or cannot_command(sight, unit, order.command)
        return refusal or (bad_leader(sight, unit, order) if order.leader else None)

    def bad_sheet(self, sight: Position, side: str, orders: Sequence[Command]) -> Refusal | None:
        return bad_shares(sight, side, orders) if sight.setting.advanced else None

    def mark(self, order: Command) -> Mark:
        return told(MARKS[order.command])

    def leader(self, order: Command) -> str:
        return order.leader

    def tallies(self, sight: Position, side: str, orders: Sequence[Command]) -> Iterator[Tally]:
        """The commands available to each formation [6.2.1.1]."""
        if sight.setting.advanced:
            used = counters(sight, orders)
            for name in control.formations_of(sight, side):
                title = say("Commands of {}", sight.setting.formations[name].name)
                most = control.available(sight, name)
                yield Tally(title, control.counters_used(name, used), most, "6.2.1.1")

    def ties(self, sight: Position, side: str, orders: Sequence[Command]) -> Iterator[Tie]:
        """The units that share a command [6.2.1.1.3]."""
        return (Tie(o.unit, o.leader, say("shares its command"), "6.2.1.1.3") for o in orders if o.leader)

    def handed_in(self, game: Game[Position], sheets: Mapping[str, tuple[Command, ...]]) -> None:
        """Give the commands; a vehicle that is not on a sheet keeps No Command [4.2, 4.2-nc]."""
        for orders in sheets.values():
            for leader, units in shared(game.state, orders).items():
                column = control.scattered(game.state, units) is not None
                for unit in units:
                    game.state.change(unit.id, shares=leader, column=column)
            for order in orders:
                game.state.change(order.unit, command=order.command)
            for units in shared(game.state, orders).values():
                escorts.assign(game.state, [unit.id for unit in units])
        _send_out(game.state)


# --- shared commands [6.2.1.1.3] -------------------------------------------------------------------------------


def leaders(position: Position, unit: Unit, command: CommandName) -> Iterator[UnitId]:
    """The units whose command of this kind a unit may share."""
    if not position.setting.advanced or command == "no command":
        return
    fellows = (other for other in lurking(position, unit.side) if other.formation == unit.formation)
    partners = (*escorts.partners(position, unit, command), *radios.chain(position, unit))
    for other in (*control.members(position, unit.formation), *dict.fromkeys(partners), *fellows):
        if other.id != unit.id and control.cannot_share(position, unit, other, command) is None:
            yield other.id


def bad_leader(position: Position, unit: Unit, order: Command) -> Refusal | None:
    """Reject a command shared with a unit that cannot share it [6.2.1.1.3]."""
    if not position.setting.advanced:
        return Refusal("Commands are shared in the Advanced Game only", "6.2.1.1.3")
    leader = where_it_is(position, order.leader) if order.leader in position.units else None
    if leader is None or leader.hex is None or leader.side != unit.side:
        return Refusal("{} is no unit of yours on the map", PROCEDURE, (order.leader,))
    return control.cannot_share(position, unit, leader, order.command)


def counters(position: Position, orders: Iterable[Command]) -> dict[UnitId, list[Unit]]:
    """The units that use each command counter, its owner first; No Command needs none [6.2.1.1.3-nc]."""
    given = [order for order in orders if order.command != "no command"]
    found: dict[UnitId, list[Unit]] = {o.unit: [where_it_is(position, o.unit)] for o in given if not o.leader}
    for order in given:
        if order.leader in found:
            found[order.leader].append(where_it_is(position, order.unit))
    return found


def shared(position: Position, orders: Iterable[Command]) -> dict[UnitId, list[Unit]]:
    """The units of each counter that more than one unit uses."""
    return {leader: units for leader, units in counters(position, orders).items() if len(units) > 1}


def bad_shares(position: Position, side: str, orders: Sequence[Command]) -> Refusal | None:
    """Reject sharing a command that its unit has not, groups beyond Command Range, and too many commands [6.2.1.1]."""
    given = {order.unit: order for order in orders}
    for order in orders:
        own = given.get(order.leader)
        if order.leader and (own is None or own.leader or own.command != order.command):
            facts = (position.units[order.leader].name, order.command)
            return Refusal("{} has no {} command of its own to share", "6.2.1.1.3", facts)
    used = counters(position, orders)
    for leader, units in used.items():
        if refusal := control.bad_group(position, given[leader].command, units):
            return refusal
    moving = {leader: units for leader, units in used.items() if given[leader].command in ("move", "short halt")}
    return control.too_many(position, side, used, moving)


def cannot_command(position: Position, unit: Unit, command: CommandName) -> Refusal | None:
    """Reject a command that the vehicle cannot carry out [4.2.2, 4.2.2-a]."""
    if command not in COMMANDS:
        return Refusal("{} is no command", "4.2", (command,))
    if unit.flight is not None:
        return Refusal("{} stands on the airfield and has no command", "7.59.4-arm", (unit.name,))
    if sent_out(position, unit):
        return Refusal("{} is on Random Recon, and moves", "7.60.1-dir", (unit.name,))
    if command != "no command" and delayed(position, unit):
        facts = (unit.name, position.setting.formations[unit.formation].delay + 1)
        return Refusal("{} is surprised: it has No Command before turn {}", "7.48", facts)
    row = position.charts.commands[command]
    if (row.fires and not unit.kind.armed) or (row.overwatch and not unit.watches):
        return Refusal("{} is unarmed: give it Move or No Command", "4.2", (unit.name,))
    if refusal := (_unfit(position, unit, command) if position.setting.advanced else None):
        return refusal
    if row.fires and not has_target(position, unit) and not blind_fire(position, unit, command):
        return Refusal("{} has spotted no target that it can fire at", "4.2.2-a", (unit.name,))
    return None


def sent_out(position: Position, unit: Unit) -> bool:
    """Return whether a unit is on Random Recon: it has a Move command without an order, once it reacts.

    Rules: [7.60.1-dir, 7.48].
    """
    return unit.searching and "7.60" in position.setting.options and not delayed(position, unit)


def _send_out(position: Position) -> None:
    """Give units on Random Recon their Move commands, which everybody knows: RULINGS.md R187 [7.60.1-dir]."""
    for unit in [unit for side in position.setting.sides for unit in position.of(side)]:
        if sent_out(position, unit) and not unit.track_hit:
            position.change(unit.id, command="move", revealed=True)


def _unfit(position: Position, unit: Unit, command: CommandName) -> Refusal | None:
    """Reject moves of lamed vehicles, and those that are not for such units at all."""
    if command in ("move", "short halt") and unit.track_hit:
        return Refusal("{} has a track hit and cannot move", "6.5.2.2.1", (unit.name,))
    return not_for(position, unit, command)


def not_for(position: Position, unit: Unit, command: CommandName) -> Refusal | None:
    """Reject moves that towed units, armed sections, Full Cover and the Archer's gun forbid [6.1.4.2-a, 7.38.5]."""
    if command not in ("move", "short halt"):
        return None
    halts = command == "short halt"
    if "7.38" in position.setting.options and unit.is_vehicle and unit.vehicle.special == "no_short_halt":
        return Refusal("{} fires to the rear: Short Halt is not for it", "7.38.5", (unit.name,)) if halts else None
    if halts and isinstance(unit.kind, Gun):
        return Refusal("{} is a towed unit: Short Halt is not for it", "6.6.5", (unit.name,))
    laden = unit.kind.category == "section" and bool(unit.weapons)
    if halts and laden:
        return Refusal("{} has attached weapons: Short Halt is not for it", "6.6.4.1-sh", (unit.name,))
    if unit.full_cover and (halts or laden or isinstance(unit.kind, Gun)):
        return Refusal("{} is in Full Cover: {} is not for it", "6.1.4.2-a", (unit.name, command))
    return None


def has_target(position: Position, unit: Unit) -> bool:
    """Return whether a vehicle spotted an enemy in this turn's Spotting Phase [4.2.2, 4.4.1-a]."""
    return any(unit.id in position.spots.get(enemy.id, ()) for enemy in position.enemies(unit.side))


def blind_fire(position: Position, unit: Unit, command: CommandName) -> bool:
    """Return whether a unit needs no spotted target for its command to fire: it may be called, or fire smoke.

    Rules: [6.5.1-a, 6.1.4.3.10, 7.22.1].
    """
    return position.setting.advanced and (
        (command == "fire" and may_be_called(position, unit))
        or shells_of(position, unit) is not None
        or ("7.22" in position.setting.options and isinstance(unit.kind, Leg) and bool(unit.kind.smoke_limit))
    )


def may_be_called(position: Position, unit: Unit) -> bool:
    """Return whether an observer of its side, hidden or not, might call the unit's indirect fire.

    Rules: [6.5.1-a, 7.2.2.3], RULINGS.md R100.
    """
    eyes = (*lookouts(position, unit.side), *lurking(position, unit.side))
    watchers = (other for other in eyes if row_of(other) is not None)
    return indirect_row(position, unit) is not None and next(watchers, None) is not None


def reveal(game: Game[Position], unit_id: UnitId) -> None:
    """Turn a vehicle's command over: from now on everybody knows it [4.4.3.2, 4.5-a]."""
    unit = game.state.units[unit_id]
    if unit.revealed:
        return
    for each in (unit, *control.sharers(game.state, unit)):
        game.state.change(each.id, revealed=True)
        game.disclose(each.id)
        game.tell(Event("revealed", "{}: {}", (each.name, each.command), "4.2.2", (each.id,)))


def known_to_move(unit: Unit) -> bool:
    """Return whether everybody knows that a vehicle moves this turn, with a track hit too.

    Rules: [4.4.3.2.2-moving, 6.5.2.2.1-a].
    """
    return unit.moving or (unit.revealed and unit.command in ("move", "short halt"))
