"""Assault [12, 15.31]: moving in, the fight in a hex, cavalry charges."""
