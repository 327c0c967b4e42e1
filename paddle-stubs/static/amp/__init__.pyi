"""`paddle.static.amp`: mixed precision in Programs, which is refused when it is switched on."""

# Written by tools/stubs.py.

from twinoar.static.amp import *
