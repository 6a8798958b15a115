"""Indirect fire [6.5.1]: observers, batteries, missions, barrages and smoke."""
