"""Rules coverage: where a rule is implemented, which tests cite it and reach it, what is missing and why."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from core import duel
from opfire.core import coverage
from opfire.core.errors import BadInput

RULES = """\
rule,title,level,kind,statement
1.0,Introduction,basic,note,Nothing to do
1.1,Shots,basic,mechanic,A unit shoots
1.2,Aim,basic,mechanic,Aim is added
1.3,Targets,basic,mechanic,Only enemies
1.4,Wind,basic,mechanic,Wind blows
1.5,Weather,optional,mechanic,Lost
1.6,Map,basic,component,A map
"""
CODE = '''"""Chapter one [1.4]."""


class Duel:
    """One shot after the other [1.1]."""

    rule = "1.1"


def why(unit):
    """[1.99] is in no book."""
    return Refusal("no target", "1.3")
'''
TESTS = """
from functools import partial
import pytest

rule = partial(pytest.mark.rule, "duel")
other = partial(pytest.mark.rule, "another")

@rule("1.1", "1.2")
def test_shot(): ...

@pytest.mark.rule("duel", "1.3")
def test_target(): ...

@other("1.4")
def test_of_another_book(): ...

@pytest.mark.parametrize("x", [pytest.param(1, marks=rule("1.3"))])
def test_each(x): ...

@rule("1.1")
class TestMore:
    def test_it(self): ...
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "src" / "opfire" / "rulesets" / "duel"
    (folder / "data").mkdir(parents=True)
    (folder / "rules.csv").write_text(RULES)
    (folder / "play.py").write_text(CODE)
    (folder / "data" / "aim.csv").write_text("aim,source,rule\n1,own,1.2\n2,own,1.2\n3,own,1.0\n")
    return folder


@pytest.fixture
def tests(tmp_path: Path) -> Path:
    folder = tmp_path / "tests"
    (folder / "rules" / "duel" / "cases").mkdir(parents=True)
    (folder / "test_duel.py").write_text(TESTS)
    (folder / "rules" / "duel" / "test_01_shots.py").write_text(
        'from rules.duel.drawing import rule\npytestmark = rule("1.1")\n@rule("1.2")\ndef test_aim(): ...\n'
    )
    (folder / "rules" / "duel" / "cases" / "wind.toml").write_text('ruleset = "duel"\nrules = ["1.4"]\n')
    (folder / "rules" / "duel" / "cases" / "else.toml").write_text('ruleset = "another"\nrules = ["1.1"]\n')
    return folder


def test_where_rules_are_implemented(package: Path) -> None:
    assert coverage.implemented(package) == {
        "1.1": ["play.py:4", "play.py:7"],
        "1.2": ["data/aim.csv:2"],
        "1.0": ["data/aim.csv:4"],
        "1.3": ["play.py:12"],
    }


