"""`paddle.compat.nn`: layers with PyTorch's arguments."""

# Written by tools/stubs.py.

from twinoar.compat.nn import *
