"""Standard fire [7.1 to 7.3]: eligibility, rolls, differential, arcs, ranges, results; special weapons [10, 11.6]."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from itertools import product

import pytest
from msgspec.structs import replace

from opfire.core.events import Calculation
from opfire.core.game import Game
from opfire.core.texts import say
from opfire.rulesets.micro_armour.alternation import Begin, Pass
from opfire.rulesets.micro_armour.charts import charts, result
from opfire.rulesets.micro_armour.cohesion import SUCCESS
from opfire.rulesets.micro_armour.fire.attacks import Attack, AttackKind, Shot, combat, fire_roll
from opfire.rulesets.micro_armour.fire.guns import Gun, Manner, inches_between, manners, out_of_range
from opfire.rulesets.micro_armour.fire.standard import AddFirer, Engage, Fire, StandardFirePhase, cannot_engage
from opfire.rulesets.micro_armour.moving.opportunity import Oppose
from opfire.rulesets.micro_armour.pieces import Position, Work, adjacent
from opfire.rulesets.micro_armour.retreats import Retreat
from opfire.rulesets.micro_armour.shown.previews import preview
from opfire.rulesets.micro_armour.standing import chance_of_effect
from opfire.rulesets.micro_armour.terrain import terrain_of
from opfire.server.shown import meanings
from rules.micro_armour.kit import (
    GRENADIERS,
    MMG,
    PAK,
    PANZER,
    RIFLES,
    T34,
    game,
    position,
    refused,
    rule,
    scripts,
    stand,
)

R35, PZ38 = "fra-r-35-37l21", "ger-panzer-38t-37l48"
STUG = "ger-stug-iii-f-g"
RIFLES_39 = "ger-infantry-39"


def shot(made: Position, manner: Manner = "main", kind: AttackKind = "standard") -> tuple[Calculation, Calculation]:
    """The roll to fire and the combat roll of the first German stand at the first Soviet one."""
    attack = Attack("soviet-1", (Shot("german-1", manner),), kind)
    return fire_roll(made, attack, attack.shots[0]), combat(made, attack, attack.shots[0])


def why(made: Position, manner: Manner = "main", unit: str = "german-1", target: str = "soviet-1") -> str:
    """The rule by which a stand cannot fire at another; empty if it can."""
    firer = made.units[unit]
    refusal = cannot_engage(made, firer.side, firer, made.units[target], manner)
    return refusal.rule if refusal else ""


def duel(x: float = 10, firer: str = PANZER, target: str = T34, **more: str) -> Position:
    """A German stand at 5,10 and a Soviet one `x` inches east of it."""
    return position([(firer, "5,10")], [(target, f"{round(5 + x, 3)},10")], **more)


def fight(german: Iterable[tuple[str, str]], soviet: Iterable[tuple[str, str]], **more: str) -> Game[Position]:
    """A standard fire phase in which the Germans have the initiative and attack first."""
    made = game(german, soviet, **more)
    made.stack = ()
    made.state.turn, made.state.initiative = 1, "german"
    made.push(StandardFirePhase("german"))
    made.run()
    made.play("german", Begin("german"))
    return made


# --- who attacks when -------------------------------------------------------------------------------------------

PAIR = ([(PANZER, "5,10"), (PANZER, "5,12")], [(T34, "15,10"), (T34, "15,12")])


@rule("7.1.1-alternate", "4.0-4", "7.1.10-next")
def test_7_1_1_the_side_with_the_initiative_says_who_attacks_first_and_sides_alternate() -> None:
    made = game(*PAIR)
    made.stack = ()
    made.state.initiative = "german"
    made.push(StandardFirePhase("german"))
    made.run()
    assert refused(made, "german", Pass()) == "7.1.1-alternate"
    made.play("german", Begin("soviet"))
    assert made.asked() == ("soviet",)
    made.play("soviet", Engage("soviet-1", "german-1"))
    scripts(made, [19])
    made.play("soviet", Fire())
    assert made.asked() == ("german",)


@rule("7.1.1-pass")
def test_7_1_1_a_side_that_has_passed_attacks_no_more_and_two_passes_end_the_phase() -> None:
    made = fight(*PAIR)
    made.play("german", Pass())
    made.play("soviet", Engage("soviet-1", "german-1"))
    scripts(made, [19])
    made.play("soviet", Fire())
    assert made.asked() == ("soviet",)
    made.play("soviet", Pass())
    assert made.stack == ()


@rule("7.1.2")
def test_7_1_2_a_stand_is_attacked_once_in_a_phase_by_as_many_stands_as_its_enemy_likes() -> None:
    made = fight(*PAIR)
    made.play("german", Engage("german-1", "soviet-1"))
    assert refused(made, "german", AddFirer("german-1")) == "procedure"
    made.play("german", AddFirer("german-2"))
    scripts(made, [19, 18])
    made.play("german", Fire())
    made.play("soviet", Pass())
    stand(made.state, "german-1", fired=False)
    assert refused(made, "german", Engage("german-1", "soviet-1")) == "7.1.2"
    assert refused(made, "german", Engage("german-1", "soviet-2")) == ""


@pytest.mark.parametrize(
    ("firers", "calibre"), [((PAK, PAK), 75), ((PAK, R35), 0), ((RIFLES_39, RIFLES_39), 0)], ids=("one", "two", "none")
)
def test_a_shot_tells_the_calibre_that_all_its_guns_have(firers: tuple[str, str], calibre: float) -> None:
    """The PaK 40 has 75 mm, the 37L21 has 37; an infantry stand has no gun."""
    made = fight([(firers[0], "10,10"), (firers[1], "10,12")], [(RIFLES, "13,11")])
    made.play("german", Engage("german-1", "soviet-1"))
    made.play("german", AddFirer("german-2"))
    scripts(made, [1, 1, 1, 1, 1, 1])
    events = made.play("german", Fire())
    assert [event.calibre for event in events if event.kind == "fired"] == [calibre]


@rule("7.1.9")
@pytest.mark.parametrize(
    ("firers", "target", "words"),
    [
        ((MMG, MMG), RIFLES, "HE firepower 4"),
        ((PANZER, PANZER), T34, "AP firepower 9"),
        ((MMG, PANZER), RIFLES, ""),
    ],
    ids=("HE", "AP", "differing"),
)
def test_7_1_9_a_shot_tells_the_firepower_that_strikes_its_target(
    firers: tuple[str, str], target: str, words: str
) -> None:
    """Support infantry has AP 0 and HE 4, a Panzer IV F2-H AP 9 and HE 5."""
    made = fight([(firers[0], "10,10"), (firers[1], "10,12")], [(target, "13,11")])
    made.play("german", Engage("german-1", "soviet-1"))
    made.play("german", AddFirer("german-2"))
    scripts(made, [1, 1, 1, 1, 1, 1])
    events = made.play("german", Fire())
    assert [say(event.strength) for event in events if event.kind == "fired"] == [words]


@rule("7.1.4", "7.1.6-fail")
def test_7_1_4_a_stand_whose_roll_fails_has_fired_all_the_same() -> None:
    made = fight(*PAIR)
    made.play("german", Engage("german-1", "soviet-1"))
    scripts(made, [16])
    made.play("german", Fire())
    assert made.rolls == [16]
    made.play("soviet", Pass())
    assert refused(made, "german", Engage("german-1", "soviet-2")) == "7.1.4"


@rule("8.1.2")
def test_8_1_2_a_stand_in_the_movement_posture_does_not_fire() -> None:
    made = duel()
    stand(made, "german-1", posture="movement")
    assert why(made) == "8.1.2"
    stand(made, "german-1", posture="fire/move")
    assert why(made) == ""


@rule("7.1.3", "6.1-need")
def test_7_1_3_a_clear_line_of_sight_is_needed() -> None:
    terrain = 'areas = [{kind = "woods", points = "9,8 11,8 11,12 9,12"}]'
    assert why(duel(terrain=terrain)) == "6.3.1"


@rule("7.1.7")
def test_7_1_7_an_unarmed_stand_does_not_fire() -> None:
    assert why(duel(firer="ger-opel-blitz-md-truck")) == "7.1.7"


@rule("8.4.9")
def test_8_4_9_cargo_does_not_fire() -> None:
    made = position([(PANZER, "5,10"), (GRENADIERS, "5,12")], [(RIFLES, "8,10")])
    assert why(made, unit="german-2") == ""
    stand(made, "german-2", carrier="german-1", at=(5000, 10000))
    assert why(made, unit="german-2") == "8.4.9"


# --- the roll to fire -------------------------------------------------------------------------------------------


@rule("7.1.6-roll")
def test_7_1_6_states_posture_and_terrain_modify_the_roll_to_fire() -> None:
    made = duel(13.5, terrain='areas = [{kind = "woods", points = "18,8 22,8 22,12 18,12"}]')
    assert shot(made)[0].modifier == 2
    stand(made, "german-1", posture="fire/move", suppressed=True)
    assert shot(made)[0].modifier == 2 + 3 + 4


@rule("6.3.3-concealed", "6.3.3-crt", "6.4.2")
def test_6_3_3_a_stand_that_has_fired_or_is_adjacent_is_hit_through_its_cover_but_not_seen_worse() -> None:
    made = duel(13.5, terrain='areas = [{kind = "woods", points = "18,8 22,8 22,12 18,12"}]')
    stand(made, "soviet-1", fired=True)
    to_fire, effect = shot(made)
    assert to_fire.modifier == 0
    assert effect.modifier == 2 + 2  # woods, and a range of 14 inches
    stand(made, "soviet-1", fired=False)
    stand(made, "german-1", at=(17500, 10000))
    to_fire, effect = shot(made)
    assert (to_fire.modifier, effect.modifier) == (0, 2 - 1)


@rule("6.3.3-concealed")
def test_6_3_3_cover_that_does_not_conceal_counts_whether_its_stand_has_fired_or_not() -> None:
    made = duel(13.5, terrain='areas = [{kind = "marsh", points = "18,8 22,8 22,12 18,12"}]')
    stand(made, "soviet-1", fired=True)
    assert shot(made)[0].modifier == 2


@rule("9.1.3")
def test_9_1_3_the_example_of_infantry_in_a_medium_position_in_medium_buildings() -> None:
    terrain = 'areas = [{kind = "medium-buildings", points = "8,8 12,8 12,12 8,12"}]'
    made = position([(PANZER, "5,10")], [(RIFLES, "8.5,10")], terrain=terrain)
    made.lay(Work("mip", "medium position", (8500, 10000)))
    to_fire, effect = shot(made)
    assert to_fire.modifier == 10
    assert effect.modifier == 10


@rule("9.1.1")
def test_9_1_1_terrain_has_an_effect_on_fire_into_it_and_none_on_fire_out_of_it() -> None:
    made = duel(5, terrain='areas = [{kind = "woods", points = "9.5,8 14,8 14,12 9.5,12"}]')
    back = Attack("german-1", (Shot("soviet-1"),))
    assert [shot(made)[0].modifier, fire_roll(made, back, back.shots[0]).modifier] == [2, 0]


@rule("9.1.5")
@pytest.mark.parametrize(("edge", "modifier"), [("14.75", 2), ("14.76", 0)])
def test_9_1_5_a_stand_is_in_terrain_with_three_quarters_of_it(edge: str, modifier: int) -> None:
    """The stand reaches from 14.5 to 15.5."""
    terrain = f'areas = [{{kind = "marsh", points = "{edge},8 22,8 22,12 {edge},12"}}]'
    assert shot(duel(terrain=terrain))[0].modifier == modifier


@rule("9.1-chart")
def test_9_1_the_crest_in_front_of_a_target_counts_whether_it_has_fired_or_not() -> None:
    """The example of 6.3: M4s at a ridge crest under fire of PaK 40s."""
    made = position(
        [(PAK, "9,10")], [("us-m4-sherman", "25.6,10")], terrain='lines = [{kind = "crest", points = "25,2 25,28"}]'
    )
    assert shot(made)[0].modifier == 2
    stand(made, "soviet-1", fired=True)
    assert shot(made)[0].modifier == 2
    back = Attack("german-1", (Shot("soviet-1"),))
    assert fire_roll(made, back, back.shots[0]).modifier == 0


@rule("9.1-chart")
@pytest.mark.parametrize(("posture", "modifier"), [("firing", 0), ("movement", -1), ("fire/move", -1)])
def test_9_1_soft_sand_exposes_targets_that_move(posture: str, modifier: int) -> None:
    made = duel(terrain='areas = [{kind = "mud", points = "12,8 18,8 18,12 12,12"}]')
    stand(made, "soviet-1", posture=posture)
    assert shot(made)[0].modifier == modifier


@rule("9.2.1")
def test_9_2_1_two_wrecks_in_one_place_are_rough_terrain_3() -> None:
    made = duel()
    made.lay(Work("one", "wreck", (15000, 10000)))
    assert shot(made)[0].modifier == 1
    made.lay(Work("two", "wreck", (15100, 10000)))
    assert shot(made)[0].modifier == 4


@rule("9.6.2-snow")
def test_9_6_2_snow_makes_clear_ground_rough() -> None:
    assert shot(duel(top='weather = ["snow"]'))[0].modifier == 1


@rule("11.4.4")
def test_11_4_4_a_stand_that_turns_in_a_medium_position_loses_its_benefits_until_it_turns_back() -> None:
    made = duel(target=RIFLES)
    made.lay(Work("mip", "medium position", (15000, 10000)))
    assert shot(made)[0].modifier == 5
    stand(made, "soviet-1", facing=0)
    assert shot(made)[0].modifier == 0
    stand(made, "soviet-1", facing=270)
    assert shot(made)[0].modifier == 5


@rule("11.4.4")
def test_11_4_4_a_stand_that_has_come_into_a_medium_position_faces_as_it_likes() -> None:
    made = duel(target=RIFLES)
    made.put("soviet-1", (16000, 10000), facing=0)
    made.lay(Work("mip", "medium position", (16000, 10000)))
    assert shot(made)[0].modifier == 5


@rule("9.1-chart")
def test_9_1_a_stand_on_a_hilltop_is_not_on_the_slopes_around_it() -> None:
    slope = '{kind = "steep-slope", level = 1, points = "11,6 19,6 19,14 11,14"}'
    top = '{kind = "hilltop", level = 2, points = "13,8 17,8 17,12 13,12"}'
    made = duel(target=RIFLES, terrain=f'hills = [{{name = "Hill", contours = [{slope}, {top}]}}]')
    assert "steep-slope" not in terrain_of(made, made.units["soviet-1"])
    made.put("soviet-1", (12000, 10000))
    assert "steep-slope" in terrain_of(made, made.units["soviet-1"])


@rule("10.10.2")
def test_10_10_2_mounted_cavalry_has_no_benefit_of_buildings() -> None:
    terrain = 'areas = [{kind = "light-buildings", points = "14.4,8 18,8 18,12 14.4,12"}]'
    assert shot(duel(target="sov-cavalry", terrain=terrain))[0].modifier == 0
    assert shot(duel(target=RIFLES, terrain=terrain))[0].modifier == 4


@rule("7.4.5.2-in", "7.4.5.2-out", "7.4.7.1-4")
def test_7_4_smoke_and_impact_zones_modify_fire() -> None:
    made = duel()
    made.lay(Work("one", "impact", (15000, 10000)))
    to_fire, effect = shot(made)
    assert (to_fire.modifier, effect.modifier) == (3, 1)
    assert why(made, unit="soviet-1", target="german-1") == "7.4.5.2-out"
    made.remove("one")
    for name, at in (("two", (15000, 10000)), ("three", (5000, 10000))):
        made.lay(Work(name, "smoke", at))
        to_fire, effect = shot(made)
        assert (to_fire.modifier, effect.modifier) == (3, 4)


# --- differential, classes, results -----------------------------------------------------------------------------


@rule("7.1.9", "7.1.10-diff", "7.1.8-class")
@pytest.mark.parametrize(("target", "column"), [(T34, "+1"), (RIFLES, "-1"), ("sov-76mm-atg", "+1")])
def test_7_1_9_armour_takes_ap_and_everything_else_he(target: str, column: str) -> None:
    """A Panzer IV has 9 AP and 5 HE; the T-34c [8], infantry 6, the gun 4."""
    assert shot(duel(target=target))[1].column == column


@rule("7.1.10-high")
@pytest.mark.parametrize(("ap", "told"), [(10, []), (11, ["+9"])])
def test_7_1_10_a_differential_above_9_uses_the_last_column_and_the_calculation_says_so(
    ap: int, told: list[str]
) -> None:
    made = duel(target="sov-t-37a")  # defence 1
    stand(made, "german-1", kind=replace(charts().weapons[PANZER], ap=ap))
    found = shot(made)[1]
    assert found.column == "+9"
    assert [line.value for line in found.lines if line.rule == "7.1.10-high"] == told


@rule("7.1.10-low")
def test_7_1_10_a_differential_below_3_less_has_no_effect() -> None:
    effect = shot(duel(8, firer="ger-panzer-ii-c-20l55", target="sov-t-34c"))[1]
    assert effect.column == "-6"
    assert effect.chances() == {"-": 1}
    assert "below -3: no effect" in [say(line.label) for line in effect.lines if line.rule == "7.1.10-low"]


@rule("7.1.10-low", "7.2-table")
@pytest.mark.parametrize(("firepower", "column", "effects"), [(5, "-3", True), (4, "-4", False)])
def test_7_1_10_the_column_of_3_less_is_the_last_with_an_effect(firepower: int, column: str, effects: bool) -> None:
    made = duel()
    gun, tank = made.units["german-1"], made.units["soviet-1"]
    assert tank.kind.defence == 8
    stand(made, "german-1", kind=replace(gun.kind, ap=firepower))
    roll = shot(made)[1]
    assert roll.column == column
    assert (roll.chances().get("-") != 1) is effects


@rule("7.1.8-half", "10.3")
@pytest.mark.parametrize(("posture", "column"), [("firing", "-1"), ("movement", "+2"), ("fire/move", "+2")])
def test_7_1_8_stands_marked_p_keep_half_their_defence_when_they_move(posture: str, column: str) -> None:
    made = duel(4, target=RIFLES)
    stand(made, "soviet-1", posture=posture)
    assert shot(made)[1].column == column


@rule("10.3")
def test_10_3_cavalry_with_a_defence_of_5_keeps_2() -> None:
    made = duel(4, target="sov-cavalry")
    stand(made, "soviet-1", posture="movement")
    assert shot(made)[1].column == "+3"


@rule("7.2-table")
@pytest.mark.parametrize(
    ("die", "results"),
    [
        (0, "D D D E E E E E E E E E E"),
        (3, "(S) (S) D D D E E E E E E E E"),
        (6, "- S S (S) D D D D E E E E E"),
        (8, "- - - S (S) D D D D E E E E"),
        (11, "- - - - - S S (S) D D D D E"),
        (12, "- - - - - - S S (S) D D D D"),
        (19, "- - - - - - - - - - - - S"),
    ],
)
def test_7_2_the_combat_results_table(die: int, results: str) -> None:
    assert [result(charts(), column, die) for column in range(-3, 10)] == results.split()


@rule("7.1-attack", "7.1.6-roll", "7.1.10-roll", "7.1.5")
def test_7_1_the_example_of_four_r_35_and_a_panzer_38t() -> None:
    """Cohesion rolls of 19, 7, 2 and 14 against 11: two fire, at -1; a 7 suppresses, an 8 changes nothing."""
    tanks = [(R35, "14,8"), (R35, "14,9"), (R35, "14,10"), (R35, "14,11")]
    made = fight([(PZ38, "10,10")], tanks, soviet_more="")
    made.play("german", Pass())
    stand(made.state, "german-1", facing=90)
    made.play("soviet", Engage("soviet-1", "german-1"))
    for name in ("soviet-2", "soviet-3", "soviet-4"):
        made.play("soviet", AddFirer(name))
    scripts(made, [19, 7, 3, 4, 2, 2, 6, 14])
    made.play("soviet", Fire())
    calculations = [event.calculation for event in made.events if event.kind == "result"]
    assert [each.column for each in calculations if each] == ["-1", "-1"]
    assert [each.modifier for each in calculations if each] == [0, 0]
    target = made.state.units["german-1"]
    assert (target.suppressed, target.disorganized) == (True, False)
    assert all(made.state.units[f"soviet-{n}"].fired for n in (1, 2, 3, 4))


@rule("7.1-attack", "7.2-E")
def test_7_1_firers_left_when_the_target_is_gone_have_fired_without_a_roll() -> None:
    made = fight([(STUG, "10,10"), (STUG, "10,12")], [("sov-t-37a", "14,10"), (T34, "30,25")])
    made.play("german", Engage("german-1", "soviet-1"))
    made.play("german", AddFirer("german-2"))
    scripts(made, [3, 1, 1])
    made.play("german", Fire())
    assert made.state.units["soviet-1"].status == "eliminated"
    assert made.state.units["german-2"].fired


@rule("7.2-none", "10.4")
def test_10_4_support_stands_suppress_where_others_have_no_effect() -> None:
    assert "-" not in shot(duel(4, firer=MMG, target=RIFLES))[1].chances()
    assert "-" in shot(duel(4, firer=GRENADIERS, target=RIFLES))[1].chances()


# --- range ------------------------------------------------------------------------------------------------------


@rule("7.3.2")
@pytest.mark.parametrize(
    ("inches", "modifier"),
    [(1.5, 0), (5, 0), (5.001, 1), (10, 1), (10.5, 2), (15, 2), (16, 3), (20, 3), (21, 4), (26, 5)],
)
def test_7_3_2_range_modifies_the_combat_roll(inches: float, modifier: int) -> None:
    assert shot(duel(inches))[1].modifier == modifier


@rule("7.3.3")
@pytest.mark.parametrize(("at", "inches", "modifier"), [("6,11", 1, -1), ("6.1,11.1", 2, 0)])
def test_7_3_3_stands_in_contact_are_at_one_inch_even_at_a_corner(at: str, inches: int, modifier: int) -> None:
    """Corner to corner the centres are 1.41 inches apart; without contact 1.56 inches are two."""
    made = position([(PANZER, "5,10")], [(T34, at)])
    assert inches_between(made.units["german-1"], made.units["soviet-1"]) == inches
    assert shot(made)[1].modifier == modifier


@rule("7.3.5")
def test_7_3_5_nobody_fires_beyond_the_range_of_the_weapon() -> None:
    assert why(duel(20)) == ""
    assert why(duel(20.001)) == "7.3.5"


@rule("7.1.9")
def test_7_1_9_a_stand_without_firepower_of_the_kind_does_not_fire() -> None:
    assert why(duel(3, firer="ger-infantry-hq")) == "7.1.9"
    assert why(duel(3, firer="ger-infantry-hq", target=RIFLES)) == ""


@rule("10.7.2")
@pytest.mark.parametrize(("inches", "modifier"), [(8, 0), (9, 1), (16, 1), (17, 2), (24, 2), (25, 3), (33, 4)])
def test_10_7_2_the_88_has_a_range_chart_of_its_own(inches: float, modifier: int) -> None:
    assert shot(duel(inches, firer="ger-flak-36-88mm-aag"))[1].modifier == modifier


# --- arcs -------------------------------------------------------------------------------------------------------


@rule("7.3.1-arc", "7.3.1-facing")
@pytest.mark.parametrize(("facing", "column"), [(270, "+1"), (315, "+1"), (316, "+5"), (225, "+1"), (90, "+5")])
def test_7_3_1_armour_keeps_half_against_fire_from_side_and_rear(facing: int, column: str) -> None:
    """The T-34c has [8], the Panzer IV fires from the west with 9; the limit of the front favours the defender."""
    made = duel()
    stand(made, "soviet-1", facing=facing)
    assert shot(made)[1].column == column


@rule("7.3.1-arc")
def test_7_3_1_the_facing_of_a_stand_without_armour_does_not_matter() -> None:
    made = duel(4, target=RIFLES)
    stand(made, "soviet-1", facing=90)
    assert shot(made)[1].column == "-1"


@rule("7.3.6-arc", "10.2")
@pytest.mark.parametrize(("facing", "reason"), [(90, ""), (134, ""), (135, "7.3.6-arc"), (270, "7.3.6-arc")])
def test_7_3_6_a_restricted_weapon_fires_in_its_arc_only(facing: int, reason: str) -> None:
    made = duel(firer=STUG)
    stand(made, "german-1", facing=facing)
    assert why(made) == reason


@rule("7.3.6-side")
def test_7_3_6_a_restricted_stand_has_side_arms_against_adjacent_stands_out_of_its_arc() -> None:
    made = position([(STUG, "5,10")], [(RIFLES, "6,10"), (RIFLES, "9,10")])
    assert why(made, "side arms") == "7.3.6-side"
    stand(made, "german-1", facing=270)
    assert why(made, "side arms") == ""
    assert shot(made, "side arms")[1].column == "-3"  # the infantry headquarters has 3 HE
    assert why(made, "side arms", target="soviet-2") == "7.3.6-side"


@rule("7.3.6-arc", "WD.R1")
@pytest.mark.parametrize(
    ("aside", "reason"), [(9.9, ""), (-9.9, ""), (10, "7.3.6-arc"), (-10, "7.3.6-arc"), (10.1, "7.3.6-arc")]
)
def test_7_3_6_the_arc_to_the_rear_is_as_wide_as_that_to_the_front(aside: float, reason: str) -> None:
    made = position([("uk-archer", "25,15")], [(T34, f"15,{15 + aside}")])
    assert why(made) == reason


@rule("7.3.1-arc", "7.3.6-arc")
def test_7_3_6_weapons_with_an_arc_of_360_degrees_fire_all_around() -> None:
    made = position([(STUG, "25,15")], [(T34, "15,15")], top="firing_arc = 360")
    assert why(made) == ""


@rule("7.3.6-arc")
def test_7_3_6_weapons_to_the_rear_fire_there() -> None:
    """The Archer's gun points backwards."""
    made = duel(firer="uk-archer")
    assert why(made) == "7.3.6-arc"
    stand(made, "german-1", facing=270)
    assert why(made) == ""


