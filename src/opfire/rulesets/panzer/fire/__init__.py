"""Fire [4.4, 6.5]: fields of fire, AP fire, overwatch."""
