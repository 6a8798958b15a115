"""Panzer Blitz for Miniatures, version 5: charts, combat arithmetic, costs and sight. It cannot be played yet.

These parts stand, as tables and pure functions with their tests: the player aid tables and the units (`charts`), a
counter's numbers in inches (`equipment`), morale and recovery (`morale`), the command radius (`command`), weapons
effectiveness (`effectiveness`), odds, the Combat Results Table and its results (`combat`), the die roll modifiers and
the protection of terrain and works (`modifiers`), anti-aircraft fire (`antiaircraft`), and the limit of lines of sight
by visibility (`visibility`); on the table, the price of ground (`movement_costs`), roads, bridges and fords (`legs`),
blocks, fortifications and minefields (`works`), the reach of a stand (`reach`), lines of sight (`sight`), cover, crests
and hull down on a line (`cover`), and spotting along a line (`spotting`).

These parts are missing: stands and their state, the sequence of play, movement as decisions, spotted markers,
templates, drift, all kinds of attack as decisions, transport, engineers, aircraft in flight, scenarios and victory.
No entry point names this package: nothing offers it.
"""
