"""The calibres that the film tells: each file fits its ruleset, and no digest of a game covers it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from opfire.core.errors import BadInput
from opfire.core.ruleset import Ruleset
from opfire.kit.calibres import calibre_of, calibres
from opfire.rulesets import micro_armour, panzer, panzer_grenadier
from opfire.rulesets.micro_armour.charts import charts as micro_armour_charts
from opfire.rulesets.panzer.charts import load_charts as panzer_charts
from opfire.rulesets.panzer_grenadier.charts import load_charts as panzer_grenadier_charts

RULESETS = [panzer_grenadier.RULESET, micro_armour.RULESET, panzer.RULESET]


def file_of(ruleset: Ruleset) -> Path:
    """The file with the calibres of a ruleset."""
    return ruleset.package / "drawing" / "calibres.csv"


def guns_of(ruleset: Ruleset) -> dict[str, str]:
    """The identities and names of all that has a gun in a ruleset's data."""
    if ruleset is panzer_grenadier.RULESET:
        return {id: kind.name for id, kind in panzer_grenadier_charts().kinds.items()}
    if ruleset is micro_armour.RULESET:
        known = micro_armour_charts()
        return {id: row.name for rows in (known.stands, known.aircraft) for id, row in rows.items()}
    return {f"{id} {stores}": id for id in panzer_charts().aircraft for stores in ("strafe", "rockets")}


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.id)
def test_every_calibre_is_that_of_a_gun_of_the_ruleset(ruleset: Ruleset) -> None:
    assert calibres(file_of(ruleset)).keys() <= guns_of(ruleset).keys()


@pytest.mark.parametrize("ruleset", RULESETS[:2], ids=lambda ruleset: ruleset.id)
def test_a_name_that_tells_its_calibre_in_millimetres_is_right(ruleset: Ruleset) -> None:
    names = guns_of(ruleset)
    for gun, told in calibres(file_of(ruleset)).items():
        if found := re.search(r"(\d+(?:\.\d+)?) ?mm", names[gun]):
            assert told == float(found[1]), gun


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.id)
def test_no_digest_of_a_game_covers_the_calibres(ruleset: Ruleset) -> None:
    assert file_of(ruleset).exists()
    assert file_of(ruleset) not in ruleset.tables().values()


def test_every_armed_gun_and_tank_of_panzer_grenadier_has_a_calibre() -> None:
    known = calibres(file_of(panzer_grenadier.RULESET))
    kinds = panzer_grenadier_charts().kinds.values()
    guns = [kind.id for kind in kinds if kind.type in ("mortar", "artillery", "at-gun", "aa-gun", "tank")]
    assert [gun for gun in guns if gun not in known] == []


def test_guns_of_one_calibre_have_it_and_others_have_none(tmp_path: Path) -> None:
    file = tmp_path / "calibres.csv"
    file.write_text("id,calibre_mm,source\na,75,own\nb,75,own\nc,88,own\n")
    assert [calibre_of(file, guns) for guns in ("ab", "ac", "ax", "")] == [75, 0, 0, 0]


def test_a_calibre_of_nothing_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "calibres.csv"
    file.write_text("id,calibre_mm,source\na,0,own\n")
    with pytest.raises(BadInput):
        calibres(file)
