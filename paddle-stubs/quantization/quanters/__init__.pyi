"""`paddle.quantization.quanters`: what rounds values in training."""

# Written by tools/stubs.py.

from twinoar.quantization.quanters import *
