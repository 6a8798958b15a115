"""Unit determination [12.1]: cards for losses, break points, and the conduct of broken forces."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from core import contract
from core.twins import Twins, play_all
from opfire.core.actions import Refusal
from opfire.core.game import SPECTATOR, Game
from opfire.rulesets.micro_armour import RULESET
from opfire.rulesets.micro_armour.artillery.direct import FireDirect, cannot_fire_direct
from opfire.rulesets.micro_armour.artillery.effects import strike
from opfire.rulesets.micro_armour.artillery.indirect import cannot_serve
from opfire.rulesets.micro_armour.artillery.missions import Mission
from opfire.rulesets.micro_armour.artillery.plotting import cannot_call, cannot_plot
from opfire.rulesets.micro_armour.artillery.sheafs import Sheaf
from opfire.rulesets.micro_armour.charts import charts
from opfire.rulesets.micro_armour.close.close_assault import Assault, courage_roll
from opfire.rulesets.micro_armour.close.overrun import Overrun
from opfire.rulesets.micro_armour.cohesion import level, to_move
from opfire.rulesets.micro_armour.fire.standard import cannot_attack, cannot_fire
from opfire.rulesets.micro_armour.formations import UNKNOWN, all_broken, force_of, is_broken, limit, settle, value
from opfire.rulesets.micro_armour.knowledge import imagined, sight
from opfire.rulesets.micro_armour.moving.arrivals import Exit
from opfire.rulesets.micro_armour.moving.bocage import breach_roll
from opfire.rulesets.micro_armour.moving.marching import cannot_march
from opfire.rulesets.micro_armour.moving.movement import cannot_order
from opfire.rulesets.micro_armour.moving.nerve import nerve_roll
from opfire.rulesets.micro_armour.moving.opportunity import cannot_react, going_on
from opfire.rulesets.micro_armour.moving.transport import loading_roll
from opfire.rulesets.micro_armour.moving.water import Ford, water_roll
from opfire.rulesets.micro_armour.pieces import Position, Work, WorkKind
from opfire.rulesets.micro_armour.postures import FormGroup, JoinGroup, Mark, NoMoreGroups, PostureDetermination
from opfire.rulesets.micro_armour.recovery import MarkerRemoval
from opfire.rulesets.micro_armour.results import eliminate
from opfire.rulesets.micro_armour.sequence import KeepFighting, roll_initiative
from rules.micro_armour.kit import fair, rule
from rules.micro_armour.marches import against, inches, leg, line, march, points, stand

SHERMAN, STAFF, TRUCK, RIFLES = "us-m4-sherman", "us-infantry-hq", "us-medium-truck-2-3-ton", "us-infantry-42"
GRENADIERS, HOWITZERS = "ger-infantry-39", "us-105mm-m2a1-how-2"
OPTION = 'options = ["12.1"]\n'


def force(tanks: int, **values: object) -> Game[Position]:
    """A force of tanks, a headquarters, a general one and two trucks, facing east."""
    red = [(STAFF, "2,2"), (STAFF, "2,4"), (TRUCK, "2,6"), (TRUCK, "2,8")]
    red += [(SHERMAN, f"{5 + number % 8 * 2},{2 + number // 8 * 2}") for number in range(tanks)]
    commands = f'facing = 90\ncommands = [{{ unit = "{STAFF}", rank = "GHQ" }}]\n'
    return march(red, ((GRENADIERS, "30,2"), (GRENADIERS, "24,2")), more=OPTION, doctrine=commands, **values)  # type: ignore[arg-type]


def broken(game: Game[Position]) -> Position:
    """The position with red broken in the turn before."""
    game.state.broken["red"] = 1
    game.state.turn = 2
    return game.state


@rule("12.1.1")
def test_12_1_1_aces_count_1_and_kings_13() -> None:
    assert [value(card) for card in (0, 1, 10, 11, 12, 13)] == [1, 2, 11, 12, 13, 1]


@rule("12.1.2")
def test_12_1_2_the_break_point_of_the_example() -> None:
    """32 armed stands, 3 headquarters and 1 general one are 41: times .35 and 7, 100."""
    red = [(SHERMAN, f"{5 + number % 8 * 2},{2 + number // 8 * 2}") for number in range(32)]
    red += [(STAFF, f"2,{y}") for y in (2, 4, 6, 8)] + [(TRUCK, "2,10")]
    commands = f'commands = [{{ unit = "{STAFF}", rank = "GHQ" }}]\n'
    position = march(red, doctrine=commands).state
    assert limit(position, position.of("red")) == 100


@rule("12.1", "12.1.3")
def test_12_1_3_a_card_for_a_stand_two_for_a_headquarters_three_for_a_general_one() -> None:
    game = force(4, dice=(1,) * 7)
    general = next(unit.id for unit in game.state.of("red") if unit.rank == "GHQ")
    plain = next(unit.id for unit in game.state.of("red") if unit.rank == "HQ")
    for name, cards in (("red-5", 1), (plain, 3), (general, 6), ("red-3", 7)):
        eliminate(game, name)
        settle(game)
        settle(game)
        assert len(game.state.hands["red"]) == cards
    assert len(set(game.state.hands["red"])) == 7
    assert march(((SHERMAN, "5,5"),)).state.hands == {}


@rule("12.1.3")
def test_12_1_3_the_other_side_does_not_know_the_cards() -> None:
    game = force(12, dice=(1,))
    eliminate(game, "red-5")
    settle(game)
    hand = game.state.hands["red"]
    assert sight(game.state, "red").hands == {"red": hand}
    assert sight(game.state, "blue").hands == sight(game.state, "").hands == {"red": (UNKNOWN,)}
    cards = [event for event in game.events if event.kind == "card"]
    assert [event.only for event in cards] == [("red",)]
    guess, _ = imagined(sight(game.state, "blue"), (), "blue", random.Random(1))
    assert UNKNOWN not in guess.hands["red"]


LOST_CONVOY = """
id = "convoy"
ruleset = "micro-armour"
title = "The Lost Convoy"
turns = 6
first = "german"
options = ["12.1"]
victory = [{{ side = "german", condition = "eliminate" }}, {{ side = "soviet", condition = "eliminate" }}]
[table]
size = [20, 20]
[sides.german]
name = "Germans"
nation = "german"
facing = 90
cohesion = 17
determination = 100
units = [{{ unit = "ger-infantry-hq", at = ["7,10"] }}, {german}
[sides.soviet]
name = "Soviets"
nation = "soviet"
facing = 270
cohesion = 17
determination = 100
units = [{{ unit = "sov-infantry-hq", at = ["13,10"] }}, {soviet}
"""
"""Tanks that nobody shoots at, and lorries that are lost one by one: their side alone draws cards. The lorries are
headquarters, for unarmed stands would count for no break point."""

LORRIES = {"german": "ger-opel-blitz-md-truck", "soviet": "sov-light-truck-gaz-aa-1t"}
TANKS = {"german": "ger-panzer-iv-f2-h-7-5cm", "soviet": "sov-t-34c"}
COLUMNS = {"german": 8, "soviet": 12}


def convoy(owner: str, side: str) -> str:
    """The stands of a side: lorries for the owner of the cards, else tanks."""
    kind, x = (LORRIES if side == owner else TANKS)[side], COLUMNS[side]
    points = ", ".join(f'"{x},{y}"' for y in range(2, 19, 2) if y != 10)
    ranks = ", ".join([f'{{ unit = "{kind}" }}'] * 8) if side == owner else ""
    return f'{{ unit = "{kind}", count = 8, at = [{points}] }}]\ncommands = [{ranks}]'


@rule("12.1.3")
@pytest.mark.parametrize(("owner", "other"), [("german", "soviet"), ("soviet", "german")])
def test_12_1_3_the_other_side_cannot_tell_which_cards_are_drawn(owner: str, other: str) -> None:
    text = LOST_CONVOY.format(german=convoy(owner, "german"), soviet=convoy(owner, "soviet"))
    case = contract.Case(RULESET, text, most=20000, every=37)
    seen = play_all(Twins(case, (owner,), (other, SPECTATOR), fallen=(0, 100)), range(3), 70)
    assert seen["differ"] == 3, seen


@rule("12.1.4", "12.1.7")
def test_12_1_4_a_force_breaks_when_its_cards_exceed_its_break_point() -> None:
    game = force(4, dice=(1, 1))  # 4, 2 and 3 are 9: 22
    assert limit(game.state, game.state.of("red")) == 22
    game.state.hands["red"] = (12, 7)  # 13 and 8 are 21
    eliminate(game, "red-5")
    settle(game)
    assert sum(map(value, game.state.hands["red"])) == 22
    assert not game.state.broken
    game.state.hands["red"] = (12, 25)  # 26
    eliminate(game, "red-6")
    settle(game)
    assert game.state.broken == {"red": 1}
    assert not is_broken(game.state, stand(game, "red-7"))  # from the next turn on
    game.state.turn = 2
    assert is_broken(game.state, stand(game, "red-7"))


@rule("12.1.6")
def test_12_1_6_formations_break_on_their_own() -> None:
    named = '[[sides.red.formations]]\nname = "A"\nunits = { us-m4-sherman = 1 }\n'
    named += '[[sides.red.formations]]\nname = "B"\nunits = { us-infantry-42 = 1 }\n'
    game = march(((SHERMAN, "5,5"), (RIFLES, "5,8")), more=OPTION, doctrine=named)
    tank, rifles = game.state.of("red")
    assert [force_of(game.state.setting, unit) for unit in (tank, rifles)] == ["red: A", "red: B"]


@rule("12.1.6", "12.1.7")
def test_12_1_7_two_formations_break_in_one_turn() -> None:
    """Three tanks are 3 points: .35 and 7 of that 7. Each formation draws from a deck of its own, and C draws none."""
    named = "".join(f'[[sides.red.formations]]\nname = "{name}"\nunits = {{ {SHERMAN} = 3 }}\n' for name in "ABC")
    tanks = [(SHERMAN, f"{5 + 2 * number},5") for number in range(9)]
    game = march(tanks, more=OPTION, doctrine=named, dice=(8, 8, 9))
    for name in ("red-1", "red-4"):
        eliminate(game, name)
    settle(game)
    assert game.state.broken == {"red: A": 1, "red: B": 1}
    assert "red: C" not in game.state.hands
    game.state.turn = 2
    assert [is_broken(game.state, stand(game, name)) for name in ("red-2", "red-5", "red-7")] == [True, True, False]


@rule("12.1.5-1", "12.1.5.1", "12.1.5-5", "12.1.5.5")
def test_12_1_5_cohesion_is_lower_except_for_movement() -> None:
    game = force(4)
    unit = stand(game, "red-5")
    assert (level(game.state, unit), to_move(game.state, unit)) == (14, 14)
    position = broken(game)
    assert (level(position, unit), to_move(position, unit)) == (9, 16)


@rule("12.1.5-1", "12.1.5-5", "8.5.4", "8.3.6", "8.9.2")
def test_12_1_5_all_rolls_of_a_move_have_the_cohesion_for_movement() -> None:
    """14 and 2 are 16 for the move, 14 less 5 are 9 for the fight."""
    position = broken(force(2))
    unit = position.units["red-5"]
    for roll in (going_on, nerve_roll, water_roll, breach_roll, loading_roll):
        assert roll(position, unit).lines[0].amount == 16
    assert courage_roll(position, unit).lines[0].amount == 9


@rule("12.1.5-2", "12.1.5.2", "12.1.5-7", "12.1.5.7")
def test_12_1_5_broken_stands_fire_in_self_defence_and_then_stay() -> None:
    position = broken(force(8, red_12={"posture": "movement"}))
    unit = position.units["red-12"]
    refusal = cannot_fire(position, "red", unit)
    assert refusal is not None
    assert refusal.rule == "12.1.5-2"
    position.change("blue-2", shots=("red-12",))
    assert cannot_fire(position, "red", unit) is None
    assert cannot_attack(position, unit, position.units["blue-2"], "main") is None  # 19,2 to 24,2
    far = cannot_attack(position, unit, position.units["blue-1"], "main")
    assert far is not None
    assert far.rule == "12.1.5-2"
    moved = cannot_order(position, "red", position.change("red-12", fired=True), independent=False)
    assert moved is not None
    assert moved.rule == "12.1.5-7"


@rule("12.1.5-2", "12.1.5.2")
def test_12_1_5_a_stand_stays_fired_upon_when_the_one_that_fired_is_lost() -> None:
    position = broken(force(8, red_12={"posture": "movement"}))
    position.change("blue-2", shots=("red-12",))
    position.lift("blue-2", "eliminated")
    assert cannot_fire(position, "red", position.units["red-12"]) is None


@rule("12.1.5-2", "12.1.5.2")
@pytest.mark.parametrize("kind", ["impact", "smoke"])
def test_12_1_5_artillery_that_falls_on_a_broken_stand_has_fired_at_it(kind: WorkKind) -> None:
    game = force(8, dice=(6, 6))
    position = broken(game)
    position.change("blue-2", kind=charts().weapons["ger-105mm-ifh18-2"])
    work = Work("shell", kind, (19000, 2000), side="blue", battery="blue-2", until=2)
    strike(game, work)
    assert cannot_fire(position, "red", position.units["red-12"]) is None
    assert cannot_fire(position, "red", position.units["red-11"]) is not None  # nobody has fired at this one
    game.push(MarkerRemoval("red"))
    fair(game, 1)
    game.run()
    assert not position.units["red-12"].shelled  # it counts in that turn only


def rule_of(refusal: Refusal | None) -> str:
    """The rule of a refusal; empty without one."""
    return refusal.rule if refusal else ""


@rule("12.1.5-2", "12.1.5.2")
def test_12_1_5_a_broken_battery_on_the_table_fires_back_at_enemies_within_five_inches() -> None:
    """One stands four inches away, the other seven; on the ground beside them nobody does."""
    foes = ((GRENADIERS, "9,5"), (GRENADIERS, "12,5"))
    game = march(((HOWITZERS, "5,5"),), foes, more=OPTION, red_1={"facing": 90})
    position = broken(game)

    def against(x: float, y: float) -> str:
        shot = FireDirect("red-1", inches(x, y), "closed", "N")
        return rule_of(cannot_fire_direct(position, "red", position.units["red-1"], shot))

    assert against(9, 5) == "12.1.5-2"
    position.change("blue-2", shots=("red-1",))
    assert [against(9, 5), against(12, 5), against(8, 7)] == ["", "12.1.5-2", "12.1.5-2"]


@rule("12.1.5-3", "12.1.5.3")
def test_12_1_5_batteries_off_the_map_complete_their_fire_and_begin_none() -> None:
    position = broken(march(((HOWITZERS, "5,5"), (HOWITZERS, "5,9")), more=OPTION))
    position.change("red-2", at=None, status="off the map", posture="firing")
    position.change("blue-1", shots=("red-1",))
    sheaf = Sheaf((8000, 8000), 2, "closed", "N")
    values = {"id": "M", "side": "red", "kind": "support", "sheaf": sheaf, "plotted": 0, "due": 1, "duration": 3}
    table = Mission(batteries=("red-1",), stood=((5000, 5000),), drift=(0, 0), **values)
    beyond = Mission(batteries=("red-2",), stood=(None,), drift=(0, 0), **values)
    found = [(table, "red-1"), (beyond, "red-2"), (replace(beyond, drift=None), "red-2")]
    rules = [rule_of(cannot_serve(position, mission, position.units[name])) for mission, name in found]
    assert rules == ["12.1.5-3", "", "12.1.5-3"]


@rule("12.1.5-3", "12.1.5.3")
def test_12_1_5_broken_forces_call_no_registered_fire() -> None:
    position = broken(force(2))
    sheaf = Sheaf((10000, 10000), 1, "closed", "N")
    position.missions["M"] = Mission(
        id="M", side="red", kind="pre-registered", batteries=("red-5",), sheaf=sheaf, plotted=0, stood=(None,)
    )
    refusal = cannot_call(position, "red", position.units["red-1"], "M")
    assert refusal is not None
    assert refusal.rule == "12.1.5-3"


@rule("12.1.5-7", "12.1.5.7")
def test_12_1_5_broken_stands_count_as_marked_to_move() -> None:
    game = force(2, red_5={"posture": "firing", "group": ""})
    broken(game)
    game.state.change("red-5", posture="firing")
    game.push(PostureDetermination("red"))
    game.run()
    assert stand(game, "red-5").posture == "movement"


@rule("12.1.5-6", "12.1.5.6")
def test_12_1_5_broken_stands_move_towards_their_edge() -> None:
    game = force(2)
    position = broken(game)
    refusal = cannot_march(position, stand(game, "red-6"), leg("red-6", 9, 2))
    assert refusal is not None
    assert refusal.rule == "12.1.5-6"
    assert cannot_march(position, stand(game, "red-5"), leg("red-5", 4, 6)) is None
    along = cannot_march(position, stand(game, "red-5"), leg("red-5", 5, 4))
    assert along is not None  # no nearer: RULINGS.md R34
    assert along.rule == "12.1.5-6"


@rule("12.1.5-6", "12.1.5.6")
def test_12_1_5_broken_stands_overrun_ford_and_leave_towards_their_edge_only() -> None:
    """Red's edge is in the west: nobody drives through an enemy, wades or leaves to the east."""
    red = ((SHERMAN, "9,5"), (RIFLES, "15.2,20"), (SHERMAN, "39.5,10"), (SHERMAN, "0.5,10"))
    brook = line("stream", "16,0 16,30")
    game = march(red, ((GRENADIERS, "12,5"), (GRENADIERS, "6,5")), ground=brook, more=OPTION, doctrine="facing = 90\n")
    game.state.setting.exits["red"] = frozenset({"east", "west"})
    acts = (
        Overrun("red-1", "blue-1", inches(13, 5), 0),
        Overrun("red-1", "blue-2", inches(5, 5), 0),
        Ford("red-2", inches(16.8, 20)),
        Exit("red-3", "east"),
        Exit("red-4", "west"),
    )
    assert [against(game, act) for act in acts] == [""] * 5
    broken(game)
    assert [against(game, act) for act in acts] == ["12.1.5-6", "", "12.1.5-6", "12.1.5-6", ""]


@rule("12.1.5-3", "12.1.5.3")
def test_12_1_5_broken_forces_plot_no_more() -> None:
    position = broken(force(2))
    refusal = cannot_plot(position, "red", position.units["red-5"], position.units["red-1"])
    assert refusal is not None
    assert refusal.rule == "12.1.5-3"


@rule("12.1.5-8", "12.1.5.8")
def test_12_1_5_the_other_side_rolls_to_fight_on() -> None:
    def rolled(turn: int, die: int) -> bool:
        game = march(((SHERMAN, "5,5"),), ((GRENADIERS, "30,2"),), more=OPTION, dice=(die,))
        game.state.broken["red"] = 1
        game.state.turn = turn
        game.push(KeepFighting("red"))
        game.run()
        return game.outcome is None

    assert rolled(2, 14)
    assert not rolled(2, 15)  # the whole force has 14
    assert rolled(4, 10)  # two more turns: 4 is added
    assert not rolled(4, 11)


@rule("12.1.5-8", "12.1.5.8")
def test_12_1_5_a_formation_that_has_broken_does_not_weigh_on_the_roll_to_fight_on() -> None:
    """The force has 14. One of its formations has broken, the other has not: 14 is still enough."""
    named = '[[sides.blue.formations]]\nname = "A"\nunits = { ger-infantry-39 = 1 }\n'
    named += '[[sides.blue.formations]]\nname = "B"\nunits = { ger-infantry-44 = 1 }\n'
    blue = ((GRENADIERS, "30,2"), ("ger-infantry-44", "30,5"))
    game = march(((SHERMAN, "5,5"),), blue, more=OPTION, enemy=named, dice=(14,))
    game.state.broken.update({"red": 1, "blue: A": 1})
    game.state.turn = 2
    game.push(KeepFighting("red"))
    game.run()
    assert game.outcome is None


@rule("12.1.5-8", "12.1.5.8", "12.1.5-4")
def test_12_1_5_batteries_off_the_map_and_forces_of_which_nobody_is_left_do_not_keep_their_side_in_the_fight() -> None:
    """Formation A has broken; B has lost its only stand to a card too small to break it; the howitzers have neither
    a formation nor a place on the table."""
    named = '[[sides.red.formations]]\nname = "A"\nunits = { us-m4-sherman = 1 }\n'
    named += '[[sides.red.formations]]\nname = "B"\nunits = { us-infantry-42 = 1 }\n'
    red = ((HOWITZERS, "2,2"), (SHERMAN, "5,5"), (RIFLES, "5,8"))
    position = march(red, more=OPTION, doctrine=named).state
    position.change("red-1", at=None, status="off the map")
    position.broken["red: A"], position.turn = 1, 3
    rifles = next(unit.id for unit in position.of("red") if unit.kind.id == RIFLES)
    assert all_broken(position, "red") == 0  # the rifles still fight
    position.lift(rifles, "eliminated")
    assert all_broken(position, "red") == 2
    position.change(rifles, status="reserve")
    assert all_broken(position, "red") == 0  # somebody is still to come


@rule("12.1.5-1", "12.1.5-8", "4.0-1")
def test_12_1_5_a_force_that_has_broken_altogether_rolls_with_5_less_as_a_whole() -> None:
    """14 less 5 are 9, for the roll to fight on and for the initiative."""

    def rolled(die: int) -> bool:
        game = march(((SHERMAN, "5,5"),), ((GRENADIERS, "30,2"),), more=OPTION, dice=(die, 1))
        game.state.broken.update({"red": 1, "blue": 1})
        game.state.turn = 2
        game.push(KeepFighting("red"))
        game.run()
        return game.outcome is None

    assert rolled(9)
    assert not rolled(10)
    game = march(((SHERMAN, "5,5"),), ((GRENADIERS, "30,2"),), more=OPTION, dice=(6, 2))
    game.state.broken["red"], game.state.turn = 1, 2
    assert roll_initiative(game) == "blue"  # 9 and 6 against 14 and 2


@rule("12.1.5-7", "12.1.5.7", "8.1.1")
def test_12_1_5_broken_stands_in_contact_still_form_groups_and_move_only() -> None:
    """Tanks 11 and 12 touch, and may move as one; once all groups have been formed nobody is marked again."""
    game = force(8, red_12={"at": inches(15, 8)}, red_11={"at": inches(16, 8)})
    broken(game)
    for unit in game.state.of("red"):
        game.state.change(unit.id, posture="firing", group="")
    game.state.initiative = "red"
    game.push(PostureDetermination("red"))
    game.run()
    assert against(game, Mark("red-12", "fire/move")) == "12.1.5-7"
    game.play("red", Mark("red-12", "movement"))
    game.play("red", JoinGroup("red-11"))
    game.play("red", FormGroup())
    while isinstance(game.stack[-1], PostureDetermination) and game.stack[-1].groups:
        game.play(game.asked()[0], NoMoreGroups())
    assert (game.asked(), against(game, Mark("red-5", "movement"))) == (("red",), "8.1.2")
    moving = {unit.id: unit.group for unit in game.state.of("red")}
    assert {unit.posture for unit in game.state.of("red")} == {"movement"}
    assert moving["red-11"] == moving["red-12"] != moving["red-5"]


@rule("12.1.5-7", "12.1.5.7", "8.5.1")
def test_12_1_5_a_broken_stand_that_has_moved_does_not_fire() -> None:
    position = broken(force(8, red_12={"posture": "movement"}))
    position.change("blue-2", shots=("red-12",))
    unit = position.units["red-12"]
    assert cannot_react(position, "red", unit, "opportunity") is None
    moved = cannot_react(position, "red", position.change("red-12", gone=3000, spent=points(3)), "opportunity")
    assert rule_of(moved) == "12.1.5-7"


@rule("12.1.5-6", "12.1.5.6", "8.8.2")
def test_12_1_5_broken_stands_assault_nobody_farther_from_their_edge() -> None:
    """Red's edge is in the west."""
    foes = ((GRENADIERS, "11,5"), (GRENADIERS, "9,5"))
    game = march(((RIFLES, "10,5"),), foes, more=OPTION, doctrine="facing = 90\n")
    east, west = Assault("red-1", "blue-1"), Assault("red-1", "blue-2")
    assert [against(game, act) for act in (east, west)] == ["", ""]
    broken(game)
    assert [against(game, act) for act in (east, west)] == ["12.1.5-6", ""]
