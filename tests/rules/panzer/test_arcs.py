"""Fields of fire [4.4.3.1] and Hit Angles [4.4.3.2.4, 6.5.2.2]."""

from __future__ import annotations

import pytest

from opfire.rulesets.panzer.fire.arcs import ahead, aspects, hit_angles, in_field_of_fire
from opfire.space.hexes import Coord, ring, rotate
from rules.panzer.kit import rule

HERE = (0, 0)


@rule("4.4.3.1.4")
@pytest.mark.parametrize(("hexes", "number"), [(1, 1), (2, 3), (3, 3), (4, 5), (5, 5)])
def test_the_front_field_of_fire_is_an_arc_of_sixty_degrees(hexes: int, number: int) -> None:
    assert sum(ahead(HERE, 0, other) for other in ring(HERE, hexes)) == number


@rule("4.4.3.1.1", "4.4.3.1.2", "4.4.3.1.3", "4.4.3.1.4", "4.4.3.1.5")
@pytest.mark.parametrize(
    ("arc", "north", "south", "east"),
    [("all", True, True, True), ("front", True, False, False), ("rear", False, True, False)],
)
def test_a_weapon_bears_all_around_or_to_one_side(arc: str, north: bool, south: bool, east: bool) -> None:
    bears = [in_field_of_fire(HERE, 0, arc, other) for other in ((0, -3), (0, 3), (2, -1))]  # type: ignore[arg-type]
    assert bears == [north, south, east]


@rule("6.5.2.2")
@pytest.mark.parametrize(
    ("firer", "angles"),
    [
        ((0, -3), ("front",)),
        ((3, -3), ("front side",)),
        ((3, 0), ("rear side",)),
        ((0, 3), ("rear",)),
        ((-3, 3), ("rear side",)),
        ((-3, 0), ("front side",)),
        ((1, -2), ("front", "front side")),
        ((2, -1), ("front side", "rear side")),
        ((1, 1), ("rear side", "rear")),
    ],
)
def test_six_hit_angles_and_the_borders_between_them(firer: Coord, angles: tuple[str, ...]) -> None:
    assert sorted(hit_angles(HERE, 0, firer)) == sorted(angles)


@rule("4.4.3.2.4")
def test_the_aspect_of_the_basic_game_is_front_or_rear() -> None:
    assert aspects(HERE, 0, (3, -3)) == ("front",)
    assert aspects(HERE, 0, (3, 0)) == ("rear",)
    assert aspects(HERE, 0, (4, -2)) == ("front", "rear")


@rule("4.4.3.1.4", "6.5.2.2", "4.4.3.2.4")
@pytest.mark.parametrize("turn", range(6))
def test_a_turned_board_changes_nothing(turn: int) -> None:
    for other in (*ring(HERE, 3), *ring(HERE, 4)):
        turned = rotate(other, turn)
        assert ahead(HERE, turn, turned) == ahead(HERE, 0, other)
        assert set(hit_angles(HERE, turn, turned)) == set(hit_angles(HERE, 0, other))
        assert aspects(HERE, turn, turned) == aspects(HERE, 0, other)
