"""The calls of docs/protocol.md: HTTP for facts that do not change, a WebSocket for the table."""

from __future__ import annotations

import asyncio
import logging
import secrets
from pathlib import Path
from typing import Any

import msgspec
from litestar import MediaType, Request, Response, WebSocket, get, post, websocket
from litestar.datastructures import State
from litestar.exceptions import HTTPException, NotFoundException, PermissionDeniedException
from litestar.exceptions import WebSocketDisconnect as Gone

from opfire import __version__
from opfire.core import packs
from opfire.core import scenario as scenarios
from opfire.core.actions import IllegalAction
from opfire.core.errors import BadInput, OpfireError
from opfire.core.game import SPECTATOR
from opfire.core.match import Match
from opfire.core.packs import Pack
from opfire.core.record import Record
from opfire.core.rows import OWN, Texts
from opfire.server import catalogue, client, computer, reading, shown
from opfire.server.guard import LARGEST_MESSAGE, Bucket, new_token, seat_of, token_hash
from opfire.server.messages import Join, number_of, read
from opfire.server.reading import LARGEST_RECORD
from opfire.server.room import HUMAN, Connection, Room
from opfire.server.store import Store

LOG = logging.getLogger(__name__)
SECONDS_TO_JOIN = 20.0
MESSAGES_AT_ONCE, MESSAGES_A_SECOND = 60, 20.0
MOST_UNREAD = 200
"""Answers that a browser may leave unread before it is cut off."""

Seen = Request[Any, Any, Any]
Wire = WebSocket[Any, Any, State]


# --- HTTP -------------------------------------------------------------------------------------------


class NewGame(msgspec.Struct, forbid_unknown_fields=True):
    """A game to start: a scenario, the player of each side (a human by default), options other than its own."""

    scenario: str
    players: dict[str, str] = {}
    options: list[str] | None = None


def _json(content: Any, status: int = 200) -> Response[bytes]:
    return Response(shown.encode(content), media_type=MediaType.JSON, status_code=status)


@get("/api/scenarios", sync_to_thread=True)
def list_scenarios() -> Response[bytes]:
    """All scenarios in short."""
    return _json(catalogue.listed())


@get("/api/scenarios/{name:str}", sync_to_thread=True)
def one_scenario(name: str, state: State) -> Response[bytes]:
    """One scenario with its map; its units may be in the server's data pack alone."""
    text = _text_of(name)
    return _json(catalogue.detail(text, tuple(sorted(_pack_for(state.pack, text).items()))))


@get("/api/players", sync_to_thread=True)
def list_players(state: State) -> Response[bytes]:
    """The computer players, weakest first."""
    found = state.players()
    return _json([{"id": name, "title": computer.title(name, player)} for name, player in found.items()])


@get("/api/rules/{ruleset:str}", sync_to_thread=True)
def list_rules(ruleset: str) -> Response[bytes]:
    """A rulebook by number."""
    try:
        return _json(catalogue.rules(ruleset))
    except BadInput as error:
        raise NotFoundException(str(error)) from None


@post("/api/games", sync_to_thread=True, status_code=201)
def new_game(data: NewGame, state: State) -> Response[bytes]:
    """Start a game; this answer alone holds the tokens of its human seats."""
    text = _text_of(data.scenario)
    if data.options is not None:
        text = catalogue.with_options(text, data.options)
    sides = scenarios.parse(text, "scenario").sides
    players = {side: data.players.get(side, HUMAN) for side in sides}
    _check_players(data.players, list(sides), [HUMAN, *state.players()])
    nonces = {side: secrets.token_hex(8) for side in sides}
    match = Match.start(text, players, nonces, pack=_pack_for(state.pack, text))
    tokens = {side: new_token() for side, player in players.items() if player == HUMAN}
    hashes = {side: token_hash(token) for side, token in tokens.items()}
    match.go_on()
    game = _begin(state.store, data.scenario, match, hashes)
    return _json({"game": game, "seats": tokens}, 201)


def _pack_for(pack: Pack | None, text: str) -> Texts:
    """The tables of the server's data pack, if it is for this scenario's ruleset."""
    return OWN if pack is None else pack.for_game(scenarios.parse(text, "scenario").ruleset)


