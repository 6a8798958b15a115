"""Moving closer to dangerous enemies [5.4] and by night [5.5]. Tests are named after rules, in the book's order."""

from __future__ import annotations

import pytest

from opfire.core.game import Game
from opfire.rulesets.panzer_grenadier.command.activation import (
    Activate,
    ActivateLeader,
    ActivateStack,
    Begin,
    DesignateAll,
)
from opfire.rulesets.panzer_grenadier.movement import danger
from opfire.rulesets.panzer_grenadier.pieces import Position
from opfire.rulesets.panzer_grenadier.setup.control import take_control
from rules.panzer_grenadier.kit import draw, full, german, leader, play, rule, soviet, unit

TRUCK, TANK, INF = "ger-truck", "ger-pz4f", "ger-inf"


def why(game: Game[Position], name: str, to: str) -> str | None:
    """The rule that keeps a unit from entering a hex without a leader, or None."""
    refusal = danger.moves_closer(game.state, unit(game, name), full(to))
    return refusal.rule if refusal else None


# --- what is closer to whom -------------------------------------------------------------------------------------


@rule("5.4")
@pytest.mark.parametrize(
    ("to", "reason"), [("A6", "5.4"), ("B6", "5.4"), ("A4", None)], ids=["nearer", "nearer aslant", "away"]
)
def test_5_4_not_nearer_to_who_sees_reaches_and_hurts(to, reason):
    game = draw(a=german(INF, "A5"), x=soviet("sov-inf", "A9", direct_range=3))
    assert why(game, "a", to) == reason


@rule("5.41.a")
@pytest.mark.parametrize(("to", "reason"), [("A3", None), ("A4", None), ("A5", None), ("A6", "5.4")])
def test_5_41_a_up_to_the_edge_of_its_range_one_moves_freely(to, reason):
    start = f"A{int(to[1]) - 1}"
    game = draw(a=german(INF, start), x=soviet("sov-inf", "A9", direct_range=3))
    assert why(game, "a", to) == reason


@rule("5.41.a")
def test_5_41_a_to_the_same_distance_one_moves_freely():
    game = draw(a=german(INF, "C5"), x=soviet("sov-inf", "C3", direct_range=3))
    assert game.state.map.distance("1-C5", "1-C3") == game.state.map.distance("1-D4", "1-C3") == 2
    assert why(game, "a", "D4") is None
    assert why(game, "a", "C4") == "5.4"


@rule("5.41.a")
def test_5_41_a_unseen_one_moves_freely():
    woods = "\n".join([". " * 16 if row != 6 else "w " * 16 for row in range(10)])
    game = draw(woods, a=german(INF, "A4"), x=soviet("sov-inf", "A9", direct_range=6))
    assert why(game, "a", "A5") is None
    assert why(game, "a", "A6") is None
    assert why(game, "a", "A7") == "5.4"


@rule("5.4")
def test_5_4_it_counts_where_the_unit_would_be_seen_not_where_it_is():
    field = "\n".join([". " * 16 if row != 4 else "b " * 16 for row in range(10)])
    game = draw(field, a=german(INF, "A4", spotted=True), x=soviet("sov-inf", "A9", direct_range=5))
    assert why(game, "a", "A5") is None  # in the field four hexes hide it


@rule("5.4.a")
def test_5_4_a_a_marker_or_an_assault_makes_no_enemy_harmless():
    game = draw(a=german(INF, "A5"), x=soviet("sov-inf", "A7", marked=True, direct_range=3), b=german(INF, "A7"))
    assert game.state.assault_hex("1-A7")
    assert why(game, "a", "A6") == "5.4"


# --- which fire counts ------------------------------------------------------------------------------------------


