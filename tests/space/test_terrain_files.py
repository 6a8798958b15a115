"""Table files: what they draw, and the sentence for every value that cannot be drawn."""

from __future__ import annotations

from pathlib import Path

import pytest

from edits import edited
from opfire.core.errors import BadInput
from opfire.kit.terrain import TerrainKind, named, vocabulary
from opfire.space.table import Table, TableSection, drawn, laid, table_texts
from opfire.space.terrain.features import Feature
from opfire.space.terrain.files import TABLES, Building, is_table, parse_table, read_table, table_file
from space.vocabulary import KINDS

WHOLE = """
id = "ford"
title = "The Ford"
size = [24, 18.5]
base = 1.25

[[areas]]
kind = "woods"
points = "2,2 6,2.5 6,6 2,6"
holes = ["3,3 4,3 4,4 3,4"]

[[hills]]
name = "Hill 30"
smooth = false
contours = [
    { kind = "slope", level = 1, points = "10,2 20,2 20,12 10,12" },
    { kind = "hilltop", level = 2, points = "12,4 18,4 18,10 12,10", crest = "crest" },
]

[[lines]]
kind = "road"
name = "Mill road"
points = "0,15 24,15"

[[lines]]
kind = "stream"
points = "8,0 8,18.5"
width = 0.8

[[crossings]]
kind = "bridge"
points = "7,15 9,15"

[[buildings]]
kind = "house"
name = "The mill"
at = "4,12"
size = [2, 1]
facing = 90
floors = 3
"""


def table(text: str = WHOLE) -> Table:
    return drawn(parse_table(text, "ford.toml"), KINDS, "ford.toml")


def feature(id: str, text: str = WHOLE) -> Feature:
    return next(feature for feature in table(text).ground.features if feature.id == id)


def test_a_file_gives_a_table_in_thousandths_of_an_inch() -> None:
    made = table()
    assert (made.id, made.title, made.size, made.base) == ("ford", "The Ford", (24_000, 18_500), 1_250)


def test_features_are_numbered_from_the_ground_up() -> None:
    found = table().ground.features
    assert [f.id for f in found] == [
        "slope-1",
        "hilltop-1",
        "woods-1",
        "stream-1",
        "crest-1",
        "road-1",
        "bridge-1",
        "house-1",
    ]
    assert [f.number for f in found] == [*range(8)]


def test_an_area_has_holes() -> None:
    outer, hole = feature("woods-1").parts[0]
    assert outer == ((2_000, 2_000), (6_000, 2_500), (6_000, 6_000), (2_000, 6_000))
    assert hole == ((3_000, 3_000), (4_000, 3_000), (4_000, 4_000), (3_000, 4_000))
    assert table().ground.at((3_500, 3_500)).kinds == ()


def test_a_hill_has_levels_and_a_crest_around_its_top() -> None:
    spots = {x: table().ground.at((x, 6_000)).level for x in (9_000, 11_000, 13_000)}
    assert spots == {9_000: 0, 11_000: 1, 13_000: 2}
    crest = feature("crest-1")
    assert crest.way == ((12_000, 4_000), (18_000, 4_000), (18_000, 10_000), (12_000, 10_000), (12_000, 4_000))
    assert (crest.hill, feature("slope-1").hill) == ("Hill 30", "Hill 30")


def test_lines_are_as_wide_as_their_kind_or_as_the_file_says() -> None:
    assert feature("road-1").width == 1_000
    assert feature("stream-1").width == 800
    assert feature("road-1").parts == ((((0, 14_500), (24_000, 14_500), (24_000, 15_500), (0, 15_500)),),)


def test_a_bridge_lifts_the_ground_over_the_stream() -> None:
    ground = table().ground
    assert (ground.at((8_000, 10_000)).level, ground.at((8_000, 15_000)).level) == (-1, 0)
    assert ground.at((8_000, 15_000)).kinds == ("stream", "road", "bridge")


def test_a_building_has_floors_and_a_facing() -> None:
    mill = feature("house-1")
    assert mill.floors == 3
    assert set(mill.parts[0][0]) == {(3_500, 11_000), (4_500, 11_000), (4_500, 13_000), (3_500, 13_000)}


def test_a_smooth_area_is_a_curve_through_its_points() -> None:
    sharp, smooth = feature("woods-1"), feature("woods-1", edited(WHOLE, "holes = [", "smooth = true\nholes = ["))
    assert set(sharp.parts[0][0]) < set(smooth.parts[0][0])
    assert len(smooth.parts[0][0]) > 20


