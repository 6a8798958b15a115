"""Optional rules of indirect fire: scatter [7.26], illumination [7.27], counter battery fire [7.28]."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from opfire.core.errors import BadInput
from opfire.kit.orders import Pass
from opfire.rulesets.panzer import victory
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.fire.arms import arms_of
from opfire.rulesets.panzer.indirect import barrages, countering, observers
from opfire.rulesets.panzer.indirect.calling import CallFire, ProbeFire
from opfire.rulesets.panzer.indirect.countering import Counter, Countering
from opfire.rulesets.panzer.indirect.kinds import Fall, Mission, Smoke
from opfire.rulesets.panzer.indirect.responding import response
from opfire.rulesets.panzer.pieces import Position
from opfire.rulesets.panzer.sighting.spots import cannot_spot
from rules.panzer.battle import game, refused, text, told
from rules.panzer.kit import rule
from rules.panzer.moves import army
from rules.panzer.shelling import GUNS, WIDE, answered, next_turn, shelling, with_guns

LEIG = '{ unit = "o_g75", level = "attached" }'
FO = army(("g_fo", "1-A4"), more=with_guns(LEIG))
TANK = army(("t34_43", "1-G4"))
OW = {1: "overwatch"}
CALL = CallFire("german-1", GUNS, "soviet-1")


# --- scatter [7.26]


@rule("7.26")
@pytest.mark.parametrize(
    ("roll", "outcome"), [(1, "no response"), (2, "no response"), (3, "scatters"), (4, "responds")]
)
def test_fire_scatters_on_exactly_its_factor(roll: int, outcome: str) -> None:
    state = shelling(FO, OW, TANK, options=("7.26",)).state
    from_ = observers.source(state, GUNS)
    assert from_ is not None
    assert response(state, state.units["german-1"], from_, "1-G4", adjusted=False).result((roll,)) == outcome


@rule("7.26")
@pytest.mark.parametrize(("far", "hexes"), [(6, 1), (7, 2)])
def test_it_scatters_one_or_two_hexes_in_a_random_direction(far: int, hexes: int) -> None:
    made = shelling(FO, OW, TANK, 3, far, 1, 50, options=("7.26",))
    made.play("german", CALL)
    answered(made)
    at = made.state.missions[GUNS].fall.hex
    assert made.state.map.distance("1-G4", at) == hexes
    assert at == {1: "1-G3", 2: "1-G2"}[hexes]


@rule("7.26")
def test_fire_that_scatters_off_the_map_is_lost() -> None:
    made = shelling(FO, OW, army(("t34_43", "1-G1")), 3, 6, 1, options=("7.26",))
    made.play("german", CallFire("german-1", GUNS, "soviet-1"))
    assert made.state.missions == {}


# --- illumination [7.27, 6.5.1.6.2]

NIGHT = "[conditions]\nvisibility = -4\n"
LIGHTS = ("7.36.1", "7.27")
FAR = army(("s_sqd41", "1-K4"))


def night(*units: tuple[str, str], options: tuple[str, ...] = LIGHTS, more: str = NIGHT) -> Position:
    """Germans who look for Soviets."""
    soviet = army(*units) if units else FAR
    both = text(board=WIDE, german=army(("g_sqd41", "1-A4")), soviet=soviet, options=("AG", *options))
    return game(both + more).state


def seen(state: Position, hexes: int) -> bool:
    """Whether the squad is spotted at this range."""
    state.put("soviet-1", f"1-{'ABCDEFGHIJKLMNOP'[hexes]}4")
    unit, target = state.units["german-1"], state.units["soviet-1"]
    return cannot_spot(state, unit, target, "") is None


def farthest(state: Position) -> int:
    """The greatest range at which the squad is spotted."""
    return max((hexes for hexes in range(1, 16) if seen(state, hexes)), default=0)


@rule("7.27")
def test_light_gives_two_rows_and_never_more_than_row_0() -> None:
    dark, lit = night(), night()
    lit.smoke = (Smoke(tuple(lit.map.names), lights=True),)
    charts = dark.charts.spotting
    assert farthest(dark) == charts[-4].hexes("S")
    assert farthest(lit) == charts[-2].hexes("S")
    dusk = night(more=NIGHT.replace("-4", "-1"))
    dusk.smoke = lit.smoke
    assert farthest(dusk) == charts[0].hexes("S")
    day = night(more="")
    day.smoke = lit.smoke
    assert farthest(day) == charts[0].hexes("S")


@rule("7.27")
def test_a_burning_wreck_lights_its_hex_and_light_needs_its_option() -> None:
    state = night()
    state.wrecks = dict.fromkeys(state.map.names, "BU")
    assert farthest(state) == state.charts.spotting[-2].hexes("S")
    without = night(options=("7.36.1",))
    without.smoke = (Smoke(tuple(without.map.names), lights=True),)
    assert farthest(without) == without.charts.spotting[-4].hexes("S")


@rule("6.5.1.6.2", "7.27")
def test_illumination_is_fired_in_a_closed_pattern_and_goes_out_like_smoke() -> None:
    guns = with_guns('{ unit = "o_g105", level = "attached" }')
    made = shelling(army(("g_fo", "1-A4"), more=guns), OW, TANK, 9, 2, options=LIGHTS)
    call = replace(CALL, rounds="illumination")
    assert refused(made, "german", replace(call, sheaf="open")) == "6.5.1.6.2"
    assert refused(shelling(FO, OW, TANK, options=LIGHTS), "german", call) == "6.5.1.6.1"
    assert refused(shelling(army(("g_fo", "1-A4"), more=guns), OW, TANK), "german", call) == "6.5.1.6.2"
    made.play("german", call)
    (light,) = made.state.smoke
    assert (light.lights, len(light.hexes)) == (True, 7)
    assert barrages.lying(made.state, "1-G4") == []


@rule("7.27")
def test_illumination_needs_limited_visibility() -> None:
    with pytest.raises(BadInput, match=r"7\.36\.1"):
        game(text(options=("AG", "7.27")))


# --- reconnaissance by fire [7.37], observation post tanks [7.38.3]

PROBE = ProbeFire("german-1", GUNS, "1-C4")


@rule("7.37")
def test_an_fo_probes_a_hex_in_sight_with_a_battery_and_the_fire_checks_next_turn() -> None:
    made = shelling(FO, OW, TANK, 5, options=("7.37",))
    made.play("german", PROBE)
    assert made.state.missions[GUNS].fall == Fall("1-C4", "gp", "closed")
    (event,) = [event for event in made.events if event.kind == "response"]
    assert event.calculation is not None
    assert event.calculation.modifier == -2
    next_turn(made)
    assert made.state.missions == {}


@rule("7.37")
def test_only_fos_with_the_option_and_a_single_battery_probe() -> None:
    assert refused(shelling(FO, OW, TANK), "german", PROBE) == "7.37"
    chief = army(("g_chq", "1-A4"), more=with_guns(LEIG))
    assert refused(shelling(chief, OW, TANK, options=("7.37",)), "german", PROBE) == "7.37"
    two = army(("g_fo", "1-A4"), ("g_m81", "1-A1"), more=with_guns(LEIG, LEIG))
    made = shelling(two, {1: "overwatch", 2: "fire"}, TANK, 2, options=("7.37",))
    assert refused(made, "german", replace(PROBE, firer="german-2")) == "7.37"
    made.play("german", PROBE)
    assert refused(made, "german", replace(PROBE, firer="german-battery-2")) == "7.37"


@rule("7.37")
def test_the_hex_has_to_be_in_sight_and_in_range() -> None:
    hill = text().split('"""')[1].replace("\n. . . . . . . . . . . .", "\n. W W W . . . . . . . .", 1)
    hidden = shelling(army(("g_fo", "1-A1"), more=with_guns(LEIG)), OW, TANK, board=hill, options=("7.37",))
    assert refused(hidden, "german", replace(PROBE, to="1-G1")) is not None
    here = shelling(FO, OW, TANK, options=("7.37",))
    assert refused(here, "german", replace(PROBE, to="1-A4")) == "6.5.1.13"


