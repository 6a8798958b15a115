"""Fire [7, 9, 10, 11, 13, 15.1, 16.1]: bombardment, direct, anti-tank and opportunity fire, aircraft, smoke, losses."""
