"""Command [3, 6, 18]: leaders, activation and the action segment, the players of a side."""