@rule("7.38.3")
@pytest.mark.parametrize("card", ["crom_op", "b_shop"])
def test_the_guns_of_observation_post_tanks_are_of_wood(card: str) -> None:
    state = game(text(german=army((card, "1-A4")), options=("AG", "7.38"))).state
    arms = arms_of(state, state.units["german-1"])
    assert {arm.row.kind for arm in arms} == {"mg"}
    assert not any(arm.is_ap for arm in arms)


# --- counter battery fire [7.28]

COUNTER = army(("t34_43", "1-G4"), more=with_guns('{ unit = "o_s122", counters = true }'))
HUNTER = "soviet-battery-1"


@rule("7.28.1")
def test_the_enemy_is_asked_after_the_fire_of_a_battery_and_each_battery_answers_once() -> None:
    made = shelling(FO, OW, COUNTER, 9, 50, 20, 51, options=("7.28",))
    made.play("german", CALL)
    answered(made)
    assert made.stack[-1] == Countering("soviet", GUNS)
    assert told(made, "fired") != []
    made.play("soviet", Counter(HUNTER))
    assert made.state.batteries[GUNS].damaged
    assert made.asked() == ("german",)
    assert countering.batteries_against(made.state, GUNS) == []


@rule("7.28.1")
def test_it_may_be_let_pass_and_hunters_are_not_called() -> None:
    made = shelling(FO, OW, COUNTER, 9, 50, options=("7.28",))
    made.play("german", CALL)
    answered(made)
    made.play("soviet", Pass())
    assert made.asked() == ("german",)
    hunters = army(("g_fo", "1-A4"), more=with_guns(LEIG.replace("}", ", counters = true }")))
    assert refused(shelling(hunters, OW, TANK, options=("7.28",)), "german", CALL) == "7.28.1"


