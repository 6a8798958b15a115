"""Anti-tank fire [11.0]: one gun, one vehicle. In the book's order."""

from __future__ import annotations

from fractions import Fraction

import pytest

from opfire.core.game import Game
from opfire.rulesets.panzer_grenadier.actions import EndSegment, Pass
from opfire.rulesets.panzer_grenadier.command.activation import Activate, ActivateStack, Begin, DesignateAll
from opfire.rulesets.panzer_grenadier.fire.antitank import FireAntiTank, at_fire, shots
from opfire.rulesets.panzer_grenadier.fire.bombardment import Bombard
from opfire.rulesets.panzer_grenadier.fire.losses import LoseStep
from opfire.rulesets.panzer_grenadier.fire.strengths import Fire
from opfire.rulesets.panzer_grenadier.movement.moving import Move
from opfire.rulesets.panzer_grenadier.pieces import Position
from opfire.rulesets.panzer_grenadier.sequence import unmarked
from rules.panzer_grenadier.kit import (
    allowed,
    draw,
    german,
    lines,
    offered,
    play,
    refused,
    results,
    rule,
    soviet,
    unit,
)


def shot(game: Game[Position], firer: str, target: str) -> list[tuple[str, str, int]]:
    """The lines of the shot's calculation."""
    return lines(at_fire(game.state, unit(game, firer), unit(game, target)))


@rule("11.0")
def test_11_0_only_at_trucks_and_afvs() -> None:
    game = draw(
        gun=german("ger-at-50", "A1"),
        tank=soviet("sov-t34", "A3"),
        truck=soviet("sov-truck", "B3"),
        wagon=soviet("sov-wagon", "A4"),
        inf=soviet("sov-inf", "A3"),
    )
    play(game, Activate("gun", "fire"))
    assert offered(game, FireAntiTank) == {FireAntiTank("gun", "tank"), FireAntiTank("gun", "truck")}
    assert refused(game, FireAntiTank("gun", "wagon")) == "11.0"
    assert refused(game, FireAntiTank("gun", "inf")) == "11.0"


@rule("11.0", "12.6", "7.24")
def test_11_0_in_an_assault_hex_at_vehicles_there_and_nowhere_else() -> None:
    game = draw(
        gun=german("ger-at-50", "A1"),
        pal=german("ger-pz3", "A1"),
        foe=soviet("sov-t34", "A1"),
        far=soviet("sov-t34", "A3"),
    )
    play(game, Activate("gun", "fire"))
    assert allowed(game, FireAntiTank("gun", "foe"))
    assert refused(game, FireAntiTank("gun", "far")) == "12.6"
    assert shot(game, "gun", "foe") == [("modifier", "11.01", 4), ("modifier", "11.01", -5)]  # nothing for the hex


@rule("8.0.a")
def test_8_0_a_the_target_itself_has_to_be_spotted() -> None:
    game = draw(
        "w . .\n" + ". . .\n" * 4,
        gun=german("ger-at-50", "A5"),
        shown=soviet("sov-t34", "A1", spotted=True),
        hid=soviet("sov-t34", "A1"),
    )
    play(game, Activate("gun", "fire"))
    assert allowed(game, FireAntiTank("gun", "shown"))
    assert refused(game, FireAntiTank("gun", "hid")) == "8.21"


@rule("11.01", "7.42", "7.62")
def test_11_01_two_dice_and_value_less_armor_ten_takes_a_step() -> None:
    game = draw(gun=german("ger-at-50", "A1"), tank=soviet("sov-t34", "A3"), other=soviet("sov-t34", "A3"))
    calculation = at_fire(game.state, unit(game, "gun"), unit(game, "tank"))
    assert lines(calculation) == [("modifier", "11.01", 4), ("modifier", "11.01", -5)]
    assert calculation.chances() == {"none": Fraction(33, 36), "1": Fraction(3, 36)}  # 11 and 12, less one
    play(game, Activate("gun", "fire"))
    events = play(game, FireAntiTank("gun", "tank"), dice=[5, 6, 2, 2])  # a step lost, and a check that it passes
    assert results(events)[0] == "1"
    assert unit(game, "tank").reduced
    assert not unit(game, "other").reduced
    assert unit(game, "gun").marked


