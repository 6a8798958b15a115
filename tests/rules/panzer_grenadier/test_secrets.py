"""The secrets of a side: hidden units, tank leaders, minefields (6.8, 16.6, 16.7)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

import pytest
from msgspec import json

from core import contract
from opfire.core.actions import Action
from opfire.core.game import SPECTATOR
from opfire.core.match import Match
from opfire.kit.setup import Ready
from opfire.rulesets.panzer_grenadier import RULESET
from opfire.rulesets.panzer_grenadier.actions import Pass
from opfire.rulesets.panzer_grenadier.command.activation import (
    Activate,
    ActivateLeader,
    ActivateStack,
    Begin,
    Designate,
    DesignateAll,
)
from opfire.rulesets.panzer_grenadier.fire.antitank import FireAntiTank
from opfire.rulesets.panzer_grenadier.fire.offboard import CallFire
from opfire.rulesets.panzer_grenadier.fire.strengths import Fire
from opfire.rulesets.panzer_grenadier.morale import checks, harm
from opfire.rulesets.panzer_grenadier.morale.recovery import LoseHeart, Recover
from opfire.rulesets.panzer_grenadier.movement.moving import Move, Stop
from opfire.rulesets.panzer_grenadier.optional.rules import Consolidate
from opfire.rulesets.panzer_grenadier.setup.additions import GiveTankLeader, LayMines
from opfire.rulesets.panzer_grenadier.setup.placing import Place
from opfire.rulesets.panzer_grenadier.setup.setting_up import DrawPieces
from opfire.rulesets.panzer_grenadier.sight import spotting
from opfire.rulesets.panzer_grenadier.works.fieldworks import ClearWreck, DigIn
from rules.panzer_grenadier.kit import battle, draw, force, full, german, leader, marker, play, rule, soviet, unit


def secrets(gun: str = "east", /, zones: Mapping[str, Iterable[str]] = MappingProxyType({}), **values: Any) -> str:
    """A small battle: the Soviets hide a gun in a zone, lay mines and have a tank leader."""
    return battle(
        "secrets",
        "\n".join([". " * 10] * 6),
        turns=2,
        german=[force("ger-inf", "west", 2), force("ger-pz3", "west")],
        soviet=[force("sov-at-45", gun, below="hidden"), force("sov-t34", "east", 2)],
        zones={"west": ["A1", "A2", "A3"], "east": ["H2", "H3", "I2", "I3"], **zones},
        special={
            "year": 1942,
            "sides": {"german": {"initiative": 6}, "soviet": {"initiative": 0, "mines": 2, "tank_leaders": 1}},
        },
        **values,
    )


SCENARIO = secrets()


def opening(gun: str, led: str) -> contract.Script:
    """A set-up with the hidden gun in that hex and the tank leader in that tank."""
    return (
        ("soviet", DrawPieces()),
        ("soviet", Place("soviet-1", gun)),
        ("soviet", Place("soviet-2", "1-I2")),
        ("soviet", Place("soviet-3", "1-I2")),
        ("soviet", LayMines("1-H3")),
        ("soviet", LayMines("1-I3")),
        ("soviet", GiveTankLeader(led)),
        ("soviet", Ready()),
        ("german", Place("german-1", "1-A1")),
        ("german", Place("german-2", "1-A2")),
        ("german", Place("german-3", "1-A3")),
        ("german", Ready()),
        ("german", Pass()),
    )


TWIN = contract.Twin(("german", SPECTATOR), opening("1-H2", "soviet-2"), opening("1-I3", "soviet-3"))
CASE = contract.Case(RULESET, SCENARIO, most=20000, every=17, twins=(TWIN,))


@rule("16.6", "6.8")
def test_16_6_nobody_can_tell_where_hidden_units_are_nor_which_tank_has_the_leader() -> None:
    contract.check_leaks(CASE, TWIN, 1)


BETWEEN = secrets(
    "between",
    {"between": ["E5", "H6"]},
    victory=[{"side": "german", "condition": "control", "hexes": ["1-E5"], "points": 1}],
)
"""The gun lies in wait in a village that counts and that Germans in view are nearer to, or elsewhere."""


@rule("16.6", "G.control")
def test_G_control_whoever_hides_in_an_objective_does_not_show_it_by_holding_it() -> None:
    walk: contract.Script = (
        ("german", Activate("german-1", "move")),
        ("german", Move("german-1", "1-B1")),
        ("german", Stop("german-1")),
    )
    one, other = (tuple(opening(gun, "soviet-2"))[:-1] + walk for gun in ("1-E5", "1-H6"))
    twin = contract.Twin(("german", SPECTATOR), one, other)
    contract.check_leaks(contract.Case(RULESET, BETWEEN), twin, 1)


@rule("16.6")
def test_16_6_no_mark_tells_the_enemy_which_unit_is_hidden() -> None:
    game = draw(gun=soviet("sov-at-45", "E5", hidden=True), foe=german("ger-inf", "P9"))

    def badges(side: str) -> list[str]:
        (gun,) = (one for one in game.view(side)["units"] if one["id"] == "gun")
        return [badge["code"] for badge in gun["badges"]]

    assert badges("soviet") == ["H"]
    assert badges("german") == []


@rule("16.61", "G.control")
def test_G_control_the_hidden_have_their_hex_when_they_are_placed_and_when_the_game_is_over() -> None:
    game = draw(
        inf=german("ger-inf", "A1"),
        gun=soviet("sov-at-45", "E5", hidden=True),
        markers=[marker("control", "E5", side="german")],
    )
    play(game, Activate("inf", "move"), Move("inf", "A2"), Pass(), Stop("inf"))
    assert game.state.control["1-E5"] == "german"
    spotting.reveal(game, "gun")
    assert game.state.control["1-E5"] == "soviet"
    match = Match.start(BETWEEN, nonces={"german": "a", "soviet": "b"}, key=bytes(32))
    for seat, action in opening("1-E5", "soviet-2"):
        match.play(seat, action)
    while match.game.outcome is None:
        seat = match.game.asked()[0]
        match.play(seat, Pass())
    assert not match.game.state.units["soviet-1"].hidden
    assert match.game.state.control["1-E5"] == "soviet"


@rule("9.2", "16.6")
def test_9_2_who_fires_off_board_guns_is_not_asked_for_more_because_somebody_hides_in_sight() -> None:
    """The truck is gone, and nobody else is known: whether a gun lies in wait near by or not, the segment is over."""
    for gun in ("C3", "P9"):
        game = draw(
            lt=leader("german", "A1"),
            truck=soviet("sov-truck", "A3"),
            gun=soviet("sov-at-45", gun, hidden=True),
            special={"sides": {"german": {"initiative": 3, "offboard": [60, 60]}}},
        )
        play(game, CallFire(60, full("A3")), Fire(), dice=[1, 1])
        assert game.state.units["truck"].hex is None
        assert game.asked() == ("soviet",), f"asked for more with a gun in {gun}"


@rule("9.52", "16.61")
def test_9_52_who_hides_next_to_his_own_bombardment_is_placed_before_the_dice_tell() -> None:
    game = draw(
        lt=leader("german", "A1"),
        gun=german("ger-at-50", "B3", hidden=True),
        inf=soviet("sov-inf", "A3"),
        special={"sides": {"german": {"initiative": 3, "offboard": [16]}}},
    )
    events = play(game, CallFire(16, full("A3")), Fire(), dice=[6, 6, 6])
    kinds = [event.kind for event in events]
    assert not unit(game, "gun").hidden
    assert kinds.index("revealed") < next(at for at, event in enumerate(events) if event.rule == "9.52")


@rule("16.6", "G.demoralized")
def test_16_6_who_loses_heart_in_hiding_tells_his_own_side_alone() -> None:
    game = draw(gun=german("ger-inf", "B3", hidden=True, dug_in=1), foe=soviet("sov-inf", "P9"))
    play(game, Activate("gun", "move"))
    told = play(game, LoseHeart("gun"))
    told += play(game, Recover("gun"), dice=[1, 2])
    assert all(event.only == ("german",) for event in told if "1-B3" in event.places)
    assert any(event.kind == "morale" for event in told)


@rule("16.6", "17.1")
def test_16_6_two_who_become_one_in_hiding_tell_their_own_side_alone() -> None:
    half = german("ger-inf", "B3", hidden=True, reduced=True)
    game = draw(one=half, two=half, foe=soviet("sov-inf", "P9"), options=("17.1",))
    play(game, ActivateStack(full("B3")), DesignateAll("move"), Begin())
    (event,) = [event for event in play(game, Consolidate("one", "two")) if event.rule == "17.1"]
    assert event.only == ("german",)


def told_to_the_enemy(gun: str, *actions: Action) -> tuple[dict[str, Any], list[tuple[object, ...]]]:
    """The view and log of the Soviets when the German stack in C3 does this, a hidden unit being there or elsewhere."""
    game = draw(b=german("ger-inf", "C3"), gun=german("ger-inf", gun, hidden=True), foe=soviet("sov-inf", "P9"))
    events = []
    for action in actions:
        found = play(game, action)
        events += [(one.text, one.facts, one.units, one.places) for one in found if not one.only]
        if "gun" in repr(action):
            assert game.only == ("german",)
    return game.view("soviet"), events


@rule("16.6", "16.61")
def test_16_6_who_acts_in_hiding_with_others_is_not_given_away_by_it() -> None:
    first = (ActivateStack("C3"), Designate("b", "move"))
    with_it = told_to_the_enemy("C3", *first, Designate("gun", "move"), Begin(), DigIn("gun"))
    without = told_to_the_enemy("L3", *first, Begin())
    assert with_it == without


@rule("16.6", "6.1")
def test_16_6_whom_a_hidden_leader_leads_does_not_tell_where_he_is() -> None:
    def known(hex: str) -> dict[str, Any]:
        hiding = leader("german", hex, mounted=True, hidden=True)
        game = draw(b=german("ger-cav", "C3"), lt=hiding, foe=soviet("sov-inf", "P9"))
        play(game, ActivateStack("C3"), Designate("b", "move"), Begin())
        activation = game.ruleset.sight(game.state, "soviet").activation
        assert activation is not None
        return {**game.view("soviet"), "mounted": activation.mounted}

    assert known("C3") == known("L3")


@rule("16.6")
def test_16_6_of_a_segment_in_hiding_one_hears_no_more_than_that_there_is_one() -> None:
    _, told = told_to_the_enemy("C3", Activate("gun", "move"))
    assert [facts for _, facts, _, _ in told] == [("German", "units in hiding")]


@rule("16.61", "6.51", "6.52")
@pytest.mark.parametrize("hidden", [True, False])
def test_16_61_a_hidden_leader_who_helps_one_in_view_is_placed(hidden: bool) -> None:
    """Not one who helps another in hiding: of that only their own side hears."""
    lt = leader("german", "C4", bonus=1, hidden=True)
    unit_in_c3 = german("ger-inf", "C3", hidden=hidden, state="disrupted")
    game = draw(b=unit_in_c3, lt=lt, foe=soviet("sov-inf", "P9"), dice=[3, 3])
    harm.roll(game, checks.Test("b", "M"))
    assert unit(game, "lt").hidden is hidden
    game = draw(b=unit_in_c3, lt=lt, foe=soviet("sov-inf", "P9"))
    play(game, ActivateLeader("lt"), DesignateAll("recover"), Begin(), Recover("b", "lt"), dice=[3, 3])
    assert unit(game, "lt").hidden is hidden


@rule("16.6", "16.31")
def test_16_31_a_wreck_that_is_cleared_from_hiding_does_not_say_by_whom() -> None:
    tank = german("ger-pz4f", "B3", hidden=True)
    game = draw(tank=tank, foe=soviet("sov-inf", "P9"), markers=[marker("wreck", "B3")], turn=2)
    game.state.change("tank", work=1, worked=1)
    play(game, Activate("tank", "move"))
    told = [event for event in play(game, ClearWreck("tank")) if event.rule == "16.31"]
    assert [(event.only, event.units) for event in told] == [(("soviet",), ()), (("german",), ("tank",))]


@rule("16.6", "8.22", "11.0")
def test_16_6_a_hidden_gun_tells_its_calibre_with_its_first_shot_and_not_before() -> None:
    game = draw(
        gun=german("ger-at-75", "A1", hidden=True), tank=soviet("sov-t34", "A3"), eye=german("ger-inf", "A2"), turn=2
    )
    events = play(game, Activate("gun", "fire"), FireAntiTank("gun", "tank"), dice=[1, 1])
    told = [(event.kind, event.only, event.calibre) for event in events if event.kind in ("revealed", "fired")]
    assert told == [("revealed", (), 0), ("fired", (), 75)]
    assert all(event.calibre == 0 for event in events if event.only or event.kind != "fired")


@rule("16.6")
def test_16_6_of_enemies_the_formation_is_told_on_the_map_alone() -> None:
    match = Match.start(SCENARIO, nonces={"german": "a", "soviet": "b"}, key=bytes(32))
    told = {
        seat: {unit["id"] for unit in RULESET.view(match.game.sight(seat), seat, None)["units"] if "formation" in unit}
        for seat in ("german", "soviet")
    }
    assert told["german"] == {"german-1", "german-2", "german-3"}
    assert told["soviet"] == {"soviet-1", "soviet-2", "soviet-3"}


@rule("16.7", "16.6", "6.8")
@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
def test_the_kernel_holds_with_secrets(check: object) -> None:
    assert callable(check)
    check(CASE, 3)


@rule("16.7")
def test_16_7_mines_lie_face_down_for_the_enemy_alone() -> None:
    game = draw(
        inf=german("ger-inf", "A1"),
        foe=soviet("sov-inf", "L1"),
        markers=[marker("mines", "E5", side="soviet", value="3"), marker("mines", "E6", side="soviet", value="0")],
    )
    known = {side: [mine["value"] for mine in game.view(side)["markers"]] for side in ("german", "soviet", SPECTATOR)}
    assert known == {"german": ["?", "?"], "soviet": ["3", "dummy"], SPECTATOR: ["?", "?"]}


@rule("16.7")
def test_16_7_imagined_mines_are_of_the_cup_and_differ() -> None:
    game = draw(
        inf=german("ger-inf", "A1"),
        foe=soviet("sov-inf", "L1"),
        markers=[marker("mines", "E5", side="soviet", value="3")],
    )
    strengths = {
        game.imagine("german", random.Random(seed)).state.works["1-E5"].mines[0].strength for seed in range(40)
    }
    assert strengths == {0, 1, 2, 3}


def test_the_bytes_sent_to_a_blind_seat_hold_no_hex_of_a_hidden_unit() -> None:
    match = Match.start(SCENARIO, nonces={"german": "a", "soviet": "b"}, key=bytes(32))
    for seat, action in opening("1-H2", "soviet-2")[:-1]:
        match.play(seat, action)
    mine, theirs = (next(u for u in match.game.view(s)["units"] if u["id"] == "soviet-1") for s in ("soviet", "german"))
    assert mine["place"] == "1-H2"
    assert b"1-H2" not in json.encode(theirs)
    assert b"1-H2" not in json.encode([u for u in match.game.view("german")["units"] if u["side"] == "soviet"])
