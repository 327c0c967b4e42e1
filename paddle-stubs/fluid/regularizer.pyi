"""Weight decay, by the names and arguments of Paddle 1.8."""

# Written by tools/stubs.py.

from twinoar.fluid.regularizer import *