@pytest.mark.parametrize(
    ("before", "after", "fault"),
    [
        ('kind = "woods"', 'kind = "wood"', r"areas\[1\].kind: no area is of kind 'wood'; expected woods, water"),
        ('kind = "woods"', 'kind = "road"', r"areas\[1\].kind: no area is of kind 'road'"),
        ('points = "2,2 6,2.5', 'points = "2,2 6;2.5', r"areas\[1\].points: '6;2.5' is no point"),
        ('points = "2,2 6,2.5', 'points = "2,2 6,2.5005', r"areas\[1\].points: '6,2.5005' is no point"),
        ('points = "2,2 6,2.5', 'points = "2,2 6,', r"areas\[1\].points: '6,' is no point"),
        ('points = "2,2 6,2.5 6,6 2,6"', 'points = "2,2 6,2.5"', r"areas\[1\].points: 2 points; expected 3 or more"),
        ('points = "2,2 6,2.5 6,6', 'points = "2,2 6,6 6,2', r"areas\[1\].points: the border crosses or touches"),
        ('points = "2,2 6,2.5', 'points = "2,2 2,2 6,2.5', r"areas\[1\].points: 2,2 twice in a row"),
        ('points = "2,2 6,2.5', 'points = "2,2 24.5,2.5', r"areas\[1\].points: 24.5,2.5 lies off the table; .*24,18.5"),
        ('points = "2,2 6,2.5', 'points = "2,2 -6,2.5', r"areas\[1\].points: -6,2.5 lies off the table"),
        ('holes = ["3,3', 'holes = ["3;3', r"areas\[1\].holes\[1\]: '3;3' is no point"),
        ("level = 2", "level = 12", r"hills\[1\].contours\[2\].level: level 12; expected -3 to 9"),
        ("level = 2", 'level = "2"', r"hills\[1\].contours\[2\].level: Expected `int`, got `str`"),
        ('crest = "crest"', 'crest = "crests"', r"hills\[1\].contours\[2\].crest: no line is of kind 'crests'"),
        ("smooth = false", 'smooth = "no"', r"hills\[1\].smooth: Expected `bool`"),
        ('points = "0,15 24,15"', 'points = "0,15"', r"lines\[1\].points: 1 points; expected 2 or more"),
        ("width = 0.8", "width = -1", r"lines\[2\].width: -1 inches; expected 0 to 20"),
        ("width = 0.8", "width = nan", r"lines\[2\].width: nan inches"),
        ("width = 0.8", "widht = 0.8", r"lines\[2\]: Object contains unknown field `widht`"),
        ('points = "7,15 9,15"', 'points = "7,15 8,15 9,15"', r"crossings\[1\].points: 3 points; expected two"),
        ('points = "7,15 9,15"', 'points = "7,15 9,15"\nwidth = 0', r"crossings\[1\].width: the Bridge has no width"),
        ('at = "4,12"', 'at = "mill"', r"buildings\[1\].at: 'mill' is no point"),
        ("size = [2, 1]", "size = [0, 1]", r"buildings\[1\].size: 0 inches; expected 0.1 to 20"),
        ("size = [2, 1]", "size = [20, 1]", r"buildings\[1\].size: 4.5,22 lies off the table"),
        ("facing = 90", "facing = 360", r"buildings\[1\].facing: facing 360; expected 0 to 359"),
        ("floors = 3", "floors = 0", r"buildings\[1\].floors: 0 floors; expected 1 to 20"),
        ("size = [24, 18.5]", "size = [24, 218.5]", r"size: a table of 24 by 218.5 inches"),
        ("base = 1.25", "base = 0", r"base: stands of 0 inches"),
        ('title = "The Ford"', "", r"ford.toml: Object missing required field `title`"),
        ('title = "The Ford"', 'title = "The Ford', r"ford.toml: not TOML"),
        ('title = "The Ford"', "title = " + "[" * 5000, r"ford.toml: not TOML"),
        ('title = "The Ford"', "title = " + "9" * 5000, r"ford.toml: not TOML"),
    ],
)
def test_every_wrong_value_is_named_with_its_file_and_field(before: str, after: str, fault: str) -> None:
    assert before in WHOLE
    with pytest.raises(BadInput, match=f"ford.toml: {fault}" if not fault.startswith("ford") else fault):
        table(edited(WHOLE, before, after, 1))


