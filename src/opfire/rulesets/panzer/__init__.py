"""Panzer (GMT, 2025 rules): charts, data cards and the arithmetic of AP fire. It cannot be played yet.

No entry point names this package: nothing offers it.
"""
