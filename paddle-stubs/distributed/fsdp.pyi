"""`paddle.distributed.fsdp`: parameters divided among processes: one has them all."""

# Written by tools/stubs.py.

from twinoar.distributed.fsdp import *
