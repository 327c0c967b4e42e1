"""Sparse tensors: positions and values (COO), or matrices row by row (CSR)."""

# Written by tools/stubs.py.

from twinoar.sparse import *
