"""Setting up [2.3, 6.1, 6.8, 16.6, 16.7]: from a scenario to the first turn."""
