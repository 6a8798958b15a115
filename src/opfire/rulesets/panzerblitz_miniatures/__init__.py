"""Panzer Blitz for Miniatures, version 5: the chapters that need no table. It is no ruleset yet and cannot be played.

These parts stand, as tables and pure functions with their tests: the player aid tables and the units (`charts`), a
counter's numbers in inches (`equipment`), morale and recovery (`morale`), the command radius (`command`), weapons
effectiveness (`effectiveness`), odds, the Combat Results Table and its results (`combat`), the die roll modifiers and
the protection of terrain and works (`modifiers`), anti-aircraft fire (`antiaircraft`), and the limit of lines of sight
by visibility (`visibility`).

These parts are missing: stands and their state, the sequence of play, everything that is measured or traced on the
table (movement, lines of sight, spotting, templates, drift), all kinds of attack as decisions, transport, engineers,
aircraft in flight, scenarios and victory. No entry point names this package, so nothing offers it.
"""
