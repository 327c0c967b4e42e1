"""Compression of networks: pruning of filters, by PaddleSlim's names."""

# Written by tools/stubs.py.

from twinoar.slim import *
