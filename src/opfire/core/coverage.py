"""The place that implements each rule of a rulebook, the tests that hold it, or the reason that neither is needed.

Implemented: code cites the number (in a refusal, a line, a docstring in brackets, a frame's `rule`), or a
row of a table does. Tested: a test that cites it has reached it while it ran (see `opfire.core.instrument`);
the tests note that in files beside them, and `Evidence` reads them.
"""

from __future__ import annotations

import ast
import hashlib
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from opfire.core.errors import BadInput
from opfire.core.instrument import cited
from opfire.core.rulebook import Rule, rules
from opfire.core.ruleset import Ruleset

EVIDENCE = ".evidence-*.json"
"""The files beside the tests in which the tests note the rules that they reached."""

Places = dict[str, list[str]]


class Row(msgspec.Struct, frozen=True):
    """One rule: its implementation, the tests that cite it, those that reached it, and the gap.

    `missing` is empty when there is no gap; `declared` is true when the ruleset itself declares the rule missing. A
    declared rule is neither implemented nor tested, although code and tests may name it.
    """

    rule: str
    title: str
    kind: str
    implemented: tuple[str, ...]
    cited: tuple[str, ...]
    reached: tuple[str, ...]
    missing: str = ""
    declared: bool = False


class Coverage(msgspec.Struct, frozen=True):
    """The coverage of one rulebook, in the book's order."""

    ruleset: str
    title: str
    rows: tuple[Row, ...]

    @property
    def mechanics(self) -> list[Row]:
        """The rules that need an implementation and a test."""
        return [row for row in self.rows if row.kind == "mechanic"]

    @property
    def gaps(self) -> list[Row]:
        """The mechanics without an implementation or a test."""
        return [row for row in self.mechanics if row.missing]

    @property
    def complete(self) -> bool:
        """Whether every gap is one that the ruleset declares itself."""
        return all(row.declared for row in self.gaps)

    def to_json(self) -> dict[str, Any]:
        """The counts, and the missing rules with their reasons."""
        return {
            "ruleset": self.ruleset,
            "rows": len(self.rows),
            "mechanics": len(self.mechanics),
            "implemented": sum(bool(row.implemented) for row in self.mechanics),
            "tested": sum(bool(row.reached) for row in self.mechanics),
            "missing": [{"rule": row.rule, "reason": row.missing} for row in self.gaps],
        }


# --- implementation --------------------------------------------------------------------------------


def implemented(package: Path) -> Places:
    """The places (`file:line`, in order) where the code and tables of a package cite each of its rules."""
    known, places = rules(package), Places()
    for path in sorted(package.rglob("*.py")):
        name = path.relative_to(package).as_posix()
        for number, line in _code(path.read_text(encoding="utf-8")):
            if number in known:
                places.setdefault(number, []).append(f"{name}:{line}")
    for path in sorted((package / "data").glob("*.csv")):
        for number, line in _table(path):
            if number in known:
                places.setdefault(number, []).append(f"data/{path.name}:{line}")
    return {number: list(dict.fromkeys(found)) for number, found in places.items()}


def _code(text: str) -> Iterator[tuple[str, int]]:
    """The numbers that a module may cite, with their lines: as values, or in brackets in docstrings.

    A module's docstring names its chapter; that implements no rule.
    """
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value, node.lineno
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield from ((number, node.lineno) for number in cited(ast.get_docstring(node)))


def _table(path: Path) -> Iterator[tuple[str, int]]:
    heading, *lines = path.read_text(encoding="utf-8").splitlines()
    if "rule" not in heading.split(","):
        return
    column = heading.split(",").index("rule") - len(heading.split(","))
    seen = set()
    for number, line in enumerate(lines, 2):
        rule = line.split(",")[column]
        if rule not in seen:  # the first row stands for all
            seen.add(rule)
            yield rule, number


# --- tests -----------------------------------------------------------------------------------------


def citing(tests: Path, ruleset: str) -> Places:
    """The tests that cite each rule of the ruleset: `file::test`, or the case file."""
    places = Places()
    for path in sorted(tests.rglob("*.py")):
        name = path.relative_to(tests).as_posix()
        # tests of a rulebook share one `rule`, which they import
        shared = {"rule"} if f"rules/{ruleset.replace('-', '_')}/" in name else set()
        for number, test in _marks(path.read_text(encoding="utf-8"), ruleset, shared):
            places.setdefault(number, []).append(f"{name}::{test}")
    for path in sorted(tests.glob("rules/*/cases/*.toml")):
        case = tomllib.loads(path.read_text(encoding="utf-8"))
        if case.get("ruleset") == ruleset:
            for number in case.get("rules", ()):
                places.setdefault(number, []).append(path.relative_to(tests).as_posix())
    return places


