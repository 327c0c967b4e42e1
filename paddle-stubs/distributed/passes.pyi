"""`paddle.distributed.passes`: changes of Programs for several processes, which are refused."""

# Written by tools/stubs.py.

from twinoar.distributed.passes import *
