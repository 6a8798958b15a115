"""The toys can be found like any installed ruleset; an installed one is held to the contract too."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from core import contract
from core.cases import CASES
from opfire.core import ruleset as registry
from opfire.core import scenario as scenarios


@pytest.fixture(autouse=True)
def toys() -> Iterator[None]:
    with contract.registered(*(case.ruleset for case in CASES.values())):
        yield


SHORT = {
    "case-orange": "mill-ford",
    "panzer-grenadier": "pg-sosnovka",
    "panzerblitz-miniatures": "mini-first-evening",
    "panzer": "panzer-first-duel",
    "micro-armour": "armour-pont-rouge",
}
"""The scenario of each installed ruleset in which random play is over after the fewest decisions, or nearly so."""


def installed(name: str) -> contract.Case:
    """The installed ruleset with a short one of its scenarios."""
    try:
        ruleset = registry.installed()[name]
    except (ImportError, AttributeError, KeyError) as error:
        pytest.skip(f"{name} cannot be imported: {error}")
    return contract.Case(ruleset, scenarios.text_of(SHORT[name]), most=20000, every=97)


@pytest.fixture(params=[*CASES, *SHORT])
def case(request: pytest.FixtureRequest) -> contract.Case:
    return CASES.get(request.param) or installed(request.param)
