"""Artillery [7.4 to 7.8]: batteries, sheafs, missions, what happens under impact markers."""
