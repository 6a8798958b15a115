"""The questions of Quickdraw, Defensive Fire, announced Overruns and riders reveal no command [7.50, 7.54, 6.6.10]."""

from __future__ import annotations

import pytest

from core import contract
from core.contract import Case, Script
from core.twins import Twins, play_all
from opfire.core.game import SPECTATOR
from opfire.rulesets.panzer import RULESET
from opfire.rulesets.panzer.commands import Command, HandIn
from opfire.rulesets.panzer.pieces import CommandName
from rules.panzer.battle import text

UNITS = """grade = "{grade}"
units = [
    {{ unit = "{tank}", at = ["{first}"] }},
    {{ unit = "{squad}", at = ["{second}"] }},
    {{ unit = "{tank}", at = ["{third}"] }},
    {{ unit = "{car}", at = ["{third}"] }},
    {{ unit = "{squad}", carrier = "{car}" }},
]"""
GERMANS = UNITS.format(
    grade="veteran", tank="pz4h", squad="g_sqd41", car="h251_1", first="1-B4", second="1-B5", third="1-A4"
)
SOVIETS = UNITS.format(
    grade="green", tank="t34_43", squad="s_sqd41", car="s_ucarr", first="1-D4", second="1-C5", third="1-E4"
)
OPTIONS = ("AG", "7.18", "7.50", "7.54")
TROOPS = Case(RULESET, text(german=GERMANS, soviet=SOVIETS.replace("s_ucarr", "ts_zis5"), options=OPTIONS))


def opening(owner: str, command: CommandName) -> Script:
    """Both sides hand in a command for their first tank: the owner's is the secret one, the other one fires."""
    given = {side: command if side == owner else "fire" for side in ("german", "soviet")}
    return tuple((side, HandIn((Command(f"{side}-1", name),))) for side, name in given.items())


@pytest.mark.parametrize("pair", [("move", "overwatch"), ("fire", "no command"), ("move", "no command")])
@pytest.mark.parametrize("owner", ["german", "soviet"])
def test_nobody_learns_a_command_by_being_asked(owner: str, pair: tuple[CommandName, CommandName]) -> None:
    other = "soviet" if owner == "german" else "german"
    one, two = (opening(owner, name) for name in pair)
    with contract.registered(RULESET):
        seen = play_all(Twins(TROOPS, (owner,), (other, SPECTATOR), opening=(one, two)), range(2), 25)
    assert sum(seen.values()) >= 3, seen
