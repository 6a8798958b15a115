"""Geometry: hexes, the lines between them, maps made of boards, and ways across them.

Nothing here knows a ruleset: what a wood costs or hides is for the rulesets to say.
Everything is decided in integers, so that a game is the same on every machine.
"""
