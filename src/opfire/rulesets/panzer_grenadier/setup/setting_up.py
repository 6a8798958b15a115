"""The set-up frame of a side [2.3, 6.1, 6.8, 16.6, 16.7]."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import msgspec

from opfire.core.actions import NOBODY, PROCEDURE, Action, Refusal
from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.texts import say
from opfire.kit import setup as kit
from opfire.kit.setup import PickUp, Ready, StartAboard
from opfire.rulesets.panzer_grenadier.command import formations, leaders
from opfire.rulesets.panzer_grenadier.pieces import (
    Mine,
    Player,
    Position,
    Side,
    Unit,
)
from opfire.rulesets.panzer_grenadier.setup.additions import (
    GiveTankLeader,
    LayMines,
    Mount,
    cannot_have_leader,
    cannot_lay,
    cannot_mount,
    draw_mines,
    mount,
)
from opfire.rulesets.panzer_grenadier.setup.control import take_control
from opfire.rulesets.panzer_grenadier.setup.placing import (
    Place,
    alike,
    cannot_board,
    cannot_pick_up,
    cannot_place,
    places,
    tell_placed,
    to_place,
)
from opfire.rulesets.panzer_grenadier.setup.roster import must_limber
from opfire.rulesets.panzer_grenadier.sight import spotting


class DrawPieces(Action, frozen=True):
    """Draw the side's leaders [6.1] and minefield markers [16.7], and its commanding officer [18.3].

    It is the only choice: dice need a decision.
    """

    says = "Draw leaders and minefields"
    kind = "done"
    final = True


class Finish(Action, frozen=True):
    """Declare the set-up of one of several players of a side complete [18.2]; he is asked no more."""

    says = "{player} has set up"
    kind = "done"
    final = True
    player: Player


class SetUp(Frame, frozen=True):
    """A side sets up as the scenario says [2.3]: units and leaders, then mines, then tank leaders in secret.

    `mines` are the strengths drawn that are still to be laid; `unled` counts tank leaders still to be given. Of several
    players `finished` have declared their part complete; the commanding officer ends it for all: RULINGS.md P81.
    """

    takes = (DrawPieces, Place, StartAboard, PickUp, LayMines, GiveTankLeader, Mount, Finish, Ready)
    step = "set-up"
    rule = "2.3"
    question = "Place your units in their zones"
    mines: tuple[int, ...] = ()
    unled: int = 0
    drawn: bool = False
    finished: tuple[Player, ...] = ()

    def prompt(self, sight: Position, side: str) -> str:
        if side != self.side or not self.drawn or to_place(sight, side):
            return say(self.question)
        if self.mines:
            return say("All your units are in place: lay your minefields ({} left)", len(self.mines))
        if self._takers(sight):
            return say("All your units are in place: name the tanks of your tank leaders ({} left)", self.unled)
        return say("All your units are in place: complete the set-up, or change it")

    def begin(self, game: Game[Position]) -> None:
        position = game.state
        army = position.setting.instructions.sides[self.side]
        led = any(unit.leader for unit in position.pick(position.setting.ids[self.side]))
        if not (led or army.mines or formations.shared(game, self.side)):
            self._open(game, ())

    def _open(self, game: Game[Position], mines: tuple[int, ...]) -> None:
        """Ask for the set-up, unless every unit has its place."""
        position = game.state
        unled = position.setting.instructions.sides[self.side].tank_leaders
        if mines or unled or to_place(position, self.side) or self._movable(position):
            game.swap(SetUp(self.side, mines, unled, True))
        else:
            take_control(position)
            game.pop()

    def _movable(self, position: Position) -> bool:
        zones = position.setting.zones
        units = position.pick(position.setting.ids[self.side])
        return any(len(zones.get(one.id, ())) > 1 or not cannot_mount(position, self.side, one) for one in units)

    def _busy(self, position: Position) -> list[Player]:
        """The players besides the commanding officer who have not finished; none on a side with one player."""
        officer = position.armies[self.side].commander
        players = formations.players(position.setting, self.side) if officer else ()
        return [player for player in players if player not in (officer, *self.finished)]

    def _takers(self, position: Position) -> list[Unit]:
        if not self.unled:
            return []
        units = position.pick(position.setting.ids[self.side])
        return [unit for unit in units if cannot_have_leader(position, self.side, unit) is None]

    def actors(self, sight: Position, side: str) -> tuple[str, ...]:
        """The first of each kind of unit that waits; if none has a place left, and at the end, every unit."""
        if not self.drawn or (self.mines and not to_place(sight, self.side)):
            return (NOBODY,)
        waiting = kit.next_of_their_kinds(to_place(sight, self.side), partial(alike, sight))
        if any(True for unit in waiting for _ in places(sight, self.side, unit)):
            return tuple(unit.id for unit in waiting)
        return (NOBODY, *sight.setting.ids[self.side])

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        """The hexes and carriers of a unit that waits; then mines, tank leaders, and the end."""
        if actor == NOBODY:
            yield from self._without_units(sight)
            return
        unit = sight.units[actor]
        if kit.placed_already(unit) is None:
            yield from places(sight, self.side, unit)
        elif not to_place(sight, self.side) and self._takers(sight):
            if cannot_have_leader(sight, self.side, unit) is None:
                yield GiveTankLeader(actor)
        else:
            if cannot_pick_up(sight, self.side, unit) is None:
                yield PickUp(actor)
            if not to_place(sight, self.side) and cannot_mount(sight, self.side, unit) is None:
                yield Mount(actor)

    def _without_units(self, position: Position) -> Iterator[Action]:
        """The draw, the next minefield, the end."""
        if not self.drawn:
            yield DrawPieces()
        elif to_place(position, self.side):
            return
        elif self.mines:
            hexes = sorted(position.setting.mine_zones[self.side])
            yield from (LayMines(hex) for hex in hexes if cannot_lay(position, self.side, hex) is None)
        elif not self._takers(position):
            yield Ready()
            yield from (Finish(player) for player in self._busy(position))

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        if isinstance(action, DrawPieces) == self.drawn:
            return Refusal("Draw the leaders first" if not self.drawn else "The leaders are already drawn", "6.1")
        match action:
            case Place(unit, hex):
                return cannot_place(sight, self.side, sight.units[unit], hex)
            case StartAboard(unit, carrier):
                return cannot_board(sight, self.side, sight.units[unit], sight.units[carrier])
            case PickUp(unit) if to_place(sight, self.side):
                return cannot_pick_up(sight, self.side, sight.units[unit])
            case LayMines() | GiveTankLeader() | Mount() | Finish() | Ready() if to_place(sight, self.side):
                return Refusal("Units still to be placed: {}", "2.3", (len(to_place(sight, self.side)),))
            case LayMines(hex):
                return cannot_lay(sight, self.side, hex) if self.mines else Refusal("No minefield is left", "16.7")
            case PickUp() | GiveTankLeader() | Mount() | Finish() | Ready() if self.mines:
                return Refusal("Minefields still to be laid: {}", "16.7", (len(self.mines),))
            case GiveTankLeader(unit):
                refusal = None if self.unled else Refusal("No tank leader is left", "6.8")
                return refusal or cannot_have_leader(sight, self.side, sight.units[unit])
            case PickUp() | Mount() | Finish() | Ready() if self._takers(sight):
                return Refusal("Tank leaders still without a tank: {}", "6.8", (self.unled,))
            case PickUp(unit):
                return cannot_pick_up(sight, self.side, sight.units[unit])
            case Mount(unit):
                return cannot_mount(sight, self.side, sight.units[unit])
            case Finish(player) if player not in self._busy(sight):
                return Refusal("{} has no set-up to complete", PROCEDURE, (player,))
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        position = game.state
        match action:
            case DrawPieces():
                leaders.draw(game, self.side)
                if formations.shared(game, self.side):
                    formations.appoint(game, self.side)
                army = position.setting.instructions.sides[self.side]
                self._open(game, draw_mines(game, army.mines))
            case Place(name, hex):
                position.put(name, hex)
                spotting.hold(position, hex)
                tell_placed(game, name, hex)
            case StartAboard(name, carrier):
                unit = position.units[name]
                position.change(name, limbered=unit.limbered or must_limber(unit.kind))
                position.load(carrier, name)
                tell_placed(game, name, str(position.units[carrier].hex))
            case PickUp(name):
                position.lift(name, "to place")
            case LayMines(hex):
                mine = Mine(self.side, self.mines[0])
                position.change_works(hex, mines=(*position.work(hex).mines, mine))
                game.tell(Event("mines", "A minefield lies in {}", (hex,), "16.7", (), (hex,)))
                game.swap(msgspec.structs.replace(self, mines=self.mines[1:]))
            case GiveTankLeader(name):
                position.change(name, tank_leader=True)
                game.swap(msgspec.structs.replace(self, unled=self.unled - 1))
            case Mount(name):
                mount(game, name)
            case Finish(player):
                game.swap(msgspec.structs.replace(self, finished=(*self.finished, player)))
            case Ready():
                take_control(position)
                game.pop()

    def forced(self, sight: Position) -> bool:
        """The draw of pieces is the only choice."""
        return not self.drawn

    def seen_by(self, side: Side) -> Frame:
        """Hide the strength of the mines from the other side."""
        return self if side == self.side else msgspec.structs.replace(self, mines=(0,) * len(self.mines))

    def only(self, state: Position, action: Action) -> tuple[Side, ...]:
        """Hidden units are written down in secret [16.6], and so are tank leaders [6.8]."""
        match action:
            case Place(name) | StartAboard(name) | PickUp(name) if state.units[name].hidden:
                return (self.side,)
            case GiveTankLeader():
                return (self.side,)
        return ()
