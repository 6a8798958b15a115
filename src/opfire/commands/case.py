"""`opfire case`: plays case files and reports the differences."""

from __future__ import annotations

import argparse
from pathlib import Path

import msgspec
from rich.console import Console

from opfire.commands.terminal import FAILS, HOLDS, Commands, answer, command
from opfire.core import case


def register(commands: Commands) -> None:
    """Add the command."""
    parser = command(commands, "case", run, "play case files and report the differences (docs/cases.md)")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")


def run(args: argparse.Namespace) -> int:
    """Play all cases; status 1 when one differs."""
    cases = [case.read(path) for path in args.files]  # no case is played if one of them cannot be read
    failures = [case.run(each) for each in cases]
    failed = sum(bool(found) for found in failures)
    data = {
        "passed": len(cases) - failed,
        "failed": failed,
        "failures": [msgspec.to_builtins(one) for found in failures for one in found],
    }

    def words(console: Console) -> None:
        for found in failures:
            for one in found:
                console.print(f"{one.case}:{one.line}: expected {one.expected}\n    got {one.got}")
        console.print(f"{data['passed']} passed, {data['failed']} failed")

    answer(args, data, words)
    return FAILS if failed else HOLDS
