"""The voice of commands: tables and sentences for people, one JSON object for programs, progress on the side."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias, TypeVar

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

Commands: TypeAlias = "argparse._SubParsersAction[Parser]"
T = TypeVar("T")

HOLDS, FAILS, BAD_INPUT = 0, 1, 2
"""Exit statuses: what was checked holds; it does not; what was asked for cannot be read."""


class Parser(argparse.ArgumentParser):
    """A parser whose complaint is one sentence."""

    def error(self, message: str) -> Any:
        """Name the fault and the help to read; exit status 2."""
        self.exit(BAD_INPUT, f"{self.prog}: {message} (see {self.prog} --help)\n")


def command(commands: Commands, name: str, run: Callable[[argparse.Namespace], int], about: str) -> Parser:
    """A new command with `--json`, carried out by `run`."""
    parser = commands.add_parser(name, help=about, description=about[:1].upper() + about[1:] + ".")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    parser.set_defaults(run=run)
    return parser


def answer(args: argparse.Namespace, data: Any, words: Callable[[Console], None]) -> None:
    """Print the answer: `data` as one JSON object if asked for, else `words` for people."""
    if args.json:
        print(msgspec.json.encode(data).decode())
    else:
        words(Console(highlight=False, markup=False, emoji=False, soft_wrap=True))


def table(*columns: str, rows: Iterable[Sequence[object]]) -> Table:
    """A plain table; brackets in its cells are printed as they are."""
    made = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        made.add_column(column, overflow="fold", justify="right" if column.endswith("#") else "left")
        made.columns[-1].header = Text(column.rstrip(" #"))
    for row in rows:
        made.add_row(*(Text(str(cell)) for cell in row))
    return made


def progress(items: Iterable[T], total: int, what: str) -> Iterator[T]:
    """The items, with a bar on the error stream if that is a terminal."""
    screen = Console(stderr=True)
    if not screen.is_terminal:
        yield from items
        return
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=screen, transient=True) as bar:
        task = bar.add_task(what, total=total)
        for item in items:
            yield item
            bar.advance(task)


def remark(text: str) -> None:
    """Print a remark on the error stream, apart from the answer."""
    print(text, file=sys.stderr)
