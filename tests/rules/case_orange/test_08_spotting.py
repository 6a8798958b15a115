"""Spotting [8.0, 8.1]. Tests are named after rules, in the book's order."""

from __future__ import annotations

import pytest

from opfire.kit.orders import Pass
from opfire.rulesets.case_orange.actions import EndSegment
from opfire.rulesets.case_orange.carrying import Unload
from opfire.rulesets.case_orange.direct import Attack, Fire
from opfire.rulesets.case_orange.movement import Move, Stop
from opfire.rulesets.case_orange.reaction import Shoot
from opfire.rulesets.case_orange.spotting import spotted
from rules.case_orange.drawing import (
    allowed,
    draw,
    german,
    kinds,
    marker,
    play,
    preview,
    refused,
    rule,
    soviet,
    unit,
    why_not,
)

TANK, GUN, RIFLE = "pz-iv-h", "at-76", "rifle-41-soviet"
EDGE = {"open": ["C1/D1", "C2/D1", "D1/D2", "D1/E1", "D1/E2"]}
"""No cover on the sides of D1: it conceals the units there, but can be seen into [8.2]."""
CONCEALING = {"w": EDGE, "b": EDGE, "t": EDGE, "v": {"roads": ["D1 C2"]}}
"""Terrain that conceals, each with what its board needs besides."""
ROW = {"open": ["C1/D1"]}
COLUMN = {"open": ["A2/A3"]}


def seen(game, name):
    return spotted(game.state, unit(game, name))


@rule("8.0")
@pytest.mark.parametrize("terrain", ["w", "b", "t"])
def test_8_0_the_edge_of_cover_hides_from_afar_whoever_is_behind_it(terrain):
    """Its side blocks the line at ground level [8.2]: not even a marker stays."""
    game = draw(f". . . {terrain}", tank=german(TANK, "A1"), gun=soviet(GUN, "D1", spotted="spotted"))
    assert unit(game, "gun").spotted == ""
    assert refused(game, Attack("tank", "gun")) == "8.2"


def face(terrain, viewer="A1", target="D1", step="direct", side="german", viewer_values=None, **values):
    """A tank at one end of four hexes, a gun in that terrain at the other."""
    rows = f". . . {terrain} .\n. . . . ."
    return draw(
        rows,
        tank=german(TANK, viewer, **(viewer_values or {})),
        gun=soviet(GUN, target, **values),
        step=step,
        side=side,
        fields=CONCEALING.get(terrain, {}),
    )


@rule("8.0")
@pytest.mark.parametrize("terrain", [".", "s", "a", "m"])
def test_8_0_in_other_terrain_whoever_is_in_sight_is_spotted(terrain):
    game = face(terrain)
    assert seen(game, "gun")
    assert unit(game, "gun").spotted == ""  # no marker is needed
    assert allowed(game, Attack("tank", "gun"))


@rule("8.0")
@pytest.mark.parametrize("terrain", CONCEALING)
def test_8_0_in_concealing_terrain_it_is_not_though_in_sight(terrain):
    game = face(terrain)
    assert not seen(game, "gun")
    assert refused(game, Attack("tank", "gun")) == "2.0-G14"


@rule("8.0")
@pytest.mark.parametrize("terrain", CONCEALING)
def test_8_0_but_from_next_to_it(terrain):
    near, two_hexes_off = face(terrain, "C2"), face(terrain, "B1")
    assert seen(near, "gun")
    assert allowed(near, Attack("tank", "gun"))
    assert not seen(two_hexes_off, "gun")


@rule("8.0")
@pytest.mark.parametrize("values", [{"face_up": False}, {"dispersed": "D"}, {"dispersed": "DD"}])
def test_8_0_spotters_are_eligible(values):
    """Inverted units spot nobody: RULINGS.md R11. In the open as next to it."""
    assert not seen(face(".", viewer_values=values), "gun")
    assert not seen(face("w", "C2", viewer_values=values), "gun")


