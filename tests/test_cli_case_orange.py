"""The commands on Case Orange, as it comes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from edits import edited
from opfire import cli
from opfire.commands import bench
from opfire.core import case, fuzz, scenario
from opfire.core.actions import Choices
from opfire.core.match import Match
from opfire.core.record import Record
from opfire.core.rulebook import rules
from opfire.core.ruleset import find

ROOT = Path(__file__).parent.parent
SCENARIOS = sorted(scenario.files().values())


def answered(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, Any]:
    status = cli.main([*map(str, words), "--json"])
    return status, json.loads(capsys.readouterr().out)


@pytest.fixture(scope="module")
def example() -> str:
    """The first case in docs/cases.md."""
    found = re.search(r"```toml\n(.*?)```", (ROOT / "docs" / "cases.md").read_text(), re.DOTALL)
    assert found
    return found[1]


def test_the_runs_of_the_documentation_hold(example: str) -> None:
    text = (ROOT / "docs" / "cases.md").read_text()
    found = re.search(r"```toml\n(\[\[play\]\] +# in both runs\n.*?)```", text, re.DOTALL)
    assert found
    runs = case.cases(example.partition("[[play]]")[0] + found[1], "runs.toml")
    assert [run.run for run in runs] == ["A two disperses", "At close range a two destroys"]
    assert [str(one) for run in runs for one in case.run(run)] == []


@pytest.mark.rule("case-orange", "9.9-P1", "9.10.1")
def test_the_example_in_the_docs_holds(example: str) -> None:
    assert case.run(case.parse(example, "first.toml")) == []


def test_the_example_in_the_docs_goes_wrong_as_they_say(example: str) -> None:
    wrong = case.run(case.parse(edited(example, "dice   = [2]", "dice   = [6]"), "first.toml"))
    told = "".join(f"{one.case}:{one.line}: expected {one.expected}\n    got {one.got}\n" for one in wrong)
    assert told
    assert told in (ROOT / "docs" / "cases.md").read_text()


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_scenarios_are_sound(capsys: pytest.CaptureFixture[str], path: Path) -> None:
    assert answered(capsys, "check", path) == (0, {"checked": 1, "problems": []})


def test_boards_are_sound(capsys: pytest.CaptureFixture[str]) -> None:
    boards = sorted((scenario.SCENARIOS / "boards").glob("*.toml"))
    assert len(boards) >= 3
    assert answered(capsys, "check", *boards) == (0, {"checked": len(boards), "problems": []})


def test_a_data_pack_can_be_changed_and_a_slip_is_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pack = tmp_path / "mine"
    assert answered(capsys, "data", "export", "case-orange", pack)[0] == 0
    units = pack / "units.csv"
    text = units.read_text()
    units.write_text(edited(text, "T-34/76 C,soviet,tank,12,", "T-34/76 C,soviet,tank,13,"))
    assert answered(capsys, "check", pack) == (0, {"checked": 1, "problems": []})
    units.write_text(edited(text, "T-34/76 C,soviet,tank,12,", "T-34/76 C,soviet,tank,many,"))
    status, data = answered(capsys, "check", pack)
    assert status == 1
    [problem] = data["problems"]
    line = next(n for n, row in enumerate(text.splitlines(), 1) if "T-34/76 C" in row)
    assert problem["where"] == f"units.csv:{line}"


def test_fuzz_plays_in_processes_and_notes_the_rules(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ("fuzz", "case-orange", "--scenario", "mill-ford", "--games", 2, "--out", tmp_path)
    status, data = answered(capsys, *words)
    assert (status, data["games"], data["records"]) == (0, 2, [])
    mechanics = {rule.rule for rule in rules(find("case-orange").package).values() if rule.kind == "mechanic"}
    never = set(data["rules_never_reached"])
    assert never < mechanics
    assert not never & {"9.9-P1", "9.10.1", "8.1.1"}  # nobody plays a battle without these


@pytest.mark.parametrize("wanted", ["16.7", "all"])
def test_fuzz_plays_with_other_optional_rules(capsys: pytest.CaptureFixture[str], tmp_path: Path, wanted: str) -> None:
    words = ("--scenario", "mill-ford", "--games", 1, "--most", 1, "--options", wanted, "--out", tmp_path)
    [path] = answered(capsys, "fuzz", "case-orange", *words)[1]["records"]
    played = scenario.parse(Record.load(Path(path).read_text()).header.scenario, "record")
    assert set(played.options) == (
        {option.rule for option in find("case-orange").options} if wanted == "all" else {wanted}
    )


def test_fuzz_with_all_options_plays_every_second_round_without_other_readings(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """R71 is another reading of bridges, 16.7 an optional rule of the book."""
    words = ("--scenario", "mill-ford", "--games", 2, "--most", 1, "--options", "all", "--out", tmp_path)
    paths = answered(capsys, "fuzz", "case-orange", *words)[1]["records"]
    played = [scenario.parse(Record.load(Path(path).read_text()).header.scenario, "record") for path in paths]
    assert sorted("R71" in each.options for each in played) == [False, True]
    assert all("16.7" in each.options for each in played)


def test_fuzz_names_the_optional_rules_that_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["fuzz", "case-orange", "--games", "1", "--options", "99.9"]) == 2
    assert "the option '99.9' does not exist; expected one of 12.6" in capsys.readouterr().err


def test_show_draws_the_set_up(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    match = Match.start(scenario.text_of("mill-ford"), key=bytes(32))
    path = tmp_path / "game.jsonl"
    path.write_text(match.record.dump())
    status, data = answered(capsys, "show", path, "--at", 0)
    assert status == 0
    assert data["at"] == 0
    drawn = data["text"]
    land = {hex["name"] for hex in (match.game.ruleset.drawn(match.game.state, "") or {})["hexes"] if hex["playable"]}
    assert sum(drawn.count(code) for code in ".wtvbmash~g") >= len(land)
    assert "The Mill Ford" in drawn


FIGURES = {
    "decisions_per_second",
    "games_per_second",
    "python_chess_plies_per_second",
    "ratio",
    "copy_us",
    "los_all_pairs_s",
    "view_ms",
}


@pytest.fixture
def briefly(monkeypatch: pytest.MonkeyPatch) -> None:
    """One run, without the parts that take seconds."""
    monkeypatch.setattr(bench, "RUNS", 1)
    monkeypatch.setattr(bench, "chess_plies", lambda seed, seconds=0.0: 1000.0)
    monkeypatch.setattr(bench, "los_all_pairs_s", lambda: 1.0)


@pytest.mark.usefixtures("briefly")
def test_bench_measures_every_ruleset_by_its_own_scenario(capsys: pytest.CaptureFixture[str]) -> None:
    status, data = answered(capsys, "bench", "--games", 1)
    assert status == 0
    assert data.keys() == FIGURES | {"rulesets"}
    scenarios = {id: found["scenario"] for id, found in data["rulesets"].items()}
    assert scenarios == {
        "case-orange": "mutnaya-crossing",
        "panzer-grenadier": "pg-stepnoye",
        "panzerblitz-miniatures": "mini-wieldorf",
        "panzer": "panzer-first-duel",
        "micro-armour": "armour-first-evening",
    }
    for id, found in data["rulesets"].items():
        assert scenario.load(found["scenario"]).ruleset == id
        assert found["decisions_per_second"] > 0
        assert found["ratio"] == pytest.approx(found["decisions_per_second"] / 1000, abs=0.001)
    first = data["rulesets"]["case-orange"]
    assert {name: data[name] for name in ("decisions_per_second", "games_per_second", "ratio")}.items() <= first.items()


@pytest.mark.usefixtures("briefly")
def test_bench_measures_one_scenario_alone(capsys: pytest.CaptureFixture[str]) -> None:
    status, data = answered(capsys, "bench", "--scenario", "mill-ford", "--games", 1)
    assert (status, data.keys()) == (0, FIGURES)
    assert cli.main(["bench", "--scenario", "mill-ford", "--games", "1"]) == 0
    assert "python chess plies per second" in capsys.readouterr().out


def test_bench_has_boards_to_measure() -> None:
    board = bench.four_boards()
    assert len(board.boards) == 4
    # two boards of 33 columns side by side are 66 long, two of ten rows are twenty high; the edges are halves
    assert 1200 < sum(cell.playable for cell in board.cells.values()) < 66 * 20


def test_the_record_of_a_random_game_replays() -> None:
    cut = fuzz.play(fuzz.Job("case-orange", "mill-ford", scenario.text_of("mill-ford"), "9", most=150))
    assert (cut.ended, cut.decisions) == ("unfinished", 150)
    record = Record.load(cut.record)
    assert record.replay().dice.open == sum(len(entry.rolls) for entry in record.lines) > 0


@pytest.fixture
def drawers(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the draws in the order in which random games ask for them."""
    asked = list[str]()
    for name in ("sample", "sample_evenly"):
        draw = getattr(Choices, name)
        monkeypatch.setattr(
            Choices, name, lambda self, rng, name=name, draw=draw: asked.append(name) or draw(self, rng)
        )
    return asked


def test_a_random_game_keeps_one_habit_and_other_games_have_the_other(drawers: list[str]) -> None:
    habits, text = set[str](), scenario.text_of("mill-ford")
    for number in range(12):
        fuzz.play(fuzz.Job("case-orange", "mill-ford", text, str(number), most=20))
        assert len(set(drawers)) == 1
        habits.update(drawers)
        drawers.clear()
    assert habits == {"sample", "sample_evenly"}
