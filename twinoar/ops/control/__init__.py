"""Control flow in Programs, Python's numbers, and functions on the host."""
