"""`paddle.distributed.fsdp`: parameters that processes divide; one has them all."""

# Written by tools/stubs.py.

from twinoar.distributed.fsdp import *
