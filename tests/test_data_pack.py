"""A data pack of Case Orange from its export to a game that is played with it."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from edits import edited
from opfire import cli
from opfire.commands import balance, tournament
from opfire.commands.packs import tables_of
from opfire.core import balance as balances
from opfire.core import packs, scenario
from opfire.core.errors import BadInput
from opfire.core.match import Match
from opfire.core.record import Record, new_game
from opfire.core.ruleset import find
from opfire.core.scenario import text_of
from opfire.core.verify import verify
from opfire.server import app, catalogue, create_app

CASE_ORANGE = find("case-orange")
OWN = {name: path.read_text(encoding="utf-8") for name, path in CASE_ORANGE.tables().items()}
SCENARIO = "mill-ford"
NONSENSE = ("", "?", "-99", "1000", "yes", "1/0", "none")


@pytest.fixture
def folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """An export that nobody has changed."""
    made = tmp_path / "mine"
    assert cli.main(["data", "export", "case-orange", str(made)]) == 0
    capsys.readouterr()
    return made


@pytest.fixture
def stronger(folder: Path) -> Path:
    """A pack in which every unit of the scenario attacks with 77."""
    change(folder / "units.csv", "attack", "77")
    return folder


def change(path: Path, field: str, value: str) -> None:
    """Put the value into that field of every row."""
    table = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    path.write_text(written([{**row, field: value} for row in table]), encoding="utf-8")


def written(table: list[dict[str, str]]) -> str:
    file = io.StringIO()
    writer = csv.DictWriter(file, table[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows(table)
    return file.getvalue()


def attacks(view: dict[str, Any]) -> set[int]:
    return {unit["attack"] for unit in json.loads(json.dumps(view, default=vars))["units"]}


def test_an_export_has_every_table_and_changes_nothing(folder: Path) -> None:
    assert {path.name for path in folder.iterdir()} == {"README.md", *OWN}
    assert packs.load(folder) == packs.Pack("case-orange", {})


def test_a_slip_is_told_with_file_and_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    units = folder / "units.csv"
    lines = units.read_text(encoding="utf-8").splitlines()
    lines[4] = edited(lines[4], "platoon", "regiment")
    units.write_text("\n".join(lines), encoding="utf-8")
    assert cli.main(["check", str(folder)]) == 1
    printed = " ".join(capsys.readouterr().out.split())
    assert "units.csv:5: size 'regiment'" in printed


@pytest.mark.parametrize("name", sorted(OWN))
def test_nonsense_in_any_field_is_refused_or_taken(name: str) -> None:
    """Any text in a field leads to nothing worse than one sentence that names the table."""
    table, places = list(csv.DictReader(OWN[name].splitlines())), list[str]()
    for field in table[0]:
        for value in NONSENSE:
            for number in {0, len(table) - 1}:
                changed = [{**row, field: value} if at == number else row for at, row in enumerate(table)]
                try:
                    CASE_ORANGE.read_charts({name: written(changed)})
                except BadInput as error:
                    places.append(error.where)
    assert places
    assert all(place.startswith(name) for place in places)


def test_a_row_that_is_missing_is_told() -> None:
    lines = OWN["crt.csv"].splitlines(keepends=True)
    with pytest.raises(BadInput, match=r"crt\.csv: there is no row for -2, 1:4"):
        CASE_ORANGE.read_charts({"crt.csv": "".join(lines[:1] + lines[2:])})


def test_units_may_be_added() -> None:
    row = edited(OWN["units.csv"].splitlines()[1], "pz-i-a,", "pz-x,")
    charts = CASE_ORANGE.read_charts({"units.csv": OWN["units.csv"] + row + "\n"})
    assert charts.kinds["pz-x"].attack == charts.kinds["pz-i-a"].attack


def test_a_table_of_units_without_observers_has_those_of_opfire() -> None:
    """Data packs exported before the column existed keep their rifles' eyes; a unit of their own has none."""
    rows = list(csv.DictReader(io.StringIO(OWN["units.csv"])))
    old = io.StringIO()
    writer = csv.DictWriter(old, [name for name in rows[0] if name != "observes"], extrasaction="ignore")
    writer.writeheader()
    writer.writerows([*rows, {**rows[0], "id": "pz-x"}])
    kinds = CASE_ORANGE.read_charts({"units.csv": old.getvalue()}).kinds
    names = ("rifle-42-german", "cp-soviet", "smg-german", "pz-x")
    assert [kinds[name].observes for name in names] == ["light", "all", "none", "none"]


