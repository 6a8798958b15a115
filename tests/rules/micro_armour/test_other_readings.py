"""Other readings of unclear rules, each an option (RULINGS.md): a game with it, and the same without it."""

from __future__ import annotations

import re

import pytest

from opfire.core.actions import Action
from opfire.core.game import Game
from opfire.core.places import Point
from opfire.rulesets.micro_armour import RULESET
from opfire.rulesets.micro_armour.air.planes import guns
from opfire.rulesets.micro_armour.air.strikes import combat as strike
from opfire.rulesets.micro_armour.artillery.effects import defence
from opfire.rulesets.micro_armour.artillery.effects import strike as drop
from opfire.rulesets.micro_armour.artillery.plotting import Correct, PlotFire
from opfire.rulesets.micro_armour.artillery.writing import Aim
from opfire.rulesets.micro_armour.charts import charts
from opfire.rulesets.micro_armour.close.close_assault import (
    Assault,
    LateDeclarations,
    NoMoreAssaults,
    Resolve,
    Response,
)
from opfire.rulesets.micro_armour.close.overrun import Overrun
from opfire.rulesets.micro_armour.fire.attacks import Attack, Shot, fire_roll
from opfire.rulesets.micro_armour.fire.standard import Engage, Fire
from opfire.rulesets.micro_armour.moving.marching import pinned, prices
from opfire.rulesets.micro_armour.moving.movement import GroupMove, GroupMovement, Order, Stop, movement_roll
from opfire.rulesets.micro_armour.moving.opportunity import Cover, NotYet, Oppose, cannot_hit
from opfire.rulesets.micro_armour.moving.transport import Unload, may_unload
from opfire.rulesets.micro_armour.options import OPTIONS
from opfire.rulesets.micro_armour.pieces import Position, Progress, Work
from opfire.rulesets.micro_armour.retreats import Retreat, Retreating
from opfire.rulesets.micro_armour.thinking import suggest
from opfire.rulesets.micro_armour.works.ruins import Shell, on_bridge
from rules.micro_armour.kit import GRENADIERS, PANZER, RIFLES, T34, position, refused, rule, scripts, stand
from rules.micro_armour.marches import against, go, inches, leg, march
from rules.micro_armour.test_06_sight import sees
from rules.micro_armour.test_07_fire import PAIR, fight
from rules.micro_armour.test_07_missions import SPOT, plots, plotting, written
from rules.micro_armour.test_close_assault import assaults
from rules.micro_armour.test_opportunity_fire import GUN, TANKS, WEST

MEN = "us-infantry-42"


def on(*options: str) -> str:
    """The line of a scenario that switches options on."""
    return f"options = {[*options]}".replace("'", '"')


def test_every_reading_that_is_an_option_has_an_entry_with_its_number() -> None:
    readings = [option.rule for option in OPTIONS if option.rule.startswith("R")]
    told = re.findall(r"\*\*Option (R\d+)\.?\*\*", (RULESET.package / "RULINGS.md").read_text(encoding="utf-8"))
    assert sorted(readings) == sorted(told)


# --- R8: heights do not count -----------------------------------------------------------------------------------

HILLS = """areas = [{kind = "woods", points = "18,8 22,8 22,12 18,12"}]
[[table.hills]]
name = "West"
contours = [{kind = "hilltop", level = 1, points = "3,8 7,8 7,12 3,12"}]
[[table.hills]]
name = "East"
contours = [{kind = "hilltop", level = 1, points = "33,8 37,8 37,12 33,12"}]
"""


@rule("6.3.1")
@pytest.mark.parametrize(("top", "blocked"), [("", ""), (on("R8"), "6.3.1")])
def test_R8_on_flat_ground_nobody_sees_over_woods_from_hill_to_hill(top: str, blocked: str) -> None:
    assert sees(position([(PANZER, "7,10")], [(T34, "33,10")], terrain=HILLS, top=top)) == blocked


@rule("6.2.3")
@pytest.mark.parametrize(("top", "blocked"), [("", ""), (on("R8"), "6.2.3")])
def test_R8_on_flat_ground_a_tank_in_the_valley_hides_what_is_behind_it(top: str, blocked: str) -> None:
    terrain = HILLS.replace("18,8 22,8 22,12 18,12", "18,20 22,20 22,24 18,24")
    made = position([(PANZER, "7,10")], [(T34, "33,10"), (T34, "20,10")], terrain=terrain, top=top)
    assert sees(made) == blocked


