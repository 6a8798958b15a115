"""Computer players whose stands have to leave the table: the cheapest way out, clear fords, and passengers."""

from __future__ import annotations

import pytest

from opfire.core.actions import Choices
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.rulesets.micro_armour.moving.arrivals import Arrivals, Arrive, Exit
from opfire.rulesets.micro_armour.moving.movement import GroupMove, GroupMovement, Order
from opfire.rulesets.micro_armour.moving.transport import Load
from opfire.rulesets.micro_armour.pieces import Position, Work, adjacent
from opfire.rulesets.micro_armour.players import leaving
from opfire.rulesets.micro_armour.postures import Mark, PostureDetermination
from opfire.rulesets.micro_armour.thinking import suggest
from opfire.space.measure import MICRO
from rules.micro_armour.kit import GRENADIERS, PANZER, RIFLES, T34, at, game, group_moves, stand

HALFTRACK = "ger-sdkfz-251-1"
SOUTH = '[[victory]]\nside = "german"\ncondition = "exit"\nhexes = ["south"]\npoints = 1'
RIVER = (
    'lines = [{kind = "river", width = 1, points = "0,15 40,15"}]\n'
    'crossings = [{kind = "rough-ford", width = 1, points = "10,14.2 10,15.8"}]'
)
"""A river across the table, and a ford 1.6 inches long: 4 points an inch for tracks."""


def leaver(*stands: tuple[str, str], turns: str = "20", terrain: str = "") -> Game[Position]:
    """A German side that has to leave by the south edge, and an enemy far away."""
    return game(stands, [(RIFLES, "38,2")], soviet_more=SOUTH, turns=turns, terrain=terrain)


def marked(made: Game[Position]) -> set[str]:
    """The stands that the computer player marks to move, one after the other."""
    made.state.initiative, frame, found = "german", PostureDetermination("german", groups=False), set[str]()
    while isinstance(action := suggest(made.state, "german", frame, Choices())[0].action, Mark):
        stand(made.state, action.unit, posture=action.posture)
        found.add(action.unit)
    return found


def facing(made: Game[Position], frame: Frame) -> None:
    """Put a game before a decision."""
    made.stack = ()
    made.push(frame)


def test_the_way_out_leads_over_the_ford_however_far_it_is() -> None:
    """From 20,10 the edge is 20 inches away. The ford is ten inches to the west, and 1.6 inches of it cost 6.4 points.

    Four inches south and ten west are 10.8 at least; with the ford and the 14 inches behind it that makes 31.4 from its
    middle; along its side, and from the next point of the lattice, it is up to an inch and a half less.
    """
    wet, dry = leaver((PANZER, "20,10"), terrain=RIVER), leaver((PANZER, "20,10"))
    far = [leaving.far(made.state, made.state.units["german-1"], (20000, 10000)) or 0 for made in (wet, dry)]
    assert far == [pytest.approx(31.4 * MICRO, abs=1.5 * MICRO), pytest.approx(20 * MICRO, abs=0.6 * MICRO)]


def test_a_tank_crosses_a_ford_in_one_move_and_leaves_it_clear() -> None:
    """Ten points: one to the ford, 6.4 in it, and two beyond."""
    made = leaver((PANZER, "10,12.6"), terrain=RIVER)
    group_moves(made, "german-1")
    assert at(made.state, "german-1")[1] >= 16700


def test_a_stand_beside_its_edge_is_marked_and_leaves() -> None:
    made = leaver((PANZER, "20,29"))
    assert marked(made) == {"german-1"}
    group_moves(made, "german-1")
    assert made.state.units["german-1"].status == "exited"


def test_those_who_cannot_get_away_in_time_stay_behind() -> None:
    """Infantry makes three inches in a turn, and has three turns for twenty inches; a tank has 30 points."""
    assert marked(leaver((GRENADIERS, "20,10"), turns="3")) == set()
    assert marked(leaver((PANZER, "20,10"), turns="3")) == {"german-1"}


def test_a_carrier_takes_those_along_who_would_be_left_behind() -> None:
    made = leaver((HALFTRACK, "20,10"), (GRENADIERS, "21,10"), turns="4")
    assert marked(made) == {"german-1", "german-2"}
    facing(made, GroupMove("german", ("german-1",)))
    made.run()
    found = suggest(made.state, "german", made.stack[-1], made.choices("german"))
    assert found[0].action == Load("german-1", "german-2")


def test_the_nearest_to_the_edge_goes_out_first() -> None:
    made = leaver((PANZER, "20,27"), (PANZER, "20,29"))
    for name in ("german-1", "german-2"):
        stand(made.state, name, posture="movement", group="german-1")
    facing(made, GroupMove("german", ("german-1", "german-2")))
    made.run()
    found = suggest(made.state, "german", made.stack[-1], made.choices("german"))
    assert found[0].action == Exit("german-2", "south")


