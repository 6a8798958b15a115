"""The tables that come with Opfire: they are drawn without faults, and their ways lead from somewhere to somewhere."""

from __future__ import annotations

from itertools import pairwise

import pytest

from opfire.core.places import INCH, Point
from opfire.kit.terrain import named
from opfire.space.table import TableSection, laid
from opfire.space.terrain.exact import near
from opfire.space.terrain.faults import faults
from opfire.space.terrain.features import Feature
from opfire.space.terrain.ground import Ground

TABLES = ("lipovka", "lubosz", "oudewaal", "valmont", "wieldorf", "yagodka")
SQUARES = (
    "bir_el_gubi",
    "kasserine",
    "korsa",
    "pontrouge",
    "salerno",
    "oosterbeek",
    "sidi_suleiman",
    "state_farm",
    "stepnaya",
    "stonne",
    "zelenka",
)
"""The tables of *Micro Armour*."""

WAYS = ("road", "track")


def drawn(name: str, terrain: str = "miniatures") -> Ground:
    return laid(TableSection(table=name), "any", named(terrain)).ground


def leads_on(end: Point, way: Feature, ground: Ground) -> bool:
    """Whether a way goes on at its end: off the table, along another way, or by a ferry from the bank."""
    if 0 in end or end[0] == ground.size[0] or end[1] == ground.size[1]:
        return True
    others = [each for each in ground.features if each is not way and each.kind in WAYS]
    if any(near(end, *side, INCH // 2) for other in others for side in pairwise(other.way)):
        return True
    return any(feature.kind == "water" for feature in ground.under(end, INCH))


@pytest.mark.parametrize("name", TABLES)
def test_a_table_has_no_faults(name: str) -> None:
    assert faults(drawn(name), named("miniatures")) == []


@pytest.mark.parametrize("name", SQUARES)
def test_a_table_of_squares_has_no_faults(name: str) -> None:
    assert faults(drawn(name, "micro_armour"), named("micro_armour")) == []


@pytest.mark.parametrize("name", TABLES)
def test_every_road_comes_from_somewhere_and_goes_somewhere(name: str) -> None:
    ground = drawn(name)
    ways = [feature for feature in ground.features if feature.kind in WAYS]
    lost = [way.name for way in ways for end in (way.way[0], way.way[-1]) if not leads_on(end, way, ground)]
    assert ways
    assert lost == []


@pytest.mark.parametrize("name", [name for name in TABLES if name != "lipovka"])  # its mill leans on the highroad
def test_no_house_stands_on_a_road(name: str) -> None:
    ground = drawn(name)
    houses = [feature for feature in ground.features if feature.shape == "building"]
    corners = [(house, corner) for house in houses for corner in house.parts[0][0]]
    in_the_way = {house.name for house, at in corners if any(under.kind in WAYS for under in ground.under(at, 1))}
    assert houses
    assert in_the_way == set()


@pytest.mark.parametrize("name", TABLES)
def test_roads_cross_water_and_gullies_on_bridges_and_fords_alone(name: str) -> None:
    """A road that meets a stream without a crossing ends there for vehicles (RULINGS.md R59)."""
    ground = drawn(name)
    ways = [feature for feature in ground.features if feature.kind in WAYS]
    wet = [
        (way.name, at)
        for way in ways
        for at in way.way
        if ground.at(at).kinds and {"stream", "gully", "water"} & set(ground.at(at).kinds)
        if not {"bridge", "ford"} & set(ground.at(at).kinds)
    ]
    assert wet == []
