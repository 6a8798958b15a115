"""The server as a whole: its assembly and its start."""

from __future__ import annotations

import gc
import ipaddress
import logging
import socket
import sys
import threading
import webbrowser
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any

import uvicorn
from litestar import Litestar, MediaType, Request, Response
from litestar.config.compression import CompressionConfig
from litestar.datastructures import State
from litestar.exceptions import HTTPException

from opfire.core import packs
from opfire.core.errors import OpfireError
from opfire.server import client, computer, shown
from opfire.server.computer import Players
from opfire.server.connection import Doors
from opfire.server.guard import HEADERS, LARGEST_MESSAGE, Gate
from opfire.server.rooms import Rooms
from opfire.server.routes import ROUTES
from opfire.server.store import NotRead, NotWritten, Store

LOG = logging.getLogger(__name__)


def create_app(
    database: str,
    data: Path | None = None,
    *,
    names: Iterable[str] = (),
    players: Players = computer.installed,
    static: Path = client.STATIC,
) -> Litestar:
    """The server on that database, a file's path or an address that SQLAlchemy knows.

    `data` is the folder of a data pack, `names` are the host names that the server answers to besides localhost and
    numeric addresses. Raises OpfireError when the data pack has a fault, or the database cannot be opened.
    """
    pack = None if data is None else packs.load(data)
    store = Store(database)

    @asynccontextmanager
    async def rooms(app: Litestar) -> AsyncIterator[None]:
        app.state.rooms = Rooms(store, players)
        try:
            yield
        finally:
            await app.state.rooms.close()

    return Litestar(
        route_handlers=ROUTES,
        lifespan=[rooms],
        middleware=[Gate(names)],
        state=State({"store": store, "players": players, "static": static, "pack": pack, "doors": Doors()}),
        exception_handlers={OpfireError: _refused, HTTPException: _failed, Exception: _broken},
        compression_config=CompressionConfig(backend="gzip", minimum_size=1000, gzip_compress_level=6),
        request_max_body_size=LARGEST_MESSAGE,
        openapi_config=None,
        logging_config=None,
    )


def _error(text: str, status: int) -> Response[bytes]:
    # Litestar sends errors past the gate, so they bring their own headers.
    return Response(shown.error_body(text), media_type=MediaType.JSON, status_code=status, headers=HEADERS)


def _refused(request: Request[Any, Any, Any], error: OpfireError) -> Response[bytes]:
    return _error(str(error), 503 if isinstance(error, NotRead | NotWritten) else 400)


def _failed(request: Request[Any, Any, Any], error: HTTPException) -> Response[bytes]:
    return _error(_words(request, error), error.status_code)


def _words(request: Request[Any, Any, Any], error: HTTPException) -> str:
    """The error in a sentence: where it was not ours, it has the bare name of its status."""
    if error.detail != HTTPStatus(error.status_code).phrase:
        return error.detail
    match error.status_code:
        case 404:
            return "There is no such call"
        case 405:
            return f"{request.method} is not a call that this address takes"
        case 413:
            return f"This is too long: at most {request.route_handler.resolve_request_max_body_size()} bytes"
        case _:
            return f"The request cannot be answered: {error.detail.lower()}"


def _broken(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    LOG.error("%s %s failed", request.method, request.url.path, exc_info=error)
    return _error("Something went wrong on the server; the server's log has the details", 500)


# --- starting it ------------------------------------------------------------------------------------


def is_local(host: str) -> bool:
    """Whether only this machine can reach a server at that host."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def address(host: str, port: int, path: str = "/") -> str:
    """The address to type into a browser on this machine."""
    shown_host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{shown_host}:{port}{path}"


def serve(
    host: str,
    port: int,
    database: str,
    data: Path | None = None,
    open_browser: bool = True,
    *,
    allow_remote: bool = False,
    path: str = "/",
) -> None:
    """Serve until stopped; prints the address and opens `path` there in the browser.

    Raises OpfireError when the host can be reached from outside without permission, when the port is taken, when the
    data pack has a fault, or when the database cannot be opened.
    """
    remote = not is_local(host)
    if remote and not allow_remote:
        raise OpfireError(f"{host} can be reached from other machines; to allow that, add --allow-remote")
    app = create_app(database, data, names=(host, socket.gethostname()) if remote else ())
    with _listening(host, port) as listener:
        where = address(host, listener.getsockname()[1], path)
        if remote:
            print(REMOTE, file=sys.stderr)
        print(f"Opfire: {where}  (Ctrl+C stops it; games are kept in {database})", flush=True)
        if open_browser:
            threading.Timer(0.5, webbrowser.open, [where]).start()
        # All objects up to here stay: collecting garbage among them would hold up a game for 60 ms now and then.
        gc.collect()
        gc.freeze()
        config = uvicorn.Config(
            app,
            log_level="warning",
            ws="websockets-sansio",
            ws_max_size=LARGEST_MESSAGE,
            timeout_graceful_shutdown=3,
            server_header=False,
        )
        uvicorn.Server(config).run(sockets=[listener])


REMOTE = (
    "Warning: this table can be reached from other machines, unencrypted. Anybody with the address can start "
    "games and watch them; seats are protected by their tokens alone."
)


def _listening(host: str, port: int) -> socket.socket:
    try:
        listener = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise OpfireError(f"{host}:{port} cannot be used: {error.strerror or error}") from None
    # Table, log and answer are three small messages: none may wait for the acknowledgement of the one before.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener
