"""A game being played: its connections, the messages to each, and the computer players' turns."""

from __future__ import annotations

import asyncio
import logging
import random
import secrets
import zlib
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import msgspec

from opfire.core.actions import PROCEDURE, Action, IllegalAction, Refusal
from opfire.core.errors import OpfireError
from opfire.core.game import Game
from opfire.core.match import Match
from opfire.core.record import ASIDE, HUMAN, Entry, Record
from opfire.core.ruleset import Ruleset
from opfire.core.texts import language
from opfire.server import shown, telling
from opfire.server.computer import Player, Thinkers
from opfire.server.connection import Connection, Connections, Picture
from opfire.server.messages import Answer, Asking, Curve, Doing, Moment, Moments, Said
from opfire.server.past import Course, Past, course
from opfire.server.store import Store, Stored
from opfire.server.telling import Known, Told

LOG = logging.getLogger(__name__)
T = TypeVar("T")

Reader = tuple[str, str]
"""A seat, and the language in which it reads now."""


class Position(msgspec.Struct, frozen=True):
    """The position that a seat decides on: `body` is all that the seat is shown of it, `number` its name.

    Another body, and every decision of the seat's own side (`decided` counts them), makes it another position. The
    first number depends on what is shown alone, so that one from before the server was started anew is no other's.
    """

    number: int
    decided: int
    body: bytes

    @staticmethod
    def after(before: Position | None, decided: int, body: bytes) -> Position:
        """The position that follows, the same if nothing has changed."""
        if before is None:
            return Position(zlib.crc32(body), decided, body)
        same = (before.decided, before.body) == (decided, body)
        return before if same else Position(before.number + 1, decided, body)


