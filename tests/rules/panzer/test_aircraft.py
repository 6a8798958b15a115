"""Aircraft and anti-aircraft fire of the Advanced Game [5.4.1, 5.16.2.6, 6.4, 6.7, 6.8.3.1]."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from opfire.ai import players
from opfire.core.actions import Action
from opfire.core.dice import Dice
from opfire.core.errors import BadInput
from opfire.core.events import Cases
from opfire.core.game import Game
from opfire.core.orders import Ask
from opfire.kit.orders import Pass
from opfire.rulesets.panzer import RULESET
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.air import attacks, crossing, flak, phase
from opfire.rulesets.panzer.air.attacks import AirAttack
from opfire.rulesets.panzer.air.flak import AntiAircraft, Flak
from opfire.rulesets.panzer.air.phase import AirPhase, Bank, Enter, Fly, Flying, FlyOff, Level
from opfire.rulesets.panzer.charts import Altitude, Speed, Stores
from opfire.rulesets.panzer.commands import HandIn
from opfire.rulesets.panzer.fire.direct_fire import Asked, DirectFireStep, Keep, Reveal
from opfire.rulesets.panzer.fire.overwatch import Overwatch
from opfire.rulesets.panzer.indirect.barrages import overhead
from opfire.rulesets.panzer.indirect.kinds import Call
from opfire.rulesets.panzer.orders import Orders
from opfire.rulesets.panzer.pieces import CommandName, Hex, Mask, Position, Unit, Work
from opfire.rulesets.panzer.sequence import RollInitiative
from opfire.rulesets.panzer.shown import view, ways
from opfire.rulesets.panzer.suppression import recovery
from rules.panzer.battle import OPEN, commanded, game, refused, text
from rules.panzer.kit import CHARTS, rule
from rules.panzer.moves import army

PLANE = "soviet-2"
"""The first aircraft of the Soviets, after the tank that stands at the edge."""


def air(*aircraft: str) -> str:
    """The Soviet section: a tank in the corner, and aircraft."""
    planes = ", ".join(f'{{ unit = "{name}" }}' for name in aircraft)
    return f"{army(('t34_43', '1-L8'))}\naircraft = [{planes}]"


def sky(
    german: str = "",
    *aircraft: str,
    board: str = OPEN,
    dice: tuple[int, ...] = (),
    commands: dict[int, CommandName] | None = None,
    options: tuple[str, ...] = (),
) -> Game[Position]:
    """A battle at its 1st Air Phase: Germans on the ground, Soviets in the air."""
    german = german or army(("tg_blitz", "1-D4"))
    made = game(
        text(board=board, german=german, soviet=air(*(aircraft or ("a_il2",))), turns=9, options=("AG", *options)),
        (10, 90, *dice),
    )
    return commanded(made, commands or {})


def flying(made: Game[Position], hex: str, facing: int, speed: Speed = "slow", altitude: Altitude = "low") -> Unit:
    """The aircraft over a hex: it came onto the map there."""
    unit = made.state.change(PLANE, facing=facing)
    return crossing.fly(made.state, unit, hex=hex, path=((hex, facing),), speed=speed, altitude=altitude)


def crossed(made: Game[Position], *hexes: str, **values: object) -> Unit:
    """The aircraft after it has flown over these hexes from the first on, with its facing."""
    unit = made.state.units[PLANE]
    path = tuple((hex, unit.facing) for hex in hexes)
    return crossing.fly(made.state, unit, hex=hexes[-1], path=path, **values)


def flown(made: Game[Position], *actions: Action) -> None:
    """Play the Soviets' actions; nobody fires or reveals anything in answer."""
    for action in actions:
        made.play("soviet", action)
        quiet(made)


def quiet(made: Game[Position]) -> None:
    """Let windows for anti-aircraft fire pass, and questions about commands."""
    while isinstance(made.stack[-1], AntiAircraft | Asked):
        made.play(made.asked()[0], Pass() if isinstance(made.stack[-1], AntiAircraft) else Keep())


# --- the Air Phases [6.4, 6.7, 6.7.2]


@rule("6.4", "5.4.1")
def test_aircraft_fly_before_and_after_combat_and_never_else() -> None:
    made = sky()
    assert [*map(type, made.stack[-1:])] == [AirPhase]
    assert made.asked() == ("soviet",)
    made.play("soviet", EndStep())
    assert isinstance(made.stack[-1], DirectFireStep)
    while not isinstance(made.stack[-1], AirPhase):
        made.play(made.asked()[0], Pass() if isinstance(made.stack[-1], Overwatch) else EndStep())
    assert made.state.turn == 1
    assert refused(made, "soviet", Enter(PLANE, "1-D8", 0)) is None


@rule("6.7.2", "6.7.2.3")
def test_an_aircraft_comes_on_crosses_the_map_and_leaves_in_one_phase() -> None:
    made = sky()
    assert refused(made, "soviet", Enter(PLANE, "1-D4", 0)) == "6.7.2"
    assert refused(made, "soviet", Enter(PLANE, "1-D8", 3)) == "6.7.2"
    flown(made, Enter(PLANE, "1-D8", 0), Level(PLANE, "slow", "low"), Fly(PLANE, "1-D5"))
    assert made.state.units[PLANE].airborne.hex == "1-D5"
    assert refused(made, "soviet", Fly(PLANE, "1-D6")) == refused(made, "soviet", Fly(PLANE, "1-E4")) == "6.7.2.3"
    flown(made, FlyOff(PLANE))
    assert made.state.units[PLANE].airborne.hex == ""
    assert not isinstance(made.stack[-1], Flying)
    assert made.state.units[PLANE].hex is None


@rule("6.7.2.3")
def test_aircraft_fly_over_everything_and_nothing_on_the_ground_meets_them() -> None:
    board = OPEN.replace("\n. . . . .", "\nW W W W W")
    made = sky(army(("tg_blitz", "1-D4")), board=board)
    flown(made, Enter(PLANE, "1-D8", 0), Level(PLANE, "slow", "low"), Fly(PLANE, "1-D1"))
    assert made.state.units[PLANE].airborne.hex == "1-D1"
    assert made.state.at("1-D1") == []


@rule("6.7.2.1-when")
def test_a_scenario_may_say_when_and_where_an_aircraft_appears_first() -> None:
    soviet = army(("t34_43", "1-L8")) + '\naircraft = [{ unit = "a_il2", turns = [2], edges = ["north"] }]'
    made = game(text(soviet=soviet, options=("AG",)), (10, 90))
    unit = made.state.units[PLANE]
    made.state.turn = 1
    refusal = phase.unavailable(made.state, "soviet", unit)
    assert refusal is not None
    assert refusal.rule == "6.7.2.1-when"
    made.state.turn = 2
    assert phase.cannot_enter(made.state, "soviet", unit, "1-D1", 3) is None
    south = phase.cannot_enter(made.state, "soviet", unit, "1-D8", 0)
    assert south is not None
    assert south.rule == "6.7.2.1-when"


