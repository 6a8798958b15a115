"""Fire: strengths and odds, direct and indirect fire, smoke, and the results of attacks."""
