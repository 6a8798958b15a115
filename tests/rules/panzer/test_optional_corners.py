"""Corners of the optional rules 7.1 to 7.43: beside each other, and beside riders, roofs, roads and close combat."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from opfire.core.game import Game
from opfire.kit.orders import Pass
from opfire.rulesets.panzer import control
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.air.crossing import cannot_guide
from opfire.rulesets.panzer.commands import Command, HandIn
from opfire.rulesets.panzer.fire.close_combat import Assault, Close, unseen
from opfire.rulesets.panzer.fire.direct_fire import Keep, passed_over
from opfire.rulesets.panzer.fire.dismount_attack import Storming
from opfire.rulesets.panzer.fire.overrun import within_walls
from opfire.rulesets.panzer.fire.overwatch import Overwatch
from opfire.rulesets.panzer.fire.resolving import fire
from opfire.rulesets.panzer.fire.shots import WATCHING, shot
from opfire.rulesets.panzer.morale import checks
from opfire.rulesets.panzer.moving import bogging
from opfire.rulesets.panzer.moving.going import Going, Move, after, cannot_pass, priced, turning
from opfire.rulesets.panzer.moving.passengers import gp_defence
from opfire.rulesets.panzer.moving.transport import no_room, take_aboard
from opfire.rulesets.panzer.pieces import CommandName, Position, Work
from opfire.rulesets.panzer.sequence import RollInitiative
from opfire.rulesets.panzer.sighting import chances
from opfire.rulesets.panzer.works.buildings import GoInside
from rules.panzer.battle import OPEN, game, refused, text
from rules.panzer.kit import rule
from rules.panzer.moves import FAR, army, marching

WOODED = OPEN.replace("\n. . .", "\nw . .")


def formed(side: str, name: str, units: str, body: str = "") -> str:
    """A formation of a side."""
    return f'\n[[sides.{side}.formations]]\nname = "{name}"\ngrade = "seasoned"\nunits = {{ {units} }}\n{body}\n'


# --- morale [7.1], Tank Fright [7.6], Staggered Initiative [7.42]


@rule("7.1.5.1", "6.6.1.1-dis")
@pytest.mark.parametrize(("morale", "attacks"), [("", True), ("hesitating", False), ("broken", False)])
def test_a_squad_that_wavers_after_it_has_dismounted_does_not_attack(morale: str, attacks: bool) -> None:
    """A barrage in its hex may shake it between the dismount and the attack."""
    near = army(("t34_43", "1-B5"))
    made = game(text(german=army(("g_sqd41", "1-B4")), soviet=near, options=("AG", "7.1")), (50, 50, 50))
    made.state.change("german-1", morale=morale)
    made.push(Storming("german", "german-1", "soviet-1"))
    made.run()
    made.play("soviet", Keep())
    assert ("assaulted" in {event.kind for event in made.events}) == attacks


@rule("7.6")
@pytest.mark.parametrize(
    ("date", "grade", "frightens"),
    [
        ("1941-07", "elite", True),
        ("1942-01", "seasoned", False),
        ("1944-06", "regulars", False),
        ("1944-06", "green", True),
        ("", "seasoned", True),
    ],
)
def test_tanks_frighten_everybody_in_1941_and_green_units_at_any_time(date: str, grade: str, frightens: bool) -> None:
    scenario = text(german=army(("g_sqd41", "1-B4")), soviet=FAR, options=("AG", "7.1", "7.6"))
    state = game(scenario).state
    state.change("german-1", grade=grade)
    state.setting.sections = replace(state.setting.sections, date=date)
    assert checks.frightened(state, state.units["german-1"]) == frightens


@rule("7.42.1.3", "7.1.2")
@pytest.mark.parametrize(("watching", "waits"), [(True, False), (False, True)])
def test_riders_wait_with_their_check_for_direct_fire_alone(watching: bool, waits: bool) -> None:
    """Overwatch fire is no part of the fire of the formations: nobody else's fire is to come."""
    car = army(("h251_1", "1-A4"), ("g_sqd44", "h251_1"))
    scenario = text(german=car, soviet=army(("s_sqd41", "1-A6")), options=("AG", "7.1", "7.42"))
    made = game(scenario, (1, 1, 90, 90, 90))
    made.state.change("soviet-1", command="overwatch" if watching else "fire")
    if watching:
        fire(made, "soviet-1", "german-1", "", WATCHING)
    else:
        fire(made, "soviet-1", "german-1")
    assert ("german-2" in made.state.unnerved) == waits


