"""Smoke [16.1]. In the book's order."""

from __future__ import annotations

from typing import Any

import pytest

from opfire.core.dice import scripted
from opfire.core.game import Game
from opfire.rulesets.panzer_grenadier.command.activation import Activate
from opfire.rulesets.panzer_grenadier.fire import smoke
from opfire.rulesets.panzer_grenadier.fire.offboard import AddFactor, CallFire, CallSmoke
from opfire.rulesets.panzer_grenadier.fire.smoke import FireSmoke
from opfire.rulesets.panzer_grenadier.ground import limiting
from opfire.rulesets.panzer_grenadier.pieces import Position
from opfire.rulesets.panzer_grenadier.sight.lines import no_line
from rules.panzer_grenadier.kit import (
    allowed,
    draw,
    german,
    leader,
    marker,
    offered,
    play,
    refused,
    rule,
    soviet,
    unit,
    why_not,
)

SMOKE = {"sides": {"german": {"initiative": 3, "smoke": True}}}


def position(kind: str = "ger-mortar-81", special: Any = SMOKE, **units: Any) -> Game[Position]:
    """A German unit in A1 that is to fire, a Soviet one in A5."""
    game = draw(
        a=german(kind, "A1"), foe=soviet("sov-inf", "A5"), near=soviet("sov-truck", "A2"), special=special, **units
    )
    play(game, Activate("a", "fire"))
    return game


@rule("16.1")
def test_16_1_only_where_the_scenario_says_so() -> None:
    assert allowed(position(), FireSmoke("a", "A5"))
    assert refused(position(special={}), FireSmoke("a", "A5")) == "16.1"


@rule("16.1")
@pytest.mark.parametrize(
    ("kind", "answer"),
    [("ger-mortar-81", None), ("ger-105", None), ("ger-wespe", None), ("ger-inf", "16.1"), ("ger-at-50", "16.1")],
)
def test_16_1_mortars_and_artillery(kind: str, answer: str | None) -> None:
    game = position(kind)
    assert allowed(game, FireSmoke("a", "A5")) if answer is None else refused(game, FireSmoke("a", "A5")) == answer


@rule("16.1", "16.11")
def test_16_1_who_fires_smoke_fires_nothing_else_this_turn() -> None:
    game = position()
    play(game, FireSmoke("a", "A5"), dice=[4, 4])
    assert unit(game, "a").marked


@rule("16.11")
@pytest.mark.parametrize(("dice", "lies"), [([4, 4], True), ([5, 4], False)])
def test_16_11_eight_or_less_and_it_lies(dice: list[int], lies: bool) -> None:
    game = position()
    play(game, FireSmoke("a", "A5"), dice=dice)
    assert bool(game.state.work("1-A5").smoke) is lies


@rule("16.11")
def test_16_11_at_a_spotted_hex_in_range() -> None:
    game = draw(
        "w . .\n" + ". . .\n" * 6,
        a=german("ger-mortar-81", "A7", bombard_range=5),
        far=soviet("sov-inf", "B1"),
        hid=soviet("sov-inf", "A2"),
        seen=soviet("sov-inf", "C4"),
        special=SMOKE,
    )
    play(game, Activate("a", "fire"))
    assert refused(game, FireSmoke("a", "B1")) == "7.32"
    assert refused(game, FireSmoke("a", "C5")) == "9.0"
    woods = draw(
        "w . .\n" + ". . .\n" * 6,
        a=german("ger-mortar-81", "A7"),
        hid=soviet("sov-inf", "A1"),
        seen=soviet("sov-inf", "C4"),
        special=SMOKE,
    )
    play(woods, Activate("a", "fire"))
    assert refused(woods, FireSmoke("a", "A1")) == "9.1"


SIGHT = pytest.mark.parametrize("options", [(), ("R16.11",)])
"""With and without smoke on hexes that are only seen."""


@rule("16.11")
@SIGHT
def test_16_11_by_the_other_reading_at_any_hex_in_sight(options: tuple[str, ...]) -> None:
    """Woods in B4 and C4 stand between the mortar and the south; nobody is in A3."""
    own = {"a": german("ger-mortar-81", "A1", bombard_range=6), "foe": soviet("sov-inf", "A5")}
    board = ". . . . .\n" * 3 + ". w w w w\n" + ". . . . .\n" * 4
    game = draw(board, special=SMOKE, options=options, **own)
    play(game, Activate("a", "fire"))
    assert allowed(game, FireSmoke("a", "A5"))
    assert refused(game, FireSmoke("a", "A8")) == ("7.32" if options else "9.0")
    assert refused(game, FireSmoke("a", "C6")) == ("16.11" if options else "9.0")
    assert (FireSmoke("a", "1-A3") in offered(game, FireSmoke)) is bool(options)
    assert (FireSmoke("a", "1-B4") in offered(game, FireSmoke)) is bool(options)  # the edge of the woods is seen


