"""Artillery fire [7.4, 7.5, 7.6.1.3, 10.8]: markers and whom they strike, direct fire, smoke, close support."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from msgspec.structs import replace

from opfire.core.game import Game
from opfire.rulesets.micro_armour.alternation import Begin, Pass
from opfire.rulesets.micro_armour.artillery import close_support, effects
from opfire.rulesets.micro_armour.artillery.batteries import markers, reach_of, smoke_supply
from opfire.rulesets.micro_armour.artillery.close_support import CloseSupport
from opfire.rulesets.micro_armour.artillery.direct import FireDirect
from opfire.rulesets.micro_armour.artillery.impacts import lift_markers
from opfire.rulesets.micro_armour.artillery.indirect import cannot_serve
from opfire.rulesets.micro_armour.artillery.missions import Mission
from opfire.rulesets.micro_armour.artillery.phase import ArtilleryPhase
from opfire.rulesets.micro_armour.artillery.rolls import to_fire
from opfire.rulesets.micro_armour.artillery.sheafs import Sheaf
from opfire.rulesets.micro_armour.charts import charts
from opfire.rulesets.micro_armour.close.close_assault import Assault, cannot_assault
from opfire.rulesets.micro_armour.pieces import Position, Posture, Progress, Work, WorkKind
from opfire.rulesets.micro_armour.postures import cannot_fire_and_move
from rules.micro_armour.kit import GRENADIERS, RIFLES, T34, game, position, refused, rule, scripts, stand
from rules.micro_armour.marches import go, inches, march

HOWITZERS, MORTARS, ROCKETS = "ger-105mm-ifh18-2", "ger-81mm-mortar-3", "ger-150mm-nebelwerfer-6"
LUCK = 'options = ["12.2.1", "12.2.2"]'
SOVIET_GUNS, HALFTRACK, STUB = "sov-122mm-how-m-30-2", "ger-sdkfz-251-1", "ger-panzer-iv-c-d-75l24"


def shelling(german: Iterable[tuple[str, str]], soviet: Iterable[tuple[str, str]], **more: str) -> Game[Position]:
    """An artillery phase of turn 1 in which the Germans have the initiative and fire first."""
    made = game(german, soviet, **more)
    made.stack = ()
    made.state.turn, made.state.initiative = 1, "german"
    made.push(ArtilleryPhase("german"))
    made.run()
    made.play("german", Begin("german"))
    return made


def impact(made: Position, at: tuple[int, int], battery: str = "german-1") -> Work:
    """An impact marker of a battery."""
    return Work("impact of test", "impact", at, side="german", battery=battery, until=1)


def shoot(made: Game[Position], at: tuple[int, int], dice: Iterable[int], **shot: object) -> None:
    """Let the first German battery fire a closed sheaf at a point."""
    scripts(made, dice)
    values = {"pattern": "closed", "toward": "N", **shot}
    made.play("german", FireDirect("german-1", at, **values))  # type: ignore[arg-type]


# --- markers ----------------------------------------------------------------------------------------------------


@rule("7.4.2.1-markers")
@pytest.mark.parametrize(("kind", "number"), [(HOWITZERS, 2), (MORTARS, 3), (ROCKETS, 6), ("ger-150mm-sig-1", 1)])
def test_7_4_2_1_a_battery_places_a_marker_for_each_section(kind: str, number: int) -> None:
    assert markers(position([(kind, "5,5")]).units["german-1"]) == number


@rule("7.4.3.2")
@pytest.mark.parametrize(("x", "struck"), [(10000, True), (10500, True), (10501, False)])
def test_7_4_3_2_a_marker_affects_a_stand_of_which_it_covers_half(x: int, struck: bool) -> None:
    made = position([(HOWITZERS, "2,2")], [(RIFLES, "10,10")])
    assert bool(effects.covered(made, impact(made, (x, 10000)))) is struck


@rule("7.4.3.2")
def test_7_4_3_2_a_die_decides_between_stands_that_are_covered_alike() -> None:
    made = game([(HOWITZERS, "2,2")], [(RIFLES, "10,10"), (RIFLES, "11,10")])
    scripts(made, [2])
    found = effects.struck(made, impact(made.state, (10500, 10000)))
    assert found is not None
    assert found.id == "soviet-2"


@rule("7.4.3.2")
@pytest.mark.parametrize(("x", "kind", "found"), [(10500, "impact", 1), (10501, "impact", 0), (10500, "mines", 0)])
def test_7_4_3_2_a_stand_is_under_fire_if_a_marker_covers_half_of_it(x: int, kind: WorkKind, found: int) -> None:
    made = position([(HOWITZERS, "2,2")], [(RIFLES, "10,10")])
    made.lay(replace(impact(made, (x, 10000)), kind=kind, battery="german-1" if kind == "impact" else ""))
    assert len(effects.under(made, made.units["soviet-1"])) == found


@rule("7.4.3.3")
def test_7_4_3_3_friends_are_struck_too() -> None:
    made = position([(HOWITZERS, "2,2"), (GRENADIERS, "10,10")])
    assert [unit.id for unit in effects.covered(made, impact(made, (10000, 10000)))] == ["german-2"]


# --- the attack of a marker -------------------------------------------------------------------------------------


@rule("7.4.4-armour")
def test_7_4_4_example_an_open_topped_halftrack_keeps_a_quarter_of_its_defence() -> None:
    # The book's example: [3] x .25 = .75, rounded up 1; the 122 mm howitzer has AP 3, so the column is +2.
    made = position([(HALFTRACK, "10,10")], [(SOVIET_GUNS, "30,10")])
    attack = effects.attack(made, made.units["soviet-1"].kind, made.units["german-1"], barrage=False)
    assert [line.amount for line in attack.lines if line.kind == "defence"] == [3, 1]
    assert attack.column == "+2"


@rule("7.4.4-armour", "WD.U")
def test_7_4_4_a_quarter_of_an_open_topped_defence_is_rounded_up() -> None:
    """A quarter of 5 is 1.25, so AP 3 meets 2."""
    made = position([("ger-pz-iv-wirbelwind-quad-20", "10,10")], [(SOVIET_GUNS, "30,10")])
    attack = effects.attack(made, made.units["soviet-1"].kind, made.units["german-1"], barrage=False)
    assert [line.amount for line in attack.lines if line.kind == "defence"] == [5, 2]
    assert attack.column == "+1"


@rule("7.4.4-armour", "7.4.4-values")
def test_7_4_4_other_armour_keeps_a_half_and_is_attacked_by_ap() -> None:
    made = position([(HOWITZERS, "10,10")], [(T34, "20,10"), (RIFLES, "24,10")])
    weapon = made.units["german-1"].kind
    tank, men = made.units["soviet-1"], made.units["soviet-2"]
    assert tank.kind.defence is not None
    assert men.kind.defence is not None
    halved = -(-tank.kind.defence // 2)
    assert effects.attack(made, weapon, tank, barrage=False).column == f"{max(2 - halved, -3):+}"
    assert effects.attack(made, weapon, men, barrage=False).column == f"{8 - men.kind.defence:+}"


@rule("7.6.1.3-diff", "7.2-none")
def test_7_6_1_3_no_effect_and_too_low_a_differential_suppress() -> None:
    made = position([(MORTARS, "10,10")], [(T34, "20,10"), (RIFLES, "24,10")])
    weapon = made.units["german-1"].kind  # AP 0 against a tank's armour: below -3
    assert set(effects.attack(made, weapon, made.units["soviet-1"], barrage=False).outcomes) == {"S"}
    assert "-" not in effects.attack(made, weapon, made.units["soviet-2"], barrage=False).outcomes


@rule("7.4.6", "7.6.1.3-roll", "7.6.1.4")
def test_7_4_6_terrain_modifies_the_roll_and_range_does_not() -> None:
    terrain = 'areas = [{kind = "woods", points = "22,8 26,8 26,12 22,12"}]'
    made = position([(HOWITZERS, "2,10")], [(RIFLES, "24,10"), (RIFLES, "35,20")], terrain=terrain)
    weapon = made.units["german-1"].kind
    woods = charts().terrain["woods"].personnel
    assert woods > 0
    found = [
        effects.attack(made, weapon, made.units[name], barrage=False).modifier for name in ("soviet-1", "soviet-2")
    ]
    assert found == [woods, 0]


@rule("7.6.1.3-diff", "7.1.8-half", "10.3")
@pytest.mark.parametrize(("posture", "column"), [("firing", "+2"), ("movement", "+5"), ("fire/move", "+5")])
def test_7_6_1_3_artillery_meets_the_halved_defence_of_stands_that_move(posture: Posture, column: str) -> None:
    """HE 8 at infantry of 6, which is marked P."""
    made = position([(HOWITZERS, "2,10")], [(RIFLES, "24,10")])
    target = stand(made, "soviet-1", posture=posture)
    assert effects.attack(made, made.units["german-1"].kind, target, barrage=False).column == column


@rule("7.6.1.3-roll", "7.6.2.4-effect")
def test_7_6_1_3_two_dice_the_terrain_of_the_target_and_2_for_a_barrage() -> None:
    """HE 8 at infantry of 6 is +2: a 5 is D, at 9 for the 4 of the woods (S), at 11 for a barrage as well S."""
    woods = 'areas = [{kind = "woods", points = "22,8 26,8 26,12 22,12"}]'
    found = []
    for terrain, barrage in (("", False), (woods, False), (woods, True)):
        made = game([(HOWITZERS, "2,2")], [(RIFLES, "24,10")], terrain=terrain)
        made.events = []
        scripts(made, (2, 3))
        effects.strike(made, replace(impact(made.state, (24000, 10000)), barrage=barrage))
        told = (event.calculation for event in made.events if event.rule == "7.6.1.3-roll")
        found += [(each.column, each.result((2, 3))) for each in told if each is not None]
    assert found == [("+2", "D"), ("+2", "(S)"), ("+2", "S")]


@rule("7.6.2.4-effect")
def test_7_6_2_4_a_barrage_adds_two_to_the_combat_roll() -> None:
    made = position([(HOWITZERS, "2,10")], [(RIFLES, "24,10")])
    weapon, target = made.units["german-1"].kind, made.units["soviet-1"]
    plain, barrage = (effects.attack(made, weapon, target, barrage=value).modifier for value in (False, True))
    assert barrage - plain == 2


# --- direct fire ------------------------------------------------------------------------------------------------

NEAR = [(HOWITZERS, "5,10")], [(RIFLES, "15,10"), (T34, "15,20")]


@rule("7.4.1", "4.0-3")
def test_7_4_1_sides_fire_in_turn_and_each_attack_is_resolved_before_the_next() -> None:
    made = shelling([(HOWITZERS, "5,10")], [(SOVIET_GUNS, "25,10"), (SOVIET_GUNS, "25,14")])
    shoot(made, (25000, 10000), [10, 6, 6, 6, 6])  # HE 8 against 3: a 12 in column +5 is (S), twice
    assert made.deciders() == ("soviet",)
    assert to_fire(made.state, made.state.units["soviet-1"]).modifier == 4 + 3
    scripts(made, [20])
    made.play("soviet", FireDirect("soviet-2", (5000, 10000), "closed", "N"))
    assert made.deciders() == ("german",)


@rule("7.4.1")
def test_7_4_1_the_phase_ends_when_both_have_passed() -> None:
    made = shelling(*NEAR)
    made.play("german", Pass())
    assert made.stack[-1].step == "artillery"
    made.play("soviet", Pass())
    assert not made.stack


@rule("7.5.3", "7.4.2.2", "7.4.3.1", "7.4.2.3-closed")
def test_7_5_3_a_battery_that_rolls_its_cohesion_places_its_markers_and_each_attacks() -> None:
    made = shelling(*NEAR)
    shoot(made, (15000, 10000), [15, 6, 6, 6, 6])  # cohesion 15; two combat rolls of 12
    laid = [work for work in made.state.works.values() if work.kind == "impact"]
    assert [work.at for work in laid] == [(15000, 10000)] * 2
    assert made.state.units["soviet-1"].suppressed
    assert made.state.units["german-1"].fired
    lift_markers(made.state)
    assert not made.state.works


@rule("7.5.3")
def test_7_5_3_a_battery_that_fails_places_nothing_and_has_fired() -> None:
    made = shelling(*NEAR)
    shoot(made, (15000, 10000), [16])
    assert not made.state.works
    assert made.state.units["german-1"].fired


@rule("7.5.5")
def test_7_5_5_the_terrain_of_the_target_does_not_modify_the_roll_to_fire() -> None:
    terrain = 'areas = [{kind = "woods", points = "14,8 18,8 18,12 14,12"}]'
    made = shelling([(HOWITZERS, "5,10")], [(RIFLES, "14.5,10")], terrain=terrain)
    shoot(made, (14500, 10000), [15, 6, 6, 6, 6])
    assert made.state.works


@rule("7.5.4", "7.6.1.2-direction")
def test_7_5_4_mortars_roll_for_deviation_and_howitzers_do_not() -> None:
    made = shelling([(MORTARS, "5,10")], [(RIFLES, "15,10")])
    shoot(made, (15000, 10000), [15, 16, 5, 3])  # it fires; deviates, 5 is south, half of 3 rounded up is 2
    assert {work.at for work in made.state.works.values()} == {(15000, 12000)}


@rule("7.5.1")
def test_7_5_1_a_battery_sees_every_place_of_its_sheaf() -> None:
    terrain = 'areas = [{kind = "woods", points = "9,4 11,4 11,9 9,9"}]'
    made = shelling(*NEAR, terrain=terrain)
    assert refused(made, "german", FireDirect("german-1", (15000, 10000), "open", "S")) == ""
    assert refused(made, "german", FireDirect("german-1", (17000, 6000), "open", "S")) == "6.3.1"


@rule("7.3.6-arc")
def test_7_3_6_a_gun_fires_into_its_arc() -> None:
    made = shelling(*NEAR)
    assert refused(made, "german", FireDirect("german-1", (3000, 10000), "closed", "N")) == "7.3.6-arc"


@rule("7.4.2.3-closed")
def test_7_4_2_3_rockets_have_no_closed_sheaf() -> None:
    made = shelling([(ROCKETS, "5,10")], [(RIFLES, "25,10")])
    assert refused(made, "german", FireDirect("german-1", (25000, 10000), "closed", "N")) == "7.4.2.3-closed"
    assert refused(made, "german", FireDirect("german-1", (25000, 10000), "open", "N")) == ""


@rule("7.4.2.1-markers")
def test_7_4_2_1_rockets_are_loaded_again_for_some_turns() -> None:
    made = shelling([(ROCKETS, "5,10")], [(RIFLES, "25,10")])
    shoot(made, (25000, 10000), [1, 1, 6, 6], pattern="open", toward="S")
    turns = made.state.units["german-1"].kind.slow_reload
    assert turns == 2
    made.state.change("german-1", fired=False)
    found = []
    for turn in (2, 3):
        made.state.turn = turn
        made.stack = (ArtilleryPhase("german", begun=True),)
        found.append(refused(made, "german", FireDirect("german-1", (25000, 10000), "open", "N")))
    assert found == ["7.4.2.1-markers", ""]


@rule("7.4.5.2-out")
def test_7_4_5_2_nobody_fires_out_of_an_impact_zone() -> None:
    made = shelling(*NEAR)
    made.state.lay(Work("impact", "impact", (5000, 10000), side="soviet", battery="soviet-1", until=1))
    assert refused(made, "german", FireDirect("german-1", (15000, 10000), "closed", "N")) == "7.4.5.2-out"


@rule("7.4.8")
def test_7_4_8_a_battery_does_not_fire_within_its_least_range() -> None:
    made = shelling([("ger-120mm-mortar-2", "5,10")], [(RIFLES, "8,10")])  # its least range is 3 inches
    assert refused(made, "german", FireDirect("german-1", (8000, 10000), "closed", "N")) == "7.4.8"
    assert refused(made, "german", FireDirect("german-1", (8100, 10000), "closed", "N")) == ""


@rule("7.4.10")
def test_7_4_10_artillery_does_not_take_the_fire_move_posture() -> None:
    made = position([("ger-105mm-wespe-3", "5,10"), (STUB, "5,14")])
    gun, support = made.units["german-1"], made.units["german-2"]
    refusal = cannot_fire_and_move(gun)
    assert refusal is not None
    assert refusal.rule == "7.4.10"
    assert cannot_fire_and_move(support) is None


@rule("7.4.10")
def test_7_4_10_a_battery_in_the_movement_posture_does_not_fire() -> None:
    made = shelling([(MORTARS, "5,10")], [(RIFLES, "15,10")])
    stand(made.state, "german-1", posture="movement")
    assert refused(made, "german", FireDirect("german-1", (15000, 10000), "closed", "N")) == "7.4.10"


# --- smoke ------------------------------------------------------------------------------------------------------


@rule("7.4.7.1-1")
def test_7_4_7_1_smoke_suppresses_without_a_combat_roll() -> None:
    made = shelling(*NEAR, turns="4")
    shoot(made, (15000, 10000), [15], smoke=True)
    assert {work.kind for work in made.state.works.values()} == {"smoke"}
    assert made.state.units["soviet-1"].suppressed
    assert not made.state.units["soviet-1"].disorganized


@rule("7.4.7.1-who")
def test_7_4_7_1_only_weapons_marked_s_fire_smoke() -> None:
    made = shelling([("ger-105mm-rr-lg41-2", "5,10")], [(RIFLES, "15,10")])
    shot = FireDirect("german-1", (15000, 10000), "closed", "N", smoke=True)
    assert refused(made, "german", shot) == "7.4.7.1-who"


@rule("7.4.7.2")
def test_7_4_7_2_smoke_lasts_for_three_missions_in_ten_turns() -> None:
    assert [smoke_supply(position(turns=turns).setting) for turns in ("3", "4", "10", "20")] == [0, 1, 3, 6]
    made = shelling(*NEAR, turns="6")
    shot = FireDirect("german-1", (15000, 10000), "closed", "N", smoke=True)
    assert refused(made, "german", shot) == ""
    stand(made.state, "german-1", smoked=1)
    assert refused(made, "german", shot) == "7.4.7.2"


@rule("7.7.3")
def test_7_7_3_a_battery_off_the_map_loses_three_tenths_of_its_range() -> None:
    made = position(german_more='off_map = { "ger-105mm-ifh18-2" = 1 }')
    assert reach_of(made.units["german-1"]) == 58800  # 84 inches less 30 %


# --- close support ----------------------------------------------------------------------------------------------


@rule("10.8", "10.8.1", "10.8.3")
def test_10_8_close_support_guns_fire_at_one_stand_and_lay_no_marker() -> None:
    made = shelling([(STUB, "5,10")], [(RIFLES, "25,10")])
    rolls = close_support.rolls(made.state, made.state.units["german-1"], made.state.units["soviet-1"])
    assert (rolls.fire.modifier, rolls.combat.modifier) == (0, 0)  # 20 inches away
    scripts(made, [15, 1, 1])
    made.play("german", CloseSupport("german-1", "soviet-1"))
    assert made.state.units["soviet-1"].disorganized  # HE 5 against 6: a 2 in column -1 is D
    assert not made.state.works
    made.play("soviet", Pass())
    assert refused(made, "german", CloseSupport("german-1", "soviet-1")) == "7.1.4"


@rule("12.2.2", "10.8")
def test_12_2_2_a_close_support_gun_may_run_low_on_ammunition_too() -> None:
    foes = [(RIFLES, "25,10"), (RIFLES, "25,12")]
    made = shelling([(STUB, "5,10")], foes, top='options = ["12.2.2"]')
    scripts(made, [20])
    made.play("german", CloseSupport("german-1", "soviet-1"))
    stand(made.state, "german-1", fired=False)
    stand(made.state, "soviet-2", shots=("german-1",))
    gun, *targets = (made.state.units[name] for name in ("german-1", "soviet-1", "soviet-2"))
    found = [close_support.cannot_aim(made.state, "german", gun, target) for target in targets]
    assert [each.rule if each else "" for each in found] == ["12.2.2", ""]


@rule("12.2.1", "10.8")
@pytest.mark.parametrize(("options", "column"), [("", "-1"), ('options = ["12.2.1"]', "+1")])
def test_12_2_1_a_hot_shot_of_a_close_support_gun_shifts_two_columns(options: str, column: str) -> None:
    made = shelling([(STUB, "5,10")], [(RIFLES, "25,10")], top=options)  # HE 5 against 6
    gun, target = made.state.units["german-1"], made.state.units["soviet-1"]
    assert close_support.rolls(made.state, gun, target, natural=1).combat.column == column
    assert close_support.rolls(made.state, gun, target, natural=2).combat.column == "-1"
    scripts(made, [1, 1, 1])
    told = made.play("german", CloseSupport("german-1", "soviet-1"))
    assert [event.calculation.column for event in told if event.kind == "result" and event.calculation] == [column]


@rule("10.8", "11.4.1")
@pytest.mark.parametrize(
    ("kind", "dice", "left"),
    [
        ("light position", [2, 1], []),  # HE 8 against 5: a 3 at +3 is E
        ("light position", [2, 3], ["light position"]),
    ],
)
def test_10_8_close_support_guns_wear_positions_down(kind: WorkKind, dice: list[int], left: list[str]) -> None:
    made = shelling([("ger-sturm-haubitze-42", "5,10")], [(RIFLES, "25,10")])
    made.state.lay(Work("position", kind, (25000, 10000), 0, "soviet"))
    scripts(made, [1, *dice])
    made.play("german", CloseSupport("german-1", "soviet-1"))
    assert [work.kind for work in made.state.works.values()] == left


@rule("10.8.2")
def test_10_8_2_close_support_guns_do_not_fire_below_the_first_column() -> None:
    made = shelling([("ger-sturm-haubitze-42", "5,10"), (STUB, "5,12")], [("sov-js-ii", "15,10"), (T34, "15,12")])
    assert refused(made, "german", CloseSupport("german-1", "soviet-1")) == "10.8.2"  # 2 less half of 12
    assert refused(made, "german", CloseSupport("german-1", "soviet-2")) == ""  # 2 less half of 8
    assert refused(made, "german", CloseSupport("german-2", "soviet-1")) == ""  # 3 less half of 12: the column -3


@rule("10.8.4")
def test_10_8_4_close_support_guns_fire_and_move() -> None:
    made = position([(STUB, "5,10")], [(RIFLES, "15,10")])
    firer = stand(made, "german-1", posture="fire/move")
    assert close_support.rolls(made, firer, made.units["soviet-1"]).fire.modifier == 3


# --- movers -----------------------------------------------------------------------------------------------------


@rule("7.4.3.4")
@pytest.mark.parametrize(("y", "strikes"), [(5.5, 2), (5.6, 0)])
def test_7_4_3_4_a_mover_is_attacked_by_each_marker_that_half_of_it_moves_into(y: float, strikes: int) -> None:
    red = (("us-infantry-42", f"5,{y}"),)
    made = march(red, blue=[("ger-105mm-ifh18-2", "39,29")], dice=(6, 6) * strikes)
    for number in (1, 2):
        at = inches(7, 5)
        made.state.lay(Work(f"impact {number}", "impact", at, side="blue", battery="blue-1", until=1))
    events = go(made, "red-1", 7, y)  # a point, and half an inch of the zone at 3 [9.1-chart]
    assert [event.rule for event in events].count("7.6.1.3-roll") == strikes
    assert made.state.units["red-1"].suppressed is bool(strikes)


@rule("7.4.7.1-2")
def test_7_4_7_1_a_close_assault_takes_place_in_smoke() -> None:
    made = position([(GRENADIERS, "9,10")], [(RIFLES, "10,10")])
    unit = stand(made, "german-1", posture="movement")
    made.lay(Work("smoke", "smoke", (10000, 10000)))
    made.progress = Progress("german-1")
    assert cannot_assault(made, unit, Assault("german-1", "soviet-1")) is None


# --- natural numbers --------------------------------------------------------------------------------------------


@rule("12.2.1", "7.5.3")
@pytest.mark.parametrize(("options", "natural", "column"), [("", 1, "+2"), (LUCK, 2, "+2"), (LUCK, 1, "+4")])
def test_12_2_1_a_hot_shot_of_a_battery_shifts_all_of_its_markers(options: str, natural: int, column: str) -> None:
    """HE 8 against 6 is +2; two columns to the right of that is +4, for each of the two markers."""
    made = shelling(*NEAR, top=options)
    assert made.state.units["german-1"].kind.he == 8
    scripts(made, [natural, 6, 6, 6, 6])
    told = made.play("german", FireDirect("german-1", (15000, 10000), "closed", "N"))
    struck = [event.calculation for event in told if event.kind == "result" and event.calculation]
    assert [made.column for made in struck] == [column] * 2


@rule("12.2.2", "7.5.3")
def test_12_2_2_a_battery_that_is_low_fires_at_stands_that_have_struck_it_alone() -> None:
    """After a natural 20 it fires at the battery whose marker has struck it, and carries out no mission."""
    foes = [(SOVIET_GUNS, "15,10"), (RIFLES, "15,13")]
    made = shelling([(HOWITZERS, "5,10")], foes, top=LUCK)
    shoot(made, (15000, 10000), [20])
    assert made.state.units["german-1"].low
    assert not made.state.works
    stand(made.state, "german-1", fired=False)
    shots = [FireDirect("german-1", (15000, y), "closed", "N") for y in (10000, 13000)]
    made.play("soviet", Pass())
    assert [refused(made, "german", shot) for shot in shots] == ["12.2.2", "12.2.2"]
    scripts(made, [6, 6])
    effects.strike(made, replace(impact(made.state, (5000, 10000), "soviet-1"), side="soviet"))
    assert [refused(made, "german", shot) for shot in shots] == ["", "12.2.2"]
    mission = Mission(
        id="M", side="german", kind="support", batteries=("german-1",), sheaf=Sheaf((15000, 10000), 2, "closed", "N"),
        plotted=0, stood=((5000, 10000),), due=1,
    )  # fmt: skip
    found = cannot_serve(made.state, mission, made.state.units["german-1"])
    assert found is not None
    assert found.rule == "12.2.2"
