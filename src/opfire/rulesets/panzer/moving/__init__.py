"""Movement [4.5, 6.6]."""
