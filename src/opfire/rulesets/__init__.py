"""The rulebooks, one package each; they never import each other."""
