"""Forces over HTTP: what can be bought, and the check of a force."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from opfire.core import forces
from opfire.core.errors import BadInput
from opfire.core.forces import Fault, Field, Forces, Form, Item, Offer, Part, Report, Step

OFFERS = [
    Offer("knight", "Red", "horse", "Knight on a horse", 9, "1936-1943", values={"defence": "2"}, part="men"),
    Offer("squire", "Red", "foot", "Squire", 2, "1939-", part="men"),
    Offer("mule", "Everybody", "horse", "Mule", 1, "?-", buyers=("Blue", "Red"), part="men"),
]
FORM = Form((Field("title", "Title", "words"),), (), Part("men", "Men", "man"))


def judge(force: Mapping[str, Any], name: str) -> Report:
    """Men cost 2 each, and only one may be bought."""
    if not isinstance(force.get("men"), int):
        raise BadInput("men are missing", name, "a number")
    points = 2 * force["men"]
    bill = [Item("", force["men"], "man", 2, points, (Step("man", 2, "1.1"),))]
    faults = [Fault("", "Only one man.", "1.2")] if force["men"] > 1 else []
    return Report("Men", (Step("given", 2, "1.0"),), bill, points, 2 - points, {}, faults)


@pytest.fixture
def designer(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy is the only ruleset that designs forces."""
    monkeypatch.setattr(forces, "installed", lambda: {"toy": Forces(judge, lambda: OFFERS, lambda: FORM)})


@pytest.mark.usefixtures("designer")
def test_a_designer_is_listed_with_nations_kinds_and_fields(server: Any) -> None:
    (found,) = server.http.get("/api/forces").json()
    assert (found["ruleset"], found["nations"], found["kinds"]) == (
        "toy",
        ["Blue", "Everybody", "Red"],
        ["foot", "horse"],
    )
    assert [field["key"] for field in found["form"]["fields"]] == ["title"]
    assert found["form"]["stands"]["id"] == "man"


@pytest.mark.usefixtures("designer")
@pytest.mark.parametrize(
    ("asked", "ids"),
    [
        ("", ["knight", "squire", "mule"]),
        ("nation=Red", ["knight", "squire", "mule"]),
        ("nation=Blue", ["mule"]),
        ("kind=horse", ["knight", "mule"]),
        ("year=1943&nation=Red&kind=horse", ["knight", "mule"]),
        ("year=1944&kind=horse", ["mule"]),
        ("year=1938&kind=foot", []),
        ("words=horse+KNIGHT", ["knight"]),
        ("words=knight+mule", []),
    ],
)
def test_offers_are_found(server: Any, asked: str, ids: list[str]) -> None:
    answer = server.http.get(f"/api/forces/toy?{asked}").json()
    assert [offer["id"] for offer in answer["offers"]] == ids
    assert answer["found"] == len(ids)


@pytest.mark.usefixtures("designer")
def test_offers_come_in_pages(server: Any) -> None:
    answer = server.http.get("/api/forces/toy?from=1&count=1").json()
    assert (answer["found"], answer["from"], [offer["id"] for offer in answer["offers"]]) == (3, 1, ["squire"])
    assert server.http.get("/api/forces/toy?from=3").json()["offers"] == []


@pytest.mark.usefixtures("designer")
def test_an_offer_has_its_figures(server: Any) -> None:
    assert server.http.get("/api/forces/toy?count=1").json()["offers"] == [
        {
            "id": "knight",
            "nation": "Red",
            "kind": "horse",
            "name": "Knight on a horse",
            "points": 9,
            "years": "1936-1943",
            "buyers": [],
            "values": {"defence": "2"},
            "part": "men",
            "vehicle": False,
            "armoured": False,
        }
    ]


@pytest.mark.usefixtures("designer")
@pytest.mark.parametrize("asked", ["year=then", "from=-1", "count=101", "year=99999999999", "from=1.5"])
def test_a_number_that_is_none_gets_a_sentence(server: Any, asked: str) -> None:
    answer = server.http.get(f"/api/forces/toy?{asked}")
    assert answer.status_code == 400
    assert answer.json()["error"]["text"].startswith(asked.split("=")[0] + ": ")
    assert "a whole number up to" in answer.json()["error"]["text"]


@pytest.mark.usefixtures("designer")
def test_a_ruleset_without_a_designer_is_not_there(server: Any) -> None:
    answer = server.http.get("/api/forces/chess")
    assert answer.status_code == 404
    assert "no forces are designed for 'chess'" in answer.json()["error"]["text"]


@pytest.mark.usefixtures("designer")
@pytest.mark.parametrize(
    "body", [{"toml": 'ruleset = "toy"\nmen = 2'}, {"force": {"ruleset": "toy", "men": 2}}], ids=["toml", "json"]
)
def test_a_force_is_checked_as_text_or_json(server: Any, body: Any) -> None:
    answer = server.http.post("/api/forces/check", json=body)
    assert answer.status_code == 200
    report = answer.json()
    assert (report["points"], report["unused"]) == (4, -2)
    assert report["faults"] == [{"where": "", "what": "Only one man.", "rule": "1.2"}]
    assert report["bill"][0]["steps"] == [{"label": "man", "points": 2, "rule": "1.1"}]


