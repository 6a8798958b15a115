"""Hidden units do not betray themselves [16.6]: whole games that differ in secrets alone look the same."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

from core import contract
from core.twins import Orders as Given
from core.twins import Twins, play, play_all
from opfire.core import scenario
from opfire.core.actions import Action, IllegalAction
from opfire.core.game import SPECTATOR, Game
from opfire.core.match import Match
from opfire.kit.orders import COMPUTER, Orders
from opfire.rulesets.panzer_grenadier import RULESET
from opfire.rulesets.panzer_grenadier.actions import EndSegment, Pass
from opfire.rulesets.panzer_grenadier.command.activation import (
    Activate,
    ActivateLeader,
    ActivateStack,
    Begin,
    Designate,
)
from opfire.rulesets.panzer_grenadier.fire.offboard import CallFire
from opfire.rulesets.panzer_grenadier.fire.strengths import Fire
from opfire.rulesets.panzer_grenadier.morale.recovery import LoseHeart, Recover
from opfire.rulesets.panzer_grenadier.movement.moving import Move
from opfire.rulesets.panzer_grenadier.movement.transport import Load
from opfire.rulesets.panzer_grenadier.pieces import Position
from rules.panzer_grenadier.kit import battle, draw, force, full, german, leader, rule, soviet
from rules.panzer_grenadier.kit import play as play_on

FIELD = battle(
    "twins",
    """
. . . . . . . . . .
. w . . . . . . w .
. . . . w . . . . .
. w . . . . . . w .
. . . w . . w . . .
. w . . . . . . w .
""",
    turns=4,
    german=[
        force("ger-at-50", "west", below="hidden"),
        force("ger-inf", "west", below="hidden"),
        force("ger-inf", "west", 2),
        force("ger-pz3", "west", 2),
    ],
    soviet=[
        force("sov-at-45", "east", below="hidden"),
        force("sov-hmg", "east", below="hidden"),
        force("sov-inf", "east"),
        force("sov-t34", "east", 3),
    ],
    zones={"west": ["A1", "A2", "B2", "B4", "B6", "C3", "D5"], "east": ["I2", "I4", "I6", "H3", "J1", "J5", "G5"]},
    special={
        "year": 1942,
        "sides": {
            "german": {"initiative": 3, "leaders": {"LT": 1, "SGT": 1}},
            "soviet": {"initiative": 3, "leaders": {"LT": 1, "CPT": 1}, "tank_leaders": 1},
        },
    },
)
"""Both sides hide a gun and men with rifles or machine guns in sight of each other's ways."""

BOTH = contract.Case(RULESET, FIELD)
GLINKI = contract.Case(RULESET, scenario.text_of("pg-glinki"))
OTHER = {"german": "soviet", "soviet": "german"}
ASK = {"hidden": {"fire": "ask"}}
NEVER_REACHED = {"hidden": {"fire": "fire", "within": 1, "least_chance": 100}}


@rule("16.6")
def test_16_6_the_guns_before_glinki_look_the_same_wherever_they_lie() -> None:
    seen = play(Twins(GLINKI, ("german",), ("soviet", SPECTATOR)), 0, 300)
    assert seen["differ"]
    assert min(seen[frame] for frame in ("ActionSegment", "Designating", "Performing")) > 5, seen


@rule("16.6", "6.8", "3.13.c")
@pytest.mark.parametrize("owner", OTHER)
def test_16_6_where_both_hide_neither_can_tell_the_others_games_apart(owner: str) -> None:
    """Whole games: set-ups, activations and actions in hiding, windows, the ends of moves and segments."""
    seen = play_all(Twins(BOTH, (owner,), (OTHER[owner], SPECTATOR)), range(6), 1000)
    assert seen["over"] > 2, seen
    assert seen["secret"] > 60, seen
    assert seen["alone"] > 10, seen
    assert min(seen[frame] for frame in ("ActionSegment", "Designating", "Performing", "Moving")) > 10, seen


@rule("16.6")
def test_16_6_with_secrets_on_both_sides_the_spectator_can_tell_nothing_apart() -> None:
    seen = play_all(Twins(BOTH, ("german", "soviet"), (SPECTATOR,)), range(6, 9), 1000)
    assert seen["secret"] > 60, seen


@rule("16.6", "13.0")
@pytest.mark.parametrize("owner", OTHER)
@pytest.mark.parametrize("orders", [ASK, NEVER_REACHED, {"fire": "always"}, {"most": 0, "least_chance": 1}])
def test_16_6_standing_orders_do_not_betray_where_units_hide(owner: str, orders: Given) -> None:
    given = {owner: (orders, orders)}
    seen = play(Twins(BOTH, (owner,), (OTHER[owner], SPECTATOR), given), 3, 1000)
    seen += play(Twins(BOTH, (owner,), (OTHER[owner], SPECTATOR), given), 8, 1000)
    assert seen["secret"] > 10, seen
    assert seen["OpportunityFire"] > 0 or orders is not ASK, seen


