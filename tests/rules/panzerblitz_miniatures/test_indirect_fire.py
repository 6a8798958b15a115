"""Indirect fire [IF]: who fires, who spots, ranges and templates of the missions that are recorded."""

from __future__ import annotations

import pytest

from opfire.core.places import Point
from opfire.rulesets.panzerblitz_miniatures.actions import Pass
from opfire.rulesets.panzerblitz_miniatures.close.close_combat import CloseCombat, DefensiveFire, any_fire_back
from opfire.rulesets.panzerblitz_miniatures.command import directing
from opfire.rulesets.panzerblitz_miniatures.fire.indirect import DesignateSmoke
from opfire.rulesets.panzerblitz_miniatures.fire.missions import Mission, Shape, Task, template
from opfire.rulesets.panzerblitz_miniatures.moving.marching import cannot_begin
from opfire.rulesets.panzerblitz_miniatures.moving.opportunity import React
from opfire.rulesets.panzerblitz_miniatures.pieces import Charge, designated
from rules.panzerblitz_miniatures.batteries import GUN, OBSERVER, against, battery, next_turn, plan
from rules.panzerblitz_miniatures.grounds import area, inches, line
from rules.panzerblitz_miniatures.kit import CHARTS, rule
from rules.panzerblitz_miniatures.marches import at, go, march


@rule("IF-1")
def test_IF_1_indirect_fire_is_neutralization_or_destruction() -> None:
    game = battery()
    assert against(game, task="neutralization") == ""
    assert against(game, task="destruction") == ""
    assert against(game, task="smoke") == "IF-1"


@rule("IF-2")
def test_IF_2_one_location_does_not_suffer_both_kinds_in_one_turn() -> None:
    game = battery(red=(OBSERVER, GUN, ("how-105-german", "2,14"), ("how-105-german", "2,18")))
    plan(game, "red-2", task="destruction")  # executed in turn 3
    assert against(game, "red-3") == ""  # executed in turn 2
    game.state.turn = 2
    assert against(game, "red-3") == "IF-2"
    assert against(game, "red-3", task="destruction") == ""


@rule("IF-2")
@pytest.mark.parametrize(("at", "wanted"), [("25.999,10", "IF-2"), ("26,10", "")])
def test_R93_places_an_inch_apart_are_two_locations(at: str, wanted: str) -> None:
    two = (("t-34-76", "25,10"), ("t-34-76", at))
    game = battery(red=(OBSERVER, GUN, ("how-105-german", "2,14")), blue=two, ground=line("road", "0,10 40,10"))
    plan(game, "red-2", task="destruction")
    game.state.turn = 2
    assert against(game, "red-3", "blue-2") == wanted


@rule("IF-3")
def test_IF_3_the_gun_needs_no_line_of_sight_if_the_observer_has_one() -> None:
    behind_woods = area("woods", 5, 5, 7, 15)
    assert against(battery(ground=behind_woods)) == ""
    assert against(battery(ground=area("woods", 17, 5, 19, 15))) == "LOB-10"


@rule("IF-4")
def test_IF_4_a_target_in_woods_needs_a_unit_within_two_inches_or_to_have_fired() -> None:
    woods = area("woods", 24, 5, 30, 15)  # the tank is an inch deep inside
    assert against(battery(ground=woods)) == "LOS-3"
    near = (("observer-german", "23,10"), GUN)
    assert against(battery(red=near, ground=woods)) == ""
    near_but_blind = (("observer-german", "16,10"), GUN)
    fired = battery(red=near_but_blind, ground=woods, blue_1={"spotters": ("red-1",)})
    assert against(fired) == ""
    assert against(battery(red=near_but_blind, ground=woods)) == "LOS-3"


@rule("IF-5")
@pytest.mark.parametrize(
    ("unit", "place", "refused"),
    [
        ("how-105-german", "2,10", ""),
        ("mortar-81-german", "5,10", ""),
        ("m8-hmc", "12,12", "IF-5"),  # class H without brackets
        ("pz-iv-h", "20,10", "IF-5"),
    ],
)
def test_IF_5_class_M_and_H_in_brackets_alone(unit: str, place: str, refused: str) -> None:
    assert against(battery(red=(OBSERVER, (unit, place)))) == refused


@rule("IF-6", "STD-3", "SPT-12")
@pytest.mark.parametrize(
    ("spotter", "refused"),
    [("observer-german", ""), ("cp-german", ""), ("pz-iv-h", "IF-6"), ("engineer-german", "IF-6")],
)
def test_IF_6_command_posts_and_observers_spot(spotter: str, refused: str) -> None:
    assert against(battery(red=((spotter, "12,10"), GUN))) == refused


