"""Files and readers, by the names of Paddle 1.8."""

# Written by tools/stubs.py.

from twinoar.fluid.io import *
