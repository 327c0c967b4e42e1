"""Layers of rounded values that are made with the kinds of rounding, by Paddle's older names."""

# Written by tools/stubs.py.

from twinoar.nn.quant.quant_layers import *
