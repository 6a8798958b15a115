"""Access to the server: hosts and origins, tokens of seats, the rate of messages."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import secrets
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from urllib.parse import urlsplit

from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Message, Receive, Scope, Send

LARGEST_MESSAGE = 64 * 1024
"""Bytes of one request body or message; the longest honest ones, routes and orders, stay far below."""

HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
        "font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}


def new_token() -> str:
    """A token that nobody can guess."""
    return secrets.token_urlsafe(32)


def token_hash(token: str) -> str:
    """The stored form of a token: enough to recognize it, not enough to use it."""
    return hashlib.sha256(token.encode()).hexdigest()


def seat_of(token: str, seats: Mapping[str, str]) -> str | None:
    """The seat of this token, among the hashes of a game's seats."""
    given = token_hash(token)
    found = [seat for seat, kept in seats.items() if hmac.compare_digest(given, kept)]
    return found[0] if found else None


def is_token(token: str, kept: str) -> bool:
    """Return whether this is the token whose hash was kept."""
    return hmac.compare_digest(token_hash(token), kept)


class Bucket:
    """A limit on a rate: `burst` at once, then `rate` a second."""

    def __init__(self, burst: int, rate: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.burst, self.rate, self.clock = burst, rate, clock
        self.left, self.last = float(burst), clock()

    def take(self) -> bool:
        """Whether one more is allowed now; if so, it is counted."""
        now = self.clock()
        self.left = min(self.burst, self.left + (now - self.last) * self.rate)
        self.last = now
        if self.left < 1:
            return False
        self.left -= 1
        return True


def own_host(host: str, names: Iterable[str]) -> bool:
    """Whether a Host header is one of ours: one of `names`, localhost, or a numeric address.

    A page elsewhere that lets its own name point here (DNS rebinding) sends that name.

    >>> own_host("localhost:8000", ()), own_host("[::1]:8000", ()), own_host("evil.example", ())
    (True, True, False)
    """
    try:
        parts = urlsplit(f"//{host}")
        name, _ = parts.hostname or "", parts.port
    except ValueError:
        return False
    return name == "localhost" or name in {own.lower() for own in names} or _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def foreign(headers: Mapping[str, str], names: Iterable[str]) -> str | None:
    """The reason, in a sentence, to turn away a request from elsewhere, or None.

    Programs that are not browsers send no Origin, and need none: the danger is a page in a player's browser.
    """
    host = headers.get("host", "")
    if not own_host(host, names):
        return f"This server does not answer to the name {host!r}"
    origin = headers.get("origin")
    if origin is not None and _place(origin) != host.lower():
        return f"Pages from {origin!r} may not use this server"
    return None


def _place(origin: str) -> str:
    """The host and port of an origin; empty if it cannot be read."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


class Gate(ASGIMiddleware):
    """Turns foreign requests away, and puts the protecting headers on every answer.

    `names` are the host names, besides localhost and numeric addresses, that the server answers to.
    """

    scopes = (ScopeType.HTTP, ScopeType.WEBSOCKET)

    def __init__(self, names: Iterable[str] = ()) -> None:
        self.names = tuple(names)

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Let a request pass, or turn it away."""
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        reason = foreign(headers, self.names)
        if scope["type"] == ScopeType.WEBSOCKET:
            if reason is None:
                await next_app(scope, receive, send)
            else:
                await send({"type": "websocket.close", "code": 1008, "reason": "foreign origin"})
            return
        guarded = _guarded(send)
        if reason is None:
            await next_app(scope, receive, guarded)
        else:
            await _turn_away(guarded, reason)


def _guarded(send: Send) -> Send:
    extra = [(name.encode(), value.encode()) for name, value in HEADERS.items()]

    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], *extra]
        await send(message)

    return guarded


async def _turn_away(send: Send, reason: str) -> None:
    from opfire.server.shown import error_body

    body: Any = error_body(reason)
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 403, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
