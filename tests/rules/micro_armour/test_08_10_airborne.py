"""Airborne landings [8.10]: zones, paratroopers, gliders, command and surprise."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random

import pytest
from msgspec.structs import replace

from core import contract
from core.twins import Twins, play_all
from opfire.core import case
from opfire.core import scenario as scenarios
from opfire.core.actions import NOBODY, Action
from opfire.core.dice import scripted
from opfire.core.errors import BadInput
from opfire.core.game import SPECTATOR, Game
from opfire.core.places import Point
from opfire.rulesets.micro_armour import RULESET
from opfire.rulesets.micro_armour.airborne.landing import (
    GliderLandings,
    Gliders,
    LateLandings,
    Paratroopers,
    beside,
    new_commanders,
)
from opfire.rulesets.micro_armour.airborne.rolls import arrival, ground, location, results
from opfire.rulesets.micro_armour.airborne.surprise import gathering, surprise, win_back
from opfire.rulesets.micro_armour.airborne.zones import ChooseZone, LandingZones
from opfire.rulesets.micro_armour.charts import charts
from opfire.rulesets.micro_armour.close.close_assault import CloseAssault
from opfire.rulesets.micro_armour.cohesion import level
from opfire.rulesets.micro_armour.moving.movement import cannot_order
from opfire.rulesets.micro_armour.moving.transport import Load, cannot_load
from opfire.rulesets.micro_armour.pieces import Position, Work, WorkKind, adjacent
from opfire.rulesets.micro_armour.recovery import shaken
from opfire.rulesets.micro_armour.results import eliminate
from opfire.rulesets.micro_armour.sequence import FIRST_MOVES, GAME_TURN, roll_initiative
from opfire.rulesets.micro_armour.setup import Ready, SetUp
from opfire.rulesets.micro_armour.succession import TakeCommand, take, vacant
from opfire.space.squares import overlap
from rules.micro_armour.kit import GRENADIERS, RIFLES, at, fair, game, refused, rule, scripts, stand

PARAS, GLIDERMEN, SUPPORT, STAFF, MORTAR = (
    "us-paratrooper-43",
    "us-glider-infantry",
    "us-glider-support",
    "us-infantry-hq",
    "us-81mm-mortar-3",
)
TRUCK = "us-medium-truck-2-3-ton"
GUNS, LORRY = "sov-37mm-aag", "sov-med-truck-zis-5-3t"
DEPTH = 40000
"""The south edge of the table of the examples: 24 inches wide, 40 deep; the Americans sit there."""

TABLE = """
id = "test"
ruleset = "micro-armour"
title = "Test"
turns = 8
first = "american"
options = [{options}]
weather = [{weather}]
[table]
size = [24, 40]
{terrain}
[sides.american]
name = "Americans"
nation = "american"
facing = 0
cohesion = 17
surprised = {surprised}
{commands}
units = [{american}]
[[sides.american.landings]]
name = "Group 1"
by = "{by}"
units = {{ {units} }}
conditions = "{conditions}"
circumstances = [{circumstances}]
{where}
[sides.soviet]
name = "Soviets"
nation = "soviet"
facing = 180
cohesion = 13
units = [{soviet}]
[[zones]]
name = "west"
box = [1, 20, 20, 39]
"""
NIGHT = '"night", "anti-aircraft fire"'


def up(right: int, forward: int) -> Point:
    """The point of coordinates as the player in the south writes them."""
    return right * 1000, DEPTH - forward * 1000


def listed(stands: Iterable[tuple[str, str]]) -> str:
    """Stands of a type at a point, as a scenario lists them."""
    return ", ".join(f'{{unit = "{kind}", at = ["{place}"]}}' for kind, place in stands)


def landing(
    by: str = "parachute",
    units: str = f"{PARAS} = 3",
    dice: Iterable[int] = (),
    soviet: Iterable[tuple[str, str]] = (),
    american: Iterable[tuple[str, str]] = (),
    **more: str,
) -> Game[Position]:
    """A game in which the group of the example waits in the air over 1440, or 1625."""
    parts = {
        "options": "",
        "weather": "",
        "terrain": "",
        "surprised": "false",
        "commands": "",
        "conditions": "combat jump" if by == "parachute" else "poor spot",
        "circumstances": NIGHT,
        "where": 'place = "14,0"' if by == "parachute" else 'place = "16,15"\ntoward = "E"',
        **more,
    }
    text = TABLE.format(by=by, units=units, soviet=listed(soviet), american=listed(american), **parts)
    made = game_of(text)
    scripts(made, dice)
    return made


def game_of(text: str) -> Game[Position]:
    """A game of a scenario, before its first frame."""
    found = scenarios.parse(text, "test.toml")
    state, _ = RULESET.start(RULESET.set_up(found))
    return Game(RULESET, state, scripted(()), {side: side for side in found.sides})


def land(made: Game[Position], dice: Iterable[int], turn: int = 0) -> Game[Position]:
    """Let the first group come down with these dice."""
    made.stack = ()
    made.state.turn, made.state.initiative = turn, "american"
    group = made.state.setting.landings["american-landing-1"].group
    scripts(made, dice)
    made.push((Gliders if group.by == "glider" else Paratroopers)("american", "american-landing-1"))
    made.run()
    return made


# --- the examples of the book -------------------------------------------------------------------------------------


@rule("8.10.1.3-1", "8.10.1.3-2", "8.10.1.3-2pass", "8.10.1.3-2fail", "8.10.1.3-3a", "8.10.1.3-off", "8.10.1-ex")
def test_8_10_1_example_three_stands_jump_over_1440() -> None:
    # The bocage into which the third stand falls lies 8 inches east of the zone.
    bocage = 'areas = [{kind = "bocage", points = "21,0 23,0 23,2 21,2"}]'
    made = landing(terrain=bocage, where='place = "14,1"')
    first = [5, 12, 5, 5, 16]  # arrives; on target; south, 5/2 is 3 inches; clear, 16 + 2 fails: suppressed
    second = [5, 17, 2, 4, 5]  # arrives; 17 + 2 is off target; north-east, 4 + 5 inches: off the table
    third = [5, 17, 3, 4, 4, 10]  # arrives; off target; east, 8 inches: bocage, 10 + 2 passes: suppressed
    land(made, [*first, *second, *third])
    state = made.state
    assert at(state, "american-1") == (14000, 4000)
    assert state.units["american-1"].suppressed
    assert state.units["american-2"].status == "eliminated"
    assert at(state, "american-3") == (22000, 1000)
    assert state.units["american-3"].suppressed
    assert not state.units["american-3"].disorganized


FOR_EACH = [*[10, 16, 5, 4, 10, 5], *[18], *[17, 10, 11, 6], *[1, 3, 16]]
"""The dice of the example, glider by glider: to arrive, for the place, to land, after the last inch.