@rule("10.9")
def test_10_9_a_tank_with_two_weapons_fires_one_of_them_within_its_own_limits() -> None:
    made = duel(8, firer="us-m3-lee-hull-75mm", target=RIFLES)
    assert [why(made, manner) for manner in ("main", "second")] == ["", ""]
    stand(made, "german-1", facing=270)
    assert [why(made, manner) for manner in ("main", "second")] == ["7.3.6-arc", ""]
    assert shot(made, "second")[1].column == "-2"
    assert why(duel(), "second") == "10.9"


@rule("7.3.4")
@pytest.mark.parametrize(("y", "engaged"), [("10.5", "7.3.4"), ("10.51", ""), ("10.52", "")])
def test_7_3_4_contact_along_less_than_half_a_side_engages_nobody(y: str, engaged: str) -> None:
    """The sides of the two stands share 0.5, 0.49 or 0.48 inch, with a gap of 0.01 inch between them."""
    made = position([(GRENADIERS, "5,10")], [(T34, f"6.01,{y}"), (RIFLES, "8,7")])
    assert adjacent(made.units["german-1"], made.units["soviet-1"])
    assert why(made, target="soviet-2") == engaged


@rule("7.3.4")
def test_7_3_4_an_engaged_stand_fires_at_adjacent_stands_only() -> None:
    """Contact along half a side engages; less does not."""
    made = position([(GRENADIERS, "5,10")], [(T34, "6,10.5"), (RIFLES, "8,7")])
    assert why(made, target="soviet-2") == "7.3.4"
    stand(made, "soviet-1", at=(6000, 10600))
    assert why(made, target="soviet-2") == ""


