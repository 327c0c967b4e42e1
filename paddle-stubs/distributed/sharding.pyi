"""`paddle.distributed.sharding`: what processes divide of a model that they train together."""

# Written by tools/stubs.py.

from twinoar.distributed.sharding import *