# --- commands [7.3, 7.4]

TANKS = army(("pz4h", "1-A4"), ("pz4h", "1-A5"), ("pz4h", "1-B4"))


def sheet(*leaders: int) -> HandIn:
    """Everybody on overwatch; each number is the unit whose command is shared, itself for its own."""
    orders = (
        Command(f"german-{n}", "overwatch", "" if leader == n else f"german-{leader}")
        for n, leader in enumerate(leaders, 1)
    )
    return HandIn(tuple(orders))


@rule("7.3")
def test_a_command_unit_does_not_join_two_platoons_under_one_command() -> None:
    body = "platoons = [{ pz4h = 1 }, { pz4h = 1 }, { pz4h = 1 }]\nlabels = { CHQ = { pz4h = 1 } }"
    german = TANKS + formed("german", "1.", "pz4h = 3", body)
    made = game(text(german=german, soviet=FAR, options=("AG", "7.3")))
    assert [made.state.units[f"german-{n}"].platoon for n in (1, 2, 3)] == ["1. 1", "1. 2", "1. 3"]
    assert refused(made, "german", sheet(1, 1)) is None
    assert refused(made, "german", sheet(1, 1, 1)) == "7.3"
    assert refused(game(text(german=german, soviet=FAR, options=("AG",))), "german", sheet(1, 1, 1)) is None


@rule("7.3")
@pytest.mark.parametrize(
    ("label", "options", "why"),
    [
        ("RHQ", ("7.3",), None),
        ("BHQ", ("7.3",), None),
        ("CHQ", ("7.3",), "6.2.1.1.3-limits"),
        ("RHQ", (), "6.2.1.1.3-limits"),
    ],
)
def test_a_regimental_command_unit_shares_with_a_platoon_of_its_regiment(
    label: str, options: tuple[str, ...], why: str | None
) -> None:
    german = army(("pz4h", "1-A4"), ("pz3m", "1-A5"))
    german += formed("german", "Staff", "pz4h = 1", f"labels = {{ {label} = {{ pz4h = 1 }} }}")
    german += formed("german", "1.", "pz3m = 1", "platoons = [{ pz3m = 1 }]")
    made = game(text(german=german, soviet=FAR, options=("AG", *options)))
    assert refused(made, "german", sheet(1, 1)) == why
    offered = made.orders_for("german", "german-2")
    assert (Command("german-2", "overwatch", "german-1") in offered) == (why is None)


@rule("7.4.2")
@pytest.mark.parametrize(("options", "stays"), [((), False), (("7.4",), True)])
def test_a_platoon_without_radios_keeps_with_its_damaged_vehicle(options: tuple[str, ...], stays: bool) -> None:
    """With radios a hull that is damaged may be left behind [6.5.2.2.4]."""
    german = army(("t38", "1-A4"), ("t38", "1-A5")) + formed("german", "1.", "t38 = 2", "platoons = [{ t38 = 2 }]")
    state = game(text(german=german, soviet=FAR, options=("AG", *options))).state
    state.change("german-1", shares="german-1", damaged=True, damaged_part="hull", command="move")
    other = state.change("german-2", shares="german-1", command="move", hex="1-A8")
    state.change("german-1", moved=True)
    assert (control.left_behind(state, other) is not None) == stays
    state.change("german-1", track_hit=True)
    assert control.left_behind(state, other) is None


# --- fire priority [7.14], rockets at men [7.15]


@rule("7.14")
def test_a_vehicle_that_has_fired_at_the_closest_one_fires_its_second_weapon_as_it_likes() -> None:
    soviet = army(("t34_43", "1-D4"), ("s_sqd41", "1-D5"))
    state = game(text(german=army(("pz4h", "1-A4")), soviet=soviet, options=("AG", "7.14"))).state
    tank, squad = state.units["german-1"], state.units["soviet-2"]
    assert passed_over(state, tank, squad) is not None
    assert passed_over(state, replace(tank, aimed="soviet-1"), squad) is None


