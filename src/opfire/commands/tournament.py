"""`opfire tournament`: computer players against each other."""

from __future__ import annotations

import argparse
import hashlib
import random
import time
from pathlib import Path
from statistics import median
from typing import Any

import msgspec
from rich.console import Console

from opfire.commands.packs import tables_of, takes_pack
from opfire.commands.pool import cores, spread
from opfire.commands.scenarios import text_of
from opfire.commands.terminal import HOLDS, Commands, answer, command, progress, table
from opfire.core import scenario
from opfire.core.actions import Action
from opfire.core.dice import Dice, seed
from opfire.core.errors import BadInput
from opfire.core.game import SPECTATOR, Game
from opfire.core.match import Match
from opfire.core.record import new_game
from opfire.core.ruleset import find, read_scenario


class Pairing(msgspec.Struct, frozen=True):
    """One game to play: the scenario's text, the player of each side by id and by name, the seed of the dice.

    `pack` holds the tables of a data pack, `record` the path that the record is written to, if one is wanted.
    """

    text: str
    players: dict[str, str]
    names: dict[str, str]
    dice: str
    number: int
    pack: dict[str, str]
    record: str = ""


class Result(msgspec.Struct, frozen=True):
    """One played game: the winning side and player (empty: a draw), the level, the seconds a decision by player."""

    side: str
    player: str
    level: str
    decisions: int
    seconds: dict[str, list[float]]


def register(commands: Commands) -> None:
    """Add the command."""
    parser = command(commands, "tournament", run, "let computer players play a scenario many times")
    parser.add_argument("scenario", metavar="SCENARIO", help="its id, or a scenario file")
    parser.add_argument("--players", nargs=2, default=["greedy", "random"], metavar="PLAYER")
    parser.add_argument("--games", type=int, default=20, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="K")
    takes_pack(parser)
    parser.add_argument("--records", type=Path, metavar="DIR", help="folder for the record of each game")
    parser.add_argument("--swap", action="store_true", help="the players change sides after every game")
    parser.add_argument("--workers", type=int, default=cores(), metavar="W", help="processes; all cores by default")


def run(args: argparse.Namespace) -> int:
    """Play the tournament."""
    text = text_of(args.scenario)
    found = read_scenario(text, args.scenario)
    pack = tables_of(args.data, found.ruleset)
    jobs = pairings(text, args.players, args.games, args.seed, pack, swapped=args.swap)
    if args.records is not None:
        jobs = recorded(jobs, args.records, found.id)
    what = f"{found.id}: {' against '.join(args.players)}"
    results = list(progress(spread(play, jobs, args.workers), len(jobs), what))
    data = summary(results, list(jobs[0].names.values()) if jobs else args.players, found.order())

    def words(console: Console) -> None:
        rows = [(name, won, _seconds(data, name)) for name, won in data["wins"].items()]
        console.print(table("player", "wins #", "seconds a decision: median, most", rows=rows))
        console.print(table("side", "wins #", rows=data["by_side"].items()))
        console.print(f"{data['games']} games, {data['draws']} draws")

    answer(args, data, words)
    return HOLDS


def _seconds(data: dict[str, Any], name: str) -> str:
    taken = data["seconds_per_decision"][name]
    return f"{taken['median']:.4f}, {taken['max']:.3f}"


def pairings(
    text: str, players: list[str], games: int, number: int, pack: dict[str, str], *, swapped: bool
) -> list[Pairing]:
    """The games of a tournament: the first player has the side that moves first; swapped, every second game
    is the one before with the same dice and the sides exchanged. Raises BadInput for unknown players.
    """
    known(players, "--players")
    sides = scenario.parse(text, "scenario").order()
    names = players if players[0] != players[1] else [players[0], f"{players[1]} (2)"]
    jobs = []
    for game in range(games):
        order = (1, 0) if swapped and game % 2 else (0, 1)
        jobs.append(
            Pairing(
                text,
                {side: players[who] for side, who in zip(sides, order, strict=True)},
                {side: names[who] for side, who in zip(sides, order, strict=True)},
                f"{number}-{game // 2 if swapped else game}",
                game,
                pack,
            )
        )
    return jobs


