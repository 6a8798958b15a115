"""The calls of docs/protocol.md: HTTP for facts that do not change, a WebSocket for the table."""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from litestar import MediaType, Request, Response, WebSocket, get, post, websocket
from litestar.datastructures import State
from litestar.exceptions import HTTPException, NotFoundException, PermissionDeniedException
from litestar.exceptions import WebSocketDisconnect as Gone

from opfire import __version__
from opfire.core import forces, packs
from opfire.core import scenario as scenarios
from opfire.core.actions import IllegalAction
from opfire.core.errors import BadInput, OpfireError
from opfire.core.forces import Wanted
from opfire.core.game import SPECTATOR
from opfire.core.match import Match
from opfire.core.options import with_options
from opfire.core.packs import Pack
from opfire.core.reading import ready
from opfire.core.record import HUMAN
from opfire.core.rows import OWN, Texts
from opfire.core.ruleset import find
from opfire.core.scenario import Scenario
from opfire.core.texts import called, spoken, translation
from opfire.server import catalogue, client, computer, reading, shown, waiting
from opfire.server.connection import Connection, Crowded
from opfire.server.guard import LARGEST_MESSAGE, Bucket, is_token, new_token, seat_of, token_hash
from opfire.server.messages import Join, number_of, read
from opfire.server.reading import LARGEST_RECORD
from opfire.server.rooms import Table
from opfire.server.waiting import WaitingRoom

LOG = logging.getLogger(__name__)
SEAT_NAME = re.compile(r"[^\W\d][\w .'-]{0,39}")
DIGITS = re.compile(r"[0-9]{1,9}")
LAST_YEAR, MOST_OFFERS, OFFERS_ON_A_PAGE = 9999, 99_999, 100
SECONDS_TO_JOIN = 20.0
MESSAGES_AT_ONCE, MESSAGES_A_SECOND = 60, 20.0
MOST_UNREAD = 200
"""Answers that a browser may leave unread before it is cut off."""

Read = TypeVar("Read")
Seen = Request[Any, Any, Any]
Wire = WebSocket[Any, Any, State]


# --- HTTP -------------------------------------------------------------------------------------------


class NewSeat(msgspec.Struct, forbid_unknown_fields=True):
    """A seat: its side and its player."""

    side: str
    player: str = HUMAN


class NewGame(msgspec.Struct, forbid_unknown_fields=True):
    """A game to prepare: a scenario, its seats (a human for each side by default), options other than its own."""

    scenario: str
    seats: dict[str, NewSeat] = {}
    options: list[str] | None = None


class GivenForce(msgspec.Struct, forbid_unknown_fields=True):
    """A force to check: the TOML text of its file, or the same as JSON."""

    toml: str | None = None
    force: dict[str, Any] | None = None


class Dropped(msgspec.Struct, forbid_unknown_fields=True):
    """A seat that has not come, and the computer player to have it; without one the seat is taken away."""

    seat: str
    player: str | None = None


def _read(body: bytes, kind: type[Read]) -> Read:
    """The body of a call, which is JSON whatever it calls itself. Raises BadInput."""
    if not body:
        raise BadInput("nothing was sent", "body", "JSON as in docs/protocol.md")
    try:
        return msgspec.json.decode(body, type=ready(kind))
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise BadInput(f"this cannot be read: {error}", "body", "JSON as in docs/protocol.md") from None


def _json(content: Any, status: int = 200) -> Response[bytes]:
    return Response(shown.encode(content), media_type=MediaType.JSON, status_code=status)


@get("/api/scenarios", sync_to_thread=True)
def list_scenarios(language: str = "en") -> Response[bytes]:
    """All scenarios in short, their titles and sides in a language."""
    return _json(catalogue.listed(language))


@get("/api/scenarios/{name:str}", sync_to_thread=True)
def one_scenario(name: str, state: State, language: str = "en") -> Response[bytes]:
    """One scenario with its map, and its words in a language; its units may be in the server's data pack alone."""
    text = _text_of(name)
    pack = tuple(sorted(_pack_for(state.pack, text).items()))
    with spoken(translation(language, find(scenarios.parse(text, "scenario").ruleset).package)):
        return _json(catalogue.detail(text, pack))


