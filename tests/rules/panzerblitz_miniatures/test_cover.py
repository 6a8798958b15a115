"""Cover, half strength across crests, and hull down, as they follow from a line."""

from __future__ import annotations

import pytest

from opfire.rulesets.panzerblitz_miniatures.sighting.cover import cover, halving, hull_down, protecting
from opfire.rulesets.panzerblitz_miniatures.sighting.sight import smoke_ground
from opfire.space.terrain.features import Feature
from rules.panzerblitz_miniatures.kit import CHARTS, rule
from rules.panzerblitz_miniatures.table import EAST, SIZE, WEST, Inches, across, area, box, contour, line, point, table


def covered(*features: Feature, firer: Inches = WEST, target: Inches = EAST) -> list[tuple[str, str]]:
    """The kinds and rules of the target's cover."""
    found = cover(CHARTS, line(table(*features), firer, target))
    return [(each.feature.kind, each.rule) for each in found]


def halved(*features: Feature, firer: Inches = WEST, target: Inches = EAST) -> str | None:
    """The kind of terrain across which the attack is halved."""
    found = halving(CHARTS, line(table(*features), firer, target))
    return found.feature.kind if found else None


def low(*features: Feature, firer: Inches = WEST, target: Inches = EAST) -> bool:
    """Whether the target is hull down."""
    return hull_down(CHARTS, line(table(*features), firer, target)) is not None


FAR_HILL = (contour("slope", 14, 30, hill="East"), contour("hilltop", 21, 30, hill="East"))
"""The stand at EAST is on its hilltop, exactly an inch behind the crest."""
NEAR_SLOPE, NEAR_HILLTOP = contour("slope", 0, 4), contour("hilltop", 0, 4)


# --- cover [COV] ---------------------------------------------------------------------------------------------


@rule("COV-1", "COV-2", "TEC-15", "TEC-16", "TEC-17")
@pytest.mark.parametrize("kind", ["woods", "heavy-woods", "town"])
def test_COV_2_woods_and_towns_cover_the_units_in_them(kind: str) -> None:
    assert covered(area(kind, 21.5, 25)) == [(kind, "COV-2")]
    assert covered(area(kind, 22, 25)) == [(kind, "COV-2")]  # on its border
    assert covered(area(kind, 22.001, 25)) == []
    assert covered(area(kind, 15, 21.5)) == []
    assert covered(area(kind, 0, 3)) == []  # the firer's


@rule("COV-2", "TEC-18")
@pytest.mark.parametrize("kind", ["hedge", "fence", "wall"])
def test_COV_2_a_hedge_covers_the_unit_within_an_inch_behind_it(kind: str) -> None:
    assert covered(across(kind, 21)) == [(kind, "COV-2")]
    assert covered(across(kind, 20.999)) == []
    assert covered(across(kind, 23)) == []  # behind its back
    assert covered(across(kind, 3)) == []  # the firer's own


@rule("BLD-1")
def test_BLD_1_a_building_is_cover() -> None:
    assert covered(area("building", 21, 23)) == [("building", "BLD-1")]


@rule("TEC-3", "TEC-1", "TEC-14")
@pytest.mark.parametrize("kind", ["field", "swamp", "beach", "gully"])
def test_open_ground_is_no_cover(kind: str) -> None:
    assert covered(area(kind, 20, 25)) == []


@rule("MMF-2")
def test_R20_a_unit_in_smoke_must_be_spotted() -> None:
    spans = smoke_ground(SIZE, [box(21, 25)]).spans(point(WEST), point(EAST))
    assert [each.rule for each in cover(CHARTS, line(table()), spans)] == ["MMF-2"]
    spans = smoke_ground(SIZE, [box(15, 21)]).spans(point(WEST), point(EAST))
    assert cover(CHARTS, line(table()), spans) == []


