"""The table of a game on the free table: places are points, from the map to the log and back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.contract import registered
from opfire.core import scenario
from opfire.rulesets import panzerblitz_miniatures
from rulesets import battlefield


@pytest.fixture
def skirmish(monkeypatch: pytest.MonkeyPatch, server: Any) -> Iterator[Any]:
    """A game of Skirmish: red's first stand is at (6, 10), blue's at (34, 12)."""
    folder = Path(scenario.SCENARIOS) / "toy"
    (folder / "skirmish.toml").write_text(battlefield.SCENARIO, encoding="utf-8")
    with registered(battlefield.RULESET):
        monkeypatch.setattr("opfire.server.catalogue.installed", lambda: {"toy-table": battlefield.RULESET})
        game = server.prepare({side: {"side": side, "player": "human"} for side in ("red", "blue")}, "skirmish")
        for side in game["seats"]:
            server.come(game, side)
        yield game


def unit(seat: Any, id: str) -> Any:
    return next(each for each in seat.table["view"]["units"] if each["id"] == id)


def test_the_start_page_and_the_table_get_the_rectangle(server: Any, skirmish: Any) -> None:
    (listed,) = [each for each in server.http.get("/api/scenarios").json() if each["id"] == "skirmish"]
    table = {"space": "table", "id": "skirmish", "title": "The bare table", "size": [48000, 36000], "base": 1500}
    assert listed["boards"] == []
    maps = [
        server.http.get("/api/scenarios/skirmish").json()["map"],
        server.http.get(f"/api/games/{skirmish['game']}/map").json(),
    ]
    assert [{key: map[key] for key in table} for map in maps] == [table, table]


def test_a_leg_is_played_to_a_point(server: Any, skirmish: Any) -> None:
    with server.sit(skirmish, "red") as red:
        assert (unit(red, "red-1")["place"], unit(red, "red-1")["facing"]) == ([6000, 10000], 90)
        red.play("Move", unit="red-1", to=[9000, 11000], facing=100)
        assert (unit(red, "red-1")["place"], unit(red, "red-1")["facing"]) == ([9000, 11000], 100)
        assert (red.log[-1]["text"], red.log[-1]["places"]) == ("red-1 moves to 9,11, facing 100", [[9000, 11000]])


def test_a_leg_outside_the_region_is_refused_with_its_rule(server: Any, skirmish: Any) -> None:
    with server.sit(skirmish, "red") as red:
        answer = red.play("Move", unit="red-1", to=[13000, 10000], facing=90)
        assert (answer["type"], answer["rule"]) == ("refused", "2.1")
        assert answer["text"] == "The leg costs 7 inches, and 6 are left"
        assert unit(red, "red-1")["place"] == [6000, 10000]


def test_why_answers_a_click_on_a_point_and_on_a_stand(server: Any, skirmish: Any) -> None:
    with server.sit(skirmish, "red") as red:
        meant = red.say("why", place=[13000, 10000])["meant"]
        assert [(each["label"], each["rule"]) for each in meant] == [
            (f"{id} moves to 13,10, facing 90", "2.1") for id in ("red-1", "red-2", "red-3")
        ]
        assert {each["rule"] for each in red.say("why", unit="blue-1")["meant"]} == {"3.1"}
        assert red.say("why", place=[1, 2, 3])["type"] == "refused"


def test_a_reach_is_a_picture(server: Any, skirmish: Any) -> None:
    with server.sit(skirmish, "red") as red:
        reach = red.say("reach", unit="red-1")
        assert (reach["places"], len(reach["polygons"])) == ([], 1)


def test_a_route_is_priced_as_a_whole_and_a_later_leg_refused(server: Any, skirmish: Any) -> None:
    def leg(x: int, y: int) -> dict[str, Any]:
        return {"type": "Move", "unit": "red-1", "to": [x, y], "facing": 90}

    with server.sit(skirmish, "red") as red:
        told = red.say("cost", action=leg(8000, 10000), then=[leg(8000, 12000)])
        assert (told["cost"], told["left"], told["rule"]) == (4, 2, None)
        assert red.say("cost", action=leg(8000, 10000), then=[leg(8000, 15000)])["rule"] == "2.1"
        assert red.say("cost", action=leg(8000, 10000), then=[leg(8000, 12000)] * 201)["type"] == "refused"


MILL = """
id = "mill"
ruleset = "panzerblitz-miniatures"
title = "The Mill"
turns = 4
first = "red"
table = { size = [40, 30], measuring = false }
[sides.red]
name = "Red"
nation = "german"
units = [{ unit = "pz-iv-h", at = ["5,10"] }]
[sides.blue]
name = "Blue"
nation = "soviet"
units = [{ unit = "t-34-76", at = ["15,10"] }]
"""


def test_where_measuring_is_off_the_table_says_so_and_ranges_are_refused(
    monkeypatch: pytest.MonkeyPatch, server: Any
) -> None:
    (Path(scenario.SCENARIOS) / "toy" / "mill.toml").write_text(MILL, encoding="utf-8")
    known = {"panzerblitz-miniatures": panzerblitz_miniatures.RULESET}
    monkeypatch.setattr("opfire.core.ruleset.installed", lambda: known)
    monkeypatch.setattr("opfire.server.catalogue.installed", lambda: known)
    game = server.prepare({side: {"side": side, "player": "human"} for side in ("red", "blue")}, "mill")
    for side in game["seats"]:
        server.come(game, side)
    assert server.http.get(f"/api/games/{game['game']}/map").json()["measuring"] is False
    with server.sit(game, "red") as red:
        answer = red.say("around", unit="red-1")
        assert answer["type"] == "refused"
        assert answer["text"] == "Nobody measures in this scenario: players guess distances before they decide"
        assert "inches" not in red.say("los", **{"from": [5000, 10000], "to": [15000, 10000]})
