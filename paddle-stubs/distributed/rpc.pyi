"""Calls of functions in other processes: of one process, in itself."""

# Written by tools/stubs.py.

from twinoar.distributed.rpc import *