@rule("7.15")
@pytest.mark.parametrize(("upper", "ruins", "amount"), [(False, False, 0), (True, False, -10), (False, True, -10)])
def test_a_roof_or_a_ruin_is_no_inside_of_a_building(upper: bool, ruins: bool, amount: int) -> None:
    """On the flat roof of a Desert Building nothing is around a squad (RULINGS.md R207)."""
    bricks = OPEN.replace("\n. . .", "\nB . .")
    german, soviet = army(("s_sqd41", "1-B4")), army(("s_sqd41", "1-A4"))
    state = game(text(board=bricks, german=german, soviet=soviet, options=("AG", "7.15"))).state
    sections = state.setting.sections
    state.setting.sections = replace(sections, conditions=replace(sections.conditions, desert_buildings=True))
    target = state.change("soviet-1", upper=upper)
    unit = state.change("german-1", weapons=("pzf60",))
    if ruins:
        state.works["1-A4"] = (Work("rubble", value="building"),)
    found = shot(state, unit, target, False, "pzf60 HEAT")
    assert sum(line.amount for line in found.lines if line.rule == "7.15") == amount


@rule("6.6.10-bldg", "6.1.4.3.9")
def test_a_squad_in_rubble_is_behind_no_walls() -> None:
    bricks = OPEN.replace("\n. . .", "\nB . .")
    state = game(text(board=bricks, soviet=army(("s_sqd41", "1-A4")), german=FAR, options=("AG",))).state
    assert within_walls(state, state.units["soviet-1"])
    state.works["1-A4"] = (Work("rubble", value="building"),)
    assert not within_walls(state, state.units["soviet-1"])


# --- camouflage [7.24] and Limited Spotting [7.7.1]


def squad(soviet: str, options: tuple[str, ...] = ("7.24",), dice: tuple[int, ...] = ()) -> Game[Position]:
    """A camouflaged German squad in the woods of 1-A4."""
    german = army(("g_sqd44", "1-A4"))
    made = game(text(board=WOODED, german=german, soviet=soviet, options=("AG", *options)), dice or (9,) * 9)
    made.state.change("german-1", camouflaged=True)
    return made


@rule("7.24")
@pytest.mark.parametrize(
    ("command", "at", "lost"),
    [("fire", "1-C4", True), ("fire", "1-L8", False), ("overwatch", "1-C4", True), ("short halt", "1-L8", True)],
)
def test_fire_gives_a_unit_away_to_enemies_in_range_and_a_short_halt_always(
    command: CommandName, at: str, lost: bool
) -> None:
    made = squad(army(("t34_43", at)))
    made.state.change("german-1", command=command, fired=True, fresh="small arms")
    chances.give_away(made.state, "german-1")
    assert made.state.units["german-1"].camouflaged != lost


@rule("7.24", "6.1.3-a")
def test_a_unit_is_seen_with_the_counter_of_its_fire() -> None:
    """A small unit in Light Cover is spotted up to 7 hexes; the counter of small arms adds a row: up to 10."""
    made = squad(army(("t34_43", "1-I8")))
    state = made.state
    assert chances.away(state, state.units["soviet-1"], state.units["german-1"]) == 8
    chances.give_away(state, "german-1")
    assert state.units["german-1"].camouflaged
    state.change("german-1", fresh="small arms")
    chances.give_away(state, "german-1")
    assert not state.units["german-1"].camouflaged


@rule("7.24")
def test_a_shot_costs_the_camouflage_at_once() -> None:
    made = squad(army(("s_sqd41", "1-C4")), dice=(50, 50, 50))
    made.state.change("german-1", command="fire")
    fire(made, "german-1", "soviet-1")
    assert not made.state.units["german-1"].camouflaged