def creep(start="E1", terrain="w", **units):
    """Riders about to enter the terrain in D1."""
    return draw(
        f". . . {terrain} .\n. . . . .",
        riders=german("cavalry-40-german", start, movement=9),
        **units,
        step="non-vehicle",
        fields=CONCEALING.get(terrain, {}),
    )


@rule("8.0", "8.1.1")
@pytest.mark.parametrize("terrain", CONCEALING)
def test_8_0_who_enters_in_view_is_spotted(terrain):
    game = creep(terrain=terrain, gun=soviet(GUN, "A1", range=0))
    events = play(game, Move("riders", "D1"))
    assert "spotted" in kinds(events)
    assert unit(game, "riders").spotted == "spotted"


@rule("8.0")
@pytest.mark.parametrize("values", [{"face_up": False}, {"dispersed": "D"}])
def test_8_0_who_enters_unseen_is_not(values):
    game = creep(gun=soviet(GUN, "A1", range=0, **values))
    play(game, Move("riders", "D1"))
    assert unit(game, "riders").spotted == ""
    game = creep()
    play(game, Move("riders", "D1"))
    assert unit(game, "riders").spotted == ""


@rule("8.0")
def test_8_0_who_stood_there_before_the_enemy_came_is_not():
    game = draw(
        ". . . w .\n. . . . .",
        riders=german("cavalry-40-german", "D1"),
        gun=soviet("t-34-76", "A2"),
        side="soviet",
        step="vehicle",
        fields=EDGE,
    )
    play(game, Move("gun", "A1"))
    assert unit(game, "riders").spotted == ""
    assert not seen(game, "riders")


@rule("8.0", "8.1.1")
def test_8_0_who_fires_from_it_in_view_is_spotted():
    game = draw(
        "w . . .",
        tank=german(TANK, "A1"),
        gun=soviet(GUN, "D1"),
        fields={"open": ["A1/B1"]},
    )
    assert unit(game, "tank").spotted == ""
    play(game, Attack("tank", "gun"), Fire(), dice=[6])
    assert unit(game, "tank").spotted == "spotted"


@rule("8.0")
def test_8_0_who_fires_unseen_is_not():
    """The target is class C, which does not spot [8.1.4]; with a scout behind it the tank would be seen."""
    for scouts, marked in ((0, ""), (1, "spotted")):
        company = {f"scout{n}": soviet("ba-64", "D1") for n in range(scouts)}
        game = draw(
            "w . . .",
            tank=german(TANK, "A1"),
            truck=soviet("truck-soviet", "D1"),
            **company,
            fields={"open": ["A1/B1"]},
        )
        play(game, Attack("tank", "truck"), Fire(), dice=[6])
        assert unit(game, "tank").spotted == marked


@rule("8.1.1")
def test_8_1_1_in_the_opponents_movement_phase_it_is_opportunity_spotted():
    game = draw(
        "\n".join([".", "w", ".", ".", ".", "."]),
        tank=german(TANK, "A6"),
        gun=soviet(GUN, "A2"),
        step="vehicle",
        fields=COLUMN,
    )
    play(game, Move("tank", "A5"))
    play(game, Shoot(("gun",), "tank"), dice=[6])
    assert unit(game, "gun").spotted == "opportunity"


@rule("8.1.1", "8.1.3")
def test_8_1_1_also_when_it_bore_a_spotted_marker_already():
    """It fired, so its marker outlasts the opponent's turn."""
    game = draw(
        "\n".join([".", "w", ".", ".", ".", "."]),
        tank=german(TANK, "A6"),
        armour=soviet("t-34-76", "A2", spotted="spotted"),
        step="vehicle",
        fields=COLUMN,
    )
    play(game, Move("tank", "A5"))
    play(game, Shoot(("armour",), "tank"), dice=[6])
    assert unit(game, "armour").spotted == "opportunity"


