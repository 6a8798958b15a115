"""Stands that join a movement group several at a time [8.1.1]."""

from __future__ import annotations

from typing import Any

import pytest

from opfire.core import case
from opfire.core.game import Game
from opfire.rulesets.micro_armour import RULESET
from opfire.rulesets.micro_armour.postures import Grouping, JoinGroup, Mark

TANK = '[units.{}]\nunit = "ger-panzer-iv-e-75l24"\nat = "{}"\n'
ROW = {"one": "5,5.5", "two": "5,6.5", "three": "5,7.5", "four": "5,8.5", "apart": "9,12"}


@pytest.fixture
def forming() -> Game[Any]:
    """A group that begins with the first of four tanks in a row; a fifth stands apart."""
    head = 'ruleset = "micro-armour"\nside = "german"\nstep = "posture"\nturns = 6\ntable = { size = [40, 30] }\n'
    foe = '[units.foe]\nunit = "sov-t-34c"\nside = "soviet"\nat = "35,15"\n'
    text = head + "".join(TANK.format(name, at) for name, at in ROW.items()) + foe
    made = case.position(case.parse(text, "row.toml"))
    made.play("german", Mark("one", "movement"))
    assert isinstance(made.stack[-1], Grouping)
    return made


def asked(made: Game[Any], *units: str) -> dict[str, Any]:
    """The ways of these stands to act together."""
    query = RULESET.queries["together"]
    found: dict[str, Any] = query(made.sight("german"), "german", frame=made.stack[-1], units=units)
    return found


@pytest.mark.rule("micro-armour", "8.1.1")
def test_8_1_1_all_in_contact_with_the_group_or_with_one_that_joins_can_join_together(forming: Game[Any]) -> None:
    assert forming.view("german")["together"] == ["two", "three", "four"]
    found = asked(forming, "four", "three", "two", "apart")
    (way,) = found["ways"]
    assert way["steps"] == [JoinGroup("two"), JoinGroup("three"), JoinGroup("four")]
    assert [(each["unit"], each["rule"]) for each in found["barred"]] == [("apart", "8.1.1")]
    for step in way["steps"]:
        forming.play("german", step)
    group = forming.stack[-1]
    assert isinstance(group, Grouping)
    assert group.stands == ("one", "two", "three", "four")


@pytest.mark.rule("micro-armour", "8.1.1")
def test_8_1_1_a_stand_that_touches_the_group_through_others_alone_stays_out_without_them(forming: Game[Any]) -> None:
    found = asked(forming, "four")
    assert (found["ways"], [each["rule"] for each in found["barred"]]) == ([], ["8.1.1"])
    assert forming.view("soviet")["together"] == []
