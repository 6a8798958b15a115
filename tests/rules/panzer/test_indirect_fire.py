"""Indirect fire [6.5.1]: calling, response, continuing, adjusting, checking, danger close, resolution."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from opfire.core.errors import BadInput
from opfire.core.game import Game
from opfire.kit.orders import Pass
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.commands import cannot_command
from opfire.rulesets.panzer.fire.direct_fire import DirectFireStep, Keep, Reveal
from opfire.rulesets.panzer.fire.overwatch import Overwatch
from opfire.rulesets.panzer.fire.shots import shot, smoke_between
from opfire.rulesets.panzer.indirect import barrages, calling, obscuring, observers, smoke
from opfire.rulesets.panzer.indirect.calling import AdjustFire, CallFire, CheckFire, ContinueFire
from opfire.rulesets.panzer.indirect.kinds import Fall, Guns, Mission, Smoke
from opfire.rulesets.panzer.indirect.patterns import covered
from opfire.rulesets.panzer.indirect.responding import response
from opfire.rulesets.panzer.indirect.shells import FireSmoke, LoadSmoke
from opfire.rulesets.panzer.indirect.step import IndirectFireStep, Redirect
from opfire.rulesets.panzer.moving.going import Move, Stay, Turn
from opfire.rulesets.panzer.pieces import CommandName, Position, Work
from rules.panzer.battle import OPEN, game, refused, text, told
from rules.panzer.kit import CHARTS, rule
from rules.panzer.moves import army, marching
from rules.panzer.shelling import GUNS, WIDE, answered, astray, next_turn, shelling, with_guns

LEIG = '{ unit = "o_g75", level = "attached" }'
"""A light battery: factor 7 at all ranges, smoke on 3 or less."""

HEAVY = with_guns('{ unit = "o_g210" }')
FO = army(("g_fo", "1-A4"), more=with_guns(LEIG))
TANK = army(("t34_43", "1-G4"))
OW = {1: "overwatch"}
CALL = CallFire("german-1", GUNS, "soviet-1")
FAILS = 2
"""A roll of ten that an FO's Attached battery does not answer: it needs 3."""


# --- observers and sources [6.5.1.1]


@rule("6.5.1", "6.5.1-a", "6.5.1.7")
def test_an_fo_on_overwatch_calls_a_battery_onto_a_tank_that_it_spots() -> None:
    made = shelling(FO, OW, TANK, 5, 50)
    assert made.stack[-1] == IndirectFireStep("german")
    made.play("german", CALL)
    answered(made)
    mission = made.state.missions[GUNS]
    assert (mission.fall, mission.observer) == (Fall("1-G4", "gp", "closed"), "german-1")
    assert made.state.units["german-1"].revealed
    assert made.state.units["german-1"].fresh == ""


@rule("6.5.1", "6.5.1-a")
@pytest.mark.parametrize(
    ("unit", "command", "number"),
    [("g_sqd41", "overwatch", "6.5.1"), ("g_fo", "fire", "6.5.1-a"), ("g_fo", "no command", "6.5.1-a")],
)
def test_others_and_units_without_overwatch_do_not_call(unit: str, command: str, number: str) -> None:
    made = shelling(army((unit, "1-A4"), more=with_guns(LEIG)), {1: command}, TANK)  # type: ignore[dict-item]
    assert refused(made, "german", CALL) == number


@rule("6.5.1", "6.5.1.7")
def test_the_target_has_to_be_spotted_by_the_observer() -> None:
    hidden = OPEN.replace("\n. . . . . . . . . . . .\n", "\n. . W W W W . . . . . .\n")
    made = shelling(FO, OW, TANK, board=hidden)
    assert refused(made, "german", CALL) == "4.4.1-a"


@rule("6.5.1.1.1", "6.5.1.1.2", "6.5.1.1.3")
def test_rows_of_observers_fo_before_command_before_recon() -> None:
    state = shelling(FO, OW, TANK).state
    unit = state.units["german-1"]
    for labels, row in (
        (("CHQ", "FO"), "FO"),
        (("Recon", "CHQ"), "CHQ"),
        (("CHQ", "BHQ"), "BHQ"),
        (("Recon",), "Recon"),
        ((), None),
    ):
        assert observers.row_of(replace(unit, labels=labels)) == row


@rule("6.5.1.1.1")
@pytest.mark.parametrize(("card", "most"), [("g_fo", 2), ("u_fo", 4), ("s_fo", 2), ("g_chq", 1), ("g_recon", 1)])
def test_sources_by_observer(card: str, most: int) -> None:
    unit = shelling(FO, OW, TANK).state.units["german-1"]
    labels = {"g_chq": ("CHQ",), "g_recon": ("Recon",)}.get(card, ("FO",))
    assert observers.capacity(replace(unit, kind=CHARTS.legs[card], labels=labels)) == most


@rule("6.5.1.1", "6.5.1.1.1", "6.5.1.1.2", "6.5.1.1.3")
def test_command_and_recon_units_call_one_battery_an_fo_two_and_no_third() -> None:
    guns = with_guns('{ unit = "o_g75", count = 3, level = "attached" }')
    for card, most, rule_of in (("g_chq", 1, "6.5.1.1.2"), ("g_recon", 1, "6.5.1.1.3"), ("g_fo", 2, "6.5.1.1.1")):
        made = shelling(army((card, "1-A4"), more=guns), OW, TANK, *[9, 50] * most)
        for number in range(1, most + 1):
            made.play("german", CallFire("german-1", f"german-battery-{number}", "soviet-1"))
            answered(made)
        third = CallFire("german-1", f"german-battery-{most + 1}", "soviet-1")
        assert refused(made, "german", third) == rule_of


@rule("6.5.1.1")
def test_an_observer_calls_onto_one_hex() -> None:
    guns = with_guns('{ unit = "o_g75", count = 2, level = "attached" }')
    two = army(("t34_43", "1-G4"), ("t34_43", "1-G7"))
    made = shelling(army(("g_fo", "1-A4"), more=guns), OW, two, 9, 50)
    made.play("german", CALL)
    answered(made)
    assert refused(made, "german", CallFire("german-1", "german-battery-2", "soviet-2")) == "6.5.1.1"
    assert refused(made, "german", CallFire("german-1", "german-battery-2", "soviet-1")) is None


