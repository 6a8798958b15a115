"""Whole games, of random decisions or a computer player's, played to find crashes and games that never end."""

from __future__ import annotations

import hashlib
import random
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, TypeAlias

import msgspec

from opfire.core.actions import Action, Choices, IllegalAction
from opfire.core.dice import Dice, seed
from opfire.core.game import Game
from opfire.core.instrument import noted
from opfire.core.record import Entry, Header, Record, new_game
from opfire.core.ruleset import find

End: TypeAlias = Literal["over", "crash", "dead end", "unfinished"]

RANDOM = "random"
"""The player of seats that no other player is named for."""

Choose: TypeAlias = Callable[[Game[Any], str, Choices, random.Random], Action]
"""A player: given the game, the asked seat and its choices (at least one), it returns the choice."""


class Job(msgspec.Struct, frozen=True):
    """A game to play: ruleset, the scenario's id and text, a seed, the greatest number of decisions.

    `pack` holds the tables of a data pack, `player` names the player of all seats.
    """

    ruleset: str
    scenario: str
    text: str
    seed: str
    most: int
    pack: dict[str, str] = {}
    player: str = RANDOM


class Played(msgspec.Struct, frozen=True):
    """A played game: its ending, its number of decisions, the rules that it reached.

    `record` is the text of its record if it ended in a fault.
    """

    scenario: str
    seed: str
    decisions: int
    ended: End
    reason: str
    reached: tuple[str, ...]
    record: str = ""


def unit_first(game: Game[Any], seat: str, choices: Choices, rng: random.Random) -> Action:
    """A random unit, then a random choice of it: units stop early, and other sides have their turns soon."""
    return choices.sample(rng)


def evenly(game: Game[Any], seat: str, choices: Choices, rng: random.Random) -> Action:
    """A random choice, all equally likely: units go far, close with the enemy and assault."""
    return choices.sample_evenly(rng)


HABITS: tuple[Choose, ...] = (unit_first, evenly)
"""How a random player decides; one habit for a whole game, for neither alone comes by every rule."""


def play(job: Job, choose: Choose | None = None) -> Played:
    """Play a game; the same job is always the same game. Raises nothing: a crash is a result.

    Without `choose`, all seats decide at random, by a habit that depends on the seed.
    """
    key = hashlib.blake2b(job.seed.encode(), digest_size=32, person=b"opfire fuzz").digest()
    rng, lines = random.Random(job.seed), list[Entry]()
    choose = choose or HABITS[key[0] % len(HABITS)]
    ended: End
    with noted() as reached:
        try:
            game = new_game(find(job.ruleset), job.text, Dice(seed(key, ())), None, job.pack)
            ended, reason = _play(game, choose, rng, job.most, lines), ""
        except Exception as error:  # every kind of crash is a finding
            ended, reason = "crash", f"{type(error).__name__}: {error} ({_place(error)})"
    record = "" if ended == "over" else _record(job, key, lines).dump()
    return Played(job.scenario, job.seed, len(lines), ended, reason, tuple(sorted(reached)), record)


def _place(error: Exception) -> str:
    """The module and line that raised an error."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{Path(last.filename).name}:{last.lineno} in {last.name}"


def _play(game: Game[Any], choose: Choose, rng: random.Random, most: int, lines: list[Entry]) -> End:
    seats = {side: seat for seat, side in game.seats.items()}
    while game.outcome is None:
        if len(lines) == most:
            return "unfinished"
        asked = game.asked()
        if not asked:
            return "dead end"
        seat = seats[asked[0]]
        choices = game.choices(seat)
        if not choices:
            return "dead end"
        _decide(game, seat, choose(game, seat, choices, rng), lines)
    return "over"


def _decide(game: Game[Any], seat: str, action: Action, lines: list[Entry]) -> None:
    """Play the decision; its line is recorded even if it crashes, so that the record leads up to the crash."""
    lines.append(Entry(n=len(lines) + 1, seat=seat, do=msgspec.to_builtins(action)))
    if refusal := game.why_not(seat, action):  # of a choice just drawn `play` does not ask it
        raise IllegalAction(refusal)
    game.play(seat, action)
    if game.rolls or game.secret:
        rolled = {"rolls": tuple(game.rolls), "sides": tuple(game.sides), "secret": tuple(game.secret)}
        lines[-1] = msgspec.structs.replace(lines[-1], **rolled)


def _record(job: Job, key: bytes, lines: list[Entry]) -> Record:
    ruleset = find(job.ruleset)
    parsed_sides = msgspec.toml.decode(job.text).get("sides", {})
    header = Header(
        ruleset=job.ruleset,
        version=ruleset.version,
        scenario=job.text,
        seats={side: side for side in parsed_sides},
        players=dict.fromkeys(parsed_sides, job.player),
        pack=job.pack,
        key=key.hex(),
    )
    return Record(msgspec.structs.replace(header, commitment=header.committed(key)), lines)
