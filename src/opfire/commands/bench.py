"""`opfire bench`: the speeds of docs/performance.md."""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Mapping
from functools import partial
from itertools import combinations
from statistics import median
from typing import Any, NamedTuple

import msgspec
from rich.console import Console

from opfire.commands.scenarios import text_of
from opfire.commands.terminal import HOLDS, Commands, answer, command, table
from opfire.core import scenario
from opfire.core.dice import Dice
from opfire.core.errors import BadInput
from opfire.core.game import Game
from opfire.core.record import new_game
from opfire.core.ruleset import find, installed
from opfire.space import crossings, hexes, layout
from opfire.space.boards import read_board
from opfire.space.hexmap import HexMap, Placement, join

RUNS = 5
"""How often each ruleset and python-chess take turns: one run differs from the next by a quarter."""

GAMES, CHESS_S = 20, 5.0
"""Random games of a scenario in a run, and seconds of python-chess over all runs."""

FIRST = "case-orange"
"""The ruleset whose figures stand at the top of the answer."""


def register(commands: Commands) -> None:
    """Add the command."""
    parser = command(commands, "bench", run, "measure the speeds; leave the machine alone meanwhile")
    parser.add_argument(
        "--scenario", metavar="SCENARIO", help="one scenario in one run; by default one of each ruleset"
    )
    parser.add_argument("--games", type=int, default=GAMES, metavar="N", help="random games of a scenario in a run")
    parser.add_argument("--seed", type=int, default=1, metavar="K")


def run(args: argparse.Namespace) -> int:
    """Measure all speeds: of one scenario, or of the bench scenario of every ruleset."""
    if args.scenario:
        text = text_of(args.scenario)
        measured = Speeds([random_play(text, args.games, args.seed)], [chess_plies(args.seed)])
        data = figures(measured)
    else:
        named = {ruleset.id: ruleset.bench for ruleset in installed().values() if ruleset.bench}
        texts = {id: text_of(name) for id, name in named.items()}
        found = interleaved(texts, args.games, args.seed)
        data = figures(found[FIRST])
        data["rulesets"] = {id: {"scenario": named[id], **speeds.to_json()} for id, speeds in found.items()}
    answer(args, data, partial(_words, data))
    return HOLDS


def _words(data: dict[str, Any], console: Console) -> None:
    rulesets = data.get("rulesets", {})
    alone = [(name.replace("_", " "), value) for name, value in data.items() if name != "rulesets"]
    console.print(table("figure", "value #", rows=alone))
    if rulesets:
        columns = ("scenario", "decisions_per_second", "games_per_second", "ratio")
        rows = [(id, *(found[column] for column in columns)) for id, found in rulesets.items()]
        heads = ("ruleset", "scenario", "decisions per second #", "games per second #", "ratio #")
        console.print(table(*heads, rows=rows))


# --- random play -------------------------------------------------------------------------------------------


class Play(NamedTuple):
    """One run of random play: decisions and games a second, and a game in its middle."""

    decisions: float
    games: float
    middle: Game[Any]


class Speeds(NamedTuple):
    """The runs of a scenario, and python-chess's plies a second beside each of them."""

    plays: list[Play]
    plies: list[float]

    def to_json(self) -> dict[str, float]:
        """The medians; the ratio is that of the decisions to the plies of the same run."""
        ratios = [play.decisions / plies for play, plies in zip(self.plays, self.plies, strict=True)]
        return {
            "decisions_per_second": round(median(play.decisions for play in self.plays)),
            "games_per_second": round(median(play.games for play in self.plays), 3),
            "ratio": round(median(ratios), 3),
        }


def figures(speeds: Speeds) -> dict[str, Any]:
    """The figures of one scenario, with those that need no more than one game."""
    played, middle = speeds.to_json(), speeds.plays[-1].middle
    return {
        "decisions_per_second": played["decisions_per_second"],
        "games_per_second": played["games_per_second"],
        "python_chess_plies_per_second": round(median(speeds.plies)),
        "ratio": played["ratio"],
        "copy_us": round(copy_us(middle), 2),
        "los_all_pairs_s": round(los_all_pairs_s(), 2),
        "view_ms": round(view_ms(middle), 3),
    }


def interleaved(texts: Mapping[str, str], games: int, seed: int, chess_s: float = CHESS_S) -> dict[str, Speeds]:
    """The speeds of several scenarios, by the same keys: in each run all of them and python-chess take turns."""
    found = {key: Speeds([], []) for key in texts}
    for turn in range(RUNS):
        for key, text in texts.items():
            found[key].plays.append(random_play(text, games, seed + turn))
        plies = chess_plies(seed + turn, chess_s / RUNS)
        for speeds in found.values():
            speeds.plies.append(plies)
    return found


def random_play(text: str, games: int, seed: int) -> Play:
    """Random legal play through the public interface. Decisions with one answer are played but not counted."""
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
    return Play(counted / took, games / took, middle or new_game(ruleset, text, Dice(bytes(32))))


def chess_plies(seed: int, seconds: float = CHESS_S) -> float:
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
