"""Panzer Blitz for Miniatures, version 5: charts, combat arithmetic and movement costs. It cannot be played yet.

These parts stand, as tables and pure functions with their tests: the player aid tables and the units (`charts`), a
counter's numbers in inches (`equipment`), morale and recovery (`morale`), the command radius (`command`), weapons
effectiveness (`effectiveness`), odds, the Combat Results Table and its results (`combat`), the die roll modifiers and
the protection of terrain and works (`modifiers`), anti-aircraft fire (`antiaircraft`), and the limit of lines of sight
by visibility (`visibility`); on the table, the price of ground (`movement_costs`), roads, bridges and fords (`legs`),
blocks, fortifications and minefields (`works`), and the reach of a stand (`reach`).

These parts are missing: stands and their state, the sequence of play, movement as decisions, the rest of what is
measured or traced on the table (lines of sight, spotting, templates, drift), all kinds of attack as decisions,
transport, engineers, aircraft in flight, scenarios and victory. No entry point names this package: nothing offers it.
"""
