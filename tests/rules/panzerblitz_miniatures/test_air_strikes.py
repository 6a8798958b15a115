"""Fighter-bombers, strike packages, drift of bombs, and the attacks of and at helicopters [FB, ASP, OBA, HEL, HDN]."""

from __future__ import annotations

from fractions import Fraction

import pytest

from opfire.core.errors import BadInput
from opfire.core.events import Calculation
from opfire.core.game import Game
from opfire.rulesets.panzerblitz_miniatures import RULESET
from opfire.rulesets.panzerblitz_miniatures.actions import EndPhase
from opfire.rulesets.panzerblitz_miniatures.airpower.air import Fly, Leave
from opfire.rulesets.panzerblitz_miniatures.airpower.drift import drifted
from opfire.rulesets.panzerblitz_miniatures.airpower.strikes import Hit, Strike, attack, not_sighted
from opfire.rulesets.panzerblitz_miniatures.fire.attacks import Attack, at_stand, by, calculation, sheltered_by
from opfire.rulesets.panzerblitz_miniatures.fire.direct import DirectFirePhase, Engage
from opfire.rulesets.panzerblitz_miniatures.fire.indirect import directs_no_fire
from opfire.rulesets.panzerblitz_miniatures.fire.missions import Mission
from opfire.rulesets.panzerblitz_miniatures.moving.opportunity import cannot_react
from opfire.rulesets.panzerblitz_miniatures.pieces import Arm, Position
from opfire.rulesets.panzerblitz_miniatures.sequence import kept_still
from opfire.rulesets.panzerblitz_miniatures.sighting.seeing import not_spotted, out_of_sight, spotted_by
from rules.panzerblitz_miniatures.flights import RIDGE, TOWN, WOOD, refused, sky, top
from rules.panzerblitz_miniatures.grounds import inches
from rules.panzerblitz_miniatures.kit import CHARTS, rule

BOMBER = ("ju-87-d", "20,10")
FIGHTER = ("fw-190-f", "20,10")
TANK = ("t-34-76", "20,13")
MEN = ("rifle-42-soviet", "20,13")


def striking(*dice: int, red: object = FIGHTER, blue: object = TANK, **more: object) -> Game[Position]:
    """A game in which red's aircraft are about to attack."""
    reds = red if isinstance(red, list) else [red]
    blues = blue if isinstance(blue, list) else [blue]
    game = sky(reds, blues, dice=dice, **more)  # type: ignore[arg-type]
    while top(game) in ("AirMovement", "HelicopterMovement"):
        game.play("red", EndPhase())
    return game


# --- strike packages [ASP] ---------------------------------------------------------------------------------------


@rule("ASP-6", "ASP-1")
def test_ASP_6_the_typical_aircraft_of_the_war() -> None:
    """3 A four times in cannon, and 8 H twice in bombs or 10 H once in rockets; bombs without another word."""
    arms = sky([FIGHTER]).state.units["red-1"].arms
    assert [(arm.weapon, arm.attack, arm.weapon_class, arm.left) for arm in arms[:2]] == [
        ("cannon", 3, "A", 4),
        ("bombs", 8, "H", 2),
    ]
    assert "rockets" not in [arm.weapon for arm in arms]


@rule("ASP-1", "ASP-6")
def test_ASP_1_the_scenario_assigns_the_package() -> None:
    rockets = '[[sides.red.aircraft]]\nunit = "fw-190-f"\ncarries = "rockets"\n'
    arms = {arm.weapon: arm for arm in sky([FIGHTER], more=rockets).state.units["red-1"].arms}
    assert (arms["rockets"].attack, arms["rockets"].left) == (10, 1)
    assert "bombs" not in arms
    a10 = '[[sides.red.aircraft]]\nunit = "fw-190-f"\npackage = "A-10"\n'
    arms = {arm.weapon: arm for arm in sky([FIGHTER], more=a10).state.units["red-1"].arms}
    assert (arms["cannon"].attack, arms["rockets"].attack, arms["bombs"].left) == (20, 15, 6)
    torpedo = '[{ weapon = "torpedo", attack = 9, class = "G", uses = 1 }]'
    own = f'[[sides.red.aircraft]]\nunit = "fw-190-f"\nweapons = {torpedo}\n'
    assert sky([FIGHTER], more=own).state.units["red-1"].arms == (Arm("torpedo", 9, "G", 1),)