@rule("6.5.1.1.4")
def test_two_mortars_within_command_range_are_one_source() -> None:
    near = army(("g_chq", "1-A4"), ("g_m81", "1-A6"), ("g_m81", "1-A7"), ("g_m81", "1-C8"))
    state = shelling(near, {}, TANK).state
    assert observers.distinct(state, ["german-2", "german-3"]) == 1
    assert observers.distinct(state, ["german-2", "german-4"]) == 2
    assert observers.distinct(state, ["german-2", "german-3", "german-4"]) == 2
    assert observers.distinct(state, [GUNS, "german-2"]) == 2


# --- attachment [6.5.1.3]


@rule("6.5.1.3.1", "6.5.1.3.2", "6.5.1.3.3")
@pytest.mark.parametrize(
    ("level", "formations", "found"),
    [
        ("organic", "[]", "organic"),
        ("attached", '["One"]', "attached"),
        ("attached", '["Two"]', "unattached"),
        ("organic", '["Two"]', "unattached"),
    ],
)
def test_levels_of_attachment(level: str, formations: str, found: str) -> None:
    both = (
        'formations = [{ name = "One", grade = "seasoned", units = { g_fo = 1 } },'
        ' { name = "Two", grade = "seasoned", units = { g_m81 = 1 } }]\n'
    )
    guns = with_guns(f'{{ unit = "o_g75", level = "{level}", formations = {formations} }}')
    state = game(text(german=army(("g_fo", "1-A4"), ("g_m81", "1-A5"), more=both + guns), options=("AG",))).state
    observer = state.units["german-1"]
    guns_of, mortar = observers.source(state, GUNS), observers.source(state, "german-2")
    assert guns_of is not None
    assert mortar is not None
    assert observers.attachment(observer, guns_of) == found
    assert observers.attachment(observer, mortar) == "unattached"
    assert observers.attachment(state.units["german-2"], mortar) == "attached"


@rule("6.5.1.1.2-soviet", "6.5.1.1.3")
@pytest.mark.parametrize(
    ("card", "level", "number"),
    [
        ("s_chq", "organic", "6.5.1.1.2-soviet"),
        ("s_chq", "attached", None),
        ("s_scout", "organic", "6.5.1.1.2-soviet"),
        ("s_fo", "organic", None),
    ],
)
def test_soviet_commanders_and_scouts_call_attached_batteries_alone(card: str, level: str, number: str | None) -> None:
    guns = with_guns(f'{{ unit = "o_s76", level = "{level}" }}')
    made = shelling(army((card, "1-A4"), more=guns), OW, army(("pz4h", "1-G4")))
    assert refused(made, "german", CALL) == number


# --- units on the map [6.5.1-a, 5.1.3.1]

HILL = OPEN.replace("\n. . . . . . . . . . . .", "\n. . . . 3 . . . . . . .")
MORTAR = army(("g_fo", "1-F4"), ("g_m81", "1-A1"))
BEHIND = OPEN.replace(". . . . . . . . . . . .\n. . .", ". W . . . . . . . . . .\n. W .", 1)


@rule("6.5.1", "6.5.1-a", "5.1.3.1")
@pytest.mark.parametrize(("command", "number"), [("fire", None), ("short halt", "6.5.1-a"), ("overwatch", "6.5.1-a")])
def test_units_on_the_map_need_a_fire_command(command: str, number: str | None) -> None:
    made = shelling(MORTAR, {1: "overwatch", 2: command}, TANK)  # type: ignore[dict-item]
    made.state.spots["soviet-1"] = ("german-1",)
    assert refused(made, "german", CallFire("german-1", "german-2", "soviet-1")) == number


@rule("6.5.1")
def test_a_mortar_that_spots_the_target_fires_directly() -> None:
    made = shelling(MORTAR, {1: "overwatch", 2: "fire"}, TANK)
    assert refused(made, "german", CallFire("german-1", "german-2", "soviet-1")) == "6.5.1"


@rule("6.5.1", "5.1.3.1")
def test_only_units_with_an_indirect_row_fire_so_and_no_mortar_on_an_upper_floor() -> None:
    town = OPEN.replace("\n. . .", "\nB . .", 1)
    made = shelling(
        army(("g_fo", "1-F4"), ("g_m81", "1-A1"), ("g_hmg", "1-A2")),
        {1: "overwatch", 2: "fire", 3: "fire"},
        TANK,
        board=town,
    )
    made.state.spots["soviet-1"] = ("german-1",)
    assert refused(made, "german", CallFire("german-1", "german-2", "soviet-1")) is None
    made.state.change("german-2", upper=True)
    assert refused(made, "german", CallFire("german-1", "german-2", "soviet-1")) == "5.1.3.1"
    assert refused(made, "german", CallFire("german-1", "german-3", "soviet-1")) == "6.5.1"


@rule("6.5.1-a", "5.1.3.1", "5.16.2.3")
def test_a_mortar_that_fires_is_marked_as_small_arms_and_fires_once() -> None:
    made = shelling(MORTAR, {1: "overwatch", 2: "fire"}, TANK, 9, 50)
    made.state.spots["soviet-1"] = ("german-1",)
    made.play("german", CallFire("german-1", "german-2", "soviet-1"))
    answered(made)
    mortar = made.state.units["german-2"]
    assert (mortar.fired, mortar.fresh, mortar.revealed) == (True, "small arms", True)
    assert covered(made.state.map, made.state.missions["german-2"].fall) == ("1-G4",)
    assert refused(made, "german", CallFire("german-1", "german-2", "soviet-1")) == "6.5.1-a"


@rule("6.5.1.7-a")
def test_a_mortar_that_does_not_respond_has_carried_out_its_command() -> None:
    made = shelling(MORTAR, {1: "overwatch", 2: "fire"}, TANK, FAILS)
    made.state.spots["soviet-1"] = ("german-1",)
    made.play("german", CallFire("german-1", "german-2", "soviet-1"))
    mortar = made.state.units["german-2"]
    assert (mortar.fired, mortar.fresh, made.state.missions) == (True, "", {})


@rule("6.5.1")
def test_a_gun_fires_indirectly_as_it_faces() -> None:
    made = shelling(army(("g_fo", "1-F4"), ("t_m120", "1-A1")), {1: "overwatch", 2: "fire"}, TANK)
    made.state.spots["soviet-1"] = ("german-1",)
    made.state.change("german-2", facing=2)
    assert refused(made, "german", CallFire("german-1", "german-2", "soviet-1")) is None
    made.state.change("german-2", facing=5)
    assert refused(made, "german", CallFire("german-1", "german-2", "soviet-1")) == "6.5.1"


