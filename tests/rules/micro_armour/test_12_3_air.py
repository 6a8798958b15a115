"""Air strikes [12.3]: plans, teams, anti-aircraft fire, strafing runs, bombs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

import pytest
from msgspec.structs import replace

from core import contract
from core.twins import Twins, play_all
from opfire.core.actions import Action, Offer, Region
from opfire.core.errors import BadInput
from opfire.core.game import SPECTATOR, Game
from opfire.rulesets.micro_armour import RULESET
from opfire.rulesets.micro_armour.air.defence import (
    AntiAircraft,
    FireAtAircraft,
    LetThemCome,
    cannot_fire_at,
    gun_roll,
    hindrance,
)
from opfire.rulesets.micro_armour.air.planes import Bomb, guns, loads, overhead
from opfire.rulesets.micro_armour.air.plans import AimBombs, AirPlan, DirectBombs, EndAirPlan, Schedule
from opfire.rulesets.micro_armour.air.strikes import DropBombs, Strafe, combat
from opfire.rulesets.micro_armour.air.teams import HostTeam, NoMoreTeams, TeamHosts, no_teams, settle
from opfire.rulesets.micro_armour.alternation import Begin, Pass
from opfire.rulesets.micro_armour.artillery.phase import ArtilleryPhase
from opfire.rulesets.micro_armour.artillery.plotting import JointPlot
from opfire.rulesets.micro_armour.charts import charts
from opfire.rulesets.micro_armour.formations import only_in_defence
from opfire.rulesets.micro_armour.pieces import Position, Work
from opfire.rulesets.micro_armour.results import eliminate
from rules.micro_armour.kit import GRENADIERS, RIFLES, STAFF, T34, game, refused, rule, scripts, stand

STUKA = "germany-junkers-ju87-d-1-1"  # strafing 0/2, bombing 5/8, two loads
OLD_STUKA = "germany-junkers-ju87-b-1-stuka"  # 3/6 once, then 4/6 once
HENSCHEL = "germany-henschel-hs-129-b2-1"  # strafing 3/6, bombing 2/6, two loads
PLANE = f"german-{HENSCHEL}-1"
GUNS, HEAVY, HALFTRACK = "sov-37mm-aag", "sov-85mm-aag", "sov-m17-mgmc"
MORE = {"top": 'options = ["12.3"]', "german_more": f"aircraft = {{ {HENSCHEL} = 1 }}", "turns": "8"}
FIELD = [(STAFF, "5,10"), (GRENADIERS, "5,14")], [(RIFLES, "20,10"), (T34, "24,10")]


def made(
    german: Iterable[tuple[str, str]] = FIELD[0], soviet: Iterable[tuple[str, str]] = FIELD[1], **more: str
) -> Game[Position]:
    """A game with a Henschel of the Germans, set up."""
    return game(german, soviet, **{**MORE, **more})


def attacking(
    turn: int = 3, soviet: Iterable[tuple[str, str]] = FIELD[1], bombs: tuple[Bomb, ...] = (), **more: str
) -> Game[Position]:
    """An artillery phase in which the Germans fire first; their Henschel arrived in turn 2."""
    found = made(FIELD[0], soviet, **more)
    found.stack = ()
    found.state.turn, found.state.initiative = turn, "german"
    found.state.planes[PLANE] = replace(found.state.planes[PLANE], arrives=2, bombs=bombs)
    found.push(ArtilleryPhase("german"))
    found.run()
    found.play("german", Begin("german"))
    return found


def planning(**more: str) -> Game[Position]:
    """The air plan of the Germans."""
    found = made(**more)
    found.stack = ()
    found.push(AirPlan("german"))
    found.run()
    return found


# --- the data -----------------------------------------------------------------------------------------------------


@rule("AD.strafing", "AD.ordnance", "AD.load", "12.3.1")
def test_ad_load_each_bomb_load_is_an_attack_and_a_second_line_has_its_own_strength() -> None:
    rows = charts().aircraft
    assert [(load.ap, load.he) for load in loads(charts(), rows[STUKA])] == [(5, 8), (5, 8)]
    assert [(load.ap, load.he) for load in loads(charts(), rows[OLD_STUKA])] == [(3, 6), (4, 6)]
    assert loads(charts(), rows["germany-junkers-ju87-g-1"]) == ()
    gun = guns(rows["germany-junkers-ju87-g-1"])
    assert (gun.ap, gun.he) == (5, 6)


@rule("AD.strafing", "12.3.9")
def test_ad_strafing_armour_is_attacked_by_ap_at_half_its_defence_and_all_else_by_he() -> None:
    state = made().state
    gun = guns(charts().aircraft["germany-junkers-ju87-g-1"])
    tank, men = state.units["soviet-2"], state.units["soviet-1"]
    assert tank.kind.defence is not None
    assert men.kind.defence is not None
    assert combat(state, gun, tank).column == f"{5 - -(-tank.kind.defence // 2):+}"
    assert combat(state, gun, men).column == f"{6 - men.kind.defence:+}"


@rule("12.3.9", "WD.U")
def test_12_3_9_open_topped_armour_keeps_a_quarter() -> None:
    state = made(soviet=[(HALFTRACK, "20,10")]).state
    target = state.units["soviet-1"]
    assert (target.kind.defence, target.kind.open_top) == (3, True)
    roll = combat(state, guns(charts().aircraft["germany-junkers-ju87-g-1"]), target)
    assert roll.column == "+4"  # AP 5 against 1: a quarter of 3, rounded up


@rule("12.3.5")
def test_12_3_5_terrain_counts_for_the_combat_roll_and_no_effect_is_no_suppression() -> None:
    terrain = 'areas = [{kind = "woods", points = "18,8 22,8 22,12 18,12"}]'
    state = made(terrain=terrain).state
    gun = guns(charts().aircraft[STUKA])
    roll = combat(state, gun, state.units["soviet-1"])
    assert roll.modifier == charts().terrain["woods"].personnel > 0
    assert "-" in roll.outcomes


# --- plans --------------------------------------------------------------------------------------------------------


@rule("12.3.2", "12.3.3.1", "12.3.3.2")
def test_12_3_3_arrival_and_bombs_are_written_before_the_game() -> None:
    found = planning()
    assert refused(found, "german", EndAirPlan()) == "12.3.3.1"
    assert refused(found, "german", AimBombs(PLANE, 3, (20000, 10000))) == "12.3.3.1"
    assert refused(found, "german", Schedule(PLANE, 9)) == "12.3.3.1"
    found.play("german", Schedule(PLANE, 2))
    assert refused(found, "german", Schedule(PLANE, 3)) == "12.3.3.1"
    found.play("german", AimBombs(PLANE, 3, (20300, 9600)))
    assert found.state.planes[PLANE].bombs == (Bomb((20000, 10000), 3),)
    found.play("german", EndAirPlan())


@rule("12.3.2", "12.3.7", "AD.load")
def test_12_3_2_bombs_fall_in_the_second_and_third_turn_two_of_one_turn_on_one_place() -> None:
    found = planning()
    found.play("german", Schedule(PLANE, 2))
    for turn in (2, 5):
        assert refused(found, "german", AimBombs(PLANE, turn, (20000, 10000))) == "12.3.2"
    found.play("german", AimBombs(PLANE, 4, (20000, 10000)))
    assert refused(found, "german", AimBombs(PLANE, 4, (22000, 10000))) == "12.3.7"
    assert refused(found, "german", AimBombs(PLANE, 3, (22000, 10000))) == ""
    found.play("german", AimBombs(PLANE, 4, (20000, 10000)))
    assert refused(found, "german", AimBombs(PLANE, 3, (20000, 10000))) == "AD.load"


def test_aircraft_need_their_option() -> None:
    with pytest.raises(BadInput, match=r"12\.3"):
        made(top="")


def test_a_scenario_writes_no_plots_for_its_players() -> None:
    with pytest.raises(BadInput, match="written already"):
        made(top=f'options = ["12.3"]\nstrikes = [{{ aircraft = "{HENSCHEL}", side = "german", arrives = 2 }}]')


def test_no_plan_without_aircraft() -> None:
    found = game(*FIELD)
    found.stack = ()
    found.push(AirPlan("german"))
    found.run()
    assert not found.stack


# --- turns over the table -----------------------------------------------------------------------------------------


@rule("12.3.2")
@pytest.mark.parametrize(("turn", "there"), [(1, False), (2, True), (4, True), (5, False)])
def test_12_3_2_an_aircraft_is_in_play_for_three_turns(turn: int, there: bool) -> None:
    state = made().state
    plane = replace(state.planes[PLANE], arrives=2)
    assert overhead(plane, turn) is there


@rule("12.3.2", "12.3.6")
def test_12_3_2_one_strafing_run_and_no_bombs_in_the_same_turn() -> None:
    found = attacking(3, bombs=(Bomb((20000, 10000), 3),))
    scripts(found, [20, 20])
    found.play("german", Strafe(PLANE, "soviet-1"))  # without anti-aircraft guns nobody is asked
    found.play("soviet", Pass())
    assert refused(found, "german", DropBombs(PLANE)) == "12.3.2"
    found.state.turn = 4
    assert refused(found, "german", Strafe(PLANE, "soviet-1")) == "12.3.2"


@rule("12.3.2")
def test_12_3_2_bombs_that_are_not_plotted_for_this_turn_stay_on_board() -> None:
    found = attacking(3, bombs=(Bomb((20000, 10000), 4),))
    assert refused(found, "german", DropBombs(PLANE)) == "12.3.7"
    found.state.turn = 5
    assert refused(found, "german", Strafe(PLANE, "soviet-1")) == "12.3.2"


# --- anti-aircraft fire -------------------------------------------------------------------------------------------


@rule("12.3.4")
def test_12_3_4_guns_up_to_40_mm_add_two_and_larger_ones_one() -> None:
    light = {"40mm Bofors AAG", "AAMG", "Flak 38 20mm AAG", "37mm AAG", "Nimrod", "Pz IV Wirbelwind Quad 20"}
    heavy = {
        "Flak 36 88mm AAG",
        "75mm AAG M39",
        "85mm AAG",
        '3.7" AAG',
        "76mm AAG",
        "90mm AAG",
        "80mm AAG m.29 (Bofors)",
    }
    state = made().state
    found = {
        row.name: hindrance(replace(state.units["soviet-1"], kind=row))
        for row in charts().weapons.values()
        if row.has("aa")
    }
    assert {found[name] for name in light} == {2}
    assert {found[name] for name in heavy} == {1}


@rule("12.3.4", "12.3.5")
def test_12_3_4_each_gun_that_succeeds_adds_to_both_rolls_and_is_marked() -> None:
    soviet = [(RIFLES, "20,10"), (GUNS, "22,10"), (HEAVY, "25,15")]
    found = attacking(3, soviet)
    scripts(found, [5, 5])
    found.play("german", Strafe(PLANE, "soviet-1"))
    found.play("soviet", FireAtAircraft("soviet-2"))
    assert found.state.units["soviet-2"].fired
    assert refused(found, "soviet", FireAtAircraft("soviet-2")) == "12.3.4"
    scripts(found, [5, 13, 3, 2])  # the second gun hits; 13 + 2 + 1 is more than 15
    events = found.play("soviet", FireAtAircraft("soviet-3"))
    rolls = [event.calculation for event in events if event.rule == "12.3.5" and event.kind == "cohesion"]
    assert [roll.modifier for roll in rolls if roll] == [3]
    assert not any(event.kind == "result" for event in events)


@rule("12.3.5", "12.3.6")
def test_12_3_5_everybody_sees_the_aircraft_over_its_target_once_its_strike_is_announced() -> None:
    found = attacking(3, [(RIFLES, "20,10"), (GUNS, "22,10")])
    seats = ("german", "soviet", SPECTATOR)
    assert [found.view(seat)["planes"][0]["strikes"] for seat in seats] == [None, None, None]
    events = found.play("german", Strafe(PLANE, "soviet-1"))
    assert [event.calibre for event in events if event.kind == "fired"] == [20]  # of the MG 151 of an Hs 129
    strikes = {"place": (20000, 10000), "text": "strafes", "rule": "12.3.6"}
    assert [found.view(seat)["planes"][0]["strikes"] for seat in seats] == [strikes, strikes, strikes]


@rule("12.3.4")
def test_12_3_4_a_gun_that_fails_adds_nothing_and_is_marked() -> None:
    found = attacking(3, [(RIFLES, "20,10"), (GUNS, "22,10")])
    found.play("german", Strafe(PLANE, "soviet-1"))
    scripts(found, [14, 15, 15, 6, 1])
    events = found.play("soviet", FireAtAircraft("soviet-2"))
    assert [event.kind for event in events].count("result") == 1
    assert found.state.units["soviet-2"].fired


@rule("12.3.4")
@pytest.mark.parametrize(
    ("values", "able"),
    [({}, True), ({"posture": "movement"}, False), ({"fired": True}, False), ({"posture": "fire/move"}, False)],
)
def test_12_3_4_unfired_guns_in_the_firing_posture_fire(values: dict[str, object], able: bool) -> None:
    found = attacking(3, [(RIFLES, "20,10"), (GUNS, "22,10"), (GUNS, "23,12")])
    stand(found.state, "soviet-2", **values)
    found.play("german", Strafe(PLANE, "soviet-1"))
    assert (refused(found, "soviet", FireAtAircraft("soviet-2")) == "") is able
    assert refused(found, "soviet", FireAtAircraft("soviet-1")) == "12.3.4"


@rule("12.3.4", "7.4.5.2-out")
def test_7_4_5_2_a_gun_under_an_impact_marker_does_not_fire_at_aircraft() -> None:
    found = attacking(3, [(RIFLES, "20,10"), (GUNS, "22,10"), (GUNS, "23,12")])
    found.state.lay(Work("shell", "impact", (22000, 10000), side="german", until=3))
    found.play("german", Strafe(PLANE, "soviet-1"))
    assert refused(found, "soviet", FireAtAircraft("soviet-2")) == "7.4.5.2-out"
    assert refused(found, "soviet", FireAtAircraft("soviet-3")) == ""


@rule("12.3.4", "12.3.7", "7.4.5.2-out")
def test_12_3_7_a_gun_under_the_marker_of_bombs_fires_at_them_before_they_fall() -> None:
    soviet = [(RIFLES, "20,10"), (GUNS, "22,10"), (GUNS, "24,10")]
    found = attacking(3, soviet, bombs=(Bomb((22000, 10000), 3),))
    found.play("german", DropBombs(PLANE))
    assert [work.at for work in found.state.works.values()] == [(22000, 10000)]  # placed before the guns fire
    assert refused(found, "soviet", FireAtAircraft("soviet-2")) == ""
    scripts(found, [20, 1, 1, 6, 6])  # the bombs come down as plotted, without effect
    found.play("soviet", FireAtAircraft("soviet-3"))
    found.play("soviet", LetThemCome())
    assert cannot_fire_at(found.state, "soviet", found.state.units["soviet-2"], (22000, 10000)) is not None


@rule("12.2.2", "12.3.4")
def test_12_2_2_a_gun_that_rolls_a_20_at_aircraft_is_low_and_fires_at_none_from_then_on() -> None:
    found = attacking(3, [(RIFLES, "20,10"), (GUNS, "22,10"), (GUNS, "23,12")], top='options = ["12.3", "12.2.2"]')
    stand(found.state, "soviet-3", low=True)
    found.play("german", Strafe(PLANE, "soviet-1"))
    assert refused(found, "soviet", FireAtAircraft("soviet-3")) == "12.2.2"
    scripts(found, [20, 16])
    found.play("soviet", FireAtAircraft("soviet-2"))
    assert found.state.units["soviet-2"].low


@rule("12.3.4", "WD.range")
@pytest.mark.parametrize(("x", "able"), [("32", True), ("32.1", False)])
def test_12_3_4_the_range_is_measured_to_the_marker(x: str, able: bool) -> None:
    # the 37 mm gun reaches 12 inches
    found = attacking(3, [(RIFLES, "20,10"), (GUNS, f"{x},10"), (GUNS, "20,12")])
    found.play("german", Strafe(PLANE, "soviet-1"))
    assert (refused(found, "soviet", FireAtAircraft("soviet-2")) == "") is able


@rule("12.3.4", "5.2-S")
def test_12_3_4_the_states_of_a_gun_count() -> None:
    state = made(soviet=[(GUNS, "20,10")]).state
    assert gun_roll(state, stand(state, "soviet-1", suppressed=True)).modifier == 4


@rule("12.3.4")
def test_12_3_4_the_defender_may_hold_its_fire() -> None:
    found = attacking(3, [(RIFLES, "20,10"), (GUNS, "22,10")])
    found.play("german", Strafe(PLANE, "soviet-1"))
    scripts(found, [20])
    found.play("soviet", LetThemCome())
    assert not found.state.units["soviet-2"].fired


# --- strafing runs ------------------------------------------------------------------------------------------------


@rule("12.3.5", "12.3.6")
def test_12_3_6_a_run_that_fails_to_attack_does_nothing() -> None:
    found = attacking(2)
    scripts(found, [16])
    found.play("german", Strafe(PLANE, "soviet-1"))
    assert not found.state.units["soviet-1"].shaken


@rule("12.3.5", "12.3.6")
def test_12_3_6_a_run_on_course_attacks_its_target() -> None:
    found = attacking(2)
    scripts(found, [15, 15, 1, 1])
    found.play("german", Strafe(PLANE, "soviet-1"))
    assert found.state.units["soviet-1"].disorganized  # HE 6 against 6 and a total of 2: D


@rule("12.3.6")
def test_12_3_6_a_run_off_course_goes_half_of_1d6_and_strikes_anybody_there() -> None:
    soviet = [(RIFLES, "20,10"), (RIFLES, "23,10")]
    found = attacking(2, soviet)
    scripts(found, [15, 16, 3, 5, 1, 1])  # 3 is east; 5 / 2 rounded up is 3 inches
    found.play("german", Strafe(PLANE, "soviet-1"))
    assert [found.state.units[name].disorganized for name in ("soviet-1", "soviet-2")] == [False, True]


@rule("12.3.6", "12.3.5")
def test_12_3_6_off_course_on_an_empty_place_there_is_no_effect() -> None:
    found = attacking(2)
    scripts(found, [15, 16, 1, 6])
    found.play("german", Strafe(PLANE, "soviet-1"))
    assert not found.state.works
    assert len(found.state.of("soviet")) == 2


@rule("12.3.6")
def test_12_3_6_after_a_success_the_next_stand_in_line_is_attacked_with_three_more() -> None:
    soviet = [(RIFLES, "20,10"), (RIFLES, "21,10"), (RIFLES, "23,10")]
    found = attacking(2, soviet)
    assert refused(found, "german", Strafe(PLANE, "soviet-1", "soviet-3")) == "12.3.6"
    scripts(found, [15, 15, 1, 1, 12, 1, 1])
    found.play("german", Strafe(PLANE, "soviet-1", "soviet-2"))
    assert found.state.units["soviet-2"].disorganized


@rule("12.3.6")
@pytest.mark.parametrize("dice", [[15, 15, 6, 6, 13], [15, 16, 1, 6]])
def test_12_3_6_the_second_stand_is_safe_after_a_failure_or_off_course(dice: list[int]) -> None:
    found = attacking(2, [(RIFLES, "20,10"), (RIFLES, "21,10")])
    scripts(found, dice)
    found.play("german", Strafe(PLANE, "soviet-1", "soviet-2"))
    assert not found.state.units["soviet-2"].shaken


@rule("12.3.4", "12.3.6")
@pytest.mark.parametrize(("die", "struck"), [(10, True), (11, False)])
def test_12_3_6_anti_aircraft_fire_counts_for_the_second_stand_too_and_is_not_asked_for_again(
    die: int, struck: bool
) -> None:
    found = attacking(2, [(RIFLES, "20,10"), (RIFLES, "21,10"), (GUNS, "22,12"), (GUNS, "23,12")])
    found.play("german", Strafe(PLANE, "soviet-1", "soviet-2"))
    scripts(found, [1])
    found.play("soviet", FireAtAircraft("soviet-3"))
    scripts(found, [13, 13, 1, 1, die, 1, 1])
    found.play("soviet", LetThemCome())  # once for the whole run
    assert not any(isinstance(frame, AntiAircraft) for frame in found.stack)
    assert found.state.units["soviet-2"].disorganized is struck


@rule("12.3.6")
def test_12_3_6_nobody_strafes_his_own_stands() -> None:
    found = attacking(2)
    assert refused(found, "german", Strafe(PLANE, "german-1")) == "12.3.6"


# --- bombs --------------------------------------------------------------------------------------------------------


@rule("12.3.7", "12.3.5")
def test_12_3_7_bombs_on_target_attack_the_stand_at_the_plotted_place() -> None:
    found = attacking(3, bombs=(Bomb((20000, 10000), 3),))
    scripts(found, [15, 15, 1, 1])
    found.play("german", DropBombs(PLANE))
    assert found.state.units["soviet-1"].disorganized
    assert found.state.planes[PLANE].bombs == (Bomb((20000, 10000), 3, done=True),)


@rule("12.3.7")
def test_12_3_7_two_loads_on_one_place_attack_twice_after_one_pair_of_rolls() -> None:
    found = attacking(3, bombs=(Bomb((24000, 10000), 3), Bomb((24000, 10000), 3)))
    scripts(found, [15, 15, 6, 6, 6, 6])
    events = found.play("german", DropBombs(PLANE))
    assert [event.kind for event in events].count("result") == 2


@rule("12.3.4", "12.3.7")
@pytest.mark.parametrize(("dice", "falls"), [([14], False), ([13, 14, 3, 2], True), ([13, 13, 1, 1], True)])
def test_12_3_7_anti_aircraft_fire_adds_to_both_rolls_of_bombs(dice: list[int], falls: bool) -> None:
    found = attacking(3, [(RIFLES, "20,10"), (GUNS, "22,12")], bombs=(Bomb((20000, 10000), 3),))
    found.play("german", DropBombs(PLANE))
    scripts(found, [1, *dice])  # the gun hits, for 2 more against 15
    events = found.play("soviet", FireAtAircraft("soviet-2"))
    rolls = [event.calculation for event in events if event.rule == "12.3.5" and event.kind == "cohesion"]
    assert [roll.modifier for roll in rolls if roll] == [2, 2][: len(rolls)]
    assert bool(found.state.works) is falls
    assert any(event.kind == "deviation" for event in events) is (dice[1:2] == [14])


@rule("12.3.5", "12.3.7")
def test_12_3_5_bombs_that_deviate_go_1d6_inches_and_strike_friend_and_foe() -> None:
    found = attacking(3, bombs=(Bomb((5000, 12000), 3),))
    scripts(found, [15, 16, 5, 2, 1, 1])  # two inches to the south
    found.play("german", DropBombs(PLANE))
    assert found.state.units["german-2"].disorganized


@rule("12.3.8")
def test_12_3_8_bomb_markers_come_off_at_the_end_of_the_artillery_phase() -> None:
    found = attacking(3, bombs=(Bomb((30000, 10000), 3),))
    scripts(found, [15, 15])
    found.play("german", DropBombs(PLANE))
    assert [work.at for work in found.state.works.values()] == [(30000, 10000)]
    found.play("soviet", Pass())
    found.play("german", Pass())
    assert not found.state.works


@rule("12.3.7")
def test_12_3_7_bombs_that_do_not_attack_or_leave_the_table_leave_no_marker() -> None:
    for dice in ([16], [15, 16, 1, 6]):
        found = attacking(3, bombs=(Bomb((20000, 2000), 3),))
        scripts(found, dice)
        found.play("german", DropBombs(PLANE))
        assert not found.state.works


# --- air coordination teams ---------------------------------------------------------------------------------------


def rolling(engagement: str, dice: list[int], **more: str) -> Game[Position]:
    """The Germans roll for a team at the beginning of their air plan."""
    german = f"{MORE['german_more']}\ncoordinators_rolled = 2"
    top = f'{MORE["top"]}\ndate = "1944-08"\nengagement = "{engagement}"'
    found = made(**{"top": top, "german_more": german, **more})
    found.stack = ()
    scripts(found, dice)
    found.push(AirPlan("german"))
    found.run()
    return found


@rule("12.3.3.3-avail")
@pytest.mark.parametrize(
    ("engagement", "die", "teams"),
    [("prepared-assault", 19, 2), ("hasty-attack", 17, 2), ("hasty-attack", 18, 0), ("delaying-action", 17, 2)],
)
def test_12_3_3_3_a_roll_by_the_type_of_scenario_gives_a_team_for_each_brigade(
    engagement: str, die: int, teams: int
) -> None:
    assert rolling(engagement, [die]).state.coordinators.get("german", 0) == teams


@rule("12.3.3.3-avail")
def test_12_3_3_3_example_marines_of_cohesion_17_roll_18_with_minus_2() -> None:
    american = [("us-marine-44", "5,10")]
    german = f"{MORE['german_more']}\ncoordinators_rolled = 1"
    top = f'{MORE["top"]}\ndate = "1944-06"\nengagement = "reconnaissance-in-force"'
    found = game(american, (), **{**MORE, "top": top, "german_more": german})
    troops = replace(found.state.setting.troops("german"), cohesion=17)
    sections = found.state.setting.sections
    found.state.setting.sections = replace(sections, sides={**sections.sides, "german": troops})
    found.stack = ()
    scripts(found, [18])
    found.push(AirPlan("german"))
    found.run()
    assert found.state.coordinators == {"german": 1}


@rule("12.3.3.3-avail")
def test_12_3_3_3_meeting_engagements_and_other_nations_have_no_teams() -> None:
    assert not rolling("meeting-engagement", []).state.coordinators
    found = made(
        FIELD[0], FIELD[1], soviet_more="aircraft = { soviet-union-polikarpov-po-2 = 1 }\ncoordinators_rolled = 1"
    )
    found.stack = ()
    scripts(found, [])
    found.push(AirPlan("soviet"))
    found.run()
    assert not found.state.coordinators


@rule("12.3.3.3-avail")
def test_12_3_3_3_a_stand_that_any_nation_has_does_not_tell_the_nation_of_a_force() -> None:
    top = f'{MORE["top"]}\ndate = "1943-06"\nengagement = "hasty-attack"'
    state = game([("all-mules-pack-horse", "5,5"), *FIELD[0]], (), **{**MORE, "top": top}).state
    assert no_teams(state, "german") is None


@rule("12.3.3.3-avail")
@pytest.mark.parametrize(
    ("kind", "date", "teams"),
    [
        ("us-marine-44", "1943-06", False),
        ("us-marine-44", "1943-07", True),
        ("us-infantry-42", "1944-06", False),
        ("us-infantry-42", "1944-07", True),
        ("uk-infantry-43", "1944-06", False),
        ("uk-infantry-43", "1944-07", True),
        ("ger-infantry-43", "1939-09", True),
        ("sov-infantry-43-45", "1945-05", False),
    ],
)
def test_12_3_3_3_the_months_from_which_a_force_may_have_teams(kind: str, date: str, teams: bool) -> None:
    top = f'{MORE["top"]}\ndate = "{date}"\nengagement = "hasty-attack"'
    state = game([(kind, "5,10")], (), **{**MORE, "top": top}).state
    assert (no_teams(state, "german") is None) is teams


def directing(turn: int = 2, **more: str) -> Game[Position]:
    """A joint plot phase of the Germans, whose first stand hosts a team; their Henschel arrives in turn 3."""
    found = made(**{"german_more": f"{MORE['german_more']}\ncoordinators = 1", **more})
    found.stack = ()
    state = found.state
    state.turn, state.initiative, state.teams, state.coordinators = turn, "german", ("german-1",), {"german": 1}
    state.planes[PLANE] = replace(state.planes[PLANE], arrives=3)
    found.push(JointPlot(""))
    found.run()
    return found


@rule("12.3.3.3-use")
def test_12_3_3_3_a_team_plots_the_first_attack_a_turn_before_arrival_and_the_second_in_that_turn() -> None:
    found = directing(2)
    found.play("german", DirectBombs("german-1", PLANE, (20000, 10000)))
    assert found.state.planes[PLANE].bombs == (Bomb((20000, 10000), 4),)
    found = directing(3)
    found.play("german", DirectBombs("german-1", PLANE, (20000, 10000)))
    assert found.state.planes[PLANE].bombs == (Bomb((20000, 10000), 5),)
    assert refused(directing(1), "german", DirectBombs("german-1", PLANE, (20000, 10000))) == "12.3.2"


@rule("12.3.3.3-use")
def test_12_3_3_3_the_team_sees_the_place_in_the_firing_or_movement_posture() -> None:
    terrain = 'areas = [{kind = "woods", points = "18,4 22,4 22,8 18,8"}]'
    found = directing(2, terrain=terrain)
    assert refused(found, "german", DirectBombs("german-1", PLANE, (24000, 3000))) == "6.3.1"
    assert refused(found, "german", DirectBombs("german-2", PLANE, (20000, 10000))) == "12.3.3.3-use"
    for posture, why in (("movement", ""), ("firing", ""), ("fire/move", "12.3.3.3-use")):
        stand(found.state, "german-1", posture=posture)
        assert refused(found, "german", DirectBombs("german-1", PLANE, (20000, 10000))) == why


def directions_offered(found: Game[Position]) -> list[Offer]:
    """The bomb attacks that the host of the team may plot."""
    offers = found.choices("german").of("german-1")
    return [each for each in offers if isinstance(each, Region | DirectBombs)]


@rule("12.3.3.3-use")
def test_12_3_3_3_a_team_that_sees_no_enemy_plots_bombs_on_any_place_that_it_sees() -> None:
    terrain = 'areas = [{kind = "woods", points = "8,0 12,0 12,30 8,30"}]'
    found = directing(2, terrain=terrain)
    (region,) = directions_offered(found)
    assert isinstance(region, Region)
    judge = partial(found.why_not, "german")
    assert region.offers(DirectBombs("german-1", PLANE, (6000, 10000)), judge)
    assert not region.offers(DirectBombs("german-1", PLANE, (20000, 10000)), judge)


@rule("12.3.3.3-use", "12.3.7")
def test_12_3_3_3_the_second_load_of_a_turn_is_offered_at_the_place_of_the_first_alone() -> None:
    found = directing(2)
    state = found.state
    state.planes[PLANE] = replace(state.planes[PLANE], bombs=(Bomb((10000, 12000), 4),))
    assert directions_offered(found) == [DirectBombs("german-1", PLANE, (10000, 12000))]


@rule("12.3.3.3-use")
def test_12_3_3_3_the_only_load_of_an_aircraft_is_plotted_the_turn_before_it_arrives() -> None:
    for turn, why in ((2, ""), (3, "12.3.3.3-use")):
        found = directing(turn)
        plane = found.state.planes[PLANE]
        found.state.planes[PLANE] = replace(plane, kind=charts().aircraft["germany-focke-wulf-fw-190-d-9"])
        assert refused(found, "german", DirectBombs("german-1", PLANE, (20000, 10000))) == why


@rule("12.3.3.3-use")
def test_12_3_3_3_with_the_last_team_the_strikes_that_have_not_arrived_are_cancelled() -> None:
    found = directing(2)
    eliminate(found, "german-1")
    settle(found)
    assert found.state.planes[PLANE].cancelled
    found = directing(3)
    eliminate(found, "german-1")
    settle(found)
    assert not found.state.planes[PLANE].cancelled


@rule("12.3.3.3-use")
def test_12_3_3_3_while_a_team_is_left_its_strikes_come() -> None:
    found = directing(2)
    found.state.teams = ("german-1", "german-2", "soviet-1")
    eliminate(found, "german-1")
    settle(found)
    assert (found.state.teams, found.state.planes[PLANE].cancelled) == (("german-2", "soviet-1"), False)
    eliminate(found, "german-2")
    settle(found)
    assert (found.state.teams, found.state.planes[PLANE].cancelled) == (("soviet-1",), True)


@rule("12.3.5", "12.1.5-2")
def test_12_1_5_a_stand_of_a_broken_force_that_an_aircraft_has_struck_may_fire() -> None:
    """Even a strike without effect counts, as this one with a 12."""
    found = attacking(3)
    unit = found.state.units["soviet-1"]
    assert only_in_defence(found.state, unit) is not None
    scripts(found, [5, 5, 6, 6])
    found.play("german", Strafe(PLANE, "soviet-1"))
    unit = found.state.units["soviet-1"]
    assert not unit.shaken
    assert only_in_defence(found.state, unit) is None


@rule("12.3.3.3-use")
def test_12_3_3_3_teams_are_hosted_like_observers() -> None:
    found = made(german_more=f"{MORE['german_more']}\ncoordinators = 1")
    found.stack = ()
    found.state.coordinators = {"german": 1}
    found.push(TeamHosts("german"))
    found.run()
    found.play("german", HostTeam("german-2"))
    assert found.state.teams == ("german-2",)
    assert refused(found, "german", HostTeam("german-1")) == "12.3.3.3-use"
    found.play("german", NoMoreTeams())


@rule("12.3.3.3-use", "7.6.4.1")
def test_12_3_3_3_stands_that_are_still_to_come_host_teams_as_well() -> None:
    coming = '[[sides.german.reinforcements]]\nturn = 2\nentry = ["2,15"]\nunits = { ger-infantry-43 = 1 }\n'
    coming += '[[sides.german.landings]]\nname = "Group"\nby = "glider"\nplace = "10,15"\nturn = 2\n'
    coming += 'conditions = "milk run"\nunits = { ger-infantry-43 = 1 }'
    found = made(german_more=f"{MORE['german_more']}\ncoordinators = 2\n{coming}")
    found.stack = ()
    found.state.coordinators = {"german": 2}
    found.push(TeamHosts("german"))
    found.run()
    assert {HostTeam("german-3"), HostTeam("german-4")} <= {*actions_of(found, HostTeam)}
    found.play("german", HostTeam("german-3"))
    found.play("german", HostTeam("german-4"))
    assert found.state.teams == ("german-3", "german-4")


@rule("12.1.5-4", "12.1.5.4")
def test_12_1_5_the_strikes_of_a_broken_side_are_cancelled_from_the_next_turn_on() -> None:
    found = attacking(3)
    found.state.broken["german"] = 3
    settle(found)
    assert refused(found, "german", Strafe(PLANE, "soviet-1")) == ""
    found.state.turn = 4
    settle(found)
    assert found.state.planes[PLANE].cancelled


# --- whole games --------------------------------------------------------------------------------------------------

TEXT = """
id = "raid"
ruleset = "micro-armour"
title = "A Raid"
turns = 5
first = "german"
options = ["12.3"]
date = "1944-08"
engagement = "hasty-attack"
victory = [{ side = "german", condition = "eliminate" }, { side = "soviet", condition = "eliminate" }]
[table]
size = [24, 18]
areas = [{ kind = "woods", points = "10,6 14,6 14,12 10,12" }]
[sides.german]
name = "Germans"
nation = "german"
facing = 90
cohesion = 15
coordinators = 1
aircraft = { germany-junkers-ju87-d-1-1 = 1, germany-junkers-ju87-b-1-stuka = 1 }
commands = [{ unit = "ger-infantry-43", rank = "GHQ" }]
units = [
    { unit = "ger-infantry-hq", at = ["4,9"] },
    { unit = "ger-infantry-43", count = 2, at = ["6,5", "6,13"] },
    { unit = "ger-flak-38-20mm-aag", at = ["5,11"] },
]
[sides.soviet]
name = "Soviets"
nation = "soviet"
facing = 270
cohesion = 13
aircraft = { soviet-union-petlyakov-pe-2 = 1 }
commands = [{ unit = "sov-infantry-39", rank = "GHQ" }]
units = [
    { unit = "sov-infantry-hq", at = ["20,9"] },
    { unit = "sov-infantry-39", count = 3, at = ["18,5", "18,13", "18,6"] },
    { unit = "sov-37mm-aag", at = ["19,11"] },
]
"""
CASE = contract.Case(RULESET, TEXT, most=20000, every=37)
OTHER = {"german": "soviet", "soviet": "german"}


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
def test_air_strikes_hold_to_the_contract(check: Callable[[contract.Case, int], None]) -> None:
    check(CASE, 1)


@rule("12.3.3.1", "12.3.3.2", "12.3.3.3-use")
@pytest.mark.parametrize("owner", ["german", "soviet"])
def test_12_3_3_the_other_side_cannot_tell_what_is_planned(owner: str) -> None:
    seen = play_all(Twins(CASE, (owner,), (OTHER[owner], SPECTATOR)), range(4), 150)
    assert seen["secret"] + seen["alone"] > 6, seen


@rule("12.3.3.2")
def test_12_3_3_a_bomb_is_a_marker_for_its_own_side_alone() -> None:
    found = directing(2)
    found.play("german", DirectBombs("german-1", PLANE, (20000, 10000)))
    places = {
        seat: [mark["place"] for mark in found.view(seat)["markers"] if mark["kind"] == "mission"]
        for seat in ("german", "soviet", SPECTATOR)
    }
    assert places == {"german": [(20000, 10000)], "soviet": [], SPECTATOR: []}
    assert [plane["arrives"] for plane in found.view("soviet")["planes"]] == [0]


def actions_of(found: Game[Position], kind: type[Action]) -> list[Action]:
    """The offers of a kind to the Germans now."""
    return [action for action in found.choices("german") if isinstance(action, kind)]


@rule("12.3.7", "12.3.6")
def test_12_3_the_phase_offers_runs_and_bombs() -> None:
    found = attacking(3, [(RIFLES, "20,10"), (RIFLES, "21,10")], bombs=(Bomb((20000, 10000), 3),))
    assert len(actions_of(found, Strafe)) == 4
    assert len(actions_of(found, DropBombs)) == 1


def test_a_button_names_the_stands_that_a_run_strafes() -> None:
    found = attacking(3, [(RIFLES, "20,10"), (RIFLES, "21,10")])
    first, second = Strafe(PLANE, "soviet-1"), Strafe(PLANE, "soviet-1", "soviet-2")
    words = [RULESET.label(found.state, action) for action in (first, second)]
    assert words == [
        "Henschel HS-129 B2 (1) 1 strafes Infantry '43-'45 1",
        "Henschel HS-129 B2 (1) 1 strafes Infantry '43-'45 1, then Infantry '43-'45 2",
    ]


@rule("12.3.5", "12.3.6", "7.6.1.2-direction")
def test_12_3_5_a_strike_shows_the_places_to_which_it_may_deviate() -> None:
    found = attacking(3)
    spread = RULESET.queries["spread"](found.sight("german"), "german", action=Strafe(PLANE, "soviet-1"))
    chances = {each["place"]: each["chance"] for each in spread}
    # Cohesion 15: on course up to 15 of 20; else 1D8 for the direction, and half of 1D6 inches.
    assert chances[20000, 10000] == pytest.approx(3 / 4)
    assert len(chances) == 1 + 8 * 3
    assert chances[20000, 7000] == chances[21000, 10000] == pytest.approx(1 / 4 / 3 / 8)
    assert sum(chances.values()) == pytest.approx(1)


@rule("12.3.5")
def test_12_3_5_a_deviation_tells_both_ends_of_its_way() -> None:
    found = attacking(3)
    scripts(found, [5, 16, 3, 5])  # it attacks and leaves its course: to the east, half of 5 inches
    events = found.play("german", Strafe(PLANE, "soviet-1"))
    (deviation,) = [event for event in events if event.kind == "deviation"]
    assert deviation.places == ((20000, 10000), (23000, 10000))
