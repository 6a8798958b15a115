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


def installed(name: str) -> contract.Case:
    """The installed ruleset with the shortest of its scenarios."""
    try:
        ruleset = registry.installed()[name]
    except (ImportError, AttributeError, KeyError) as error:
        pytest.skip(f"{name} cannot be imported: {error}")
    texts = [path.read_text(encoding="utf-8") for path in scenarios.files().values()]
    parsed = [(scenarios.parse(text, name), text) for text in texts if f'"{name}"' in text]
    whole = [(given, text) for given, text in parsed if not given.id.startswith("lesson-")]
    found = [(given.turns, given.id, text) for given, text in whole if given.ruleset == name]
    if not found:
        pytest.skip(f"{name} has no scenario")
    return contract.Case(ruleset, min(found)[2], most=20000, every=97)


@pytest.fixture(params=[*CASES, "case-orange", "panzer-grenadier", "panzerblitz-miniatures", "panzer", "micro-armour"])
def case(request: pytest.FixtureRequest) -> contract.Case:
    return CASES.get(request.param) or installed(request.param)
