"""Paddle 1.8's dynamic mode: operators run at once within `guard()`."""

# Written by tools/stubs.py.

from twinoar.fluid.dygraph import *