The first fails its place with 16 + 2 and drifts south, 4 + 3; with + 1 for darkness and + 1 for fire en route the 18 of
the second loses it; the last fails in bocage with 16 + 2: disorganized.
"""

FOR_THE_GROUP = [*[10, 18, 17, 1], *[16, 5, 4, 10, 3], *[10, 11, 16], *[5, 6]]
"""The same dice, step by step for the whole group."""


@rule("8.10.2.4-1", "8.10.2.4-2", "8.10.2.4-3", "8.10.2.4-4a", "8.10.2.4-4c", "8.10.2-ex")
@pytest.mark.parametrize(("options", "dice"), [("", FOR_EACH), ('"R66"', FOR_THE_GROUP)])
def test_8_10_2_example_four_gliders_land_at_1625(options: str, dice: list[int]) -> None:
    # One of the four is lost, the others close up; the first of them drifts 4 + 3 inches to the south, and the last
    # one lands in bocage.
    bocage = 'areas = [{kind = "bocage", points = "17.6,14.5 18.5,14.5 18.5,15.5 17.6,15.5"}]'
    made = land(landing("glider", f"{GLIDERMEN} = 2, {SUPPORT} = 2", terrain=bocage, options=options), dice)
    state = made.state
    assert state.units["american-2"].status == "eliminated"
    assert at(state, "american-1") == (16000, 21000)  # 7 inches south, then an inch forward to the north
    assert at(state, "american-3") == (17000, 14000)
    assert at(state, "american-4") == (18000, 15000)
    assert [state.units[name].disorganized for name in ("american-1", "american-3", "american-4")] == [
        False,
        False,
        True,
    ]
    assert not any(state.units[name].suppressed for name in ("american-1", "american-3", "american-4"))


# --- the rolls ----------------------------------------------------------------------------------------------------


@rule("8.10.1.3-1")
@pytest.mark.parametrize(
    ("circumstances", "soviet", "added"),
    [
        ("", [], 0),
        ('"night", "clouds", "small transports"', [], 3),
        ('"anti-aircraft fire"', [(GUNS, "3,38")], 1),
        ("", [(GUNS, "3,38")], 1),
    ],
)
def test_8_10_1_3_the_roll_to_arrive_counts_what_disturbs_the_flight(
    circumstances: str, soviet: list[tuple[str, str]], added: int
) -> None:
    made = landing(soviet=soviet, circumstances=circumstances).state
    roll = arrival(made, made.setting.landings["american-landing-1"], (14000, 0))
    assert roll.modifier == added
    assert [roll.result([number]) for number in (19 - added, 20 - added)] == ["arrives", "lost"]


@rule("8.10.1.3-2")
@pytest.mark.parametrize(
    ("circumstances", "gun", "added"),
    [
        ('"night"', "", 2),
        ('"clouds"', "", 1),
        ('"daylight"', "", -2),
        ('"guides"', "", -1),
        ("", "14,12", 1),
        ("", "14,13", 0),
    ],
)
def test_8_10_1_3_the_location_roll_counts_guns_in_range_and_guides(circumstances: str, gun: str, added: int) -> None:
    made = landing(soviet=[(GUNS, gun)] if gun else [], circumstances=circumstances).state
    unit = made.units["american-1"]
    assert location(made, made.setting.landings["american-landing-1"], unit, (14000, 0)).modifier == added


@rule("8.10.2.4-2", "8.10.2.4-3")
def test_8_10_2_4_gliders_have_modifiers_of_their_own() -> None:
    made = landing("glider", f"{GLIDERMEN} = 2", soviet=[(GUNS, "3,38")], circumstances='"clouds", "guides"').state
    group, unit = made.setting.landings["american-landing-1"], made.units["american-1"]
    assert arrival(made, group, (16000, 15000)).modifier == 0  # guns on the table do not count: + 1 and - 1
    assert location(made, group, unit, (16000, 15000)).modifier == 1  # any gun on the table
    assert location(made, group, unit, (3000, 38000)).modifier == 1


@rule("8.10.1.3-1", "8.10.1.3-2", "8.10.2.4-3", "8.4.9")
def test_8_10_a_gun_in_tow_is_on_the_table_but_does_not_fire() -> None:
    for by, arrives, on_target in (("parachute", 1, 0), ("glider", 0, 1)):
        made = landing(by, f"{GLIDERMEN} = 1", soviet=[(LORRY, "14,2"), (GUNS, "14,3")], circumstances="").state
        stand(made, "soviet-2", carrier="soviet-1", at=(14000, 2000))
        stand(made, "soviet-1", cargo=("soviet-2",))
        group, unit = made.setting.landings["american-landing-1"], made.units["american-1"]
        assert arrival(made, group, (14000, 0)).modifier == arrives
        assert location(made, group, unit, (14000, 0)).modifier == on_target
        made.put("american-1", (14000, 1000))
        assert ground(made, group, made.units["american-1"]).modifier == 0


@rule("8.10.1.3-3a", "8.10.2.4-4a")
@pytest.mark.parametrize("by", ["parachute", "glider"])
def test_8_10_1_3_the_landing_roll_counts_night_and_guns_in_range(by: str) -> None:
    made = landing(by, f"{GLIDERMEN} = 1", soviet=[(GUNS, "14,12")]).state
    made.put("american-1", (14000, 2000))
    unit = made.units["american-1"]
    assert ground(made, made.setting.landings["american-landing-1"], unit).modifier == 3


@rule("8.10.1.3-1", "8.10.1.3-2", "8.10.1.3-3a", "8.10.2.4-2", "8.10.2.4-3", "8.10.2.4-4a")
@pytest.mark.parametrize(
    ("by", "rules"),
    [
        ("parachute", ["8.10.1.3-1", "8.10.1.3-2", "8.10.1.3-3a"]),
        ("glider", ["8.10.2.4-2", "8.10.2.4-3", "8.10.2.4-4a"]),
    ],
)
def test_8_10_the_three_rolls_of_a_stand_in_the_air_name_the_rules_of_its_aircraft(by: str, rules: list[str]) -> None:
    made = landing(by, f"{GLIDERMEN} = 1").state
    unit = made.put("american-1", (14000, 2000))
    group, there = made.setting.landings["american-landing-1"], (14000, 2000)
    rolls = arrival(made, group, there), location(made, group, unit, there), ground(made, group, unit)
    assert [roll.rule for roll in rolls] == rules


@rule("8.10.1.3-2nat")
def test_8_10_1_3_a_natural_1_lands_on_the_zone() -> None:
    made = land(landing(units=f"{PARAS} = 1", where='place = "14,5"'), [1, 1, 3])
    assert at(made.state, "american-1") == (14000, 5000)


@rule("8.10.1.3-2fail")
@pytest.mark.parametrize(
    ("conditions", "dice", "inches"),
    [("milk run", [11], 6), ("combat jump", [3, 4], 7), ("hot combat jump", [1, 2, 3, 4], 10)],
)
def test_8_10_1_3_off_target_the_conditions_give_the_distance(conditions: str, dice: list[int], inches: int) -> None:
    made = landing(units=f"{PARAS} = 1", conditions=conditions, where='place = "10,20"')
    land(made, [1, 20, 3, *dice, 1])
    assert at(made.state, "american-1") == (10000 + 1000 * inches, 20000)


@rule("8.10.2.4-3")
@pytest.mark.parametrize(
    ("conditions", "dice", "inches"), [("milk run", [5], 5), ("poor spot", [5], 8), ("SNAFU", [2, 1], 7)]
)
def test_8_10_2_4_off_target_gliders_drift_by_their_own_table(conditions: str, dice: list[int], inches: int) -> None:
    made = landing("glider", f"{GLIDERMEN} = 1", conditions=conditions, where='place = "10,20"')
    land(made, [1, 20, 3, *dice, 20])
    assert at(made.state, "american-1") == (10000 + 1000 * inches, 20000)


@rule("8.10.2.4-3")
def test_8_10_2_4_gliders_off_the_table_are_lost() -> None:
    made = land(landing("glider", f"{GLIDERMEN} = 1", where='place = "10,4"'), [1, 20, 1, 8])
    assert made.state.units["american-1"].status == "eliminated"


@rule("8.10.1.3-1", "8.10.2.4-2")
@pytest.mark.parametrize("by", ["parachute", "glider"])
def test_8_10_a_stand_without_enough_transports_is_lost(by: str) -> None:
    made = land(landing(by, f"{GLIDERMEN} = 1"), [18])
    assert made.state.units["american-1"].status == "eliminated"


# --- terrain ------------------------------------------------------------------------------------------------------


@rule("8.10.1.3-3a", "8.10.2.4-4a")
def test_8_10_1_3_the_landing_chart_as_it_is_printed() -> None:
    chart = charts().landing_terrain
    printed = {
        "clear": "- S - S", "jungle": "S D D E", "woods": "S D D E", "grove": "S D S D", "gravel": "- S - S",
        "rock": "S D D E", "mud": "S D D E", "depression": "S D D E", "gentle-slope": "- S - S",
        "steep-slope": "D E D E", "hilltop": "- S - S", "crest": "- S - S", "bocage": "S D S D", "rough-1": "S D S D",
        "rough-2": "S D D E", "rough-3": "D E D E", "light-buildings": "S D S D", "medium-buildings": "S D D E",
        "heavy-buildings": "S D D E", "rubble": "S D D E", "smoke": "D E E E", "impact": "E E E E", "wire": "S D D E",
        "mines": "S D D E", "ditch": "- S D E", "wreck": "- S - S", "water": "E E E E", "river": "E E E E",
        "stream": "D E D E", "ford": "D E D E", "marsh": "D E E E",
    }  # fmt: skip
    found = {name: " ".join((*row.results("parachute"), *row.results("glider"))) for name, row in chart.items()}
    assert found == printed


STEEP = 'hills = [{name = "H", contours = [{kind = "steep-slope", level = 1, points = "9,9 21,9 21,21 9,21"}]}]\n'


@rule("8.10.1.3-3a")
@pytest.mark.parametrize(
    ("terrain", "found"),
    [
        ('areas = [{kind = "woods", points = "10,10 20,10 20,20 10,20"}]', ("S", "D")),
        ('lines = [{kind = "good-road", points = "10,15 20,15"}]', ("-", "S")),
        ('lines = [{kind = "stream", points = "10,15 20,15"}]', ("D", "E")),
        (STEEP, ("D", "E")),
        (STEEP + 'areas = [{kind = "woods", points = "10,10 20,10 20,20 10,20"}]', ("S", "D")),
        (STEEP.replace("]}", ', {kind = "hilltop", level = 2, points = "12,12 18,12 18,18 12,18"}]}', 1), ("-", "S")),
        ("", ("-", "S")),
    ],
)
def test_8_10_1_3_the_terrain_at_the_centre_counts_and_roads_do_not(terrain: str, found: tuple[str, str]) -> None:
    made = landing(terrain=terrain).state
    made.put("american-1", (15000, 15000))
    assert results(made, "parachute", made.units["american-1"]) == found


GENTLE = STEEP.replace("steep-slope", "gentle-slope")
WOODS = 'areas = [{kind = "woods", points = "10,10 20,10 20,20 10,20"}]'


@rule("9.6.2-snow", "8.10.1.3-3a", "8.10.2.4-4a")
@pytest.mark.parametrize("weather", ["snow", "deep snow"])
@pytest.mark.parametrize(
    ("terrain", "markers", "found"),
    [
        ("", [], ("S", "D")),  # clear ground is rough terrain 1
        (GENTLE, [], ("S", "D")),
        ("", ["wreck"], ("S", "D")),
        ("", ["ditch"], ("D", "E")),  # the ditch is worse for a glider
        (WOODS, ["wreck"], ("D", "E")),  # snow in woods changes nothing
    ],
)
def test_9_6_2_in_snow_a_glider_lands_on_rough_terrain_1(
    weather: str, terrain: str, markers: list[WorkKind], found: tuple[str, str]
) -> None:
    made = landing("glider", f"{GLIDERMEN} = 1", terrain=terrain, weather=f'"{weather}"').state
    for kind in markers:
        made.lay(Work(kind, kind, (15000, 15000)))
    made.put("american-1", (15000, 15000))
    assert results(made, "glider", made.units["american-1"]) == found


@rule("8.10.1.3-3a", "8.10.2.4-4a", "9.2.1")
@pytest.mark.parametrize(
    ("markers", "jumper", "glider"),
    [
        (["wreck"], ("-", "S"), ("-", "S")),
        (["wreck", "wreck"], ("D", "E"), ("D", "E")),  # rough terrain 3
        (["ditch"], ("-", "S"), ("D", "E")),
        (["wire"], ("S", "D"), ("D", "E")),
        (["mines"], ("S", "D"), ("D", "E")),
        (["smoke"], ("D", "E"), ("E", "E")),
        (["impact"], ("E", "E"), ("E", "E")),
        (["smoke", "wreck"], ("D", "E"), ("E", "E")),
        (["rubble"], ("S", "D"), ("D", "E")),
        (["light position"], ("-", "S"), ("-", "S")),  # the terrain that it is in
    ],
)
def test_8_10_1_3_markers_are_terrain_to_land_on(
    markers: list[WorkKind], jumper: tuple[str, str], glider: tuple[str, str]
) -> None:
    made = landing().state
    for number, kind in enumerate(markers):
        made.lay(Work(f"{kind} {number}", kind, (15000, 15000)))
    made.put("american-1", (15000, 15000))
    unit = made.units["american-1"]
    assert (results(made, "parachute", unit), results(made, "glider", unit)) == (jumper, glider)


@rule("8.10.1.3-3a")
def test_8_10_1_3_nobody_survives_water_and_there_is_no_roll() -> None:
    water = 'areas = [{kind = "water", points = "10,10 20,10 20,20 10,20"}]'
    made = land(landing(units=f"{PARAS} = 1", terrain=water, where='place = "15,15"'), [1, 1])
    assert made.state.units["american-1"].status == "eliminated"


@rule("9.6.2-ice", "8.10.1.3-3a")
def test_9_6_2_a_stand_that_lands_on_ice_lands_on_rough_terrain_1() -> None:
    ice = 'lines = [{kind = "river", points = "10,15 20,15"}]'
    made = landing(terrain=ice, weather='"extreme cold"').state
    made.put("american-1", (15000, 15000))
    assert results(made, "parachute", made.units["american-1"]) == ("S", "D")


# --- occupied places ----------------------------------------------------------------------------------------------


@rule("8.10.1.3-3b")
def test_8_10_1_3_on_a_friend_the_stand_lands_beside_it_and_both_roll() -> None:
    made = landing(units=f"{PARAS} = 1", american=[(GRENADIERS, "14,5")], where='place = "14,5"')
    land(made, [1, 1, 1, 3, 18, 16])
    lander, other = made.state.units["american-2"], made.state.units["american-1"]
    assert lander.at == (15000, 5000)
    assert (lander.suppressed, other.suppressed) == (True, False)


@rule("8.10.1.3-3b")
def test_8_10_1_3_the_direction_is_rolled_again_while_the_place_is_taken() -> None:
    american = [(GRENADIERS, "14,5"), (GRENADIERS, "15,5")]
    made = landing(units=f"{PARAS} = 1", american=american, where='place = "14,5"')
    land(made, [1, 1, 1, 3, 7, 1, 1])
    assert at(made.state, "american-3") == (13000, 5000)


@rule("8.10.1.3-3c")
def test_8_10_1_3_a_steady_defender_eliminates_the_lander_and_is_suppressed() -> None:
    made = landing(units=f"{PARAS} = 1", soviet=[(RIFLES, "14,5")], where='place = "14,5"')
    land(made, [1, 1, 1, 13])
    assert made.state.units["american-1"].status == "eliminated"
    assert made.state.units["soviet-1"].suppressed


@rule("8.10.1.3-3c", "8.10.2.4-4b")
@pytest.mark.parametrize("by", ["parachute", "glider"])
def test_8_10_1_3_a_shaky_defender_assaults_the_stand_beside_it(by: str) -> None:
    made = landing(by, f"{PARAS} = 1", soviet=[(RIFLES, "14,5")], where='place = "14,5"')
    # The lander answers with 17; the defender dares with 13 and attacks.
    land(made, [1, 1, 1, 14, 3, 18, 13, 6, 6])
    assert at(made.state, "american-1") == (15000, 5000)
    assert not any(isinstance(frame, CloseAssault) for frame in made.stack)
    assert not made.state.units["soviet-1"].assaults


@rule("8.10.1.3-3b", "8.10.1.3-3c", "8.10.2.4-4b")
@pytest.mark.parametrize("facing", range(0, 90, 8))
def test_8_10_1_3_a_stand_that_lands_beside_another_touches_it_however_that_one_faces(facing: int) -> None:
    made = landing(units=f"{PARAS} = 1", soviet=[(RIFLES, "14,5")], where='place = "14,5"').state
    other = stand(made, "soviet-1", facing=facing)
    unit = made.put("american-1", (14000, 5000))
    for number in range(8):
        there = beside(made, unit, other, number)
        assert there is not None
        assert adjacent(replace(unit, at=there), other)
        assert not overlap(replace(unit, at=there).ring, other.ring)


@rule("8.10.2.4-4c")
def test_8_10_2_4_a_glider_that_is_shaken_or_blocked_stays() -> None:
    made = land(landing("glider", f"{GLIDERMEN} = 1", where='place = "14,5"'), [1, 1, 18])
    assert at(made.state, "american-1") == (14000, 5000)
    blocked = landing("glider", f"{GLIDERMEN} = 1", american=[(GRENADIERS, "14,5")], where='place = "14,5"')
    land(blocked, [1, 1, 1, 3, 1, 1])
    assert at(blocked.state, "american-2") == (15000, 5000)


@rule("8.10.2.4-4c", "8.10.2.4-4b")
def test_8_10_2_4_a_glider_that_runs_into_a_friend_lands_beside_it() -> None:
    made = landing("glider", f"{GLIDERMEN} = 1", american=[(GRENADIERS, "14,4")], where='place = "14,5"')
    land(made, [1, 1, 1, 1, 3, 1, 1])
    assert at(made.state, "american-2") == (15000, 4000)


@rule("8.10.2.4-4c", "8.10.2.4-4a")
@pytest.mark.parametrize(("die", "state"), [(15, "disorganized"), (16, "eliminated")])
def test_8_10_2_4_a_glider_that_runs_out_into_woods_lands_in_woods(die: int, state: str) -> None:
    woods = 'areas = [{kind = "woods", points = "10,0 20,0 20,4.5 10,4.5"}]'
    made = landing("glider", f"{GLIDERMEN} = 1", terrain=woods, where='place = "14,5"')
    land(made, [1, 1, 1, die])  # at night, with 2 more
    unit = made.state.units["american-1"]
    assert ("disorganized" if unit.disorganized else unit.status) == state
    if unit.at is not None:
        assert unit.at == (14000, 4000)


@rule("8.10.2.4-4c")
def test_8_10_2_4_a_glider_runs_out_to_the_edge_of_the_table_at_most() -> None:
    made = land(landing("glider", f"{GLIDERMEN} = 1", where='place = "14,1"'), [1, 1, 1, 1])
    assert at(made.state, "american-1") == (14000, 500)


@rule("8.10.1.3-3b", "8.10.1.3-3c")
def test_8_10_1_3_a_place_in_water_beside_a_stand_is_rolled_again() -> None:
    water = 'areas = [{kind = "water", points = "14.6,0 24,0 24,20 14.6,20"}]'
    made = landing(units=f"{PARAS} = 1", american=[(GRENADIERS, "14,5")], terrain=water, where='place = "14,5"')
    land(made, [1, 1, 1, 3, 7, 1, 1])  # the lake is to the east
    assert at(made.state, "american-2") == (13000, 5000)


@rule("8.10.2.4-4c", "8.10.2.4-4b")
def test_8_10_2_4_a_glider_that_runs_out_onto_an_enemy_is_lost_or_assaulted() -> None:
    def against(*dice: int) -> Position:
        made = landing("glider", f"{GLIDERMEN} = 1", soviet=[(RIFLES, "14,4")], where='place = "14,5"')
        return land(made, [1, 1, 1, 1, *dice]).state

    steady = against(13)
    assert steady.units["american-1"].status == "eliminated"
    assert steady.units["soviet-1"].suppressed
    shaky = against(14, 3, 18, 13, 6, 6)  # it lies to the east; the defender attacks it
    assert at(shaky, "american-1") == (15000, 4000)
    assert not shaky.units["soviet-1"].shaken


@rule("8.10.1.3-3a", "8.10.1.3-3c")
def test_8_10_1_3_on_an_occupied_position_the_terrain_counts_before_its_defender() -> None:
    """The chart has no row for a position; it sends one to the terrain that it lies in."""
    woods = 'areas = [{kind = "woods", points = "10,0 20,0 20,10 10,10"}]'
    made = landing(units=f"{PARAS} = 1", soviet=[(RIFLES, "14,5")], terrain=woods, where='place = "14,5"')
    made.state.lay(Work("trench", "light position", (14000, 5000), side="soviet"))
    made.stack = ()
    scripts(made, [1, 1, 16, 13])  # 16 and 2 for the night fail in the woods; the defender is steady
    made.push(Paratroopers("american", "american-landing-1"))
    made.run()
    events = [event.kind for event in made.events]
    assert events.index("disorganized") < events.index("eliminated")
    assert made.state.units["soviet-1"].suppressed


# --- when gliders land --------------------------------------------------------------------------------------------


def phases() -> list[str]:
    """The names of the phases of a turn."""
    return [phase.__name__ for phase in GAME_TURN.steps if isinstance(phase, type)]


@rule("8.10.2.3-when")
def test_8_10_2_3_gliders_land_between_plot_and_movement_in_their_turn() -> None:
    order = phases()
    assert order.index("JointPlot") < order.index("GliderLandings") < order.index("MovementOrders")
    made = landing("glider", f"{GLIDERMEN} = 1", where='place = "14,5"\nturn = 2')
    made.stack = ()
    made.state.turn, made.state.initiative = 1, "american"
    made.push(GliderLandings(""))
    made.run()
    assert made.state.units["american-1"].at is None
    made.state.turn = 2
    scripts(made, [1, 1, 18])
    made.push(GliderLandings(""))
    made.run()
    assert at(made.state, "american-1") == (14000, 5000)


@rule("8.10.2.3-when", "8.10.2.3-limits")
def test_8_10_2_3_the_example_of_two_battalions_in_turn_2_and_one_in_turn_8() -> None:
    """Both land before the orders of turn 2 are rolled for, and cannot be ordered in it; the third is still to come."""
    group = '[[sides.american.landings]]\nname = "{}"\nby = "glider"\nconditions = "milk run"\n'
    group += 'units = {{ {} = 2 }}\nplace = "{}"\nturn = {}\n'
    more = group.format("Group 2", GLIDERMEN, "4,20", 2) + group.format("Group 3", GLIDERMEN, "10,20", 8)
    made = landing(
        "glider",
        f"{GLIDERMEN} = 2",
        american=[(STAFF, "12,30")],
        soviet=[(RIFLES, "3,3")],
        where='place = "14,20"\nturn = 2\n' + more,
        commands=f'commands = [{{ unit = "{STAFF}", rank = "GHQ" }}]',
    )
    made.push(RULESET.start(made.state.setting)[1])
    fair(made, 1)  # everybody arrives
    made.run()
    landed: dict[int, list[tuple[str, str]]] = {}
    while made.stack:
        (side,) = made.asked()
        nothing = next(each for each in made.choices(side).of(NOBODY) if isinstance(each, Action))
        turn = made.state.turn
        for event in made.play(side, nothing):
            turn += event.kind == "turn"
            if event.kind in ("landing", "orders"):
                landed.setdefault(turn, []).append((event.kind, event.units[0]))
    landings = {turn: {unit for kind, unit in each if kind == "landing"} for turn, each in landed.items()}
    assert {turn: units for turn, units in landings.items() if units} == {
        2: {"american-2", "american-3", "american-4", "american-5"},
        8: {"american-6", "american-7"},
    }
    for turn in (2, 8):
        assert [kind for kind, _ in landed[turn]][-1] == "orders"


@rule("8.10.2.4-1")
def test_8_10_2_2_the_example_of_four_stands_at_1625_to_the_south() -> None:
    """ "Turn 3, Group 3 LZ = 1625 4S": the first at 1625, the others going south three more inches."""
    made = landing("glider", f"{GLIDERMEN} = 4", where='place = "16,15"\ntoward = "S"\nturn = 3')
    land(made, [1, 1, 20] * 4, turn=3)  # each arrives on target and fails on the ground, so that it does not go on
    assert [at(made.state, f"american-{number}") for number in (1, 2, 3, 4)] == [up(16, y) for y in (25, 24, 23, 22)]


@rule("8.10.2.3-opt")
def test_8_10_2_3_by_option_the_side_with_the_initiative_lands_after_the_movement() -> None:
    order = phases()
    assert order.index("CloseAssaults") < order.index("LateLandings") < order.index("MarkerRemoval")
    for initiative, early in (("american", False), ("soviet", True)):
        made = landing("glider", f"{GLIDERMEN} = 1", where='place = "14,5"\nturn = 2', options='"8.10.2.3-opt"')
        made.stack = ()
        made.state.turn, made.state.initiative = 2, initiative
        scripts(made, [1, 1, 18])
        made.push(GliderLandings(""))
        made.run()
        assert (made.state.units["american-1"].at is not None) is early
        made.push(LateLandings(""))
        made.run()
        assert made.state.units["american-1"].at is not None


@rule("8.10.2.3-when", "SC.setback")
def test_8_10_2_3_gliders_of_turn_1_land_in_a_turn_that_begins_with_movement() -> None:
    order = [phase.__name__ for phase in FIRST_MOVES.steps if isinstance(phase, type)]
    assert order.index("PostureDetermination") < order.index("GliderLandings") < order.index("MovementOrders")
    assert order.index("CloseAssaults") < order.index("LateLandings") < order.index("MarkerRemoval")


def test_gliders_land_in_a_turn_of_the_game() -> None:
    landing("glider", f"{GLIDERMEN} = 1", where='place = "14,5"\nturn = 8')
    with pytest.raises(BadInput, match="up to 8, the last"):
        landing("glider", f"{GLIDERMEN} = 1", where='place = "14,5"\nturn = 9')


@rule("8.10.2.3-limits")
def test_8_10_2_3_new_arrivals_do_not_roll_to_recover_in_their_turn() -> None:
    made = land(landing("glider", f"{GLIDERMEN} = 1", where='place = "14,5"'), [1, 1, 18], turn=2)
    assert made.state.units["american-1"].suppressed
    assert shaken(made.state) == []
    made.state.turn = 3
    assert shaken(made.state) == ["american-1"]


@rule("8.10.2.3-limits", "8.1.2", "8.4.2")
def test_8_10_2_3_new_arrivals_are_not_ordered_to_move_and_load_onto_nothing_in_their_turn() -> None:
    made = landing("glider", f"{GLIDERMEN} = 1", american=[(TRUCK, "15,4")], where='place = "14,5"')
    stand(made.state, "american-1", posture="movement", group="american-1")
    land(made, [1, 1, 1, 1], turn=2)
    state = made.state
    assert adjacent(state.units["american-1"], state.units["american-2"])
    for independent in (False, True):
        refusal = cannot_order(state, "american", state.units["american-2"], independent)
        assert refusal is not None
        assert refusal.rule == "8.1.2"
    refusal = cannot_load(state, state.units["american-1"], Load("american-1", "american-2"))
    assert refusal is not None
    assert refusal.rule == "8.4.2"


def test_paratroopers_land_before_the_first_turn() -> None:
    with pytest.raises(BadInput, match="first turn"):
        landing(where='place = "14,5"\nturn = 2')


def test_conditions_are_those_of_the_table() -> None:
    with pytest.raises(BadInput, match="combat jump"):
        landing(conditions="SNAFU")


# --- zones --------------------------------------------------------------------------------------------------------


def choosing(**more: str) -> Game[Position]:
    """The Americans write down where their group lands, in the western zone."""
    made = landing(where='zone = "west"', **more)
    made.stack = ()
    made.push(LandingZones("american"))
    made.run()
    return made


@rule("8.10.1.2-dz")
def test_8_10_1_2_drop_zones_are_written_in_secret_in_clear_terrain() -> None:
    made = choosing(terrain='areas = [{kind = "woods", points = "10,25 15,25 15,30 10,30"}]')
    assert refused(made, "american", ChooseZone("american-landing-1", up(12, 12), "N")) == "8.10.1.2-dz"
    assert refused(made, "american", ChooseZone("american-landing-1", up(22, 12), "N")) == "8.10.1.2-dz"
    made.play("american", ChooseZone("american-landing-1", (5300, 29600), "N"))
    assert made.state.drops["american-landing-1"].at == up(5, 10)
    assert made.sight("american").drops
    assert not made.sight("soviet").drops
    assert not made.sight(SPECTATOR).drops


@rule("8.10.1.2-dz", "8.10.2.2")
@pytest.mark.parametrize(("marker", "free"), [("rubble", False), ("wire", False), ("brush", False), ("breach", True)])
def test_8_10_1_2_ground_under_a_marker_of_terrain_is_not_clear(marker: WorkKind, free: bool) -> None:
    made = choosing()
    made.state.lay(Work("it", marker, up(12, 12)))
    assert (refused(made, "american", ChooseZone("american-landing-1", up(12, 12), "N")) == "") is free
    assert refused(made, "american", ChooseZone("american-landing-1", up(12, 13), "N")) == ""


@rule("8.10.1.2-dz", "8.10.2.2")
@pytest.mark.parametrize(
    ("terrain", "free"),
    [
        (GENTLE, True),
        (STEEP, False),
        (STEEP.replace("]}]", ', {kind = "hilltop", level = 2, points = "11,11 19,11 19,29 11,29"}]}]', 1), True),
        (GENTLE + 'areas = [{kind = "woods", points = "10,25 15,25 15,30 10,30"}]', False),
        ('crossings = [{kind = "rough-ford", width = 1, points = "12,27 12,29"}]', False),
        ('lines = [{kind = "good-road", points = "5,28 20,28"}]', True),
    ],
)
def test_8_10_1_2_heights_on_which_nothing_else_is_are_clear(terrain: str, free: bool) -> None:
    made = choosing(terrain=terrain.replace("9,9 21,9 21,21 9,21", "9,9 21,9 21,31 9,31"))
    assert (refused(made, "american", ChooseZone("american-landing-1", up(12, 12), "N")) == "") is free


@rule("8.10.2.2", "8.10.1.2-dz")
def test_8_10_2_2_zones_may_be_written_after_the_enemy_has_set_up() -> None:
    made = landing(soviet=[(RIFLES, '3,3", "5,3')], where='zone = "west"\nwritten = "after"')
    choice = ChooseZone("american-landing-1", up(12, 12), "N")
    assert LandingZones("american").refusal(made.state, "american", choice) is not None
    made.push(RULESET.start(made.state.setting)[1])
    fair(made, 1)
    made.run()
    assert isinstance(made.stack[-1], SetUp)
    made.play("soviet", next(iter(made.choices("soviet"))))
    made.play("soviet", Ready())
    assert isinstance(made.stack[-1], LandingZones)
    made.play("american", choice)
    assert made.state.drops["american-landing-1"].shown  # it lands at once


@rule("8.10.1.2-dz")
def test_8_10_1_2_the_zone_is_told_when_the_group_lands() -> None:
    made = choosing()
    made.play("american", ChooseZone("american-landing-1", up(5, 10), "N"))
    land(made, [20, 20, 20])
    assert made.sight("soviet").drops["american-landing-1"].at == up(5, 10)


# --- command and surprise -----------------------------------------------------------------------------------------


@rule("8.10.1.4")
def test_8_10_1_4_the_successor_of_a_headquarters_lost_in_landing_takes_half_of_1d8_turns() -> None:
    made = landing(units=f"{STAFF} = 1", american=[(GRENADIERS, "14,20")])
    land(made, [19, 5])  # lost; 5 / 2 rounded up: three turns
    for turn in (1, 2, 3):
        made.state.turn = turn
        assert [unit.id for unit in vacant(made.state, "american")] == (["american-2"] if turn == 3 else [])
    scripts(made, [])
    take(made, TakeCommand("american-1", "american-2"))  # without a roll
    assert made.state.units["american-1"].rank == "HQ"


@rule("8.10.1.4")
def test_8_10_1_4_a_general_headquarters_is_replaced_once_its_force_has_gathered() -> None:
    made = landing(units=f"{STAFF} = 1", american=[(GRENADIERS, "14,20")], options='"8.10.1.5"', surprised="true")
    stand(made.state, "american-2", rank="GHQ")
    eliminate(made, "american-2")
    new_commanders(made, "american")
    surprise(made.state)
    assert vacant(made.state, "american") == []
    made.state.surprise.clear()
    assert [unit.id for unit in vacant(made.state, "american")] == ["american-2"]
    scripts(made, [16])  # for its quality: 16 is none; there is no roll for command
    take(made, TakeCommand("american-1", "american-2"))
    assert (made.state.units["american-1"].rank, made.state.units["american-1"].quality) == ("GHQ", 0)


@rule("8.10.1.4", "10.1.7-roll")
def test_8_10_1_4_the_headquarters_of_a_glider_group_is_replaced_as_after_any_other_loss() -> None:
    made = landing("glider", f"{STAFF} = 1", american=[(GRENADIERS, "14,20")])
    land(made, [19], turn=2)  # lost; no 1D8/2
    lost = made.state.units["american-2"]
    assert lost.status == "eliminated"
    assert not lost.crashed
    assert [unit.id for unit in vacant(made.state, "american")] == ["american-2"]
    scripts(made, [15])  # 15 + 3 is too much for a cohesion of 17
    take(made, TakeCommand("american-1", "american-2"))
    assert not made.state.units["american-1"].rank


@rule("8.10.1.4", "8.10.1.3-3c")
def test_8_10_1_4_a_headquarters_lost_to_the_assault_of_the_defender_is_lost_in_landing() -> None:
    made = landing(units=f"{STAFF} = 1", soviet=[(RIFLES, "14,5")], where='place = "14,5"')
    # It lands beside the defender who failed; he dares with 13, she does not with 18, and 1 + 1 against her; then 1D8.
    land(made, [1, 1, 1, 14, 3, 18, 13, 1, 1, 5])
    assert made.state.units["american-1"].status == "eliminated"
    assert made.state.units["american-1"].awaited == 3


@rule("8.10.1.4", "8.10.1.3-3b")
def test_8_10_1_4_a_headquarters_lost_under_a_later_stand_is_lost_in_landing() -> None:
    made = landing(units=f"{STAFF} = 1, {PARAS} = 2", where='place = "14,5"')
    hard = [1, 1, 20]  # the headquarters lands on the zone, suppressed
    on_top = [[1, 1, 1, direction, 1, 20] for direction in (3, 5)]  # the others land on it: (S) is D, then E
    land(made, [*hard, *on_top[0], *on_top[1], 8])
    lost = made.state.units["american-1"]
    assert (lost.status, lost.crashed, lost.awaited) == ("eliminated", True, 4)


@rule("8.10.1.5")
def test_8_10_1_5_a_surprised_force_has_four_less_and_wins_them_back_one_by_one() -> None:
    made = landing(american=[(GRENADIERS, "14,20")], options='"8.10.1.5"', surprised="true")
    surprise(made.state)
    unit = made.state.units["american-1"]
    assert level(made.state, unit) == 13
    scripts(made, [13])
    win_back(made)
    assert level(made.state, unit) == 14
    scripts(made, [15])
    win_back(made)
    assert level(made.state, unit) == 14
    for number in (14, 15, 16):
        scripts(made, [number])
        win_back(made)
    assert level(made.state, unit) == 17
    assert not made.state.surprise


@rule("8.10.1.5")
def test_8_10_1_5_the_quality_of_the_general_headquarters_helps() -> None:
    made = landing(american=[(STAFF, "14,20")], options='"8.10.1.5"', surprised="true").state
    stand(made, "american-1", rank="GHQ", quality=2)
    assert gathering(made, "american").modifier == -2


@rule("8.10.1.5")
def test_8_10_1_5_a_general_headquarters_helps_from_its_jeep_too() -> None:
    made = landing(american=[(STAFF, "14,20"), ("us-jeep", "14,21")], options='"8.10.1.5"', surprised="true").state
    stand(made, "american-1", rank="GHQ", quality=2, carrier="american-2")
    stand(made, "american-2", cargo=("american-1",))
    assert gathering(made, "american").modifier == -2


@rule("8.10.1.5")
def test_8_10_1_5_both_sides_may_be_surprised_and_each_wins_back_its_own() -> None:
    made = landing(american=[(GRENADIERS, "14,20")], soviet=[(RIFLES, "3,3")], options='"8.10.1.5"', surprised="true")
    sections = made.state.setting.sections
    soviet = replace(made.state.setting.troops("soviet"), surprised=True)
    made.state.setting.sections = replace(sections, sides={**sections.sides, "soviet": soviet})
    surprise(made.state)
    assert made.state.surprise == {"american": 4, "soviet": 4}
    scripts(made, [13, 10])  # 13 against 17 - 4, and 10 against 13 - 4
    win_back(made)
    assert made.state.surprise == {"american": 3, "soviet": 4}


@rule("8.10.1.5")
def test_8_10_1_5_without_the_option_nobody_is_surprised() -> None:
    made = landing(surprised="true").state
    surprise(made)
    assert not made.surprise


@rule("8.10.1.5", "4.0-1")
def test_8_10_1_5_a_surprised_force_has_less_for_the_initiative_too() -> None:
    made = landing(options='"8.10.1.5"', surprised="true")
    surprise(made.state)
    scripts(made, [3, 4])  # 13 + 3 against 13 + 4
    assert roll_initiative(made) == "soviet"


# --- whole games --------------------------------------------------------------------------------------------------

TEXT = """
id = "jump"
ruleset = "micro-armour"
title = "A Jump"
turns = 4
first = "german"
options = ["8.10.1.5"]
victory = [{ side = "german", condition = "eliminate" }, { side = "soviet", condition = "eliminate" }]
[table]
size = [24, 18]
areas = [{ kind = "woods", points = "10,6 14,6 14,12 10,12" }]
[sides.german]
name = "Germans"
nation = "german"
facing = 90
cohesion = 15
commands = [{ unit = "ger-infantry-43", rank = "GHQ" }]
units = [{ unit = "ger-infantry-43", at = ["4,9"] }]
[[sides.german.landings]]
name = "First Company"
by = "parachute"
units = { ger-infantry-hq = 1, ger-infantry-43 = 3 }
conditions = "milk run"
circumstances = ["daylight"]
zone = "all"
[[sides.german.landings]]
name = "Second Company"
by = "glider"
units = { ger-infantry-43 = 2, ger-infantry-support = 1 }
conditions = "poor spot"
zone = "all"
turn = 2
[sides.soviet]
name = "Soviets"
nation = "soviet"
facing = 270
cohesion = 13
surprised = true
commands = [{ unit = "sov-infantry-39", rank = "GHQ" }]
units = [
    { unit = "sov-infantry-hq", at = ["20,9"] },
    { unit = "sov-infantry-39", count = 3, at = ["18,5", "18,13", "18,6"] },
    { unit = "sov-37mm-aag", at = ["19,11"] },
]
[[zones]]
name = "all"
box = [5, 4, 19, 14]
"""
CASE = contract.Case(RULESET, TEXT, most=20000, every=37)


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
def test_landings_hold_to_the_contract(check: Callable[[contract.Case, int], None]) -> None:
    check(CASE, 1)


@rule("8.10.1.2-dz")
def test_8_10_1_2_the_other_side_cannot_tell_where_a_group_will_land() -> None:
    seen = play_all(Twins(CASE, ("german",), ("soviet", SPECTATOR)), range(6), 120)
    assert seen["secret"] + seen["alone"] > 3, seen


@rule("8.10.1.2-dz")
def test_8_10_1_2_a_player_imagines_a_landing_where_no_place_of_the_zone_is_clear() -> None:
    """The zone lies in a wood: a guess at the landing takes any of its places."""
    woods = '[[table.areas]]\nkind = "woods"\nname = "the wood"\npoints = "5,5 30,5 30,25 5,25"'
    group = """