# --- special weapons and ammunition -----------------------------------------------------------------------------


@rule("10.10.7")
def test_10_10_7_mounted_cavalry_does_not_fire() -> None:
    assert why(duel(3, firer="ger-cavalry", target=RIFLES)) == "10.10.7"


@rule("7.4.1", "10.8")
def test_7_4_1_artillery_and_close_support_fire_in_the_artillery_phase() -> None:
    assert why(duel(firer="ger-105mm-ifh18-2", target=RIFLES)) == "7.4.1"
    assert why(duel(firer="ger-panzer-iv-e-75l24", target=RIFLES)) == "10.8"


@rule("10.7.1")
def test_10_7_1_dual_purpose_field_guns_fire_as_anti_tank_guns() -> None:
    made = duel(10, firer="uk-25-lbr-gun-howitzer-2")
    assert [why(made, manner) for manner in ("main", "second")] == ["7.4.1", ""]
    assert shot(made, "second")[1].column == "-2"
    assert why(duel(10, firer="sov-76mm-gun-m36-div-2", target=RIFLES)) == ""


@rule("10.14")
@pytest.mark.parametrize(("dice", "spent"), [((4, 4), True), ((4, 5), False)])
def test_10_14_a_low_combat_roll_spends_the_panzerschreck(dice: tuple[int, int], spent: bool) -> None:
    infantry = "ger-pzgrenadier-infantry-44-at"
    made = fight([(infantry, "5,10")], [(T34, "6.5,10"), (RIFLES, "5,13")])
    made.play("german", Engage("german-1", "soviet-1"))
    scripts(made, [3, *dice])
    made.play("german", Fire())
    assert made.state.units["german-1"].depleted == spent
    stand(made.state, "german-1", fired=False)
    stand(made.state, "soviet-1", attacked=False)
    assert why(made.state) == ("10.14" if spent else "")
    assert why(made.state, target="soviet-2") == ""


