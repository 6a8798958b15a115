"""`opfire check`: scenarios, boards, their drawings, tables and data packs, before they are played."""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Iterator
from pathlib import Path

import msgspec
from rich.console import Console

from opfire.commands import tables
from opfire.commands.terminal import FAILS, HOLDS, Commands, answer, command
from opfire.core import case, packs, record
from opfire.core.dice import Dice
from opfire.core.errors import BadInput
from opfire.core.ruleset import find, read_scenario
from opfire.space.boardcheck import check as board_faults
from opfire.space.boards import is_board, parse_board, read_board
from opfire.space.drawing import DRAWINGS, read_drawing
from opfire.space.terrain.files import is_table


class Problem(msgspec.Struct, frozen=True):
    """A fault, its place, and what was expected."""

    file: str
    where: str
    what: str
    right: str = ""


def register(commands: Commands) -> None:
    """Add the command."""
    parser = command(
        commands, "check", run, "check scenarios, boards, tables, cases, and data packs (folders of charts)"
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")


def run(args: argparse.Namespace) -> int:
    """Check all files; status 1 when one has a fault."""
    problems = [problem for path in args.files for problem in check(path)]
    data = {"checked": len(args.files), "problems": [msgspec.to_builtins(problem) for problem in problems]}

    def words(console: Console) -> None:
        for problem in problems:
            place = problem.where if problem.where.startswith(problem.file) else f"{problem.file}: {problem.where}"
            cure = f"; expected {problem.right}" if problem.right else ""
            console.print(f"{place}: {problem.what}{cure}")
        console.print(f"{data['checked']} checked, {len(problems)} problems")

    answer(args, data, words)
    return FAILS if problems else HOLDS


def check(path: Path) -> Iterator[Problem]:
    """The faults of a file or a data pack. Raises BadInput for a name that does not exist."""
    if path.is_dir():
        yield from (Problem(str(path), fault.where, fault.what, fault.expected) for fault in packs.faults(path))
        return
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"this file cannot be read: {error}", str(path), "a scenario, a board or a data pack") from None
    try:
        yield from (Problem(str(path), where, fault) for where, fault in _checked(path, text))
    except BadInput as error:
        yield Problem(str(path), error.where or path.name, error.what, error.expected)


def _checked(path: Path, text: str) -> list[tuple[str, str]]:
    """Read a file by its type and return the faults of its ground; any worse fault is raised as BadInput."""
    if path.suffix == ".csv":
        raise BadInput("a single table", path.name, "its folder: a data pack is checked as a whole")
    try:
        fields = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # broken, numbers too long, or too deep
        raise BadInput(f"not TOML: {error}", path.name, "a scenario, a board or a case") from None
    if path.parent.name == DRAWINGS.name:
        return [("drawing", fault) for fault in _strange(path)]
    if is_board(fields):
        return [("board", fault) for fault in board_faults(parse_board(text, path.name))]
    if is_table(fields):
        return [("table", fault) for fault in tables.faults(text, path.name)]
    if {"play", "expect", "run"} & fields.keys():
        for one in case.cases(text, path.name):
            case.position(one)
    elif "ruleset" in fields:
        parsed = read_scenario(text, path.name)
        record.new_game(find(parsed.ruleset), text, Dice(bytes(32)))
    else:
        raise BadInput("neither a ruleset nor a board nor a table", path.name, "a scenario, a board, a table or a case")
    return []


def _strange(path: Path) -> Iterator[str]:
    """The faults of the drawing of a board, which lies in the folder above."""
    board = read_board(path.parent.parent / path.name)
    for hex in sorted(read_drawing(path).hexes):
        if not board.has(hex):
            yield f"{hex} is no hex of {board.id}"
