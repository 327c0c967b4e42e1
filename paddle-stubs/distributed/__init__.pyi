"""`paddle.distributed` for a world of one process: rank 0 of 1, with what that means for each name."""

# Written by tools/stubs.py.

from twinoar.distributed import *
