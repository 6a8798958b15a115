"""The view of a seat, actions in words, the meanings of clicks, previews, lines of sight."""
