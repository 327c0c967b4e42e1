"""The few names of `fluid.core` that scripts use: types, exceptions, devices."""

# Written by tools/stubs.py.

from twinoar.fluid.core import *
