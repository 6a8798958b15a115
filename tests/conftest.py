"""Fixtures for every test: Hypothesis without clocks, and the Chromium of the browser tests."""

from __future__ import annotations

import os
from collections.abc import Collection
from functools import cache
from typing import Any

import pytest
from hypothesis import settings

from browser.chromium import CHROMIUM, executable
from opfire.core.rulebook import rules
from opfire.core.ruleset import find

pytest_plugins = ("plugins.evidence",)

# A slow machine is no failure: examples are counted, never timed.
settings.register_profile("opfire", deadline=None, print_blob=True)
settings.load_profile("opfire")


def pytest_configure(config: pytest.Config) -> None:
    # Browser tests are for the Chromium that the system brings, never for one that is downloaded.
    os.environ.setdefault("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "page" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """A citation names its ruleset and at least one rule number, all as text, and the book has them.

    The test that cites wrongly fails: an error at collection would end the run without its reason, where several
    processes share the tests.
    """
    for mark in item.iter_markers("rule"):
        if len(mark.args) < 2 or not all(isinstance(number, str) for number in mark.args):
            pytest.fail('write @pytest.mark.rule("case-orange", "9.8.3")', pytrace=False)
        if unknown := [number for number in mark.args[1:] if number not in book(mark.args[0])]:
            pytest.fail(f"{mark.args[0]} has no rule {', '.join(unknown)}", pytrace=False)


@cache
def book(ruleset: str) -> Collection[str]:
    """The rule numbers of a ruleset's book."""
    return rules(find(ruleset).package)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Debian's Chromium, kept from calling anybody; without it the browser tests fail."""
    if (found := executable()) is None:
        pytest.fail(f"{CHROMIUM} is missing, and the browser tests need it: install the package chromium")
    return {
        **browser_type_launch_args,
        "executable_path": str(found),
        "args": [
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
        ],
    }
