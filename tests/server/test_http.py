"""The HTTP calls, and who is turned away."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

from opfire.server.guard import Bucket, foreign, seat_of, token_hash


def test_scenarios_are_listed_with_their_forces(server: Any) -> None:
    (row,) = server.http.get("/api/scenarios").json()
    assert (row["id"], row["ruleset"], row["turns"]) == ("row", "toy", 2)
    # Blue has one man on the map and one who comes later.
    assert row["sides"] == [
        {"id": "red", "name": "Red", "units": 2, "players": []},
        {"id": "blue", "name": "Blue", "units": 2, "players": []},
    ]


def test_a_scenario_comes_with_map_and_words(server: Any) -> None:
    row = server.http.get("/api/scenarios/row").json()
    assert row["history"] == "Once upon a time"
    assert [hex["name"] for hex in row["map"]["hexes"]] == ["1-A1", "1-A2", "1-A3", "1-A4", "1-A5"]
    assert [(option["id"], option["on"]) for option in row["options"]] == [("9.1", True), ("9.2", False)]
    # The page makes a sentence of the kind, the places and the points, as at the table.
    assert row["victory"] == [{"side": "red", "text": "Be there", "have": 0, "want": 1, "points": 1}]


def test_computer_players_and_rules(server: Any) -> None:
    assert server.http.get("/api/players").json() == [{"id": "chance", "title": "Chance"}]
    assert {"ruleset": "toy", "title": "Toy"} in server.http.get("/api/rules").json()
    rules = server.http.get("/api/rules/toy").json()
    assert [rule["rule"] for rule in rules] == ["1.0", "2.0", "9.1"]
    assert [rule["status"] for rule in rules] == ["played", "read", "missing: fog is not drawn"]


def test_tokens_are_for_human_seats_only(server: Any) -> None:
    game = server.new(blue="chance")
    assert list(game["seats"]) == ["red"]
    assert len(game["seats"]["red"]) >= 43  # 32 bytes
    facts = server.http.get(f"/api/games/{game['game']}").json()
    assert facts["seats"] == [
        {"seat": "red", "side": "red", "human": True, "player": "human", "come": True},
        {"seat": "blue", "side": "blue", "human": False, "player": "chance", "come": True},
    ]
    assert (facts["turn"], facts["result"]) == (1, None)
    assert server.http.get(f"/api/games/{game['game']}/map").json()["id"] == "row"


def test_tokens_are_not_kept(server: Any, database: Path) -> None:
    game = server.new()
    kept = b"".join(path.read_bytes() for path in database.parent.iterdir())
    for token in game["seats"].values():
        assert token.encode() not in kept
        assert token_hash(token).encode() in kept


def test_options_of_a_game_are_chosen(server: Any) -> None:
    answer = server.http.post("/api/games", json={"scenario": "row", "options": ["9.2"]})
    record = server.http.get(f"/api/games/{answer.json()['game']}/record").text
    assert r"options = [\"9.2\"]" in record
    assert "9.1" not in record


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ({"scenario": "none"}, 404, "there is no scenario 'none'"),
        ({"scenario": "row", "seats": {"green": {"side": "green"}}}, 400, "there is no side 'green'"),
        ({"scenario": "row", "seats": {"red": {"side": "red", "player": "deep"}}}, 400, "there is no player 'deep'"),
        ({"scenario": "row", "seats": {"red": {"side": "red"}}}, 400, "at least one at each of"),
        ({"scenario": "row", "seats": {"7": {"side": "red"}, "b": {"side": "blue"}}}, 400, "'7' cannot name a seat"),
        (
            {"scenario": "row", "seats": {"a": {"side": "red"}, "b": {"side": "red"}, "c": {"side": "blue"}}},
            400,
            "2 seats at red, which this scenario does not divide",
        ),
        ({"scenario": "row", "options": ["9.9"]}, 400, "the option '9.9' does not exist"),
        ({"scenario": 5}, 400, "str"),
        ({"scenario": "row", "more": 1}, 400, "more"),
        ({}, 400, "scenario"),
    ],
)
def test_what_is_wrong_with_a_new_game(server: Any, body: Any, status: int, words: str) -> None:
    answer = server.http.post("/api/games", json=body)
    assert answer.status_code == status
    assert words in answer.json()["error"]["text"]
    assert answer.json()["error"]["rule"] is None


def test_what_is_no_json_is_refused_in_a_sentence(server: Any) -> None:
    answer = server.http.post("/api/games", content=b'{"scenario', headers={"content-type": "application/json"})
    assert answer.status_code == 400
    assert "Traceback" not in answer.text
    assert answer.json()["error"]["text"]


def test_too_long_a_body_is_refused(server: Any) -> None:
    answer = server.http.post("/api/games", json={"scenario": "x" * 70_000})
    assert answer.status_code == 413
    assert answer.json()["error"]["text"]


@pytest.mark.parametrize("path", ["/api/nothing", "/api/games/none", "/api/games/none/record", "/api/rules/none"])
def test_what_is_not_there(server: Any, path: str) -> None:
    answer = server.http.get(path)
    assert answer.status_code == 404
    assert answer.json()["error"]["text"]


def test_a_failure_shows_no_more_than_a_sentence(server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(language: str) -> None:
        raise RuntimeError("the inside of the server")

    monkeypatch.setattr("opfire.server.catalogue.listed", fails)
    answer = server.http.get("/api/scenarios")
    assert answer.status_code == 500
    assert "inside" not in answer.text


# --- records ------------------------------------------------------------------------------------------------


def test_a_record_needs_the_right_token_or_none(server: Any) -> None:
    game, other = server.new(), server.new()
    path = f"/api/games/{game['game']}/record"
    assert server.http.get(path, headers={"authorization": "Bearer " + game["seats"]["red"]}).status_code == 200
    assert server.http.get(path, headers={"authorization": "Bearer " + other["seats"]["red"]}).status_code == 403
    assert server.http.get(path, headers={"authorization": "Basic abc"}).status_code == 403
    assert '"key":""' in server.http.get(path).text


# --- foreign pages ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "evil.example"},
        {"host": "evil.example:8000", "origin": "http://evil.example:8000"},
        {"host": "localhost.evil.example"},
        {"origin": "http://evil.example"},
        {"origin": "http://127.0.0.1:9000"},
        {"origin": "null"},
    ],
)
def test_foreign_hosts_and_origins_are_turned_away(server: Any, headers: dict[str, str]) -> None:
    game = server.new()
    answer = server.http.post("/api/games", json={"scenario": "row"}, headers=headers)
    assert answer.status_code == 403
    assert answer.json()["error"]["text"]
    assert server.http.get(f"/api/games/{game['game']}", headers=headers).status_code == 403
    assert server.http.get("/", headers=headers).status_code == 403


@pytest.mark.parametrize(
    ("host", "origin", "names", "passes"),
    [
        ("127.0.0.1:8000", "http://127.0.0.1:8000", (), True),
        ("localhost:8000", "http://localhost:8000", (), True),
        ("localhost:8000", "http://127.0.0.1:8000", (), False),
        ("[::1]:8000", None, (), True),
        ("192.168.1.7:8000", "http://192.168.1.7:8000", (), True),
        ("table.lan", "http://table.lan", (), False),
        ("table.lan", "http://table.lan", ("Table.lan",), True),
        ("", None, (), False),
        ("[", None, (), False),
    ],
)
def test_which_hosts_and_origins_are_ours(host: str, origin: str | None, names: Any, passes: bool) -> None:
    headers = {"host": host} if origin is None else {"host": host, "origin": origin}
    assert (foreign(headers, names) is None) == passes


def test_a_token_is_a_seat_in_its_own_game_only() -> None:
    seats = {"red": token_hash("one"), "blue": token_hash("two")}
    assert [seat_of(token, seats) for token in ("one", "two", "three", "")] == ["red", "blue", None, None]


def test_a_bucket_lets_a_burst_through_and_then_its_rate() -> None:
    now = [0.0]
    bucket = Bucket(burst=3, rate=2.0, clock=lambda: now[0])
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    now[0] = 0.5  # one more
    assert [bucket.take() for _ in range(2)] == [True, False]
    now[0] = 100.0  # no more than a burst is saved up
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]


# --- the client's files -------------------------------------------------------------------------------------


@pytest.fixture
def static(tmp_path: Path) -> Path:
    folder = tmp_path / "static"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<title>The table</title>")
    (folder / "mark.svg").write_text("<svg/>")
    (folder / "assets" / "index-a1b2.js").write_text("let table = 1;" * 200)
    (tmp_path / "private.txt").write_text("keep out")
    return folder


def test_the_start_page_answers_wherever_the_client_routes(start: Any, static: Path) -> None:
    with start(static=static) as server:
        for path in ("/", "/games/abc", "/rules"):
            page = server.http.get(path)
            assert (page.status_code, page.text) == (200, "<title>The table</title>")
            assert page.headers["content-type"].startswith("text/html")
            assert page.headers["cache-control"] == "no-cache"
        assert server.http.get("/nothing.js").status_code == 404


def test_hashed_files_are_kept_for_ever_and_packed(start: Any, static: Path) -> None:
    with start(static=static) as server:
        file = server.http.get("/assets/index-a1b2.js", headers={"accept-encoding": "gzip"})
        assert "immutable" in file.headers["cache-control"]
        assert file.headers["content-encoding"] == "gzip"
        assert int(file.headers["content-length"]) < len(file.content) == 2800
        assert len(gzip.compress(file.content)) < 2800
        again = server.http.get("/mark.svg", headers={"if-none-match": server.http.get("/mark.svg").headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("path", ["/../private.txt", "/%2e%2e/private.txt", "/assets/..%2f..%2fprivate.txt"])
def test_nothing_outside_the_folder_is_served(start: Any, static: Path, path: str) -> None:
    with start(static=static) as server:
        assert "keep out" not in server.http.get(path).text


def test_pages_may_load_from_here_only(server: Any) -> None:
    headers = server.http.get("/").headers
    policy = dict(part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert "http" not in headers["content-security-policy"]
    assert headers["referrer-policy"] == "no-referrer"
    assert server.http.get("/api/nothing").headers["x-content-type-options"] == "nosniff"
