"""Running Programs, by the arguments of Paddle 1.8."""

# Written by tools/stubs.py.

from twinoar.fluid.executor import *
