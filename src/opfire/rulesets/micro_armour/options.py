"""Optional rules; off unless the scenario names them. The rules that are not built yet.

The effects of options live beside the rules that they change.
"""

from __future__ import annotations

from pathlib import Path

from opfire.core.rulebook import Rule, rules
from opfire.core.ruleset import Option

OPTIONS: tuple[Option, ...] = (
    Option("12.2.4", "Intuitive action", "A natural 1 moves a group of a steady force without spending the order."),
    Option("12.2.5", "Conflicting orders", "A natural 20 keeps a group from moving for the rest of the turn."),
)

BUILT: frozenset[str] = frozenset([])
"""The rules that are built and proved."""

REASON = "Still to come"


def _missing(rule: Rule) -> bool:
    return rule.kind == "mechanic" and rule.rule not in BUILT


MISSING = {rule.rule: REASON for rule in rules(Path(__file__).parent).values() if _missing(rule)}
"""Rules without code, or that no test proves, each with the reason."""
