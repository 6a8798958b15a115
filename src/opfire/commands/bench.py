"""`opfire bench`: the speeds of docs/performance.md."""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from itertools import combinations
from statistics import median
from typing import Any

import msgspec
from rich.console import Console

from opfire.commands.scenarios import text_of
from opfire.commands.terminal import HOLDS, Commands, answer, command, table
from opfire.core import scenario
from opfire.core.dice import Dice
from opfire.core.errors import BadInput
from opfire.core.game import Game
from opfire.core.record import new_game
from opfire.core.ruleset import find
from opfire.core.scenario import Scenario
from opfire.space import crossings, hexes, layout
from opfire.space.boards import read_board
from opfire.space.hexmap import HexMap, Placement, join

UNITS, BOARDS = 40, 2


def register(commands: Commands) -> None:
    """Add the command."""
    parser = command(commands, "bench", run, "measure the speeds; leave the machine alone meanwhile")
    parser.add_argument("--scenario", metavar="SCENARIO", help="two boards and 40 units; by default one is chosen")
    parser.add_argument("--games", type=int, default=20, metavar="N", help="random games to measure with")
    parser.add_argument("--seed", type=int, default=1, metavar="K")


def run(args: argparse.Namespace) -> int:
    """Measure all speeds."""
    text = text_of(args.scenario or suitable())
    decisions, games, middle = random_play(text, args.games, args.seed)
    plies = chess_plies(args.seed)
    data = {
        "decisions_per_second": round(decisions),
        "games_per_second": round(games, 3),
        "python_chess_plies_per_second": round(plies),
        "ratio": round(decisions / plies, 3),
        "copy_us": round(copy_us(middle), 2),
        "los_all_pairs_s": round(los_all_pairs_s(), 2),
        "view_ms": round(view_ms(middle), 3),
    }

    def words(console: Console) -> None:
        console.print(table("figure", "value #", rows=[(name.replace("_", " "), v) for name, v in data.items()]))

    answer(args, data, words)
    return HOLDS


def suitable() -> str:
    """The first scenario with two boards and at least 40 units. Raises BadInput without such a scenario."""
    for name, path in scenario.files().items():
        found = scenario.read(path)
        if len(layout.board_ids(found.rest.data)) == BOARDS and _units(found) >= UNITS:
            return name
    raise BadInput("no scenario has two boards and 40 units", "bench", "one named with --scenario")


def _units(found: Scenario) -> int:
    return sum(side.count() for side in found.sides.values())


def random_play(text: str, games: int, seed: int) -> tuple[float, float, Game[Any]]:
    """Random legal play through the public interface: decisions and games a second, and a game in its middle.

    Decisions with one answer are played but not counted.
    """
    ruleset, rng = find(scenario.parse(text, "scenario").ruleset), random.Random(seed)
    new_game(ruleset, text, Dice(rng.randbytes(32)))  # charts and map are read once, beforehand
    counted, middle = 0, None
    start = time.perf_counter()
    for _ in range(games):
        game = new_game(ruleset, text, Dice(rng.randbytes(32)))
        own = 0
        while game.outcome is None:
            seat = game.asked()[0]
            choices = game.choices(seat)
            own += choices.single() is None
            game.play(seat, choices.sample(rng))
            if own == 500 and middle is None:
                middle = game.copy()
        counted += own
    took = time.perf_counter() - start
    return (
        counted / took,
        games / took,
        middle if middle is not None else new_game(ruleset, text, Dice(bytes(32))),
    )


def chess_plies(seed: int, seconds: float = 5.0) -> float:
    """Python-chess's random legal play in plies a second, without testing for the end of the game at each ply."""
    try:
        import chess
    except ImportError:
        raise BadInput("python-chess is missing", "bench", "`make setup`, or pip install chess") from None
    rng, plies = random.Random(seed), 0
    start = time.perf_counter()
    while (took := time.perf_counter() - start) < seconds:
        board = chess.Board()
        for _ in range(200):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(moves[int(rng.random() * len(moves))])
            plies += 1
    return plies / took


def copy_us(game: Game[Any]) -> float:
    """Microseconds that `game.copy()` takes."""
    return _best(game.copy, 2000) * 1e6


def view_ms(game: Game[Any]) -> float:
    """Milliseconds from a game to view and choices as JSON, for the asked seat."""
    seat = game.asked()[0]

    def both() -> bytes:
        return msgspec.json.encode((game.view(seat), game.choices(seat).finite))

    return _best(both, 50) * 1e3


def _best(work: Callable[[], object], times: int) -> float:
    """Seconds for one call: the median of five runs of `times` calls."""
    runs = []
    for _ in range(5):
        start = time.perf_counter()
        for _ in range(times):
            work()
        runs.append((time.perf_counter() - start) / times)
    return median(runs)


def los_all_pairs_s() -> float:
    """Seconds for Case Orange's line of sight between all pairs of hexes of four joined boards, from cold."""
    from opfire.rulesets.case_orange import lines
    from opfire.rulesets.case_orange.charts import load_charts

    board = four_boards()
    for known in (lines._crossings, lines._touched, crossings._crossings, hexes.trace, hexes._side):
        known.cache_clear()
    start = time.perf_counter()
    look, none = lines.Eyes(board, load_charts()), ()
    for a, b in combinations([name for name, cell in board.cells.items() if cell.playable], 2):
        look.clear(a, b, none)
    return time.perf_counter() - start


def four_boards() -> HexMap:
    """The first four boards that come with Opfire, two by two."""
    paths = sorted(layout.BOARDS.glob("*.toml"))[:4]
    places = ((0, 0), (1, 0), (0, 1), (1, 1))
    return join(Placement(read_board(path), *at) for path, at in zip(paths, places, strict=True))
