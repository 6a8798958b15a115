"""More other readings of unclear rules (RULINGS.md), each an option: with it, and without it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from opfire.core.game import Game
from opfire.core.places import Point
from opfire.rulesets.micro_armour import RULESET
from opfire.rulesets.micro_armour.air.planes import Bomb
from opfire.rulesets.micro_armour.air.strikes import DropBombs, Strafe, strike_roll
from opfire.rulesets.micro_armour.artillery.close_support import rolls
from opfire.rulesets.micro_armour.artillery.direct import FireDirect
from opfire.rulesets.micro_armour.close.close_assault import assault_roll, strength
from opfire.rulesets.micro_armour.fire.attacks import Attack, Shot, combat, deplete
from opfire.rulesets.micro_armour.fire.guns import defence
from opfire.rulesets.micro_armour.fire.standard import cannot_attack
from opfire.rulesets.micro_armour.moving.movement import movement_roll
from opfire.rulesets.micro_armour.moving.nerve import nerve_roll
from opfire.rulesets.micro_armour.moving.opportunity import cannot_hit, cannot_react, going_on
from opfire.rulesets.micro_armour.pieces import Position, Progress, Work
from opfire.rulesets.micro_armour.terrain import behind_crest
from rules.micro_armour.kit import PAK, PANZER, RIFLES, T34, position, rule, scripts, stand
from rules.micro_armour.marches import at, go, inches, march
from rules.micro_armour.test_07_artillery import HOWITZERS, shelling
from rules.micro_armour.test_12_3_air import PLANE, attacking
from rules.micro_armour.test_determination import broken, force
from rules.micro_armour.test_obstacles import again, strew
from rules.micro_armour.test_other_readings import on

SHERMAN, MEN, FRENCH = "us-m4-sherman", "us-infantry-42", "fra-infantry"
SUPPORT, CAVALRY, TRUCK = "us-mmg-44", "sov-cavalry", "ger-opel-blitz-md-truck"


def chosen(made: Game[Position], *options: str) -> Position:
    """The position of a game, in which these options count from now on."""
    made.state.setting.options = frozenset(options)
    return made.state


@rule("11.3.2")
@pytest.mark.parametrize(
    ("options", "die", "place"), [((), (), "9,5"), (("R52",), (14,), "9,5"), (("R52",), (15,), "8,5")]
)
def test_R52_leaving_a_ditch_takes_a_second_roll(options: tuple[str, ...], die: tuple[int, ...], place: str) -> None:
    """The force's cohesion is 14."""
    game = march(((MEN, "7,5"),), dice=die)
    chosen(game, *options)
    strew(game, "ditch", 8, 5)
    go(game, "red-1", 8, 5)
    again(game)
    go(game, "red-1", 9, 5)
    assert at(game, "red-1") == place


@rule("12.1.5-1", "12.1.5-5")
@pytest.mark.parametrize(("options", "others"), [((), 16), (("R95",), 9)])
def test_R95_a_broken_force_has_two_more_for_the_roll_of_the_group_alone(options: tuple[str, ...], others: int) -> None:
    """14 and 2, and 14 less 5."""
    made = force(2)
    chosen(made, *options, "12.1")
    where = broken(made)
    unit = where.units["red-5"]
    rolls: list[Callable[..., Any]] = [going_on, nerve_roll]
    assert [roll(where, unit).lines[0].amount for roll in rolls] == [others, others]
    assert movement_roll(where, unit, [unit], independent=False).lines[0].amount == 16


def overrun(target: str) -> Game[Position]:
    """A Sherman is upon a stand that it overruns, having come from the west."""
    made = march(((SHERMAN, "5,5"),), ((target, "9,5"),), blue_1={"facing": 270})
    made.state.put("red-1", inches(9, 5))
    made.state.progress = Progress("red-1", origin=inches(5, 5))
    return made


@rule("8.7.6-fire", "8.8.11")
@pytest.mark.parametrize(("options", "answers"), [((), True), (("R99",), False)])
def test_R99_firepower_with_a_range_of_nought_answers_no_overrun(options: tuple[str, ...], answers: bool) -> None:
    where = chosen(overrun(FRENCH), *options)
    found = cannot_hit(where, where.units["blue-1"], where.units["red-1"], "main", "overrun")
    assert (found is None) is answers