@rule("11.01")
def test_11_01_nine_in_all_does_nothing() -> None:
    game = draw(gun=german("ger-at-50", "A1"), tank=soviet("sov-t34", "A3"))
    play(game, Activate("gun", "fire"))
    events = play(game, FireAntiTank("gun", "tank"), dice=[5, 5])
    assert results(events) == ["none"]
    assert not unit(game, "tank").reduced


@rule("11.02")
def test_11_02_a_truck_counts_as_armor_minus_one() -> None:
    game = draw(gun=german("ger-at-50", "A1"), truck=soviet("sov-truck", "A3"), car=soviet("sov-ba6", "A3"))
    assert shot(game, "gun", "truck")[1] == ("modifier", "11.02", 1)
    assert shot(game, "gun", "car")[1] == ("modifier", "11.01", 0)


@rule("7.5")
def test_7_5_other_modifiers_of_the_table() -> None:
    game = draw(
        "h . .\n. t .\n. . .",
        gun=german("ger-at-50", "A1"),
        tank=soviet("sov-t34", "B2"),
        near=soviet("sov-t34", "A2"),
        special={"night": [1]},
    )
    modifiers = {rule for _, rule, _ in shot(game, "gun", "tank")[2:]}
    assert modifiers == {"8.4", "11.0"}
    assert sum(amount for _, _, amount in shot(game, "gun", "tank")[2:]) == 1 - 1 - 1  # higher, in a town, night
    assert sum(amount for _, _, amount in shot(game, "gun", "near")[2:]) == 1 + 1 - 1  # adjacent, higher, night


@rule("14.2", "11.01")
def test_14_2_disruption_halves_the_value_a_negative_one_stays() -> None:
    game = draw(
        gun=german("ger-at-75", "A1", state="disrupted"),
        weak=german("ger-pz2", "A1", reduced=True, state="disrupted"),
        tank=soviet("sov-t34", "A3"),
    )
    assert shot(game, "gun", "tank")[:2] == [("modifier", "11.01", 6), ("modifier", "14.2", -3)]
    assert shot(game, "weak", "tank") == [("modifier", "11.01", -1), ("modifier", "11.01", -5)]


# --- 11.1 -------------------------------------------------------------------------------------------------------


def crossing(second: str, entries: list[list[str]]) -> bool:
    """Whether a shot from that hex at E5 has crossfire, after shots that came in through these hexes."""
    game = draw(gun=german("ger-at-75", second), tank=soviet("rom-r35", "E5", entries=entries))
    return ("modifier", "11.1", 2) in shot(game, "gun", "tank")


@rule("11.1")
@pytest.mark.parametrize(
    ("second", "gets"),
    [
        ("E2", False),
        ("F4", False),
        ("D4", False),
        ("F5", True),
        ("E7", True),
        ("E8", True),
        ("C6", True),
    ],
)
def test_11_1_two_for_a_shot_through_a_hex_not_next_to_the_first(second: str, gets: bool) -> None:
    # The first shot came from the north, through E4; F4 and D4 touch it.
    assert crossing(second, [["1-E4"]]) is gets


@rule("11.1")
def test_11_1_the_first_shot_has_none() -> None:
    assert not crossing("E8", [])


@rule("11.1", "11.1.a")
def test_11_1_a_the_kv_the_ba6_down_the_spine_and_the_t26() -> None:
    # The KV-1 came in through E4. G5 shoots along the spine of F4, which touches E4, and F5, which does not.
    assert not crossing("G5", [["1-E4"]])
    assert crossing("G6", [["1-E4"]])
    # and nobody gets it for a hex that touches one side of an earlier spine
    assert not crossing("E2", [["1-F4", "1-F5"]])
    assert crossing("C6", [["1-F4", "1-F5"]])