@rule("10.14")
def test_10_14_high_explosive_spends_nothing() -> None:
    made = fight([("ger-pzgrenadier-infantry-44-at", "5,10")], [(RIFLES, "7,10")])
    made.play("german", Engage("german-1", "soviet-1"))
    scripts(made, [3, 1, 1])
    made.play("german", Fire())
    assert not made.state.units["german-1"].depleted


@rule("11.4.5", "10.7.1", "10.9")
@pytest.mark.parametrize(("firer", "column"), [("uk-25-lbr-gun-howitzer-2", "+1"), ("us-m3-lee-hull-75mm", "+0")])
def test_11_4_5_the_second_weapon_of_a_stand_fires_ap_at_positions_too(firer: str, column: str) -> None:
    made = duel(4, firer, RIFLES)
    assert why(made, "second at position") == "11.4.5"
    made.lay(Work("mip", "medium position", (9000, 10000)))
    assert why(made, "second at position") == ""
    assert "second at position" in [*manners(made, made.units["german-1"])]
    assert shot(made, "second at position")[1].column == column  # AP 6 or 5 against 5


@rule("11.4.5")
def test_11_4_5_armour_piercing_fire_at_a_medium_position_meets_its_own_defence() -> None:
    made = duel(4, target=RIFLES)
    assert why(made, "at position") == "11.4.5"
    made.lay(Work("mip", "medium position", (9000, 10000)))
    assert why(made, "at position") == ""
    to_fire, effect = shot(made, "at position")
    assert effect.column == "+4"  # 9 AP against 5
    assert effect.modifier == to_fire.modifier == 5


