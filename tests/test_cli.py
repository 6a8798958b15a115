"""The `opfire` command on a small ruleset: what it prints, for people and for programs, its status."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

import opfire.ai
import opfire.server
from core import duel
from edits import edited
from opfire import cli
from opfire.commands import balance, bench, fuzz, pool, rules, tournament
from opfire.core import balance as balances
from opfire.core import match as matches
from opfire.core import ruleset as rulesets
from opfire.core import scenario as scenarios
from opfire.core.actions import Refusal
from opfire.core.coverage import Noted, stamp
from opfire.core.errors import BadInput
from opfire.core.record import Record
from opfire.core.rows import Row, Texts, rows

RULES = """\
rule,title,level,kind,statement
1.1,Shots,basic,mechanic,A unit shoots
1.2,Aim,basic,mechanic,Aim is added
1.3,Targets,basic,mechanic,Only enemies
1.4,Wind,basic,mechanic,Wind blows
"""


class First:
    """Plays the last thing offered: shoots when it can."""

    def choose(self, game: Any, seat: str, rng: Any) -> Any:
        return list(game.choices(seat))[-1]


class Idle:
    """Plays the first thing offered: rests."""

    def choose(self, game: Any, seat: str, rng: Any) -> Any:
        return next(iter(game.choices(seat)))


@pytest.fixture(autouse=True)
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with the little ruleset alone, its scenario, and no second process."""
    folder = tmp_path / "src" / "opfire" / "rulesets" / "duel"
    (folder / "data").mkdir(parents=True)
    (folder / "rules.csv").write_text(RULES)
    (folder / "play.py").write_text('def why():\n    """Shots [1.1, 1.2, 1.3]."""\n')
    (folder / "data" / "aim.csv").write_text("who,aim,source,rule\nred,1,own,1.2\nblue,0,public,1.2\n")
    (tmp_path / "scenarios" / "duel").mkdir(parents=True)
    (tmp_path / "scenarios" / "duel" / "dawn.toml").write_text(duel.SCENARIO)
    (tmp_path / "tests").mkdir()
    made = duel.ruleset(folder, missing={"1.4": "the text is lost"})
    monkeypatch.setattr(rulesets, "installed", lambda: {"duel": made})
    monkeypatch.setattr(scenarios, "SCENARIOS", tmp_path / "scenarios")
    monkeypatch.setattr(balances, "SCENARIOS", tmp_path / "scenarios")
    monkeypatch.setattr(scenarios, "_ADDED", {})
    monkeypatch.setattr(rules, "ROOT", tmp_path)
    for module in (fuzz, tournament, balance):
        monkeypatch.setattr(module, "spread", here)
    monkeypatch.setattr(opfire.ai, "players", lambda: {"first": First(), "idle": Idle()}, raising=False)
    return folder


def here(work: Callable[[Any], Any], jobs: Iterable[Any], workers: int, prepare: Any = None) -> Iterator[Any]:
    return map(work, jobs)


Run = Callable[..., tuple[int, Any, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Types a command: its status, what it printed (decoded after --json), what it complained of."""

    def typed(*words: object) -> tuple[int, Any, str]:
        try:
            status = cli.main([str(word) for word in words])
        except SystemExit as error:  # argparse's own way out
            status = int(error.code or 0)
        printed, complaint = capsys.readouterr()
        return status, json.loads(printed) if "--json" in words else printed, complaint

    return typed


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A finished game of the little ruleset."""
    match = matches.Match.start(duel.SCENARIO, nonces={"red": "r", "blue": "b"}, key=bytes(32))
    while not match.over:
        seat = match.game.asked()[0]
        match.play(seat, list(match.game.choices(seat))[-1])
    path = tmp_path / "game.jsonl"
    path.write_text(match.record_for("spectator").dump())
    return path


# --- what every command does --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("dance",),
        ("rules",),
        ("rules", "coverage", "chess"),
        ("case",),
        ("case", "nowhere.toml"),
        ("case", "--actions", "chess"),
        ("verify", "nowhere.jsonl"),
        ("show", "nowhere.jsonl"),
        ("check", "nowhere.toml"),
        ("fuzz", "chess"),
        ("fuzz", "duel", "--scenario", "dusk"),
        ("fuzz", "duel", "--games", "many"),
        ("fuzz", "duel", "--player", "nobody"),
        ("tournament", "dusk"),
        ("tournament", "dusk.toml"),
        ("tournament", "dawn", "--data", "nowhere"),
        ("fuzz", "duel", "--scenario", "dusk.toml"),
        ("fuzz", "duel", "--pack", "nowhere"),
        ("balance", "dusk"),
        ("balance", "dusk.toml"),
        ("balance", "dawn", "--data", "nowhere"),
        ("tournament", "dawn", "--players", "first", "chess"),
        ("data", "export", "chess", "there"),
        ("mutants", "chess"),
        ("mutants", "duel", "--rule", "7.7"),
        ("play", "dusk"),
        ("play", "dusk.toml"),
        ("serve", "--data", "nowhere"),
        ("bench",),
    ],
)
def test_bad_input_is_one_sentence_and_status_2(run: Run, words: tuple[str, ...]) -> None:
    status, printed, complaint = run(*words)
    assert (status, printed) == (2, "")
    assert complaint.startswith("opfire")
    assert complaint.count("\n") == 1


