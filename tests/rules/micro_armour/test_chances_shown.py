"""The view before a choice: lines of sight, the rolls that an action leads to, and where fire may fall."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from opfire.core.actions import Action
from opfire.core.events import Calculation
from opfire.core.game import SPECTATOR, Game
from opfire.core.places import Point
from opfire.rulesets.micro_armour import RULESET
from opfire.rulesets.micro_armour.air.planes import Bomb
from opfire.rulesets.micro_armour.air.strikes import DropBombs, Strafe
from opfire.rulesets.micro_armour.airborne.zones import ChooseZone
from opfire.rulesets.micro_armour.alternation import Begin, Pass
from opfire.rulesets.micro_armour.artillery.close_support import CloseSupport
from opfire.rulesets.micro_armour.artillery.direct import FireDirect
from opfire.rulesets.micro_armour.artillery.phase import CarryOut
from opfire.rulesets.micro_armour.artillery.sheafs import Sheaf
from opfire.rulesets.micro_armour.fire.standard import Engage, StandardFirePhase
from opfire.rulesets.micro_armour.moving.movement import GroupMovement
from opfire.rulesets.micro_armour.moving.opportunity import Oppose
from opfire.rulesets.micro_armour.pieces import Position, Work
from opfire.rulesets.micro_armour.retreats import Retreat, Retreating
from opfire.rulesets.micro_armour.shown.chances.moves import mines
from opfire.rulesets.micro_armour.succession import CommandReplacement, TakeCommand
from opfire.rulesets.micro_armour.works.labour import Labour
from rules.micro_armour.kit import GRENADIERS, PANZER, RIFLES, STAFF, T34, position, rule, stand
from rules.micro_armour.marches import area, go, inches, leg, march
from rules.micro_armour.test_07_artillery import STUB, shelling
from rules.micro_armour.test_07_artillery_limits import CREST
from rules.micro_armour.test_07_fire import fight
from rules.micro_armour.test_07_missions import HOWITZERS, firing, plotting, written
from rules.micro_armour.test_08_10_airborne import choosing, up
from rules.micro_armour.test_12_3_air import PLANE, attacking
from rules.micro_armour.test_command import FORCE, LOST
from rules.micro_armour.test_engineers import site
from rules.micro_armour.test_special_troops import holding

WOODS = 'areas = [{kind = "woods", points = "14,12 16,12 16,18 14,18"}]'
SHERMAN, PLOUGH = "us-m4-sherman", "us-m5-stuart"


def told(made: Game[Position], seat: str, action: Action) -> list[tuple[str, Calculation]]:
    """The rolls of an action as a seat is told of them."""
    return [(str(words), roll) for words, roll in RULESET.previews(made.sight(seat), made.stack[-1], action)]


# --- lines of sight ---------------------------------------------------------------------------------------------------


@rule("6.1-line", "6.3.1")
@pytest.mark.parametrize(("terrain", "clear", "number"), [("", True, "6.1-line"), (WOODS, False, "6.3.1")])
def test_6_1_a_line_of_sight_is_shown_as_clear_or_blocked(terrain: str, clear: bool, number: str) -> None:
    made = position([(PANZER, "10,15")], [(T34, "20,15")], terrain=terrain)
    line = RULESET.queries["los"](made, "german", start="10,15", to="20,15")
    assert (line["clear"], line["rule"]) == (clear, number)


@rule("6.0", "8.4.9")
def test_6_0_a_stand_is_shown_whom_it_sees_and_who_sees_it_and_cargo_nobody() -> None:
    made = position([(PANZER, "10,15"), (GRENADIERS, "10,20")], [(T34, "20,15")])
    spots = RULESET.queries["spots"]
    assert spots(made, "german", unit="german-2") == {"by": ["soviet-1"], "spots": ["soviet-1"]}
    stand(made, "german-2", carrier="german-1", at=(10000, 15000))
    assert spots(made, "german", unit="german-2") == {"by": [], "spots": []}


@rule("6.0", "7.1.3")
def test_6_0_a_look_over_a_side_shows_who_sees_and_threatens_its_stands() -> None:
    made = position([(PANZER, "10,15")], [(T34, "20,15")])
    found = RULESET.queries["glance"](made, "german")
    assert found == {"units": [{"unit": "german-1", "fire": ["soviet-1"], "sees": ["soviet-1"], "seen": ["soviet-1"]}]}
    assert RULESET.queries["glance"](made, SPECTATOR) == {"units": []}


# --- fire -------------------------------------------------------------------------------------------------------------


@rule("7.5.5", "7.5.3")
@pytest.mark.parametrize(("terrain", "modifier"), [("", 0), (CREST, 2)])
def test_7_5_5_the_crest_before_the_target_of_direct_fire_is_told(terrain: str, modifier: int) -> None:
    made = shelling([(HOWITZERS, "5,10")], [(RIFLES, "20,10")], terrain=terrain)
    (_, fire), (_, marker) = told(made, "german", FireDirect("german-1", (20000, 10000), "closed", "N"))
    assert (fire.rule, fire.modifier, marker.modifier) == ("7.5.3", 0, modifier)


@rule("7.6.5.1", "7.6.1.2-arrive")
@pytest.mark.parametrize(("drift", "rules"), [(None, ["7.6.1.2-arrive", "7.6.1.2-deviate"]), ((0, 0), [])])
def test_7_6_5_1_a_mission_is_told_with_its_rolls_to_arrive_until_it_has(drift: Point | None, rules: list[str]) -> None:
    made = plotting()
    written(made.state, due=2 if drift else 3, duration=2, drift=drift)
    firing(made, 3)
    found = [roll.rule for _, roll in told(made, "german", CarryOut("german-fire-1"))]
    assert found == [*rules, "7.6.1.3-roll"]


@rule("7.6.3-duration")
@pytest.mark.parametrize(("duration", "words"), [(1, "turn 3"), (3, "turns 3 to 5")])
def test_7_6_3_a_mission_to_come_is_listed_with_its_turns(duration: int, words: str) -> None:
    made = plotting()
    written(made.state, duration=duration)
    (mission,) = made.view("german")["missions"]
    assert mission["text"].endswith(f", {words}")


@rule("10.8", "11.4.1")
def test_11_4_1_close_support_fire_is_told_with_its_attack_on_a_position() -> None:
    """HE 5 at riflemen of 6, and at a light position of 5."""
    made = shelling([(STUB, "5,10")], [(RIFLES, "15,10")])
    made.state.lay(Work("position", "light position", (15000, 10000), 0, "soviet"))
    _, *rolls = told(made, "german", CloseSupport("german-1", "soviet-1"))
    assert [(roll.rule, roll.column) for _, roll in rolls] == [("7.6.1.3-roll", "-1"), ("11.4.1", "+0")]


@rule("12.2.1", "7.5.3", "7.1.10-roll", "10.8")
@pytest.mark.parametrize(("options", "hot"), [("", False), ('options = ["12.2.1"]', True)])
def test_12_2_1_what_a_natural_1_would_do_is_told_beside_the_usual_roll(options: str, hot: bool) -> None:
    """Two columns to the right: for a stand, a close support gun and the marker of a battery."""
    tank = fight([(PANZER, "5,10")], [(T34, "15,10")], top=options)
    gun = shelling([(STUB, "5,10")], [(RIFLES, "15,10")], top=options)
    battery = shelling([(HOWITZERS, "5,10")], [(RIFLES, "15,10")], top=options)
    shots = (
        (tank, Engage("german-1", "soviet-1", "main"), "+1"),
        (gun, CloseSupport("german-1", "soviet-1"), "-1"),
        (battery, FireDirect("german-1", (15000, 10000), "closed", "N"), "+2"),
    )
    for made, shot, usual in shots:
        attacks = [roll.column for _, roll in told(made, "german", shot) if roll.column]
        assert attacks == [usual, f"{int(usual) + 2:+}"] if hot else attacks == [usual]


@rule("10.8", "7.1.7")
def test_10_8_a_click_on_a_target_means_fire_of_the_kind_that_the_stand_has() -> None:
    def meant(made: Game[Position]) -> list[Action]:
        return RULESET.meant(made.state, "german", made.stack[-1], ["german-1", "soviet-1"])

    gun = meant(shelling([(STUB, "5,10")], [(RIFLES, "15,10")]))
    assert CloseSupport("german-1", "soviet-1") in gun
    assert not any(isinstance(each, FireDirect) for each in gun)
    assert Engage("german-1", "soviet-1", "main") in meant(fight([(PANZER, "5,10")], [(RIFLES, "15,10")]))


@rule("8.5.4")
def test_8_5_4_only_opportunity_fire_is_told_with_the_roll_of_its_target_to_go_on() -> None:
    game = march(((SHERMAN, "5,5"),), ((PANZER, "15,5"),), blue_1={"facing": 270})
    go(game, "red-1", 10, 5, 90)
    shot = told(game, "blue", Oppose("blue-1", "red-1"))
    assert [roll.modifier for _, roll in shot if roll.rule == "8.5.4"] == [4, 3]  # if suppressed, if disorganized
    game.stack = (StandardFirePhase("blue", begun=True),)
    plain = told(game, "blue", Engage("blue-1", "red-1", "main"))
    assert [roll.rule for _, roll in plain] == ["7.1.6-roll", "7.1.10-roll"]


@rule("7.6.1.2-deviate", "7.6.5.1", "7.5.4")
@pytest.mark.parametrize(
    ("kind", "drift", "spreads"), [("support", None, True), ("support", (0, 0), False), ("direct", None, False)]
)
def test_7_6_1_2_howitzers_may_deviate_in_a_mission_that_is_to_arrive_but_not_if_they_aim_themselves(
    kind: str, drift: Point | None, spreads: bool
) -> None:
    made = plotting()
    written(made.state, kind=kind, drift=drift)
    firing(made, 3)
    found = RULESET.queries["spread"](made.sight("german"), "german", action=CarryOut("german-fire-1"))
    assert bool(found) is spreads


@rule("7.5.1", "7.5.4", "7.6.1.1")
@pytest.mark.parametrize(("trees", "spreads"), [(25, True), (10, False)])
def test_7_5_1_plotted_fire_of_mortars_that_do_not_see_its_place_is_shown_to_fall_nowhere(
    trees: int, spreads: bool
) -> None:
    woods = f'areas = [{{kind = "woods", points = "{trees},11 {trees + 2},11 {trees + 2},13 {trees},13"}}]'
    made = plotting([(STAFF, "5,2"), ("ger-81mm-mortar-3", "5,12")], [(T34, "30,25")], terrain=woods)
    mission = written(made.state, kind="direct")
    made.state.missions[mission.id] = replace(mission, sheaf=Sheaf((20000, 12000), 3, "closed", "S"))
    firing(made, 3)
    found = RULESET.queries["spread"](made.sight("german"), "german", action=CarryOut(mission.id))
    assert bool(found) is spreads


@rule("3.4-half", "7.6.1.2-direction")
def test_3_4_half_of_1d8_inches_is_1_to_4_each_as_likely() -> None:
    made = plotting()
    written(made.state)
    firing(made, 3)
    spread = RULESET.queries["spread"](made.sight("german"), "german", action=CarryOut("german-fire-1"))
    chances = {each["place"]: each["chance"] for each in spread}
    assert [chances[20000 + far * 1000, 10000] for far in (1, 2, 3, 4)] == [pytest.approx(1 / 4 / 8 / 4)] * 4


# --- aircraft and landings ----------------------------------------------------------------------------------------


@rule("12.3.5", "12.3.6")
def test_12_3_6_a_run_at_two_stands_is_told_with_all_of_its_rolls() -> None:
    """To attack, to stay on course, at the first stand, to go on to the next with 3 more, and at that one."""
    found = attacking(3, [(RIFLES, "20,10"), (RIFLES, "21,10")])
    rolls = told(found, "german", Strafe(PLANE, "soviet-1", "soviet-2"))
    assert [roll.modifier for _, roll in rolls] == [0, 0, 0, 3, 0]
    assert all(line.rule != "12.3.4" for _, roll in rolls for line in roll.lines)  # no guns fire at it


@rule("12.3.7", "12.3.5")
def test_12_3_7_bombs_are_told_at_the_place_where_they_fall() -> None:
    found = attacking(3, [(RIFLES, "20,10"), (T34, "24,10")], bombs=(Bomb((20000, 10000), 3), Bomb((24000, 10000), 4)))
    words = [each for each, _ in told(found, "german", DropBombs(PLANE))]
    target = found.state.units["soviet-1"].name
    assert len(words) == 3
    assert words[-1].endswith(target)


@rule("12.3.6", "12.3.7")
@pytest.mark.parametrize(
    ("struck", "turn", "words"),
    [("strafed", 3, "strafes"), ("bombed", 3, "bombs"), ("strafed", 2, ""), ("bombed", 2, "")],
)
def test_12_3_6_an_attack_of_an_aircraft_is_shown_in_its_own_turn(struck: str, turn: int, words: str) -> None:
    found = attacking(3)
    plane = found.state.planes[PLANE]
    found.state.planes[PLANE] = replace(plane, over=(20000, 10000), **{struck: turn})
    (shown,) = found.view("german")["planes"]
    assert (shown["strikes"]["text"] if shown["strikes"] else "") == words


@rule("8.10.1.3-2", "8.10.1.3-2nat", "8.10.1.3-2fail", "8.10.1.3-2pass")
def test_8_10_1_3_the_places_where_the_first_stand_may_come_down_are_shown() -> None:
    """At night cohesion 17 is met with 15 or less. A natural 1 lands on the place; the others who succeed drift by half
    of 1D8 inches, those who fail by 2D8 in a combat jump.
    """
    found = choosing()
    action = ChooseZone("american-landing-1", up(5, 10), "N")
    spread: list[dict[str, Any]] = RULESET.queries["spread"](found.sight("american"), "american", action=action)
    chances = {each["place"]: each["chance"] for each in spread}
    near, wide = Fraction(14, 20) / 8, Fraction(5, 20) / 8
    expected = {0: Fraction(1, 20), 1: near / 4, 2: near / 4 + wide / 64, 3: near / 4 + wide * 2 / 64}
    there = {far: chances[5000, up(5, 10)[1] - far * 1000] for far in expected}
    assert there == {far: pytest.approx(float(chance)) for far, chance in expected.items()}
    assert sum(chances.values()) == pytest.approx(1)


@rule("8.10.1.3-2")
def test_8_10_1_3_a_group_of_one_stand_is_shown_as_well() -> None:
    found = choosing(units="us-paratrooper-42 = 1")
    action = ChooseZone("american-landing-1", up(5, 10), "N")
    assert RULESET.queries["spread"](found.sight("american"), "american", action=action)


# --- movers, engineers, headquarters ------------------------------------------------------------------------------


@rule("12.6")
def test_12_6_a_side_that_declines_an_order_is_told_of_a_roll_only_in_a_game_with_that_rule() -> None:
    game = holding((14,))
    assert [roll.rule for _, roll in told(game, "red", Pass())] == ["12.6"]
    plain = march((("us-infantry-42", "5,5"),), ((GRENADIERS, "30,5"),), blue_1={"posture": "movement"})
    plain.state.orders.update({"red": 2, "blue": 2})
    plain.stack = ()
    plain.push(GroupMovement("red"))
    plain.run()
    plain.play("red", Begin("red"))
    assert told(plain, "red", Pass()) == []


@rule("11.1.4", "11.1.6-result")
def test_11_1_6_mines_are_told_with_the_rolls_to_go_on_by_the_state_that_they_leave() -> None:
    made = march(((SHERMAN, "7.6,5"),)).state
    field = Work("site", "mines", inches(8, 5), 0, "blue", "hasty")
    found = [(str(words), roll.modifier) for words, roll in mines(made, made.units["red-1"], field)]
    assert [modifier for _, modifier in found] == [0, 4, 3]
    assert ["suppressed" in words for words, _ in found] == [False, True, False]
    assert ["disorganized" in words for words, _ in found] == [False, False, True]


@rule("11.1.7")
@pytest.mark.parametrize(("to", "rolls"), [(11, 1), (8, 0), (6, 0)])
def test_11_1_7_a_way_over_friendly_mines_is_told_with_a_roll_to_go_on(to: float, rolls: int) -> None:
    game = march(((SHERMAN, "5,5"),))
    game.state.lay(Work("site", "mines", inches(8, 5), 0, "red", "hasty"))
    assert [roll.rule for _, roll in told(game, "red", leg("red-1", to, 5))] == ["11.1.7"] * rolls


@rule("9.3.3-breach")
@pytest.mark.parametrize(("to", "rolls"), [(7.5, 1), (5.8, 0)])
def test_9_3_3_a_way_of_a_plough_is_told_with_a_roll_where_it_leads_through_hedges(to: float, rolls: int) -> None:
    ground = area("bocage", 6.5, 0, 12, 30) + area("rough-1", 0, 0, 6.2, 30)
    game = march(((PLOUGH, "5,5"),), ground=ground, red_1={"facing": 90, "equipment": ("hedge cutter",)})
    found = [roll.rule for _, roll in told(game, "red", leg("red-1", to, 5, 90))]
    assert found == ["9.3.3-breach"] * rolls


@rule("7.4.3.4", "7.4.7.1-1")
@pytest.mark.parametrize(
    ("marker", "kind", "words"), [(9, "impact", ["marker 1"]), (9, "smoke", []), (10, "impact", [])]
)
def test_7_4_3_4_a_stand_that_comes_under_a_marker_is_told_of_its_attack(
    marker: float, kind: Any, words: list[str]
) -> None:
    """Smoke makes no attack, and a marker under which the stand is already none again."""
    made = march((("us-infantry-42", "10,10"),), (("ger-105mm-ifh18-2", "35,5"),))
    made.state.lay(Work("one", kind, inches(marker, 10), side="blue", battery="blue-1"))
    made.push(Retreating("red", "red-1", inches(11, 10)))
    made.run()
    to = inches(9, 10) if marker == 9 else inches(9.6, 10)
    found = [each.split(": ")[1].split(",")[0] for each, _ in told(made, "red", Retreat("red-1", to))]
    assert found == words


@rule("11.5.9.2")
@pytest.mark.parametrize(("turns", "rules"), [(0, []), (1, ["11.5.9.2"])])
def test_11_5_9_2_no_roll_is_told_in_the_first_turn_beside_a_wreck(turns: int, rules: list[str]) -> None:
    game = site("wreck", "us-heavy-truck-4-10-ton", equipment=(), posture="movement", toil=(("site", turns),))
    assert [roll.rule for _, roll in told(game, "red", Labour("red-1", "site"))] == rules


@rule("10.1.7-quality", "8.10.1.4")
@pytest.mark.parametrize(
    ("rank", "crashed", "rules"),
    [
        ("GHQ", False, ["10.1.7-roll", "10.1.7-quality"]),
        ("GHQ", True, ["10.1.7-quality"]),
        ("HQ", False, ["10.1.7-roll"]),
    ],
)
def test_10_1_7_the_successor_of_a_general_headquarters_alone_is_told_of_a_roll_for_quality(
    rank: str, crashed: bool, rules: list[str]
) -> None:
    lost = {**LOST, "rank": rank, "crashed": crashed}
    game = march(FORCE, doctrine="cohesion = 15\n", frame=CommandReplacement("red"), red_1=lost)
    assert [roll.rule for _, roll in told(game, "red", TakeCommand("red-3", "red-1"))] == rules
