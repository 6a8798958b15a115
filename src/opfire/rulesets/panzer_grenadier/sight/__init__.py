"""Sight [8, 16.6]: lines, spotting, and the knowledge of a side."""
