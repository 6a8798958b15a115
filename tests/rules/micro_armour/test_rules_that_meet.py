"""Paragraphs of different chapters that meet in one position, each by the wording of the book."""

from __future__ import annotations

import pytest

from opfire.rulesets.micro_armour.air.defence import FireAtAircraft
from opfire.rulesets.micro_armour.air.strikes import Strafe
from opfire.rulesets.micro_armour.alternation import Pass
from opfire.rulesets.micro_armour.artillery.close_support import CloseSupport
from opfire.rulesets.micro_armour.artillery.direct import FireDirect
from opfire.rulesets.micro_armour.artillery.plotting import PlotFire
from opfire.rulesets.micro_armour.fire.attacks import Attack, Shot, combat, fire_roll
from opfire.rulesets.micro_armour.moving.arrivals import Exit
from opfire.rulesets.micro_armour.moving.movement import GroupMovement, Order, Stop
from opfire.rulesets.micro_armour.moving.opportunity import NotYet
from opfire.rulesets.micro_armour.moving.transport import Unload
from opfire.rulesets.micro_armour.pieces import Work
from opfire.rulesets.micro_armour.results import eliminate
from opfire.rulesets.micro_armour.retreats import Retreat, Retreating
from opfire.rulesets.micro_armour.sighting.sight import cannot_see
from opfire.rulesets.micro_armour.succession import TakeCommand, cannot_take, vacant
from opfire.rulesets.micro_armour.terrain import terrain_of
from rules.micro_armour.kit import PANZER, RIFLES, STAFF, T34, position, refused, rule, scripts, stand
from rules.micro_armour.marches import against, area, at, go, inches, line, march
from rules.micro_armour.test_06_sight import sees
from rules.micro_armour.test_07_artillery import HOWITZERS, shelling
from rules.micro_armour.test_07_missions import plotting
from rules.micro_armour.test_12_3_air import GUNS, PLANE, attacking
from rules.micro_armour.test_other_readings import on

SHERMAN, PAK, STURMTIGER, SEMOVENTE = "us-m4-sherman", "ger-75mm-atg-pak-40", "ger-sturmtiger", "ita-semovente-75-18"
MORTAR = "us-81mm-mortar-3"
VILLAGE, ROAD = area("light-buildings", 18, 8, 24, 12), line("poor-road", "0,10 39,10")


# --- 9.1.4: on a road, or in the terrain beside it ------------------------------------------------------------------


@rule("9.1.4", "8.5.2")
@pytest.mark.parametrize(("road", "cover"), [(ROAD, ()), ("", ("9.1-chart",))])
def test_9_1_4_a_vehicle_that_drives_along_a_road_has_no_cover_of_the_village(
    road: str, cover: tuple[str, ...]
) -> None:
    """An M4 comes to the western edge of a village, along its road or among the houses."""
    made = march(((SHERMAN, "20,10"),), ((PAK, "5,10"),), ground=VILLAGE + road, blue_1={"facing": 90})
    go(made, "red-1", 18.5, 10, 270)
    while at(made, "red-1") != "18.5,10":
        made.play("blue", NotYet())
    shot = Attack("red-1", (Shot("blue-1"),), "opportunity")
    for roll in (combat(made.state, shot, shot.shots[0]), fire_roll(made.state, shot, shot.shots[0])):
        assert tuple(each.rule for each in roll.lines if each.rule == "9.1-chart") == cover


@rule("9.1.4")
@pytest.mark.parametrize(("options", "covered"), [((), False), (("R144",), True)])
def test_9_1_4_a_stand_that_came_along_a_road_has_the_cover_of_the_village_in_the_firing_posture(
    options: tuple[str, ...], covered: bool
) -> None:
    """Set up on the road it has the cover; once it has driven there it has not paid for the houses."""
    made = march(((SHERMAN, "20,10"),), ground=VILLAGE + ROAD, more=on(*options) + "\n")

    def in_the_village() -> bool:
        return "light-buildings" in terrain_of(made.state, made.state.units["red-1"])

    assert in_the_village()
    go(made, "red-1", 18.5, 10, 270)
    assert not in_the_village()
    made.play("red", Stop("red-1"))
    assert made.state.progress is None
    assert in_the_village() is covered
    made.state.change("red-1", posture="firing")
    assert in_the_village()