@rule("6.7.2.1-loiter")
def test_an_aircraft_is_there_for_five_turns_once_a_turn() -> None:
    made = sky()
    unit = crossing.fly(made.state, made.state.units[PLANE], first=1, last=1)
    for turn, barred in ((1, True), (2, False), (5, False), (6, True)):
        made.state.turn = turn
        refusal = phase.unavailable(made.state, "soviet", unit)
        assert (refusal is not None and refusal.rule == "6.7.2.1-loiter") is barred


@rule("6.7.2.1-edge")
def test_it_comes_back_by_the_edge_by_which_it_left_unless_it_skips_a_turn() -> None:
    made = sky()
    flown(made, Enter(PLANE, "1-D8", 0), Level(PLANE, "slow", "low"), FlyOff(PLANE))
    unit = made.state.units[PLANE]
    for turn, rule_ in ((2, "6.7.2.1-edge"), (3, None)):
        made.state.turn = turn
        refusal = phase.cannot_enter(made.state, "soviet", unit, "1-D8", 0)
        assert (refusal and refusal.rule) == rule_
        assert phase.cannot_enter(made.state, "soviet", unit, "1-D1", 3) is None


@rule("6.7.2.2")
def test_some_aircraft_fly_slow_only_and_damaged_ones_too() -> None:
    made = sky("", "a_ju87d", "a_il2")
    assert refused(made, "soviet", Enter(PLANE, "1-D8", 0)) is None
    made.play("soviet", Enter(PLANE, "1-D8", 0))
    assert refused(made, "soviet", Level(PLANE, "fast", "low")) == "6.7.2.2"
    assert refused(made, "soviet", Level(PLANE, "slow", "medium")) is None
    quick = made.state.units["soviet-3"]
    assert phase.cannot_fly_at(quick, "fast", "high") is None
    refusal = phase.cannot_fly_at(replace(quick, damaged=True), "fast", "high")
    assert refusal is not None
    assert refusal.rule == "6.7.2.2"


@rule("6.7.2.3.1")
def test_at_slow_an_aircraft_turns_once_by_a_hexside_at_fast_never() -> None:
    made = sky("", "a_il2", "a_il2")
    flown(made, Enter(PLANE, "1-D8", 0), Level(PLANE, "slow", "low"), Fly(PLANE, "1-D7"))
    assert refused(made, "soviet", Bank(PLANE, 2)) == "6.7.2.3.1"
    flown(made, Bank(PLANE, 1))
    assert refused(made, "soviet", Bank(PLANE, 2)) == "6.7.2.3.1"
    assert refused(made, "soviet", Fly(PLANE, "1-D6")) == "6.7.2.3"
    flown(made, FlyOff(PLANE), Enter("soviet-3", "1-D8", 0), Level("soviet-3", "fast", "low"))
    assert refused(made, "soviet", Bank("soviet-3", 1)) == "6.7.2.3.1"


def test_only_one_side_has_aircraft() -> None:
    german = army(("pz4h", "1-D4")) + '\naircraft = [{ unit = "a_ju87d" }]'
    with pytest.raises(BadInput, match="has aircraft, too"):
        game(text(german=german, soviet=air("a_il2"), options=("AG",)))


@rule("6.7")
@pytest.mark.parametrize(
    ("conditions", "fault"),
    [
        ('light = "dusk"', "light = 'dusk'"),
        ('light = "moonlight"', "light = 'moonlight'"),
        ("visibility = -1", "visibility = -1"),
        ("visibility = -5", "visibility = -5"),
        ("khamsin = { spotting = -2 }", "a khamsin"),
    ],
)
def test_aircraft_fly_by_day_in_clear_weather_alone(conditions: str, fault: str) -> None:
    scenario = text(soviet=air("a_il2"), options=("AG",)) + f"[conditions]\n{conditions}\n"
    with pytest.raises(BadInput) as refusal:
        game(scenario)
    says = f"sides.soviet.aircraft: aircraft in a scenario with {fault}; expected daytime and clear weather"
    assert str(refusal.value).endswith(says)


@rule("6.7")
@pytest.mark.parametrize("conditions", ['light = "day"', "visibility = 0", 'ground = "snow"', "heat_haze = true"])
def test_snow_on_the_ground_and_heat_keep_no_aircraft_down(conditions: str) -> None:
    made = game(text(soviet=air("a_il2"), options=("AG",)) + f"[conditions]\n{conditions}\n")
    assert PLANE in made.state.units


# --- acquisition [6.7.3.1]


def acquired(made: Game[Position], name: str = "german-1") -> str | None:
    """The rule that keeps the aircraft from acquiring a target, or None."""
    refusal = crossing.not_acquired(made.state, made.state.units[PLANE], made.state.units[name])
    return refusal.rule if refusal else None


@rule("6.7.3.1.1-acq")
@pytest.mark.parametrize(
    ("speed", "altitude", "hexes"), [("slow", "low", 3), ("slow", "medium", 4), ("fast", "low", 5)]
)
def test_a_target_is_acquired_when_it_was_ahead_for_as_many_hexes(speed: Speed, altitude: Altitude, hexes: int) -> None:
    made = sky(army(("tg_blitz", "1-D1")))
    flying(made, "1-D8", 0, speed, altitude)
    whole = [f"1-D{row}" for row in range(8, 8 - hexes - 1, -1)]
    crossed(made, *whole[:-1])
    assert acquired(made) == "6.7.3.1.1-acq"
    crossed(made, *whole)
    assert acquired(made) is None


@rule("6.7.3.1")
def test_an_aircraft_sees_only_to_its_front() -> None:
    made = sky(army(("tg_blitz", "1-D4"), ("tg_blitz", "1-G6")))
    flying(made, "1-D7", 0)
    assert acquired(made, "german-2") == "6.7.3.1"
    flying(made, "1-D3", 0)
    assert acquired(made) == "6.7.3.1"


@rule("6.7.3.1.1-acq")
def test_a_turn_keeps_the_acquisition_of_a_target_that_stays_ahead() -> None:
    made = sky(army(("tg_blitz", "1-E1"), ("tg_blitz", "1-D1")))
    unit = flying(made, "1-D8", 0)
    path = (("1-D8", 0), ("1-D7", 0), ("1-D6", 0), ("1-D5", 0), ("1-D5", 5))
    made.state.change(PLANE, facing=5)
    crossing.fly(made.state, made.state.units[unit.id], hex="1-D5", path=path)
    assert acquired(made, "german-2") == "6.7.3.1"
    made.state.put("german-2", "1-B2")
    assert acquired(made, "german-2") is None
    made.state.put("german-2", "1-A4")
    assert acquired(made, "german-2") == "6.7.3.1.1-acq"


@rule("6.7.3.1.1-sup")
def test_a_suppressed_aircraft_flies_twice_as_far_and_counts_what_it_has_flown() -> None:
    made = sky(army(("tg_blitz", "1-D1")))
    flying(made, "1-D8", 0)
    made.state.change(PLANE, suppression="on")
    crossed(made, "1-D8", "1-D7", "1-D6", "1-D5", "1-D4", "1-D3")
    assert acquired(made) == "6.7.3.1.1-sup"
    crossed(made, "1-D8", "1-D7", "1-D6", "1-D5", "1-D4", "1-D3", "1-D2")
    assert acquired(made) is None


