"""Computer players: search only; they ask the ruleset for the worth of a position."""

from __future__ import annotations

from opfire.ai.opponents import Advance, Greedy, Player, Random

__all__ = ["Player", "players"]


def players() -> dict[str, Player]:
    """The computer players by id, weakest first; new ones at each call, since they remember their plans."""
    return {"random": Random(), "advance": Advance(), "greedy": Greedy()}
