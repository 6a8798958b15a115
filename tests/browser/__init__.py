"""Whole games at the table, in a real Chromium, against a real server."""