def test_a_game_is_played_with_the_pack_and_its_record_alone_is_enough(stronger: Path) -> None:
    pack = packs.load(stronger)
    assert set(pack.tables) == {"units.csv"}
    match = Match.start(text_of(SCENARIO), pack=pack.for_game("case-orange"))
    assert attacks(match.game.view("german")) == {77}
    match.concede("german")
    for path in stronger.iterdir():
        path.unlink()
    record = Record.load(match.record_for("german").dump())
    assert attacks(record.replay().view("german")) == {77}
    assert verify(record).outcome["winner"] == "soviet"


def test_the_rulesets_own_charts_stay_as_they_are(stronger: Path) -> None:
    Match.start(text_of(SCENARIO), pack=packs.load(stronger).tables)
    assert attacks(Match.start(text_of(SCENARIO)).game.view("german")) != {77}


# --- at the table -----------------------------------------------------------------------------------


@contextmanager
def table(database: Path, data: Path | None) -> Iterator[TestClient[Any]]:
    with TestClient(create_app(str(database), data), base_url="http://127.0.0.1:8000") as http:
        yield http


def test_a_server_with_a_pack_starts_games_with_it(stronger: Path, tmp_path: Path) -> None:
    database = tmp_path / "games.sqlite"
    with table(database, stronger) as http:
        game = http.post("/api/games", json={"scenario": SCENARIO}).json()["game"]
        facts = http.get(f"/api/games/{game}").json()
        record = Record.load(http.get(f"/api/games/{game}/record").text)
    assert facts["pack"] == packs.name(packs.load(stronger).tables)
    assert set(record.header.pack) == {"units.csv"}
    with table(database, None) as http:  # started again without the folder, it goes on as it was begun
        assert http.get(f"/api/games/{game}").json() == facts


def test_without_a_pack_a_game_has_none(tmp_path: Path) -> None:
    with table(tmp_path / "games.sqlite", None) as http:
        game = http.post("/api/games", json={"scenario": SCENARIO}).json()["game"]
        assert http.get(f"/api/games/{game}").json()["pack"] is None


@pytest.mark.parametrize("command", [["serve"], ["play", SCENARIO]], ids=["serve", "play"])
def test_the_commands_hand_the_pack_on(
    command: list[str], stronger: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Any] = []

    def run(server: Any, sockets: Any) -> None:
        seen.append(server.config.app.state.pack)

    monkeypatch.setattr(app.uvicorn.Server, "run", run)
    database = str(tmp_path / "games.sqlite")
    more = ["--data", str(stronger), "--database", database, "--port", "0", "--no-browser"]
    assert cli.main([*command, *more]) == 0
    assert seen == [packs.load(stronger)]


def test_a_scenario_may_have_units_of_the_pack_alone(folder: Path, tmp_path: Path) -> None:
    """The table shows its map and starts it, from a file of the player's own."""
    own = with_a_unit_of_its_own(folder, tmp_path)
    scenario.add("ours", own)
    try:
        with table(tmp_path / "games.sqlite", folder) as http:
            assert http.get("/api/scenarios/ours").json()["map"]["hexes"]
            game = http.post("/api/games", json={"scenario": "ours"}).json()["game"]
            record = Record.load(http.get(f"/api/games/{game}/record").text)
        assert "tiger-x" in record.header.pack["units.csv"]
    finally:
        scenario._ADDED.clear()


