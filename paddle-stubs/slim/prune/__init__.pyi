"""Pruning of Programs, by PaddleSlim's names: filters, single weights, and what they cost."""

# Written by tools/stubs.py.

from twinoar.slim.prune import *
