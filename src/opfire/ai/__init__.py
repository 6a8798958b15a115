"""Computer players: search only; what a position is worth they ask the ruleset."""