@rule("6.3.1", "9.1-chart")
@pytest.mark.parametrize(("top", "blocked"), [("", ""), (on("R8"), "6.3.1")])
def test_R8_on_flat_ground_a_depression_blocks_as_the_chart_says(top: str, blocked: str) -> None:
    hollow = 'lines = [{kind = "depression", points = "20,5 20,15"}]'
    assert sees(position([(PANZER, "7,10")], [(T34, "33,10")], terrain=hollow, top=top)) == blocked


# --- R14: the roll to fire is enough ------------------------------------------------------------------------------


@rule("12.8")
@pytest.mark.parametrize(
    ("options", "roll", "dice", "again"),
    [
        (("12.8",), 3, (6, 6), False),
        (("12.8", "R14"), 3, (6, 6), True),
        (("12.8", "R14"), 19, (), False),
        (("R14",), 3, (6, 6), False),
    ],
)
def test_R14_a_shot_without_effect_allows_a_second_one(
    options: tuple[str, ...], roll: int, dice: tuple[int, ...], again: bool
) -> None:
    """At ten inches 9 against 8 is +1: 12 has no effect. 19 is more than the Germans' cohesion of 15."""
    made = fight(*PAIR, top=on(*options))
    made.play("german", Engage("german-1", "soviet-1"))
    scripts(made, [roll, *dice])
    made.play("german", Fire())
    assert made.state.units["german-1"].again == again


# --- R21: all costs add up ----------------------------------------------------------------------------------------


@rule("9.1.5")
@pytest.mark.parametrize(("top", "points"), [("", 3), (on("R21"), 5)])
def test_R21_where_woods_and_rough_ground_lie_together_both_are_paid(top: str, points: int) -> None:
    """Tracks pay 3 an inch in woods, 2 on Rough Terrain 2."""
    lines = [f'{{kind = "{kind}", points = "8,8 12,8 12,12 8,12"}}' for kind in ("woods", "rough-2")]
    made = position([(PANZER, "5,10")], terrain=f"areas = [{', '.join(lines)}]", top=top)
    ground = made.table.ground.at(inches(10, 10)).features
    assert prices(made, made.units["german-1"]).inch(tuple(ground)) == points


# --- R44: four inches in a straight line --------------------------------------------------------------------------


@rule("7.6.2.3")
@pytest.mark.parametrize(
    ("top", "off", "kind"),
    [("", (4, 1), "adjusted"), (on("R44"), (4, 1), "support"), (on("R44"), (4, 0), "adjusted")],
)
def test_R44_an_adjusted_mission_lies_within_four_inches_in_a_straight_line(top: str, off: Point, kind: str) -> None:
    made = plotting(top=top)
    written(made.state, kind="pre-registered", due=0)
    right, up = off
    mission = plots(made, PlotFire("german-2", "german-1"), Aim((SPOT[0] - right * 1000, SPOT[1] - up * 1000)))
    assert mission.kind == kind


# --- R63, R91: aircraft and artillery -----------------------------------------------------------------------------


def strafed(top: str) -> Position:
    return position([], [(RIFLES, "20,10")], top=top)


@rule("12.3.5")
@pytest.mark.parametrize(("top", "blank"), [("", True), (on("R63"), False)])
def test_R63_a_strike_suppresses_where_it_has_no_effect(top: str, blank: bool) -> None:
    made = strafed(top)
    roll = strike(made, guns(charts().aircraft["germany-junkers-ju87-g-1"]), made.units["soviet-1"])
    assert ("-" in roll.outcomes) == blank
    assert roll.outcomes[-1] == ("-" if blank else "S")  # the worst roll, twelve


@rule("7.1.8-half", "7.6.1.3-diff")
@pytest.mark.parametrize(("top", "kept"), [("", 3), (on("R91"), 6)])
def test_R91_artillery_meets_the_printed_defence_of_men_on_the_move(top: str, kept: int) -> None:
    made = strafed(top)
    target = stand(made, "soviet-1", posture="movement")
    assert target.kind.defence == 6
    assert [line.amount for line in defence(made, target, "7.4.4-armour")][-1] == kept


# --- R94: unloading after a failed roll -----------------------------------------------------------------------------


