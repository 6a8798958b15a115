"""Morale [7.1], Tank Fright [7.6], and the chain of command [7.3, 7.4, 7.52, 7.57]."""

from __future__ import annotations

import pytest

from opfire.core.errors import BadInput
from opfire.core.game import Game
from opfire.rulesets.panzer import control, span
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.commands import Command, HandIn
from opfire.rulesets.panzer.fire import hits
from opfire.rulesets.panzer.fire.close_combat import Assault, Close, CloseCombatStep
from opfire.rulesets.panzer.fire.direct_fire import Keep
from opfire.rulesets.panzer.fire.losses import knock_out
from opfire.rulesets.panzer.fire.resolving import apply, fire
from opfire.rulesets.panzer.morale import checks, cohesion
from opfire.rulesets.panzer.moving.going import Move, Stay, halvings
from opfire.rulesets.panzer.moving.swimming import sink
from opfire.rulesets.panzer.moving.transport import Dismount, Mount
from opfire.rulesets.panzer.pieces import Position, at_arms
from opfire.rulesets.panzer.sequence import RollInitiative
from opfire.rulesets.panzer.sighting.spots import conditions
from opfire.rulesets.panzer.works.fires import consume
from rules.panzer.battle import OPEN, game, refused, text, told
from rules.panzer.kit import CHARTS, rule
from rules.panzer.moves import FAR, army, marching, tried

FOUR = army(("pz4h", "1-A4"), ("pz4h", "1-A5"), ("pz4h", "1-B4"), ("g_sqd44", "1-B5"))


def formed(body: str = "", units: str = FOUR, more: str = "") -> str:
    """Germans with one formation, of which the body says more."""
    numbers = "units = { pz4h = 3, g_sqd44 = 1 }" if units is FOUR else ""
    return f'{more}\n{units}\n[[sides.german.formations]]\nname = "1."\ngrade = "seasoned"\n{numbers}\n{body}\n'


def battle(
    german: str = "", options: tuple[str, ...] = ("7.1",), dice: tuple[int, ...] = (), soviet: str = FAR
) -> Game[Position]:
    """A battle of the Advanced Game with morale; the Soviets are far away."""
    return game(text(german=german or formed(), soviet=soviet, options=("AG", *options)), dice)


def bled(made: Game[Position]) -> Game[Position]:
    """The Germans have lost two of their four combat units: their Cohesion Point is 2."""
    assert cohesion.point(made.state, "german-1") == 2
    for name in ("german-2", "german-3"):
        made.state.lift(name, "eliminated")
    return made


# --- the Cohesion Point [7.1.1]


@rule("7.1.1", "7.1.1.1-roll")
@pytest.mark.parametrize(("level", "units", "losses"), [("good", 23, 11), ("average", 4, 2), ("poor", 1, 1)])
def test_the_numeric_cohesion_point_reads_tens_and_units(level: str, units: int, losses: int) -> None:
    """The table is read like that of the Available Commands: 23 units are twice the tens and the column 3."""
    assert CHARTS.cohesion[level].number(units) == losses


@rule("7.1.1")
def test_a_scenario_names_the_level_of_a_formation() -> None:
    assert cohesion.point(battle(formed('cohesion = "superb"')).state, "german-1") == 2
    assert cohesion.point(battle(formed('cohesion = "weak"')).state, "german-1") == 1
    with pytest.raises(BadInput, match="cohesion 'sublime'"):
        battle(formed('cohesion = "sublime"'))


@rule("7.1.1.2")
def test_combat_units_count_as_losses_and_lorries_do_not() -> None:
    units = army(("pz4h", "1-A4"), ("tg_blitz", "1-A5"), ("g_sqd44", "1-B4"))
    state = battle(formed("units = { pz4h = 1, tg_blitz = 1, g_sqd44 = 1 }", units)).state
    assert cohesion.combat_units(state, "german-1") == 2
    state.lift("german-2", "eliminated")
    state.change("german-3", kind=CHARTS.legs["g_sqd44_h"])
    state.change("german-1", damaged=True, track_hit=True)
    assert cohesion.losses(state, "german-1") == 0
    state.lift("german-1", "eliminated")
    assert cohesion.losses(state, "german-1") == 1


