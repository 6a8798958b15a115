"""German: every word that the code puts into sentences as it is has a translation; buttons leave no gap open."""

from __future__ import annotations

from typing import get_args

import pytest

from opfire.core.places import INCH
from opfire.core.texts import called, spoken, translation
from opfire.kit.table import Zone
from opfire.rulesets.micro_armour import RULESET
from opfire.rulesets.micro_armour.air.strikes import Strafe
from opfire.rulesets.micro_armour.airborne.drops import Landing
from opfire.rulesets.micro_armour.airborne.rolls import arrival
from opfire.rulesets.micro_armour.artillery.missions import MissionKind
from opfire.rulesets.micro_armour.charts import Circumstance, charts
from opfire.rulesets.micro_armour.cohesion import cohesion_roll
from opfire.rulesets.micro_armour.moving.cavalry import is_mounted
from opfire.rulesets.micro_armour.moving.movement import GroupMovement
from opfire.rulesets.micro_armour.pieces import Posture, Where, WorkKind
from opfire.rulesets.micro_armour.recovery import recovery
from opfire.rulesets.micro_armour.sections import LandingGroup
from opfire.rulesets.micro_armour.sequence import PHASES
from opfire.rulesets.micro_armour.setup import horses, new_stand
from opfire.rulesets.micro_armour.shown.view import title
from opfire.rulesets.micro_armour.shown.words import label
from opfire.rulesets.micro_armour.terrain import words
from opfire.rulesets.micro_armour.works.laying import Lay
from rules.micro_armour.kit import PANZER, RIFLES, position

GERMAN = translation("de", RULESET.package)
KINDS = [*get_args(WorkKind), *get_args(Posture), *get_args(Where), *get_args(MissionKind), *get_args(Circumstance)]


def german(word: str) -> bool:
    """Whether a word has a translation, also with a number behind it."""
    kind, _, number = word.rpartition(" ")
    return word in GERMAN.messages or (number.isdigit() and kind in GERMAN.messages)


@pytest.mark.parametrize("word", dict.fromkeys(KINDS))
def test_markers_postures_missions_and_circumstances_have_german_words(word: str) -> None:
    assert german(word)


@pytest.mark.parametrize("kind", charts().terrain)
def test_every_terrain_of_the_chart_has_german_words(kind: str) -> None:
    assert german(words(kind))


def test_the_kinds_of_mines_have_german_words_small_and_capital() -> None:
    assert all(german(value) for value in ("hasty", "standard", "concentrated", "dummy"))
    assert all(german(value) for value in ("Hasty", "Standard", "Concentrated"))


def test_every_phase_has_a_title() -> None:
    with spoken(GERMAN):
        assert [title(step) for step in dict.fromkeys(phase.step for phase in PHASES)][:3] == [
            "Initiative",
            "Verstärkungen",
            "Haltungen bestimmen",
        ]


def test_every_result_of_a_roll_is_told_in_words_of_the_reader() -> None:
    made = position([(PANZER, "10,15"), (RIFLES, "12,15")])
    made.change("german-2", suppressed=True)
    unit = made.units["german-2"]
    group = LandingGroup("Group", "parachute", {}, "combat jump")
    landing = Landing("one", "german", group, (), Zone())
    rolls = [recovery(made, unit), arrival(made, landing, (INCH, INCH)), cohesion_roll("to fire", "7.1.6-roll", 12, ())]
    found = {result for roll in rolls for result in roll.outcomes}
    assert found == {"recovers", "rallies", "panics", "no change", "arrives", "lost", "success", "failure"}
    assert all(german(RULESET.results[result]) for result in (*found, "E", "D", "(S)", "S", "-"))


def test_the_horses_of_every_cavalry_stand_are_called_in_german() -> None:
    made = position([(RIFLES, "10,15")]).setting
    stands = [new_stand(made, "german", kind, {}) for kind in charts().stands.values() if kind.row == "unit"]
    names = {start.stand.name for rider in stands if is_mounted(rider) for start in horses(made, rider)}
    assert len(names) > 5
    with spoken(GERMAN):
        assert all(called(name).startswith("Pferde von ") for name in names)


def test_a_name_with_an_ordinary_word_is_translated_and_a_designation_is_not() -> None:
    with spoken(GERMAN):
        assert called("Infantry '43 2") == "Infanterie '43 2"
        assert called("81mm Mortar [2] 1") == "81mm Granatwerfer [2] 1"
        assert called("STuG III F-G 3") == "STuG III F-G 3"


@pytest.mark.parametrize(("value", "told"), [("", "Lay wire at 3,4"), ("hasty", "Lay wire (hasty) at 3,4")])
def test_a_work_without_a_value_is_laid_without_empty_brackets(value: str, told: str) -> None:
    made = position([(PANZER, "10,15")])
    assert label(made, Lay("wire", value, (3 * INCH, 4 * INCH), 0)) == told


def test_a_strafing_run_at_one_stand_names_no_second_one() -> None:
    made = position([(PANZER, "10,15")])
    assert label(made, Strafe("plane", "german-1")) == f"plane strafes {made.units['german-1'].name}"


@pytest.mark.parametrize(("left", "words"), [(1, "1 order left"), (2, "2 orders left"), (0, "0 orders left")])
def test_one_order_that_is_left_is_no_plural(left: int, words: str) -> None:
    made = position([(PANZER, "10,15")])
    made.orders["german"] = left
    assert f"({words})" in GroupMovement("german", begun=True).prompt(made, "german")
