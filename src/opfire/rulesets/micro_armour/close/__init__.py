"""Overrun and close assault."""
