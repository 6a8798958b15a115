"""A server that says nothing more: the table tells it, and what is done meanwhile waits for it."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from browser import positions
from browser.host import Host
from browser.table import Table

FIRST = "german-1"


@pytest.fixture
def silent(page: Page, own_host: Host, at_table: Callable[[Page, Host], Table]) -> Iterator[Table]:
    """A table at a server that can be made to stand still."""
    yield at_table(page, own_host)
    _tell(own_host, signal.SIGCONT)


def _tell(host: Host, what: signal.Signals) -> None:
    assert host.process is not None
    host.process.send_signal(what)


def test_a_silent_line_is_told_and_a_decision_waits_for_the_server(silent: Table) -> None:
    host = silent.host
    silent.sit(host.begin(positions.MEADOW, positions.vehicles), "german")
    silent.unit(FIRST).click()
    expect(silent.page.locator("polygon.reach").first).to_be_visible()
    silent.hex("2-S1").click()
    expect(silent.find("go")).to_be_visible()

    _tell(host, signal.SIGSTOP)
    expect(silent.find("line")).to_contain_text("No word from the server")
    silent.find("go").click()
    _tell(host, signal.SIGCONT)
    silent.stands_in(FIRST, "2-S1")
    expect(silent.find("line")).to_have_count(0)


def test_something_is_seen_before_the_first_line_of_script(page: Page, own_host: Host) -> None:
    page.route("**/*.js", lambda route: route.abort())
    page.goto(own_host.url)
    expect(page.get_by_text("Opfire")).to_be_visible()
    page.unroute("**/*.js")
    page.goto(own_host.url)
    expect(page.get_by_role("heading").first).to_be_visible()
    expect(page.locator(".boot")).to_have_count(0)
