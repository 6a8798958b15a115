"""The reach of a unit on the map: whole moves with their turns, at the prices of the book [4.5.1.1]."""

from __future__ import annotations

from typing import Any

import pytest

from edits import edited
from opfire.core.game import Game
from opfire.core.match import Match
from opfire.kit.orders import Pass
from opfire.rulesets.panzer import RULESET
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.commands import Command, HandIn
from opfire.rulesets.panzer.moving.going import Move, Stay, Turn
from opfire.rulesets.panzer.moving.step import MovementStep
from opfire.rulesets.panzer.pieces import Position
from rules.panzer.battle import OPEN, text
from rules.panzer.kit import rule
from rules.panzer.moves import army, marching, tried

ROAD = OPEN + 'roads = ["A1 A2 A3 A4 A5 A6 A7 A8"]\n'
WOODS = edited(OPEN, "\n. . . . . . . . . . . .\n'''", "\n. W . . . . . . . . . .\n'''")
"""Woods in 1-B8."""
FAR = 'units = [{ unit = "t34_43", at = ["1-L8"] }]'


def reach(made: Game[Position], unit: str = "german-1") -> dict[str, Any]:
    """The places that a German unit can go to, by name."""
    query = RULESET.queries["reach"]
    found = query(made.sight("german"), "german", unit=unit, frame=made.stack[-1])
    return {place["place"]: place for place in found["places"]}


def mover(hex: str = "1-B4", board: str = OPEN, soviet: str = FAR, **values: Any) -> Game[Position]:
    """A Pz IV of four Movement Factors that faces south-east, and is to move."""
    return marching(army(("pz4h", hex)), {1: "move"}, board=board, soviet=soviet, **values)


@rule("4.5.1.1.1", "6.6.4.1-mf", "6.6.5")
def test_the_reach_names_the_rule_of_its_movement_factor() -> None:
    made = marching(
        army(("pz4h", "1-B4"), ("g_sqd41", "1-B6"), ("t_37", "1-B8")), dict.fromkeys((1, 2, 3), "move"), soviet=FAR
    )
    query = RULESET.queries["reach"]
    units = ("german-1", "german-2", "german-3")
    found = [query(made.sight("german"), "german", unit=unit, frame=made.stack[-1])["rule"] for unit in units]
    assert found == ["4.5.1.1.1", "6.6.4.1-mf", "6.6.5"]


@rule("4.5.1.1.2")
def test_a_clear_hex_ahead_costs_one() -> None:
    found = reach(mover())
    assert [found[hex]["cost"] for hex in ("1-C5", "1-D5", "1-E6", "1-F6")] == [1, 2, 3, 4]
    assert found["1-F6"]["left"] == 0
    assert found["1-F6"]["path"] == ["1-B4", "1-C5", "1-D5", "1-E6", "1-F6"]
    assert "1-G7" not in found


@rule("4.5.1.1.4", "4.5.1.1.7")
def test_turns_and_reverse_are_paid_on_the_way() -> None:
    """One hexside is free in each hex, more cost one in clear ground; a hex behind costs twice in reverse."""
    found = reach(mover())
    assert found["1-C4"]["cost"] == 1
    assert found["1-B3"]["cost"] == 2
    assert found["1-A4"]["cost"] == 2
    assert [step["type"] for step in found["1-B3"]["steps"]] == ["Turn", "Move"]


@rule("4.5.1.1.5")
def test_a_road_leads_farther_than_the_country_beside_it() -> None:
    found = reach(mover("1-A8", ROAD, facing=0))
    assert (found["1-A1"]["cost"], found["1-A1"]["left"]) == (7, 1)
    assert {step["along_road"] for step in found["1-A1"]["steps"]} == {True}
    assert "1-B3" not in found


@rule("4.5.1.1.3")
def test_one_hex_is_in_reach_whatever_it_costs() -> None:
    """Half of four is two, and the woods cost three."""
    found = reach(mover("1-A8", WOODS, damaged=True))
    assert found["1-B8"]["left"] == 0
    assert "1-C8" not in {hex for hex, place in found.items() if "1-B8" in place["path"]}


@rule("4.5.1.1.10")
def test_no_move_ends_among_enemies() -> None:
    found = reach(mover(soviet='units = [{ unit = "t34_43", at = ["1-C5"] }]'))
    assert "1-C5" not in found
    assert "1-D5" in found


@rule("4.5.1.1")
@pytest.mark.parametrize("goal", ["1-A8", "1-B1", "1-E7", "1-C4"])
def test_the_rules_take_every_step_that_is_shown(goal: str) -> None:
    made = mover()
    place = reach(made)[goal]
    steps = [RULESET.read_action(step) for step in place["steps"]]
    assert tried(made, *steps) is None
    assert made.state.units["german-1"].hex == goal
    going = made.stack[-1].going  # type: ignore[attr-defined]
    assert (going.spent, 4 - going.spent) == (place["cost"], place["left"])
    assert tried(made, Stay("german-1")) is None


@rule("4.5.1.1", "4.2.2")
def test_a_whole_way_is_gone_at_once_although_its_first_step_shows_the_command() -> None:
    """The other side learns the command; the side that moves has written it."""
    match = Match.start(text(german=army(("pz4h", "1-B4")), soviet=FAR), {}, {"german": "1", "soviet": "2"}, bytes(32))
    match.go_on()
    match.play("german", HandIn((Command("german-1", "move"),)))
    match.play("soviet", HandIn((Command("soviet-1", "move"),)))
    while not isinstance(match.game.stack[-1], MovementStep) or match.game.asked() != ("german",):
        match.play(match.game.asked()[0], EndStep())
    first, *then = (Move("german-1", hex) for hex in ("1-C5", "1-D5", "1-E6"))
    match.play("german", first, then)
    while match.game.asked() == ("soviet",):
        match.play("soviet", Pass())
    assert match.game.state.units["german-1"].revealed
    assert match.game.state.units["german-1"].hex == "1-E6"


@rule("4.2-move")
def test_nobody_has_a_reach_without_a_command_to_move() -> None:
    made = marching(army(("pz4h", "1-B4"), ("pz4h", "1-B5")), {1: "move", 2: "overwatch"})
    assert reach(made)
    assert reach(made, "german-2") == {}
    tried(made, Turn("german-1", 1), Move("german-1", "1-C4"), Stay("german-1"))
    assert reach(made) == {}


@rule("4.4.2")
def test_enemies_that_may_fire_are_named_as_far_as_the_side_knows() -> None:
    """An unrevealed command may be Overwatch; one that was revealed to be another cannot."""
    near = 'units = [{ unit = "t34_43", count = 2, at = ["1-G4", "1-G5"] }]'
    made = mover(soviet=near)
    assert reach(made)["1-C5"]["fire"] == ["soviet-1", "soviet-2"]
    made.state.change("soviet-1", command="move", revealed=True)
    assert reach(made)["1-C5"]["fire"] == ["soviet-2"]
