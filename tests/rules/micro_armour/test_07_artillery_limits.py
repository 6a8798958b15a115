"""Limits of artillery fire [7.3.4, 7.4.9.1, 7.5.1, 7.5.4], and targets that are called again [7.6.2.2]."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from opfire.rulesets.micro_armour.artillery.batteries import is_mortar
from opfire.rulesets.micro_armour.artillery.direct import FireDirect
from opfire.rulesets.micro_armour.artillery.indirect import cannot_serve
from opfire.rulesets.micro_armour.artillery.phase import AddBattery
from opfire.rulesets.micro_armour.artillery.plotting import Call, ConfirmCall, PlotFire
from opfire.rulesets.micro_armour.artillery.writing import Aim, ChooseSheaf, GroupWith
from rules.micro_armour.kit import RIFLES, STAFF, position, refused, rule, stand
from rules.micro_armour.test_07_artillery import shelling
from rules.micro_armour.test_07_missions import (
    AMERICAN,
    HOWITZERS,
    SPOT,
    firing,
    plots,
    plotting,
    registered,
    written,
)

CALL = "german-fire-1"


@rule("7.5.4")
@pytest.mark.parametrize(
    "kind",
    ["ger-sdkfz-251-2-1-81mm", "ger-sdkfz-250-7-1-81mm", "ger-8cm-k-stummelwerfer-1", "us-m4-mmc-2", "us-m21-mmc-1"],
)
def test_7_5_4_mortars_on_carriages_are_mortars(kind: str) -> None:
    assert is_mortar(position([(kind, "5,5")]).units["german-1"])


@rule("7.5.4")
@pytest.mark.parametrize("kind", ["ger-210mm-morser-m18-2", "ger-105mm-wespe-3", "us-m12-hmc-155mm-3"])
def test_7_5_4_howitzers_are_none(kind: str) -> None:
    assert not is_mortar(position([(kind, "5,5")]).units["german-1"])


@rule("7.3.4")
def test_7_3_4_an_engaged_battery_fires_at_adjacent_enemies_alone() -> None:
    made = shelling([(HOWITZERS, "5,5")], [(RIFLES, "6,5"), (RIFLES, "12,5")])
    assert refused(made, "german", FireDirect("german-1", (12000, 5000), "closed", "N")) == "7.3.4"
    assert refused(made, "german", FireDirect("german-1", (6000, 5000), "closed", "N")) == ""


@rule("7.3.4")
def test_7_3_4_an_engaged_battery_carries_out_no_mission() -> None:
    made = position([(HOWITZERS, "5,5")], [(RIFLES, "6,5")])
    made.turn = 3
    refusal = cannot_serve(made, written(made), made.units["german-1"])
    assert refusal is not None
    assert refusal.rule == "7.3.4"


HEDGES = 'areas = [{kind = "bocage", points = "10,3 14,3 14,7 10,7"}]'


@rule("7.5.1", "9.3.4")
@pytest.mark.parametrize("aside", [0, 100, 400])
def test_7_5_1_no_marker_is_laid_on_a_stand_that_nobody_could_fire_at(aside: int) -> None:
    made = shelling([(HOWITZERS, "5,5")], [(RIFLES, "10.2,5")], terrain=HEDGES)
    place = (10200, 5000 + aside)
    assert refused(made, "german", FireDirect("german-1", place, "closed", "N")) == "9.3.4"
    stand(made.state, "soviet-1", fired=True)
    assert refused(made, "german", FireDirect("german-1", place, "closed", "N")) == ""


@rule("7.4.9.1")
def test_7_4_9_1_the_markers_of_a_group_hide_each_other_from_its_observer() -> None:
    formation = 'formations = [{name = "Battalion", units = { "ger-105mm-ifh18-2" = 2 }}]'
    made = plotting([(STAFF, "5,10"), (HOWITZERS, "3,20"), (HOWITZERS, "3,21")], german_more=formation)
    for action in (PlotFire("german-2", "german-1"), GroupWith("german-3"), ChooseSheaf("open", "E")):
        made.play("german", action)
    assert refused(made, "german", Aim(SPOT)) == "7.4.9.1"  # one marker behind the other
    made.play("german", ChooseSheaf("open", "S"))
    assert refused(made, "german", Aim(SPOT)) == ""


@rule("7.4.9.1")
def test_7_4_9_1_the_markers_of_one_battery_do_not() -> None:
    made = plotting()
    assert plots(made, PlotFire("german-2", "german-1"), ChooseSheaf("open", "E"), Aim(SPOT)).sheaf.toward == "E"


@rule("7.6.2.2-call")
def test_7_6_2_2_a_registered_target_is_called_again_when_its_fire_is_over() -> None:
    made = plotting()
    registered(made.state, SPOT)
    made.play("german", Call("german-1", CALL))
    made.play("german", ConfirmCall())
    assert refused(made, "german", Call("german-1", CALL)) == "7.6.2.2-call"
    made.state.turn = 2
    made.state.missions[CALL] = replace(made.state.missions[CALL], drift=(3000, 0), strayed=True, done=2)
    assert refused(made, "german", Call("german-1", CALL)) == ""
    made.play("german", Call("german-1", CALL))
    made.play("german", ConfirmCall())
    again = made.state.missions[CALL]
    assert (again.due, again.arrived, again.strayed) == (3, False, False)


@rule("7.6.4.3", "7.6.4.1")
def test_7_6_4_3_an_observer_in_a_transport_plots() -> None:
    made = plotting([("ger-sdkfz-251-1", "5,10"), (HOWITZERS, "3,20"), (STAFF, "5,14")])
    stand(made.state, "german-1", cargo=("german-3",))
    stand(made.state, "german-3", carrier="german-1", at=(5000, 10000))
    frame = made.stack[-1]
    assert "german-3" in [*frame.actors(made.state, "german")]
    assert plots(made, PlotFire("german-2", "german-3"), Aim(SPOT)).plotter == "german-3"


@rule("7.6.1.5", "7.8.3")
def test_7_6_1_5_a_later_mission_hides_none_of_this_turn() -> None:
    made = plotting([(STAFF, "5,10"), (AMERICAN, "5,14"), (AMERICAN, "3,20")])
    first = written(made.state, due=5)
    now = replace(first, id="german-fire-2", due=3)
    other = replace(first, id="german-fire-3", due=3, batteries=("german-3",), stood=((3000, 20000),))
    made.state.missions |= {now.id: now, other.id: other}
    firing(made, 3)
    assert refused(made, "german", FireDirect("german-2", SPOT, "closed", "N")) == "7.6.1.5"
    assert refused(made, "german", AddBattery("german-2", other.id)) == "7.8.3"
