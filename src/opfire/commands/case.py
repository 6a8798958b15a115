"""`opfire case`: plays case files and reports the differences."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import msgspec
from rich.console import Console

from opfire.commands.terminal import BAD_INPUT, FAILS, HOLDS, Commands, answer, command, remark
from opfire.core import case
from opfire.core.actions import Action
from opfire.core.errors import BadInput
from opfire.core.ruleset import find


def register(commands: Commands) -> None:
    """Add the command."""
    parser = command(commands, "case", run, "play case files and report the differences (docs/cases.md)")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    parser.add_argument("--actions", metavar="RULESET", help="list the actions of a rulebook, with their fields")


class Fault(msgspec.Struct, frozen=True):
    """A file that cannot be read or set up: file and line, the fault, and what was expected."""

    where: str
    what: str
    expected: str


class Listed(msgspec.Struct, frozen=True):
    """An action for `do`: its type, its fields with the values that they have if left out, its meaning."""

    type: str
    fields: tuple[str, ...]
    meaning: str


def actions(ruleset: str) -> list[Listed]:
    """The actions of a rulebook by name. Raises BadInput for a rulebook that does not exist."""
    found = sorted(find(ruleset).actions, key=lambda action: action.__name__)
    return [Listed(str(one.__struct_config__.tag), _fields(one), (one.__doc__ or "").split("\n")[0]) for one in found]


def _fields(action: type[Action]) -> tuple[str, ...]:
    names, defaults = action.__struct_encode_fields__, action.__struct_defaults__
    needed = len(names) - len(defaults)
    given = [f"{name} = {json.dumps(default)}" for name, default in zip(names[needed:], defaults, strict=True)]
    return (*names[:needed], *given)


def _list(args: argparse.Namespace) -> int:
    try:
        found = actions(args.actions)
    except BadInput as error:
        remark(f"opfire: {error}")
        return BAD_INPUT

    def words(console: Console) -> None:
        for one in found:
            console.print(f"{one.type} {', '.join(one.fields)}".rstrip(), f"    {one.meaning}", sep="\n")

    answer(args, {"actions": [msgspec.to_builtins(one) for one in found]}, words)
    return HOLDS


def run(args: argparse.Namespace) -> int:
    """Play the cases of all files; status 1 when one differs, 2 when a file cannot be read."""
    if args.actions:
        return _list(args)
    if not args.files:
        remark("opfire: no case file is named; expected FILE..., or --actions RULESET")
        return BAD_INPUT
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
