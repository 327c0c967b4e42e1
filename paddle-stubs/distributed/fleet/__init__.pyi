"""`paddle.distributed.fleet`: training by ranks, or by workers with parameter servers."""

# Written by tools/stubs.py.

from twinoar.distributed.fleet import *
