"""Functions of sparse tensors that networks are built of."""

# Written by tools/stubs.py.

from twinoar.sparse.nn.functional import *
