"""The game as a player sees it: view, words, previews, queries."""
