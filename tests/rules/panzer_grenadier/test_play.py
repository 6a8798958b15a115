"""Panzer Grenadier as a whole: random games end, nothing is stuck, and the contract of every ruleset holds.

The rules themselves are tested chapter by chapter; here nobody knows what will happen.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Set
from typing import Any

import pytest

from core import contract
from core.contract import Case
from opfire.core import scenario as scenarios
from opfire.core.fuzz import HABITS
from opfire.core.game import Game
from opfire.core.record import new_game
from opfire.core.texts import Catalogue, spoken
from opfire.rulesets.panzer_grenadier import RULESET
from opfire.rulesets.panzer_grenadier.pieces import Position
from rules.panzer_grenadier.kit import Table, battle, force

MOST = 12000
"""More decisions than any random game takes."""

SCENARIOS = {
    name: path.read_text(encoding="utf-8")
    for name, path in scenarios.files().items()
    if scenarios.read(path).ruleset == RULESET.id
}

BOARD = """
.  .  .  .  w  .  .  .  .  .  .  .
.  s  s  .  w  .  t  .  .  ~  .  .
s  h  sw .  .  v  t  .  b  ~  .  .
.  s  s  .  .  .  .  .  .  ~  .  .
.  .  .  .  .  .  .  .  w  ~  .  .
.  .  m  .  .  .  .  .  .  ~  .  .
.  .  .  .  .  .  .  .  .  .  .  .
"""


def everything(options: list[str], *, german: Table | None = None, soviet: Table | None = None, **special: Any) -> str:
    """A small scenario with all sorts of units, ground, works, batteries and aircraft close together.

    Values given go among the instructions of a side or of the scenario, or stand in for them.
    """
    return battle(
        "everything",
        BOARD,
        fields={
            "roads": ["A5 B5 C6 D5 E5 F4 G4 H4 I5"],
            "gullies": ["D3 D4 D5 D6"],
            "bridges": {"D5": "wood"},
        },
        turns=3,
        setup=["german", "soviet"],
        options=options,
        german=[
            force("ger-inf", "east", 2),
            force("ger-hmg", "east"),
            force("ger-at-50", "east", below="hidden"),
            force("ger-pz3", "east"),
            force("ger-spw251", "east"),
            force("ger-mortar-81", "east"),
        ],
        reinforcements=[
            {"turn": 2, "entry": ["1-L4", "1-L5"], "units": {"ger-stug": 1, "ger-truck": 1, "ger-20-aa": 1}}
        ],
        soviet=[
            force("sov-inf", "west", 2),
            force("sov-cav", "west", 2),
            force("sov-eng", "west"),
            force("sov-t34", "west", 2),
            force("sov-76-gun", "west"),
            force("sov-truck", "west"),
            force("sov-train", at=["1-C6"]),
            force("sov-gunboat", at=["1-J4"]),
        ],
        zones={
            "east": ["F3", "G2", "G3", "H2", "H3", "G4"],
            "west": ["C3", "C4", "D6", "E3", "C5", "D3", "B4"],
        },
        markers=[{"kind": "entrenchment", "at": ["1-G4"]}],
        victory=[
            {"side": "soviet", "condition": "control", "hexes": ["1-G2", "1-G3"], "points": 3},
            {"side": "german", "condition": "eliminate"},
        ],
        special={
            "year": 1943,
            "night": [2],
            "railroad": ["1-C6", "1-D5", "1-E5", "1-F4"],
            "crossing": {"foot": 9, "mechanized": 7, "motorized": 6},
            "sides": {
                "german": {
                    "initiative": 4,
                    "losses": [2, 4],
                    "leaders": {"LT": 1, "SGT": 1},
                    "offboard": [16],
                    "mines": 2,
                    "smoke": True,
                    **(german or {}),
                },
                "soviet": {
                    "initiative": 2,
                    "losses": [3],
                    "leaders": {"CPT": 1, "LT": 1},
                    "mounted": 1,
                    "kommissars": 1,
                    "tank_leaders": 1,
                    "offboard": [20, 20],
                    "aircraft": {"turns": [1, 2], "pieces": 2},
                    "smoke": True,
                    **(soviet or {}),
                },
            },
            **special,
        },
    )


PLAIN = Case(RULESET, everything([]), most=MOST, every=31)
OPTIONS = Case(RULESET, everything([option.rule for option in RULESET.options]), most=MOST, every=31)


# --- two hundred games --------------------------------------------------------------------------------------


def shortened(scenario: str, turns: int) -> str:
    """The scenario with fewer turns."""
    return re.sub(r"(?m)^turns = \d+", f"turns = {turns}", scenario)


def in_order(position: Position, unloaded: Set[str] = frozenset()) -> None:
    """Conditions that hold at every moment: stacks, carriers, limits and states fit each other.

    In the hexes where shaken carriers have put off their loads more units may stand: RULINGS.md P93.
    """
    limit = position.charts.figure("stack of combat units")
    for hex, stack in position.stacks.items():
        assert stack
        assert all(position.units[name].hex == hex and position.units[name].carrier is None for name in stack)
        for side in position.setting.sides:
            units = [unit for unit in position.at(hex, side) if not unit.leader]
            engineers = sum(unit.type_in("engineer") for unit in units)
            assert sum(not unit.transport for unit in units) <= limit + engineers or hex in unloaded
            assert sum(unit.transport for unit in units) <= position.charts.figure("stack of transports")
    for unit in position.units.values():
        if unit.hex is not None and unit.carrier is None:
            assert unit.id in position.stacks[unit.hex]
        for name in unit.cargo:
            assert position.units[name].carrier == unit.id
            assert position.units[name].hex == unit.hex
        assert not (unit.reduced and unit.kind is not None and unit.kind.steps == 1)
    assert all(army.initiative >= 0 for army in position.armies.values())


def play_out(scenario: str, seed: int) -> Game[Any]:
    """A random game to its end; looked at closely every so often."""
    rng, unloaded = random.Random(seed), set[str]()
    game: Game[Any] = new_game(RULESET, scenario, contract.start(Case(RULESET, scenario), seed).game.dice)
    draw = HABITS[seed // 2 % 2]
    for number in range(MOST):
        if game.outcome is not None:
            in_order(game.state, unloaded)
            return game
        seat = game.asked()[0]
        choices = game.choices(seat)
        assert len(choices) > 0, f"{seat} is asked and has no choice: {game.stack}"
        if number % 40 == seed % 40:
            in_order(game.state, unloaded)
            for action in contract.some(list(choices), rng, 10):
                assert game.why_not(seat, action) is None
                game.copy().play(seat, action)
        for event in game.play(seat, draw(game, seat, choices, rng)):
            if event.rule == "5.66":
                unloaded.update(map(str, event.places))
    raise AssertionError(f"no end after {MOST} decisions")


FULL = [(name, 0, 0) for name in SCENARIOS if name not in ("pg-stepnoye", "pg-reeds")]
LARGE = [("pg-stepnoye", seed, 1) for seed in range(3)] + [("pg-reeds", seed, 1) for seed in range(9)]
SHORT = [(name, seed, 1) for name, _, _ in FULL for seed in range(1, 26)]
REST = [("everything", seed, 2) for seed in range(200 - len(FULL) - len(LARGE) - len(SHORT))]


def test_there_are_two_hundred_games_on_every_scenario() -> None:
    assert len({*FULL, *LARGE, *SHORT, *REST}) == 200
    assert {name for name, _, _ in (*FULL, *LARGE)} == set(SCENARIOS)


@pytest.mark.parametrize(("name", "seed", "turns"), [*FULL, *LARGE, *SHORT, *REST])
def test_random_games_end(name: str, seed: int, turns: int) -> None:
    options = [option.rule for option in RULESET.options] if seed % 2 else []
    scenario = everything(options) if name == "everything" else SCENARIOS[name]
    game = play_out(shortened(scenario, turns) if turns else scenario, seed)
    assert game.outcome is not None
    assert game.stack == ()


@pytest.mark.rule("panzer-grenadier", "1.14")
def test_1_14_the_end_is_told_in_the_language_of_its_reader() -> None:
    game = play_out(shortened(SCENARIOS["pg-riders"], 1), 0)
    (end,) = (event for event in game.events if event.kind == "over")
    assert game.outcome is not None
    assert end.sentence() == game.outcome.reason
    with spoken(Catalogue("de", {"Romanian": "Rumänen", "Soviet": "Sowjets"})):
        told = end.sentence()
    assert told == game.outcome.reason.replace("Romanian", "Rumänen").replace("Soviet", "Sowjets") != end.sentence()


# --- the contract -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("case", [PLAIN, OPTIONS], ids=["plain", "options"])
def test_contract(case: Case, check: Callable[[Case, int], None]) -> None:
    check(case, 3)
