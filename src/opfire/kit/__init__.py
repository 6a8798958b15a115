"""What several rulebooks do alike: small functions and a few frames, handed each book's own facts."""
