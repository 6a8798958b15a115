"""Other readings of unclear rules, each an option (RULINGS.md): a game with it, and the same without it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from opfire.core.errors import BadInput
from opfire.kit.orders import Pass
from opfire.rulesets.panzer import control
from opfire.rulesets.panzer.adjusting import cannot_abandon
from opfire.rulesets.panzer.air.attacks import AirAttack
from opfire.rulesets.panzer.air.phase import Enter, Fly, Level
from opfire.rulesets.panzer.fire import ap_fire
from opfire.rulesets.panzer.fire.arms import arms_of
from opfire.rulesets.panzer.fire.close_assault import Band
from opfire.rulesets.panzer.fire.hand_to_hand import roll_off
from opfire.rulesets.panzer.fire.overrun import reckoned
from opfire.rulesets.panzer.fire.overwatch import Overwatch
from opfire.rulesets.panzer.fire.shots import shot
from opfire.rulesets.panzer.morale import checks, cohesion
from opfire.rulesets.panzer.moving import passengers
from opfire.rulesets.panzer.moving.costs import Step
from opfire.rulesets.panzer.moving.going import Move, Stay, priced
from opfire.rulesets.panzer.options import OPTIONS
from opfire.rulesets.panzer.pieces import Work
from opfire.rulesets.panzer.sighting import chances
from opfire.rulesets.panzer.suppression import recovery
from opfire.rulesets.panzer.works import fires
from rules.panzer.battle import OPEN, game, text
from rules.panzer.kit import rule
from rules.panzer.moves import FAR, army, marching, tried
from rules.panzer.test_aircraft import PLANE, air, flown, sky
from rules.panzer.test_optional_spotting import battle as spotting
from rules.panzer.test_optional_spotting import marked
from rules.panzer.test_overrun_rest import moving
from rules.panzer.test_overwatch import OWN, RIFLE, rifles
from rules.panzer.test_works import refused_by

BOTH = pytest.mark.parametrize("other", [False, True])
"""A test with our reading, and with the other one."""


def test_every_reading_that_is_an_option_is_tested_here() -> None:
    readings = {option.rule for option in OPTIONS if option.rule.startswith("R")}
    numbers = (9, 16, 60, 71, 84, 88, 89, 107, 120, 147, 151, 208, 211, 212, 221, 222, 230, 239, 245)
    assert readings == {f"R{number}" for number in numbers}


@rule("4.4.3.2.6")
@BOTH
def test_R16_a_penetration_equal_to_the_armor_does_nothing(other: bool) -> None:
    """Six hexes are within the second range factor; the T-34 gets the armor that the gun just reaches there."""
    state = game(text(options=("R16",) if other else ())).state
    firer, target = state.units["german-1"], state.units["soviet-1"]
    gun = next(arm.row for arm in arms_of(state, firer) if arm.is_ap)
    band = ap_fire.range_factor(gun, 6)
    assert band is not None
    for excess, damages in ((0, not other), (1, True), (-1, False)):
        armor = gun.value(band) - excess
        kind = replace(target.vehicle, basic_front=armor, basic_rear=armor)
        found = shot(state, firer, state.change("soviet-1", kind=kind), False)
        assert ("damaged" in found.outcomes) == damages, excess


@rule("6.2.1.1")
@BOTH
def test_R60_the_force_grade_gives_the_commands(other: bool) -> None:
    """Ten active units: a Green formation has 2 commands, an Elite force 6."""
    german = f'grade = "elite"\n{army(*(("pz4h", "1-A4"),) * 10)}\n'
    german += '[[sides.german.formations]]\nname = "1."\ngrade = "green"\nunits = { pz4h = 10 }\n'
    state = game(text(german=german, options=("AG", *(("R60",) if other else ())))).state
    assert control.available(state, "german-1") == (6 if other else 2)


@rule("7.1.4-proc")
@BOTH
def test_R88_the_cover_for_spotting_steadies_a_unit(other: bool) -> None:
    """A squad in a brick building: Medium Cover in combat, Heavy Cover for spotting."""
    lines = OPEN.splitlines()
    lines[lines.index("hexes = '''") + 4] = "B" + " ." * 11
    board = "\n".join(lines)
    options = ("AG", "7.1", *(("R88",) if other else ()))
    state = game(text(board=board, german=army(("g_sqd44", "1-A4")), soviet=FAR, options=options)).state
    found = [line.label for line in checks.calculation(state, state.units["german-1"], forced=False).lines]
    assert [word in str(found).lower() for word in ("medium cover", "heavy cover")] == [not other, other]


@rule("7.7.1")
@BOTH
def test_R89_the_best_spotter_adds_ten_as_well(other: bool) -> None:
    state = spotting(("1-K4", "1-L4"), ("R89",) if other else ()).state
    spotters = [state.units["soviet-1"], state.units["soviet-2"]]
    assert chances.chance(state, spotters, state.units["german-1"]) == (105 if other else 95)
    assert chances.chance(state, spotters[1:], state.units["german-1"]) == (65 if other else 55)


@rule("6.6.10-who")
@BOTH
@pytest.mark.parametrize("part", ["turret", "hull"])
def test_R147_damage_weighs_on_an_overrun_only_where_the_main_weapon_is(part: str, other: bool) -> None:
    made = moving(options=("R147",) if other else ())
    made.state.change("german-1", damaged=True, damaged_part=part)
    found = reckoned(made.state, made.state.units["german-1"], made.state.units["soviet-1"])
    weighs = part == "turret" or not other
    assert [line.amount for line in found.lines if line.rule == "6.5.4.3-dmg"] == ([-10] if weighs else [])


@rule("7.6")
@BOTH
@pytest.mark.parametrize(("date", "grade"), [("1941-07", "green"), ("1941-07", "elite"), ("1944-06", "green")])
def test_R211_green_units_fear_tanks_in_1941_alone(date: str, grade: str, other: bool) -> None:
    options = ("AG", "7.1", "7.6", *(("R211",) if other else ()))
    state = game(text(german=army(("g_sqd41", "1-B4")), soviet=FAR, options=options)).state
    state.setting.sections = replace(state.setting.sections, date=date)
    unit = state.change("german-1", grade=grade)
    assert checks.frightened(state, unit) == (date.startswith("1941") or not other)


@rule("7.41-roll", "7.43")
@pytest.mark.parametrize(("options", "net"), [((), 10), (("7.43",), 10), (("R212",), 10), (("7.43", "R212"), 20)])
def test_R212_recon_units_count_twice_with_both_options(options: tuple[str, ...], net: int) -> None:
    """A low roll takes the counter off: what is added to the die keeps it on."""
    state = marked(("1-C4",)).state
    state.setting.options |= set(options)
    state.change("soviet-1", labels=("Recon",))
    assert chances.removal(state, state.units["german-1"]).modifier == net


@rule("7.53")
@BOTH
@pytest.mark.parametrize("part", ["", "turret", "hull"])
@pytest.mark.parametrize("track", [False, True])
def test_R221_a_crew_leaves_a_vehicle_with_both_hits_alone(part: str, track: bool, other: bool) -> None:
    options = ("AG", "7.53", *(("R221",) if other else ()))
    state = game(text(german=army(("pz4h", "1-A4")), soviet=FAR, options=options)).state
    unit = state.change("german-1", track_hit=track, damaged=bool(part), damaged_part=part)
    leaves = (part == "hull" and track) if other else (part == "hull" or track)
    assert (cannot_abandon(state, unit) is None) == leaves


@rule("7.55.2-hq")
@BOTH
def test_R222_leaders_help_attackers_alone_hand_to_hand(other: bool) -> None:
    soviet = army(("s_sqd41", "1-B4"), ("s_sqd41", "1-B4")) + (
        '\n[[sides.soviet.formations]]\nname = "1."\ngrade = "seasoned"\nunits = { s_sqd41 = 2 }\n'
        'leaders = { s_sqd41 = ["captain"] }\n'
    )
    options = ("AG", "7.55", *(("R222",) if other else ()))
    state = game(text(german=army(("g_sqd44", "1-A4")), soviet=soviet, options=options)).state
    led, plain, foe = state.units["soviet-1"], state.units["soviet-2"], state.units["german-1"]
    help_ = state.charts.leaders["captain"].gp
    assert roll_off(state, Band((led,)), foe).modifier == roll_off(state, Band((plain,)), foe).modifier + help_
    defended, bare = (roll_off(state, Band((foe,)), unit).modifier for unit in (led, plain))
    assert bare - defended == (0 if other else help_)


@rule("6.7")
@pytest.mark.parametrize(
    ("conditions", "flies"),
    [
        ("visibility = -1", True),
        ("visibility = -2", True),
        ("visibility = -3", False),
        ('light = "dusk"', False),
        ("khamsin = { spotting = -2 }", False),
    ],
)
def test_R239_aircraft_fly_by_day_in_light_dust(conditions: str, flies: bool) -> None:
    scenario = text(soviet=air("a_il2"), options=("AG", "R239")) + f"[conditions]\n{conditions}\n"
    if flies:
        assert game(scenario).state.setting.planes
    else:
        with pytest.raises(BadInput, match="clear weather"):
            game(scenario)


@rule("5.14", "4.4.2")
@BOTH
def test_R71_a_unit_fires_a_single_weapon_from_overwatch(other: bool) -> None:
    made = rifles(*(("R71",) if other else ()), dice=(1, 100))
    made.play("german", OWN)
    assert (RIFLE in [*made.choices(made.asked()[0])]) == (not other)
    assert made.state.units["german-1"].fired == other


@rule("7.36.3-snow")
@BOTH
@pytest.mark.parametrize("along_road", [False, True])
def test_R84_snow_adds_to_the_cost_of_a_road(along_road: bool, other: bool) -> None:
    """A step along the road costs 1, across country on clear ground 1; the snow adds 1."""
    board = OPEN + 'roads = ["A4 A5"]\n'
    options = ("AG", "7.36.3", *(("R84",) if other else ()))
    scenario = text(board=board, german=army(("pz4h", "1-A4")), soviet=FAR, options=options)
    state = game(f'{scenario}[conditions]\nground = "snow"\n').state
    unit = state.change("german-1", facing=3)
    price = priced(state, unit, Move("german-1", "1-A5", along_road))
    assert isinstance(price, Step)
    assert price.cost == (1 if along_road and not other else 2)


@rule("7.35.1-check")
@BOTH
def test_R151_rubble_burns_less_than_its_building(other: bool) -> None:
    """Rubble of wood burns like wood, on 01-15 under a GP Factor of 6; the modifier is 10."""
    state = game(text(german=army(("g_sqd44", "1-A4")), options=("AG", "7.35", *(("R151",) if other else ())))).state
    state.works["1-A4"] = (Work("rubble"),)
    assert fires.chance(state, "1-A4", 6).chances()["catches fire"] * 100 == (5 if other else 25)


@rule("7.1.2")
@BOTH
def test_R208_passengers_check_as_their_vehicle_moves(other: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cohesion, "reached", lambda *_: True)
    units = army(("tg_blitz", "1-A4"), ("g_sqd44", "tg_blitz"))
    options = ("7.1", *(("R208",) if other else ()))
    made = marching(units, {1: "move"}, options=options, dice=(100, 100), facing=0)
    assert tried(made, Move("german-1", "1-A3")) is None
    events = [*made.play("german", Stay("german-1"))]
    while isinstance(made.stack[-1], Overwatch):
        events += made.play(made.asked()[0], Pass())
    checked = [name for event in events if event.kind == "morale" for name in event.units]
    assert checked == (["german-1", "german-2"] if other else ["german-1"])


@rule("6.8.3.1.2")
@BOTH
def test_R230_an_attack_from_the_air_makes_recovery_harder(other: bool) -> None:
    made = sky(army(("g_sqd44", "1-D4")), dice=(1,), options=("R230",) if other else ())
    flown(made, Enter(PLANE, "1-D8", 0), Level(PLANE, "slow", "low"), Fly(PLANE, "1-D5"))
    flown(made, AirAttack(PLANE, "german-1", "strafe"))
    squad = made.state.change("german-1", suppression="off", command="no command")
    assert recovery(made.state, squad).modifier == (10 if other else 0)


@rule("4.1.4.1.3-a")
@BOTH
@pytest.mark.parametrize(("road", "opens"), [("A3 B3 B4 B5 B6 C6", True), ("B3 B4 C4", False)])
def test_R9_a_road_opens_the_wood_that_it_leads_through_along_the_line(road: str, opens: bool, other: bool) -> None:
    """Woods in B4 between B2 and B7; the road bends away at both ends, or leaves the wood by another side."""
    lines = OPEN.splitlines()
    lines[lines.index("hexes = '''") + 4] = ". W" + " ." * 10
    board = "\n".join(lines) + f'\nroads = ["{road}"]\n'
    sides = {"german": army(("pz4h", "1-B2")), "soviet": army(("t34_43", "1-B7"))}
    state = game(text(board=board, options=("R9",) if other else (), **sides)).state
    assert (state.setting.line("1-B2", "1-B7") is None) == (opens and other)


@rule("6.1.4.3.9")
@BOTH
def test_R107_rubble_stands_as_high_as_its_building(other: bool) -> None:
    """A brick building in B4 between B2 and B7 is rubble."""
    lines = OPEN.splitlines()
    lines[lines.index("hexes = '''") + 4] = ". B" + " ." * 10
    sides = {"german": army(("pz4h", "1-B2")), "soviet": army(("t34_43", "1-B7"))}
    state = game(text(board="\n".join(lines) + "\n", options=("AG", "R107") if other else ("AG",), **sides)).state
    assert refused_by(state.line("1-B2", "1-B7")) == "4.1.4.2.1"
    state.rework("1-B4", (Work("rubble", value="building"),))
    assert (state.line("1-B2", "1-B7") is not None) == other
    assert (state.line_from_the_air("1-B7", "1-B3", "low") is not None) == other


@rule("6.7.3.1.3")
@BOTH
def test_R120_an_obstacle_on_any_side_hides_a_unit_from_the_air(other: bool) -> None:
    """The wood lies west of the truck, the aircraft comes from the north."""
    lines = OPEN.splitlines()
    lines[lines.index("hexes = '''") + 4] = ". . w" + " ." * 9
    options = ("R120",) if other else ()
    made = sky(army(("tg_blitz", "1-D4")), board="\n".join(lines) + "\n", options=options)
    assert (made.state.line_from_the_air("1-D1", "1-D4", "low") is not None) == other
    assert made.state.line_from_the_air("1-D1", "1-D8", "low") is None


@rule("6.5.4.5")
@BOTH
def test_R245_passengers_under_cover_bail_out_when_they_are_suppressed(other: bool) -> None:
    """A Kangaroo keeps its passengers Under Cover; 40 lets them out elsewhere."""
    german = army(("kang", "1-A4"), ("g_sqd44", "kang"))
    options = ("AG", "R245") if other else ("AG",)
    made = game(text(german=german, soviet=FAR, options=options), (40,) if other else ())
    assert made.state.units["german-1"].vehicle.under_cover
    passengers.shaken_out(made, "german-1", ["german-2"])
    assert made.state.units["german-2"].status == ("on the map" if other else "mounted")