@rule("16.11", "9.1")
def test_16_11_by_the_other_reading_a_leader_sees_for_the_mortar() -> None:
    own = {"a": german("ger-mortar-81", "C1"), "foe": soviet("sov-inf", "A5")}
    board = ". . . . .\n" * 3 + ". w w w w\n" + ". . . . .\n" * 4
    for there, why in (({}, "16.11"), ({"lt": leader("german", "E6")}, None)):
        game = draw(board, special=SMOKE, options=["R16.11"], **own, **there)
        play(game, Activate("a", "fire"))
        assert why_not(game, FireSmoke("a", "C6")) == why


@rule("16.11", "9.2")
@SIGHT
def test_16_11_by_the_other_reading_off_board_guns_too(options: tuple[str, ...]) -> None:
    sides = {"sides": {"german": {"initiative": 3, "smoke": True, "offboard": [20]}}}
    units = {"lt": leader("german", "A1"), "foe": soviet("sov-inf", "A5")}
    game = draw(special=sides, options=options, **units)
    game.state.change_army("german", offboard=(20,))
    assert allowed(game, CallSmoke(20, "A5"))
    assert (CallSmoke(20, "1-A3") in offered(game, CallSmoke)) is bool(options)
    assert offered(game, CallFire) == {CallFire(20, "1-A5")}
    assert why_not(game, CallSmoke(20, "P10")) == ("16.11" if options else "9.0")


@rule("16.12")
def test_16_12_it_blocks_sight_and_limits_the_hex() -> None:
    game = draw(a=german("ger-inf", "A1"), foe=soviet("sov-inf", "A5"), markers=[marker("smoke", "A3", side="soviet")])
    refusal = no_line(game.state, "1-A1", "1-A5")
    assert refusal is not None
    assert refusal.rule == "16.12"
    assert limiting(game.state, "1-A3")


@rule("16.1", "9.2", "9.2.A1")
def test_16_1_off_board_guns_fire_smoke_too() -> None:
    sides = {"sides": {"german": {"initiative": 3, "smoke": True, "offboard": [20, 20]}}}
    game = draw(lt=leader("german", "A1"), foe=soviet("sov-inf", "A5"), special=sides)
    game.state.change_army("german", offboard=(20, 20))
    play(game, CallSmoke(20, "A5"), dice=[1, 1])
    assert game.state.work("1-A5").smoke == ("german",)
    assert game.state.armies["german"].offboard == (20,)
    assert game.asked() == ("soviet",)  # nobody sees into the smoke any more
    none = draw(lt=leader("german", "A1"), foe=soviet("sov-inf", "A5"))
    none.state.change_army("german", offboard=(20,))
    assert refused(none, CallSmoke(20, "A5")) == "16.1"


@rule("16.1", "9.31")
def test_16_1_a_segment_may_mix_smoke_and_shells() -> None:
    sides = {"sides": {"german": {"initiative": 3, "smoke": True, "offboard": [20, 20]}}}
    game = draw(lt=leader("german", "A1"), foe=soviet("sov-inf", "A4"), two=soviet("sov-inf", "C3"), special=sides)
    game.state.change_army("german", offboard=(20, 20, 30))
    play(game, CallSmoke(20, "A4"), dice=[6, 6])
    assert offered(game, CallFire) == {CallFire(f, h) for f in (20, 30) for h in ("1-A4", "1-C3")}
    play(game, CallFire(30, "C3"))
    assert offered(game, AddFactor) == {AddFactor(20)}


@rule("16.13")
@pytest.mark.parametrize(
    ("dice", "where"),
    [
        ([1], "1-C4"),
        ([2, 1], "1-C3"),  # 1 is north
        ([2, 4], "1-C5"),  # 4 is south
        ([2, 2], "1-D3"),
        ([2, 6], "1-B3"),
        ([3], None),
        ([6], None),
    ],
)
def test_16_13_it_stays_drifts_or_is_gone(dice: list[int], where: str | None) -> None:
    game = draw(a=german("ger-inf", "A1"), markers=[marker("smoke", "C4", side="german")])
    game.dice = scripted(dice)
    smoke.clear(game)
    assert not game.dice.script
    assert [hex for hex, works in game.state.works.items() if works.smoke] == ([where] if where else [])
    assert all(works.smoke in ((), ("german",)) for works in game.state.works.values())


@rule("16.13")
def test_16_13_off_the_map_it_is_gone_and_each_marker_has_its_own_die() -> None:
    game = draw(
        a=german("ger-inf", "A1"),
        markers=[marker("smoke", "C1", side="german"), marker("smoke", "C4", side="soviet")],
    )
    game.dice = scripted([2, 1, 1])
    smoke.clear(game)
    assert {hex: works.smoke for hex, works in game.state.works.items() if works.smoke} == {"1-C4": ("soviet",)}
