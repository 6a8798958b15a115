"""Readings of unclear rules about fire, smoke and riders (RULINGS.md), each with the option and without it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from opfire.core.places import Point
from opfire.rulesets.micro_armour import RULESET
from opfire.rulesets.micro_armour.air.advice import suggest
from opfire.rulesets.micro_armour.air.defence import FireAtAircraft, gun_roll
from opfire.rulesets.micro_armour.air.plans import AimBombs
from opfire.rulesets.micro_armour.air.strikes import Strafe
from opfire.rulesets.micro_armour.artillery.effects import strike
from opfire.rulesets.micro_armour.artillery.indirect import carry_out
from opfire.rulesets.micro_armour.artillery.missions import Mission
from opfire.rulesets.micro_armour.artillery.rolls import to_arrive, to_fire, worst
from opfire.rulesets.micro_armour.artillery.sheafs import Sheaf
from opfire.rulesets.micro_armour.close.overrun import defence_roll, nerve_roll, no_overrunner, resolve
from opfire.rulesets.micro_armour.fire.towing import towed
from opfire.rulesets.micro_armour.moving.loads import burden
from opfire.rulesets.micro_armour.moving.transport import Load
from opfire.rulesets.micro_armour.pieces import Work
from opfire.rulesets.micro_armour.results import apply_result
from rules.micro_armour.kit import PANZER, RIFLES, T34, position, refused, rule, scripts, stand
from rules.micro_armour.marches import line, march
from rules.micro_armour.test_06_sight import sees
from rules.micro_armour.test_07_artillery import HOWITZERS, shelling
from rules.micro_armour.test_08_10_airborne import GLIDERMEN, land, landing
from rules.micro_armour.test_12_3_air import GUNS, PLANE, attacking
from rules.micro_armour.test_loaded_transport import HALFTRACK, loaded
from rules.micro_armour.test_more_readings import chosen
from rules.micro_armour.test_other_readings import on
from rules.micro_armour.test_tank_riders import mounted

SHERMAN, LIGHT_GUN = "us-m4-sherman", "sov-45mm-42-atg"
WOODS = 'areas = [{kind = "woods", points = "18,8 24,8 24,12 18,12"}]'


# --- R8: markers stand a level high -------------------------------------------------------------------------------

HILLS = """
[[table.hills]]
name = "West"
contours = [{kind = "hilltop", level = 2, points = "3,8 7,8 7,12 3,12"}]
[[table.hills]]
name = "East"
contours = [{kind = "hilltop", level = 2, points = "33,8 37,8 37,12 33,12"}]
"""


@rule("7.4.5.1", "7.4.7.1-3")
@pytest.mark.parametrize("kind", ["smoke", "impact"])
@pytest.mark.parametrize(("top", "hills", "blocked"), [("", HILLS, False), ("", "", True), (on("R8"), HILLS, True)])
def test_R8_nobody_on_high_ground_is_hidden_by_smoke_in_the_valley(
    kind: str, top: str, hills: str, blocked: bool
) -> None:
    made = position([(PANZER, "6.5,10")], [(T34, "33.5,10")], top=top, terrain=hills)
    made.lay(Work("marker", kind, (20000, 10000), side="german"))  # type: ignore[arg-type]
    assert (sees(made) != "") is blocked


@rule("7.4.7.1-3")
def test_R8_a_line_that_runs_down_into_the_valley_meets_the_smoke_there() -> None:
    """From level 2 to level 0 over 27 inches: at 32 inches from the west it is lower than a level above the ground."""
    made = position(
        [(PANZER, "6.5,10")], [(T34, "33.5,10")], terrain=HILLS[: HILLS.index('[[table.hills]]\nname = "East')]
    )
    made.lay(Work("smoke", "smoke", (12000, 10000), side="german"))
    assert sees(made) == ""
    made.remove("smoke")
    made.lay(Work("smoke", "smoke", (30000, 10000), side="german"))
    assert sees(made) == "7.4.7.1-3"


def support(names: tuple[str, ...], at: Point, stood: tuple[Point | None, ...]) -> Mission:
    """A support mission of German batteries that is due in turn 1."""
    sheaf = Sheaf(at, 2, "closed", "N")
    return Mission(id="x", side="german", kind="support", batteries=names, sheaf=sheaf, plotted=0, stood=stood, due=1)


# --- R42: the states of a group -----------------------------------------------------------------------------------


@rule("7.4.9")
@pytest.mark.parametrize(("top", "more"), [("", 4), (on("R42"), 0)])
def test_R42_the_worst_battery_of_a_group_counts_or_the_first(top: str, more: int) -> None:
    made = position([(HOWITZERS, "5,10"), (HOWITZERS, "5,11")], top=top)
    stand(made, "german-2", suppressed=True)
    names = ("german-1", "german-2")
    assert to_fire(made, worst(made, names)).modifier == more
    mission = support(names, (20000, 10000), (None, None))
    assert to_arrive(made, mission, names).modifier == more


# --- R62: the terrain of the target of a strike --------------------------------------------------------------------


@rule("12.3.5")
@pytest.mark.parametrize(("options", "course"), [((), 15), (("R62",), 11)])
def test_R62_the_places_shown_for_bombs_that_are_plotted_count_the_terrain_there(
    options: tuple[str, ...], course: int
) -> None:
    made = attacking(3, top=on("12.3", *options), terrain=WOODS)
    action = AimBombs(PLANE, 3, (20000, 10000))
    spread = RULESET.queries["spread"](made.sight("german"), "german", action=action)
    assert {each["place"]: each["chance"] for each in spread}[20000, 10000] == pytest.approx(course / 20)


@rule("12.3.5", "12.3.6")
@pytest.mark.parametrize(("options", "part"), [((), 1.0), (("R62",), (14 / 15) ** 2)])
def test_R62_the_worth_of_a_strike_counts_the_terrain_of_its_target(options: tuple[str, ...], part: float) -> None:
    """Two rolls of 15 in 20, or of 14 in 20 with the 1 of a grove, before the same attack."""

    grove = WOODS.replace("woods", "grove")

    def gain(*more: str) -> float:
        made = attacking(3, [(T34, "20,10")], top=on("12.3", *more), terrain=grove)
        found = suggest(made.sight("german"), "german", made.stack[-1], made.choices("german"))
        return next(each.worth for each in found if each.action == Strafe(PLANE, "soviet-1"))

    assert gain(*options) / gain() == pytest.approx(part)


# --- R66: gliders one after the other, or all together -------------------------------------------------------------


@rule("8.10.2.4-2", "8.10.2.4-3", "8.10.2.4-4a", "8.10.2.4-4c")
@pytest.mark.parametrize(
    ("options", "dice"),
    [
        ("", [1, 1, 1, 1, 19, 1, 1, 1, 1]),
        ('"R66"', [1, 19, 1, 1, 1, 1, 1, 1, 1]),
    ],
)
def test_R66_each_glider_lands_before_the_next_arrives(options: str, dice: list[int]) -> None:
    """Three gliders by night under fire: the second, with a 19 and 2, is lost, and the third takes its place.

    One after the other: each arrives, finds its place, lands and runs out in turn, so that the loss is the fifth roll.
    For the group: three rolls to arrive, two for the place, two to land, two after the run.
    """
    made = landing("glider", f"{GLIDERMEN} = 3", options=options)
    land(made, dice)
    units = made.state.units
    assert [unit.status for unit in units.values() if unit.side == "american"] == [
        "on the table",
        "eliminated",
        "on the table",
    ]
    places = [unit.at for unit in units.values() if unit.side == "american" and unit.at is not None]
    assert places == [(16000, 14000), (17000, 14000)]


# --- R87: riders of a lost tank ------------------------------------------------------------------------------------


@rule("12.5", "8.4.5-unit")
@pytest.mark.parametrize(("options", "status"), [((), "on the table"), (("R87",), "eliminated")])
def test_R87_riders_survive_their_tank_or_are_lost_with_it(options: tuple[str, ...], status: str) -> None:
    made = mounted(top=on("12.5", *options))
    apply_result(made, "soviet-1", "E")
    assert made.state.units["soviet-2"].status == status


@rule("12.5")
@pytest.mark.parametrize("result", ["S", "D"])
def test_R87_riders_of_a_tank_that_survives_jump_off_all_the_same(result: str) -> None:
    made = mounted(top=on("12.5", "R87"))
    apply_result(made, "soviet-1", result)  # type: ignore[arg-type]
    assert (made.state.units["soviet-2"].carrier, made.state.units["soviet-2"].suppressed) == (None, True)


# --- R90: the ground on which a loaded carrier begins --------------------------------------------------------------


@rule("12.7")
@pytest.mark.parametrize(("options", "most"), [(("12.7",), (16, 16, 14)), (("12.7", "R90"), (16, 16, 16))])
def test_R90_a_loaded_halftrack_that_begins_on_a_road_has_the_points_of_a_road(
    options: tuple[str, ...], most: tuple[int, ...]
) -> None:
    """20 less 4 on roads and tracks, less 6 on other ground."""
    made = loaded(HALFTRACK, ground=line("poor-road", "0,5 40,5"), more=on(*options) + "\n")
    found = burden(made.state, made.state.units["red-1"])
    assert found is not None
    assert tuple(each // 1_000_000 for each in found) == most


@rule("12.7")
def test_R90_across_country_it_has_the_points_of_other_ground() -> None:
    made = loaded(HALFTRACK, more=on("12.7", "R90") + "\n")
    found = burden(made.state, made.state.units["red-1"])
    assert found is not None
    assert {each // 1_000_000 for each in found} == {14}


# --- R118: indirect fire shows nobody -------------------------------------------------------------------------------


@rule("6.3.4", "6.3.2-edge")
@pytest.mark.parametrize(("top", "blocked"), [("", "6.3.2-edge"), (on("R118"), "")])
@pytest.mark.parametrize("arrives", [True, False])
def test_R118_a_battery_deep_in_woods_that_fires_indirectly_is_not_seen(top: str, blocked: str, arrives: bool) -> None:
    made = shelling([(HOWITZERS, "21,10")], [(T34, "5,10"), (RIFLES, "35,25")], terrain=WOODS, top=top)
    where = made.state
    where.missions["x"] = support(("german-1",), (35000, 25000), ((21000, 10000),))
    scripts(made, [1, 1, 6, 6, 6, 6] if arrives else [20])
    carry_out(made, "x")
    assert where.units["german-1"].fired
    assert sees(where, "soviet-1", "german-1") == blocked


# --- R122: smoke and the combat roll --------------------------------------------------------------------------------


@rule("7.4.7.1-1", "7.2-SP")
@pytest.mark.parametrize(
    ("top", "dice", "states"),
    [
        ("", (), (True, False)),
        (on("R122"), (6, 6), (True, False)),
        (on("R122"), (1, 1), (True, True)),
    ],
)
def test_R122_smoke_on_a_suppressed_stand(top: str, dice: Sequence[int], states: tuple[bool, bool]) -> None:
    """HE 8 against 6 is +2: a 12 is blank, an S for artillery; a 2 would be E, and is (S), here a D."""
    made = shelling([(HOWITZERS, "5,10")], [(RIFLES, "15,10")], top=top)
    stand(made.state, "soviet-1", suppressed=True)
    scripts(made, dice)
    strike(made, Work("smoke", "smoke", (15000, 10000), side="german", battery="german-1", until=1))
    target = made.state.units["soviet-1"]
    assert (target.suppressed, target.disorganized) == states


# --- R124: dice for positions ---------------------------------------------------------------------------------------


@rule("11.4.1")
@pytest.mark.parametrize(
    ("options", "dice", "left"),
    [
        ((), (6, 6), ["light position"]),
        (("R124",), (6, 6, 1, 1), []),
        (("R124",), (1, 1, 6, 6), ["light position"]),
        ((), (1, 1), []),
    ],
)
def test_R124_the_dice_for_a_stand_count_for_its_position_or_it_has_its_own(
    options: tuple[str, ...], dice: Sequence[int], left: list[str]
) -> None:
    """HE 8 against the 5 of the position is +3: E on a 2."""
    made = shelling([(HOWITZERS, "5,10")], [(RIFLES, "15,10")])
    chosen(made, *options)
    made.state.lay(Work("position", "light position", (15000, 10000), 0, "soviet"))
    scripts(made, dice)
    strike(made, Work("impact", "impact", (15000, 10000), side="german", battery="german-1", until=1))
    assert [work.kind for work in made.state.works.values()] == left


# --- R127: light guns that are overrun ------------------------------------------------------------------------------


@rule("8.7.8-defend", "8.7.8-attack")
@pytest.mark.parametrize(("options", "rolls"), [((), (3, 3)), (("R127",), (4, 0))])
def test_R127_a_gun_marked_p_is_personnel_or_a_weapon(options: tuple[str, ...], rolls: tuple[int, int]) -> None:
    made = march(((SHERMAN, "5,5"),), ((LIGHT_GUN, "9,5"),))
    where = chosen(made, *options)
    tank, target = where.units["red-1"], where.units["blue-1"]
    assert target.kind.p_halved
    assert (target.kind.ap or 0) >= 2
    found = defence_roll(where, target, tank).modifier, nerve_roll(where, tank, target).modifier
    assert found == rolls


# --- R130: flak on the move -----------------------------------------------------------------------------------------


@rule("12.3.4")
@pytest.mark.parametrize(("options", "refusal"), [((), "12.3.4"), (("R130",), "")])
def test_R130_guns_in_fire_and_move_fire_at_aircraft(options: tuple[str, ...], refusal: str) -> None:
    made = attacking(3, [(RIFLES, "20,10"), (GUNS, "22,10"), (GUNS, "23,12")], top=on("12.3", *options))
    unit = stand(made.state, "soviet-2", posture="fire/move")
    made.play("german", Strafe(PLANE, "soviet-1"))
    assert refused(made, "soviet", FireAtAircraft("soviet-2")) == refusal
    assert gun_roll(made.state, unit).modifier == 3


@rule("8.7.8-back")
@pytest.mark.parametrize(("options", "column"), [((), "+3"), (("R127",), "+2")])
def test_R127_a_strong_light_gun_answers_an_overrun_better_as_personnel(options: tuple[str, ...], column: str) -> None:
    """AP 6; the gun stands, and the tank loses its nerve with a 20."""
    made = march(((SHERMAN, "8,5"),), ((LIGHT_GUN, "9,5"),), red_1={"overruns": ("blue-1",)})
    chosen(made, *options)
    scripts(made, [1, 20, 6, 6])
    told = len(made.events)
    resolve(made, "blue-1", frozenset())
    rolls = [event.calculation for event in made.events[told:] if event.calculation is not None]
    assert rolls[-1].column == column


# --- R142: light guns as loads --------------------------------------------------------------------------------------


@rule("8.4.1", "8.4.2", "8.4.3")
@pytest.mark.parametrize(("options", "spent"), [((), 10), (("R142",), 20)])
def test_R142_a_light_gun_is_loaded_as_personnel_or_as_a_weapon(options: tuple[str, ...], spent: int) -> None:
    """A halftrack of 20 points pays half of them, or all."""
    stands = (("us-halftrack-various-marks", "5,5"), ("us-37mm-atg", "6,5"))
    made = march(stands, more=on(*options) + "\n")
    scripts(made, [1])
    made.play("red", Load("red-1", "red-2"))
    assert made.state.units["red-1"].spent == spent * 1_000_000
    assert made.state.units["red-2"].carrier == "red-1"
    tows = [*towed(made.state, made.state.units["red-1"])]
    assert bool(tows) is bool(options)
    assert (no_overrunner(made.state, made.state.units["red-1"]) is None) is not bool(options)