@rule("ASP-1")
@pytest.mark.parametrize(
    "wrong",
    ['unit = "t-34-76"', 'unit = "fw-190-f"\npackage = "none"', 'unit = "fw-190-f"\ncarries = "torpedoes"'],
)
def test_ASP_1_wrong_packages_are_refused(wrong: str) -> None:
    with pytest.raises(BadInput):
        sky([FIGHTER], more=f"[[sides.red.aircraft]]\n{wrong}\n")


@pytest.mark.parametrize(
    ("cls", "armored", "other"),
    [
        pytest.param("A", 1, Fraction(1, 2), marks=rule("ASP-2")),
        pytest.param("H", Fraction(1, 2), 1, marks=rule("ASP-3")),
        pytest.param("I", 0, 1, marks=rule("ASP-4")),
        pytest.param("G", 1, Fraction(1, 2), marks=rule("ASP-5")),
    ],
)
def test_ASP_2_to_5_classes_of_weapons(cls: str, armored: Fraction, other: Fraction) -> None:
    game = sky([FIGHTER], [TANK, ("rifle-42-soviet", "20,14.5")], red_1={"arms": (Arm("gun", 8, cls, 4),)})
    unit = game.state.units["red-1"]
    found = [attack(game.state, unit, target, "gun").strengths[0].effective for target in ("blue-1", "blue-2")]
    assert found == [8 * armored, 8 * other]


@rule("ASP-7")
def test_ASP_7_no_crest_halves_and_woods_still_protect() -> None:
    """A crest between them changes nothing; men in a wood have their +1."""
    game = sky([("fw-190-f", "14.5,10")], [("rifle-42-soviet", "18.2,10")], RIDGE + WOOD)
    made = calculation(game.state, attack(game.state, game.state.units["red-1"], "blue-1", "cannon"))
    assert [line.rule for line in made.lines if line.kind == "modifier"] == ["TEC-16"]
    assert "HIL-1" not in [line.rule for line in made.lines]


# --- attacks [FB] ------------------------------------------------------------------------------------------------


@rule("FB-1", "FB-2", "AIP-1")
def test_FB_2_an_attack_within_four_inches() -> None:
    """8 H, half against armor, at defence 9 or so: an attack as direct fire on the Combat Results Table."""
    game = striking(5, 6, red=("fw-190-f", "20,9"))
    assert top(game) == "AirStrikes"
    assert refused(game, "red", Strike("red-1", "blue-1", "cannon")) == ""
    far = striking(red=[("fw-190-f", "20,8.999"), ("fw-190-f", "20,9")])
    assert refused(far, "red", Strike("red-1", "blue-1", "cannon")) == "FB-2"


@rule("FB-2", "FRT-5")
def test_FB_2_bombs_attack_a_fortification_as_such() -> None:
    works = 'markers = [{ kind = "fort", side = "blue", at = ["20,13"] }]\n'
    game = striking(1, red=BOMBER, blue=("t-34-76", "39,29"), more=works)
    assert refused(game, "red", Strike("red-1", "wreck@1,1", "bombs")) == "procedure"
    events = game.play("red", Strike("red-1", "fort@20,13", "bombs"))
    (fire,) = [event.calculation for event in events if event.kind == "fired"]
    assert fire is not None
    assert (fire.column, fire.modifier) == ("1-3", 2)  # half of 8 on armor, to 10