@rule("NEU-3")
def test_NEU_3_a_dispersed_observer_spots_nothing() -> None:
    game = battery(red=(OBSERVER, GUN, ("cp-german", "12,14")), red_1={"order": "dispersed"})
    assert against(game) == "GLO-4"
    assert against(game, spotter="red-3") == ""


@rule("IF-7")
def test_IF_7_dispersed_and_loaded_units_are_not_designated() -> None:
    assert against(battery(red_2={"order": "dispersed"})) == "IF-7"
    loaded = battery(red=(OBSERVER, GUN, ("truck-german", "2,14"), ("how-105-german", "2,18")))
    loaded.state.change("red-2", carrier="red-3")
    loaded.state.change("red-3", cargo=("red-2",))
    assert against(loaded) == "IF-7"
    assert against(loaded, "red-4") == ""


@rule("IF-8")
def test_IF_8_a_designated_unit_does_not_move() -> None:
    game = battery(red=(OBSERVER, GUN, ("wespe", "2,14")), dice=(2,))
    wespe = game.state.units["red-3"]
    assert cannot_begin(game.state, "red", wespe) is None
    plan(game, "red-3")
    refusal = cannot_begin(game.state, "red", wespe)
    assert refusal is not None
    assert refusal.rule == "IF-8"
    assert cannot_begin(game.sight("blue"), "red", wespe) is None  # as far as the enemy knows


@rule("IF-8")
def test_IF_8_a_designated_unit_stays_ready() -> None:
    game = battery(dice=(2,))
    gun = game.state.units["red-2"]
    assert designated(game.state, gun) is None
    plan(game)
    refusal = designated(game.state, gun)
    assert refusal is not None
    assert refusal.rule == "IF-8"
    next_turn(game)
    assert designated(game.state, game.state.units["red-2"]) is None


AT: Point = (20_000, 10_000)


def size(unit: str, task: Task = "neutralization", shape: Shape = "square", option: str = "") -> tuple[float, float]:
    """The template of a unit in inches, across and along its facing."""
    across, along = template(CHARTS, CHARTS.kinds[unit], task, AT, shape, 0, (option,)).size
    return across / 1000, along / 1000


@rule("IF-9")
@pytest.mark.parametrize(
    ("unit", "side"),
    [
        ("mortar-50-soviet", 1),  # light mortar
        ("mortar-81-german", 2),  # medium mortar
        ("mortar-107-soviet", 3),  # any other mortar
        ("mortar-160-soviet", 3),
        ("ig-75", 2),  # light artillery, up to 90 mm
        ("how-25pdr", 2),
        ("how-105-german", 3),  # medium, up to 130 mm
        ("how-122-soviet", 3),
        ("how-150-german", 4),  # heavy
        ("how-203-soviet", 4),
    ],
)
def test_IF_9_templates_by_bore(unit: str, side: int) -> None:
    assert size(unit) == (side, side)


@rule("IF-10")
@pytest.mark.parametrize(
    ("unit", "linear"),
    [
        ("how-150-german", (2, 6)),
        ("how-105-german", (1.5, 4.5)),
        ("mortar-81-german", (1, 3)),
        ("mortar-50-soviet", (0.5, 1.5)),
    ],
)
def test_IF_10_linear_templates(unit: str, linear: tuple[float, float]) -> None:
    assert size(unit, shape="linear") == linear


@rule("NEU-13")
def test_NEU_13_destruction_has_half_the_template() -> None:
    assert size("how-150-german", "destruction") == (2, 2)
    assert size("how-150-german", "destruction", "linear") == (1, 3)
    assert size("how-150-german", "destruction", option="R22") == (2, 4)  # half the area


@rule("IF-12", "IF-13")
def test_IF_12_class_H_fires_beyond_a_quarter_of_its_range() -> None:
    def at(x: str) -> str:
        return against(battery(red=(("observer-german", "27,10"), ("how-25pdr", "1,10")), blue=(("t-34-76", x),)))

    assert at("36,10") == "IF-12"  # the book's 25-pdr: range 140, nothing within 35 inches
    assert at("36.01,10") == ""


@rule("IF-12")
def test_IF_12_mortars_have_no_minimum() -> None:
    assert against(battery(red=(OBSERVER, ("mortar-81-german", "22,10")))) == ""


@rule("DF-3")
def test_DF_3_no_mission_beyond_the_range() -> None:
    assert against(battery(red=(OBSERVER, ("mortar-81-german", "1,10")))) == ""  # 24 inches
    assert against(battery(red=(OBSERVER, ("mortar-81-german", "0.9,10")))) == "DF-3"


