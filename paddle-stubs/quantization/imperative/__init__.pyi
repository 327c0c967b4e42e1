"""`paddle.quantization.imperative`: quantization by Paddle's older names, layer by layer."""

# Written by tools/stubs.py.

from twinoar.quantization.imperative import *
