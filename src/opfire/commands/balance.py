"""`opfire balance`: the fairness of scenarios between equal computer players."""

from __future__ import annotations

import argparse
from datetime import date
from typing import Any

from rich.console import Console

from opfire.commands.packs import tables_of, takes_pack
from opfire.commands.pool import cores, spread
from opfire.commands.scenarios import text_of
from opfire.commands.terminal import HOLDS, Commands, answer, command, progress, table
from opfire.commands.tournament import pairings, play
from opfire.core import balance, scenario
from opfire.core.errors import BadInput
from opfire.core.ruleset import find, read_scenario

LESSON = "lesson-"
"""So begins the id of a scenario that is there to learn by, not to be won by either side."""


def register(commands: Commands) -> None:
    """Add the command."""
    parser = command(commands, "balance", run, "let equal computer players show how fair scenarios are")
    parser.add_argument("scenarios", nargs="*", metavar="SCENARIO", help="ids or files; by default all except lessons")
    takes_pack(parser)
    parser.add_argument("--player", default="greedy", metavar="PLAYER")
    parser.add_argument("--games", type=int, default=100, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="K")
    parser.add_argument("--workers", type=int, default=cores(), metavar="W", help="processes; all cores by default")


def run(args: argparse.Namespace) -> int:
    """Play, and keep the results beside the scenarios, except those of own files or own charts."""
    if args.games < 1:
        raise BadInput(f"{args.games} games", "--games", "one or more")
    found = [_measure(name, args) for name in args.scenarios or by_default()]
    data = {"scenarios": {each.scenario: each.to_json() for each in found}}

    def words(console: Console) -> None:
        rows = [(each.scenario, *_rates(each), each.draws) for each in found]
        console.print(table("scenario", "first", "wins", "second", "wins", "draws #", rows=rows))

    answer(args, data, words)
    return HOLDS


def by_default() -> list[str]:
    """Every scenario that comes with Opfire, except lessons."""
    return [name for name in scenario.files() if not name.startswith(LESSON)]


def _measure(name: str, args: argparse.Namespace) -> balance.Measured:
    text = text_of(name)
    parsed = read_scenario(text, name)
    pack = tables_of(args.data, parsed.ruleset)
    jobs = pairings(text, [args.player, args.player], args.games, args.seed, pack, swapped=False)
    results = list(progress(spread(play, jobs, args.workers), len(jobs), name))
    first, second = parsed.order()
    found = balance.Measured(
        scenario=parsed.id,
        player=args.player,
        games=len(results),
        first=first,
        first_wins=sum(result.side == first for result in results),
        second=second,
        second_wins=sum(result.side == second for result in results),
        draws=sum(not result.side for result in results),
        version=find(parsed.ruleset).version,
        date=date.today().isoformat(),
    )
    if name in scenario.files() and not pack:
        balance.keep(parsed.ruleset, found)
    return found


def _rates(found: balance.Measured) -> tuple[str, str, str, str]:
    sides: dict[str, Any] = found.to_json()["sides"]
    words = [f"{rate['rate']} % ({rate['low']} to {rate['high']})" for rate in sides.values()]
    return found.first, words[0], found.second, words[1]