@rule("6.5.1.13", "5.6")
def test_ranges_of_batteries_from_the_observer_and_of_mortars_from_the_farther_one() -> None:
    made = shelling(army(("g_fo", "1-F4"), ("t_m120", "1-A1"), more=with_guns(LEIG)), {1: "overwatch", 2: "fire"}, TANK)
    state = made.state
    mortar, guns = observers.source(state, "german-2"), observers.source(state, GUNS)
    assert mortar is not None
    assert guns is not None
    observer = state.units["german-1"]
    assert calling.called_range(state, observer, guns, "1-G4") == 1
    assert calling.called_range(state, observer, mortar, "1-G4") == state.map.distance("1-A1", "1-G4") == 6
    close = calling.out_of_range(state, state.units["german-1"], mortar, "1-A1")
    assert close is None  # five hexes from the observer, and the greater range counts
    state.change("german-1", hex="1-A2")
    too_close = calling.out_of_range(state, state.units["german-1"], mortar, "1-A3")
    assert too_close is not None
    assert too_close.rule == "6.5.1.13"


# --- types and patterns [6.5.1.5, 6.5.1.6]


@rule("6.5.1.5", "6.5.1.6.1")
@pytest.mark.parametrize(
    ("sheaf", "toward", "hexes"), [("point", 0, 1), ("closed", 0, 7), ("open", 0, 19), ("linear", 2, 7)]
)
def test_hexes_of_patterns(sheaf: str, toward: int, hexes: int) -> None:
    state = game(text(board=WIDE)).state
    found = covered(state.map, Fall("1-F5", "gp", sheaf, toward))  # type: ignore[arg-type]
    assert (len(found), found[0]) == (hexes, "1-F5")
    assert max(state.map.distance("1-F5", hex) for hex in found) == {1: 0, 7: 1, 19: 2}[hexes] or sheaf == "linear"
    if sheaf == "linear":
        assert sorted(state.map.distance("1-F5", hex) for hex in found) == [*range(7)]


@rule("6.5.1.5", "6.5.1.6.1", "6.5.1.6.2")
def test_patterns_and_rounds_that_a_unit_does_not_have() -> None:
    made = shelling(
        army(("g_fo", "1-F4"), ("g_m81", "1-A1"), more=with_guns('{ unit = "o_g210" }')),
        {1: "overwatch", 2: "fire"},
        TANK,
    )
    made.state.spots["soviet-1"] = ("german-1",)
    for firer, more, number in (
        ("german-2", {"sheaf": "open"}, "6.5.1.5"),
        ("german-2", {"rounds": "smoke"}, None),
        (GUNS, {"rounds": "smoke"}, "6.5.1.6.1"),
        (GUNS, {"rounds": "illumination"}, "6.5.1.6.2"),
        (GUNS, {"toward": 3}, "6.5.1.5"),
        (GUNS, {"sheaf": "linear", "toward": 3}, None),
        (GUNS, {"sheaf": "open"}, None),
    ):
        call = replace(CallFire("german-1", firer, "soviet-1"), **more)
        assert refused(made, "german", call) == number, (firer, more)


# --- response [6.5.1.12]


def chance(
    made_dice: tuple[int, ...] = (), hex: str = "1-G4", adjusted: bool = False, **values: object
) -> tuple[str, int]:
    """The row and modifier of a response to an FO with these values."""
    state = shelling(FO, OW, TANK).state
    observer = state.change("german-1", **values)
    from_ = observers.source(state, GUNS)
    assert from_ is not None
    made = response(state, observer, from_, "1-G4", adjusted=adjusted)
    return made.column, made.modifier


@rule("6.5.1.12", "6.5.1.7-a")
@pytest.mark.parametrize(
    ("values", "net"),
    [
        ({}, 0),
        ({"grade": "elite"}, 2),
        ({"grade": "green"}, -2),
        ({"suppression": "off"}, -2),
        ({"labels": ("Recon", "CHQ")}, 1),
        ({"morale": "hesitating"}, -1),
        ({"morale": "broken"}, -2),
    ],
)
def test_modifiers_of_the_observer(values: dict[str, object], net: int) -> None:
    assert chance(**values)[1] == net


@rule("6.5.1.12")
def test_turret_damage_of_the_observer_counts_and_hull_damage_does_not() -> None:
    assert chance(damaged=True, damaged_part="turret")[1] == -2
    assert chance(damaged=True, damaged_part="hull")[1] == 0


@rule("6.5.1.12", "6.5.1.8.2")
def test_adjusted_fire_responds_more_easily() -> None:
    assert chance(adjusted=True) == ("3-10", 1)


@rule("6.5.1.12", "6.5.1.4")
def test_a_pre_registered_point_helps_its_own_battery_alone() -> None:
    state = shelling(army(("g_fo", "1-A4"), ("g_m81", "1-A6"), more=with_guns(LEIG, LEIG)), OW, TANK).state
    state.batteries[GUNS] = replace(state.batteries[GUNS], points=("1-G4",))
    found = {}
    for name in (GUNS, "german-battery-2", "german-2"):
        from_ = observers.source(state, name)
        assert from_ is not None
        found[name] = response(state, state.units["german-1"], from_, "1-G4", adjusted=False).modifier
    assert found == {GUNS: 2, "german-battery-2": 0, "german-2": 0}


@rule("6.5.1.12", "6.5.1.12-a")
def test_the_factor_or_more_responds_and_a_natural_one_never_does() -> None:
    state = shelling(FO, OW, TANK).state
    from_ = observers.source(state, GUNS)
    assert from_ is not None
    elite = state.change("german-1", grade="elite")
    plain = response(state, replace(elite, grade="seasoned"), from_, "1-G4", adjusted=False)
    assert [plain.result((roll,)) for roll in (1, 2, 3)] == ["no response", "no response", "responds"]
    eager = response(state, elite, from_, "1-G4", adjusted=True)
    assert [eager.result((roll,)) for roll in (1, 2)] == ["no response", "responds"]


