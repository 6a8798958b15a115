"""Airpower: the Air Phase, movement of aircraft, and fire at them from the ground [AIP, AIM, AAD, HEL-6]."""

from __future__ import annotations

from fractions import Fraction

import pytest

from opfire.core.events import Calculation
from opfire.core.flow import Frame
from opfire.rulesets.panzerblitz_miniatures import RULESET
from opfire.rulesets.panzerblitz_miniatures.actions import EndPhase, Pass
from opfire.rulesets.panzerblitz_miniatures.airpower.air import AirMovement, AirPhaseEnd, Arrive, Fly, Leave
from opfire.rulesets.panzerblitz_miniatures.airpower.airphase import AIR_PHASE
from opfire.rulesets.panzerblitz_miniatures.airpower.flak import (
    AddGun,
    AimAt,
    AntiAircraft,
    CollectiveGroundFire,
    GroundFire,
    GroundFireAll,
    OpenFire,
    after,
    calculation,
    nearest,
)
from opfire.rulesets.panzerblitz_miniatures.moving.arrivals import Enter, cannot_enter, due
from opfire.rulesets.panzerblitz_miniatures.pieces import Arm
from rules.panzerblitz_miniatures.flights import LAKE, RIDGE, WOOD, refused, sky, top
from rules.panzerblitz_miniatures.grounds import inches
from rules.panzerblitz_miniatures.kit import rule

DIVE = [("ju-87-d", "2,15")]
FW = [("fw-190-f", "2,15")]
FLAK = [("aa-37", "20,15")]
"""Attack 6 and range 24 inches."""


# --- the phase [AIP] ------------------------------------------------------------------------------------------


@rule("AIP-1", "AIR-1", "SEQ-7")
def test_AIP_1_aircraft_move_then_the_guns_fire_then_the_phase_ends() -> None:
    order: list[type[Frame]] = [AirMovement, AntiAircraft, CollectiveGroundFire, AirPhaseEnd]
    assert [step for step in AIR_PHASE.steps if step in order] == order
    game = sky(DIVE, FLAK)
    assert top(game) == "AirMovement"
    game.play("red", EndPhase())
    assert top(game) == "AntiAircraftFire"
    assert game.deciders() == ("blue",)
    game.play("blue", Pass())
    assert top(game) == ""


@rule("AIP-1")
def test_AIP_1_without_aircraft_nobody_is_asked() -> None:
    assert top(sky([("pz-iv-h", "2,15")], FLAK)) == ""


@rule("AIP-2")
def test_AIP_2_no_question_without_a_gun_in_range() -> None:
    game = sky(DIVE, [("aa-37", "39,15")])
    game.play("red", EndPhase())
    assert top(game) == ""


@rule("AIP-2")
def test_AIP_2_an_aircraft_that_flew_past_a_gun_is_fired_at() -> None:
    """The gun reaches 20 inches, the limit of sight: neither end of the way is within it, its middle is."""
    game = sky([("fw-190-f", "1,1")], [("aa-37", "20,28")])
    game.play("red", Fly("red-1", inches(39, 1)))
    game.play("red", Fly("red-1", inches(20, 9)))
    game.play("red", Fly("red-1", inches(1, 1)))
    game.play("red", EndPhase())
    assert refused(game, "blue", AimAt("blue-1", "red-1")) == ""


# --- movement [AIM] -------------------------------------------------------------------------------------------


@rule("AIM-1")
def test_AIM_1_any_distance_over_any_terrain_and_any_unit() -> None:
    game = sky(DIVE, [("t-34-76", "20,15")], LAKE)
    assert refused(game, "red", Fly("red-1", inches(39.5, 29.5))) == ""
    game.play("red", Fly("red-1", inches(20, 10)))
    assert refused(game, "red", Fly("red-1", inches(20, 15))) == ""
    game.play("red", Fly("red-1", inches(20, 15)))
    assert game.state.units["red-1"].at == inches(20, 15)
    assert refused(game, "red", Fly("red-1", inches(20, 15))) == "procedure"


