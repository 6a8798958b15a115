"""The Mill at Lipovka: what its author meant to draw, and what stands would meet there."""

from __future__ import annotations

from fractions import Fraction

import pytest

from opfire.core.places import Point
from opfire.kit.terrain import named
from opfire.space.measure import MICRO
from opfire.space.table import TableSection, laid
from opfire.space.terrain.features import Feature
from opfire.space.terrain.legs import Crossed, Manner, bar, cost, leg
from opfire.space.terrain.reach import Ways
from opfire.space.terrain.sight import sight_line

GROUND = laid(TableSection(table="lipovka"), "any", named("miniatures")).ground


class Tracks:
    """Tracked vehicles: roads 1, open ground 2; streams, swamps and heavy woods bar them."""

    def inch(self, features: tuple[Feature, ...]) -> Fraction | int | None:
        kinds = {feature.kind for feature in features}
        if kinds & {"bridge", "ford", "road", "track"}:
            return 1
        return None if kinds & {"stream", "swamp", "heavy-woods"} else 2

    def toll(self, feature: Feature, manner: Manner) -> int:
        return 0


@pytest.mark.parametrize(
    ("at", "level", "kinds"),
    [
        ((1_000, 1_000), 0, ()),
        ((47_500, 11_000), 2, ("slope", "hilltop")),
        ((41_000, 12_000), 1, ("slope",)),
        ((9_000, 8_500), 1, ("slope",)),
        ((29_100, 19_500), 0, ("stream", "road", "bridge")),
        ((32_300, 28_200), 0, ("stream", "track", "ford")),
        ((29_000, 13_000), -1, ("stream",)),
        ((28_100, 10_000), -1, ("woods", "stream")),
        ((17_200, 17_900), 0, ("town", "building")),
        ((52_000, 28_000), 0, ("heavy-woods",)),
    ],
)
def test_the_ground_is_what_its_author_drew(at: Point, level: int, kinds: tuple[str, ...]) -> None:
    spot = GROUND.at(at)
    assert (spot.level, spot.kinds) == (level, kinds)


def test_tanks_cross_the_brook_on_the_bridge_and_at_the_ford_alone() -> None:
    price = Tracks()
    assert bar(leg(GROUND, (27_500, 19_650), (31_000, 19_300)), price) is None
    assert bar(leg(GROUND, (31_000, 28_600), (33_500, 28_000)), price) is None
    barred = bar(leg(GROUND, (25_000, 14_000), (32_000, 14_000)), price)
    assert barred is not None
    assert not isinstance(barred, Crossed)
    assert [feature.kind for feature in barred.features] == ["stream"]
    assert cost(leg(GROUND, (25_000, 14_000), (32_000, 14_000)), price) is None


def test_a_reach_leads_over_the_bridge() -> None:
    reach = Ways(GROUND, Tracks()).reach((26_500, 19_700), 6 * MICRO)
    assert (31_500, 19_000) in reach.costs
    assert (31_500, 14_000) not in reach.costs


def test_the_mill_stands_between_the_hilltop_and_the_bridge() -> None:
    line = sight_line(GROUND, (46_000, 10_500), (29_100, 19_500))
    assert line.levels == (2, 0)
    # Both contours begin under the line; the one that it leaves first comes first.
    crossed = [span.feature.id for span in line.spans if span.feature.kind not in ("road", "stream")]
    assert crossed == ["hilltop-1", "slope-1", "crest-1", "building-3", "bridge-1"]