@rule("5.41")
@pytest.mark.parametrize(
    ("kind", "enemy", "unit", "hurts"),
    [
        ("sov-inf", {"direct": 5, "direct_range": 3}, INF, True),
        ("sov-inf", {"direct": 5, "direct_range": 3}, TRUCK, True),
        ("sov-inf", {"direct": 5, "direct_range": 3}, TANK, False),
        ("sov-at-45", {"direct": 0}, INF, False),
        ("sov-at-45", {"direct": 0}, TRUCK, True),
        ("sov-at-45", {"direct": 0}, TANK, True),
        ("sov-inf", {"direct": 0, "bombard": 20, "bombard_range": 30}, INF, False),
        ("sov-inf", {"direct": 0, "bombard": 20, "bombard_range": 30}, TANK, False),
    ],
)
def test_5_41_direct_fire_hurts_all_but_afvs_and_anti_tank_fire_vehicles(kind, enemy, unit, hurts):
    game = draw(a=german(unit, "A5"), x=soviet(kind, "A7", **enemy))
    one, other = game.state.units["x"], game.state.units["a"]
    assert (danger.hurting_range(one, other) > 0) is hurts
    assert why(game, "a", "A6") == ("5.4" if hurts else None)


@rule("5.41")
def test_5_41_each_kind_of_fire_has_its_own_range():
    game = draw(a=german(TANK, "A5"), x=soviet("sov-at-45", "A8", direct=5, direct_range=9, at_range=1))
    assert why(game, "a", "A6") is None
    game.state.put("a", "1-A6")
    assert why(game, "a", "A7") == "5.4"


@rule("5.41")
@pytest.mark.parametrize(
    ("state", "hurts"),
    [({}, True), ({"state": "disrupted"}, True), ({"state": "demoralized"}, False), ({"limbered": True}, False)],
)
def test_5_41_who_has_no_fire_hurts_nobody(state, hurts):
    game = draw(a=german(TANK, "A5"), x=soviet("sov-at-45", "A7", **state))
    assert (danger.hurting_range(game.state.units["x"], game.state.units["a"]) > 0) is hurts


@rule("5.41")
def test_5_41_into_the_hex_of_an_enemy_without_harmful_fire_one_needs_a_leader_too():
    game = draw(a=german(TANK, "A5"), x=soviet("sov-inf", "A6"))
    assert why(game, "a", "A6") == "5.41"


@rule("5.4")
def test_5_4_the_dangers_of_a_hex_are_listed():
    game = draw(
        a=german(INF, "A5"), x=soviet("sov-inf", "A8", direct_range=3), y=soviet("sov-inf", "A9", direct_range=1)
    )
    assert [enemy.id for enemy in danger.dangers(game.state, unit(game, "a"), "1-A6")] == ["x"]


# --- leaders of the right kind ----------------------------------------------------------------------------------


def free(game: Game[Position], *names: str) -> list[bool]:
    """Whether each may step south, towards the enemy."""
    south = {name: full(f"{str(unit(game, name).hex)[2]}{int(str(unit(game, name).hex)[3:]) + 1}") for name in names}
    return [danger.moves_closer(game.state, unit(game, name), to) is None for name, to in south.items()]


ENEMY = soviet("sov-at-45", "B9", direct=3, direct_range=6, at_range=6)


@rule("5.42")
def test_5_42_a_unit_that_acts_alone_does_not_advance():
    game = draw(a=german(INF, "A5"), lt=leader("german", "A5"), x=ENEMY)
    play(game, Activate("a", "move"))
    assert free(game, "a") == [False]


@rule("5.42")
def test_5_42_a_regular_leader_sends_infantry_forward():
    game = draw(a=german(INF, "A5"), lt=leader("german", "A5"), x=ENEMY)
    play(game, ActivateLeader("lt"), DesignateAll("move"), Begin())
    assert free(game, "a", "lt") == [True, True]


@rule("5.42", "5.45.c")
def test_5_42_a_regular_leader_sends_no_tank_forward():
    game = draw(a=german(TANK, "A5", tank_leader=False), lt=leader("german", "A5"), x=ENEMY)
    play(game, ActivateStack("A5"), DesignateAll("move"), Begin())
    assert free(game, "a") == [False]


