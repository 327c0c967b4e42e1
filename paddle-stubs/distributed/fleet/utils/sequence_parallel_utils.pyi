"""Tensor parallelism whose processes divide the positions of a sequence between the linear layers."""

# Written by tools/stubs.py.

from twinoar.distributed.fleet.utils.sequence_parallel_utils import *
