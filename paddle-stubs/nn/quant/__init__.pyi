"""`paddle.nn.quant`: layers of rounded values, weights of few bits and products with them."""

# Written by tools/stubs.py.

from twinoar.nn.quant import *
