"""`paddle.static.quantization`: Programs that are quantized, in training and after it."""

# Written by tools/stubs.py.

from twinoar.static.quantization import *
