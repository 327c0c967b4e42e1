"""Collectives on tensors, with all their switches."""

# Written by tools/stubs.py.

from twinoar.distributed.communication.stream import *
