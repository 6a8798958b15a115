"""Transport of leg and towed units [6.6.7], and passengers under fire [6.5.2.6.2, 6.5.4.5]."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from opfire.core.errors import BadInput
from opfire.core.game import Game
from opfire.rulesets.panzer.fire import hits
from opfire.rulesets.panzer.fire.losses import knock_out
from opfire.rulesets.panzer.moving import passengers
from opfire.rulesets.panzer.moving.going import ExitMap, Move, Stay, Turn
from opfire.rulesets.panzer.moving.transport import Dismount, JumpOff, Mount, no_room
from opfire.rulesets.panzer.pieces import Position, seated
from opfire.rulesets.panzer.sighting.spots import find_spots
from rules.panzer.battle import OPEN, game, refused, text, told
from rules.panzer.kit import CHARTS, rule
from rules.panzer.moves import FAR, army, marching, tried

TRUCK_AND_SQUAD = army(("tg_blitz", "1-A4"), ("g_sqd44", "1-A5"))
SEATED = army(("tg_blitz", "1-A4"), ("g_sqd44", "tg_blitz"))
GUN_IN_TOW = army(("tg_blitz", "1-C4"), ("t_75", "tg_blitz"))


def carried(german: str = SEATED, dice: tuple[int, ...] = (), **values: object) -> Game[Position]:
    """A battle in which a lorry carries a unit; the dice fall after nothing else."""
    made = game(text(german=german, soviet=FAR, options=("AG",)), dice)
    made.state.change("german-2", **values)
    return made


# --- capacity


@rule("6.6.7.1-cap")
@pytest.mark.parametrize(
    ("vehicle", "aboard", "passenger", "fits"),
    [
        ("tg_blitz", (), "g_sqd44", True),
        ("tg_blitz", ("g_sqd44_h",), "g_sqd44_h", True),
        ("tg_blitz", ("g_sqd44_h",), "g_sqd44", False),
        ("tg_schwimm", (), "g_sqd44_h", False),
        ("tg_schwimm", (), "g_hmg", True),
        ("pz4h", (), "t_50", False),
    ],
)
def test_passengers_need_room(vehicle: str, aboard: tuple[str, ...], passenger: str, fits: bool) -> None:
    units = [(vehicle, "1-A4"), (passenger, "1-A4"), *((other, "1-A4") for other in aboard)]
    state = game(text(german=army(*units), soviet=FAR, options=("AG",))).state
    carrier, unit, *others = state.of("german")
    assert (no_room(carrier, others, unit) is None) == fits


@rule("6.6.7.1-pass")
def test_a_vehicle_tows_one_unit_and_needs_towed_capacity() -> None:
    units = army(("tg_heavy", "1-A4"), ("t_50", "1-A4"), ("t_50", "1-A4"), ("tg_kubel", "1-A4"))
    heavy, gun, other, car = game(text(german=units, soviet=FAR, options=("AG",))).state.of("german")
    assert no_room(heavy, (), gun) is None
    refusal = no_room(heavy, (other,), gun)
    assert refusal is not None
    assert refusal.rule == "6.6.7.1-pass"
    assert no_room(car, (), gun) is not None


@rule("6.6.7.1-pass")
def test_a_towing_vehicle_does_not_reverse() -> None:
    made = marching(GUN_IN_TOW, {1: "move"}, facing=0)
    assert refused(made, "german", Move("german-1", "1-C5")) == "6.6.7.1-pass"
    assert refused(made, "german", Move("german-1", "1-C3")) is None
    empty = marching(army(("tg_blitz", "1-C4")), {1: "move"}, facing=0)
    assert refused(empty, "german", Move("german-1", "1-C5")) is None


@rule("6.6.7.1-cap")
def test_a_scenario_cannot_start_a_unit_aboard_a_vehicle_without_room() -> None:
    with pytest.raises(BadInput, match="has room for"):
        game(text(german=army(("tg_kubel", "1-A4"), ("g_sqd44", "tg_kubel")), soviet=FAR, options=("AG",)))


# --- mounting


@rule("6.6.7", "6.6.7.1.1-mount")
def test_a_squad_mounts_from_the_next_hex_and_is_no_unit_of_its_own() -> None:
    made = marching(TRUCK_AND_SQUAD, {1: "overwatch", 2: "move"})
    assert tried(made, Mount("german-1", "german-2")) is None
    squad = made.state.units["german-2"]
    assert (squad.hex, squad.status, squad.carrier, squad.moved) == (None, "mounted", "german-1", True)
    assert refused(made, "german", Move("german-2", "1-A6")) is not None
    assert refused(made, "german", Dismount("german-1", "german-2", "1-A4", 0)) == "6.6.7.1.1-mount"


@rule("6.6.7.1.1-mount")
@pytest.mark.parametrize(
    ("unit", "values", "mounts"),
    [
        ("g_sqd44", {}, True),
        ("g_sqd44", {"suppression": "off"}, False),
        ("g_sqd44", {"command": "short halt"}, False),
        ("g_sqd44", {"hex": "1-A6"}, False),
        ("g_sqd44", {"full_cover": True}, False),
        ("g_hmg", {}, False),
        ("t_75", {}, False),
    ],
)
def test_who_mounts_from_the_next_hex(unit: str, values: dict[str, object], mounts: bool) -> None:
    made = marching(army(("tg_blitz", "1-A4"), (unit, "1-A5")), {1: "overwatch", 2: "move"})
    made.state.change("german-2", **values)
    assert (refused(made, "german", Mount("german-1", "german-2")) is None) == mounts
    if unit != "g_sqd44" or "suppression" in values:
        made.state.put("german-2", "1-A4")
        assert refused(made, "german", Mount("german-1", "german-2")) is None


@rule("6.6.7.1.1-mount")
def test_mounting_spends_the_whole_allowance() -> None:
    made = marching(TRUCK_AND_SQUAD, {1: "overwatch", 2: "move"})
    assert tried(made, Move("german-2", "1-A6"), Stay("german-2")) is None
    made.state.put("german-2", "1-A5")
    assert refused(made, "german", Mount("german-1", "german-2")) == "6.6.7.1.1-mount"


@rule("6.6.7.1.1-veh")
def test_a_moving_vehicle_pays_half_its_allowance_once_in_a_hex() -> None:
    both = army(("tg_blitz", "1-A4"), ("g_sqd44_h", "1-A4"), ("g_sqd44_h", "1-A5"))
    assert CHARTS.vehicles["tg_blitz"].m_cc == 4
    made = marching(both, {1: "move", 2: "move", 3: "move"}, facing=0)
    assert tried(made, Mount("german-1", "german-2"), Mount("german-1", "german-3")) is None
    assert tried(made, Move("german-1", "1-A3"), Move("german-1", "1-A2")) is None
    assert refused(made, "german", Move("german-1", "1-A1")) == "4.5.1.1.3"


@rule("6.6.7.1.1-veh")
def test_a_vehicle_without_half_its_allowance_left_cannot_take_passengers() -> None:
    made = marching(army(("tg_blitz", "1-A7"), ("g_sqd44", "1-A4")), {1: "move", 2: "move"}, facing=0)
    assert CHARTS.vehicles["tg_blitz"].m_cc == 4
    assert tried(made, *(Move("german-1", f"1-A{row}") for row in (6, 5, 4))) is None
    assert refused(made, "german", Mount("german-1", "german-2")) == "6.6.7.1.1-veh"


@rule("6.6.7.1.1-veh")
def test_a_vehicle_that_stands_pays_nothing_and_one_that_has_moved_takes_nobody() -> None:
    made = marching(TRUCK_AND_SQUAD, {1: "move", 2: "move"}, facing=0)
    assert tried(made, Turn("german-1", 1), Stay("german-1")) is None
    assert refused(made, "german", Mount("german-1", "german-2")) == "4.5.1.1"


# --- dismounting


@rule("6.6.7.1.1-dismount", "6.1.3-c")
def test_a_passenger_dismounts_next_to_its_vehicle_with_spot_move() -> None:
    made = marching(SEATED, {1: "no command"})
    assert tried(made, Dismount("german-1", "german-2", "1-A5", 3)) is None
    squad = made.state.units["german-2"]
    assert (squad.hex, squad.facing, squad.fresh, squad.moved, squad.carrier) == ("1-A5", 3, "move", True, None)


@rule("6.6.7.1.1-dismount")
def test_suppressed_passengers_and_guns_dismount_in_the_hex_of_the_vehicle() -> None:
    made = marching(SEATED, {1: "no command"})
    made.state.change("german-2", suppression="off")
    assert refused(made, "german", Dismount("german-1", "german-2", "1-A5", 3)) == "6.6.7.1.1-dismount"
    assert refused(made, "german", Dismount("german-1", "german-2", "1-A4", 3)) is None
    gun = marching(GUN_IN_TOW, {1: "no command"})
    assert refused(gun, "german", Dismount("german-1", "german-2", "1-C5", 3)) == "6.6.7.1.1-dismount"
    assert tried(gun, Dismount("german-1", "german-2", "1-C4", 3)) is None


@rule("6.6.7.1.1-dismount")
def test_nobody_dismounts_off_the_map_or_among_enemies_or_into_water() -> None:
    wet = OPEN.replace("\n. . .", "\n= . .")
    enemy = 'units = [{ unit = "t34_43", at = ["1-B4"] }]'
    made = marching(army(("tg_blitz", "1-B5"), ("g_sqd44", "tg_blitz")), {1: "no command"}, board=wet, soviet=enemy)
    assert refused(made, "german", Dismount("german-1", "german-2", "1-A5", 0)) == "6.6.4.1-proh"
    assert refused(made, "german", Dismount("german-1", "german-2", "1-B4", 0)) == "4.5.1.1.10"
    assert refused(made, "german", Dismount("german-1", "german-2", "1-C9", 0)) is not None


@rule("6.6.7.1.1-veh", "6.6.7.1.1-dismount")
def test_a_vehicle_may_move_set_down_and_move_on() -> None:
    made = marching(SEATED, {1: "move"}, facing=0)
    assert tried(made, Move("german-1", "1-A3"), Dismount("german-1", "german-2", "1-A3", 0)) is None
    assert tried(made, Move("german-1", "1-A2")) is None
    assert refused(made, "german", Move("german-1", "1-A1")) == "4.5.1.1.3"


@rule("6.6.7.1.2")
def test_an_emergency_bail_out_costs_nothing_and_suppresses() -> None:
    made = marching(SEATED, {1: "move"}, facing=0)
    steps = [Move("german-1", f"1-A{row}") for row in (3, 2, 1)]
    assert tried(made, *steps, Turn("german-1", 1), JumpOff("german-1", "german-2", 2)) is None
    squad = made.state.units["german-2"]
    assert (squad.hex, squad.facing, squad.suppression) == ("1-A1", 2, "on")


@rule("6.6.7.1.2")
def test_only_unsuppressed_passengers_of_moving_vehicles_bail_out_so() -> None:
    still = marching(SEATED, {1: "overwatch"})
    assert refused(still, "german", JumpOff("german-1", "german-2", 2)) == "6.6.7.1.2"
    made = marching(SEATED, {1: "move"})
    made.state.change("german-2", suppression="off")
    assert refused(made, "german", JumpOff("german-1", "german-2", 2)) == "6.6.7.1.2"


@rule("6.6.7")
def test_passengers_leave_the_map_with_their_vehicle() -> None:
    made = marching(army(("tg_blitz", "1-A1"), ("g_sqd44", "tg_blitz")), {1: "move"}, facing=0)
    assert tried(made, ExitMap("german-1")) is None
    assert [made.state.units[name].status for name in ("german-1", "german-2")] == ["exited", "exited"]


# --- spotting


@rule("6.1.3-b", "6.1.1", "6.6.7.2-who")
def test_passengers_are_not_spotted_by_themselves_but_spot() -> None:
    near = 'units = [{ unit = "t34_43", at = ["1-D4"] }]'
    made = game(text(german=SEATED, soviet=near, options=("AG",)))
    spots = find_spots(made.state)
    assert "german-2" not in spots
    assert spots["soviet-1"] == ("german-2",)  # the lorry is unarmed and cannot spot
    assert seated(made.state, made.state.units["german-2"]).hex == "1-A4"


# --- passengers under fire


@rule("6.5.2.6.2")
@pytest.mark.parametrize(("grade", "chance"), [("elite", 45), ("veteran", 50), ("green", 55)])
def test_passengers_bail_out_at_50_or_less_after_no_damage(grade: str, chance: int) -> None:
    """The table has 50 for AP No Damage - Pass; Elite adds 5 to the roll, Green takes 5 off."""
    state = carried().state
    unit = state.change("german-2", grade=grade)
    assert passengers.bail_out(state, unit, "ap no damage").chances()["bails out"] == Fraction(chance, 100)


@rule("6.5.2.6.2")
@pytest.mark.parametrize(("roll", "status"), [(50, "on the map"), (51, "mounted")])
def test_a_passenger_that_bails_out_lies_suppressed_in_the_hex(roll: int, status: str) -> None:
    made = carried(dice=(roll,))
    passengers.check(made, made.state.units["german-1"], "ap no damage")
    squad = made.state.units["german-2"]
    assert (squad.status, squad.suppression) == (status, "on" if status == "on the map" else "")


@rule("6.5.2.6.2", "6.5.2.6.1")
@pytest.mark.parametrize(("roll", "status"), [(60, "on the map"), (61, "mounted")])
def test_a_second_track_hit_shakes_the_passengers_and_not_the_crew(roll: int, status: str) -> None:
    made = carried(dice=(roll,))
    truck = made.state.change("german-1", track_hit=True)
    hits.check_out(made, truck.id, hits.track(made, truck))
    assert made.state.units["german-2"].status == status
    assert told(made, "bail out") == [f"Grenadier squad 1 {'bails out' if status == 'on the map' else 'stays aboard'}"]


@rule("6.5.2.6.2", "6.5.2.2.1")
def test_of_two_track_hits_the_first_shakes_crew_and_passengers_and_the_second_the_passengers_again() -> None:
    """The crew stays on 31, the squad on 61, and leaves on 60."""
    made = carried(dice=(31, 61, 60))
    for _ in range(2):
        hits.check_out(made, "german-1", hits.track(made, made.state.units["german-1"]))
    assert made.state.units["german-1"].hex == "1-A4"
    assert made.state.units["german-2"].status == "on the map"


@rule("6.5.2.6.2")
def test_nobody_checks_under_cover() -> None:
    made = carried(dice=())
    truck = made.state.units["german-1"]
    covered = made.state.change("german-1", kind=CHARTS.vehicles["kang"])
    assert (passengers.gp_defence(truck), passengers.gp_defence(covered)) == (1, 3)
    passengers.check(made, covered, "ap no damage")
    assert made.state.units["german-2"].status == "mounted"


@rule("6.5.2.6.2")
def test_all_passengers_follow_a_crew_that_bails_out() -> None:
    made = carried(dice=())
    passengers.follow_crew(made, made.state.units["german-1"])
    squad = made.state.units["german-2"]
    assert (squad.hex, squad.suppression) == ("1-A4", "on")


@rule("6.5.2.6.2-kobu", "5.15")
@pytest.mark.parametrize(("roll", "status"), [(61, "on the map"), (60, "eliminated")])
def test_a_gun_escapes_a_knocked_out_lorry_at_61_or_more(roll: int, status: str) -> None:
    """The table has 61+ for Knocked Out - Towed."""
    made = carried(GUN_IN_TOW, (roll,))
    knock_out(made, made.state.units["german-1"], brews_up=False)
    gun = made.state.units["german-2"]
    assert (gun.status, gun.carrier) == (status, None)
    assert gun.suppression == ("on" if status == "on the map" else "")


@rule("6.5.2.6.2-kobu")
def test_grades_help_the_passengers_of_a_lost_vehicle() -> None:
    state = carried(GUN_IN_TOW).state
    for grade, chance in (("elite", 45), ("seasoned", 40), ("green", 35)):
        unit = state.change("german-2", grade=grade)
        assert passengers.escape_chance(state, unit, "knocked out").chances()["escapes"] == Fraction(chance, 100)


@rule("6.5.4.5", "6.5.4.2.3-bail")
@pytest.mark.parametrize(("card", "leaves"), [("tg_blitz", True), ("kang", False)])
def test_suppressed_passengers_check_unless_they_are_under_cover(card: str, leaves: bool) -> None:
    """AP and GP fire have one process of bailing out, and it exempts passengers Under Cover: RULINGS.md R245."""
    made = carried(dice=(40,) if leaves else (), suppression="on")
    made.state.change("german-1", kind=CHARTS.cards[card])
    passengers.shaken_out(made, "german-1", ["german-2"])
    assert made.state.units["german-2"].status == ("on the map" if leaves else "mounted")


# --- whole games


@rule("6.6.7")
def test_random_games_with_passengers_come_to_an_end() -> None:
    german = army(("tg_blitz", "1-C4"), ("g_sqd44", "tg_blitz"), ("tg_horch", "1-B4"), ("t_50", "tg_horch"))
    soviet = 'units = [{ unit = "t34_43", count = 2, at = ["1-G4"] }, { unit = "s_sqd41", at = ["1-G5"] }]'
    for seed in range(6):
        made, rng = game(text(german=german, soviet=soviet, options=("AG",)), None, seed), random.Random(seed)
        for _ in range(3000):
            if made.outcome is not None:
                break
            seat = made.deciders()[0]
            made.play(seat, made.choices(seat).sample(rng))
            for unit in made.state.units.values():
                assert (unit.carrier is not None) == (unit.status == "mounted")
        assert made.outcome is not None
