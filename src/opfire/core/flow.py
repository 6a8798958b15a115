"""Frames and the explicit stack: how a rulebook's turn becomes plain data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec
from msgspec.structs import replace

from opfire.core.actions import NOBODY, Action, Offer, Refusal
from opfire.core.errors import OpfireError
from opfire.core.texts import say

if TYPE_CHECKING:
    from opfire.core.game import Game


Result = bool | int | str | tuple[str, ...] | None
"""The result that a frame hands to the one below: plain data, so that it survives saving in between."""


class Track(msgspec.Struct, frozen=True):
    """A number that a side runs down, such as its orders: how many are left, and the rule."""

    side: str
    title: str
    left: int
    rule: str


class Frame(msgspec.Struct, frozen=True, tag=True, tag_field="frame", gc=False):
    """One phase, step or procedure of a rulebook, as plain data on the stack.

    `takes` are the only actions that it accepts, `step` names it on the sequence track, `rule` is the number of its
    description in the book and `question` is its question, with its own fields in braces. `reaction` is the book's
    name for fire in answer that is asked about here, if it is not the usual one of the ruleset. The games and sights
    that methods get are the ruleset's own, so they are typed there.
    """

    takes: ClassVar[tuple[type[Action], ...]] = ()
    step: ClassVar[str] = ""
    rule: ClassVar[str] = ""
    question: ClassVar[str] = ""
    reaction: ClassVar[str] = ""
    together: ClassVar[bool] = False
    """Whether units move here one after the other, each on its own way, so that a table may send several at once."""

    side: str

    def begin(self, game: Any) -> None:
        """Called once when the frame comes onto the stack."""

    def resume(self, game: Any, result: Any) -> None:
        """Called when a frame pushed by this one has ended with `result`."""

    def asks(self, sight: Any) -> tuple[str, ...]:
        """The sides that owe a decision now: several in a joint frame, none where the frame takes no actions."""
        return (self.side,) if self.takes else ()

    def actors(self, sight: Any, side: str) -> Iterable[str]:
        """The units of the asking side that may have a choice now, and `NOBODY` for pass, end and the like.

        A unit may be named that turns out to have no choice: its group is then empty.
        """
        return (NOBODY,)

    def acts(self, sight: Any, side: str, actor: str) -> Iterable[Offer]:
        """The actions that the asking side may play with this unit, or with `NOBODY`: tight, none that is refused."""
        return ()

    def offers(self, sight: Any, side: str) -> Iterator[Offer]:
        """Everything that the asking side may play, group by group."""
        for actor in self.actors(sight, side):
            yield from self.acts(sight, side, actor)

    def refusal(self, sight: Any, side: str, action: Any) -> Refusal | None:
        """The reason against this action (one of `takes`) by the asking side, by the same checks, or None."""
        return None

    def play(self, game: Any, action: Any) -> None:
        """Act on the truth; judge nothing."""

    def prompt(self, sight: Any, side: str) -> str:
        """The question to the asking side, in one sentence."""
        return say(self.question, **{**msgspec.structs.asdict(self), "side": side})

    def seen_by(self, side: str) -> Frame:
        """The frame as a side may know it, without the secret commitments of others."""
        return self

    def only(self, state: Any, action: Any) -> tuple[str, ...]:
        """The sides that may know of this action while the game lasts; empty means everybody."""
        return ()

    def alternation(self) -> tuple[str, ...] | None:
        """The sides that have passed, where sides decide in turn until all of them have passed; else None."""
        return None

    def tracks(self, sight: Any) -> Iterable[Track]:
        """The numbers that sides run down while this frame, or one above it, is on the stack."""
        return ()

    def forced(self, sight: Any) -> bool:
        """Whether a spectator's knowledge already shows that only one answer is possible.

        In a game with secrets no other question is skipped: the skip itself would reveal something.
        """
        return False


class Sequence:
    """A sequence of play as a table: frame classes in the book's order.

    Calling it gives the frame that runs them one after the other for a side; a step may itself be a sequence.
    Names are unique among all rulesets that are loaded.
    """

    _known: ClassVar[dict[str, Sequence]] = {}

    def __init__(self, name: str, *steps: type[Frame] | Sequence) -> None:
        self.name, self.steps = name, steps
        known = Sequence._known.setdefault(name, self)
        if str(known) != str(self):
            raise OpfireError(f"there are two sequences called {name!r}")
        Sequence._known[name] = self

    def __call__(self, side: str) -> Frame:
        """The frame that takes `side` through every step."""
        return Running(side, self.name)

    @staticmethod
    def named(name: str) -> Sequence:
        """The sequence of that name."""
        return Sequence._known[name]

    def __str__(self) -> str:
        return "\n".join([self.name, *map(_row, self.steps)])


def _row(step: type[Frame] | Sequence) -> str:
    if isinstance(step, Sequence):
        return "\n".join(f"  {line}" for line in str(step).splitlines())
    return f"{step.rule:10} {step.__name__}"


class Running(Frame, frozen=True):
    """A sequence under way: it pushes step after step, then ends."""

    sequence: str
    at: int = 0

    def begin(self, game: Game[Any]) -> None:
        """Start with the first step."""
        self.resume(game, None)

    def resume(self, game: Game[Any], result: Any) -> None:
        """Go on with the next step, or end."""
        steps = Sequence.named(self.sequence).steps
        if self.at == len(steps):
            game.pop(result)
            return
        game.swap(replace(self, at=self.at + 1))
        game.push(steps[self.at](self.side))


class Pause(Frame, frozen=True):
    """The step interrupted when a side came to owe a choice (`Game.owe_choice`); it resumes after the choice."""

    due: str
    result: Result = None

    def resume(self, game: Game[Any], result: Any) -> None:
        """Restore the interrupted step."""
        game.end_pause(self)


class Exchange(Frame, frozen=True):
    """A reaction window: the waiting sides act in turn until all have passed one after the other.

    A side waits once, or once for each of its players where these are asked one after the other.
    A ruleset's own exchange has the actions and names the possible shots (`shots`); its `play` calls `passed`
    for a pass, and after a shot `shot`, or `again` when the shot has frames of its own to push. The targets
    can grow with each shot. The window closes by itself when no side has a shot.
    """

    waiting: tuple[str, ...] = ()

    def shots(self, sight: Any, side: str) -> Iterable[Action]:
        """The actions of `side` in this window, other than pass."""
        return ()

    def may_act(self, state: Any, side: str) -> bool:
        """Whether to ask `side`. A ruleset whose shots are secret overrides this with common knowledge."""
        return any(True for _ in self.shots(state, side))

    def closes(self, game: Any) -> Result:
        """The result that the window hands to the interrupted frame."""
        return None

    def begin(self, game: Any) -> None:
        """Open for the first side that can act."""
        self._turn(game, self.waiting)

    def resume(self, game: Any, result: Any) -> None:
        """Ask the waiting sides again after the frames that a shot pushed have ended."""
        self._turn(game, self.waiting)

    def passed(self, game: Any) -> None:
        """Pass for the side on turn, and ask the next one."""
        self._turn(game, self.waiting[1:])

    def shot(self, game: Any, sides: tuple[str, ...]) -> None:
        """Go on after a shot carried out in place: `sides` may act again, in that order."""
        self._turn(game, sides)

    def again(self, game: Any, sides: tuple[str, ...]) -> None:
        """Prepare for a shot that pushes frames: when they have ended `sides` may act again, in that order."""
        game.swap(replace(self, waiting=sides))

    def _turn(self, game: Any, waiting: tuple[str, ...]) -> None:
        """Ask the first waiting side that can act; close if no side can."""
        for index, side in enumerate(waiting):
            turn = replace(self, side=side, waiting=waiting[index:])
            if turn.may_act(game.state, side):
                game.swap(turn)
                return
        game.pop(self.closes(game))
