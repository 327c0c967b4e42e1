"""Where the time goes: a table of calls and times, by the names of Paddle 1.8."""

# Written by tools/stubs.py.

from twinoar.fluid.profiler import *
