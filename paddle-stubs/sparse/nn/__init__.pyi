"""Layers of sparse tensors."""

# Written by tools/stubs.py.

from twinoar.sparse.nn import *