@rule("11.1", "11.1.A1")
def test_11_1_A1_a_hopeless_shot_sets_it_up() -> None:
    game = draw(
        weak=german("ger-pz2", "E3"),
        gun=german("ger-at-75", "E7"),
        tank=soviet("sov-is2", "E5"),
    )
    assert set(at_fire(game.state, unit(game, "weak"), unit(game, "tank")).outcomes) == {"none"}
    play(game, Activate("weak", "fire"))
    play(game, FireAntiTank("weak", "tank"), dice=[6, 6])
    assert unit(game, "tank").entries == (("1-E4",),)
    assert ("modifier", "11.1", 2) in shot(game, "gun", "tank")


@rule("11.1")
def test_11_1_a_target_that_moves_is_free_of_it() -> None:
    game = draw(gun=german("ger-at-75", "E8"), tank=soviet("sov-t34", "E5", entries=[["1-E4"]]), side="soviet")
    play(game, Activate("tank", "move"), Move("tank", "D5"))
    assert unit(game, "tank").entries == ()


@rule("11.1")
def test_11_1_shots_inside_a_hex_come_in_through_none() -> None:
    game = draw(gun=german("ger-at-75", "A1"), tank=soviet("sov-t34", "A1", entries=[["1-B1"]]))
    assert ("modifier", "11.1", 2) not in shot(game, "gun", "tank")
    play(game, Activate("gun", "fire"))
    play(game, FireAntiTank("gun", "tank"), dice=[1, 1])
    assert unit(game, "tank").entries == (("1-B1",),)


# --- 11.2, 11.3 -------------------------------------------------------------------------------------------------


@rule("11.2")
@pytest.mark.parametrize(
    ("kind", "side", "force", "year", "values", "number"),
    [
        ("ger-pz3", "german", "german", 1939, {}, 2),
        ("ger-pz3", "german", "german", 1943, {"reduced": True}, 1),
        ("ger-pz2", "german", "german", 1941, {}, 2),  # a value of 0 is enough
        ("ger-at-75", "german", "german", 1943, {}, 1),  # no AFV
        ("rom-r35", "german", "german", 1943, {}, 1),  # an ally without it
        ("sov-t34", "soviet", "soviet", 1945, {}, 1),
        ("sov-t34", "soviet", "guards", 1942, {}, 1),
        ("sov-t34", "soviet", "guards", 1943, {}, 2),
        ("us-m4", "soviet", "american", 1943, {}, 1),
        ("us-m4", "soviet", "american", 1944, {}, 2),
        ("brit-sherman", "soviet", "british", 1944, {}, 2),
    ],
)
def test_11_2_who_has_armor_efficiency(
    kind: str, side: str, force: str, year: int, values: dict[str, object], number: int
) -> None:
    piece = german(kind, "A1", **values) if side == "german" else soviet(kind, "A1", **values)
    sides = {side: {"initiative": 3, "force": force}}
    game = draw(gun=piece, special={"year": year, "sides": sides})
    assert shots(game.state, unit(game, "gun")) == number


@rule("11.2", "11.2.a")
def test_11_2_a_two_shots_in_a_segment_at_the_same_or_another() -> None:
    game = draw(tank=german("ger-pz4h", "A1"), one=soviet("sov-t34", "A3"), two=soviet("sov-t34", "B3"))
    play(game, Activate("tank", "fire"))
    play(game, FireAntiTank("tank", "one"), dice=[1, 1])
    assert not unit(game, "tank").marked
    assert allowed(game, FireAntiTank("tank", "one"))
    play(game, FireAntiTank("tank", "two"), dice=[1, 1])
    assert unit(game, "tank").marked


