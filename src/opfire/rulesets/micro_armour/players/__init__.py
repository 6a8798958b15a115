"""The parts of the computer players: the worth of things, artillery, the plain script."""
