"""Filter pruning of Programs, by PaddleSlim's names."""

# Written by tools/stubs.py.

from twinoar.slim.prune import *
