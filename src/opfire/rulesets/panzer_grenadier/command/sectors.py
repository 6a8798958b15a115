"""More than two players, sector command [18.1, 18.3]: the map in sectors, their borders, the officer's orders.

The sectors of a turn are played one after the other (`sequence.py`): RULINGS.md P128. These checks also hold for a side
of one player, who commands in every sector.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

from msgspec.structs import replace

from opfire.core.actions import NOBODY, PROCEDURE, Action, Refusal
from opfire.core.errors import BadInput
from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.texts import Text, joined, say
from opfire.rulesets.panzer_grenadier.instructions import Sector, commanders_of
from opfire.rulesets.panzer_grenadier.pieces import (
    Hex,
    Player,
    Position,
    SectorName,
    Setting,
    Share,
    Side,
    Unit,
    UnitId,
    not_yours,
    off_the_map,
)
from opfire.space.layout import block

T = TypeVar("T", int, str)

# --- the map in sectors [18.1] ------------------------------------------------------------------------------------


def read(made: Setting) -> dict[Hex, SectorName]:
    """The sector of every hex, board by board or as agreed [18.1]. Raises BadInput unless each has one."""
    found: dict[Hex, SectorName] = {}
    for sector in made.instructions.sectors:
        for hex in sorted(hexes_of(made, sector)):
            if hex in found:
                raise BadInput(f"{hex} is also in {found[hex]}", f"sector {sector.name}", "each hex in one sector")
            found[hex] = sector.name
    left = [hex for hex in made.map.names if hex not in found]
    if found and left:
        raise BadInput(
            f"{left[0]} is in no sector ({len(left)} hexes are in none)", "special.sectors", "each hex in one"
        )
    return found


def hexes_of(made: Setting, sector: Sector) -> frozenset[Hex]:
    """The hexes in play of a sector. Raises BadInput for boards and hexes that are not there."""
    where = f"sector {sector.name}"
    hexes = frozenset(made.map.parse(name, where) for name in sector.list)
    for board in sector.boards:
        if not (whole := block(made.map, board)):
            raise BadInput(f"board {board!r} is not in play", where, ", ".join(info.id for info in made.map.boards))
        hexes |= whole
    if sector.hexes is not None:
        hexes |= block(made.map, sector.hexes.board, sector.hexes.columns, sector.hexes.rows)
    if not hexes:
        raise BadInput("it has no hexes", where, "boards, hexes or a list")
    return hexes


def names(made: Setting) -> tuple[SectorName, ...]:
    """The sectors in the order of play; none if the map is not divided."""
    return tuple(sector.name for sector in made.instructions.sectors)


def commander(made: Setting, side: Side, sector: SectorName) -> Player:
    """The commander of a side in a sector [18.1], by the scenario; a single player commands in all of them."""
    return commanders_of(made.instructions, side).get(sector, "")


def in_command(position: Position, side: Side, sector: SectorName) -> Player:
    """The commander of a side in a sector if several players have it; such a side has an officer [18.3]."""
    return commander(position.setting, side, sector) if position.armies[side].commander else ""


def addressed(position: Position, side: Side, question: str) -> str:
    """A question with its sector, and its commander if there are several [18.11]."""
    sector = position.sectors.played
    player = in_command(position, side, sector)
    return say("Sector {}, {}: {}", sector, player, question) if player else say("Sector {}: {}", sector, question)


# --- what stays within a sector [18.12] ---------------------------------------------------------------------------


def of(position: Position, unit: Unit) -> tuple[SectorName, ...]:
    """The sector of a unit; beside the map every one that it may enter in, and none if the map is not divided."""
    made = position.setting
    if not made.sector_of:
        return ()
    hexes = made.entries.get(unit.id, (0, ()))[1] if unit.hex is None else (unit.hex,)
    return tuple(dict.fromkeys(made.sector_of[hex] for hex in hexes))


def together(position: Position, a: Unit, b: Unit) -> bool:
    """Whether two units are in one sector and so can affect each other [18.12]."""
    return of(position, a) == of(position, b)


def not_played(position: Position, unit: Unit) -> Refusal | None:
    """No unit is activated while another sector is played: its commander is not acting [18.12, 18.11]."""
    played, his = position.sectors.played, of(position, unit)
    if not played or played in his:
        return None
    return Refusal("{} is in sector {}; sector {} is being played", "18.12", (unit.name, joined(his, " or "), played))


def not_there(position: Position, hex: Hex) -> Refusal | None:
    """Batteries, aircraft and reinforcements come to the sector being played [18.12, 18.31]."""
    played, its = position.sectors.played, position.setting.sector_of.get(hex, "")
    if not played or its == played:
        return None
    return Refusal("{} is in sector {}; sector {} is being played", "18.12", (hex, its, played))


def out_of_sector(position: Position, unit: Unit, hex: Hex) -> Refusal | None:
    """No fire at a target outside one's own sector [18.12]; assaults cross the border."""
    its = position.setting.sector_of
    if not its or unit.hex is None or its[unit.hex] == its.get(hex):
        return None
    return Refusal("{} is in sector {}; {} is outside it", "18.12", (unit.name, its[unit.hex], hex))


