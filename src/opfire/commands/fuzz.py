"""`opfire fuzz`: games by the thousand, to find crashes, dead ends and games that never end."""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from rich.console import Console

from opfire.commands.packs import tables_of, takes_pack
from opfire.commands.pool import cores, spread
from opfire.commands.scenarios import text_of
from opfire.commands.terminal import FAILS, HOLDS, Commands, answer, command, progress
from opfire.commands.tournament import known
from opfire.core import instrument, scenario
from opfire.core.actions import Action, Choices
from opfire.core.errors import BadInput
from opfire.core.fuzz import RANDOM, Job, Played, play
from opfire.core.game import Game
from opfire.core.options import every_option, plain_options, with_options
from opfire.core.rulebook import rules
from opfire.core.ruleset import Ruleset, find

EVERY = "all"


def register(commands: Commands) -> None:
    """Add the command."""
    parser = command(commands, "fuzz", run, "play many games and look for crashes, dead ends, endless games")
    parser.add_argument("ruleset", metavar="RULESET")
    parser.add_argument("--games", type=int, default=100, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="K")
    parser.add_argument(
        "--scenario", action="append", metavar="SCENARIO", help="only this one, an id or a file; by default all in turn"
    )
    parser.add_argument(
        "--options", nargs="+", metavar="RULE", help=f"these optional rules instead of the scenarios' own, or {EVERY!r}"
    )
    parser.add_argument("--player", default=RANDOM, metavar="PLAYER", help="the player of all sides; random by default")
    takes_pack(parser)
    parser.add_argument(
        "--most", type=int, default=100_000, metavar="M", help="decisions after which a game counts as endless"
    )
    parser.add_argument("--out", type=Path, default=Path(), metavar="DIR", help="folder for the records of failures")
    parser.add_argument("--workers", type=int, default=cores(), metavar="W", help="processes; all cores by default")


def run(args: argparse.Namespace) -> int:
    """Play the games; status 1 when one failed, with its record written."""
    ruleset = find(args.ruleset)
    jobs = jobs_of(ruleset, args)
    played = list(progress(spread(play_out, jobs, args.workers, note), len(jobs), f"games of {ruleset.id}"))
    written = [write(each, args.out) for each in played if each.record]
    ends = Counter(each.ended for each in played)
    reached = {rule for each in played for rule in each.reached}
    data = {
        "games": len(played),
        "decisions": sum(each.decisions for each in played),
        "crashes": ends["crash"],
        "dead_ends": ends["dead end"],
        "unfinished": ends["unfinished"],
        "rules_never_reached": never_reached(ruleset, reached),
        "records": [str(path) for path in written],
    }

    def words(console: Console) -> None:
        failed = [each for each in played if each.record]
        for each, path in zip(failed, written, strict=True):
            told = f": {each.reason}" if each.reason else ""
            console.print(f"{each.ended} in {each.scenario} after {each.decisions} decisions{told}\n    {path}")
        titles = rules(ruleset.package)
        for rule in data["rules_never_reached"]:  # type: ignore[attr-defined]
            console.print(f"never reached: {rule} {titles[rule].title}")
        console.print(
            f"{data['games']} games, {data['decisions']} decisions: {data['crashes']} crashes, "
            f"{data['dead_ends']} dead ends, {data['unfinished']} unfinished"
        )

    answer(args, data, words)
    return FAILS if written else HOLDS


def note() -> None:
    """Let this process note the rules that its games reach."""
    instrument.install(instrument.noting)


def play_out(job: Job) -> Played:
    """Play a job's game with the computer player named by the job."""
    from opfire.ai import players

    if job.player == RANDOM:  # as the kernel draws: the choices need not be asked for twice
        return play(job)
    player = players()[job.player]

    def choose(game: Game[Any], seat: str, choices: Choices, rng: random.Random) -> Action:
        only = choices.single()
        return player.choose(game, seat, rng) if only is None else only

    return play(job, choose)


def jobs_of(ruleset: Ruleset, args: argparse.Namespace) -> list[Job]:
    """The games to play: every scenario of the ruleset, or those named, in turn. Raises BadInput for unknown names
    and options."""
    if args.player != RANDOM:
        known([args.player], "--player")
    texts = dict(_named(ruleset, args.scenario) if args.scenario else _all(ruleset))
    if not texts:
        raise BadInput(f"{ruleset.id} has no scenario", "RULESET", "a ruleset with scenarios")
    rounds = [texts]
    if args.options:
        sets = (every_option(ruleset.id), plain_options(ruleset.id)) if args.options == [EVERY] else (args.options,)
        rounds = [{name: with_options(text, chosen) for name, text in texts.items()} for chosen in sets]
    names, pack = list(texts), tables_of(args.data, ruleset.id)
    return [
        Job(ruleset.id, name, rounds[turn % len(rounds)][name], f"{args.seed}-{number}", args.most, pack, args.player)
        for number in range(args.games)
        for turn, at in [divmod(number, len(names))]
        for name in [names[at]]
    ]


def _all(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """Id and text of every scenario of the ruleset that comes with Opfire."""
    for name in sorted(scenario.files()):
        text = scenario.text_of(name)
        if scenario.parse(text, name).ruleset == ruleset.id:
            yield name, text


def _named(ruleset: Ruleset, names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Id and text of the scenarios with these ids or in these files."""
    for name in names:
        text = text_of(name)
        found = scenario.parse(text, name)
        if found.ruleset != ruleset.id:
            raise BadInput(f"{name} is a scenario of {found.ruleset}", "--scenario", f"one of {ruleset.id}")
        found.rest.read(ruleset.sections)
        yield found.id, text


def never_reached(ruleset: Ruleset, reached: set[str]) -> list[str]:
    """The mechanics that the ruleset implements and that no game reached."""
    return [
        rule.rule
        for rule in rules(ruleset.package).values()
        if rule.kind == "mechanic" and rule.rule not in ruleset.missing and rule.rule not in reached
    ]


def write(played: Played, folder: Path) -> Path:
    """Write the record of a failure to the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"fuzz-{played.scenario}-{played.seed}.jsonl"
    path.write_text(played.record, encoding="utf-8")
    return path
