"""Movement by the inch, the ground and the works on it, transport, and the fire at movers."""
