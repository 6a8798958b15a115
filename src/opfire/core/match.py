"""A match: a game being played, with its record, drafts and undo, standing orders, and who is really asked."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from opfire.core import scenario as scenarios
from opfire.core.actions import PROCEDURE, Action, IllegalAction, Refusal
from opfire.core.dice import Dice, commitment, new_key, seed
from opfire.core.errors import BadInput
from opfire.core.events import Event
from opfire.core.game import SPECTATOR, Game
from opfire.core.record import Entry, Header, Record, carry_out, new_game
from opfire.core.ruleset import find


class Moment(msgspec.Struct, frozen=True):
    """Where a game stands: its turn, the side whose player turn it is, the step on the sequence track."""

    turn: int
    side: str
    step: str


class Match:
    """One game on the table.

    Decisions since the last barrier (a roll, a reveal, a question put to another seat) are a draft: only its
    seat sees them, and it can take them back. `log` holds every event with the number of the line it came from,
    `moments` where the game stood after each line (0: at the start). Lines after `final` belong to the draft.
    """

    def __init__(self, record: Record, game: Game[Any], key: bytes) -> None:
        self.record, self.game, self.key = record, game, key
        self.base = game.copy()
        self.draft: list[Entry] = []
        self.log: list[tuple[int, Event]] = []
        self.orders: dict[str, Any] = {}
        self.barrier = "the start of the game"
        self.final = 0
        self.moments = {0: self._moment()}
        self._routes: dict[str, list[Action]] = {}

    @staticmethod
    def start(
        scenario: str,
        players: Mapping[str, str] | None = None,
        nonces: Mapping[str, str] | None = None,
        key: bytes | None = None,
    ) -> Match:
        """A new match of the scenario file with this text.

        `players` names who plays each seat, `nonces` is what each seat adds to the dice; the key is drawn
        and committed to unless given.
        """
        parsed, key = scenarios.parse(scenario, "scenario"), key or new_key()
        ruleset, seats = find(parsed.ruleset), {side: side for side in parsed.sides}
        added = {seat: (nonces or {}).get(seat) or secrets.token_hex(8) for seat in seats}
        header = Header(
            ruleset=ruleset.id,
            version=ruleset.version,
            scenario=scenario,
            seats=seats,
            players=dict(players or {}),
            data=scenarios.fingerprint(ruleset.version),
            commitment=commitment(key),
            nonces=added,
        )
        match = Match(
            Record(header), new_game(ruleset, scenario, Dice(seed(key, added.values())), seats), key
        )
        match.orders = {seat: ruleset.orders() for seat in seats}
        return match

    @staticmethod
    def resume(text: str, key: bytes) -> Match:
        """A match as it stood when its record was written. Raises BadInput or RecordBroken."""
        record = Record.load(text)
        header = record.header
        match = Match.start(header.scenario, header.players, header.nonces, key)
        match.record.header = header
        for entry in record.lines:
            match._replay(entry)
        return match

    def _replay(self, entry: Entry) -> None:
        match entry.what:
            case "undo":
                self.undo(entry.seat)
            case "orders":
                self.give_orders(entry.seat, entry.do)
            case "concede":
                self.concede(entry.seat)
            case "draw":
                self.agree_draw(entry.seat)
            case _:
                self._play(entry.seat, self.game.ruleset.read_action(entry.do), entry.by)

    # --- what a seat sees -----------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.game.outcome is not None

    def shown(self, seat: str) -> Game[Any]:
        """The game as it is shown to a seat: its own draft, or what stands for everybody."""
        side = self.game.seats.get(seat, SPECTATOR)
        drafting = {self.game.seats[entry.seat] for entry in self.draft}
        return self.game if side in drafting or not drafting else self.base

    def record_for(self, seat: str) -> Record:
        """The record as this seat may have it: whole and with the dice key after the end.

        Before, without the others' drafts and orders and what was taken back, so that nobody learns of them.
        """
        header = msgspec.structs.replace(self.record.header, key=self.key.hex() if self.over else "")
        if self.over:
            return Record(header, list(self.record.lines))
        lines = (
            line
            for line in _standing(self.record.lines)
            if line.seat == seat or (line.n <= self.final and line.what != "orders")
        )
        return Record(header, [msgspec.structs.replace(line, n=n) for n, line in enumerate(lines, 1)])

    # --- what a seat does -----------------------------------------------------------------------------------

    def play(self, seat: str, action: Action, route: Sequence[Action] = ()) -> list[Event]:
        """Play an action; `route` goes on by itself as long as nothing but passes answers it.

        Afterwards questions that have one answer, or that standing orders answer, are answered. Raises
        IllegalAction, and then nothing has changed.
        """
        before = len(self.log)
        self._play(seat, action)
        self._routes[seat] = list(route)
        self.go_on()
        return [event for _, event in self.log[before:]]

    def answer(self, seat: str, action: Action, by: str) -> None:
        """Play an action that a computer player chose for the seat."""
        self._play(seat, action, by)
        self.go_on()

    def _play(self, seat: str, action: Action, by: str = "") -> None:
        asked = self.game.asked()
        if not self.draft:
            self.base = self.game.copy()
        events = self.game.play(seat, action)
        if action.kind != "pass":
            self._routes = {owner: route for owner, route in self._routes.items() if owner == seat}
        do = msgspec.to_builtins(action)
        self._write(Entry(n=0, seat=seat, do=do, by=by, rolls=tuple(self.game.rolls)), events)
        self.draft.append(self.record.lines[-1])
        barrier = self._barrier(asked, events)
        if barrier:
            self._commit(barrier, joint=len(asked) > 1)

    def _write(self, entry: Entry, events: Sequence[Event]) -> None:
        number = len(self.record.lines) + 1
        words = tuple(event.sentence() for event in events if not event.only)
        self.record.lines.append(
            msgspec.structs.replace(entry, n=number, events=words, digest=self.game.digest())
        )
        self.log.extend((number, event) for event in events)
        self.moments[number] = self._moment()

    def _moment(self) -> Moment:
        """Turn and side are what a state calls `turn` and `current`, if it has them."""
        state = self.game.state
        step = next((frame.step for frame in reversed(self.game.stack) if frame.step), "")
        return Moment(getattr(state, "turn", 0), getattr(state, "current", ""), step)

    def _barrier(self, asked: tuple[str, ...], events: Sequence[Event]) -> str:
        """What makes the draft final now, or nothing."""
        now = self.game.asked()
        if self.game.rolls:
            return "the last roll"
        if any(event.kind == "revealed" for event in events):
            return "what was revealed"
        if now == asked or (len(asked) > 1 and now and set(now) < set(asked)):
            return ""
        return "a question to the other side"

    def _commit(self, barrier: str, joint: bool) -> None:
        if joint:
            self._in_seat_order()
        self.draft, self.barrier, self.base = [], barrier, self.game.copy()
        self.final = len(self.record.lines)

    def _in_seat_order(self) -> None:
        """Rewrite what several seats committed in secret so that neither order nor undoing tells anything."""
        seats, start = list(self.game.seats), self.final
        entries = sorted(self.draft, key=lambda entry: seats.index(entry.seat))
        orders = [line for line in self.record.lines[start:] if line.what == "orders"]
        if entries == self.record.lines[start:]:
            return
        del self.record.lines[start:]
        self.log = [(number, event) for number, event in self.log if number <= start]
        self.game = self.base.copy()
        for entry in entries:
            carry_out(self.game, entry)
            self._write(msgspec.structs.replace(entry, rolls=tuple(self.game.rolls)), self.game.events)
        for line in orders:
            self._write(line, ())

    def undo(self, seat: str) -> None:
        """Take back the seat's last decision since the barrier. Raises IllegalAction when there is none."""
        own = [entry for entry in self.draft if entry.seat == seat]
        if not own:
            raise IllegalAction(Refusal("Nothing can be taken back beyond {}", PROCEDURE, (self.barrier,)))
        self._routes.pop(seat, None)
        kept = [entry for entry in self.draft if entry is not own[-1]]
        self.log = [(number, event) for number, event in self.log if number != own[-1].n]
        self.game = self.base.copy()
        for entry in kept:
            carry_out(self.game, entry)
        self.draft = kept
        self.game.rolls = []
        self._write(Entry(n=0, seat=seat, what="undo"), ())

    def give_orders(self, seat: str, data: Any) -> None:
        """Set the seat's standing orders from plain data. Raises BadInput."""
        if seat not in self.game.seats:
            raise IllegalAction(Refusal("{} has nothing to order", PROCEDURE, (seat,)))
        try:
            orders = msgspec.convert(data, self.game.ruleset.orders)
        except msgspec.ValidationError as error:
            raise BadInput(
                f"these are no standing orders: {error}", "orders", "what docs/protocol.md lists"
            ) from None
        self.orders[seat] = orders
        self._write(Entry(n=0, seat=seat, what="orders", do=msgspec.to_builtins(orders)), ())

    def concede(self, seat: str) -> None:
        """The seat's side gives up."""
        self._write(Entry(n=0, seat=seat, what="concede"), self.game.concede(seat))
        self._commit("the end", joint=False)

    def agree_draw(self, seat: str) -> None:
        """The seat accepts a draw that the other side offered."""
        self._write(Entry(n=0, seat=seat, what="draw"), self.game.agree_draw())
        self._commit("the end", joint=False)

    # --- who is really asked ----------------------------------------------------------------------------------

    def go_on(self) -> None:
        """Answer what needs no player: routes under way, standing orders, questions with one answer."""
        while not self.over and (found := self._answer()):
            seat, action, by = found
            self._play(seat, action, by)

    def _answer(self) -> tuple[str, Action, str] | None:
        sides = self.game.asked()
        if len(sides) != 1:
            return None
        seat = next(seat for seat, side in self.game.seats.items() if side == sides[0])
        if route := self._routes.get(seat):
            action = route.pop(0)
            if self.game.why_not(seat, action) is None:
                return seat, action, "route"
            self._routes.pop(seat)
            return None
        if any(entry.seat == seat for entry in self.draft):
            return None
        choices = list(self.game.choices(seat))
        if len(choices) == 1:
            return seat, choices[0], "only"
        ordered = self.game.ruleset.answer(
            self.game.sight(seat), sides[0], self.game.stack[-1], self.orders.get(seat), choices
        )
        return None if ordered is None else (seat, ordered, "orders")


def _standing(lines: Sequence[Entry]) -> list[Entry]:
    """The lines without those that were taken back, and without the taking back."""
    kept: list[Entry] = []
    for line in lines:
        if line.what != "undo":
            kept.append(line)
            continue
        del kept[max(at for at, old in enumerate(kept) if old.seat == line.seat and old.what == "play")]
    return kept