@get("/api/players", sync_to_thread=True)
def list_players(state: State) -> Response[bytes]:
    """The computer players, weakest first."""
    found = state.players()
    return _json([{"id": name, "title": computer.title(name, player)} for name, player in found.items()])


@get("/api/rules", sync_to_thread=True)
def list_rulebooks() -> Response[bytes]:
    """The rulebooks by their titles."""
    return _json(catalogue.rulebooks())


@get("/api/rules/{ruleset:str}", sync_to_thread=True)
def list_rules(ruleset: str) -> Response[bytes]:
    """A rulebook by number."""
    try:
        return _json(catalogue.rules(ruleset))
    except BadInput as error:
        raise NotFoundException(str(error)) from None


@get("/api/forces", sync_to_thread=True)
def list_force_designers() -> Response[bytes]:
    """The rulebooks with which players design forces, and what a force of each can say."""
    return _json(catalogue.designers())


@get("/api/forces/{ruleset:str}", sync_to_thread=True)
def list_offers(ruleset: str, request: Seen) -> Response[bytes]:
    """A page of what a rulebook sells to forces."""
    asked = {name: request.query_params.get(name, "") for name in ("nation", "kind", "words")}
    wanted = Wanted(
        asked["nation"], asked["kind"], _asked(request, "year", 0, LAST_YEAR), tuple(asked["words"].split())
    )
    start, count = _asked(request, "from", 0, MOST_OFFERS), _asked(request, "count", OFFERS_ON_A_PAGE, OFFERS_ON_A_PAGE)
    try:
        designer = forces.find(ruleset)
    except BadInput as error:
        raise NotFoundException(str(error)) from None
    return _json(catalogue.offered(designer, wanted, start, count))


def _asked(request: Seen, name: str, otherwise: int, most: int) -> int:
    """A whole number of the address. Raises BadInput."""
    text: str = request.query_params.get(name, "")
    if not text:
        return otherwise
    if not DIGITS.fullmatch(text) or int(text) > most:
        raise BadInput(f"{text[:40]!r} cannot be used", name, f"a whole number up to {most}")
    return int(text)


@post("/api/forces/check", sync_to_thread=True, status_code=200)
def check_force(body: bytes) -> Response[bytes]:
    """The price of a force, and its faults; nothing is kept."""
    match _read(body, GivenForce):
        case GivenForce(toml=str(text), force=None):
            return _json(forces.check_text(text, "force"))
        case GivenForce(toml=None, force=dict(force)):
            return _json(forces.check(force, "force"))
        case _:
            raise BadInput("either the text of a force or a force", "body", '{"toml": "..."} or {"force": {...}}')


@post("/api/games", sync_to_thread=True, status_code=201)
def new_game(body: bytes, state: State) -> Response[bytes]:
    """Prepare a game; this answer alone holds the tokens of its human seats and of its host.

    It begins when all human seats have been shown the commitment and have added to the dice.
    """
    data = _read(body, NewGame)
    text = _text_of(data.scenario)
    if data.options is not None:
        text = with_options(text, data.options)
    scenario = scenarios.parse(text, "scenario")
    seats = data.seats or {side: NewSeat(side) for side in scenario.sides}
    _check_seats(seats, scenario)
    _check_players([seat.player for seat in seats.values()], [HUMAN, *state.players()])
    players = {name: seat.player for name, seat in seats.items()}
    sides = {name: seat.side for name, seat in seats.items()}
    match = Match.start(text, players, pack=_pack_for(state.pack, text), seats=sides)
    tokens, host = {name: new_token() for name in match.record.header.humans()}, new_token()
    hashes = {seat: token_hash(token) for seat, token in tokens.items()}
    game = secrets.token_hex(8)
    state.store.add(game, data.scenario, match.record.header, match.key, hashes, token_hash(host))
    return _json({"game": game, "seats": tokens, "host": host, "commitment": match.record.header.commitment}, 201)


