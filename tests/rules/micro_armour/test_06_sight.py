"""Spotting and line of sight [6]: stands, terrain, edges, heights, markers."""

from __future__ import annotations

import pytest

from opfire.core.actions import Refusal
from opfire.rulesets.micro_armour.pieces import Position, Work
from opfire.rulesets.micro_armour.sighting.sight import cannot_see, cannot_see_place
from rules.micro_armour.kit import GRENADIERS, PAK, PANZER, RIFLES, T34, position, rule, stand

ZIS = "sov-76mm-atg"
MORTAR = "ger-120mm-mortar-2"
TRUCK = "sov-light-truck-gaz-aa-1t"


def woods(points: str, kind: str = "woods") -> str:
    """A wood, or another area, on the table."""
    return f'areas = [{{kind = "{kind}", points = "{points}"}}]'


WOODS = woods("18,8 22,8 22,12 18,12")


def sees(made: Position, spotter: str = "german-1", target: str = "soviet-1") -> str:
    """The rule that keeps a stand from seeing another; empty if it sees it."""
    refusal: Refusal | None = cannot_see(made, made.units[spotter], made.units[target])
    return refusal.rule if refusal else ""


# --- lines and stands -------------------------------------------------------------------------------------------


@rule("6.1-line", "6.0")
@pytest.mark.parametrize(("between", "rule_of_it"), [("17,11.2", "6.2.3"), ("17,12.1", "")])
def test_6_1_the_line_runs_from_centre_to_centre(between: str, rule_of_it: str) -> None:
    """From 5,10 to 29,12 it passes 17 inches at a height of 11; from edge to edge both stands would be seen past."""
    assert sees(position([(PANZER, "5,10")], [(T34, "29,12")])) == ""
    assert sees(position([(PANZER, "5,10")], [(T34, "29,12"), (T34, between)])) == rule_of_it


@rule("6.2.3")
@pytest.mark.parametrize("between", [PANZER, PAK])
def test_6_2_3_vehicles_and_guns_hide_every_stand(between: str) -> None:
    made = position([(PANZER, "5,10"), (between, "15,10")], [(T34, "30,10"), (RIFLES, "30,12")])
    assert sees(made) == "6.2.3"
    stand(made, "german-2", at=(15000, 10501))
    assert sees(made) == ""


@rule("6.2.3", "6.5")
@pytest.mark.parametrize(("y", "blocked"), [("14.06", "6.2.3"), ("14", "6.2.3"), ("13.98", "")])
def test_6_2_3_the_corner_of_a_stand_hides_as_all_of_it_does(y: str, blocked: str) -> None:
    """The line runs at 45 degrees; the corner of the stand at 15,14 lies on it."""
    assert sees(position([(PANZER, "5,5"), (PANZER, f"15,{y}")], [(T34, "25,25")])) == blocked


@rule("6.5")
def test_6_5_a_line_that_touches_a_stand_is_blocked() -> None:
    made = position([(PANZER, "5,10"), (PANZER, "15,10.5")], [(T34, "30,10")])
    assert sees(made) == "6.2.3"


@rule("6.2.2", "10.5")
@pytest.mark.parametrize(
    ("spotter", "target", "blocked"),
    [(GRENADIERS, RIFLES, "6.2.2"), (PANZER, RIFLES, ""), (GRENADIERS, T34, ""), (PAK, ZIS, "")],
)
def test_6_2_2_personnel_hide_personnel_from_personnel_only(spotter: str, target: str, blocked: str) -> None:
    assert sees(position([(spotter, "5,10"), (GRENADIERS, "15,10")], [(target, "30,10")])) == blocked


@rule("6.2.2", "6.2.3", "10.4")
def test_6_2_3_riders_hide_all_unless_in_the_firing_posture() -> None:
    made = position([(PANZER, "5,10"), ("ger-motorcycle-infantry-b", "15,10")], [(T34, "30,10")])
    assert sees(made) == ""
    stand(made, "german-2", posture="movement")
    assert sees(made) == "6.2.3"


