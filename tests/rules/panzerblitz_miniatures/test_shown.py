"""The view of a seat, actions in words, the meanings of a click, lines and areas of sight."""

from __future__ import annotations

from typing import Any

import pytest

from opfire.core import case
from opfire.core.actions import Action
from opfire.core.game import Game
from opfire.core.places import Point
from opfire.rulesets.panzerblitz_miniatures import RULESET
from opfire.rulesets.panzerblitz_miniatures.pieces import Position
from opfire.rulesets.panzerblitz_miniatures.setup import Place
from rules.panzerblitz_miniatures.kit import rule
from rules.panzerblitz_miniatures.play import field

FIELD = """
id = "rye"
ruleset = "panzerblitz-miniatures"
title = "Rye"
turns = 2
first = "red"
setup = ["red", "blue"]
victory = [{ side = "red", condition = "control", hexes = ["15,10"], points = 3 }]
markers = [{ kind = "mines", at = ["20,15"], side = "blue" }]

[table]
size = [40, 20]
areas = [
    { kind = "woods", name = "Birch Wood", points = "18,4 22,4 22,8 18,8" },
    { kind = "field", name = "Rye", points = "10,8 16,8 16,14 10,14" },
]

[[zones]]
name = "west"
box = [1, 1, 8, 19]

[sides.red]
name = "Red"
nation = "german"
facing = 90

[[sides.red.units]]
unit = "pz-iv-h"
count = 2
zone = "west"

[[sides.red.reinforcements]]
turn = 2
entry = ["1,10"]
units = { rifle-40-german = 2 }

[sides.blue]
name = "Blue"
nation = "soviet"

[[sides.blue.units]]
unit = "t-34-76"
at = ["30,10"]
"""


def game() -> Game[Position]:
    return field(FIELD)


def unit(made: Game[Position], name: str) -> dict[str, Any]:
    return next(each for each in made.view("red")["units"] if each["id"] == name)


def query(what: str, **ask: Any) -> Any:
    return RULESET.queries[what](game().state, "red", **ask)


# --- the view -----------------------------------------------------------------------------------------------


@rule("SEQ-1")
def test_the_track_has_every_phase_with_title_and_rule() -> None:
    track = game().view("red")["track"]
    assert [step["id"] for step in track][:2] == ["begin", "recovery"]
    assert track[-1]["id"] == "end"
    assert all(step["title"] and step["rule"] for step in track)


def test_the_track_marks_the_phase_that_is_played() -> None:
    made = game()
    made.play("red", Place("red-1", (5000, 5000), 90))
    made.play("red", Place("red-2", (5000, 7000), 90))
    made.state.change("red-1", order="dispersed")
    made.play("red", RULESET.read_action({"type": "Ready"}))
    assert [step["id"] for step in made.view("blue")["track"] if step["now"]] == ["recovery"]


def test_a_stand_is_shown_with_its_figures_its_place_and_its_whereabouts() -> None:
    made = game()
    made.play("red", Place("red-1", (12000 - 5000, 9000), 45))
    shown = unit(made, "red-1")
    assert (shown["place"], shown["facing"], shown["status"]) == ((7000, 9000), 45, "on the table")
    assert shown["where"] == "6 inches west of Rye"
    assert {figure["kind"]: figure["text"] for figure in shown["figures"]} == {
        "attack": "14",
        "weapon": "A",
        "range": "16",  # eight hexes of two inches [EQP-2]
        "defence": "8",
        "movement": "8",
    }


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"order": "dispersed"}, "D"),
        ({"order": "recovering"}, "R"),
        ({"position": True}, "FP"),
        ({"reacted": True}, "OF"),
        ({"spotters": ("red-1",)}, "S"),
        ({"fired": True}, "F"),
        ({"moved": True}, "M"),
    ],
)
def test_the_state_of_a_stand_is_a_badge(values: dict[str, Any], code: str) -> None:
    made = game()
    assert unit(made, "blue-1")["badges"] == []
    made.state.change("blue-1", **values)
    assert [badge["code"] for badge in unit(made, "blue-1")["badges"]] == [code]


def test_works_reinforcements_and_victory_are_in_the_view() -> None:
    shown = game().view("red")
    (mines,) = shown["markers"]
    assert (mines["kind"], mines["place"], mines["side"]) == ("mines", (20000, 15000), "blue")
    assert shown["reinforcements"] == [{"side": "red", "turn": 2, "units": ["red-3", "red-4"], "where": "1,10"}]
    assert shown["victory"][0]["text"] == "Hold 15,10 at the end: 3 points each"
    assert shown["losses"] == {"red": 0, "blue": 0}


def test_the_position_is_told_as_text() -> None:
    lines = query("text").splitlines()
    assert "30,10 (11 inches east of Birch Wood): blue T-34/76 C 1 [12 A 12 9 11] (facing 0)" in lines
    assert any(line.startswith("20,15 ") and "Minefield" in line for line in lines)


FIGHT = """
ruleset = "panzerblitz-miniatures"
side = "german"
table = { size = [40, 20] }
[units.tank]
unit = "pz-iv-h"
at = "5,10"
[units.foe]
unit = "t-34-76"
at = "15,10"
[[play]]
do = { type = "Engage", unit = "tank", target = "foe" }
"""


def fight() -> Game[Position]:
    """A German tank ten inches from a Soviet one, in the Direct Fire Phase."""
    return case.position(case.parse(FIGHT, "fight.toml"))


