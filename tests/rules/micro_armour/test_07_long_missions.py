"""Missions of several turns and their ends [7.4.2.2, 7.6.1.5, 7.6.5]; batteries that join or leave them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from opfire.core.game import Game
from opfire.rulesets.micro_armour.alternation import Pass
from opfire.rulesets.micro_armour.artillery.direct import FireDirect, ProtectiveFire
from opfire.rulesets.micro_armour.artillery.impacts import lift_markers
from opfire.rulesets.micro_armour.artillery.missions import Mission, MissionKind
from opfire.rulesets.micro_armour.artillery.phase import AddBattery, CarryOut
from opfire.rulesets.micro_armour.artillery.plotting import JointPlot, Terminate
from opfire.rulesets.micro_armour.artillery.sheafs import Sheaf
from opfire.rulesets.micro_armour.pieces import Position
from rules.micro_armour.kit import STAFF, refused, rule, scripts, stand
from rules.micro_armour.test_07_missions import AMERICAN, HOWITZERS, SPOT, firing, plotting, written

FAR = (30000, 25000)
"""A place where nobody stands."""


def far(made: Game[Position], **values: object) -> Mission:
    """A mission of the first German battery at that place."""
    mission = written(made.state, **values)
    sheaf = Sheaf(FAR, 2 * len(mission.batteries), "open", "E")
    made.state.missions[mission.id] = replace(mission, sheaf=sheaf)
    return made.state.missions[mission.id]


@rule("7.6.5.3", "7.4.2.2")
def test_7_6_5_3_the_markers_of_fire_that_is_ended_come_off() -> None:
    made = plotting()
    far(made, due=1, duration=3)
    firing(made, 1)
    scripts(made, [1, 1])
    made.play("german", CarryOut("german-fire-1"))
    assert len(made.state.works) == 2
    made.stack = ()
    made.push(JointPlot(""))
    made.run()
    scripts(made, [15])
    made.play("german", Terminate("german-1", "german-fire-1"))
    lift_markers(made.state)
    assert not made.state.works


@rule("7.6.5.4", "7.4.11")
def test_7_6_5_4_the_fire_of_a_battery_that_moves_off_is_over() -> None:
    made = plotting()
    far(made, due=1, duration=3)
    firing(made, 1)
    scripts(made, [1, 1])
    made.play("german", CarryOut("german-fire-1"))
    lift_markers(made.state)
    stand(made.state, "german-2", at=(4000, 20000))
    firing(made, 2)
    made.play("german", CarryOut("german-fire-1"))
    assert not made.state.works


@rule("7.4.2.2")
def test_7_4_2_2_the_markers_of_a_battery_that_is_lost_come_off_with_the_turn() -> None:
    made = plotting()
    far(made, due=1, duration=3)
    firing(made, 1)
    scripts(made, [1, 1])
    made.play("german", CarryOut("german-fire-1"))
    made.state.lift("german-2", "eliminated")
    lift_markers(made.state)
    assert not made.state.works


@rule("7.6.1.5")
def test_7_6_1_5_a_battery_leaves_a_mission_that_has_begun() -> None:
    made = plotting([(STAFF, "5,10"), (HOWITZERS, "5,14")])
    far(made, due=1, duration=3)
    firing(made, 1)
    scripts(made, [1, 1])
    made.play("german", CarryOut("german-fire-1"))
    lift_markers(made.state)
    firing(made, 2)
    scripts(made, [13])  # cohesion 15, with +2
    made.play("german", ProtectiveFire("german-2"))
    assert not made.state.works
    assert refused(made, "german", FireDirect("german-2", SPOT, "closed", "N")) == ""


@rule("7.6.1.5", "7.6.5.1")
def test_7_6_1_5_a_battery_that_fails_to_leave_its_mission_fires_no_more_in_this_turn_alone() -> None:
    made = plotting([(STAFF, "5,10"), (HOWITZERS, "5,14")])
    far(made, due=1, duration=3, drift=(0, 0), done=1)
    firing(made, 2)
    scripts(made, [14])
    made.play("german", ProtectiveFire("german-2"))
    made.play("soviet", Pass())
    assert refused(made, "german", CarryOut("german-fire-1")) == "7.6.1.1"
    firing(made, 3)
    made.play("german", CarryOut("german-fire-1"))
    assert len(made.state.works) == 2


@rule("7.6.1.5", "7.4.9")
def test_7_6_1_5_the_other_batteries_of_its_group_fire_without_it() -> None:
    made = plotting([(STAFF, "5,10"), (HOWITZERS, "5,14"), (HOWITZERS, "5,15")])
    both, where = ("german-2", "german-3"), ((5000, 14000), (5000, 15000))
    far(made, batteries=both, stood=where)
    firing(made, 3)
    scripts(made, [14])
    made.play("german", ProtectiveFire("german-2"))
    made.play("soviet", Pass())
    scripts(made, [15, 15])
    made.play("german", CarryOut("german-fire-1"))
    assert {work.battery for work in made.state.works.values()} == {"german-3"}


@rule("7.6.1.5", "7.4.9")
def test_7_6_1_5_a_battery_of_a_group_that_fails_to_leave_it_stays_in_the_mission() -> None:
    made = plotting([(STAFF, "5,10"), (HOWITZERS, "5,14"), (HOWITZERS, "5,15")])
    both, where = ("german-2", "german-3"), ((5000, 14000), (5000, 15000))
    mission = far(made, batteries=both, stood=where)
    firing(made, 3)
    scripts(made, [14])
    made.play("german", ProtectiveFire("german-2"))
    assert made.state.missions[mission.id] == mission


@rule("7.6.1.5", "7.5.2")
@pytest.mark.parametrize(("kind", "refusal"), [("support", ""), ("direct", "7.6.1.5")])
def test_7_6_1_5_only_an_indirect_mission_is_cancelled(kind: MissionKind, refusal: str) -> None:
    made = plotting([(STAFF, "5,10"), (HOWITZERS, "5,14")])
    far(made, kind=kind, due=1)
    firing(made, 1)
    assert refused(made, "german", ProtectiveFire("german-2")) == refusal


@rule("7.4.7.2", "7.6.5.1", "7.6.5.4")
def test_7_4_7_2_smoke_of_two_turns_is_one_mission_of_smoke() -> None:
    made = plotting()
    far(made, smoke=True, duration=2)
    for turn, dice in ((3, [1, 1]), (4, [])):
        firing(made, turn)
        scripts(made, dice)
        made.play("german", CarryOut("german-fire-1"))
        gun = made.state.units["german-2"]
        assert (gun.smoked, gun.fired, len(made.state.works)) == (1, True, 2)
        lift_markers(made.state)


# --- batteries that join [7.8.3] --------------------------------------------------------------------------------


@rule("7.8.3", "7.4.7.1-who")
def test_7_8_3_a_battery_without_smoke_joins_no_mission_of_smoke() -> None:
    made = plotting([(STAFF, "5,10"), (AMERICAN, "3,20"), ("us-m7-priest-105mm-2", "3,23")])
    mission = written(made.state, smoke=True)
    firing(made, 3)
    stand(made.state, "german-3", smoked=9)
    assert refused(made, "german", AddBattery("german-3", mission.id)) == "7.4.7.2"


@rule("7.8.3", "7.6.2.4-effect")
def test_7_8_3_a_battery_that_joins_a_barrage_fires_as_badly() -> None:
    made = plotting([(STAFF, "5,10"), (AMERICAN, "3,20"), (AMERICAN, "3,23")])
    mission = far(made, kind="barrage")
    firing(made, 3)
    scripts(made, [13, 15])
    made.play("german", AddBattery("german-3", mission.id))
    assert {work.barrage for work in made.state.works.values()} == {True}


@rule("WD.SR", "7.5.3")
@pytest.mark.parametrize(("number", "reloads"), [(15, True), (16, False)])
def test_WD_SR_rockets_that_did_not_fire_need_not_be_loaded_again(number: int, reloads: bool) -> None:
    # The procedure of direct fire: "Failure = the stand did not fire."
    made = plotting([(STAFF, "5,10"), ("ger-150mm-nebelwerfer-6", "3,20")])
    firing(made, 1)
    scripts(made, [number, 1])
    made.play("german", FireDirect("german-2", FAR, "open", "N"))
    assert (made.state.units["german-2"].reloaded > 1) is reloads