def failed(*options: str) -> Game[Position]:
    """A halftrack with rifles in it has failed to move by order, with a 20."""
    made = march((("us-halftrack-various-marks", "5,5"), (MEN, "5,8")), dice=(20,), frame=GroupMovement("red"))
    made.state.setting.options = frozenset(options)
    made.state.change("red-2", carrier="red-1", at=inches(5, 5), group="")
    made.state.change("red-1", cargo=("red-2",))
    made.stack = ()
    made.state.orders = {"red": 2, "blue": 0}
    made.push(GroupMovement("red", begun=True))
    made.run()
    made.play("red", Order("red-1"))
    return made


@rule("8.4.6", "8.2.4-roll")
def test_R94_a_carrier_that_has_failed_to_move_unloads_all_the_same() -> None:
    out = Unload("red-1", "red-2", inches(6, 5), 0)
    assert not any(isinstance(frame, GroupMove) for frame in failed().stack)
    made = failed("R94")
    assert against(made, leg("red-1", 7, 5)) == "8.2.4-roll"
    assert {type(choice) for choice in made.choices("red").of("red-1")} == {Unload}
    made.play("red", out)
    assert against(made, leg("red-1", 7, 5)) == "8.2.4-roll"  # under way, too
    made.play("red", Stop("red-1"))
    assert (made.state.units["red-2"].at, made.state.units["red-1"].moved) == (inches(6, 5), True)


@rule("8.4.6")
def test_R94_a_carrier_that_carries_nobody_is_not_asked() -> None:
    made = march((("us-halftrack-various-marks", "5,5"),))
    made.state.setting.options = frozenset({"R94"})
    assert not may_unload(made.state, "red-1")


# --- R105: a headquarters that rides ------------------------------------------------------------------------------


@rule("10.1.2")
@pytest.mark.parametrize(("options", "modifier"), [((), -2), (("R105",), 0)])
def test_R105_a_headquarters_in_a_transport_does_not_help_its_group(options: tuple[str, ...], modifier: int) -> None:
    made: Game[Position] = march((("us-medium-truck-2-3-ton", "5,5"), ("us-infantry-hq", "5,8")), red_2={"rank": "HQ"})
    made.state.setting.options = frozenset(options)
    made.state.change("red-2", carrier="red-1", at=inches(5, 5))
    made.state.change("red-1", cargo=("red-2",))
    unit = made.state.units["red-1"]
    assert movement_roll(made.state, unit, [unit], independent=False).modifier == modifier


@rule("10.1.2")
def test_R105_on_the_table_it_helps_all_the_same() -> None:
    made: Game[Position] = march((("us-m4-sherman", "5,5"), ("us-infantry-hq", "6,5")), red_2={"rank": "HQ"})
    made.state.setting.options = frozenset({"R105"})
    group = [made.state.units[name] for name in ("red-1", "red-2")]
    assert movement_roll(made.state, group[0], group, independent=False).modifier == -2


# --- R114, R117, R128: responses, men between, covering fire --------------------------------------------------------


@rule("8.8.3-1", "8.8.4")
@pytest.mark.parametrize(
    ("options", "posture", "asked"),
    [((), "fire/move", True), (("R114",), "fire/move", False), (("R114",), "firing", True)],
)
def test_R114_the_firing_posture_alone_responds(options: tuple[str, ...], posture: str, asked: bool) -> None:
    """A 5 succeeds for the defender, and with 3 more as well; without response the assaulter fails with a 20."""
    made = assaults((("us-infantry-42", "9,10"),), dice=(5 if asked else 20,), blue_1={"posture": posture})
    made.state.setting.options = frozenset(options)
    made.play("red", Resolve("blue-1"))
    assert any(isinstance(frame, Response) for frame in made.stack) is asked


@rule("6.2.2")
@pytest.mark.parametrize(
    ("top", "spotter", "blocked"),
    [("", PANZER, ""), (on("R117"), PANZER, "6.2.2"), ("", GRENADIERS, "6.2.2"), (on("R117"), GRENADIERS, "6.2.2")],
)
def test_R117_men_between_hide_men_from_tanks(top: str, spotter: str, blocked: str) -> None:
    assert sees(position([(spotter, "5,10")], [(RIFLES, "15,10"), (RIFLES, "10,10")], top=top)) == blocked


@rule("6.2.2")
def test_R117_men_between_hide_no_tank() -> None:
    assert sees(position([(PANZER, "5,10")], [(T34, "15,10"), (RIFLES, "10,10")], top=on("R117"))) == ""


