"""What feeds a training loop in Paddle 1.8: DataLoader over a Dataset or generator, PyReader."""

# Written by tools/stubs.py.

from twinoar.fluid.reader import *