@rule("7.1", "7.1.1.2")
def test_the_point_is_reached_when_losses_equal_it() -> None:
    made = battle()
    made.state.lift("german-2", "eliminated")
    assert not cohesion.reached(made.state, "german-1")
    made.state.lift("german-3", "eliminated")
    assert cohesion.reached(made.state, "german-1")


@rule("7.1.1.1-roll", "7.1.1.1-limit")
def test_the_level_is_rolled_at_the_first_loss_within_the_limits_of_the_army() -> None:
    """A German formation of 1944 listed as average goes up by two levels at most, a Soviet one by one."""
    for army_name, level in (("german 1944-45", "very good"), ("soviet 1943", "good")):
        made = battle(formed(more=f'army = "{army_name}"'), ("7.1", "7.1.1.1"), (100,))
        knock_out(made, made.state.units["german-2"], brews_up=False)
        assert made.state.cohesion == {"german-1": level}
    low = battle(formed(more='army = "soviet 1943"'), ("7.1", "7.1.1.1"), (1,))
    knock_out(low, low.state.units["german-2"], brews_up=False)
    assert low.state.cohesion == {"german-1": "poor"}
    assert cohesion.modifier(CHARTS, "soviet 1941", "elite") == 0
    assert [cohesion.level_of(CHARTS, net) for net in (111, 110, 51, 5, -40)] == [
        "superb",
        "excellent",
        "average",
        "poor",
        "poor",
    ]


# --- modifiers [7.1.4]


def net(made: Game[Position], forced: bool = False, **values: object) -> int:
    unit = made.state.change("german-1", **values)
    return checks.calculation(made.state, unit, forced=forced).modifier


@rule("7.1.4-proc", "7.1.4-grade", "7.1.4-state", "7.1.4-forced", "7.1.4-action")
@pytest.mark.parametrize(
    ("values", "amount"),
    [
        ({}, 0),
        ({"grade": "elite"}, 20),
        ({"grade": "veteran"}, 10),
        ({"grade": "regulars"}, -10),
        ({"grade": "green"}, -20),
        ({"suppression": "off"}, -20),
        ({"damaged": True, "damaged_part": "hull"}, -20),
        ({"suppression": "on", "damaged": True}, -40),
        ({"command": "overwatch"}, -20),
    ],
)
def test_grade_state_and_command_modify_a_check(values: dict[str, object], amount: int) -> None:
    assert net(battle(), **values) == amount
    assert net(battle(), forced=True, **values) == amount + 20


@rule("7.1.4-cover")
@pytest.mark.parametrize(("letter", "amount"), [("w", 0), ("W", 10), ("H", 20)])
def test_medium_and_heavy_cover_steady_a_unit(letter: str, amount: int) -> None:
    board = text().split('map = """')[1].split('"""')[0].replace("\n. . .", f"\n{letter} {letter} {letter}")
    squads = army(("g_sqd44", "1-A4"))
    state = game(text(board=board, german=squads, soviet=FAR, options=("AG", "7.1"))).state
    assert checks.calculation(state, state.units["german-1"], forced=False).modifier == amount


@rule("7.1.4-cmd", "7.4.4")
def test_an_unbroken_command_unit_in_range_helps() -> None:
    made = battle(formed("labels = { CHQ = { g_sqd44 = 1 } }"))
    assert net(made) == 0  # two hexes away: Command Range 1
    made.state.put("german-4", "1-A5")
    assert net(made) == 20
    made.state.change("german-4", suppression="on", morale="hesitating")
    assert net(made) == 20
    made.state.change("german-4", morale="broken")
    assert net(made) == -10  # and a broken comrade in Command Range


@rule("7.4.4", "7.4")
def test_without_a_radio_the_command_unit_has_to_be_in_the_hex() -> None:
    made = battle(formed("labels = { CHQ = { g_sqd44 = 1 } }"), ("7.1", "7.4"))
    assert CHARTS.vehicles["t38"].no_radio
    made.state.put("german-4", "1-A5")
    assert net(made, kind=CHARTS.vehicles["t38"]) == 0
    made.state.put("german-4", "1-A4")
    assert net(made) == 20


