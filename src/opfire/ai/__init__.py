"""Computer players: search only; what a position is worth they ask the ruleset."""

from __future__ import annotations

from opfire.ai.opponents import Advance, Greedy, Player, Random

__all__ = ["Player", "players"]


def players() -> dict[str, Player]:
    """The computer players by id, weakest first; new ones at each call: they remember what they plan."""
    return {"random": Random(), "advance": Advance(), "greedy": Greedy()}