@rule("FB-2", "AIL-1", "SPT-2")
def test_FB_2_a_fortification_in_woods_is_struck_from_two_inches() -> None:
    works = 'markers = [{ kind = "fort", side = "blue", at = ["20,10"] }]\n'
    far, near = (("ju-87-d", place) for place in ("20,13", "20,12"))
    for plane, against in ((far, "LOS-3"), (near, "")):
        game = striking(red=plane, blue=[("t-34-76", "23,13")], ground=WOOD, more=works)
        assert refused(game, "red", Strike("red-1", "fort@20,10", "bombs")) == against


@rule("FB-2")
def test_FB_2_without_a_target_nobody_is_asked() -> None:
    assert top(striking(red=("fw-190-f", "20,8"))) == ""


@rule("FB-3", "FB-4")
def test_FB_3_each_aircraft_attacks_once_and_each_may_attack_the_same_target() -> None:
    game = striking(1, 1, 1, red=[FIGHTER, ("il-2", "21,10")], blue=[("rifle-42-soviet", "20,13"), TANK_APART])
    game.play("red", Strike("red-1", "blue-1", "machine guns"))
    assert refused(game, "red", Strike("red-1", "blue-1", "bombs")) == "FB-3"
    assert refused(game, "red", Strike("red-2", "blue-2", "cannon")) == ""


TANK_APART = ("t-34-76", "21.5,13")


@rule("FB-5")
def test_FB_5_a_record_is_kept_of_what_is_left() -> None:
    game = striking(1, 1, red=[FIGHTER, ("fw-190-f", "21,10")], blue=[MEN, TANK_APART])
    game.play("red", Strike("red-1", "blue-1", "machine guns"))
    left = {arm.weapon: arm.left for arm in game.state.units["red-1"].arms}
    assert left == {"cannon": 4, "bombs": 2, "machine guns": 3}


@rule("FB-5")
def test_FB_5_spent_weapons_are_spent() -> None:
    arms = (Arm("bombs", 8, "H", 0), Arm("cannon", 3, "A", 1))
    game = striking(red_1={"arms": arms})
    assert refused(game, "red", Strike("red-1", "blue-1", "bombs")) == "FB-5"
    assert refused(game, "red", Strike("red-1", "blue-1", "torpedo")) == "ASP-1"


@rule("ASP-4")
def test_ASP_4_machine_guns_have_no_effect_on_armor() -> None:
    assert refused(striking(), "red", Strike("red-1", "blue-1", "machine guns")) == "ASP-4"


@rule("FB-1", "AAT-2")
def test_FB_1_a_damaged_aircraft_attacks_and_is_then_removed() -> None:
    game = striking(6, 6, red_1={"damaged": True})
    game.play("red", Strike("red-1", "blue-1", "cannon"))
    game.play("blue", EndPhase())
    assert game.state.units["red-1"].status == "exited"


@rule("FB-1")
def test_FB_1_aircraft_do_not_fire_in_the_direct_fire_phase() -> None:
    game = sky([FIGHTER, ("pz-iv-h", "22,10")], [TANK])
    game.stack = ()
    game.push(DirectFirePhase("red"))
    game.run()
    assert refused(game, "red", Engage("red-1", "blue-1")) == "FB-1"


@rule("FB-8")
def test_FB_8_fighter_bombers_never_gain_a_firing_position() -> None:
    game = sky([FIGHTER], [TANK])
    assert not game.state.units["red-1"].position
    assert not kept_still(game.state.units["red-1"])
    found = cannot_react(game.state, "red", game.state.change("red-1", position=True))
    assert found is not None
    assert found.rule == "FB-8"
    assert kept_still(game.state.units["blue-1"])


# --- drift [FB-6] -------------------------------------------------------------------------------------------------


@rule("ABN-2", "ABN-3", "FB-6")
@pytest.mark.parametrize(
    ("die", "to"), [(1, (20, 7)), (2, (20, 13)), (3, (23, 10)), (4, (17, 10)), (5, (20, 10)), (6, (20, 10))]
)
def test_ABN_2_the_first_die_is_the_direction_and_the_second_the_inches(die: int, to: tuple[int, int]) -> None:
    assert drifted(CHARTS, inches(20, 10), die, 3) == inches(*to)


