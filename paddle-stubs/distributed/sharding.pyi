"""`paddle.distributed.sharding`: what processes would divide of a model; one has all of it."""

# Written by tools/stubs.py.

from twinoar.distributed.sharding import *
