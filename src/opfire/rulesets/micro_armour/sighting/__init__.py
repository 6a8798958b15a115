"""Spotting and line of sight [6]: who sees whom, and what hides a stand."""
