"""Cases at the edges of rules, where a comparison or a number turned round would decide otherwise."""

from __future__ import annotations

from typing import Any

import pytest

from opfire.rulesets.case_orange import victory
from opfire.rulesets.case_orange.assault import Assault, RollAssault
from opfire.rulesets.case_orange.carrying import Load, Unload
from opfire.rulesets.case_orange.combat import odds
from opfire.rulesets.case_orange.movement import Enter, ExitMap, Move
from opfire.rulesets.case_orange.reaction import Interdict, Shoot
from opfire.rulesets.case_orange.shown import los, threats
from opfire.rulesets.case_orange.spotting import levels, reveal
from rules.case_orange.drawing import (
    allowed,
    calculations,
    draw,
    german,
    marker,
    offered,
    play,
    refused,
    rule,
    soviet,
    spent,
    unit,
    where,
)

COLUMN = "\n".join(["."] * 8)


@rule("9.1.1")
def test_9_1_1_no_assault_that_stays_below_one_to_four_with_all_who_could_join() -> None:
    """Two and two are less than a quarter of 20; with another two it is enough."""
    own = {name: german("rifle-42-german", "C1", attack=2, points=1) for name in ("a", "b")}
    enemy = soviet("rifle-43-soviet", "C2", attack=0, defence=20)
    assert refused(draw(step="assault", x=enemy, **own), Assault("a", "C2")) == "9.1.1"
    own["c"] = german("rifle-42-german", "C1", attack=2, points=1)
    assert allowed(draw(step="assault", x=enemy, **own), Assault("a", "C2"))


@rule("9.1.1")
def test_9_1_1_without_attack_factors_there_are_no_odds() -> None:
    assert odds(0, 0) is None
    assert odds(1, 0) == "4:1"


@rule("6.0", "9.5-P2")
def test_6_0_a_calculation_says_that_it_is_opportunity_fire() -> None:
    game = draw(COLUMN, tank=german("pz-iv-h", "A8"), gun=soviet("at-76", "A4"), step="vehicle")
    play(game, Move("tank", "A7"))
    (found,) = calculations(play(game, Shoot(("gun",), "tank"), dice=[6]))
    assert (found.title, found.rule) == ("Opportunity fire", "6.0")


@rule("5.8.1")
def test_5_8_1_units_that_left_count_where_they_left() -> None:
    """The load has left with its carrier."""
    rows = ". . .\n. . .\n. . ."
    goal = [{"side": "german", "condition": "exit", "hexes": ["A1"], "points": 1}]
    truck, load = german("half-track-german", "A1"), german("rifle-42-german", carrier="truck")
    game = draw(rows, truck=truck, load=load, step="vehicle", victory=goal)
    play(game, ExitMap("truck"))
    assert game.state.exits == {"truck": "1-A1", "load": "1-A1"}
    assert victory.have(game.state, game.state.setting.scenario.victory[0]) > 0


@rule("5.7.2", "6.2")
def test_6_2_unloading_enters_no_hex_and_draws_no_interdiction() -> None:
    """The mortar has a marker in A4, where the carrier stands already."""
    game = draw(
        "\n".join(["."] * 5 + ["w"] + ["."] * 6),
        truck=german("half-track-german", "A4"),
        load=german("rifle-40-german", carrier="truck"),
        mortar=soviet("mortar-82-soviet", "A10", registered="A4"),
        gun=soviet("at-76", "A2", range=8),
        step="vehicle",
    )
    play(game, Unload("truck"))
    assert game.asked() == ("soviet",)
    assert Shoot(("gun",), "truck") in offered(game, Shoot)
    assert offered(game, Interdict) == set()
    assert refused(game, Interdict("mortar")) == "6.2"


@rule("16.11")
def test_16_11_units_that_arrive_together_may_board_before_they_enter() -> None:
    comes: dict[str, Any] = {"arrives": 2, "entry": ["A1"]}
    game = draw(
        ". . .\n. . .\n. . .",
        options=("16.11",),
        turn=2,
        step="vehicle",
        truck=german("half-track-german", **comes),
        load=german("rifle-42-german", **comes),
        full=german("half-track-german", **comes),
        men=german("rifle-42-german", carrier="full", **comes),
    )
    assert offered(game, Load) == {Load("truck", "load")}
    play(game, Load("truck", "load"), Enter("truck", "A1"))
    assert where(game, "load") == "A1"


