"""`paddle.incubate.distributed.models.moe`: layers whose experts several processes share."""

# Written by tools/stubs.py.

from twinoar.incubate.distributed.models.moe import *
