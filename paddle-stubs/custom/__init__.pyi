"""Operators of one's own, in Python: compiled, differentiated and saved as the built-in ones are."""

# Written by tools/stubs.py.

from twinoar.custom import *