def _check_players(given: dict[str, str], sides: list[str], known: list[str]) -> None:
    for side, player in given.items():
        if side not in sides:
            raise BadInput(f"there is no side {side!r}", "players", " or ".join(sides))
        if player not in known:
            raise BadInput(f"there is no player {player!r}", "players", "one of " + ", ".join(known))


def _begin(store: Store, scenario: str, match: Match, hashes: dict[str, str]) -> str:
    game = secrets.token_hex(8)
    store.add(game, scenario, match.record.header, match.key, hashes)
    store.write(game, 0, 0, match.record.lines, match.game.outcome)
    return game


@get("/api/games/{game:str}")
async def one_game(game: str, state: State) -> Response[bytes]:
    """The public facts of a game."""
    async with state.rooms.open(game) as room:
        room = _found(room, game)
        return _json(await room.read(lambda match: _facts(room, match)))


def _facts(room: Room, match: Match) -> dict[str, Any]:
    scenario, view = (
        scenarios.parse(match.record.header.scenario, "scenario"),
        match.shown(SPECTATOR).view(SPECTATOR),
    )
    players = match.record.header.players
    return {
        "game": room.stored.id,
        "scenario": room.stored.scenario,
        "ruleset": scenario.ruleset,
        "title": scenario.title,
        "created": room.stored.created,
        "sides": [
            {
                "id": side,
                "name": force.name,
                "human": players.get(side, HUMAN) == HUMAN,
                "player": players.get(side),
            }
            for side, force in scenario.sides.items()
        ],
        "turn": view.get("turn"),
        "turns": scenario.turns,
        "pack": packs.name(match.record.header.pack) or None,
        "versions": {"opfire": __version__, "rules": match.record.header.version, "data": match.record.header.data},
        "result": msgspec.to_builtins(match.game.outcome),
    }


@get("/api/games/{game:str}/map")
async def game_map(game: str, state: State) -> Response[bytes]:
    """The map of a game."""
    async with state.rooms.open(game) as room:
        header = _found(room, game).stored.header
    return _json(await asyncio.to_thread(catalogue.map_of, header))


@get("/api/games/{game:str}/record")
async def game_record(game: str, request: Seen, state: State) -> Response[bytes]:
    """The record as the seat of the request's token may know it."""
    async with state.rooms.open(game) as room:
        room = _found(room, game)
        seat = _seat(room, _bearer(request))
        record: Record = await room.read(lambda match: match.record_for(seat))
    headers = {
        "cache-control": "no-store",
        "content-disposition": f'attachment; filename="{room.stored.scenario}.opfire"',
    }
    return Response(record.dump().encode(), media_type="application/x-ndjson", headers=headers)


@post("/api/records", request_max_body_size=LARGEST_RECORD, status_code=201)
async def open_record(request: Seen, state: State) -> Response[bytes]:
    """Put a record on a table of its own, for viewing."""
    room = await state.rooms.look(reading.text_of(await request.body()))
    return _json(await room.read(lambda match: _facts(room, match)), 201)


def _bearer(request: Seen) -> str | None:
    given = request.headers.get("authorization")
    if given is None:
        return None
    scheme, _, token = given.partition(" ")
    if scheme.lower() != "bearer":
        raise PermissionDeniedException("Expected the header Authorization: Bearer TOKEN")
    return token.strip()


def _found(room: Room | None, game: str) -> Room:
    if room is None:
        raise NotFoundException(f"There is no game {game}")
    return room


def _seat(room: Room, token: str | None) -> str:
    if token is None:
        return SPECTATOR
    seat = seat_of(token, room.stored.seats)
    if seat is None:
        raise PermissionDeniedException("This token holds no seat in this game")
    return seat


def _text_of(name: str) -> str:
    try:
        return scenarios.text_of(name)
    except BadInput as error:
        raise NotFoundException(str(error)) from None


@get(["/", "/{path:path}"])
async def browser_part(request: Seen, state: State, path: str = "") -> Response[bytes]:
    """The client's files; its start page for any other path."""
    if path.startswith("/api"):
        raise NotFoundException("There is no such call")
    static: Path = state.static
    file = await asyncio.to_thread(client.find, static, path)
    if file is None:
        raise NotFoundException("There is no such file")
    headers = {"cache-control": file.cache, "etag": file.tag}
    if request.headers.get("if-none-match") == file.tag:
        return Response(b"", status_code=304, headers=headers)
    return Response(file.content, media_type=file.kind, headers=headers)