@rule("8.1.2")
def test_8_1_2_the_marker_comes_off_in_the_open():
    game = draw(
        ". . . w .\n. . . . .",
        riders=german("cavalry-40-german", "D1", spotted="spotted"),
        gun=soviet(GUN, "A1", range=0),
        step="non-vehicle",
        fields=EDGE,
    )
    assert unit(game, "riders").spotted == "spotted"
    play(game, Move("riders", "E1"))
    assert unit(game, "riders").spotted == ""


@rule("8.1.2")
def test_8_1_2_from_woods_to_woods_in_view_it_stays():
    game = draw(
        ". . . w w\n. . . . .",
        riders=german("cavalry-40-german", "E1"),
        gun=soviet(GUN, "A1", range=0),
        step="non-vehicle",
        fields=ROW,
    )
    play(game, Move("riders", "D1"))
    assert unit(game, "riders").spotted == "spotted"


@rule("8.1.2")
@pytest.mark.parametrize("others", [0, 1])
def test_8_1_2_it_comes_off_at_once_when_nobody_eligible_sees_the_unit_any_more(others):
    """The only spotter fires and is inverted by it; another beside it keeps the marker on."""
    friends = {f"other{n}": german(TANK, "A1") for n in range(others)}
    game = draw(
        ". . . w",
        tank=german(TANK, "A1"),
        **friends,
        gun=soviet(GUN, "D1", spotted="spotted"),
        fields=ROW,
    )
    assert unit(game, "gun").spotted == "spotted"
    events = play(game, Attack("tank", "gun"), Fire(), dice=[6])
    assert unit(game, "gun").spotted == ("spotted" if others else "")
    assert ("lost-sight" in kinds(events)) == (not others)


@rule("8.1.2")
def test_8_1_2_a_marker_that_nobody_holds_up_never_lies():
    game = draw(". . . w\n. . . .", gun=soviet(GUN, "D1", spotted="spotted"), truck=german("truck-german", "A1"))
    assert unit(game, "gun").spotted == ""


def end_of_turn(kind, marked):
    """The German player turn ends; a Soviet unit of that type bears that marker, a German tank sees it."""
    game = draw(
        ". . . w", tank=german(TANK, "A1"), target=soviet(kind, "D1", spotted=marked), step="assault", fields=ROW
    )
    play(game, EndSegment())
    return unit(game, "target").spotted


@rule("8.1.3")
@pytest.mark.parametrize(
    ("kind", "before", "after"),
    [
        ("t-34-76", "spotted", ""),  # mobile
        (RIFLE, "spotted", ""),
        (GUN, "spotted", "spotted"),  # immobile units keep theirs
        ("t-34-76", "opportunity", "spotted"),
        (GUN, "opportunity", "spotted"),
    ],
)
def test_8_1_3_at_the_end_of_the_opponents_turn(kind, before, after):
    assert end_of_turn(kind, before) == after


@rule("8.1.3")
def test_8_1_3_not_at_the_end_of_its_owners_turn():
    for marked in ("spotted", "opportunity"):
        game = draw(
            ". . . w",
            tank=german(TANK, "A1"),
            target=soviet("t-34-76", "D1", spotted=marked),
            side="soviet",
            step="assault",
            fields=ROW,
        )
        play(game, EndSegment())
        assert unit(game, "target").spotted == marked


@rule("8.1.3", "8.0")
def test_8_1_3_next_to_an_enemy_it_is_spotted_again_at_once():
    game = draw(". w", tank=german(TANK, "A1"), target=soviet("t-34-76", "B1", spotted="spotted"), step="assault")
    play(game, EndSegment())
    assert unit(game, "target").spotted == "spotted"


@rule("8.1.4")
@pytest.mark.parametrize(
    ("kind", "spots"),
    [
        (TANK, True),
        ("half-track-german", True),  # class C(I)
        ("truck-german", False),  # class C
        ("wagon-german", False),
        ("cp-german", True),
    ],
)
def test_8_1_4_class_c_does_not_spot_but_class_c_i_does(kind, spots):
    for terrain, at in ((".", "A1"), ("w", "C1")):
        game = draw(f". . . {terrain}", viewer=german(kind, at), gun=soviet(GUN, "D1"))
        assert seen(game, "gun") == spots


