"""Computer players: they fire where it pays, go for objectives of the enemy, and finish their games."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from opfire.ai.opponents import Greedy
from opfire.core import scenario as scenarios
from opfire.core.actions import Action, Choices
from opfire.core.dice import Dice
from opfire.core.events import Calculation
from opfire.core.game import Game
from opfire.core.record import new_game
from opfire.rulesets.micro_armour import RULESET
from opfire.rulesets.micro_armour.alternation import Begin
from opfire.rulesets.micro_armour.artillery.observers import Host, ObserverHosts
from opfire.rulesets.micro_armour.fire.attacks import Attack, Shot
from opfire.rulesets.micro_armour.fire.standard import AddFirer, Engage, Fire, StandardFirePhase
from opfire.rulesets.micro_armour.moving.marching import Move
from opfire.rulesets.micro_armour.moving.movement import GroupMove, GroupMovement, Order, group_of
from opfire.rulesets.micro_armour.pieces import Position
from opfire.rulesets.micro_armour.players import closing, groups, hunting
from opfire.rulesets.micro_armour.players.artillery import ahead, at_risk, expected, threat
from opfire.rulesets.micro_armour.players.worth import DISORGANIZED, assaulted, best_shot, damage, gain, prize, worth
from opfire.rulesets.micro_armour.postures import FormGroup, JoinGroup, Mark, NoMoreGroups, PostureDetermination
from opfire.rulesets.micro_armour.setup import Place, SetUp
from opfire.rulesets.micro_armour.thinking import appraise, exposed, goal, script, suggest, works
from opfire.rulesets.micro_armour.works.laying import Lay
from opfire.space.measure import bearing
from rules.micro_armour.kit import (
    GRENADIERS,
    PAK,
    PANZER,
    RIFLES,
    STAFF,
    T34,
    at,
    emptied,
    game,
    group_moves,
    position,
    rule,
    stand,
)

HOLD = '[[victory]]\nside = "german"\ncondition = "control"\nhexes = ["20,20"]'
GUNNERS = "sov-infantry-smg"
BOUNTY = '[[victory]]\nside = "soviet"\ncondition = "eliminate"\npoints = 1'
LOSSES = '[[victory]]\nside = "german"\ncondition = "eliminate"\npoints = 1'


def test_a_side_that_has_lost_a_stand_stands_worse_and_the_other_as_much_better() -> None:
    made = position([(PANZER, "5,10")], [(T34, "30,10"), (T34, "30,12")])
    before = appraise(made, "german")
    made.lift("soviet-2", "eliminated")
    assert appraise(made, "german") > before
    assert appraise(made, "german") == -appraise(made, "soviet")


def test_the_better_target_is_fired_at_first() -> None:
    """One tank shows its rear at eight inches, the other its front at nineteen."""
    made = game([(PAK, "5,10")], [(T34, "24,11"), (T34, "13,10")])
    stand(made.state, "soviet-2", facing=90)
    emptied(made)
    made.state.initiative = "german"
    made.push(StandardFirePhase("german"))
    made.run()
    made.play("german", Begin("german"))
    best = suggest(made.state, "german", made.stack[-1], made.choices("german"))[0].action
    assert best == Engage("german-1", "soviet-2")


def test_a_gun_with_a_target_of_its_own_joins_in_no_attack() -> None:
    """Two guns stand behind two tanks: each attacks one of them; where there is one tank, both attack it."""
    assert _after_the_first_shot("13,9", "13,11") == Fire()
    assert _after_the_first_shot("13,9") == AddFirer("german-2")


def _after_the_first_shot(*tanks: str) -> Action:
    """The advice to the second of two guns in the attack on the first of some tanks."""
    made = game([(PAK, "5,9"), (PAK, "5,11")], [(T34, place) for place in tanks])
    for unit in made.state.of("soviet"):
        stand(made.state, unit.id, facing=90)
    emptied(made)
    made.state.initiative = "german"
    made.push(StandardFirePhase("german"))
    made.run()
    made.play("german", Begin("german"))
    made.play("german", Engage("german-1", "soviet-1"))
    return suggest(made.state, "german", made.stack[-1], made.choices("german"))[0].action


def test_stands_go_for_an_objective_that_is_not_theirs_and_stay_at_one_that_is() -> None:
    made = position([(GRENADIERS, "5,20"), (GRENADIERS, "20,18")], [(T34, "38,3")], soviet_more=HOLD)
    first, second = made.units["german-1"], made.units["german-2"]
    assert goal(made, first, (5000, 20000)) == (20000, 20000)
    made.control["20,20"] = "german"
    assert goal(made, second, (20000, 18000)) is None


def test_those_who_have_a_way_to_go_are_marked_to_move() -> None:
    made = position([(GRENADIERS, "5,20"), (PAK, "20,20")], [(T34, "38,3")], soviet_more=HOLD)
    made.initiative = "german"
    marked = suggest(made, "german", PostureDetermination("german", groups=False), Choices())[0].action
    assert marked == Mark("german-1", "movement")
    stand(made, "german-1", posture="movement")
    again = suggest(made, "german", PostureDetermination("german", groups=False), Choices())[0].action
    assert again == NoMoreGroups()


@rule("8.1.1")
def test_the_whole_group_of_a_stand_is_advised_at_once_and_step_by_step_alike() -> None:
    """Three stands touch and go on; a gun beside them stays."""
    stands = [(GRENADIERS, "5,20"), (GRENADIERS, "5,21"), (PAK, "6,20"), (GRENADIERS, "5,22")]
    made = game(stands, [(T34, "38,3")], soviet_more=HOLD)
    emptied(made)
    made.state.initiative = "german"
    made.push(PostureDetermination("german"))
    made.run()
    (advice,) = suggest(made.state, "german", made.stack[-1], made.choices("german"))
    assert advice.action == Mark("german-1", "movement")
    assert advice.route == (JoinGroup("german-2"), JoinGroup("german-4"), FormGroup())
    made.play("german", advice.action)
    for step in advice.route:
        assert suggest(made.state, "german", made.stack[-1], made.choices("german"))[0].action == step
        made.play("german", step)
    assert [made.state.units[name].posture for name in ("german-2", "german-3")] == ["movement", "firing"]


def test_greedy_against_itself_moves_fires_and_ends_its_game() -> None:
    text = scenarios.text_of("armour-first-evening").replace("turns = 10", "turns = 3")
    made, rng, players = (
        new_game(RULESET, text, Dice(bytes(32))),
        random.Random(1),
        {"german": Greedy(), "soviet": Greedy()},
    )
    told: set[str] = set()
    for _ in range(3000):
        if made.outcome is not None:
            break
        seat = made.deciders()[0]
        told.update(event.kind for event in made.play(seat, players[seat].choose(made, seat, rng)))
    assert made.outcome is not None
    assert {"moved", "fired", "cohesion"} <= told


KORSA = "armour-korsa-crossing"


def test_a_computer_player_bridges_the_korsa_and_crosses() -> None:
    """The bridging tank goes to the bank and builds, unless a gun there hits it; others cross where it has built."""
    found = scenarios.load(KORSA)
    state, frame = RULESET.start(RULESET.set_up(found))
    made: Game[Position] = Game(RULESET, state, Dice(bytes([5] * 32)), {side: side for side in found.sides})
    made.push(frame)
    made.run()
    while made.outcome is None and made.state.turn < 13:
        seat = made.asked()[0]
        best = suggest(made.sight(seat), seat, made.stack[-1], made.choices(seat))[0].action
        made.play(seat, best)
    assert any(work.kind == "bridge" for work in made.state.works.values())
    east = [unit for unit in made.state.of("american") if unit.at is not None and unit.at[0] > 19500]
    assert len(east) >= 2


def test_works_of_a_computer_player_lie_in_the_enemy_s_way_and_positions_around_stands() -> None:
    made = position([(GRENADIERS, "5,20")], [(T34, "38,3")], german_more=WORKS, terrain=BELT)
    wire, trench = (next(_works_of(made, kind)) for kind in ("wire", "light position"))
    assert wire.to == (12000, 15000)
    assert trench.to == (5000, 20000)


WORKS = """works = [
    { kind = "wire", zone = "belt" },
    { kind = "light position", zone = "west" },
]"""
BELT = '[[zones]]\nname = "belt"\nbox = [10, 10, 14, 20]\n[[zones]]\nname = "west"\nbox = [2, 2, 9, 28]\n'


def _works_of(made: Position, kind: str) -> Iterator[Lay]:
    return (act for act in works(made, "german") if act.work == kind)


def test_headquarters_keep_away_from_the_enemy() -> None:
    made = position([(STAFF, "5,15"), (GRENADIERS, "5,17")], [(T34, "14,15")])
    front, rear = (12000, 15000), (5000, 8000)
    assert exposed(made, made.units["german-1"], front)
    assert not exposed(made, made.units["german-1"], rear)
    assert not exposed(made, made.units["german-2"], front)


def test_a_strong_side_leaves_guards_at_an_objective_and_goes_for_the_next() -> None:
    both = HOLD + "\n" + HOLD.replace("20,20", "35,20")
    made = position([(PANZER, f"{x},20") for x in (17, 18, 19, 20, 21)], [(RIFLES, "38,3")], soviet_more=both)
    made.control["20,20"] = "german"
    goals = [goal(made, unit, unit.at) for unit in made.of("german") if unit.at is not None]
    assert goals.count(None) == 2
    assert goals.count((35000, 20000)) == 3


def test_a_formation_has_one_goal() -> None:
    both = HOLD.replace("20,20", "5,3") + "\n" + HOLD.replace("20,20", "35,3")
    units = f'[[sides.german.formations]]\nname = "A"\nunits = {{ {GRENADIERS} = 3 }}'
    places = [(GRENADIERS, f"{x},25") for x in (8, 10, 26)]
    made = position(places, [(T34, "20,3")], soviet_more=both, german_more=units)
    assert {goal(made, unit, unit.at) for unit in made.of("german") if unit.at is not None} == {(5000, 3000)}


def test_fire_is_plotted_where_a_mover_will_be() -> None:
    """A tank that moves 12 inches a turn goes for an objective 20 inches away."""
    made = position([(PAK, "2,2")], [(T34, "35,20")], german_more=HOLD.replace("20,20", "15,20"))
    made.change("soviet-1", posture="movement")
    points = made.units["soviet-1"].kind.mov_points or 0
    assert ahead(made, made.units["soviet-1"], 1, goal) == (35000 - points * 1000, 20000)
    assert ahead(made, made.units["soviet-1"], 2, goal) == (15000, 20000)
    made.change("soviet-1", posture="firing")
    assert ahead(made, made.units["soviet-1"], 2, goal) == (35000, 20000)


def test_a_stand_marked_to_move_may_stay_where_it_is_plotted_at_too() -> None:
    """Rolls and fire keep movers back: they may be hit ahead and here; those that fire are nowhere else."""
    made = position([(PAK, "2,2")], [(T34, "35,20")], german_more=HOLD.replace("20,20", "15,20"))
    tank = stand(made, "soviet-1", posture="movement")
    chances = {at: likely for at, _, likely in expected(made, tank, 2, goal)}
    assert set(chances) == {(15000, 20000), (35000, 20000)}
    assert sum(chances.values()) == 1
    tank = stand(made, "soviet-1", posture="firing")
    assert [*expected(made, tank, 2, goal)] == [((35000, 20000), tank, 1.0)]


@rule("7.6.4.1")
def test_observers_come_on_with_armed_vehicles_not_with_guns_or_lorries() -> None:
    coming = '[[sides.german.reinforcements]]\nturn = 1\nentry = ["2,15"]\nunits = { %s }'
    kinds = "ger-infantry-43 = 1, ger-105mm-ifh18-2 = 1, ger-panzer-iv-f2-h-7-5cm = 1, ger-opel-blitz-md-truck = 1"
    made = game([(STAFF, "5,20")], german_more="observers = 1\n" + coming % kinds)
    emptied(made)
    made.push(ObserverHosts("german"))
    made.run()
    best = suggest(made.state, "german", made.stack[-1], made.choices("german"))[0].action
    assert best == Host(next(unit.id for unit in made.state.units.values() if unit.kind.id == PANZER))


def test_fire_near_friends_is_worth_less() -> None:
    made = position([(GRENADIERS, "20,16")], [(T34, "20,15"), (T34, "30,15")])
    foes = [(unit.at, unit, 1.0) for unit in made.of("soviet") if unit.at is not None]
    own = [(unit.at, unit, 1.0) for unit in made.of("german") if unit.at is not None]
    near, far = [(20000, 15000)], [(30000, 15000)]
    enemies, friends = at_risk(foes, ()), at_risk(own, ())
    assert threat(near, enemies) - threat(near, friends) < threat(far, enemies) - threat(far, friends)
    assert threat(far, at_risk(foes, far)) == threat(far, enemies) / 2


def test_the_script_fires_at_the_nearest_enemy() -> None:
    made = game([(PAK, "5,10")], [(T34, "14,10"), (T34, "13,10")])
    emptied(made)
    made.state.initiative = "german"
    made.push(StandardFirePhase("german"))
    made.run()
    made.play("german", Begin("german"))
    best = script(made.state, "german", made.stack[-1], made.choices("german"))[0].action
    assert isinstance(best, Engage)
    assert best.target == "soviet-2"


def test_what_finishes_a_shaken_stand_counts_as_its_loss() -> None:
    """A D eliminates a disorganized stand, and an S does nothing to a suppressed one [7.2-prog]."""
    made = position([(PAK, "5,10")], [(RIFLES, "9,10")])
    roll = Calculation("Fire", "7.1.7", (), 1, 2, ("S", "D"))
    fresh, whole = made.units["soviet-1"], worth(made.units["soviet-1"])
    disorganized, suppressed = replace(fresh, disorganized=True), replace(fresh, suppressed=True)
    assert 0 < damage(made, roll, fresh) < whole / 2
    assert damage(made, roll, disorganized) == pytest.approx(worth(disorganized) / 2)
    assert damage(made, roll, suppressed) == pytest.approx((worth(suppressed) - worth(disorganized)) / 2)


def test_who_holds_an_objective_is_worth_a_share_of_it() -> None:
    """Half of its six points are shared by those who hold it together; a stand itself counts one."""
    terms = """
