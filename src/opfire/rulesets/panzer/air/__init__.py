"""Aircraft [5.4, 6.4, 6.7], anti-aircraft fire [6.7.4] and airborne landings [7.44]."""
