"""Mixed precision: the names of `paddle.amp`, with what is off truly off."""

# Written by tools/stubs.py.

from twinoar.amp import *