[[sides.german.landings]]
name = "Group"
by = "glider"
units = { us-glider-infantry = 1 }
conditions = "milk run"
zone = "wood"
turn = 3

[[zones]]
name = "wood"
box = [10, 10, 12, 12]
"""
    made = game((), [(RIFLES, "35,15")], terrain=woods, german_more=group)
    made.stack = ()
    guess, _ = RULESET.imagined(made.sight("soviet"), (), "soviet", Random(1))
    (drop,) = guess.drops.values()
    assert drop.at in made.state.setting.named_zones["wood"]


AIRBORNE = """\
ruleset = "micro-armour"
step = "landings"
[table]
size = [20, 20]
[units.para]
unit = "us-paratrooper-43"
side = "american"
status = "{status}"
[sides.american]
name = "American"
[sides.german]
name = "German"
[[landings]]
side = "{side}"
by = "parachute"
units = ["para"]
at = "{at}"
conditions = "{conditions}"
"""


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"side": "french"}, "no side 'french'"),
        ({"conditions": "SNAFU"}, "no conditions 'SNAFU'"),
        ({"status": "exited"}, "no stand in reserve 'para'"),
        ({"at": "30,5"}, "30,5"),
    ],
)
def test_a_landing_of_a_case_that_does_not_fit_is_an_error(change: dict[str, str], what: str) -> None:
    values = {"status": "reserve", "side": "american", "at": "5,5", "conditions": "milk run"}
    with pytest.raises(BadInput, match=what):
        case.run(case.parse(AIRBORNE.format(**{**values, **change}), "bad.toml"))
