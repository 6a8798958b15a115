"""Designing scenarios: engagements, ground, allowances, prices, observers, determination, and the check of a force."""
