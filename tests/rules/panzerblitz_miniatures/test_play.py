"""Panzer Blitz for Miniatures as a whole: random games end, nothing is stuck, and the contract of rulesets holds.

The rules themselves are tested chapter by chapter; here nobody knows what will happen.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from itertools import combinations
from typing import Any

import pytest

from core import contract
from core.contract import Case
from edits import edited
from opfire.core import scenario as scenarios
from opfire.core.fuzz import HABITS
from opfire.core.game import Game
from opfire.core.record import new_game
from opfire.rulesets.panzerblitz_miniatures import RULESET
from opfire.rulesets.panzerblitz_miniatures.pieces import Position

MOST = 20_000
"""More decisions than any random game takes."""

SCENARIOS = {
    name: path.read_text(encoding="utf-8")
    for name, path in scenarios.files().items()
    if scenarios.read(path).ruleset == RULESET.id
}

EVERYTHING = """
id = "everything"
ruleset = "panzerblitz-miniatures"
title = "Everything at once"
turns = 3
first = "soviet"
options = OPTIONS
visibility = "VISIBILITY"
year = 1984

[table]
size = [24, 18]
areas = [
    { kind = "woods", points = "2,2 6,2 6,6 2,6" },
    { kind = "heavy-woods", points = "18,13 22,13 22,17 18,17" },
    { kind = "town", points = "13,7 18,7 18,11 13,11" },
    { kind = "swamp", points = "1,13 4,13 4,16 1,16" },
    { kind = "water", points = "20,0 24,0 24,4 20,4" },
    { kind = "beach", points = "18,0 20,0 20,4 18,4" },
    { kind = "field", points = "7,13 10,13 10,17 7,17" },
]
lines = [
    { kind = "stream", points = "8,0 9,9 8,12 11,18" },
    { kind = "gully", points = "18,5.5 24,6" },
    { kind = "road", points = "0,9 24,9" },
    { kind = "track", points = "14,9 14,18" },
    { kind = "hedge", points = "12,13 12,16" },
    { kind = "wall", points = "13,6.5 17,6.5" },
    { kind = "fence", points = "7,12.8 10,12.8" },
    { kind = "dune", points = "17,1 17,4" },
    { kind = "cliff", points = "1,10.5 4,11" },
]
hills = [{ name = "The hill", contours = [
    { kind = "slope", level = 1, points = "11,1 16,1 16,5 11,5" },
    { kind = "hilltop", level = 2, points = "12.5,2 14.5,2 14.5,4 12.5,4", crest = "crest" },
] }]
crossings = [
    { kind = "bridge", points = "7.6,9 10.2,9" },
    { kind = "ford", points = "8.2,14 11,13.6" },
]
buildings = [{ kind = "building", at = "16,10", size = [2, 1], floors = 2 }]

[sides.german]
name = "German"
nation = "german"
facing = 270
riders = true
anti_tank = 1
flamethrowers = 2
aircraft = [{ unit = "fw-190-f", carries = "bombs", stays = 2 }]
units = [
    { unit = "pz-iv-h", count = 2, zone = "east" },
    { unit = "stug-iii-g", zone = "east" },
    { unit = "half-track-german", zone = "east" },
    { unit = "rifle-42-german", carrier = "half-track-german" },
    { unit = "rifle-42-german", zone = "east" },
    { unit = "engineer-german", zone = "east" },
    { unit = "truck-german", zone = "east" },
    { unit = "pak-75", zone = "east" },
    { unit = "mortar-81-german", zone = "east" },
    { unit = "how-105-german", zone = "east" },
    { unit = "observer-german", zone = "east" },
    { unit = "flak-20-4", zone = "east" },
    { unit = "cp-german", zone = "east" },
    { unit = "ah-1", zone = "east" },
]
reinforcements = [{ turn = 1, entry = ["23,9"], units = { fw-190-f = 1 } }]

[sides.soviet]
name = "Soviet"
nation = "soviet"
facing = 90
swims = true
morale = "fair"
off_board = [{ unit = "how-122-soviet", missions = 2 }]
airborne = [
    { turn = 1, units = { smg-43-soviet = 1, engineer-soviet = 1 } },
    { turn = 2, by = "glider", units = { at-45 = 1 } },
]
units = [
    { unit = "t-34-76", count = 2, zone = "west" },
    { unit = "smg-43-soviet", carrier = "t-34-76" },
    { unit = "bmp-1", zone = "west" },
    { unit = "motor-rifle-soviet", carrier = "bmp-1" },
    { unit = "dukw", zone = "west" },
    { unit = "truck-soviet", zone = "west" },
    { unit = "at-45", carrier = "truck-soviet" },
    { unit = "engineer-soviet", zone = "west" },
    { unit = "sagger-soviet", zone = "west" },
    { unit = "crab", zone = "west" },
    { unit = "valentine-bridge", zone = "west" },
    { unit = "mortar-120-soviet", zone = "west" },
    { unit = "ot-34", zone = "west" },
    { unit = "zsu-23-4", zone = "west" },
    { unit = "mi-8", zone = "west" },
    { unit = "rifle-43-soviet", carrier = "mi-8" },
    { unit = "observer-soviet", zone = "west" },
    { unit = "po-2", zone = "west" },
    { unit = "cp-soviet", zone = "west" },
]

