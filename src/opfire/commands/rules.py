"""`opfire rules coverage` and `opfire mutants`: the rules implemented, and the tests that hold them."""

from __future__ import annotations

import argparse
import ast
import importlib.util
import os
import random
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
from rich.console import Console

import opfire
from opfire.commands.pool import cores
from opfire.commands.terminal import FAILS, HOLDS, Commands, Parser, answer, command, progress, remark, table
from opfire.core import ruleset as rulesets
from opfire.core.coverage import (
    Coverage,
    Noted,
    citing,
    coverage,
    evidence,
    implemented,
    keep,
    kept,
    reaching,
    stamp,
    unproved,
)
from opfire.core.errors import BadInput
from opfire.core.instrument import citing_functions
from opfire.core.rulebook import rules
from opfire.core.ruleset import Ruleset, find

ROOT = Path(opfire.__file__).parents[2]
"""The checkout, when this is one; a wheel has no tests."""

PATIENCE_S = 120
"""How long a single test may take without a rule: a game that has lost its turns goes on for ever."""


def register(commands: Commands) -> None:
    """Add both commands."""
    about = "the coverage of a rulebook's rules"
    group = commands.add_parser("rules", help=about, description=about[:1].upper() + about[1:] + ".")
    inner: Commands = group.add_subparsers(required=True, metavar="COMMAND", parser_class=Parser)
    about = "run the tests that cite a rule, and tell where each rule is implemented and tested"
    parser = command(inner, "coverage", run_coverage, about)
    parser.add_argument("ruleset", nargs="?", metavar="RULESET", help="by default all rulesets")
    parser.add_argument("--missing", action="store_true", help="list only the missing rules, with the reason")
    either = parser.add_mutually_exclusive_group()
    either.add_argument("--markdown", action="store_true", help="print a page for the site; run no tests")
    either.add_argument("--last", action="store_true", help="print the figures of the last time; run no tests")
    about = "take rules out one by one, and change functions that cite rules: a test must fail each time"
    parser = command(commands, "mutants", run_mutants, about)
    parser.add_argument("ruleset", metavar="RULESET")
    parser.add_argument("--rule", action="append", metavar="N", help="only this rule; may be repeated")
    parser.add_argument("--sample", type=int, metavar="K", help="only K rules, drawn at random")
    parser.add_argument(
        "--seed", type=int, default=1, metavar="S", help="for --sample, and for the change in a function"
    )
    parser.add_argument("--only", choices=("rules", "changes"), help="only the rules, or only the changes")


def chosen(name: str | None) -> list[Ruleset]:
    """The ruleset of that name, or all."""
    return [find(name)] if name else list(rulesets.installed().values())


# --- coverage --------------------------------------------------------------------------------------


def run_coverage(args: argparse.Namespace) -> int:
    """Count the rules; status 1 when a mechanic is missing that the ruleset does not declare missing itself."""
    count = last if args.last else cited_only if args.markdown else measured
    found = [count(ruleset) for ruleset in chosen(args.ruleset)]
    if args.markdown:
        print("\n".join(line for one in found for line in page(one)))
        return HOLDS
    data = [one.to_json() for one in found]

    def words(console: Console) -> None:
        for one in found:
            _print(console, one, everything=not args.missing)

    # one object for each ruleset: the object itself if only one was counted
    answer(args, data[0] if len(data) == 1 else {"rulesets": data}, words)
    return HOLDS if all(one.complete for one in found) else FAILS


def measured(ruleset: Ruleset) -> Coverage:
    """The coverage of a ruleset, after a run of the tests that have no notes; the figures are kept."""
    if not (ROOT / "tests").is_dir():
        return cited_only(ruleset)
    prove_rules(ruleset)
    found = cited_only(ruleset)
    keep(ROOT, found)
    return found


def cited_only(ruleset: Ruleset) -> Coverage:
    """The coverage of a ruleset by the notes that there are."""
    if not (ROOT / "tests").is_dir():
        return coverage(ruleset, {}, {})
    return coverage(ruleset, citing(ROOT / "tests", ruleset.id), reaching(evidence(ROOT), ruleset.id))


def last(ruleset: Ruleset) -> Coverage:
    """The coverage of a ruleset as it was counted last. Raises BadInput when it never was."""
    figures = kept(ROOT, ruleset.id)
    if figures.stamp != stamp(ROOT):
        remark(f"the figures of {ruleset.id} are of older sources: the rules or the tests have changed since")
    return figures.coverage


