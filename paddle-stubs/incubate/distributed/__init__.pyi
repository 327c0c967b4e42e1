"""`paddle.incubate.distributed`: recomputation by the names of fleet, and mixtures of experts."""

# Written by tools/stubs.py.

from twinoar.incubate.distributed import *
