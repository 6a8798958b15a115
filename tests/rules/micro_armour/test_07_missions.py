"""Indirect fire [7.6 to 7.8]: plots, calls, arrival, deviation, turns of fire, observers."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from msgspec.structs import replace

from opfire.core.actions import Action
from opfire.core.game import Game
from opfire.rulesets.micro_armour.alternation import Begin, Pass
from opfire.rulesets.micro_armour.artillery.coordinates import point_of
from opfire.rulesets.micro_armour.artillery.direct import FireDirect, ProtectiveFire
from opfire.rulesets.micro_armour.artillery.impacts import lift_markers
from opfire.rulesets.micro_armour.artillery.indirect import carry_out
from opfire.rulesets.micro_armour.artillery.missions import Mission
from opfire.rulesets.micro_armour.artillery.observers import (
    Host,
    MoveObserver,
    NoMoreObservers,
    ObserverHosts,
    cannot_observe,
)
from opfire.rulesets.micro_armour.artillery.phase import AddBattery, ArtilleryPhase, CarryOut
from opfire.rulesets.micro_armour.artillery.plotting import (
    Call,
    ConfirmCall,
    Correct,
    EndPlot,
    JointPlot,
    NameMission,
    PlotFire,
    Terminate,
)
from opfire.rulesets.micro_armour.artillery.preparing import (
    BarragePlot,
    Bombard,
    NoMoreMissions,
    Register,
    Registration,
    settle_batteries,
)
from opfire.rulesets.micro_armour.artillery.record import delay, plotter_lost, pre_registered_allowed
from opfire.rulesets.micro_armour.artillery.rolls import to_arrive, to_deviate
from opfire.rulesets.micro_armour.artillery.sheafs import Sheaf
from opfire.rulesets.micro_armour.artillery.writing import (
    Aim,
    AimFrom,
    AimPolar,
    ArriveLater,
    ChooseSheaf,
    ChooseSmoke,
    DropPlot,
    FireLonger,
    GroupWith,
)
from opfire.rulesets.micro_armour.pieces import Position
from rules.micro_armour.kit import GRENADIERS, RIFLES, STAFF, T34, game, position, refused, rule, scripts, stand

HOWITZERS, MORTARS, ROCKETS = "ger-105mm-ifh18-2", "ger-81mm-mortar-3", "ger-150mm-nebelwerfer-6"
AMERICAN = "us-105mm-m2a1-how-2"
FIELD = [(STAFF, "5,10"), (HOWITZERS, "3,20"), (GRENADIERS, "5,14")], [(RIFLES, "20,10"), (T34, "20,15")]
SPOT = (20000, 10000)


def plotting(
    german: Iterable[tuple[str, str]] = FIELD[0], soviet: Iterable[tuple[str, str]] = FIELD[1], **more: str
) -> Game[Position]:
    """A joint plot phase of turn 1 of twelve, in which the Germans have the initiative."""
    made = game(german, soviet, **{"turns": "12", **more})
    made.stack = ()
    made.state.turn, made.state.initiative = 1, "german"
    made.push(JointPlot(""))
    made.run()
    return made


def plots(made: Game[Position], *actions: Action) -> Mission:
    """Play German actions; return the mission that was written last."""
    for action in actions:
        made.play("german", action)
    return [*made.state.missions.values()][-1]


def firing(made: Game[Position], turn: int) -> None:
    """Go to the artillery phase of a turn, in which the Germans fire first."""
    made.stack = ()
    made.state.turn = turn
    for name in made.state.units:
        made.state.change(name, fired=False)
    made.push(ArtilleryPhase("german"))
    made.run()
    made.play("german", Begin("german"))


def written(made: Position, **values: object) -> Mission:
    """A support mission of the first German battery at the first Soviet stand, of an earlier turn, due in turn 3."""
    unit = next(unit for unit in made.units.values() if unit.kind.kind == "artillery" and unit.side == "german")
    about = {"batteries": (unit.id,), "stood": (unit.at,), "kind": "support", "plotted": 0, "due": 3, "duration": 1}
    sheaf = Sheaf(SPOT, 2, "open", "E")
    mission = Mission(id="german-fire-1", side="german", sheaf=sheaf, **{**about, **values})  # type: ignore[arg-type]
    made.missions[mission.id] = mission
    return mission


# --- the plot ---------------------------------------------------------------------------------------------------


@rule("7.6.2.1", "7.6-who", "7.6.3-fields", "4.0-5")
def test_7_6_2_1_a_headquarters_plots_support_that_arrives_after_the_delay_of_its_nation() -> None:
    made = plotting()
    mission = plots(made, PlotFire("german-2", "german-1"), Aim(SPOT))
    assert (mission.kind, mission.plotted, mission.due, mission.duration) == ("support", 1, 3, 1)
    assert mission.sheaf == Sheaf(SPOT, 2, "open", "N")


@rule("7.8.1-1", "7.8.1-2", "7.8.1-3")
@pytest.mark.parametrize(
    ("kind", "date", "turns"),
    [
        (AMERICAN, "1943-01", 1),
        ("uk-3-mortar-1", "1944-06", 1),
        ("uk-3-mortar-1", "1943-12", 2),
        (HOWITZERS, "1944-06", 2),
        ("sov-122mm-how-m-30-2", "1944-06", 3),
    ],
)
def test_7_8_1_fire_arrives_after_one_two_or_three_turns(kind: str, date: str, turns: int) -> None:
    made = position([(kind, "5,10")], top=f'date = "{date}"')
    assert delay(made, made.units["german-1"]) == turns


@rule("7.6.2.1", "7.6.4.2", "7.6.4.6")
def test_7_6_2_1_the_plotter_sees_every_place_of_the_sheaf() -> None:
    terrain = 'areas = [{kind = "woods", points = "19,12 21,12 21,18 19,18"}]'
    made = plotting(terrain=terrain)
    made.play("german", PlotFire("german-2", "german-1"))
    assert refused(made, "german", Aim((22000, 14000))) == "6.3.1"
    assert refused(made, "german", Aim(SPOT)) == ""


@rule("7.6.4.1")
def test_7_6_4_1_headquarters_and_hosts_of_observers_plot_and_others_do_not() -> None:
    made = plotting()
    assert refused(made, "german", PlotFire("german-2", "german-3")) == "7.6.4.1"
    made.state.observers["german-3"] = 0
    assert refused(made, "german", PlotFire("german-2", "german-3")) == ""
    stand(made.state, "german-1", rank="GHQ")
    assert refused(made, "german", PlotFire("german-2", "german-1")) == "7.6.4.1"


@rule("7.6.4.3")
@pytest.mark.parametrize("posture", ["firing", "movement", "fire/move"])
def test_7_6_4_3_the_host_is_in_any_posture(posture: str) -> None:
    made = plotting()
    unit = stand(made.state, "german-1", posture=posture)
    assert cannot_observe(made.state, "german", unit) is None


@rule("7.6-who")
def test_7_6_only_weapons_marked_i_fire_indirectly() -> None:
    made = plotting([(STAFF, "5,10"), ("ger-75mm-ig-3", "5,14")])
    assert refused(made, "german", PlotFire("german-2", "german-1")) == "7.6-who"


@rule("7.6.3-coords")
def test_7_6_3_the_place_is_written_in_whole_inches() -> None:
    made = plotting()
    mission = plots(made, PlotFire("german-2", "german-1"), Aim((20300, 9600)))
    assert mission.sheaf.at == SPOT


@rule("7.6.3-duration", "7.6.3-sheaf", "7.4.2.3-closed")
def test_7_6_3_turns_sheaf_and_ammunition_are_chosen() -> None:
    made = plotting()
    choices = ChooseSheaf("closed", "N"), ChooseSmoke(), ArriveLater(), FireLonger(), FireLonger()
    mission = plots(made, PlotFire("german-2", "german-1"), *choices, Aim(SPOT))
    assert (mission.sheaf.pattern, mission.smoke, mission.due, mission.until) == ("closed", True, 4, 6)


@rule("7.6-who")
@pytest.mark.parametrize(("plotter", "turn", "refusal"), [(1, 1, ""), (1, 11, "7.8.1"), (3, 1, "7.6.4.1")])
def test_7_6_indirect_fire_needs_a_plot_of_an_observer_in_time(plotter: int, turn: int, refusal: str) -> None:
    made = plotting()
    made.state.turn = turn
    assert refused(made, "german", PlotFire("german-2", f"german-{plotter}")) == refusal


@rule("7.8.1-2")
def test_7_8_1_nobody_plots_fire_for_an_earlier_turn() -> None:
    made = plotting()
    mission = plots(made, PlotFire("german-2", "german-1"), ArriveLater(), Aim(SPOT))
    assert mission.due == 4
    made.state.turn = 11
    assert refused(made, "german", PlotFire("german-2", "german-1")) == "7.8.1"


@rule("7.6.3-duration")
def test_7_6_3_no_fire_goes_on_after_the_last_turn() -> None:
    made = plotting(turns="4")
    for action in (PlotFire("german-2", "german-1"), FireLonger()):
        made.play("german", action)
    assert refused(made, "german", FireLonger()) == "7.6.3-duration"
    assert refused(made, "german", ArriveLater()) == "7.6.3-duration"


@rule("7.6.3-duration", "7.6.3-fields")
def test_7_6_3_fire_goes_on_up_to_the_next_mission_of_its_battery() -> None:
    made = plotting()
    written(made.state, due=5)
    for action in (PlotFire("german-2", "german-1"), FireLonger()):  # turns 3 and 4
        made.play("german", action)
    assert refused(made, "german", FireLonger()) == "7.6.3-fields"


@rule("7.6.3-fields")
def test_7_6_3_a_battery_has_one_mission_at_a_time_and_may_write_nothing_after_all() -> None:
    made = plotting()
    made.play("german", PlotFire("german-2", "german-1"))
    made.play("german", DropPlot())
    assert not made.state.missions
    plots(made, PlotFire("german-2", "german-1"), Aim(SPOT))
    second = plots(made, PlotFire("german-2", "german-1"), Aim(SPOT))
    assert second.due == 4


@rule("4.0-5")
def test_4_0_5_both_sides_plot_the_side_with_the_initiative_first() -> None:
    made = plotting(soviet=[("sov-infantry-hq", "20,10"), ("sov-122mm-how-m-30-2", "30,10")])
    made.play("german", EndPlot())
    assert made.deciders() == ("soviet",)
    made.play("soviet", EndPlot())
    assert not made.stack


@rule("7.4.9", "7.4.9.1")
def test_7_4_9_batteries_in_contact_and_of_one_formation_fire_as_one() -> None:
    formation = 'formations = [{name = "Battalion", units = { "ger-105mm-ifh18-2" = 2 }}]'
    german = [(STAFF, "5,10"), (HOWITZERS, "3,20"), (HOWITZERS, "3,21"), (HOWITZERS, "3,25")]
    made = plotting(german, german_more=formation)
    made.play("german", PlotFire("german-2", "german-1"))
    assert refused(made, "german", GroupWith("german-4")) == "7.4.9"
    mission = plots(made, GroupWith("german-3"), Aim(SPOT))
    assert mission.batteries == ("german-2", "german-3")
    assert mission.sheaf.markers == 4


@rule("7.4.9")
@pytest.mark.parametrize(("kind", "rule"), [(AMERICAN, ""), (HOWITZERS, "7.4.9")])
def test_7_4_9_all_american_batteries_off_the_map_may_be_grouped(kind: str, rule: str) -> None:
    made = plotting([(STAFF, "5,10")], german_more=f'off_map = {{ "{kind}" = 2 }}')
    made.play("german", PlotFire("german-2", "german-1"))
    assert refused(made, "german", GroupWith("german-3")) == rule


@rule("7.7.1")
def test_7_7_1_all_fire_from_off_the_map_is_indirect() -> None:
    made = plotting([(STAFF, "5,10")], german_more='off_map = { "ger-105mm-ifh18-2" = 1 }')
    assert refused(made, "german", PlotFire("german-2", "german-2")) == "7.7.1"
    assert refused(made, "german", PlotFire("german-2", "german-1")) == ""


@rule("7.7.3")
@pytest.mark.parametrize(("range_", "allowed"), [(20, True), (19, False)])  # 14 inches, and 13.3
def test_7_7_3_range_off_the_map_is_measured_exactly_from_the_own_edge(range_: int, allowed: bool) -> None:
    made = plotting([(STAFF, "5,10")], german_more='off_map = { "ger-81mm-mortar-1" = 1 }')
    mortar = made.state.units["german-2"]
    made.state.change(mortar.id, kind=replace(mortar.kind, he_range=range_, ap_range=range_))
    made.play("german", PlotFire("german-2", "german-1"))
    assert refused(made, "german", Aim((14000, 25000))) == ("" if allowed else "7.7.3")


# --- arrival and deviation --------------------------------------------------------------------------------------


@rule("7.6.1.1", "7.6.1.2-arrive", "7.6.1.2-deviate")
def test_7_6_1_2_fire_arrives_on_target_after_two_rolls() -> None:
    made = plotting()
    written(made.state)
    firing(made, 3)
    scripts(made, [15, 15, 6, 6])
    made.play("german", CarryOut("german-fire-1"))
    laid = [work.at for work in made.state.works.values()]
    assert laid == [SPOT, (21000, 10000)]


@rule("7.6.1.1")
def test_7_6_1_1_a_mission_fires_in_its_turn_only() -> None:
    made = plotting()
    written(made.state)
    for turn, expected in ((2, "7.6.1.1"), (3, ""), (4, "7.6.1.1")):
        firing(made, turn)
        assert refused(made, "german", CarryOut("german-fire-1")) == expected


@rule("7.6.1.2-arrive")
def test_7_6_1_2_fire_that_does_not_arrive_is_lost_and_the_battery_has_fired() -> None:
    made = plotting()
    written(made.state)
    firing(made, 3)
    scripts(made, [16])
    made.play("german", CarryOut("german-fire-1"))
    assert not made.state.works
    assert made.state.units["german-2"].fired
    firing(made, 4)
    assert refused(made, "german", CarryOut("german-fire-1")) == "7.6.1.1"


@rule("7.6.1.2-direction")
def test_7_6_1_2_fire_off_target_deviates_by_1d8_and_half_of_1d8() -> None:
    made = plotting()
    written(made.state)
    firing(made, 3)
    action = CarryOut("german-fire-1")
    spread = made.ruleset.queries["spread"](made.sight("german"), "german", action=action)
    chances = {each["place"]: each["chance"] for each in spread}
    # On target up to 15 of 20; else one of eight directions and 1 to 4 inches, all equally likely.
    assert chances[20000, 10000] == pytest.approx(3 / 4)
    assert chances[23000, 10000] == chances[20000, 6000] == pytest.approx(1 / 4 / 8 / 4)
    assert len(chances) == 1 + 8 * 4
    scripts(made, [15, 16, 3, 5])  # to the east, 5 / 2 rounded up: 3 inches; the sheaf keeps its pattern
    events = made.play("german", action)
    assert [event.places for event in events if event.kind == "deviation"] == [((20000, 10000), (23000, 10000))]
    assert [work.at for work in made.state.works.values()] == [(23000, 10000), (24000, 10000)]


@rule("7.6.1.1", "7.4.2.1-markers")
def test_7_6_1_1_what_is_shown_of_a_mission_is_that_of_the_batteries_that_are_left() -> None:
    """The suppressed one of two batteries is lost: its markers fall no more, and its state counts no more."""
    made = plotting([(STAFF, "5,10"), (HOWITZERS, "3,20"), (MORTARS, "8,14")])
    second = stand(made.state, "german-3", suppressed=True)
    mission = written(made.state)
    both = replace(mission, batteries=("german-2", "german-3"), stood=(*mission.stood, second.at))
    made.state.missions[mission.id] = replace(both, sheaf=mission.sheaf._replace(markers=5))
    firing(made, 3)
    queries, action = made.ruleset.queries, CarryOut(mission.id)

    def shown() -> tuple[float, int]:
        sight = made.sight("german")
        spread = queries["spread"](sight, "german", action=action)
        squares = [each for each in made.view("german")["markers"] if each["kind"] == "mission"]
        return spread[0]["chance"], len(squares)

    assert shown() == (pytest.approx(11 / 20), 5)
    made.state.lift("german-3", "eliminated")
    assert shown() == (pytest.approx(15 / 20), 2)


@rule("7.6.1.2-direction", "7.6.1.2-deviate")
def test_7_6_1_2_rockets_deviate_by_1d6_and_have_no_help_of_registration() -> None:
    made = plotting([(STAFF, "5,10"), (ROCKETS, "3,20")])
    unit = made.state.units["german-2"]
    mission = Mission(
        id="german-fire-1",
        side="german",
        kind="pre-registered",
        batteries=("german-2",),
        stood=(unit.at,),
        sheaf=Sheaf((20000, 20000), 6, "open", "S"),
        plotted=1,
        due=3,
    )
    made.state.missions[mission.id] = mission
    assert to_arrive(made.state, mission, ("german-2",)).modifier == -2
    assert to_deviate(made.state, unit, mission).modifier == 0
    firing(made, 3)
    scripts(made, [15, 16, 3, 6])
    made.play("german", CarryOut("german-fire-1"))
    assert min(work.at for work in made.state.works.values()) == (26000, 20000)


@rule("7.6.2.2-mod")
def test_7_6_2_2_a_pre_registered_mission_helps_both_rolls() -> None:
    made = plotting().state
    mission, unit = written(made, kind="pre-registered"), made.units["german-2"]
    assert (to_arrive(made, mission, ("german-2",)).modifier, to_deviate(made, unit, mission).modifier) == (-2, -2)
    support = written(made)
    assert (to_arrive(made, support, ("german-2",)).modifier, to_deviate(made, unit, support).modifier) == (0, 0)


@rule("7.6.1.2-arrive", "7.4.1")
def test_7_6_1_2_the_states_of_the_battery_modify_its_rolls() -> None:
    made = plotting().state
    mission, unit = written(made), stand(made, "german-2", suppressed=True, disorganized=True)
    assert to_arrive(made, mission, ("german-2",)).modifier == 7
    assert to_deviate(made, unit, mission).modifier == 7


@rule("7.4.11", "7.6.2.2-move")
def test_7_4_11_a_battery_that_has_moved_since_the_plot_does_not_fire() -> None:
    made = plotting()
    written(made.state)
    made.state.put("german-2", (4000, 20000))
    firing(made, 3)
    scripts(made, [])
    made.play("german", CarryOut("german-fire-1"))
    assert not made.state.works


@rule("7.6.1.1")
def test_7_6_1_1_missions_that_nobody_has_tried_are_carried_out_at_the_end() -> None:
    made = plotting()
    written(made.state)
    firing(made, 3)
    scripts(made, [15, 15, 6, 6])
    made.play("german", Pass())
    made.play("soviet", Pass())
    assert made.state.works


@rule("7.6.1.1")
@pytest.mark.parametrize(("first", "second"), [("german", "soviet"), ("soviet", "german")])
def test_R43_missions_that_nobody_has_tried_fall_in_the_order_of_initiative(first: str, second: str) -> None:
    made = plotting(soviet=[("sov-122mm-how-m-30-2", "30,10")])
    mission = written(made.state, due=1)
    made.state.missions["soviet-fire-1"] = replace(
        mission, id="soviet-fire-1", side="soviet", batteries=("soviet-1",), stood=((30000, 10000),)
    )
    made.state.initiative = first
    made.stack = ()
    made.push(ArtilleryPhase(""))
    made.run()
    scripts(made, [20, 20])
    made.play(first, Begin(first))
    made.play(first, Pass())
    told = made.play(second, Pass())
    fired = [event.units for event in told if event.kind == "revealed"]
    assert fired == [(made.state.missions[f"{side}-fire-1"].batteries) for side in (first, second)]


@rule("7.6.2.4-effect")
def test_7_6_2_4_a_barrage_that_does_not_arrive_comes_a_turn_later() -> None:
    made = plotting()
    written(made.state, kind="barrage")
    firing(made, 3)
    scripts(made, [16])
    made.play("german", CarryOut("german-fire-1"))
    assert made.state.missions["german-fire-1"].due == 4


# --- turns of fire ----------------------------------------------------------------------------------------------


@rule("7.6.5.1", "7.6.5.2-keep", "7.6.5.4", "7.6.3-duration")
def test_7_6_5_fire_of_several_turns_goes_on_where_it_fell_without_rolls() -> None:
    made = plotting()
    written(made.state, duration=2)
    firing(made, 3)
    scripts(made, [15, 16, 3, 5])
    made.play("german", CarryOut("german-fire-1"))
    lift_markers(made.state)
    assert len(made.state.works) == 2  # they stay between the turns
    firing(made, 4)
    scripts(made, [])
    made.play("german", CarryOut("german-fire-1"))
    assert [work.at for work in made.state.works.values()] == [(23000, 10000), (24000, 10000)]
    lift_markers(made.state)
    assert not made.state.works


@rule("7.6.5.2-correct")
def test_7_6_5_2_an_observer_that_sees_a_marker_brings_fire_to_its_plotted_place() -> None:
    made = plotting()
    written(made.state, drift=(3000, 0), due=1, duration=3)
    scripts(made, [15])
    made.play("german", Correct("german-1", "german-fire-1"))
    firing(made, 2)
    scripts(made, [6, 6])
    made.play("german", CarryOut("german-fire-1"))
    assert min(work.at for work in made.state.works.values()) == SPOT


@rule("7.6.5.2-correct")
def test_7_6_5_2_nobody_corrects_fire_that_is_on_target_or_not_seen() -> None:
    terrain = 'areas = [{kind = "woods", points = "10,8 12,8 12,12 10,12"}]'
    made = plotting(terrain=terrain)
    written(made.state, drift=(0, 0), due=1, duration=3)
    assert refused(made, "german", Correct("german-1", "german-fire-1")) == "7.6.5.2-correct"
    written(made.state, drift=(3000, 0), due=1, duration=3)
    assert refused(made, "german", Correct("german-1", "german-fire-1")) == "6.3.1"


@rule("7.6.5.2-correct")
@pytest.mark.parametrize(("duration", "refusal"), [(1, "7.6.5.2-correct"), (2, "")])
def test_7_6_5_2_nobody_corrects_fire_in_its_last_turn(duration: int, refusal: str) -> None:
    made = plotting()
    written(made.state, drift=(3000, 0), due=1, duration=duration)
    assert refused(made, "german", Correct("german-1", "german-fire-1")) == refusal


@rule("7.6.5.3")
@pytest.mark.parametrize(("number", "ends"), [(15, True), (16, False)])
def test_7_6_5_3_a_roll_ends_a_mission_to_come(number: int, ends: bool) -> None:
    made = plotting()
    written(made.state)
    scripts(made, [number])
    made.play("german", Terminate("german-1", "german-fire-1"))
    firing(made, 3)
    assert (refused(made, "german", CarryOut("german-fire-1")) == "7.6.1.1") is ends


@rule("7.6.5.3")
def test_7_6_5_3_a_mission_that_fires_stops_in_the_next_turn() -> None:
    made = plotting()
    written(made.state, due=1, duration=3, drift=(0, 0), done=1)
    scripts(made, [15])
    made.play("german", Terminate("german-1", "german-fire-1"))
    assert made.state.missions["german-fire-1"].until == 1


@rule("7.6.2.4-stop")
def test_7_6_2_4_a_barrage_is_stopped_by_somebody_who_sees_a_marker_of_it() -> None:
    made = plotting()
    written(made.state, kind="barrage")
    assert refused(made, "german", Terminate("german-1", "german-fire-1")) == "7.6.2.4-stop"
    written(made.state, kind="barrage", due=1, duration=3, drift=(0, 0), done=1)
    assert refused(made, "german", Terminate("german-1", "german-fire-1")) == ""


# --- missions from before the game ------------------------------------------------------------------------------

DEFENCE = 'engagement = "prepared-assault"\ndefender = "german"'


@rule("7.6.2.2-count")
@pytest.mark.parametrize(
    ("top", "batteries", "cohesion", "missions"),
    [
        ('engagement = "reconnaissance-in-force"\ndefender = "german"', 3, 12, 1),
        ('engagement = "reconnaissance-in-force"\ndefender = "german"', 3, 13, 2),
        (DEFENCE, 3, 17, 4),
        (DEFENCE, 5, 12, 2),
        ('engagement = "meeting-engagement"\ndefender = "german"', 3, 17, 0),
        ('engagement = "prepared-assault"\ndefender = "soviet"', 3, 17, 0),
    ],
)
def test_7_6_2_2_the_defender_has_missions_by_batteries_type_and_cohesion(
    top: str, batteries: int, cohesion: int, missions: int
) -> None:
    made = position(top=top, german_more=f'off_map = {{ "ger-105mm-ifh18-2" = {batteries} }}')
    sections = made.setting.sections
    sides = {**sections.sides, "german": replace(sections.sides["german"], cohesion=cohesion)}
    made.setting.sections = replace(sections, sides=sides)
    assert pre_registered_allowed(made, "german") == missions


@rule("7.6.2.2-set", "7.6.2.2-call")
def test_7_6_2_2_a_registered_mission_is_called_for_the_next_turn() -> None:
    made = plotting(top=DEFENCE)
    made.push(Registration("german"))
    made.run()
    made.play("german", Register("german-2", "Target 1"))
    made.play("german", Aim(SPOT))
    assert refused(made, "german", Register("german-2", "Target 1")) == "7.6.2.2-set"
    made.play("german", NoMoreMissions())
    mission = [*made.state.missions.values()][-1]
    assert (mission.kind, mission.name, mission.due) == ("pre-registered", "Target 1", 0)
    for action in (Call("german-1", mission.id), FireLonger(), FireLonger(), ConfirmCall()):
        made.play("german", action)
    assert refused(made, "german", Call("german-1", mission.id)) == "7.6.2.2-call"
    assert (made.state.missions[mission.id].due, made.state.missions[mission.id].until) == (2, 4)


@rule("7.6.2.2-call")
@pytest.mark.parametrize(("turns", "refusal"), [("4", "7.6.3-duration"), ("12", "7.6.3-fields")])
def test_7_6_2_2_a_call_lasts_to_the_last_turn_or_to_the_next_mission(turns: str, refusal: str) -> None:
    made = plotting(turns=turns)
    called = written(made.state, kind="pre-registered", due=0)
    made.state.missions["german-fire-2"] = replace(called, id="german-fire-2", kind="support", due=5)
    for action in (Call("german-1", called.id), FireLonger(), FireLonger()):  # turns 2 to 4
        made.play("german", action)
    assert refused(made, "german", FireLonger()) == refusal


@rule("7.6.2.2-call")
def test_7_6_2_2_the_caller_sees_one_place_at_least() -> None:
    terrain = 'areas = [{kind = "woods", points = "10,8 12,8 12,12 10,12"}]'
    made = plotting(terrain=terrain)
    mission = written(made.state, kind="pre-registered", due=0)
    assert refused(made, "german", Call("german-1", mission.id)) == "6.3.1"
    made.state.put("german-1", (5000, 6000))
    assert refused(made, "german", Call("german-1", mission.id)) == ""


@rule("7.6.2.2-call")
@pytest.mark.parametrize(("second", "refusal"), [("Def 1", ""), ("Road 1", "6.3.1")])
def test_7_6_2_2_one_place_of_any_line_of_the_mission_is_enough(second: str, refusal: str) -> None:
    """In the third example three batteries have a line each in "Def 1", and one call is for all of them."""
    made = plotting(terrain='areas = [{kind = "woods", points = "10,8 12,8 12,12 10,12"}]')
    hidden = written(made.state, kind="pre-registered", name="Def 1", due=0)
    seen = replace(hidden, id="german-fire-2", name=second, sheaf=hidden.sheaf._replace(at=(5000, 15000)))
    made.state.missions[seen.id] = seen
    assert refused(made, "german", Call("german-1", seen.id)) == ""
    assert refused(made, "german", Call("german-1", hidden.id)) == refusal


@rule("7.6.2.3")
@pytest.mark.parametrize(("right", "kind"), [(4, "adjusted"), (5, "support")])
def test_7_6_2_3_a_mission_within_four_inches_of_registered_coordinates_is_an_adjusted_one(
    right: int, kind: str
) -> None:
    # The book's example 4: "ROAD 1, +4 WEST, +1 NORTH". It has the delay of its nation and no help on its rolls.
    made = plotting()
    registered = written(made.state, kind="pre-registered", due=0)
    mission = plots(made, PlotFire("german-2", "german-1"), Aim((SPOT[0] - right * 1000, SPOT[1] - 1000)))
    assert (registered.id != mission.id, mission.kind, mission.due) == (True, kind, 3)
    assert to_arrive(made.state, mission, ("german-2",)).modifier == 0


BEFORE = {"top": 'options = ["R148"]'}


@rule("7.3.6-arc", "7.6.2.1", "WD.R")
@pytest.mark.parametrize(("facing", "more", "refusal"), [(270, {}, ""), (270, BEFORE, "7.3.6-arc"), (60, BEFORE, "")])
def test_R148_a_battery_with_a_restricted_field_of_fire_takes_missions_all_around_or_before_its_front(
    facing: int, more: dict[str, str], refusal: str
) -> None:
    made = plotting(**more)
    made.state.change("german-2", facing=facing)
    made.play("german", PlotFire("german-2", "german-1"))
    assert refused(made, "german", Aim(SPOT)) == refusal


@rule("7.3.6-arc", "7.6.1.1", "WD.R")
@pytest.mark.parametrize(("more", "falls"), [({}, True), (BEFORE, False)])
def test_R148_by_the_other_reading_a_battery_that_has_turned_away_does_not_fire_its_mission(
    more: dict[str, str], falls: bool
) -> None:
    made = plotting(**more)
    written(made.state)
    made.state.change("german-2", facing=270)
    firing(made, 3)
    scripts(made, [1, 1, 6, 6] if falls else [])
    made.play("german", CarryOut("german-fire-1"))
    assert bool(made.state.works) is falls


@rule("7.6.2.4-plot")
@pytest.mark.parametrize(
    ("engagement", "rule"),
    [
        ("prepared-assault", ""),
        ("delaying-action", ""),
        ("meeting-engagement", "7.6.2.4-plot"),
        ("hasty-attack", "7.6.2.4-plot"),
    ],
)
def test_7_6_2_4_barrages_are_for_some_scenarios(engagement: str, rule: str) -> None:
    made = plotting(top=f'engagement = "{engagement}"')
    made.stack = (BarragePlot("german"),)
    assert refused(made, "german", Bombard("german-2")) == rule


@rule("7.6.2.4-plot")
def test_7_6_2_4_a_barrage_is_plotted_unseen_for_turn_1() -> None:
    terrain = 'areas = [{kind = "woods", points = "10,2 12,2 12,28 10,28"}]'
    made = plotting(top=DEFENCE, terrain=terrain)
    made.state.turn = 0
    made.push(BarragePlot("german"))
    made.run()
    mission = plots(made, Bombard("german-2"), Aim(SPOT))
    assert (mission.kind, mission.due, mission.plotter) == ("barrage", 1, "")
    settle_batteries(made.state)
    assert made.state.missions[mission.id].stood == ((3000, 20000),)


@rule("7.6.2.4-plot", "7.9.2")
@pytest.mark.parametrize(("turns", "refusal"), [(0, "7.9.2"), (1, "")])
def test_7_6_2_4_one_turn_of_bought_fire_is_enough_for_a_barrage(turns: int, refusal: str) -> None:
    made = plotting([(STAFF, "5,10")], german_more=BOUGHT, top=DEFENCE)
    stand(made.state, "german-2", allotted=turns)
    made.stack = (BarragePlot("german"),)
    assert refused(made, "german", Bombard("german-2")) == refusal


@rule("7.6.2.4-plot")
@pytest.mark.parametrize(("setup", "first"), [("", "german"), ('setup = ["soviet", "german"]', "soviet")])
def test_7_6_2_4_barrages_are_written_in_the_order_of_set_up(setup: str, first: str) -> None:
    soviet = 'off_map = { "sov-122mm-how-m-30-2" = 1 }'
    made = game(
        [(STAFF, "5,10")], [(RIFLES, "20,10")], top=f"{DEFENCE}\n{setup}", german_more=OFF_MAP, soviet_more=soviet
    )
    made.run()
    assert isinstance(made.stack[-1], BarragePlot)
    assert made.deciders() == (first,)


# --- observers --------------------------------------------------------------------------------------------------


@rule("7.6.4.1")
def test_7_6_4_1_observers_are_given_hosts_before_the_game() -> None:
    made = plotting(german_more="observers = 1")
    made.push(ObserverHosts("german"))
    made.run()
    made.play("german", Host("german-3"))
    assert refused(made, "german", Host("german-1")) == "7.6.4.1"
    made.play("german", NoMoreObservers())
    assert cannot_observe(made.state, "german", made.state.units["german-3"]) is None


@rule("7.6.4.1")
def test_7_6_4_1_a_stand_that_is_still_to_come_hosts_an_observer() -> None:
    """Any stand hosts one; it is named before play begins, and observes once its stand is on the table."""
    coming = '[[sides.german.reinforcements]]\nturn = 1\nentry = ["2,15"]\nunits = { ger-infantry-43 = 1 }'
    made = plotting(FIELD[0][:2], german_more=f"observers = 1\n{coming}", soviet_more="")
    made.push(ObserverHosts("german"))
    made.run()
    made.play("german", Host("german-3"))
    made.play("german", NoMoreObservers())
    arriving = made.state.units["german-3"]
    assert cannot_observe(made.state, "german", arriving) is not None
    arriving = made.state.put("german-3", (2000, 15000))
    assert cannot_observe(made.state, "german", arriving) is None


@rule("7.6.4.1", "8.10.2.1")
def test_7_6_4_1_a_glider_that_is_still_to_come_hosts_an_observer() -> None:
    group = '[[sides.german.landings]]\nname = "Group"\nby = "glider"\nplace = "10,15"\nturn = 2\n'
    group += 'conditions = "milk run"\nunits = { ger-infantry-43 = 1 }'
    made = plotting(german_more=f"observers = 1\n{group}")
    made.push(ObserverHosts("german"))
    made.run()
    made.play("german", Host("german-4"))
    assert made.state.observers == {"german-4": 0}


@rule("7.6.4.1")
def test_7_6_4_1_a_general_headquarters_neither_hosts_an_observer_nor_is_one() -> None:
    made = plotting(german_more="observers = 1")
    general = stand(made.state, "german-1", rank="GHQ")
    made.push(ObserverHosts("german"))
    made.run()
    assert refused(made, "german", Host("german-1")) == "7.6.4.1"
    made.state.observers["german-1"] = 0  # it has hosted one since it was a headquarters
    assert cannot_observe(made.state, "german", general) is not None


@rule("7.6.4.4")
def test_7_6_4_4_no_observer_goes_to_a_stand_off_the_table() -> None:
    coming = '[[sides.german.reinforcements]]\nturn = 2\nentry = ["2,15"]\nunits = { ger-infantry-43 = 1 }'
    made = plotting(german_more=coming)
    made.state.observers["german-3"] = 0
    assert refused(made, "german", MoveObserver("german-3", "german-4")) == "procedure"


@rule("7.6.4.1")
def test_7_6_4_1_the_other_side_knows_neither_hosts_nor_missions() -> None:
    made = plotting().state
    made.observers["german-3"] = 0
    written(made)
    assert (made.known_to("soviet").observers, made.known_to("soviet").missions) == ({}, {})
    assert (made.known_to("").observers, made.known_to("").missions) == ({}, {})
    assert set(made.known_to("german").observers) == {"german-3"}
    assert set(made.known_to("german").missions) == {"german-fire-1"}


@rule("7.6.4.4")
def test_7_6_4_4_an_observer_on_its_way_plots_in_neither_turn() -> None:
    made = plotting([*FIELD[0], (GRENADIERS, "5,15")])
    made.state.observers["german-3"] = 0
    made.play("german", MoveObserver("german-3", "german-4"))
    unit = made.state.units["german-4"]
    found = []
    for turn in (1, 2, 3):
        made.state.turn = turn
        refusal = cannot_observe(made.state, "german", unit)
        found.append(refusal.rule if refusal else "")
    assert found == ["7.6.4.4", "7.6.4.4", ""]
    assert refused(made, "german", MoveObserver("german-1", "german-3")) == "7.6.4.4"


@rule("7.6.4.4")
def test_7_6_4_4_an_observer_that_has_plotted_does_not_leave_in_the_same_turn() -> None:
    """ "During these two turns of transition, it may not plot"; a headquarters that hosts it has an eye of its own."""
    made = plotting([*FIELD[0], (GRENADIERS, "5,15")])
    made.state.observers["german-3"] = made.state.observers["german-1"] = 0
    plots(made, PlotFire("german-2", "german-3"), Aim(SPOT))
    assert refused(made, "german", MoveObserver("german-3", "german-4")) == "7.6.4.4"
    assert refused(made, "german", MoveObserver("german-1", "german-4")) == ""


@rule("7.6.4.4", "7.5.2")
def test_7_6_4_4_direct_fire_that_its_host_plots_keeps_no_observer_back() -> None:
    made = plotting([*FIELD[0], (GRENADIERS, "3,21")])
    made.state.observers["german-2"] = 0
    plots(made, PlotFire("german-2", "german-2"), Aim((20000, 18000)))
    assert refused(made, "german", MoveObserver("german-2", "german-4")) == ""


@rule("7.6.4.5")
def test_7_6_4_5_a_plot_is_cancelled_if_its_plotter_is_eliminated_in_that_turn() -> None:
    made = plotting()
    mission = plots(made, PlotFire("german-2", "german-1"), Aim(SPOT))
    made.state.lift("german-1", "eliminated")
    plotter_lost(made)
    assert made.state.missions[mission.id].duration == 0


# --- final protective fire, direct plots, American batteries -----------------------------------------------------


@rule("7.6.1.5")
@pytest.mark.parametrize(("number", "fires"), [(13, True), (14, False)])
def test_7_6_1_5_a_battery_leaves_its_mission_for_final_protective_fire(number: int, fires: bool) -> None:
    made = plotting([(STAFF, "5,10"), (HOWITZERS, "5,14")])
    written(made.state)
    firing(made, 3)
    assert refused(made, "german", FireDirect("german-2", SPOT, "closed", "N")) == "7.6.1.5"
    scripts(made, [number])  # cohesion 15, with +2
    made.play("german", ProtectiveFire("german-2"))
    shot = FireDirect("german-2", SPOT, "closed", "N")
    assert made.state.units["german-2"].fired is not fires
    if fires:
        scripts(made, [15, 6, 6, 6, 6])
        made.play("german", shot)
        assert made.state.works
    firing(made, 3)
    assert refused(made, "german", CarryOut("german-fire-1")) == "7.6.1.1"


@rule("7.5.2")
def test_7_5_2_direct_fire_is_plotted_for_the_next_turn() -> None:
    made = plotting([(STAFF, "5,10"), (HOWITZERS, "5,14")])
    mission = plots(made, PlotFire("german-2", "german-2"), Aim((20000, 12000)))
    assert (mission.kind, mission.due) == ("direct", 2)
    firing(made, 2)
    scripts(made, [15])
    made.play("german", CarryOut(mission.id))
    assert len(made.state.works) == 2


@rule("7.5.1", "7.5.2")
@pytest.mark.parametrize(
    ("facing", "reach", "trees", "falls"),
    [(90, 84, 25, 2), (270, 84, 25, 0), (90, 12, 25, 0), (90, 84, 10, 0)],
)
def test_7_5_1_plotted_direct_fire_falls_if_its_battery_sees_and_reaches_the_place(
    facing: int, reach: int, trees: int, falls: int
) -> None:
    """Each of the others fails alone: it has turned away, has not the range, or has trees before it."""
    woods = f'areas = [{{kind = "woods", points = "{trees},11 {trees + 2},11 {trees + 2},13 {trees},13"}}]'
    made = plotting([(STAFF, "5,2"), (HOWITZERS, "5,12")], [(T34, "30,25")], terrain=woods)
    unit = made.state.units["german-2"]
    stand(made.state, "german-2", facing=facing, kind=replace(unit.kind, he_range=reach, ap_range=reach))
    mission = written(made.state, kind="direct")
    made.state.missions[mission.id] = replace(mission, sheaf=Sheaf((20000, 12000), 2, "open", "S"))
    firing(made, 3)
    scripts(made, [15] if falls else [])
    made.play("german", CarryOut(mission.id))
    assert len(made.state.works) == falls


@rule("7.8.3")
def test_7_8_3_an_american_battery_joins_a_mission_with_plus_2() -> None:
    made = plotting([(STAFF, "5,10"), (AMERICAN, "3,20"), (AMERICAN, "3,23"), (HOWITZERS, "3,26")])
    mission = written(made.state)
    firing(made, 3)
    assert to_arrive(made.state, mission, ("german-3",)).modifier == 2
    assert refused(made, "german", AddBattery("german-4", mission.id)) == "7.8.3"
    scripts(made, [13, 15, 6, 6])
    made.play("german", AddBattery("german-3", mission.id))
    assert {work.battery for work in made.state.works.values()} == {"german-3"}
    assert {work.at for work in made.state.works.values()} == {SPOT, (21000, 10000)}


@rule("7.8.3")
def test_7_8_3_a_battery_off_the_map_joins_a_barrage_of_the_first_turn() -> None:
    made = plotting(FIELD[0][:2], german_more=f'off_map = {{ "{AMERICAN}" = 1 }}')
    mission = written(made.state, kind="barrage", due=1)
    firing(made, 1)
    assert AddBattery("german-3", mission.id) in [*made.choices("german")]


@rule("7.8.3", "7.6.1.1")
@pytest.mark.parametrize(("number", "refusal"), [(13, ""), (16, "7.8.3")])
def test_7_8_3_a_battery_joins_a_mission_of_this_turn_that_has_been_carried_out_but_none_that_did_not_arrive(
    number: int, refusal: str
) -> None:
    """It may be added "to any plotted or called fire mission scheduled for the current turn"."""
    made = plotting([(STAFF, "5,10"), (AMERICAN, "3,20"), (AMERICAN, "3,23")])
    mission = written(made.state)
    firing(made, 3)
    scripts(made, [number, 15, 6, 6, 6, 6])
    made.play("german", CarryOut(mission.id))
    while made.deciders() != ("german",):
        made.play("soviet", Pass())
    assert refused(made, "german", CarryOut(mission.id)) == "7.6.1.1"
    assert refused(made, "german", AddBattery("german-3", mission.id)) == refusal


@rule("7.6.3-coords")
def test_7_6_3_example_1_first_marker_of_the_second_battery_is_at_10_16() -> None:
    made = plotting().state
    assert point_of(made.setting, "german", 10, 16) == (16000, 10000)


def test_a_mission_of_nobody_is_carried_out_by_nobody() -> None:
    made = plotting()
    written(made.state)
    made.state.lift("german-2", "eliminated")
    made.state.turn = 3
    carry_out(made, "german-fire-1")
    assert not made.state.works


@rule("7.6.3-fields")
def test_7_6_3_its_own_side_sees_the_places_of_its_missions() -> None:
    made = plotting()
    written(made.state)
    found = {
        seat: [marker["place"] for marker in made.view(seat)["markers"] if marker["kind"] == "mission"]
        for seat in ("german", "soviet")
    }
    assert found == {"german": [SPOT, (21000, 10000)], "soviet": []}


# --- more ways to write a mission -------------------------------------------------------------------------------


def registered(made: Position, at: tuple[int, int] = (28000, 13000)) -> Mission:
    """A pre-registered mission of the first battery, named as in the fourth example."""
    mission = written(made, kind="pre-registered", name="Road 1", due=0)
    made.missions[mission.id] = replace(mission, sheaf=mission.sheaf._replace(at=at))
    return made.missions[mission.id]


@rule("7.6.3-relative", "7.6.2.3")
def test_7_6_3_example_4_a_place_is_written_from_a_registered_one() -> None:
    # "ROAD 1, +4 WEST, +1 NORTH"
    made = plotting()
    registered(made.state)
    mission = plots(made, PlotFire("german-2", "german-1"), AimFrom("Road 1", -4, 1))
    assert (mission.kind, mission.sheaf.at) == ("adjusted", (24000, 12000))


@rule("7.6.3-relative")
def test_7_6_3_five_inches_east_of_hill_324_by_the_compass_of_the_table() -> None:
    made = plotting(top="north = 270")  # north is to the left on the table: east is up
    registered(made.state)
    mission = plots(made, PlotFire("german-2", "german-1"), AimFrom("Road 1", 5, 0))
    assert mission.sheaf.at == (28000, 8000)


@rule("7.6.3-relative")
def test_7_6_3_only_registered_places_are_named_and_the_observer_sees_the_place() -> None:
    made = plotting(top="sight = 25")
    registered(made.state)
    made.play("german", PlotFire("german-2", "german-1"))
    assert refused(made, "german", AimFrom("Road 2", 1, 0)) == "7.6.3-relative"
    assert refused(made, "german", AimFrom("Road 1", 5, 0)) == "6.4.1"
    assert any(isinstance(action, AimFrom) for action in made.choices("german"))


POLAR = {"top": 'options = ["12.13"]'}


@rule("12.13")
def test_12_13_a_polar_plot_is_so_many_inches_from_the_observer() -> None:
    made = plotting(**POLAR)
    mission = plots(made, PlotFire("german-2", "german-1"), AimPolar(8, "E"))
    assert (mission.sheaf.at, mission.polar) == ((13000, 10000), (5000, 10000))
    made = plotting(**POLAR)
    mission = plots(made, PlotFire("german-2", "german-1"), AimPolar(8, "SE"))
    assert mission.sheaf.at == (10656, 15656)


@rule("12.13")
def test_12_13_it_is_cancelled_if_the_observer_has_moved() -> None:
    for moved in (False, True):
        made = plotting(**POLAR)
        plots(made, PlotFire("german-2", "german-1"), AimPolar(8, "E"))
        if moved:
            made.state.put("german-1", (5000, 8000))
        firing(made, 3)
        scripts(made, [] if moved else [1, 1])
        made.play("german", CarryOut("german-fire-1"))
        assert bool(made.state.works) is not moved


@rule("12.13", "7.6.4.5")
@pytest.mark.parametrize(("after", "falls"), [("lost", True), ("away", False), ("elsewhere", False), ("there", True)])
def test_12_13_a_lost_observer_has_not_moved_but_one_with_another_host_has(after: str, falls: bool) -> None:
    made = plotting(**POLAR)
    plots(made, PlotFire("german-2", "german-1"), AimPolar(8, "E"))
    made.state.change("german-1", rank="")
    made.state.observers["german-3" if after == "elsewhere" else "german-1"] = 0
    if after in ("lost", "away"):
        made.state.lift("german-1", "eliminated" if after == "lost" else "exited")
    firing(made, 3)
    scripts(made, [1, 1] if falls else [])
    made.play("german", CarryOut("german-fire-1"))
    assert bool(made.state.works) is falls


@rule("12.13")
def test_12_13_needs_the_option_a_direction_and_a_support_mission() -> None:
    made = plotting()
    made.play("german", PlotFire("german-2", "german-1"))
    assert refused(made, "german", AimPolar(8, "E")) == "12.13"
    made = plotting(**POLAR)
    made.play("german", PlotFire("german-2", "german-2"))
    assert refused(made, "german", AimPolar(8, "E")) == "12.13"
    made.play("german", DropPlot())
    made.play("german", PlotFire("german-2", "german-1"))
    assert refused(made, "german", AimPolar(0, "E")) == "12.13"
    assert refused(made, "german", AimPolar(1, "E")) == ""


REGISTER = {"top": 'options = ["12.12"]'}


@rule("12.12")
def test_12_12_fire_that_was_on_target_is_named_and_called_with_one_turn_of_delay() -> None:
    made = plotting(**REGISTER)
    written(made.state, drift=(0, 0), due=1, duration=1, done=1)
    made.play("german", NameMission("german-fire-1"))
    assert refused(made, "german", NameMission("german-fire-1")) == "12.12"
    mission = plots(made, Call("german-1", "german-fire-2"), ConfirmCall())
    assert (mission.kind, mission.due, mission.sheaf.at) == ("registered", 2, SPOT)


@rule("12.12")
def test_12_12_registered_missions_are_numbered() -> None:
    made = plotting(**REGISTER)
    first = written(made.state, drift=(0, 0), due=1, duration=1, done=1)
    made.play("german", NameMission(first.id))
    sheaf = first.sheaf._replace(at=(25000, 10000))
    made.state.missions["german-fire-3"] = replace(first, id="german-fire-3", sheaf=sheaf)
    made.play("german", NameMission("german-fire-3"))
    named = [mission.name for mission in made.state.missions.values() if mission.kind == "registered"]
    assert named == ["Registered 1", "Registered 2"]


@rule("12.12", "7.4.11")
def test_12_12_a_battery_that_has_moved_since_it_fired_does_not_fire_the_registered_mission() -> None:
    """The mission was established where the battery fired it."""
    made = plotting(**REGISTER)
    written(made.state, drift=(0, 0), due=1, duration=1, done=1)
    made.state.put("german-2", (3000, 22000))
    assert refused(made, "german", NameMission("german-fire-1")) == "12.12"
    made.state.lift("german-2", "eliminated")  # one that is lost has not moved; the rest of a group fires without it
    assert refused(made, "german", NameMission("german-fire-1")) == ""


@rule("12.12", "7.6.2.2-call")
def test_12_12_the_caller_sees_a_place_of_the_plot_wherever_its_last_fire_fell() -> None:
    made = plotting(**REGISTER)
    written(made.state, kind="registered", due=1, duration=1, done=1, drift=(0, 40000))
    assert refused(made, "german", Call("german-1", "german-fire-1")) == ""


@rule("12.12")
@pytest.mark.parametrize(
    "values", [{"drift": None}, {"drift": (2000, 0), "strayed": True}, {"kind": "barrage", "drift": (0, 0)}]
)
def test_12_12_fire_that_deviated_or_has_not_arrived_is_not_registered(values: dict[str, object]) -> None:
    made = plotting(**REGISTER)
    written(made.state, **values)
    assert refused(made, "german", NameMission("german-fire-1")) == "12.12"


@rule("12.12")
def test_12_12_the_modifier_counts_for_the_deviation_alone() -> None:
    made = plotting(**REGISTER)
    mission = written(made.state, kind="registered")
    assert to_arrive(made.state, mission, mission.batteries).modifier == 0
    assert to_deviate(made.state, made.state.units["german-2"], mission).modifier == -2


@rule("12.12", "7.4.11")
def test_12_12_it_is_cancelled_if_its_batteries_have_moved() -> None:
    made = plotting(**REGISTER)
    written(made.state, kind="registered", due=3)
    made.state.put("german-2", (3000, 22000))
    firing(made, 3)
    scripts(made, [])
    made.play("german", CarryOut("german-fire-1"))
    assert not made.state.works


@rule("12.12")
def test_12_12_fire_that_deviated_stays_so_when_it_is_corrected() -> None:
    made = plotting(**REGISTER)
    written(made.state, duration=2)
    firing(made, 3)
    scripts(made, [15, 16, 3, 5])
    made.play("german", CarryOut("german-fire-1"))
    assert made.state.missions["german-fire-1"].strayed


@rule("12.2.3", "3.4-half")
def test_12_2_3_a_natural_20_for_deviation_is_a_breakdown_of_half_of_1d20_inches() -> None:
    for option, dice, x in (('options = ["12.2.3"]', [15, 20, 3, 13], 27000), ("", [15, 20, 3, 5], 23000)):
        made = plotting(top=option)
        written(made.state)
        firing(made, 3)
        scripts(made, dice)
        made.play("german", CarryOut("german-fire-1"))
        assert min(work.at for work in made.state.works.values()) == (x, 10000)


# --- ends of missions, postures, allocated fire -----------------------------------------------------------------


@rule("7.6.5.3")
def test_7_6_5_3_no_observer_is_needed_to_end_a_mission() -> None:
    made = plotting()
    written(made.state)
    made.state.lift("german-1", "eliminated")
    assert refused(made, "german", Terminate("german-3", "german-fire-1")) == "7.6.4.1"
    scripts(made, [15])
    made.play("german", Terminate("german-2", "german-fire-1"))
    assert not made.state.missions


@rule("7.6.5.3")
def test_7_6_5_3_a_mission_is_not_ended_in_the_turn_of_its_plot() -> None:
    made = plotting()
    written(made.state, plotted=1)
    end = Terminate("german-2", "german-fire-1")
    assert refused(made, "german", end) == "7.6.5.3"
    assert end not in [*made.choices("german")]
    written(made.state, plotted=0)
    assert refused(made, "german", end) == ""


@rule("7.6.5.3", "7.7.1")
def test_7_6_5_3_the_mission_of_a_battery_off_the_map_is_ended_too() -> None:
    made = plotting([(STAFF, "5,10")], german_more=f"off_map = {{ {HOWITZERS} = 1 }}")
    written(made.state)
    assert Terminate("german-2", "german-fire-1") in [*made.choices("german")]


@rule("7.6.4.3")
def test_7_6_4_3_by_agreement_observers_plot_in_the_firing_posture_only() -> None:
    made = plotting(top='options = ["7.6.4.3"]')
    unit = stand(made.state, "german-1", posture="movement")
    refusal = cannot_observe(made.state, "german", unit)
    assert refusal is not None
    assert refusal.rule == "7.6.4.3"


OFF_MAP = f"off_map = {{ {HOWITZERS} = 1 }}"
BOUGHT = f"{OFF_MAP}\nfire_turns = {{ {HOWITZERS} = 2 }}"


@rule("7.7.2")
def test_7_7_2_batteries_off_the_map_roll_to_arrive_and_for_deviation() -> None:
    made = plotting([(STAFF, "5,10")], german_more=OFF_MAP)
    written(made.state)
    firing(made, 3)
    scripts(made, [15, 16, 3, 5])
    made.play("german", CarryOut("german-fire-1"))
    assert min(work.at for work in made.state.works.values()) == (23000, 10000)


@rule("7.9.2")
def test_7_9_2_a_turn_of_bought_fire_is_lost_if_the_roll_fails() -> None:
    made = plotting([(STAFF, "5,10")], german_more=BOUGHT)
    written(made.state)
    firing(made, 3)
    scripts(made, [16])
    made.play("german", CarryOut("german-fire-1"))
    assert made.state.units["german-2"].allotted == 1


@rule("7.9.2", "7.9.3")
def test_7_9_3_bought_turns_need_not_follow_each_other_and_no_more_can_be_planned() -> None:
    made = plotting([(STAFF, "5,10")], german_more=BOUGHT)
    written(made.state, due=3)
    made.play("german", PlotFire("german-2", "german-1"))
    for action in (ArriveLater(), ArriveLater(), ArriveLater()):
        made.play("german", action)
    assert refused(made, "german", FireLonger()) == "7.9.2"
    made.play("german", Aim(SPOT))
    assert [mission.due for mission in made.state.missions.values()] == [3, 7]
    assert refused(made, "german", PlotFire("german-2", "german-1")) == "7.9.2"


@rule("7.5", "7.5.2", "4.0-3", "4.0-5")
def test_7_5_a_battery_fires_directly_in_the_artillery_phase_without_a_plot() -> None:
    made = plotting()
    firing(made, 2)
    scripts(made, [15, 6, 6, 6, 6])
    made.play("german", FireDirect("german-2", SPOT, "closed", "N"))
    assert {work.at for work in made.state.works.values()} == {SPOT}
