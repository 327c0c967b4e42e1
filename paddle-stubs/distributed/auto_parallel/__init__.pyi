"""Tensors, layers and networks on a mesh of processes."""

# Written by tools/stubs.py.

from twinoar.distributed.auto_parallel import *