@rule("DF-5")
def test_the_attack_that_is_put_together_is_in_the_view_with_its_calculation() -> None:
    made = fight()
    assert made.view("german")["building"] is None
    made.play("german", RULESET.read_action({"type": "Engage", "unit": "tank", "target": "foe"}))
    built = made.view("soviet")["building"]
    assert (built["kind"], built["place"], built["units"], built["targets"]) == (
        "direct",
        (15000, 10000),
        ["tank"],
        ["foe"],
    )
    assert built["calculation"]["column"] == "2-1"
    assert [step["id"] for step in made.view("german")["track"] if step["now"]] == ["direct"]


def test_a_click_on_an_enemy_means_to_fire_at_it_with_the_reason_against_it() -> None:
    made = fight()
    (engage, *_) = RULESET.meant(made.state, "german", made.stack[-1], ("foe",))
    assert engage == RULESET.read_action({"type": "Engage", "unit": "tank", "target": "foe"})
    assert made.why_not("german", engage) is None


def test_a_click_on_an_own_stand_means_to_fire_at_the_nearest_enemies() -> None:
    made = fight()
    engage = RULESET.read_action({"type": "Engage", "unit": "tank", "target": "foe"})
    assert engage in RULESET.meant(made.state, "german", made.stack[-1], ("tank",))


# --- words --------------------------------------------------------------------------------------------------


def test_an_action_is_told_with_the_whereabouts_of_its_point() -> None:
    action = Place("red-1", (12000, 12000), 90)
    words = "PzKw IV H 1 sets up at 12,12 (in Rye, 10 inches south-west of Birch Wood), facing 90"
    assert RULESET.label(game().state, action) == words
    assert RULESET.touches(game().state, action) == (("red-1",), ((12000, 12000),))


def test_a_point_is_told_to_a_tenth_of_an_inch_however_exactly_it_is_kept() -> None:
    made = game()
    action = Place("red-1", (7337, 12051), 90)
    assert RULESET.label(made.state, action).startswith("PzKw IV H 1 sets up at 7.3,12.1 (")
    made.play("red", action)
    assert made.events[-1].sentence() == "PzKw IV H 1 sets up at 7.3,12.1"
    assert unit(made, "red-1")["place"] == (7337, 12051)


def test_that_fire_is_of_the_usual_manner_goes_without_saying() -> None:
    made = fight()
    named = {
        manner: RULESET.label(
            made.state, RULESET.read_action({"type": "Engage", "unit": "tank", "target": "foe", "manner": manner})
        )
        for manner in ("normal", "split")
    }
    assert "(" not in named["normal"]
    assert named["split"] == f"{named['normal']} (split)"


def test_a_point_is_told_in_words() -> None:
    assert query("where", place="12,12") == {"text": "12,12 (in Rye, 10 inches south-west of Birch Wood)"}


# --- why not? -----------------------------------------------------------------------------------------------


def meant(*what: str | Point) -> list[Action]:
    made = game()
    return RULESET.meant(made.state, "red", made.stack[-1], what)


def test_a_click_on_a_point_means_to_set_up_there_even_where_the_rules_forbid_it() -> None:
    action = Place("red-1", (12000, 12000), 90)
    assert action in meant("red-1", (12000, 12000))
    assert action in meant((12000, 12000))
    refusal = game().why_not("red", action)
    assert refusal is not None
    assert refusal.rule == "SEQ-2"


def test_a_click_on_nothing_in_the_game_means_nothing() -> None:
    assert meant("nobody-9", (99000, 99000)) == []


# --- sight --------------------------------------------------------------------------------------------------


@rule("LOB-10")
def test_a_line_tells_what_it_crosses_and_where_it_is_blocked() -> None:
    line = query("los", start="14,6", to="26,6")
    assert (line["clear"], line["rule"], line["at"], line["inches"]) == (False, "LOB-10", (18000, 6000), 12)
    assert line["text"] == "Birch Wood blocks the line of sight at 18,6"
    assert line["crosses"] == [{"name": "Birch Wood", "kind": "woods", "from": (18000, 6000), "to": (22000, 6000)}]
    assert [(part["place"], part["terrain"]) for part in line["profile"]] == [
        ((14000, 6000), []),
        ((18000, 6000), ["woods"]),
        ((22000, 6000), []),
    ]


@rule("LOS-3")
def test_no_line_leads_beyond_the_limit_of_sight() -> None:
    assert query("los", start="5,12", to="25,12")["clear"]
    far = query("los", start="5,12", to="25.001,12")
    assert (far["clear"], far["rule"], far["at"]) == (False, "LOS-3", None)


@rule("LOB-10")
def test_the_area_in_sight_leaves_out_the_shadow_of_a_wood() -> None:
    (outer, *_) = query("sees", place=(16000, 6000))["polygons"]
    assert max(x for x, _ in outer) <= 36000
    assert _inside((17000, 6000), outer)
    assert not _inside((24000, 6000), outer)
    assert _inside((24000, 16000), outer)


def _inside(at: Point, ring: list[Point]) -> bool:
    """Return whether a point lies in a ring, by counting the borders to its east."""
    x, y = at
    sides = zip(ring, [*ring[1:], ring[0]], strict=True)
    return sum((a[1] > y) != (b[1] > y) and x < a[0] for a, b in sides if a[0] == b[0]) % 2 == 1


@rule("EQP-4", "WECT-5")
def test_an_inch_of_the_table_stands_for_half_a_hex() -> None:
    """Two inches are a hex, and a hex of the board games is 250 metres (R8)."""
    assert field(FIELD).state.setting.table.to_json()["metres"] == 250 / 2