@rule("11.6.1", "7.1.10-next")
def test_11_6_1_flames_drive_a_stand_back_at_the_end_of_the_phase() -> None:
    made = fight([("ger-panzer-iii-flamethrower", "5,10")], [(RIFLES, "6,10")])
    made.play("german", Engage("german-1", "soviet-1"))
    scripts(made, [3, 5, 6, 14])  # fires; 11 - 1 at +3 suppresses; 14 + 4 is more than 13
    made.play("german", Fire())
    assert made.state.units["soviet-1"].retreats == "german-1"
    made.play("soviet", Pass())
    made.play("german", Pass())
    assert made.asked() == ("soviet",)
    assert refused(made, "soviet", Retreat("soviet-1", (5000, 11000))) == "8.8.5"
    made.play("soviet", Retreat("soviet-1", (7000, 10000)))
    assert made.state.units["soviet-1"].at == (7000, 10000)
    assert made.stack == ()


@rule("11.6.1")
def test_11_6_1_a_stand_with_nowhere_to_go_is_lost() -> None:
    made = fight([("ger-panzer-iii-flamethrower", "38,10")], [(RIFLES, "39.5,10")])
    stand(made.state, "soviet-1", retreats="german-1", at=(39500, 10000))
    made.play("german", Pass())
    made.play("soviet", Pass())
    assert made.state.units["soviet-1"].status == "eliminated"


