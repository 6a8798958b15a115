"""The rooms that are open now: tables of games under way, waiting rooms, and records to be looked at."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256

from opfire.server import reading
from opfire.server.computer import Players, Thinkers
from opfire.server.room import Looking, Retelling, Room
from opfire.server.store import Store
from opfire.server.telling import Told
from opfire.server.waiting import WaitingRoom

Table = Room | WaitingRoom | Retelling
"""A table at which people sit: of a game, of one that waits to begin, of a record."""

MOST_OPENED = 8
"""The greatest number of opened records kept."""


class Rooms:
    """The live tables: a game has one as long as it is needed."""

    def __init__(self, store: Store, players: Players) -> None:
        self.store, self.players, self.pool = store, players, Thinkers()
        self._rooms: dict[str, Room | WaitingRoom] = {}
        self._users: dict[str, int] = {}
        self._opening = asyncio.Lock()
        self._reading = asyncio.Lock()
        self._opened: OrderedDict[str, Looking | Retelling] = OrderedDict()

    @property
    def live(self) -> int:
        """The number of games in memory."""
        return len(self._rooms)

    @asynccontextmanager
    async def open(self, game: str) -> AsyncIterator[Table | None]:
        """The table of that game while the context lasts, its waiting room before it begins, or None without a game."""
        if game in self._opened:
            yield self._opened[game]
            return
        async with self._opening:
            room = self._rooms.get(game)
            if room is None or room.closed:
                room = await asyncio.to_thread(self._load, game)
            if room is not None:
                self._rooms[game] = room
            self._users[game] = self._users.get(game, 0) + 1
        try:
            yield room
        finally:
            self._users[game] -= 1
            await self._tidy(game)

    def _load(self, game: str) -> Room | WaitingRoom | None:
        stored = self.store.read(game)
        if stored is None:
            return None
        if stored.awaited:
            return WaitingRoom(self.store, stored)
        return Room.load(self.store, stored, self.players(), self.pool)

    async def look(self, text: str) -> Table:
        """A table for this record; the same for the same text. Raises OpfireError for a text that is not a record.

        The last `MOST_OPENED` are kept in memory, and nothing is written.
        """
        name = "look-" + sha256(text.encode()).hexdigest()[:16]
        async with self._reading:
            if name not in self._opened:
                self._opened[name] = await self._read(name, text)
            self._opened.move_to_end(name)
            if len(self._opened) > MOST_OPENED:
                self._opened.popitem(last=False)
            return self._opened[name]

    async def _read(self, name: str, text: str) -> Looking | Retelling:
        stored, found = await asyncio.to_thread(reading.opened, name, text)
        return (
            Retelling(stored, found) if isinstance(found, Told) else Looking(self.store, stored, found, {}, self.pool)
        )

    async def _tidy(self, game: str) -> None:
        async with self._opening:
            if self._users.get(game):
                return
            self._users.pop(game, None)
            if room := self._rooms.pop(game, None):
                await room.close()

    async def close(self) -> None:
        """Stop all tables and close the database."""
        self.pool.close()
        for room in list(self._rooms.values()):
            await room.close()
        self.store.close()
