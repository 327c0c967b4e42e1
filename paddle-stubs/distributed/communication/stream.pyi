"""Collectives of one rank: what one process sends comes back to it."""

# Written by tools/stubs.py.

from twinoar.distributed.communication.stream import *
