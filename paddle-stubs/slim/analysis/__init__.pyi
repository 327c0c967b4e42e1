"""What networks cost: multiplications, sizes, times."""

# Written by tools/stubs.py.

from twinoar.slim.analysis import *
