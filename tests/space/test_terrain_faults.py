"""The faults that `opfire check` finds on a table that can be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from opfire.kit.terrain import named
from opfire.space.table import Table, drawn
from opfire.space.terrain.faults import barred, faults
from opfire.space.terrain.files import TABLES, parse_table, read_table

KINDS = named("miniatures")
HEAD = 'id = "t"\ntitle = "T"\nsize = [40, 30]\n'


def table(text: str) -> Table:
    return drawn(parse_table(HEAD + text, "t.toml"), KINDS, "t.toml")


def area(kind: str, points: str) -> str:
    return f'[[areas]]\nkind = "{kind}"\npoints = "{points}"\n'


def line(kind: str, points: str) -> str:
    return f'[[lines]]\nkind = "{kind}"\npoints = "{points}"\n'


def crossing(kind: str, points: str) -> str:
    return f'[[crossings]]\nkind = "{kind}"\npoints = "{points}"\n'


def hill(lower: str, upper: str) -> str:
    contours = (
        f'{{ kind = "slope", level = 1, points = "{lower}" }}, {{ kind = "hilltop", level = 2, points = "{upper}" }}'
    )
    return f'[[hills]]\nname = "Hill"\nsmooth = false\ncontours = [{contours}]\n'


SQUARE = "10,10 15,10 15,15 10,15"


@pytest.mark.parametrize(
    "other",
    [
        "14,14 18,14 18,18 14,18",  # corner in corner
        "11,11 12,11 12,12 11,12",  # within
        "8,12 18,12 18,13 8,13",  # across, with no corner inside
        "5,5 20,5 20,20 5,20",  # around
        "10,10 15,10 15,15",  # half of it, all corners shared
        SQUARE,  # the same
    ],
)
def test_kinds_that_lie_apart_never_overlap(other: str) -> None:
    (fault,) = faults(table(area("water", SQUARE) + area("woods", other)).ground, KINDS)
    assert "these kinds lie apart" in fault
    assert "(woods-1)" in fault
    assert "(water-1)" in fault


@pytest.mark.parametrize(
    "other", ["15,10 20,10 20,15 15,15", "15,15 20,15 20,20", "16,10 20,10 20,15", "15,12 20,10 20,15"]
)
def test_borders_may_touch(other: str) -> None:
    assert faults(table(area("water", SQUARE) + area("woods", other)).ground, KINDS) == []


def test_other_kinds_may_overlap() -> None:
    assert faults(table(area("field", SQUARE) + area("woods", "14,14 18,14 18,18")).ground, KINDS) == []


def test_a_road_goes_over_water_on_a_bridge_alone() -> None:
    lake, road = area("water", "10,10 12,10 12,15 10,15"), line("road", "0,12 40,12")
    assert "overlaps" in faults(table(lake + road).ground, KINDS)[0]
    assert faults(table(lake + road + crossing("bridge", "9,12 13,12")).ground, KINDS) == []


def test_areas_of_a_kind_that_nearly_touch_are_a_slip() -> None:
    (fault,) = faults(table(area("woods", SQUARE) + area("woods", "15.05,10 20,10 20,15 15.05,15")).ground, KINDS)
    assert "nearly touch at 15" in fault
    assert faults(table(area("woods", SQUARE) + area("woods", "15,10 20,10 20,15 15,15")).ground, KINDS) == []
    assert faults(table(area("woods", SQUARE) + area("woods", "15.2,10 20,10 20,15 15.2,15")).ground, KINDS) == []


@pytest.mark.parametrize(
    ("roads", "what"),
    [
        (line("road", "0.5,12 30,12"), "at 0.5,12, just before the edge of the table"),
        (line("road", "0,12 40,12") + line("track", "20,0 20,11"), "at 20,11, just before Road (road-1)"),
        (line("stream", "0,12 40,12") + line("stream", "20,0 20,11"), "at 20,11, just before Stream (stream-1)"),
    ],
)
def test_a_way_that_stops_just_before_another_is_a_slip(roads: str, what: str) -> None:
    (fault,) = faults(table(roads).ground, KINDS)
    assert what in fault


def test_ways_may_join_end_anywhere_else_and_pass_streams() -> None:
    sound = line("road", "0,12 40,12") + line("track", "20,0 20,12") + line("track", "8,14 8,20")
    assert faults(table(sound).ground, KINDS) == []
    assert faults(table(line("stream", "0,12 40,12") + line("road", "20,0 20,11")).ground, KINDS) == []


def test_a_contour_lies_within_the_one_below() -> None:
    assert faults(table(hill("5,5 20,5 20,20 5,20", "8,8 15,8 15,15 8,15")).ground, KINDS) == []
    (fault,) = faults(table(hill("5,5 20,5 20,20 5,20", "8,8 25,8 25,15 8,15")).ground, KINDS)
    assert fault == "level 2 of Hill reaches beyond the level below it"


def test_a_bridge_leads_from_bank_to_bank() -> None:
    stream = line("stream", "20,0 20,30")
    assert faults(table(stream + crossing("bridge", "19,12 21,12")).ground, KINDS) == []
    assert "leads over no water" in faults(table(stream + crossing("ford", "10,12 12,12")).ground, KINDS)[0]
    (fault,) = faults(table(stream + crossing("bridge", "19,12 20.2,12")).ground, KINDS)
    assert "Bridge (bridge-1) ends in Stream (stream-1) at 20.2,12" in fault


def test_stands_begin_where_there_is_room_for_them() -> None:
    made = table(area("water", SQUARE) + crossing("bridge", "9,12 16,12"))
    stands = {
        "Rifles 1": (12_000, 14_500),
        "Rifles 2": (16_501, 14_000),
        "Rifles 3": (15_400, 14_500),
        "MG": (12_000, 12_000),
    }
    assert barred(made.ground, KINDS, stands, 500) == [
        "Rifles 1 at 12,14.5 begins in Water (water-1)",
        "Rifles 3 at 15.4,14.5 begins in Water (water-1)",
    ]


def test_the_table_of_the_docs_is_sound() -> None:
    page = (Path(__file__).parent.parent.parent / "docs" / "tables.md").read_text(encoding="utf-8")
    made = drawn(parse_table(page.partition("```toml\n")[2].partition("```")[0], "ford.toml"), KINDS, "ford.toml")
    assert len(made.ground.features) == 8
    assert faults(made.ground, KINDS) == []


def test_the_tables_that_come_with_opfire_are_sound() -> None:
    for path in sorted(TABLES.glob("*.toml")):
        file = read_table(path)
        vocabulary = named(file.terrain)
        assert faults(drawn(file, vocabulary, path.name).ground, vocabulary) == []
