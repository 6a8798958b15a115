"""Works on the map [6.1.4.3]: obstacles, entrenchments, mines, the insides of buildings."""
