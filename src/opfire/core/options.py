"""A scenario with other optional rules than its own."""

from __future__ import annotations

import re

import msgspec

from opfire.core import scenario as scenarios
from opfire.core.errors import BadInput
from opfire.core.rulebook import readings
from opfire.core.ruleset import find

OPTIONS = re.compile(r"^options\s*=\s*\[[^\]]*\][^\n]*\n?", re.MULTILINE)


def every_option(ruleset: str) -> list[str]:
    """The numbers of all optional rules of the ruleset with this id. Raises BadInput for an unknown ruleset."""
    return [option.rule for option in find(ruleset).options]


def plain_options(ruleset: str) -> list[str]:
    """All optional rules but the other readings of unclear rules, each of which keeps a reading of ours out of play.

    Raises BadInput for an unknown ruleset.
    """
    other = readings(find(ruleset).package)
    return [rule for rule in every_option(ruleset) if rule not in other]


def with_options(text: str, chosen: list[str]) -> str:
    """The scenario file with these options instead of its own. Raises BadInput for an unknown option."""
    scenario = scenarios.parse(text, "scenario")
    known = every_option(scenario.ruleset)
    for rule in chosen:
        if rule not in known:
            raise BadInput(f"the option {rule!r} does not exist", "options", "one of " + ", ".join(known))
    if set(chosen) == set(scenario.options):
        return text
    wanted = msgspec.json.encode([rule for rule in known if rule in chosen]).decode()
    changed = f"options = {wanted}\n" + OPTIONS.sub("", text, count=1)
    found = scenarios.parse(changed, "scenario")
    if set(found.options) != set(chosen):
        raise BadInput("the options of this scenario cannot be changed", "options", "its own options")
    return changed
