"""Corners where several rules meet: barrages, mines, overruns, jams, turrets, supply."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from opfire.core.game import Game
from opfire.kit.setup import Ready
from opfire.rulesets.panzer.air import crossing, flak
from opfire.rulesets.panzer.charts import Angle
from opfire.rulesets.panzer.fire import scuttling, turrets
from opfire.rulesets.panzer.fire.ap_fire import Aim, met, struck
from opfire.rulesets.panzer.fire.arms import arms_of
from opfire.rulesets.panzer.fire.close_combat import Assault, Occupy, Occupying, advance
from opfire.rulesets.panzer.fire.direct_fire import cannot_announce
from opfire.rulesets.panzer.fire.dismount_attack import alight
from opfire.rulesets.panzer.fire.overrun import cannot_overrun
from opfire.rulesets.panzer.fire.resolving import fire
from opfire.rulesets.panzer.fire.shots import Fire, gp_modifiers, shot
from opfire.rulesets.panzer.fire.turrets import AdjustTurret, Button
from opfire.rulesets.panzer.indirect import barrages, observers, step
from opfire.rulesets.panzer.indirect.calling import CallFire
from opfire.rulesets.panzer.indirect.kinds import Fall, Guns, Mission
from opfire.rulesets.panzer.indirect.shells import FireSmoke, LoadSmoke
from opfire.rulesets.panzer.moving.transport import Dismount
from opfire.rulesets.panzer.pieces import CommandName, Position, Suppression, Work, at_arms
from opfire.rulesets.panzer.setup import Place
from opfire.rulesets.panzer.sighting import chances
from opfire.rulesets.panzer.sighting.spots import find_spots
from opfire.rulesets.panzer.suppression import recovery
from opfire.rulesets.panzer.works import mines
from rules.panzer.battle import OPEN, game, refused, text, told
from rules.panzer.kit import CHARTS, GUN, rule, vehicle
from rules.panzer.moves import army, marching
from rules.panzer.shelling import GUNS, answered, next_turn, shelling, with_guns
from rules.panzer.test_overrun_rest import MEN, RUN, TWO, moving

LEIG = '{ unit = "o_g75", level = "attached" }'
MORTAR = army(("g_fo", "1-F4"), ("g_m81", "1-A1"))
TANK = army(("t34_43", "1-G4"))
CALL = CallFire("german-1", "german-2", "soviet-1")
NOTHING = 1
"""A roll of GP fire, or of percentage dice for ground and walls, that harms nobody; mines do on it."""


def shelled(made: Game[Position], *hexes: str) -> None:
    """Barrages of Soviet batteries lie on these hexes, each on one."""
    for number, hex in enumerate(hexes, start=1):
        name = f"soviet-battery-{number}"
        made.state.batteries[name] = Guns(id=name, side="soviet", name=name, card=CHARTS.batteries["o_s76"])
        made.state.missions[name] = Mission(firer=name, side="soviet", fall=Fall(hex), fresh=False)


def falls(made: Game[Position]) -> list[str]:
    """The barrages that have attacked somebody in the last action."""
    return [sentence for sentence in told(made, "fired") if "falls on" in sentence]


# --- barrages and mines on the ways of close combat [6.6.6, 7.31]


@rule("6.6.6-attack")
def test_an_advancing_attack_meets_the_barrage_in_its_hex() -> None:
    made = marching(army(("g_sqd41", "1-B4")), {1: "move"}, dice=(NOTHING,))
    shelled(made, "1-C5")
    assert advance(made, Assault("german-1", "soviet-1", "1-C5")) == ("soviet-battery-1",)
    assert len(falls(made)) == 1


@rule("6.6.6-attack", "6.6.1.1.3-occupy")
def test_those_who_enter_the_hex_that_they_won_meet_other_barrages_alone() -> None:
    made = marching(army(("g_sqd41", "1-B4")), {1: "move"}, dice=(NOTHING,))
    shelled(made, "1-B5", "1-B5")
    made.push(Occupying("german", "1-B5", ("german-1",), (("german-1", "soviet-battery-1"),)))
    made.run()
    made.play("german", Occupy("german-1"))
    assert [sentence.split()[0] for sentence in falls(made)] == ["soviet-battery-2"]


@rule("7.31.2", "6.6.1.1-adv")
def test_mines_attack_those_who_advance() -> None:
    made = marching(army(("g_sqd41", "1-B4")), {1: "move"}, options=("7.31",), dice=(100,))
    made.state.works["1-C5"] = (Work("mines", side="soviet", value="hasty"),)
    advance(made, Assault("german-1", "soviet-1", "1-C5"))
    assert len(told(made, "mines")) == 1


RIDERS = army(("tg_blitz", "1-C4"), ("g_sqd41", "tg_blitz"))


@rule("6.6.6-attack", "6.6.6-stay", "6.6.7.1.1-dismount")
@pytest.mark.parametrize(
    ("hex", "met", "times"), [("1-C5", (), 1), ("1-C4", (), 0), ("1-C5", ("soviet-battery-1",), 0)]
)
def test_passengers_who_dismount_into_another_hex_meet_its_barrage(hex: str, met: tuple[str, ...], times: int) -> None:
    made = marching(RIDERS, {1: "no command"}, dice=(NOTHING,))
    shelled(made, hex)
    made.state.put("german-2", hex, carrier=None)
    alight(made, "german-2", "1-C4", met)
    assert len(falls(made)) == times


@rule("6.6.6-attack", "6.6.7.1.1-dismount")
def test_a_squad_that_steps_down_into_a_barrage_is_attacked() -> None:
    made = marching(RIDERS, {1: "no command"}, dice=(NOTHING,))
    shelled(made, "1-C5")
    made.play("german", Dismount("german-1", "german-2", "1-C5", 3))
    assert len(falls(made)) == 1


# --- Overruns [6.6.10, 6.6.11]


@rule("6.6.11", "6.6.10-announce")
def test_vehicles_that_share_a_command_overrun_the_same_unit() -> None:
    soviet = army(("s_sqd41", "1-B5"), ("s_sqd41", "1-C6"), ("t34_43", "1-L8"))
    made = moving(TWO, soviet)
    state = made.state
    for name in ("german-1", "german-2"):
        state.change(name, shares="german-1")
    other = cannot_overrun(state, state.units["german-2"], state.units["soviet-2"])
    assert other is None
    state.change("german-1", aimed="soviet-1")
    other = cannot_overrun(state, state.units["german-2"], state.units["soviet-2"])
    assert other is not None
    assert other.rule == "6.6.11"
    state.change("german-1", aimed="", pledged="soviet-1")
    other = cannot_overrun(state, state.units["german-2"], state.units["soviet-2"])
    assert other is not None
    assert other.rule == "6.6.11"
    state.change("german-2", shares="")
    assert cannot_overrun(state, state.units["german-2"], state.units["soviet-2"]) is None


@rule("7.31.2", "6.6.10-ow")
@pytest.mark.parametrize(("roll", "overruns"), [(100, True), (36, True), (20, False)])
def test_mines_in_the_hex_of_an_overrun_attack_the_vehicle_first(roll: int, overruns: bool) -> None:
    dice = (roll, NOTHING) if overruns else (roll, 100)
    made = moving(options=("7.31",), dice=dice)
    made.state.works["1-B5"] = (Work("mines", side="soviet", value="hasty"),)
    made.play("german", RUN)
    assert len(told(made, "mines")) == 1
    assert bool(told(made, "overrun")) is overruns
    if not overruns:
        assert made.state.units["german-1"].track_hit
        assert made.state.units["german-1"].hex == "1-B4"  # it cannot stay with the enemy: RULINGS.md R170


@rule("7.29-when", "6.6.10-ow")
def test_a_vehicle_that_bogs_down_overruns_nobody() -> None:
    rows = OPEN.splitlines()
    rows[rows.index("hexes = '''") + 4] = ". W . . . . . . . . . ."
    made = moving(options=("7.29",), board="\n".join(rows), dice=(NOTHING,))
    made.play("german", RUN)
    assert told(made, "bogged") == ["Pz Kpfw IV H 1 bogs down"]
    assert not told(made, "overrun")
    assert made.state.units["german-1"].hex == "1-B4"


# --- units on the map that are called [6.5.1]


@rule("7.25", "6.5.1.9")
def test_a_jammed_mortar_answers_no_call_and_its_fire_checks() -> None:
    made = shelling(MORTAR, {1: "overwatch", 2: "fire"}, TANK, 9, NOTHING, options=("7.25",))
    made.state.spots["soviet-1"] = ("german-1",)
    jammed = (str(observers.source(made.state, "german-2").row.weapon),)  # type: ignore[union-attr]
    made.state.change("german-2", jammed=jammed)
    assert refused(made, "german", CALL) == "7.25"
    made.state.change("german-2", jammed=())
    made.play("german", CALL)
    answered(made)
    assert "german-2" in made.state.missions
    made.state.change("german-2", jammed=jammed, fired=False)
    next_turn(made)
    assert made.state.missions == {}


@rule("6.5.1", "5.1")
def test_a_suppressed_mortar_fires_to_its_front_alone() -> None:
    made = shelling(MORTAR, {1: "overwatch", 2: "fire"}, TANK)
    made.state.spots["soviet-1"] = ("german-1",)
    made.state.change("german-2", facing=5)
    assert refused(made, "german", CALL) is None
    made.state.change("german-2", suppression="off")
    assert refused(made, "german", CALL) == "6.5.1"
    made.state.change("german-2", facing=2)
    assert refused(made, "german", CALL) is None


@rule("5.16.2.4", "6.5.1.13")
@pytest.mark.parametrize(("carrier", "rolls"), [("1-A2", 0), ("1-A4", 1)])
def test_a_mortar_next_to_its_own_carrier_is_not_short_of_shells(carrier: str, rolls: int) -> None:
    german = army(("g_fo", "1-F4"), ("g_m81", "1-A1"), ("tg_blitz", carrier))
    made = shelling(german, {1: "overwatch", 2: "fire"}, TANK, 9, *[1] * rolls, NOTHING)
    made.state.spots["soviet-1"] = ("german-1",)
    made.state.change("german-2", depot="", transport="german-3")
    made.play("german", CALL)
    assert len(told(made, "ammo limit")) == rolls


# --- turrets, fires, tracks


@rule("6.1.4.3.10", "7.8")
def test_a_turret_fires_smoke_where_it_faces() -> None:
    made = shelling(army(("pz4h", "1-A4"), ("pz4h", "1-C4")), {1: "fire"}, army(("t34_43", "1-L8")), options=("7.8",))
    made.state.change("german-1", facing=2, turret=3)
    ahead = refused(made, "german", LoadSmoke("german-1"))
    assert ahead == "6.1.4.3.10"  # nothing lies behind the tank, where the gun points
    made.state.change("german-1", facing=5)
    made.play("german", LoadSmoke("german-1"))
    assert refused(made, "german", FireSmoke("1-E6")) is None


@rule("7.35.1-check", "6.5.1.13")
def test_shells_on_a_building_may_set_it_on_fire() -> None:
    town = OPEN.replace("\n. . . . . . . . . . . .", "\n. . . . . . T . . . . .")
    german = army(("g_fo", "1-A4"), more=with_guns(LEIG))
    for options, found in ((("7.35",), {"1-G4": 7}), ((), {})):
        made = shelling(german, {1: "overwatch"}, TANK, 9, *[NOTHING] * 40, board=town, options=options)
        made.play("german", CallFire("german-1", GUNS, "soviet-1"))
        answered(made)
        assert {hex: factor for hex, factor in made.state.struck.items() if hex == "1-G4"} == found


@rule("7.21-calc", "7.21-exc")
def test_small_arms_break_no_tracks_by_gp_fire_with_the_option() -> None:
    truck = next(card for card in CHARTS.vehicles.values() if card.gpd == "2S")
    for options, breaks in (((), True), (("7.21",), False)):
        state = game(
            text(german=army(("g_sqd41", "1-F4")), soviet=army((truck.id, "1-G4")), options=("AG", *options))
        ).state
        outcomes = shot(state, state.units["german-1"], state.units["soviet-1"], False).outcomes
        assert ("track hit" in outcomes) is breaks
        assert "damaged" in outcomes


@rule("7.17")
def test_mines_take_no_weapons_from_a_squad() -> None:
    made = marching(army(("g_sqd41", "1-B4")), {1: "move"}, options=("7.31", "7.17"), dice=(1,))
    made.state.change("german-1", weapons=("ft_man",))
    made.state.works["1-B4"] = (Work("mines", side="soviet", value="hasty"),)
    mines.strike(made, "german-1")
    squad = made.state.units["german-1"]
    assert (squad.kind.category, squad.weapons) == ("half-squad", ("ft_man",))


@rule("6.7.4", "5.7")
@pytest.mark.parametrize(("hex", "marker"), [("1-K4", "fire"), ("1-B4", "small arms")])
def test_anti_aircraft_guns_are_marked_by_the_weapon_that_fires(hex: str, marker: str) -> None:
    """The 37 mm gun of an M15 reaches farther than its two machine guns, which are better next to it."""
    soviet = army(("t34_43", "1-L8")) + '\naircraft = [{ unit = "a_il2" }]'
    made = game(text(german=army(("m15", "1-A4")), soviet=soviet, options=("AG",)), (NOTHING,))
    plane = made.state.units["soviet-2"]
    made.state.change("soviet-2", flight=replace(plane.airborne, hex=hex, path=((hex, 0),)))
    made.state.change("german-1", command="overwatch")
    flak.fire(made, "german-1", "soviet-2")
    assert made.state.units["german-1"].fresh == marker


@rule("7.15")
def test_guns_inside_buildings_have_walls_against_rockets() -> None:
    town = OPEN.replace("\n. . .", "\nB . .")
    state = game(
        text(board=town, german=army(("g_sqd44", "1-B4")), soviet=army(("s_76", "1-A4")), options=("AG", "7.15"))
    ).state
    unit = state.change("german-1", weapons=("pzf60",))
    arm = next(arm for arm in arms_of(state, unit) if arm.row.kind == "hhatw" and not arm.is_ap)
    for inside, amount in ((False, -10), (True, 0)):
        target = state.change("soviet-1", inside=inside)
        found = gp_modifiers(state, Fire(unit, target, arm), "P")
        assert sum(line.amount for line in found if line.rule == "7.15") == amount


@rule("6.6.7.2-who", "6.5.1-a")
@pytest.mark.parametrize(
    ("command", "number"), [("no command", None), ("overwatch", None), ("fire", None), ("move", "6.6.7.2-who")]
)
def test_an_observer_calls_fire_from_its_vehicle_unless_that_moves(command: CommandName, number: str | None) -> None:
    german = army(("tg_blitz", "1-A4"), ("g_fo", "tg_blitz"), more=with_guns(LEIG))
    made = shelling(german, {1: command}, TANK, 9, NOTHING)
    call = CallFire("german-2", GUNS, "soviet-1")
    assert refused(made, "german", call) == number
    if number is None:
        assert call in list(made.choices("german"))
        made.play("german", call)
        answered(made)
        assert made.state.missions[GUNS].observer == "german-2"
        assert made.state.units["german-1"].revealed
        passenger = cannot_announce(made.state, "german", at_arms(made.state, "german-2"), made.state.units["soviet-1"])
        assert passenger is not None
        assert passenger.rule == ("6.6.7.2-who")
        next_turn(made)
        assert GUNS in made.state.missions
        made.state.change("german-1", command="move")
        next_turn(made)
        assert made.state.missions == {}


@rule("7.4.1", "7.7.1")
@pytest.mark.parametrize(("platoons", "found"), [(("one", "one"), 2), (("one", "two"), 1)])
def test_vehicles_without_radios_tell_their_platoon_alone_what_they_spot(platoons: tuple[str, str], found: int) -> None:
    mute = next(card.id for card in CHARTS.vehicles.values() if card.no_radio)
    made = game(
        text(german=army((mute, "1-A4"), (mute, "1-A5")), soviet=TANK, options=("AG", "7.4", "7.7.1")), (1,) * 12
    )
    for number, platoon in enumerate(platoons, start=1):
        made.state.change(f"german-{number}", platoon=platoon)
    made.state.spots = find_spots(made.state)
    assert len(made.state.spots["soviet-1"]) == 2
    chances.limit(made)
    assert len(made.state.spots["soviet-1"]) == found


@rule("6.6.6-attack", "7.17")
def test_the_barrage_of_a_mortar_that_is_lost_falls_no_more() -> None:
    made = shelling(MORTAR, {1: "overwatch", 2: "fire"}, TANK, 9, NOTHING)
    made.state.spots["soviet-1"] = ("german-1",)
    made.play("german", CALL)
    answered(made)
    assert len(barrages.lying(made.state, "1-G4")) == 1
    made.state.change("german-2", weapons=())
    assert barrages.lying(made.state, "1-G4") == []


@rule("5.1.3.4")
@pytest.mark.parametrize(("weapon", "shots"), [("pzf60", 2), ("pzb39", 1)])
def test_rockets_at_a_lorry_reach_its_passengers_too(weapon: str, shots: int) -> None:
    soviet = army(("ts_gazaa", "1-B5"), ("s_sqd41", "ts_gazaa"), ("t34_43", "1-L8"))
    dice = {2: (1, 100, 1), 1: (100,)}[shots]
    made = game(text(german=army(("g_sqd44", "1-B4")), soviet=soviet, options=("AG",)), dice)
    made.state.change("german-1", weapons=(weapon,), command="fire", depot="1-B4")
    name = next(arm.name for arm in arms_of(made.state, made.state.units["german-1"]) if arm.is_ap)
    fire(made, "german-1", "soviet-1", name)
    assert len(told(made, "fired")) == shots


@rule("6.7.3.1.1-sup", "6.7.3.1.1-acq")
@pytest.mark.parametrize(("shaken", "why"), [(4, None), (2, "6.7.3.1.1-sup"), (0, "6.7.3.1.1-sup")])
def test_a_target_acquired_before_the_aircraft_was_suppressed_stays_acquired(shaken: int, why: str | None) -> None:
    """An aircraft at Slow and Low acquires a target in 3 hexes; `shaken` counts its steps up to its suppression."""
    soviet = army(("t34_43", "1-L8")) + '\naircraft = [{ unit = "a_il2" }]'
    state = game(text(german=army(("pz4h", "1-D1")), soviet=soviet, options=("AG",))).state
    path = tuple((hex, 0) for hex in ("1-D8", "1-D7", "1-D6", "1-D5"))
    flight = replace(state.units["soviet-2"].airborne, hex="1-D5", path=path, shaken=shaken)
    plane = state.change("soviet-2", facing=0, suppression="on", flight=flight)
    refusal = crossing.not_acquired(state, plane, state.units["german-1"])
    assert (refusal.rule if refusal else None) == why


@rule("6.7.3.1.1-sup", "6.7.4.2.1-sup")
@pytest.mark.parametrize(("before", "noted"), [("", 2), ("off", 0)])
def test_the_first_suppression_of_a_crossing_is_noted(before: Suppression, noted: int) -> None:
    soviet = army(("t34_43", "1-L8")) + '\naircraft = [{ unit = "a_il2" }]'
    scenario = text(german=army(("t_20", "1-D5")), soviet=soviet, options=("AG",))

    def over(*dice: int) -> Game[Position]:
        made = game(scenario, dice)
        flight = replace(made.state.units["soviet-2"].airborne, hex="1-D4", path=(("1-D5", 0), ("1-D4", 0)))
        made.state.change("soviet-2", facing=0, flight=flight, suppression=before)
        made.state.change("german-1", command="overwatch", facing=0)
        return made

    state = over().state
    made = flak.calculation(state, state.units["german-1"], state.units["soviet-2"])
    shot_down = over(made.outcomes.index("suppressed") + 1)
    flak.fire(shot_down, "german-1", "soviet-2")
    assert shot_down.state.units["soviet-2"].airborne.shaken == noted


@rule("6.6.1.1.3-bail", "6.6.1.1-target")
@pytest.mark.parametrize(("height", "found"), [("1", ["soviet-1"]), ("2", [])])
def test_an_abandoned_vehicle_far_above_is_out_of_reach(height: str, found: list[str]) -> None:
    rows = OPEN.splitlines()
    rows[rows.index("hexes = '''") + 5] = f". {height} . . . . . . . . . ."
    state = game(text(board="\n".join(rows), german=army(("g_sqd41", "1-B4")), soviet=MEN, options=("AG",))).state
    state.bailed["soviet-1"] = "1-B5"
    assert list(scuttling.within_reach(state, state.units["german-1"])) == found


@rule("6.8.3.1", "7.55.2-hq")
def test_aircraft_recover_by_themselves_whoever_leads_on_the_ground() -> None:
    soviet = army(("t34_43", "1-L8")) + '\naircraft = [{ unit = "a_il2" }]'
    state = game(text(soviet=soviet, options=("AG", "7.55"))).state
    plane = state.change("soviet-2", suppression="off")
    assert recovery(state, plane).modifier == 0


@rule("7.8.2")
@pytest.mark.parametrize("hull", ["front", "front side", "rear side", "rear"])
@pytest.mark.parametrize("turret", ["front", "front side", "rear side", "rear"])
def test_every_hit_meets_armor_wherever_hull_and_turret_face(hull: Angle, turret: Angle) -> None:
    """A location that the turret's angle has not keeps the armor of the hull's angle: RULINGS.md R150."""
    way = Aim(GUN, "M", vehicle("pz4h"), "level", hull, "", frozenset({"7.8"}), turret_angle=turret)
    for tens in range(1, 11):
        code = struck(CHARTS, way, tens)
        if code not in ("TK", "DK"):
            assert met(CHARTS, way, code) > 0
    if (hull, turret) == ("front", "rear side"):
        assert met(CHARTS, way, "TF") == CHARTS.armour["pz4h", "level"].front_tf


# --- plates, turrets, calls


@rule("7.13.2")
@pytest.mark.parametrize(("angle", "rising"), [("front", 8), ("front side", 11)])
def test_the_lower_hull_is_half_of_the_rising_armor_at_the_angle_of_the_hit(angle: Angle, rising: int) -> None:
    """The card of the Panzer II F: 8 in front, 11 from the front side."""
    way = Aim(GUN, "P", vehicle("pz2f"), "rising", angle, low=True)
    assert CHARTS.armour["pz2f", "rising"].at(angle, "HF") == rising
    assert met(CHARTS, way, "HF") == rising // 2


@rule("7.8.1", "7.8.3-status")
def test_turrets_and_hatches_are_set_up_as_their_player_likes() -> None:
    german = 'units = [{ unit = "pz4h", at = ["1-A4", "1-A5"] }]'
    for options, rules in (((), "7.8.1"), (("7.8",), None)):
        made = game(text(german=german, options=("AG", *options)))
        made.play("german", Place("german-1", "1-A4", 2))
        assert refused(made, "german", AdjustTurret("german-1", 5)) == rules
        assert refused(made, "soviet", AdjustTurret("german-1", 5)) is not None
    made.play("german", AdjustTurret("german-1", 5))
    made.play("german", Button("german-1"))
    unit = made.state.units["german-1"]
    assert (unit.facing, turrets.bearing(unit), unit.buttoned) == (2, 5, True)
    assert refused(made, "german", AdjustTurret("german-1", 5)) == "7.8.1"
    made.play("german", Ready())


@rule("5.16.2.5")
def test_a_battery_without_special_missions_left_is_short_of_them() -> None:
    few = army(("g_fo", "1-A4"), more=with_guns(LEIG.replace("}", ", special = 0 }")))
    made = shelling(few, {1: "overwatch"}, TANK)
    made.clear()
    mission = Mission(firer=GUNS, side="german", fall=Fall("1-G4", rounds="smoke"))
    from_ = observers.source(made.state, GUNS)
    assert from_ is not None
    assert step.check_supply(made, mission, from_).short
    assert made.state.batteries[GUNS].special == 0
    assert made.rolls == []
