"""`paddle.nn.quant`: weights of 8 and 4 bits, and products with them."""

# Written by tools/stubs.py.

from twinoar.nn.quant import *