# --- optional rules ---------------------------------------------------------------------------------------------


@rule("12.2.1")
@pytest.mark.parametrize(("options", "column"), [("", "+1"), ('options = ["12.2.1"]', "+3")])
def test_12_2_1_a_hot_shot_shifts_two_columns(options: str, column: str) -> None:
    made = duel(top=options)
    attack = Attack("soviet-1", (Shot("german-1"),))
    assert combat(made, attack, attack.shots[0], natural=1).column == column
    assert combat(made, attack, attack.shots[0], natural=2).column == "+1"


@rule("12.2.1", "7.1.6-roll", "7.1.10-roll")
@pytest.mark.parametrize("options", ["", 'options = ["12.2.1"]'])
def test_12_2_1_the_chances_before_the_dice_are_those_of_all_dice(options: str) -> None:
    """Every one of the 20 numbers to fire with each of the 36 pairs of dice after it."""
    made = duel(top=options)
    attack = Attack("soviet-1", (Shot("german-1"),))
    found = Counter[str]()
    for natural, one, two in product(range(1, 21), range(1, 7), range(1, 7)):
        fires = fire_roll(made, attack, attack.shots[0]).result([natural]) == SUCCESS
        found[combat(made, attack, attack.shots[0], natural).result([one, two]) if fires else "does not fire"] += 1
    told = preview(made, StandardFirePhase("german"), Engage("german-1", "soviet-1"))
    assert isinstance(told, Calculation)
    assert told.chances() == {result: Fraction(number, 720) for result, number in found.items()}
    hits = found.total() - found["does not fire"] - found["-"]
    assert chance_of_effect(made, Oppose("german-1", "soviet-1")) == Fraction(hits, 720)


