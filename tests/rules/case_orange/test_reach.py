"""The reach shown at the table is the reach that the rules allow. Tests are named after rules."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from opfire.core.game import Game
from opfire.rulesets.case_orange.movement import Move
from opfire.rulesets.case_orange.overrun import Overrun, StartOverrun
from opfire.rulesets.case_orange.pieces import Position
from opfire.rulesets.case_orange.shown import reach
from rules.case_orange.drawing import draw, german, offered, play, rule, soviet, unit, where

DOWN = "\n".join(["."] * 9)
"""One column of clear hexes, A1 to A9."""


def shown(game: Game[Position], name: str) -> dict[str, dict[str, Any]]:
    """The reach of the unit as told to the page, by hex."""
    answer = reach(game.state, unit(game, name).side, unit=name, frame=game.stack[-1])
    return {row["place"].removeprefix("1-"): row for row in answer["places"]}


@rule("5.1")
def test_5_1_the_reach_names_the_rule_that_bounds_it():
    game = draw(DOWN, tank=german("pz-iv-h", "A1", movement=6), step="vehicle")
    assert reach(game.state, "german", unit="tank", frame=game.stack[-1])["rule"] == "5.1"


@rule("5.1")
def test_5_1_a_unit_on_its_way_reaches_what_is_left():
    game = draw(DOWN, tank=german("pz-iv-h", "A1", movement=6), step="vehicle")
    assert sorted(shown(game, "tank")) == ["A2", "A3", "A4", "A5", "A6", "A7"]
    play(game, Move("tank", "A2"), Move("tank", "A3"))
    # Four of six are left, and the hexes behind count as well.
    found = shown(game, "tank")
    assert {hex: (at["cost"], at["left"]) for hex, at in found.items()} == {
        "A1": (2, 2),
        "A2": (1, 3),
        "A4": (1, 3),
        "A5": (2, 2),
        "A6": (3, 1),
        "A7": (4, 0),
    }
    play(game, *(Move("tank", to.removeprefix("1-")) for to in found["A7"]["path"][1:]))
    assert where(game, "tank") == "A7"


@rule("5.1.3")
def test_5_1_3_factor_one_reaches_the_hexes_next_to_it():
    game = draw(DOWN, gun=german("pak-75", "A2", movement=1), step="non-vehicle")
    assert sorted(shown(game, "gun")) == ["A1", "A3"]


@rule("5.1.4")
def test_5_1_4_nobody_else_sets_out_meanwhile():
    tanks = {"one": german("pz-iv-h", "A1", movement=6), "other": german("pz-iv-h", "A9", movement=6)}
    game = draw(DOWN, **tanks, step="vehicle")
    play(game, Move("one", "A2"))
    assert shown(game, "other") == {}


@rule("9.8-P1")
def test_9_8_P1_on_an_overrun_it_sets_out_for_its_target_alone():
    game = draw(step="vehicle", a=german("pz-iv-h", "C2"), x=soviet("rifle-43-soviet", "C4", attack=0, defence=6))
    play(game, Overrun("a", "C4"), StartOverrun())
    steps = {action.to.removeprefix("1-") for action in offered(game, Move)}
    assert {at["path"][1].removeprefix("1-") for at in shown(game, "a").values()} == steps


@rule("9.8-P1", "5.1")
def test_9_8_P1_the_road_does_not_help_a_vehicle_with_half_a_factor_left():
    """It rides to its overrun across country, so what half a factor buys by road is out of its reach."""
    foe = soviet("rifle-43-soviet", "C4", attack=0, defence=6)
    game = draw(fields={"roads": ["C1 C2 C3"]}, step="vehicle", a=german("pz-iv-h", "C2"), x=foe)
    play(game, Overrun("a", "C4"), StartOverrun())
    last = replace(game.stack[-1], left=1)  # half factors
    assert last.refusal(game.state, "german", Move("a", "1-C3")) is not None
    assert reach(game.state, "german", unit="a", frame=last)["places"] == []


@rule("9.8.4")
def test_9_8_4_the_reach_of_an_overrun_has_no_road_rate():
    """Two hexes of road cost a factor on the march and two across country, with the ride through C4 still to come."""
    foe = soviet("rifle-43-soviet", "C4", attack=0, defence=6)
    road = {"roads": ["C1 C2 C3 C4 C5"]}
    game = draw(fields=road, step="vehicle", a=german("pz-iv-h", "C1", movement=4), x=foe)
    assert shown(game, "a")["C3"]["cost"] == 1
    play(game, Overrun("a", "C4"), StartOverrun())
    assert shown(game, "a")["C3"]["cost"] == 2
    steps = [Move("a", to.removeprefix("1-")) for to in shown(game, "a")["C3"]["path"][1:]]
    play(game, *steps)
    assert where(game, "a") == "C3"