def prove_rules(ruleset: Ruleset) -> Noted:
    """Run the tests that cite a mechanic and have no notes about these sources yet."""
    wanted = [rule.rule for rule in rules(ruleset.package).values() if rule.kind == "mechanic"]
    files = unproved(evidence(ROOT), ROOT / "tests", ruleset.id, wanted)
    files = [file for file in files if (ROOT / "tests" / file).exists()]
    if not files:
        remark(f"the tests that cite {ruleset.id} have run on these sources: their notes are used")
    else:
        remark(f"running the tests that cite {ruleset.id}: {len(files)} files (--last runs none)")
        done = _pytest(["-q", *_parallel(), *(f"tests/{file}" for file in files)], {})
        if done.returncode not in (0, 5):
            remark("some of them failed: " + (done.stdout.strip().splitlines() or [done.stderr.strip()])[-1])
    return evidence(ROOT)


def _parallel() -> list[str]:
    return ["-n", str(cores())] if importlib.util.find_spec("xdist") else []


def _pytest(arguments: list[str], environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    plain = {key: value for key, value in os.environ.items() if key not in ("OPFIRE_WITHOUT_RULE", "OPFIRE_CHANGED")}
    return subprocess.run(command, cwd=ROOT, env={**plain, **environment}, capture_output=True, text=True, check=False)


def _print(console: Console, found: Coverage, everything: bool) -> None:
    data = found.to_json()
    console.print(f"{found.title} ({found.ruleset})")
    if everything:
        rows = [(row.rule, row.kind, row.title, _first(row.implemented), _first(row.reached)) for row in found.rows]
        console.print(table("rule", "kind", "title", "implemented", "tested", rows=rows))
    if found.gaps:
        gaps = [(row.rule, row.title, row.missing) for row in found.gaps]
        console.print(table("missing", "title", "why", rows=gaps))
    console.print(
        f"{data['rows']} rules, {data['mechanics']} mechanics: "
        f"{data['implemented']} implemented, {data['tested']} tested, {len(found.gaps)} missing"
    )


def _first(places: tuple[str, ...]) -> str:
    more = f" and {len(places) - 1} more" if len(places) > 1 else ""
    return places[0].removeprefix("tests/") + more if places else ""


def page(found: Coverage) -> Iterator[str]:
    """The coverage as a page of the site."""
    data = found.to_json()
    yield f"# {found.title}: rules coverage\n"
    yield f"{data['rows']} numbered rules; {data['mechanics']} are mechanics, which need code and a test."
    yield "These tests cite them; `opfire rules coverage` checks that they also reach them.\n"
    if found.gaps:
        yield "## Missing\n\n| rule | title | why |\n| --- | --- | --- |"
        yield from (f"| {row.rule} | {row.title} | {row.missing} |" for row in found.gaps if row.declared)
        yield ""
    yield "## Every rule\n\n| rule | title | kind | implemented | tests |\n| --- | --- | --- | --- | --- |"
    for row in found.rows:
        tests = ", ".join(f"`{test}`" for test in row.cited[:3]) + (" …" if len(row.cited) > 3 else "")
        code = ", ".join(f"`{place}`" for place in row.implemented[:3]) + (" …" if len(row.implemented) > 3 else "")
        yield f"| {row.rule} | {row.title} | {row.kind} | {code} | {tests} |"
    yield ""


# --- mutants ---------------------------------------------------------------------------------------


class Change(msgspec.Struct, frozen=True):
    """One comparison or number of a function, changed: its place, the change in words, the rules that it cites."""

    place: str
    change: str
    rules: tuple[str, ...]
    spell: str
    """The value of OPFIRE_CHANGED."""


def run_mutants(args: argparse.Namespace) -> int:
    """Take each rule out, change each function that cites one, and run the tests that reach them.

    Status 1 when no test fails for a rule; a change may survive because it changes nothing.
    """
    ruleset = find(args.ruleset)
    if not (ROOT / "tests").is_dir():
        raise BadInput("there are no tests here", "mutants", "a checkout of the sources")
    picked = _picked(args, ruleset)
    tests = reaching(prove_rules(ruleset), ruleset.id)
    untested = [rule for rule in picked if rule not in tests]
    tested = [rule for rule in picked if rule in tests]
    rows = [(rule, {"OPFIRE_WITHOUT_RULE": rule}, tests[rule]) for rule in tested if args.only != "changes"]
    survivors = list(_unnoticed(rows, "rules taken out"))
    changes = _changes(ruleset, tested, args.seed) if args.only != "rules" else []
    at = {change.spell: change for change in changes}
    spelt = [(one.spell, {"OPFIRE_CHANGED": one.spell}, _tests_of(one, tests)) for one in changes]
    alive = [at[spell] for spell in _unnoticed(spelt, "functions changed")]
    data = {
        "ruleset": ruleset.id,
        "mutants": len(rows),
        "killed": len(rows) - len(survivors),
        "survivors": survivors,
        "untested": untested,
    }
    if changes:
        told = [{"place": one.place, "change": one.change, "rules": one.rules} for one in alive]
        data["changes"] = {"mutants": len(changes), "killed": len(changes) - len(alive), "survivors": told}

    def words(console: Console) -> None:
        titles = rules(ruleset.package)
        for rule in survivors:
            console.print(f"{rule} {titles[rule].title}: taken out, and no test notices ({_first(tuple(tests[rule]))})")
        for rule in untested:
            console.print(f"{rule} {titles[rule].title}: no test reaches it")
        for one in alive:
            console.print(f"{one.place} [{', '.join(one.rules)}]: {one.change}, and no test notices")
        console.print(f"{data['killed']} of {data['mutants']} rules are missed when they are taken out")
        if changes:
            console.print(
                f"{len(changes) - len(alive)} of {len(changes)} changes in functions that cite rules are noticed"
            )

    answer(args, data, words)
    return FAILS if survivors or untested else HOLDS


Mutant = tuple[str, Mapping[str, str], list[str]]
"""A mutant: its name, the environment in which the tests import it, and the tests that should notice."""


def _unnoticed(mutants: Sequence[Mutant], what: str) -> Iterator[str]:
    """The names of the mutants that no test notices."""
    with ThreadPoolExecutor(cores()) as pool:
        seen = pool.map(lambda mutant: noticed(mutant[0], mutant[1], mutant[2]), mutants)
        for (name, _, _), noticed_it in progress(zip(mutants, seen, strict=True), len(mutants), what):
            if not noticed_it:
                remark(f"{name}: no test notices ({what})")
                yield name


def _changes(ruleset: Ruleset, picked: Sequence[str], seed: int) -> list[Change]:
    """One change for each function that cites one of these rules and has anything to change, drawn by the seed."""
    found: list[Change] = []
    for path in sorted(ruleset.package.rglob("*.py")):
        name = path.relative_to(ruleset.package).as_posix()
        module = ".".join((*_MODULES, ruleset.package.name, *path.relative_to(ruleset.package).with_suffix("").parts))
        for function in citing_functions(ast.parse(path.read_text(encoding="utf-8"))):
            cites = tuple(rule for rule in function.rules if rule in picked)
            if cites and function.changes:
                at = random.Random(f"{seed} {name} {function.name}").randrange(len(function.changes))
                place = f"{name}:{function.line} {function.name}"
                found.append(Change(place, function.changes[at], cites, f"{module}:{function.name}:{at}"))
    return found


_MODULES = ("opfire", "rulesets")


def _tests_of(change: Change, tests: Mapping[str, list[str]]) -> list[str]:
    return list(dict.fromkeys(test for rule in change.rules for test in tests[rule]))


def _picked(args: argparse.Namespace, ruleset: Ruleset) -> list[str]:
    """The mechanics to take out: those named, or a sample, or all implemented ones."""
    known, places = rules(ruleset.package), implemented(ruleset.package)
    for rule in args.rule or ():
        if rule not in known:
            raise BadInput(f"there is no rule {rule!r}", "--rule", f"a number of {ruleset.id}'s rules.csv")
    mechanics = [
        number
        for number, rule in known.items()
        if rule.kind == "mechanic" and number in places and number not in ruleset.missing
    ]
    picked = args.rule or mechanics
    if args.sample is None:
        return picked
    drawn = set(random.Random(args.seed).sample(picked, min(args.sample, len(picked))))
    return [rule for rule in picked if rule in drawn]


def noticed(name: str, environment: Mapping[str, str], tests: list[str]) -> bool:
    """Whether one of these tests fails, or never ends, with a mutant."""
    limit = ["-o", f"faulthandler_timeout={PATIENCE_S}", "-o", "faulthandler_exit_on_timeout=true"]
    done = _pytest(["-x", "-q", "-p", "no:xdist", *limit, *tests], environment)
    if done.returncode in (0, 1):
        return done.returncode == 1
    if "Error" in done.stdout:  # the ruleset cannot even be imported
        return True
    raise BadInput(
        f"pytest gave up on {name}: {done.stderr.strip() or done.stdout.strip()}", "mutants", "tests that run"
    )