@rule("6.5.1.10", "6.5.1.12-a")
@pytest.mark.parametrize(("hex", "outcome"), [("1-B4", "goes astray"), ("1-A4", "no response")])
def test_a_natural_one_goes_astray_only_within_five_hexes_of_a_spotted_friend(hex: str, outcome: str) -> None:
    state = shelling(FO, OW, TANK).state
    observer, from_ = state.put("german-1", hex), observers.source(state, GUNS)
    assert from_ is not None
    assert response(state, observer, from_, "1-G4", adjusted=False).result((1,)) == outcome
    state.spots["german-1"] = ()
    assert response(state, observer, from_, "1-G4", adjusted=False).result((1,)) == "no response"


@rule("6.5.1.12", "6.5.1-a", "6.5.1.7-a")
def test_a_battery_that_does_not_respond_is_done_for_the_turn() -> None:
    made = shelling(FO, OW, TANK, FAILS)
    made.play("german", CALL)
    assert made.state.missions == {}
    assert told(made, "response") == ["7.5 cm leIG battery answers FO section 1: no response"]
    assert refused(made, "german", CALL) == "6.5.1-a"


@rule("6.5.1.12-a", "6.5.1.10")
def test_a_natural_one_without_spotted_friends_near_by_is_no_response() -> None:
    made = shelling(FO, OW, TANK, 1)
    made.play("german", CALL)
    assert (made.state.missions, made.stack[-1]) == ({}, IndirectFireStep("german"))


@rule("6.5.1.12-a", "6.5.1.10", "6.5.1.9")
def test_a_natural_one_falls_on_a_spotted_friend_of_the_enemys_choice_and_checks_next_turn() -> None:
    friends = army(("g_fo", "1-A4"), ("pz4h", "1-C4"), ("pz4h", "1-E4"), ("pz4h", "1-A1"), more=with_guns(LEIG))
    made = shelling(friends, OW, TANK, 1, 50)
    made.play("german", CALL)
    assert astray(made)
    assert made.asked() == ("soviet",)
    assert [*made.choices("soviet")] == [Redirect("german-2"), Redirect("german-3")]  # 1-A1 is six hexes off
    assert refused(made, "soviet", Redirect("german-4")) == "6.5.1.12-a"
    made.play("soviet", Redirect("german-2"))
    answered(made)
    mission = made.state.missions[GUNS]
    assert (mission.fall.hex, mission.astray) == ("1-C4", True)
    assert mission.band == "P"  # two hexes from the observer, where the tank was six
    assert made.state.units["german-2"].under_fire
    next_turn(made)
    assert made.state.missions == {}


# --- continuing, adjusting, checking [6.5.1.8, 6.5.1.9]

TWO = army(("t34_43", "1-G4"), ("t34_43", "1-I4"), ("t34_43", "1-L8"))


def fallen(*dice: int, german: str = FO) -> Game[Position]:
    """A turn after the FO's battery fell on the first of three tanks; these dice are still to come."""
    made = shelling(german, OW, TWO, 9, 50, *dice)
    made.play("german", CALL)
    answered(made)
    next_turn(made)
    return made


@rule("6.5.1.8", "6.5.1.9")
def test_fire_that_falls_may_be_continued_adjusted_and_checked() -> None:
    """The offers to the observer of a mission: they are what a player without the rulebook finds."""
    made = fallen(50)
    offers = [*made.choices("german")]
    assert ContinueFire("german-1", GUNS) in offers
    assert CheckFire("german-1", GUNS) in offers
    assert any(isinstance(act, AdjustFire) and act.unit == "german-1" for act in offers)


@rule("6.5.1.8.1", "6.5.1.8")
def test_fire_goes_on_without_a_response_and_may_turn_to_smoke() -> None:
    made = fallen(50, 2)
    go_on = ContinueFire("german-1", GUNS)
    assert refused(made, "german", ContinueFire("german-1", GUNS, "illumination")) == "6.5.1.8.1"
    made.play("german", go_on)
    answered(made)
    assert told(made, "fired") == ["7.5 cm leIG battery falls on T-34 M43 1: no effect"]
    assert [event.calibre for event in made.events if event.kind == "fired"] == [75]
    next_turn(made)
    made.play("german", ContinueFire("german-1", GUNS, "smoke"))
    assert made.state.missions[GUNS].fall == Fall("1-G4", "smoke", "closed")
    assert made.state.missions[GUNS].since == 1
    assert len(made.state.smoke[0].hexes) == 7


@rule("6.5.1.8.1")
def test_fire_goes_on_as_long_as_a_spotted_enemy_is_in_or_next_to_its_point() -> None:
    for hex, number in (("1-H4", None), ("1-I4", "6.5.1.8.1")):
        made = fallen()
        made.state.change("soviet-1", hex=hex)
        assert refused(made, "german", ContinueFire("german-1", GUNS)) == number


@rule("6.5.1.8.2", "6.5.1.12")
def test_fire_is_adjusted_up_to_three_hexes_with_a_new_response() -> None:
    made = fallen(3, 50)
    assert refused(made, "german", AdjustFire("german-1", GUNS, "soviet-3")) == "6.5.1.8.2"
    made.play("german", AdjustFire("german-1", GUNS, "soviet-2"))  # 1 for adjusted fire, -1 for its own barrage
    answered(made)
    assert made.state.missions[GUNS].fall.hex == "1-I4"
    assert told(made, "fired") != []


@rule("6.5.1.8.2", "6.5.1.5-a")
def test_adjusted_fire_that_does_not_respond_is_gone() -> None:
    made = fallen(FAILS)
    made.state.change("german-1", suppression="off", facing=2)
    made.play("german", AdjustFire("german-1", GUNS, "soviet-2"))
    assert made.state.missions == {}


@rule("6.5.1.8.2", "6.5.1.1.1")
def test_an_fo_adds_a_battery_to_fire_that_goes_on_without_the_advantage() -> None:
    guns = with_guns('{ unit = "o_g75", count = 2, level = "attached" }')
    made = fallen(50, FAILS, german=army(("g_fo", "1-A4"), more=guns))
    more = CallFire("german-1", "german-battery-2", "soviet-1")
    assert refused(made, "german", more) == "6.5.1.9"  # first it decides on the fire that falls
    made.play("german", ContinueFire("german-1", GUNS))
    answered(made)
    made.play("german", more)
    assert [*made.state.missions] == [GUNS]


