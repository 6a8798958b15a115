"""Line of sight [8.2] and the target elevation table [15.5]. Tests are named after rules, in the book's order.

Most boards are one column, A1 downwards, drawn as a row of tokens: a line down it crosses every side in its middle.
"""

from __future__ import annotations

import pytest

from opfire.rulesets.case_orange.direct import Attack
from opfire.rulesets.case_orange.spotting import no_line, sees
from rules.case_orange.drawing import allowed, draw, full, german, refused, rule, soviet, unit

TANK, GUN = "pz-iv-h", "at-76"


def line(board, a, b, fields=None):
    """The rule by which the line from a to b is blocked, or None; it must be the same both ways."""
    game = draw(board, unit=german("cp-german", a), fields=fields)
    found = [no_line(game.state, full(x), full(y), False, False) for x, y in ((a, b), (b, a))]
    there, back = [refusal.rule if refusal else None for refusal in found]
    assert there == back
    return there


def down(tokens, fields=None):
    """The rule that blocks the line down a column, from its first hex to its last, or None."""
    column = tokens.split()
    return line("\n".join(column), "A1", f"A{len(column)}", fields)


# --- over level ground [8.2] ----------------------------------------------------------------------------------


@rule("8.2")
@pytest.mark.parametrize("cover", ["w", "t", "b"])
def test_8_2_woods_town_and_broken_sides_block(cover):
    assert down(f". {cover} .") == "8.2"
    assert down(f". . . {cover} . .") == "8.2"
    assert down(f". . {cover}") == "8.2"  # also that of the target's own hex
    assert down(f"{cover} . .") == "8.2"  # and of the viewer's


@rule("8.2")
@pytest.mark.parametrize("ground", [".", "a", "m", "~"])
def test_8_2_other_ground_does_not(ground):
    assert down(f". {ground} .") is None
    assert down(f". . {ground}") is None


@rule("8.2")
def test_8_2_it_is_the_sides_that_block_not_the_hexes():
    assert down(". w .", {"open": ["A1/A2", "A2/A3"]}) is None
    assert down(". w .", {"open": ["A1/A2"]}) == "8.2"
    assert down("w w w w") is None  # no side between woods and woods
    assert down("w t w") == "8.2"


@rule("8.2")
def test_8_2_hilltops_block():
    assert down(". s h s .") == "8.2"


@rule("8.2")
@pytest.mark.parametrize(
    ("tokens", "blocked"),
    [
        (". . s . .", True),
        (". s . .", True),  # the far side of the slope touches neither end
        (". . s .", True),
        (". s .", False),  # both sides touch an end
        (". s s .", False),
        (". s s s .", False),
    ],
)
def test_8_2_slopes_block_that_touch_neither_end(tokens, blocked):
    assert down(tokens) == ("8.2" if blocked else None)


@rule("8.2")
@pytest.mark.parametrize(("side", "blocked"), [("A2/A3", True), ("A1/A2", False), ("A3/A4", False)])
def test_8_2_dunes_as_slopes(side, blocked):
    assert down("a a a a", {"dunes": [side]}) == ("8.2" if blocked else None)


@rule("8.2")
def test_8_2_without_it_there_is_no_direct_fire():
    game = draw(".\nw\n.", tank=german(TANK, "A1"), gun=soviet(GUN, "A3"))
    assert refused(game, Attack("tank", "gun")) == "8.2"
    game = draw(".\n.\n.", tank=german(TANK, "A1"), gun=soviet(GUN, "A3"))
    assert allowed(game, Attack("tank", "gun"))


@rule("8.2", "8.2.1.1")
def test_8_2_1_1_slope_and_hilltop_sides_next_to_an_end_do_not_block():
    """Next to the viewer, next to the target, next to both; RULINGS.md R25 for the hilltop."""
    assert down("s . .") is None
    assert down(". . s") is None
    assert down(". h .") is None
    assert down(". . s . .") == "8.2"


@rule("8.2.1.1")
def test_8_2_1_1_cover_next_to_an_end_does():
    assert down(". w . .") == "8.2"


# --- gullies [8.2.1.2] ----------------------------------------------------------------------------------------

GULLY = {"gullies": ["A1 B1"]}