class Room:
    """One live game. All work on the match runs in a thread, one task at a time, under `lock`."""

    closed = False

    def __init__(
        self, store: Store, stored: Stored, match: Match, players: Mapping[str, Player], pool: Thinkers
    ) -> None:
        self.store, self.stored, self.match, self.players, self.pool = store, stored, match, players, pool
        self.lock = asyncio.Lock()
        self.connections = Connections()
        self._written: list[Entry] = list(match.record.lines)
        self._sheets = match.unfinished()
        self._pictures: dict[Reader, Picture] = {}
        self._positions: dict[Reader, Position] = {}
        self._decided = Counter[str]()
        self._fresh: set[Reader] = set()
        self._logs: dict[Reader, shown.Log] = {}
        self._past = Past(match)
        self._telling = asyncio.Lock()
        self._records: dict[str, tuple[Known, Record]] = {}
        self._next = self._to_think()
        self._driver: asyncio.Task[None] | None = None
        self._running: set[asyncio.Future[Any]] = set()

    @staticmethod
    def load(store: Store, stored: Stored, players: Mapping[str, Player], pool: Thinkers) -> Room:
        """The table of a game as it was left, or as it begins. Raises OpfireError."""
        match = Match.resume(stored.text(), stored.key)
        if match.change is not None and stored.over:
            return Looking(store, stored, Match.opened(stored.record()), players, pool)
        if not stored.lines:
            match.go_on()
        match.lay_out(stored.sheets)
        kept = len(stored.lines)
        if len(match.record.lines) > kept:
            store.write(stored.id, kept, kept, match.record.lines[kept:], match.game.outcome, match.unfinished())
        return Room(store, stored, match, players, pool)

    @property
    def ruleset(self) -> Ruleset:
        """The rulebook that is played."""
        return self.match.game.ruleset

    def _who(self, seat: str) -> str:
        return self.stored.header.players.get(seat, HUMAN)

    # --- one at a time ------------------------------------------------------------------------------------

    async def _alone(self, work: Callable[[], T]) -> T:
        """Do the work in a thread, alone on the match; it is finished even if its caller is gone."""

        async def run() -> T:
            async with self.lock:
                return await asyncio.to_thread(work)

        running = asyncio.ensure_future(run())
        self._running.add(running)
        running.add_done_callback(self._running.discard)
        return await asyncio.shield(running)

    async def read(self, work: Callable[[Match], T]) -> T:
        """The result of `work`, which only reads the match."""
        return await self._alone(lambda: work(self.match))

    async def standing(self) -> tuple[int | None, Any]:
        """The turn as everybody sees it, and the result, if there is one."""
        return await self.read(shown.standing)

    async def record(self, seat: str) -> Record:
        """The record as the seat may know it; while secrets are kept, with the facts that it was shown.

        These are gathered without holding the match, and only once for the same position.
        """
        async with self._telling:
            past, known = await self.read(lambda match: (self._past_of(match), telling.known(match, seat)))
            if not telling.keeps_secrets(known.record):
                return known.record
            if self._records.get(seat, (None,))[0] != known:
                self._records[seat] = known, await asyncio.to_thread(telling.told, known, past)
            return self._records[seat][1]

    async def change(self, work: Callable[[Match], T]) -> T:
        """Let `work` change the match, save the change, and only then show it.

        Raises OpfireError, and then nothing has changed.
        """
        try:
            return await self._alone(lambda: self._changed(work))
        finally:
            self.tell()

    def _changed(self, work: Callable[[Match], T]) -> T:
        try:
            result = work(self.match)
            self._write()
        except BaseException:
            self._go_back()
            raise
        finally:
            self._fresh.clear()
            self._next = self._to_think()
        return result

    def _write(self) -> None:
        lines, kept = self.match.record.lines, 0
        for old, new in zip(self._written, lines, strict=False):
            if old is not new:
                break
            kept += 1
        sheets = self.match.unfinished()
        if kept < len(lines) or kept < len(self._written) or sheets != self._sheets:
            self.store.write(self.stored.id, kept, len(self._written), lines[kept:], self.match.game.outcome, sheets)
            self._written, self._sheets = list(lines), sheets
            seats = self.match.game.seats
            self._decided.update(seats[line.seat] for line in lines[kept:] if line.seat and line.what not in ASIDE)

    def _go_back(self) -> None:
        """Forget the changes that were not saved."""
        lines = self.match.record.lines
        if len(lines) == len(self._written) and all(a is b for a, b in zip(lines, self._written, strict=True)):
            self.match.lay_out(self._sheets)
            return
        stored = self.store.read(self.stored.id)
        if stored is not None:
            self.stored, self.match = stored, Match.resume(stored.text(), stored.key)
            self.match.lay_out(stored.sheets)
            self._written, self._sheets = list(self.match.record.lines), self.match.unfinished()
            self._logs.clear()

    # --- what seats do ------------------------------------------------------------------------------------

    async def hear(self, seat: str, message: Said) -> Answer:
        """Carry out or answer a message; return the answer. Raises OpfireError."""
        match message:
            case Doing():
                return await self.change(lambda match: self._decide_on(match, seat, message))
            case Asking():
                return await self.read(lambda match: message.answer(match, seat))
            case Moment():
                return await self._moment(message, seat)
            case Curve():
                return await self._curve(seat)
            case _:
                raise IllegalAction(Refusal("You already sit at this table", PROCEDURE))

    def _decide_on(self, match: Match, seat: str, message: Doing) -> Answer:
        self._picture(seat)
        message.on_time(match, seat, self._positions[seat, language()].number)
        return message.do(match, seat)

    async def _moment(self, message: Moment, seat: str) -> Answer:
        """Look back without holding the match, since looking back replays the game."""
        past, course = await self.read(lambda match: self._looked_back(match, seat))
        return await asyncio.to_thread(past.show, course, message.n, message.side)

    async def _curve(self, seat: str) -> Answer:
        """The course of the game, told without holding the match, since it replays the game."""
        past, course = await self.read(lambda match: self._looked_back(match, seat))
        return {"points": await asyncio.to_thread(past.curve, course)}

    def _looked_back(self, match: Match, seat: str) -> tuple[Past, Course]:
        return self._past_of(match), course(match, seat)

    def _past_of(self, match: Match) -> Past:
        if self._past.match is not match:
            self._past = Past(match)
        return self._past

    # --- what seats are shown -----------------------------------------------------------------------------

    async def picture(self, seat: str) -> Picture:
        """The present view of a seat."""
        return await self._alone(lambda: self._picture(seat))

    def _picture(self, seat: str) -> Picture:
        reader = seat, language()
        if reader not in self._fresh:
            old, new = self._pictures.get(reader), self._draw_picture(reader)
            same = old is not None and old.body == new.body
            seq = (old.seq if old else 0) + (not same)
            self._pictures[reader] = msgspec.structs.replace(new, seq=seq)
            self._fresh.add(reader)
        return self._pictures[reader]

    def _draw_picture(self, reader: Reader) -> Picture:
        seat, _ = reader
        log = tuple(self._logs.setdefault(reader, shown.Log(seat)).entries(self.match))
        table = {**shown.table(self.match, seat), "log_length": len(log)}
        beside = {name: table.pop(name) for name in shown.BESIDE}
        side, body = shown.side_of(self.match.game, seat), shown.encode(table)
        position = Position.after(self._positions.get(reader), self._decided[side], body)
        self._positions[reader] = position
        rest = shown.encode({"position": position.number, "thinking": self._thinking(), **beside})
        return Picture(0, body[:-1] + b"," + rest[1:], log)

    def _thinking(self) -> str | None:
        return self.match.game.seats[self._next] if self._next and self.connections else None

    def tell(self) -> None:
        """Wake all connections of the table, and the computer players."""
        for connection in self.connections:
            connection.changed.set()
        if self._next and self.connections and (self._driver is None or self._driver.done()):
            self._driver = asyncio.create_task(self._drive())

    def join(self, connection: Connection) -> None:
        """Sit down. Raises OpfireError when there is no room for more spectators."""
        self.connections.add(connection)
        self._fresh.clear()
        connection.changed.set()
        self.tell()

    def leave(self, connection: Connection) -> None:
        """Stand up; without any connection the computer players stop after the decision under way."""
        self.connections.discard(connection)

    # --- computer players ---------------------------------------------------------------------------------

    def _to_think(self) -> str:
        """The seat whose computer player has to decide, if any."""
        if self.match.change is not None:
            return ""
        return next((seat for seat in self.match.game.deciders() if self._who(seat) != HUMAN), "")

    async def _drive(self) -> None:
        """Let the computer players decide, one decision at a time, while anybody is connected."""
        rng = random.Random(secrets.randbits(64))
        try:
            while self.connections and (asked := await self._alone(lambda: self._imagined(rng))):
                seat, number, game = asked
                action = await self.pool.choose(self.players.get(self._who(seat)), game, seat, rng)
                await self.change(lambda match, made=(seat, number, action): self._decide(match, *made))  # type: ignore[misc]
        except Exception as error:
            LOG.exception("game %s: its computer player stopped", self.stored.id)
            text = str(error) if isinstance(error, OpfireError) else "The computer player cannot go on"
            for connection in self.connections:
                connection.reply(shown.refused(text))

    def _imagined(self, rng: random.Random) -> tuple[str, int, Game[Any]] | None:
        """The seat to think, the number of lines, and a game that agrees with the seat's knowledge."""
        seat, match = self._next, self.match
        return (seat, len(match.record.lines), match.game.imagine(seat, rng)) if seat else None

    def _decide(self, match: Match, seat: str, number: int, action: Action) -> None:
        """Play the chosen action, unless the game has changed in between."""
        if len(match.record.lines) == number and not match.over:
            match.answer(seat, action, self._who(seat))

    async def close(self) -> None:
        """Stop; work under way is finished and saved."""
        if self._driver is not None:
            self._driver.cancel()
            await asyncio.gather(self._driver, return_exceptions=True)
        await asyncio.gather(*self._running, return_exceptions=True)


