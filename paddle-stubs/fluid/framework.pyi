"""Programs and what is asked of the process, by the names of Paddle 1.8."""

# Written by tools/stubs.py.

from twinoar.fluid.framework import *