@rule("7.28.1")
def test_without_the_option_nobody_is_asked() -> None:
    made = shelling(FO, OW, COUNTER, 9, 50)
    made.play("german", CALL)
    answered(made)
    assert made.asked() == ("german",)


@rule("7.28.2-find")
@pytest.mark.parametrize(
    ("nation", "date", "amount"),
    [
        ("Italy", "1939-12", 0),
        ("Italy", "1940-06", 10),
        ("Italy", "1941-02", 5),
        ("Italy", "1941-09", 0),
        ("Soviet Union", "1941-06", 10),
        ("Soviet Union", "1943-01", 0),
        ("Germany", "1941-02", 0),
        ("Italy", "", 0),
    ],
)
def test_armies_that_still_learn_counter_battery_fire(nation: str, date: str, amount: int) -> None:
    assert countering.learning(nation, date) == amount


@rule("7.28.2-find", "7.28.1")
@pytest.mark.parametrize(
    ("card", "since", "date", "net"),
    [
        ("o_g75", 1, "", 0),
        ("o_wespe", 1, "", 10),
        ("o_g75", -2, "", -10),
        ("o_g75", 1, "1941-08", 10),
        ("o_g75", 1, "1942-08", 5),
        ("o_g75", 1, "1943-01", 0),
    ],
)
def test_modifiers_of_the_search(card: str, since: int, date: str, net: int) -> None:
    units = army(("g_fo", "1-A4"), more=with_guns(f'{{ unit = "{card}" }}'))
    dated = text(german=units, soviet=COUNTER, options=("AG", "7.28")).replace(
        "turns = 3", f'turns = 3\ndate = "{date}"'
    )
    state = game(dated).state
    state.missions[GUNS] = Mission(firer=GUNS, side="german", fall=Fall("1-G4"), since=since)
    made = countering.search(state, state.batteries[HUNTER], state.batteries[GUNS])
    assert made.modifier == net
    assert made.outcomes.count("located") == 20 - net


