"""Calls of functions in other processes, by the names that these have given themselves."""

# Written by tools/stubs.py.

from twinoar.distributed.rpc import *
