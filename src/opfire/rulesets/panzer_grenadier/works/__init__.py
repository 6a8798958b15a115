"""Works [16.2, 16.3, 16.4, 16.7]: digging in, wrecks, entrenchments, minefields."""