@rule("AIM-1", "AIR-1")
def test_AIM_1_only_ones_own_aircraft() -> None:
    game = sky([*DIVE, ("pz-iv-h", "5,5")], [("il-2", "20,15")])
    assert refused(game, "red", Fly("red-2", inches(9, 9))) == "AIR-1"
    assert refused(game, "red", Fly("blue-1", inches(9, 9))) == "procedure"


ARRIVING = '[[sides.red.reinforcements]]\nturn = {turn}\nentry = ["0,15", "0,5"]\nunits = {{ ju-87-d = 1 }}\n'


@rule("AIM-2")
def test_AIM_2_aircraft_arrive_in_their_turn_where_the_scenario_says() -> None:
    game = sky([("pz-iv-h", "5,5")], more=ARRIVING.format(turn=1))
    assert refused(game, "red", Arrive("red-2", inches(0, 7))) == "AIM-2"
    game.play("red", Arrive("red-2", inches(0, 5)))
    assert game.state.units["red-2"].at == inches(0, 5)
    game.play("red", Fly("red-2", inches(20, 5)))
    assert game.state.units["red-2"].flown == (inches(0, 5), inches(20, 5))


@rule("AIM-2")
def test_AIM_2_they_do_not_enter_with_the_ground_reinforcements() -> None:
    game = sky([("pz-iv-h", "5,5")], more=ARRIVING.format(turn=1))
    assert due(game.state, "red") == []
    found = cannot_enter(game.state, "red", Enter("red-2", inches(0.5, 5)))
    assert found is not None
    assert found.rule == "AIM-2"


@rule("AIM-2")
def test_AIM_2_not_before_their_turn() -> None:
    assert top(sky([("pz-iv-h", "5,5")], more=ARRIVING.format(turn=2))) == ""
    game = sky([("pz-iv-h", "5,5"), *DIVE], more=ARRIVING.format(turn=2))
    assert refused(game, "red", Arrive("red-3", inches(0, 5))) == "AIM-2"


@rule("AIM-2")
def test_AIM_2_an_aircraft_that_has_left_never_returns() -> None:
    game = sky([*DIVE, ("il-2", "5,5")], more=ARRIVING.format(turn=1))
    game.play("red", Leave("red-1"))
    assert game.state.units["red-1"].status == "exited"
    assert refused(game, "red", Arrive("red-1", inches(0, 5))) == "AIM-2"
    assert refused(game, "red", Fly("red-1", inches(3, 3))) == "procedure"


@rule("AIM-2")
def test_AIM_2_a_scenario_may_say_for_how_long_aircraft_stay() -> None:
    stays = '[[sides.red.aircraft]]\nunit = "ju-87-d"\nstays = 2\n'
    game = sky(DIVE, [("t-34-76", "39,29")], more=stays)
    game.play("red", EndPhase())
    assert game.state.units["red-1"].stays == 1
    assert game.state.units["red-1"].at is not None
    game = sky(DIVE, [("t-34-76", "39,29")], more=stays, red_1={"stays": 1})
    game.play("red", EndPhase())
    assert game.state.units["red-1"].status == "exited"


# --- anti-aircraft fire [AAD] -----------------------------------------------------------------------------------


@rule("AAD-1", "AIC-1", "AAT-2")
def test_AAD_1_all_guns_that_fire_at_an_aircraft_make_one_attack() -> None:
    """Two guns of 6 at more than two thirds of 24 inches: 12 factors; a 3, with the aircraft's +1, is a 4: nothing."""
    two = [("aa-37", "20,5"), ("aa-37", "20,25")]
    game = sky([("fw-190-f", "5,15")], two, dice=(2,))
    game.play("red", EndPhase())
    game.play("blue", AimAt("blue-1", "red-1"))
    assert refused(game, "blue", AddGun("blue-1")) == "procedure"
    game.play("blue", AddGun("blue-2"))
    made = calculation(game.state, ("blue-1", "blue-2"), "red-1", "air phase")
    assert RULESET.preview(game.state, game.stack[-1], OpenFire()) == made
    assert (made.column, made.modifier) == ("12-15", 1)
    assert made.chances() == {"D": Fraction(2, 6), "none": Fraction(4, 6)}
    events = game.play("blue", OpenFire())
    assert events[0].rule == "AIC-1"
    assert top(game) == ""  # damaged, and turned away at the end of the phase
    assert game.state.units["red-1"].status == "exited"


