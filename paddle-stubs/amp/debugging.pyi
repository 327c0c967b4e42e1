"""`paddle.amp.debugging`: where numbers stop being finite."""

# Written by tools/stubs.py.

from twinoar.amp.debugging import *