@rule("7.1.4-broken")
def test_broken_comrades_in_command_range_weigh() -> None:
    made = battle()
    made.state.change("german-2", morale="broken")
    assert net(made) == -10
    made.state.put("german-2", "1-A7")
    assert net(made) == 0


@rule("7.1.4-enemy")
@pytest.mark.parametrize(("at", "amount"), [("1-C3", -20), ("1-D3", -10), ("1-F2", -10), ("1-G2", 0)])
def test_spotted_enemies_frighten(at: str, amount: int) -> None:
    made = battle(soviet=f'units = [{{ unit = "t34_43", at = ["{at}"] }}]')
    assert made.state.spots["soviet-1"]
    assert net(made) == amount


# --- the check [7.1.4-proc], its triggers [7.1.2, 7.1.3]


@rule("7.1.4-proc")
@pytest.mark.parametrize(("roll", "state"), [(15, "broken"), (16, "hesitating"), (35, "hesitating"), (36, "")])
def test_a_check_breaks_or_makes_hesitate_by_the_row_of_the_nation(roll: int, state: str) -> None:
    made = bled(battle(dice=(roll,)))
    checks.check(made, "german-1", "attacked")
    unit = made.state.units["german-1"]
    assert (unit.morale, unit.shaken) == (state, bool(state))


@rule("7.1.4-proc")
def test_a_broken_unit_that_hesitates_stays_as_it_is() -> None:
    made = battle()
    made.state.change("german-1", morale="broken", shaken=False)
    checks.take(made, "german-1", "hesitates")
    assert (made.state.units["german-1"].morale, made.state.units["german-1"].shaken) == ("broken", False)
    checks.take(made, "german-1", "breaks")
    assert made.state.units["german-1"].shaken


@rule("7.1.2", "7.1.3")
@pytest.mark.parametrize(
    ("trigger", "forced"),
    [
        ("moved", False),
        ("attacked", False),
        ("assaulted", False),
        ("vehicle burns", False),
        ("overrun", True),
        ("flamed", True),
        ("command lost", True),
        ("comrade lost", True),
    ],
)
def test_some_events_force_a_check_before_the_cohesion_point(trigger: checks.Trigger, forced: bool) -> None:
    """A roll of 1 breaks unless +20 for a forced check makes it 21: it hesitates."""
    steady = battle(dice=(1,))
    checks.check(steady, "german-1", trigger)
    assert steady.state.units["german-1"].morale == ("hesitating" if forced else "")
    shaken = bled(battle(dice=(1,)))
    checks.check(shaken, "german-1", trigger)
    assert shaken.state.units["german-1"].morale == "broken"


@rule("7.1.3")
def test_buildings_keep_an_overrun_from_forcing_a_check() -> None:
    board = text().split('map = """')[1].split('"""')[0].replace("\n. . .", "\nB B .")
    made = game(text(board=board, german=army(("g_sqd44", "1-A4")), soviet=FAR, options=("AG", "7.1")), (1,))
    checks.check(made, "german-1", "overrun")
    assert made.state.units["german-1"].morale == ""


@rule("7.1.2")
def test_a_move_out_of_the_hex_calls_for_a_check_at_its_end() -> None:
    """Loss of all but two units; -20 for the command: a roll of 35 breaks."""
    made = marching(formed(), {1: "move"}, options=("7.1",), dice=(35,), facing=0)
    bled(made)
    assert tried(made, Move("german-1", "1-A3")) is None
    assert made.state.units["german-1"].morale == ""
    assert tried(made, Stay("german-1")) is None
    assert made.state.units["german-1"].morale == "broken"


@rule("7.1.2")
def test_a_brew_up_in_the_hex_and_the_loss_of_a_command_unit_call_for_checks() -> None:
    made = bled(battle(dice=(1,)))
    made.state.put("german-2", "1-A4")
    knock_out(made, made.state.units["german-2"], brews_up=True)
    assert made.state.units["german-1"].morale == "broken"
    led = battle(formed("labels = { CHQ = { pz4h = 1 } }"), dice=(1, 1, 100))
    led.state.put("german-4", "1-A3")
    knock_out(led, led.state.units["german-1"], brews_up=False)
    assert [led.state.units[name].morale for name in ("german-2", "german-3", "german-4")] == [
        "hesitating",
        "hesitating",
        "",
    ]