@rule("8.1.4")
@pytest.mark.parametrize("marker_on", ["D", "DD"])
def test_8_1_4_dispersed_units_do_not_spot(marker_on):
    game = draw(". . . .", viewer=german(TANK, "A1", dispersed=marker_on), gun=soviet(GUN, "D1"))
    assert not seen(game, "gun")


@rule("8.1.4", "9.5.2")
@pytest.mark.parametrize(
    ("kind", "friend", "answer"),
    [("truck-german", "", "8.1.4"), ("half-track-german", "", None), ("truck-german", "B3", None)],
)
def test_8_1_4_a_class_c_unit_fires_only_at_what_another_unit_sees(kind, friend, answer):
    """A lorry with a gun sees a truck in the open and does not spot it: RULINGS.md R76."""
    others = {"friend": german("rifle-40-german", friend)} if friend else {}
    game = draw(firer=german(kind, "A1", attack=9, range=8), x=soviet("truck-soviet", "D1"), **others)
    assert why_not(game, Attack("firer", "x")) == answer


@rule("8.0", "9.3.3")
def test_9_3_3_an_unspotted_unit_of_a_town_shares_the_fire_at_its_neighbour():
    """It is no target itself, but adds its factor and suffers the result: RULINGS.md R77."""
    inside = {"x": soviet(RIFLE, "D1", defence=4, spotted="spotted", points=1), "y": soviet(GUN, "D1", defence=6)}
    game = draw(". . . t", a=german("stug-iii-b", "A1", attack=20, range=8), fields=ROW, **inside)
    assert refused(game, Attack("a", "y")) == "2.0-G14"
    assert preview(game, Attack("a", "x")).column == "1:1"
    play(game, Attack("a", "x"), Fire(), dice=[1])
    assert {name: unit(game, name).dispersed for name in inside} == {"x": "DD", "y": "DD"}


@rule("8.1.5")
@pytest.mark.parametrize("marked", ["spotted", ""])
def test_8_1_5_who_unloads_from_a_spotted_carrier_is_spotted(marked):
    """In view but not adjacent: only the carrier's marker makes the difference."""
    game = draw(
        ". . . t .",
        truck=german("truck-german", "D1", spotted=marked),
        rifle=german("rifle-40-german", carrier="truck"),
        gun=soviet(GUN, "A1", range=0),
        step="vehicle",
        fields=ROW,
    )
    play(game, Unload("truck"))
    assert unit(game, "rifle").spotted == marked


@rule("8.1.1")
def test_8_1_1_a_marker_is_of_use_at_once():
    """A unit that enters woods in view of a gun may be fired at by it there."""
    game = draw(
        "\n".join([".", ".", "w", ".", "."]),
        rifle=german("rifle-40-german", "A4"),
        near=soviet(GUN, "A1"),
        step="non-vehicle",
        fields={"open": ["A2/A3"]},
    )
    play(game, Move("rifle", "A3"))
    assert allowed(game, Shoot(("near",), "rifle"))
    play(game, Pass())
    assert refused(game, Stop("rifle")) == "procedure"  # its move is over
    assert unit(game, "rifle").spotted == "spotted"


@rule("8.1.2", "5.6.1")
def test_8_1_2_a_wreck_between_takes_the_marker_off():
    rows = "\n".join([".", ".", "w", "."])
    fields = {"open": ["A2/A3"]}
    kept = draw(rows, tank=german(TANK, "A1"), gun=soviet(GUN, "A3", spotted="spotted"), fields=fields)
    lost = draw(
        rows,
        tank=german(TANK, "A1"),
        gun=soviet(GUN, "A3", spotted="spotted"),
        markers=[marker("wreck", "A2", value="1")],
        fields=fields,
    )
    assert unit(kept, "gun").spotted == "spotted"
    assert unit(lost, "gun").spotted == ""
