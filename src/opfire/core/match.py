"""A match: a game being played, with its record, drafts and undo, standing orders, and the seats really asked."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Any, Literal

import msgspec

from opfire.core import scenario as scenarios
from opfire.core.actions import NOBODY, PROCEDURE, Action, Choices, IllegalAction, Refusal
from opfire.core.dice import Dice, new_key, seed
from opfire.core.errors import BadInput, RecordBroken
from opfire.core.events import Event
from opfire.core.game import SPECTATOR, Game
from opfire.core.orders import Answer, Ask, Asked, Spare
from opfire.core.plot import Commit, Plot, new_salt, salt_of, seals
from opfire.core.reading import ready
from opfire.core.record import (
    ASIDE,
    HUMAN,
    TURNS,
    UNPLAYABLE,
    Entry,
    Header,
    Record,
    Update,
    carry_out,
    decided,
    dice_before,
    given_up,
    new_game,
    reliance,
    taken_back,
)
from opfire.core.rows import OWN, Texts
from opfire.core.ruleset import find
from opfire.core.scenario import Scenario
from opfire.core.texts import in_english

Ending = Literal["concede", "draw", "resume", "stop"]
"""The votes of players: to end a game before its time; to go on or to stop when its rules have changed."""
ENDINGS: tuple[Ending, ...] = ("concede", "draw", "resume", "stop")


class Moment(msgspec.Struct, frozen=True):
    """A moment of a game: its turn, the side whose player turn it is, the step on the sequence track."""

    turn: int
    side: str
    step: str


class Change(msgspec.Struct, frozen=True):
    """The place where a game no longer goes as its record tells, because the rules have changed since.

    `standing` is the number of the last line that the game has come to, `line` the line of the file that differs,
    `text` tells how.
    """

    standing: int
    line: int
    text: str


class Match:
    """One game on the table.

    Decisions since the last barrier (a roll, a reveal, a question put to another side, or an action declared
    irrevocable)
    are a draft: only the seats of its side see them, and each can take its own back unless others have built on it.
    `sheets` holds the orders that each side has written and not handed in, by unit.
    `log` holds every event with the number of its line, `moments` the moment of the game after each line (0: at the
    start). Lines after `settled_lines` belong to the draft. Of the draft the first `locked` decisions cannot be taken
    back: they rolled dice, but as they are their side's secret, other sides do not even notice that they are final.
    An event of kind `revealed` is a reveal; `opening` is the game before the first decision. `change` tells where
    the record and the rules part: until all players agree how to go on, the game stands still. A match that is only
    `viewed` never goes on.
    """

    def __init__(self, record: Record, game: Game[Any], key: bytes) -> None:
        self.record, self.game, self.key = record, game, key
        self.settled = self.opening = game.copy()
        self.draft: list[Entry] = []
        self.log: list[tuple[int, Event]] = []
        self.orders: dict[str, Any] = {}
        self.votes: dict[Ending, tuple[str, ...]] = dict.fromkeys(ENDINGS, ())
        self.change: Change | None = None
        self.viewed = False
        self.barrier = "the start of the game"
        self.settled_lines = 0
        self.locked = 0
        self._lock = ""
        self.moments = {0: self._moment()}
        self._routes: dict[str, list[Action]] = {}
        self._alone: dict[str, Game[Any]] = {}
        self._asked: dict[str, dict[int, Asked]] = {}
        self._told: set[str] = set()
        self.sheets: dict[str, dict[str, Action]] = {}

    @staticmethod
    def start(
        scenario: str,
        players: Mapping[str, str] | None = None,
        nonces: Mapping[str, str] | None = None,
        key: bytes | None = None,
        pack: Texts = OWN,
        seats: Mapping[str, str] | None = None,
    ) -> Match:
        """A new match of the scenario file with this text.

        `players` names the player of each seat, `nonces` holds what seats add to the dice; the key is drawn
        and committed to unless given; `pack` are the tables of a data pack. `seats` gives each seat its side, by
        default one of its own name to each. Raises BadInput.
        """
        parsed, key = scenarios.parse(scenario, "scenario"), key or new_key()
        ruleset, seats = find(parsed.ruleset), seats_at(parsed, seats)
        given = nonces or {}
        header = Header(
            ruleset=ruleset.id,
            version=ruleset.version,
            scenario=scenario,
            seats=seats,
            players=dict(players or {}),
            data=reliance(ruleset, parsed, pack),
            pack=dict(pack),
            nonces={seat: given[seat] for seat in seats if seat in given},
        )
        return Match.begun(msgspec.structs.replace(header, commitment=header.committed(key)), key)

    @staticmethod
    def begun(header: Header, key: bytes, dice: Dice | None = None) -> Match:
        """A match before its first decision; its dice are those of key and nonces unless given. Raises BadInput."""
        ruleset = find(header.ruleset)
        seats = seats_at(scenarios.parse(header.scenario, "scenario"), header.seats)
        dice = dice or Dice(seed(key, header.nonces.values()))
        match = Match(Record(header), new_game(ruleset, header.scenario, dice, seats, header.pack), key)
        computers = {seat for seat, player in header.players.items() if player != HUMAN}
        first = {True: ruleset.orders_of_computers(), False: ruleset.orders()}
        match.orders = {seat: first[seat in computers] for seat in seats}
        return match

    @staticmethod
    def begun_again(header: Header, key: bytes, dice: Dice | None = None) -> Match:
        """As `begun`, for a header that other rules may have written. Raises BadInput."""
        try:
            return Match.begun(header, key, dice)
        except UNPLAYABLE as error:
            words = f"this game cannot be set up by the rules here: {error!r}"
            raise BadInput(words, "record:1", f"a scenario of {header.ruleset}") from None

    @staticmethod
    def resume(text: str, key: bytes) -> Match:
        """A match as it stood when its record was written with this key.

        Where the rules have changed since, but every line still holds, it goes on under the new ones, and its log says
        so. Where a line no longer holds, it stands at the last position before it that nobody could take back, and
        waits for its players (`change`). Raises BadInput or RecordBroken.
        """
        record = Record.load(text)
        record.header.check_key(key)
        record.check_chain(key)
        match, fault = _retraced(record, key)
        if fault is None:
            match._note_update()
            return match
        found, _ = _retraced(Record(record.header, record.lines[: match.settled_lines]), key)
        found._stand_still(record.lines, fault)
        return found

    @staticmethod
    def opened(record: Record) -> Match:
        """A match as a record tells it, for viewing: as far as it goes by the present rules. Raises BadInput.

        While the key is secret the dice are those of the record. `change` tells where the game and the record part.
        The match cannot go on.
        """
        header = record.header
        if not header.key and header.dice is None and record.ruleset.secrets:
            raise BadInput("a game with secrets that is not over", "record", "one with its dice key")
        if header.key and header.dice is None:
            header.check_commitment()
        told = record.told()
        match, fault = _retraced(told, b"", told.header.starting_dice())
        if fault is not None:
            standing = fault.line - 2
            match, _ = _retraced(Record(told.header, told.lines[:standing]), b"", told.header.starting_dice())
            match.change = _change(standing, fault)
        match.record, match.viewed = Record(header, list(record.lines)), True
        match.key = bytes.fromhex(header.key)
        match._settle("the end of the record")
        return match

    def follow(self, entry: Entry) -> None:
        """Do as the next line of a record tells, and keep the line. Raises RecordBroken where the game differs."""
        line = len(self.record.lines) + 2
        with decided(line):
            self.repeat(entry)
        if len(self.record.lines) != line - 1:
            raise RecordBroken(line, f"a {entry.what} of {entry.seat}", "that it changes nothing")
        found = self.record.lines[-1]
        if (found.rolls, found.sides, found.secret) != (entry.rolls, entry.sides, entry.secret):
            raise RecordBroken(line, f"dice {_fallen(entry)}", f"{_fallen(found)}")
        self.record.header.check_state(entry, self.game, line)
        self.keep(entry)

    def keep(self, entry: Entry) -> None:
        """Put a line of a record in place of the one just written, which tells the same."""
        found = self.record.lines[-1]
        self.draft = [entry if line is found else line for line in self.draft]
        self.record.lines[-1] = entry

    def pass_over(self, entry: Entry) -> None:
        """Keep a line of a record that was given up."""
        self.record.lines.append(entry)
        self.moments[len(self.record.lines)] = self.moments[len(self.record.lines) - 1]

    def repeat(self, entry: Entry) -> None:
        """Do as a line of a record tells, and write a line of it. Raises OpfireError where that cannot be done."""
        match entry.what:
            case "undo":
                self.undo(entry.seat)
            case "orders":
                self.give_orders(entry.seat, entry.do)
            case "vote":
                self._vote(entry.seat, _ending(entry))
            case "decline":
                self.decline(entry.seat, _ending(entry))
            case "concede":
                self._end("concede", entry.seat)
            case "draw":
                self._end("draw", entry.seat)
            case "update":
                self._update(entry.update(), entry.seat)
            case "stop":
                self._stop(entry.update(), entry.seat)
            case "play":
                self._play(entry.seat, self.game.ruleset.read_action(entry.do), entry.by)
            case _:
                raise BadInput(f"{entry.what!r} is not a kind of line", f"line {entry.n + 1}", "play, undo, …")

    # --- what a seat sees -----------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.game.outcome is not None

    def shown(self, seat: str) -> Game[Any]:
        """The game as a seat sees it: the settled decisions, and its own side's draft alone."""
        side = self._side(seat)
        own = [entry for entry in self.draft if self._side(entry.seat) == side]
        if len(own) == len(self.draft):
            return self.game
        if not own:
            return self.settled
        if side not in self._alone:
            self._alone[side] = self.settled.copy()
            for entry in own:
                carry_out(self._alone[side], entry)
        return self._alone[side]

    def _side(self, seat: str) -> str:
        return self.game.seats.get(seat, SPECTATOR)

    def log_for(self, seat: str) -> list[tuple[int, Event]]:
        """The events that the seat may know. The line numbers refer to `moments` and are not for display."""
        side, lines = self._side(seat), self.record.lines
        return [
            (number, event)
            for number, event in self.log
            if not self._is_draft_of_others(lines[number - 1], side) and (self.over or event.seen_by(side))
        ]

    def record_for(self, seat: str) -> Record:
        """The record as this seat may have it: whole and with the dice key after the end.

        Before the end it lacks the others' drafts, orders and secret decisions, secret dice, decisions taken back, and
        digests, on which guesses could be tried.
        """
        header = msgspec.structs.replace(self.record.header, key=self.key.hex() if self.over else "")
        if self.over or self.record.header.key:
            return Record(header if self.over else self.record.header, list(self.record.lines))
        lines = (self._known(line, seat) for line in self._reached())
        known = (line for line in lines if line is not None)
        return Record(header, [msgspec.structs.replace(line, n=n) for n, line in enumerate(known, 1)])

    def digest_for(self, seat: str) -> str | None:
        """The digest of the last settled line that the seat knows, for it to keep; None before there is one.

        It covers the secret lines before that one, and moves only when a line is added that the seat knows: nobody can
        tell whether there were others, nor try guesses at them without the dice key. Without a key, as in the first two
        formats, the digests of a game with secrets are told after its end.
        """
        if self.game.ruleset.secrets and not (self.over or self.record.header.chained):
            return None
        settled = (line for line in reversed(self._reached()) if line.n <= self.settled_lines)
        return next((line.digest for line in settled if self.over or self._known(line, seat) is not None), None)

    def course_for(self, seat: str) -> list[tuple[Entry, int]]:
        """Every settled decision and the seat's own draft, in order, to rebuild each position.

        The number is that of the line in `record_for(seat)`, 0 for lines that the seat may not know.
        """
        found, number = list[tuple[Entry, int]](), 0
        for line in self._reached():
            known = self.over or self._known(line, seat) is not None
            number += known
            if line.what not in ASIDE and not self._is_draft_of_others(line, self._side(seat)):
                found.append((line, (line.n if self.over else number) if known else 0))
        return found

    def _is_draft_of_others(self, line: Entry, side: str) -> bool:
        """Return whether another side's seat can still take this line back; a line of the table has no seat."""
        return line.n > self.settled_lines and bool(line.seat) and self._side(line.seat) != side

    def _reached(self) -> list[Entry]:
        """The lines that led to the present position."""
        return _standing(self.record.lines if self.change is None else self.record.lines[: self.change.standing])

    def _known(self, line: Entry, seat: str) -> Entry | None:
        """The parts of a line that the seat may know before the end."""
        side = self._side(seat)
        if self._side(line.seat) != side:
            secret = line.only and side not in line.only
            if secret or line.what in ASIDE or self._is_draft_of_others(line, side):
                return None
            if line.by == "orders":
                line = msgspec.structs.replace(line, by="")
            if line.sealed:
                line = _as_revealed(line, self._opened_since(line))
        if line.what == "update":
            known = msgspec.structs.replace(line.update(), standing=None, open=0, secret=0)
            line = msgspec.structs.replace(line, do=msgspec.to_builtins(known))
        if self.game.ruleset.secrets or line.n > self.settled_lines:
            line = msgspec.structs.replace(line, state="", digest="")
        return msgspec.structs.replace(line, secret=())

    def _opened_since(self, sheet: Entry) -> set[str]:
        """The units whose orders on this sheet have been revealed: up to the side's next sheet."""
        side, opened = self._side(sheet.seat), set[str]()
        for line in self.record.lines[sheet.n :]:
            if line.sealed and self._side(line.seat) == side:
                break
            opened.update(line.opened)
        return opened | set(sheet.opened)

    # --- what a seat does -----------------------------------------------------------------------------------

    def play(self, seat: str, action: Action, route: Sequence[Action] = ()) -> list[Event]:
        """Play an action; `route` goes on by itself as long as other seats only pass.

        Afterwards, questions with a single answer, and those covered by standing orders, are answered. Raises
        IllegalAction, and then nothing has changed.
        """
        self._routes.pop(seat, None)
        events = self._play(seat, action)
        if not self._learned(self._side(seat), events):
            self._routes[seat] = list(route)
        events = [*events, *self.go_on()]
        return [event for event in events if event.seen_by(self._side(seat))]

    def write(self, seat: str, *orders: Action) -> None:
        """Write orders on the sheet of the seat's side. Raises IllegalAction, and then nothing has changed."""
        shown = self.shown(seat)
        for order in orders:
            if refusal := shown.cannot_write(seat, order):
                raise IllegalAction(refusal)
        for order in orders:
            self.sheets.setdefault(self._side(seat), {})[order.unit] = order  # type: ignore[attr-defined]

    def erase(self, seat: str, *units: str) -> None:
        """Strike the orders of units off the sheet. Raises IllegalAction if one has none, and then nothing has
        changed.
        """
        sheet = self.sheets.get(self._side(seat), {})
        if missing := next((unit for unit in units if unit not in sheet), None):
            raise IllegalAction(Refusal("{} has no order to strike off", PROCEDURE, (missing,)))
        for unit in units:
            sheet.pop(unit, None)

    def last_orders(self, seat: str) -> tuple[Action, ...]:
        """The orders of the side's last sheet that can be written again now."""
        shown, side = self.shown(seat), self._side(seat)
        sheets = (line.do for line in reversed(self._reached()) if line.sealed and self._side(line.seat) == side)
        if (last := next(sheets, None)) is None:
            return ()
        commit = self.game.ruleset.read_action(last)
        assert isinstance(commit, Commit)
        return tuple(order for order in commit.orders if shown.cannot_write(seat, order) is None)

    def unfinished(self) -> dict[str, list[Any]]:
        """The orders that each side has written and not handed in, as plain data, to be kept beside the record."""
        return {side: msgspec.to_builtins(list(sheet.values())) for side, sheet in self.sheets.items() if sheet}

    def lay_out(self, sheets: Mapping[str, Sequence[Any]]) -> None:
        """Put unfinished sheets back on the table; orders that can no longer be written are left out."""
        self.sheets = {}
        for side, orders in sheets.items():
            for data in orders:
                self._put_back(side, data)

    def _put_back(self, side: str, data: Any) -> None:
        try:
            order = self.game.ruleset.read_action(data)
        except BadInput:
            return
        seats = (seat for seat, own in self.game.seats.items() if own == side)
        if any(self.shown(seat).cannot_write(seat, order) is None for seat in seats):
            self.sheets.setdefault(side, {})[order.unit] = order  # type: ignore[attr-defined]

    def hand_in(self, seat: str) -> list[Event]:
        """Hand in the sheet of the seat's side, sealed. Raises IllegalAction, and then the sheet stays."""
        top = self.shown(seat).stack[-1:]
        if not top or not isinstance(top[0], Plot):
            raise IllegalAction(Refusal("There are no orders for {} to hand in now", PROCEDURE, (seat,)))
        orders = tuple(self.sheets.get(self._side(seat), {}).values())
        events = self.play(seat, top[0].commit()(orders=orders))
        self.sheets.pop(self._side(seat), None)
        return events

    def answer(self, seat: str, action: Action, by: str) -> None:
        """Play an action that a computer player chose for the seat."""
        self._play(seat, action, by)
        self.go_on()

    def decide(self, seat: str, action: Action, by: str = "") -> list[Event]:
        """Play an action and answer no question after it. Raises IllegalAction, and then nothing has changed."""
        return self._play(seat, action, by)

    def _play(self, seat: str, action: Action, by: str = "") -> list[Event]:
        self._check_going()
        if isinstance(action, Commit) and not action.salt:
            action = msgspec.structs.replace(action, salt=new_salt(self.key, len(self.record.lines) + 1))
        if not self.draft:
            self.settled = self.game.copy()
        asked, before, ordered = self.game.asked(), self.game.copy(), self._to_note(seat, by)
        try:
            events = self.game.play(seat, action)
        except IllegalAction:
            raise
        except Exception:
            self.game = before
            raise
        if action.kind != "pass":
            self._routes = {owner: route for owner, route in self._routes.items() if owner == seat}
        self._routes = {
            owner: route for owner, route in self._routes.items() if not self._learned(self._side(owner), events)
        }
        if by == "orders" and isinstance(ordered, Spare) and seat not in self._told:
            self._told.add(seat)
            events = [*events, ordered.notice]
        self._write(Entry(n=0, seat=seat, do=msgspec.to_builtins(action), by=by), events)
        if not by and isinstance(ordered, Ask):
            question = Asked(before.stack[-1].seen_by(self._side(seat)), ordered.chance, action.kind == "pass")
            self._asked.setdefault(seat, {})[self.record.lines[-1].n] = question
        self.draft.append(self.record.lines[-1])
        if barrier := self._barrier(asked, action, events):
            if self._unnoticed(asked, events):
                self.locked, self._lock = len(self.draft), barrier
            else:
                self._commit(barrier)
        return events

    def _unnoticed(self, asked: tuple[str, ...], events: Sequence[Event]) -> bool:
        """Whether the last decision is a secret of its side, and nothing that others are asked or told follows."""
        secret = bool(self.game.only) and all(event.only for event in events)
        return secret and not self._joint() and self.game.asked() == asked

    def _write(self, entry: Entry, events: Sequence[Event]) -> None:
        number, game = len(self.record.lines) + 1, self.game
        if entry.what == "play":
            entry = msgspec.structs.replace(
                entry,
                rolls=tuple(game.rolls),
                sides=tuple(game.sides),
                secret=tuple(game.secret),
                sealed=_sealed(entry.do),
                opened=tuple(game.opened),
                only=game.only,
            )
        words = tuple(in_english(event.text, *event.facts) for event in events if not event.only)
        self.record.lines.append(self._digested(msgspec.structs.replace(entry, n=number, events=words)))
        self.log.extend((number, event) for event in events)
        now = self.moments[number] = self._moment()
        if (now.turn, now.side) != (self.moments[number - 1].turn, self.moments[number - 1].side):
            self._asked.clear()
            self._told.clear()
        self._alone.clear()

    def _digested(self, entry: Entry) -> Entry:
        """A line with its digests; records of the first two formats go on in theirs."""
        header, lines = self.record.header, self.record.lines
        if not header.chained:
            return msgspec.structs.replace(entry, digest=header.state_of(self.game))
        before = lines[-1].digest if lines else header.first_digest(self.key)
        entry = msgspec.structs.replace(entry, state=header.state_of(self.game), digest="")
        return msgspec.structs.replace(entry, digest=header.digest_of(entry, before, self.key))

    def _moment(self) -> Moment:
        """The moment of the game; turn and side are the state's `turn` and `current`, if it has them."""
        state = self.game.state
        step = next((frame.step for frame in reversed(self.game.stack) if frame.step), "")
        return Moment(getattr(state, "turn", 0), getattr(state, "current", ""), step)

    def _disclosed(self, events: Sequence[Event]) -> str:
        """The name of the reveal in the last decision, or an empty string."""
        if self.game.rolls or self.game.secret:
            return "the last roll"
        return "what was revealed" if any(event.kind == "revealed" for event in events) else ""

    def _learned(self, side: str, events: Sequence[Event]) -> bool:
        """Whether the last decision taught a side anything: dice, or a reveal of more than orders that it wrote."""
        if self.game.rolls or self.game.secret:
            return True
        revealed = {name for event in events if event.kind == "revealed" for name in event.units or ("",)}
        return bool(revealed) and not revealed <= self._written(side).intersection(self.game.opened)

    def _written(self, side: str) -> set[str]:
        """The units on the last sheet that a side has handed in."""
        sheets = (line.sealed for line in reversed(self.record.lines) if line.sealed and self._side(line.seat) == side)
        return {*next(sheets, ())}

    def _barrier(self, asked: tuple[str, ...], action: Action, events: Sequence[Event]) -> str:
        """The name of the barrier that makes the draft final now, or an empty string."""
        if disclosed := self._disclosed(events):
            return disclosed
        if self._joint():
            return "" if self._still_joint(asked) else "what all have committed"
        return action.barrier or ("" if self.game.asked() == asked else "a question to the other side")

    def _joint(self) -> bool:
        """Whether the draft began with a question to several sides at once."""
        return len(self.settled.asked()) > 1

    def _still_joint(self, asked: tuple[str, ...]) -> bool:
        """Whether the question is unchanged: the same frame, and no seat owes a new answer."""
        now, stack, before = self.game.asked(), self.game.stack, self.settled.stack
        if not now or not set(now) <= set(asked):
            return False
        return len(stack) == len(before) and type(stack[-1]) is type(before[-1])

    def _commit(self, barrier: str) -> None:
        if self.draft and self._joint():
            self._in_seat_order()
        self._settle(barrier)

    def _settle(self, barrier: str) -> None:
        """Make the draft final."""
        self.draft, self.barrier, self.settled = [], barrier, self.game.copy()
        self.settled_lines, self.locked = len(self.record.lines), 0

    def _in_seat_order(self) -> None:
        """Rewrite the secret commitments of several sides so that neither order nor undoing reveals anything.

        The seats of one side may have built on each other: their lines stay in the order in which they came.
        """
        sides, start = list(self.game.seats.values()), self.settled_lines
        entries = sorted(self.draft, key=lambda entry: sides.index(self._side(entry.seat)))
        aside = [line for line in self.record.lines[start:] if line.what in (*ASIDE, *TURNS)]
        told = [[event for number, event in self.log if number == line.n] for line in aside]
        if entries == self.record.lines[start:]:
            return
        del self.record.lines[start:]
        self.log = [(number, event) for number, event in self.log if number <= start]
        self.game = self.settled.copy()
        for entry in entries:
            carry_out(self.game, entry)
            self._write(entry, self.game.events)
        for line, events in zip(aside, told, strict=True):
            self._write(line, events)

    def undoable(self, seat: str) -> list[Entry]:
        """The seat's decisions that it may take back, in their order; the last one goes first."""
        return [entry for entry in self.draft[self.locked :] if entry.seat == seat]

    def barrier_for(self, seat: str) -> str:
        """The barrier that the seat's undoing ends at; other sides do not hear of a secret one."""
        own = self.locked and self._side(self.draft[0].seat) == self._side(seat)
        return self._lock if own else self.barrier

    def undo(self, seat: str) -> None:
        """Take back the seat's last decision since the barrier. Raises IllegalAction without such a decision."""
        self._check_going()
        own = self.undoable(seat)
        if not own:
            raise IllegalAction(Refusal("Nothing can be taken back beyond {}", PROCEDURE, (self.barrier_for(seat),)))
        kept = [entry for entry in self.draft if entry is not own[-1]]
        self.game = self._with_draft(kept)
        self._routes.pop(seat, None)
        self._asked.get(seat, {}).pop(own[-1].n, None)
        self.log = [(number, event) for number, event in self.log if number != own[-1].n]
        self.draft = kept
        self._take_back_sheet(own[-1])
        self._write(Entry(n=0, seat=seat, what="undo"), ())

    def _take_back_sheet(self, entry: Entry) -> None:
        """Return a sheet that was handed in to its side, for changes."""
        if entry.sealed:
            commit = self.game.ruleset.read_action(entry.do)
            assert isinstance(commit, Commit)
            self.sheets[self._side(entry.seat)] = {order.unit: order for order in commit.orders}

    def _with_draft(self, entries: Sequence[Entry]) -> Game[Any]:
        """The game with these decisions since the barrier. Raises IllegalAction if a decision lacks the one it built
        on.
        """
        game = self.settled.copy()
        for entry in entries:
            try:
                carry_out(game, entry)
            except IllegalAction:
                words = "{} has built on this: that decision has to be taken back first"
                raise IllegalAction(Refusal(words, PROCEDURE, (entry.seat,))) from None
        return game

    def give_orders(self, seat: str, data: Any) -> None:
        """Set the seat's standing orders from plain data. Raises BadInput or IllegalAction."""
        self._check_going()
        if seat not in self.game.seats:
            raise IllegalAction(Refusal("{} gives no standing orders", PROCEDURE, (seat,)))
        try:
            orders = msgspec.convert(data, ready(self.game.ruleset.orders))
        except msgspec.ValidationError as error:
            raise BadInput(
                f"these standing orders cannot be read: {error}", "orders", "the fields listed in docs/protocol.md"
            ) from None
        self.orders[seat] = orders
        self._write(Entry(n=0, seat=seat, what="orders", do=msgspec.to_builtins(orders)), ())

    def concede(self, seat: str) -> None:
        """The seat wants its side to give up; the side does so when all its human seats want it.

        Raises IllegalAction for a seat that has no vote.
        """
        self._check_vote(seat)
        if self._agreed("concede", {self._side(seat)}, seat):
            self._end("concede", seat)
        else:
            self._vote(seat, "concede")

    def agree_draw(self, seat: str) -> None:
        """The seat wants a draw; the game ends when all human seats want it.

        Raises IllegalAction for a seat that has no vote, and where a side has computer players only.
        """
        self._check_vote(seat)
        sides = set(self.game.seats.values())
        if sides != set(self.record.header.humans().values()):
            raise IllegalAction(Refusal("A computer player does not agree to a draw", PROCEDURE))
        if self._agreed("draw", sides, seat):
            self._end("draw", seat)
        else:
            self._vote(seat, "draw")

    def decline(self, seat: str, what: Ending) -> None:
        """The seat takes its own vote back, or turns down the draw that another side offers. Raises IllegalAction."""
        offered = what == "draw" and self.draw_offered_by not in (None, self._side(seat))
        if seat not in self.record.header.humans() or not (offered or seat in self.votes[what]):
            words = "No draw has been offered" if what == "draw" else "{} has not voted to {}"
            raise IllegalAction(Refusal(words, PROCEDURE, () if what == "draw" else (seat, what)))
        self.votes[what] = () if offered else tuple(other for other in self.votes[what] if other != seat)
        self._write(Entry(n=0, seat=seat, what="decline", do={"for": what}), ())

    @property
    def open_votes(self) -> tuple[Ending, ...]:
        """The endings that seats can vote for now."""
        if self.change is None:
            return "concede", "draw"
        return () if self.viewed else ("resume", "stop")

    @property
    def draw_offered_by(self) -> str | None:
        """The side that offers a draw: all its human seats want one."""
        sides = dict.fromkeys(self._side(seat) for seat in self.votes["draw"])
        return next((side for side in sides if not self.over and self._agreed("draw", {side})), None)

    def _check_vote(self, seat: str) -> None:
        self._check_going()
        if self.over:
            raise IllegalAction(Refusal("The game is over", PROCEDURE))
        self._check_human(seat)

    def _check_human(self, seat: str) -> None:
        if seat not in self.record.header.humans():
            raise IllegalAction(Refusal("{} has no vote: only players who have a seat do", PROCEDURE, (seat,)))

    def _agreed(self, what: Ending, sides: set[str], *more: str) -> bool:
        """Return whether all human seats of these sides want the ending, these `more` among them."""
        voted = {*self.votes[what], *more}
        return all(seat in voted for seat, side in self.record.header.humans().items() if side in sides)

    def _vote(self, seat: str, what: Ending) -> None:
        """Note that the seat wants the ending; no second time."""
        if seat not in self.votes[what]:
            self.votes[what] = (*self.votes[what], seat)
            self._write(Entry(n=0, seat=seat, what="vote", do={"for": what}), ())

    def _end(self, what: Ending, seat: str) -> None:
        """End the game in this way, by the last vote that was wanting."""
        events = self.game.concede(seat) if what == "concede" else self.game.agree_draw()
        self._write(Entry(n=0, seat=seat, what=what), events)
        self._settle("the end")

    # --- when the rules have changed ---------------------------------------------------------------------

    def agree(self, seat: str, what: Ending) -> None:
        """The seat wants to `resume` from the last position that the changed rules still lead to, or to `stop` there.

        It is done when all human seats want it. Raises IllegalAction unless the game stands still.
        """
        if self.change is None or self.over or what not in ("resume", "stop"):
            raise IllegalAction(Refusal("The game goes on: there is nothing to agree on", PROCEDURE))
        self._check_human(seat)
        if not self._agreed(what, set(self.game.seats.values()), seat):
            return self._vote(seat, what)
        count = dice_before(self.record.lines)
        update = Update(*self._here(), self.change.standing, *count)
        self.change = None
        if what == "resume":
            self._update(update, seat)
        else:
            self._stop(update, seat)

    def _here(self) -> tuple[str, str]:
        """The version of the rules, and the digest of the data, that are here."""
        header = self.record.header
        parsed = scenarios.parse(header.scenario, "scenario")
        return self.game.ruleset.version, reliance(self.game.ruleset, parsed, header.pack)

    def _note_update(self) -> None:
        """Note that a game goes on under other rules or data than before."""
        known = self.record.terms()
        if not self.over and known[1] and known != (here := self._here()):
            self._update(Update(*here))

    def _update(self, update: Update, seat: str = "") -> None:
        """Go on under the rules of an update; the dice that fell in lines that were given up do not fall again."""
        entry = Entry(n=0, seat=seat, what="update", do=msgspec.to_builtins(update))
        carry_out(self.game, entry)
        words = "The rules have changed: the game goes on under version {} of {}"
        self._write(entry, [Event("note", words, (update.version, self.game.ruleset.title))])
        if update.standing is not None:
            self._reset("the change of the rules")
        elif not self.draft:
            self._settle(self.barrier)

    def _stop(self, update: Update, seat: str) -> None:
        """End the game at the last position that the changed rules still lead to."""
        entry = Entry(n=0, seat=seat, what="stop", do=msgspec.to_builtins(update))
        carry_out(self.game, entry)
        self._write(entry, self.game.events)
        self._reset("the end")

    def _reset(self, barrier: str) -> None:
        """Begin afresh from the present position: no draft, no votes."""
        self.votes = dict.fromkeys(ENDINGS, ())
        self._settle(barrier)

    def _stand_still(self, lines: Sequence[Entry], fault: RecordBroken) -> None:
        """Wait at the present position, before the first of these lines that no longer holds."""
        self.change = _change(len(self.record.lines), fault)
        for at, entry in enumerate(lines[self.change.standing :], self.change.standing + 2):
            self.pass_over(entry)
            if at > fault.line and entry.what in ("vote", "decline"):
                self._count_vote(entry)

    def _count_vote(self, entry: Entry) -> None:
        """Count a vote that was given while the game stood still."""
        what, others = _ending(entry), tuple(seat for seat in self.votes[_ending(entry)] if seat != entry.seat)
        if what in ("resume", "stop"):
            self.votes[what] = (*others, entry.seat) if entry.what == "vote" else others

    def _check_going(self) -> None:
        """Refuse a decision while the game stands still. Raises IllegalAction."""
        if self.change is not None:
            words = "The rules have changed since this game began: its players have to agree to go on or to stop"
            raise IllegalAction(Refusal(words, PROCEDURE))

    # --- who is really asked ----------------------------------------------------------------------------

    def go_on(self) -> list[Event]:
        """Answer the questions that need no player: routes under way, standing orders, questions with one answer."""
        events: list[Event] = []
        while not self.over and self.change is None and (found := self.answer_without_player()):
            seat, action, by = found
            events.extend(self._play(seat, action, by))
        return events

    def answer_without_player(self) -> tuple[str, Action, str] | None:
        """The seat, the answer and its author, if the present question needs no player; a route is one step further."""
        sides = self.game.asked()
        if len(sides) != 1:
            return None
        seats = [seat for seat, side in self.game.seats.items() if side == sides[0]]
        if seat := next((seat for seat in seats if self._routes.get(seat)), ""):
            action = self._routes[seat].pop(0)
            if self.game.why_not(seat, action) is None:
                return seat, action, "route"
            self._routes.pop(seat)
            return None
        drafted = {entry.seat for entry in self.draft}
        if drafted.issuperset(seats):
            return None
        able = {seat: choices for seat in seats if (choices := self.game.choices(seat))}
        if len(able) != 1:  # several seats of the side may decide: no answer is given for them
            return None
        ((seat, choices),) = able.items()
        if seat in drafted:
            return None
        if (only := choices.single()) is not None and self.game.forced():
            return seat, only, "only"
        match self._ordered(seat, choices):
            case Action() as action:
                return seat, action, "orders"
            case Spare(action):
                return seat, action, "orders"
        return None

    def _ordered(self, seat: str, choices: Choices) -> Answer:
        """The answer of the seat's standing orders to the present question.

        In a game with secrets a question is put only for reasons that everybody can see, and always for these: what
        the seat alone knows decides about nothing but its shots.
        """
        side = self._side(seat)
        found = self._judged(seat, side, choices)
        if not self.game.ruleset.secrets or (isinstance(found, Action) and found.kind != "pass"):
            return found
        common = self._judged(seat, SPECTATOR, self.game.common_choices(side))
        if isinstance(common, Ask):
            return common
        return _passing(choices) if isinstance(found, Ask) else found

    def _judged(self, seat: str, viewer: str, choices: Choices) -> Answer:
        """The verdict of the seat's orders on these choices, with no more knowledge than the `viewer` has."""
        game, asked = self.game, tuple(self._asked.get(seat, {}).values())
        sight, frame = game.known(viewer), game.stack[-1].seen_by(viewer)
        return game.ruleset.answer(sight, self._side(seat), frame, self.orders.get(seat), choices, asked)

    def _to_note(self, seat: str, by: str) -> Answer:
        """The verdict of the orders on a question about to be answered, if it has to be remembered or told."""
        alone = self.game.asked() == (self._side(seat),)
        if not alone or not any(act.kind == "pass" for act in self.game.stack[-1].takes):
            return None
        to_tell = by == "orders" and seat in self._asked and seat not in self._told
        return self._ordered(seat, self.game.choices(seat)) if not by or to_tell else None