@rule("FB-6")
def test_FB_6_bombs_that_drift_miss_a_target_more_than_an_inch_away() -> None:
    game = striking(3, 2)
    events = game.play("red", Strike("red-1", "blue-1", "bombs"))
    assert [event.kind for event in events if event.kind in ("drift", "fired")] == ["drift"]
    assert {arm.weapon: arm.left for arm in game.state.units["red-1"].arms}["bombs"] == 1


@rule("FB-6")
@pytest.mark.parametrize("dice", [(5, 6), (6, 6), (3, 1, 6)])
def test_FB_6_no_drift_or_one_inch_of_it_hits(dice: tuple[int, ...]) -> None:
    events = striking(*dice).play("red", Strike("red-1", "blue-1", "bombs"))
    assert "fired" in [event.kind for event in events]


@rule("FB-6")
def test_FB_6_the_spread_of_bombs_is_told_before_they_drift_and_guns_have_none() -> None:
    sight = striking().state
    target = sight.units["blue-1"].at
    told = RULESET.queries["spread"](sight, "red", action=Strike("red-1", "blue-1", "bombs"))
    assert (len(told), {each["place"]: each["chance"] for each in told}[target]) == (25, pytest.approx(1 / 3))
    assert RULESET.queries["spread"](sight, "red", action=Strike("red-1", "blue-1", "cannon")) == []


@rule("FB-6")
def test_FB_6_dive_bombers_and_guns_do_not_drift() -> None:
    for red, weapon in ((BOMBER, "bombs"), (FIGHTER, "cannon")):
        events = striking(6, red=red).play("red", Strike("red-1", "blue-1", weapon))
        assert "drift" not in [event.kind for event in events]


@rule("FB-6")
def test_R56_the_owner_chooses_a_unit_near_the_drifted_bombs() -> None:
    near, far = ("t-34-76", "22,12"), ("t-34-76", "25.1,13")
    game = striking(3, 3, 6, blue=[TANK, near, far], head='options = ["R56"]')
    game.play("red", Strike("red-1", "blue-1", "bombs"))
    assert top(game) == "DriftedBombs"
    assert refused(game, "red", Hit("blue-1")) == "FB-6"
    assert refused(game, "red", Hit("blue-3")) == "FB-6"
    events = game.play("red", Hit("blue-2"))
    assert "fired" in [event.kind for event in events]


# --- sighting [FB-7, AIL, OBA] -------------------------------------------------------------------------------------


@rule("AIL-1")
@pytest.mark.parametrize(("y", "why"), [("7.9", ""), ("7.899", "LOS-3")])
def test_AIL_1_men_in_a_wood_are_seen_within_two_inches(y: str, why: str) -> None:
    game = sky([("po-2", f"20,{y}")], [("rifle-42-soviet", "20,9.9")], WOOD)
    found = out_of_sight(game.state, game.state.units["red-1"], game.state.units["blue-1"])
    assert (found.rule if found else "") == why


@rule("AIL-2", "AIL-1")
def test_AIL_2_no_obstacle_blocks_and_the_limit_holds() -> None:
    game = sky([("po-2", "5,10")], [("t-34-76", "25,10"), ("t-34-76", "25.001,12")], RIDGE + TOWN)
    plane = game.state.units["red-1"]
    assert out_of_sight(game.state, plane, game.state.units["blue-1"]) is None
    found = out_of_sight(game.state, plane, game.state.units["blue-2"])
    assert found is not None
    assert found.rule == "LOS-3"


@rule("OBA-1")
def test_OBA_1_observation_aircraft_spot_for_units_on_the_ground() -> None:
    ground = [("pz-iv-h", "10,10"), ("po-2", "18.5,8.5")]
    game = sky(ground, [("rifle-42-soviet", "18.2,10")], WOOD)
    assert not_spotted(game.state, game.state.units["red-1"], game.state.units["blue-1"]) is None
    assert game.state.units["red-2"].kind.radio == "observer"