@rule("6.7.3.1.1-edge")
def test_a_target_near_the_edge_is_acquired_on_the_way_to_the_map() -> None:
    made = sky(army(("tg_blitz", "1-D6"), ("tg_blitz", "1-D5")))
    flying(made, "1-D8", 0)
    assert acquired(made, "german-1") is None
    assert acquired(made, "german-2") == "6.7.3.1.1-acq"
    crossed(made, "1-D8", "1-D7", attacked=True, since=0)
    assert acquired(made, "german-1") == "6.7.3.1.1-acq"


@rule("6.7.3.1.1-edge", "6.7.3.1.1-sup")
@pytest.mark.parametrize(("shaken", "barred_by"), [(1, "6.7.3.1.1-sup"), (0, None)])
def test_a_suppression_over_the_map_moves_no_target_closer_to_the_edge(shaken: int, barred_by: str | None) -> None:
    """Slow and Low need 3 hexes, suppressed 6. 4 hexes are near the edge only if it came on suppressed."""
    made = sky(army(("tg_blitz", "1-D4")))
    flying(made, "1-D8", 0)
    made.state.change(PLANE, suppression="on")
    crossed(made, "1-D8", "1-D7", "1-D6", shaken=shaken)
    assert acquired(made) == barred_by


@rule("6.7.3.1.1-one", "6.7.2.3.2")
def test_after_an_attack_the_next_target_is_acquired_from_there() -> None:
    made = sky(army(("tg_blitz", "1-D1")), "a_ju87d")
    flying(made, "1-D8", 0, "slow", "high")
    unit = crossed(made, "1-D8", "1-D7", "1-D6", "1-D5", attack=("dive bombs", "german-1"))
    phase.finish(made.state and made, unit)
    assert made.state.units[PLANE].airborne.altitude == "low"
    assert acquired(made) == "6.7.3.1.1-acq"
    crossed(made, "1-D8", "1-D7", "1-D6", "1-D5", "1-D4", "1-D3")
    assert acquired(made) == "6.7.3.1.1-acq"
    crossed(made, "1-D8", "1-D7", "1-D6", "1-D5", "1-D4", "1-D3", "1-D2")
    assert acquired(made) is None


@rule("6.7.3.1.3")
@pytest.mark.parametrize(
    ("altitude", "hexes", "blocked"),
    [
        ("low", 1, True),
        ("low", 3, True),
        ("low", 4, False),
        ("medium", 1, True),
        ("medium", 2, False),
        ("high", 1, False),
    ],
)
def test_woods_hide_units_behind_them_by_the_altitude(altitude: Altitude, hexes: int, blocked: bool) -> None:
    """Woods are 3 high: 2 above the base of 1 at Low, so 1 + 2 hexes; at the base of Medium; below that of High."""
    rows = ["w w w w" + " . ." * 4 if row == 7 - hexes else "." + " ." * 11 for row in range(8)]
    lines = OPEN.split("'''")
    board = "'''".join([lines[0], "\n" + "\n".join(rows) + "\n", lines[2]])
    made = sky(army(("tg_blitz", "1-D8")), board=board)
    flying(made, "1-D1", 3, "slow", altitude)
    assert made.state.map.cells[f"1-D{8 - hexes}"].terrain != made.state.map.cells["1-D8"].terrain
    assert (acquired(made) == "6.7.3.1.3") is blocked


@rule("6.7.3.1.1-cover", "6.7.3.1.2")
def test_units_under_trees_and_inside_are_found_only_by_an_fo_on_overwatch() -> None:
    board = OPEN.replace("\n. . . . .", "\nw . . B .")
    squads = army(("g_sqd44", "1-A1"), ("g_sqd44", "1-D1"), ("pz4h", "1-D1"), ("g_sqd44", "1-C4"), ("g_sqd44", "1-F4"))
    made = sky(squads, board=board)
    made.state.works["1-C4"] = (Work("improved position", holder="german-4"),)
    hidden = [crossing.concealed(made.state, unit) for unit in made.state.of("german")]
    assert hidden == [True, True, False, True, False]
    plane, target = flying(made, "1-A7", 0), made.state.units["german-1"]
    refusal = crossing.unguided(made.state, plane, target)
    assert refusal is not None
    assert refusal.rule == "6.7.3.1.1-cover"
    made.state.put("soviet-1", "1-A2", labels=("FO",), command="overwatch")
    assert crossing.unguided(made.state, plane, target) is None
    for values in ({"command": "move"}, {"labels": ()}, {"guides": "german-2"}, {"fired": True}, {"hex": "1-L8"}):
        before = made.state.units["soviet-1"]
        made.state.change("soviet-1", **values)
        assert crossing.unguided(made.state, plane, target) is not None
        made.state.units["soviet-1"] = before
        made.state.musters.clear()


@rule("6.7.3.1.2")
def test_an_fo_that_guides_aircraft_has_no_other_overwatch_fire() -> None:
    board = OPEN.replace("\n. . . . .", "\nw . . B .")
    made = sky(army(("g_sqd44", "1-A1")), board=board, dice=(1,))
    made.state.put("soviet-1", "1-A2", labels=("FO",), command="overwatch")
    flying(made, "1-A3", 0)
    phase.announce(made, PLANE, "german-1", "strafe")
    observer = made.state.units["soviet-1"]
    assert (observer.guides, observer.revealed) == ("german-1", True)
    window = Overwatch("soviet", ("soviet",), ("german-1",))
    refusal = window.cannot_shoot(made.state, "soviet", observer, made.state.units["german-1"])
    assert refusal is not None
    assert refusal.rule == "6.7.3.1.2"


@rule("6.7.3.1.2")
def test_one_fo_guides_several_aircraft_to_a_target() -> None:
    board = OPEN.replace("\n. . . . .", "\nw . . B .")
    observers = army(("t34_43", "1-A2"), ("t34_43", "1-A2"))
    made = game(text(board=board, german=army(("g_sqd44", "1-A1")), soviet=observers, options=("AG",)), (10, 90))
    for name, target in (("soviet-1", ""), ("soviet-2", "german-1")):
        made.state.change(name, labels=("FO",), command="overwatch", guides=target)
    found = crossing.guide(made.state, "soviet", made.state.units["german-1"])
    assert found is not None
    assert found.guides == "german-1"


@rule("6.7.3.1.2", "5.9.4")
@pytest.mark.parametrize(
    ("command", "mounts", "guides"), [("overwatch", False, True), ("fire", False, False), ("overwatch", True, False)]
)
def test_an_fo_aboard_guides_by_the_overwatch_of_its_vehicle(command: CommandName, mounts: bool, guides: bool) -> None:
    board = OPEN.replace("\n. . . . .", "\nw . . B .")
    observers = army(("t34_43", "1-A2"), ("s_fo", "1-A2"))
    made = game(text(board=board, german=army(("g_sqd44", "1-A1")), soviet=observers, options=("AG",)), (10, 90))
    made.state.change("soviet-1", command=command)
    made.state.change("soviet-2", hex=None, status="mounted", carrier="soviet-1", labels=("FO",), moved=mounts)
    found = crossing.guide(made.state, "soviet", made.state.units["german-1"])
    assert (found is not None and found.id == "soviet-2") is guides


