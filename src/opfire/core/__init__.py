"""The kernel: knows no ruleset, no map, no network."""
