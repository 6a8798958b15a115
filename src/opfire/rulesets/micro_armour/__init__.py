"""Micro Armour: The Game - WWII, 2nd edition: its weapons, aircraft and the design of forces.

No entry point names it as a ruleset yet: it cannot be played. `opfire force` uses it.
"""