# --- attacks [6.7.3.2 to 6.7.3.5]


def barred(made: Game[Position], stores: Stores, target: str = "german-1") -> str | None:
    """The rule against an attack of the aircraft now, or None."""
    unit = made.state.units[PLANE]
    refusal = attacks.cannot_attack(made.state, "soviet", unit, made.state.units[target], stores)
    return refusal.rule if refusal else None


@rule("6.7.3.2-pattern", "6.7.3.3", "6.7.2.3.2", "5.4.1")
@pytest.mark.parametrize(
    ("plane", "altitude", "can"),
    [
        ("a_il2", "low", {"strafe"}),
        ("a_il2", "medium", {"bombs"}),
        ("a_il2", "high", {"bombs"}),
        ("a_ju87d", "low", {"strafe"}),
        ("a_ju87d", "high", {"bombs", "dive bombs"}),
    ],
)
def test_each_weapon_has_its_altitudes_and_hits_the_next_hex(plane: str, altitude: Altitude, can: set[str]) -> None:
    made = sky(army(("tg_blitz", "1-D6")), plane)
    flying(made, "1-D7", 0, "slow", altitude)
    assert {stores for stores in attacks.STORES if barred(made, stores) is None} == can
    flying(made, "1-D8", 0, "slow", altitude)
    assert all(barred(made, stores) is not None for stores in attacks.STORES)


@rule("5.16.2.6", "5.4.1")
def test_aircraft_count_their_attacks_and_carry_rockets_or_bombs() -> None:
    made = sky(army(("tg_blitz", "1-D6")))
    unit = flying(made, "1-D7", 0)
    assert (unit.airborne.strafes, unit.airborne.bombs, unit.airborne.rockets) == (6, 4, 0)
    crossing.fly(made.state, unit, strafes=0)
    assert barred(made, "strafe") == "5.16.2.6"
    assert barred(made, "rockets") == "5.16.2.6"
    crossing.fly(made.state, unit, strafes=1)
    phase.announce(made, PLANE, "german-1", "strafe")
    assert made.state.units[PLANE].airborne.strafes == 0


@rule("6.7.3.4")
def test_rockets_fly_from_low_straight_ahead_at_two_to_ten_hexes() -> None:
    made = sky(army(("tg_blitz", "1-D6"), ("tg_blitz", "1-D5"), ("tg_blitz", "1-E4")))
    unit = flying(made, "1-D7", 0)
    crossing.fly(made.state, unit, rockets=2)
    assert barred(made, "rockets", "german-1") == "6.7.3.4"
    assert barred(made, "rockets", "german-2") is None
    assert barred(made, "rockets", "german-3") == "6.7.3.4"
    bands = [attacks.band_of(made.state, made.state.units[PLANE], hex, "rockets") for hex in ("1-D5", "1-D1")]
    assert bands == ["P", "M"]
    crossing.fly(made.state, unit, rockets=2, altitude="medium")
    assert barred(made, "rockets", "german-2") == "6.7.3.4"


@rule("6.7.3.2-pattern", "6.7.3.3", "6.7.3.4")
@pytest.mark.parametrize(
    ("stores", "speed", "altitude", "hexes"),
    [
        ("strafe", "slow", "low", "D5 D4"),
        ("strafe", "fast", "low", "D5 D4 D3"),
        ("dive bombs", "slow", "high", "D5"),
        ("bombs", "slow", "medium", "D5 D4"),
        ("bombs", "fast", "high", "D5 D4 C5 E5"),
        ("rockets", "slow", "low", "D5"),
    ],
)
def test_the_patterns(stores: Stores, speed: Speed, altitude: Altitude, hexes: str) -> None:
    """The hexes beside the target and the next one are adjacent to both."""
    made = sky()
    unit = flying(made, "1-D6", 0, speed, altitude)
    found = attacks.pattern(made.state, unit, "1-D5", stores)
    assert sorted(found) == sorted(f"1-{hex}" for hex in hexes.split())
    if len(found) == 4:
        assert all(made.state.map.adjacent(hex, other) for hex in found[2:] for other in found[:2])


@rule("6.7.3.5-cum", "6.7.3.2-range", "6.7.3.5-low", "6.7.3.5-med", "6.7.3.5-fast")
def test_the_modifiers_of_aircraft() -> None:
    made = sky()
    unit = made.state.change(PLANE, grade="elite")
    extreme, short = (CHARTS.unit_grades["elite"].gp(band) for band in ("E", "S"))
    assert extreme != short

    def net(stores: Stores, speed: Speed, altitude: Altitude, **values: object) -> int:
        flies = replace(unit, flight=replace(unit.airborne, speed=speed, altitude=altitude), **values)
        return sum(line.amount for line in attacks.modifiers(made.state, flies, "S", stores))

    assert net("strafe", "slow", "low") == 20 + extreme
    assert net("rockets", "slow", "low") == 20 + short
    assert net("bombs", "slow", "medium") == 10
    assert net("bombs", "fast", "high") == -20
    assert net("dive bombs", "slow", "high") == 20
    assert net("bombs", "slow", "medium", damaged=True, suppression="on") == 10 - 10 - 20


@rule("6.7.3.2-range")
def test_small_arms_strafe_at_point_blank() -> None:
    made = sky(army(("pz4h", "1-D5")), "a_p51")
    unit = flying(made, "1-D6", 0)
    assert attacks.band_of(made.state, unit, "1-D5", "strafe") == "P"
    assert attacks.weapon(unit.aircraft, "strafe").small_arms is True
    assert attacks.weapon(unit.aircraft, "bombs").small_arms is False


@rule("6.5.4.3-cover")
def test_only_a_roof_protects_vehicles_from_the_air() -> None:
    board = OPEN.replace("\n. . .", "\nB S w")
    made = sky(army(("pz4h", "1-A1"), ("pz4h", "1-B1"), ("pz4h", "1-C1"), ("pz4h", "1-A1")), board=board)
    for name in ("german-1", "german-2", "german-3"):
        made.state.change(name, inside=name != "german-3")
    assert [overhead(made.state, unit) for unit in made.state.of("german")] == ["medium", "heavy", "none", "none"]


@rule("6.7.3.2-pattern", "6.7.3")
def test_strafing_attacks_every_unit_in_its_hexes_friend_or_foe() -> None:
    made = sky(army(("tg_blitz", "1-D4"), ("tg_blitz", "1-D3"), ("tg_blitz", "1-D2")), dice=(1, 1, 1))
    made.state.put("soviet-1", "1-D3")
    flown(made, Enter(PLANE, "1-D8", 0), Level(PLANE, "slow", "low"), Fly(PLANE, "1-D5"))
    made.play("soviet", AirAttack(PLANE, "german-1", "strafe"))
    events = []
    while isinstance(made.stack[-1], Asked):
        events += made.play(made.asked()[0], Keep())
    hit = {event.units[1] for event in events if event.kind == "fired"}
    assert hit == {"german-1", "german-2", "soviet-1"}
    assert made.state.units[PLANE].airborne.attacked