class Looking(Room):
    """A table with an opened record on it: everybody may look, nobody may play."""

    def _to_think(self) -> str:
        return ""

    async def hear(self, seat: str, message: Said) -> Answer:
        """The answer to a message that only looks. Raises OpfireError."""
        if not isinstance(message, Asking | Moment | Curve):
            raise IllegalAction(Refusal("This is a record of a finished game: it can only be viewed", PROCEDURE))
        return await super().hear(seat, message)


class Retelling:
    """A table with the record of a running game with secrets: it steps through what the seat was shown."""

    closed = False

    def __init__(self, stored: Stored, told: Told) -> None:
        self.stored, self.told = stored, told
        self.connections = Connections()

    @property
    def ruleset(self) -> Ruleset:
        """The rulebook that was played."""
        return self.told.record.ruleset

    async def standing(self) -> tuple[int | None, Any]:
        """The turn at the end of the record; there is no result."""
        return (await asyncio.to_thread(self.told.last)).get("turn"), None

    async def record(self, seat: str) -> Record:
        """The record, for everybody."""
        return self.told.record

    async def picture(self, seat: str) -> Picture:
        """The position at the end of the record, and the log."""
        log = self.told.log
        return Picture(1, shown.encode(shown.looked_at(await asyncio.to_thread(self.told.last), len(log))), log)

    def join(self, connection: Connection) -> None:
        """Sit down. Raises OpfireError when there is no room for more spectators."""
        self.connections.add(connection)
        connection.changed.set()

    def leave(self, connection: Connection) -> None:
        """Stand up."""
        self.connections.discard(connection)

    async def hear(self, seat: str, message: Said) -> Answer:
        """A moment, or the list of them. Raises OpfireError for everything else: only the truth would know."""
        match message:
            case Moments():
                return {"moments": self.told.moments()}
            case Moment(n=n, side=side):
                return await asyncio.to_thread(self.told.show, n, side)
        words = "This record tells what its seat was shown while the game went on, and nothing else"
        raise IllegalAction(Refusal(words, PROCEDURE))
