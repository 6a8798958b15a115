"""The table of a seat: the view, previews, meanings of a click, standing orders."""
