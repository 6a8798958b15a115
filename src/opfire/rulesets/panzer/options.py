"""The Advanced Game and optional rules; off unless the scenario names them.

Their effects live beside the rules that they change.
"""

from __future__ import annotations

from opfire.core.ruleset import Option

ADVANCED = "AG"
"""The option that turns the Basic Game [4] into the Advanced Game [5, 6]."""

OPTIONS = (
    Option(ADVANCED, "Advanced Game", "Formations share commands, units have grades, squads and guns take part."),
)