def _pack_for(pack: Pack | None, text: str) -> Texts:
    """The tables of the server's data pack, if it is for this scenario's ruleset."""
    return OWN if pack is None else pack.for_game(scenarios.parse(text, "scenario").ruleset)


def _check_seats(seats: Mapping[str, NewSeat], scenario: Scenario) -> None:
    """Check names, sides, and that several seats share only a side which the scenario divides. Raises BadInput."""
    divided = find(scenario.ruleset).players(scenario)
    for name, seat in seats.items():
        if not SEAT_NAME.fullmatch(name):
            raise BadInput(f"{name!r} cannot name a seat", "seats", "a letter first, at most 40 characters")
        if seat.side not in scenario.sides:
            raise BadInput(f"there is no side {seat.side!r}", "seats", " or ".join(scenario.sides))
    for side in scenario.sides:
        count = sum(seat.side == side for seat in seats.values())
        if count > 1 and side not in divided:
            raise BadInput(f"{count} seats at {side}, which this scenario does not divide", "seats", "one seat")


def _check_players(players: Iterable[str], known: Sequence[str]) -> None:
    for player in players:
        if player not in known:
            raise BadInput(f"there is no player {player!r}", "player", "one of " + ", ".join(known))


@post("/api/games/{game:str}/seats", status_code=200)
async def drop_seat(game: str, body: bytes, request: Seen, state: State) -> Response[bytes]:
    """Drop a seat that has not come, as the host asks: the answer is the new commitment."""
    data = _read(body, Dropped)
    if data.player is not None:
        _check_players([data.player], list(state.players()))
    async with state.rooms.open(game) as room:
        room = _found(room, game)
        token = _bearer(request)
        if token is None or not is_token(token, room.stored.host):
            raise PermissionDeniedException("Only the host of a game drops its seats")
        if not isinstance(room, WaitingRoom):
            raise BadInput("the game has begun", "seats", "a game that waits for players")
        return _json({"commitment": await room.drop(data.seat, data.player)})


@get("/api/games/{game:str}")
async def one_game(game: str, state: State, language: str = "en") -> Response[bytes]:
    """The public facts of a game, its names in a language."""
    async with state.rooms.open(game) as room:
        room = _found(room, game)
        with spoken(translation(language, room.ruleset.package)):
            return _json(await _facts(room))


async def _facts(room: Table) -> dict[str, Any]:
    header, (turn, result) = room.stored.header, await room.standing()
    scenario = scenarios.parse(header.scenario, "scenario")
    return {
        "game": room.stored.id,
        "scenario": room.stored.scenario,
        "ruleset": scenario.ruleset,
        "title": called(scenario.title),
        "created": room.stored.created,
        "sides": waiting.sides(scenario),
        "seats": waiting.seats(header),
        "commitment": header.commitment,
        "waiting": isinstance(room, WaitingRoom),
        "turn": turn,
        "turns": scenario.turns,
        "pack": packs.name(header.pack) or None,
        "versions": {"opfire": __version__, "rules": header.version, "data": header.data},
        "result": result,
    }


@get("/api/games/{game:str}/map")
async def game_map(game: str, state: State, language: str = "en") -> Response[bytes]:
    """The map of a game, and its words in a language."""
    async with state.rooms.open(game) as room:
        header = _found(room, game).stored.header
    with spoken(translation(language, find(header.ruleset).package)):
        return _json(await asyncio.to_thread(catalogue.map_of, header))


@get("/api/games/{game:str}/record")
async def game_record(game: str, request: Seen, state: State) -> Response[bytes]:
    """The record as the seat of the request's token may know it."""
    async with state.rooms.open(game) as room:
        room = _found(room, game)
        seat = _seat(room, _bearer(request))
        record = await room.record(seat)
    headers = {
        "cache-control": "no-store",
        "content-disposition": f'attachment; filename="{room.stored.scenario}.opfire"',
    }
    return Response(record.dump().encode(), media_type="application/x-ndjson", headers=headers)


