"""Airborne landings [8.10]: drop zones, paratroopers, gliders."""
