"""`opfire data export`: the tables of a ruleset, for the owner of the game to fill in."""

from __future__ import annotations

import argparse
import csv
import shutil
from collections.abc import Iterator
from pathlib import Path

from opfire.commands.terminal import HOLDS, Commands, Parser, answer, command
from opfire.core.errors import BadInput
from opfire.core.ruleset import Ruleset, find

README = "README.md"


def register(commands: Commands) -> None:
    """Add the command."""
    about = "a ruleset's tables, to be filled in from your own charts"
    group = commands.add_parser("data", help=about, description=about[:1].upper() + about[1:] + ".")
    inner: Commands = group.add_subparsers(required=True, metavar="COMMAND", parser_class=Parser)
    parser = command(inner, "export", run, "write a data pack to fill in: the ruleset's tables as CSV, and a README")
    parser.add_argument("ruleset", metavar="RULESET")
    parser.add_argument("folder", type=Path, metavar="DIR")


def run(args: argparse.Namespace) -> int:
    """Write the data pack; existing files are never overwritten."""
    written = export(find(args.ruleset), args.folder)
    data = {"ruleset": args.ruleset, "folder": str(args.folder), "files": [path.name for path in written]}
    answer(
        args,
        data,
        lambda console: console.print(f"{len(written)} files in {args.folder}; read {README} first"),
    )
    return HOLDS


def export(ruleset: Ruleset, folder: Path) -> list[Path]:
    """Copy the tables of a ruleset and describe them. Raises BadInput rather than overwrite a file."""
    tables = list(ruleset.tables().values())
    wanted = [folder / README, *(folder / table.name for table in tables)]
    if there := [path.name for path in wanted if path.exists()]:
        raise BadInput(f"{', '.join(there)} already exist", str(folder), "a folder without them")
    folder.mkdir(parents=True, exist_ok=True)
    for table in tables:
        shutil.copyfile(table, folder / table.name)
    (folder / README).write_text("\n".join(_readme(ruleset, tables)) + "\n", encoding="utf-8")
    return wanted


def _readme(ruleset: Ruleset, tables: list[Path]) -> Iterator[str]:
    yield f"# A data pack for {ruleset.title}\n"
    yield (
        "These are the tables that come with Opfire. Enter the values of the charts and counters\n"
        "that you own, and delete the files that you leave unchanged: Opfire's own tables replace\n"
        "them. Rows may be added where the table is a list (units); rows and columns must stay. Then\n"
        "check the folder and play with it:\n"
    )
    yield "    opfire check FOLDER\n    opfire play --data FOLDER\n"
    yield (
        "Each game keeps the changed tables in its record, so it no longer needs this folder.\n"
        "Think before you pass such a record on: these are the publisher's charts.\n"
    )
    yield (
        "The column `source` gives the origin of a value: `text` (in the rulebook), `public` (well\n"
        "known) or `own` (Opfire's calibration: the first to replace). `rule` is its number.\n"
    )
    yield "| table | rows | of them `own` | columns |\n| --- | --- | --- | --- |"
    for table in tables:
        with table.open(encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file)
            rows = list(reader)
        own = sum(row.get("source") == "own" for row in rows)
        yield f"| {table.name} | {len(rows)} | {own} | {', '.join(reader.fieldnames or ())} |"
