"""Units of the Advanced Game [5]: Data Cards of squads and guns, formations, grades, labels."""

from __future__ import annotations

import pytest

from edits import edited
from opfire.core.errors import BadInput
from opfire.rulesets.panzer.commands import Command, CommandPhase
from opfire.rulesets.panzer.formations import commands_others, is_recon
from rules.panzer.battle import game, text
from rules.panzer.kit import CHARTS, rule

ADVANCED = ("AG",)
COMPANY = """
grade = "veteran"
units = [{ unit = "pz4h", count = 2, at = ["1-A4"] }, { unit = "g_sqd44", count = 2, at = ["1-A5"] },
    { unit = "t_75", at = ["1-A6"] }]
[[sides.german.formations]]
name = "1. Kompanie"
grade = "elite"
units = { pz4h = 1, g_sqd44 = 2 }
grades = { g_sqd44 = "regulars" }
labels = { CHQ = { pz4h = 1 }, Recon = { g_sqd44 = 1 } }
weapons = { g_sqd44 = ["pzf30"] }
[[sides.german.formations]]
name = "2. Kompanie"
grade = "green"
units = { pz4h = 1, t_75 = 1 }
"""


@rule("5.8", "5.8.1", "5.8.2", "5.8.3", "5.9", "5.9.1", "5.9.2")
def test_formations_give_their_units_grade_and_labels() -> None:
    state = game(text(german=COMPANY, options=ADVANCED)).state
    tank, other, squad, second, gun = (state.units[f"german-{number}"] for number in range(1, 6))
    assert state.setting.grade("german") == "veteran"
    assert [unit.formation for unit in (tank, other, squad, second, gun)] == [
        "german-1",
        "german-2",
        "german-1",
        "german-1",
        "german-2",
    ]
    assert [unit.grade for unit in (tank, other, squad)] == ["elite", "green", "regulars"]
    assert commands_others(tank)
    assert not commands_others(other)
    assert (is_recon(squad), is_recon(second)) == (True, False)


@rule("5.1.3")
def test_the_scenario_attaches_weapons() -> None:
    state = game(text(german=COMPANY, options=ADVANCED)).state
    assert state.units["german-3"].weapons == ("pzf30",)
    assert state.units["german-1"].weapons == ()


@rule("5.8.2")
def test_every_unit_is_in_one_formation() -> None:
    with pytest.raises(BadInput, match="in no formation"):
        game(text(german=edited(COMPANY, "pz4h = 1, t_75 = 1", "pz4h = 1"), options=ADVANCED))
    with pytest.raises(BadInput, match="too few"):
        game(text(german=edited(COMPANY, "pz4h = 1, t_75 = 1", "pz4h = 2, t_75 = 1"), options=ADVANCED))


@rule("1.1", "5.1", "5.2")
def test_squads_and_guns_wait_for_the_advanced_game() -> None:
    squad = 'units = [{ unit = "g_sqd44", at = ["1-A4"] }]'
    with pytest.raises(BadInput, match="there is no unit 'g_sqd44'"):
        game(text(german=squad))
    assert game(text(german=squad, options=ADVANCED)).state.units["german-1"].is_leg


@rule("5.1.1", "5.1.2")
def test_each_squad_has_its_half_squad() -> None:
    halves = {leg.half_of: leg for leg in CHARTS.legs.values() if leg.half_of}
    squads = [leg for leg in CHARTS.legs.values() if leg.category == "squad"]
    assert len(squads) == 35
    for squad in squads:
        assert halves[squad.id].category == "half-squad"


@rule("5.1.3", "5.2")
def test_every_weapon_of_a_card_has_its_rows() -> None:
    for leg in CHARTS.legs.values():
        for weapon in filter(None, leg.attached.split(";")):
            assert any(key[:2] == (weapon, "L") for key in CHARTS.weapons)
    for gun in CHARTS.guns.values():
        assert any(key[:2] == (gun.weapon, gun.mount) for key in CHARTS.weapons)


@rule("6.2.1.1", "6.2.1.1.3")
def test_the_sheet_counts_the_commands_of_each_formation_and_ties_those_that_share() -> None:
    """Two tanks on one command use one of those available; a command of their own each, two."""
    made = game(text(german=TANKS, options=ADVANCED))
    plot, sight = made.stack[-1], made.sight("german")
    assert isinstance(plot, CommandPhase)
    own = (Command("german-1", "move"), Command("german-2", "move"))
    shared = (own[0], Command("german-2", "move", "german-1"))
    (tally,) = plot.tallies(sight, "german", own)
    assert (tally.title, tally.used) == ("Commands of 1. Kompanie", 2)
    assert [found.used for found in plot.tallies(sight, "german", shared)] == [1]
    assert [(tie.start, tie.to) for tie in plot.ties(sight, "german", shared)] == [("german-2", "german-1")]
    assert [*plot.tallies(game().sight("german"), "german", own[:1])] == []


TANKS = """
units = [{ unit = "pz4h", count = 2, at = ["1-A4", "1-A5"] }]
[[sides.german.formations]]
name = "1. Kompanie"
grade = "veteran"
units = { pz4h = 2 }
"""