# --- the WebSocket ----------------------------------------------------------------------------------


class Ended(Exception):
    """The end of a conversation; `code` and the words give the reason."""

    def __init__(self, code: int, text: str = "") -> None:
        self.code, self.text = code, text
        super().__init__(text)


@websocket("/api/games/{game:str}/table")
async def at_the_table(socket: Wire, game: str, state: State) -> None:
    """One browser's conversation with a table."""
    await socket.accept()
    try:
        async with state.rooms.open(game) as room:
            if room is None:
                raise Ended(4404, f"There is no game {game}")
            await _sit(socket, room)
    except Gone:
        return
    except Ended as end:
        await _part(socket, end.code, end.text)
    except OpfireError as error:
        await _part(socket, 4409, str(error))
    except Exception:
        LOG.exception("the conversation at table %s broke off", game)
        await _part(socket, 1011, "Something went wrong on the server; the server's log has the details")


async def _part(socket: Wire, code: int, text: str) -> None:
    try:
        if text:
            await socket.send_data(shown.refused(text), mode="text")
        await socket.close(code)
    except (Gone, RuntimeError):
        return  # the browser has left already


async def _sit(socket: Wire, room: Room) -> None:
    connection = Connection(await _joined(socket, room), lambda data: _send(socket, data))
    room.join(connection)
    listening = asyncio.create_task(_listen(socket, room, connection))
    telling = asyncio.create_task(connection.pump(room))
    try:
        done, _ = await asyncio.wait({listening, telling}, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        room.leave(connection)
        for task in (listening, telling):
            task.cancel()
        await asyncio.gather(listening, telling, return_exceptions=True)


async def _send(socket: Wire, data: bytes) -> None:
    await socket.send_data(data, mode="text")


async def _joined(socket: Wire, room: Room) -> str:
    """The seat named by the first message."""
    try:
        data = await asyncio.wait_for(_hear(socket), SECONDS_TO_JOIN)
        message = read(data)
    except TimeoutError:
        raise Ended(4408, "No seat joined in time") from None
    except BadInput as error:
        raise Ended(4400, str(error)) from None
    if not isinstance(message, Join):
        raise Ended(4400, "The first message must be 'join'")
    try:
        return _seat(room, message.token)
    except HTTPException as error:
        raise Ended(4403, error.detail) from None


async def _hear(socket: Wire) -> str | bytes:
    event: Any = await socket.receive()
    if event["type"] != "websocket.receive":
        raise Gone(detail="left", code=event.get("code", 1000))
    data: str | bytes = event.get("text") or event.get("bytes") or b""
    if len(data) > LARGEST_MESSAGE:
        raise Ended(1009, f"This message is too long: at most {LARGEST_MESSAGE} bytes")
    return data


async def _listen(socket: Wire, room: Room, connection: Connection) -> None:
    bucket = Bucket(MESSAGES_AT_ONCE, MESSAGES_A_SECOND)
    while True:
        data = await _hear(socket)
        number = number_of(data)
        if len(connection.replies) > MOST_UNREAD:
            raise Ended(1008, "Too many answers were left unread")
        if not bucket.take():
            connection.reply(shown.refused("Too many messages: wait a moment", re=number))
            continue
        connection.reply(await _answer(room, connection.seat, data, number))


async def _answer(room: Room, seat: str, data: str | bytes, number: int | str | None) -> bytes:
    try:
        answer = await room.hear(seat, read(data))
    except IllegalAction as error:
        return shown.refused(error.refusal.sentence(), error.refusal.rule, number)
    except OpfireError as error:
        return shown.refused(str(error), None, number)
    except Exception:
        LOG.exception("game %s: a message of %s failed", room.stored.id, seat)
        return shown.refused("Something went wrong on the server; the server's log has the details", None, number)
    return shown.encode({"type": "answer", "re": number, **answer})


ROUTES: list[Any] = [
    list_scenarios,
    one_scenario,
    list_players,
    list_rules,
    new_game,
    one_game,
    open_record,
    game_map,
    game_record,
    at_the_table,
    browser_part,
]