@rule("6.5.1.9")
def test_an_observer_that_has_checked_fire_continues_no_other() -> None:
    guns = with_guns('{ unit = "o_g75", count = 2, level = "attached" }')
    made = fallen(german=army(("g_fo", "1-A4"), more=guns))
    state = made.state
    other = "german-battery-2"
    state.missions[other] = replace(state.missions[GUNS], firer=other)
    assert refused(made, "german", ContinueFire("german-1", other)) is None
    made.play("german", CheckFire("german-1", GUNS))
    assert refused(made, "german", ContinueFire("german-1", other)) == "6.5.1.9"
    assert refused(made, "german", CheckFire("german-1", other)) is None


@rule("6.5.1.9", "6.5.1.5-a")
def test_fire_that_falls_is_decided_on_and_checked_fire_ends_the_observers_turn() -> None:
    guns = with_guns('{ unit = "o_g75", count = 2, level = "attached" }')
    made = fallen(german=army(("g_fo", "1-A4"), more=guns))
    assert refused(made, "german", EndStep()) == "6.5.1.9"
    assert refused(made, "german", CALL) == "6.5.1.9"
    made.play("german", CheckFire("german-1", GUNS))
    assert made.state.missions == {}
    assert refused(made, "german", CALL) == "6.5.1.9"
    assert refused(made, "german", CallFire("german-1", "german-battery-2", "soviet-1")) == "6.5.1.9"
    assert refused(made, "german", EndStep()) is None


@rule("6.5.1.9")
def test_6_5_1_9_fire_checks_whose_observer_dies_while_it_waits_for_a_decision() -> None:
    guns = with_guns('{ unit = "o_g75", count = 2, level = "attached" }')
    made = fallen(9, 50, german=army(("g_fo", "1-A4"), ("g_chq", "1-A5"), more=guns))
    made.state.change("german-2", command="overwatch")
    made.state.change("german-1", hex=None, status="eliminated")  # by shells of its own side, say
    made.play("german", CallFire("german-2", "german-battery-2", "soviet-2"))
    answered(made)
    assert GUNS not in made.state.missions
    assert refused(made, "german", EndStep()) is None


@rule("6.5.1.9")
def test_a_mortar_whose_fire_is_checked_may_still_fire_directly() -> None:
    made = shelling(MORTAR, {1: "overwatch", 2: "fire"}, TANK, 9, 50)
    made.state.spots["soviet-1"] = ("german-1",)
    made.play("german", CallFire("german-1", "german-2", "soviet-1"))
    answered(made)
    made.state.change("german-2", fired=False)
    next_turn(made)
    made.play("german", CheckFire("german-1", "german-2"))
    assert not made.state.units["german-2"].fired


@rule("6.5.1.9", "6.5.1.8")
@pytest.mark.parametrize(
    "values", [{"command": "no command"}, {"hex": None, "status": "eliminated"}, {"hex": "1-A8", "suppression": ""}]
)
def test_fire_that_is_no_longer_observed_checks(values: dict[str, object]) -> None:
    wood = OPEN.replace(". . . . . . . . . . . .\n'''", ". W W . . . . . . . . .\n'''")
    wood = wood.replace("\n. . . . . . . . . . . .\n. W W", "\n. W W . . . . . . . . .\n. W W")
    made = shelling(FO, OW, TWO, 9, 50, board=wood)
    made.play("german", CALL)
    answered(made)
    made.state.change("german-1", **values)
    next_turn(made)
    assert made.state.missions == {}


TOWER = (
    OPEN.replace("hexes = '''", "storeys = { A4 = 5 }\nhexes = '''")
    .replace("\n. . . . . . . . . . . .", "\n. W W . . . . . . . . .")
    .replace("\n. W W . . . . . . . . .\n. W", "\nB W W . . . . . . . . .\n. W")
)
"""Brick buildings behind two columns of woods; that of A4 has five storeys, one more than an observer needs."""


@rule("6.5.1.9", "6.5.1.8", "6.1.4.3.1-b")
@pytest.mark.parametrize(("upper", "goes_on"), [(True, True), (False, False)])
def test_fire_goes_on_that_its_observer_sees_from_the_top_floor_alone(upper: bool, goes_on: bool) -> None:
    made = shelling(FO, OW, TANK, 9, 50, 50, board=TOWER)
    made.state.change("german-1", upper=True)
    made.state.spots["soviet-1"] = ("german-1",)
    made.play("german", CALL)
    answered(made)
    made.state.change("german-1", upper=upper)
    next_turn(made)
    assert (GUNS in made.state.missions) == goes_on
    if goes_on:
        assert refused(made, "german", ContinueFire("german-1", GUNS)) is None


@rule("6.5.1.8.1", "6.1.3.1")
@pytest.mark.parametrize(("facing", "suppression", "rule"), [(2, "on", None), (5, "on", "6.1.3.1"), (5, "", None)])
def test_a_suppressed_observer_continues_fire_in_front_of_it_alone(
    facing: int, suppression: str, rule: str | None
) -> None:
    made = fallen()
    made.state.change("german-1", facing=facing, suppression=suppression)
    assert refused(made, "german", ContinueFire("german-1", GUNS)) == rule


@rule("6.5.1.9", "6.5.1.8")
def test_no_other_observer_takes_fire_over() -> None:
    made = fallen(german=army(("g_fo", "1-A4"), ("g_fo", "1-A5"), more=with_guns(LEIG)))
    made.state.change("german-2", command="overwatch")
    assert refused(made, "german", ContinueFire("german-2", GUNS)) == "6.5.1.8"
    assert refused(made, "german", AdjustFire("german-2", GUNS, "soviet-1")) == "6.5.1.8"
    assert refused(made, "german", CheckFire("german-2", GUNS)) == "6.5.1.8"


# --- resolution [6.5.1.13, 6.5.4]


@rule("6.5.1-b", "6.5.1.13")
def test_every_unit_of_either_side_in_the_pattern_is_attacked_by_itself() -> None:
    friends = army(("g_fo", "1-A4"), ("g_sqd41", "1-F4"), more=with_guns(LEIG))
    made = shelling(friends, OW, army(("t34_43", "1-G4"), ("s_sqd41", "1-G4"), ("s_sqd41", "1-I4")), 9, 50, 51, 52)
    made.play("german", CALL)
    answered(made)
    attacked = {name for name, unit in made.state.units.items() if unit.under_fire}
    assert attacked == {"soviet-1", "soviet-2", "german-2"}