@rule("6.7.3")
def test_an_aircraft_makes_as_many_attacks_as_it_acquires_targets() -> None:
    made = sky(army(("g_sqd44", "1-D6"), ("g_sqd44", "1-D2")), dice=(1, 1))
    flown(made, Enter(PLANE, "1-D8", 0), Level(PLANE, "slow", "low"), Fly(PLANE, "1-D7"))
    flown(made, AirAttack(PLANE, "german-1", "strafe"))
    flown(made, Fly(PLANE, "1-D4"))
    made.state.put("german-2", "1-D3")
    assert refused(made, "soviet", AirAttack(PLANE, "german-2", "strafe")) is None
    flown(made, AirAttack(PLANE, "german-2", "strafe"))
    assert made.state.units[PLANE].airborne.strafes == 4


@rule("6.5.4.3-rail")
def test_railroad_tracks_do_not_help_against_aircraft() -> None:
    """The modifier is for targets of GP Direct Fire."""
    made = sky(army(("g_sqd44", "1-D6")), board=OPEN.replace("\n. . . .", "\n. . . t"))
    squad, plane = made.state.units["german-1"], flying(made, "1-D7", 0)
    assert "railroad tracks" in made.state.map.cells["1-D6"].terrain
    found = attacks.calculation(made.state, attacks.blow(made.state, plane, "P", "strafe"), squad)
    assert {line.rule for line in found.lines if line.kind == "modifier"} == {"6.7.3.5-low"}


@rule("6.5.4.3-moving-reveal")
def test_the_owner_may_show_that_a_vehicle_under_attack_moves() -> None:
    made = sky(army(("pz4h", "1-D6")), dice=(1,), commands={1: "move"})
    flown(made, Enter(PLANE, "1-D8", 0), Level(PLANE, "slow", "low"), Fly(PLANE, "1-D7"))
    made.play("soviet", AirAttack(PLANE, "german-1", "strafe"))
    made.play("german", Pass())
    made.play("german", Reveal("german-1"))
    (event,) = (event for event in made.events if event.kind == "fired")
    assert event.calibre == 20  # of the ShVAK cannons of a single-seat Il-2
    assert event.calculation is not None
    assert "Target moving" in {line.label for line in event.calculation.lines}


# --- anti-aircraft fire [6.7.4]


def gunners(*units: tuple[str, str]) -> str:
    """German anti-aircraft guns that face south."""
    return army(*units, more="")


def engaged(made: Game[Position], name: str = "german-1") -> str | None:
    """The rule against anti-aircraft fire of a unit at the aircraft now, or None."""
    refusal = flak.cannot_engage(made.state, "german", made.state.units[name], made.state.units[PLANE])
    return refusal.rule if refusal else None


@rule("6.7-aa", "6.7.4")
def test_units_with_an_aa_row_and_an_overwatch_command_fire_once() -> None:
    made = sky(army(("wirbel", "1-D4"), ("pz3j", "1-D4"), ("g_sqd44", "1-D4")))
    flying(made, "1-D8", 0)
    for name in ("german-1", "german-2", "german-3"):
        made.state.change(name, command="overwatch")
    assert [engaged(made, name) for name in ("german-1", "german-2", "german-3")] == [None, "6.7-aa", "6.7-aa"]
    made.state.change("german-1", command="fire")
    assert engaged(made) == "6.7.4"
    made.state.change("german-1", command="overwatch", fired=True)
    assert engaged(made) == "6.7.4"


def battery(*others: tuple[str, str], dice: tuple[int, ...] = ()) -> Game[Position]:
    """Flak on overwatch with units that share its command."""
    made = sky(army(("wirbel", "1-D4"), *others), dice=dice)
    for unit in made.state.of("german"):
        made.state.change(unit.id, command="overwatch", shares="german-1", facing=3)
    flying(made, "1-D8", 0)
    made.push(Flying("soviet", PLANE))
    made.run()
    return made


@rule("6.2.1.1.4-ow", "6.7.4")
def test_flak_that_shares_a_command_fires_together_and_others_are_done() -> None:
    made = battery(("wirbel", "1-E4"), ("pz3j", "1-E4"), dice=(1, 2))
    made.play("german", Flak("german-1", PLANE))
    assert [event.units[0] for event in made.events if event.kind == "fired"] == ["german-1", "german-2"]
    assert all(unit.fired for unit in made.state.of("german"))


@rule("6.2.1.1.4-ow", "6.7.4.1.1-order")
def test_flak_that_shares_a_command_announces_together() -> None:
    made = battery(("wirbel", "1-E4"), ("tg_blitz", "1-D7"), dice=(1, 2, 3, 4))
    made.play("german", Pass())
    made.play("soviet", AirAttack(PLANE, "german-3", "strafe"))
    made.play("german", Flak("german-1", PLANE))
    quiet(made)
    fired = [event.units[0] for event in made.events if event.kind == "fired"]
    assert fired == [PLANE, "german-1", "german-2"]


@rule("6.5.1-a", "6.7.4")
def test_an_observer_fires_at_no_aircraft() -> None:
    made = sky(army(("wirbel", "1-D4")))
    made.state.change("german-1", command="overwatch")
    flying(made, "1-D8", 0)
    made.state.calls = (Call("german", "german-1", "german-9", "called"),)
    assert engaged(made) == "6.5.1-a"


@rule("6.7.4.1.1-track")
def test_an_aircraft_is_tracked_at_the_edge_or_after_some_hexes_in_sight() -> None:
    board = OPEN.replace("columns = 12", "columns = 12").split("'''")
    rows = ["." + " ." * 11 for _ in range(8)]
    rows[5] = ". . . w" + " ." * 8
    made = sky(army(("wirbel", "1-D4")), board="'''".join([board[0], "\n" + "\n".join(rows) + "\n", board[2]]))
    made.state.change("german-1", command="overwatch", facing=3)
    flying(made, "1-D8", 0)
    assert engaged(made) == "6.7.3.1.3"
    crossed(made, "1-D8", "1-D7", "1-D6")
    assert engaged(made) == "6.7.4.1.1-track"
    crossed(made, "1-D8", "1-D7", "1-D6", "1-D5")
    assert engaged(made) == "6.7.4.1.1-track"
    crossed(made, "1-D8", "1-D7", "1-D6", "1-D5", "1-D4")
    assert engaged(made) is None
    flying(made, "1-H8", 0)
    assert engaged(made) is None