def _passing(choices: Choices) -> Action | None:
    """The choice to pass, if there is one."""
    offers = (offer for offer in choices.of(NOBODY) if isinstance(offer, Action))
    return next((action for action in offers if action.kind == "pass"), None)


def _sealed(do: dict[str, Any] | None) -> dict[str, str]:
    """The seal of each order, if this is a sheet of orders under a salt."""
    return seals(do["salt"], do["orders"]) if do and do.get("salt") and "orders" in do else {}


def _as_revealed(line: Entry, opened: Container[str]) -> Entry:
    """A sheet as another side may know it: the revealed orders, each with its own salt."""
    do = line.do or {}
    orders = [order for order in do["orders"] if order["unit"] in opened]
    salts = {order["unit"]: salt_of(do["salt"], order["unit"]) for order in orders}
    return msgspec.structs.replace(line, do={"type": do["type"], "orders": orders}, salts=salts)


def seats_at(scenario: Scenario, seats: Mapping[str, str] | None) -> dict[str, str]:
    """The side of each seat: as given, or one seat for each side. Raises BadInput unless every side has a seat."""
    given = dict(seats) if seats else {side: side for side in scenario.sides}
    if set(given.values()) != set(scenario.sides) or SPECTATOR in given:
        found = ", ".join(f"{seat} at {side}" for seat, side in given.items())
        raise BadInput(f"seats {found}", "seats", "at least one at each of " + " and ".join(scenario.sides))
    return given


