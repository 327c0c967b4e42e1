"""Special functions by the names that PyTorch has for them."""

# Written by tools/stubs.py.

from twinoar.special import *
