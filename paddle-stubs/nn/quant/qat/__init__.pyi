"""`paddle.nn.quant.qat`: layers whose inputs and weights pass through quanters."""

# Written by tools/stubs.py.

from twinoar.nn.quant.qat import *
