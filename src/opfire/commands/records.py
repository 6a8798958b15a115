"""`opfire verify` and `opfire show`: check a record, and draw its positions."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console

from opfire.commands.picture import legend, picture
from opfire.commands.terminal import FAILS, HOLDS, Commands, answer, command
from opfire.core.errors import BadInput, RecordBroken
from opfire.core.game import SPECTATOR, Game
from opfire.core.record import Record


def register(commands: Commands) -> None:
    """Add both commands."""
    parser = command(commands, "verify", verify, "check a finished record: dice, every decision, the outcome")
    parser.add_argument("record", type=Path, metavar="RECORD")
    words = "the commitment that a player wrote down before the game: the record has to bear it"
    parser.add_argument("--commitment", default="", metavar="HEX", help=words)
    parser = command(commands, "show", show, "draw a position of a record as text")
    parser.add_argument("record", type=Path, metavar="RECORD")
    parser.add_argument("--at", type=int, metavar="N", help="after line N; after the last one by default")
    parser.add_argument("--side", default=SPECTATOR, metavar="S", help="as this side is allowed to see it")


def read(path: Path) -> Record:
    """The record in that file. Raises BadInput."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"this file cannot be read: {error}", str(path), "a record of play") from None
    return Record.load(text, str(path))


def verify(args: argparse.Namespace) -> int:
    """Check a record; status 1 with the first fault."""
    record = read(args.record)
    data = _verified(record, args.commitment)

    def words(console: Console) -> None:
        if data["verified"]:
            console.print(f"True: {data['decisions']} decisions, {data['rolls']} dice; {_outcome(data['outcome'])}")
        else:
            console.print(
                f"Not true, line {data['line']}: the record says {data['says']}, the game says {data['found']}"
            )

    answer(args, data, words)
    return HOLDS if data["verified"] else FAILS


def _verified(record: Record, kept: str) -> dict[str, Any]:
    last = len(record.lines) + 1
    try:
        found = record.verify(kept)
    except RecordBroken as error:
        return _untrue(error.line, error.says, error.found)
    if found["outcome"] is None:
        return _untrue(last, "a finished game", "it goes on")
    return {"verified": True, **found}


def _untrue(line: int, says: str, found: str) -> dict[str, Any]:
    return {"verified": False, "line": line, "says": says, "found": found}


def _outcome(outcome: dict[str, Any]) -> str:
    return f"{outcome['reason']} ({outcome['level']})"


def show(args: argparse.Namespace) -> int:
    """Draw a position."""
    record = read(args.record)
    at = len(record.lines) if args.at is None else args.at
    if not 0 <= at <= len(record.lines):
        raise BadInput(f"there is no line {at}", str(args.record), f"0 to {len(record.lines)}")
    game = _at(record, at)
    sides = dict.fromkeys(game.seats.values())
    if args.side != SPECTATOR and args.side not in sides:
        raise BadInput(f"there is no side {args.side!r}", "--side", " or ".join(sides))
    picture = text(game, args.side)
    data = {"at": at, "side": args.side, "asked": game.asked(), "text": picture, "outcome": game.outcome}
    answer(args, msgspec.to_builtins(data), lambda console: console.print(picture))
    return HOLDS


def text(game: Game[Any], side: str) -> str:
    """The position in characters, as a side knows it: the map, then the ruleset's description."""
    queries, sight = game.ruleset.queries, game.ruleset.sight(game.state, side)
    lines: list[str] = []
    if ground := game.ruleset.drawn(sight, side):
        top = game.stack[-1].seen_by(side) if game.stack else None
        view = msgspec.to_builtins(game.ruleset.view(sight, side, top))
        lines += [*picture(msgspec.to_builtins(ground), view), "", legend(ground, view), ""]
    if words := queries.get("text"):
        lines.append(str(words(sight, side)))
    if not lines:
        raise BadInput(f"{game.ruleset.id} cannot draw a position as text", "ruleset", "a ruleset with a `text` query")
    return "\n".join(lines)


def _at(record: Record, at: int) -> Game[Any]:
    """The game after a line; while its key is secret, with the dice of the record itself."""
    return record.told().replay(at)