@rule("12.2.2")
def test_12_2_2_after_a_natural_20_a_stand_fires_back_only() -> None:
    made = fight(*PAIR, top='options = ["12.2.2"]')
    made.play("german", Engage("german-1", "soviet-1"))
    scripts(made, [20])
    made.play("german", Fire())
    assert made.state.units["german-1"].low
    stand(made.state, "german-1", fired=False)
    stand(made.state, "soviet-2", shots=("german-1",))
    stand(made.state, "soviet-1", attacked=False)
    assert why(made.state) == "12.2.2"
    assert why(made.state, target="soviet-2") == ""


@rule("12.8")
def test_12_8_a_hit_on_a_vehicle_lets_a_tank_fire_at_another_one_with_3_more() -> None:
    made = fight(*PAIR, top='options = ["12.8"]')
    made.play("german", Engage("german-1", "soviet-1"))
    scripts(made, [3, 2, 3])
    made.play("german", Fire())
    made.play("soviet", Pass())
    assert refused(made, "german", Engage("german-1", "soviet-1")) != ""
    made.play("german", Engage("german-1", "soviet-2"))
    scripts(made, [12, 3, 4])
    made.play("german", Fire())
    calculation = next(event.calculation for event in made.events if event.kind == "cohesion")
    assert calculation is not None
    assert calculation.modifier == 3
    assert not made.state.units["german-1"].again


