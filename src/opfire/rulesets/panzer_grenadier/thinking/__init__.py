"""What a position is worth and which moves make sense: what computer players ask this ruleset."""

from __future__ import annotations

from opfire.rulesets.panzer_grenadier.thinking.script import script

__all__ = ["script"]
