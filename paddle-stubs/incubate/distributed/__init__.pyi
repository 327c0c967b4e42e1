"""`paddle.incubate.distributed`: recomputation by the names of fleet."""

# Written by tools/stubs.py.

from twinoar.incubate.distributed import *
