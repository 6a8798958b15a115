"""The browsers at a table: each has a connection; seats have places that spectators cannot take."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

import msgspec

from opfire.core.errors import OpfireError
from opfire.core.game import SPECTATOR

MOST_SPECTATORS = 32
"""The greatest number of spectators at one table."""
MOST_WINDOWS = 8
"""The greatest number of connections of one seat."""
MOST_CONVERSATIONS = 500
"""The greatest number of conversations of a server, at all its tables."""
MOST_WATCHING = 400
"""The greatest number of spectators at all tables of a server; the other conversations are left to seats."""

BEAT_SECONDS = 1.0
"""The time between two signs of life, while there is nothing else to send."""
BEAT = b'{"type":"beat"}'


class Doors:
    """The conversations of a server at all its tables."""

    def __init__(self) -> None:
        self.open = self.watching = 0

    @contextmanager
    def conversation(self) -> Iterator[None]:
        """One conversation, from its beginning to its end. Raises Crowded."""
        if self.open >= MOST_CONVERSATIONS:
            raise Crowded(f"{self.open} windows are open at this server: try again when one has gone")
        self.open += 1
        try:
            yield
        finally:
            self.open -= 1

    @contextmanager
    def place(self, seat: str) -> Iterator[None]:
        """The place of somebody who has joined. Raises OpfireError for a spectator too many."""
        watches = seat == SPECTATOR
        if watches and self.watching >= MOST_WATCHING:
            raise OpfireError(
                f"{self.watching} spectators are at the tables of this server, and there is no room for more"
            )
        self.watching += watches
        try:
            yield
        finally:
            self.watching -= watches


class Crowded(OpfireError):
    """No further conversation can begin now; one may later."""


class Picture(msgspec.Struct, frozen=True):
    """The view of a seat: `seq` rises with every change of `body`, `log` has the entries, None before the game."""

    seq: int
    body: bytes
    log: tuple[bytes, ...] | None
    type: bytes = b"table"

    def message(self) -> bytes:
        """The message that shows it."""
        return b'{"type":"%s","seq":%d,' % (self.type, self.seq) + self.body[1:]


class AnyRoom(Protocol):
    """A room in which a browser can sit: the table of a game, or its waiting room."""

    @property
    def closed(self) -> bool:
        """Whether the waiting is over and the game begins."""
        ...

    async def picture(self, seat: str) -> Picture:
        """The present view of a seat."""
        ...


class Connection:
    """One browser at a table. Its next message is made only when it can be sent, so that none pile up."""

    def __init__(self, seat: str, send: Callable[[bytes], Awaitable[None]], beats: bool = False) -> None:
        self.seat, self.send, self.beats = seat, send, beats
        self.changed = asyncio.Event()
        self.replies: deque[bytes] = deque()
        self.dismissed = ""
        self.seq = 0
        self.log: tuple[bytes, ...] | None = None

    def reply(self, message: bytes) -> None:
        """Send this after the present state of the table."""
        self.replies.append(message)
        self.changed.set()

    def dismiss(self, why: str) -> None:
        """End the conversation, for a reason in words."""
        self.dismissed = why
        self.changed.set()

    async def pump(self, room: AnyRoom) -> None:
        """Send every change, until the room closes or the connection is dismissed."""
        while not room.closed:
            await self._wait()
            if self.dismissed:
                return
            self.changed.clear()
            replies, self.replies = self.replies, deque()
            await self._show(await room.picture(self.seat))
            for reply in replies:
                await self.send(reply)

    async def _wait(self) -> None:
        """Wait for a change; a browser that wants signs of life gets them meanwhile."""
        while self.beats:
            try:
                await asyncio.wait_for(self.changed.wait(), BEAT_SECONDS)
            except TimeoutError:
                await self.send(BEAT)
            else:
                return
        await self.changed.wait()

    async def _show(self, picture: Picture) -> None:
        if picture.seq != self.seq:
            self.seq = picture.seq
            await self.send(picture.message())
        if picture.log is not None and picture.log != self.log:
            kept = _common(self.log or (), picture.log)
            self.log = picture.log
            await self.send(b'{"type":"log","from":%d,"entries":[%s]}' % (kept, b",".join(picture.log[kept:])))


class Connections:
    """The connections at one table, in the order in which they came."""

    def __init__(self) -> None:
        self._all: list[Connection] = []

    def __iter__(self) -> Iterator[Connection]:
        """Each of them."""
        return iter(tuple(self._all))

    def __len__(self) -> int:
        """Their number."""
        return len(self._all)

    def add(self, connection: Connection) -> None:
        """Let one in. Raises OpfireError for a spectator too many.

        A seat is let in always: its oldest connection, which may be dead, gives way.
        """
        same = [other for other in self._all if other.seat == connection.seat]
        if connection.seat == SPECTATOR and len(same) >= MOST_SPECTATORS:
            raise OpfireError(f"{MOST_SPECTATORS} spectators are here already, and there is no room for more")
        if connection.seat != SPECTATOR and len(same) >= MOST_WINDOWS:
            same[0].dismiss(f"This seat is open in more than {MOST_WINDOWS} windows, so the oldest was closed")
            self.discard(same[0])
        self._all.append(connection)

    def discard(self, connection: Connection) -> None:
        """Let one go, if it is here."""
        if connection in self._all:
            self._all.remove(connection)


def _common(old: Sequence[bytes], new: Sequence[bytes]) -> int:
    """The number of entries, from the start, that are the same."""
    same = 0
    for one, other in zip(old, new, strict=False):
        if one != other:
            break
        same += 1
    return same