@post("/api/records", request_max_body_size=LARGEST_RECORD, status_code=201)
async def open_record(request: Seen, state: State, language: str = "en") -> Response[bytes]:
    """Put a record on a table of its own, for viewing; its facts have names in a language."""
    room: Table = await state.rooms.look(reading.text_of(await request.body()))
    with spoken(translation(language, room.ruleset.package)):
        return _json(await _facts(room), 201)


def _bearer(request: Seen) -> str | None:
    given = request.headers.get("authorization")
    if given is None:
        return None
    scheme, _, token = given.partition(" ")
    if scheme.lower() != "bearer":
        raise PermissionDeniedException("Expected the header Authorization: Bearer TOKEN")
    return token.strip()


def _found(room: Table | None, game: str) -> Table:
    if room is None:
        raise NotFoundException(f"There is no game {game}")
    return room


def _seat(room: Table, token: str | None) -> str:
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
        with state.doors.conversation():
            await _converse(socket, game, state)
    except Gone:
        return
    except Crowded as error:
        await _part(socket, 1013, str(error))
    except Ended as end:
        await _part(socket, end.code, end.text)
    except OpfireError as error:
        await _part(socket, 4409, str(error))
    except Exception:
        LOG.exception("the conversation at table %s broke off", game)
        await _part(socket, 1011, "Something went wrong on the server; the server's log has the details")


async def _converse(socket: Wire, game: str, state: State) -> None:
    """Seat a browser in the waiting room, then at the table. Raises Ended, Gone or OpfireError when it is over."""
    joined = None
    with ExitStack() as place:
        while True:
            async with state.rooms.open(game) as room:
                if room is None:
                    raise Ended(4404, f"There is no game {game}")
                if joined is None:
                    seat, wishes = joined = await _joined(socket, room)
                    place.enter_context(state.doors.place(seat))
                connection = Connection(_still(room, seat), lambda data: _send(socket, data), wishes.beats)
                with spoken(translation(wishes.language, room.ruleset.package)):
                    await _sit(socket, room, connection)


async def _part(socket: Wire, code: int, text: str) -> None:
    try:
        if text:
            await socket.send_data(shown.refused(text), mode="text")
        await socket.close(code)
    except (Gone, RuntimeError):
        return  # the browser has left already


def _still(room: Table, seat: str) -> str:
    """The seat of somebody who waited, unless the host has dropped it. Raises Ended."""
    if seat != SPECTATOR and seat not in room.stored.seats:
        raise Ended(4403, "The host has given this seat away")
    return seat


async def _sit(socket: Wire, room: Table, connection: Connection) -> None:
    """Talk until the browser leaves, or the waiting is over."""
    room.join(connection)
    listening = asyncio.create_task(_listen(socket, room, connection))
    telling = asyncio.create_task(connection.pump(room))
    try:
        done, _ = await asyncio.wait({listening, telling}, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
        if connection.dismissed:
            raise Ended(4410, connection.dismissed)
    finally:
        room.leave(connection)
        for task in (listening, telling):
            task.cancel()
        await asyncio.gather(listening, telling, return_exceptions=True)


async def _send(socket: Wire, data: bytes) -> None:
    await socket.send_data(data, mode="text")


async def _joined(socket: Wire, room: Table) -> tuple[str, Join]:
    """The seat named by the first message, and that message."""
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
        return _seat(room, message.token), message
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


async def _listen(socket: Wire, room: Table, connection: Connection) -> None:
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


async def _answer(room: Table, seat: str, data: str | bytes, number: int | str | None) -> bytes:
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
    list_rulebooks,
    list_rules,
    list_force_designers,
    list_offers,
    check_force,
    new_game,
    drop_seat,
    one_game,
    open_record,
    game_map,
    game_record,
    at_the_table,
    browser_part,
]
