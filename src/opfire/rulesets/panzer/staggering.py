"""Staggered Initiative [7.42]: formation after formation fires, and moves in the reverse order."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from opfire.core.actions import Action, Refusal
from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.rulesets.panzer import initiative
from opfire.rulesets.panzer.fire.direct_fire import DirectFireStep
from opfire.rulesets.panzer.morale import checks
from opfire.rulesets.panzer.moving.step import MovementStep
from opfire.rulesets.panzer.pieces import Position, Side


class NameFormation(Action, frozen=True):
    """Name the formation that is to have the initiative if its side rolls higher."""

    says = "{group} rolls for initiative"
    kind = "roll"
    final = True
    group: str


class Contest(Frame, frozen=True):
    """Each side names a formation and rolls: that of the higher roll is the next to fire [7.42.1, 7.42.1.1].

    The side that won the first roll of a turn is its First Player. When one side has no formation left, the other side
    names its own without rolls. The First Player of the turn before names first: RULINGS.md R180.
    """

    takes = (NameFormation,)
    step = "initiative"
    rule = "7.42.1"
    question = "Name the formation that rolls for initiative"
    waiting: tuple[Side, ...] = ()
    named: tuple[str, ...] = ()

    def begin(self, game: Game[Position]) -> None:
        """Ask the sides with formations left, one after the other; end with nothing if no side has any [7.42.1.1]."""
        position = game.state
        first = position.first or position.setting.scenario.first
        waiting = tuple(side for side in (first, position.setting.other[first]) if initiative.left(position, side))
        if not waiting:
            position.first = first
            return game.pop("")
        game.swap(replace(self, side=waiting[0], waiting=waiting[1:]))

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        return (NameFormation(group) for group in initiative.left(sight, side))

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case NameFormation(group) if group not in initiative.left(sight, side):
                return Refusal("{} is none of your formations that are still to fire", "7.42.1.1", (group,))
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case NameFormation(group):
                named = (*self.named, group)
                if self.waiting:
                    return game.swap(replace(self, side=self.waiting[0], waiting=self.waiting[1:], named=named))
                self._decide(game, named)

    def _decide(self, game: Game[Position], named: tuple[str, ...]) -> None:
        """The winner's formation is next, and the order of the formations is noted [7.42.1, 7.42.1.1]."""
        position, group = game.state, named[0]
        if len(named) > 1:
            rolls = "{} has the higher roll: {} against {}"
            winner = initiative.roll(game, "7.42.1.1" if position.order else "7.42.1", rolls)
            group = next(name for name in named if initiative.side_of(position, name) == winner)
        if not position.order:
            position.first = initiative.side_of(position, group)
        position.order = (*position.order, group)
        game.tell(Event("initiative", "{} is next to fire", (initiative.title(position, group),), "7.42.1"))
        game.pop(group)


class FormationFire(Frame, frozen=True):
    """Direct fire, formation after formation, each of which announces its fire for itself [7.42.1.1, 7.42.1.2]."""

    rule = "7.42.1.1"

    def begin(self, game: Game[Position]) -> None:
        """The formation that won the Initiative Phase fires first [7.42.1]."""
        self.resume(game, game.state.order[-1] if game.state.order else None)

    def resume(self, game: Game[Position], result: object) -> None:
        """After a roll the formation fires; after its fire the next one rolls; at the end the morale is settled."""
        position = game.state
        match result:
            case "":
                checks.settle(game, position.setting.sides, "attacked")
                game.pop()
            case str():
                game.push(DirectFireStep(initiative.side_of(position, result), group=result))
            case _:
                done = [side for side in position.setting.sides if not initiative.left(position, side)]
                checks.settle(game, [position.setting.other[side] for side in done], "attacked")
                game.push(Contest(self.side))


class FormationMovement(Frame, frozen=True):
    """Movement and Overruns, formation after formation: the last that fired moves first [7.42.2].

    Formations that came down later than that move before all others: RULINGS.md R182.
    """

    rule = "7.42.2"
    waiting: tuple[str, ...] = ()

    def begin(self, game: Game[Position]) -> None:
        position = game.state
        sides = (position.setting.other[position.first], position.first)
        late = tuple(group for side in sides for group in initiative.left(position, side))
        game.swap(replace(self, waiting=(*late, *reversed(position.order))))
        game.resume_top()

    def resume(self, game: Game[Position], result: object) -> None:
        """The next formation moves; after the last one those that were overrun check their morale [7.42.2]."""
        if not self.waiting:
            checks.settle(game, game.state.setting.sides, "overrun")
            return game.pop()
        group = self.waiting[0]
        game.swap(replace(self, waiting=self.waiting[1:]))
        game.push(MovementStep(initiative.side_of(game.state, group), group=group))
