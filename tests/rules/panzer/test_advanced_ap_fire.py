"""AP fire of the Advanced Game in play [5.15, 6.1.4.1, 6.5.2]: hits, locations, damage, bailing out."""

from __future__ import annotations

from fractions import Fraction

import pytest

from opfire.core.game import Game
from opfire.kit.orders import Pass
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.charts import BANDS, Angle
from opfire.rulesets.panzer.commands import Command, HandIn
from opfire.rulesets.panzer.fire.ap_fire import Aim, location, resolve
from opfire.rulesets.panzer.fire.arcs import hit_angles
from opfire.rulesets.panzer.fire.arms import arc_of, rate_of, weapon_of
from opfire.rulesets.panzer.fire.direct_fire import Announce, Keep, Resolve
from opfire.rulesets.panzer.fire.hits import Round, aim, bail_out, harm, one_hit, strike
from opfire.rulesets.panzer.fire.overwatch import Overwatch
from opfire.rulesets.panzer.fire.sheltering import hull_down
from opfire.rulesets.panzer.fire.shots import shot
from opfire.rulesets.panzer.moving.going import Move
from opfire.rulesets.panzer.pieces import Position
from opfire.rulesets.panzer.sequence import RollInitiative
from rules.panzer.battle import OPEN, game, refused, text, told
from rules.panzer.kit import CHARTS, GUN, rule, vehicle

TRUCKS = 'units = [{ unit = "tg_kubel", at = ["1-G4"] }]'


def battle(script: tuple[int, ...] = (), board: str = OPEN, german: str = "", soviet: str = "") -> Game[Position]:
    """A Panzer IV and a T-34 six hexes apart in the Advanced Game."""
    sides = {name: units for name, units in (("german", german), ("soviet", soviet)) if units}
    return game(text(board=board, options=("AG",), **sides), script)


def at(made: Game[Position], target: str = "soviet-1") -> Round:
    """A shot of the first German unit with a long 75 mm gun at pointblank penetration."""
    return Round(made.state.units["german-1"], target, GUN, "P")


def ways(made: Game[Position]) -> tuple[str, str, str]:
    """The way in which the shot comes: inclination, angle, hull down."""
    way = aim(made.state, at(made))
    return way.shot, way.angle, way.hull_down


# --- the roll to hit


@rule("6.5.2.1", "6.5.2.1-n", "6.5.2.4-grade", "6.5.2.4-supp", "5.8.3")
def test_grade_and_suppression_change_the_roll_to_hit() -> None:
    state = battle().state
    firer, target = state.units["german-1"], state.units["soviet-1"]
    net = shot(state, firer, target, False).modifier
    for grade, row in CHARTS.unit_grades.items():
        assert shot(state, state.change("german-1", grade=grade), target, False).modifier == net + row.ap("S")
    suppressed = state.change("german-1", grade="seasoned", suppression="off")
    assert shot(state, suppressed, target, False).modifier == net - 5


@rule("6.5.2.1", "6.5.2.1-qrf")
def test_the_card_gives_the_rate_of_fire_and_the_roll_the_number_of_hits() -> None:
    made = battle(german='units = [{ unit = "t_75", at = ["1-A4"] }]')
    gun = made.state.change("german-1", facing=2)
    assert rate_of(gun, GUN) == "Q"
    chances = shot(made.state, gun, made.state.units["soviet-1"], False).chances()
    assert set(chances) == {"miss", "1 hit", "2 hits"}
    tank = battle().state
    assert set(shot(tank, tank.units["german-1"], tank.units["soviet-1"], False).chances()) == {"miss", "1 hit"}


@rule("6.5.2", "5.2", "5.1")
def test_guns_fire_ap_to_the_front_and_squads_all_round() -> None:
    units = 'units = [{ unit = "t_75", at = ["1-A4"] }, { unit = "g_sqd44", at = ["1-A4"] }]'
    state = battle(german=units).state
    gun, squad = state.units["german-1"], state.change("german-2", weapons=("rpzb43",))
    weapon = weapon_of(state, squad)
    assert weapon is not None
    assert weapon.weapon == "rpzb43"
    assert (arc_of(gun), arc_of(squad)) == ("front", "all")
    assert arc_of(state.change("german-2", suppression="on")) == "front"