@rule("7.24", "6.6.1.1-adv")
@pytest.mark.parametrize("via", ["", "1-B4"])
def test_close_combat_costs_the_camouflage(via: str) -> None:
    target = "1-C4" if via else "1-A5"
    made = squad(army(("s_sqd41", target)), dice=(90, 10, *(60, 40) * 20))
    made.play("german", HandIn((Command("german-1", "move"),)))
    made.play("soviet", HandIn())
    made.play(made.asked()[0], RollInitiative())
    while made.stack[-1].step != "close combat":
        made.play(made.asked()[0], Pass() if isinstance(made.stack[-1], Overwatch) else EndStep())
    made.state.spots["soviet-1"] = ("german-1",)
    made.play("german", Assault("german-1", "soviet-1", via))
    made.play("german", Close())
    assert not made.state.units["german-1"].camouflaged


@rule("7.24", "6.6.7.1.1-mount", "6.6.7.1.1-dismount")
def test_mounting_costs_the_camouflage() -> None:
    made = game(text(german=army(("h251_1", "1-A4"), ("g_sqd44", "1-A4")), soviet=FAR, options=("AG", "7.24")))
    made.state.change("german-2", camouflaged=True, command="move")
    take_aboard(made, made.state.units["german-1"], "german-2")
    assert not made.state.units["german-2"].camouflaged


@rule("7.24", "7.7.1", "6.6.1.1-adv")
@pytest.mark.parametrize(
    ("options", "camouflaged", "at", "why"),
    [
        ((), False, "1-C4", None),
        (("7.24",), True, "1-C4", "7.24"),
        (("7.24",), True, "1-A5", None),
        (("7.7.1",), False, "1-C4", "7.7.1"),
        (("7.7.1",), False, "1-A5", None),
    ],
)
def test_an_advance_does_not_replace_the_roll_to_spot(
    options: tuple[str, ...], camouflaged: bool, at: str, why: str | None
) -> None:
    """The target of an Advancing Attack is spotted before the unit moves: nobody sees it by coming near."""
    made = squad(army(("s_sqd41", at)), options)
    made.state.change("german-1", camouflaged=camouflaged)
    made.state.spots["german-1"] = ()
    refusal = unseen(made.state, made.state.units["soviet-1"], made.state.units["german-1"])
    assert (refusal.rule if refusal else None) == why


@rule("7.24", "6.7.3.1.2")
@pytest.mark.parametrize(("spotted", "why"), [(True, None), (False, "7.24")])
def test_an_fo_guides_no_aircraft_to_a_unit_that_it_has_not_made_out(spotted: bool, why: str | None) -> None:
    made = squad(army(("s_fo", "1-C4")))
    observer = made.state.change("soviet-1", command="overwatch")
    assert "FO" in observer.labels
    made.state.spots["german-1"] = ("soviet-1",) if spotted else ()
    refusal = cannot_guide(made.state, observer, made.state.units["german-1"])
    assert (refusal.rule if refusal else None) == why


# --- SPOT counters that come off [7.41]


@rule("7.41-elig", "6.1.1")
@pytest.mark.parametrize(("hex", "may"), [("1-A5", False), ("1-C4", True)])
def test_men_aboard_a_lorry_watch_a_spot_counter_too(hex: str, may: bool) -> None:
    """A lorry is no combat unit; the squad aboard is one, and spots."""
    lorry = army(("ts_gazaa", hex), ("s_sqd41", "ts_gazaa"))
    state = game(text(board=WOODED, german=army(("pz4h", "1-A4")), soviet=lorry, options=("AG", "7.41"))).state
    state.change("german-1", spot="fire")
    assert [unit.id for unit in chances.watchers(state, state.units["german-1"])] == ["soviet-2"]
    assert chances.may_lose_counter(state, state.units["german-1"]) == may
    if may:  # one spotter near a unit in Light Cover leaves 10
        assert chances.removal(state, state.units["german-1"]).chances()["SPOT counter comes off"] * 100 == 10


# --- roads [7.40] beside long guns [7.20] and snow [7.36.3]

LONG = "pz6"
"""A tank with a long gun."""


def on_road(
    options: tuple[str, ...], link: str = 'roads = ["A4 A5"]\n', letter: str = "w", **values: object
) -> Position:
    """A tank in light woods, or among houses, with a road through them."""
    board = OPEN.replace("\n. . . .", f"\n{letter} . . .") + link
    made = marching(army((LONG, "1-A4")), {1: "move"}, board=board, options=options, facing=3, **values)
    return made.state


