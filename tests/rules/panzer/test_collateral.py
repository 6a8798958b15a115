"""Vehicle Collateral Damage [7.23]: hits that penetrate without damage."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from opfire.core.game import Game
from opfire.rulesets.panzer import radios, span
from opfire.rulesets.panzer.fire import collateral, hits
from opfire.rulesets.panzer.fire.arms import arm_at, arms_of
from opfire.rulesets.panzer.fire.close_combat import CloseCombatStep
from opfire.rulesets.panzer.fire.collateral import FuelStep
from opfire.rulesets.panzer.fire.hits import Round
from opfire.rulesets.panzer.fire.overrun import reckoned
from opfire.rulesets.panzer.fire.shots import shot
from opfire.rulesets.panzer.fire.turrets import cannot_swing, swung
from opfire.rulesets.panzer.formations import commands_others, is_recon
from opfire.rulesets.panzer.moving.going import Going, allowed_to
from opfire.rulesets.panzer.pieces import Position
from opfire.rulesets.panzer.sequence import steps
from rules.panzer.battle import game, text, told
from rules.panzer.kit import GUN, rule
from rules.panzer.moves import FAR, army

CAR = "german-1"


def battle(
    *dice: int, unit: str = "pz4h", options: tuple[str, ...] = (), soviet: str = FAR, more: str = ""
) -> Game[Position]:
    german = army((unit, "1-B4")) + more
    return game(text(german=german, soviet=soviet, options=("AG", "7.23", *options)), dice)


def damage(made: Game[Position]) -> tuple[str, ...]:
    return made.state.units[CAR].collateral


# --- the roll [7.23]


@rule("7.23", "6.5.2.5-nd")
def test_a_penetration_without_damage_is_followed_by_a_roll() -> None:
    """The tens die 1 hits the turret front of a Panzer IV, the units die 1 does no damage; the die for optics is 1."""
    soviet, german = army(("t34_43", "1-D5")), army(("pz4h", "1-B4"))
    for options, dice, found in ((("7.23",), (11, 1, 100), ("optics",)), ((), (11, 100), ())):
        made = game(text(german=german, soviet=soviet, options=("AG", *options)), dice)
        made.state.change(CAR, facing=2)
        hits.strike(made, Round(made.state.units["soviet-1"], CAR, GUN, "P"), 1, collateral.strike)
        assert damage(made) == found
        assert len(told(made, "bail out")) == 1


@rule("7.23")
@pytest.mark.parametrize(
    ("location", "effects"),
    [
        ("TF", ("optics", "coax", "")),
        ("TS", ("ring", "radio", "")),
        ("TR", ("ring", "radio", "")),
        ("HF", ("gear", "", "")),
        ("HS", ("fuel", "", "")),
        ("HR", ("fuel", "", "")),
        ("DK", ("", "", "")),
    ],
)
def test_the_location_and_the_die_name_the_damage(location: str, effects: tuple[str, ...]) -> None:
    for die, effect in ((1, effects[0]), (2, effects[1]), (3, effects[2]), (10, effects[2])):
        made = battle(die)
        collateral.strike(made, CAR, location)
        assert damage(made) == ((effect,) if effect else ())


@rule("7.23")
def test_each_effect_comes_once() -> None:
    made = battle(1, 1)
    collateral.strike(made, CAR, "TF")
    collateral.strike(made, CAR, "TF")
    assert damage(made) == ("optics",)


@rule("7.23")
def test_soft_vehicles_have_none() -> None:
    made = battle(unit="tg_blitz")
    collateral.strike(made, CAR, "HF")
    assert made.rolls == []


@rule("7.23", "7.23.1", "7.23.2")
@pytest.mark.parametrize(("unit", "location", "die"), [("stug3g", "TS", 1), ("h251_1", "TF", 2), ("h251_1", "TS", 1)])
def test_vehicles_without_coax_or_turret_are_suppressed_instead(unit: str, location: str, die: int) -> None:
    made = battle(die, unit=unit)
    collateral.strike(made, CAR, location)
    assert damage(made) == ()
    assert made.state.units[CAR].suppression == "on"


# --- the effects [7.23.1 to 7.23.4]


@rule("7.23", "7.23.1", "6.6.10.1-res")
def test_damaged_optics_weaken_direct_fire_and_overruns() -> None:
    """An Overrun has "all appropriate GP Direct Fire modifiers"; 7.57 names its own exception."""
    state = battle(soviet=army(("t34_43", "1-D4"), ("s_sqd41", "1-C5"))).state
    tank, squad = state.pick(("soviet-1", "soviet-2"))
    whole = state.units[CAR]
    plain = [shot(state, whole, target, False).modifier for target in (tank, squad)]
    run = reckoned(state, whole, squad).modifier
    worn = state.change(CAR, collateral=("optics",))
    assert [shot(state, worn, target, False).modifier for target in (tank, squad)] == [plain[0] - 1, plain[1] - 5]
    assert reckoned(state, worn, squad).modifier == run - 5


@rule("7.57")
@pytest.mark.parametrize(("options", "ap", "gp"), [(("7.57",), -1, -5), ((), 0, 0)])
def test_a_small_crew_fires_worse_and_overruns_as_well_as_others(options: tuple[str, ...], ap: int, gp: int) -> None:
    """The commander is considered to be fully focused on an Overrun."""
    state = battle(options=options, soviet=army(("t34_43", "1-D4"), ("s_sqd41", "1-C5"))).state
    tank, squad = state.pick(("soviet-1", "soviet-2"))
    whole = state.units[CAR]
    plain = [shot(state, whole, target, False).modifier for target in (tank, squad)]
    run = reckoned(state, whole, squad).modifier
    small = state.change(CAR, kind=replace(whole.vehicle, crew_mark=True))
    assert [shot(state, small, target, False).modifier for target in (tank, squad)] == [plain[0] + ap, plain[1] + gp]
    assert reckoned(state, small, squad).modifier == run


@rule("7.23", "7.23.1", "6.5.4.3-coax")
def test_a_lost_coaxial_machine_gun_helps_neither_fire_nor_overruns() -> None:
    state = battle(soviet=army(("s_sqd41", "1-C5"))).state
    squad, whole = state.units["soviet-1"], state.units[CAR]
    plain, run = shot(state, whole, squad, False).modifier, reckoned(state, whole, squad).modifier
    worn = state.change(CAR, collateral=("coax",))
    assert shot(state, worn, squad, False).modifier == plain - 10
    assert reckoned(state, worn, squad).modifier == run - 10


@rule("7.23", "7.23.2", "7.8.1")
def test_a_jammed_turret_stays_where_it_is() -> None:
    state = battle(options=("7.8",), soviet=army(("t34_43", "1-B1"), ("t34_43", "1-D5"))).state
    unit = state.change(CAR, collateral=("ring",), turret=4)  # to the north, from the south-east
    refusal = cannot_swing(state, unit, 1)
    assert refusal is not None
    assert refusal.rule == "7.8.1"
    assert swung(state, unit, state.units["soviet-2"]) == unit
    assert not hasattr(arm_at(state, unit, state.units["soviet-1"]), "text")
    assert hasattr(arm_at(state, unit, state.units["soviet-2"]), "text")


@rule("7.23", "7.23.2")
def test_without_facings_of_turrets_it_points_ahead() -> None:
    state = battle(soviet=army(("t34_43", "1-B1"))).state
    assert {arm.arc for arm in arms_of(state, state.units[CAR]) if arm.is_ap} == {"all"}
    worn = state.change(CAR, collateral=("ring",))
    assert {arm.arc for arm in arms_of(state, worn) if arm.is_ap} == {"front"}


LABELS = (
    '\n[[sides.german.formations]]\nname = "1."\ngrade = "seasoned"\nunits = { pz4h = 1 }\n'
    "labels = { CHQ = { pz4h = 1 }, Recon = { pz4h = 1 } }\n"
)


@rule("7.23", "7.23.2")
def test_without_its_radio_a_vehicle_commands_and_scouts_no_more() -> None:
    made = battle(2, options=("7.4",), more=LABELS)
    unit = made.state.units[CAR]
    assert (commands_others(unit), is_recon(unit), radios.without(made.state, unit)) == (True, True, False)
    collateral.strike(made, CAR, "TS")
    unit = made.state.units[CAR]
    assert (commands_others(unit), is_recon(unit), radios.without(made.state, unit)) == (False, False, True)


@rule("7.23", "7.52-chq")
def test_a_headquarters_without_its_radio_reaches_nobody() -> None:
    """Together with Command Span: the formation has its CHQ still, but out of touch."""
    more = LABELS.replace("units = { pz4h = 1 }", "units = { pz4h = 1, g_sqd41 = 1 }")
    german = army(("pz4h", "1-B4"), ("g_sqd41", "1-C4")) + more
    made = game(text(german=german, soviet=FAR, options=("AG", "7.23", "7.52")), (2,))
    assert not span.out_of_span(made.state, "german-1")
    collateral.strike(made, CAR, "TS")
    assert span.out_of_span(made.state, "german-1")


@rule("7.23", "7.23.3")
@pytest.mark.parametrize(("going", "rate"), [(Going(), "m_cc"), (Going(paths=1), "path"), (Going(roads=1), "road")])
def test_damaged_running_gear_costs_two_movement_factors(going: Going, rate: str) -> None:
    state = battle().state
    unit = state.change(CAR, collateral=("gear",))
    assert allowed_to(state, unit, going) == getattr(unit.vehicle, rate) - 2
    slow = state.change(CAR, suppression="on")
    assert allowed_to(state, slow, going) == (getattr(unit.vehicle, rate) - 2) // 2


@rule("7.23", "7.23.3")
def test_it_leaves_one_movement_factor_at_least() -> None:
    state = battle().state
    unit = state.change(CAR, collateral=("gear",), command="short halt", damaged=True, suppression="on")
    assert allowed_to(state, unit, Going()) == 1


@rule("7.23", "7.23.4")
@pytest.mark.parametrize(("die", "left"), [(3, ("fuel",)), (10, ("fuel",)), (1, ("dry",))])
def test_a_leaking_vehicle_rolls_in_each_movement_phase(die: int, left: tuple[str, ...]) -> None:
    made = battle(die, 100)
    made.state.change(CAR, collateral=("fuel",))
    made.push(FuelStep("german"))
    made.run()
    assert damage(made) == left
    assert made.state.units[CAR].track_hit is (die == 1)
    assert bool(told(made, "bail out")) is (die == 1)
    made.clear()
    made.push(FuelStep("german"))
    if die == 1:
        made.run()
        assert made.rolls == []


@rule("7.23", "7.23.4", "6.5.2.5-bu")
def test_it_may_catch_fire() -> None:
    german = army(("pz4h", "1-B4"), ("g_sqd41", "1-B4"))
    made = game(text(german=german, soviet=FAR, options=("AG", "7.23")), (2,))
    made.state.change(CAR, collateral=("fuel",))
    made.push(FuelStep("german"))
    made.run()
    assert made.state.wrecks == {"1-B4": "BU"}
    assert made.state.units["german-2"].suppression == "on"


@rule("7.23", "7.23.4")
def test_the_roll_comes_at_the_beginning_of_the_movement_phase() -> None:
    kinds = [kind for kind, _ in steps(battle().state)]
    assert kinds[kinds.index(FuelStep) + 1] is CloseCombatStep
    assert kinds.count(FuelStep) == 1
