"""`paddle.distributed.fleet.utils`: recomputation and file systems."""

# Written by tools/stubs.py.

from twinoar.distributed.fleet.utils import *
