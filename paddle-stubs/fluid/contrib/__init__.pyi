"""`paddle.fluid.contrib`: mixed precision alone."""

# Written by tools/stubs.py.

from twinoar.fluid.contrib import *
