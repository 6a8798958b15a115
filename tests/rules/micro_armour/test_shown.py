"""The view: labels of actions, the shapes of stands, markers with the ground that they cover."""

from __future__ import annotations

from typing import Any

import pytest

from opfire.rulesets.micro_armour import RULESET
from opfire.rulesets.micro_armour.fire.guns import Manner
from opfire.rulesets.micro_armour.fire.standard import AddFirer, Engage, StandardFirePhase
from opfire.rulesets.micro_armour.moving.opportunity import OpportunityFire
from opfire.rulesets.micro_armour.pieces import Position, Progress, Work
from opfire.rulesets.micro_armour.shown.words import MANNERS, label
from rules.micro_armour.kit import PANZER, RIFLES, T34, game, position, rule


def duel() -> Position:
    return position([(PANZER, "10,15")], [(T34, "20,15"), (RIFLES, "14,15")])


@rule("7.1.7")
@pytest.mark.parametrize(("target", "words"), [("soviet-1", "AP 11 at 10 inches"), ("soviet-2", "HE 3 at 4 inches")])
def test_7_1_7_the_label_of_a_shot_tells_ammunition_firepower_and_range(target: str, words: str) -> None:
    made = duel()
    firer = made.units["german-1"].kind
    power = {"soviet-1": firer.ap, "soviet-2": firer.he}[target]
    words = f"{words.split()[0]} {power} {words.split(maxsplit=2)[2]}"
    assert label(made, Engage("german-1", target, "main")).endswith(f"({words})")


@pytest.mark.parametrize("manner", MANNERS)
def test_every_manner_of_fire_is_told_in_words(manner: Manner) -> None:
    assert f"({manner})" not in label(duel(), AddFirer("german-1", manner)).replace("(side arms)", "")
    assert "{" not in label(duel(), AddFirer("german-1", manner))


def view(made: Position) -> dict[str, Any]:
    return dict(RULESET.view(made, "german", None))


@rule("8.1-mark")
def test_8_1_each_posture_but_firing_has_an_outline_and_a_word() -> None:
    looks = RULESET.counters.to_json()
    assert looks["base"] == "square"
    assert set(looks["stances"]) == {"movement", "fire/move"}
    assert len({stance["outline"] for stance in looks["stances"].values()}) == 2
    assert all(stance["word"] for stance in looks["stances"].values())
    made = duel()
    made.change("german-1", posture="fire/move")
    assert next(unit["posture"] for unit in view(made)["units"] if unit["id"] == "german-1") == "fire/move"


@rule("7.4.2.2")
def test_7_4_2_2_an_impact_marker_is_drawn_over_the_square_inch_that_it_covers() -> None:
    made = game([(PANZER, "10,15")], [(T34, "20,15")]).state
    made.lay(Work("impact-1", "impact", (15000, 15000)))
    made.lay(Work("wire-1", "wire", (25000, 15000), facing=45))
    impact, wire = view(made)["markers"]
    assert sorted(impact["ring"]) == [(14500, 14500), (14500, 15500), (15500, 14500), (15500, 15500)]
    assert wire["facing"] == 45
    assert "ring" not in wire


@rule("7.1.1-alternate")
def test_7_1_1_the_view_names_the_side_that_is_on_turn() -> None:
    made = duel()
    made.initiative = "german"
    frame = StandardFirePhase("soviet", begun=True)
    shown = RULESET.view(made, "german", frame)
    assert shown["current"] == "soviet"
    assert [side["id"] for side in shown["sides"] if side["first"]] == ["german"]


@rule("8.5.2")
def test_8_5_2_a_move_stays_its_sides_turn_while_the_enemy_may_fire() -> None:
    made = duel()
    made.initiative = "german"
    made.progress = Progress("soviet-1")
    shown = RULESET.view(made, "german", OpportunityFire("german", ("german",), "soviet-1"))
    assert shown["current"] == "soviet"