@rule("8.7.6-fire", "7.4.5.2-out")
@pytest.mark.parametrize(("options", "answers"), [((), True), (("R137",), False)])
def test_R137_a_stand_under_shells_answers_no_overrun(options: tuple[str, ...], answers: bool) -> None:
    where = chosen(overrun(FRENCH), *options)
    where.lay(Work("shells", "impact", inches(9, 5), battery="red-1"))
    assert (cannot_react(where, "blue", where.units["blue-1"], "overrun") is None) is answers


@rule("10.3", "7.1.8-half")
@pytest.mark.parametrize(
    ("top", "posture", "value"),
    [("", "movement", 3), (on("R113"), "movement", 6), (on("R113"), "fire/move", 3), (on("R113"), "firing", 6)],
)
def test_R113_men_are_halved_in_fire_and_move_only(top: str, posture: str, value: int) -> None:
    where = position([(PANZER, "10,10")], [(RIFLES, "12,10")], top=top)
    target = stand(where, "soviet-1", posture=posture)
    assert target.kind.defence == 6
    assert [*defence(where, where.units["german-1"], target, "main")][-1].amount == value


@rule("8.8.9", "10.10.1")
@pytest.mark.parametrize(
    ("options", "target", "power"),
    [((), TRUCK, 8), (("R115",), TRUCK, 4), (("R115",), "ger-75mm-atg-pak-40", 8), (("R115",), "ger-infantry-39", 8)],
)
def test_R115_cavalry_does_not_double_against_lorries(options: tuple[str, ...], target: str, power: int) -> None:
    """Its high explosive is 4."""
    made = march(((CAVALRY, "9,10"),), ((target, "10,10"),))
    where = chosen(made, *options)
    assert [*strength(where, where.units["red-1"], where.units["blue-1"])][-1].amount == power


@rule("10.4", "7.1.10-low")
@pytest.mark.parametrize(
    ("options", "firer", "worst"), [((), SUPPORT, "-"), (("R116",), SUPPORT, "S"), (("R116",), MEN, "-")]
)
def test_R116_support_stands_suppress_below_the_first_column(options: tuple[str, ...], firer: str, worst: str) -> None:
    """Five or one of the firers, against ten at least of a Jagdtiger."""
    made = march(((firer, "9,10"),), (("ger-jagd-tiger-128l55", "10,10"),))
    where = chosen(made, *options)
    attack = Attack("blue-1", (Shot("red-1"),))
    assert combat(where, attack, attack.shots[0]).outcomes[-1] == worst


@rule("10.14", "WD.D")
@pytest.mark.parametrize(
    ("options", "dice", "spent"), [((), 8, True), (("R123",), 8, False), (("R123",), 7, True), ((), 9, False)]
)
def test_R123_the_number_itself_spends_no_ammunition(options: tuple[str, ...], dice: int, spent: bool) -> None:
    made = march(((SUPPORT, "9,10"),), (("ger-panzer-ii-f-20l55", "10,10"),))
    where = chosen(made, *options)
    assert where.units["red-1"].kind.depletion == 8
    deplete(made, "red-1", Shot("red-1"), where.units["blue-1"], dice)
    assert where.units["red-1"].depleted is spent


HILL = '[[table.hills]]\nname = "Hill"\ncontours = [{kind = "hilltop", level = 1, points = "3,3 20,3 20,20 3,20"}]'


@rule("9.1-chart")
@pytest.mark.parametrize(
    ("top", "firer", "crest"),
    [("", "5,10", False), (on("R133"), "5,10", True), ("", "25,10", True), (on("R133"), "25,10", True)],
)
def test_R133_all_fire_at_a_hilltop_meets_its_crest(top: str, firer: str, crest: bool) -> None:
    """The one gun stands on the hilltop of its target, the other below it."""
    where = position([(PANZER, firer)], [(T34, "18,10")], terrain=HILL, top=top)
    assert behind_crest(where, where.units["german-1"], where.units["soviet-1"]) is crest


@rule("10.2", "7.3.6-side")
@pytest.mark.parametrize(("top", "refusal"), [("", ""), (on("R138"), "10.2")])
def test_R138_crews_use_no_small_arms_in_the_fire_phase(top: str, refusal: str) -> None:
    where = position([(PAK, "5,10")], [(RIFLES, "6,10")], top=top)
    gun = stand(where, "german-1", facing=270)
    found = cannot_attack(where, gun, where.units["soviet-1"], "side arms")
    assert (found.rule if found else "") == refusal