def lines_of(
    made: Game[Position], fall: Fall, target: str, observer: str = "german-1", **more: object
) -> dict[str, int]:
    """The modifiers of a battery's fire against a unit."""
    mission = Mission(firer=GUNS, side="german", fall=fall, observer=observer)
    found = barrages.attack(made.state, mission, made.state.units[target])
    return {line.rule: line.amount for line in found.lines if line.kind == "modifier"}


@rule("6.5.1.13")
def test_factors_by_range_from_the_observer_and_medium_for_planned_fire() -> None:
    made = shelling(FO, OW, TANK, 9, 50)
    made.play("german", CALL)
    answered(made)
    assert made.state.missions[GUNS].band == "S"  # six hexes from the FO: 3, 8, 15, 22, 36
    assert Mission(firer=GUNS, side="german", fall=Fall("1-G4")).band == "M"


@rule("6.5.4.3-moving", "6.5.1.13")
def test_a_vehicle_known_to_move_counts_twenty_but_not_against_planned_fire() -> None:
    made = shelling(FO, OW, TANK)
    fall = Fall("1-G4", "gp", "closed")
    assert "6.5.4.3-moving" not in lines_of(made, fall, "soviet-1")
    made.state.change("soviet-1", command="move", revealed=True)
    assert lines_of(made, fall, "soviet-1")["6.5.4.3-moving"] == -20
    assert "6.5.4.3-moving" not in lines_of(made, fall, "soviet-1", observer="")


@rule("6.5.4.3-moving", "6.5.1.13")
def test_owners_of_both_sides_may_reveal_that_their_vehicles_move() -> None:
    friends = army(("g_fo", "1-A4"), ("pz4h", "1-F4"), more=with_guns(LEIG))
    made = shelling(friends, {1: "overwatch", 2: "move"}, TANK, 9, 50, 51, soviets={1: "move"})
    made.play("german", CALL)
    assert made.asked() == ("soviet",)
    made.play("soviet", Reveal("soviet-1"))
    assert made.asked() == ("german",)
    made.play("german", Keep())
    assert [unit.id for unit in made.state.units.values() if unit.revealed] == ["german-1", "soviet-1"]


@rule("6.5.4.3-open", "6.5.4.3")
def test_an_open_pattern_counts_twenty_and_grades_nothing() -> None:
    made = shelling(FO, OW, TANK)
    assert lines_of(made, Fall("1-G4", "gp", "open"), "soviet-1") == {"6.5.4.3-open": -20, "6.5.4.3-type": -20}
    assert lines_of(made, Fall("1-G4", "gp", "closed"), "soviet-1") == {"6.5.4.3-type": -20}


@rule("6.5.4.3-cover")
@pytest.mark.parametrize(
    ("letter", "inside", "cover"),
    [("W", False, "none"), ("B", False, "none"), ("B", True, "medium"), ("S", True, "heavy"), ("T", True, "none")],
)
def test_vehicles_have_cover_from_above_inside_buildings_alone(letter: str, inside: bool, cover: str) -> None:
    town = OPEN.replace("\n. . . . . . . . . . . .", f"\n. . . . . . {letter} . . . . .", 1)
    state = shelling(FO, OW, army(("t34_43", "1-G1")), board=town).state
    tank = state.change("soviet-1", inside=inside, hex="1-G1")
    assert barrages.overhead(state, tank) == cover


@rule("6.5.4.3-cover")
def test_an_improved_position_is_heavy_cover_from_above_and_a_crowd_has_none() -> None:
    state = shelling(FO, OW, army(*[("t34_43", "1-G4")] * 6)).state
    state.works["1-G4"] = (Work("improved position", holder="soviet-1"),)
    assert barrages.overhead(state, state.units["soviet-1"]) == "none"
    state.lift("soviet-6", "eliminated")
    assert barrages.overhead(state, state.units["soviet-1"]) == "heavy"
    assert barrages.overhead(state, state.units["soviet-2"]) == "none"


@rule("6.5.4.4-each")
def test_a_vehicle_and_each_passenger_have_a_roll_of_their_own() -> None:
    made = shelling(FO, OW, army(("ts_zis5", "1-G4"), ("s_sqd41", "ts_zis5")), 9, 1, 2)
    made.play("german", CALL)
    answered(made)
    rolls = [event.dice for event in made.events if event.kind == "fired"]
    assert rolls == [(1,), (2,)]


@rule("6.5.1-a")
def test_an_observer_does_nothing_else_on_overwatch() -> None:
    made = shelling(FO, OW, TANK, 9, 50)
    window = Overwatch("german", ("german",), ("soviet-1",))
    watching = made.state.units["german-1"]
    before = window.cannot_shoot(made.state, "german", watching, made.state.units["soviet-1"])
    assert before is None or before.rule != "6.5.1-a"
    made.play("german", CALL)
    answered(made)
    after = window.cannot_shoot(made.state, "german", made.state.units["german-1"], made.state.units["soviet-1"])
    assert after is not None
    assert after.rule == "6.5.1-a"


# --- barrages and movement [6.6.6]


@rule("6.6.6-attack", "6.6.6-stay", "6.6.6-mod")
def test_a_unit_that_moves_within_a_barrage_is_attacked_once_by_each_firing_unit() -> None:
    made = shelling(FO, OW, TANK, 50, 51)
    state = made.state
    for name, sheaf in ((GUNS, "closed"), ("german-1", "closed")):
        fall = Fall("1-G4", "gp", sheaf)  # type: ignore[arg-type]
        state.missions[name] = Mission(firer=GUNS, side="german", fall=fall, observer="german-1")
    state.missions["german-1"] = replace(state.missions[GUNS], fall=Fall("1-A1"))
    state.change("soviet-1", command="move", revealed=True)
    met = barrages.meet(made, "soviet-1", ())
    assert met == (GUNS,)
    (event,) = [event for event in made.events if event.kind == "fired"]
    assert event.calculation is not None
    assert [line.rule for line in event.calculation.lines if line.kind == "modifier"] == ["6.5.4.3-type"]
    state.put("soviet-1", "1-F4")
    assert barrages.meet(made, "soviet-1", met) == met
    state.put("soviet-1", "1-L8")
    assert barrages.meet(made, "soviet-1", ()) == ()
    assert len([event for event in made.events if event.kind == "fired"]) == 1