@rule("8.6.1", "8.6.3")
@pytest.mark.parametrize(("options", "asked"), [((), False), (("R128",), True)])
def test_R128_stands_in_fire_and_move_cover_with_three_more(options: tuple[str, ...], asked: bool) -> None:
    made = march(TANKS, GUN, dice=(20,), red_2={"posture": "fire/move"}, blue_1=WEST)
    made.state.setting.options = frozenset(options)
    go(made, "red-1", 9, 5, 90)
    made.play("blue", Oppose("blue-1", "red-1"))
    made.play("blue", Fire())
    assert (against(made, Cover("red-2", "blue-1")) == "") is asked
    shot = Shot("red-2")
    roll = fire_roll(made.state, Attack("blue-1", (shot,), "covering"), shot)
    assert roll.modifier == 3 + 3  # the posture and covering fire


@rule("8.7.6-fire")
@pytest.mark.parametrize(("options", "answers"), [((), True), (("R141",), False)])
def test_R141_guns_of_the_artillery_answer_no_overrun(options: tuple[str, ...], answers: bool) -> None:
    made = march((("us-m4-sherman", "5,5"),), (("ger-105mm-ifh18-2", "9,5"),), blue_1={"facing": 270})
    made.state.setting.options = frozenset(options)
    made.state.put("red-1", inches(9, 5))
    made.state.progress = Progress("red-1", origin=inches(5, 5))
    gun, tank = made.state.units["blue-1"], made.state.units["red-1"]
    assert (cannot_hit(made.state, gun, tank, "main", "overrun") is None) is answers


# --- R140: markers move onto the stands that they strike -----------------------------------------------------------


@rule("7.4.3.2")
@pytest.mark.parametrize(("top", "lies"), [("", (19600, 10100)), (on("R140"), (20000, 10000))])
def test_R140_a_marker_is_laid_on_the_stand_that_it_strikes(top: str, lies: Point) -> None:
    """A marker 0.4 and 0.1 inches off covers 54 of 100 parts of the stand."""
    made = fight([(PANZER, "2,2"), ("ger-105mm-ifh18-2", "2,10")], [(RIFLES, "20,10")], top=top)
    marker = Work("impact 1", "impact", (19600, 10100), side="german", battery="german-2", until=1)
    made.state.lay(marker)
    scripts(made, [6, 6])
    drop(made, marker)
    assert made.state.works["impact 1"].at == lies


# --- R139: fire is corrected after the turn of its arrival ---------------------------------------------------------


@rule("7.6.5.2-correct")
def test_R139_fire_is_not_corrected_in_the_turn_of_its_arrival() -> None:
    correct = Correct("german-1", "german-fire-1")
    for options, arrived, rule_of_it in ((on("R139"), 1, "7.6.5.2-correct"), ("", 1, ""), (on("R139"), 0, "")):
        made = plotting(top=options)
        written(made.state, drift=(3000, 0), due=1, duration=3)
        made.state.turn = 1 if arrived else 2
        assert refused(made, "german", correct) == rule_of_it


# --- R98: assaults of stands that have not moved -------------------------------------------------------------------


def in_contact(*options: str) -> Game[Position]:
    """After all movement: rifles that were marked to move, and have not, touch a platoon; tanks touch another."""
    red = ((MEN, "9,10"), ("us-m4-sherman", "9,14"), (MEN, "9,18"))
    blue = ((GRENADIERS, "10,10"), (GRENADIERS, "10,14"), (GRENADIERS, "20,18"))
    return march(red, blue, more=on(*options) + "\n", frame=LateDeclarations("red"), blue_1={"posture": "movement"})


@rule("8.8.2")
def test_R98_a_stand_in_contact_declares_although_it_has_not_moved() -> None:
    assert not in_contact().stack
    game = in_contact("R98")
    assert game.asked() == ("red",)
    assert against(game, Assault("red-1", "blue-2")) == "8.8.2"  # not in contact
    assert against(game, Assault("red-2", "blue-2")) == "8.8.1"  # tanks do not assault
    assert against(game, Assault("red-3", "blue-3")) == "8.8.2"
    assert [*game.choices("red").of("red-1")] == [Assault("red-1", "blue-1")]
    game.play("red", Assault("red-1", "blue-1"))
    assert game.state.units["red-1"].assaults == "blue-1"
    assert against(game, Assault("red-1", "blue-1")) == "8.8.2"  # declared already
    game.play("red", NoMoreAssaults())
    assert game.asked() == ("blue",)  # its men were marked to move, too
    game.play("blue", NoMoreAssaults())
    assert not game.stack


