"""Additions to pytest besides the tests."""
