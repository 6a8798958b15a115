"""The Advanced Game and optional rules; off unless the scenario names them. The rules that are not built yet.

The effects of options live beside the rules that they change.
"""

from __future__ import annotations

from pathlib import Path

from opfire.core.rulebook import Rule, rules
from opfire.core.ruleset import Option

ADVANCED = "AG"
"""The option that turns the Basic Game [4] into the Advanced Game [5, 6]."""

OPTIONS = (
    Option(ADVANCED, "Advanced Game", "Formations share commands, units have grades, squads and guns take part."),
)

BUILT = frozenset(
    (
        "5.1",
        "5.1.1",
        "5.1.1-a",
        "5.1.2",
        "5.1.3.4",
        "5.6",
        "5.14",
        "5.14-a",
        "5.16",
        "5.16.2",
        "5.16.2.1",
        "5.16.2.2",
        "6.5.2.2.4-b",
        "6.5.3",
        "6.5.4",
        "6.5.4.1",
        "6.5.4.2",
        "6.5.4.2.1",
        "6.5.4.2.3-joint",
        "6.5.4.2.2-best",
        "6.5.4.2.2-clamp",
        "6.5.4.2.2-cover",
        "6.5.4.2.2-fc",
        "6.5.4.2.2-move",
        "6.5.4.2.2-type",
        "6.5.4.3",
        "6.5.4.3-moving",
        "6.5.4.3-moving-reveal",
        "6.5.4.3-grade",
        "6.5.4.4",
        "6.5.4.4.1",
        "6.5.4.4.2-5s10s",
        "6.5.4.4.2-bu-sup",
        "6.5.4.4.2-eff-cap",
        "6.5.4.4.2-eff-dmg",
        "6.5.4.4.2-eff-kill",
        "6.5.4.4.2-eff-s",
        "6.5.4.4.2-eff-trk",
        "6.5.4.4.2-sa-eff-a",
        "6.5.4.4.2-sa-eff-p",
        "6.5.4.4.2-sa-eff-s",
        "6.5.4.4.2-sa-sup-a",
        "6.5.4.4.2-sa-sup-p",
        "6.5.4.4.2-sa-sup-s",
        "6.5.4.4.2-sup-nsa",
        "6.5.4.4.3-eff",
        "6.5.4.4.3-sup",
        "5.1.3",
        "5.8.1",
        "5.8.2",
        "5.8.3",
        "5.9.1",
        "5.5",
        "5.10",
        "5.13",
        "6.1.1",
        "6.1.2",
        "6.1.3-a",
        "6.1.3.1",
        "6.1.4.2",
        "6.1.4.2-a",
        "6.2",
        "6.2.1",
        "6.2.1.1",
        "6.2.1.1-a",
        "6.2.1.1.1",
        "6.2.1.1.3",
        "6.2.1.1.3-limits",
        "6.2.1.1.3-nc",
        "6.2.1.1.3-recon",
        "6.2.1.1.3-unarmed",
        "6.2.1.1.4-fire",
        "6.2.1.1.4-move",
        "6.2.1.1.4-ow",
        "6.3",
        "6.3.1",
        "6.5.2.1",
        "6.5.2.2",
        "6.5.2.2.2",
        "6.5.2.2.3",
        "6.5.2.3",
        "6.5.2.3.1",
        "6.5.2.4-grade",
        "6.5.2.5",
        "5.2",
        "5.15",
        "5.15-a",
        "6.1.4.1.1",
        "6.1.4.1.3",
        "6.1.4.3.2",
        "6.1.3-b",
        "6.1.3-c",
        "6.5.2.6.2",
        "6.5.2.6.2-kobu",
        "6.5.4.5",
        "6.5.4.5-repeat",
        "6.5.4.2.3-bail",
        "6.6.7",
        "6.6.7.1-cap",
        "6.6.7.1-pass",
        "6.6.7.1.1-mount",
        "6.6.7.1.1-dismount",
        "6.6.7.1.1-veh",
        "6.6.7.1.2",
        "6.5.2",
        "6.5.2.1-n",
        "6.5.2.1-qrf",
        "6.5.2.2.1",
        "6.5.2.2.4",
        "6.5.2.5-stype",
        "6.5.2.5-nd",
        "6.5.2.5-dm",
        "6.5.2.5-ko",
        "6.5.2.5-bu",
        "6.5.2.6.1",
        "6.6.2",
        "6.6.4.1-block",
        "6.6.4.1-height",
        "6.6.4.1-mf",
        "6.6.4.1-proh",
        "6.6.4.3",
        "6.6.4.3-status",
        "6.6.5",
        "6.8.1",
        "6.8.2",
        "6.8.3",
        "6.8.3.1.1",
        "6.8.3.1.2",
        "6.8.3.2",
        "6.8.4",
    ),
)
"""The rules of the Advanced Game and the optional rules that are built and proved; the Basic Game is whole."""

CHAPTERS = {
    "basic": "",
    "advanced": "Advanced Game: its chapter is still to come; the Basic Game does without",
    "optional": "Optional rule: still to come; no scenario uses it",
}
"""The reason for which the other rules of a level are missing."""


def _missing(rule: Rule) -> str:
    return "" if rule.rule in BUILT or rule.kind != "mechanic" else CHAPTERS.get(rule.level, "")


MISSING = {rule.rule: reason for rule in rules(Path(__file__).parent).values() if (reason := _missing(rule))}
"""Rules without code, or that no test proves, each with the reason."""
