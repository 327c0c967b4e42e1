"""`paddle.distributed.io`: the parameters and moments of a Program, and models, in folders."""

# Written by tools/stubs.py.

from twinoar.distributed.io import *