@rule("6.6.6-attack", "6.6.6-stay")
def test_movement_meets_barrages_and_staying_does_not() -> None:
    made = marching(army(("pz4h", "1-C4"), ("pz4h", "1-C4")), {1: "move", 2: "move"}, dice=(60,))
    ways = made.state.map.neighbours
    first = str(ways["1-C4"][2])
    made.state.batteries[GUNS] = Guns(id=GUNS, side="soviet", name="Guns", card=CHARTS.batteries["o_s76"])
    made.state.missions[GUNS] = Mission(firer=GUNS, side="soviet", fall=Fall(first, "gp", "open"), fresh=False)
    for act in (Turn("german-1", 1), Stay("german-1")):
        made.play("german", act)
        assert told(made, "fired") == []
        passed(made)
    made.play("german", Move("german-2", first))
    assert told(made, "fired") == ["Guns falls on Pz Kpfw IV H 2: no effect"]
    passed(made)
    made.play("german", Move("german-2", str(ways[first][2])))
    assert told(made, "fired") == []


def passed(made: Game[Position]) -> None:
    """Nobody fires from overwatch."""
    while isinstance(made.stack[-1], Overwatch):
        made.play(made.asked()[0], Pass())


# --- smoke and barrages on lines [5.11, 6.1.4.3.10]


def hazy(*smoke: Smoke, missions: tuple[Fall, ...] = ()) -> Position:
    """Tanks on either side of smoke and barrages."""
    state = shelling(FO, OW, TANK).state
    state.smoke = smoke
    for number, fall in enumerate(missions):
        state.missions[str(number)] = Mission(firer=str(number), side="german", fall=fall, fresh=False)
    return state


def on_line(state: Position) -> dict[str, int]:
    """The obscurants between the FO and the tank."""
    return obscuring.obscured(state, "1-A4", "1-G4")


@rule("6.1.4.3.10-a", "6.1.4.3.10-b")
def test_smoke_hinders_from_the_end_of_its_step_and_counts_once_for_all_its_hexes() -> None:
    fresh = Smoke(("1-C4", "1-D4", "1-D5", "1-E4"))
    state = hazy(fresh)
    assert on_line(state) == {}
    smoke.settle(state)
    assert on_line(state) == {"smoke closed": 1}
    smoke.thin(state)
    assert on_line(state) == {"smoke closed": 1}
    smoke.thin(state)
    assert on_line(state) == {}


@rule("6.1.4.3.10-b")
def test_new_smoke_turns_the_counter_to_on_again() -> None:
    state = hazy()
    smoke.lay(state, ("1-C4",), dense=True)
    smoke.settle(state)
    smoke.thin(state)
    smoke.lay(state, ("1-C4",), dense=True)
    assert state.smoke == (Smoke(("1-C4",), fresh=False),)
    smoke.thin(state)
    assert len(state.smoke) == 1


@rule("5.11")
def test_of_fire_smoke_and_barrage_in_a_hex_the_strongest_counts() -> None:
    thin, thick = Smoke(("1-D4", "1-D5"), dense=False, fresh=False), Smoke(("1-D4", "1-D5"), fresh=False)
    assert on_line(hazy(thin, thick)) == {"smoke closed": 1}
    state = hazy(thin, missions=(Fall("1-D4", "gp", "closed"),))
    middle = on_line(state)
    assert middle["barrage closed"] == 1
    for hex in ("1-D4", "1-D5"):
        state.works[hex] = (Work("on fire"),)
    assert on_line(state)["on fire"] >= 1
    assert "smoke open" not in on_line(state)


@rule("5.11", "6.1.4.3.10-a")
def test_different_hexes_add_up() -> None:
    state = hazy(Smoke(("1-B4", "1-B5"), fresh=False), Smoke(("1-E4", "1-E5"), fresh=False, dense=False))
    assert on_line(state) == {"smoke closed": 1, "smoke open": 1}


@rule("5.11", "6.1.4.3.10-a", "4.1.4.1.9")
@pytest.mark.parametrize(("hex", "times"), [("1-C4", 0), ("1-D5", 0), ("1-C5", 1), ("1-D4", 1), ("1-B4", 1)])
def test_smoke_that_a_line_touches_in_a_corner_alone_does_not_hinder(hex: str, times: int) -> None:
    """The line from A4 to F5 runs through B4, C5, D4 and E5, past the corners of C4 and D5: RULINGS.md R105."""
    made = shelling(army(("pz4h", "1-A4"), more=with_guns(LEIG)), {}, army(("t34_43", "1-F5")))
    state = made.state
    state.smoke = (Smoke((hex,), fresh=False),)
    assert sum(obscuring.obscured(state, "1-A4", "1-F5").values()) == times
    assert obscuring.hindrances(state, "1-A4", "1-F5") == times
    state.smoke = ()
    state.wrecks[hex] = "BU"
    assert smoke_between(state, "1-A4", "1-F5") == times
    assert obscuring.hindrances(state, "1-A4", "1-F5") == times


@rule("6.1.4.3.10-a", "5.11")
def test_direct_fire_counts_smoke_and_barrages_by_their_patterns() -> None:
    made = shelling(army(("pz4h", "1-A4"), more=with_guns(LEIG)), {}, TANK)
    state = made.state
    for hexes, dense, ap in ((("1-D4", "1-D5"), True, -5), (("1-D4", "1-D5"), False, -3)):
        state.smoke = (Smoke(hexes, dense, fresh=False),)
        lines = shot(state, state.units["german-1"], state.units["soviet-1"], False).lines
        assert [line.amount for line in lines if line.rule == "6.5.2.4-smoke"] == [ap]


@rule("6.5.1.12")
def test_observers_are_hindered_by_each_smoke_and_barrage_on_their_line() -> None:
    state = hazy(Smoke(("1-C4", "1-C5"), fresh=False), missions=(Fall("1-G4", "gp", "open"),))
    state.wrecks["1-G4"] = "BU"
    assert obscuring.hindrances(state, "1-A4", "1-G4") == 3
    from_ = observers.source(state, GUNS)
    assert from_ is not None
    assert response(state, state.units["german-1"], from_, "1-G4", adjusted=False).modifier == -3


@rule("5.16.2.5", "6.5.1.13", "6.1.4.3.10-a")
def test_smoke_of_a_battery_covers_its_pattern_unless_its_rounds_are_short() -> None:
    call = replace(CALL, rounds="smoke")
    for roll, found in ((3, 7), (4, 0)):
        made = shelling(FO, OW, TANK, 9, roll)
        made.play("german", call)
        assert sum(len(each.hexes) for each in made.state.smoke) == found
        assert len(made.state.missions) == bool(found)