[[victory]]
side = "german"
condition = "control"
hexes = ["15,15"]
points = 6

[[victory]]
side = "german"
condition = "eliminate"
points = 1
"""
    made = position([(PAK, "5,10")], [(RIFLES, "15,15"), (RIFLES, "15.5,16.5"), (RIFLES, "9,10")], soviet_more=terms)
    made.control["15,15"] = "soviet"
    assert [prize(made, made.units[f"soviet-{n}"]) for n in (1, 2, 3)] == [2.5, 2.5, 1]
    assert prize(made, made.units["german-1"]) == 0
    disorganized = made.change("soviet-1", disorganized=True)
    assert prize(made, disorganized) == 1


def test_a_tank_with_a_good_shot_stays_until_its_objective_calls() -> None:
    made = position([(PANZER, "5,15")], [(T34, "15,15")], soviet_more=HOLD, turns="20")
    made.initiative = "german"
    frame = PostureDetermination("german", groups=False)
    assert suggest(made, "german", frame, Choices())[0].action == NoMoreGroups()
    made.turn = 17
    assert suggest(made, "german", frame, Choices())[0].action == Mark("german-1", "fire/move")


def test_a_mover_goes_round_what_bars_the_straight_way() -> None:
    """A river runs down the table beside it: its plan leads north, round the source, and on."""
    river = 'lines = [{kind = "river", width = 1, points = "13,10 13,30"}]'
    hold = HOLD.replace("20,20", "20,15")
    made = game([(PANZER, "12.4,15")], [(RIFLES, "38,29")], soviet_more=hold, terrain=river, turns="20")
    group_moves(made, "german-1")
    x, y = at(made.state, "german-1")
    assert x > 13500, "it is past the river"
    assert y < 15000


def test_a_group_that_hunts_the_enemy_stays_in_contact_on_its_way() -> None:
    """It may try to move by one order in the next turn again [8.1.1]."""
    made = game([(PANZER, "3,15"), (PANZER, "3,16"), (PANZER, "3,17")], [(RIFLES, "38,3")])
    group_moves(made, "german-1", "german-2", "german-3")
    assert all(at(made.state, f"german-{n}")[0] > 8000 for n in (1, 2, 3))
    marked = [made.state.change(f"german-{n}", group="german-1", moved=False) for n in (1, 2, 3)]
    assert len(group_of(made.state, marked[0])) == 3


def test_a_hunter_goes_where_it_can_fire() -> None:
    """A wood lies between them: straight on it would stop behind it, and see nothing [6.3.1]."""
    wood = 'areas = [{kind = "woods", points = "20,9 23,9 23,17 20,17"}]'
    made = game([(PANZER, "9,15")], [(T34, "30,15")], terrain=wood)
    group_moves(made, "german-1")
    stand(made.state, "german-1", posture="firing")
    assert best_shot(made.state, made.state.units["german-1"]) > 0


def test_the_order_goes_to_the_group_of_which_most_will_move() -> None:
    made = game([(PANZER, "3,25"), (PANZER, "3,15"), (PANZER, "3,16")], [(RIFLES, "12,20")])
    for name, group in (("german-1", "german-1"), ("german-2", "german-2"), ("german-3", "german-2")):
        stand(made.state, name, posture="movement", group=group)
    made.state.initiative, made.state.orders["german"] = "german", 1
    emptied(made)
    made.push(GroupMovement("german", begun=True))
    best = suggest(made.state, "german", made.stack[-1], made.choices("german"))[0].action
    assert best == Order("german-2")


def test_a_shot_counts_what_the_shots_before_it_may_have_done() -> None:
    """After a shot the target is often disorganized, and the next D eliminates it [7.2-D, 7.2-prog].

    Two guns together cannot gain more than the target is worth.
    """
    made = position([(PAK, "5,9"), (PAK, "5,10")], [(T34, "13,9")])
    one, two = (Shot(name, "main") for name in ("german-1", "german-2"))
    first, second = gain(made, Attack("soviet-1", (one,))), gain(made, Attack("soviet-1", (one, two)))
    target = made.units["soviet-1"]
    whole = worth(target) + prize(made, target)
    assert 0 < first < whole
    assert first + second < whole
    stand(made, "soviet-1", disorganized=True)
    assert worth(made.units["soviet-1"]) == pytest.approx(DISORGANIZED * worth(target))


def test_vehicles_close_in_on_the_enemy_but_not_in_the_last_turn() -> None:
    """Out of range they move; in the last turn no nearness counts, and a stand without a shot stays."""
    made = position([(PANZER, "5,20"), (GRENADIERS, "5,22"), (STAFF, "5,24")], [(T34, "38,20")])
    tank, men, staff = (made.units[f"german-{n}"] for n in (1, 2, 3))
    assert [hunting.storms(made, unit) for unit in (tank, men, staff)] == [True, False, False]
    assert best_shot(made, tank) == 0
    assert closing.posture(made, tank) == "movement"
    made.turn = made.setting.scenario.turns
    assert closing.posture(made, tank) == "firing"


def test_a_place_nearer_to_the_enemy_is_worth_more_and_one_beside_the_group_too() -> None:
    made = position([(PANZER, "5,20"), (PANZER, "12,20")], [(T34, "38,20")])
    tank, mate = made.units["german-1"], made.units["german-2"]
    made.turn = 1  # two turns are left: ten inches are worth 0.02 points in each
    assert closing.nearer(made, tank, (15000, 20000)) - closing.nearer(made, tank, (5000, 20000)) == pytest.approx(0.4)
    assert closing.beside(tank, Move(tank.id, (12000, 21000), tank.facing), [mate]) == closing.BESIDE
    assert closing.beside(tank, Move(tank.id, (12000, 25000), tank.facing), [mate]) == 0


def test_a_vehicle_gives_up_a_long_shot_to_come_nearer_while_turns_are_left_for_better_ones() -> None:
    made = position([(PANZER, "5,20")], [(T34, "20,20")], top=LOSSES, turns="10")
    tank = made.units["german-1"]
    assert best_shot(made, tank) > 0
    assert closing.posture(made, tank) == "movement"
    made.turn = 9
    assert closing.posture(made, tank) != "movement"


def test_vehicles_near_the_enemy_close_in_no_more() -> None:
    made = position([(PANZER, "5,20")], [(T34, "8,20")])
    tank = made.units["german-1"]
    assert closing.nearer(made, tank, (5000, 20000)) == closing.nearer(made, tank, (7000, 20000))
    assert closing.posture(made, tank) == "firing"


def test_a_group_of_hunters_moves_from_its_middle_and_its_general_headquarters_waits() -> None:
    made = position([(PANZER, "5,18"), (PANZER, "5,19"), (PANZER, "5,20"), (STAFF, "5,21")], [(T34, "38,19")])
    for name in ("german-1", "german-2", "german-3", "german-4"):
        stand(made, name, posture="movement", group=1)
    names = ["german-1", "german-2", "german-3"]
    assert groups.in_order(made, "german", names, goal)[0] == "german-2"
    assert groups.in_order(made, "german", names[:1], goal) == names[:1]


def test_an_overrun_is_worth_most_against_stands_that_are_shaken() -> None:
    """S adds 4 and D adds 3 to the roll of the stand that is overrun [8.7.8-defend]; armour is overrun by nobody."""
    made = position([(PANZER, "5,20")], [(RIFLES, "9,20"), (T34, "9,24")], soviet_more=LOSSES)
    tank = made.units["german-1"]
    calm = hunting.expects_overrun(made, tank)
    stand(made, "soviet-1", suppressed=True)
    shaken = hunting.expects_overrun(made, tank)
    assert 0 < calm < shaken
    made.lift("soviet-1", "eliminated")
    assert hunting.expects_overrun(made, tank) == 0


def test_batteries_of_hunters_stay_where_they_reach_the_enemy() -> None:
    made = position([("ger-120mm-mortar-2", "5,20")], [(T34, "20,20")])
    assert hunting.serves_its_guns(made, made.units["german-1"])
    held = position([("ger-120mm-mortar-2", "5,20")], [(T34, "20,20")], soviet_more=HOLD)
    assert not hunting.serves_its_guns(held, held.units["german-1"])


def test_hunters_march_to_the_middle_before_they_see_anybody() -> None:
    made = position([(PANZER, "5,20")], [(T34, "20,20")])
    made.lift("soviet-1", "eliminated")
    assert goal(made, made.units["german-1"], (5000, 20000)) == hunting.meeting(made, "german")
    assert hunting.meeting(made, "german") == (20000, 15000)  # the table has 40 by 30 inches


def test_hunters_set_up_and_march_towards_the_places_at_which_the_enemy_is_to_come_on() -> None:
    """Two tanks are to come on at 30,6 or 34,10: their middle is 32,8, and 9,8 is nearest to it in the zone."""
    coming = '[[sides.soviet.reinforcements]]\nturn = 1\nentry = ["30,6", "34,10"]\nunits = { sov-t-34c = 2 }\n'
    made = game([(PANZER, "5,20")], soviet_more=coming + BELT)
    made.state.lift("german-1", "to place")
    made.state.setting.zones["german-1"] = made.state.setting.named_zones["west"]
    made.stack = (SetUp("german"),)
    best = suggest(made.state, "german", made.stack[-1], made.choices("german"))[0].action
    assert best == Place("german-1", (9000, 8000), 90)
    made.play("german", best)
    assert goal(made.state, made.state.units["german-1"], (9000, 8000)) == (32000, 8000)


@rule("8.8.3-1")
def test_a_close_assault_fears_no_answer_of_a_stand_marked_to_move() -> None:
    """A tank answers submachine gunners in the firing posture: they lose more than they win; it cannot on the move."""
    made = position([(PANZER, "20,20")], [(GUNNERS, "21,20")], german_more=LOSSES, soviet_more=BOUNTY)
    gunners = stand(made, "soviet-1", posture="movement")
    assert assaulted(made, gunners, made.units["german-1"]) < 0
    assert assaulted(made, gunners, stand(made, "german-1", posture="movement")) > 0


@rule("8.8.3-2")
def test_the_second_stand_that_assaults_fears_no_answer() -> None:
    """The defender attacks one of its assaulters."""
    made = position([(PANZER, "20,20")], [(GUNNERS, "21,20"), (GUNNERS, "20,19")], soviet_more=BOUNTY)
    stand(made, "soviet-1", posture="movement", assaults="german-1")
    second = stand(made, "soviet-2", posture="movement")
    assert assaulted(made, second, made.units["german-1"]) > 0


def test_stands_that_come_too_late_get_no_order() -> None:
    """Riflemen walk three inches a turn: in the last turn nobody far away comes near the enemy."""
    made = position([(GRENADIERS, "5,20"), (GRENADIERS, "5,5")], [(T34, "9,20")])
    made.turn = made.setting.scenario.turns
    near, far = (made.units[f"german-{n}"] for n in (1, 2))
    assert groups.arrives(made, near)
    assert not groups.arrives(made, far)


def test_hunters_look_for_places_beside_or_behind_armour() -> None:
    """Outside of its front arc an armoured target keeps half of its defence [7.3.1-arc]."""
    made = game([(PANZER, "20,20")], [(T34, "24,20")])
    stand(made.state, "soviet-1", facing=270)
    stand(made.state, "german-1", posture="movement", group="german-1")
    made.state.initiative, made.state.orders["german"] = "german", 1
    emptied(made)
    made.push(GroupMove("german", ("german-1",)))
    tank, enemy = made.state.units["german-1"], made.state.units["soviet-1"]
    found = [*hunting.places(made.state, "german", made.stack[-1], tank, (20000, 20000))]
    assert found
    assert all(abs((bearing((24000, 20000), leg.to) - enemy.facing + 180) % 360 - 180) > 45 for leg in found)


def test_a_place_to_fire_at_the_front_of_a_tank_is_dearer_than_one_to_fire_at_riflemen() -> None:
    """Nine of armour piercing against eight is +1, five of high explosive against six -1 [7.1.10-diff]."""
    made = position([(PANZER, "20,20")], [(T34, "28,20"), (RIFLES, "28,10")], german_more=LOSSES)
    panzer, tank, riflemen = (made.units[name] for name in ("german-1", "soviet-1", "soviet-2"))
    at_tank, at_riflemen = (hunting.guess(made, panzer, each) for each in (tank, riflemen))
    assert at_tank.flank > at_tank.front > at_riflemen.front == at_riflemen.flank > 0


# --- features that a side has to hold alone -----------------------------------------------------------------------

ALONE = '[[decisions]]\nside = "german"\nhold = ["Stonne"]\n'
HOUSES = '[[table.areas]]\nkind = "medium-buildings"\nname = "Stonne"\npoints = "18,10 22,10 22,16 18,16"\n'
IN_STONNE = '[[victory]]\nside = "german"\ncondition = "control"\nhexes = ["20,13"]'


def village(germans: list[tuple[str, str]], soviets: list[tuple[str, str]]) -> Position:
    """A village that the German side has to hold alone, and of whose middle it has control."""
    made = position(germans, soviets, top=ALONE, terrain=HOUSES, soviet_more=IN_STONNE)
    made.control["20,13"] = "german"
    return made


def test_who_has_to_hold_a_village_alone_goes_for_the_enemy_in_it() -> None:
    made = village([(GRENADIERS, "20,12"), (PANZER, "19,11")], [(RIFLES, "21,15")])
    assert [goal(made, unit, at(made, unit.id)) for unit in made.of("german")] == [(21000, 15000)] * 2
    made.put("soviet-1", (38000, 3000))
    assert [goal(made, unit, at(made, unit.id)) for unit in made.of("german")] == [None] * 2


def test_an_enemy_in_that_village_is_a_better_target_than_the_same_outside() -> None:
    made = village([(GRENADIERS, "20,12")], [(RIFLES, "21,15"), (RIFLES, "30,15")])
    inside, outside = made.units["soviet-1"], made.units["soviet-2"]
    assert prize(made, inside) > prize(made, outside)


def test_a_village_that_everybody_has_left_is_gone_back_to() -> None:
    made = village([(GRENADIERS, "20,17")], [(RIFLES, "38,3")])
    assert goal(made, made.units["german-1"], (20000, 17000)) == (20000, 13000)
    made.put("german-1", (20000, 14000))
    assert goal(made, made.units["german-1"], (20000, 14000)) is None
