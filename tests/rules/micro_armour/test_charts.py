"""The data of Micro Armour as a whole: nothing is missing, and every doubt is on record."""

from __future__ import annotations

from collections import Counter

from opfire.rulesets.micro_armour.charts import charts

CHARTS = charts()


def test_WD_all_rows_of_the_fourteen_tables_are_there() -> None:
    """The numbers of rows of each table, as counted in the rulebook."""
    assert Counter(weapon.nation for weapon in CHARTS.weapons.values()) == {
        "Belgium": 33,
        "Finland": 43,
        "Finland (Winter War)": 31,
        "France": 59,
        "Germany": 160,
        "Hungary": 54,
        "Italy": 74,
        "Japan": 55,
        "Poland": 39,
        "Romania": 62,
        "Soviet Union": 111,
        "UK / Commonwealth": 122,
        "United States": 102,
        "All Nations": 10,
    }


def test_AD_all_aircraft_are_there() -> None:
    assert len(CHARTS.aircraft) == 81
    assert sum(not row.parent for row in CHARTS.aircraft.values()) == 76


def test_WD_every_stand_has_a_price_and_a_year_and_second_weapons_have_a_stand() -> None:
    for weapon in CHARTS.weapons.values():
        if weapon.row == "unit":
            assert weapon.points is not None, weapon.id
            assert weapon.year is not None, weapon.id
        else:
            assert CHARTS.weapons[weapon.parent].row == "unit", weapon.id


def test_WD_notes_D_M_and_SR_carry_their_numbers() -> None:
    """A mortar's shortest range, a rocket launcher's reload and a gun's depletion."""
    assert CHARTS.weapons["ger-120mm-mortar-2"].min_range == 3
    nebelwerfer = [w for w in CHARTS.weapons.values() if w.nation == "Germany" and "Nebelwerfer" in w.name]
    assert nebelwerfer
    assert all(w.slow_reload for w in nebelwerfer)


def test_WD_def_armoured_rows_are_those_with_brackets() -> None:
    assert CHARTS.weapons["us-m4-sherman"].armoured
    assert CHARTS.weapons["us-m4-sherman"].defence == 7
    assert not CHARTS.weapons["us-57mm-atg"].armoured
