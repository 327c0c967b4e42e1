"""`paddle.quantization`: networks whose values are rounded to integers of few bits."""

# Written by tools/stubs.py.

from twinoar.quantization import *