@rule("6.5.2")
def test_ap_fire_is_for_vehicles_alone() -> None:
    made = battle((90, 10), soviet='units = [{ unit = "s_sqd41", at = ["1-B4"] }, { unit = "t34_43", at = ["1-G4"] }]')
    made.play("german", HandIn((Command("german-1", "fire"),)))
    made.play("soviet", HandIn())
    made.play(made.asked()[0], RollInitiative())
    assert refused(made, "german", Announce("german-1", "soviet-1", "g75l48 AP")) == "6.5.2"
    assert refused(made, "german", Announce("german-1", "soviet-2", "g75l48 AP")) is None


# --- the way of the shot


@rule("6.5.2.2", "6.5.2.3.1")
def test_heights_incline_the_shot() -> None:
    hill = OPEN.replace("\n. .", "\n1 .")
    assert ways(battle())[0] == "level"
    assert ways(battle(board=hill))[0] == "falling"


@rule("6.5.2.2")
def test_on_a_border_the_better_angle_counts_for_the_target() -> None:
    made = battle(soviet='units = [{ unit = "t34_43", at = ["1-C4"] }]')
    made.state.change("soviet-1", facing=0)
    coords = made.state.map.coords
    assert set(hit_angles(coords["1-C4"], 0, coords["1-A4"])) == {"front side", "rear side"}
    front, rear = (Aim(GUN, "P", vehicle("t34_43"), angle=angle) for angle in ("front side", "rear side"))
    better = "front side" if harm(made.state, front) < harm(made.state, rear) else "rear side"
    assert ways(made)[1] == better


@rule("6.1.4.1.3")
def test_a_target_above_the_firer_and_near_is_partly_hull_down() -> None:
    near = 'units = [{ unit = "t34_43", at = ["1-B4"] }]'
    hill = OPEN.replace("\n. . .", "\n. 1 .")
    made = battle(board=hill, soviet=near)
    german, soviet = made.state.units["german-1"], made.state.units["soviet-1"]
    assert hull_down(made.state, german, soviet) == "partial"
    assert hull_down(made.state, soviet, german) == ""
    two = 'units = [{ unit = "t34_43", at = ["1-C4"] }]'
    farther = battle(board=OPEN.replace("\n. . .", "\n. . 1"), soviet=two).state
    assert hull_down(farther, farther.units["german-1"], farther.units["soviet-1"]) == ""


@rule("6.1.4.1.1", "6.1.4.3.2")
def test_a_wall_at_the_target_makes_it_hull_down() -> None:
    walled = OPEN + '[sides]\nwall = ["A4/A5"]\n'
    north = 'units = [{ unit = "pz4h", at = ["1-A1"] }]'
    state = battle(board=walled, german=north, soviet='units = [{ unit = "t34_43", at = ["1-A5"] }]').state
    assert hull_down(state, state.units["german-1"], state.units["soviet-1"]) == "full"
    behind = battle(board=walled, german=north, soviet='units = [{ unit = "t34_43", at = ["1-A6"] }]').state
    assert hull_down(behind, behind.units["german-1"], behind.units["soviet-1"]) == ""


# --- hits


@rule("6.5.2.2.1", "6.5.2.6.1", "5.15-bailq")
@pytest.mark.parametrize(("roll", "status"), [(31, "on the map"), (30, "eliminated")])
def test_a_track_hit_stops_a_vehicle_and_its_crew_bails_out_on_30(roll: int, status: str) -> None:
    made = battle((7, roll))
    strike(made, at(made), 1)
    unit = made.state.units["soviet-1"]
    assert unit.track_hit
    assert not unit.damaged
    assert unit.status == status


@rule("6.5.2.2.1")
def test_a_second_track_hit_is_ignored() -> None:
    made = battle((7, 99, 7))
    strike(made, at(made), 1)
    strike(made, at(made), 1)
    assert made.state.units["soviet-1"].status == "on the map"


def of(effect: str, made: Game[Position], half: str = "") -> int:
    """A location roll with this effect on this half of the target."""
    way = aim(made.state, at(made))
    for roll in range(1, 101):
        hit = resolve(CHARTS, way, roll)
        if hit.effect == effect and half in ("", CHARTS.locations[hit.code].damages):
            return roll
    raise AssertionError(effect)


@rule("6.5.2.2.4", "6.5.2.5", "6.5.2.5-dm")
@pytest.mark.parametrize("half", ["turret", "hull"])
def test_damage_is_to_turret_or_hull_and_the_second_one_knocks_out(half: str) -> None:
    roll = of("DM", battle(), half)
    made = battle((roll, 99, of("DM", battle())))
    strike(made, at(made), 1)
    assert made.state.units["soviet-1"].damaged_part == half
    strike(made, at(made), 1)
    assert made.state.units["soviet-1"].status == "eliminated"
    assert made.state.wrecks == {"1-G4": "KO"}


