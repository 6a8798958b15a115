"""The waiting room: a game that begins when every human seat has added to the dice."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from opfire.core import scenario as scenarios
from opfire.core.actions import PROCEDURE, IllegalAction, Refusal
from opfire.core.errors import BadInput
from opfire.core.match import Match
from opfire.core.record import HUMAN, Header, Record
from opfire.core.ruleset import Ruleset, find
from opfire.core.scenario import Scenario
from opfire.core.texts import called
from opfire.server import shown
from opfire.server.connection import Connection, Connections, Picture
from opfire.server.messages import Answer, Nonce, Said
from opfire.server.store import Store, Stored


class WaitingRoom:
    """The seats of a game that has not begun: each is shown the commitment, draws its nonce, and sends it."""

    def __init__(self, store: Store, stored: Stored) -> None:
        self.store, self.stored = store, stored
        self.scenario = scenarios.parse(stored.header.scenario, "scenario")
        self.lock = asyncio.Lock()
        self.connections = Connections()
        self._seq = 0

    @property
    def ruleset(self) -> Ruleset:
        """The rulebook that will be played."""
        return find(self.stored.header.ruleset)

    @property
    def closed(self) -> bool:
        """Whether all have come, so that the game begins."""
        return not self.stored.awaited

    async def standing(self) -> tuple[int | None, Any]:
        """The turn in which the game will begin, and no result."""
        return await asyncio.to_thread(lambda: shown.standing(before(self.stored.header)))

    async def record(self, seat: str) -> Record:
        """The record of a game before its first decision, without any nonce."""
        return await asyncio.to_thread(lambda: before(self.stored.header).record_for(seat))

    # --- what seats are shown -----------------------------------------------------------------------------

    async def picture(self, seat: str) -> Picture:
        """The commitment and the seats that have come; apart from its own name every seat is sent the same."""
        header = self.stored.header
        body = {
            "seat": seat,
            "side": header.seats.get(seat),
            "title": called(self.scenario.title),
            "sides": sides(self.scenario),
            "commitment": header.commitment,
            "seats": seats(header),
        }
        return Picture(self._seq + 1, shown.encode(body), None, b"waiting")

    def join(self, connection: Connection) -> None:
        """Sit down. Raises OpfireError when there is no room for more spectators."""
        self.connections.add(connection)
        connection.changed.set()

    def leave(self, connection: Connection) -> None:
        """Stand up."""
        self.connections.discard(connection)

    async def close(self) -> None:
        """Close; nothing runs here by itself."""

    # --- what seats do --------------------------------------------------------------------------------------

    async def hear(self, seat: str, message: Said) -> Answer:
        """Take the seat's nonce. Raises OpfireError."""
        if not isinstance(message, Nonce):
            names = ", ".join(self.stored.awaited)
            raise IllegalAction(Refusal("The game has not begun: it waits for {}", PROCEDURE, (names,)))
        await self._change(lambda stored: with_nonce(stored, seat, message))
        return {}

    async def drop(self, seat: str, player: str | None) -> str:
        """Give a seat that has not come to a computer player, or take it away; the new commitment. Raises OpfireError.

        The key is a new one, as somebody may have seen nonces by now.
        """
        stored = await self._change(lambda stored: without_seat(stored, seat, player))
        return stored.header.commitment

    async def _change(self, work: Callable[[Stored], Stored]) -> Stored:
        async with self.lock:
            before = self.stored
            self.stored = await asyncio.to_thread(self._prepared, work)
            self._seq += before != self.stored
        for connection in self.connections:
            connection.changed.set()
        return self.stored

    def _prepared(self, work: Callable[[Stored], Stored]) -> Stored:
        after = work(self.stored)
        if after != self.stored:
            self.store.prepare(self.stored, after)
        return after


def before(header: Header) -> Match:
    """The game that waits to begin, with dice that it will not have, and without the nonces of those who have come."""
    match = Match.start(header.scenario, header.players, {}, pack=header.pack, seats=header.seats)
    match.record.header = replace(header, nonces={})
    return match


def sides(scenario: Scenario) -> list[dict[str, str]]:
    """Every side, and its name in the reader's language."""
    return [{"id": side, "name": called(force.name)} for side, force in scenario.sides.items()]


def seats(header: Header) -> list[dict[str, object]]:
    """Every seat, the player, and whether the seat has added to the dice; a computer player does not have to."""
    humans = header.humans()
    return [
        {
            "seat": seat,
            "side": side,
            "human": seat in humans,
            "player": header.players.get(seat, HUMAN),
            "come": seat not in humans or seat in header.nonces,
        }
        for seat, side in header.seats.items()
    ]


def with_nonce(stored: Stored, seat: str, said: Nonce) -> Stored:
    """The game with what a seat adds to its dice. Raises IllegalAction."""
    header = stored.header
    if seat not in header.humans():
        raise IllegalAction(Refusal("{} adds nothing to the dice", PROCEDURE, (seat,)))
    if said.commitment != header.commitment:
        raise IllegalAction(Refusal("This number was drawn for another commitment", PROCEDURE))
    if header.nonces.get(seat, said.nonce) != said.nonce:
        raise IllegalAction(Refusal("{} has added to the dice already", PROCEDURE, (seat,)))
    nonces = {**header.nonces, seat: said.nonce}
    in_order = {seat: nonces[seat] for seat in header.seats if seat in nonces}
    return replace(stored, header=replace(header, nonces=in_order))


def without_seat(stored: Stored, seat: str, player: str | None) -> Stored:
    """The game with a seat given to a computer player, or without it, and with a new key. Raises OpfireError."""
    header = stored.header
    if seat not in header.humans():
        raise BadInput(f"there is no human seat {seat!r}", "seat", "one of " + ", ".join(header.humans()))
    if seat in header.nonces:
        raise BadInput(f"{seat} has come", "seat", "one of " + ", ".join(stored.awaited))
    sides, players = dict(header.seats), dict(header.players)
    if player is None:
        del sides[seat]
        players.pop(seat, None)
    else:
        players[seat] = player
    match = Match.start(header.scenario, players, {}, pack=header.pack, seats=sides)
    hashes = {other: kept for other, kept in stored.seats.items() if other != seat}
    return replace(stored, header=match.record.header, key=match.key, seats=hashes)