def with_a_unit_of_its_own(folder: Path, tmp_path: Path) -> Path:
    """A scenario whose tanks are a type that no table but this pack's knows."""
    units = folder / "units.csv"
    row = next(row for row in OWN["units.csv"].splitlines() if row.startswith("pz-iv-h,"))
    units.write_text(OWN["units.csv"] + edited(row, "pz-iv-h", "tiger-x", 1) + "\n")
    text = text_of(SCENARIO)
    first = re.search(r'\[\[sides\.german\.units\]\]\s*unit\s*= "([^"]+)"', text)
    assert first
    path = tmp_path / "ours.toml"
    path.write_text(edited(edited(text, f'"{first[1]}"', '"tiger-x"'), f'"{SCENARIO}"', '"ours"'))
    return path


# --- many games -------------------------------------------------------------------------------------


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[set[int]]:
    """With which attack factors each game of a command began; all in this process, ended at once."""
    found: list[set[int]] = []

    def begin(*args: Any) -> Any:
        game = new_game(*args)
        found.append(attacks(game.view("german")))
        game.concede("german")
        return game

    for module in (tournament, balance):
        monkeypatch.setattr(module, "spread", lambda work, jobs, workers, prepare=None: map(work, jobs))
    monkeypatch.setattr(tournament, "new_game", begin)
    return found


@pytest.mark.parametrize("name", ["--data", "--pack"])
def test_computer_players_play_with_the_pack(
    name: str, stronger: Path, begun: list[set[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(balances, "keep", lambda *args: pytest.fail("own charts tell nothing of the scenario"))
    for command in ("tournament", "balance"):
        assert cli.main([command, SCENARIO, "--games", "1", name, str(stronger)]) == 0
    assert begun == [{77}, {77}]


def test_random_games_are_played_with_the_pack(
    stronger: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a process of its own; a game that is cut short leaves its record."""
    words = ["--scenario", SCENARIO, "--games", "1", "--most", "3", "--out", str(tmp_path / "out"), "--json"]
    assert cli.main(["fuzz", "case-orange", *words, "--data", str(stronger)]) == 1
    [path] = json.loads(capsys.readouterr().out)["records"]
    record = Record.load(Path(path).read_text())
    assert len(record.lines) == 3
    assert attacks(record.replay().view("german")) == {77}


def test_a_pack_of_another_ruleset_is_refused(stronger: Path) -> None:
    with pytest.raises(BadInput, match="tables of case-orange"):
        tables_of(stronger, "panzer")
    assert set(tables_of(stronger, "case-orange")) == {"units.csv"}
    assert tables_of(None, "case-orange") == {}


def test_a_server_does_not_start_with_a_faulty_pack(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(folder / "crt.csv", "result", "boom")
    database = tmp_path / "games.sqlite"
    assert cli.main(["serve", "--data", str(folder), "--database", str(database), "--port", "0"]) == 2
    assert "crt.csv:2: result 'boom'" in " ".join(capsys.readouterr().err.split())
    assert not database.exists()


def test_a_map_is_drawn_of_a_scenario_that_needs_the_pack(stronger: Path) -> None:
    """The scenario of a record may have units that only its pack has."""
    units = stronger / "units.csv"
    row = next(line for line in units.read_text(encoding="utf-8").splitlines() if line.startswith("pz-iv-h,"))
    units.write_text(units.read_text(encoding="utf-8") + edited(row, "pz-iv-h,", "pz-x,") + "\n", encoding="utf-8")
    text = edited(text_of("mutnaya-crossing"), '"pz-iv-h"', '"pz-x"')
    with pytest.raises(BadInput, match="there is no unit 'pz-x'"):
        Match.start(text)
    match = Match.start(text, pack=packs.load(stronger).tables)
    assert catalogue.map_of(match.record.header)["hexes"]
