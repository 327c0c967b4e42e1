"""Names that Paddle keeps apart until they are settled."""

# Written by tools/stubs.py.

from twinoar.incubate import *