@rule("5.5.2", "5.6.1")
@pytest.mark.parametrize(("kind", "price"), [("position", 0.5), ("wreck", 1)])
def test_5_6_1_a_wreck_takes_the_road_away_other_works_do_not(kind: str, price: float) -> None:
    works = [marker(kind, "B1", value="1")] if kind == "wreck" else [marker(kind, "B1")]
    game = draw(". . .", tank=german("pz-iv-h", "A1"), step="vehicle", fields={"roads": ["A1 B1 C1"]}, markers=works)
    play(game, Move("tank", "B1"))
    assert spent(game, "tank") == price


@rule("8.1.1")
def test_8_1_1_the_log_says_how_a_unit_was_spotted_and_says_it_once() -> None:
    game = draw(
        "\n".join([".", "w", ".", ".", ".", "."]),
        gun=soviet("at-76", "A2"),
        tank=german("pz-iv-h", "A5"),
        fields={"open": ["A2/A3"]},
    )
    seen = len(game.events)
    reveal(game, "gun", "spotted")
    reveal(game, "gun", "spotted")
    assert [event.text for event in game.events[seen:]] == ["{} in {} is spotted"]
    reveal(game, "gun", "opportunity")
    reveal(game, "gun", "opportunity")
    assert [event.text for event in game.events[seen:]][1:] == ["{} in {} is spotted firing"]


@rule("6.0")
def test_6_0_only_enemies_in_range_and_in_sight_threaten_a_mover() -> None:
    rows = "\n".join([". . ."] * 8)
    game = draw(
        rows,
        tank=german("pz-iv-h", "A8"),
        gun=soviet("at-76", "A4", range=8),
        short=soviet("at-76", "A3", range=6),
        mortar=soviet("mortar-82-soviet", "A6"),
        down=soviet("at-76", "A5", range=8, face_up=False),
        truck=soviet("truck-soviet", "A6"),
        step="vehicle",
    )
    state = game.state
    assert threats(state, "soviet", state.units["tank"], "1-A7") == ["gun"]
    assert threats(state, "soviet", state.units["tank"], "1-A6") == ["gun", "short"]


@rule("8.2")
def test_8_2_the_profile_of_a_line_names_each_hex_that_it_enters_once() -> None:
    """From A1 to B3 it runs along the side between A2 and B2."""
    game = draw(". . .\n. . .\n. . .\n. . .", tank=german("pz-iv-h", "A1"))
    straight = los(game.state, "german", start="1-A1", to="1-A4")["profile"]
    assert [row["place"] for row in straight] == ["1-A1", "1-A2", "1-A3", "1-A4"]
    for to in ("1-B3", "1-C2", "1-C3"):
        places = [row["place"] for row in los(game.state, "german", start="1-A1", to=to)["profile"]]
        assert places[0] == "1-A1"
        assert places[-1] == to
        assert len(places) == len(set(places))
        assert len(places) == len([t for t in game.state.map.line("1-A1", to) if t.kind == "hex"])


@rule("13.2", "9.7-P8")
def test_13_2_engineers_who_assault_have_no_complete_turn_on_a_bridge() -> None:
    game = draw(
        step="assault", eng=german("engineer-german", "C1"), x=soviet("rifle-43-soviet", "C2", attack=0, defence=4)
    )
    play(game, Assault("eng", "C2"), RollAssault(), dice=[6])
    assert unit(game, "eng").fired


@rule("5.5.2", "5.6.1", "5.4.18")
@pytest.mark.parametrize(
    ("works", "there"), [("mines", ("gully", "bridge")), ("wreck", ("gully",)), ("block", ("gully",))]
)
def test_5_6_1_a_bridge_over_a_gully_is_gone_under_a_wreck_or_a_block_alone(works: str, there: tuple[str, ...]) -> None:
    fields = {"gullies": ["A1 A2 A3"], "roads": ["A2 B2"]}
    values = {"mines": {"side": "german", "value": "2:1"}, "wreck": {"value": "1"}, "block": {}}[works]
    game = draw(". .\n. .\n. .", fields=fields, markers=[marker(works, "A2", **values)])
    assert levels(game.state, "1-A2") == there
