"""Parts of networks that Paddle 1.8 has ready: convolutions with pooling, attention."""

# Written by tools/stubs.py.

from twinoar.fluid.nets import *
