"""What pytest is given besides the tests."""