@rule("7.1.2", "7.1.3")
@pytest.mark.parametrize("brews_up", [False, True])
def test_a_command_unit_that_is_lost_with_its_vehicle_is_missed_by_its_comrades(brews_up: bool) -> None:
    """Tank and squad are the two losses of the Cohesion Point: both tanks next to the wreck roll 1, and break."""
    made = battle(formed("labels = { CHQ = { g_sqd44 = 1 } }"), dice=(1, 1, 1))
    made.state.lift("german-4", "mounted")
    made.state.change("german-4", carrier="german-1")
    knock_out(made, made.state.units["german-1"], brews_up=brews_up)
    assert made.state.units["german-4"].status == "eliminated"
    assert [made.state.units[name].morale for name in ("german-1", "german-2", "german-3")] == [
        "",
        "broken",
        "broken",
    ]


@rule("7.1.2")
def test_a_command_unit_of_another_company_does_not_matter() -> None:
    two = formed("labels = { CHQ = { pz4h = 1 } }").replace("pz4h = 3", "pz4h = 1").replace(", g_sqd44 = 1", "")
    two += '[[sides.german.formations]]\nname = "2."\ngrade = "seasoned"\nunits = { pz4h = 2, g_sqd44 = 1 }\n'
    state = battle(two).state
    chief, other = state.units["german-1"], state.units["german-2"]
    assert not checks.in_chain(chief, other)
    assert checks.in_chain(state.change("german-1", labels=("BHQ",)), other)


# --- passengers [7.1.2, 7.1.3]: a half-track at B4 with a squad aboard, two tanks; their Cohesion Point is 2


def carried(*dice: int, labels: str = "") -> Game[Position]:
    """The Germans of that formation."""
    units = army(("pz4h", "1-A4"), ("pz4h", "1-A5"), ("h251_1", "1-B4"), ("g_sqd44", "h251_1"))
    body = "units = { pz4h = 2, h251_1 = 1, g_sqd44 = 1 }\n" + labels
    made = battle(formed(body, units), dice=dice)
    assert cohesion.point(made.state, "german-1") == 2
    assert made.state.units["german-4"].carrier == "german-3"
    return made


@rule("7.1.2")
def test_passengers_check_when_a_vehicle_burns_beside_theirs() -> None:
    made = carried(1, 1)
    made.state.lift("german-1", "eliminated")
    made.state.put("german-2", "1-B4")
    knock_out(made, made.state.units["german-2"], brews_up=True)
    assert [made.state.units[name].morale for name in ("german-3", "german-4")] == ["broken", "broken"]


@rule("7.1.2", "7.1.3")
def test_passengers_miss_their_command_unit() -> None:
    """One loss of two forces checks: 1 and 20 are within the 35 of hesitation, and beyond the 15 of a break."""
    made = carried(1, 1, 1, labels="labels = { CHQ = { pz4h = 1 } }")
    knock_out(made, made.state.units["german-1"], brews_up=False)
    assert [made.state.units[f"german-{number}"].morale for number in (2, 3, 4)] == ["hesitating"] * 3


@rule("7.1.2", "7.1.3")
def test_a_command_unit_that_dies_aboard_is_missed() -> None:
    made = carried(1, 1, 1, labels="labels = { CHQ = { g_sqd44 = 1 } }")
    apply(made, "german-4", "eliminated", 0)
    assert made.state.units["german-4"].status == "eliminated"
    assert [made.state.units[f"german-{number}"].morale for number in (1, 2, 3)] == ["hesitating"] * 3


@rule("7.1.4-cmd", "7.1.4-broken")
def test_a_command_unit_aboard_steadies_its_comrades_and_a_broken_unit_aboard_does_not() -> None:
    state = carried(labels="labels = { CHQ = { g_sqd44 = 1 } }").state

    def amounts() -> dict[str, int]:
        tank = state.units["german-1"]
        return {line.rule: line.amount for line in checks.modifiers(state, tank, forced=False)}

    assert amounts() == {"7.1.4-cmd": 20}
    state.change("german-4", morale="broken")
    assert amounts() == {"7.1.4-broken": -10}


