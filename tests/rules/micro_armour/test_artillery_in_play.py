"""Artillery in whole games: the contract of rulesets holds, and nobody learns what the other side has plotted."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core import contract
from core.twins import Twins, play_all
from opfire.core.game import SPECTATOR
from opfire.rulesets.micro_armour import RULESET
from rules.micro_armour.kit import rule

TEXT = """
id = "shelling"
ruleset = "micro-armour"
title = "Shelling"
turns = 5
first = "german"
engagement = "prepared-assault"
defender = "german"
victory = [{ side = "german", condition = "eliminate" }, { side = "soviet", condition = "eliminate" }]
[table]
size = [24, 18]
areas = [{ kind = "woods", points = "10,6 14,6 14,12 10,12" }]
[sides.german]
name = "Germans"
nation = "german"
facing = 90
cohesion = 15
observers = 1
off_map = { ger-105mm-ifh18-2 = 1 }
commands = [{ unit = "ger-infantry-43", rank = "GHQ" }]
units = [
    { unit = "ger-infantry-hq", at = ["4,9"] },
    { unit = "ger-81mm-mortar-3", at = ["3,12"] },
    { unit = "ger-infantry-43", count = 2, at = ["6,5", "6,13"] },
    { unit = "ger-panzer-iv-c-d-75l24", at = ["5,11"] },
]
[sides.soviet]
name = "Soviets"
nation = "soviet"
facing = 270
cohesion = 13
commands = [{ unit = "sov-infantry-39", rank = "GHQ" }]
units = [
    { unit = "sov-infantry-hq", at = ["20,9"] },
    { unit = "sov-82mm-mortar-3", at = ["21,12"] },
    { unit = "sov-infantry-39", count = 2, at = ["18,5", "18,13"] },
    { unit = "sov-t-34c", at = ["19,11"] },
]
"""
CASE = contract.Case(RULESET, TEXT, most=20000, every=37)
OTHER = {"german": "soviet", "soviet": "german"}


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
def test_artillery_holds_to_the_contract(check: Callable[[contract.Case, int], None]) -> None:
    check(CASE, 1)


@rule("7.6.3-fields", "7.6.4.1", "4.0-5")
@pytest.mark.parametrize("owner", ["german", "soviet"])
def test_7_6_3_the_other_side_cannot_tell_what_is_plotted(owner: str) -> None:
    seen = play_all(Twins(CASE, (owner,), (OTHER[owner], SPECTATOR)), range(4), 150)
    assert seen["secret"] + seen["alone"] > 6, seen
    assert seen["JointPlot"] > 3, seen


@rule("7.6.3-fields")
def test_7_6_3_a_spectator_knows_of_no_mission() -> None:
    seen = play_all(Twins(CASE, ("german", "soviet"), (SPECTATOR,)), range(2), 150)
    assert seen["secret"] + seen["alone"] > 6, seen