def test_rules_of_a_book_without_numbers_have_ids_of_letters(tmp_path: Path) -> None:
    lines = ("rule,title,level,kind,statement", "COM-1,Odds,basic,mechanic,Odds", "DF-3,Range,basic,mechanic,Range")
    (tmp_path / "rules.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    code = 'def column(odds):\n    """The column [COM-1]: RULINGS.md R31."""\n    return Refusal("too far", "DF-3")\n'
    (tmp_path / "combat.py").write_text(code, encoding="utf-8")
    assert coverage.implemented(tmp_path) == {"COM-1": ["combat.py:1"], "DF-3": ["combat.py:3"]}


def test_which_tests_cite_rules(tests: Path) -> None:
    assert coverage.citing(tests, "duel") == {
        "1.1": ["rules/duel/test_01_shots.py::pytestmark", "test_duel.py::test_shot", "test_duel.py::TestMore"],
        "1.2": ["rules/duel/test_01_shots.py::test_aim", "test_duel.py::test_shot"],
        "1.3": ["test_duel.py::test_target", "test_duel.py::test_each"],
        "1.4": ["rules/duel/cases/wind.toml"],
    }


def test_what_is_missing_and_why(package: Path, tests: Path) -> None:
    ruleset = duel.ruleset(package, missing={"1.5": "the text is lost"})
    reached = {
        "1.1": ["tests/test_duel.py::test_shot"],
        "1.4": ["tests/rules/test_cases.py::test_case[wind]"],
    }
    found = coverage.coverage(ruleset, coverage.citing(tests, "duel"), reached)
    assert found.to_json() == {
        "ruleset": "duel",
        "rows": 7,
        "mechanics": 5,
        "implemented": 3,
        "tested": 2,
        "missing": [
            {
                "rule": "1.2",
                "reason": "its tests do not reach it: rules/duel/test_01_shots.py::test_aim, test_duel.py::test_shot",
            },
            {
                "rule": "1.3",
                "reason": "its tests do not reach it: test_duel.py::test_target, test_duel.py::test_each",
            },
            {"rule": "1.4", "reason": "no code implements it"},
            {"rule": "1.5", "reason": "the text is lost"},
        ],
    }
    assert not found.complete


def test_a_rule_declared_missing_counts_neither_as_implemented_nor_as_tested(package: Path, tests: Path) -> None:
    ruleset = duel.ruleset(package, missing={"1.1": "half of it is to come"})
    reached = {"1.1": ["tests/test_duel.py::test_shot"]}
    found = coverage.coverage(ruleset, coverage.citing(tests, "duel"), reached).to_json()
    assert (found["implemented"], found["tested"]) == (2, 0)
    assert found["missing"][0] == {"rule": "1.1", "reason": "half of it is to come"}


def test_a_rule_that_nobody_cites(package: Path) -> None:
    found = coverage.coverage(duel.ruleset(package), {}, {})
    assert {row.rule: row.missing for row in found.gaps}["1.1"] == "no test cites it"


def test_only_what_the_ruleset_declares_may_be_missing(package: Path) -> None:
    lost = dict.fromkeys(("1.2", "1.3", "1.4", "1.5"), "lost")
    reached = {"1.1": ["a test"]}
    assert coverage.coverage(duel.ruleset(package, missing=lost), reached, reached).complete
    del lost["1.3"]
    assert not coverage.coverage(duel.ruleset(package, missing=lost), reached, reached).complete


def test_a_rule_that_is_in_no_book_must_not_be_cited(package: Path) -> None:
    with pytest.raises(BadInput, match=r"test_x.py::test_y: rule 7\.7"):
        coverage.coverage(duel.ruleset(package), {"7.7": ["test_x.py::test_y"]}, {})


def noted(root: Path, worker: str, stamp: str, whole: dict[str, list[str]], reached: dict[str, list[str]]) -> None:
    tests = {test: {"duel": rules} for test, rules in reached.items()}
    path = root / "tests" / f".evidence-{worker}.json"
    path.write_bytes(msgspec.json.encode(coverage.Noted(stamp, whole, tests)))


def test_notes_of_all_processes_are_put_together(package: Path, tests: Path, tmp_path: Path) -> None:
    now = coverage.stamp(tmp_path)
    noted(tmp_path, "gw0", now, {"test_duel.py": ["a", "b"]}, {"a": ["1.1"]})
    noted(tmp_path, "gw1", now, {"test_duel.py": ["a", "b"]}, {"b": ["1.1", "1.3"]})
    noted(tmp_path, "gw2", "an earlier state", {}, {"c": ["1.2"]})
    (tests / ".evidence-gw3.json").write_text("half a fi")
    assert coverage.reaching(coverage.evidence(tmp_path), "duel") == {"1.1": ["a", "b"], "1.3": ["b"]}


def test_tests_run_again_when_sources_or_tests_changed(package: Path, tests: Path, tmp_path: Path) -> None:
    def to_run() -> list[str]:
        return coverage.unproved(coverage.evidence(tmp_path), tests, "duel", ["1.3", "1.4"])

    assert to_run() == ["rules/test_cases.py", "test_duel.py"]
    now = coverage.stamp(tmp_path)
    noted(tmp_path, "main", now, {"test_duel.py": ["a", "b"], "rules/test_cases.py": ["c"]}, {"a": [], "c": []})
    assert to_run() == ["test_duel.py"]  # b has not passed
    noted(tmp_path, "main", now, {"test_duel.py": ["a"], "rules/test_cases.py": ["c"]}, {"a": [], "c": []})
    assert to_run() == []
    (package / "play.py").write_text(CODE + "# another line\n")
    assert to_run() == ["rules/test_cases.py", "test_duel.py"]