[[zones]]
name = "west"
box = [0.5, 1, 11, 17]

[[zones]]
name = "east"
box = [13, 1, 23.5, 17]

[[markers]]
kind = "mines"
side = "german"
at = ["12,9", "11.5,7.5"]

[[markers]]
kind = "block"
side = "german"
at = ["12.4,9.1"]

[[markers]]
kind = "fort"
side = "german"
at = ["14.5,12.5"]

[[markers]]
kind = "improved position 1"
side = "german"
at = ["12.6,14.4"]

[[victory]]
side = "soviet"
condition = "control"
hexes = ["14,9"]

[[victory]]
side = "german"
condition = "eliminate"

[[victory]]
side = "soviet"
condition = "exit"
hexes = ["east"]
"""


def everything(options: list[str], visibility: str) -> str:
    """A small battle with stands, ground, works and aircraft of all sorts close together."""
    return edited(edited(EVERYTHING, "OPTIONS", json.dumps(options)), "VISIBILITY", visibility)


def shortened(scenario: str, turns: int) -> str:
    """The scenario with fewer turns."""
    return re.sub(r"(?m)^turns = \d+", f"turns = {turns}", scenario)


ALL = [option.rule for option in RULESET.options]
PLAIN = Case(RULESET, shortened(everything([], "good"), 1), most=MOST, every=61)
OPTIONS = Case(RULESET, shortened(everything(ALL, "variable"), 1), most=MOST, every=61)


# --- two hundred games --------------------------------------------------------------------------------------


def in_order(position: Position) -> None:
    """Conditions that hold at every moment: carriers and places fit each other, and enemies never share a place."""
    for unit in position.units.values():
        for name in unit.cargo:
            assert position.units[name].carrier == unit.id
            assert position.units[name].at == unit.at
        if unit.carrier is not None:
            assert unit.id in position.units[unit.carrier].cargo
        if unit.at is not None:
            assert position.table.holds(unit.at) or unit.aircraft
    grounded = [unit for unit in position.units.values() if unit.at is not None and not unit.aircraft]
    for one, other in combinations(grounded, 2):
        if one.side != other.side and not (one.work or other.work or one.floor or other.floor):
            assert not position.table.overlap(one.at, other.at), (one.id, other.id)


def play_out(scenario: str, seed: int) -> Game[Any]:
    """A random game to its end; looked at closely every so often."""
    rng = random.Random(seed)
    game: Game[Any] = new_game(RULESET, scenario, contract.start(Case(RULESET, scenario), seed).game.dice)
    draw = HABITS[seed // 2 % 2]
    for number in range(MOST):
        if game.outcome is not None:
            in_order(game.state)
            return game
        seat = game.asked()[0]
        choices = game.choices(seat)
        assert len(choices) > 0, f"{seat} is asked and has no choice: {game.stack}"
        if number % 60 == seed % 60:
            in_order(game.state)
        game.play(seat, draw(game, seat, choices, rng))
    raise AssertionError(f"no end after {MOST} decisions")


WHOLE = [(name, 0, 0) for name in SCENARIOS]
SHORT = [(name, seed, 1) for name in SCENARIOS for seed in range(1, 13)]
REST = [("everything", seed, 1 + seed % 2) for seed in range(200 - len(WHOLE) - len(SHORT))]


def test_there_are_two_hundred_games_on_every_scenario() -> None:
    assert len({*WHOLE, *SHORT, *REST}) == 200
    assert {name for name, _, _ in WHOLE} == set(SCENARIOS)


@pytest.mark.parametrize(("name", "seed", "turns"), [*WHOLE, *SHORT, *REST])
def test_random_games_end(name: str, seed: int, turns: int) -> None:
    scenario = SCENARIOS.get(name) or everything(ALL if seed % 2 else [], ("good", "poor", "variable")[seed % 3])
    game = play_out(shortened(scenario, turns) if turns else scenario, seed)
    assert game.outcome is not None
    assert game.stack == ()


# --- the contract -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("case", [PLAIN, OPTIONS], ids=["plain", "options"])
def test_contract(case: Case, check: Callable[[Case, int], None]) -> None:
    check(case, 3)
