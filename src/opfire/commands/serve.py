"""`opfire serve` and `opfire play`: the table in the browser."""

from __future__ import annotations

import argparse
from pathlib import Path
from urllib.parse import quote

from opfire.commands.packs import tables_of, takes_pack
from opfire.commands.scenarios import text_of
from opfire.commands.terminal import HOLDS, Commands, Parser, command
from opfire.core import scenario
from opfire.core.dice import Dice
from opfire.core.record import new_game
from opfire.core.ruleset import find, read_scenario


def register(commands: Commands) -> None:
    """Add both commands."""
    _table(command(commands, "serve", serve, "open the table; its address is printed"))
    parser = command(commands, "play", play, "open the table on a scenario, in the browser")
    parser.add_argument(
        "scenario", nargs="?", default="", metavar="SCENARIO", help="its id, or a file; by default the page offers all"
    )
    _table(parser)


def _table(parser: Parser) -> None:
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
    parser.add_argument("--port", type=int, default=8000, help="0 takes a free port")
    parser.add_argument("--database", default="opfire.sqlite", metavar="FILE", help="the database of the games")
    takes_pack(parser)
    parser.add_argument("--allow-remote", action="store_true", help="required to serve other machines")
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")


def serve(args: argparse.Namespace) -> int:
    """Serve until stopped."""
    return _open(args, "")


def play(args: argparse.Namespace) -> int:
    """Serve, with the browser on the scenario. Raises BadInput for a scenario that is missing or cannot be played."""
    return _open(args, _playable(args.scenario, args.data) if args.scenario else "")


def _playable(name: str, data: Path | None) -> str:
    """The id of the scenario with this id, or in this file, which is added to the scenarios of the table."""
    text = text_of(name)
    found = read_scenario(text, name)
    new_game(find(found.ruleset), text, Dice(bytes(32)), None, tables_of(data, found.ruleset))
    if Path(name).suffix == ".toml":
        scenario.add(found.id, Path(name))
    return found.id


def _open(args: argparse.Namespace, chosen: str) -> int:
    from opfire.server import serve as table  # its libraries would slow down every other command

    table(
        args.host,
        args.port,
        args.database,
        args.data,
        open_browser=not args.no_browser,
        allow_remote=args.allow_remote,
        path=f"/?scenario={quote(chosen)}" if chosen else "/",
    )
    return HOLDS
