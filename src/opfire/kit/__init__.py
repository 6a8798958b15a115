"""Procedures that several rulebooks share: small functions and a few frames, handed each book's own facts."""