@rule("6.5.2.2.4")
def test_hull_damage_leaves_the_gun_and_turret_damage_the_tracks() -> None:
    state = battle().state
    target = state.units["soviet-1"]
    sound = shot(state, state.units["german-1"], target, False).modifier
    assert shot(state, state.change("german-1", damaged=True, damaged_part="hull"), target, False).modifier == sound
    assert shot(state, state.change("german-1", damaged_part="turret"), target, False).modifier == sound - 3


@rule("6.5.2.5-bu", "5.10")
def test_a_brew_up_suppresses_the_friends_in_the_hex() -> None:
    made = battle((of("BU", battle()),), soviet='units = [{ unit = "t34_43", count = 2, at = ["1-G4"] }]')
    strike(made, at(made), 1)
    assert made.state.wrecks == {"1-G4": "BU"}
    assert made.state.units["soviet-2"].suppression == "on"


@rule("6.5.2.5-nd", "6.5.2.5-ko")
def test_a_dud_does_no_harm_but_the_crew_checks_and_a_knock_out_is_final() -> None:
    made = battle((of("ND", battle()), of("KO", battle())))
    assert one_hit(made, at(made)) == ("ap no damage",)
    assert not made.state.units["soviet-1"].damaged
    assert one_hit(made, at(made)) == ()
    assert made.state.wrecks == {"1-G4": "KO"}


@rule("5.15", "5.15-a", "6.5.2.1")
def test_the_crew_checks_after_all_hits_of_a_shot_and_hits_at_a_wreck_are_lost() -> None:
    made = battle((7, of("KO", battle())))
    strike(made, at(made), 3)
    assert not told(made, "bail out")
    assert made.state.units["soviet-1"].status == "eliminated"


@rule("6.5.2.6.1", "5.8.3")
@pytest.mark.parametrize(
    ("grade", "chance"), [("elite", 25), ("veteran", 30), ("seasoned", 30), ("regulars", 30), ("green", 35)]
)
def test_the_grade_weighs_on_bailing_out(grade: str, chance: int) -> None:
    state = battle().state
    found = bail_out(state, state.change("soviet-1", grade=grade), "tk").chances()
    assert found["the crew bails out"] == Fraction(chance, 100)


@rule("6.5.2.3", "6.5.2.5-stype")
def test_trucks_have_no_armor_and_the_units_die_loses_two() -> None:
    made = battle((46, 99), soviet=TRUCKS)
    assert (vehicle("tg_kubel").target, GUN.dm_max) == ("S", 4)
    strike(made, at(made), 1)
    assert made.state.units["soviet-1"].damaged


# --- in play


@rule("6.5.2.1", "6.5.2.2", "5.15")
def test_a_shot_in_play_is_rolled_for_hit_location_and_bail_out() -> None:
    made = battle((90, 10, 1, 7, 99))
    made.play("german", HandIn((Command("german-1", "fire"),)))
    made.play("soviet", HandIn((Command("soviet-1", "move"),)))
    made.play(made.asked()[0], RollInitiative())
    made.play("german", Announce("german-1", "soviet-1"))
    made.play("german", Resolve())
    made.play("soviet", Keep())
    assert told(made, "fired") == ["Pz Kpfw IV H 1 hits T-34 M43 1: 1 hit"]
    assert told(made, "hit") == ["T-34 M43 1, Track: track hit"]
    assert told(made, "bail out") == ["T-34 M43 1: the crew stays"]
    assert made.state.units["soviet-1"].under_fire
    while made.stack[-1].step != "movement" or made.stack[-1].side != "soviet":
        made.play(made.asked()[0], Pass() if isinstance(made.stack[-1], Overwatch) else EndStep())
    assert refused(made, "soviet", Move("soviet-1", "1-F3")) == "6.5.2.2.1"


@rule("6.5.2.4-grade")
def test_seasoned_crews_are_the_baseline() -> None:
    assert all(CHARTS.unit_grades["seasoned"].ap(band) == 0 for band in BANDS)


@rule("6.5.2.3.2", "6.5.2.3.3")
def test_the_sides_are_hit_at_oblique_angles_alone() -> None:
    def codes(angle: Angle) -> set[str]:
        return {location(CHARTS, tens, angle, "level")[:2] for tens in range(1, 11)} - {"TK"}

    assert codes("front") | codes("rear") <= {"TF", "TR", "HF", "HR"}
    assert {"TS", "HS"} <= codes("front side") & codes("rear side")
    assert codes("front side") | codes("rear side") <= {"TF", "TS", "TR", "HF", "HS", "HR"}