@rule("5.43")
@pytest.mark.parametrize("by", ["lt", "tank"])
def test_5_43_an_apc_takes_either_leader(by):
    game = draw(
        apc=german("ger-spw251", "A5"),
        lt=leader("german", "A5"),
        tank=german(TANK, "A5", tank_leader=True),
        x=ENEMY,
    )
    play(game, ActivateLeader(by), DesignateAll("move"), Begin())
    assert free(game, "apc") == [True]


@rule("5.44")
@pytest.mark.parametrize(("state", "near", "far"), [("disrupted", True, False), ("good order", True, True)])
def test_5_44_a_disrupted_leader_reaches_his_own_hex_only(state, near, far):
    game = draw(a=german(INF, "A5"), b=german(INF, "B5"), lt=leader("german", "A5", state=state), x=ENEMY)
    play(game, ActivateStack("A5"), DesignateAll("move"), Begin())
    assert free(game, "a", "b") == [near, far]


@rule("5.45", "5.45.a", "5.45.b")
def test_5_45_a_mixed_stack_advances_with_both_kinds_near_it():
    game = draw(
        sgt=leader("german", "A5", "SGT"),
        pz=german(TANK, "A5", tank_leader=True),
        a=german(INF, "A5"),
        other=german(TANK, "B5", tank_leader=False),
        cpl=leader("german", "B5", "CPL"),
        b=german(INF, "C5"),
        x=ENEMY,
    )
    play(game, ActivateStack("A5"), DesignateAll("move"), Begin())
    assert free(game, "a", "pz", "other", "cpl", "b") == [True] * 5


# --- night ------------------------------------------------------------------------------------------------------


@rule("5.5", "5.5.A1")
def test_5_5_by_night_one_enters_only_what_is_controlled_or_held_by_friends():
    game = draw(special={"night": [1]}, a=german(INF, "A5"), t=german(TRUCK, "B5"), x=soviet("sov-inf", "P9"))
    game.state.control |= {"1-A4": "german", "1-A6": "soviet", "1-B5": "soviet"}
    assert why(game, "a", "A4") is None
    assert why(game, "a", "B5") is None
    assert why(game, "a", "A6") == "5.5"
    assert why(game, "a", "B4") == "5.5"


@rule("5.5", "G.control")
def test_5_5_by_night_the_ground_behind_ones_own_line_is_friendly_from_the_start():
    """At the start a hex is controlled by the side with the closer combat units; where both are as close, by nobody."""
    game = draw(special={"night": [1]}, a=german(INF, "C5"), b=german(INF, "G5"), x=soviet("sov-inf", "K5"))
    take_control(game.state)
    assert why(game, "a", "B5") is None
    game.state.put("b", "1-H5")
    assert why(game, "b", "G5") is None
    assert why(game, "b", "I5") == "5.5"  # two hexes from G5, two from K5
    assert game.state.control["1-J5"] == "soviet"


@rule("5.5")
def test_5_5_by_day_and_with_a_leader_one_goes_anywhere():
    night = draw(special={"night": [1]}, a=german(INF, "A5"), lt=leader("german", "A5"), x=soviet("sov-inf", "P9"))
    assert why(night, "a", "A6") == "5.5"
    play(night, ActivateLeader("lt"), DesignateAll("move"), Begin())
    assert why(night, "a", "A6") is None
    assert why(draw(a=german(INF, "A5"), x=soviet("sov-inf", "P9")), "a", "A6") is None


@rule("5.5.A1")
def test_5_5_A1_by_night_one_moves_no_closer_to_danger_either():
    game = draw(special={"night": [1]}, a=german(INF, "A5"), x=soviet("sov-inf", "A7"))
    game.state.control["1-A6"] = "german"
    assert why(game, "a", "A6") == "5.4"
