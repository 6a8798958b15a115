"""The formations that a scenario tells by its groups."""

from __future__ import annotations

import pytest

from opfire.core import scenario
from opfire.core.ruleset import find
from opfire.kit.formations import formations

TEXT = """
id = "groups"
ruleset = "case-orange"
title = "Groups"
source = "own"
turns = 3
first = "red"

[sides.red]
name = "Red"
nation = "german"

[[sides.red.units]]
unit = "tank"
count = 2
zone = "west"

[[sides.red.units]]
unit = "truck"
zone = "rear"

[[sides.red.units]]
unit = "rifle"
count = 1
carrier = "truck"

[[sides.red.units]]
unit = "gun"
at = ["1-A1"]

[[sides.red.reinforcements]]
turn = 2
entry = ["1-A1"]
units = { LT = 1, tank = 1 }

[sides.blue]
name = "Blue"
nation = "soviet"

[[zones]]
name = "west"

[[zones]]
name = "rear"
"""


KINDS = {"tank", "truck", "rifle", "gun"}


def test_zones_and_turns_of_arrival_make_formations() -> None:
    told = {unit: str(name) for unit, name in formations(scenario.parse(TEXT, "groups"), KINDS).items()}
    assert told == {
        "red-1": "Formation 1",
        "red-2": "Formation 1",
        "red-3": "Formation 2",
        "red-4": "Formation 2",  # aboard the truck
        "red-6": "Reinforcements of turn 2",  # the leader has no number among the units
    }


@pytest.mark.parametrize(
    "name", ["hill-231", "kurgan-196", "lake-beloye", "pg-stepnoye", "pg-reeds", "mini-valmont", "mini-oudewaal"]
)
def test_the_units_of_a_formation_set_up_or_arrive_together(name: str) -> None:
    """As the ruleset itself has numbered the units, with their zones and their turns of arrival."""
    played = scenario.load(name)
    ruleset = find(played.ruleset)
    made = ruleset.set_up(played)
    position, _ = ruleset.start(made)
    told = formations(played, ruleset.read_charts({}).kinds)
    groups: dict[str, set[object]] = {}
    for unit, formation in told.items():
        if position.units[unit].carrier is None:
            arrives = made.entries[unit][0] if unit in made.entries else made.zones[unit]
            groups.setdefault(f"{position.units[unit].side} {formation}", set()).add(arrives)
    assert groups
    assert [group for group, places in groups.items() if len(places) != 1] == []
