"""A game is a value: state, an explicit stack of frames, dice; one flat loop runs it."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, Generic, TypeVar

import msgspec

from opfire.core import saved
from opfire.core.actions import PROCEDURE, Action, Choices, IllegalAction, Offer, Refusal, Region
from opfire.core.dice import Dice
from opfire.core.errors import BadInput
from opfire.core.events import Event
from opfire.core.flow import Frame, Pause, Result
from opfire.core.plot import Plot
from opfire.core.reading import ready
from opfire.core.ruleset import Ruleset
from opfire.core.texts import Text, Words, in_english

State = TypeVar("State")
SPECTATOR = "spectator"


class Outcome(msgspec.Struct, frozen=True):
    """The end of a game: the winning side (None for a draw), the level of victory, and the reason."""

    winner: str | None
    level: str
    reason: str


class Game(Generic[State]):
    """State and flow of one game.

    Events are handed out by `play` and not kept, so that a copy stays cheap. `seats` gives the side of each seat;
    a side has one or several; every call from outside names its seat. Of the last action, `events` are its events,
    `rolls` and `sides` its open dice, `secret` its secret ones (number and sides), `opened` the units
    whose written orders it revealed, `only` the sides that may know of it. `umpired` is for positions that are set out
    for everybody to see, as in case files: nothing in them waits for the sake of a secret.
    """

    __slots__ = (
        "_due",
        "_known",
        "_offered",
        "_state",
        "actor",
        "dice",
        "events",
        "only",
        "opened",
        "outcome",
        "rolls",
        "ruleset",
        "seats",
        "secret",
        "sides",
        "stack",
        "umpired",
    )

    def __init__(self, ruleset: Ruleset, state: State, dice: Dice, seats: Mapping[str, str]) -> None:
        self.ruleset, self._state, self.dice, self.seats = ruleset, state, dice, seats
        self.stack: tuple[Frame, ...] = ()
        self.outcome: Outcome | None = None
        self.actor = ""
        self.umpired = False
        self.clear()

    def clear(self) -> None:
        """Forget the results of the last action."""
        self.events: list[Event] = []
        self.rolls: list[int] = []
        self.sides: list[int] = []
        self.secret: list[tuple[int, int]] = []
        self.opened: list[str] = []
        self.only: tuple[str, ...] = ()
        self._due: tuple[str, Any] | None = None
        self._known: dict[str, Any] = {}
        self._offered: dict[str, Choices] = {}

    # --- what frames may do: edit the stack, edit the state, roll, tell ---------------------------------

    @property
    def state(self) -> State:
        """The truth. Its reader may change it, so every reading drops the sights and choices that were built."""
        if self._known or self._offered:
            self._known.clear()
            self._offered.clear()
        return self._state

    @state.setter
    def state(self, state: State) -> None:
        self._known.clear()
        self._offered.clear()
        self._state = state

    def known(self, side: str) -> Any:
        """A side's knowledge, in the form in which the rules ask; in an open game the state itself.

        A sight is built once, and kept until the state is read.
        """
        if side not in self._known:
            self._known[side] = self.ruleset.sight(self._state, side)
        return self._known[side]

    def over_for_all(self, side: str, over: Callable[[Any], bool], open_in_secret: Callable[[Any], bool]) -> bool:
        """Whether a frame of this side may end by itself: the side and everybody else can see that it is over.

        `over` judges a sight; `open_in_secret` says of common knowledge whether something secret could go on.
        """
        if not over(self.known(side)):
            return False
        if not self.ruleset.secrets or self.umpired:
            return True
        common = self.known(SPECTATOR)
        return over(common) and not open_in_secret(common)

    def push(self, frame: Frame) -> None:
        """Put a frame on top; it begins as soon as the present one returns.

        Of several frames pushed at once the last begins first, each of the others after the one above has ended.
        """
        if self._due is not None and self._due[0] == "begin":
            return self.owe_choice(frame)
        self.stack, self._due = (*self.stack, frame), ("begin", None)

    def pop(self, result: Result = None) -> None:
        """End the top frame; the one below resumes with `result`."""
        self.stack, self._due = self.stack[:-1], ("resume", result)

    def swap(self, frame: Frame) -> None:
        """Replace the top frame by another state of itself; no frame begins or resumes."""
        self.stack = (*self.stack[:-1], frame)

    def resume_top(self) -> None:
        """Let the top frame resume at once, after any choices owed meanwhile."""
        self._due = ("resume", None)

    def proceed(self) -> None:
        """Let the top frame go on where a frame might have come above it: it resumes, if it has begun."""
        if self._due is None:
            self._due = ("resume", None)

    def owe_choice(self, frame: Frame) -> None:
        """Ask a side for a choice before play goes on, then go on with the interrupted step.

        The result of `frame` is dropped.
        """
        kind, result = self._due or ("", None)
        self.stack = (*self.stack, Pause(frame.side, kind, result), frame)
        self._due = ("begin", None)

    def end_pause(self, pause: Pause) -> None:
        """Take a pause off the stack and restore the interrupted step."""
        self.stack = self.stack[:-1]
        self._due = (pause.due, pause.result) if pause.due else None

    def roll(self, count: int, sides: int) -> tuple[int, ...]:
        """The only source of chance: `count` dice of `sides` sides."""
        numbers, self.dice = self.dice.roll(count, sides)
        self.rolls.extend(numbers)
        self.sides.extend([sides] * count)
        return numbers

    def roll_secret(self, count: int, sides: int) -> tuple[int, ...]:
        """`count` secret dice; their number reveals nothing about the open ones."""
        numbers, self.dice = self.dice.roll_secret(count, sides)
        self.secret.extend((number, sides) for number in numbers)
        return numbers

    def tell(self, event: Event) -> None:
        """Tell an event to those who may know it."""
        self.events.append(event)

    def disclose(self, *units: str) -> None:
        """Reveal the written orders of these units: from now on the record shows them to everybody."""
        self.opened.extend(units)

    def finish(self, outcome: Outcome, rule: str = "", reason: Words = "") -> None:
        """End the game, by this rule; `settle` is not called any more. `reason` is the outcome's, with its facts."""
        self.outcome, self.stack, self._due = outcome, (), None
        self.tell(Event("over", "{}", (reason or outcome.reason,), rule))

    # --- what players may do ----------------------------------------------------------------------------

    def asked(self) -> tuple[str, ...]:
        """The sides that owe a decision now; none when the game is over."""
        return self.stack[-1].asks(self._state) if self.stack else ()

    def deciders(self) -> tuple[str, ...]:
        """The seats that have a decision to make now: those of an asked side, without seats that leave it to others."""
        asked = self.asked()
        return tuple(seat for seat, side in self.seats.items() if side in asked and self._decides(seat, side))

    def _decides(self, seat: str, side: str) -> bool:
        return not self._shares(side) or bool(self.choices(seat))

    def sight(self, seat: str) -> Any:
        """The seat's knowledge, in the form in which the rules ask; in an open game the state itself."""
        return self.known(self.seats.get(seat, SPECTATOR))

    def choices(self, seat: str) -> Choices:
        """All choices of the seat now; none while it leaves the decision to another seat of its side."""
        if not self.stack:
            return Choices()
        side = self.seats.get(seat, SPECTATOR)
        sight, frame = self.known(side), self.stack[-1].seen_by(side)
        if side not in frame.asks(sight):
            return Choices()
        judge = partial(self.why_not, seat)
        acts = partial(self._own, sight, seat, frame) if self._shares(side) else partial(frame.acts, sight, side)
        found = self._offered[seat] = Choices(frame.actors(sight, side), acts, judge)
        return found

    def common_choices(self, side: str) -> Choices:
        """The choices of an asked side as far as everybody knows, to be compared with its own; nobody plays them."""
        sight, frame = self.known(SPECTATOR), self.stack[-1].seen_by(SPECTATOR)
        return Choices(frame.actors(sight, side), partial(frame.acts, sight, side))

    def _shares(self, side: str) -> bool:
        """Return whether several seats have this side."""
        return list(self.seats.values()).count(side) > 1

    def _own(self, sight: Any, seat: str, frame: Frame, unit: str) -> Iterator[Offer]:
        """The offers of a unit that the seat does not leave to other seats of its side."""
        for offer in frame.acts(sight, self.seats[seat], unit):
            example = offer.example if isinstance(offer, Region) else offer
            if not isinstance(example, Action) or self.ruleset.barred(sight, seat, frame, example) is None:
                yield offer

    def why_not(self, seat: str, action: Any) -> Refusal | None:
        """The reason against this action by the seat now, or None."""
        if not self.stack:
            return Refusal("The game is over", PROCEDURE)
        side = self.seats.get(seat, SPECTATOR)
        sight, frame = self.known(side), self.stack[-1].seen_by(side)
        if side not in frame.asks(sight):
            return Refusal("{} has nothing to decide now: wait for the other side", PROCEDURE, (seat,))
        if not isinstance(action, frame.takes):
            return Refusal("Another decision comes first: {}", PROCEDURE, (frame.prompt(sight, side),))
        if refusal := self.ruleset.unknown(sight, action):
            return refusal
        barred = self.ruleset.barred(sight, seat, frame, action) if self._shares(side) else None
        return barred or frame.refusal(sight, side, action)

    # --- written orders -----------------------------------------------------------------------------------

    def _plotting(self, seat: str) -> tuple[Plot, Any, str] | None:
        """The plot that the seat's side still has to hand in, the seat's sight and its side; or None."""
        side = self.seats.get(seat, SPECTATOR)
        frame = self.stack[-1].seen_by(side) if self.stack else None
        if not isinstance(frame, Plot) or side not in frame.waiting:
            return None
        return frame, self.known(side), side

    def writable(self, seat: str) -> tuple[str, ...]:
        """The units that the seat may write orders for now."""
        if (found := self._plotting(seat)) is None:
            return ()
        frame, sight, side = found
        return tuple(unit for unit in frame.units(sight, side) if self.orders_for(seat, unit))

    def orders_for(self, seat: str, unit: str) -> tuple[Action, ...]:
        """The orders that the seat may write for a unit now."""
        if (found := self._plotting(seat)) is None:
            return ()
        frame, sight, side = found
        if unit not in frame.units(sight, side):
            return ()
        return tuple(order for order in frame.orders(sight, side, unit) if self.cannot_write(seat, order) is None)

    def cannot_write(self, seat: str, order: Any) -> Refusal | None:
        """The reason against writing this order now, or None."""
        if (found := self._plotting(seat)) is None:
            return Refusal("There are no orders for {} to write now", PROCEDURE, (seat,))
        frame, sight, side = found
        if not isinstance(order, frame.writes):
            return Refusal("This is not an order that can be written now", PROCEDURE)
        if refusal := self.ruleset.unknown(sight, order):
            return refusal
        barred = self.ruleset.barred(sight, seat, frame, order) if self._shares(side) else None
        return barred or frame.bad_order(sight, side, order)

    def prompt(self, seat: str) -> str:
        """The question being asked, in the words of the frame on top, as the seat may know it."""
        if not self.stack:
            return ""
        side = self.seats.get(seat, SPECTATOR)
        return self.stack[-1].seen_by(side).prompt(self.known(side), side)

    def forced(self) -> bool:
        """Whether everybody can see that the present question has at most one answer."""
        if not self.ruleset.secrets:
            return True
        return self.stack[-1].seen_by(SPECTATOR).forced(self.sight(SPECTATOR))

    def play(self, seat: str, action: Action) -> list[Event]:
        """Play the action and return its events. Raises IllegalAction and changes nothing if refused.

        An action that was just drawn from the seat's choices is not judged again: they offer nothing that is refused.
        """
        just_drawn = seat in self._offered and self._offered[seat].drew is action
        if not just_drawn and (refusal := self.why_not(seat, action)):
            raise IllegalAction(refusal)
        self.clear()
        frame, self.actor = self.stack[-1], self.seats[seat]
        self.only = frame.only(self._state, action)
        frame.play(self, action)
        self.run()
        return self.events

    def concede(self, seat: str) -> list[Event]:
        """Give up for the seat's side, at any time; `Match` checks that all its human seats want it."""
        if self.outcome is not None:
            raise IllegalAction(Refusal("The game is over", PROCEDURE))
        if seat not in self.seats:
            raise IllegalAction(Refusal("{} plays no side and cannot concede", PROCEDURE, (seat,)))
        self.clear()
        loser = self.seats[seat]
        winner = next((side for side in self.seats.values() if side != loser), None)
        reason = Text("{} concedes", (loser.capitalize(),))
        self.finish(Outcome(winner, "conceded", in_english(reason)), reason=reason)
        return self.events

    def agree_draw(self) -> list[Event]:
        """End the game in a draw that all sides agree on."""
        if self.outcome is not None:
            raise IllegalAction(Refusal("The game is over", PROCEDURE))
        self.clear()
        self.finish(Outcome(None, "draw", "A draw by agreement"))
        return self.events

    def stop(self) -> list[Event]:
        """End the game without a result, because its rules have changed."""
        self.clear()
        self.finish(Outcome(None, "stopped", "Ended as it was when the rules changed"))
        return self.events

    def view(self, seat: str) -> dict[str, Any]:
        """The position as the seat may know it, ready for JSON."""
        side = self.seats.get(seat, SPECTATOR)
        top = self.stack[-1].seen_by(side) if self.stack else None
        shown = self.ruleset.view(self.known(side), side, top)
        _mark_present(shown.get("track", ()), [frame.step for frame in reversed(self.stack)])
        return shown

    # --- the loop -----------------------------------------------------------------------------------------

    def run(self) -> None:
        """Begin and resume frames until one waits for a decision: one flat loop, no recursion."""
        self._settle()
        while self._due is not None and self.stack:
            (what, result), self._due, frame = self._due, None, self.stack[-1]
            if what == "begin":
                frame.begin(self)
            else:
                frame.resume(self, result)
            self._settle()

    def _settle(self) -> None:
        if self.outcome is None:
            self.ruleset.settle(self)

    # --- values ---------------------------------------------------------------------------------------------

    def copy(self) -> Game[State]:
        """The same game, dice included; playing one leaves the other alone.

        Computer players think on `imagine` instead.
        """
        twin = Game.__new__(Game)
        twin.ruleset, twin.seats, twin.stack, twin.dice = self.ruleset, self.seats, self.stack, self.dice
        twin._state = self._state.copy()  # type: ignore[attr-defined]
        twin.outcome, twin.actor, twin.umpired = self.outcome, self.actor, self.umpired
        twin.clear()
        return twin

    def imagine(self, seat: str, rng: random.Random) -> Game[State]:
        """A whole game that agrees with the seat's knowledge: secrets drawn at random, dice fresh."""
        side = self.seats.get(seat, SPECTATOR)
        sight = self.known(side)
        seen = tuple(frame.seen_by(side) for frame in self.stack)
        twin = self.copy()
        twin.state, twin.stack = self.ruleset.imagined(sight, seen, side, rng)
        twin.dice = Dice(rng.randbytes(32))
        return twin

    def save(self) -> bytes:
        """The game as JSON, to be read back by `load`."""
        return saved.encode(self)

    @staticmethod
    def load(ruleset: Ruleset, data: bytes, setting: Any) -> Game[Any]:
        """The game that `save` wrote, in this setting. Raises BadInput for other data."""

        def restore(kind: type, value: Any) -> Any:
            return setting

        try:
            raw = msgspec.json.decode(data)
            state = msgspec.convert(raw["state"], ready(ruleset.state), dec_hook=restore)
            game: Game[Any] = Game(ruleset, state, saved.dice(raw["dice"]), raw["seats"])
            game.stack = msgspec.convert(raw["stack"], ready(ruleset.stack_type))
            game.outcome = msgspec.convert(raw["outcome"], ready(Outcome) | None)
        except (msgspec.MsgspecError, KeyError, TypeError, ValueError) as error:
            raise BadInput(
                f"this saved game cannot be read: {error}", "saved game", "the output of Game.save"
            ) from None
        return game

    def digest(self) -> str:
        """Sixteen hex digits that differ when state, stack or the count of rolls differ."""
        return hashlib.blake2b(saved.essence(self), digest_size=8).hexdigest()

    def lasting_digest(self) -> str:
        """As `digest`, but it holds when a later version adds a field or corrects a printed value."""
        return hashlib.blake2b(saved.lasting(self), digest_size=8).hexdigest()

    def valued_digest(self) -> str:
        """As `lasting_digest`, with all printed values."""
        return hashlib.blake2b(saved.valued(self), digest_size=8).hexdigest()


def _mark_present(track: Iterable[dict[str, Any]], steps: Iterable[str]) -> None:
    """Mark the present part of the turn where none is: that of the first frame from above that has one on the track."""
    parts = {part["id"]: part for part in track}
    present = next((parts[step] for step in steps if step in parts), None)
    if present is not None and not any(part["now"] for part in parts.values()):
        present["now"] = True
