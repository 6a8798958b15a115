"""`opfire serve` and `opfire play`: the table in the browser."""

from __future__ import annotations

import argparse
from pathlib import Path

from opfire.commands.terminal import HOLDS, Commands, Parser, command
from opfire.core import scenario


def register(commands: Commands) -> None:
    """Add both commands."""
    _table(command(commands, "serve", serve, "open the table; its address is printed"))
    parser = command(commands, "play", play, "open the table on a scenario, in the browser")
    parser.add_argument("scenario", nargs="?", default="", metavar="SCENARIO", help="the choice of all by default")
    _table(parser)


def _table(parser: Parser) -> None:
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
    parser.add_argument("--port", type=int, default=8000, help="0 takes a free one")
    parser.add_argument("--database", default="opfire.sqlite", metavar="FILE", help="where games are kept")
    parser.add_argument("--data", type=Path, metavar="DIR", help="a data pack: your own charts")
    parser.add_argument("--allow-remote", action="store_true", help="needed to serve beyond this machine")
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")


def serve(args: argparse.Namespace) -> int:
    """Serve until stopped."""
    return _open(args, "")


def play(args: argparse.Namespace) -> int:
    """Serve, with the browser on the scenario. Raises BadInput if there is none of that name."""
    if args.scenario:
        scenario.text_of(args.scenario)
    return _open(args, args.scenario)


def _open(args: argparse.Namespace, chosen: str) -> int:
    from opfire.server import serve as table  # its libraries would slow every other command down

    table(
        args.host,
        args.port,
        args.database,
        args.data,
        open_browser=not args.no_browser,
        allow_remote=args.allow_remote,
        path=f"/?scenario={chosen}" if chosen else "/",
    )
    return HOLDS