@rule("8.8.4", "10.2")
def test_R138_crews_have_their_small_arms_in_close_assault() -> None:
    """Three of the infantry headquarters, whichever way the gun faces."""
    where = position([(PAK, "5,10")], [(RIFLES, "6,10")], top=on("R138"))
    gun = stand(where, "german-1", facing=270)
    assert assault_roll(where, gun, where.units["soviet-1"]).lines[0].amount == 3


@rule("7.5.5", "7.4.7.1-4")
@pytest.mark.parametrize(("top", "more"), [("", 0), (on("R104"), 3)])
@pytest.mark.parametrize("smoke", [(5000, 10000), (20000, 10000)])
def test_R104_smoke_at_either_end_counts_for_direct_fire(top: str, more: int, smoke: Point) -> None:
    where = position([("ger-panzer-iv-c-d-75l24", "5,10")], [(RIFLES, "20,10")], top=top)
    where.lay(Work("smoke", "smoke", smoke))
    gun, target = where.units["german-1"], where.units["soviet-1"]
    assert rolls(where, gun, target).fire.modifier == more
    assert rolls(where, stand(where, "german-1", posture="fire/move"), target).fire.modifier == 3 + more


@rule("7.5.3", "7.5.5")
@pytest.mark.parametrize(("top", "strikes"), [("", 2), (on("R104"), 0)])
def test_R104_a_battery_fires_worse_into_smoke(top: str, strikes: int) -> None:
    """A 13 of 15 would do; with 3 more it does not."""
    made = shelling([(HOWITZERS, "5,10")], [(RIFLES, "20,10")], top=top)
    made.state.lay(Work("smoke", "smoke", (20000, 10000)))
    scripts(made, [13, 6, 6, 6, 6])
    told = made.play("german", FireDirect("german-1", (20000, 10000), "closed", "N"))
    assert [event.kind for event in told].count("result") == strikes


WOODS = 'areas = [{kind = "woods", points = "18,8 22,8 22,12 18,12"}]'
"""Woods at men have a modifier of 4 [9.1-chart]."""


@rule("12.3.5")
@pytest.mark.parametrize(("top", "more"), [("", 0), (on("R62"), 4)])
def test_R62_the_terrain_of_its_target_counts_for_an_aircraft(top: str, more: int) -> None:
    where = position([(PANZER, "5,10")], [(RIFLES, "20,10")], terrain=WOODS, top=top)
    target = where.units["soviet-1"]
    assert strike_roll(where, "german", "to attack", 1, target=target).modifier == 1 + more
    assert strike_roll(where, "german", "to attack", 1).modifier == 1


@rule("12.3.5")
@pytest.mark.parametrize(("options", "course"), [((), 15), (("R62",), 11)])
@pytest.mark.parametrize("bombing", [False, True])
def test_R62_the_places_shown_for_a_strike_count_the_terrain_of_its_target(
    options: tuple[str, ...], course: int, bombing: bool
) -> None:
    """On course up to 15 of 20; with 4 more for woods up to 11."""
    bombs = (Bomb((20000, 10000), 3),) if bombing else ()
    made = attacking(3, bombs=bombs, top=on("12.3", *options), terrain=WOODS)
    action = DropBombs(PLANE) if bombing else Strafe(PLANE, "soviet-1")
    spread = RULESET.queries["spread"](made.sight("german"), "german", action=action)
    chances = {each["place"]: each["chance"] for each in spread}
    assert chances[20000, 10000] == pytest.approx(course / 20)


@rule("12.3.5", "12.3.6")
@pytest.mark.parametrize(("options", "hits"), [((), 1), (("R62",), 0)])
def test_R62_a_strafing_run_at_men_in_woods_fails_more_often(options: tuple[str, ...], hits: int) -> None:
    """A 12 of 15 would do; with 4 more it does not."""
    made = attacking(top=on("12.3", *options), terrain=WOODS)
    scripts(made, [12, 1, 6, 6])
    told = made.play("german", Strafe(PLANE, "soviet-1"))
    assert [event.kind for event in told].count("result") == hits
