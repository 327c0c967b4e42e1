"""`paddle.distributed.fleet`: training by the one worker that there is."""

# Written by tools/stubs.py.

from twinoar.distributed.fleet import *
