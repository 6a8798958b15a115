"""Optional rules; off unless the scenario names them. The rules that are not built yet.

The effects of options live beside the rules that they change.
"""

from __future__ import annotations

from pathlib import Path

from opfire.core.rulebook import Rule, rules
from opfire.core.ruleset import Option

OPTIONS = (
    Option("12.2.1", "Hot Shot", "A natural 1 to fire shifts the attack two columns to the right."),
    Option("12.2.2", "We're Running Low", "After a natural 20 to fire a stand fires only at stands that fire at it."),
    Option("12.2.4", "Intuitive action", "A natural 1 moves a group of a steady force without spending the order."),
    Option("12.2.5", "Conflicting orders", "A natural 20 keeps a group from moving for the rest of the turn."),
    Option("12.8", "Pour It On", "Tanks and anti-tank guns fire a second time after a hit on a vehicle."),
    Option("12.9", "That'll Leave a Mark", "Special ammunition makes armour piercing fire half as strong again."),
    Option("12.10", "Big Game Hunters", "Guns of 150 mm and more fire high explosive at armour from very near."),
    Option("12.11", "A Little HEAT", "German 75 mm L/24 guns have one hollow charge attack for each stand."),
)

BUILT: frozenset[str] = frozenset([])
"""The rules that are built and proved."""

REASON = "Still to come"


def _missing(rule: Rule) -> bool:
    return rule.kind == "mechanic" and rule.rule not in BUILT


MISSING = {rule.rule: REASON for rule in rules(Path(__file__).parent).values() if _missing(rule)}
"""Rules without code, or that no test proves, each with the reason."""
