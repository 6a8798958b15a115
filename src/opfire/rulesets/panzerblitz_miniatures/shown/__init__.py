"""The view of a seat, actions in words, the meanings of a click, previews, and lines of sight."""
