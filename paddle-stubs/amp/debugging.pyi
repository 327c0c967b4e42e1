"""`paddle.amp.debugging`: where numbers stop being finite, and which precision operators ran in."""

# Written by tools/stubs.py.

from twinoar.amp.debugging import *