@rule("6.7.4.1.1-sup")
def test_a_suppressed_unit_tracks_in_twice_as_many_hexes() -> None:
    rows = ["." + " ." * 11 for _ in range(8)]
    rows[6] = ". . . w" + " ." * 8
    board = OPEN.split("'''")
    made = sky(army(("wirbel", "1-D5")), board="'''".join([board[0], "\n" + "\n".join(rows) + "\n", board[2]]))
    made.state.change("german-1", command="overwatch", suppression="on")
    flying(made, "1-D8", 0)
    crossed(made, "1-D8", "1-D7", "1-D6", "1-D5", "1-D4")
    assert engaged(made) == "6.7.4.1.1-sup"
    crossed(made, "1-D8", "1-D7", "1-D6", "1-D5", "1-D4", "1-D3")
    assert engaged(made) is None


def behind_trees(unit: str, hex: str, *aircraft: str, woods: str = ". . . w") -> Game[Position]:
    """A German unit on overwatch, with woods in the sixth row of the map."""
    rows = ["." + " ." * 11 for _ in range(8)]
    rows[5] = woods + " ." * 8
    board = OPEN.split("'''")
    made = sky(army((unit, hex)), *aircraft, board="'''".join([board[0], "\n" + "\n".join(rows) + "\n", board[2]]))
    made.state.change("german-1", command="overwatch", facing=3)
    return made


@rule("6.7.4.1.1-sup")
@pytest.mark.parametrize(("last", "barred_by"), [("1-D4", None), ("1-D5", "6.7.4.1.1-sup")])
def test_a_unit_that_is_suppressed_after_it_has_tracked_an_aircraft_keeps_it(last: str, barred_by: str | None) -> None:
    """The woods in D6 hide D8 and D7 from D3: two hexes are flown in sight in D4, one in D5."""
    made = behind_trees("wirbel", "1-D3")
    flying(made, "1-D8", 0)
    way = ("1-D8", "1-D7", "1-D6", "1-D5", "1-D4", "1-D3")
    flown_so_far = way[: way.index(last) + 1]
    crossed(made, *flown_so_far)
    phase.announce(made, PLANE, "german-1", "strafe")
    made.state.change("german-1", suppression="on")
    phase.finish(made, made.state.units[PLANE])
    crossed(made, *flown_so_far, way[len(flown_so_far)])
    assert engaged(made) == barred_by


@rule("6.7.4.1.1-track", "6.7.2.3.2")
def test_a_dive_bomber_that_was_tracked_at_high_stays_tracked_at_low() -> None:
    """From High nothing hides the gun; from Low the woods would hide it from the first two hexes."""
    made = behind_trees("wirbel", "1-D4", "a_ju87d")
    flying(made, "1-D8", 0, "slow", "high")
    unit = crossed(made, "1-D8", "1-D7", "1-D6", "1-D5", attack=("dive bombs", "german-1"))
    phase.finish(made, unit)
    assert made.state.units[PLANE].airborne.altitude == "low"
    assert engaged(made) is None


@rule("6.7.4.1.1-order")
def test_units_inside_neither_track_nor_fire() -> None:
    made = sky(army(("wirbel", "1-D4")))
    made.state.change("german-1", command="overwatch")
    made.state.works["1-D4"] = (Work("improved position", holder="german-1"),)
    flying(made, "1-D8", 0)
    assert engaged(made) == "6.7.4.1.1-order"


@rule("6.7.4.1.2")
def test_towed_guns_fire_to_the_front_vehicles_all_round_and_some_not_high() -> None:
    made = sky(army(("t_37f", "1-D4"), ("ostwind", "1-D4"), ("wirbel", "1-D4")))
    for unit in made.state.of("german"):
        made.state.change(unit.id, command="overwatch", facing=0)
    flying(made, "1-D8", 0)
    assert [engaged(made, name) for name in ("german-1", "german-2", "german-3")] == ["6.7.4.1.2", None, None]
    made.state.change("german-1", facing=3)
    flying(made, "1-D8", 0, "slow", "high")
    assert [engaged(made, name) for name in ("german-1", "german-2", "german-3")] == [None, None, "6.7.4.1.2"]


@rule("7.16", "6.7.4.1.2")
@pytest.mark.parametrize(("options", "barred_by"), [((), "6.7.4.1.2"), (("7.16",), None)])
def test_a_gun_on_a_platform_turns_to_the_aircraft(options: tuple[str, ...], barred_by: str | None) -> None:
    made = sky(army(("t_20", "1-D4")), dice=(1,), options=options)
    assert made.state.units["german-1"].ground.platform_mount  # type: ignore[union-attr]
    made.state.change("german-1", command="overwatch", facing=0)
    flying(made, "1-D8", 0)
    assert engaged(made) == barred_by
    if not barred_by:
        flak.fire(made, "german-1", PLANE)
        assert made.state.units["german-1"].facing == 3


@rule("6.7.4.1.2", "7.8.3-status")
@pytest.mark.parametrize(("buttoned", "barred_by"), [(True, "6.7.4.1.2"), (False, None)])
def test_the_machine_gun_on_a_turret_fires_from_an_open_one(buttoned: bool, barred_by: str | None) -> None:
    made = sky(army(("pz4h", "1-D6")), options=("7.8",))
    made.state.change("german-1", command="overwatch", buttoned=buttoned)
    flying(made, "1-D8", 0)
    assert engaged(made) == barred_by


@rule("5.16.2.1", "5.16.2.4", "6.7.4.2-mod")
@pytest.mark.parametrize(("depot", "dice", "net"), [("1-A1", (7, 1), 0), ("1-A1", (6, 1), 10), ("1-D4", (1,), 10)])
def test_a_gun_away_from_its_ammunition_may_be_short_of_it(depot: str, dice: tuple[int, ...], net: int) -> None:
    """Rounds last with 6 or less; a shortage costs 10, and Low gives 10."""
    made = sky(army(("t_20", "1-D4")), dice=dice)
    made.state.change("german-1", command="overwatch", facing=3, depot=depot, transport="")
    flying(made, "1-D8", 0)
    flak.fire(made, "german-1", PLANE)
    (event,) = (event for event in made.events if event.kind == "fired")
    assert event.calibre == 20  # of the gun, a 2 cm FlaK
    assert event.calculation is not None
    assert event.calculation.modifier == net


@rule("6.5.4.2.4", "6.7.4.2-mod")
def test_the_roll_against_an_aircraft_has_its_defence_and_no_overwatch_modifier() -> None:
    made = sky(army(("wirbel", "1-D4")))
    made.state.change("german-1", command="overwatch")

    def net(speed: Speed, altitude: Altitude) -> int:
        flying(made, "1-D8", 0, speed, altitude)
        units = made.state.units
        found = flak.calculation(made.state, units["german-1"], units[PLANE])
        assert ("defence", 7) in {(line.kind, line.amount) for line in found.lines}
        return found.modifier

    assert [net("slow", "low"), net("slow", "medium"), net("fast", "medium"), net("fast", "low")] == [10, 0, -10, 0]


@rule("6.7.4.2-mod")
def test_high_flyers_are_harder_to_hit() -> None:
    made = sky(army(("ostwind", "1-D4")))
    made.state.change("german-1", command="overwatch")
    flying(made, "1-D8", 0, "slow", "high")
    assert flak.calculation(made.state, made.state.units["german-1"], made.state.units[PLANE]).modifier == -10


