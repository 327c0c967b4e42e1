"""Compression of networks: pruning and distillation, by PaddleSlim's names."""

# Written by tools/stubs.py.

from twinoar.slim import *
