"""The rolls that a choice leads to, told before it is made, chapter by chapter."""
