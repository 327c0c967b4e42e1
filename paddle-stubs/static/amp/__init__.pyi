"""`paddle.static.amp`: mixed precision in Programs."""

# Written by tools/stubs.py.

from twinoar.static.amp import *