@rule("9.1.4", "7.1.6-roll")
def test_9_1_4_standard_fire_at_a_mover_on_the_road_meets_no_houses() -> None:
    """In the next turn the tank is marked to move again, and a gun fires at it before it does."""
    made = march(((SHERMAN, "20,10"),), ((PAK, "5,10"),), ground=VILLAGE + ROAD, blue_1={"facing": 90})
    shot = Attack("red-1", (Shot("blue-1"),))
    for on_road, cover in ((False, ["9.1-chart"]), (True, [])):
        made.state.change("red-1", on_road=on_road)
        found = combat(made.state, shot, shot.shots[0])
        assert [each.rule for each in found.lines if each.rule == "9.1-chart"] == cover


@rule("9.1.4", "9.1.5")
def test_9_1_4_a_vehicle_that_leaves_the_road_pays_for_the_houses_and_has_their_cover() -> None:
    made = march(((SHERMAN, "20,10"),), ground=VILLAGE + ROAD)
    made.state.change("red-1", on_road=True)
    go(made, "red-1", 20, 9, 0)
    assert "light-buildings" in terrain_of(made.state, made.state.units["red-1"])


BOCAGE = area("bocage", 18, 8, 24, 12)


@rule("9.1.4", "9.3.4", "8.5.2")
@pytest.mark.parametrize(("road", "seen"), [(ROAD, ""), ("", "9.3.4")])
def test_9_3_4_a_vehicle_that_drives_along_a_road_is_not_in_the_hedges_beside_it(road: str, seen: str) -> None:
    """An M4 comes to the western edge of bocage, along the road through it or among the hedges."""
    made = march(((SHERMAN, "20,10"),), ((PAK, "5,10"),), ground=BOCAGE + road, blue_1={"facing": 90})
    made.state.change("red-1", at=inches(19.5, 10))
    go(made, "red-1", 18.5, 10, 270)
    while at(made, "red-1") != "18.5,10":
        made.play("blue", NotYet())
    pak, tank = made.state.units["blue-1"], made.state.units["red-1"]
    refusal = cannot_see(made.state, pak, tank)
    assert (refusal.rule if refusal else "") == seen


@rule("9.3.4", "6.3.4", "6.3.3-concealed")
@pytest.mark.parametrize(("options", "seen", "cover"), [((), "9.3.4", 4), (("R118",), "", 0)])
def test_9_3_4_indirect_fire_shows_no_battery_in_bocage(options: tuple[str, ...], seen: str, cover: int) -> None:
    """A mortar that has fired indirectly is as hidden as before, in the hedges at their edge."""
    made = march(((MORTAR, "18.5,10"),), ((PAK, "5,10"),), ground=BOCAGE, more=on(*options) + "\n").state
    made.change("red-1", fired=True, unseen=not options)
    pak, mortar = made.units["blue-1"], made.units["red-1"]
    refusal = cannot_see(made, pak, mortar)
    assert (refusal.rule if refusal else "") == seen
    roll = fire_roll(made, Attack("red-1", (Shot("blue-1"),)), Shot("blue-1"))
    assert roll.modifier == cover


# --- 8.2.2: orders of a headquarters that is lost ------------------------------------------------------------------


@rule("8.2.2", "10.1.5")
@pytest.mark.parametrize(("generals", "left"), [(("red-2",), 0), (("red-2", "red-3"), 2)])
def test_8_2_2_no_further_orders_are_issued_once_the_last_general_headquarters_is_lost(
    generals: tuple[str, ...], left: int
) -> None:
    ranks = {name.replace("-", "_"): {"rank": "GHQ"} for name in generals}
    staff = "us-infantry-hq"
    made = march(((SHERMAN, "5,5"), (staff, "9,9"), (staff, "12,12")), **ranks)
    made.stack = ()
    made.state.orders["red"] = 2
    eliminate(made, "red-2")
    assert made.state.orders["red"] == left
    made.push(GroupMovement("red", begun=True))
    made.run()
    if not left:
        scripts(made, [13])
        events = made.play("red", Order("red-1"))
        assert [each.rule for each in events if each.kind == "cohesion"] == ["8.2.8"]