@rule("AAT-2", "AIC-2")
def test_AAT_2_a_damaged_aircraft_stays_until_the_end_of_the_phase() -> None:
    two = [("aa-37", "20,5"), ("aa-37", "20,25")]
    game = sky([("fw-190-f", "5,15"), ("fw-190-f", "35,15")], two, dice=(1,))
    game.play("red", EndPhase())
    game.play("blue", AimAt("blue-1", "red-1"))
    game.play("blue", OpenFire())
    assert top(game) == "AntiAircraftFire"  # the other gun, and the other aircraft
    assert not game.state.units["red-1"].damaged  # 6 factors: a 1 and the aircraft's +1 are a 2


@rule("AAT-2")
def test_AAT_2_an_X_destroys() -> None:
    game = sky([("po-2", "19,15")], FLAK, dice=(1,))
    game.play("red", EndPhase())
    game.play("blue", AimAt("blue-1", "red-1"))
    game.play("blue", OpenFire())
    assert game.state.units["red-1"].status == "eliminated"


@rule("AIC-1")
def test_AIC_1_no_second_attack_on_the_same_aircraft() -> None:
    game = sky([("fw-190-f", "19,15"), ("fw-190-f", "21,15")], [*FLAK, ("aa-37", "20,20")], dice=(6,))
    game.play("red", EndPhase())
    game.play("blue", AimAt("blue-1", "red-1"))
    game.play("blue", OpenFire())
    assert refused(game, "blue", AimAt("blue-2", "red-1")) == "AIC-1"
    assert refused(game, "blue", AimAt("blue-2", "red-2")) == ""


@rule("AAD-2")
def test_AAD_2_other_units_do_not_fire_at_aircraft() -> None:
    game = sky([("fw-190-f", "19,15")], [*FLAK, ("t-34-76", "20,18")])
    game.play("red", EndPhase())
    assert refused(game, "blue", AimAt("blue-2", "red-1")) == "AAD-2"


@rule("AAD-3")
def test_AAD_3_guns_that_fire_are_marked_and_cannot_fire_again() -> None:
    game = sky([("fw-190-f", "19,15"), ("fw-190-f", "21,15")], FLAK, dice=(6,))
    game.play("red", EndPhase())
    game.play("blue", AimAt("blue-1", "red-1"))
    game.play("blue", OpenFire())
    assert game.state.units["blue-1"].reacted
    assert top(game) != "AntiAircraftFire"


@rule("AAD-3")
@pytest.mark.parametrize(("state", "rule"), [({"reacted": True}, "AAD-3"), ({"order": "dispersed"}, "GLO-4")])
def test_AAD_3_marked_and_dispersed_guns_do_not_fire(state: dict[str, object], rule: str) -> None:
    game = sky([("fw-190-f", "19,15")], [*FLAK, ("aa-37", "20,20")], blue_1=state)
    game.play("red", EndPhase())
    assert refused(game, "blue", AimAt("blue-1", "red-1")) == rule


