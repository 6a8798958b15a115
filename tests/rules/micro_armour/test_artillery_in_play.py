"""Artillery in whole games: the contract of rulesets holds, and nobody learns what the other side has plotted."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core import contract
from core.twins import Twins, play, play_all
from opfire.core.actions import Action
from opfire.core.game import SPECTATOR
from opfire.rulesets.micro_armour import RULESET
from opfire.rulesets.micro_armour.alternation import Begin, Pass
from opfire.rulesets.micro_armour.artillery.observers import NoMoreObservers
from opfire.rulesets.micro_armour.artillery.plotting import Call, ConfirmCall
from opfire.rulesets.micro_armour.artillery.preparing import NoMoreMissions, Register
from opfire.rulesets.micro_armour.artillery.writing import Aim, ChooseSheaf, FireLonger
from opfire.rulesets.micro_armour.postures import NoMoreGroups
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


def registered(*lines: Action) -> contract.Script:
    """The decisions before play: no barrages, these lines of pre-registered missions, no more of them."""
    begins: contract.Script = (("german", NoMoreMissions()), ("soviet", NoMoreMissions()))
    return (*begins, *(("german", line) for line in (*lines, NoMoreMissions())))


MORTAR, HOWITZER = "german-2", "german-6"
WAYS = {
    "another place": (Register(MORTAR, "Target 1"), Aim((12000, 9000))),
    "another battery": (Register(HOWITZER, "Target 1"), Aim((16000, 5000))),
    "another sheaf": (Register(MORTAR, "Target 1"), ChooseSheaf("closed", "N"), Aim((16000, 5000))),
    "one more name": (
        *(Register(MORTAR, "Target 1"), Aim((16000, 5000))),
        *(Register(HOWITZER, "Target 2"), Aim((17000, 13000))),
    ),
    "no mission": (),
}


@rule("7.6.2.2-set", "7.6.3-fields")
@pytest.mark.parametrize("way", WAYS)
def test_7_6_2_2_the_attacker_cannot_tell_what_is_registered(way: str) -> None:
    """The names, places, batteries and sheafs of pre-registered missions, and their number."""
    opening = registered(Register(MORTAR, "Target 1"), Aim((16000, 5000))), registered(*WAYS[way])
    seen = play_all(Twins(CASE, ("german",), ("soviet", SPECTATOR), opening=opening), range(3), 60)
    assert seen["differ"] + seen["revealed"] == 3, seen
    assert seen["JointPlot"] > 3, seen


QUIET: contract.Script = (
    ("german", NoMoreObservers()),
    *(("german", NoMoreGroups()), ("soviet", NoMoreGroups())) * 2,
    *(("german", Begin("german")), ("german", Pass()), ("soviet", Pass())) * 2,
)
"""Nobody is marked to move and nobody fires, up to the plot of turn 1; the Germans have the initiative."""


@rule("7.6.2.2-call", "7.6.3-fields")
@pytest.mark.parametrize("calls", [(), (Call("german-1", "german-fire-2"), FireLonger(), ConfirmCall())])
def test_7_6_2_2_the_attacker_cannot_tell_what_is_called(calls: tuple[Action, ...]) -> None:
    """The call of one of two registered missions against none, or against the other one for two turns."""
    lines = (Register(MORTAR, "Target 1"), Aim((9000, 9000)), Register(MORTAR, "Target 2"), Aim((9000, 5000)))
    begins = (*registered(*lines), *QUIET)
    one = (("german", Call("german-1", "german-fire-1")), ("german", ConfirmCall()))
    two = tuple(("german", action) for action in calls)
    pair = Twins(CASE, ("german",), ("soviet", SPECTATOR), opening=((*begins, *one), (*begins, *two)))
    seen = play(pair, 1, 60)
    assert seen["differ"] + seen["revealed"] == 1, seen
