"""Spotting and lines of sight [8.0-8.4, 16.6]. Tests are named after rules, in the book's order."""

from __future__ import annotations

import copy

import pytest
from msgspec.structs import replace

from opfire.core.game import Game
from opfire.rulesets.panzer_grenadier import ground
from opfire.rulesets.panzer_grenadier.actions import EndSegment
from opfire.rulesets.panzer_grenadier.command.activation import Activate
from opfire.rulesets.panzer_grenadier.fire import reaction
from opfire.rulesets.panzer_grenadier.fire.offboard import CallFire
from opfire.rulesets.panzer_grenadier.fire.strengths import Fire
from opfire.rulesets.panzer_grenadier.pieces import Position
from opfire.rulesets.panzer_grenadier.sequence import start_turn
from opfire.rulesets.panzer_grenadier.shown import view
from opfire.rulesets.panzer_grenadier.sight import lines, spotting
from opfire.rulesets.panzer_grenadier.sight.facts import SightFacts
from opfire.space.hexmap import HexMap
from rules.panzer_grenadier.kit import CLEAR, draw, full, german, leader, marker, play, rule, soviet, unit


def board(**tokens: str) -> str:
    """A clear board, sixteen columns by ten rows, with tokens where they are named: `board(C4="w")`."""
    rows = [row.split() for row in CLEAR.splitlines()]
    for place, token in tokens.items():
        rows[int(place[1:]) - 1][ord(place[0]) - ord("A")] = token
    return "\n".join(" ".join(row) for row in rows)


def column(*tokens: str) -> str:
    """A board whose column A, from north to south, holds these tokens; a line down it runs through hexes only."""
    return board(**{f"A{row}": token for row, token in enumerate(tokens, 1)})


def why_no_line(game: Game[Position], a: str, b: str) -> str | None:
    """The rule that keeps one from seeing, the same both ways."""
    one, other = (lines.no_line(game.state, full(x), full(y)) for x, y in ((a, b), (b, a)))
    assert (one and one.rule) == (other and other.rule)
    return one.rule if one else None


def why_unseen(game: Game[Position], spotter: str, target: str) -> str | None:
    refusal = spotting.cannot_spot(game.state, unit(game, spotter), unit(game, target))
    seen = spotting.seen_from(game.state, str(unit(game, spotter).hex), unit(game, target))
    assert seen == (refusal is None)
    return refusal.rule if refusal else None


def farthest(game: Game[Position]) -> int:
    """From how many hexes away `a` sees `x`, a clear line granted."""
    return spotting.seen_at(game.state, str(unit(game, "a").hex), unit(game, "x"))[0]