@pytest.mark.usefixtures("designer")
@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({}, "either the text of a force or a force"),
        ({"toml": "", "force": {}}, "either the text of a force or a force"),
        ({"toml": "men = "}, "not TOML"),
        ({"toml": "men = 1"}, "no ruleset is named"),
        ({"force": {"ruleset": ["toy"]}}, "no ruleset is named"),
        ({"force": {"ruleset": "chess"}}, "no forces are designed for 'chess'"),
        ({"force": {"ruleset": "toy"}}, "men are missing"),
        ({"toml": 5}, "str"),
        ({"more": 1}, "more"),
        ({"toml": "a = " + "[" * 5000}, "not TOML"),
    ],
)
def test_what_is_no_force_gets_a_sentence(server: Any, body: Any, words: str) -> None:
    answer = server.http.post("/api/forces/check", json=body)
    assert answer.status_code == 400
    assert words in answer.json()["error"]["text"]


def test_too_long_a_force_is_refused(server: Any) -> None:
    answer = server.http.post("/api/forces/check", json={"toml": "#" * 70_000})
    assert answer.status_code == 413
    assert "too long" in answer.json()["error"]["text"]


# --- the book -----------------------------------------------------------------------------------------------

TWO_TANKS = {
    "title": "Headquarters",
    "ruleset": "micro-armour",
    "nation": "Soviet Union",
    "date": "1943-07",
    "engagement": "meeting-engagement",
    "role": "attacker",
    "cohesion": 13,
    "allowance": {"points": 40},
    "formations": [{"name": "Headquarters", "stands": [{"weapon": "sov-infantry-hq", "ghq": 0}]}],
}


def test_a_force_of_the_book_is_checked(server: Any) -> None:
    report = server.http.post("/api/forces/check", json={"force": TWO_TANKS}).json()
    assert (report["points"], report["unused"], report["faults"]) == (40, 0, [])
    dear = {**TWO_TANKS, "allowance": {"points": 39}}
    report = server.http.post("/api/forces/check", json={"force": dear}).json()
    assert [fault["rule"] for fault in report["faults"]] == ["SD.6.3.limit"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"cohesion": 99}, "cohesion"),
        ({"formations": 5}, "formations"),
        ({"formations": [{"name": "x", "stands": [{"weapon": "sov-infantry-hq", "count": 10**30}]}]}, "count"),
        ({"formations": [{"name": "x", "stands": [{"weapon": "no-such-gun"}]}]}, "unknown weapon 'no-such-gun'"),
        ({"wings": 2}, "wings"),
    ],
)
def test_a_force_that_the_book_cannot_read_gets_a_sentence(server: Any, change: Any, words: str) -> None:
    answer = server.http.post("/api/forces/check", json={"force": {**TWO_TANKS, **change}})
    assert answer.status_code == 400
    assert words in answer.json()["error"]["text"]


def test_stands_that_all_nations_have_are_offered_to_each(server: Any) -> None:
    found = server.http.get("/api/forces/micro-armour?nation=Japan&words=pack+camels").json()
    assert [offer["id"] for offer in found["offers"]] == ["all-pack-camels"]


def test_the_air_force_of_the_commonwealth_is_that_of_the_united_kingdom(server: Any) -> None:
    asked = {"nation": "UK / Commonwealth", "kind": "aircraft"}
    found = server.http.get("/api/forces/micro-armour", params=asked).json()
    assert {offer["nation"] for offer in found["offers"]} == {"United Kingdom"}
    assert found["found"] == 15  # of 17 rows, two are the second ordnance of another


def test_all_that_the_book_sells_is_offered(server: Any) -> None:
    """955 rows of weapons without 9 second weapons and uses, 81 of aircraft without 5 of second ordnance."""
    planes = server.http.get("/api/forces/micro-armour", params={"kind": "aircraft"}).json()
    assert planes["found"] == 81 - 5
    assert server.http.get("/api/forces/micro-armour").json()["found"] == 955 - 9 + 81 - 5
    tank = server.http.get("/api/forces/micro-armour", params={"words": "T-13 Type III"}).json()["offers"][0]
    # Appendix: 23 points, AP 5 to 10 inches, HE 3 to 5 inches, defence 1, moves 8 on tracks.
    assert (tank["points"], tank["years"], tank["part"]) == (23, "1936-", "stands")
    assert (tank["vehicle"], tank["armoured"]) == (True, True)
    assert tank["values"] == {
        "firepower (AP/HE)": "5/3",
        "range (AP/HE)": "10/5",
        "defence": "1 armoured",
        "movement": "8 tracked",
    }
