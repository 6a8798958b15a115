"""`opfire verify`, `opfire show`, `opfire records check`: check records, and draw their positions or a table."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console

from opfire.commands import tables
from opfire.commands.picture import legend, picture
from opfire.commands.terminal import FAILS, HOLDS, Commands, Parser, answer, command, remark
from opfire.core.errors import BadInput, OpfireError, RecordBroken
from opfire.core.game import SPECTATOR, Game
from opfire.core.record import UNCHAINED, UNPLAYABLE, Record
from opfire.core.verify import Verdict, rules_here
from opfire.core.verify import verify as checked

SUFFIXES = (".record", ".jsonl")
"""The names of records end so."""


def register(commands: Commands) -> None:
    """Add the commands."""
    about = "records of games"
    group = commands.add_parser("records", help=about, description=about.capitalize() + ".")
    inner: Commands = group.add_subparsers(required=True, metavar="COMMAND", parser_class=Parser)
    words = "before an update: which records would go otherwise by the rules that are here"
    parser = command(inner, "check", check, words)
    parser.add_argument("where", metavar="DIR|DATABASE", help="a folder of records, or the server's database")
    parser = command(commands, "verify", verify, "check a finished record: dice, every decision, the outcome")
    parser.add_argument("record", type=Path, metavar="RECORD")
    words = "the commitment that a player wrote down before the game: the record has to bear it"
    parser.add_argument("--commitment", default="", metavar="HEX", help=words)
    words = "a digest that a browser kept during the game: the record has to pass through it"
    parser.add_argument("--seen", default="", metavar="DIGEST", help=words)
    parser.add_argument("--scripted", action="store_true", help="count dictated dice as a success, too")
    words = "count a record that was played by other rules or data as a success, too, if every line holds"
    parser.add_argument("--other-rules", action="store_true", help=words)
    parser = command(commands, "show", show, "draw a position of a record, or a table file")
    parser.add_argument("record", type=Path, metavar="RECORD", help="a record, or a table file (*.toml)")
    parser.add_argument("--at", type=int, metavar="N", help="after line N; after the last one by default")
    parser.add_argument("--side", default=SPECTATOR, metavar="S", help="as this side is allowed to see it")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="write the picture of a table file there as SVG")
    parser.add_argument("--grid", action="store_true", help="with the inches of the table in that picture")


def read(path: Path) -> Record:
    """The record in that file. Raises BadInput."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"this file cannot be read: {error}", str(path), "a record of play") from None
    return Record.load(text, str(path))


def verify(args: argparse.Namespace) -> int:
    """Check a record; status 1 with the first line that is not true, or with dice or rules that prove nothing."""
    data = _verified(read(args.record), args)

    def words(console: Console) -> None:
        if data["verified"]:
            console.print(f"True: {data['decisions']} decisions, {data['rolls']} dice; {_outcome(data['outcome'])}")
        else:
            console.print(
                f"Not true, line {data['line']}: the record says {data['says']}, the game says {data['found']}"
            )
        for note in data["notes"]:
            console.print(note)

    answer(args, data, words)
    return HOLDS if data["verified"] else FAILS


def _verified(record: Record, args: argparse.Namespace) -> dict[str, Any]:
    try:
        found = checked(record, args.commitment, args.seen)
    except RecordBroken as error:
        return _untrue(error.line, error.says, error.found, _reservations(record))
    if found.scripted and not args.scripted:
        return _untrue(1, "scripted dice", "that its dice prove nothing (see --scripted)", notes(found))
    if not found.same_rules and not args.other_rules:
        says = f"rules of version {found.played[0]} with the data {found.played[1] or 'unnamed'}"
        here = f"version {found.here[0]} with {found.here[1]}, by which every line holds (see --other-rules)"
        return _untrue(1, says, here, notes(found))
    fields = ("format", "decisions", "rolls", "outcome", "digest", "scripted", "unproved")
    return {"verified": True, **{name: getattr(found, name) for name in fields}, "notes": notes(found)}


