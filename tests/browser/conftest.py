"""A server for the whole run, a server that may be restarted, and pages at their tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, BrowserType, Page, expect

from browser.chromium import CHROMIUM
from browser.host import Host
from browser.table import Table

PATIENCE_MS = 30_000
"""How long a page may take for anything: far more than it needs, for a machine that is busy."""

expect.set_options(timeout=PATIENCE_MS)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A browser test that fails is tried once more, and counted at the end as rerun.

    On a busy machine a click may fall between two frames; what is really broken fails twice.
    """
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """A desk's screen, and nothing that glides while it is to be clicked."""
    return {**browser_context_args, "viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"}


@pytest.fixture(scope="session")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """A server for all tests that only need one: every game is its own."""
    yield from _running(Host(tmp_path_factory.mktemp("host") / "opfire.sqlite"))


@pytest.fixture
def own_host(tmp_path: Path) -> Iterator[Host]:
    """A server that a test has to itself, to do with as it likes."""
    yield from _running(Host(tmp_path / "opfire.sqlite"))


def _running(host: Host) -> Iterator[Host]:
    host.start()
    yield host
    host.kill()


@pytest.fixture
def at_table(request: pytest.FixtureRequest) -> Iterator[Callable[[Page, Host], Table]]:
    """Puts a page at a table; no script may have failed on it when the test ends.

    Of a test that fails a second time the pages' doings are kept in `test-results/`, for `playwright show-trace`; the
    first try is traced only with `--tracing=retain-on-failure`, since a trace doubles the work of every click.
    """
    tables: list[Table] = []
    second = getattr(request.node, "execution_count", 1) > 1
    traces = second and request.config.getoption("--tracing") == "off"

    def at(page: Page, host: Host) -> Table:
        page.set_default_timeout(PATIENCE_MS)
        if traces:
            page.context.tracing.start(snapshots=True)
        tables.append(Table(page, host))
        return tables[-1]

    yield at
    for number, table in enumerate(tables):
        if traces:
            failed = table.failures or not _passed(request.node)
            table.page.context.tracing.stop(path=_trace(request, number) if failed else None)
        assert table.failures == []


def _passed(test: pytest.Item) -> bool:
    called = getattr(test, "rep_call", None)
    return called is not None and called.passed


def _trace(request: pytest.FixtureRequest, number: int) -> Path:
    """The file for the trace of a test's page."""
    name = re.sub(r"\W+", "-", request.node.nodeid.removeprefix("tests/")).strip("-")
    return Path(request.config.getoption("--output")) / name / f"trace-{number}.zip"


@pytest.fixture
def table(page: Page, host: Host, at_table: Callable[[Page, Host], Table]) -> Table:
    """One page."""
    return at_table(page, host)


@pytest.fixture
def other(
    page: Page, new_context: Callable[..., BrowserContext], host: Host, at_table: Callable[[Page, Host], Table]
) -> Table:
    """Another browser, which shares nothing with the first."""
    return at_table(new_context().new_page(), host)


@pytest.fixture
def table_with_windows(
    browser_type: BrowserType,
    browser_type_launch_args: dict[str, Any],
    browser_context_args: dict[str, Any],
    host: Host,
    at_table: Callable[[Page, Host], Table],
) -> Iterator[Table]:
    """A page in the Chromium that has windows, and so a viewer of PDF files."""
    with browser_type.launch(**{**browser_type_launch_args, "executable_path": str(CHROMIUM)}) as browser:
        yield at_table(browser.new_context(**browser_context_args).new_page(), host)