def _standing(lines: Sequence[Entry]) -> list[Entry]:
    """The lines without those that were taken back, and without the undo lines."""
    undone = taken_back(lines)
    left_out = {*undone, *undone.values(), *given_up(lines)}
    return [line for at, line in enumerate(lines) if at not in left_out]


def _retraced(record: Record, key: bytes, dice: Dice | None = None) -> tuple[Match, RecordBroken | None]:
    """The match as far as it goes as its record tells, and the first difference."""
    match, idle = Match.begun_again(record.header, key, dice), given_up(record.lines)
    for at, entry in enumerate(record.lines):
        try:
            match.pass_over(entry) if at in idle else match.follow(entry)
        except RecordBroken as fault:
            return match, fault
    return match, None


def _ending(entry: Entry) -> Ending:
    """The ending that a vote is about; in the oldest records a draw. Raises BadInput."""
    said = (entry.do or {"for": "draw"}).get("for")
    found = next((ending for ending in ENDINGS if ending == said), None)
    if found is None:
        raise BadInput(f"a vote for {said!r}", f"line {entry.n + 1}", ", ".join(ENDINGS))
    return found


def _change(standing: int, fault: RecordBroken) -> Change:
    return Change(standing, fault.line, f"the record says {fault.says}, the game says {fault.found}")


def _fallen(entry: Entry) -> str:
    """The dice of a line, in words."""
    return str([*entry.rolls, *(number for number, _ in entry.secret)])
