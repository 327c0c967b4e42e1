"""Linear algebra: `paddle.linalg`."""

# Written by tools/stubs.py.

from twinoar.linalg import *