@rule("12.8")
def test_12_8_a_miss_lets_nobody_fire_again() -> None:
    made = fight(*PAIR, top='options = ["12.8"]')
    made.play("german", Engage("german-1", "soviet-1"))
    scripts(made, [3, 6, 6])
    made.play("german", Fire())
    assert not made.state.units["german-1"].again


@rule("12.9")
@pytest.mark.parametrize(("dice", "left"), [((2, 3), False), ((2, 4), True)])
def test_12_9_special_ammunition_is_half_as_strong_again_until_it_is_spent(dice: tuple[int, int], left: bool) -> None:
    more = {"top": 'options = ["12.9"]', "german_more": "special_ammunition = {us-m4-sherman = 1}"}
    made = fight([("us-m4-sherman", "5,10")], [(T34, "15,10")], **more)
    assert shot(made.state)[1].column == "+2"  # 7 is 10 against [8]
    made.play("german", Engage("german-1", "soviet-1"))
    scripts(made, [3, *dice])
    made.play("german", Fire())
    assert made.state.units["german-1"].special == left


@rule("12.10")
def test_12_10_big_game_hunters_fire_high_explosive_at_armour_up_to_4_inches() -> None:
    top = 'options = ["12.10"]'
    near, far = duel(2, firer="sov-su-152", top=top), duel(4, firer="sov-su-152", top=top)
    assert [why(near, "big game"), why(far, "big game")] == ["", ""]
    assert why(duel(4.1, firer="sov-su-152", top=top), "big game") == "7.3.5"
    assert shot(near, "big game")[1].column == "+1"  # 9 HE against [8]
    assert [shot(made, "big game")[1].modifier for made in (near, far)] == [-2, 0]
    assert why(duel(4, firer="sov-su-122", top=top), "big game") == "12.10"
    assert why(duel(4, firer="sov-su-152"), "big game") == "12.10"
    assert "big game" not in [*manners(duel(4), duel(4).units["german-1"])]


@rule("12.11")
def test_12_11_a_75_l_24_has_one_hollow_charge_attack() -> None:
    top = 'options = ["12.11"]\ndate = "1943-07"'
    made = fight([("ger-panzer-iv-e-75l24", "5,10")], [(T34, "15,10")], top=top)
    assert why(made.state, "heat") == ""
    effect = shot(made.state, "heat")[1]
    assert (effect.column, effect.modifier) == ("+0", 1)
    assert "-" in effect.chances()
    made.play("german", Engage("german-1", "soviet-1", "heat"))
    scripts(made, [3, 3, 4])
    made.play("german", Fire())
    stand(made.state, "german-1", fired=False)
    stand(made.state, "soviet-1", attacked=False)
    assert why(made.state, "heat") == "12.11"
    assert why(duel(10.1, firer="ger-panzer-iv-e-75l24", top=top), "heat") == "7.3.5"
    assert why(duel(8, firer="ger-panzer-iv-e-75l24", top='options = ["12.11"]\ndate = "1941-01"'), "heat") == "12.11"


# --- other kinds of attack, for the chapters on movement --------------------------------------------------------


@rule("8.6.3", "8.5.1", "8.7.6-fire")
def test_8_5_and_8_6_covering_fire_adds_3_and_the_fire_of_an_overrun_stand_is_at_no_range() -> None:
    made = duel(4)
    assert shot(made, kind="covering")[0].modifier == 3
    stand(made, "german-1", posture="fire/move")
    assert shot(made, kind="opportunity")[0].modifier == 3
    effect = shot(made, kind="overrun")[1]
    assert (effect.column, effect.modifier) == ("+5", -1)


@rule("7.4.8")
def test_7_4_8_a_gun_with_a_least_range_has_side_arms_within_it() -> None:
    """The 120 mm mortar fires at more than 3 inches only."""
    made = duel(3, firer="ger-120mm-mortar-2", target=RIFLES)
    assert why(made, "side arms") == ""
    assert shot(made, "side arms")[1].column == "-3"
    assert why(duel(3.5, firer="ger-120mm-mortar-2", target=RIFLES), "side arms") == "7.3.6-side"
    close_in = duel(3, target=RIFLES)
    mortar = close_in.charts.weapons["ger-120mm-mortar-2"]
    refusal = out_of_range(close_in.units["german-1"], close_in.units["soviet-1"], Gun(mortar, 9, 48, False))
    assert refusal is not None
    assert refusal.rule == "7.4.8"
    assert why(duel(1)) == ""  # a gun without one fires at adjacent stands


# --- why not? ---------------------------------------------------------------------------------------------------


@rule("7.1.7")
def test_7_1_7_a_click_on_a_stand_tells_what_keeps_it_from_firing_at_the_nearest_enemies() -> None:
    made = fight([("ger-opel-blitz-md-truck", "5,10")], [(T34, f"{x},10") for x in (14, 12, 10, 8)])
    told = meanings(made, "german", ["german-1"])
    assert {each["rule"] for each in told} == {"7.1.7"}
    assert {each["label"].partition("T-34c ")[2][:1] for each in told} == {"2", "3", "4"}