@rule("5.16.2.5")
def test_a_failed_ammo_roll_does_not_use_a_special_mission_up() -> None:
    call = replace(CALL, rounds="smoke")
    few = army(("g_fo", "1-A4"), more=with_guns(LEIG.replace("}", ", special = 1 }")))
    for roll, left in ((3, 0), (4, 1)):
        made = shelling(few, OW, TANK, 9, roll)
        made.play("german", call)
        assert made.state.batteries[GUNS].special == left
    made.state.batteries[GUNS] = replace(made.state.batteries[GUNS], special=0)
    next_turn(made)
    assert refused(made, "german", call) == "5.16.2.5"


@rule("5.16.2.3", "5.1.3.1")
def test_smoke_of_a_mortar_covers_a_hex_and_a_short_mortar_is_still_marked() -> None:
    for roll, hexes in ((4, ("1-G4",)), (5, None)):
        made = shelling(MORTAR, {1: "overwatch", 2: "fire"}, TANK, 9, roll)
        made.state.spots["soviet-1"] = ("german-1",)
        made.play("german", CallFire("german-1", "german-2", "soviet-1", "smoke"))
        assert [each.hexes for each in made.state.smoke] == ([hexes] if hexes else [])
        assert made.state.units["german-2"].fresh == "small arms"


# --- smoke shells in direct fire [6.1.4.3.10]

GUN = army(("pz4h", "1-A4"), ("pz4h", "1-C4"))


def loading(german: str = GUN, command: CommandName = "fire", **values: object) -> Game[Position]:
    """The Germans' Direct Fire Step; a Pz IV H has smoke on 2 or less."""
    made = shelling(german, {1: command}, army(("t34_43", "1-L8")), 2)
    made.state.change("german-1", **values)
    return made


@rule("6.1.4.3.10", "6.1.4.3.10-b")
def test_a_tank_fires_smoke_at_a_hex_in_sight_without_a_target() -> None:
    made = loading(facing=2)
    assert isinstance(made.stack[-1], DirectFireStep)
    made.play("german", LoadSmoke("german-1"))
    made.play("german", FireSmoke("1-E6"))
    assert made.state.smoke == (Smoke(("1-E6",)),)
    tank = made.state.units["german-1"]
    assert (tank.fired, tank.fresh, tank.revealed) == (True, "fire", True)
    assert refused(made, "german", LoadSmoke("german-1")) == "4.4.1-b"


@rule("6.1.4.3.10")
@pytest.mark.parametrize("command", ["move", "overwatch", "no command"])
def test_smoke_needs_a_command_to_fire(command: CommandName) -> None:
    assert refused(loading(command=command), "german", LoadSmoke("german-1")) == "4.2"


@rule("6.1.4.3.10")
def test_there_is_no_smoke_on_friends_out_of_the_field_of_fire_or_out_of_sight() -> None:
    made = loading(army(("stug3g", "1-A4"), ("pz4h", "1-C5")), facing=2)
    made.play("german", LoadSmoke("german-1"))
    assert refused(made, "german", FireSmoke("1-C5")) == "6.1.4.3.10"
    assert refused(made, "german", FireSmoke("1-A1")) == "6.1.4.3.10"
    assert refused(made, "german", FireSmoke("1-E6")) is None
    assert refused(made, "german", FireSmoke("1-A4")) == "6.1.4.3.10"
    made.play("german", Pass())
    assert not made.state.units["german-1"].fired


@rule("6.1.4.3.10", "5.16.2.3")
def test_smoke_that_is_short_does_not_lie_and_the_firer_is_marked() -> None:
    made = shelling(GUN, {1: "fire"}, army(("t34_43", "1-L8")), 3)
    made.play("german", LoadSmoke("german-1"))
    made.play("german", FireSmoke("1-E6"))
    assert made.state.smoke == ()
    assert made.state.units["german-1"].fresh == "fire"


@rule("6.1.4.3.10")
def test_engineers_fire_smoke_into_adjacent_hexes_and_others_without_shells_do_not() -> None:
    made = loading(army(("g_sqd41", "1-A4"), ("pz4h", "1-C4")), labels=("Engineer",))
    made.play("german", LoadSmoke("german-1"))
    assert refused(made, "german", FireSmoke("1-B4")) is None
    assert refused(made, "german", FireSmoke("1-C5")) == "6.1.4.3.10"
    assert refused(loading(army(("g_sqd41", "1-A4"))), "german", LoadSmoke("german-1")) == "6.1.4.3.10"


@rule("6.1.4.3.10", "5.1")
@pytest.mark.parametrize(("suppression", "rule"), [("", None), ("off", "6.1.4.3.10")])
def test_suppressed_engineers_fire_smoke_to_their_front_alone(suppression: str, rule: str | None) -> None:
    """The squad in A4 faces south-east, and A3 lies to its north."""
    made = loading(army(("g_sqd41", "1-A4"), ("pz4h", "1-C4")), labels=("Engineer",), suppression=suppression)
    made.play("german", LoadSmoke("german-1"))
    assert refused(made, "german", FireSmoke("1-A3")) == rule
    assert refused(made, "german", FireSmoke("1-B4")) is None


@rule("6.1.4.3.10", "6.5.1-a")
def test_commands_to_fire_without_a_target_for_those_with_smoke_or_indirect_fire() -> None:
    units = army(("pz4h", "1-A4"), ("g_sqd41", "1-A4"), ("g_m81", "1-A5"), ("g_chq", "1-A6"))
    state = game(text(german=units, soviet=army(("s_sqd41", "1-L8")), options=("AG",))).state
    state.spots = {}
    found = {
        (unit.kind.id, name)
        for unit in state.of("german")
        for name in ("fire", "short halt")
        if cannot_command(state, unit, name) is None  # type: ignore[arg-type]
    }
    assert found == {("pz4h", "fire"), ("pz4h", "short halt"), ("g_m81", "fire")}


@rule("5.3")
def test_batteries_belong_to_the_advanced_game() -> None:
    with pytest.raises(BadInput, match="batteries in the Basic Game"):
        game(text(german=army(("pz4h", "1-A4"), more=with_guns(LEIG))))
