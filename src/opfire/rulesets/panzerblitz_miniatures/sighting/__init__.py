"""Sight and spotting: lines of sight, cover, the limits of sight, Spotted markers."""
