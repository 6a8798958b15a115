"""`opfire scenarios`: the scenarios to play."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from rich.console import Console

from opfire.commands.terminal import HOLDS, Commands, answer, command, table
from opfire.core import scenario
from opfire.core.errors import BadInput
from opfire.core.scenario import Scenario
from opfire.space import layout


def register(commands: Commands) -> None:
    """Add the command."""
    command(commands, "scenarios", run, "list the scenarios that come with Opfire")


def run(args: argparse.Namespace) -> int:
    """List the scenarios."""
    found = [scenario.read(path) for path in scenario.files().values()]
    data = [_facts(each) for each in found]

    def words(console: Console) -> None:
        rows = [(s["id"], s["ruleset"], s["title"], s["turns"], _units(s)) for s in data]
        console.print(table("scenario", "ruleset", "title", "turns #", "units", rows=rows))

    answer(args, {"scenarios": data}, words)
    return HOLDS


def _facts(found: Scenario) -> dict[str, Any]:
    return {
        "id": found.id,
        "ruleset": found.ruleset,
        "title": found.title,
        "summary": found.summary,
        "turns": found.turns,
        "boards": layout.board_ids(found.rest.data),
        "sides": {name: {"name": side.name, "units": side.count()} for name, side in found.sides.items()},
    }


def _units(facts: dict[str, Any]) -> str:
    return ", ".join(f"{side['name']} {side['units']}" for side in facts["sides"].values())


def text_of(name: str) -> str:
    """The text of a scenario named by its id or by its file. Raises BadInput."""
    path = Path(name)
    if path.suffix != ".toml":
        return scenario.text_of(name)
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"this file cannot be read: {error}", name, "a scenario file") from None
