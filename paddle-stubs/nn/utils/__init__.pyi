"""What one does to the parameters or gradients of a layer as a whole."""

# Written by tools/stubs.py.

from twinoar.nn.utils import *