@rule("STD-2", "CMD-2")
def test_STD_2_a_post_that_spots_for_artillery_does_not_command_in_that_segment() -> None:
    game = battery(red=(("cp-german", "12,10"), GUN, ("pz-iv-h", "12,14")))

    def refused() -> str:
        refusal = cannot_begin(game.state, "red", game.state.units["red-3"])
        return refusal.rule if refusal else ""

    assert refused() == ""
    plan(game)
    assert directing(game.state, "red") == {"red-1"}
    assert refused() == "STD-2"
    game.state.turn = 2
    assert refused() == ""


@rule("STD-3")
def test_STD_3_observers_do_not_command() -> None:
    game = battery(red=(OBSERVER, GUN, ("pz-iv-h", "12,14"), ("cp-german", "39,29")))
    refusal = cannot_begin(game.state, "red", game.state.units["red-3"])
    assert refusal is not None
    assert refusal.rule == "CMD-2"


@rule("SSC-3", "SSC-4", "SSC-8")
def test_SSC_3_smoke_is_recorded_like_other_missions() -> None:
    game = battery(ground=area("swamp", 20, 15, 30, 20))

    def why(x: float, y: float, unit: str = "red-2") -> str:
        refusal = game.why_not("red", DesignateSmoke(unit, inches(x, y), "red-1", "square", 0))
        return refusal.rule if refusal else ""

    assert why(20, 10) == ""
    assert why(17, 10) == "IF-12"
    assert why(22, 17) == "SSC-4"
    assert why(33, 10) == "LOS-3"
    game.state.change("red-2", shells=0)
    assert why(20, 10) == "SSC-8"


@rule("NEU-1")
def test_NEU_1_the_target_is_an_enemy_on_the_ground() -> None:
    game = battery(red=(OBSERVER, GUN, ("pz-iv-h", "22,10")))
    assert against(game, target="red-3") == "procedure"
    game.state.lift("blue-1", "eliminated")
    assert against(game) == "procedure"


@rule("OPP-14")
def test_OPP_14_designated_units_take_no_opportunity_fire_and_are_asked_all_the_same() -> None:
    red, blue = [("pz-iv-h", "5,10")], [("m7", "15,10"), ("observer-soviet", "18,10")]
    ready = march(red, blue, blue_1={"position": True})
    go(ready, "red-1", 9, 10)
    assert ready.why_not("blue", React("blue-1", "red-1")) is None
    game = march(red, blue, blue_1={"position": True})
    game.state.plots = (Mission("blue", "blue-1", "smoke", inches(9, 9), "blue-2", "square", 0, 1, 2),)
    go(game, "red-1", 9, 10)
    assert game.deciders() == ("blue",)  # nobody learns of the mission by a question that is not put
    assert at(game, "red-1") == at(ready, "red-1")
    refusal = game.why_not("blue", React("blue-1", "red-1"))
    assert refusal is not None
    assert refusal.rule == "OPP-14"
    assert list(game.choices("blue")) == [Pass()]


@rule("OPP-14")
def test_OPP_14_nor_do_they_fire_back_at_an_overrun_and_are_asked_all_the_same() -> None:
    game = march([("pz-iv-h", "13,10")], [("m7", "15,10"), ("observer-soviet", "18,10")])
    state = game.state
    assert any_fire_back(state, "blue-1", ("red-1",))
    state.plots = (Mission("blue", "blue-1", "smoke", inches(9, 9), "blue-2", "square", 0, 1, 2),)
    assert not any_fire_back(state, "blue-1", ("red-1",))
    assert any_fire_back(state.known_to("red"), "blue-1", ("red-1",))
    begun = CloseCombat("red", "overrun", "blue-1")
    state.change("red-1", charge=Charge("overrun", "blue-1"))
    game.push(begun)
    game.run()
    assert isinstance(game.stack[-1], DefensiveFire)
    assert list(game.choices("blue")) == [Pass()]


@rule("HEL-6", "HDN-5")
def test_HDN_5_a_helicopter_is_a_target_only_when_it_is_down() -> None:
    helicopter = next(name for name, kind in CHARTS.kinds.items() if kind.type == "helicopter")
    game = battery(blue=((helicopter, "25,10"),))
    assert against(game) == "HEL-6"
    game.state.change("blue-1", down=True)
    assert against(game) == ""


@rule("FOF-1")
def test_FOF_1_guns_fire_indirectly_within_their_field_of_fire() -> None:
    game = battery()  # the gun faces north
    game.state.setting.options = frozenset({"FOF-1"})
    assert against(game) == "FOF-1"
    game.state.change("red-2", facing=45)
    assert against(game) == ""


@rule("STR-6", "IF-5")
def test_STR_6_a_mortar_in_a_stream_does_not_fire_indirectly() -> None:
    mortar = ("mortar-81-german", "2,10")
    assert against(battery(red=(OBSERVER, mortar))) == ""
    assert against(battery(red=(OBSERVER, mortar), ground=line("stream", "2,0 2,30"))) == "STR-6"