@rule("6.2.2", "6.2.3")
def test_6_2_2_vehicles_have_armour_wheels_or_tracks_and_motorcycle_infantry_is_personnel() -> None:
    kinds = {
        T34: True,
        TRUCK: True,
        "sov-gaz-67-jeep": True,
        RIFLES: False,
        ZIS: False,
        "sov-motorcycle-infantry-42": False,
    }
    made = position(soviet=[(kind, f"{10 + 2 * number},10") for number, kind in enumerate(kinds)])
    assert {unit.kind.id: unit.vehicle for unit in made.units.values()} == kinds


@rule("6.2.1")
def test_6_2_1_a_gun_marked_p_is_personnel_and_one_without_is_a_weapon() -> None:
    made = position([(PAK, "5,10"), (MORTAR, "15,10")], [(RIFLES, "30,10")])
    assert not made.units["german-1"].personnel
    assert made.units["soviet-1"].personnel
    light = position([("ger-37mm-atg-pak-35-36", "5,10")])
    assert light.units["german-1"].personnel == light.units["german-1"].kind.p_halved


# --- terrain ----------------------------------------------------------------------------------------------------


@rule("6.3.1")
def test_6_3_1_a_line_through_woods_is_blocked() -> None:
    made = position([(PANZER, "5,10")], [(T34, "30,10")], terrain=WOODS)
    assert sees(made) == "6.3.1"
    stand(made, "soviet-1", at=(30000, 20000))
    assert sees(made) == ""


@rule("6.3.2-edge")
@pytest.mark.parametrize(("x", "blocked"), [("18.5", ""), ("18.6", ""), ("18.63", "6.3.2-edge"), ("20", "6.3.2-edge")])
def test_6_3_2_a_stand_in_woods_sees_and_is_seen_at_their_edge_only(x: str, blocked: str) -> None:
    """The edge reaches an eighth of an inch: a stand in 18 to 22 shows its edge up to 18.625."""
    made = position([(PANZER, "5,10")], [(T34, f"{x},10")], terrain=WOODS)
    assert sees(made) == blocked
    assert sees(made, "soviet-1", "german-1") == blocked


@rule("6.3.2-edge", "6.3.4")
def test_6_3_4_a_stand_that_has_fired_counts_as_in_clear_terrain() -> None:
    made = position([(PANZER, "5,10")], [(T34, "19,10")], terrain=WOODS)
    assert sees(made) == "6.3.2-edge"
    stand(made, "soviet-1", fired=True)
    assert sees(made) == ""


@rule("6.3.1")
@pytest.mark.parametrize(("target", "blocked"), [(RIFLES, "6.3.1"), (T34, "")])
def test_6_3_1_rough_terrain_hides_personnel_only(target: str, blocked: str) -> None:
    terrain = woods("18,8 22,8 22,12 18,12", "rough-1")
    assert sees(position([(PANZER, "5,10")], [(target, "30,10")], terrain=terrain)) == blocked


@rule("6.3.1")
def test_6_3_1_marsh_blocks_nothing() -> None:
    terrain = woods("18,8 22,8 22,12 18,12", "marsh")
    assert sees(position([(PANZER, "5,10")], [(T34, "30,10")], terrain=terrain)) == ""


@rule("6.4.2")
def test_6_4_2_adjacent_stands_see_each_other_in_the_thickest_woods() -> None:
    assert sees(position([(PANZER, "20,10")], [(T34, "21,10")], terrain=WOODS)) == ""
    assert sees(position([(PANZER, "19,10")], [(T34, "21,10")], terrain=WOODS)) == "6.3.2-edge"


@rule("9.3.4")
def test_9_3_4_a_target_in_bocage_is_seen_from_adjacent_until_it_fires() -> None:
    made = position([(PANZER, "5,10")], [(T34, "18.5,10")], terrain=woods("18,8 22,8 22,12 18,12", "bocage"))
    assert sees(made) == "9.3.4"
    stand(made, "soviet-1", fired=True)
    assert sees(made) == ""
    stand(made, "soviet-1", fired=False)
    stand(made, "german-1", at=(17500, 10000))
    assert sees(made) == ""


# --- distance ---------------------------------------------------------------------------------------------------


@rule("6.4.1")
def test_6_4_1_nobody_sees_beyond_the_maximum_sighting_distance() -> None:
    made = position([(PANZER, "5,10")], [(T34, "25,10")], top='surface = "mixed"')
    assert sees(made) == ""
    stand(made, "soviet-1", at=(25001, 10000))
    assert sees(made) == "6.4.1"


