"""Operators: no public names."""

# Written by tools/stubs.py.