def out_of_view(position: Position, hex: Hex) -> Refusal:
    """Leaders who see a target from other sectors do not spot it for the artillery [18.12]: RULINGS.md P130."""
    return Refusal("No leader in sector {} spots an enemy in {}", "18.12", (position.setting.sector_of[hex], hex))


def not_sent(position: Position, unit: Unit, to: Hex) -> Refusal | None:
    """A moving unit stays in its sector unless the commanding officer sends it to another [18.31]: RULINGS.md P129."""
    its = position.setting.sector_of
    if not its or unit.hex is None or its[to] in (its[unit.hex], sent_to(position, unit.id)):
        return None
    return Refusal("{} is not sent to sector {}", "18.31", (unit.name, its[to]))


def sent_to(position: Position, unit_id: UnitId) -> SectorName:
    """The sector that a unit is to go to; none if it is to stay."""
    return next((sector for unit, sector in position.sectors.sent if unit == unit_id), "")


# --- the turn of a sector [18.11] -----------------------------------------------------------------------------------


def change(position: Position, **values: Any) -> None:
    """Replace values of the state of sector command."""
    position.sectors = replace(position.sectors, **values)


def open_sector(game: Game[Position], sector: SectorName) -> None:
    """Let a sector's commanders begin, with their share of the turn [18.11, 18.31]; no side has had a segment here."""
    position = game.state
    change(position, played=sector)
    for side in position.setting.sides:
        share = share_of(position, side, sector)
        position.change_army(side, segments=0, banked=False, offboard=share.offboard, aircraft=share.aircraft)
    game.tell(Event("sector", "Sector {}", (sector,), "18.11"))


def close_all(position: Position) -> None:
    """End all sectors; unused assets are lost [18.11, 18.31]."""
    change(position, played="", shares=())
    for side in position.setting.sides:
        position.change_army(side, offboard=(), aircraft=())


def share_of(position: Position, side: Side, sector: SectorName) -> Share:
    """The assets that the commanding officer has given to a sector this turn [18.31]."""
    found = (share for share in position.sectors.shares if (share.side, share.sector) == (side, sector))
    return next(found, Share(side, sector))


def taken(position: Position, side: Side) -> set[str]:
    """The aircraft that a side has given to any of its sectors this turn."""
    return {name for share in position.sectors.shares if share.side == side for name in share.aircraft}


# --- the commanding officer's orders [18.31] ------------------------------------------------------------------------


class GiveBattery(Action, frozen=True):
    """A sector's commander has an off-board battery for this turn [18.31]."""

    says = "Off-board artillery, {factor}: for sector {sector}"
    kind = "command"
    factor: int
    sector: SectorName


class GiveAircraft(Action, frozen=True):
    """A sector's commander has an aircraft for this turn [18.31]."""

    says = "{aircraft}: for sector {sector}"
    kind = "command"
    aircraft: str
    sector: SectorName


class Send(Action, frozen=True):
    """A unit is to go to another sector, or after all to stay in its own [18.31]."""

    says = "{unit} is to be in sector {sector}"
    kind = "command"
    unit: UnitId
    sector: SectorName


class EndOrders(Action, frozen=True):
    """End the orders; the commanders know their assets and the units to send."""

    says = "The orders are given"
    kind = "done"
    final = True


def cannot_divide(position: Position, side: Side, what: object, sector: SectorName) -> Refusal | None:
    """Reject a battery or an aircraft that may not be given to a sector [18.31]."""
    army = position.armies[side]
    if what not in army.offboard and what not in army.aircraft:
        return Refusal("{} is not available this turn", "18.31", (what,))
    return no_sector(position, sector)


def no_sector(position: Position, sector: SectorName) -> Refusal | None:
    """The sector has to be one of the scenario's."""
    return None if sector in names(position.setting) else Refusal("There is no sector {}", PROCEDURE, (sector,))


def cannot_send(position: Position, side: Side, unit: Unit, sector: SectorName) -> Refusal | None:
    """Reject a unit that may not be sent to a sector [18.31]; to its own it is sent to call it back."""
    if refusal := no_sector(position, sector) or not_yours(side, unit) or off_the_map(unit):
        return refusal
    if sector == (sent_to(position, unit.id) or of(position, unit)[0]):
        return Refusal("{} already has orders for sector {}", "18.31", (unit.name, sector))
    return None


def undivided(position: Position, side: Side) -> Refusal | None:
    """All batteries and aircraft of the turn are divided among the sectors [18.31]."""
    army = position.armies[side]
    left = [*map(str, army.offboard), *(position.charts.aircraft[name].name for name in army.aircraft)]
    return Refusal("These are not assigned to a sector yet: {}", "18.31", (joined(left),)) if left else None


