"""Airpower in whole games: random play uses all of it, and the contract of rulesets holds."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core import contract
from edits import edited
from opfire.rulesets.panzerblitz_miniatures import RULESET

AIRFIELD = """
id = "airfield"
ruleset = "panzerblitz-miniatures"
title = "Airfield"
turns = 4
first = "red"
options = OPTIONS
victory = [{ side = "red", condition = "eliminate" }, { side = "blue", condition = "eliminate" }]
[table]
size = [24, 18]
areas = [{ kind = "woods", points = "10,6 14,6 14,12 10,12" }, { kind = "water", points = "18,0 24,0 24,5 18,5" }]
[sides.red]
name = "Red"
nation = "german"
aircraft = [{ unit = "ah-1", package = "A-10" }, { unit = "fw-190-f", stays = 2 }]
airborne = [
    { turn = 1, units = { rifle-40-german = 2 } },
    { turn = 2, by = "glider", units = { rifle-40-german = 1 } },
]
units = [
    { unit = "ju-87-d", count = 2, at = ["2,4", "2,6"] },
    { unit = "ah-1", at = ["4,9"] },
    { unit = "uh-1", at = ["8,9"] },
    { unit = "rifle-40-german", count = 2, at = ["9.2,9", "8,7.5"] },
    { unit = "flak-20-4", count = 2, at = ["6,12", "8,14"] },
]
reinforcements = [{ turn = 2, entry = ["0,12"], units = { fw-190-f = 1, fi-156 = 1 } }]
[sides.blue]
name = "Blue"
nation = "soviet"
units = [
    { unit = "il-2", count = 2, at = ["22,14", "22,16"] },
    { unit = "mi-24", at = ["20,9"] },
    { unit = "t-34-76", count = 2, at = ["15,9", "16,12"] },
    { unit = "rifle-42-soviet", count = 2, at = ["13,11", "15,14"] },
    { unit = "aa-37", count = 2, at = ["17,9", "17,14"] },
]
"""


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
def test_aircraft_hold_to_the_contract(check: Callable[[contract.Case, int], None]) -> None:
    field = edited(AIRFIELD, "OPTIONS", '["R33", "R56"]')
    check(contract.Case(RULESET, field, most=20000, every=23), 3)


def test_random_play_uses_all_of_airpower() -> None:
    # Standing orders answer for ground fire, except for a side that fires at nothing.
    case, seen = contract.Case(RULESET, edited(AIRFIELD, "OPTIONS", '["R56"]'), most=20000), set[str]()
    with contract.registered(RULESET):
        for seed in range(6):
            for decision, (match, _) in enumerate(contract.walk(case, seed)):
                game = match.game
                if decision == 0 and seed % 2 == 0:
                    for seat in game.seats:
                        match.give_orders(seat, {"fire": "never"})
                seen.add(type(game.stack[-1]).__name__ if game.stack else "")
                seen |= {type(action).__name__ for action in game.choices(game.deciders()[0])}
    frames = {"AirborneLanding", "AirMovement", "HelicopterMovement", "AntiAircraftFire", "AirStrikes"}
    actions = {"Arrive", "Leave", "SetDown", "Embark", "AimAt", "AddGun", "Strike", "GroundFire"}
    assert frames | actions <= seen