@rule("11.2")
@rule("3.13.c")
@pytest.mark.parametrize(("kind", "shots", "why"), [("ger-pz4h", 2, "11.2"), ("ger-at-50", 1, "3.13.c")])
def test_11_2_no_more_shots_than_two_and_without_efficiency_than_one(kind: str, shots: int, why: str) -> None:
    game = draw(gun=german(kind, "A1"), ally=german("ger-pz4h", "A1"), one=soviet("sov-t34", "A3"))
    play(game, ActivateStack("A1"), DesignateAll("fire"), Begin())
    for _ in range(shots):
        play(game, FireAntiTank("gun", "one"), dice=[1, 1])
    assert refused(game, FireAntiTank("gun", "one")) == why
    play(game, EndSegment())
    play(game, Pass())
    assert refused(game, Activate("gun", "fire")) == why
    game.state.units["gun"] = unmarked(unit(game, "gun"))  # the next turn
    assert allowed(game, Activate("gun", "fire"))


@rule("11.2")
def test_11_2_who_loses_a_step_between_the_shots_has_no_second_one() -> None:
    """Stray rounds strike an open tank destroyer that has fired once."""
    game = draw(
        marder=german("ger-marder", "A3"),
        mortar=german("ger-mortar-81", "A3"),
        tank=soviet("sov-t34", "A6"),
        foe=soviet("sov-inf", "A4"),
    )
    play(game, ActivateStack("1-A3"), DesignateAll("fire"), Begin())
    play(game, FireAntiTank("marder", "tank"), dice=[1, 1])
    play(game, Bombard("mortar", "A4"))
    play(game, Fire(), dice=[6, 6, 1, 6, 1, 1])  # an X on the friends' column
    play(game, LoseStep("marder"), dice=[1, 1, 1, 1], seat="german")
    assert unit(game, "marder").reduced
    assert unit(game, "marder").good_order
    assert game.asked() == ("soviet",)  # nothing is left to do: the segment is over


@rule("11.3", "7.32")
@pytest.mark.parametrize(("hexes", "answer"), [(5, None), (6, None), (7, None), (8, "11.3")])
def test_11_3_half_the_value_up_to_one_and_a_half_times_the_range(hexes: int, answer: str | None) -> None:
    game = draw(
        gun=german("ger-pz3", "A1"), tank=soviet("sov-t34", f"A{hexes + 1}"), inf=soviet("sov-inf", "A2")
    )  # range 5: up to 7
    play(game, Activate("gun", "fire"))
    action = FireAntiTank("gun", "tank")
    assert answer is None or refused(game, action) == answer
    if answer is None:
        assert allowed(game, action)
        assert (("modifier", "11.3", -2) in shot(game, "gun", "tank")) is (hexes > 5)


@rule("11.3")
def test_11_3_a_value_below_two_stays_within_its_range() -> None:
    game = draw(
        atr=german("sov-atr", "A1"),
        tank=soviet("sov-t34", "A4"),
        near=soviet("sov-inf", "A2"),
    )
    play(game, Activate("atr", "fire"))
    assert refused(game, FireAntiTank("atr", "tank")) == "7.32"


@rule("11.3", "14.2")
def test_11_3_two_halvings_make_a_quarter_rounded_up() -> None:
    game = draw(gun=german("ger-at-75", "A1", state="disrupted"), tank=soviet("sov-t34", "A10"))
    assert sum(amount for _, rule, amount in shot(game, "gun", "tank") if rule in ("11.3", "14.2")) == 2 - 6


@rule("17.3")
@pytest.mark.parametrize(("side", "more"), [("soviet", True), ("german", False)])
def test_17_3_two_more_from_hiding_at_strategic_movement_but_not_in_ones_own_segment(side: str, more: bool) -> None:
    gun, tank = german("ger-at-50", "B5", hidden=True), soviet("sov-t34", "B2")
    game = draw(side=side, gun=gun, tank=tank, options=["17.3"])
    play(game, Activate("tank", "move") if side == "soviet" else Activate("gun", "fire"))
    assert (("modifier", "17.3", 2) in shot(game, "gun", "tank")) is more