def recorded(jobs: list[Pairing], folder: Path, name: str) -> list[Pairing]:
    """The games, each with the path of its record in the folder. Raises BadInput for a folder that cannot be made."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"the folder cannot be made: {error}", str(folder), "a folder for records") from None
    return [msgspec.structs.replace(job, record=str(folder / f"{name}-{job.number + 1}.record")) for job in jobs]


def known(names: list[str], where: str) -> None:
    """Raises BadInput for a name that no computer player has."""
    from opfire.ai import players

    for name in names:
        if name not in players():
            raise BadInput(f"there is no player {name!r}", where, "one of " + ", ".join(sorted(players())))


def play(job: Pairing) -> Result:
    """Play one game to its end."""
    from opfire.ai import players

    key = hashlib.blake2b(job.dice.encode(), digest_size=32, person=b"opfire match").digest()
    table = Recorded(job, key) if job.record else Played(job, key)
    seated = {side: players()[player] for side, player in job.players.items()}
    rngs = {side: random.Random(f"{job.dice}-{job.number}-{side}") for side in seated}
    seconds: dict[str, list[float]] = {name: [] for name in job.names.values()}
    decisions = 0
    while (game := table.game).outcome is None:
        side = game.asked()[0]
        choices = game.choices(side)
        decisions += 1
        if (only := choices.single()) is not None:
            table.play(side, only)
            continue
        start = time.perf_counter()
        action = seated[side].choose(game, side, rngs[side])
        seconds[job.names[side]].append(time.perf_counter() - start)
        table.play(side, action)
    table.end()
    return _result(game, job, decisions, seconds)


class Played:
    """A game of which nothing is kept."""

    def __init__(self, job: Pairing, key: bytes) -> None:
        ruleset = find(scenario.parse(job.text, "scenario").ruleset)
        self.game = new_game(ruleset, job.text, Dice(seed(key, ())), None, job.pack)

    def play(self, side: str, action: Action) -> None:
        """Play the action."""
        self.game.play(side, action)

    def end(self) -> None:
        """Nothing is left to do."""


class Recorded:
    """The same game, with its record."""

    def __init__(self, job: Pairing, key: bytes) -> None:
        self.job = job
        self.match = Match.start(job.text, job.players, {}, key, job.pack)

    @property
    def game(self) -> Game[Any]:
        """The game as it stands."""
        return self.match.game

    def play(self, side: str, action: Action) -> None:
        """Play the action, and write its line."""
        self.match.decide(side, action, self.job.players[side])

    def end(self) -> None:
        """Write the record."""
        Path(self.job.record).write_text(self.match.record_for(SPECTATOR).dump(), encoding="utf-8")


def _result(game: Game[Any], job: Pairing, decisions: int, seconds: dict[str, list[float]]) -> Result:
    assert game.outcome is not None
    winner = game.outcome.winner or ""
    return Result(winner, job.names[winner] if winner else "", game.outcome.level, decisions, seconds)


def summary(results: list[Result], names: list[str], sides: tuple[str, ...]) -> dict[str, Any]:
    """Wins by player and by side, draws, and the seconds a decision took."""
    return {
        "games": len(results),
        "wins": {name: sum(result.player == name for result in results) for name in names},
        "draws": sum(not result.side for result in results),
        "by_side": {side: sum(result.side == side for result in results) for side in sides},
        "seconds_per_decision": {name: _timing(results, name) for name in names},
    }


def _timing(results: list[Result], name: str) -> dict[str, float]:
    taken = [seconds for result in results for seconds in result.seconds.get(name, ())]
    return {"median": round(median(taken), 6), "max": round(max(taken), 6)} if taken else {"median": 0.0, "max": 0.0}