HILL = '[[table.hills]]\nname = "Hill"\ncontours = [{kind = "hilltop", level = 1, points = "3,8 7,8 7,12 3,12"}]'


@rule("6.4.3")
def test_6_4_3_each_level_of_height_adds_five_inches() -> None:
    made = position([(PANZER, "6.5,10")], [(T34, "31.5,10")], top='surface = "mixed"', terrain=HILL)
    assert sees(made) == ""
    assert sees(made, "soviet-1", "german-1") == "6.4.1"
    stand(made, "soviet-1", at=(31501, 10000))
    assert sees(made) == "6.4.3"


# --- the example of 6.3: PaK 40s, infantry and a mortar against M4s at a ridge crest ----------------------------

CREST = """lines = [{kind = "crest", points = "25,2 25,28"}]
areas = [{kind = "woods", points = "3,14 9,14 9,26 3,26"}]"""


def ridge() -> Position:
    """On the left a gun in the open, one at the edge of woods, infantry and a mortar; on the right M4s and halftracks.

    M4s stand at the crest and behind it; halftracks stand behind the tanks at the crest.
    """
    german = [(PAK, "9,10"), (PAK, "8.5,16"), (GRENADIERS, "12,12"), (MORTAR, "5,20")]
    american = [("us-m4-sherman", "25.6,10"), ("us-m3-halftrack-w-mmg", "27,10"), ("us-m4-sherman", "30,16")]
    return position(german, american, terrain=CREST)


@rule("6.3.1", "6.3.2-edge")
def test_6_3_the_tank_at_the_crest_sees_both_guns_and_they_see_it() -> None:
    made = ridge()
    for gun in ("german-1", "german-2"):
        assert sees(made, "soviet-1", gun) == ""
        assert sees(made, gun, "soviet-1") == ""


@rule("6.2.2", "10.5")
def test_6_3_the_infantry_in_front_of_the_guns_hides_nothing_from_the_tanks() -> None:
    made = ridge()
    stand(made, "german-3", at=(15000, 10000))
    assert sees(made, "soviet-1", "german-1") == ""


@rule("6.3.1", "6.3.2-edge", "6.2.3")
def test_6_3_nobody_sees_the_mortar_in_the_woods_nor_the_halftrack_behind_the_tank() -> None:
    made = ridge()
    for name in ("soviet-1", "soviet-2", "soviet-3"):
        assert sees(made, name, "german-4") != ""
        assert sees(made, "german-4", name) != ""
    assert sees(made, "german-1", "soviet-2") != ""


@rule("6.3.1")
def test_6_3_a_stand_back_from_the_crest_is_hidden() -> None:
    assert sees(ridge(), "german-1", "soviet-3") == "6.3.1"


# --- smoke and impact zones -------------------------------------------------------------------------------------


@rule("7.4.5.1", "7.4.7.1-3", "7.4.3.2")
@pytest.mark.parametrize(("kind", "blocked"), [("smoke", "7.4.7.1-3"), ("impact", "7.4.5.1")])
def test_7_4_smoke_and_impact_zones_block_lines_through_them_but_not_into_them(kind: str, blocked: str) -> None:
    made = position([(PANZER, "5,10")], [(T34, "30,10")])
    made.lay(Work("one", kind, (15000, 10400)))  # type: ignore[arg-type]
    assert sees(made) == blocked
    made.remove("one")
    made.lay(Work("two", kind, (30000, 10500)))  # type: ignore[arg-type]
    assert sees(made) == ""
    made.remove("two")
    made.lay(Work("three", kind, (15000, 10600)))  # type: ignore[arg-type]
    assert sees(made) == ""


@rule("6.0")
def test_6_0_a_place_can_be_seen_as_a_stand_can() -> None:
    made = position([(PANZER, "5,10")], [(T34, "30,10")], terrain=WOODS)
    seen = [cannot_see_place(made, made.units["german-1"], at) for at in ((30000, 10000), (18500, 10000))]
    assert [refusal and refusal.rule for refusal in seen] == ["6.3.1", None]
