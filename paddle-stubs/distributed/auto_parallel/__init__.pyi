"""Tensors, layers and networks on a mesh of processes, of which there is one."""

# Written by tools/stubs.py.

from twinoar.distributed.auto_parallel import *
