"""A game is a value: state, an explicit stack of frames, dice; one flat loop runs it."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping
from typing import Any, Generic, TypeVar

import msgspec

from opfire.core.actions import PROCEDURE, Action, Choices, IllegalAction, Refusal
from opfire.core.dice import Dice
from opfire.core.events import Event
from opfire.core.flow import Frame, Pause
from opfire.core.ruleset import Ruleset

State = TypeVar("State")
SPECTATOR = "spectator"


class Outcome(msgspec.Struct, frozen=True):
    """How a game ended: the winning side (None for a draw), the level of victory, and why."""

    winner: str | None
    level: str
    reason: str


class Game(Generic[State]):
    """State and flow of one game.

    Events are handed out by `play` and not kept, so that a copy stays cheap. `seats` names who sits at which
    side; every call from outside names its seat.
    """

    __slots__ = ("_due", "actor", "dice", "events", "outcome", "rolls", "ruleset", "seats", "stack", "state")

    def __init__(self, ruleset: Ruleset, state: State, dice: Dice, seats: Mapping[str, str]) -> None:
        self.ruleset, self.state, self.dice, self.seats = ruleset, state, dice, seats
        self.stack: tuple[Frame, ...] = ()
        self.outcome: Outcome | None = None
        self.actor = ""
        self.events: list[Event] = []
        self.rolls: list[int] = []
        self._due: tuple[str, Any] | None = None

    # --- what frames may do: edit the stack, edit the state, roll, tell ---------------------------------

    def push(self, frame: Frame) -> None:
        """Put a frame on top; it begins as soon as the present one returns."""
        self.stack, self._due = (*self.stack, frame), ("begin", None)

    def pop(self, result: Any = None) -> None:
        """End the top frame; the one below resumes with `result`."""
        self.stack, self._due = self.stack[:-1], ("resume", result)

    def swap(self, frame: Frame) -> None:
        """Replace the top frame by itself in another state; nothing begins or resumes."""
        self.stack = (*self.stack[:-1], frame)

    def owe(self, frame: Frame) -> None:
        """Somebody owes a choice before anything goes on: ask it now, then go on with what was due."""
        kind, result = self._due or ("", None)
        self.stack = (*self.stack, Pause(frame.side, kind, result), frame)
        self._due = ("begin", None)

    def unpause(self, pause: Pause) -> None:
        """Take a pause off the stack and restore what was due."""
        self.stack = self.stack[:-1]
        self._due = (pause.due, pause.result) if pause.due else None

    def roll(self, count: int, sides: int) -> tuple[int, ...]:
        """The only source of chance: `count` dice of `sides` sides."""
        numbers, self.dice = self.dice.roll(count, sides)
        self.rolls.extend(numbers)
        return numbers

    def roll_secret(self, count: int, sides: int) -> tuple[int, ...]:
        """Dice that not everybody may see; their number tells nothing about the open ones."""
        numbers, self.dice = self.dice.roll_secret(count, sides)
        self.rolls.extend(numbers)
        return numbers

    def tell(self, event: Event) -> None:
        """Let it be known that something happened."""
        self.events.append(event)

    def finish(self, outcome: Outcome) -> None:
        """The game is over."""
        self.outcome, self.stack, self._due = outcome, (), None
        self.tell(Event("over", "{}", (outcome.reason,), "4.2-F"))

    # --- what players may do ----------------------------------------------------------------------------

    def asked(self) -> tuple[str, ...]:
        """The sides that owe a decision now; none when the game is over."""
        return self.stack[-1].asks(self.state) if self.stack else ()

    def sight(self, seat: str) -> Any:
        """What the seat knows, in the form in which the rules ask; in an open game the state itself."""
        return self.ruleset.sight(self.state, self.seats.get(seat, SPECTATOR))

    def choices(self, seat: str) -> Choices:
        """All that the seat may play now."""
        if not self.stack:
            return Choices()
        side, frame = self.seats.get(seat, SPECTATOR), self.stack[-1]
        sight = self.ruleset.sight(self.state, side)
        if side not in frame.asks(sight):
            return Choices()
        found = frame.seen_by(side).choices(sight)
        return found if isinstance(found, Choices) else Choices(found)

    def why_not(self, seat: str, action: Any) -> Refusal | None:
        """Why the seat may not play this action now, or None if it may."""
        side = self.seats.get(seat, SPECTATOR)
        if not self.stack:
            return Refusal("The game is over", PROCEDURE)
        frame = self.stack[-1]
        if not isinstance(action, frame.acts):
            return Refusal("{} cannot be done now: {}", PROCEDURE, (type(action).__name__, type(frame).__name__))
        sight = self.ruleset.sight(self.state, side)
        if side not in frame.asks(sight):
            return Refusal("It is not for {} to decide now", PROCEDURE, (seat,))
        return self.ruleset.unknown(sight, action) or frame.seen_by(side).refusal(sight, action)

    def play(self, seat: str, action: Action) -> list[Event]:
        """Play the action; the events it led to. Raises IllegalAction and changes nothing if refused."""
        if refusal := self.why_not(seat, action):
            raise IllegalAction(refusal)
        self.actor, self.events, self.rolls, self._due = self.seats[seat], [], [], None
        self.stack[-1].play(self, action)
        self.run()
        return self.events

    def concede(self, seat: str) -> list[Event]:
        """The seat's side gives up [4.3]; possible at any time."""
        if self.outcome is not None:
            raise IllegalAction(Refusal("The game is over", PROCEDURE))
        if seat not in self.seats:
            raise IllegalAction(Refusal("{} has no side to give up", PROCEDURE, (seat,)))
        self.events, self.rolls, loser = [], [], self.seats[seat]
        winner = next((side for side in self.seats.values() if side != loser), None)
        self.finish(Outcome(winner, "conceded", f"{loser} concedes"))
        return self.events

    def agree_draw(self) -> list[Event]:
        """All sides agree on a draw."""
        if self.outcome is not None:
            raise IllegalAction(Refusal("The game is over", PROCEDURE))
        self.events, self.rolls = [], []
        self.finish(Outcome(None, "draw", "A draw by agreement"))
        return self.events

    def view(self, seat: str) -> dict[str, Any]:
        """The position as the seat may know it, ready for JSON."""
        side = self.seats.get(seat, SPECTATOR)
        top = self.stack[-1].seen_by(side) if self.stack else None
        return self.ruleset.view(self.ruleset.sight(self.state, side), side, top)

    # --- the loop -----------------------------------------------------------------------------------------

    def run(self) -> None:
        """Begin and resume frames until one waits for a decision: one flat loop, no recursion."""
        settle = self.ruleset.settle
        settle(self)
        while self._due is not None and self.stack:
            (what, result), self._due, frame = self._due, None, self.stack[-1]
            if what == "begin":
                frame.begin(self)
            else:
                frame.resume(self, result)
            settle(self)

    # --- values ---------------------------------------------------------------------------------------------

    def copy(self) -> Game[State]:
        """The same game, dice included; playing either leaves the other alone. Not for players to think with."""
        twin = Game.__new__(Game)
        twin.ruleset, twin.seats, twin.stack, twin.dice = self.ruleset, self.seats, self.stack, self.dice
        twin.state = self.state.copy()  # type: ignore[attr-defined]
        twin.outcome, twin.actor, twin._due = self.outcome, self.actor, None
        twin.events, twin.rolls = [], []
        return twin

    def imagine(self, seat: str, rng: random.Random) -> Game[State]:
        """A whole game that agrees with what the seat knows: secrets drawn at random, dice fresh."""
        side = self.seats.get(seat, SPECTATOR)
        sight = self.ruleset.sight(self.state, side)
        seen = tuple(frame.seen_by(side) for frame in self.stack)
        twin = self.copy()
        twin.state, twin.stack = self.ruleset.imagined(sight, seen, side, rng)
        twin.dice = Dice(rng.randbytes(32))
        return twin

    def save(self) -> bytes:
        """The game as JSON, to be read back by `Ruleset.load`."""
        return self.ruleset.encode(self)

    def digest(self) -> str:
        """Sixteen hex digits that differ when state, stack or the count of rolls differ."""
        return hashlib.blake2b(self.ruleset.essence(self), digest_size=8).hexdigest()
