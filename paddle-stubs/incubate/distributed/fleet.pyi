"""`paddle.incubate.distributed.fleet`: recomputation."""

# Written by tools/stubs.py.

from twinoar.incubate.distributed.fleet import *