@rule("6.7.4.2-mod", "7.23.1", "7.57")
def test_broken_optics_and_a_small_crew_weigh_on_anti_aircraft_fire() -> None:
    """5 each, of GP fire in general; a crew counts with its option."""

    def net(*options: str, **values: object) -> int:
        made = sky(army(("wirbel", "1-D4")), options=options)
        made.state.change("german-1", command="overwatch", **values)
        flying(made, "1-D8", 0, "slow", "medium")
        return flak.calculation(made.state, made.state.units["german-1"], made.state.units[PLANE]).modifier

    crowded = replace(CHARTS.vehicles["wirbel"], crew_mark=True)
    assert net() == 0
    assert net(collateral=("optics",)) == -5
    assert net(kind=crowded) == 0
    assert net("7.57", kind=crowded, collateral=("optics",)) == -10


@rule("6.7.4.2-mod", "7.55.2-one")
def test_a_leader_helps_anti_aircraft_fire_as_other_gp_fire() -> None:
    made = sky(army(("wirbel", "1-D4")), options=("7.55",))
    rank = next(name for name, row in CHARTS.leaders.items() if row.gp)
    made.state.change("german-1", command="overwatch", leader=rank)
    flying(made, "1-D8", 0, "slow", "medium")
    found = flak.calculation(made.state, made.state.units["german-1"], made.state.units[PLANE])
    assert found.modifier == CHARTS.leaders[rank].gp


@rule("6.7.4.2.1-dmg", "6.7.4.2.1-elim")
def test_an_effective_roll_damages_when_it_ends_in_five_or_nought() -> None:
    assert [flak.outcome("effective", total, damaged=False) for total in (95, 100, 105, 101)] == [
        "damaged",
        "damaged",
        "damaged",
        "destroyed",
    ]
    assert flak.outcome("effective", 100, damaged=True) == "destroyed"
    assert flak.outcome("suppressed", 85, damaged=False) == "suppressed"


@rule("6.7.4.2.1-dmg")
def test_a_damaged_aircraft_flies_slow_from_now_on() -> None:
    made = sky()
    flying(made, "1-D8", 0, "fast", "low")
    flak.damage(made, PLANE)
    unit = made.state.units[PLANE]
    assert (unit.damaged, unit.airborne.speed) == (True, "slow")


@rule("6.7.4.2.1-elim")
@pytest.mark.parametrize(("altitude", "hex"), [("low", "1-D5"), ("high", "1-D2")])
def test_a_lost_aircraft_crashes_ahead_half_as_far_at_low(altitude: Altitude, hex: str) -> None:
    made = sky(army(("pz6", hex)), dice=(6 if altitude == "high" else 7, 96, 10))
    flying(made, "1-D8", 0, "slow", altitude)
    flak.shoot_down(made, PLANE)
    assert made.state.units[PLANE].status == "eliminated"
    assert made.state.units["german-1"].status == "eliminated"
    assert made.state.units[PLANE].hex is None


@rule("6.7.4.2.1-elim")
def test_a_crash_is_effective_against_any_vehicle_and_beyond_the_map_hits_nothing() -> None:
    made = sky(army(("pz6", "1-D6")), dice=(9,))
    unit = flying(made, "1-D6", 0, "slow", "medium")
    found = attacks.calculation(made.state, attacks.crash(unit, attacks.CRASH_FACTOR), made.state.units["german-1"])
    assert "destroyed" in found.outcomes
    assert [line.amount for line in found.lines if line.kind == "attack"] == [15]
    flak.shoot_down(made, PLANE)
    assert made.state.units["german-1"].status == "on the map"


def covered(made: Game[Position], hex: Hex, *names: str) -> None:
    """These Germans lie under a HIDDEN UNIT counter in a hex; without names it is a fake."""
    for name in names:
        made.state.change(name, hex=None, status="hidden")
    made.state.masks["mask"] = Mask("mask", "german", hex, names, laid=True)


@rule("6.7.4.2.1-elim", "7.2.2.3")
def test_a_crash_hits_every_unit_under_a_counter_in_its_hex() -> None:
    """At Low a roll of 7 leads three hexes on; both rolls of 1 and 100 are for the hidden units."""
    made = sky(army(("tg_blitz", "1-L4"), ("pz6", "1-A1"), ("pz6", "1-A1")), dice=(7, 100, 1, 1), options=("7.2",))
    covered(made, "1-D5", "german-2", "german-3")
    flying(made, "1-D8", 0, "slow", "low")
    flak.shoot_down(made, PLANE)
    fired = [(event.units[1], event.places) for event in made.events if event.kind == "fired"]
    assert fired == [("german-2", ("1-D5",)), ("german-3", ("1-D5",))]
    assert made.state.masks == {}
    assert made.state.units["german-1"].status == "on the map"


@rule("6.7.4.2.1-elim", "7.2.2.3")
def test_a_crash_next_to_a_counter_leaves_it_alone() -> None:
    made = sky(army(("tg_blitz", "1-L4"), ("pz6", "1-A1")), dice=(7,), options=("7.2",))
    covered(made, "1-D4", "german-2")
    flying(made, "1-D8", 0, "slow", "low")
    flak.shoot_down(made, PLANE)
    assert [*made.state.masks] == ["mask"]
    assert made.state.units["german-2"].status == "hidden"


@rule("6.7.3.2-pattern", "7.2.2.3")
@pytest.mark.parametrize(("hex", "targets"), [("1-D5", ["german-1", "german-2"]), ("1-D4", ["german-1"])])
def test_strafing_hits_units_under_a_counter_in_its_pattern(hex: Hex, targets: list[str]) -> None:
    """At Slow Speed the pattern is the hex of the target, D6, and the next one, D5."""
    made = sky(army(("tg_blitz", "1-D6"), ("g_sqd44", "1-A1")), dice=(1, 100, 1, 100), options=("7.2",))
    covered(made, hex, "german-2")
    flown(made, Enter(PLANE, "1-D8", 0), Level(PLANE, "slow", "low"), Fly(PLANE, "1-D7"))
    made.play("soviet", AirAttack(PLANE, "german-1", "strafe"))
    quiet(made)
    fired = [event.units for event in made.events if event.kind == "fired"]
    assert sorted(fired) == [(PLANE, name) for name in targets]
    assert (made.state.masks == {}) is ("german-2" in targets)


@rule("6.7.4.1.1-order", "6.7.4.2.1-sup")
def test_fire_announced_during_an_attack_comes_after_it() -> None:
    squads = army(("wirbel", "1-D4"), ("g_sqd44", "1-D6"))
    made = sky(squads, dice=(1, 40), commands={1: "overwatch"})
    flown(made, Enter(PLANE, "1-D8", 0), Level(PLANE, "slow", "low"), Fly(PLANE, "1-D7"))
    made.play("soviet", AirAttack(PLANE, "german-2", "strafe"))
    assert isinstance(made.stack[-1], AntiAircraft)
    made.play("german", Flak("german-1", PLANE))
    assert made.state.units["german-1"].revealed
    fired = [event.units[0] for event in made.events if event.kind == "fired"]
    assert fired == [PLANE, "german-1"]
    assert made.state.units[PLANE].suppression == "on"
    assert made.state.units["german-1"].fired


