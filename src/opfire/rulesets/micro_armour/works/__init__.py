"""Fortifications and combat engineering [11]: mines, wire, ditches, positions, bridges, and ruins [9.4]."""
