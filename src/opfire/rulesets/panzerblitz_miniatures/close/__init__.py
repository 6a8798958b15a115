"""Attacks in contact: overruns and close assaults."""