@rule("7.1.4-cover")
@pytest.mark.parametrize(("carrier", "amount"), [("german-3", 0), (None, 10)])
def test_passengers_are_in_the_alley_with_their_vehicle(carrier: str | None, amount: int) -> None:
    """Bricks are Medium Cover in combat, the alley is Light."""
    lines = OPEN.splitlines()
    lines[lines.index("hexes = '''") + 4] = ". B . . . . . . . . . ."
    units = army(("pz4h", "1-A4"), ("h251_1", "1-B4"), ("g_sqd44", "h251_1"))
    state = game(text(board="\n".join(lines), german=units, soviet=FAR, options=("AG", "7.1"))).state
    rider = state.change("german-3", carrier=carrier and "german-2", hex=None if carrier else "1-B4")
    rider = at_arms(state, rider.id)
    found = [line.amount for line in checks.modifiers(state, rider, forced=False) if line.rule == "7.1.4-cover"]
    assert found == ([amount] if amount else [])


@rule("7.1.2", "7.34")
def test_the_loss_of_a_command_unit_in_the_water_is_missed() -> None:
    made = carried(1, 1, labels="labels = { CHQ = { g_sqd44 = 1 } }")
    sink(made, "german-3")  # vehicle and passenger are gone before the two tanks roll
    assert [made.state.units[f"german-{number}"].morale for number in (1, 2)] == ["broken", "broken"]


@rule("7.1.2", "7.35.2")
def test_the_loss_of_a_command_unit_in_a_fire_is_missed() -> None:
    made = carried(1, 1, labels="labels = { CHQ = { g_sqd44 = 1 } }")
    consume(made, "1-B4")
    assert [made.state.units[f"german-{number}"].morale for number in (1, 2)] == ["broken", "broken"]


@rule("7.1.2", "5.1.3.4")
def test_passengers_check_when_a_rocket_strikes_at_them() -> None:
    """A rocket is at hand on 1, hits nothing on 100, and its blast does nothing on 1; both losses have happened."""
    made = carried(1, 100, 1, 1)
    for name in ("german-1", "german-2"):
        made.state.lift(name, "eliminated")
    state = made.state
    rocket = state.change("soviet-1", kind=CHARTS.legs["g_sqd44"], weapons=("pzf60",), hex="1-B5")
    state.spots = {name: tuple(state.units) for name in state.units}
    fire(made, rocket.id, "german-3", "pzf60 HEAT")
    assert made.state.units["german-4"].morale == "broken"


# --- effects [7.1.5] and recovery [7.1.6]


@rule("7.1.5.1", "7.1.5.2", "7.39")
@pytest.mark.parametrize(
    ("state", "amounts"), [("hesitating", [-3, -10, -10, -1, -10]), ("broken", [-5, -20, -20, -2, -20])]
)
def test_hesitating_and_broken_units_do_worse(state: str, amounts: list[int]) -> None:
    made = battle()
    unit = made.state.change("german-1", morale=state)
    of = ("ap", "gp", "hand_to_hand", "response", "bail_out")
    assert [line.amount for what in of for line in checks.effect(made.state, unit, what)] == amounts  # type: ignore[arg-type]
    assert hits.bail_out(made.state, unit, "tk").modifier == amounts[-1]


@rule("7.1.5.2")
def test_broken_units_are_inactive_spot_badly_and_move_at_half_speed() -> None:
    state = battle().state
    assert len(control.active(state, "german-1")) == 4
    unit = state.change("german-1", morale="broken")
    assert len(control.active(state, "german-1")) == 3
    assert halvings(unit) == 1
    assert sum(line.amount for line in conditions(state, unit, state.units["soviet-1"])) == -2
    assert halvings(state.change("german-1", morale="hesitating")) == 0


@rule("7.1.5.1", "7.1.5.2")
@pytest.mark.parametrize("state", ["hesitating", "broken"])
def test_a_move_turns_the_counter_to_on(state: str) -> None:
    made = marching(formed(), {1: "move"}, options=("7.1",), morale=state)
    assert tried(made, Stay("german-1")) is None
    assert made.state.units["german-1"].shaken


def adjusted(made: Game[Position]) -> Game[Position]:
    """The battle after its first Adjustment Phase."""
    for side in ("german", "soviet"):
        made.play(side, HandIn())
    made.play(made.asked()[0], RollInitiative())
    while made.state.turn == 1:
        made.play(made.asked()[0], EndStep())
    return made