def into_gully(tokens, **more):
    """Whether a unit at the end of the column sees one in the gully of A1; it must be mutual."""
    rows = [f"{token} ." for token in tokens.split()]
    game = draw(
        "\n".join(rows),
        low=german("rifle-40-german", "A1"),
        viewer=soviet(GUN, f"A{len(rows)}"),
        fields=GULLY | more,
    )
    there = sees(game.state, unit(game, "viewer"), unit(game, "low"))
    back = sees(game.state, unit(game, "low"), unit(game, "viewer"))
    assert there == back
    return there


@rule("8.2.1.2")
@pytest.mark.parametrize(
    ("tokens", "seen"),
    [
        (". .", True),  # ground level: adjacent
        (". . .", False),
        (". s", True),
        (". . s", True),  # slope: two hexes
        (". . . s", False),
        (". . h", True),
        (". . . . h", True),  # hilltop: four hexes
        (". . . . . h", False),
    ],
)
def test_8_2_1_2_units_in_gullies_are_seen_from_near_only(tokens, seen):
    assert into_gully(tokens) == seen


@rule("8.2.1.2")
def test_8_2_1_2_nor_fired_at():
    for row, number in (("A2", None), ("A3", "8.2.1.2")):
        game = draw(". .\n. .\n. .", tank=german(TANK, row), low=soviet("rifle-41-soviet", "A1"), fields=GULLY)
        if number is None:
            assert allowed(game, Attack("tank", "low"))
        else:
            assert refused(game, Attack("tank", "low")) == number


@rule("8.2.1.2", "5.4.17.2")
def test_8_2_1_2_the_end_of_a_gully_hides_as_well():
    """A1 is an end: only the side to B1 is crossed."""
    assert not into_gully(". . .")


@rule("8.2.1.2", "5.4.18")
def test_8_2_1_2_a_ford_hides_nobody():
    assert into_gully(". . .", fords=["A1"])


# --- along sides and through corners [8.2.2, 8.2.3] --------------------------------------------------------------

# From C3 to E3 the line runs along the side between D2 and D3; on to G3 also along that between F2 and F3.


def field(**tokens):
    """A clear board of seven columns and four rows with these tokens in it."""
    rows = [["."] * 7 for _ in range(4)]
    for hex, token in tokens.items():
        rows[int(hex[1:]) - 1][ord(hex[0]) - ord("A")] = token
    return "\n".join(" ".join(row) for row in rows)


@rule("8.2.2")
@pytest.mark.parametrize("cover", ["w", "t", "b"])
def test_8_2_2_a_line_along_a_blocking_side_is_blocked(cover):
    assert line(field(), "C3", "E3") is None
    assert line(field(D2=cover), "C3", "E3") == "8.2.2"
    assert line(field(D3=cover), "C3", "E3") == "8.2.2"


@rule("8.2.2")
def test_8_2_2_along_a_side_that_does_not_block_it_is_not():
    """Between two woods hexes there is no woods side; at its corners a free side meets blocking ones [8.2.3]."""
    assert line(field(D2="w", D3="w"), "C3", "E3") is None
    assert line(field(D2="w"), "C3", "E3", {"open": ["D2/D3"]}) is None


@rule("8.2.2")
def test_8_2_2_along_a_slope_side_it_is_blocked():
    assert line(field(D3="s"), "C3", "G3") == "8.2.2"


@rule("8.2.2")
def test_8_2_2_but_not_along_a_slope_side_that_touches_a_hilltop():
    """The line touches the hilltop of E3 at two corners only."""
    assert line(field(D3="s", E3="h"), "C3", "G3") is None
    assert line(field(D3="s", E3="h", F3="s"), "C3", "G3") is None
    assert line(field(D3="s", E3="."), "C3", "G3") == "8.2.2"


@rule("8.2.2")
def test_8_2_2_a_hilltop_or_woods_side_lengthwise_has_no_such_exception():
    assert line(field(D3="h", E3="h"), "C3", "G3") == "8.2.2"
    assert line(field(D3="w", E3="h"), "C3", "G3") == "8.2.2"


# From A1 to E4 the line leaves B1 through the corner that it shares with B2 and C2, crosses the side between C2 and
# C3 in its middle, and leaves C3 through the corner that it shares with D2 and D3.


@rule("8.2.3")
@pytest.mark.parametrize("cover", ["w", "t", "b"])
def test_8_2_3_a_line_through_a_corner_with_a_free_side_is_not_blocked(cover):
    assert line(field(B2=cover), "A1", "E4") is None
    assert line(field(D2=cover), "A1", "E4") is None
    assert line(field(B2=cover, D2=cover), "A1", "E4") is None
    assert line(field(C2=cover), "A1", "E4") == "8.2"  # this hex it runs through


