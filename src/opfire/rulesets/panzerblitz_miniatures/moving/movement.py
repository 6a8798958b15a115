"""The movement phase [MOV]: one stand after the other, leg by leg, and the acts of other chapters on the way.

Overruns, close assaults, transport and the work of engineers belong to this phase too: their chapters stand in
`CHAPTERS`, and the frames ask them for offers and refusals, and to carry their actions out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any, ClassVar, NamedTuple

from opfire.core.actions import NOBODY, Action, Offer, Refusal
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.texts import say
from opfire.rulesets.panzerblitz_miniatures import engineers
from opfire.rulesets.panzerblitz_miniatures.actions import EndPhase
from opfire.rulesets.panzerblitz_miniatures.close import close_assault, overrun
from opfire.rulesets.panzerblitz_miniatures.close.close_assault import CloseAssault
from opfire.rulesets.panzerblitz_miniatures.close.close_combat import (
    CarryOut,
    CloseCombat,
    not_waiting,
    pending,
    unfinished,
)
from opfire.rulesets.panzerblitz_miniatures.close.overrun import Overrun
from opfire.rulesets.panzerblitz_miniatures.moving import cavalry, marching
from opfire.rulesets.panzerblitz_miniatures.moving.arrivals import (
    Enter,
    Exit,
    cannot_enter,
    cannot_leave,
    departures,
    due,
    enter,
    entries,
    leave,
)
from opfire.rulesets.panzerblitz_miniatures.moving.loading import (
    Load,
    Unload,
    cannot_load,
    cannot_unload,
    load,
    loadings,
    unload,
    unloadings,
)
from opfire.rulesets.panzerblitz_miniatures.moving.manoeuvres import (
    QuickMarch,
    TakeFloor,
    Turn,
    cannot_march_quickly,
    cannot_take_floor,
    cannot_turn,
    climbs,
    march_quickly,
    quick_marches,
    take_floor,
    turn,
    turns,
)
from opfire.rulesets.panzerblitz_miniatures.moving.marching import Move, Stop
from opfire.rulesets.panzerblitz_miniatures.moving.opportunity import OpportunityFire, under_way, window
from opfire.rulesets.panzerblitz_miniatures.pieces import Position, Side, Stand, UnitId
from opfire.space.measure import SLACK


class Chapter(NamedTuple):
    """The part that a chapter plays in the movement phase: its actions, each with the id of its `unit`.

    `offers` are those of a stand that has not ended its move, idle or under way; `refusal` judges all the rest but that
    another stand is under way. `play` acts on a stand whose `Progress` is in the position; if it does not halt the
    stand there, the stand may go on.
    """

    takes: tuple[type[Action], ...]
    offers: Callable[[Position, Stand], Iterable[Offer]]
    refusal: Callable[[Position, Side, Any], Refusal | None]
    play: Callable[[Game[Position], Any], None]


def _cannot_march(position: Position, side: Side, action: Move) -> Refusal | None:
    unit = position.units[action.unit]
    return marching.cannot_begin(position, side, unit) or marching.cannot_move(position, unit, action)


def _march(game: Game[Position], action: Move) -> None:
    marching.head_for(game.state, action)


MARCH = Chapter((Move,), marching.legs, _cannot_march, _march)

CHAPTERS: tuple[Chapter, ...] = (
    MARCH,
    Chapter((QuickMarch,), quick_marches, cannot_march_quickly, march_quickly),
    Chapter((Overrun,), overrun.offers, overrun.cannot_overrun, overrun.play),
    Chapter((CloseAssault,), close_assault.offers, close_assault.cannot_assault, close_assault.play),
    Chapter((Load,), loadings, cannot_load, load),
    Chapter((Unload,), unloadings, cannot_unload, unload),
    Chapter((TakeFloor,), climbs, cannot_take_floor, take_floor),
    Chapter((cavalry.Dismount, cavalry.Mount), cavalry.offers, cavalry.cannot_change, cavalry.play),
    Chapter((Turn,), turns, cannot_turn, turn),
    Chapter((Enter,), entries, cannot_enter, enter),
    Chapter((Exit,), departures, cannot_leave, leave),
    Chapter(engineers.TAKES, engineers.offers, engineers.cannot_work, engineers.play),
)
"""The chapters with acts in the movement phase, in the order of their offers."""

TAKES: tuple[type[Action], ...] = tuple(chain.from_iterable(chapter.takes for chapter in CHAPTERS))
ACTIONS: tuple[type[Action], ...] = (*TAKES, Stop)
"""All actions of the phase that are its own."""

_CHAPTER_OF = {kind: chapter for chapter in CHAPTERS for kind in chapter.takes}


def _offers(position: Position, unit: Stand) -> Iterator[Offer]:
    return chain.from_iterable(chapter.offers(position, unit) for chapter in CHAPTERS)


def _refusal(position: Position, side: Side, action: Any) -> Refusal | None:
    """The reason of the action's own chapter against it."""
    return _CHAPTER_OF[type(action)].refusal(position, side, action)


