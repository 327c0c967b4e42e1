"""Collectives, objects between processes, and what one sends to another."""

# Written by tools/stubs.py.

from twinoar.distributed.communication import *
