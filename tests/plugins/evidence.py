"""Notes which of the rules that a test cites it reached while it ran, for `opfire rules coverage`.

With OPFIRE_WITHOUT_RULE set to a rule number the rulesets are imported without that rule instead
(`opfire mutants`); with OPFIRE_CHANGED set to `MODULE:FUNCTION:INDEX` that module is imported with one change.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from opfire.core import instrument
from opfire.core.coverage import Noted, stamp

TESTS = Path(__file__).parent.parent
REMOVED = os.environ.get("OPFIRE_WITHOUT_RULE", "")
NOTES = pytest.StashKey[Noted]()
PASSED = pytest.StashKey[bool]()

CHANGED = os.environ.get("OPFIRE_CHANGED", "")


def installed() -> list[str]:
    """Import the rulesets in the form that is asked for; the modules that were imported before."""
    if CHANGED:
        module, function, index = CHANGED.split(":")
        return instrument.install(instrument.changing(function, int(index)), module)
    return instrument.install(instrument.removing(REMOVED) if REMOVED else instrument.noting)


LATE = installed()


def cites(item: pytest.Item) -> dict[str, set[str]]:
    """The rules that a test cites, by ruleset."""
    found: dict[str, set[str]] = {}
    for mark in item.iter_markers("rule"):
        found.setdefault(mark.args[0], set()).update(mark.args[1:])
    return found


def file_of(item: pytest.Item) -> str:
    return item.path.relative_to(TESTS).as_posix() if item.path.is_relative_to(TESTS) else str(item.path)


def pytest_configure(config: pytest.Config) -> None:
    if LATE:
        raise pytest.UsageError(f"imported before its rules could be noted: {', '.join(LATE)}")
    config.stash[NOTES] = Noted(stamp(TESTS.parent))


def pytest_collection_finish(session: pytest.Session) -> None:
    """The files that run from top to bottom; none if tests were picked by name."""
    config = session.config
    marked = config.option.markexpr not in ("", "not soak")
    if marked or config.option.keyword or any("::" in argument for argument in config.args):
        return
    whole = config.stash[NOTES].whole
    for item in session.items:
        if cites(item):
            whole.setdefault(file_of(item), []).append(item.nodeid)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    cited = cites(item)
    if not cited:
        return (yield)
    with instrument.noted() as seen:
        result = yield
    if item.stash.get(PASSED, False):
        reached = {ruleset: sorted(numbers & seen) for ruleset, numbers in cited.items()}
        item.config.stash[NOTES].tests[item.nodeid] = reached
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[pytest.TestReport]:
    report = yield
    item.stash[PASSED] = report.passed and item.stash.get(PASSED, True)
    return report


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Add what was noted to the file of this process, unless the rulesets were not whole."""
    notes = session.config.stash.get(NOTES, None)
    if REMOVED or CHANGED or notes is None or not (notes.tests or notes.whole):
        return
    worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
    path = TESTS / f".evidence-{worker}.json"
    try:
        before = msgspec.json.decode(path.read_bytes(), type=Noted)
    except (OSError, msgspec.MsgspecError):
        before = Noted("")
    if before.stamp == notes.stamp:
        notes.whole, notes.tests = before.whole | notes.whole, before.tests | notes.tests
    path.write_bytes(msgspec.json.encode(notes))