@rule("8.8.2")
def test_R98_a_stand_without_a_point_left_declares_nothing() -> None:
    game = in_contact("R98")
    game.state.change("red-1", spent=2_500_000)  # of its three
    assert against(game, Assault("red-1", "blue-1")) == "8.8.2"


@rule("8.8.2")
@pytest.mark.parametrize(
    ("shaken", "best"), [("blue-1", Assault("red-1", "blue-1")), ("red-1", NoMoreAssaults())], ids=["enemy", "own"]
)
def test_R98_greedy_declares_an_assault_that_pays(shaken: str, best: Action) -> None:
    """One of two like stands is suppressed and disorganized: it rolls at 7 more, and the next S or D eliminates it."""
    game = in_contact("R98")
    game.state.change("blue-1", posture="firing")
    game.state.change(shaken, suppressed=True, disorganized=True)
    assert suggest(game.state, "red", game.stack[-1], game.choices("red"))[0].action == best


# --- R16: retreats directly away -------------------------------------------------------------------------------------


def behind(friend: str, *options: str) -> Game[Position]:
    """A stand with an enemy beside it to the west, which has to retreat, and a friend."""
    made = march(
        (("us-infantry-44", "10,10"), ("us-infantry-44", friend)), ((GRENADIERS, "9,10"),), more=on(*options) + "\n"
    )
    made.stack = ()
    made.push(Retreating("red", "red-1", (9000, 10000)))
    made.run()
    return made


@rule("8.8.5")
@pytest.mark.parametrize(("options", "places"), [((), 5), (("R16",), 1)])
def test_R16_a_stand_retreats_away_from_the_enemy_or_directly_away_only(options: tuple[str, ...], places: int) -> None:
    """At 0, 15 and 30 degrees off that direction it comes 2, 1.98 and 1.93 inches from the enemy, at 45 only 1.85."""
    made = behind("30,20", *options)
    offered = made.choices("red").of("red-1")
    assert len([*offered]) == places
    assert against(made, Retreat("red-1", (11000, 10000))) == ""
    assert against(made, Retreat("red-1", (10966, 10259))) == ("8.8.5" if options else "")


@rule("8.8.5")
@pytest.mark.parametrize(("options", "status"), [((), "on the table"), (("R16",), "eliminated")])
def test_R16_a_friend_straight_behind_it_may_bar_the_retreat(options: tuple[str, ...], status: str) -> None:
    """The friend covers 11.1 to 12.1 by 8.7 to 9.7 inches: on the eastern place, but not on that to the south-east."""
    assert behind("11.6,9.2", *options).state.units["red-1"].status == status


# --- R26: overruns after each group ----------------------------------------------------------------------------------


@rule("8.7.1-move", "8.7.8-defend")
@pytest.mark.parametrize("options", [(), ("R26",)])
def test_R26_overruns_are_rolled_after_all_movement_or_after_that_of_the_group(options: tuple[str, ...]) -> None:
    """A tank overruns a stand; with its group it is done: the stand rolls now, or waits pinned for its own move."""
    made = march(
        (("us-m4-sherman", "5,5"),), ((GRENADIERS, "9,5"),), more=on(*options) + "\n", blue_1={"posture": "movement"}
    )
    scripts(made, [1, 1])
    events = made.play("red", Overrun("red-1", "blue-1", inches(10, 5), 270))
    if made.asked() == ("blue",):
        events += made.play("blue", NotYet())
    events += made.play("red", Stop("red-1"))
    rolled = [each.rule for each in events if each.kind == "cohesion"]
    assert rolled == (["8.7.8-defend", "8.7.8-attack"] if options else [])
    assert made.state.units["red-1"].overruns == (() if options else ("blue-1",))
    assert (pinned(made.state, made.state.units["blue-1"]) is None) is bool(options)


# --- R56: bridges under markers --------------------------------------------------------------------------------------


@rule("11.5.8")
@pytest.mark.parametrize(("options", "kind"), [((), "bridge out"), (("R56",), "bridge")])
def test_R56_a_marker_attacks_a_bridge_or_direct_fire_alone_does(options: tuple[str, ...], kind: str) -> None:
    made = march((("us-infantry-44", "10,10"),), more=on(*options) + "\n")
    made.state.lay(Work("span", "bridge", (20000, 10000), 90))
    scripts(made, [1, 1])
    on_bridge(made, Shell((20000, 10000), 12))
    assert made.state.works["span"].kind == kind
