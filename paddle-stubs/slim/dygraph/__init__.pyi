"""What PaddleSlim has for networks that run at once."""

# Written by tools/stubs.py.

from twinoar.slim.dygraph import *