@rule("OBA-1", "IF-6")
def test_OBA_1_they_fulfil_the_sighting_requirement_of_indirect_fire() -> None:
    game = sky([("po-2", "18.5,8.5"), FIGHTER, ("pz-iv-h", "5,5")], [("rifle-42-soviet", "18.2,10")], WOOD)
    units = game.state.units
    rules = [refusal.rule if (refusal := directs_no_fire("red", units[name])) else "" for name in ("red-1", "red-2")]
    assert rules == ["", "IF-6"]
    assert spotted_by(game.state, units["red-1"], units["blue-1"])
    assert not spotted_by(game.state, units["red-3"], units["blue-1"])


@rule("OBA-2")
def test_OBA_2_the_aircraft_stays_within_spotting_range_until_the_fire() -> None:
    game = sky([("po-2", "10,10"), ("po-2", "11,10")], [("t-34-76", "20,10"), ("t-34-76", "39,29")])
    order = Mission("red", "red-2", "neutralization", inches(20, 10), "red-1", "square", 0, 1, 2, "blue-1")
    game.state.plots = (order,)
    assert refused(game, "red", Fly("red-1", inches(20, 29.9))) == ""
    assert refused(game, "red", Fly("red-1", inches(1, 1))) == "OBA-2"
    assert refused(game, "red", Leave("red-1")) == "OBA-2"
    assert refused(game, "red", Fly("red-2", inches(1, 1))) == ""
    game.state.put("blue-1", inches(39, 20))  # out of sight already: nothing binds
    assert refused(game, "red", Fly("red-1", inches(1, 1))) == ""


@rule("FB-7")
def test_FB_7_fighter_bombers_spot_for_each_other_alone() -> None:
    reds = [("pz-iv-h", "14,10"), ("fw-190-f", "18.5,8.5"), ("fw-190-f", "16,8")]
    game = sky(reds, [("rifle-42-soviet", "18.2,10")], WOOD)
    units = game.state.units
    found = not_spotted(game.state, units["red-1"], units["blue-1"])
    assert found is not None
    assert not_sighted(game.state, units["red-2"], at_stand(game.state, units["blue-1"])) is None
    assert not_sighted(game.state, units["red-3"], at_stand(game.state, units["blue-1"])) is None
    game.state.lift("red-2", "exited")
    assert not_sighted(game.state, units["red-3"], at_stand(game.state, units["blue-1"])) is not None


# --- helicopters in combat ------------------------------------------------------------------------------------------

COBRA = ("ah-1", "20,10")


@rule("HEL-8")
def test_HEL_8_a_helicopter_fires_its_own_weapon_in_the_direct_fire_phase() -> None:
    game = sky([COBRA, ("fw-190-f", "20,12")], [("t-55", "30,10")], RIDGE)
    game.stack = ()
    game.push(DirectFirePhase("red"))
    game.run()
    assert refused(game, "red", Engage("red-1", "blue-1")) == ""
    assert refused(game, "red", Engage("red-2", "blue-1")) == "FB-1"
    game.state.change("red-1", down=True)
    assert refused(game, "red", Engage("red-1", "blue-1")) == "HDN-8"


@rule("HEL-7")
def test_HEL_7_helicopters_ignore_hull_down_unless_others_join_in() -> None:
    game = sky([("ah-1", "10,10"), ("m60a1", "10,11.5")], [("t-55", "15.5,10")], RIDGE)
    rules = [
        [line.rule for line in calculation(game.state, Attack("direct", "blue-1", by(*units))).lines]
        for units in (("red-1",), ("red-1", "red-2"))
    ]
    assert ["HUL-2" in each for each in rules] == [False, True]


STRIKE = '[[sides.red.aircraft]]\nunit = "ah-1"\npackage = "A-10"\n'


@rule("HEL-9")
def test_HEL_9_an_air_strike_once_and_then_the_helicopter_has_its_own_weapon() -> None:
    game = striking(6, red=COBRA, blue=("t-55", "20,13"), more=STRIKE)
    game.play("red", Strike("red-1", "blue-1", "rockets"))
    assert [arm.left for arm in game.state.units["red-1"].arms] == [0, 0, 0]