@rule("COV-3")
def test_COV_3_a_crest_covers_against_an_enemy_who_is_not_higher() -> None:
    assert covered(*FAR_HILL) == [("hilltop", "COV-3")]
    assert covered(*FAR_HILL, firer=(16, 10)) == [("hilltop", "COV-3")]
    assert covered(*FAR_HILL, firer=(28, 10)) == []  # no crest between them
    ridge = (contour("slope", 14, 30), across("crest", 21.5))
    assert covered(*ridge) == [("crest", "COV-3")]
    assert covered(*ridge, NEAR_SLOPE) == [("crest", "COV-3")]
    assert covered(*ridge, NEAR_HILLTOP) == []
    assert covered(across("cliff", 21.5)) == covered(across("dune", 21.5)) == []


@rule("COV-3")
def test_COV_3_a_unit_far_behind_a_crest_is_in_the_open() -> None:
    assert covered(across("crest", 21)) == [("crest", "COV-3")]
    assert covered(across("crest", 20.999)) == []
    assert covered(across("crest", 2.5)) == []  # the crest at which its enemy stands
    assert halved(across("crest", 2.5)) == "crest"


# --- half strength [HIL] -------------------------------------------------------------------------------------


@rule("HIL-1", "TEC-12", "TEC-8")
def test_HIL_1_fire_at_a_unit_behind_a_crest_is_halved() -> None:
    assert halved(*FAR_HILL) == "hilltop"
    assert halved(across("crest", 21.5)) == "crest"
    assert halved(across("crest", 22.5)) is None
    assert halved(contour("slope", 10, 30)) is None


@rule("HIL-1")
def test_HIL_1_a_unit_above_the_crest_is_not_behind_it() -> None:
    high = (contour("slope", 10, 30, hill="E"), across("crest", 12), contour("hilltop", 22, 30, hill="E"))
    assert halved(*high, target=(20, 10)) == "crest"
    found = halving(CHARTS, line(table(*high), target=(22, 10)))
    assert found is not None
    assert found.feature.kind == "hilltop"  # not the ridge on the slope below


@rule("HIL-2", "TEC-4")
def test_HIL_2_an_attacker_on_a_hilltop_is_not_halved() -> None:
    assert halved(across("crest", 21.5), NEAR_HILLTOP) is None
    assert halved(across("cliff", 21.5), NEAR_HILLTOP) is None
    assert halved(across("crest", 21.5), NEAR_SLOPE) == "crest"
    assert halved(across("cliff", 21.5)) == "cliff"


@rule("TEC-5")
def test_TEC_5_a_dune_halves_even_from_a_hilltop() -> None:
    assert halved(across("dune", 21.5), NEAR_HILLTOP) == halved(across("dune", 21.5)) == "dune"


# --- hull down [HUL-1] ---------------------------------------------------------------------------------------


@rule("HUL-1")
def test_HUL_1_a_vehicle_is_hull_down_within_an_inch_behind_a_crest() -> None:
    assert low(*FAR_HILL)
    assert not low(*FAR_HILL, target=(22.001, 10))
    assert low(across("crest", 21))
    assert not low(across("crest", 20.999))
    assert low(across("crest", 21), NEAR_HILLTOP)  # although that attack is not halved
    assert not low(across("crest", 23))


@rule("HUL-1", "TEC-4", "TEC-5")
def test_HUL_1_only_crests_of_hills_count() -> None:
    assert not low(across("dune", 21.5))
    assert not low(across("cliff", 21.5))


@rule("HUL-1")
def test_R62_a_slanting_line_still_crosses_the_crest_of_a_tank_beside_it() -> None:
    assert low(across("crest", 21.2), firer=(14, 2))  # slants over it, 1.13 inches from the tank


# --- rows of the chart ---------------------------------------------------------------------------------------


@rule("TEC-15", "TEC-18")
def test_the_ground_and_the_hedges_of_a_target_protect_it() -> None:
    assert protecting(CHARTS, line(table(area("woods", 21, 25), across("wall", 21.5)))) == ("woods", "wall")
    assert protecting(CHARTS, line(table(area("town", 15, 25), area("building", 21, 23)))) == ("town",)
    assert protecting(CHARTS, line(table(across("wall", 23), across("hedge", 3)))) == ()
