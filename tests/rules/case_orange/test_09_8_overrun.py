"""Overrun [9.8]."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

import pytest

from opfire.commands.scenarios import text_of
from opfire.core.dice import Dice
from opfire.core.record import new_game
from opfire.core.ruleset import find
from opfire.kit.orders import Pass
from opfire.rulesets.case_orange.actions import EndSegment
from opfire.rulesets.case_orange.movement import Move, Stop
from opfire.rulesets.case_orange.overrun import (
    JoinOverrun,
    Overrun,
    RideThrough,
    StartOverrun,
    can_pass,
    out_of_reach,
    ride_cost,
    ways_through,
)
from opfire.rulesets.case_orange.pieces import Position, Unit
from opfire.rulesets.case_orange.reaction import Shoot
from rules.case_orange.drawing import (
    allowed,
    amount,
    calculations,
    draw,
    german,
    kinds,
    marker,
    offered,
    play,
    preview,
    refused,
    results,
    rule,
    soviet,
    unit,
    where,
)

ENEMY = soviet("rifle-43-soviet", "C3", attack=0, defence=6)
"""Nobody here shoots back."""


def tank(at: str, **values: object) -> dict[str, object]:
    """A tank of attack 12 that moves 8."""
    return german("pz-iv-h", at, **{"attack": 12, "defence": 8, **values})


# --- who and where [9.8.1] ----------------------------------------------------------------------------------


@rule("9.8.1")
@pytest.mark.parametrize("kind", ["pz-iv-h", "stug-iii-g", "pz-i-a", "sdkfz-222", "half-track-german"])
def test_9_8_1_armoured_vehicles_overrun(kind: str) -> None:
    game = draw(step="vehicle", a=german(kind, "C2", attack=12), x=ENEMY, truck=german("truck-german", "D2"))
    assert allowed(game, Overrun("a", "C3"))
    assert refused(game, Overrun("truck", "C3")) == "9.8.1"


@rule("9.8.1")
@pytest.mark.parametrize("kind", ["truck-german", "motorcycle-42-german", "kubelwagen"])
def test_9_8_1_unarmoured_vehicles_do_not(kind: str) -> None:
    game = draw(step="vehicle", a=german(kind, "C2", attack=12), x=ENEMY)
    assert refused(game, Overrun("a", "C3")) == "9.8.1"


@rule("9.8.1", "4.2-C6")
def test_9_8_1_nor_does_anybody_who_is_no_vehicle() -> None:
    game = draw(step="vehicle", a=german("cavalry-42-german", "C2", attack=12), x=ENEMY, t=german("truck-german", "B2"))
    assert refused(game, Overrun("a", "C3")) == "4.2-C6"
    assert refused(game, Overrun("t", "C3")) == "9.8.1"


@rule("9.8.1")
@pytest.mark.parametrize("token", ["w", "b", "t", "v", "s", "a", "m"])
def test_9_8_1_clear_terrain_only(token: str) -> None:
    game = draw(f". . .\n. . .\n. . {token}\n. . .\n. . .", step="vehicle", a=tank("C2"), x=ENEMY)
    assert refused(game, Overrun("a", "C3")) == "9.8.1"


@rule("9.8.1")
def test_9_8_1_a_hex_with_enemies() -> None:
    game = draw(step="vehicle", a=tank("C2"), b=tank("E4"), x=ENEMY)
    assert refused(game, Overrun("a", "D2")) == "9.8.1"
    assert refused(game, Overrun("a", "E4")) == "9.8.1"


@rule("9.8.1", "9.8-P1")
@pytest.mark.parametrize(("movement", "answer"), [(4, None), (3, "9.8-P1")])
def test_9_8_1_with_enough_movement_to_come_out_again(movement: int, answer: str | None) -> None:
    """From C1 to C2, C3, through C4 and out to C5: four factors. (A truck never has enough: it is no armour.)"""
    game = draw(
        step="vehicle",
        a=tank("C1", movement=movement),
        x=soviet("rifle-43-soviet", "C4", attack=0, defence=6),
        t=german("truck-german", "A1"),
    )
    if answer:
        assert refused(game, Overrun("a", "C4")) == answer
    else:
        assert allowed(game, Overrun("a", "C4"))
        assert refused(game, Overrun("t", "C4")) == "9.8.1"


@rule("9.8.1")
def test_9_8_1_any_number_of_them_take_part() -> None:
    game = draw(step="vehicle", a=tank("C2"), b=tank("B2"), c=tank("D2"), t=german("truck-german", "D3"), x=ENEMY)
    play(game, Overrun("a", "C3"))
    assert offered(game, JoinOverrun) == {JoinOverrun("b"), JoinOverrun("c")}
    assert refused(game, JoinOverrun("t")) == "9.8.1"
    play(game, JoinOverrun("b"), JoinOverrun("c"))
    assert refused(game, JoinOverrun("b")) == "procedure"


# --- the ride [9.8-P1, 9.8.2] -------------------------------------------------------------------------------


@rule("9.8-P1")
def test_9_8_P1_in_on_one_side_out_directly_opposite_and_halt() -> None:
    game = draw(step="vehicle", a=tank("C2"), x=ENEMY)
    play(game, Overrun("a", "C3"), StartOverrun(), RideThrough("a"), dice=[6])
    assert where(game, "a") == "C4"
    assert refused(game, Move("a", "C5")) == "2.0-G09"
    assert offered(game, Move) == set()


@rule("9.8-P1")
def test_9_8_P1_another_side_can_be_sought_first() -> None:
    """C3 is entered from B2 and left to D3."""
    game = draw(step="vehicle", a=tank("C2"), x=ENEMY)
    play(game, Overrun("a", "C3"), StartOverrun(), Move("a", "B2"), RideThrough("a"), dice=[6])
    assert where(game, "a") == "D3"


@rule("9.8-P1")
def test_9_8_P1_the_question_names_the_hexes_to_enter_from() -> None:
    """With three factors C3 is ridden through from C2, or from B2 and D2 beside it; with two left only from C2."""
    game = draw(step="vehicle", a=tank("C1", movement=3), x=ENEMY)
    play(game, Overrun("a", "C3"), StartOverrun())
    assert game.prompt("german") == "Ride a through 1-C3 from 1-C2, or stop short"
    play(game, Move("a", "B1"))
    assert game.prompt("german") == "a can no longer ride through 1-C3: let it stop"


@rule("9.8-P1")
def test_9_8_P1_the_exit_hex_may_hold_no_enemy() -> None:
    other = soviet("rifle-43-soviet", "C4", attack=0)
    game = draw("\n".join([". . ."] * 5), step="vehicle", a=tank("C2", movement=2), x=ENEMY, y=other)
    assert refused(game, Overrun("a", "C3")) == "9.8-P1"
    free = draw("\n".join([". . ."] * 5), step="vehicle", a=tank("C2", movement=2), x=ENEMY)
    assert allowed(free, Overrun("a", "C3"))


@rule("9.8-P1", "5.6.1")
@pytest.mark.parametrize(("points", "answer"), [(2, None), (3, "9.8-P1")])
def test_9_8_P1_wrecks_leave_room_on_the_way_or_none(points: int, answer: str | None) -> None:
    """In a lane of three hexes the only way leads over the wreck: two points of tanks fit beside two, not three."""
    game = draw(
        "\n".join(["."] * 5),
        markers=[marker("wreck", "A2", value=str(points))],
        step="vehicle",
        a=tank("A1", points=2),
        x=soviet("rifle-43-soviet", "A3", attack=0, defence=6),
    )
    if answer:
        assert refused(game, Overrun("a", "A3")) == answer
    else:
        play(game, Overrun("a", "A3"), StartOverrun(), Move("a", "A2"), RideThrough("a"), dice=[6])
        assert where(game, "a") == "A4"


@rule("9.8-P1")
def test_9_8_P1_there_must_be_an_opposite_hex() -> None:
    game = draw(step="vehicle", a=tank("C2", movement=2), x=soviet("rifle-43-soviet", "C1", attack=0, defence=6))
    assert refused(game, Overrun("a", "C1")) == "9.8-P1"


@rule("9.8-P1")
def test_9_8_P1_entry_and_exit_may_differ() -> None:
    game = draw(step="vehicle", a=tank("C2"), b=tank("B2"), x=ENEMY)
    events = play(
        game, Overrun("a", "C3"), JoinOverrun("b"), StartOverrun(), RideThrough("a"), RideThrough("b"), dice=[6]
    )
    assert (where(game, "a"), where(game, "b")) == ("C4", "D3")
    assert len(calculations(events)) == 1
    assert amount(calculations(events)[0], "9.8-P2", "attack") == 24


@rule("9.8-P1", "7.1.1")
@pytest.mark.parametrize(("points", "answer"), [(3, None), (4, "9.8-P1")])
def test_9_8_P1_stacking_holds_in_the_exit_hex_but_not_in_the_target(points: int, answer: str | None) -> None:
    """The target is full of enemies; the exit hex may hold three points more, not four."""
    game = draw(
        "\n".join([". . ."] * 5),
        step="vehicle",
        a=tank("C2", movement=2),
        x=soviet("rifle-43-soviet", "C3", attack=0, defence=3, points=4),
        full=german("rifle-42-german", "C4", points=points),
    )
    if answer:
        assert refused(game, Overrun("a", "C3")) == answer
    else:
        play(game, Overrun("a", "C3"), StartOverrun(), RideThrough("a"), dice=[6])
        assert where(game, "a") == "C4"


@rule("9.8-P1")
def test_9_8_P1_a_vehicle_that_stops_short_takes_no_part() -> None:
    game = draw(step="vehicle", a=tank("C2", attack=12), b=tank("B2", attack=12), x=ENEMY)
    events = play(game, Overrun("a", "C3"), JoinOverrun("b"), StartOverrun(), Stop("a"), RideThrough("b"), dice=[6])
    assert amount(calculations(events)[0], "9.8-P2", "attack") == 12
    assert refused(game, Overrun("a", "C3")) == "5.2"
    alone = draw(step="vehicle", a=tank("C2"), x=ENEMY)
    events = play(alone, Overrun("a", "C3"), StartOverrun(), Stop("a"), dice=[])
    assert calculations(events) == []


@rule("9.8.2")
def test_9_8_2_overrunners_move_and_attack_in_one_turn() -> None:
    game = draw(step="vehicle", a=tank("C1"), x=ENEMY)
    events = play(game, Overrun("a", "C3"), StartOverrun(), Move("a", "C2"), RideThrough("a"), dice=[6])
    assert where(game, "a") == "C4"
    assert unit(game, "a").moved
    assert unit(game, "a").fired
    assert len(results(events)) == 1


@rule("9.8.3", "9.4.3")
def test_9_8_3_a_hex_is_overrun_once_in_a_segment() -> None:
    game = draw(
        step="vehicle", a=tank("C2"), b=tank("B2"), x=ENEMY, y=soviet("rifle-43-soviet", "F3", attack=0, defence=6)
    )
    play(game, Overrun("a", "C3"), StartOverrun(), RideThrough("a"), dice=[6])
    assert refused(game, Overrun("b", "C3")) == "9.8.3"
    assert allowed(game, Overrun("b", "F3"))


@rule("9.8.3")
def test_9_8_3_it_is_spent_even_if_nobody_gets_through() -> None:
    game = draw(step="vehicle", a=tank("C2"), b=tank("B2"), x=ENEMY)
    play(game, Overrun("a", "C3"), StartOverrun(), Stop("a"))
    assert refused(game, Overrun("b", "C3")) == "9.8.3"


@rule("9.8.3")
def test_9_8_3_the_next_player_turn_allows_it_again() -> None:
    game = draw(step="vehicle", a=tank("C2"), b=tank("B2"), x=ENEMY)
    play(game, Overrun("a", "C3"), StartOverrun(), RideThrough("a"), dice=[6])
    assert refused(game, Overrun("b", "C3")) == "9.8.3"
    while not (game.stack[-1].step == "vehicle" and game.stack[-1].side == "german" and game.state.turn == 2):
        play(game, EndSegment())
    assert allowed(game, Overrun("b", "C3"))


# --- the attack [9.8-P2 to P5] ------------------------------------------------------------------------------


@rule("9.8-P2")
def test_9_8_P2_printed_factors_of_all_against_all() -> None:
    """Class A at infantry would be halved by the chart; here 12 and 8 stand against 6 and 4 of the hex."""
    game = draw(
        step="vehicle",
        a=tank("C2"),
        b=tank("B2", attack=8),
        x=soviet("rifle-43-soviet", "C3", attack=0, defence=6, points=1),
        y=soviet("truck-soviet", "C3", defence=4, points=1),
    )
    play(game, Overrun("a", "C3"))
    calculation = preview(game, JoinOverrun("b"))
    assert amount(calculation, "9.8-P2", "attack") == 20
    assert amount(calculation, "9.8-P2", "defence") == 10
    assert calculation.column == "3:1"  # 2:1 and one to the right


@rule("9.8-P3", "15.6")
def test_9_8_P3_two_off_the_die_and_one_column_to_the_right() -> None:
    """12 to 6 is 2:1, so 3:1; of the rows -1 to 4 five are X and one DD."""
    game = draw(step="vehicle", a=tank("C2"), x=ENEMY)
    calculation = preview(game, Overrun("a", "C3"))
    assert calculation.modifier == -2
    assert calculation.column == "3:1"
    assert calculation.chances() == {"X": Fraction(5, 6), "DD": Fraction(1, 6)}


@rule("9.8-P3", "2.0-G07")
def test_9_8_P3_a_dispersed_target_takes_one_more() -> None:
    game = draw(
        step="vehicle",
        a=tank("C2"),
        x=soviet("rifle-43-soviet", "C3", attack=0, defence=6, dispersed="D", face_up=False),
    )
    assert preview(game, Overrun("a", "C3")).modifier == -3


@rule("9.8-P4", "9.1.1")
@pytest.mark.parametrize(("defence", "answer"), [(48, None), (49, "9.1.1")])
def test_9_8_P4_the_ratio_has_to_be_on_the_table(defence: int, answer: str | None) -> None:
    game = draw(step="vehicle", a=tank("C2"), x=soviet("rifle-43-soviet", "C3", attack=0, defence=defence))
    if answer:
        assert refused(game, Overrun("a", "C3")) == answer
    else:
        events = play(game, Overrun("a", "C3"), StartOverrun(), RideThrough("a"), dice=[3])
        assert calculations(events)[0].column == "1:3"
        assert results(events) == ["D"]  # 3 - 2 at 1:3


@rule("9.8-P4")
def test_9_8_P4_the_result_falls_on_everybody_in_the_hex() -> None:
    game = draw(
        step="vehicle",
        a=tank("C2"),
        x=soviet("rifle-43-soviet", "C3", attack=0, defence=4, points=1),
        y=soviet("truck-soviet", "C3", defence=4, points=1),
    )
    events = play(game, Overrun("a", "C3"), StartOverrun(), RideThrough("a"), dice=[5])  # 1:1 to 2:1, 3: DD
    assert results(events) == ["DD"]
    assert (unit(game, "x").dispersed, unit(game, "y").dispersed) == ("DD", "DD")


@rule("9.8-P4")
def test_9_8_P4_vehicles_stopped_on_the_way_do_not_count() -> None:
    """A gun beside the road disperses the tank before it rides in: no attack is left."""
    game = draw(
        step="vehicle",
        a=tank("C1", defence=4),
        x=ENEMY,
        gun=soviet("at-76", "F3", attack=20, range=8),
    )
    play(game, Overrun("a", "C3"), StartOverrun(), Move("a", "C2"))
    events = play(game, Shoot(("gun",), "a"), dice=[6])  # 40 to 4, +1 for opportunity: D
    assert unit(game, "a").dispersed == "D"
    assert len(calculations(events)) == 1
    assert "result" in kinds(events)
    assert unit(game, "x").dispersed == ""


@rule("9.8-P5")
def test_9_8_P5_overrunners_are_inverted() -> None:
    game = draw(step="vehicle", a=tank("C2"), b=tank("A1"), x=ENEMY)
    play(game, Overrun("a", "C3"), StartOverrun(), RideThrough("a"), dice=[6])
    assert (unit(game, "a").face_up, unit(game, "b").face_up) == (False, True)


@rule("9.8-P5", "13.1")
def test_9_8_P5_mines_in_the_exit_hex_do_not_cancel_the_attack() -> None:
    """The vehicle halts there anyway, and its inversion comes after the roll: RULINGS.md R44."""
    mined = [marker("mines", "C4", value="1:1", side="soviet")]
    game = draw(step="vehicle", markers=mined, a=tank("C2"), x=ENEMY)
    events = play(game, Overrun("a", "C3"), StartOverrun(), RideThrough("a"), dice=[1])
    assert results(events) == ["X"]
    assert (where(game, "x"), where(game, "a"), unit(game, "a").face_up) == ("", "C4", False)


@rule("9.8-P5", "13.1")
def test_9_8_P5_mines_on_the_way_to_the_hex_do() -> None:
    """The vehicle has stopped there, and does not come through."""
    mined = [marker("mines", "C2", value="1:1", side="soviet")]
    game = draw(step="vehicle", markers=mined, a=tank("C1"), x=ENEMY)
    events = play(game, Overrun("a", "C3"), StartOverrun(), Move("a", "C2"))
    assert results(events) == []
    assert (where(game, "a"), unit(game, "a").face_up) == ("C2", False)


@rule("9.8-P4")
@pytest.mark.parametrize(("die", "holder"), [(1, "german"), (6, "soviet")])
def test_9_8_P4_a_hex_that_an_overrun_empties_is_held_by_its_side(die: int, holder: str) -> None:
    """The vehicles rode through it last; while a defender is left it is his: RULINGS.md R74."""
    victory = [{"side": "german", "condition": "control", "hexes": ["C3", "C4"]}]
    game = draw(step="vehicle", victory=victory, a=tank("C2"), x=ENEMY)
    assert game.state.control == {"1-C3": "soviet"}
    play(game, Overrun("a", "C3"), StartOverrun(), RideThrough("a"), dice=[die])
    assert game.state.control == {"1-C3": holder, "1-C4": "german"}


@rule("6.0", "9.8-P1")
def test_9_8_no_opportunity_fire_in_the_target_hex_but_in_the_exit_hex() -> None:
    """The window opens once, for C4, where the tank comes out."""
    game = draw(step="vehicle", a=tank("C2"), x=ENEMY, gun=soviet("at-76", "F3", attack=1, range=8))
    play(game, Overrun("a", "C3"), StartOverrun(), RideThrough("a"))
    assert game.asked() == ("soviet",)
    assert where(game, "a") == "C4"
    events = play(game, Pass(), dice=[6])
    assert len(results(events)) == 1


# --- bars [9.8.4, 9.8.5] ------------------------------------------------------------------------------------


@rule("9.8.4")
def test_9_8_4_the_road_rate_is_not_used() -> None:
    """By road C1 to C3 would cost one factor; off road two, and two more through C4 to C5."""
    enemy = soviet("rifle-43-soviet", "C4", attack=0, defence=6)
    road = {"roads": ["C1 C2 C3 C4 C5"]}
    assert refused(draw(fields=road, step="vehicle", a=tank("C1", movement=3), x=enemy), Overrun("a", "C4")) == "9.8-P1"
    game = draw(fields=road, step="vehicle", a=tank("C1", movement=4), x=enemy, h=german("wespe", "B1"))
    assert refused(game, Overrun("h", "C4")) == "9.8.4"
    play(game, Overrun("a", "C4"), StartOverrun(), Move("a", "C2"), Move("a", "C3"))
    assert game.stack[-1].left == 4  # half factors: two
    assert not unit(game, "a").road


@rule("9.8.4")
@pytest.mark.parametrize("kind", ["wespe", "hummel", "sdkfz-251-2"])
def test_9_8_4_howitzers_and_mortars_never_overrun(kind: str) -> None:
    game = draw(step="vehicle", a=german(kind, "C2"), x=ENEMY)
    assert refused(game, Overrun("a", "C3")) == "9.8.4"


@rule("9.8.4")
@pytest.mark.parametrize(
    ("target", "answer"),
    [("t-34-76", "9.8.4"), ("half-track-soviet", "9.8.4"), ("truck-soviet", None), ("rifle-43-soviet", None)],
)
def test_9_8_4_half_tracks_do_not_overrun_armour(target: str, answer: str | None) -> None:
    game = draw(
        step="vehicle", a=german("half-track-german", "C2", attack=9), x=soviet(target, "C3", attack=0, defence=6)
    )
    if answer:
        assert refused(game, Overrun("a", "C3")) == answer
    else:
        assert allowed(game, Overrun("a", "C3"))
        mortar = draw(step="vehicle", a=german("sdkfz-251-2", "C2"), x=soviet(target, "C3", attack=0))
        assert refused(mortar, Overrun("a", "C3")) == "9.8.4"


@rule("9.8.4")
def test_9_8_4_one_armoured_vehicle_in_the_stack_is_enough() -> None:
    game = draw(
        step="vehicle",
        a=german("half-track-german", "C2", attack=9),
        b=tank("B2"),
        x=soviet("rifle-43-soviet", "C3", attack=0, points=1),
        y=soviet("t-34-76", "C3", attack=0, points=1),
    )
    assert refused(game, Overrun("a", "C3")) == "9.8.4"
    assert allowed(game, Overrun("b", "C3"))


@rule("9.8.5")
@pytest.mark.parametrize(
    ("kind", "value"), [("block", ""), ("wreck", "1"), ("mines", "1:1"), ("position", ""), ("fort", "10/5")]
)
def test_9_8_5_marked_hexes_are_not_overrun(kind: str, value: str) -> None:
    game = draw(
        markers=[marker(kind, "C3", value=value, side="soviet" if kind == "mines" else "")],
        step="vehicle",
        a=tank("C2"),
        x=soviet("cp-soviet", "C3"),
    )
    assert refused(game, Overrun("a", "C3")) == "9.8.5"


@rule("9.8.5")
def test_9_8_5_a_dug_in_marker_is_not_in_the_list() -> None:
    game = draw(
        markers=[marker("dug-in", "C3", side="soviet"), marker("position", "F3")],
        step="vehicle",
        a=tank("C2"),
        x=soviet("rifle-43-soviet", "C3", attack=0, below="dug-in"),
        y=soviet("rifle-43-soviet", "F3", attack=0, below="position"),
    )
    assert allowed(game, Overrun("a", "C3"))
    assert refused(game, Overrun("a", "F3")) == "9.8.5"


# --- the search for a way [9.8-P1] --------------------------------------------------------------------------


def reachable(position: Position, unit: Unit) -> dict[str, int]:
    """The cost of the cheapest way to each hex for the vehicle, step by step until nothing gets cheaper."""
    costs, looked_at = {str(unit.hex): 0}, [str(unit.hex)]
    for at in looked_at:
        for to in filter(None, position.map.neighbours[at]):
            price = ride_cost(position, unit, at, to)
            cost = costs[at] + price
            if price >= 0 and cost < min(costs.get(to, 99), 2 * unit.kind.movement) and can_pass(position, unit, to):
                costs[to] = cost
                looked_at.append(to)
    return costs


@rule("9.8-P1")
@pytest.mark.parametrize("seed", range(3))
def test_9_8_P1_a_way_in_and_out_is_found_wherever_there_is_one(seed: int) -> None:
    """In the vehicle segments of random games, for every tank and every enemy hex, against a search of all ways."""
    rng, seen = random.Random(seed), Counter[bool]()
    game = new_game(find("case-orange"), text_of("mutnaya-crossing"), Dice(bytes([seed]) * 32))
    while game.outcome is None and seen.total() < 1200:
        seat = game.asked()[0]
        if game.stack[-1].step == "vehicle" and rng.random() < 0.3:
            position = game.state
            enemies = [hex for hex in position.stacks if position.holder(hex) == position.setting.other[seat]]
            for unit in [unit for unit in position.of(seat) if unit.kind.armoured][:4]:
                costs = reachable(position, unit)
                for hex in sorted(enemies, key=lambda hex: position.map.distance(hex, str(unit.hex)))[:6]:
                    gates = dict(ways_through(position, unit, hex)).items()
                    limit = 2 * unit.kind.movement
                    expected = any(costs[gate] + price <= limit for gate, price in gates if gate in costs)
                    assert (out_of_reach(position, unit, hex) is None) is expected
                    seen[expected] += 1
        game.play(seat, game.choices(seat).sample(rng))
    assert seen[True] >= 20
    assert seen[False] >= 20
