"""The steps that bring the database to its present form."""
