"""Morale of formations and units [7.1]."""