def at_metres(game: Game[Position], *heights: int) -> Game[Position]:
    """The same game with the hexes of column A at these heights, whatever boards can show."""
    levels = {f"1-A{row}": metres // 20 for row, metres in enumerate(heights, 1)}
    old = game.state.setting
    cells = [replace(cell, level=levels.get(name, 0)) for name, cell in old.map.cells.items()]
    made = copy.copy(old)
    made.map, made.sight_facts = HexMap("raised", cells), SightFacts()
    game.state.setting = made
    return game


# --- what must be spotted ---------------------------------------------------------------------------------------


@rule("8.0.a")
def test_8_0_a_of_two_units_in_a_hex_only_the_one_marked_spotted_is_seen():
    game = draw(
        board(A5="w"), a=german("ger-inf", "A1"), x=soviet("sov-inf", "A5", spotted=True), y=soviet("sov-inf", "A5")
    )
    assert why_unseen(game, "a", "x") is None
    assert why_unseen(game, "a", "y") == "8.21"


@rule("8.0.a")
def test_8_0_a_anybody_of_the_side_may_spot_the_target_for_others():
    game = draw(board(A6="w"), a=german("ger-inf", "A1"), b=german("ger-inf", "A3"), x=soviet("sov-inf", "A6"))
    assert why_unseen(game, "a", "x") == "8.21"
    assert spotting.spotted(game.state, "german", unit(game, "x"))
    game.state.put("b", "1-A2")
    assert not spotting.spotted(game.state, "german", unit(game, "x"))


@rule("8.0")
def test_8_0_who_is_not_on_the_map_neither_sees_nor_is_seen():
    game = draw(a=german("ger-inf", "A1"), x=soviet("sov-inf"))
    a, x = unit(game, "a"), unit(game, "x")
    found = [spotting.cannot_spot(game.state, *pair) for pair in ((a, x), (x, a))]
    found.append(spotting.cannot_self_spot(game.state, a, x))
    assert [refusal and refusal.rule for refusal in found] == ["8.0"] * 3
    assert not spotting.seen_from(game.state, "1-A1", x)


# --- how far ----------------------------------------------------------------------------------------------------


@rule("8.1")
def test_8_1_twelve_hexes_in_the_clear():
    game = draw(a=german("ger-inf", "A1"), x=soviet("sov-inf", "M1"), y=soviet("sov-inf", "N1"))
    assert game.state.map.distance("1-A1", "1-M1") == 12
    assert why_unseen(game, "a", "x") is None
    assert why_unseen(game, "a", "y") == "8.1"


@rule("8.1")
def test_8_1_weather_reduces_it():
    game = draw(
        special={"visibility": 4}, a=german("ger-inf", "A1"), x=soviet("sov-inf", "A5"), y=soviet("sov-inf", "A6")
    )
    assert why_unseen(game, "a", "x") is None
    assert why_unseen(game, "a", "y") == "8.1"


@rule("8.1.A1", "G.night")
def test_8_1_A1_one_hex_of_visibility_is_night():
    game = draw(
        special={"visibility": 1}, a=german("ger-inf", "A1"), x=soviet("sov-inf", "A2"), y=soviet("sov-inf", "A3")
    )
    assert game.state.is_night
    assert why_unseen(game, "a", "x") is None
    assert why_unseen(game, "a", "y") == "8.1"


@rule("G.night")
def test_G_night_turns_are_those_of_the_scenario():
    game = draw(special={"night": [2]}, a=german("ger-inf", "A1"), x=soviet("sov-inf", "A3"))
    assert why_unseen(game, "a", "x") is None
    game.state.turn = 2
    assert why_unseen(game, "a", "x") == "8.1"


@rule("G.spotting")
@pytest.mark.parametrize("token", ["w", "t", "m", "b", "h"])
def test_G_spotting_one_s_own_and_the_next_hex_are_always_seen(token):
    game = draw(board(A2=token), a=german("ger-inf", "A1"), x=soviet("sov-inf", "A2"), y=soviet("sov-inf", "A1"))
    assert why_unseen(game, "a", "x") is None
    assert why_unseen(game, "a", "y") is None


# --- limiting terrain -------------------------------------------------------------------------------------------


@rule("8.2")
@pytest.mark.parametrize("token", ["w", "t", "b", "s"])
def test_8_2_woods_town_field_and_hill_block_the_line_on_the_level(token):
    heights = {"A1": token, "A3": token, "A5": token} if token == "s" else {"A3": token}
    game = draw(board(**heights), a=german("ger-inf", "A1"))
    assert ground.limiting(game.state, "1-A3")
    assert why_no_line(game, "A1", "A5") is not None
    assert why_no_line(draw(a=german("ger-inf", "A1")), "A1", "A5") is None


@rule("8.2")
def test_8_2_lower_limiting_terrain_does_not_block():
    assert why_no_line(draw(column("s", ".", "b", "."), a=german("ger-inf", "A1")), "A1", "A4") is None


@rule("8.23")
@pytest.mark.parametrize(("token", "hides"), [(".", False), ("a", False), ("m", False), ("b", True), ("wt", True)])
def test_8_23_a_hex_is_limiting_or_not_as_the_map_says(token, hides):
    game = draw(board(A5=token), a=german("ger-inf", "A1"))
    assert ground.limiting(game.state, "1-A5") is hides


@rule("8.2.a")
def test_8_2_a_swamp_blocks_no_line_but_hides_to_the_next_hex():
    game = draw(board(A3="m"), a=german("ger-inf", "A1"), x=soviet("sov-inf", "A3"), y=soviet("sov-inf", "A5"))
    assert why_unseen(game, "a", "y") is None
    assert why_unseen(game, "a", "x") == "8.2.a"
    game.state.change("x", spotted=True)
    assert why_unseen(game, "a", "x") is None


@rule("8.21")
@pytest.mark.parametrize("token", ["w", "t", "b"])
def test_8_21_occupants_are_seen_at_three_hexes(token):
    game = draw(board(A6=token), a=german("ger-inf", "A3"), b=german("ger-inf", "A2"), x=soviet("sov-inf", "A6"))
    assert why_unseen(game, "a", "x") is None
    assert why_unseen(game, "b", "x") == "8.21"


@rule("8.21")
def test_8_21_or_less_when_sight_is_shorter():
    game = draw(
        board(A4="w"),
        special={"visibility": 2},
        a=german("ger-inf", "A1"),
        b=german("ger-inf", "A2"),
        x=soviet("sov-inf", "A4"),
    )
    assert why_unseen(game, "a", "x") == "8.21"
    assert why_unseen(game, "b", "x") is None


@rule("8.21")
def test_8_21_height_does_not_help_to_see_into_it():
    game = draw(board(A1="h", A6="w"), a=german("ger-inf", "A1"), x=soviet("sov-inf", "A6"))
    assert why_unseen(game, "a", "x") == "8.21"


@rule("8.21.A1")
def test_8_21_A1_on_a_hill_one_is_in_limiting_terrain():
    game = draw(board(A6="s"), a=german("ger-inf", "A1"), x=soviet("sov-inf", "A6"))
    assert why_unseen(game, "a", "x") == "8.21"


@rule("8.21.A1")
def test_8_21_A1_where_hills_are_open_by_agreement_one_is_not():
    game = draw(board(A6="s"), options=["R8.21"], a=german("ger-inf", "A1"), x=soviet("sov-inf", "A6"))
    assert why_unseen(game, "a", "x") is None


# --- SPOTTED ----------------------------------------------------------------------------------------------------


@rule("8.22")
def test_8_22_who_fires_from_limiting_terrain_is_marked_and_seen_as_in_the_open():
    game = draw(board(M1="w"), a=german("ger-inf", "A1"), x=soviet("sov-inf", "M1"), y=soviet("sov-inf", "M1"))
    spotting.fired(game, ["x"])
    assert why_unseen(game, "a", "x") is None
    assert why_unseen(game, "a", "y") == "8.21"


@rule("8.22")
def test_8_22_who_fires_from_the_open_needs_no_marker():
    game = draw(a=german("ger-inf", "A1"), x=soviet("sov-inf", "A5"))
    spotting.fired(game, ["x"])
    assert not unit(game, "x").spotted


@rule("8.2.a")
def test_8_2_a_who_fires_from_a_swamp_is_marked():
    game = draw(board(A5="m"), a=german("ger-inf", "A1"), x=soviet("sov-inf", "A5"))
    spotting.fired(game, ["x"])
    assert unit(game, "x").spotted


@rule("8.22.a")
@pytest.mark.parametrize(
    ("to", "stays"),
    [("A5", False), ("A4", True), ("B5", True), ("C8", False)],
    ids=["four hexes into woods", "three hexes into woods", "into the open, in sight", "into the open, out of sight"],
)
def test_8_22_a_the_marker_goes_far_in_limiting_terrain_or_out_of_sight(to, stays):
    game = draw(
        board(A4="w", A5="w", A6="w", C6="w", B6="w"),
        a=german("ger-inf", "A1"),
        x=soviet("sov-inf", "A6", spotted=True),
    )
    game.state.put("x", full(to))
    if to == "A4":
        assert game.state.map.distance("1-A1", "1-A4") == 3
    if to == "C8":
        assert why_no_line(game, "A1", "C8") is not None
    spotting.arrived(game, "x")
    assert unit(game, "x").spotted is stays


@rule("8.22.A1")
def test_8_22_A1_gone_into_other_woods_it_is_no_longer_seen():
    game = draw(board(A8="w", A9="w"), a=german("ger-inf", "A1"), x=soviet("sov-inf", "A8", spotted=True))
    assert why_unseen(game, "a", "x") is None
    game.state.put("x", "1-A9")
    spotting.arrived(game, "x")
    assert not spotting.spotted(game.state, "german", unit(game, "x"))


@rule("8.22.A1")
def test_8_22_A1_who_goes_into_woods_near_the_enemy_remains_spotted_for_those_farther_off_as_well():
    game = draw(
        board(A5="w", A6="w"),
        a=german("ger-inf", "A2"),
        far=german("ger-hmg", "B1"),
        x=soviet("sov-inf", "A6", spotted=True),
    )
    game.state.put("x", "1-A5")
    assert game.state.map.distance("1-A2", "1-A5") == 3
    assert game.state.map.distance("1-B1", "1-A5") > 3
    spotting.arrived(game, "x")
    assert why_unseen(game, "far", "x") is None
    assert reaction.unseen(game.state, "german", unit(game, "x")) is None
    game.state.put("x", "1-A6")
    spotting.arrived(game, "x")
    refusal = reaction.unseen(game.state, "german", unit(game, "x"))
    assert refusal is not None
    assert refusal.rule == "13.0"


@rule("8.22.a")
def test_8_22_a_an_enemy_who_is_hidden_keeps_no_marker_on():
    game = draw(board(A8="w", A9="w"), a=german("ger-inf", "A7", hidden=True), x=soviet("sov-inf", "A8", spotted=True))
    game.state.put("x", "1-A9")
    assert not spotting.still_spotted(game.state, unit(game, "x"))


# --- the line ---------------------------------------------------------------------------------------------------


@rule("8.3")
def test_8_3_from_centre_to_centre_through_every_hex_between():
    game = draw(a=german("ger-inf", "A1"))
    assert lines.between(game.state, "1-A1", "1-A4") == (("1-A2", "1-A3"),)
    assert lines.between(game.state, "1-A1", "1-A2") == ((),)
    assert why_no_line(game, "A1", "A4") is None
    assert why_no_line(draw(board(A3="t"), a=german("ger-inf", "A1")), "A1", "A4") == "8.4"


@rule("8.31")
def test_8_31_fields_block_on_the_level_only():
    assert why_no_line(draw(column(".", "b", "."), a=german("ger-inf", "A1")), "A1", "A3") == "8.31"
    assert why_no_line(draw(column(".", ".", "b"), a=german("ger-inf", "A1")), "A1", "A3") is None


@rule("8.32")
@pytest.mark.parametrize(
    ("tokens", "seen"), [({"B1": "w"}, True), ({"B2": "t"}, True), ({"B1": "w", "B2": "t"}, False)]
)
def test_8_32_along_a_spine_one_open_side_is_enough(tokens, seen):
    game = draw(board(**tokens), a=german("ger-inf", "A2"))
    assert set(lines.between(game.state, "1-A2", "1-C2")) == {("1-B1",), ("1-B2",)}
    assert (why_no_line(game, "A2", "C2") is None) is seen


@rule("8.32.A1")
@pytest.mark.parametrize(("tokens", "seen"), [({"B4": "w", "D4": "w"}, True), ({"B4": "w", "D5": "w"}, False)])
def test_8_32_A1_the_second_spine_is_read_on_the_same_side(tokens, seen):
    game = draw(board(**tokens), a=german("ger-inf", "A5"))
    assert set(lines.between(game.state, "1-A5", "1-E5")) == {
        ("1-B4", "1-C5", "1-D4"),
        ("1-B5", "1-C5", "1-D5"),
    }
    assert (why_no_line(game, "A5", "E5") is None) is seen


@rule("8.32")
def test_8_32_at_the_edge_of_the_map_only_the_side_on_it_counts():
    game = draw(board(B1="w"), a=german("ger-inf", "A1"))
    assert lines.between(game.state, "1-A1", "1-C1") == (("1-B1",),)
    assert why_no_line(game, "A1", "C1") == "8.4"


# --- heights ----------------------------------------------------------------------------------------------------


@rule("8.4")
@pytest.mark.parametrize(
    ("tokens", "reason"),
    [
        ((".", "s", "."), "8.4"),  # one line higher than both
        (("s", "h", "."), "8.4"),
        ((".", ".", "s", ".", "h"), "8.4"),  # two lines of twenty metres, and the one end lies below both
        ((".", "s", "h"), None),  # each line once
        (("s", ".", "s"), None),  # crossed twice, but both ends are on it
        (("h", "s", "."), None),
    ],
)
def test_8_4_elevation_lines(tokens, reason):
    game = draw(column(*tokens), options=["R8.21"], a=german("ger-inf", "A1"))
    assert why_no_line(game, "A1", f"A{len(tokens)}") == reason


@rule("8.4.A1", "8.4.A2")
@pytest.mark.parametrize(("spotter", "reason"), [("s", "8.4.A1"), ("h", None)])
def test_8_4_A2_from_twenty_metres_a_town_is_in_the_way_from_forty_it_is_not(spotter, reason):
    game = draw(column(spotter, ".", "t", ".", "."), a=german("ger-inf", "A1"))
    assert why_no_line(game, "A1", "A5") == reason


@rule("8.4.A3", "8.42.A1")
@pytest.mark.parametrize(("heights", "reason"), [((40, 20, 40), "8.4.A1"), ((60, 20, 40), None), ((40, 20, 60), None)])
def test_8_4_A3_woods_on_twenty_metres_reach_up_to_forty(heights, reason):
    game = at_metres(draw(column(".", "w", "."), a=german("ger-inf", "A1")), *heights)
    assert why_no_line(game, "A1", "A3") == reason


@rule("8.41")
def test_8_41_six_hexes_more_for_each_level_down():
    wide = "\n".join([("h " if row == 0 else ". ") + ". " * 26 for row in range(10)])
    game = draw(wide, a=german("ger-inf", "A1"), x=soviet("sov-inf", "Y1"), y=soviet("sov-inf", "Z1"))
    assert game.state.map.distance("1-A1", "1-Y1") == 24
    assert farthest(game) == 24
    assert why_unseen(game, "a", "x") is None
    assert why_unseen(game, "a", "y") == "8.1"


@rule("8.41")
@pytest.mark.parametrize("special", [{"night": [1]}, {"visibility": 6}])
def test_8_41_not_by_night_nor_in_bad_weather(special):
    game = draw(board(A1="h"), special=special, a=german("ger-inf", "A1"), x=soviet("sov-inf", "M1"))
    plain = 1 if "night" in special else special["visibility"]
    assert farthest(game) == plain


def in_view(game: Game[Position], hex: str) -> set[str]:
    """The hexes that the table shows as seen from one."""
    return set(view.sees(game.state, "german", place=full(hex))["places"])


@rule("8.41")
def test_8_41_what_the_table_shows_as_seen_from_a_height_reaches_farther_too():
    wide = "\n".join([("h " if row == 0 else ". ") + ". " * 26 for row in range(10)])
    game = draw(wide)
    assert {"1-A1", "1-M1", "1-Y1"} <= in_view(game, "A1")
    assert "1-Z1" not in in_view(game, "A1")
    assert "1-M1" in in_view(game, "Y1")
    assert "1-A1" not in in_view(game, "Y1")  # 8.41.A1: looking up


@rule("8.41")
@pytest.mark.parametrize(("special", "last"), [({"night": [1]}, "1-B1"), ({"visibility": 6}, "1-G1")])
def test_8_41_but_on_the_table_neither_by_night_nor_in_bad_weather(special, last):
    seen = in_view(draw(board(A1="h"), special=special), "A1")
    assert max(hex for hex in seen if hex.endswith("1") and len(hex) == 4) == last


@rule("8.41.A1")
def test_8_41_A1_looking_up_gives_nothing():
    game = draw(
        board(A1="h"), a=german("ger-inf", "A1", spotted=True), x=soviet("sov-inf", "M1"), y=soviet("sov-inf", "N1")
    )
    assert why_unseen(game, "x", "a") is None
    assert why_unseen(game, "y", "a") == "8.1"
    assert why_unseen(game, "a", "y") is None  # looking down does


@rule("8.42")
def test_8_42_a_town_counts_twenty_metres_up_for_range_and_for_the_line():
    game = draw(board(A1="t", A3="b"), a=german("ger-inf", "A1"), x=soviet("sov-inf", "A5"))
    assert farthest(game) == 18
    assert why_no_line(game, "A1", "A5") is None
    hill = draw(board(A1="st"), a=german("ger-inf", "A1"), x=soviet("sov-inf", "A5"))
    assert farthest(hill) == 24


@rule("8.42.A1")
def test_8_42_A1_woods_block_like_a_town_but_lift_nobody():
    game = draw(board(A1="w", A3="w"), a=german("ger-inf", "A1"), x=soviet("sov-inf", "A5"))
    assert farthest(game) == 12
    assert why_no_line(game, "A1", "A5") == "8.4"
    assert why_no_line(draw(board(A3="w"), a=german("ger-inf", "A1")), "A1", "A5") == "8.4"


@rule("8.42.A2")
def test_8_42_A2_fire_starts_on_the_ground_of_the_town():
    game = draw(board(A1="t", A3="b"), a=german("ger-inf", "A1"), x=soviet("sov-inf", "A5"))
    assert lines.no_line(game.state, "1-A1", "1-A5") is None
    refusal = lines.no_fire_line(game.state, "1-A1", "1-A5")
    assert refusal is not None
    assert refusal.rule == "8.31"


@rule("8.42.A3")
@pytest.mark.parametrize("token", ["t", "w"])
def test_8_42_A3_batteries_look_from_the_top_of_town_or_woods(token):
    game = draw(board(A1=token, A3="b"), a=german("ger-mortar-81", "A1"), x=soviet("sov-inf", "A5"))
    assert spotting.cannot_self_spot(game.state, unit(game, "a"), unit(game, "x")) is None
    assert (why_unseen(game, "a", "x") is None) is (token == "t")


# --- smoke ------------------------------------------------------------------------------------------------------


@rule("16.12")
def test_16_12_smoke_blocks_whatever_the_heights_and_hides_who_is_in_it():
    smoke = marker("smoke", "A3", side="german")
    game = draw(column("h", ".", ".", ".", "."), markers=[smoke], a=german("ger-inf", "A1"), x=soviet("sov-inf", "A3"))
    assert why_no_line(game, "A1", "A5") == "16.12"
    assert why_no_line(game, "A1", "A3") is None
    assert ground.limiting(game.state, "1-A3")
    game.state.change_works("1-A3", smoke=())
    assert why_no_line(game, "A1", "A5") is None


@rule("16.12", "8.32")
def test_16_12_smoke_on_one_side_of_a_spine_leaves_the_other():
    game = draw(markers=[marker("smoke", "B1", side="german")], a=german("ger-inf", "A2"))
    assert why_no_line(game, "A2", "C2") is None
    game.state.change_works("1-B2", smoke=("german",))
    assert why_no_line(game, "A2", "C2") == "16.12"


# --- crossfire's hexes ------------------------------------------------------------------------------------------


@rule("11.1")
def test_11_1_a_shot_comes_in_through_the_last_hex_before_the_target_or_two_along_a_spine():
    game = draw(a=german("ger-inf", "A1"))
    assert lines.entry_hexes(game.state, "1-A1", "1-A4") == ("1-A3",)
    assert lines.entry_hexes(game.state, "1-A1", "1-A2") == ("1-A1",)
    assert set(lines.entry_hexes(game.state, "1-A2", "1-C2")) == {"1-B1", "1-B2"}
    assert lines.entry_hexes(game.state, "1-A1", "1-A1") == ()


# --- hidden units -----------------------------------------------------------------------------------------------


@rule("16.6")
@pytest.mark.parametrize(("token", "hexes"), [(".", 3), ("t", 1), ("w", 1)])
def test_16_6_hidden_units_are_seen_at_a_quarter_of_the_range(token, hexes):
    game = draw(
        board(A8=token),
        a=german("ger-inf", f"A{8 - hexes}"),
        b=german("ger-inf", f"A{7 - hexes}"),
        x=soviet("sov-inf", "A8", hidden=True),
    )
    assert why_unseen(game, "a", "x") is None
    assert why_unseen(game, "b", "x") == "16.6"


@rule("16.61")
def test_16_61_firing_and_being_spotted_place_a_hidden_unit():
    game = draw(
        a=german("ger-inf", "A1"), x=soviet("sov-inf", "A8", hidden=True), y=soviet("sov-inf", "M1", hidden=True)
    )
    spotting.fired(game, ["y"])
    assert not unit(game, "y").hidden
    game.state.put("a", "1-A4")
    spotting.arrived(game, "a")
    assert unit(game, "x").hidden
    game.state.put("a", "1-A5")
    spotting.arrived(game, "a")
    assert not unit(game, "x").hidden


@rule("16.61")
def test_16_61_moving_places_a_hidden_unit():
    game = draw(x=soviet("sov-inf", "A8", hidden=True))
    spotting.arrived(game, "x")
    assert not unit(game, "x").hidden


@rule("16.61")
def test_16_61_at_dawn_hidden_units_are_seen_farther_off():
    game = draw(special={"night": [1]}, a=german("ger-inf", "A5"), x=soviet("sov-inf", "A8", hidden=True))
    spotting.watch(game)
    assert unit(game, "x").hidden
    game.state.turn = 1
    start_turn(game)
    assert not unit(game, "x").hidden


@rule("16.61")
@pytest.mark.parametrize("hidden", [True, False])
def test_16_61_the_order_in_which_units_are_placed_does_not_tell_who_has_seen_them(hidden):
    def placed(first, second):
        game = draw(
            board(A1="w", B8="w"),
            one=german("ger-inf", first, hidden=hidden),
            two=german("ger-inf", second, hidden=hidden),
            x=soviet("sov-inf", "A2", hidden=True),
            y=soviet("sov-inf", "C8", hidden=True),
            options=("R16.61",),
        )
        spotting.watch(game)
        return [event.units for event in game.events if set(event.units) & {"x", "y"}]

    assert placed("A1", "B8") == placed("B8", "A1") == [("x",), ("y",)]


@rule("16.61")
@pytest.mark.parametrize(("options", "placed"), [((), False), (("R16.61",), True)])
def test_16_61_a_hidden_lookout_keeps_still_or_has_hidden_enemies_placed(options, placed):
    """In the wood it is seen from the next hex alone: three hexes off it sees, and is not seen."""
    lookout, seen = german("ger-inf", "A5", hidden=True), soviet("sov-inf", "A8", hidden=True)
    game = draw(board(A5="w"), lookout=lookout, x=seen, options=options)
    spotting.watch(game)
    assert unit(game, "x").hidden is not placed
    assert unit(game, "lookout").hidden
    spotting.reveal(game, "lookout")
    spotting.watch(game)
    assert not unit(game, "x").hidden


# --- control ----------------------------------------------------------------------------------------------------


@rule("G.control")
def test_G_control_a_hex_belongs_to_whose_combat_units_were_there_last():
    game = draw(
        a=german("ger-inf", "A1"), t=german("ger-truck", "C1"), l=leader("german", "E1"), x=soviet("sov-inf", "M1")
    )
    game.state.control |= {"1-A2": "soviet", "1-C2": "soviet", "1-E2": "soviet"}
    for name, to in (("a", "1-A2"), ("t", "1-C2"), ("l", "1-E2")):
        game.state.put(name, to)
        spotting.arrived(game, name)
    assert [game.state.control[hex] for hex in ("1-A2", "1-C2", "1-E2")] == ["german", "soviet", "soviet"]


@rule("G.control")
def test_G_control_while_both_are_in_a_hex_it_does_not_change_hands():
    game = draw(a=german("ger-inf", "A1"), x=soviet("sov-inf", "A2"))
    game.state.put("a", "1-A2")
    spotting.arrived(game, "a")
    assert game.state.control["1-A2"] == "soviet"
    game.state.lift("x", "eliminated")
    spotting.hold(game.state, "1-A2")
    assert game.state.control["1-A2"] == "german"


@rule("G.control")
def test_G_control_who_is_left_alone_in_a_hex_has_it_when_the_segment_ends():
    game = draw(a=german("ger-inf", "A2"), x=soviet("sov-inf", "A2"), b=german("ger-inf", "C2"))
    game.state.control["1-A2"] = "soviet"
    play(game, Activate("b", "move"))
    game.state.lift("x", "eliminated")
    play(game, EndSegment())
    assert game.state.control["1-A2"] == "german"


@rule("G.control", "9.51")
def test_G_control_artillery_that_eliminates_the_last_enemy_leaves_the_hex_to_the_other_side():
    """Off-board guns fire at an assault hex; an enemy leader who is left there is overrun [6.71.a]."""
    foes = {"x": soviet("sov-inf", "A4", reduced=True), "boss": leader("soviet", "A4")}
    game = draw(a=german("ger-inf", "A4"), lt=leader("german", "A3"), far=soviet("sov-inf", "P1"), **foes)
    game.state.change_army("german", offboard=(20,))
    game.state.control["1-A4"] = "soviet"
    play(game, CallFire(20, "A4"))
    hit, checks, unhurt, own, taken = [1, 1], [1, 1], [6, 6], [6, 6], [6, 6]
    play(game, Fire(), dice=[*hit, *checks, *unhurt, *own, *taken])
    assert unit(game, "x").status == unit(game, "boss").status == "eliminated"
    assert game.state.control["1-A4"] == "german"
    assert game.asked() == ("soviet",)
