"""What a seat is shown: the view, actions in words, the meanings of clicks, previews, lines of sight."""