@rule("HEL-10")
def test_HEL_10_no_air_strike_after_its_own_attack() -> None:
    game = striking(red=[COBRA, ("ah-1", "21,10")], blue=("t-55", "20,13"), more=STRIKE, red_1={"fired": True})
    assert refused(game, "red", Strike("red-1", "blue-1", "rockets")) == "HEL-10"
    assert refused(game, "red", Strike("red-2", "blue-1", "rockets")) == ""


@rule("HDN-8")
def test_HDN_8_no_air_strike_from_the_ground() -> None:
    game = striking(red=[COBRA, ("ah-1", "21,10")], blue=("t-55", "20,13"), more=STRIKE)
    game.state.change("red-1", down=True)
    assert refused(game, "red", Strike("red-1", "blue-1", "rockets")) == "HDN-8"


@rule("HEL-6", "AAD-2")
def test_HEL_6_units_without_anti_aircraft_guns_do_not_fire_at_helicopters_in_the_air() -> None:
    game = sky([("t-55", "20,13"), ("motor-rifle-soviet", "22,13")], [("uh-1", "20,10")])
    game.stack = ()
    game.push(DirectFirePhase("red"))
    game.run()
    assert refused(game, "red", Engage("red-2", "blue-1")) == "AAD-2"
    game.state.change("blue-1", down=True)
    assert refused(game, "red", Engage("red-2", "blue-1")) == ""


@rule("HDN-5", "HDN-7")
def test_HDN_5_a_helicopter_that_is_down_is_the_better_target_for_each_attacker() -> None:
    """The gun doubles against armor near by, the rifles against soft targets; the wood protects from neither."""
    game = sky([("t-55", "16.5,9"), ("motor-rifle-soviet", "17.5,11")], [("uh-1", "18.5,10")], WOOD)
    game.state.change("blue-1", down=True)
    made = calculation(game.state, Attack("direct", "blue-1", by("red-1", "red-2")))
    assert [line.value for line in made.lines if line.kind == "factor"] == ["x 2", "x 2"]
    assert [line.rule for line in made.lines if line.kind == "modifier"] == []


@rule("HDN-7")
def test_HDN_7_no_building_shelters_a_helicopter_that_is_down_there() -> None:
    game = sky([("t-55", "5,10")], [("uh-1", "18.5,10"), ("rifle-80-american", "18.5,11.5")], TOWN)
    huey = game.state.change("blue-1", down=True, floor=1)
    assert sheltered_by(game.state, huey) == ""
    assert sheltered_by(game.state, game.state.change("blue-2", floor=1)) == "building"


@rule("FB-2")
def test_FB_2_an_aircraft_flies_to_its_target_and_attacks() -> None:
    game = sky([("fw-190-f", "1,1")], [TANK], dice=(1, 1))
    game.play("red", Fly("red-1", inches(21, 11)))
    game.play("red", EndPhase())
    game.play("red", Strike("red-1", "blue-1", "cannon"))
    assert game.state.units["red-1"].struck
    assert top(game) == "CollectiveGroundFire"


@rule("FB-2")
def test_FB_2_the_preview_of_a_strike_is_its_calculation() -> None:
    game = striking(6)
    action = Strike("red-1", "blue-1", "cannon")
    shown = RULESET.preview(game.state, game.stack[-1], action)
    assert isinstance(shown, Calculation)
    fired = next(event for event in game.play("red", action) if event.kind == "fired")
    assert fired.calculation == shown


@rule("FB-5")
def test_FB_5_the_record_is_on_the_counter() -> None:
    game = sky([FIGHTER], red_1={"damaged": True})
    badges = {badge["code"]: badge["text"] for badge in game.view("blue")["units"][0]["badges"]}
    assert badges["A"] == "cannon 3 A, 4 left, bombs 8 H, 2 left, machine guns 3 I, 4 left"
    assert "DA" in badges
