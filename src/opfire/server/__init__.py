"""The table: games over HTTP and WebSocket, kept in a database; each seat is shown only what it may know."""

from opfire.server.app import create_app, serve

__all__ = ["create_app", "serve"]
