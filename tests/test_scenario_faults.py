"""A missing name in a scenario is told in a sentence, with its place; the form is docs/scenarios.md."""

from __future__ import annotations

import pytest

from edits import edited
from opfire.core import scenario
from opfire.core.dice import Dice
from opfire.core.errors import BadInput
from opfire.core.record import new_game
from opfire.core.ruleset import find

SCENARIO = scenario.text_of("mutnaya-crossing")
TWICE = '{ units = ["mortar-82-soviet"], most = 1 }'


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ('unit = "pak-50"\ncount = 1', 'unit = "pak-51"\ncount = 1', "there is no unit 'pak-51'"),
        ('unit = "pak-50"\ncount = 1', 'unit = "pak-50"\ncount = 0', "0 of 'pak-50'"),
        ('unit = "pak-50"\ncount = 1\nzone = "rearguard"', 'unit = "pak-50"', "'pak-50' has no place"),
        ('zone = "steppe"', 'zone = "tundra"', "there is no zone 'tundra'"),
        ('carrier = "t-34-76"', 'carrier = "t-70"', "too few of 't-70'"),
        ('at = ["2-I6"]', 'at = ["2-I66"]', "'2-I66' is not a hex in play"),
        ('board = "own-3"\nat', 'board = "own-33"\nat', "there is no board 'own-33'"),
        ('rows = "6-10"', 'rows = "66"', "zone 'rearguard' is empty"),
        ('"2-V6" = "wood"', '"2-V6" = "straw"', "a bridge of 'straw'"),
        ('"2-V6" = "wood"', '"2-V66" = "wood"', "'2-V66' is not a hex"),
        ('kind = "mines"\nvalue = "1:1"', 'kind = "mines"\nvalue = "9:1"', "mines of '9:1'"),
        ('kind = "block"', 'kind = "wall"', "marker 'wall'"),
        ('kind = "block"', 'kind = "fort"\nvalue = "strong"', "value 'strong' of a fort"),
        ('kind = "block"', 'kind = "fort"\nallowance = 5', "a fort with an allowance of 5"),
        ('kind = "block"', 'kind = "fort"\nholds = { pak-51 = 1 }', "'pak-51' is neither a unit nor a type"),
        ('kind = "block"', 'kind = "fort"\nholds = { pak-50 = 0 }', "a fort holds 0 of pak-50"),
        ('kind = "block"', 'kind = "fort"\nholds = { pak-50 = "one" }', "int"),
        ('unit = "pak-50"\ncount = 1', 'unit = "pak-50"\nbelow = "cellar"', "below 'cellar'"),
        (
            'unit = "pak-50"\ncount = 1',
            'unit = "pak-50"\nbelow = "fort"',
            "no fortification lies where 'pak-50' sets up",
        ),
        ('kind = "block"', 'kind = "wreck"\nvalue = "-1"', "value '-1' of a wreck"),
        ('kind = "barrage"', 'kind = "salvo"', "kind 'salvo'"),
        ('observers = ["cp-soviet"', 'observers = ["cp-finnish"', "there is no unit 'cp-finnish'"),
        ('units = ["mortar-82-soviet"', 'units = ["german-1", "mortar-82-soviet"', "there is no unit 'german-1'"),
        ("most = 3\n", 'limits = [{ units = ["cp-soviet"], most = 1 }]\n', "a limit for cp-soviet, which are not all"),
        ("most = 3\n", 'limits = [{ units = ["mortar-82-soviet"], most = 0 }]\n', "a limit of 0 for mortar-82-soviet"),
        ("most = 3\n", 'limits = [{ units = ["mortar-82-soviet"] }]\n', "most"),
        ("most = 3\n", f"limits = [{TWICE}, {TWICE}]\n", "falls under two limits"),
        ('except = ["transport"]', 'except = ["lorries"]', "'lorries' is neither a unit nor a type"),
        ('condition = "eliminate"', 'condition = "survive"', "condition 'survive'"),
        ('options = ["16.11"]', 'options = ["16.99"]', "option '16.99'"),
        ('setup = ["german", "soviet"]', 'setup = ["german"]', "setup names german"),
        ('first = "soviet"', 'first = "finnish"', "first names the side 'finnish'"),
        ('first = "soviet"', 'frist = "soviet"', "first|frist"),
        ("turns = 14", "turns = 0", "0 turns"),
        ("turns = 14", 'turns = "many"', "int"),
        ("turns = 14", "turns =", "not TOML"),
    ],
)
def test_a_fault_in_a_scenario_is_told(old: str, new: str, what: str) -> None:
    assert old in SCENARIO
    with pytest.raises(BadInput, match=what) as caught:
        new_game(find("case-orange"), edited(SCENARIO, old, new, 1), Dice(bytes(32)))
    assert caught.value.where
    assert "\n" not in str(caught.value)
