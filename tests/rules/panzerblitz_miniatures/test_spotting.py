"""Spotting, as far as it follows from a line: spotters, the two inches, crests, and the limit of sight."""

from __future__ import annotations

from fractions import Fraction

import pytest

from opfire.core.actions import Refusal
from opfire.rulesets.panzerblitz_miniatures.sighting.cover import cover
from opfire.rulesets.panzerblitz_miniatures.sighting.spotting import cannot_spot, ground_of, out_of_sight, unspotted
from opfire.space.terrain.features import Feature
from rules.panzerblitz_miniatures.kit import CHARTS, rule
from rules.panzerblitz_miniatures.table import EAST, WEST, Inches, across, area, contour, line, table

GOOD, FIRED = Fraction(20), Fraction(10)


def number(refusal: Refusal | None) -> str | None:
    """The rule of a refusal."""
    return refusal.rule if refusal else None


def hidden(
    *features: Feature, spotter: Inches, firer: Inches = WEST, target: Inches = EAST, limit: Fraction = GOOD
) -> str | None:
    """The rule by which a spotter does not spot a target in cover from its attacker."""
    ground = table(*features)
    covers = cover(CHARTS, line(ground, firer, target))
    return number(unspotted(CHARTS, "T-34", covers, line(ground, spotter, target), limit))


@rule("SPT-7", "SPT-8")
def test_SPT_8_trucks_passengers_and_dispersed_units_do_not_spot() -> None:
    assert cannot_spot("Rifles", "infantry", dispersed=False, carried=False) is None
    assert number(cannot_spot("Rifles", "infantry", dispersed=True, carried=False)) == "SPT-7"
    assert number(cannot_spot("Rifles", "infantry", dispersed=False, carried=True)) == "SPT-8"
    for kind in ("truck", "car", "wagon"):
        assert number(cannot_spot("Opel", kind, dispersed=False, carried=False)) == "SPT-8"
    for kind in ("carrier", "armored car", "command"):
        assert cannot_spot("Sdkfz", kind, dispersed=False, carried=False) is None


@rule("SPT-1", "LOS-6")
def test_SPT_1_a_unit_in_the_open_needs_no_spotting() -> None:
    assert hidden(spotter=WEST) is None
    assert ground_of(cover(CHARTS, line(table()))) == "clear"
    assert ground_of(cover(CHARTS, line(table(area("woods", 21.5, 24))))) == "cover"


@rule("SPT-1", "SPT-2")
@pytest.mark.parametrize("kind", ["woods", "town"])
def test_SPT_2_a_unit_in_cover_is_spotted_within_two_inches(kind: str) -> None:
    wood = area(kind, 21.5, 25)
    assert hidden(wood, spotter=(20, 10)) is None
    assert hidden(wood, spotter=(19.999, 10)) == "SPT-1"
    assert hidden(wood, spotter=WEST) == "SPT-1"


@rule("SPT-6", "LOS-3", "LLT-1")
def test_SPT_6_in_poor_visibility_even_two_inches_are_too_far() -> None:
    wood = area("woods", 21.5, 25)
    assert hidden(wood, spotter=(20, 10), limit=Fraction(1)) == "LOS-3"
    assert hidden(wood, spotter=(21, 10), limit=Fraction(1)) is None


@rule("SPT-3")
def test_SPT_3_a_unit_behind_a_crest_is_spotted_past_the_crest() -> None:
    hill = (contour("slope", 14, 40, hill="E"), contour("hilltop", 21.5, 40, hill="E"))
    assert hidden(*hill, spotter=WEST) == "SPT-1"
    assert hidden(*hill, spotter=(32, 10)) is None
    assert hidden(*hill, area("woods", 26, 27), spotter=(32, 10)) == "LOB-9"


@rule("SPT-3")
def test_SPT_3_is_for_cover_by_a_crest_alone() -> None:
    hill = (contour("slope", 14, 40, hill="E"), contour("hilltop", 21.5, 40, hill="E"))
    assert hidden(*hill, area("woods", 21.6, 22.4), spotter=(32, 10)) == "SPT-1"
    assert hidden(across("hedge", 21.5), spotter=(32, 10)) == "SPT-1"  # the text exempts crests only


@rule("SPT-4", "LOS-3")
def test_SPT_4_a_unit_that_fires_is_seen_within_the_limit_of_cover_on_a_clear_line() -> None:
    wood = area("woods", 21.5, 25)
    assert out_of_sight(CHARTS, "T-34", line(table(wood), (12, 10)), FIRED) is None
    assert number(out_of_sight(CHARTS, "T-34", line(table(wood), (11.999, 10)), FIRED)) == "LOS-3"
    assert number(out_of_sight(CHARTS, "T-34", line(table(wood, across("hedge", 15)), (12, 10)), FIRED)) == "LOB-10"


@rule("SPT-1")
def test_SPT_1_the_refusal_names_the_cover() -> None:
    ground = table(area("woods", 21.5, 25))
    refusal = unspotted(CHARTS, "T-34", cover(CHARTS, line(ground)), line(ground), GOOD)
    assert str(refusal) == "T-34 is in cover (Woods); spot it first [SPT-1]"
