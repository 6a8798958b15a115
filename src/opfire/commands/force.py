"""`opfire force`: forces that players design for points, by the rulebook's own prices and limits."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import msgspec
from rich.console import Console

from opfire.commands.terminal import FAILS, HOLDS, Commands, Parser, answer, command
from opfire.core import forces
from opfire.core.errors import BadInput
from opfire.core.forces import Item, Offer, Report, Wanted


def register(commands: Commands) -> None:
    """Add the commands."""
    force = commands.add_parser("force", help="check forces that are designed for points, or list what can be bought")
    parts = force.add_subparsers(required=True, metavar="COMMAND", parser_class=Parser)
    checking = command(parts, "check", run_check, "work out what forces cost, and name their faults")
    checking.add_argument("files", nargs="+", type=Path, metavar="FILE")
    listing = command(parts, "list", run_list, "list the stands and aircraft that can be bought")
    listing.add_argument("--ruleset", default="", metavar="RULESET", help="only this rulebook")
    listing.add_argument("--nation", default="", help="only this nation")
    listing.add_argument("--kind", default="", help="only this kind: tank, artillery, personnel, aircraft, ...")
    listing.add_argument("--year", type=int, default=0, help="only what serves in this year")
    listing.add_argument("--name", default="", help="only what has this in its name")


def run_check(args: argparse.Namespace) -> int:
    """Check the files; status 1 when a force has a fault."""
    reports = [check(path) for path in args.files]

    def words(console: Console) -> None:
        for report in reports:
            _show(console, report)

    answer(args, {"forces": [msgspec.to_builtins(report) for report in reports]}, words)
    return FAILS if any(report.faults for report in reports) else HOLDS


def check(path: Path) -> Report:
    """The report of a force file, by the rulebook that it names. Raises BadInput."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"the force cannot be read: {error}", str(path), "a force file in UTF-8") from None
    return forces.check_text(text, path.name)


def run_list(args: argparse.Namespace) -> int:
    """List the offers that are asked for."""
    offers = list(_wanted(args))

    def words(console: Console) -> None:
        for o in offers:
            console.print(f"{o.id:<34} {o.points:>4}  {o.years:<10} {o.nation}, {o.kind}: {o.name}")

    answer(args, {"offers": [msgspec.to_builtins(offer) for offer in offers]}, words)
    return HOLDS


def _show(console: Console, report: Report) -> None:
    console.print(report.title)
    for item in report.bill:
        console.print(
            f"{item.count:>4} x {item.each:>3} = {item.points:>4}  {item.formation}: {item.name}{_dearer(item)}"
        )
    for step in report.allowance:
        console.print(f"{step.label}: {step.points} [{step.rule}]")
    console.print(f"{report.points} points, {report.unused} left")
    for name, figure in report.figures.items():
        console.print(f"{name}: {figure}")
    for fault in report.faults:
        place = f"{fault.where}: " if fault.where else ""
        console.print(f"{place}{fault.what} [{fault.rule}]")
    console.print("no fault" if not report.faults else f"faults: {len(report.faults)}")


def _dearer(item: Item) -> str:
    """The surcharges of a stand, with their rules."""
    return "".join(f"; {step.label} [{step.rule}]" for step in item.steps[1:])


def _wanted(args: argparse.Namespace) -> Iterator[Offer]:
    wanted = Wanted(args.nation, args.kind, args.year, (args.name,))
    for ruleset in [args.ruleset] if args.ruleset else sorted(forces.installed()):
        yield from filter(wanted.fits, forces.find(ruleset).offers())