@rule("8.2.3")
def test_8_2_3_out_of_woods_through_a_corner():
    """A1 and B1 are woods. With C2 in the open and B2 too, a free side meets the corner; if B2 is town, none does."""
    assert line(field(A1="w", B1="w"), "A1", "E4") is None
    assert line(field(A1="w", B1="w", B2="t"), "A1", "E4") == "8.2.3"


@rule("8.2.4")
@pytest.mark.parametrize("pair", [". w", "w .", "t b", "w w", ". h", "h .", "s hw"])
def test_8_2_4_adjacent_units_always_see_each_other(pair):
    assert down(pair, {"id": f"adjacent {pair}"}) is None


@rule("8.2.4")
def test_8_2_4_also_across_a_cliff_and_out_of_a_gully():
    assert down(". h", {"cliffs": ["A1/A2"], "id": "cliff"}) is None
    assert into_gully(". w")


# --- elevation [15.5] ---------------------------------------------------------------------------------------------


@rule("15.5.1")
@pytest.mark.parametrize(
    ("tokens", "blocked"),
    [
        (". . w . s", False),  # cover in between does not block,
        (". w . s", True),  # cover next to the viewer does,
        (". . w s", True),  # so does cover next to the target,
        (". . sw", True),
        (". s . s", True),  # an intervening slope side,
        (". s h s s", True),  # an intervening hilltop side
        (". . . s", False),
        (". . s s", True),  # the slope begins one hex before the target: its side is intervening
    ],
)
def test_15_5_ground_and_slope(tokens, blocked):
    assert down(tokens) == ("15.5.1" if blocked else None)


@rule("15.5.1")
@pytest.mark.parametrize(
    ("tokens", "blocked"),
    [
        (". . s s h", True),  # slope side at 1.5 of 4: nearer than the midpoint
        (". . . s h", False),  # at 2.5 of 4: beyond it
        (". . s h", True),  # at 1.5 of 3: exactly at the midpoint
        (". . . s s h", True),  # at 2.5 of 5: exactly
        (". . . . s h", False),  # at 3.5 of 5
        (". s s h", False),  # the slope side touches the viewer's hex [8.2.1.1]
        (". . w . s h", False),  # cover in between
        (". w . . s h", True),  # cover next to the viewer
        (". . . s hw", True),  # cover next to the target
        (". h s . s h", True),  # an intervening hilltop side
        (". . . . h", False),  # the hilltop's own side [8.2.1.1]
    ],
)
def test_15_5_ground_and_hilltop(tokens, blocked):
    assert down(tokens) == ("15.5.1" if blocked else None)


@rule("15.5.1")
@pytest.mark.parametrize(
    ("tokens", "blocked"),
    [
        ("s . . s", False),  # both slope sides touch an end
        ("s w . s", False),  # cover does not block at all between slopes
        ("s sw s", False),
        ("s . w . s", False),
        ("s s . s s", True),  # intervening slope sides
        ("s s h s s", True),  # intervening hilltop sides
        ("s h s", False),
    ],
)
def test_15_5_slope_and_slope(tokens, blocked):
    assert down(tokens) == ("15.5.1" if blocked else None)


@rule("15.5.1")
@pytest.mark.parametrize(
    ("tokens", "blocked"),
    [
        ("s s . s s h", False),  # slopes do not block
        ("s . w . s h", False),  # nor cover in between
        ("s sw s s h", True),  # but next to the viewer
        ("s s sw h", True),  # and next to the target
        ("s s h s h", True),  # an intervening hilltop side
        ("s h s h", True),  # the first hilltop's far side
        ("s s h", False),
    ],
)
def test_15_5_slope_and_hilltop(tokens, blocked):
    assert down(tokens) == ("15.5.1" if blocked else None)


@rule("15.5.1")
@pytest.mark.parametrize(
    ("tokens", "blocked"),
    [
        ("h s . s h", False),
        ("h s h s h", False),  # not even hilltops between
        ("h s w s h", False),
        ("h sw s h", True),  # cover next to an end
        ("h s s hw", True),
    ],
)
def test_15_5_hilltop_and_hilltop(tokens, blocked):
    assert down(tokens) == ("15.5.1" if blocked else None)