@rule("7.28.2-sup", "7.28.2-dmg", "7.28.2-ko", "7.28.1")
def test_a_battery_is_suppressed_damaged_or_knocked_out() -> None:
    for roll, found in ((50, ("on", False, False)), (80, ("", True, False)), (81, ("", False, True))):
        made = game(text(german=FO, options=("AG", "7.28")), (roll,))
        countering.hit(made, made.state.batteries[GUNS])
        guns = made.state.batteries[GUNS]
        assert (guns.suppression, guns.damaged, guns.out) == found
    hurt = game(text(german=FO, options=("AG", "7.28")), (60,))
    countering.hit(hurt, replace(hurt.state.batteries[GUNS], damaged=True))
    assert hurt.state.batteries[GUNS].out


@rule("7.28.2-ko", "7.28.1")
def test_a_battery_that_is_knocked_out_is_silent_and_counts_for_the_enemy() -> None:
    made = shelling(FO, OW, COUNTER, options=("7.28",))
    made.state.batteries[GUNS] = replace(made.state.batteries[GUNS], out=True)
    assert refused(made, "german", CALL) == "7.28.2-ko"
    before = victory.scores(made.state)
    made.state.batteries[HUNTER] = replace(made.state.batteries[HUNTER], out=True)
    after = victory.scores(made.state)
    assert after["german"] - before["german"] == made.state.batteries[HUNTER].card.vp > 0
    assert after["soviet"] == before["soviet"]


@rule("7.28.2-sup", "7.28.2-dmg", "7.28.1")
def test_suppressed_and_damaged_batteries_fire_worse_and_answer_less() -> None:
    state = shelling(FO, OW, TANK, options=("7.28",)).state
    state.batteries[GUNS] = replace(state.batteries[GUNS], suppression="on", damaged=True)
    mission = Mission(firer=GUNS, side="german", fall=Fall("1-G4"), observer="german-1")
    lines = barrages.attack(state, mission, state.units["soviet-1"]).lines
    assert {line.rule: line.amount for line in lines if line.kind == "modifier"} == {
        "6.5.4.3-dmg": -10,
        "6.5.4.3-sup": -20,
        "6.5.4.3-type": -20,
    }
    from_ = observers.source(state, GUNS)
    assert from_ is not None
    assert response(state, state.units["german-1"], from_, "1-G4", adjusted=False).modifier == -2


@rule("7.28.2-sup", "7.28.1")
def test_batteries_recover_from_suppression_a_turn_later_on_fifty() -> None:
    for roll, left in ((50, ""), (51, "off")):
        made = game(text(german=FO, options=("AG", "7.28")), (roll,))
        made.state.batteries[GUNS] = replace(made.state.batteries[GUNS], suppression="on")
        countering.recover(made)
        assert made.state.batteries[GUNS].suppression == "off"
        countering.recover(made)
        assert made.state.batteries[GUNS].suppression == left


@rule("7.28.3")
def test_counter_battery_fire_is_answered_and_any_damage_ends_a_hunter() -> None:
    both = army(("g_fo", "1-A4"), more=with_guns(LEIG, LEIG.replace("}", ", counters = true }")))
    made = shelling(both, OW, COUNTER, 9, 50, 99, 1, 60, options=("7.28",))
    made.play("german", CALL)
    answered(made)
    made.play("soviet", Counter(HUNTER))
    assert made.stack[-1] == Countering("german", HUNTER)
    made.play("german", Counter("german-battery-2"))
    assert made.state.batteries[HUNTER].out
    made.play("german", EndStep())
    next_turn(made)


@rule("7.28.3")
def test_hunters_ignore_suppression() -> None:
    made = game(text(german=FO, soviet=COUNTER, options=("AG", "7.28")), (50,))
    countering.hit(made, made.state.batteries[HUNTER])
    assert made.state.batteries[HUNTER] == replace(
        made.state.batteries[HUNTER], suppression="", damaged=False, out=False
    )