def test_a_tank_with_a_good_shot_stays_until_it_has_to_hurry() -> None:
    made = game([(PANZER, "20,10")], [(T34, "26,10")], soviet_more=SOUTH, turns="20")
    stand(made.state, "soviet-1", facing=90)
    assert marked(made) == set()
    made.state.turn = 16
    assert marked(made) == {"german-1"}


# --- in front of the ford ---------------------------------------------------------------------------------------


def ordered(made: Game[Position], orders: int) -> str:
    """The stand to whose group the computer player gives the next order."""
    made.state.orders = {"german": orders, "soviet": 0}
    facing(made, GroupMovement("german", independent=not orders, begun=True))
    found = suggest(made.state, "german", made.stack[-1], made.choices("german"))[0].action
    assert isinstance(found, Order)
    return found.unit


def test_an_order_goes_to_the_larger_group_and_without_orders_those_in_front_go_first() -> None:
    made = leaver((PANZER, "20,20"), (PANZER, "20,10"), (PANZER, "21,10"))
    for name, group in (("german-1", "german-1"), ("german-2", "german-2"), ("german-3", "german-2")):
        stand(made.state, name, posture="movement", group=group)
    assert ordered(made, 2) in {"german-2", "german-3"}
    assert ordered(made, 0) == "german-1"


def test_a_stand_that_cannot_get_on_waits_for_those_behind_it() -> None:
    """An enemy stands where the ford ends, and the first tank in it; there is way for the second alone."""
    made = game(
        [(PANZER, "10,15.3"), (PANZER, "30,5")], [(T34, "10,16.3")], soviet_more=SOUTH, turns="20", terrain=RIVER
    )
    for name in ("german-1", "german-2"):
        stand(made.state, name, posture="movement", group=name)
    assert ordered(made, 0) == "german-2"


def test_a_tank_that_an_enemy_holds_up_fires_at_him() -> None:
    """He stands where the ford ends, and the tank, which has a shot at him past the ford, would hurry otherwise."""
    made = game([(PANZER, "6,13.5")], [(T34, "10,16.3")], soviet_more=SOUTH, turns="4", terrain=RIVER)
    stand(made.state, "german-1", facing=125)
    assert leaving.held_up(made.state, made.state.units["german-1"])
    assert marked(made) == set()


# --- shellfire --------------------------------------------------------------------------------------------------


def shelled(made: Game[Position], *places: tuple[int, int]) -> None:
    """Lay impact markers of an enemy battery (1/1000 inch)."""
    for number, place in enumerate(places):
        made.state.lay(Work(f"impact {number}", "impact", place, side="soviet", battery="soviet-1", until=1))


def test_a_stand_goes_round_shells_on_its_way() -> None:
    """They would strike it where they cover half of it [7.4.3.4]: it never comes so near to one."""
    made = leaver((PANZER, "20,10"))
    shelled(made, (20000, 13000))
    group_moves(made, "german-1")
    assert at(made.state, "german-1")[1] >= 16000
    assert made.state.units["german-1"].disorganized is False
    assert not any("strikes" in event.text for event in made.events)


def test_a_stand_waits_where_shells_lie_on_the_only_way() -> None:
    made = leaver((PANZER, "10,12.6"), terrain=RIVER)
    shelled(made, (10000, 15000))
    group_moves(made, "german-1")
    assert at(made.state, "german-1")[1] < 14500
    made.state.works.clear()
    stand(made.state, "german-1", moved=False, spent=0, gone=0)
    group_moves(made, "german-1")
    assert at(made.state, "german-1")[1] >= 16000


# --- arrival ----------------------------------------------------------------------------------------------------


def test_those_on_foot_come_on_beside_a_carrier_that_takes_them_along() -> None:
    more = (
        "[[sides.german.reinforcements]]\nturn = 1\nunits = { ger-infantry-43 = 1, ger-sdkfz-251-1 = 1 }\n"
        'entry = ["north"]\n'
    )
    made = game([(PANZER, "20,10")], [(RIFLES, "38,2")], soviet_more=SOUTH, german_more=more, turns="4")
    made.state.initiative, made.state.turn = "german", 1
    facing(made, Arrivals("german"))
    made.run()
    came = []
    while made.stack and isinstance(made.stack[-1], Arrivals):
        action = suggest(made.state, "german", made.stack[-1], made.choices("german"))[0].action
        came += [action.unit] if isinstance(action, Arrive) else []
        made.play("german", action)
    assert came == ["german-3", "german-2"]
    assert adjacent(made.state.units["german-2"], made.state.units["german-3"])