@rule("7.1.6.1", "7.1.6.2", "6.8.4")
def test_off_counters_come_off_and_on_ones_are_turned() -> None:
    """A roll of 51 recovers a broken unit, whatever its grade; one that is ON waits a turn."""
    made = battle(dice=(10, 90, 51, 50))
    made.state.change("german-1", morale="broken")
    made.state.change("german-2", morale="broken")
    made.state.change("german-3", morale="hesitating")
    made.state.change("german-4", morale="hesitating", shaken=True)
    made.state.put("german-2", "1-H8")
    adjusted(made)
    assert [made.state.units[f"german-{n}"].morale for n in (1, 2, 3, 4)] == ["", "broken", "", "hesitating"]
    assert not made.state.units["german-4"].shaken


@rule("7.1.6.2")
def test_recovery_has_the_modifiers_of_a_check() -> None:
    made = battle()
    unit = made.state.change("german-1", morale="broken", grade="elite")
    chances = checks.recovery(made.state, unit).chances()
    assert chances["recovers"] * 100 == 70


# --- Tank Fright [7.6]


@rule("7.6")
@pytest.mark.parametrize(
    ("roll", "dares", "suppression"), [(16, True, ""), (15, False, "off"), (1, False, "off"), (None, True, "")]
)
def test_leg_units_need_courage_to_assault_tanks(roll: int | None, dares: bool, suppression: str) -> None:
    """A Forced Morale Check has +20: a German stands from a roll of 16 on; an enemy next to it does not count."""
    near = 'units = [{ unit = "t34_43", at = ["1-C5"] }]'
    made = battle(options=("7.1", "7.6") if roll else ("7.1",), dice=(roll,) if roll else (), soviet=near)
    assert checks.dares(made, "german-4") == dares
    assert made.state.units["german-4"].suppression == suppression


@rule("7.6")
def test_a_unit_that_would_break_is_suppressed_on() -> None:
    made = battle(options=("7.1", "7.6"), dice=(15,))
    made.state.change("german-4", grade="green", suppression="")
    assert not checks.dares(made, "german-4")
    assert made.state.units["german-4"].suppression == "on"


# --- platoons and radios [7.3, 7.4.2]


def sheet(*leaders: int) -> HandIn:
    """Everybody on overwatch; each number is the unit whose command is shared, itself for its own."""
    return HandIn(
        tuple(
            Command(f"german-{n}", "overwatch", "" if leader == n else f"german-{leader}")
            for n, leader in enumerate(leaders, 1)
        )
    )


PLATOONS = "platoons = [{ pz4h = 2 }, { pz4h = 1, g_sqd44 = 1 }]"


@rule("7.3")
def test_units_share_commands_within_their_platoon_or_with_command_units() -> None:
    made = battle(formed(PLATOONS), ("7.3",))
    assert [made.state.units[f"german-{n}"].platoon for n in (1, 2, 3, 4)] == ["1. 1", "1. 1", "1. 2", "1. 2"]
    assert refused(made, "german", sheet(1, 1)) is None
    assert refused(made, "german", sheet(1, 2, 1)) == "7.3"
    assert refused(battle(formed(PLATOONS), ()), "german", sheet(1, 2, 1)) is None
    chief = battle(formed(PLATOONS + "\nlabels = { CHQ = { pz4h = 1 } }"), ("7.3",))
    assert refused(chief, "german", sheet(1, 2, 1)) is None


@rule("7.4", "7.4.2")
def test_a_platoon_without_radios_shares_one_command_in_one_hex() -> None:
    tanks = army(("t38", "1-A4"), ("t38", "1-A4"), ("t38", "1-A5"))
    body = "units = { t38 = 3 }\nplatoons = [{ t38 = 3 }]"
    made = battle(formed(body, tanks, 'grade = "elite"'), ("7.4",))
    assert control.command_range(made.state, made.state.units["german-1"]) == 0
    assert refused(made, "german", sheet(1, 2)) == "7.4.2"
    assert refused(made, "german", sheet(1, 1)) == "7.4.2"  # the third is left out
    assert refused(made, "german", sheet(1, 1, 1)) == "6.2.1.1.3"
    made.state.change("german-3", track_hit=True)
    assert refused(made, "german", sheet(1, 1)) is None