class Commanding(Frame, frozen=True):
    """At the start of a turn a commanding officer divides batteries and aircraft, and sends units to sectors [18.31].

    `told` are the units that have their orders of this turn.
    """

    takes = (GiveBattery, GiveAircraft, Send, EndOrders)
    step = "orders"
    rule = "18.31"
    question = "Assign batteries and aircraft to sectors, and units to other sectors"
    told: tuple[UnitId, ...] = ()

    def begin(self, game: Game[Position]) -> None:
        """Drop the orders of units that arrived or were lost; ask unless there is nothing to order."""
        position = game.state
        there = {unit.id: of(position, unit)[:1] for unit in position.units.values() if unit.hex is not None}
        standing = tuple(row for row in position.sectors.sent if there.get(row[0], row[1:]) != row[1:])
        change(position, sent=standing)
        position.current = self.side
        if list(self.offers(position, self.side)) == [EndOrders()]:
            game.pop()

    def actors(self, sight: Position, side: str) -> tuple[str, ...]:
        return (NOBODY, *(name for name in sight.setting.ids[self.side] if name not in self.told))

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        """A unit to another sector; each battery and aircraft to each; when all is divided, the end."""
        army, sectors = sight.armies[self.side], names(sight.setting)
        if actor != NOBODY:
            unit = sight.units[actor]
            yield from (Send(actor, sector) for sector in sectors if self._cannot_send(sight, unit, sector) is None)
            return
        if undivided(sight, self.side) is None:
            yield EndOrders()
        yield from (GiveBattery(factor, sector) for factor in dict.fromkeys(army.offboard) for sector in sectors)
        yield from (GiveAircraft(name, sector) for name in army.aircraft for sector in sectors)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case GiveBattery(factor, sector):
                return cannot_divide(sight, self.side, factor, sector)
            case GiveAircraft(aircraft, sector):
                return cannot_divide(sight, self.side, aircraft, sector)
            case Send(unit, sector):
                return self._cannot_send(sight, sight.units[unit], sector)
        return undivided(sight, self.side)

    def _cannot_send(self, position: Position, unit: Unit, sector: SectorName) -> Refusal | None:
        if unit.id in self.told:
            return Refusal("{} already has its orders for this turn", PROCEDURE, (unit.name,))
        return cannot_send(position, self.side, unit, sector)

    def play(self, game: Game[Position], action: Action) -> None:
        position = game.state
        match action:
            case GiveBattery(factor, sector):
                divide(game, self.side, sector, factor)
            case GiveAircraft(aircraft, sector):
                divide(game, self.side, sector, aircraft)
            case Send(name, sector):
                game.swap(replace(self, told=(*self.told, name)))
                send(game, position.units[name], sector)
            case EndOrders():
                game.pop()

    def only(self, state: Position, action: Action) -> tuple[Side, ...]:
        """The sending of units is known to the officer and his commanders alone: RULINGS.md P129."""
        return (self.side,) if isinstance(action, Send) else ()

    def seen_by(self, side: Side) -> Frame:
        """Hide the units that have orders from the other side."""
        return self if side == self.side else replace(self, told=())

    def prompt(self, sight: Position, side: str) -> str:
        officer = sight.armies[self.side].commander
        return say("{}: {}", officer, say(self.question)) if officer else say(self.question)


def divide(game: Game[Position], side: Side, sector: SectorName, what: int | str) -> None:
    """Give a battery or an aircraft to a sector for this turn [18.31]."""
    position = game.state
    army, old = position.armies[side], share_of(game.state, side, sector)
    if isinstance(what, int):
        new, said = replace(old, offboard=(*old.offboard, what)), Text("Off-board artillery, {}", (what,))
        position.change_army(side, offboard=without(army.offboard, what))
    else:
        new, said = replace(old, aircraft=(*old.aircraft, what)), joined([position.charts.aircraft[what].name])
        position.change_army(side, aircraft=without(army.aircraft, what))
    others = tuple(share for share in position.sectors.shares if share != old)
    change(position, shares=(*others, new))
    game.tell(Event("command", "{}: {} is for sector {}", (side.capitalize(), said, sector), "18.31"))


def without(things: tuple[T, ...], one: T) -> tuple[T, ...]:
    """All except one of the equal things."""
    left = list(things)
    left.remove(one)
    return tuple(left)


def send(game: Game[Position], unit: Unit, sector: SectorName) -> None:
    """Send the unit there, or let it stay [18.31]; its own side alone hears of it."""
    position = game.state
    others = tuple(row for row in position.sectors.sent if row[0] != unit.id)
    away = ((unit.id, sector),) if (sector,) != of(position, unit) else ()
    change(position, sent=(*others, *away))
    words = "{} is to go to sector {}" if away else "{} is to stay in sector {}"
    game.tell(Event("command", words, (unit.name, sector), "18.31", (unit.id,), only=(unit.side,)))


FRAMES: tuple[type[Frame], ...] = (Commanding,)
