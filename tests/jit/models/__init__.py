"""Model codes of different style, written the way users write them."""