def _marks(text: str, ruleset: str, shared: set[str]) -> Iterator[tuple[str, str]]:
    if ruleset not in text and not shared:
        return
    tree = ast.parse(text)
    aliases = shared | {
        target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and _is_alias(node.value, ruleset)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            # marks of single parameters are inside parametrize
            marks = (part for decorator in node.decorator_list for part in ast.walk(decorator))
            yield from ((number, node.name) for mark in marks for number in _numbers(mark, aliases, ruleset))
        elif isinstance(node, ast.Assign) and "pytestmark" in map(ast.unparse, node.targets):
            marks = (part for part in ast.walk(node.value))
            yield from ((number, "pytestmark") for mark in marks for number in _numbers(mark, aliases, ruleset))


def _is_alias(node: ast.expr, ruleset: str) -> bool:
    return (
        isinstance(node, ast.Call)
        and ast.unparse(node.func).endswith("partial")
        and [ast.unparse(part) for part in node.args] == ["pytest.mark.rule", repr(ruleset)]
    )


def _numbers(node: ast.AST, aliases: set[str], ruleset: str) -> list[str]:
    if not isinstance(node, ast.Call):
        return []
    texts = [part.value for part in node.args if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    if ast.unparse(node.func) == "pytest.mark.rule":
        return texts[1:] if texts[:1] == [ruleset] else []
    return texts if isinstance(node.func, ast.Name) and node.func.id in aliases else []


# --- evidence --------------------------------------------------------------------------------------


class Noted(msgspec.Struct):
    """The notes of one process of a test run.

    `stamp` is the state of sources and tests that it ran on; `whole` the test files that it ran from top to
    bottom, with their tests; `tests` for each test that passed the rules that it cites and reached.
    """

    stamp: str
    whole: dict[str, list[str]] = msgspec.field(default_factory=dict)
    tests: dict[str, dict[str, list[str]]] = msgspec.field(default_factory=dict)


def stamp(root: Path) -> str:
    """A fingerprint of everything that decides which rules the tests reach: rulesets, kernel, space, tests."""
    digest = hashlib.blake2b(digest_size=8)
    folders = [root / "src" / "opfire" / name for name in ("core", "space", "rulesets")] + [root / "tests"]
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix in (".py", ".csv", ".toml") and path.is_file():
                digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def evidence(root: Path) -> Noted:
    """The notes of the tests about the sources as they are now; stale notes are left out."""
    now = stamp(root)
    found = Noted(now)
    for path in sorted((root / "tests").glob(EVIDENCE)):
        try:
            noted = msgspec.json.decode(path.read_bytes(), type=Noted)
        except (OSError, msgspec.MsgspecError):
            continue
        if noted.stamp == now:
            found.whole |= noted.whole
            found.tests |= noted.tests
    return found


class Figures(msgspec.Struct, frozen=True):
    """The coverage of a rulebook as it was counted last, and the state of sources and tests that it was counted on."""

    stamp: str
    coverage: Coverage


def keep(root: Path, found: Coverage) -> None:
    """Keep the figures of a rulebook beside the tests."""
    figures = Figures(stamp(root), found)
    _figures_of(root, found.ruleset).write_bytes(msgspec.json.encode(figures))


def kept(root: Path, ruleset: str) -> Figures:
    """The figures of a rulebook that were kept last. Raises BadInput when none were."""
    path = _figures_of(root, ruleset)
    try:
        return msgspec.json.decode(path.read_bytes(), type=Figures)
    except (OSError, msgspec.MsgspecError):
        expected = f"`opfire rules coverage {ruleset}` first, which runs the tests"
        raise BadInput(f"no figures of {ruleset} are kept", "--last", expected) from None


def _figures_of(root: Path, ruleset: str) -> Path:
    return root / "tests" / f".figures-{ruleset}.json"


def unproved(found: Noted, tests: Path, ruleset: str, numbers: Iterable[str]) -> list[str]:
    """The test files that must run before these rules can be judged."""
    places = citing(tests, ruleset)
    files = {place.partition("::")[0] for number in numbers for place in places.get(number, ())}
    runners = {"rules/test_cases.py" if file.endswith(".toml") else file for file in files}
    return sorted(file for file in runners if not _ran(found, file))


def _ran(found: Noted, file: str) -> bool:
    tests = found.whole.get(file)
    return tests is not None and all(test in found.tests for test in tests)


def reaching(found: Noted, ruleset: str) -> Places:
    """For each rule, the tests that cite it and reached it."""
    places = Places()
    for test, sets in sorted(found.tests.items()):
        for number in sets.get(ruleset, ()):
            places.setdefault(number, []).append(test)
    return places


def coverage(ruleset: Ruleset, cites: Places, reached: Places) -> Coverage:
    """The coverage of a rulebook, given the tests that cite each rule and those that reached it."""
    places = implemented(ruleset.package)
    _only_known(cites, ruleset)
    return Coverage(
        ruleset.id,
        ruleset.title,
        tuple(
            _missing(rule, ruleset.missing[rule.rule])
            if rule.rule in ruleset.missing
            else _row(rule, places, cites, reached)
            for rule in rules(ruleset.package).values()
        ),
    )


def _only_known(cites: Places, ruleset: Ruleset) -> None:
    """Reject a test that cites a rule missing from the book."""
    for number, tests in cites.items():
        if number not in rules(ruleset.package):
            raise BadInput(f"rule {number} does not exist", tests[0], f"a number of {ruleset.id}'s rules.csv")


def _missing(rule: Rule, reason: str) -> Row:
    """The row of a rule that the ruleset declares missing."""
    return Row(rule.rule, rule.title, rule.kind, (), (), (), reason, declared=True)


def _row(rule: Rule, places: Places, cites: Places, reached: Places) -> Row:
    here, cited_by, reached_by = (found.get(rule.rule, []) for found in (places, cites, reached))
    missing = _lack(here, cited_by, reached_by) if rule.kind == "mechanic" else ""
    return Row(rule.rule, rule.title, rule.kind, tuple(here), tuple(cited_by), tuple(reached_by), missing)


def _lack(here: list[str], cited_by: list[str], reached_by: list[str]) -> str:
    if not here:
        return "no code implements it"
    if not cited_by:
        return "no test cites it"
    if not reached_by:
        return "its tests do not reach it: " + ", ".join(cited_by[:3])
    return ""