@rule("10.1.5", "8.2.2", "10.1.7-name")
def test_10_1_5_a_general_headquarters_that_leaves_the_table_issues_no_orders_and_is_replaced() -> None:
    """It exits with two orders left; they are gone, and in the marker removal phase a successor is named."""
    ranks: dict[str, dict[str, str]] = {"red_1": {"rank": "HQ"}, "red_2": {"rank": "GHQ"}}
    made = march((("us-infantry-hq", "5,5"), ("us-infantry-hq", "0.7,9")), **ranks)
    made.state.setting.exits["red"] = frozenset({"west"})
    made.state.orders["red"] = 2
    made.play("red", Exit("red-2", "west"))
    assert made.state.units["red-2"].status == "exited"
    assert made.state.orders["red"] == 0
    assert [unit.id for unit in vacant(made.state, "red")] == ["red-2"]
    assert cannot_take(made.state, "red", TakeCommand("red-1", "red-2")) is None


# --- WD.SR, WD.I: close support guns --------------------------------------------------------------------------------


@rule("WD.SR", "10.8")
@pytest.mark.parametrize(("turn", "refusal"), [(2, "7.4.2.1-markers"), (5, "7.4.2.1-markers"), (6, "")])
def test_wd_sr_a_sturmtiger_fires_in_one_turn_of_five(turn: int, refusal: str) -> None:
    made = shelling([(STURMTIGER, "5,10")], [(T34, "12,10")], turns="9")
    scripts(made, [1, 6, 6])
    shot = CloseSupport("german-1", "soviet-1")
    made.play("german", shot)
    made.play("soviet", Pass()) if made.asked() == ("soviet",) else None
    made.state.turn = turn
    stand(made.state, "german-1", fired=False)
    assert refused(made, "german", shot) == refusal


@rule("WD.I", "7.6-who", "10.8.1")
def test_wd_i_a_close_support_gun_marked_i_fires_missions_but_lays_no_markers_directly() -> None:
    made = plotting([(SEMOVENTE, "5,10"), (STAFF, "8,10")], [(RIFLES, "20,10")])
    stand(made.state, "german-2", rank="HQ")
    assert refused(made, "german", PlotFire("german-1", "german-2")) == ""
    assert refused(made, "german", PlotFire("german-1", "german-1")) == "10.8.1"
    direct = shelling([(SEMOVENTE, "5,10")], [(RIFLES, "20,10")])
    assert refused(direct, "german", FireDirect("german-1", (20000, 10000), "closed", "N")) == "10.8.1"
    assert refused(direct, "german", CloseSupport("german-1", "soviet-1")) == ""


# --- 7.3.4: guns against aircraft that are engaged ------------------------------------------------------------------


@rule("7.3.4", "12.3.4")
def test_7_3_4_a_gun_that_an_enemy_engages_fires_at_no_aircraft() -> None:
    made = attacking(3, [(RIFLES, "20,10"), (GUNS, "22,10"), (GUNS, "24,12")])
    stand(made.state, "german-2", at=(22000, 11000), facing=0)
    stand(made.state, "soviet-2", facing=180)
    made.play("german", Strafe(PLANE, "soviet-1"))
    assert refused(made, "soviet", FireAtAircraft("soviet-2")) == "7.3.4"
    assert refused(made, "soviet", FireAtAircraft("soviet-3")) == ""


# --- 12.4: into the rear of the enemy --------------------------------------------------------------------------------


@rule("12.4")
@pytest.mark.parametrize(
    ("options", "guns", "kind", "refusal"),
    [
        (("12.4",), 1, SHERMAN, ""),
        ((), 1, SHERMAN, "1.0-length"),
        (("12.4",), 0, SHERMAN, "1.0-length"),
        (("12.4",), 1, "us-medium-truck-2-3-ton", "1.0-length"),
    ],
)
def test_12_4_armed_stands_leave_by_the_enemys_edge_while_he_has_guns_behind_it(
    options: tuple[str, ...], guns: int, kind: str, refusal: str
) -> None:
    enemy = f"facing = 270\noff_map = {{ {HOWITZERS} = 1 }}\n" if guns else "facing = 270\n"
    made = march(((kind, "39.4,10"),), enemy=enemy, more=on(*options) + "\n")
    assert against(made, Exit("red-1", "east")) == refusal


