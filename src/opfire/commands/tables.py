"""Table files for the commands: their faults, and their pictures in characters and as SVG."""

from __future__ import annotations

import argparse
from pathlib import Path

from opfire.commands.terminal import HOLDS, answer
from opfire.core.errors import BadInput
from opfire.kit.terrain import named
from opfire.space.sketch import legend, sketch
from opfire.space.table import drawn
from opfire.space.terrain.faults import faults as faults_of
from opfire.space.terrain.files import parse_table, read_table
from opfire.space.terrain.svg import picture


def faults(text: str, name: str) -> list[str]:
    """The faults of a table file with this text. Raises BadInput for one that cannot be read."""
    file = parse_table(text, name)
    vocabulary = named(file.terrain)
    return faults_of(drawn(file, vocabulary, name).ground, vocabulary)


def show(args: argparse.Namespace) -> int:
    """Draw a table in characters, or write its SVG picture to a file."""
    file = read_table(args.record)
    table = drawn(file, named(file.terrain), args.record.name)
    if args.svg:
        _write(args.svg, picture(table.ground, table.title, args.grid))
    ground = table.to_json()
    text = "\n".join([*sketch(ground), "", legend(ground, ())])
    data = {"table": table.id, "title": table.title, "text": text, "svg": str(args.svg) if args.svg else None}
    answer(args, data, lambda console: console.print(f"{table.title}: {args.svg}" if args.svg else text, markup=False))
    return HOLDS


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadInput(f"this file cannot be written: {error}", str(path), "a file in a folder that exists") from None