class MovementPhase(Frame, frozen=True):
    """The phasing side moves as many stands as it likes, in any order [MOV-1, MOV-3, MOV-11]."""

    takes: ClassVar[tuple[type[Action], ...]] = (*TAKES, CarryOut, EndPhase)
    step = "movement"
    rule = "MOV-1"
    question = "Move a stand, or end the phase"

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        """All stands that have not moved, whichever the side likes first [MOV-11], and those that may enter."""
        yield NOBODY
        yield from (unit.id for unit in sight.of(side) if not (unit.moved or unit.dispersed or unit.aircraft))
        yield from (unit.id for unit in due(sight, side))

    def acts(self, sight: Position, side: str, actor: str) -> Iterable[Offer]:
        if actor != NOBODY:
            return _offers(sight, sight.units[actor])
        return pending(sight, side) or (EndPhase(),)

    def refusal(self, sight: Position, side: str, action: Any) -> Refusal | None:
        match action:
            case EndPhase():
                return unfinished(sight, side)
            case CarryOut():
                return not_waiting(sight, side, action)
        return _refusal(sight, side, action)

    def begin(self, game: Game[Position]) -> None:
        """The tasks of engineers that end now come first, then the side moves [SEQ-8]."""
        engineers.begin_phase(game, self.side)

    def play(self, game: Game[Position], action: Any) -> None:
        """Carry an act out; the phase may end when none has moved [MOV-3]."""
        match action:
            case EndPhase():
                engineers.end_phase(game, self.side)
                game.pop()
            case CarryOut(attack, target):
                game.push(CloseCombat(self.side, attack, target))
            case _:
                begin(game, self.side, action)


def begin(game: Game[Position], side: Side, action: Any) -> None:
    """Begin the move of a stand with an act of any chapter."""
    marching.set_out(game.state, game.state.units[action.unit])
    game.push(Moving(side, action.unit))
    _CHAPTER_OF[type(action)].play(game, action)


class Moving(Frame, frozen=True):
    """A stand under way goes on leg by leg [MOV-5]; `Position.progress` has what it has done."""

    takes: ClassVar[tuple[type[Action], ...]] = ACTIONS
    step = "moving"
    rule = "MOV-5"
    question = "Move {unit} on, or stop"
    unit: UnitId

    def begin(self, game: Game[Position]) -> None:
        self.resume(game, None)

    def resume(self, game: Game[Position], result: object) -> None:
        """Go on with the leg until the enemy may fire, then ask again; a stand fired at decides anew [OPP-6]."""
        position = game.state
        if result is True:
            marching.break_off(position)
        while True:
            if window := self._window(game):
                return game.push(window)
            if ended(position, self.unit):
                return self._end(game)
            if under_way(position).to is None:
                return
            marching.march_on(game)

    def _window(self, game: Game[Position]) -> OpportunityFire | None:
        """The window at the place of the stand, if anybody there may fire."""
        found = window(game.state, game.state.units[self.unit])
        return found if found is not None and found.may_act(game.state, found.side) else None

    def _end(self, game: Game[Position]) -> None:
        engineers.end_move(game, self.unit)
        marching.finish(game.state)
        game.pop()

    def actors(self, sight: Position, side: str) -> Iterable[str]:
        return (self.unit,)

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Offer]:
        yield Stop(self.unit)
        yield from _offers(sight, sight.units[self.unit])

    def refusal(self, sight: Position, side: str, action: Any) -> Refusal | None:
        if refusal := marching.another_moves(sight, action.unit):
            return refusal
        return None if isinstance(action, Stop) else _refusal(sight, side, action)

    def play(self, game: Game[Position], action: Any) -> None:
        if isinstance(action, Stop):
            return self._end(game)
        _CHAPTER_OF[type(action)].play(game, action)
        game.resume_top()

    def prompt(self, sight: Position, side: str) -> str:
        return say(self.question, unit=sight.units[self.unit].name)


def ended(position: Position, unit_id: UnitId) -> bool:
    """Return whether the stand under way has nothing left to do."""
    unit, progress = position.units[unit_id], under_way(position)
    if unit.at is None or unit.dispersed or progress.halted:
        return True
    return progress.to is None and marching.farthest(position, unit) <= SLACK
