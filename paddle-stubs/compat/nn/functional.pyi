"""`paddle.compat.nn.functional`: functions with PyTorch's arguments."""

# Written by tools/stubs.py.

from twinoar.compat.nn.functional import *