@rule("6.7.4.1.1-order")
def test_a_unit_that_the_attack_takes_out_does_not_fire_any_more() -> None:
    made = sky(army(("t_20", "1-D6")), dice=(100,), commands={1: "overwatch"})
    made.state.change("german-1", facing=3)
    flown(made, Enter(PLANE, "1-D8", 0), Level(PLANE, "slow", "low"), Fly(PLANE, "1-D7"))
    made.play("soviet", AirAttack(PLANE, "german-1", "strafe"))
    made.play("german", Flak("german-1", PLANE))
    assert made.state.units["german-1"].status == "eliminated"
    assert [event.kind for event in made.events if event.kind == "spent"] == ["spent"]


@rule("6.7.4")
def test_anti_aircraft_fire_stops_the_leg_and_is_no_target_for_overwatch() -> None:
    made = sky(army(("wirbel", "1-D4")), dice=(85,), commands={1: "overwatch"})
    made.play("soviet", Enter(PLANE, "1-D8", 0))
    made.play("soviet", Level(PLANE, "slow", "low"))
    made.play("german", Pass())
    made.play("soviet", Fly(PLANE, "1-D2"))
    made.play("german", Flak("german-1", PLANE))
    assert made.state.units[PLANE].airborne.hex == "1-D7"
    assert isinstance(made.stack[-1], Flying)
    flown(made, FlyOff(PLANE))
    while not isinstance(made.stack[-1], Overwatch) and made.stack[-1].step != "movement":
        made.play(made.asked()[0], EndStep())
    assert not isinstance(made.stack[-1], Overwatch)


# --- recovery [6.8.3.1]


@rule("6.8.3.1")
def test_aircraft_recover_by_their_grade_alone() -> None:
    made = sky()
    unit = replace(made.state.units[PLANE], suppression="off", under_fire=True, command="move", grade="veteran")
    found = recovery(made.state, unit)
    assert found.modifier == 0
    assert found.chances()["recovers"] * 100 == CHARTS.unit_grades["veteran"].recovery


@rule("6.8.3.1")
def test_the_suppression_of_an_aircraft_runs_its_course_like_that_of_others() -> None:
    made = sky("", dice=(10, 90, 1))
    made.state.change(PLANE, suppression="on")
    acts = (EndStep(), HandIn(), RollInitiative())
    for after in ("off", ""):
        turn = made.state.turn
        while made.state.turn == turn:
            seat = made.asked()[0]
            made.play(seat, next(act for act in acts if made.why_not(seat, act) is None))
        assert made.state.units[PLANE].suppression == after


@rule("5.4.1")
def test_every_card_has_the_weapons_that_it_counts() -> None:
    for card in CHARTS.aircraft.values():
        assert card.gpd.endswith("S")
        assert bool(card.strafes) == bool(card.strafe)
        assert not (card.dive_bomber and not card.slow_only)


# --- shown


@rule("6.7.2.3")
def test_an_aircraft_is_seen_over_its_hex_with_its_altitude_and_the_way_ahead() -> None:
    made = sky()
    (before,) = (unit for unit in made.view("german")["units"] if unit["id"] == PLANE)
    assert (before["place"], before["status"], before["type"]) == (None, "aloft", "aircraft")
    flown(made, Enter(PLANE, "1-D8", 0), Level(PLANE, "slow", "medium"), Fly(PLANE, "1-D3"))
    (unit,) = (unit for unit in made.view("german")["units"] if unit["id"] == PLANE)
    assert (unit["place"], unit["status"], unit["facing"]) == ("1-D3", "on the map", 0)
    assert "ME" in {badge["code"] for badge in unit["badges"]}
    assert "Il-2" in view.text(made.state)
    found = ways.reach(made.state, "soviet", unit=PLANE, frame=made.stack[-1])
    assert [place["place"] for place in found["places"]] == ["1-D2", "1-D1"]
    assert found["places"][0]["steps"] == [{"type": "Fly", "unit": PLANE, "to": "1-D2"}]
    assert ways.reach(made.state, "german", unit="german-1", frame=made.stack[-1]) == {"places": []}


@rule("6.7.3.2-pattern", "6.7.4")
def test_attacks_and_anti_aircraft_fire_are_shown_before_the_dice() -> None:
    made = sky(army(("wirbel", "1-D6"), ("g_sqd44", "1-D5")), commands={1: "overwatch"})
    made.play("soviet", Enter(PLANE, "1-D8", 0))
    made.play("soviet", Level(PLANE, "slow", "low"))
    shot = RULESET.preview(made.state, made.stack[-1], Flak("german-1", PLANE))
    assert shot == flak.calculation(made.state, made.state.units["german-1"], made.state.units[PLANE])
    assert RULESET.meant(made.state, "german", made.stack[-1], [PLANE]) == [
        Flak("german-1", PLANE),
        Flak("german-2", PLANE),
    ]
    made.play("german", Pass())
    flown(made, Fly(PLANE, "1-D7"))
    found = RULESET.preview(made.state, made.stack[-1], AirAttack(PLANE, "german-1", "strafe"))
    assert isinstance(found, Cases)
    assert [name for name, _ in found.cases] == ["Wirbelwind 1", made.state.units["german-2"].name]
    assert Fly(PLANE, "1-D6") in RULESET.meant(made.state, "soviet", made.stack[-1], ["1-D6"])


@rule("6.7.4")
def test_standing_orders_answer_for_anti_aircraft_units() -> None:
    made = sky(army(("wirbel", "1-D6")), commands={1: "overwatch"})
    made.play("soviet", Enter(PLANE, "1-D8", 0))
    made.play("soviet", Level(PLANE, "slow", "low"))
    frame, choices = made.stack[-1], made.choices("german")

    def answered(orders: Orders) -> object:
        return RULESET.answer(made.state, "german", frame, orders, choices, [])

    assert answered(Orders(fire="never")) == Pass()
    assert answered(Orders(fire="always")) == Flak("german-1", PLANE)
    assert answered(Orders(least_chance=100)) == Pass()
    assert isinstance(answered(Orders()), Ask)


def test_greedy_flies_at_the_best_target_and_its_flak_answers() -> None:
    made = sky(army(("wirbel", "1-C4"), ("pz4h", "1-D4")), commands={1: "overwatch"})
    greedy, rng, seen = players()["greedy"], random.Random(0), set()
    made.dice = Dice(bytes(32))
    while not isinstance(made.stack[-1], DirectFireStep):
        seat = made.asked()[0]
        action = greedy.choose(made, seat, rng)
        seen.add(type(action))
        made.play(seat, action)
    assert {Enter, Level, AirAttack, Flak, FlyOff} <= seen
