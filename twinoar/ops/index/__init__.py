"""Elements picked, placed, sorted and searched."""
