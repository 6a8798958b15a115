"""The toy on the free table: legs and their cost, stands in the way, reaction fire, cases and faults in its files."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.contract import registered
from edits import edited
from opfire.core import case, scenario
from opfire.core.actions import NOBODY, Region
from opfire.core.dice import scripted
from opfire.core.errors import BadInput
from opfire.core.game import Game
from opfire.core.match import Match
from opfire.core.record import new_game
from opfire.space.measure import MICRO
from rulesets import battlefield
from rulesets.battlefield.rules import End, Move, Moving, PlayerTurn, Reaction, Shoot, Stop
from rulesets.kit import Pass


@pytest.fixture(autouse=True)
def _installed() -> Iterator[None]:
    with registered(battlefield.RULESET):
        yield


@pytest.fixture
def game() -> Game[Any]:
    """Red's stands face east at (6, 10), (6, 18) and (6, 26); blue's face west, 28 inches away."""
    return new_game(battlefield.RULESET, battlefield.SCENARIO, scripted((4, 4, 4)))


def rule(game: Game[Any], seat: str, move: Any) -> str:
    refusal = game.why_not(seat, move)
    return refusal.rule if refusal else ""


@pytest.mark.parametrize(
    ("to", "facing", "refused"),
    [
        ((12_000, 10_000), 90, ""),  # six inches straight on
        ((12_001, 10_000), 90, ""),  # 0.001 inch more is not counted
        ((12_002, 10_000), 90, "2.1"),
        ((11_000, 10_000), 180, ""),  # five inches, and one for the turn
        ((11_000, 10_000), 181, "2.1"),
        ((10_242, 14_242), 90, ""),  # 5.999 inches diagonally
        ((10_243, 14_244), 90, "2.1"),
        ((6_000, 10_000), 91, ""),
        ((6_000, 10_000), 90, "procedure"),
        ((749, 10_000), 90, "2.2"),
        ((750, 10_000), 90, ""),
        ((7_000, 10_000), 360, "2.4"),
        ((7_000, 10_000), -1, "2.4"),
    ],
)
def test_a_leg_costs_its_length_and_its_turn(game: Game[Any], to: tuple[int, int], facing: int, refused: str) -> None:
    assert rule(game, "red", Move("red-1", to, facing)) == refused
    assert (Move("red-1", to, facing) in game.choices("red")) == (refused == "")


def test_stands_may_touch_and_not_overlap(game: Game[Any]) -> None:
    game.play("red", Move("red-2", (6_000, 12_000), 90))
    assert rule(game, "red", Move("red-1", (6_000, 10_500), 91)) == ""
    assert rule(game, "red", Move("red-1", (6_000, 10_501), 90)) == "2.3"
    assert rule(game, "red", Move("red-2", (6_000, 18_000), 90)) == "2.0"


def test_legs_follow_each_other_until_the_allowance_is_spent(game: Game[Any]) -> None:
    game.play("red", Move("red-1", (9_000, 10_000), 90))
    assert isinstance(game.stack[-1], Moving)
    assert game.state.units["red-1"].left == 3 * MICRO
    assert rule(game, "red", Move("red-2", (7_000, 18_000), 90)) == "2.1"
    game.play("red", Move("red-1", (9_000, 13_000), 90))
    assert isinstance(game.stack[-1], PlayerTurn)


def test_choices_of_a_unit_are_a_region_beside_stop(game: Game[Any]) -> None:
    assert game.choices("red").actors() == (NOBODY, "red-1", "red-2", "red-3")
    assert game.choices("red").of(NOBODY) == (End(),)
    (region,) = game.choices("red").of("red-1")
    assert isinstance(region, Region)
    assert region.box == (750, 4_000, 12_000, 16_000)
    game.play("red", Move("red-1", (9_000, 10_000), 90))
    assert game.choices("red").actors() == ("red-1",)
    assert Stop("red-1") in game.choices("red").of("red-1")


@pytest.fixture
def near() -> Game[Any]:
    """Red's first stand goes to 11.9 inches before blue's."""
    text = edited(battlefield.SCENARIO, '"34,12"', '"23.9,10"')
    return new_game(battlefield.RULESET, text, scripted((4, 5, 6)))


def test_a_leg_that_ends_near_an_enemy_is_answered(near: Game[Any]) -> None:
    near.play("red", Move("red-1", (11_899, 10_000), 90))
    assert isinstance(near.stack[-1], Moving)  # 12.001 inches away
    near.play("red", Move("red-1", (11_900, 10_000), 90))
    assert isinstance(near.stack[-1], Reaction)
    assert set(near.choices("blue")) == {Pass(), Shoot("blue-1", "red-1")}
    near.play("blue", Shoot("blue-1", "red-1"))  # beyond nine inches a 4 misses
    assert near.state.units["red-1"].hits == 0
    assert near.asked() == ("red",)


def test_whoever_faces_away_does_not_answer(near: Game[Any]) -> None:
    near.state.change("blue-1", facing=90)
    near.play("red", Move("red-1", (12_000, 10_000), 90))
    assert near.asked() == ("red",)


def test_the_second_hit_removes_a_stand_and_ends_its_move(near: Game[Any]) -> None:
    near.state.change("red-1", hits=1)
    near.play("red", Move("red-1", (11_900, 10_000), 90))
    near.dice = scripted((5,))
    events = near.play("blue", Shoot("blue-1", "red-1"))
    assert [event.kind for event in events] == ["fired", "eliminated"]
    assert "red-1" not in near.state.units
    assert isinstance(near.stack[-1], PlayerTurn)


def test_a_seat_with_one_region_beside_stop_is_asked() -> None:
    match = Match.start(battlefield.SCENARIO, nonces={"red": "r", "blue": "b"}, key=bytes(32))
    match.play("red", Move("red-1", (9_000, 10_000), 90))
    assert match.game.asked() == ("red",)
    assert [line.by for line in match.record.lines] == [""]
    assert match.game.choices("red").single() is None


def test_the_cost_of_a_leg_is_asked_for_in_inches(game: Game[Any]) -> None:
    cost = battlefield.RULESET.queries["cost"]
    sight, leg = game.sight("red"), Move("red-1", (9_000, 14_000), 180)
    assert cost(sight, "red", action=leg) == {"cost": 6.0, "left": 0.0, "text": None, "rule": None}
    far = cost(sight, "red", action=Move("red-1", (9_000, 14_000), 181))
    assert (far["cost"], far["rule"]) == (6.011111, "2.1")


def test_the_picture_of_a_reach_lies_within_it(game: Game[Any]) -> None:
    rings = battlefield.RULESET.queries["reach"](game.sight("red"), "red", unit="red-1")["polygons"]
    corners = [at for ring in rings for at in ring]
    assert corners
    assert all(rule(game, "red", Move("red-1", at, 90)) in ("", "procedure") for at in corners)


CASE = """
ruleset = "toy-table"
[table]
size = [20, 20]
[sides.red]
facing = 90
[sides.blue]
[units.a]
unit = "rifles"
side = "red"
at = "4,4"
facing = 90
[units.b]
unit = "rifles"
side = "blue"
at = "16.5,4"
facing = 270
[[play]]
do = { type = "Move", unit = "a", to = [5000, 4000], facing = 90 }
asked = "blue"
units = { a = { at = "5,4" }, b = { at = "16.5,4" } }
stacks = { "5,4" = ["a"], "4,4" = [] }
[[play]]
do = { type = "Shoot", unit = "b", target = "a" }
dice = [5]
result = "hit"
asked = "red"
"""


def test_a_case_names_points_in_inches() -> None:
    assert case.run(case.parse(CASE, "table.toml")) == []


def test_a_case_tells_where_a_stand_is() -> None:
    (found,) = case.run(case.parse(edited(CASE, 'a = { at = "5,4" }', 'a = { at = "6,4" }'), "table.toml"))
    assert (found.expected, found.got) == ('a: at "6,4"', '"5,4"')


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ('"6,10"', '"6,-1"', r"sides\.red\.units: '6,-1' is no point of the table"),
        ('"6,10"', '"1-A1"', r"'1-A1' is no point of the table"),
        ('"6,10"', '"6,17"', "no room for a stand at 6,18"),
        ("size = [48, 36]", "size = [48]", r"at `\$\.table\.size`"),
        ("size = [48, 36]", "size = [48, 36]\nwoods = 3", "unknown field `woods`"),
        ("[table]", 'map = "x"\n[table]', "unknown field `map`"),
    ],
)
def test_a_fault_in_its_scenario_is_told(old: str, new: str, what: str) -> None:
    text = edited(battlefield.SCENARIO, old, new, 1)
    assert text != battlefield.SCENARIO
    with pytest.raises(BadInput, match=what):
        battlefield.RULESET.start(battlefield.RULESET.set_up(scenario.parse(text, "skirmish.toml")))


def test_a_process_with_the_toys_on_its_path_has_it_installed() -> None:
    tests = Path(battlefield.HERE).parent.parent
    path = os.pathsep.join([*map(str, (tests, tests / "rulesets" / "installed")), os.environ.get("PYTHONPATH", "")])
    asked = "from opfire.core.ruleset import find; print(find('toy-table').title)"
    said = subprocess.run([sys.executable, "-c", asked], env={**os.environ, "PYTHONPATH": path}, capture_output=True)
    assert (said.stdout.decode().strip(), said.stderr) == ("Skirmish", b"")
