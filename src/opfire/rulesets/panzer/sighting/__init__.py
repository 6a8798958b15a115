"""Spotting and lines of sight [4.1, 6.1]."""
