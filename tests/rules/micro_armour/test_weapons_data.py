"""The columns of the weapons data [WD]: each is used as its introduction says, with rows as they are printed."""

from __future__ import annotations

import pytest

from opfire.rulesets.micro_armour.artillery import effects
from opfire.rulesets.micro_armour.artillery.batteries import no_smoke, reloading
from opfire.rulesets.micro_armour.artillery.plotting import cannot_plot
from opfire.rulesets.micro_armour.fire.attacks import Shot, deplete
from opfire.rulesets.micro_armour.fire.guns import defence, gun, in_field, out_of_range, second_weapon
from opfire.rulesets.micro_armour.moving.marching import whole_allowance
from opfire.rulesets.micro_armour.moving.transport import Load, cannot_load
from opfire.rulesets.micro_armour.pieces import Position, Stand
from opfire.space.measure import MICRO
from rules.micro_armour.kit import GRENADIERS, PANZER, RIFLES, STAFF, T34, game, position, rule, stand

LEE, PORTEE, ARCHER = "us-m3-lee-hull-75mm", "uk-deacon", "uk-archer"
MORTAR, ROCKETS, HOWITZER = "ger-120mm-mortar-2", "ger-150mm-nebelwerfer-4", "ger-105mm-ifh18-2"
TRUCK, HALFTRACK, AT = "sov-light-truck-gaz-aa-1t", "ger-sdkfz-251-1", "ger-pzgrenadier-infantry-44-at"


def facing(german: str, soviet: str = T34, x: str = "15", **more: str) -> tuple[Position, Stand, Stand]:
    """A German stand that looks east, and a Soviet one in front of it."""
    made = position([(german, "5,10")], [(soviet, f"{x},10")], **more)
    return made, made.units["german-1"], made.units["soviet-1"]


@rule("WD.firepower")
def test_wd_firepower_ap_against_armour_and_he_against_all_else() -> None:
    # Panzer IV F2-H: 9 and 5
    made, panzer, tank = facing(PANZER)
    assert gun(made, panzer, "main", tank).firepower == 9
    made, panzer, men = facing(PANZER, RIFLES)
    assert gun(made, panzer, "main", men).firepower == 5


@rule("WD.range")
@pytest.mark.parametrize(
    ("target", "x", "far"), [(T34, "7", False), (T34, "8", True), (RIFLES, "10", False), (RIFLES, "11", True)]
)
def test_wd_range_ap_and_he_have_their_own(target: str, x: str, far: bool) -> None:
    # PzGrenadier Infantry '44 AT: AP 2 inches, HE 5
    made, men, enemy = facing(AT, target, x)
    refusal = out_of_range(men, enemy, gun(made, men, "main", enemy))
    assert (refusal is not None and refusal.rule == "7.3.5") is far


@rule("WD.def")
def test_wd_def_brackets_are_armour() -> None:
    made, panzer, truck = facing(PANZER, TRUCK)
    assert (panzer.kind.defence, panzer.armoured) == (7, True)
    assert (truck.kind.defence, truck.armoured) == (1, False)
    assert made.units


@rule("WD.mov")
def test_wd_mov_the_points_of_a_phase() -> None:
    made, panzer, men = facing(PANZER, RIFLES)
    assert [whole_allowance(made, unit) // MICRO for unit in (panzer, men)] == [10, 3]


@rule("WD.cargo", "WD.tran")
def test_wd_cargo_capacity_and_requirement() -> None:
    # The truck carries 6: infantry needs 8. The half-track carries 8.
    for carrier, kind, wanted in (
        (TRUCK, GRENADIERS, "8.4.1"),
        (HALFTRACK, GRENADIERS, ""),
        (HALFTRACK, PANZER, "8.4"),
    ):
        made = position([(carrier, "5,10"), (kind, "6,10")])
        for name in made.units:
            stand(made, name, posture="movement")
        refusal = cannot_load(made, made.units["german-1"], Load("german-1", "german-2"))
        assert (refusal.rule if refusal else "") == wanted


@rule("WD.R", "WD.R1", "WD.R2")
@pytest.mark.parametrize(
    ("kind", "turns"), [(LEE, (True, False, False)), (ARCHER, (False, False, True)), (PORTEE, (False, True, True))]
)
def test_wd_r_front_rear_or_sides_and_rear(kind: str, turns: tuple[bool, ...]) -> None:
    made, unit, _ = facing(kind)
    places = (10000, 10000), (5000, 5000), (1000, 10000)  # in front, to the side, behind
    assert tuple(in_field(made, unit, at, unit.kind) for at in places) == turns


@rule("WD.I")
@pytest.mark.parametrize(("kind", "wanted"), [(HOWITZER, ""), ("ger-75mm-ig-3", "7.6-who")])
def test_wd_i_marked_weapons_fire_indirectly(kind: str, wanted: str) -> None:
    made = position([(STAFF, "5,10"), (kind, "5,14")], turns="9")
    made.turn = 1
    refusal = cannot_plot(made, "german", made.units["german-2"], made.units["german-1"])
    assert (refusal.rule if refusal else "") == wanted


@rule("WD.U")
def test_wd_u_open_topped_armour_keeps_a_quarter() -> None:
    made = position([(HALFTRACK, "5,10")])
    assert [line.amount for line in effects.defence(made, made.units["german-1"], "7.4.4-armour")] == [3, 1]


@rule("WD.S")
@pytest.mark.parametrize(("kind", "wanted"), [(HOWITZER, ""), ("ger-105mm-rr-lg41-2", "7.4.7.1-who")])
def test_wd_s_marked_weapons_have_smoke(kind: str, wanted: str) -> None:
    made = position([(kind, "5,10")], turns="10")
    refusal = no_smoke(made, made.units["german-1"], 0)
    assert (refusal.rule if refusal else "") == wanted


@rule("WD.P")
def test_wd_p_half_the_defence_rounded_down_in_the_movement_posture() -> None:
    made, panzer, men = facing(PANZER, RIFLES)
    men = stand(made, men.id, posture="movement")
    assert [line.amount for line in defence(made, panzer, men, "main")] == [6, 3]


@rule("WD.T")
def test_wd_t_a_second_gun_has_its_own_row() -> None:
    made, lee, _ = facing(LEE)
    turret = second_weapon(made, lee)
    assert turret is not None
    assert (turret.ap, turret.he, turret.ap_range, turret.arc) == (5, 4, 10, "")


@rule("WD.M")
@pytest.mark.parametrize(("x", "near"), [("8", True), ("8.1", False)])
def test_wd_m_no_fire_at_the_printed_inches_or_nearer(x: str, near: bool) -> None:
    made, mortar, men = facing(MORTAR, RIFLES, x)
    refusal = out_of_range(mortar, men, gun(made, mortar, "main", men))
    assert (refusal is not None and refusal.rule == "7.4.8") is near


@rule("WD.SR")
def test_wd_sr_one_shot_in_so_many_turns() -> None:
    made, rockets, _ = facing(ROCKETS)
    rockets = stand(made, rockets.id, reloaded=5)
    assert [bool(reloading(rockets, turn)) for turn in (4, 5)] == [True, False]


@rule("WD.D")
@pytest.mark.parametrize(("dice", "spent"), [(8, True), (9, False)])
def test_wd_d_a_low_roll_spends_the_weapon(dice: int, spent: bool) -> None:
    made = game([(AT, "5,10")], [(T34, "6,10")])
    deplete(made, "german-1", Shot("german-1"), made.state.units["soviet-1"], dice)
    assert made.state.units["german-1"].depleted is spent