@rule("AIL-1", "AIP-2")
@pytest.mark.parametrize(
    ("visibility", "far", "rule"),
    [("good", "20.5,15", ""), ("good", "20.501,15", "LOS-3"), ("poor", "10.5,15", ""), ("poor", "10.501,15", "LOS-3")],
)
def test_AIL_1_the_limit_of_sight_holds_for_fire_at_aircraft(visibility: str, far: str, rule: str) -> None:
    """An aircraft is seen as a vehicle in clear terrain: from 20 inches in good visibility, from 10 in poor."""
    guns = [("aa-76", "0.5,15"), ("aa-76", "10.5,20")]
    game = sky([("fw-190-f", far)], guns, head=f'visibility = "{visibility}"')
    game.play("red", EndPhase())
    assert refused(game, "blue", AimAt("blue-1", "red-1")) == rule


@rule("AIL-2")
def test_AIL_2_no_crest_shields_an_aircraft() -> None:
    game = sky([("fw-190-f", "10,15")], FLAK, RIDGE + WOOD)
    game.play("red", EndPhase())
    assert refused(game, "blue", AimAt("blue-1", "red-1")) == ""


@rule("FOF-1", "FRT-15")
@pytest.mark.parametrize(("facing", "rule"), [(0, ""), (180, "FOF-1")])
def test_FOF_1_flak_in_a_fortification_has_a_field_of_fire(facing: int, rule: str) -> None:
    forts = '[[markers]]\nkind = "fort"\nat = ["20,15"]\n'
    guns = [("aa-37", "20,15"), ("aa-37", "25,15")]
    game = sky([("fw-190-f", "20,8")], guns, more=forts, head='options = ["FOF-1"]', blue_1={"facing": facing})
    game.play("red", EndPhase())
    assert game.state.units["blue-1"].work
    assert refused(game, "blue", AimAt("blue-1", "red-1")) == rule
    assert refused(game, "blue", AimAt("blue-2", "red-1")) == ""  # flak in the open fires all around


@rule("STR-6")
def test_STR_6_no_anti_aircraft_fire_out_of_a_stream() -> None:
    stream = '[[lines]]\nkind = "stream"\npoints = "20,0 20,30"\n'
    game = sky([("fw-190-f", "20,8")], [("mg-12", "20,9"), ("aa-37", "25,15")], stream)
    game.play("red", EndPhase())
    assert refused(game, "blue", AimAt("blue-1", "red-1")) == "STR-6"


# --- geometry ---------------------------------------------------------------------------------------------------


@rule("AIP-2")
def test_AIP_2_guns_fire_at_the_nearest_point_of_the_way() -> None:
    bend = (inches(0, 0), inches(10, 0), inches(10, 10))
    assert nearest(bend, inches(4, 3)) == inches(4, 0)
    assert nearest(bend, inches(14, 5)) == inches(10, 5)
    assert nearest(bend, inches(20, 20)) == inches(10, 10)
    assert nearest((inches(3, 3),), inches(9, 9)) == inches(3, 3)


@rule("HEL-6")
def test_HEL_6_the_way_after_the_first_quarter() -> None:
    bend = (inches(0, 0), inches(10, 0), inches(10, 10))
    assert after(bend, 4_000_000) == (inches(4, 0), inches(10, 0), inches(10, 10))
    assert after(bend, 12_000_000) == (inches(10, 2), inches(10, 10))
    assert after(bend, 21_000_000) == ()


# --- collective ground fire [CGF] ---------------------------------------------------------------------------------

STRUCK = {"struck": True}


@rule("CGF-1", "CGF-3", "CGF-4", "AIP-3")
def test_CGF_1_any_undispersed_unit_within_four_inches() -> None:
    game = sky([("po-2", "20,15")], [("rifle-42-soviet", "20,19")], dice=(1,), red_1=STRUCK)
    game.play("red", EndPhase())
    assert top(game) == "CollectiveGroundFire"
    game.play("blue", GroundFire("red-1"))
    assert game.state.units["red-1"].status == "exited"  # damaged, and gone at the end of the phase
    shooter = game.state.units["blue-1"]
    assert not shooter.fired
    assert not shooter.reacted


