"""Orders, movement by the inch, transport, and the fire at movers."""
