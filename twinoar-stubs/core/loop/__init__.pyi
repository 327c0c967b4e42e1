"""The loop language: its words are in `language`."""

# Written by tools/stubs.py.

