"""The core of twinoar: no public names."""

# Written by tools/stubs.py.

