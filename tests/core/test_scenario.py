"""The general part of a scenario file, and the sections that the ruleset reads."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import pytest

from edits import edited
from opfire.core import scenario
from opfire.core.errors import BadInput
from opfire.core.scenario import Beyond, Sections
from rulesets import group, kit

FILE = kit.scenario("toy-group")


class Weathered(Beyond, frozen=True):
    wet: bool = False


class Field(Sections, frozen=True):
    rain: int = 0
    sides: Mapping[str, Weathered] = {}
    zones: tuple[Weathered, ...] = ()


def sections(text: str) -> Field:
    return scenario.parse(text, "field.toml").rest.read(Field)


def test_what_is_not_general_is_left_to_the_ruleset() -> None:
    assert sections("rain = 3\n" + FILE).rain == 3
    assert sections(edited(FILE, 'nation = "German"', 'nation = "German"\nwet = true')).sides["german"].wet
    assert not sections(FILE).sides["soviet"].wet


def test_sections_of_zones_lie_beside_the_zones_in_the_order_of_the_file() -> None:
    text = FILE + '[[zones]]\nname = "a"\n[[zones]]\nname = "b"\nlist = ["1,2"]\nwet = true\n'
    assert [zone.name for zone in scenario.parse(text, "field.toml").zones] == ["a", "b"]
    assert [zone.wet for zone in sections(text).zones] == [False, True]


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("turns = 3", "turns = 3\nsnow = 1", "unknown field `snow`"),
        ("turns = 3", 'turns = 3\nrain = "much"', "Expected `int`, got `str` - at `$.rain`"),
        ("turns = 3", "turns = 3\nrest = 1", "unknown field `rest`"),
        ("turns = 3", "turns = 3\nzones = [{ name = 'a', dry = true }]", r"unknown field `dry` - at `$.zones[0]`"),
        ("turns = 3", "turns = 3\nmarkers = [{ kind = 'a', wet = true }]", r"unknown field `wet` - at `$.markers[0]`"),
        ('nation = "German"', 'nation = "German"\ndry = 1', "unknown field `dry` - at `$.sides[...]`"),
    ],
)
def test_a_field_that_nobody_reads_is_told_with_its_file(old: str, new: str, what: str) -> None:
    with pytest.raises(BadInput) as caught:
        sections(edited(FILE, old, new, 1))
    assert what in caught.value.what
    assert caught.value.where == "field.toml"


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("turns = 3", "tunrs = 3", "missing required field `turns`, but has `tunrs`"),
        ("turns = 3", "turns = 3\nzones = 4", "at `$.zones`"),
        ("turns = 3", "turns = 3\nzones = [4]", "at `$.zones[0]`"),
        ("count = 3", "count = 3\ndry = 1", "unknown field `dry`"),
    ],
)
def test_a_fault_in_the_general_part_is_told_at_once(old: str, new: str, what: str) -> None:
    with pytest.raises(BadInput) as caught:
        scenario.parse(edited(FILE, old, new, 1), "field.toml")
    assert what in caught.value.what
    assert caught.value.where == "field.toml"


def test_a_ruleset_without_sections_takes_no_field_that_is_not_general() -> None:
    ruleset = dataclasses.replace(group.RULESET, sections=Field)
    wet = scenario.parse("rain = 3\n" + FILE, "field.toml")
    assert ruleset.set_up(wet).turns == 3
    with pytest.raises(BadInput, match=r"field\.toml: .*`rain`"):
        group.RULESET.set_up(wet)
