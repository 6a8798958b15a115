"""`opfire case`: plays case files and reports the differences."""

from __future__ import annotations

import argparse
from pathlib import Path

import msgspec
from rich.console import Console

from opfire.commands.terminal import BAD_INPUT, FAILS, HOLDS, Commands, answer, command, remark
from opfire.core import case
from opfire.core.errors import BadInput


def register(commands: Commands) -> None:
    """Add the command."""
    parser = command(commands, "case", run, "play case files and report the differences (docs/cases.md)")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")


class Fault(msgspec.Struct, frozen=True):
    """A file that cannot be read or set up: file and line, the fault, and what was expected."""

    where: str
    what: str
    expected: str


def run(args: argparse.Namespace) -> int:
    """Play the cases of all files; status 1 when one differs, 2 when a file cannot be read."""
    played: list[list[case.Difference]] = []
    faults: list[Fault] = []
    for path in args.files:
        try:
            found = [case.run(each) for each in case.read(path)]
        except BadInput as error:
            faults.append(Fault(error.where or str(path), error.what, error.expected))
            remark(f"opfire: {error}")
        else:
            played += found
    failed = sum(bool(differences) for differences in played)
    data = {
        "passed": len(played) - failed,
        "failed": failed,
        "failures": [msgspec.to_builtins(one) for differences in played for one in differences],
        **({"faults": [msgspec.to_builtins(fault) for fault in faults]} if faults else {}),
    }

    def words(console: Console) -> None:
        for one in (one for differences in played for one in differences):
            title = f" {one.run}:" if one.run else ""
            console.print(f"{one.case}:{one.line}:{title} expected {one.expected}\n    got {one.got}")
        unread = f", {len(faults)} files cannot be read" if faults else ""
        console.print(f"{data['passed']} passed, {data['failed']} failed{unread}")

    if played or args.json:
        answer(args, data, words)
    return BAD_INPUT if faults else FAILS if failed else HOLDS
