"""Morale [14]: checks, flight, recovery."""