@rule("CGF-1", "AIP-3")
@pytest.mark.parametrize(
    ("red", "blue"),
    [({"struck": False}, {}), ({"struck": True, "at": (20_000, 14_999)}, {}), (STRUCK, {"order": "dispersed"})],
)
def test_CGF_1_not_at_aircraft_that_did_not_attack_nor_from_afar_nor_by_dispersed_units(
    red: dict[str, object], blue: dict[str, object]
) -> None:
    game = sky([("po-2", "20,15")], [("rifle-42-soviet", "20,19")], red_1=red, blue_1=blue)
    game.play("red", EndPhase())
    assert top(game) == ""


@rule("CGF-2")
def test_CGF_2_one_attack_on_each_aircraft() -> None:
    game = sky(
        [("po-2", "20,15"), ("po-2", "21,15")], [("rifle-42-soviet", "20,18")], dice=(6, 6), red_1=STRUCK, red_2=STRUCK
    )
    game.play("red", EndPhase())
    game.play("blue", GroundFire("red-1"))
    assert refused(game, "blue", GroundFire("red-1")) == "CGF-2"
    game.play("blue", GroundFireAll())
    assert top(game) == ""


@rule("CGF-4", "AAT-2")
def test_CGF_4_damage_to_a_damaged_aircraft_destroys_it() -> None:
    game = sky([("po-2", "20,15")], [("rifle-42-soviet", "20,18")], dice=(1,), red_1={"struck": True, "damaged": True})
    game.play("red", EndPhase())
    game.play("blue", GroundFireAll())
    assert game.state.units["red-1"].status == "eliminated"


# --- air combat [AIC] ----------------------------------------------------------------------------------------------


@rule("AIC-1", "FB-5")
def test_AIC_1_the_guns_of_all_aircraft_that_fire_at_one_add_up() -> None:
    """Two cannon of 3 make 6 factors; with the aircraft's +1 a 1 is a 2: nothing. Alone, 3 factors have no column."""
    game = sky([("fw-190-f", "20,10"), ("fw-190-f", "20,12")], [("il-2", "20,14")], dice=(1,))
    game.play("red", EndPhase())
    assert top(game) == "AntiAircraftFire"
    assert game.deciders() == ("red",)
    game.play("red", AimAt("red-1", "blue-1"))
    game.play("red", AddGun("red-2"))
    shown = RULESET.preview(game.state, game.stack[-1], OpenFire())
    assert isinstance(shown, Calculation)
    assert (shown.column, shown.modifier) == ("4-7", 1)
    game.play("red", OpenFire())
    unit = game.state.units["red-1"]
    assert unit.fired
    assert {arm.weapon: arm.left for arm in unit.arms} == {"cannon": 3, "bombs": 2, "machine guns": 4}
    assert not unit.reacted


@rule("AIC-1", "FB-3")
def test_AIC_1_only_guns_within_four_inches_and_only_in_the_air() -> None:
    reds = [("fw-190-f", "20,10"), ("fw-190-f", "20,9.999"), ("po-2", "20,11"), ("fw-190-f", "20,12")]
    game = sky([*reds, ("fw-190-f", "21,12")], [("il-2", "20,14"), ("t-34-76", "20,15")], red_4={"struck": True})
    game.play("red", EndPhase())
    shots = [AimAt(f"red-{number}", "blue-1") for number in range(1, 5)]
    assert [refused(game, "red", shot) for shot in shots] == ["", "DF-3", "AIC-1", "FB-3"]
    assert refused(game, "red", AimAt("red-1", "blue-2")) == "AAD-1"


@rule("AIC-1")
def test_AIC_1_without_guns_near_nobody_is_asked() -> None:
    bombs = {"arms": (Arm("bombs", 8, "H", 2, drifts=True),)}
    game = sky([("fw-190-f", "20,10")], [("il-2", "20,14")], red_1=bombs)
    game.play("red", EndPhase())
    assert top(game) == ""
    game = sky([("fw-190-f", "20,10")], [("il-2", "20,14")])  # one cannon of 3 factors has no effect
    game.play("red", EndPhase())
    assert top(game) == ""
