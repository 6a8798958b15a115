"""Movement [5]: costs, steps, transport, rivers, entering and leaving the map."""
