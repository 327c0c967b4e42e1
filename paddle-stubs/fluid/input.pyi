"""`fluid.data`, `fluid.embedding` and `fluid.one_hot`: what goes into a Program."""

# Written by tools/stubs.py.

from twinoar.fluid.input import *
