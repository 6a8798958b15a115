"""Optional rules [17] and readings that a game may choose, as switches."""

from __future__ import annotations

from opfire.core.ruleset import Option

OPTIONS: tuple[Option, ...] = (
    Option("17.1", "Consolidation", "Two reduced units of one kind may combine into a full one."),
    Option("17.2", "Excess initiative", "A lead of three segments or more lets the winner save one for later."),
    Option("17.3", "Strategic movement", "Out of the enemy's sight units move twice as far."),
    Option("17.4", "Fog of war", "After three segments each, 16 or more on three dice ends the turn at once."),
    Option("17.5", "Random events", "Equal initiative dice may bring an event of the random events table."),
    Option("R3.11", "Leaders stay out", "Leaders of a stack that are not designated take no part in its activation."),
    Option(
        "R7.52", "One result for the whole hex", "Losses of a split-column attack fall on any unit in the hex [7.61]."
    ),
    Option("R8.21", "Open hills", "A hill alone does not hide the units on it [against 8.21.A1]."),
    Option(
        "R10.1",
        "Fire through friends",
        "Any unit may fire past friends if a free hex lies before the target [10.1.A1].",
    ),
    Option("R14.2", "Shy of any enemy", "The disrupted do not enter a hex with a lone enemy leader or empty truck."),
    Option("R16.61", "Hidden lookouts report", "A hidden unit is placed when a hidden enemy sees it, too [16.61]."),
    Option("R14.31", "Strictly safe hexes", "A hex that an enemy can see is never safe to flee to [14.31.A]."),
    Option("R16.11", "Smoke in sight", "Smoke may be fired at any hex that the firer or a leader sees."),
)

MISSING: dict[str, str] = {
    "8.36": "The paragraph is lost; 8.2 cites it as an exception to blocked lines: RULINGS.md P2"
}
