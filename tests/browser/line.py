"""A slow line between a page and its server."""

from __future__ import annotations

from functools import partial

from playwright.sync_api import Page, WebSocketRoute


class SlowLine:
    """The WebSockets of a page, whose messages from the server can be held back and released later in their order."""

    def __init__(self) -> None:
        self.held: list[tuple[WebSocketRoute, str | bytes]] = []
        self.holds = False

    def connect(self, page: WebSocketRoute) -> None:
        """Carry all messages of a socket to the server, and those of the server while none are held back."""
        page.connect_to_server().on_message(partial(self._hear, page))

    def _hear(self, page: WebSocketRoute, message: str | bytes) -> None:
        if self.holds:
            self.held.append((page, message))
        else:
            page.send(message)

    def release(self) -> None:
        """Send what was held back, and hold nothing more."""
        self.holds = False
        while self.held:
            page, message = self.held.pop(0)
            page.send(message)


def slow(page: Page) -> SlowLine:
    """The line of a page to its table's server, for the sockets that it opens from now on."""
    line = SlowLine()
    page.route_web_socket("**/table", line.connect)
    return line
