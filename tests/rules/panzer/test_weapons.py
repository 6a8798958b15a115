"""Weapons of the Advanced Game [5.1, 5.6, 5.14, 5.16]: who fires what, two weapons at once, scarce ammunition."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from opfire.core.game import Game
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.air import flak
from opfire.rulesets.panzer.commands import Command, HandIn
from opfire.rulesets.panzer.fire.arms import Arm, arm_at, arms_at, arms_of
from opfire.rulesets.panzer.fire.direct_fire import Announce, Attacking, Keep, Resolve
from opfire.rulesets.panzer.fire.limits import limit_of, loaded
from opfire.rulesets.panzer.fire.resolving import fire
from opfire.rulesets.panzer.fire.shots import Fire, calculation
from opfire.rulesets.panzer.pieces import Mask, Position
from opfire.rulesets.panzer.sequence import RollInitiative
from opfire.rulesets.panzer.shown.words import label
from rules.panzer.battle import OPEN, game, refused, text, told
from rules.panzer.kit import CHARTS, rule

TWO = '{ unit = "s_sqd41", at = ["1-B4"] }, { unit = "t34_43", at = ["1-A5"] }'


def battle(german: str, soviet: str = TWO, script: tuple[int, ...] = (), date: str = "") -> Game[Position]:
    """Germans at A4 with a command to fire, as First Player before their Direct Fire Step."""
    sides = {
        "german": f'units = [{{ unit = "{german}", at = ["1-A4"] }}]',
        "soviet": f"units = [{soviet}]",
    }
    scenario = text(options=("AG",), **sides)
    if date:
        scenario = scenario.replace("turns = 3", f'turns = 3\ndate = "{date}"')
    return game(scenario, script)


def firing(made: Game[Position], weapons: Sequence[str] = ()) -> Game[Position]:
    """The first German unit has a command to fire, and has spotted everybody."""
    made.state.change("german-1", weapons=tuple(weapons) or made.state.units["german-1"].weapons)
    made.state.spots = {name: tuple(made.state.units) for name in made.state.units}
    made.play("german", HandIn((Command("german-1", "fire"),)))
    made.play("soviet", HandIn())
    made.play(made.asked()[0], RollInitiative())
    return made


def names(made: Game[Position], target: str = "soviet-1") -> list[str]:
    """The weapons that the first German may fire at a target, its choice first."""
    units = made.state.units
    return [arm.name for arm in arms_at(made.state, units["german-1"], units[target])]


# --- who fires what


@rule("5.1.1-a", "5.1.2", "6.5.4")
def test_squads_have_small_arms_and_attached_weapons() -> None:
    made = battle("g_sqd44")
    made.state.change("german-1", weapons=("pzf60",))
    assert names(made) == ["g_sqd44 ball", "pzf60 HEAT"]
    assert names(made, "soviet-2") == ["pzf60 HEAT", "g_sqd44 ball"]


@rule("5.1.3.4")
def test_hand_held_rockets_fire_ap_at_vehicles_and_gp_at_squads() -> None:
    made = battle("g_sqd44")
    squad = made.state.change("german-1", weapons=("pzf60",))
    kinds = [arm_at(made.state, squad, made.state.units[name], "pzf60 HEAT") for name in ("soviet-1", "soviet-2")]
    assert [kind.row.row for kind in kinds] == ["GP-DF", "AP"]


@rule("5.1.3.1")
def test_a_mortar_does_not_fire_from_an_upper_floor() -> None:
    soviet = '{ unit = "s_sqd41", at = ["1-B4"] }'
    made = battle("g_m81", soviet)
    assert "g_m81_w HE" in names(made)
    board = OPEN.replace("\n. . .", "\nB . .")
    mortar = 'units = [{ unit = "g_m81", at = ["1-A4"] }]'
    housed = game(text(board=board, german=mortar, soviet=f"units = [{soviet}]", options=("AG",)))
    assert "g_m81_w HE" in names(housed)
    housed.state.change("german-1", upper=True)
    assert names(housed) == ["g_m81 ball"]


@rule("5.1.3.1")
def test_the_mortar_of_a_vehicle_does_not_fire_inside_a_building() -> None:
    soviet = '{ unit = "s_sqd41", at = ["1-D4"] }'
    made = battle("h251_2", soviet)
    outside = names(made)
    assert any("m81" in name or "81" in name for name in outside)
    made.state.change("german-1", inside=True)
    assert len(names(made)) < len(outside)


@rule("5.6")
def test_weapons_have_a_minimum_range() -> None:
    near, far = '{ unit = "s_sqd41", at = ["1-C4"] }', '{ unit = "s_sqd41", at = ["1-D4"] }'
    made = battle("t_m120" if "t_m120" in battle("pz4h").state.charts.guns else heavy_mortar(), near)
    made.state.change("german-1", facing=2)
    assert names(made) == []
    found = arm_at(made.state, made.state.units["german-1"], made.state.units["soviet-1"])
    assert found.rule == "5.6"
    made = battle(heavy_mortar(), far)
    made.state.change("german-1", facing=2)
    assert names(made)


def heavy_mortar() -> str:
    """The German towed unit with the 120 mm mortar, which fires at three hexes or more."""
    guns = battle("pz4h").state.charts.guns
    return next(gun.id for gun in guns.values() if gun.weapon == "m120g")


@rule("5.1.3.5", "6.5.4")
def test_flamethrowers_on_vehicles_are_gp_fire_and_attached_ones_do_not_fire() -> None:
    made = battle("g_sqd44")
    squad = made.state.change("german-1", weapons=("ft_man",))
    assert [arm.name for arm in arms_of(made.state, squad)] == ["g_sqd44 ball"]
    flames = next(card.id for card in CHARTS.vehicles.values() if card.main == "ft_pz3")
    tank = battle(flames)
    assert "ft_pz3 flame" in [arm.name for arm in arms_of(tank.state, tank.state.units["german-1"])]


@rule("5.16.1")
def test_special_rounds_wait_for_their_date() -> None:
    early, late = battle("t_37", date="1940-09"), battle("t_37", date="1940-10")
    rounds = [{arm.row.ammo for arm in arms_of(made.state, made.state.units["german-1"])} for made in (early, late)]
    assert rounds == [{"AP", "HE"}, {"AP", "APCR", "HE"}]


# --- Dual Fire [5.14]


@rule("5.14", "6.5.4.3-dual", "6.5.2.4-dual", "5.1.1-a")
def test_a_squad_fires_its_rocket_at_another_target_too() -> None:
    made = firing(battle("g_sqd44", script=(90, 10, 1, 1, 1, 1, 1, 1)), ["pzf60"])
    made.play("german", Announce("german-1", "soviet-1", "g_sqd44 ball"))
    made.play("german", Resolve())
    assert refused(made, "german", Announce("german-1", "soviet-2", "g_sqd44 ball")) == "4.4.1-b"
    made.play("german", Announce("german-1", "soviet-2", "pzf60 HEAT"))
    made.play("german", Resolve())
    made.play("soviet", Keep())
    (event,) = [event for event in made.events if event.kind == "fired"]
    assert event.calculation is not None
    assert ("6.5.2.4-dual", -3) in [(line.rule, line.amount) for line in event.calculation.lines]


@rule("5.14", "6.5.4.3-dual")
def test_both_weapons_at_one_target_cost_less() -> None:
    made = firing(battle("g_sqd44", script=(90, 10, 1, 1, 1)), ["pzf60"])
    made.play("german", Announce("german-1", "soviet-1", "g_sqd44 ball"))
    assert isinstance(made.stack[-1], Attacking)
    assert refused(made, "german", Announce("german-1", "soviet-1", "g_sqd44 ball")) == "4.4.1-b"
    made.play("german", Announce("german-1", "soviet-1", "pzf60 HEAT"))
    made.play("german", Resolve())
    changes = [
        [line.amount for line in event.calculation.lines if line.rule == "6.5.4.3-dual"]
        for event in made.events
        if event.kind == "fired" and event.calculation
    ]
    assert changes == [[], [-5]]


@rule("5.14")
def test_the_second_weapon_is_the_attached_one() -> None:
    made = firing(battle("g_sqd44", script=(90, 10, 1, 1, 1)), ["pzf60"])
    made.play("german", Announce("german-1", "soviet-1", "pzf60 HEAT"))
    assert refused(made, "german", Announce("german-1", "soviet-1", "g_sqd44 ball")) == "5.14"


@rule("5.14", "5.1.1-a", "5.1.2")
@pytest.mark.parametrize(("unit", "suppression", "why"), [("g_sqd44", "on", "5.14"), ("g_schreck", "", "5.1.2")])
def test_suppressed_squads_and_sections_fire_one_weapon(unit: str, suppression: str, why: str) -> None:
    made = firing(battle(unit, script=(90, 10, 1, 1, 1)))
    made.state.change("german-1", suppression=suppression, weapons=("rpzb43",), facing=2)
    made.play("german", Announce("german-1", "soviet-1", f"{unit} ball"))
    assert refused(made, "german", Announce("german-1", "soviet-1", "rpzb43 HEAT")) == why


@rule("7.25")
def test_a_jammed_weapon_stays_silent_and_the_others_fire() -> None:
    made = firing(battle("g_sqd44", script=(90, 10)), ["pzf60"])
    made.state.change("german-1", jammed=("pzf60",))
    assert refused(made, "german", Announce("german-1", "soviet-1", "pzf60 HEAT")) == "7.25"
    assert refused(made, "german", Announce("german-1", "soviet-1", "g_sqd44 ball")) is None


@rule("5.14")
def test_a_vehicle_fires_its_reverse_image_weapon_second() -> None:
    made = firing(battle("m3lee", script=(90, 10)))
    made.state.change("german-1", facing=3)
    made.play("german", Announce("german-1", "soviet-2", "u37 AP"))
    assert refused(made, "german", Announce("german-1", "soviet-2", "u75m2 AP")) is None
    assert refused(made, "german", Announce("german-1", "soviet-2", "u37 AP")) == "4.4.1-b"


@rule("5.14-a", "6.2.1.1.4-fire")
def test_with_a_shared_command_the_targets_stay_within_command_range() -> None:
    far = '{ unit = "s_sqd41", at = ["1-B4"] }, { unit = "t34_43", at = ["1-D4"] }'
    made = firing(battle("g_sqd44", far, (90, 10, 1)), ["bazm9"])
    made.play("german", Announce("german-1", "soviet-1", "g_sqd44 ball"))
    made.play("german", Resolve())
    second = Announce("german-1", "soviet-2", "bazm9 HEAT")
    assert refused(made, "german", second) is None
    made.state.change("german-1", shares="german-1")
    assert refused(made, "german", second) == "6.2.1.1.4-fire"


@rule("4.4.1-b", "5.14")
def test_nobody_is_forced_to_fire_a_second_weapon() -> None:
    made = firing(battle("g_sqd44", script=(90, 10, 1)), ["pzf60"])
    made.play("german", Announce("german-1", "soviet-1", "g_sqd44 ball"))
    made.play("german", Resolve())
    assert refused(made, "german", EndStep()) is None


# --- ammo limits [5.16]


@rule("5.16", "5.16.2", "5.16.2.1", "6.5.4.3-ammo")
@pytest.mark.parametrize(("roll", "change"), [(5, 0), (6, -10)])
def test_a_gun_away_from_its_depot_may_be_short_of_shells(roll: int, change: int) -> None:
    made = battle("t_75", '{ unit = "s_sqd41", at = ["1-B4"] }', (roll, 1))
    gun = made.state.change("german-1", facing=2, depot="1-A1")
    assert gun.hex != gun.depot
    (shells,) = [arm for arm in arms_at(made.state, gun, made.state.units["soviet-1"]) if arm.row.ammo == "HE"]
    before = calculation(made.state, Fire(gun, made.state.units["soviet-1"], shells, False, 0))
    assert [line.value for line in before.lines if line.rule == "5.16.2"] == ["5"]
    fire(made, "german-1", "soviet-1")
    (event,) = [event for event in made.events if event.kind == "fired"]
    assert event.calculation is not None
    found = sum(line.amount for line in event.calculation.lines if line.rule == "6.5.4.3-ammo")
    assert (found, len(told(made, "ammo limit"))) == (change, 1)


@rule("5.16.2.4")
def test_at_its_depot_a_gun_has_shells_but_special_rounds_stay_scarce() -> None:
    made = battle("t_37")
    gun = made.state.units["german-1"]
    assert gun.depot == gun.hex == "1-A4"
    limits = {arm.row.ammo: limit_of(made.state, gun, arm) for arm in arms_of(made.state, gun)}
    assert limits == {"AP": None, "APCR": 3, "HE": None}
    away = made.state.change("german-1", hex="1-A5")
    limits = {arm.row.ammo: limit_of(made.state, away, arm) for arm in arms_of(made.state, away)}
    assert limits == {"AP": 6, "APCR": 3, "HE": 6}


@rule("7.38.13")
@pytest.mark.parametrize(
    ("tank", "weapon", "limit"),
    [
        ("a9cs", "b37how", 3),
        ("a10cs", "b37how", 3),
        ("cru1cs", "b3how", None),
        ("cru2cs", "b3how", None),
        ("mat2cs", "b3how", None),
    ],
)
def test_close_support_tanks_fire_a_howitzer(tank: str, weapon: str, limit: int | None) -> None:
    """ "It has an ammo limit of A: G3"; the others "fielded a 3in. howitzer with full GP fire capability"."""
    made = battle(tank)
    unit = made.state.units["german-1"]
    (gun,) = [arm for arm in arms_of(made.state, unit) if arm.row.weapon == weapon]
    assert (gun.row.row, gun.row.ammo) == ("GP-DF", "HE")
    assert limit_of(made.state, unit, gun) == limit
    assert "S" in {word[0] for word in gun.row.ammo_limit.split(";")}  # both fire smoke


@rule("5.16.2.4")
@pytest.mark.parametrize("name", ["u_50q", "u_50aa", "s_127aa"])
def test_towed_machine_guns_have_ammo_limits_away_from_their_depot(name: str) -> None:
    made = battle(name)
    gun = made.state.units["german-1"]
    assert {limit_of(made.state, gun, arm) for arm in (*arms_of(made.state, gun), *flak.guns(made.state, gun))} == {
        None
    }
    away = made.state.change("german-1", hex="1-A5")
    rows = {
        arm.row.row: limit_of(made.state, away, arm)
        for arm in (*arms_of(made.state, away), *flak.guns(made.state, away))
    }
    assert rows == {"GP-DF": 6, "AA": 6}


@rule("5.16.2.4")
def test_all_towed_units_have_ammo_limits() -> None:
    made = battle("t_37")
    for name in CHARTS.guns:
        gun = replace(made.state.units["german-1"], kind=CHARTS.guns[name], hex="1-A5", depot="1-A4")
        arms = (*arms_of(made.state, gun), *flak.guns(made.state, gun))
        assert [arm.name for arm in arms if limit_of(made.state, gun, arm) is None] == [], name


@rule("5.16.2")
def test_the_same_machine_guns_on_a_vehicle_have_no_limit_on_their_card() -> None:
    made = battle("t_37")
    tank = made.state.units["soviet-1"]
    (row,) = CHARTS.rows_of("hmg127x4", "V", "GP-DF")
    assert limit_of(made.state, tank, Arm(row, "all", "N")) is None


@rule("5.16.2.4")
@pytest.mark.parametrize(("hex", "limits"), [("1-A4", {None, 3}), ("1-A5", {6, 3})])
def test_a_transport_next_to_its_gun_supplies_it_from_under_a_hidden_counter(hex: str, limits: set[int | None]) -> None:
    """The gun is in A3, away from its depot; its transport is hidden next to it, or two hexes away."""
    made = battle("t_37")
    state = made.state
    truck = replace(state.units["soviet-1"], id="truck", side="german", hex=None, status="hidden")
    state.units["truck"] = truck
    state.masks["mask"] = Mask("mask", "german", hex, ("truck",), laid=True)
    gun = state.change("german-1", hex="1-A3", transport="truck")
    assert {limit_of(state, gun, arm) for arm in arms_of(state, gun)} == limits


@rule("5.16.2.2", "6.5.2.4-ammo")
@pytest.mark.parametrize(
    ("rolls", "ammo", "rate", "change"),
    [((3,), "APCR", "R", 0), ((4, 6), "AP", "N", -3), ((4, 7), "AP", "N", -6)],
)
def test_special_rounds_that_are_short_are_replaced(rolls: tuple[int, ...], ammo: str, rate: str, change: int) -> None:
    made = battle("t_37", '{ unit = "t34_43", at = ["1-B4"] }', rolls)
    gun, target = made.state.change("german-1", facing=2, depot="1-A1"), made.state.units["soviet-1"]
    (arm,) = [arm for arm in arms_at(made.state, gun, target) if arm.row.ammo == "APCR"]
    found, shortages = loaded(made, gun, arm)
    assert (found.row.ammo, found.rate) == (ammo, rate)
    lines = calculation(made.state, Fire(gun, target, found, False, shortages)).lines
    assert sum(line.amount for line in lines if line.rule in ("6.5.2.4-ammo", "5.16.2.2")) == change


@rule("5.16.2.1", "5.16.2.2")
def test_hand_held_rockets_may_run_short_everywhere() -> None:
    made = battle("g_sqd44", script=(4,))
    squad = made.state.change("german-1", weapons=("pzf60",))
    arm = arms_at(made.state, squad, made.state.units["soviet-2"])[0]
    assert arm.name == "pzf60 HEAT"
    assert limit_of(made.state, squad, arm) == 3
    assert loaded(made, squad, arm)[1] == 1


def scarce(
    german: str, script: tuple[int, ...] = (), *, date: str, options: tuple[str, ...], supply: str
) -> Game[Position]:
    """A German against a T-34 M43, with options and the supply of tungsten."""
    made = battle(german, '{ unit = "t34_43", at = ["1-B4"] }', script, date)
    setting = made.state.setting
    setting.options = frozenset((*setting.options, *options))
    conditions = replace(setting.sections.conditions, tungsten=supply)
    setting.sections = replace(setting.sections, conditions=conditions)
    return made


@rule("5.16.2.7")
@pytest.mark.parametrize(
    ("date", "options", "supply", "last"),
    [
        ("1943-10", ("5.16.2.7",), "+1", 2),
        ("1943-10", ("5.16.2.7",), "+2", 1),
        ("", ("5.16.2.7",), "+2", 1),
        ("1943-09", ("5.16.2.7",), "+2", 3),
        ("1943-10", (), "+2", 3),
    ],
)
def test_german_tungsten_runs_short_from_late_1943_on(
    date: str, options: tuple[str, ...], supply: str, last: int
) -> None:
    made = scarce("t_37", (last, last + 1), date=date, options=options, supply=supply)
    gun, target = made.state.change("german-1", facing=2), made.state.units["soviet-1"]
    (arm,) = [arm for arm in arms_at(made.state, gun, target) if arm.row.ammo == "APCR"]
    notes = calculation(made.state, Fire(gun, target, arm, False, 0)).lines
    assert [line.value for line in notes if line.kind == "note" and line.rule.startswith("5.16")] == [str(last)]
    assert loaded(made, gun, arm)[1] == 0
    assert loaded(made, gun, arm)[1] == 1


@rule("5.16.2.7")
@pytest.mark.parametrize(
    ("date", "options", "supply", "rounds"),
    [
        ("1943-10", ("5.16.2.7",), "none", {"AP", "HE"}),
        ("1943-10", ("5.16.2.7",), "+2", {"AP", "APCR", "HE"}),
        ("1943-09", ("5.16.2.7",), "none", {"AP", "APCR", "HE"}),
        ("1943-10", (), "none", {"AP", "APCR", "HE"}),
    ],
)
def test_german_apcr_may_be_gone(date: str, options: tuple[str, ...], supply: str, rounds: set[str]) -> None:
    made = scarce("t_37", date=date, options=options, supply=supply)
    assert {arm.row.ammo for arm in arms_of(made.state, made.state.units["german-1"])} == rounds


@rule("5.16.2.7")
@pytest.mark.parametrize("supply", ["+2", "none"])
def test_soviet_apcr_is_not_german(supply: str) -> None:
    made = scarce("t_37", (2,), date="1944-06", options=("5.16.2.7",), supply=supply)
    tank = made.state.units["soviet-1"]
    (arm,) = [arm for arm in arms_of(made.state, tank) if arm.row.ammo == "APCR"]
    assert limit_of(made.state, tank, arm) == 2  # by its card
    assert loaded(made, tank, arm)[1] == 0


# --- in words


def test_an_announcement_names_its_weapon() -> None:
    made = battle("g_sqd44")
    made.state.change("german-1", weapons=("pzf60",))
    said = label(made.state, Announce("german-1", "soviet-2", "pzf60 HEAT"))
    assert said == "Grenadier squad 1 in 1-A4 fires at T-34 M43 1 in 1-A5 with Panzerfaust 60, HEAT"