def test_a_hill_without_contours_is_refused() -> None:
    with pytest.raises(BadInput, match=r"hills\[1\].contours: Hill 30 has no contours"):
        table('id = "a"\ntitle = "A"\nsize = [9, 9]\n[[hills]]\nname = "Hill 30"\ncontours = []')


def test_a_scenario_draws_a_table_of_its_own() -> None:
    section = TableSection((24, 18), buildings=(Building(kind="house", at="4,12", size=(2, 1)),))
    assert [f.id for f in laid(section, "inline", KINDS).ground.features] == ["house-1"]
    wrong = TableSection((24, 18), buildings=(Building(kind="barn", at="4,12", size=(2, 1)),))
    with pytest.raises(BadInput, match=r"table.buildings\[1\].kind: no building is of kind 'barn'; expected house"):
        laid(wrong, "inline", KINDS)


def test_a_scenario_names_a_table_file_or_has_a_size() -> None:
    with pytest.raises(BadInput, match=r"table.size: the table has no size"):
        laid(TableSection(), "inline", KINDS)
    with pytest.raises(BadInput, match=r"table: there is no table 'nowhere'"):
        laid(TableSection(table="nowhere"), "inline", KINDS)
    with pytest.raises(BadInput, match=r"a table file and a table of its own"):
        laid(TableSection((24, 18), table="ford"), "inline", KINDS)


def test_a_file_without_terrain_is_drawn_as_before() -> None:
    bare = drawn(parse_table('id = "a"\ntitle = "A"\nsize = [9, 9]', "a.toml"), KINDS, "a.toml")
    assert bare.to_json() == {"space": "table", "id": "a", "title": "A", "size": [9_000, 9_000], "base": 1_000}


def test_the_client_gets_polygons_ways_and_levels() -> None:
    terrain = {each["id"]: each for each in table().to_json()["terrain"]}
    assert terrain["hilltop-1"]["level"] == 2
    assert terrain["road-1"]["way"] == ((0, 15_000), (24_000, 15_000))
    assert (terrain["house-1"]["floors"], terrain["house-1"]["look"]) == (3, "building")
    assert (terrain["road-1"]["called"], "called" in terrain["woods-1"]) == ("Mill road", False)
    assert terrain["woods-1"]["polygons"] == (feature("woods-1").parts[0],)


def test_only_a_table_is_a_table() -> None:
    assert is_table({"id": "a", "size": [1, 2]})
    assert not is_table({"hexes": "", "columns": 3})
    assert not is_table({"ruleset": "toy-table", "size": 3})


# --- vocabularies --------------------------------------------------------------------------------------------


HEAD = "code,name,shape,look,width,level,apart,bars,source\n"


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        ("woods,Woods,area,woods,,,lake,no,own\n", "kinds.csv: woods lies apart from 'lake'"),
        ("ford,Ford,crossing,ford,,,,no,own\n", "kinds.csv: ford is a crossing without width"),
        ("woods,Woods,forest,woods,,,,no,own\n", "kinds.csv:2: shape 'forest': Invalid enum value"),
        ("woods,Woods,area,woods,,,,no,own\nwoods,Woods,area,woods,,,,no,own\n", "kinds.csv:3: woods appears twice"),
    ],
)
def test_a_wrong_vocabulary_is_refused(tmp_path: Path, rows: str, fault: str) -> None:
    path = tmp_path / "kinds.csv"
    path.write_text(HEAD + rows)
    with pytest.raises(BadInput, match=fault):
        vocabulary(path)


def test_the_vocabulary_that_comes_with_opfire_is_whole() -> None:
    kinds = named("miniatures")
    assert kinds["stream"].level == -1
    assert all(isinstance(kind, TerrainKind) and kind.look for kind in kinds)
    with pytest.raises(BadInput, match=r"there is no vocabulary 'tiny'; expected one of micro_armour, miniatures"):
        named("tiny")


def test_every_table_that_comes_with_opfire_can_be_laid_and_is_packed_by_its_text() -> None:
    for path in sorted(TABLES.glob("*.toml")):
        file = read_table(path)
        kinds = named(file.terrain)
        assert laid(TableSection(table=file.id), "any", kinds).ground.features
        assert table_file(path.stem) == path
        assert table_texts(TableSection(table=file.id)) == {file.id: path.read_text(encoding="utf-8")}
    assert table_texts(TableSection((9, 9))) == {}
