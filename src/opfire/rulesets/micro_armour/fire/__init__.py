"""Combat [7]: standard fire, its weapons, modifiers and results."""
