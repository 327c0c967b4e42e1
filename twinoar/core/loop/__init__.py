"""The loop language: what one element of a result is."""