@rule("7.20", "7.40")
@pytest.mark.parametrize(("options", "why"), [((), "7.20"), (("7.40",), None)])
def test_a_long_gun_is_free_along_a_road_that_its_vehicle_has_joined(options: tuple[str, ...], why: str | None) -> None:
    state = on_road(("7.8", "7.20", *options), turret=1)
    step = after(state, state.units["german-1"], Move("german-1", "1-A5"), Going())
    assert getattr(step, "rule", None) == why


@rule("7.20", "6.6.3-who")
@pytest.mark.parametrize(("turret", "why"), [(0, None), (1, "7.20")])
def test_a_long_gun_points_straight_on_the_way_from_the_alley_into_the_building(turret: int, why: str | None) -> None:
    state = on_road(("7.8", "7.20"), "", letter="B", turret=turret)
    refusal = cannot_pass(state, state.units["german-1"], GoInside("german-1"), Going())
    assert (refusal.rule if refusal else None) == why


@rule("7.36.3-snow", "7.40")
@pytest.mark.parametrize(("options", "cost"), [(("7.36.3",), 3), (("7.36.3", "7.40"), 1), (("7.40",), 1), ((), 2)])
def test_snow_does_not_slow_a_vehicle_on_a_road_that_it_has_joined(options: tuple[str, ...], cost: int) -> None:
    """Light woods cost 2, and 3 in snow; a road costs 1 (RULINGS.md R84)."""
    state = on_road(options)
    sections = state.setting.sections
    state.setting.sections = replace(sections, conditions=replace(sections.conditions, ground="snow"))
    price = priced(state, state.units["german-1"], Move("german-1", "1-A5"))
    assert getattr(price, "cost", None) == cost


# --- ice [7.32] beside bogging [7.29]


@rule("7.32-ice", "7.29-when", "4.5.1.1.4")
@pytest.mark.parametrize(("tons", "bogs", "turn"), [(60, 0, 1), (10, 20, 3)])
def test_a_stream_with_ice_that_bears_a_tank_is_clear_for_bogging_and_turning(tons: int, bogs: int, turn: int) -> None:
    """A stream holds tracks on 20 or less, and turning there costs 3; on clear terrain it costs 1."""
    board = OPEN.replace("\n. . .", "\n~ . .")
    scenario = text(board=board, german=army(("pz4h", "1-A4")), soviet=FAR, options=("AG", "7.29", "7.32"))
    state = game(f"{scenario}[conditions]\nice = {tons}\n").state
    tank = state.units["german-1"]
    assert bogging.greatest(state, tank) == bogs
    assert turning(state, tank, (tank.facing + 2) % 6, Going()) == turn


# --- scout cars that carry troops [7.38.4]


@rule("7.38.4")
@pytest.mark.parametrize("car", ["b_m3scout", "s_m3scout"])
@pytest.mark.parametrize(("options", "fits"), [((), False), (("7.38",), True)])
def test_a_white_scout_car_has_room_for_a_squad(car: str, options: tuple[str, ...], fits: bool) -> None:
    state = game(text(german=army((car, "1-A4"), ("g_sqd41", "1-A4")), soviet=FAR, options=("AG", *options))).state
    assert (no_room(state.units["german-1"], (), state.units["german-2"]) is None) == fits


@rule("7.38.4", "6.5.4.2.3-gpd")
@pytest.mark.parametrize(("under_cover", "room", "factor"), [(True, 1, 3), (True, 2, 2), (False, 2, 1), (False, 1, 1)])
def test_extra_troops_lower_the_factor_of_those_under_cover(under_cover: bool, room: int, factor: int) -> None:
    """Passengers have 3 Under Cover and 1 in the open; troops in a scout car have 2 at most."""
    state = game(text(german=army(("b_m3scout", "1-A4")), soviet=FAR, options=("AG",))).state
    unit = state.units["german-1"]
    car = replace(unit, kind=replace(unit.vehicle, under_cover=under_cover, tr_leg=room))
    assert gp_defence(car) == factor