# --- 9.2.1, 11.4.2: markers that turn into rough terrain ------------------------------------------------------------


@rule("9.2.1", "6.3.1")
@pytest.mark.parametrize(("wrecks", "blocked"), [(1, ""), (2, "9.2.1")])
def test_9_2_1_wrecks_upon_each_other_block_lines_as_rough_terrain_3_does(wrecks: int, blocked: str) -> None:
    made = position([(PANZER, "5,10")], [(T34, "15,10")])
    for number in range(wrecks):
        made.lay(Work(f"wreck {number}", "wreck", (10000, 10000 + 100 * number)))
    assert sees(made) == blocked


@rule("11.4.2", "6.3.1")
@pytest.mark.parametrize(("target", "blocked"), [(RIFLES, "6.3.1"), (T34, "")])
def test_11_4_2_what_is_left_of_a_medium_position_hides_personnel_as_rough_terrain_1_does(
    target: str, blocked: str
) -> None:
    made = position([(PANZER, "5,10")], [(target, "15,10")])
    made.lay(Work("position", "rough-1", (10000, 10000)))
    assert sees(made) == blocked


@rule("11.4.2", "6.3.2-edge")
def test_11_4_2_a_stand_on_what_is_left_of_its_position_is_seen() -> None:
    made = position([(PANZER, "5,10")], [(RIFLES, "15,10")])
    made.lay(Work("position", "rough-1", (15000, 10000)))
    assert sees(made) == ""


# --- 7.4.3.4: into fire by another way than a leg -------------------------------------------------------------------


@rule("7.4.3.4", "8.4.8")
@pytest.mark.parametrize(("zone", "struck"), [((6000, 5000), True), ((6000, 9000), False)])
def test_7_4_3_4_troops_that_get_off_into_an_impact_zone_are_attacked(zone: tuple[int, int], struck: bool) -> None:
    """HE 8 against half of 6 is +5: D on an 8."""
    made = march(
        (("us-halftrack-various-marks", "5,5"), ("us-infantry-42", "2,20")),
        (("ger-105mm-ifh18-2", "39,29"),),
        red_1={"cargo": ("red-2",)},
        red_2={"carrier": "red-1", "at": (5000, 5000)},
        dice=(4, 4) if struck else (),
    )
    made.state.lay(Work("shells", "impact", zone, side="blue", battery="blue-1", until=1))
    made.play("red", Unload("red-1", "red-2", (6000, 5000), 90))
    assert made.state.units["red-2"].disorganized is struck
    assert not made.state.units["red-1"].shaken


@rule("7.4.3.4", "8.4.5-unit")
def test_7_4_3_4_troops_are_not_attacked_again_by_a_marker_over_their_carrier() -> None:
    made = march(
        (("us-halftrack-various-marks", "5,5"), ("us-infantry-42", "2,20")),
        (("ger-105mm-ifh18-2", "39,29"),),
        red_1={"cargo": ("red-2",)},
        red_2={"carrier": "red-1", "at": (5000, 5000)},
    )
    made.state.lay(Work("shells", "impact", (5500, 5000), side="blue", battery="blue-1", until=1))
    made.play("red", Unload("red-1", "red-2", (6000, 5000), 90))
    assert not made.state.units["red-2"].shaken


@rule("7.4.3.4", "8.8.5")
def test_7_4_3_4_a_stand_that_retreats_into_an_impact_zone_is_attacked_by_it() -> None:
    """HE 8 against 6 is +2: S on a 10."""
    made = march((("us-infantry-42", "9,10"),), (("ger-infantry-39", "10,10"), ("ger-105mm-ifh18-2", "39,29")))
    made.stack = ()
    made.state.lay(Work("shells", "impact", (11000, 10000), side="blue", battery="blue-2", until=1))
    made.push(Retreating("blue", "blue-1", (9000, 10000)))
    made.run()
    scripts(made, [5, 5])
    made.play("blue", Retreat("blue-1", (11000, 10000)))
    assert (made.state.units["blue-1"].suppressed, made.state.units["blue-1"].disorganized) == (True, False)