# --- Command Span [7.52], crews [7.57]


def spread(hexes: tuple[str, str], labels: str, options: tuple[str, ...] = ("7.52",)) -> Position:
    """Two tanks, the first of them a headquarters."""
    tanks = army(("pz4h", hexes[0]), ("pz4h", hexes[1]))
    return battle(formed(f"units = {{ pz4h = 2 }}\nlabels = {labels}", tanks), options).state


@rule("7.52-chq")
@pytest.mark.parametrize(("at", "out"), [("1-K4", False), ("1-L4", True)])
def test_a_company_out_of_span_moves_with_half_of_its_commands(at: str, out: bool) -> None:
    state = spread(("1-A4", at), "{ CHQ = { pz4h = 1 } }")
    assert span.out_of_span(state, "german-1") == out
    refusal = span.too_many_moves(state, "german-1", 2, 3)
    assert (refusal is not None) == out
    assert span.too_many_moves(state, "german-1", 1, 3) is None
    assert span.too_many_moves(state, "german-1", 1, 1) is None


@rule("7.52-chq")
def test_a_company_that_has_lost_its_headquarters_is_out_of_span_for_good() -> None:
    state = spread(("1-A4", "1-A5"), "{ CHQ = { pz4h = 1 } }")
    assert not span.out_of_span(state, "german-1")
    state.lift("german-1", "eliminated")
    assert span.out_of_span(state, "german-1")


@rule("7.52-bhq", "7.52-rhq")
def test_lost_battalion_and_regimental_headquarters_cost_two_rows_each() -> None:
    for labels, rows in (("{ BHQ = { pz4h = 1 } }", 2), ("{ RHQ = { pz4h = 1 } }", 2)):
        state = spread(("1-A4", "1-A5"), labels)
        assert span.rows_down(state, "german-1") == 0
        state.lift("german-1", "eliminated")
        assert span.rows_down(state, "german-1") == rows
        assert span.commanded_as(state, "german-1") == "green"
        state.change("german-1", labels=("BHQ", "RHQ"))
        assert span.rows_down(state, "german-1") == 4
    assert span.rows_down(spread(("1-A4", "1-A5"), "{ CHQ = { pz4h = 1 } }"), "german-1") == 0


@rule("7.52-bhq", "7.52-radio", "7.57")
def test_a_company_headquarters_out_of_the_battalions_span_costs_two_rows() -> None:
    state = spread(("1-A4", "1-L4"), "{ BHQ = { pz4h = 1 } }")
    state.change("german-2", labels=("CHQ",))
    assert span.rows_down(state, "german-1") == 0
    state.change("german-1", morale="broken")
    assert span.rows_down(state, "german-1") == 2
    small = spread(("1-A4", "1-L4"), "{ BHQ = { pz4h = 1 } }", ("7.52", "7.57"))
    small.change("german-2", labels=("CHQ",))
    small.change("german-1", kind=CHARTS.vehicles["t70"])
    assert span.rows_down(small, "german-1") == 2  # 11 hexes: beyond 10


@rule("7.52-chq", "7.52-bhq")
@pytest.mark.parametrize(("carrier", "out"), [("1-K4", False), ("1-L4", True)])
def test_headquarters_aboard_vehicles_are_where_these_are(carrier: str, out: bool) -> None:
    tanks = army(("pz4h", "1-A4"), ("h251_1", carrier), ("g_chq", "h251_1"))
    body = "units = { pz4h = 1, h251_1 = 1, g_chq = 1 }\nlabels = { CHQ = { g_chq = 1 } }"
    state = battle(formed(body, tanks), ("7.52",)).state
    assert state.units["german-3"].carrier == "german-2"
    assert span.out_of_span(state, "german-1") == out
    state.change("german-1", labels=("BHQ",))
    assert span.rows_down(state, "german-1") == 0  # 11 hexes: within 20


