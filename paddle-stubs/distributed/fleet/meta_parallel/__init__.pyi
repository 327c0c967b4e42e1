"""`paddle.distributed.fleet.meta_parallel`: networks that processes would divide."""

# Written by tools/stubs.py.

from twinoar.distributed.fleet.meta_parallel import *
