"""Limits of artillery fire [7.3.4, 7.4.9.1, 7.5.1, 7.5.4], and targets that are called again [7.6.2.2]."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from opfire.core.game import Game
from opfire.rulesets.micro_armour.artillery import close_support
from opfire.rulesets.micro_armour.artillery.batteries import is_mortar
from opfire.rulesets.micro_armour.artillery.direct import FireDirect
from opfire.rulesets.micro_armour.artillery.grouped import FireAlone, FireTogether
from opfire.rulesets.micro_armour.artillery.indirect import cannot_serve
from opfire.rulesets.micro_armour.artillery.phase import AddBattery, CarryOut
from opfire.rulesets.micro_armour.artillery.plotting import Call, ConfirmCall, JointPlot, PlotFire
from opfire.rulesets.micro_armour.artillery.writing import Aim, ChooseSheaf, GroupWith
from opfire.rulesets.micro_armour.pieces import Position, Work
from opfire.rulesets.micro_armour.shown.sheafs import laid
from opfire.rulesets.micro_armour.sighting.sight import cannot_see
from opfire.rulesets.micro_armour.weather import roll_weather
from opfire.rulesets.micro_armour.works.ruins import Shell, shelled
from rules.micro_armour.kit import GRENADIERS, RIFLES, STAFF, game, position, refused, rule, scripts, stand
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


CREST = 'lines = [{kind = "crest", points = "19.4,2 19.4,28"}]'
STUB = "ger-panzer-iv-c-d-75l24"


@rule("7.5.5", "10.8", "9.1-chart")
def test_10_8_a_crest_in_front_of_the_target_counts_for_close_support() -> None:
    made = position([(STUB, "5,10")], [(RIFLES, "20,10")], terrain=CREST)
    assert close_support.rolls(made, made.units["german-1"], made.units["soviet-1"]).combat.modifier == 2


@rule("7.4.7.1-4", "10.8")
@pytest.mark.parametrize("x", [5, 20])
def test_7_4_7_1_fire_of_close_support_into_and_out_of_smoke_has_3_more_on_the_combat_dice(x: int) -> None:
    made = position([(STUB, "5,10")], [(RIFLES, "20,10")])
    made.lay(Work("smoke", "smoke", (x * 1000, 10000)))
    rolls = close_support.rolls(made, made.units["german-1"], made.units["soviet-1"])
    assert (rolls.fire.modifier, rolls.combat.modifier) == (0, 3)  # 7.5.5: states alone for the roll to fire


@rule("7.5.5", "7.4.7.1-4", "9.1-chart")
@pytest.mark.parametrize(("smoke", "modifier"), [(False, 2), (True, 5)])
def test_7_5_5_crests_and_smoke_count_for_direct_fire_of_batteries(smoke: bool, modifier: int) -> None:
    made = shelling([(HOWITZERS, "5,10")], [(RIFLES, "20,10")], terrain=CREST)
    if smoke:
        made.state.lay(Work("smoke", "smoke", (5000, 10000)))
    scripts(made, [1, 6, 6, 6, 6])
    told = made.play("german", FireDirect("german-1", (20000, 10000), "closed", "N"))
    found = [event.calculation.modifier for event in told if event.kind == "result" and event.calculation]
    assert found == [modifier, modifier]


@rule("7.6.1.3-roll", "7.5.5", "9.1-chart")
def test_7_6_1_3_they_do_not_for_fire_from_afar() -> None:
    made = plotting([(STAFF, "5,10"), (HOWITZERS, "3,20")], [(RIFLES, "20,10")], terrain=CREST)
    written(made.state)
    firing(made, 3)
    scripts(made, [1, 1, 6, 6])
    told = made.play("german", CarryOut(CALL))
    assert [event.calculation.modifier for event in told if event.kind == "result" and event.calculation] == [0]


@rule("9.6.3", "6.4.1")
def test_9_6_3_sight_is_judged_by_the_weather_of_the_turn() -> None:
    made = game([(GRENADIERS, "5,10")], [(RIFLES, "15,10")], top='weather = ["light rain"]')
    spotter, target = made.state.units["german-1"], made.state.units["soviet-1"]
    scripts(made, [6, 6, 6])
    roll_weather(made)
    assert cannot_see(made.state, spotter, target) is None
    scripts(made, [1, 1, 1])
    roll_weather(made)
    assert cannot_see(made.state, spotter, target) is not None


@rule("11.5.8", "7.6.2.4-effect")
def test_11_5_8_a_barrage_falls_on_a_bridge_as_badly_as_on_all_else() -> None:
    found = []
    for barrage in (False, True):
        made = game([(HOWITZERS, "5,10")])
        made.state.lay(Work("bridge", "bridge", (20000, 10000)))
        scripts(made, [3, 3])
        shelled(made, Shell((20000, 10000), 3, barrage))
        found += [work.kind for work in made.state.works.values()]
    assert found == ["bridge out", "bridge"]  # 3 against 2, column +1: a 6 is D, an 8 is (S)


# --- direct fire of several batteries as one [7.4.9] ----------------------------------------------------------------

BATTALION = 'formations = [{name = "Battalion", units = { "ger-105mm-ifh18-2" = 2 }}]'
GUNS = [(HOWITZERS, "3,10"), (HOWITZERS, "3,11"), (HOWITZERS, "3,12")]


def grouped(**more: str) -> Game[Position]:
    """An artillery phase in which the Germans fire first; two of their three batteries are of one battalion."""
    foes = [(RIFLES, "15,10"), (RIFLES, "16,10"), (RIFLES, "15,13")]
    return shelling(GUNS, foes, **{"german_more": BATTALION, **more})


@rule("7.4.9", "7.4.9.1")
def test_7_4_9_batteries_of_one_formation_in_contact_fire_directly_with_one_roll_and_one_sheaf() -> None:
    """Two batteries of two sections lay four markers in a line to the east; they roll once to fire."""
    made = grouped()
    together = FireTogether("german-1", "german-2")
    assert together in made.choices("german").of("german-1")
    made.play("german", together)
    assert made.asked() == ("german",)
    shot = FireDirect("german-1", (15000, 10000), "open", "E")
    scripts(made, [15, 6, 6, 6, 6])
    events = made.play("german", shot)
    assert [event.rule for event in events if event.kind == "cohesion"] == ["7.5.3"]
    assert sorted(work.at for work in made.state.works.values()) == [(x, 10000) for x in range(15000, 19000, 1000)]
    assert [made.state.units[f"german-{number}"].fired for number in (1, 2, 3)] == [True, True, False]
    assert made.asked() == ("soviet",)  # the sides alternate [7.4.1]


@rule("7.4.9")
def test_7_4_9_batteries_of_another_formation_or_out_of_contact_do_not_fire_as_one() -> None:
    made = grouped()
    assert refused(made, "german", FireTogether("german-1", "german-3")) == "7.4.9"
    made.state.put("german-2", (3000, 20000))
    assert refused(made, "german", FireTogether("german-1", "german-2")) == "7.4.9"


@rule("7.4.9", "5.2-S")
def test_7_4_9_a_failed_roll_of_the_worst_battery_silences_the_group() -> None:
    """Cohesion 15: with one of the two suppressed a 12 is a 16."""
    made = grouped()
    stand(made.state, "german-2", suppressed=True)
    made.play("german", FireTogether("german-1", "german-2"))
    scripts(made, [12])
    made.play("german", FireDirect("german-1", (15000, 10000), "open", "E"))
    assert not made.state.works
    assert [made.state.units[name].fired for name in ("german-1", "german-2")] == [True, True]


@rule("7.4.9.1", "7.3.5")
def test_7_4_9_1_every_battery_of_a_group_sees_all_of_its_sheaf() -> None:
    """Woods hide the place from the second battery; each may still fire for itself."""
    woods = 'areas = [{kind = "woods", points = "8,10.55 10,10.55 10,12 8,12"}]'
    made = grouped(terrain=woods)
    shot = FireDirect("german-1", (15000, 10000), "open", "E")
    assert refused(made, "german", shot) == ""
    made.play("german", FireTogether("german-1", "german-2"))
    assert refused(made, "german", shot) == "6.3.1"
    made.play("german", FireAlone())
    assert refused(made, "german", shot) == ""


@rule("7.4.9.1")
def test_7_4_9_1_the_page_shows_the_whole_sheaf_of_a_group() -> None:
    made = grouped()
    made.play("german", FireTogether("german-1", "german-2"))
    shot = FireDirect("german-1", (15000, 10000), "open", "E")
    assert len(laid(made.state, "german", shot, made.stack[-1])["rings"]) == 4


@rule("7.4.9", "7.5.2")
def test_7_4_9_direct_fire_that_is_plotted_a_turn_ahead_may_be_grouped() -> None:
    made = grouped()
    made.stack = ()
    made.push(JointPlot(""))
    made.run()
    made.play("german", PlotFire("german-1", "german-1"))
    made.play("german", GroupWith("german-2"))
    made.play("german", ChooseSheaf("open", "E"))
    made.play("german", Aim((15000, 10000)))
    firing(made, 2)
    scripts(made, [15, 6, 6, 6, 6])
    made.play("german", CarryOut("german-fire-1"))
    assert len(made.state.works) == 4
