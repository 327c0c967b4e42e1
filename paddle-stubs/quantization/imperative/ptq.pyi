"""ImperativePTQ: trained networks become networks of integers, by Paddle's older names."""

# Written by tools/stubs.py.

from twinoar.quantization.imperative.ptq import *