@rule("7.52-radio")
def test_a_company_headquarters_without_a_radio_is_out_of_its_battalions_span() -> None:
    for options, rows in ((("7.52",), 0), (("7.52", "7.4"), 2)):
        state = spread(("1-A4", "1-A5"), "{ BHQ = { pz4h = 1 } }", options)
        mute = next(card for card in CHARTS.vehicles.values() if card.no_radio)
        state.change("german-2", labels=("CHQ",), kind=mute)
        assert span.rows_down(state, "german-1") == rows
        state.change("german-2", hex="1-A4")
        assert span.rows_down(state, "german-1") == 0


@rule("7.57")
def test_a_small_crew_as_headquarters_costs_a_command() -> None:
    for options, cost in (((), 0), (("7.57",), 1)):
        state = spread(("1-A4", "1-A5"), "{ CHQ = { pz4h = 1 } }", options)
        state.change("german-1", kind=CHARTS.vehicles["t70"])
        assert span.crowded_out(state, "german-1") == cost
        assert control.available(state, "german-1") == 1


# --- close combat


def closing(options: tuple[str, ...], dice: tuple[int, ...], target: str = "t34_43") -> Game[Position]:
    """A German squad with a Move command next to an enemy, at the Close Combat Step."""
    soviet = army((target, "1-B5"), (target, "1-B5"))
    made = battle(army(("g_sqd41", "1-B4")), options, (90, 10, *dice), soviet)
    made.play("german", HandIn((Command("german-1", "move"),)))
    made.play("soviet", HandIn())
    made.play(made.asked()[0], RollInitiative())
    while not isinstance(made.stack[-1], CloseCombatStep):
        made.play(made.asked()[0], EndStep())
    return made


@rule("7.6")
@pytest.mark.parametrize(("roll", "attacks"), [(36, True), (20, False)])
def test_a_squad_that_does_not_dare_makes_no_close_assault(roll: int, attacks: bool) -> None:
    """A command weighs -20, the Forced Check +20: a German stands from a roll of 36 on."""
    made = closing(("7.1", "7.6"), (roll, 1))
    made.play("german", Assault("german-1", "soviet-1"))
    made.play("german", Close())
    while made.stack[-1].step != "close combat":
        made.play(made.asked()[0], Keep())
    assert ("assaulted" in {event.kind for event in made.events}) == attacks
    assert (made.state.units["german-1"].suppression == "") == attacks


@rule("7.1.3")
def test_a_comrade_lost_hand_to_hand_frightens_the_others_in_the_hex() -> None:
    """The German half wins twice; the other half-squad in the hex rolls 1 with -20 for the enemy and +20: it breaks."""
    made = closing(("7.1",), (100, 1, 1), "s_sqd41_h")
    made.play("german", Assault("german-1", "soviet-1"))
    made.play("german", Close())
    while made.stack[-1].step != "close combat":
        made.play(made.asked()[0], Keep())
    assert made.state.units["soviet-1"].status == "eliminated"
    assert made.state.units["soviet-2"].morale == "broken"


# --- units that mount and dismount [7.1.2]: RULINGS.md R208

ABOARD = army(("tg_blitz", "1-A4"), ("g_sqd44", "tg_blitz"))
BESIDE = army(("tg_blitz", "1-A4"), ("g_sqd44", "1-A5"))


@rule("7.1.2", "6.6.7.1.1-dismount")
@pytest.mark.parametrize(("hex", "rolls"), [("1-A4", 0), ("1-A5", 1)])
def test_a_squad_that_dismounts_into_another_hex_has_moved_from_its_own(
    hex: str, rolls: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cohesion, "reached", lambda *_: True)
    made = marching(ABOARD, {1: "overwatch", 2: "overwatch"}, options=("7.1",), dice=(100,))
    made.play("german", Dismount("german-1", "german-2", hex, 0))
    assert len(told(made, "morale")) == rolls


@rule("7.1.2", "6.6.7.1.1-mount")
@pytest.mark.parametrize(("hex", "rolls"), [("1-A4", 0), ("1-A5", 1)])
def test_a_squad_that_mounts_from_another_hex_has_moved_from_its_own(
    hex: str, rolls: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cohesion, "reached", lambda *_: True)
    made = marching(BESIDE, {1: "overwatch", 2: "move"}, options=("7.1",), dice=(100,))
    made.state.put("german-2", hex)
    made.play("german", Mount("german-1", "german-2"))
    assert made.state.units["german-2"].carrier == "german-1"
    assert len(told(made, "morale")) == rolls
