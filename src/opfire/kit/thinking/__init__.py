"""The thoughts that computer players of all books share: goals, danger to them, ways, fields of fire, places."""
