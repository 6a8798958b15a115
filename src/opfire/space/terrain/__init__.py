"""Terrain of the free table: areas, hills, lines, bridges and buildings, drawn, found, crossed and seen past."""