def notes(found: Verdict) -> list[str]:
    """The limits of what was proved, in sentences."""
    told = []
    if found.scripted:
        told.append("The dice were dictated: they prove nothing.")
    elif found.silent:
        told.append(f"{', '.join(found.silent)} added nothing to the dice: the server could choose them.")
    if not found.same_rules:
        told.append("The record was played by other rules or data than those here; every line holds by both.")
    if found.unproved:
        told.append(f"{found.unproved} lines were given up when the rules changed; only their dice were checked.")
    if found.format <= UNCHAINED:
        told.append(f"Format {found.format}: its digests bind the positions, but not the authors of decisions.")
    return told


def _reservations(record: Record) -> list[str]:
    """Notes for a record that is not true: that its dice were dictated, that it may differ by other rules alone."""
    version, data = record.terms()
    told = ["Its dice were dictated."] if record.header.dice is not None else []
    if (version, data) != rules_here(record.header):
        told.append(f"It was played by version {version} with the data {data or 'unnamed'}; other rules are here.")
    return told


def _untrue(line: int, says: str, found: str, notes: list[str]) -> dict[str, Any]:
    return {"verified": False, "line": line, "says": says, "found": found, "notes": notes}


def _outcome(outcome: dict[str, Any]) -> str:
    return f"{outcome['reason']} ({outcome['level']})"


def show(args: argparse.Namespace) -> int:
    """Draw a position, or a table."""
    if args.record.suffix == ".toml":
        return tables.show(args)
    if args.svg:
        raise BadInput("only a table file is drawn as SVG", str(args.record), "a table file (*.toml)")
    record = read(args.record)
    at = len(record.lines) if args.at is None else args.at
    if not 0 <= at <= len(record.lines):
        raise BadInput(f"there is no line {at}", str(args.record), f"0 to {len(record.lines)}")
    game, note = _at(record, at)
    sides = dict.fromkeys(game.seats.values())
    if args.side != SPECTATOR and args.side not in sides:
        raise BadInput(f"there is no side {args.side!r}", "--side", " or ".join(sides))
    picture = text(game, args.side)
    data = {"at": at, "side": args.side, "asked": game.asked(), "text": picture, "outcome": game.outcome, "note": note}
    answer(args, msgspec.to_builtins(data), lambda console: console.print(picture))
    if note:
        remark(note)
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


def _at(record: Record, at: int) -> tuple[Game[Any], str]:
    """The game after a line, or at the last line before it to which the present rules lead; then with a note.

    While the key is secret the dice are those of the record itself.
    """
    told, line = record.told(), 0
    steps = told.steps(at)
    game = told.start()
    try:
        for after, entry in steps:
            game, line = after.copy(), entry.n
    except RecordBroken as error:
        return game, f"The rules here lead to line {line}, and no further: {error}"
    return game, ""


# --- before an update --------------------------------------------------------------------------------------


def check(args: argparse.Namespace) -> int:
    """Play each record of a folder or a database; status 1 when one goes otherwise than it tells."""
    found = [{"name": name, "difference": difference(load)} for name, load in _records(args.where)]
    differing = [row for row in found if row["difference"]]
    data = {"records": len(found), "differing": differing}

    def words(console: Console) -> None:
        for row in differing:
            console.print(f"{row['name']}: {row['difference']}")
        console.print(f"{len(found)} records, {len(differing)} of them go otherwise by the rules here")

    answer(args, data, words)
    return FAILS if differing else HOLDS


def difference(load: Callable[[], Record]) -> str:
    """The first difference between a record and the game by the present rules, in words; else an empty text."""
    try:
        for _ in load().told().steps():
            pass
    except OpfireError as error:
        return str(error)
    except UNPLAYABLE as error:
        return f"it cannot be set up: {error!r}"
    return ""


def _records(where: str) -> Iterator[tuple[str, Callable[[], Record]]]:
    """A way to read each record of a folder, by file name, or of a database, by game. Raises OpfireError."""
    folder = Path(where)
    if folder.is_dir():
        paths = sorted(path for path in folder.iterdir() if path.suffix in SUFFIXES)
        yield from ((path.name, partial(read, path)) for path in paths)
    else:
        from opfire.server.store import stored_records

        yield from ((name, partial(Record.load, text, name)) for name, text in stored_records(where))