@rule("16.6", "14.4")
def test_16_6_dice_that_a_unit_in_hiding_rolls_are_noticed_by_its_own_side_alone() -> None:
    match = contract.start(BOTH, 1)
    rng = random.Random(1)
    while match.game.stack[-1].step == "set-up" or match.game.asked() != ("soviet",):
        seat = match.game.asked()[0]
        passing = [Pass()] if Pass() in match.game.choices(seat) else []
        match.play(seat, next(iter(passing), None) or match.game.choices(seat).sample(rng))
    gun = match.game.state.units["soviet-1"]
    assert gun.hidden
    barrier = match.barrier_for("german")
    match.play("soviet", Activate(gun.id, "move"))
    match.play("soviet", LoseHeart(gun.id))
    before = {seat: contract.received(match, seat) for seat in ("german", SPECTATOR)}
    match.play("soviet", Recover(gun.id))
    assert match.game.rolls
    assert {seat: contract.received(match, seat) for seat in before} == before
    assert match.barrier_for("german") == barrier
    assert match.barrier_for("soviet") == "the last roll"
    with pytest.raises(IllegalAction, match="beyond the last roll"):
        match.undo("soviet")
    again = Match.resume(match.record.dump(), match.key)
    assert again.undoable("soviet") == []
    match.play("soviet", EndSegment())
    assert match.draft == []
    assert match.barrier_for("german") == match.barrier_for("soviet") != "the last roll"


@rule("16.6", "13.0")
def test_13_0_a_computer_player_with_units_in_hiding_is_asked_at_every_step() -> None:
    match = Match.start(FIELD, players={"soviet": "greedy"}, nonces={"german": "a"}, key=bytes(32))
    assert match.orders["soviet"] == COMPUTER
    assert match.orders["german"] == Orders()
    assert COMPUTER.hidden.fire == "ask"


# --- moves and segments that stay open for the sake of a secret -----------------------------------------------------


def real(*args: Any, **values: Any) -> Game[Position]:
    """A position as in a real game, where not everything is known to everybody."""
    game = draw(*args, **values)
    game.umpired = False
    return game


def waits_in(game: Game[Position], *actions: Action, dice: Sequence[int] = ()) -> str:
    """The frame that waits after these actions."""
    play_on(game, *actions, dice=dice)
    return type(game.stack[-1]).__name__


@rule("16.6", "3.13")
@pytest.mark.parametrize("where", ["B1", "K1"])
def test_16_6_a_segment_does_not_close_by_itself_where_units_in_hiding_may_act_too(where: str) -> None:
    """The men in B1 were activated with the infantry there; or they hide elsewhere."""
    stack = (ActivateStack(full("B1")), Designate("inf", "fire"))
    alongside = (Designate("men", "move"),) if where == "B1" else ()
    game = real(". . . . . . . . . . . .", inf=german("ger-inf", "B1"), men=german("ger-inf", where, hidden=True))
    assert waits_in(game, *stack, *alongside, Begin()) == "Performing"
    assert waits_in(game, EndSegment()) == "ActionSegment"
    assert game.asked() == ("soviet",)


@rule("16.6", "5.0", "5.61")
@pytest.mark.parametrize("where", ["B1", "H1"])
def test_16_6_a_move_does_not_go_on_because_a_carrier_in_hiding_could_take_the_unit_aboard(where: str) -> None:
    """It has a point left, and only the truck is to be had for that."""
    truck = german("ger-truck", where, hidden=True)
    game = real("w w w . . . . . . . . .", lt=leader("german", "A1"), hmg=german("ger-hmg", "A1"), truck=truck)
    both = (Designate("truck", "move"),) if where == "B1" else ()
    play_on(game, ActivateLeader("lt"), Designate("hmg", "move"), *both, Begin())
    assert waits_in(game, Move("hmg", "B1")) == "Moving"
    assert (Load("truck", "hmg") in game.choices("german")) == (where == "B1")


@rule("16.6", "5.0", "4.1")
@pytest.mark.parametrize("where", ["C1", "H1"])
def test_16_6_a_move_does_not_end_by_itself_because_friends_in_hiding_are_in_the_way(where: str) -> None:
    """It has a point left, and only C1 is to be had for that."""
    men = {name: german("ger-inf", where, hidden=True) for name in ("x", "y", "z")}
    game = real("w w . . . . . . . . . .", hmg=german("ger-hmg", "A1"), **men)
    assert waits_in(game, Activate("hmg", "move"), Move("hmg", "B1")) == "Moving"


@rule("6.8", "5.4")
@pytest.mark.parametrize("led", [True, False])
def test_6_8_a_tanks_move_does_not_show_by_its_end_whether_it_has_a_leader(led: bool) -> None:
    """Back in A1 it can go nowhere without a leader, as any step leads nearer to the gun."""
    special = {"year": 1942, "sides": {"soviet": {"initiative": 1, "tank_leaders": 1}}}

    def facing(hex: str) -> Game[Position]:
        tank, gun = soviet("sov-t34", hex, tank_leader=led), german("ger-at-75", "H1")
        return real(". . . . . . . . . . . .", tank=tank, gun=gun, side="soviet", special=special)

    assert waits_in(facing("A1"), Activate("tank", "move")) == "Performing"
    game = facing("B1")
    assert waits_in(game, Activate("tank", "move"), Move("tank", "A1")) in ("OpportunityFire", "Moving")
    assert waits_in(game, *([Pass()] if game.asked() == ("german",) else [])) == "Moving"


@rule("9.2", "16.6")
@pytest.mark.parametrize("where", ["P4", "A9"])
def test_9_2_a_segment_of_artillery_does_not_show_by_its_end_whether_a_leader_in_hiding_could_call(where: str) -> None:
    """The truck is gone; the infantry in P9 is in sight of P4 alone."""
    game = real(
        lt=leader("german", "A1"),
        spy=leader("german", where, hidden=True),
        truck=soviet("sov-truck", "A3"),
        inf=soviet("sov-inf", "P9"),
        special={"sides": {"german": {"initiative": 3, "offboard": [60, 60]}}},
    )
    assert waits_in(game, CallFire(60, full("A3")), Fire(), dice=[1, 1]) == "Calling"
