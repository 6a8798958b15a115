"""Aircraft, helicopters, airborne troops, and the fire at them."""
