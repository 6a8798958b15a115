"""Opfire: one engine for tactical wargame rulebooks, and the table to play them on."""

__version__ = "0.1.0"