def test_a_list_of_all_commands(run: Run) -> None:
    status, printed, _ = run("--help")
    assert status == 0
    listed = {line.split()[0] for line in printed.splitlines() if line.startswith("    ")}
    wanted = "serve scenarios play rules mutants case verify show fuzz tournament check data bench"
    assert set(wanted.split()) <= listed


# --- scenarios ----------------------------------------------------------------------------------------


def test_scenarios(run: Run) -> None:
    status, data, _ = run("scenarios", "--json")
    assert status == 0
    assert [(one["id"], one["ruleset"], one["turns"]) for one in data["scenarios"]] == [("dawn", "duel", 20)]
    assert "Dawn" in run("scenarios")[1]


# --- case ---------------------------------------------------------------------------------------------

GOOD = """\
ruleset = "duel"
side = "red"
[sides.red]
[sides.blue]
[units.a]
unit = "soldier"
[units.b]
unit = "soldier"
side = "blue"
[[play]]
do = { type = "Rest" }
asked = "blue"
"""


def test_case_counts_files_and_tells_what_differs(run: Run, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    good.write_text(GOOD)
    bad.write_text(edited(GOOD, 'asked = "blue"', 'asked = "red"'))
    assert run("case", good, "--json")[:2] == (0, {"passed": 1, "failed": 0, "failures": []})
    failure = {"case": str(bad), "line": 10, "expected": "red is asked", "got": "blue"}
    assert run("case", good, bad, "--json")[:2] == (1, {"passed": 1, "failed": 1, "failures": [failure]})
    status, printed, _ = run("case", good, bad)
    assert status == 1
    assert f"{bad}:10: expected red is asked\n    got blue\n1 passed, 1 failed\n" == printed


def test_case_plays_the_others_when_one_file_cannot_be_read(run: Run, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    good.write_text(GOOD)
    bad.write_text(edited(GOOD, 'side = "red"', 'side = "green"'))
    fault = {"where": f"{bad}:2", "what": "the side 'green' does not exist", "expected": "red or blue"}
    status, data, complaint = run("case", bad, good, "--json")
    assert (status, data) == (2, {"passed": 1, "failed": 0, "failures": [], "faults": [fault]})
    sentence = f"opfire: {bad}:2: the side 'green' does not exist; expected red or blue\n"
    assert complaint == sentence
    assert run("case", bad, good) == (2, "1 passed, 0 failed, 1 files cannot be read\n", sentence)


def test_case_lists_the_actions_of_a_ruleset(run: Run) -> None:
    status, printed, _ = run("case", "--actions", "duel")
    assert (status, printed.splitlines()[::2]) == (0, ["Rest", "Shoot unit, target"])
    listed = run("case", "--actions", "duel", "--json")[1]["actions"]
    assert [(one["type"], one["fields"]) for one in listed] == [("Rest", []), ("Shoot", ["unit", "target"])]


def test_case_names_the_line_of_an_unknown_ruleset(run: Run, tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text('title = "x"\nruleset = "quarrel"')
    status, _, complaint = run("case", bad)
    assert status == 2
    assert complaint.startswith(f"opfire: {bad}:2: there is no ruleset 'quarrel'; expected one of ")


# --- records ------------------------------------------------------------------------------------------


def test_a_true_record_is_verified(run: Run, record: Path) -> None:
    status, data, _ = run("verify", record, "--json")
    assert status == 0
    assert data["verified"] is True
    assert data["outcome"]["winner"] in ("red", "blue", None)
    assert data["decisions"] == data["rolls"]  # every decision was a shot
    assert run("verify", record)[1].startswith("True: ")


def forged(path: Path, change: Callable[[list[Any]], None]) -> Path:
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    change(lines)
    path.write_text("\n".join(json.dumps(line) for line in lines) + "\n")
    return path


def test_a_die_that_was_not_rolled(run: Run, record: Path) -> None:
    def change(lines: list[Any]) -> None:
        lines[3]["rolls"] = [lines[3]["rolls"][0] % 6 + 1]

    status, data, _ = run("verify", forged(record, change), "--json")
    assert (status, data["verified"], data["line"]) == (1, False, 4)


def test_another_key_than_was_committed_to(run: Run, record: Path) -> None:
    status, data, _ = run("verify", forged(record, lambda lines: lines[0].update(key="11" * 32)), "--json")
    assert (status, data["verified"], data["line"]) == (1, False, 1)


def test_a_decision_that_was_not_legal(run: Run, record: Path) -> None:
    def change(lines: list[Any]) -> None:
        lines[2]["do"]["target"] = lines[2]["do"]["unit"]

    status, data, _ = run("verify", forged(record, change), "--json")
    assert (status, data["verified"], data["line"]) == (1, False, 3)
    assert data["found"].endswith("[1.3]")


def test_a_record_that_stops_before_the_end(run: Run, record: Path) -> None:
    status, data, _ = run("verify", forged(record, lambda lines: lines.pop()), "--json")
    assert (status, data["found"]) == (1, "it goes on")


def test_a_record_is_held_against_the_commitment_that_a_player_wrote_down(run: Run, record: Path) -> None:
    promised = json.loads(record.read_text().partition("\n")[0])["commitment"]
    assert run("verify", record, "--commitment", promised.upper(), "--json")[0] == 0
    status, data, _ = run("verify", record, "--commitment", "ab" * 32, "--json")
    assert (status, data["verified"], data["line"]) == (1, False, 1)
    assert promised in data["says"]
    assert "ab" * 32 in data["found"]


def test_a_record_has_to_pass_through_a_digest_that_was_seen(run: Run, record: Path) -> None:
    seen = json.loads(record.read_text().splitlines()[2])["digest"]
    assert run("verify", record, "--seen", seen, "--json")[0] == 0
    status, data, _ = run("verify", record, "--seen", "ab" * 16, "--json")
    assert (status, data["verified"]) == (1, False)
    assert "ab" * 16 in data["found"]


@pytest.fixture
def dictated(tmp_path: Path) -> Path:
    """A game in which every die shows a six."""
    dice = (6,) * 50
    header = matches.Match.start(duel.SCENARIO, key=bytes(32)).record.header
    header = msgspec.structs.replace(header, dice=dice, commitment="")
    match = matches.Match.begun(header, b"", header.starting_dice())
    while not match.over:
        seat = match.game.asked()[0]
        match.play(seat, list(match.game.choices(seat))[-1])
    path = tmp_path / "dictated.record"
    path.write_text(match.record.dump())
    return path


def test_dictated_dice_are_no_success_unless_that_is_wanted(run: Run, dictated: Path) -> None:
    status, data, _ = run("verify", dictated, "--json")
    assert (status, data["verified"], data["line"]) == (1, False, 1)
    assert "prove nothing" in data["found"]
    status, data, _ = run("verify", dictated, "--scripted", "--json")
    assert (status, data["verified"], data["scripted"]) == (0, True, True)
    assert "they prove nothing" in run("verify", dictated, "--scripted")[1]


def test_dice_that_are_dictated_afterwards_are_told(run: Run, record: Path) -> None:
    def change(lines: list[Any]) -> None:
        lines[0].update(dice=[die for line in lines[1:] for die in line.get("rolls", ())], key="", commitment="")

    status, data, _ = run("verify", forged(record, change), "--scripted", "--json")
    assert (status, data["notes"]) == (1, ["Its dice were dictated."])


def test_a_record_of_other_rules_is_no_success_unless_that_is_wanted(
    run: Run, record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = dataclasses.replace(rulesets.find("duel"), version="2")
    monkeypatch.setattr(rulesets, "installed", lambda: {"duel": later})
    status, data, _ = run("verify", record, "--json")
    assert (status, data["verified"], data["line"]) == (1, False, 1)
    assert "every line holds" in data["found"]
    assert run("verify", record, "--other-rules", "--json")[0] == 0
    monkeypatch.setattr(duel.Duel, "refusal", lambda self, sight, side, action: Refusal("No", "9.9"))
    status, data, _ = run("verify", record, "--other-rules", "--json")
    assert (status, data["line"]) == (1, 2)
    assert "other rules are here" in data["notes"][0]


def raises(error: Exception) -> Callable[..., None]:
    """A rule of a later version that knows nothing of the decision."""

    def fails(self: Any, game: Any, action: Any) -> None:
        raise error

    return fails


def test_records_check_names_the_games_that_would_differ(
    run: Run, record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (record.parent / "notes.txt").write_text("no record")
    (record.parent / "broken.record").write_text("no record")
    status, data, _ = run("records", "check", record.parent, "--json")
    assert (status, [row["name"] for row in data["differing"]]) == (1, ["broken.record"])
    (record.parent / "broken.record").unlink()
    status, data, _ = run("records", "check", record.parent, "--json")
    assert (status, data) == (0, {"records": 1, "differing": []})
    for error in (KeyError("gone"), BadInput("gone")):
        monkeypatch.setattr(duel.Duel, "play", raises(error))
        assert "gone" in run("records", "check", record.parent, "--json")[1]["differing"][0]["difference"]
        assert "gone" in run("show", record)[2]
    monkeypatch.setattr(duel.Duel, "refusal", lambda self, sight, side, action: Refusal("No", "9.9"))
    status, data, _ = run("records", "check", record.parent, "--json")
    assert (status, data["records"]) == (1, 1)
    assert data["differing"][0]["name"] == record.name
    assert "line 2" in data["differing"][0]["difference"]
    assert run("records", "check", record.parent)[1].endswith("1 records, 1 of them go otherwise by the rules here\n")


def test_show_goes_as_far_as_the_rules_lead(run: Run, record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = run("show", record, "--at", 1)[1]
    replay, count = duel.Duel.refusal, iter(range(1000))
    monkeypatch.setattr(
        duel.Duel,
        "refusal",
        lambda self, sight, side, action: (
            Refusal("No", "9.9") if next(count) > 0 else replay(self, sight, side, action)
        ),
    )
    status, printed, complaint = run("show", record)
    assert (status, printed) == (0, before)
    assert complaint.startswith("The rules here lead to line 1, and no further: line 3:")


def test_a_record_without_its_key_cannot_be_verified(run: Run, record: Path) -> None:
    status, _, complaint = run("verify", forged(record, lambda lines: lines[0].update(key="")))
    assert status == 2
    sentence = "the dice key is not shown before the end of the game; expected the record of a finished game"
    assert complaint == f"opfire: record:1: {sentence}\n"


@pytest.mark.parametrize("secret", [False, True])
def test_show_draws_a_position_even_before_the_key_is_known(run: Run, record: Path, secret: bool) -> None:
    loser = "blue" if Record.load(record.read_text()).replay().outcome.winner == "red" else "red"  # type: ignore[union-attr]
    if secret:
        forged(record, lambda lines: lines[0].update(key=""))
    status, printed, _ = run("show", record)
    assert status == 0
    assert f"{loser}-1 down" in printed
    assert f"{loser}-2 down" in printed
    status, data, _ = run("show", record, "--at", 0, "--side", "red", "--json")
    assert data["text"] == "red-1 up\nred-2 up\nblue-1 up\nblue-2 up"
    assert (data["at"], data["asked"]) == (0, ["red"])


@pytest.mark.parametrize("words", [("--at", "-1"), ("--at", "1000"), ("--side", "green")])
def test_show_what_is_not_there(run: Run, record: Path, words: tuple[str, str]) -> None:
    assert run("show", record, *words)[0] == 2


# --- rules --------------------------------------------------------------------------------------------


def evidence(root: Path, *reached: str) -> None:
    (root / "tests" / "test_duel.py").write_text(
        'import pytest\n@pytest.mark.rule("duel", "1.1", "1.2", "1.3")\ndef test_shot(): ...\n'
    )
    noted = Noted(stamp(root), {"test_duel.py": ["test_shot"]}, {"test_shot": {"duel": list(reached)}})
    (root / "tests" / ".evidence-main.json").write_bytes(msgspec.json.encode(noted))


def test_coverage_as_others_read_it(run: Run, tmp_path: Path) -> None:
    evidence(tmp_path, "1.1", "1.2", "1.3")
    assert run("rules", "coverage", "duel", "--json")[:2] == (
        0,
        {
            "ruleset": "duel",
            "rows": 4,
            "mechanics": 4,
            "implemented": 3,
            "tested": 3,
            "missing": [{"rule": "1.4", "reason": "the text is lost"}],
        },
    )


def test_coverage_fails_when_something_is_missing(run: Run, tmp_path: Path) -> None:
    evidence(tmp_path, "1.1", "1.2")
    status, printed, _ = run("rules", "coverage", "--missing")
    assert status == 1
    assert "its tests do not reach it: test_duel.py::test_shot" in printed
    assert "4 rules, 4 mechanics: 3 implemented, 2 tested, 2 missing" in printed


def test_the_last_figures_are_printed_without_a_test(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    status, printed, complaint = run("rules", "coverage", "duel", "--last")
    assert (status, printed) == (2, "")
    assert "no figures of duel are kept; expected `opfire rules coverage duel` first, which runs the tests" in complaint
    evidence(tmp_path, "1.1", "1.2")
    counted = run("rules", "coverage", "duel", "--json")[1]
    monkeypatch.setattr(rules, "_pytest", None)
    assert run("rules", "coverage", "duel", "--last", "--json") == (1, counted, "")
    (tmp_path / "tests" / "test_other.py").write_text("def test_it(): ...\n")
    _, again, complaint = run("rules", "coverage", "duel", "--last", "--json")
    assert again == counted
    assert "older sources" in complaint


def test_coverage_says_that_it_runs_the_tests(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    evidence(tmp_path, "1.1", "1.2", "1.3")
    assert "their notes are used" in run("rules", "coverage", "duel")[2]
    (tmp_path / "tests" / "test_duel.py").write_text(
        'import pytest\n@pytest.mark.rule("duel", "1.1")\ndef test(): ...\n'
    )
    monkeypatch.setattr(rules, "_pytest", lambda words, where: SimpleNamespace(returncode=0, stdout="", stderr=""))
    assert "running the tests that cite duel: 1 files" in run("rules", "coverage", "duel")[2]
    assert "run the tests" in " ".join(run("rules", "coverage", "--help")[1].lower().split())


def test_the_page_for_the_site(run: Run, tmp_path: Path) -> None:
    evidence(tmp_path, "1.1", "1.2", "1.3")
    status, printed, _ = run("rules", "coverage", "--markdown")
    assert status == 0
    assert "| 1.4 | Wind | the text is lost |" in printed
    assert "| 1.3 | Targets | mechanic | `play.py:1` | `test_duel.py::test_shot` |" in printed


def test_mutants_names_the_survivors(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    evidence(tmp_path, "1.1", "1.2")
    seen = {"1.1": 1, "1.2": 0}
    monkeypatch.setattr(
        rules,
        "_pytest",
        lambda words, where: SimpleNamespace(returncode=seen[where["OPFIRE_WITHOUT_RULE"]], stdout="", stderr=""),
    )
    status, data, _ = run("mutants", "duel", "--json")
    assert status == 1
    assert data == {"ruleset": "duel", "mutants": 2, "killed": 1, "survivors": ["1.2"], "untested": ["1.3"]}
    assert run("mutants", "duel", "--rule", "1.1")[0] == 0


def test_a_test_that_never_ends_without_a_rule_has_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tests" / "test_night.py").write_text("def test_night_falls():\n    while True:\n        pass\n")
    monkeypatch.setattr(rules, "PATIENCE_S", 1)
    assert rules.noticed("1.1", {"OPFIRE_WITHOUT_RULE": "1.1"}, ["tests/test_night.py::test_night_falls"])


def test_mutants_change_each_function_that_cites_a_rule(
    run: Run, package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (package / "play.py").write_text(
        'def why(far):\n    """Shots [1.1]."""\n    return far > 3\n\n\n'
        'def aim():\n    """Aim [1.2, 1.9]."""\n    return 2\n\n\n'
        'def none(far):\n    """Targets [1.3]."""\n    return far\n'
    )
    evidence(tmp_path, "1.1", "1.2", "1.3")
    asked: dict[str, list[str]] = {}

    def pytest_without(words: list[str], environment: dict[str, str]) -> SimpleNamespace:
        asked[environment["OPFIRE_CHANGED"]] = words[-1:]
        return SimpleNamespace(returncode="aim" not in environment["OPFIRE_CHANGED"], stdout="", stderr="")

    monkeypatch.setattr(rules, "_pytest", pytest_without)
    status, data, _ = run("mutants", "duel", "--only", "changes", "--seed", 3, "--json")
    survivor = {"place": "play.py:6 aim", "change": "2 becomes 3", "rules": ["1.2"]}
    assert (status, data["changes"]) == (0, {"mutants": 2, "killed": 1, "survivors": [survivor]})
    assert asked["opfire.rulesets.duel.play:aim:0"] == ["test_shot"]
    status, printed, _ = run("mutants", "duel", "--only", "changes", "--rule", "1.2")
    assert "play.py:6 aim [1.2]: 2 becomes 3, and no test notices" in printed
    assert "0 of 1 changes in functions that cite rules are noticed" in printed


def test_a_sample_of_mutants_is_the_same_for_the_same_seed(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evidence(tmp_path, "1.1", "1.2", "1.3")
    monkeypatch.setattr(rules, "noticed", lambda name, environment, tests: False)
    first = run("mutants", "duel", "--sample", 2, "--seed", 5, "--json")[1]["survivors"]
    assert len(first) == 2
    assert run("mutants", "duel", "--sample", 2, "--seed", 5, "--json")[1]["survivors"] == first


# --- check and data -----------------------------------------------------------------------------------


def test_check_scenario_board_and_case(run: Run, tmp_path: Path) -> None:
    board, position = tmp_path / "board.toml", tmp_path / "case.toml"
    board.write_text(
        'id = "b"\nnumber = "1"\ntitle = "B"\ncolumns = 2\nrows = 1\nedges = "whole"\nhexes = """\n. w\n"""\n'
    )
    position.write_text(GOOD)
    scenario = tmp_path / "scenarios" / "duel" / "dawn.toml"
    assert run("check", scenario, board, position, "--json")[:2] == (0, {"checked": 3, "problems": []})


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("id = ", "not TOML"),
        ("id = " + "[" * 5000, "not TOML"),
        ("id = " + "9" * 5000, "not TOML"),
        ('id = "x"', "neither"),
        (edited(duel.SCENARIO, 'first = "red"', 'first = "green"'), "green"),
        (duel.SCENARIO + "\n[weather]\n", "weather"),
        (edited(GOOD, "soldier", "tank"), "tank"),
        ('hexes = """\n. .\n"""\n', "id"),
    ],
)
def test_check_tells_what_is_wrong_with_a_file(run: Run, tmp_path: Path, text: str, what: str) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(text)
    status, data, _ = run("check", path, "--json")
    assert status == 1
    [problem] = data["problems"]
    assert what in problem["what"]
    assert problem["file"] == str(path)
    assert what in run("check", path)[1]


def test_a_data_pack_is_exported_and_checked(run: Run, tmp_path: Path, package: Path) -> None:
    pack = tmp_path / "pack"
    status, data, _ = run("data", "export", "duel", pack, "--json")
    assert status == 0
    assert data["files"] == ["README.md", "aim.csv"]
    assert (pack / "aim.csv").read_text() == (package / "data" / "aim.csv").read_text()
    assert "| aim.csv | 2 | 1 | who, aim, source, rule |" in (pack / "README.md").read_text()
    assert run("check", pack, "--json")[:2] == (0, {"checked": 1, "problems": []})


def test_nothing_is_overwritten(run: Run, tmp_path: Path) -> None:
    pack = tmp_path / "pack"
    pack.mkdir()
    (pack / "aim.csv").write_text("mine")
    assert run("data", "export", "duel", pack)[0] == 2
    assert [path.name for path in pack.iterdir()] == ["aim.csv"]
    assert (pack / "aim.csv").read_text() == "mine"


class Aim(Row, frozen=True):
    who: str
    aim: int


@pytest.mark.parametrize(
    ("name", "text", "what"),
    [
        ("wind.csv", "who,aim,source,rule\n", "no such table"),
        ("aim.csv", "who,source,rule\n", "the columns are who,source,rule"),
        ("aim.csv", "who,aim,source,rule\nred,much,own,1.2\n", "much"),
    ],
)
def test_a_data_pack_with_a_fault(
    run: Run, tmp_path: Path, package: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str, what: str
) -> None:
    def charts(tables: Texts) -> None:
        rows(Aim, package / "data" / "aim.csv", tables)

    made = duel.ruleset(package, charts=charts)
    monkeypatch.setattr(rulesets, "installed", lambda: {"duel": made})
    pack = tmp_path / "pack"
    assert run("data", "export", "duel", pack)[0] == 0
    (pack / name).write_text(text)
    status, data, _ = run("check", pack, "--json")
    assert status == 1
    [problem] = data["problems"]
    assert what in problem["what"]


def test_a_folder_that_is_no_data_pack(run: Run, tmp_path: Path) -> None:
    assert run("check", tmp_path)[0] == 1


# --- many games ---------------------------------------------------------------------------------------


def test_fuzz_counts_games_and_what_they_never_reached(run: Run, tmp_path: Path) -> None:
    status, data, _ = run("fuzz", "duel", "--games", 5, "--out", tmp_path / "out", "--json")
    assert status == 0
    assert data["games"] == 5
    assert 5 * 4 <= data["decisions"] <= 5 * 40  # two must fall, and night falls after forty
    assert (data["crashes"], data["dead_ends"], data["unfinished"], data["records"]) == (0, 0, 0, [])
    # the little ruleset was imported without noting; what it declares missing is not expected of it
    assert data["rules_never_reached"] == ["1.1", "1.2", "1.3"]
    assert not (tmp_path / "out").exists()


def test_the_same_seed_is_the_same_play(run: Run) -> None:
    first = run("fuzz", "duel", "--games", 3, "--seed", 8, "--json")[1]
    assert run("fuzz", "duel", "--games", 3, "--seed", 8, "--json")[1] == first


def test_fuzz_with_a_computer_player(run: Run, tmp_path: Path) -> None:
    """It is asked for every decision with two answers: a unit that rests never hits, and only night ends the game."""
    status, data, _ = run("fuzz", "duel", "--games", 1, "--player", "idle", "--out", tmp_path, "--json")
    assert (status, data["decisions"], data["unfinished"]) == (0, 40, 0)
    _, data, _ = run("fuzz", "duel", "--games", 1, "--player", "idle", "--most", 9, "--out", tmp_path, "--json")
    [path] = data["records"]
    kept = Record.load(Path(path).read_text())
    assert set(kept.header.players.values()) == {"idle"}
    assert {line.do["type"] for line in kept.lines} == {"Rest"}


@pytest.mark.parametrize(
    ("name", "replacement", "count"),
    [
        ("play", lambda frame, game, action: 1 // 0, "crashes"),
        ("acts", lambda frame, sight, side, actor: (), "dead_ends"),
        ("play", lambda frame, game, action: None, "unfinished"),
    ],
)
def test_fuzz_writes_the_record_of_a_failure_beside(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, replacement: Any, count: str
) -> None:
    monkeypatch.setattr(duel.Duel, name, replacement)
    status, data, _ = run("fuzz", "duel", "--games", 1, "--most", 50, "--out", tmp_path / "out", "--json")
    assert status == 1
    assert data[count] == 1
    [path] = data["records"]
    kept = Record.load(Path(path).read_text())
    assert kept.start().asked() == ("red",)
    assert len(kept.lines) == {"crashes": 1, "dead_ends": 0, "unfinished": 50}[count]


def test_tournament_counts_by_player_and_by_side(run: Run) -> None:
    status, data, _ = run("tournament", "dawn", "--players", "first", "idle", "--games", 4, "--swap", "--json")
    assert status == 0
    assert data["games"] == 4
    assert data["wins"] == {"first": 4, "idle": 0}  # who rests never hits
    assert data["by_side"] == {"red": 2, "blue": 2}
    assert data["draws"] == 0
    for taken in data["seconds_per_decision"].values():
        assert 0 <= taken["median"] <= taken["max"]


def test_a_tournament_keeps_its_records(run: Run, tmp_path: Path) -> None:
    folder, words = tmp_path / "deep" / "kept", ("tournament", "dawn", "--players", "first", "idle", "--games", 2)
    plain, data = run(*words, "--json")[1], run(*words, "--records", folder, "--json")[1]
    for counted in ("wins", "by_side", "draws"):
        assert data[counted] == plain[counted]
    assert sorted(path.name for path in folder.iterdir()) == ["dawn-1.record", "dawn-2.record"]
    for path in folder.iterdir():
        status, told, _ = run("verify", path, "--json")
        assert (status, told["notes"]) == (0, ["red, blue added nothing to the dice: the server could choose them."])
        assert {line.by for line in Record.load(path.read_text()).lines} == {"first", "idle"}
    (tmp_path / "file").write_text("")
    assert run(*words, "--records", tmp_path / "file")[0] == 2


def test_without_swap_the_first_player_moves_first(run: Run) -> None:
    data = run("tournament", "dawn", "--players", "idle", "first", "--games", 3, "--json")[1]
    assert data["by_side"] == {"red": 0, "blue": 3}


def test_a_player_against_itself_and_a_draw(run: Run) -> None:
    data = run("tournament", "dawn", "--players", "idle", "idle", "--games", 2, "--json")[1]
    assert data["wins"] == {"idle": 0, "idle (2)": 0}
    assert data["draws"] == 2


def test_swapped_games_have_the_same_dice() -> None:
    jobs = tournament.pairings(duel.SCENARIO, ["first", "idle"], 4, 1, {}, swapped=True)
    assert [job.dice for job in jobs] == ["1-0", "1-0", "1-1", "1-1"]
    assert [job.players["red"] for job in jobs] == ["first", "idle", "first", "idle"]


def test_balance_is_kept_beside_the_scenarios(run: Run, tmp_path: Path) -> None:
    data = run("balance", "dawn", "--player", "first", "--games", 3, "--json")[1]
    assert data["scenarios"]["dawn"]["sides"].keys() == {"red", "blue"}
    kept = balances.measured("duel")["dawn"]
    assert (kept.player, kept.games, kept.first_wins + kept.second_wins + kept.draws) == ("first", 3, 3)


def test_the_balance_of_lessons_is_not_measured_unless_they_are_named(run: Run, tmp_path: Path) -> None:
    lesson = edited(duel.SCENARIO, '"dawn"', '"lesson-dawn"')
    (tmp_path / "scenarios" / "duel" / "lesson.toml").write_text(lesson)
    assert run("balance", "--player", "first", "--games", 1, "--json")[1]["scenarios"].keys() == {"dawn"}
    named = run("balance", "lesson-dawn", "--player", "first", "--games", 1, "--json")[1]
    assert named["scenarios"].keys() == {"lesson-dawn"}


# --- a scenario of one's own --------------------------------------------------------------------------


@pytest.fixture
def noon(tmp_path: Path) -> Path:
    """A scenario that lies elsewhere than those that come with Opfire."""
    path = tmp_path / "own" / "noon.toml"
    path.parent.mkdir()
    path.write_text(edited(duel.SCENARIO, "dawn", "noon"))
    return path


def test_a_file_is_played_where_an_id_would_be(run: Run, noon: Path, tmp_path: Path) -> None:
    most = ("--games", 1, "--most", 2, "--out", tmp_path / "out", "--json")
    [record] = run("fuzz", "duel", "--scenario", noon, *most)[1]["records"]
    assert Record.load(Path(record).read_text()).header.scenario == noon.read_text()
    assert Path(record).name.startswith("fuzz-noon-")
    data = run("tournament", noon, "--players", "first", "idle", "--games", 2, "--json")[1]
    assert data["wins"] == {"first": 2, "idle": 0}
    assert list(run("balance", noon, "--player", "first", "--games", 2, "--json")[1]["scenarios"]) == ["noon"]
    assert not balances.file_of("duel").exists()  # it is nobody's but the player's


def test_a_file_of_another_ruleset_is_told(run: Run, noon: Path) -> None:
    noon.write_text(edited(noon.read_text(), '"duel"', '"chess"'))
    assert "noon.toml is a scenario of chess" in run("fuzz", "duel", "--scenario", noon)[2]
    assert "there is no ruleset 'chess'" in run("play", noon)[2]


def test_the_table_opens_on_a_file(run: Run, noon: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(opfire.server, "serve", lambda *args, path, **more: opened.append(path))
    assert run("play", noon)[0] == 0
    assert opened == ["/?scenario=noon"]
    assert scenarios.text_of("noon") == noon.read_text()
    assert list(scenarios.files()) == ["dawn", "noon"]
    assert run("play", noon)[0] == 0  # once more is no clash with itself


def test_a_file_with_the_id_of_another_is_refused(run: Run, noon: Path) -> None:
    noon.write_text(duel.SCENARIO)
    status, _, complaint = run("play", noon)
    assert status == 2
    assert "dawn.toml also has the id 'dawn'" in complaint
    assert scenarios.text_of("dawn") == duel.SCENARIO


def test_a_file_that_cannot_be_played_opens_no_table(run: Run, noon: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opfire.server, "serve", lambda *args, **more: pytest.fail("it opened"))
    noon.write_text(edited(noon.read_text(), "turns", "tunrs"))
    status, _, complaint = run("play", noon)
    assert status == 2
    assert "tunrs" in complaint


@pytest.mark.parametrize("command", [("play",), ("tournament",), ("balance",), ("fuzz", "duel", "--scenario")])
def test_a_field_that_the_ruleset_does_not_know_is_told_with_its_file(
    run: Run, noon: Path, command: tuple[str, ...]
) -> None:
    noon.write_text("rain = 3\n" + noon.read_text())
    status, _, complaint = run(*command, noon)
    assert status == 2
    assert "noon.toml: Object contains unknown field `rain`" in complaint


def test_work_is_spread_over_processes() -> None:
    assert sorted(pool.spread(abs, [-3, 2, -1], workers=2)) == [1, 2, 3]


# --- bench --------------------------------------------------------------------------------------------


def test_bench_counts_only_decisions_with_a_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    decisions, games, middle = bench.random_play(duel.SCENARIO, 3, 1)
    assert decisions >= games > 0
    assert middle.ruleset.id == "duel"
    assert bench.copy_us(middle) > 0
    assert bench.view_ms(middle) > 0
    assert bench.chess_plies(1, seconds=0.01) > 0


def test_bench_takes_turns_with_python_chess_and_gives_medians() -> None:
    speeds = bench.interleaved({"one": duel.SCENARIO, "other": duel.SCENARIO}, 1, 1, chess_s=0.05)
    assert list(speeds) == ["one", "other"]
    assert len(speeds["one"].plays) == len(speeds["other"].plays) == bench.RUNS == 5
    assert speeds["one"].plies == speeds["other"].plies
    middle = speeds["one"].plays[0].middle
    plays = [bench.Play(decisions, decisions / 50, middle) for decisions in (100.0, 300.0, 200.0)]
    found = bench.Speeds(plays, [1000.0, 1000.0, 4000.0]).to_json()
    assert found == {"decisions_per_second": 200, "games_per_second": 4.0, "ratio": 0.1}  # of 0.1, 0.3 and 0.05
