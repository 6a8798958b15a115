"""Die roll modifiers and defence by terrain, works and hull down."""

from __future__ import annotations

import pytest

from opfire.rulesets.panzerblitz_miniatures.fire.modifiers import modifier, protection
from rules.panzerblitz_miniatures.kit import CHARTS, rule


def drm(terrain: tuple[str, ...], work: str = "", *, vehicle: bool, hull_down: int = 0) -> tuple[int, int]:
    """The sums for the die and for the defence."""
    found = protection(CHARTS, terrain, work, "vehicle" if vehicle else "other", hull_down)
    return sum(line.amount for line in found.modifiers), sum(line.amount for line in found.defence)


@pytest.mark.parametrize(
    ("name", "amount", "number"),
    [
        pytest.param("dispersed", -1, "MOR-4", marks=rule("MOR-4")),
        pytest.param("zero range", -1, "WECT-7", marks=rule("WECT-7")),
        pytest.param("engineers", -1, "CAT-9", marks=rule("CAT-9")),
        pytest.param("open topped", -1, "CAT-13", marks=rule("CAT-13")),
        pytest.param("destruction", -2, "NEU-13", marks=rule("NEU-13")),
        pytest.param("bystander", 1, "NEU-9", marks=rule("NEU-9")),
        pytest.param("israeli armor", 1, "WGM-4", marks=rule("WGM-4")),
    ],
)
def test_each_modifier_of_the_text_with_its_rule(name: str, amount: int, number: str) -> None:
    line = modifier(CHARTS, name)
    assert (line.kind, line.amount, line.rule) == ("modifier", amount, number)


@rule("TEC-15")
def test_TEC_15_town_favours_those_on_foot() -> None:
    assert drm(("town",), vehicle=True) == (1, 0)
    assert drm(("town",), vehicle=False) == (2, 5)


@rule("TEC-1", "TEC-14")
def test_TEC_1_beach_and_swamp_help_only_those_on_foot() -> None:
    for terrain in ("beach", "swamp"):
        assert drm((terrain,), vehicle=True) == (0, 0)
        assert drm((terrain,), vehicle=False) == (1, 0)


@rule("TEC-16", "TEC-18")
def test_TEC_18_modifiers_of_woods_and_a_wall_add_up() -> None:
    assert drm(("woods", "wall"), vehicle=True) == (4, 0)
    assert drm(("hedge",), vehicle=True) == (1, 0)
    assert drm(("fence",), vehicle=False) == (2, 0)


@rule("FRT-5")
def test_FRT_5_a_fortification_adds_to_its_terrain() -> None:
    assert drm((), "fort", vehicle=False) == (2, 10)
    assert drm(("woods",), "fort", vehicle=False) == (3, 10)


@rule("IMP-7", "MMF-1")
def test_IMP_7_an_improved_position_replaces_terrain_and_hull_down() -> None:
    assert drm(("town",), "improved position 1", vehicle=False) == (1, 5)
    assert drm(("woods", "wall"), "improved position 2", vehicle=True, hull_down=2) == (2, 0)


@rule("BLD-5")
def test_BLD_5_a_building_is_an_improved_position_of_the_second_type() -> None:
    assert drm(("town",), "building", vehicle=False) == drm((), "improved position 2", vehicle=False) == (2, 10)


@rule("HUL-2")
@pytest.mark.parametrize("value", [0, 1, 2])
def test_HUL_2_hull_down_is_that_of_the_vehicle(value: int) -> None:
    assert drm(("woods",), vehicle=True, hull_down=value) == (1 + value, 0)


@rule("BLK-4", "MMF-2")
def test_BLK_4_blocks_and_smoke_change_no_attack() -> None:
    assert drm(("woods",), "block", vehicle=True) == (1, 0)
    assert drm(("woods",), "smoke", vehicle=False) == (1, 0)
