"""`fluid.layers` of Paddle 1.8: its names, arguments, orders and defaults, over what twinoar has."""

# Written by tools/stubs.py.

from twinoar.fluid.layers import *
